//! Boards for other programs.

use bezzel_encode::Registry;
use bezzel_queens::Board;
use bezzel_queens::knowledge::{EncodingError, encoding};

#[test]
fn an_encoding_without_clauses_or_with_an_invalid_name_is_refused() {
    let board = Board::new(8).unwrap();
    let registry = bezzel_queens::register(Registry::standard());
    let refused = |name: &str| encoding(&registry, name, &board).map(|_| ()).unwrap_err();
    assert_eq!(refused("native"), EncodingError::Whole("native".into()));
    assert!(refused("pairwize").to_string().contains("did you mean `pairwise`?"));
    assert!(refused("{command: \"rm -rf /\"}").to_string().contains("is a program"));
    assert!(matches!(refused(&"x".repeat(10_000)), EncodingError::Long(_)));
    assert!(
        encoding(&registry, "{rows: product, columns: pairwise, diagonals: tree}", &board).is_ok()
    );
}
