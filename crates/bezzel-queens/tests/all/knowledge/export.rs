//! Boards for other programs.

use bezzel_encode::{Formula, Registry};
use bezzel_queens::Board;
use bezzel_queens::encode::board_text;
use bezzel_queens::knowledge::{EncodingError, encoding, export};

use crate::knowledge::brute;

#[test]
fn a_drawing_is_read_back() {
    for case in brute::random(5, 7) {
        let text = export::drawing(&case.board);
        assert_eq!(board_text::read(&text).unwrap(), case.board, "{text}");
    }
}

#[test]
fn a_formula_has_the_pieces_as_units() {
    let registry = bezzel_queens::register(Registry::standard());
    for case in brute::random(1, 8) {
        for name in ["pairwise", "binary", "commander:3", "bryant-circuit"] {
            let encoding = encoding(&registry, name, &case.board).unwrap();
            let text = String::from_utf8(export::dimacs(&case.board, &*encoding).unwrap()).unwrap();
            let mut formula = Formula::new();
            encoding.encode(&case.board.problem(), &mut formula);
            let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('c')).collect();
            let header = format!("p cnf {} {}", formula.variables(), formula.len());
            assert_eq!(lines[0], header, "{name}: {}", case.board);
            assert_eq!(lines.len() - 1, formula.len());
            for (line, clause) in lines[1..].iter().zip(formula.clauses()) {
                let numbers = clause.iter().map(|lit| lit.to_ipasir().to_string() + " ");
                assert_eq!(*line, numbers.collect::<String>() + "0");
            }
        }
    }
}

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
