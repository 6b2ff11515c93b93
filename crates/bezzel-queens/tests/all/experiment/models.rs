//! Numbers of models of formulas, auxiliary variables included.

use bezzel_encode::Numbering;
use bezzel_experiment::backend::Query;
use bezzel_queens::Board;

use crate::experiment::running::{RecordingObserver, RunConditions, run_engine};
use crate::experiment::subjects::{encoding, engines};
use crate::published::boards::MODELS;

/// Encodings with as many models as solutions, on sides 4 to 8.
const DEFINED: [&str; 3] = ["pairwise", "sequential-counter+defined", "commander:3"];

#[test]
fn engines_that_count_models_come_to_the_known_numbers() {
    let counting = engines().into_iter().filter(|engine| engine.capabilities().models);
    let counting: Vec<_> = counting.collect();
    assert!(!counting.is_empty());
    for engine in counting {
        let defined = DEFINED.map(|id| (id, [2, 10, 4, 40, 92]));
        for (turn, (id, known)) in MODELS.into_iter().chain(defined).enumerate() {
            // Every fourth formula is tested on the larger sides too, which suffices to find errors that depend on the
            // size alone.
            let sides = if turn % 4 == 3 { 5 } else { 3 };
            for (side, models) in (4..).zip(known).take(sides) {
                let board = Board::new(side).unwrap();
                let named = (id.to_owned(), encoding(id));
                let numbering = (side % 2 == 1).then(|| Numbering::random(u64::from(side)));
                let given = RunConditions { numbering, ..RunConditions::default() };
                let mut notes = RecordingObserver::default();
                let query = Query::Models;
                let outcome =
                    run_engine(engine.as_ref(), &board, Some(&named), query, &given, &mut notes)
                        .unwrap();
                assert_eq!(outcome.count, Some(models.into()), "{} of {id}, {side}", engine.name());
                assert!(notes.shown.is_empty());
            }
        }
    }
}
