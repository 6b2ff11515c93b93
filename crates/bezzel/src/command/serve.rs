//! `bezzel serve`: the board in the browser.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bezzel_experiment::Catalog;
use bezzel_process::{Exit, Program, open_in_browser};
use bezzel_serve::{Options, PageMaker, ServeError, Server};

use super::report;
use crate::arguments::ServeArguments;
use crate::failure::{CommandResult, Failure};
use crate::terminal;

/// The name of a page.
const INDEX: &str = "index.html";

pub(crate) fn run(
    arguments: &ServeArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let reports = arguments.root.path().join("reports");
    let options = Options {
        address: arguments.address,
        port: arguments.port,
        reports: reports.is_dir().then_some(reports),
        maker: Some(maker(arguments.root.path())),
        encodings: catalog.encodings.clone(),
        ..Options::default()
    };
    let server = Server::bind(options).map_err(failure)?;
    let page = page(server.address());
    writeln!(out, "The board is at {page} until Ctrl-C ends it.")?;
    if !arguments.address.is_loopback() {
        writeln!(
            out,
            "Every machine that reaches {} can start computations here.",
            arguments.address
        )?;
    }
    // The line is flushed before the server ends, which it may never do.
    out.flush()?;
    if arguments.open
        && let Err(problem) = open_in_browser(&page)
    {
        // The page is served without a browser, too.
        let _ =
            writeln!(terminal::stderr(), "warning: no browser was opened (xdg-open: {problem})");
    }
    server.run().map_err(failure)?;
    Ok(ExitCode::SUCCESS)
}

/// The longest time for making a page of a report.
const PAGE: Duration = Duration::from_mins(2);

/// A maker of missing and outdated pages: the index of the reports, and by `bezzel report` the files of a report. It
/// makes one at a time.
fn maker(root: &Path) -> PageMaker {
    let (root, one) = (root.to_owned(), Mutex::new(()));
    Arc::new(move |path| {
        let reports = root.join("reports");
        let mut parts = path.iter().map(|part| part.to_string_lossy().into_owned());
        let (first, second) = (parts.next().unwrap_or_default(), parts.next());
        match second {
            None if first == INDEX => {
                let names = report::names(&root);
                let summaries = names.iter().map(|name| reports.join(name).join("summary.json"));
                let is_old = is_outdated(&reports.join(INDEX), summaries);
                let index = is_old.then(|| bezzel_report::index(&reports));
                index.transpose().map(drop).map_err(|error| error.to_string())
            }
            Some(file) if !bezzel_report::is_kept(&file) => {
                let page = reports.join(&first).join(INDEX);
                let is_old = || is_outdated(&page, report::inputs(&root, &first));
                if !is_old() || !report::names(&root).contains(&first) {
                    return Ok(());
                }
                let _one = one.lock().unwrap_or_else(PoisonError::into_inner);
                // Another request may have made it meanwhile.
                if is_old() { by_report(&root, &first) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    })
}

/// True if a page is missing, or older than one of these files.
fn is_outdated(page: &Path, of: impl IntoIterator<Item = PathBuf>) -> bool {
    let time = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    let made = time(page);
    made.is_none() || of.into_iter().any(|path| time(&path) > made)
}

/// Runs `bezzel report` in a process of its own.
fn by_report(root: &Path, name: &str) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    // An empty path is the current folder, which an argument must name.
    let root = Path::new(".").join(root).into_os_string();
    let words = ["report", "--quiet", name, "--root"].map(Into::into);
    let program =
        Program { args: words.into_iter().chain([root]).collect(), ..Program::new(own, PAGE) };
    let outcome = program.run(None).map_err(|error| error.to_string())?;
    match (outcome.exit, outcome.killed_by) {
        (Exit::Code(0), None) => Ok(()),
        (_, Some(_)) => Err(format!("it took more than {} s", PAGE.as_secs())),
        _ => Err(outcome.stderr.text().trim().to_owned()),
    }
}

/// The address of the page for a browser on this machine.
fn page(address: SocketAddr) -> String {
    let is_all = address.ip().is_unspecified();
    let reached =
        if is_all { SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()) } else { address };
    format!("http://{reached}/")
}

fn failure(error: ServeError) -> Failure {
    match error {
        ServeError::Taken(_) | ServeError::Address { .. } => Failure::input(error),
        other => Failure::work(other),
    }
}
