//! `bezzel serve`: the board in the browser.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use bezzel_encode::Constraints;
use bezzel_experiment::judge::Judge;
use bezzel_experiment::runner::{self, RunnerOptions, WorkerProcesses};
use bezzel_experiment::{Catalog, Job, Limits, Permission, PlannedJob, Row, Verdict};
use bezzel_process::{Exit, SoftLimits, StopReason, Supervised, open_in_browser};
use bezzel_queens::knowledge::Stopped;
use bezzel_queens::knowledge::solutions::FindSolution;
use bezzel_queens::{Board, Placement};
use bezzel_serve::{Options, PageMaker, ServeError, Server};
use bezzel_solve::{Answer, Interrupt};

use super::report;
use crate::arguments::ServeArguments;
use crate::failure::{CommandResult, Failure, shown};
use crate::terminal;

/// This very program, even if its file is replaced by a newer build in the meantime.
const PROGRAM: &str = "/proc/self/exe";

/// The name of a page.
const INDEX: &str = "index.html";

pub(crate) fn run(
    arguments: &ServeArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let root = arguments.root.path();
    // Without the option it is the current folder, an empty path.
    if !root.as_os_str().is_empty() && !root.is_dir() {
        return Err(Failure::Input(format!("--root {}: there is no such folder", shown(root))));
    }
    let reports = root.join("reports");
    let options = Options {
        address: arguments.address,
        port: arguments.port,
        reports: reports.is_dir().then_some(reports),
        maker: Some(Arc::new(Maker { root: arguments.root.path().to_owned() })),
        finder: Arc::new(Finder { catalog: catalog.clone() }),
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

/// Finds a solution by a job in a process of its own. A solution counts if the judge verifies it, and the answer that there
/// is none if the judge does not refute it.
struct Finder {
    catalog: Catalog,
}

/// The limits of finding a solution. The server asks it to stop sooner.
const FINDER_LIMITS: Limits =
    Limits { cpu_s: 60.0, wall_s: 60.0, memory_bytes: 1 << 30, nodes: None };

impl Finder {
    fn row(&self, board: &Board, interrupt: &Interrupt) -> Option<Row> {
        let encoding = self.catalog.encodings.find("pairwise").ok()?;
        let solver = self.catalog.solver("batsat").ok()?;
        let job = Job {
            settings: Constraints::default_on(&board.problem()).into(),
            ..Job::solving(board.clone().into(), "pairwise", &solver.name(), FINDER_LIMITS)
        };
        let starter = WorkerProcesses::of_linked_solvers(PROGRAM);
        let options = RunnerOptions::one_by_one(&starter, Permission::none());
        let version = solver.version(&options.permission);
        let planned = PlannedJob::new(job, encoding.info().revision, version);
        let mut found = None;
        let keep = |_, row| found = Some(row);
        let judge = Judge::with_size_checks(&self.catalog.size_checks);
        if let Err(error) = runner::rerun(vec![planned], &options, judge, interrupt.flag(), keep) {
            // A closed stderr has no reader.
            let _ = writeln!(terminal::stderr(), "error: a solution was not searched: {error}");
        }
        found
    }
}

impl FindSolution for Finder {
    fn solution(&self, board: &Board, interrupt: &Interrupt) -> Result<Option<Placement>, Stopped> {
        let row = self.row(board, interrupt).ok_or(Stopped)?;
        match (row.status, row.verdict, row.solution()) {
            (Answer::Sat, Verdict::Verified, Some(solution)) => {
                Ok(Some(Placement::of(board, &solution)))
            }
            (Answer::Unsat, Verdict::Verified | Verdict::Unchecked, _) => Ok(None),
            _ => Err(Stopped),
        }
    }
}

/// The limits of making a report.
const LIMITS: SoftLimits = SoftLimits { cpu_s: 120.0, wall_s: 600.0, memory_bytes: 4 << 30 };

/// Makes missing and outdated pages: the index of the reports, and by `bezzel report` the files of a report.
struct Maker {
    root: PathBuf,
}

impl PageMaker for Maker {
    fn outdated(&self, path: &Path) -> Option<PathBuf> {
        let reports = self.root.join("reports");
        let mut parts = path.iter().map(|part| part.to_string_lossy().into_owned());
        let (first, second) = (parts.next()?, parts.next());
        let is_old = match &second {
            None if first == INDEX || first == bezzel_report::ENCODINGS => {
                let names = report::names(&self.root);
                let summaries = names.iter().map(|name| reports.join(name).join("summary.json"));
                is_outdated(&reports.join(&first), summaries)
            }
            Some(file) if !bezzel_report::is_kept(file) => {
                let page = reports.join(&first).join(INDEX);
                is_outdated(&page, report::inputs(&self.root, &first))
                    && report::names(&self.root).contains(&first)
            }
            _ => false,
        };
        let page = if second.is_some() { Path::new(&first).join(INDEX) } else { first.into() };
        is_old.then_some(page)
    }

    fn make(&self, page: &Path) -> Result<(), String> {
        match (self.outdated(page), page.parent().and_then(Path::to_str)) {
            (None, _) => Ok(()),
            (_, None | Some("")) => {
                let index = bezzel_report::index(&self.root.join("reports"));
                index.map(drop).map_err(|error| error.to_string())
            }
            (_, Some(name)) => by_report(&self.root, name),
        }
    }
}

/// True if a page is missing, or older than one of these files.
fn is_outdated(page: &Path, of: impl IntoIterator<Item = PathBuf>) -> bool {
    let time = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    let made = time(page);
    made.is_none() || of.into_iter().any(|path| time(&path) > made)
}

/// Runs `bezzel report` in a process of its own, within limits. It ends with this one.
#[expect(clippy::disallowed_methods, reason = "the command line is fixed, and of this program")]
fn by_report(root: &Path, name: &str) -> Result<(), String> {
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let line = r#"exec "$OWN" report --quiet "$NAME" --root "$ROOT""#;
    let mut program = Supervised::new(line, ".", LIMITS, "/dev/null");
    // An empty path is the current folder, which an argument must name.
    let words = [("OWN", own), ("NAME", name.into()), ("ROOT", Path::new(".").join(root))];
    program.environment.extend(words.map(|(word, value)| (word.into(), value.into())));
    let outcome = program.run(None).map_err(|error| error.to_string())?;
    match (outcome.exit, outcome.stopped) {
        (Exit::Code(0), None) => Ok(()),
        (_, Some(StopReason::Cpu)) => {
            Err(format!("it took more than {} s of CPU time", LIMITS.cpu_s))
        }
        (_, Some(StopReason::Wall)) => Err(format!("it took more than {} s", LIMITS.wall_s)),
        (_, Some(StopReason::Memory)) => Err("it needed more than 4 GiB of memory".to_owned()),
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
