//! Reports: only files below one folder.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bezzel_serve::{Limits, Options, PageMaker};
use tempfile::TempDir;

use crate::server::test_server::{TestServer, until};

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("reports/first look")).unwrap();
    fs::write(root.join("secret.txt"), "secret").unwrap();
    fs::write(root.join("reports/index.html"), "<p>All reports").unwrap();
    fs::write(root.join("reports/first look/index.html"), "<p>First look").unwrap();
    fs::write(root.join("reports/first look/times.svg"), "<svg/>").unwrap();
    fs::write(root.join("reports/table.csv"), "solver,seconds\n").unwrap();
    fs::write(root.join("reports/empty.txt"), "").unwrap();
    let long: Vec<u8> = (0..1_000_003_u32).map(|number| (number % 251) as u8).collect();
    fs::write(root.join("reports/long.txt"), long).unwrap();
    symlink(root.join("secret.txt"), root.join("reports/link.txt")).unwrap();
    symlink(root, root.join("reports/up")).unwrap();
    symlink("index.html", root.join("reports/same.html")).unwrap();
    folder
}

fn server(folder: &TempDir, limits: Limits) -> TestServer {
    let reports = Some(folder.path().join("reports"));
    TestServer::start(Options { reports, limits, ..Options::default() })
}

/// Makes the pages of reports whose names begin with `slow`: each as soon as the test sends its result.
struct SlowMaker {
    folder: PathBuf,
    results: Mutex<Receiver<Result<(), String>>>,
    begun: AtomicUsize,
}

impl PageMaker for SlowMaker {
    fn outdated(&self, path: &Path) -> Option<PathBuf> {
        let name = path.iter().next()?.to_str()?;
        let page = Path::new(name).join("index.html");
        (name.starts_with("slow") && !self.folder.join(&page).exists()).then_some(page)
    }

    fn make(&self, page: &Path) -> Result<(), String> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        self.results.lock().unwrap().recv().unwrap()?;
        fs::write(self.folder.join(page), "<p>Slow").unwrap();
        Ok(())
    }
}

/// A server that makes slow pages, and the sender of their results.
pub(crate) struct SlowServer {
    pub(crate) server: TestServer,
    pub(crate) done: Sender<Result<(), String>>,
    maker: Arc<SlowMaker>,
    _folder: TempDir,
}

impl SlowServer {
    pub(crate) fn start() -> Self {
        let folder = folder();
        let reports = folder.path().join("reports");
        fs::create_dir_all(reports.join("slow")).unwrap();
        fs::create_dir_all(reports.join("slow two")).unwrap();
        fs::write(reports.join("slow/report.md"), "# slow\n\n<script>& more\n").unwrap();
        let (done, results) = mpsc::channel();
        let maker = Arc::new(SlowMaker {
            folder: reports.clone(),
            results: Mutex::new(results),
            begun: AtomicUsize::new(0),
        });
        let limits =
            Limits { page_wait: Duration::from_millis(50), reports: 1, ..Limits::default() };
        let server = TestServer::start(Options {
            reports: Some(reports),
            limits,
            maker: Some(Arc::clone(&maker) as Arc<dyn PageMaker>),
            ..Options::default()
        });
        Self { server, done, maker, _folder: folder }
    }
}

#[test]
fn while_a_page_is_made_once_its_text_is_read_and_finished_pages_are_sent() {
    let SlowServer { server, done, maker, _folder } = &SlowServer::start();
    for address in ["/reports/slow/", "/reports/slow/table.md", "/reports/slow%20two/"] {
        let answer = server.get(address);
        assert_eq!((answer.status, answer.header("retry-after")), (503, Some("1")), "{address}");
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
        let text = answer.text();
        assert!(text.contains("is being made from its evidence"), "{text}");
        let is_shown = text.contains("<h1>slow</h1>\n<p>&lt;script&gt;&amp; more\n");
        assert_eq!(is_shown, !address.contains("two"), "{text}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    }
    for address in ["/reports/", "/reports/first%20look/", "/api/board?size=10"] {
        assert_eq!(server.get(address).status, 200, "{address}");
    }
    assert_eq!(maker.begun.load(Ordering::SeqCst), 1, "one report at a time, by one task");
    done.send(Ok(())).unwrap();
    until(|| server.get("/reports/slow/").status == 200);
    assert_eq!(server.get("/reports/slow/").text(), "<p>Slow");
    // A client that asks only for the status leaves the reason to the reader.
    done.send(Err("no <rows>".to_owned())).unwrap();
    let head = || {
        let mut client = server.client();
        let host = server.address;
        let head = format!("HEAD /reports/slow%20two/ HTTP/1.1\r\nHost: {host}\r\n\r\n");
        client.stream.write_all(head.as_bytes()).unwrap();
        client.head().unwrap()
    };
    until(|| head().starts_with("HTTP/1.1 404"));
    assert!(head().starts_with("HTTP/1.1 404"));
    let answer = server.get("/reports/slow%20two/");
    assert_eq!(answer.status, 404);
    let reason = "The server answers: the page cannot be made: no &lt;rows&gt;.";
    assert!(answer.text().contains(reason), "{}", answer.text());
    // The next request begins again.
    assert_eq!(server.get("/reports/slow%20two/").status, 503);
    until(|| maker.begun.load(Ordering::SeqCst) == 3);
    done.send(Ok(())).unwrap();
    until(|| server.get("/reports/slow%20two/").status == 200);
}

#[test]
fn files_of_reports_are_sent_with_their_kind() {
    let folder = folder();
    let server = server(&folder, Limits::default());
    assert_eq!(server.json("/api/limits")["reports"], true);
    for (address, kind, text) in [
        ("/reports/", "text/html; charset=utf-8", "<p>All reports"),
        ("/reports/index.html", "text/html; charset=utf-8", "<p>All reports"),
        ("/reports/same.html", "text/html; charset=utf-8", "<p>All reports"),
        ("/reports/first%20look/", "text/html; charset=utf-8", "<p>First look"),
        ("/reports/first%20look/times.svg", "image/svg+xml", "<svg/>"),
    ] {
        let answer = server.get(address);
        assert_eq!((answer.status, answer.text()), (200, text), "{address}");
        assert_eq!(answer.header("content-type"), Some(kind), "{address}");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && !policy.contains("connect-src"));
        assert!(policy.contains("sandbox allow-scripts") && !policy.contains("allow-same-origin"));
        assert_eq!(policy.contains("script-src 'none'"), !kind.starts_with("text/html"));
        assert_eq!(answer.header("content-length"), Some(&*text.len().to_string()), "{address}");
    }
    let policy = server.get("/reports/table.csv");
    let policy = policy.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'none'") && !policy.contains("sandbox"), "{policy}");
    let host = server.address;
    let head = format!("HEAD /reports/table.csv HTTP/1.1\r\nHost: {host}\r\n\r\n");
    let mut client = server.client();
    client.stream.write_all(head.as_bytes()).unwrap();
    assert!(client.head().unwrap().starts_with("HTTP/1.1 200"));
    for name in ["empty.txt", "long.txt"] {
        let answer = server.get(&format!("/reports/{name}"));
        let written = fs::read(folder.path().join("reports").join(name)).unwrap();
        assert!(answer.status == 200 && answer.bytes == written, "{name}");
    }
    for (address, location) in
        [("/reports", "/reports/"), ("/reports/first%20look", "/reports/first%20look/")]
    {
        let answer = server.get(address);
        assert_eq!((answer.status, answer.header("location")), (308, Some(location)), "{address}");
    }
}

#[test]
fn nothing_else_of_the_file_system_can_be_reached() {
    let folder = folder();
    let server = server(&folder, Limits::default());
    let mut client = server.client();
    let outside = folder.path().join("secret.txt");
    let outside = outside.to_str().unwrap();
    let mut addresses: Vec<String> = [
        "../secret.txt",
        "%2e%2e/secret.txt",
        "%2E%2E%2Fsecret.txt",
        "..%2fsecret.txt",
        "..%5csecret.txt",
        "..\\secret.txt",
        "first%20look/../../secret.txt",
        "first%20look/%2e%2e/%2e%2e/secret.txt",
        "%252e%252e/secret.txt",
        "%252e%252e%252fsecret.txt",
        "link.txt",
        "up/secret.txt",
        "up/reports/index.html/..",
        "up",
        "up/",
        "secret.txt%00.html",
        "index.html%00",
        "%00",
        "//etc/passwd",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "nothing.html",
        "first%20look/nothing/",
        "index.html/",
        "%",
        "%ff",
        "....//secret.txt",
        ".%00./secret.txt",
        "%c0%ae%c0%ae/secret.txt",
    ]
    .map(|path| format!("/reports/{path}"))
    .to_vec();
    addresses.extend([
        format!("/reports/{outside}"),
        format!("/reports{}", outside.replace('/', "%2f")),
        "/../secret.txt".to_owned(),
        "/reports/../../secret.txt".to_owned(),
        "/%2e%2e/secret.txt".to_owned(),
        "/reports%2findex.html".to_owned(),
        outside.to_owned(),
    ]);
    for address in addresses {
        let answer = client.get(&address).unwrap();
        assert_eq!(answer.status, 404, "{address}: {}", answer.text());
        assert!(answer.text().contains("There is no page"), "{address}");
    }
}

#[test]
fn without_a_folder_there_are_no_reports() {
    let answer = TestServer::new().get("/reports/");
    assert_eq!(answer.status, 404);
    assert!(answer.text().contains("no folder of reports"), "{}", answer.text());
}
