//! The clauses of settings have recorded digests, so that no row outlives the clauses that it measured.

use bezzel_encode::{ClauseHash, Registry, Settings, Symmetry};
use bezzel_problem::Board;

/// The revision of the encoding and the hash of the clauses on the boards of sides 7 and 4.
fn digest(id: &str, symmetry: Symmetry) -> (u32, String) {
    let settings = Settings { symmetry, ..Settings::default() };
    let encoding = Registry::standard().find(id).unwrap().on_board(settings);
    let mut digest = ClauseHash::new();
    for board in [7, 4].map(|side| Board::new(side).unwrap()) {
        encoding.encode(&board.problem(), &mut digest);
    }
    (encoding.info().revision, digest.finish())
}

#[test]
fn clauses_of_settings_change_only_with_their_revision() {
    let half = digest("pairwise", Symmetry::HalfBoard);
    let full = digest("pairwise", Symmetry::Full);
    let selectors = digest("binary", Symmetry::Full);
    let present = [half, full, selectors];
    let kept = [
        "82161690549bf4f30139e4a3c32cce16",
        "d5669df2a82335d5650f133c828eaafa",
        "480bade4c47f3013fb61dd92de75d99a",
    ]
    .map(|digest| (1, digest.to_owned()));
    assert_eq!(present, kept, "count `REVISION` in symmetry/broken.rs up, or the encoding's own");
}
