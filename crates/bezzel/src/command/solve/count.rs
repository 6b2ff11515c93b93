//! `bezzel solve --count`: the number of solutions of an instance.

use std::io::Write;
use std::process::ExitCode;

use bezzel_experiment::{Catalog, Count, DiagramSize, Evidence, Task, Verdict};
use bezzel_problem::{Instance, ProblemFile};
use bezzel_solve::Effort;
use serde::Serialize;

use super::fundamental;
use crate::all::{EngineRequest, EngineResult, count_projections, run as run_engine};
use crate::arguments::SolveArguments;
use crate::because::because;
use crate::failure::{CommandResult, Failure};
use crate::terminal;

/// The number as JSON, with its evidence.
#[derive(Serialize)]
struct CountOutput<'a> {
    #[serde(flatten)]
    instance: &'a Instance,
    task: Task,
    engine: String,
    engine_version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<String>,
    threads: u32,
    count: &'a Count,
    verdict: Verdict,
    evidence: Option<&'a Evidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diagram: Option<DiagramSize>,
    effort: Effort,
    cpu_s: f64,
    wall_s: f64,
    memory_peak_bytes: Option<u64>,
}

pub(super) fn run(
    arguments: &SolveArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    if arguments.listing.projected {
        return run_projected(arguments, catalog, out);
    }
    let instance = arguments.problem.instance()?;
    if arguments.listing.fundamental {
        return fundamental::run(&instance, arguments, out);
    }
    let request = EngineRequest::new(Task::Count, instance, arguments, catalog)?;
    let result = run_engine(&request, None)?;
    result.refuse_wrong(&request)?;
    if arguments.json {
        let text = serde_json::to_string(&counted(&request, &result)).map_err(Failure::work)?;
        writeln!(out, "{text}")?;
    } else {
        // A closed stderr has no reader.
        let because = because(&result.judgement);
        let _ = writeln!(terminal::stderr(), "{}{because}", result.account(&request));
        writeln!(out, "{}", result.all.count)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The number of projections as JSON.
#[derive(Serialize)]
struct ProjectedOutput<'a> {
    #[serde(flatten)]
    instance: &'a Instance,
    encoding: String,
    solver: &'a str,
    /// The number of variables of the projection set.
    projected: usize,
    count: u64,
    verdict: Verdict,
}

/// Counts the projections to the variables that the file names.
fn run_projected(
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
    let request = EngineRequest::new(Task::Count, instance, arguments, catalog)?;
    let (count, solver) = count_projections(&request, &set.variables)?;
    let encoding = request.encoding.as_ref().map_or(String::new(), |found| found.info().id);
    let projected = set.variables.len();
    if arguments.json {
        let output = ProjectedOutput {
            instance: &request.instance,
            encoding,
            solver: &solver,
            projected,
            count,
            verdict: Verdict::Unchecked,
        };
        let text = serde_json::to_string(&output).map_err(Failure::work)?;
        writeln!(out, "{text}")?;
    } else {
        // A closed stderr has no reader.
        let _ = writeln!(
            terminal::stderr(),
            "projections to {projected} variables, by {solver} under {encoding}: each has a solution that satisfies the \
             file; that there are no others is unchecked"
        );
        writeln!(out, "{count}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn counted<'a>(request: &'a EngineRequest, result: &'a EngineResult) -> CountOutput<'a> {
    CountOutput {
        instance: &request.instance,
        task: request.task,
        engine: request.engine.name(),
        engine_version: request.engine.version(&request.permission),
        encoding: request.encoding.as_ref().map(|encoding| encoding.info().id),
        threads: request.threads(),
        count: &result.all.count,
        verdict: result.judgement.verdict,
        evidence: result.judgement.evidence.as_ref(),
        diagram: result.all.diagram,
        effort: result.effort,
        cpu_s: result.cpu_s,
        wall_s: result.wall_s,
        memory_peak_bytes: result.memory_peak_bytes,
    }
}
