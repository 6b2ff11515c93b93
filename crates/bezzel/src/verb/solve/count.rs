//! `bezzel solve --count`: the number of solutions of an instance.

use std::io::{self, Write};
use std::process::ExitCode;

use bezzel_lab::{Count, DiagramSize, Evidence, Task, Verdict, Workbench};
use bezzel_problem::Instance;
use bezzel_solve::Effort;
use serde::Serialize;

use crate::all::{Asked, Found, run as ask};
use crate::arguments::SolveArguments;
use crate::because::because;
use crate::failure::{Done, Failure};

/// The number as JSON, with what it rests on.
#[derive(Serialize)]
struct Counted<'a> {
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

pub(super) fn run(arguments: &SolveArguments, workbench: &Workbench, out: &mut dyn Write) -> Done {
    let instance = arguments.problem.instance()?;
    let wanted = &arguments.listing;
    let task = (wanted.counted(), false);
    let asked = Asked::new(task, instance, &wanted.engine, &arguments.encoding, workbench)?;
    let found = ask(&asked, None)?;
    found.refuse_wrong(&asked)?;
    if arguments.json {
        let text = serde_json::to_string(&counted(&asked, &found)).map_err(Failure::work)?;
        writeln!(out, "{text}")?;
    } else {
        // Nobody is left to be told when stderr is closed.
        let because = because(&found.judgement);
        let _ = writeln!(io::stderr(), "{}{because}", found.account(&asked));
        writeln!(out, "{}", found.all.count)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn counted<'a>(asked: &'a Asked, found: &'a Found) -> Counted<'a> {
    Counted {
        instance: &asked.instance,
        task: asked.task,
        engine: asked.engine.name(),
        engine_version: asked.engine.version(&asked.permission),
        encoding: asked.encoding.as_ref().map(|encoding| encoding.card().id),
        threads: asked.threads(),
        count: &found.all.count,
        verdict: found.judgement.verdict,
        evidence: found.judgement.evidence.as_ref(),
        diagram: found.all.diagram,
        effort: found.effort,
        cpu_s: found.cpu_s,
        wall_s: found.wall_s,
        memory_peak_bytes: found.memory_peak_bytes,
    }
}
