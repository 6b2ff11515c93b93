//! Given queens that the formula does not state.

use bezzel_encode::Numbering;
use bezzel_experiment::backend::{Query, formula_instance};
use bezzel_queens::{Board, Geometry, Square};
use bezzel_solve::{OptionValue, Options};

use crate::experiment::expected::ExpectedResults;
use crate::experiment::running::{RecordingObserver, RunConditions, run_engine};
use crate::experiment::subjects::{encodings, engines, readable};

fn switched(name: &str) -> Options {
    Options::from([(name.to_owned(), OptionValue::Flag(true))])
}

/// Returns Cao's example, side 5 with the squares number 2 and 9, and boards with more solutions or without a solution.
fn boards() -> Vec<Board> {
    let board = |side| Board::new(side).unwrap();
    let queens = |board: Board, squares: &[(u32, u32)]| {
        let squares = squares.iter().map(|&(row, column)| Square::new(row - 1, column - 1));
        board.with_placed(squares).unwrap()
    };
    vec![
        queens(board(5), &[(1, 2), (2, 4)]),
        queens(board(6), &[(1, 2)]),
        queens(board(6), &[(1, 1)]),
        queens(board(4), &[]),
        queens(board(5).with_geometry(Geometry::Torus), &[(3, 3)])
            .with_blocked([Square::new(0, 0)])
            .unwrap(),
    ]
}

#[test]
fn given_queens_that_are_assumed_or_filtered_leave_the_solutions_that_stated_ones_leave() {
    for board in boards() {
        let expected = ExpectedResults::of(&board);
        for engine in engines().iter().filter(|engine| engine.name().starts_with("blocking")) {
            let subjects = readable(engine.as_ref(), &board, &encodings());
            for encoding in subjects.iter().step_by(4) {
                for (place, options) in ["assume", "filter"].into_iter().map(switched).enumerate() {
                    let numbering = (place == 0).then(|| Numbering::random(3));
                    let given = RunConditions { numbering, options, ..RunConditions::default() };
                    let mut notes = RecordingObserver::default();
                    let list = Query::List;
                    run_engine(
                        engine.as_ref(),
                        &board,
                        encoding.as_ref(),
                        list,
                        &given,
                        &mut notes,
                    )
                    .unwrap();
                    let collected = notes.collected(&board);
                    let what = format!("{} on {board}, {:?}", engine.name(), given.options);
                    assert_eq!(collected.violation, None, "{what}");
                    assert_eq!(
                        (collected.count, &collected.digest),
                        (expected.count, &expected.digest),
                        "{what}"
                    );
                }
            }
        }
    }
}

#[test]
fn queens_that_are_assumed_or_filtered_are_not_in_the_formula() {
    let [cao, .., torus] = &boards()[..] else { panic!("five boards") };
    let bare = |board: &Board, name: &str| {
        let instance = board.clone().into();
        let read = formula_instance("blocking:batsat", &switched(name), &instance).into_owned();
        bezzel_queens::Board::of(&read).cloned().unwrap()
    };
    assert_eq!(bare(cao, "filter"), Board::new(5).unwrap());
    let blocked = bare(torus, "assume");
    assert_eq!((blocked.placed(), blocked.blocked()), (&[][..], torus.blocked()));
    let cao = cao.clone().into();
    assert_eq!(formula_instance("blocking", &Options::new(), &cao).as_ref(), &cao);
    // A switch of this name belongs to another engine there.
    assert_eq!(formula_instance("{counter: blocking}", &switched("filter"), &cao).as_ref(), &cao);
}

#[test]
fn the_first_one_that_is_wanted_is_enough() {
    let board = &boards()[0];
    for engine in engines().iter().filter(|engine| engine.name() == "blocking:batsat") {
        let encoding = readable(engine.as_ref(), board, &encodings()).swap_remove(0);
        let spent = |name: &str| {
            let given = RunConditions { options: switched(name), ..RunConditions::default() };
            let mut notes = RecordingObserver { enough: Some(1), ..RecordingObserver::default() };
            let outcome = run_engine(
                engine.as_ref(),
                board,
                encoding.as_ref(),
                Query::List,
                &given,
                &mut notes,
            );
            assert_eq!(notes.collected(board).count, 1);
            outcome.unwrap().effort
        };
        // Filtering all solutions takes more decisions than assuming the given queens.
        assert!(spent("filter").decisions > spent("assume").decisions);
    }
}
