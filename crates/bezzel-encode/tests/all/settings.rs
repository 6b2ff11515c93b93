//! The clauses of settings have recorded digests, so that no row outlives the clauses that it measured.

use bezzel_encode::{Blocked, ClauseHash, Registry, Settings};
use bezzel_problem::{Board, Square};

#[test]
fn clauses_of_settings_change_only_with_their_revision() {
    let settings = Settings { blocked: Blocked::Simplified, ..Settings::default() };
    let encoding = Registry::standard().find("pairwise").unwrap().on_board(settings);
    let corners = [(1, 1), (1, 7), (7, 1), (7, 7)].map(Square::from);
    let mut digest = ClauseHash::new();
    for board in [Board::new(7).unwrap().with_blocked(corners).unwrap(), Board::new(4).unwrap()] {
        encoding.encode(&board.problem(), &mut digest);
    }
    let present = (encoding.info().revision, digest.finish());
    assert_eq!(present, (1, "4ad6b429165110f6423e5069f1786898".to_owned()));
}
