//! Reports: only files below one folder.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};
use std::thread;

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
        if self.outdated(page).is_none() {
            return Ok(());
        }
        self.begun.fetch_add(1, Ordering::SeqCst);
        self.results.lock().unwrap().recv().unwrap()?;
        fs::write(self.folder.join(page), "<p>Slow").unwrap();
        Ok(())
    }
}

#[test]
fn a_page_is_made_once_while_its_clients_wait_and_finished_pages_are_sent() {
    let folder = folder();
    let reports = folder.path().join("reports");
    fs::create_dir_all(reports.join("slow")).unwrap();
    let (done, results) = mpsc::channel();
    let (folder, results) = (reports.clone(), Mutex::new(results));
    let maker = Arc::new(SlowMaker { folder, results, begun: AtomicUsize::new(0) });
    let begun = || maker.begun.load(Ordering::SeqCst);
    let server = TestServer::start(Options {
        reports: Some(reports),
        maker: Some(Arc::clone(&maker) as Arc<dyn PageMaker>),
        ..Options::default()
    });
    let slow = |address: &'static str| {
        let mut client = server.client();
        thread::spawn(move || client.get(address).unwrap())
    };
    // A page that cannot be made has its reason, and the next request begins again.
    let refused = slow("/reports/slow/");
    done.send(Err("no <rows>".to_owned())).unwrap();
    let refused = refused.join().unwrap();
    let reason = "The server answers: the page cannot be made: no &lt;rows&gt;.";
    assert!(refused.status == 404 && refused.text().contains(reason), "{}", refused.text());
    let clients = ["/reports/slow/", "/reports/slow/index.html"].map(slow);
    until(|| begun() == 2);
    for address in ["/reports/", "/reports/first%20look/", "/api/board?size=10"] {
        assert_eq!(server.get(address).status, 200, "{address}");
    }
    done.send(Ok(())).unwrap();
    for client in clients {
        let answer = client.join().unwrap();
        assert_eq!((answer.status, answer.text()), (200, "<p>Slow"));
    }
    assert_eq!(begun(), 2);
    // A browser gets a page that loads itself again, and the reason of a failure once.
    fs::remove_file(maker.folder.join("slow/index.html")).unwrap();
    let host = server.address;
    let browser = || {
        let head =
            format!("GET /reports/slow/ HTTP/1.1\r\nHost: {host}\r\nAccept: text/html\r\n\r\n");
        server.client().send(&head).unwrap()
    };
    let is_waiting = || {
        let answer = browser();
        let text = answer.text();
        let is_named = text.contains("This report is being written") && text.contains("slow");
        answer.status == 202 && answer.header("refresh") == Some("2") && is_named
    };
    assert!(is_waiting() && is_waiting());
    assert_eq!(begun(), 3);
    done.send(Err("no rows".to_owned())).unwrap();
    until(|| browser().status == 404);
    assert!(is_waiting());
    done.send(Ok(())).unwrap();
    until(|| browser().text() == "<p>Slow");
    assert_eq!(begun(), 4);
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
        // A page in a sandbox has another origin than its pictures.
        let of_picture = if kind.starts_with("image/") { "cross-origin" } else { "same-origin" };
        assert_eq!(answer.header("cross-origin-resource-policy"), Some(of_picture), "{address}");
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
