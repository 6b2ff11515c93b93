//! The result of an engine, in words.

use bezzel_experiment::judge::Judgement;
use bezzel_experiment::quantity::{grouped, memory};
use bezzel_experiment::{AllSolutions, DiagramSize, Verdict};
use bezzel_solve::{Answer, Effort};

use super::EngineRequest;
use crate::because::because;
use crate::failure::Failure;

/// The result of an engine and its verdict.
pub(crate) struct EngineResult {
    pub(crate) all: AllSolutions,
    pub(crate) judgement: Judgement,
    pub(crate) effort: Effort,
    pub(crate) cpu_s: f64,
    pub(crate) wall_s: f64,
    pub(crate) memory_peak_bytes: Option<u64>,
}

impl EngineResult {
    /// The answer: [`Answer::Sat`] if there is a solution.
    pub(crate) fn answer(&self) -> Answer {
        if self.all.count.0.bits() > 0 { Answer::Sat } else { Answer::Unsat }
    }

    /// Refuses a wrong answer.
    pub(crate) fn refuse_wrong(&self, request: &EngineRequest) -> Result<(), Failure> {
        if self.judgement.verdict != Verdict::Wrong {
            return Ok(());
        }
        let note = self.judgement.note.clone().unwrap_or_default();
        let (engine, count) = (request.engine.name(), &self.all.count);
        let under = match &request.encoding {
            Some(encoding) => format!(" under `{}`", encoding.info().id),
            None => String::new(),
        };
        let advice = match &request.encoding {
            Some(_) => "; `bezzel check` shows if the encoding is wrong",
            None => "",
        };
        Err(Failure::Work(format!(
            "the answer of `{engine}`{under}, {count}, is wrong: {note}{advice}"
        )))
    }

    /// The number and its verdict, in a sentence.
    pub(crate) fn sentence(&self, request: &EngineRequest) -> String {
        let because = because(&self.judgement);
        let count = &self.all.count;
        if count.0.bits() == 0 {
            return format!("there is no solution ({because})");
        }
        let enough =
            request.max_solutions.is_some_and(|max_solutions| count.0 == max_solutions.into());
        let enough = if enough { ", as many as were asked for" } else { "" };
        // A number beyond 128 bits is printed without groups of digits.
        let count = match u128::try_from(&count.0) {
            Ok(count) => solutions(count),
            Err(_) => format!("{count} solutions"),
        };
        format!("{count}{enough} ({because})")
    }

    /// The engine and its resources, a line each.
    pub(crate) fn account(&self, request: &EngineRequest) -> String {
        let (id, version) = (request.engine.name(), request.engine.version(&request.permission));
        let (mut reads, mut threads) = (String::new(), String::new());
        if let Some(encoding) = &request.encoding {
            reads = format!(" reading `{}`", encoding.info().id);
        }
        if request.threads() > 1 {
            threads = format!(", {} threads", request.threads());
        }
        let peak = self.memory_peak_bytes.map(|bytes| format!(", {}", memory(bytes.into())));
        let mut text = format!(
            "{} (version {}){reads}{threads}: {:.3} s of CPU time in {:.3} s{}\n",
            id,
            version,
            self.cpu_s,
            self.wall_s,
            peak.unwrap_or_default()
        );
        if let Some(line) = self.all.diagram.and_then(size) {
            text.push_str(&line);
            text.push('\n');
        }
        text
    }
}

/// A number of solutions, in words.
pub(super) fn solutions(count: u128) -> String {
    match count {
        1 => "1 solution".into(),
        _ => format!("{} solutions", grouped(count)),
    }
}

/// The size of a diagram, in words.
fn size(diagram: DiagramSize) -> Option<String> {
    let of = |number: u64, thing: &str| {
        let s = if number == 1 { "" } else { "s" };
        format!("{} {thing}{s}", grouped(number.into()))
    };
    let words: Vec<String> = [
        diagram.nodes.map(|nodes| format!("the diagram has {}", of(nodes, "node"))),
        diagram.peak_nodes.map(|peak| format!("at most {} kept at a time", of(peak, "node"))),
        diagram.peak_states.map(|peak| format!("at most {} kept at a time", of(peak, "state"))),
    ]
    .into_iter()
    .flatten()
    .collect();
    (!words.is_empty()).then(|| words.join("; "))
}
