//! `GET /reports/…`: the reports of experiments, which are files below one folder.
//!
//! No other part of the file system can be reached: a path of plain names is required, and the file must be below the
//! folder after all links are followed.
//!
//! A page that is missing or outdated is made by a task of its own, which several clients can wait for. Meanwhile they
//! read the Markdown of the last report, which is in the repository. Finished pages wait for no task.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use tokio::sync::{Semaphore, watch};
use tokio::task;
use tokio::time::timeout;
use tower_http::services::ServeFile;

use super::Shared;
use super::answers::{Refusal, escaped};
use super::limits::Limits;
use crate::question::decode_path;

/// The reason if there is no file.
const ABSENT: &str = "there is no such report";

/// The policy of a page of a report: it may use its own styles, show pictures of this server (the index shows those of
/// the reports), and run its own script, which the policy inside the page names by digest. Its origin differs from this
/// server's, so its script cannot read answers of this server; links work, also to kept files.
const PAGE: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                    img-src 'self' data:; font-src data:; base-uri 'none'; form-action 'none'; \
                    frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads";

/// The policy of a picture that can contain a script: it may only be displayed.
const PICTURE: &str = "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; \
                       img-src data:; font-src data:; base-uri 'none'; form-action 'none'; \
                       frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-downloads";

/// The policy of all other files. It has no sandbox, since browsers show no PDF in one.
const FILE: &str = "default-src 'none'; script-src 'none'; style-src 'unsafe-inline'; \
                    img-src 'self' data:; base-uri 'none'; form-action 'none'; \
                    frame-ancestors 'none'";

/// The means to make pages of reports that are missing, or older than their evidence.
pub trait PageMaker: Send + Sync {
    /// Returns the page that must be made before the file at `path` is sent, if there is one. Both are paths below the
    /// folder of reports.
    fn outdated(&self, path: &Path) -> Option<PathBuf>;

    /// Makes a page, unless it was made meanwhile.
    ///
    /// # Errors
    ///
    /// The page cannot be made, for this reason.
    fn make(&self, page: &Path) -> Result<(), String>;
}

/// The result of making a page, once there is one.
type Made = watch::Receiver<Option<Result<(), String>>>;

/// The reports below a folder.
pub(super) struct Reports {
    folder: PathBuf,
    maker: Option<Arc<dyn PageMaker>>,
    /// The pages that are being made, each by one task. A page that could not be made stays until a client gets the
    /// reason.
    tasks: Arc<Mutex<HashMap<PathBuf, Made>>>,
    permits: Arc<Semaphore>,
    wait: Duration,
}

impl Reports {
    pub(super) fn new(folder: PathBuf, maker: Option<Arc<dyn PageMaker>>, limits: &Limits) -> Self {
        let permits = Arc::new(Semaphore::new(limits.reports));
        Self { folder, maker, tasks: Arc::default(), permits, wait: limits.page_wait }
    }

    /// Makes the page that must be made before the file at `path` is sent, if there is one. Returns this page if it is
    /// still being made. `is_read` is true if the client shows the reason why a page cannot be made.
    async fn made(&self, path: &Path, is_read: bool) -> Result<Option<PathBuf>, Refusal> {
        let Some(maker) = self.maker.clone() else { return Ok(None) };
        let outdated = {
            let (maker, path) = (Arc::clone(&maker), path.to_owned());
            task::spawn_blocking(move || maker.outdated(&path)).await
        };
        let Some(page) = outdated.map_err(|_| Refusal::fault())? else { return Ok(None) };
        let mut made = {
            let mut tasks = lock(&self.tasks);
            let task = tasks.entry(page.clone()).or_insert_with(|| self.start(maker, &page));
            task.clone()
        };
        let Ok(ended) = timeout(self.wait, made.wait_for(Option::is_some)).await else {
            return Ok(Some(page));
        };
        // A task that panicked has no result.
        let ended =
            ended.map_or_else(|_| Err(PANICKED.to_owned()), |end| end.clone().unwrap_or(Ok(())));
        ended.map(|()| None).map_err(|reason| {
            if is_read {
                // Another client may have started the next task by now.
                lock(&self.tasks).retain(|_, task| !task.same_channel(&made));
            }
            Refusal::missing(format!("the page cannot be made: {reason}"))
        })
    }

    /// Starts the task that makes a page. It goes on without a client.
    fn start(&self, maker: Arc<dyn PageMaker>, page: &Path) -> Made {
        let (sender, made) = watch::channel(None);
        let (tasks, permits) = (Arc::clone(&self.tasks), Arc::clone(&self.permits));
        let page = page.to_owned();
        task::spawn(async move {
            let _permit = permits.acquire().await;
            let own = page.clone();
            let Ok(ended) = task::spawn_blocking(move || maker.make(&own)).await else { return };
            if ended.is_ok() {
                lock(&tasks).remove(&page);
            }
            sender.send_replace(Some(ended));
        });
        made
    }
}

/// The reason of a page whose maker panicked.
const PANICKED: &str = "the server failed; the terminal where it runs shows the error";

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the routes of reports.
pub(super) fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/reports", get(report))
        .route("/reports/", get(report))
        .route("/reports/{*path}", get(report))
}

async fn report(State(shared): State<Arc<Shared>>, request: Request) -> Result<Response, Refusal> {
    let address = request.uri().path().to_owned();
    let none = "there is no folder of reports where the server was started";
    let reports = shared.reports.as_ref().ok_or_else(|| Refusal::missing(none))?;
    let absent = || Refusal::missing(ABSENT);
    let path =
        file_path(address.strip_prefix("/reports").unwrap_or_default()).ok_or_else(absent)?;
    // If a page cannot be made, an outdated one is not sent in its place.
    if let Some(page) = reports.made(&path, request.method() == Method::GET).await? {
        return Ok(being_made(&reports.folder, &page));
    }
    let found = below(&reports.folder, &path).ok_or_else(absent)?;
    if found.is_dir() {
        // Without the final slash relative links would fail. The address begins with our own prefix, so it leads to
        // no other site.
        return Ok(Redirect::permanent(&format!("{address}/")).into_response());
    }
    let sent = ServeFile::new(found).try_call(request).await.map_err(|_| absent())?;
    Ok(with_policy(sent.map(Body::new)))
}

/// Returns the path of an address below the folder, if all its parts are plain names. For a folder it is the path of
/// its page.
fn file_path(address: &str) -> Option<PathBuf> {
    let names = decode_path(address.strip_prefix('/').unwrap_or_default())?;
    let mut path = PathBuf::from(&names);
    if address.ends_with('/') {
        path.push("index.html");
    }
    path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
}

/// Returns the file or folder at `path`, if it is below `root` after all links are followed.
fn below(root: &Path, path: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let found = root.join(path).canonicalize().ok()?;
    found.starts_with(&root).then_some(found)
}

/// Sets the policy of a file of this kind. Texts are UTF-8.
fn with_policy(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let policy = match kind {
        "text/html" => PAGE,
        "image/svg+xml" => PICTURE,
        _ => FILE,
    };
    let is_text = kind.starts_with("text/");
    let text = is_text.then(|| HeaderValue::from_str(&format!("{kind}; charset=utf-8")).ok());
    if let Some(text) = text.flatten() {
        headers.insert(CONTENT_TYPE, text);
    }
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    response
}

/// Returns the page for a reader who waits: the Markdown of the last report, if there is one, until the page is made.
fn being_made(folder: &Path, page: &Path) -> Response {
    let text = page.parent().and_then(|report| below(folder, &report.join("report.md")));
    let text = text.filter(|text| text.is_file()).and_then(|text| fs::read_to_string(text).ok());
    let text = text.unwrap_or_default();
    let note =
        if text.is_empty() { "" } else { " Until then, this is the text of its last version." };
    let page = include_str!("../../page/made.html").replace("{note}", note);
    let headers = [(RETRY_AFTER, "1")];
    (StatusCode::SERVICE_UNAVAILABLE, headers, Html(page.replace("{text}", &rendered(&text))))
        .into_response()
}

/// Renders the Markdown of a report as far as a reader who waits needs it: headings, tables, items, pictures, commands
/// and paragraphs.
fn rendered(markdown: &str) -> String {
    let part = |(number, part): (usize, &str)| match number % 2 {
        0 => blocks(part),
        // The first line names the language.
        _ => format!("<pre>{}</pre>\n", escaped(part.split_once('\n').unwrap_or_default().1)),
    };
    markdown.split("```").enumerate().map(part).collect()
}

fn blocks(markdown: &str) -> String {
    let kind = |line: &str| line.chars().next().filter(|first| "|-".contains(*first));
    let block = |lines: &[&str]| match kind(lines[0]) {
        Some('|') => {
            let is_row = |line: &&&str| !line.starts_with("| ---");
            let row = |line: &&str| {
                let cells = line.trim_matches(['|', ' ']).split(" | ").map(words);
                format!("<tr><td>{}</tr>", cells.collect::<Vec<_>>().join("<td>"))
            };
            let rows = lines.iter().filter(is_row).map(row).collect::<String>();
            format!("<div class=\"scroll\"><table>{rows}</table></div>\n")
        }
        Some(_) => {
            let item = |line: &&str| format!("<li>{}", words(line.trim_start_matches("- ")));
            format!("<ul>{}</ul>\n", lines.iter().map(item).collect::<String>())
        }
        None => lines.iter().map(|line| paragraph(line)).collect(),
    };
    let lines: Vec<&str> = markdown.lines().collect();
    lines.chunk_by(|one, next| kind(one) == kind(next)).map(block).collect()
}

/// Renders a heading, a picture or a paragraph.
fn paragraph(line: &str) -> String {
    let picture =
        line.strip_prefix("![").and_then(|rest| rest.strip_suffix(')')?.rsplit_once("]("));
    let summary = line.strip_prefix("<details><summary>").unwrap_or_default();
    let heading = line.trim_start_matches('#');
    if let Some((about, file)) = picture {
        format!("<p><img src=\"{}\" alt=\"{}\">\n", escaped(file), words(about))
    } else if let Some(title) = summary.strip_suffix("</summary>") {
        format!("<h3>{}</h3>\n", words(title))
    } else if line.is_empty() || line == "</details>" {
        String::new()
    } else if heading.len() < line.len() {
        let level = (line.len() - heading.len()).min(6);
        format!("<h{level}>{}</h{level}>\n", words(heading.trim()))
    } else {
        format!("<p>{}\n", words(line))
    }
}

/// Returns the words of a text in Markdown, without the backslashes before its signs.
fn words(markdown: &str) -> String {
    escaped(&markdown.replace('\\', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_in_markdown_is_rendered_without_its_own_html() {
        let text = "# first\n\n<b>Bold</b> & block\\_all.\n\n| Encoding | Ratio |\n| --- | ---: |\n| a | 1.5 |\n\n\
                    - one\n- two\n\n![Times: \"seconds\"](times.svg)\n\n\
                    <details><summary>More</summary>\n\n```sh\n# Again\nbezzel report <x>\n```\n</details>\n";
        let html = "<h1>first</h1>\n<p>&lt;b&gt;Bold&lt;/b&gt; &amp; block_all.\n\
                    <div class=\"scroll\"><table><tr><td>Encoding<td>Ratio</tr><tr><td>a<td>1.5</tr></table></div>\n\
                    <ul><li>one<li>two</ul>\n\
                    <p><img src=\"times.svg\" alt=\"Times: &quot;seconds&quot;\">\n\
                    <h3>More</h3>\n<pre># Again\nbezzel report &lt;x&gt;\n</pre>\n";
        assert_eq!(rendered(text), html);
        assert_eq!(rendered(""), "");
    }
}
