//! Conflicts of a solver on boards: answers as by brute force, and the scramblings of a config.

use bezzel_encode::Registry;
use bezzel_queens::Board;
use bezzel_queens::knowledge::conflicts::{SCRAMBLINGS, conflicts};
use bezzel_queens::knowledge::encoding;
use bezzel_solve::Interrupt;

use crate::knowledge::brute;

#[test]
fn every_scrambling_has_the_answer_of_brute_force() {
    let registry = bezzel_queens::register(Registry::standard());
    let mut seen = [0; 2];
    for case in brute::random(4, 6) {
        for id in ["pairwise", "binary", "bryant-circuit"] {
            let encoding = encoding(&registry, id, &case.board).unwrap();
            let found = conflicts(&case.board, &*encoding, &Interrupt::default());
            let is_solvable = !case.left().is_empty();
            seen[usize::from(is_solvable)] += 1;
            assert_eq!(found.is_solvable, Some(is_solvable), "{id} on {}", case.board);
            assert_eq!((found.answered as u64, &*found.encoding), (SCRAMBLINGS, id));
            assert!(found.least <= found.median && found.median <= found.most, "{found:?}");
        }
    }
    assert!(seen[0] > 0 && seen[1] > 0, "{seen:?}");
}

#[test]
fn a_stopped_measurement_has_no_numbers() {
    let board = Board::new(20).unwrap();
    let registry = bezzel_queens::register(Registry::standard());
    let encoding = encoding(&registry, "pairwise", &board).unwrap();
    let interrupt = Interrupt::default();
    interrupt.raise();
    let found = conflicts(&board, &*encoding, &interrupt);
    assert_eq!((found.answered, found.is_solvable), (0, None));
    assert_eq!((found.least, found.median, found.most), (None, None, None));
}
