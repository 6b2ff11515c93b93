//! Numbers of models of formulas, auxiliary variables included.

use bezzel_encode::Numbering;
use bezzel_experiment::backend::Query;
use bezzel_queens::Board;

use crate::experiment::running::{RecordingObserver, RunConditions, run_engine};
use crate::experiment::subjects::{encoding, engines};

/// Known numbers of models for sides 4 to 8, found by another program for formulas that it generated itself.
const KNOWN: [(&str, [u64; 5]); 11] = [
    ("pairwise", [2, 10, 4, 40, 92]),
    ("sequential-counter", [32, 930, 5184, 678_528, 32_760_320]),
    ("sequential-counter+defined", [2, 10, 4, 40, 92]),
    ("bitwise", [32, 1536, 16_384, 2_883_584, 171_966_464]),
    ("split:4", [2, 10, 16, 160, 2452]),
    ("split:3", [8, 18, 64, 1248, 41_456]),
    ("tree", [18, 80, 400, 19_696, 550_592]),
    ("bimander:2", [8, 64, 256, 8704, 151_552]),
    ("commander:3", [2, 10, 4, 40, 92]),
    ("commander:3+one-way", [8, 18, 36, 984, 16_632]),
    ("product", [2, 10, 4, 160, 269_192]),
];

#[test]
fn engines_that_count_models_come_to_the_known_numbers() {
    let counting = engines().into_iter().filter(|engine| engine.capabilities().models);
    let counting: Vec<_> = counting.collect();
    assert!(!counting.is_empty());
    for engine in counting {
        for (turn, (id, known)) in KNOWN.into_iter().enumerate() {
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
