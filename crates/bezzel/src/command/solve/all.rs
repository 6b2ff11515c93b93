//! `bezzel solve --all` and `--count`: all solutions, each printed as soon as it is found, or their number.

use std::io::Write;
use std::ops::ControlFlow;
use std::process::ExitCode;

use bezzel_experiment::judge::Judge;
use bezzel_experiment::message::Message;
use bezzel_experiment::quantity::{grouped, memory};
use bezzel_experiment::transcript::JobOutput;
use bezzel_experiment::worker::{JobObserver, Step, WorkError};
use bezzel_experiment::{AllSolutions, Catalog, Count, DiagramSize, Evidence, Row, Task, Verdict};
use bezzel_problem::{Candidate, Instance, ProblemFile};
use bezzel_queens::count::fundamental::{MAX_SIDE, fundamental};
use bezzel_queens::{Board, Geometry, Piece};
use bezzel_solve::{Effort, SessionOptions};
use serde::Serialize;

use super::ends::ended;
use super::listing::{self, Show};
use super::request::Request;
use super::{begin, exit_code, print_json, random, refuse_wrong};
use crate::arguments::SolveArguments;
use crate::because::because;
use crate::failure::{CommandResult, Failure};
use crate::phase::Phase;
use crate::{interrupt, limited, terminal};

/// Lists solutions.
pub(super) fn list(
    arguments: &SolveArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    if arguments.json {
        return Err(Failure::Input(
            "--json is for one solution and for --count: `--format json` lists solutions".into(),
        ));
    }
    let instance = arguments.problem.instance()?;
    let wanted = &arguments.listing;
    if wanted.random {
        return random::run(&instance, arguments, out);
    }
    let request = Request::of_engine(Task::Enumerate, &instance, arguments, catalog)?;
    let found = listing::write(wanted, &instance, out, |show| run(&request, Some(show)))?;
    let row = found.judged(&mut Judge::new(), None);
    refuse_wrong(&row)?;
    // A closed stderr has no reader.
    let _ = write!(terminal::stderr(), "{}", account(&request, &row));
    let all = all_of(&row);
    listing::print_summary(wanted, &sentence(&row, all), all.count.0.bits() == 0, out)?;
    Ok(exit_code(row.status))
}

/// The number as JSON, with its evidence.
#[derive(Serialize)]
struct CountOutput<'a> {
    #[serde(flatten)]
    instance: &'a Instance,
    task: Task,
    engine: &'a str,
    engine_version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<&'a str>,
    threads: u32,
    count: &'a Count,
    /// The number of fundamental solutions, if it is requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    fundamental: Option<&'a Count>,
    verdict: Verdict,
    evidence: Option<&'a Evidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagram: Option<DiagramSize>,
    effort: &'a Effort,
    cpu_s: f64,
    wall_s: f64,
    memory_peak_bytes: Option<u64>,
}

/// Counts solutions.
pub(super) fn count(
    arguments: &SolveArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    if arguments.listing.projected {
        return count_projections(arguments, catalog, out);
    }
    let instance = arguments.problem.instance()?;
    let wanted = &arguments.listing;
    let side = wanted.fundamental.then(|| fundamental_side(&instance)).transpose()?;
    let request = Request::of_engine(Task::Count, &instance, arguments, catalog)?;
    let row = run(&request, None)?.judged(&mut Judge::new(), None);
    refuse_wrong(&row)?;
    let all = all_of(&row);
    let impossible =
        || Failure::Work(format!("the board cannot have {}", number(&all.count, "solution")));
    let fundamental = side
        .map(|side| fundamental(side, &all.count.0).map(Count).ok_or_else(impossible))
        .transpose()?;
    if arguments.json {
        let output = CountOutput {
            instance: &instance,
            task: Task::Count,
            engine: &row.job.solver,
            engine_version: request.version(),
            encoding: request.encoding.is_some().then_some(&row.job.encoding),
            threads: request.threads(),
            count: &all.count,
            fundamental: fundamental.as_ref(),
            verdict: row.verdict,
            evidence: row.checked_by.as_ref(),
            diagram: all.diagram,
            effort: &row.solver_stats,
            cpu_s: row.cpu_s,
            wall_s: row.wall_s,
            memory_peak_bytes: row.memory_peak_bytes,
        };
        print_json(&output, out)?;
    } else {
        let because = match &fundamental {
            None => because(row.verdict, row.checked_by.as_ref()),
            Some(_) => format!("{}; fundamental ones by Burnside's lemma", sentence(&row, all)),
        };
        // A closed stderr has no reader.
        let _ = writeln!(terminal::stderr(), "{}{because}", account(&request, &row));
        writeln!(out, "{}", fundamental.as_ref().unwrap_or(&all.count))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The number of rows of a board whose fundamental solutions can be counted.
fn fundamental_side(instance: &Instance) -> Result<usize, Failure> {
    let is_plain = |board: &&Board| {
        let is_plane = board.is_square() && board.geometry() == Geometry::Plane;
        is_plane && board.is_empty() && board.piece() == Piece::Queen
    };
    let side = Board::of(instance).filter(is_plain).map(|board| board.rows() as usize);
    side.filter(|&side| side <= MAX_SIDE).ok_or_else(|| {
        Failure::Input(format!(
            "--fundamental is for queens on an empty square board of at most {MAX_SIDE} rows, and `{instance}` is \
             none: `--count` alone counts all its solutions"
        ))
    })
}

/// The number of projections as JSON.
#[derive(Serialize)]
struct ProjectedOutput<'a> {
    #[serde(flatten)]
    instance: &'a Instance,
    encoding: &'a str,
    engine: &'a str,
    /// The number of variables of the projection set.
    projected: usize,
    count: u128,
    verdict: Verdict,
}

/// Counts the projections to the variables that the file names. The solution of each projection is checked by the rules
/// of the instance. That there are no further ones is the answer of the solver.
fn count_projections(
    arguments: &SolveArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let instance = arguments.problem.projected_instance()?;
    let Some(set) = instance.file().and_then(ProblemFile::projection) else {
        return Err(Failure::Input(format!(
            "--projected: `{instance}` has no projection set: CNF, KNF and CNF+ state one by `c p show 1 2 0`, OPB by \
             `preserved: x1 x2 ;`"
        )));
    };
    let request = Request {
        projection: Some(set.variables.clone()),
        ..Request::of_engine(Task::Count, &instance, arguments, catalog)?
    };
    let JobOutput { row, violation, .. } = run(&request, None)?;
    let (encoding, engine) = (&row.job.encoding, &row.job.solver);
    if let Some(fault) = violation {
        return Err(Failure::Work(format!(
            "a solution under `{encoding}` is wrong: {fault}; `bezzel check` shows if the encoding is wrong"
        )));
    }
    let count = u128::try_from(&all_of(&row).count.0).map_err(Failure::work)?;
    let projected = set.variables.len();
    if arguments.json {
        let verdict = Verdict::Unchecked;
        let instance = &instance;
        print_json(
            &ProjectedOutput { instance, encoding, engine, projected, count, verdict },
            out,
        )?;
    } else {
        // A closed stderr has no reader.
        let _ = writeln!(
            terminal::stderr(),
            "projections to {projected} variables, by `{engine}` under `{encoding}`: each has a solution that \
             satisfies the file; that there are no others is unchecked"
        );
        writeln!(out, "{count}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Observes an engine, and shows each solution that it lists, with its candidates in ascending order.
struct Observer<'a> {
    show: Option<Show<'a>>,
    chosen: Vec<Candidate>,
    failure: Option<Failure>,
}

impl JobObserver for Observer<'_> {
    fn message(&mut self, _message: Message) -> Result<(), WorkError> {
        Ok(())
    }

    fn begins(&mut self, step: Step) {
        begin(step);
    }

    fn found(&mut self, chosen: &[Candidate]) -> ControlFlow<()> {
        let Some(show) = &mut self.show else { return ControlFlow::Continue(()) };
        self.chosen.clear();
        self.chosen.extend_from_slice(chosen);
        self.chosen.sort_unstable();
        self.failure = show(&self.chosen).err();
        if self.failure.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Runs the engine to its end. Listed solutions are passed to `show`, if it is given.
fn run<'a>(request: &'a Request, show: Option<Show<'a>>) -> Result<JobOutput, Failure> {
    let session_options = SessionOptions::from(interrupt::listing_begins());
    let mut observer = Observer { show, chosen: Vec::new(), failure: None };
    let output = request.run(session_options, &mut observer);
    if let Some(failure) = observer.failure {
        return Err(failure);
    }
    let output = output.map_err(Failure::input)?;
    let row = &output.row;
    let found = row.all.as_ref().filter(|all| all.digest.is_some()).map(|all| &all.count);
    let thing = if request.projection.is_some() { "projection" } else { "solution" };
    let so_far =
        || found.map_or(String::new(), |count| format!("; {} found so far", number(count, thing)));
    if let Some(reason) = interrupt::stop_reason() {
        // Only a search is asked to stop.
        return Err(limited::stopped_while(Phase::Searching, reason, &so_far()));
    }
    match ended(row, &so_far) {
        Some(failure) => Err(failure),
        None => Ok(output),
    }
}

/// The finding of an engine that has finished: such a row has one.
fn all_of(row: &Row) -> &AllSolutions {
    row.all.as_ref().expect("a row of a finished engine has its finding")
}

/// The number and its verdict, in a sentence.
fn sentence(row: &Row, all: &AllSolutions) -> String {
    let because = because(row.verdict, row.checked_by.as_ref());
    let count = &all.count;
    if count.0.bits() == 0 {
        return format!("there is no solution ({because})");
    }
    let enough = row.job.max_solutions.is_some_and(|max| count.0 == max.into());
    let enough = if enough { ", as many as were asked for" } else { "" };
    format!("{}{enough} ({because})", number(count, "solution"))
}

/// A number of things, in words. A number beyond 128 bits is printed without groups of digits.
fn number(count: &Count, thing: &str) -> String {
    match u128::try_from(&count.0) {
        Ok(1) => format!("1 {thing}"),
        Ok(count) => format!("{} {thing}s", grouped(count)),
        Err(_) => format!("{count} {thing}s"),
    }
}

/// The engine and its resources, a line each.
fn account(request: &Request, row: &Row) -> String {
    let (mut reads, mut threads) = (String::new(), String::new());
    if request.encoding.is_some() {
        reads = format!(" reading `{}`", row.job.encoding);
    }
    if request.threads() > 1 {
        threads = format!(", {} threads", request.threads());
    }
    let peak = row.memory_peak_bytes.map(|bytes| format!(", {}", memory(bytes.into())));
    let mut text = format!(
        "{} (version {}){reads}{threads}: {:.3} s of CPU time in {:.3} s{}\n",
        row.job.solver,
        request.version(),
        row.cpu_s,
        row.wall_s,
        peak.unwrap_or_default()
    );
    if let Some(line) = all_of(row).diagram.and_then(diagram_size) {
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// The size of a diagram, in words.
fn diagram_size(diagram: DiagramSize) -> Option<String> {
    let words = |number: u64, thing: &str| {
        let s = if number == 1 { "" } else { "s" };
        format!("{} {thing}{s}", grouped(number.into()))
    };
    let parts: Vec<String> = [
        diagram.nodes.map(|nodes| format!("the diagram has {}", words(nodes, "node"))),
        diagram.peak_nodes.map(|peak| format!("at most {} kept at a time", words(peak, "node"))),
        diagram.peak_states.map(|peak| format!("at most {} kept at a time", words(peak, "state"))),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}
