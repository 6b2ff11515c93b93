//! The facts that hold in all solutions of a board, as the judge finds them.

use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::measure::CandidateFact;
use bezzel_experiment::{
    Job, Limits, Marks, PlannedJob, Propagation, Row, Task, Termination, Truth,
};
use bezzel_queens::search;
use bezzel_queens::{Board, Geometry, Piece, Placement, Recipe};

/// Returns the facts that the judge finds when it judges a propagation without findings.
fn truth(board: &Board) -> Option<Truth> {
    let limits = Limits { cpu_s: 1.0, wall_s: 2.0, memory_bytes: 1 << 30, nodes: None };
    let job = Job {
        task: Task::Propagate,
        ..Job::solving(board.clone().into(), "pairwise", "none", limits)
    };
    let found = Some(Marks::of(&job.instance, board.squares(), |_| None));
    let planned = PlannedJob::new(job, 1, "1".into());
    let propagation =
        Some(Propagation { conflict: false, found, propagate_cpu_s: 0.0, truth: None });
    let row = Row { propagation, ..Row::blank(planned, Termination::Finished) };
    Judge::new().judge(&Case::of(&row, None)).truth
}

/// Returns the facts by enumerating all placements that satisfy the rules.
fn by_all(board: &Board) -> Truth {
    let all: Vec<Placement> = search::solutions(board).into_iter().collect();
    let implied = Marks::of(&board.clone().into(), board.squares(), |candidate| {
        let square = board.square(candidate);
        let holding = all.iter().filter(|placement| placement.holds(square)).count();
        match holding {
            0 => Some(CandidateFact::Empty),
            number if number == all.len() => Some(CandidateFact::Chosen),
            _ => None,
        }
    });
    Truth { solvable: !all.is_empty(), implied: (!all.is_empty()).then_some(implied) }
}

#[test]
fn it_is_what_all_solutions_agree_on() {
    let (mut solvable, mut impossible) = (0, 0);
    for side in 1..=6 {
        let plane = Board::new(side).unwrap();
        let kinds = [
            plane.clone().with_geometry(Geometry::Torus),
            plane.clone().with_piece(Piece::Rook),
            Board::rectangle(side, side + 1).unwrap(),
            Board::rectangle(side + 1, side).unwrap(),
            plane,
        ];
        for board in kinds {
            let found = truth(&board);
            assert_eq!(found, Some(by_all(&board)), "{board}");
            for seed in 0..4 {
                for recipe in [
                    Recipe::Completion { queens: 2 },
                    Recipe::Prefix { queens: 2 },
                    Recipe::Blocked { density: 0.3 },
                ] {
                    let Ok(board) = recipe.draw(&board, None, seed, 0) else { continue };
                    let facts = truth(&board).unwrap();
                    assert_eq!(facts, by_all(&board), "{board}");
                    let count = if facts.solvable { &mut solvable } else { &mut impossible };
                    *count += 1;
                }
            }
        }
    }
    assert!(solvable > 50 && impossible > 50, "{solvable} {impossible}");
}

#[test]
fn a_board_beyond_the_search_has_no_truth() {
    assert_eq!(truth(&Board::new(65).unwrap()), None);
}
