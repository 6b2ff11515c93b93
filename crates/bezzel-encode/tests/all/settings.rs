//! The clauses of settings have recorded digests, so that no row outlives the clauses that it measured.

use bezzel_encode::{Blocked, ClauseHash, Registry, Settings, Symmetry};
use bezzel_problem::{Board, Square};

/// The revision of the encoding and the hash of the clauses on a board of side 7 with blocked
/// corners, and one of side 4.
fn digest(id: &str, blocked: Blocked, symmetry: Symmetry) -> (u32, String) {
    let settings = Settings { blocked, symmetry, ..Settings::default() };
    let encoding = Registry::standard().find(id).unwrap().on_board(settings);
    let corners = [(1, 1), (1, 7), (7, 1), (7, 7)].map(Square::from);
    let board = Board::new(7).unwrap();
    let mut digest = ClauseHash::new();
    let boards = match (blocked, id) {
        (Blocked::Simplified, _) => [board.with_blocked(corners).unwrap(), Board::new(4).unwrap()],
        _ => [board, Board::new(4).unwrap()],
    };
    for board in boards {
        encoding.encode(&board.problem(), &mut digest);
    }
    (encoding.info().revision, digest.finish())
}

#[test]
fn clauses_of_settings_change_only_with_their_revision() {
    let half = digest("pairwise", Blocked::Units, Symmetry::HalfBoard);
    let full = digest("pairwise", Blocked::Units, Symmetry::Full);
    let selectors = digest("binary", Blocked::Units, Symmetry::Full);
    let simplified = digest("pairwise", Blocked::Simplified, Symmetry::None);
    let present = [half, full, selectors, simplified];
    let kept = [
        "82161690549bf4f30139e4a3c32cce16",
        "d5669df2a82335d5650f133c828eaafa",
        "480bade4c47f3013fb61dd92de75d99a",
        "4ad6b429165110f6423e5069f1786898",
    ]
    .map(|digest| (1, digest.to_owned()));
    assert_eq!(present, kept, "count `REVISION` in symmetry/broken.rs up, or the encoding's own");
}
