//! `bezzel solve --random`: solutions out of the diagram of all of them.

use std::io::Write;
use std::sync::atomic::AtomicBool;

use bezzel_count::{Budget, Halt};
use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::quantity::{grouped, memory};
use bezzel_experiment::{AllSolutions, Count, Task, Verdict};
use bezzel_problem::{Candidate, Instance};
use bezzel_process::StopReason;
use bezzel_queens::count::pool::{Picker, Pool};
use bezzel_queens::{Board, Placement};
use bezzel_solve::Answer;

use super::listing::Show;
use super::{ends, exit_code, listing};
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
    if arguments.encoding.is_named() {
        return Err(Failure::Input(
            "--random reads the board itself: an encoding, its settings and a numbering make no difference to it"
                .into(),
        ));
    }
    let wanted = &arguments.listing;
    let Some(board) = Board::of(instance) else {
        return Err(Failure::Input(format!(
            "--random reads a board, and `{instance}` is none: `--all --max-solutions K` lists K solutions"
        )));
    };
    let pool = pool(board, (wanted.engine.nodes, arguments.limits.memory))?;
    phase::begin(Phase::Checking);
    let picker = pool.picker();
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
    let because = because(judgement.verdict, judgement.evidence.as_ref());
    if answer == Answer::Unsat {
        listing::write(wanted, instance, out, |_| Ok(()))?;
        listing::print_summary(wanted, &format!("there is no solution ({because})"), true, out)?;
        return Ok(exit_code(answer));
    }
    let max_solutions = wanted.max_solutions.unwrap_or(1);
    listing::write(wanted, instance, out, |show| {
        random(board, picker, (wanted.seed, max_solutions), show)
    })?;
    let times =
        if max_solutions == 1 { "once".to_owned() } else { format!("{max_solutions} times") };
    let sentence = format!("drawn {times} from {count} solutions ({because})");
    listing::print_summary(wanted, &sentence, false, out)?;
    Ok(exit_code(answer))
}

/// The diagram of all solutions, if it fits into the limits on nodes and bytes.
fn pool(board: &Board, (nodes, bytes): (Option<u64>, u64)) -> Result<Pool, Failure> {
    phase::begin(Phase::Searching);
    let stop = AtomicBool::new(false);
    let budget = Budget { nodes: nodes.unwrap_or(u64::MAX), bytes, stop: &stop };
    match Pool::new(board, budget) {
        Ok(Some(pool)) => Ok(pool),
        Ok(None) => Err(Failure::Input(format!(
            "--random takes boards of at most 64 columns, and the board {board} has more"
        ))),
        Err(Halt::Nodes(_)) => Err(ends::too_many_nodes(nodes, "")),
        Err(Halt::Bytes(_)) => {
            Err(limited::stopped_while(Phase::Searching, StopReason::Memory, ""))
        }
        Err(halt) => Err(Failure::work(halt)),
    }
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
