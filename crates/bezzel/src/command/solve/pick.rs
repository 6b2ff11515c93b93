//! `bezzel solve --nth` and `--random`: solutions out of the diagram of all of them.

use std::io::Write;
use std::sync::atomic::AtomicBool;

use bezzel_count::Budget;
use bezzel_count::pool::{Picker, Pool};
use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::quantity::{grouped, memory};
use bezzel_experiment::{AllSolutions, Count, Task, Verdict};
use bezzel_problem::{Board, Candidate, Instance, Placement};
use bezzel_solve::Answer;
use num_bigint::BigUint;

use super::{exit_code, listing};
use crate::all::{Limits, Show, refused};
use crate::arguments::SolveArguments;
use crate::because::because;
use crate::failure::{CommandResult, Failure};
use crate::phase::{self, Phase};
use crate::terminal;
use crate::{interrupt, limited};

pub(super) fn run(
    instance: &Instance,
    arguments: &SolveArguments,
    out: &mut dyn Write,
) -> CommandResult {
    let wanted = &arguments.listing;
    let Some(board) = instance.board() else {
        return Err(Failure::Input(format!(
            "--nth and --random read a board, and `{instance}` is none: `--all --max-solutions K` lists K solutions"
        )));
    };
    let pool = pool(board, Limits::of(&wanted.engine, &arguments.limits))?;
    phase::begin(Phase::Checking);
    let mut picker = pool.picker();
    let total = picker.total();
    let count = Count(total.clone());
    // A closed stderr has no reader.
    let _ = writeln!(
        terminal::stderr(),
        "the diagram of all solutions has {} nodes in {}; making it took {}",
        grouped(pool.diagram().nodes() as u128),
        memory(pool.diagram().bytes().into()),
        memory(pool.effort().bytes.into()),
    );
    let all = AllSolutions {
        count: count.clone(),
        whole: true,
        digest: None,
        diagram: None,
        auxiliaries: None,
    };
    let answer = if total.bits() > 0 { Answer::Sat } else { Answer::Unsat };
    let case = Case { task: Task::Count, all: Some(&all), ..Case::new(instance, answer, None) };
    let judgement = Judge::new().judge(&case);
    if judgement.verdict == Verdict::Wrong {
        let note = judgement.note.unwrap_or_default();
        return Err(Failure::Work(format!("the diagram is wrong: {note}")));
    }
    let because = because(&judgement);
    if answer == Answer::Unsat {
        listing::write(wanted, instance, out, |_| Ok(()))?;
        listing::print_summary(wanted, &format!("there is no solution ({because})"), true, out)?;
        return Ok(exit_code(answer));
    }
    let sentence = match &wanted.nth {
        Some(place) if *place > total => {
            return Err(Failure::Input(format!(
                "--nth {place}: there are {count} solutions ({because})"
            )));
        }
        Some(place) => {
            listing::write(wanted, instance, out, |show| nth(board, place, &mut picker, show))?;
            format!("solution {place} of {count} ({because})")
        }
        None => {
            let max_solutions = wanted.max_solutions.unwrap_or(1);
            listing::write(wanted, instance, out, |show| {
                random(board, picker, (wanted.seed, max_solutions), show)
            })?;
            let times = if max_solutions == 1 {
                "once".to_owned()
            } else {
                format!("{max_solutions} times")
            };
            format!("drawn {times} from {count} solutions ({because})")
        }
    };
    listing::print_summary(wanted, &sentence, false, out)?;
    Ok(exit_code(answer))
}

/// The diagram of all solutions, if it fits into the limits.
fn pool(board: &Board, limits: Limits) -> Result<Pool, Failure> {
    phase::begin(Phase::Searching);
    let (nodes, bytes) = (limits.nodes.unwrap_or(u64::MAX), limits.memory_bytes);
    let stop = AtomicBool::new(false);
    let budget = Budget { nodes, bytes, stop: &stop };
    match Pool::new(board, budget) {
        Ok(Some(pool)) => Ok(pool),
        Ok(None) => Err(Failure::Input(format!(
            "--nth and --random take boards of at most 64 columns, and the board {board} has more"
        ))),
        Err(halt) => {
            let reason = refused(limits, halt);
            Err(Failure::Spent(format!("the diagram of all solutions: {reason}")))
        }
    }
}

fn nth(
    board: &Board,
    place: &BigUint,
    picker: &mut Picker<'_>,
    show: Show<'_>,
) -> Result<(), Failure> {
    let placement = picker.nth(&(place - 1_u8)).expect("it is one of them");
    shown(board, &placement, &mut Vec::new(), show)
}

/// Shows `max_solutions` random solutions by the seed.
fn random(
    board: &Board,
    picker: Picker<'_>,
    (seed, max_solutions): (u64, u64),
    show: Show<'_>,
) -> Result<(), Failure> {
    // The solutions until a limit are kept.
    phase::begin(Phase::Searching);
    drop(interrupt::listing_begins());
    let mut chosen = Vec::new();
    let mut drawn = picker.shuffled(seed);
    for _ in 0..max_solutions {
        if let Some(reason) = interrupt::stop_reason() {
            return Err(limited::stopped(reason, ""));
        }
        let placement = drawn.next().expect("there are solutions");
        shown(board, &placement, &mut chosen, &mut *show)?;
    }
    Ok(())
}

/// Checks a placement by the rules and shows it.
fn shown(
    board: &Board,
    placement: &Placement,
    chosen: &mut Vec<Candidate>,
    show: Show<'_>,
) -> Result<(), Failure> {
    if let Err(violation) = placement.judge(board) {
        return Err(Failure::Work(format!("the diagram is wrong: {violation}")));
    }
    chosen.clear();
    chosen.extend(placement.squares().map(|square| board.candidate(square)));
    show(chosen)
}
