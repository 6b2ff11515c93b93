//! SMT-LIB, in which variables have names.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bezzel_problem::Problem;
use bezzel_queens::{Board, Square};
use rustsat::types::Lit;

use super::{ALL_SHUFFLED, boards, encoding, file, one_of_each_family};
use bezzel_encode::format::Format;
use bezzel_encode::format::read::{dimacs, notes, square_named};
use bezzel_encode::numbering::Numbering;
use bezzel_encode::{ClauseSink, Encoding, EncodingInfo, Size, VarMap};

const NUMBERINGS: [Numbering; 3] = [Numbering::AS_GENERATED, Numbering::random(5), ALL_SHUFFLED];

/// The names that a file declares, and its clauses, each literal a name with true if it is positive.
struct Script {
    names: Vec<String>,
    clauses: Vec<Vec<(String, bool)>>,
}

/// Reads a file line by line, in the layout of the writer.
fn read(format: Format, text: &str) -> Script {
    let mut names = Vec::new();
    let mut clauses = Vec::new();
    let lines = text.lines().filter(|line| !line.starts_with(';'));
    if format == Format::Smt2 {
        let lines: Vec<&str> = lines.collect();
        assert!(lines.ends_with(&["(check-sat)", "(get-model)"]));
        for line in &lines[..lines.len() - 2] {
            let inner = line.strip_prefix('(').unwrap().strip_suffix(')').unwrap();
            match inner.split_once(' ').unwrap() {
                ("declare-const", rest) => {
                    names.push(rest.strip_suffix(" Bool").unwrap().to_owned());
                }
                ("assert", term) => clauses.push(clause(term)),
                (word, _) => assert!(word.starts_with("set-"), "{line}"),
            }
        }
    } else {
        let text = lines.collect::<Vec<_>>().join("\n");
        let rest = text.strip_prefix("(benchmark queens\n:logic QF_UF\n").unwrap();
        let (declared, formula) = rest.split_once(":formula\n(and\n").unwrap();
        if !declared.is_empty() {
            let declared = declared.strip_prefix(":extrapreds (\n").unwrap();
            for word in declared.strip_suffix(")\n").unwrap().split_whitespace() {
                let name = word.strip_prefix('(').unwrap().strip_suffix(')').unwrap();
                names.push(name.to_owned());
            }
        }
        let formula = formula.strip_suffix("))").unwrap();
        clauses.extend(formula.lines().filter(|line| *line != "true").map(clause));
    }
    Script { names, clauses }
}

/// A disjunction, a literal, or `false`.
fn clause(term: &str) -> Vec<(String, bool)> {
    if term == "false" {
        return Vec::new();
    }
    let Some(inner) = term.strip_prefix("(or ") else { return vec![literal(term)] };
    let inner = inner.strip_suffix(')').unwrap();
    // The blank of a negation is the only one that does not separate literals.
    let inner = inner.replace("(not ", "(not\u{1}");
    let lits: Vec<_> = inner.split(' ').map(|lit| literal(&lit.replace('\u{1}', " "))).collect();
    assert!(lits.len() > 1, "{term}");
    lits
}

fn literal(term: &str) -> (String, bool) {
    match term.strip_prefix("(not ") {
        Some(rest) => (rest.strip_suffix(')').unwrap().to_owned(), false),
        None => (term.to_owned(), true),
    }
}

pub(super) fn check_smt(encodings: Vec<Arc<dyn Encoding>>) {
    for encoding in encodings {
        for board in boards() {
            for numbering in NUMBERINGS {
                let plain = file(Format::Dimacs, &*encoding, &board, &numbering);
                let formula = dimacs(&mut plain.as_bytes()).unwrap().formula;
                for format in [Format::Smt2, Format::Smt1] {
                    let case = format!("{} on {board}, {format}", encoding.info().id);
                    let script = read(format, &file(format, &*encoding, &board, &numbering));
                    assert_eq!(script.names.len(), formula.variables() as usize, "{case}");
                    let numbers: BTreeMap<&str, u32> =
                        script.names.iter().map(String::as_str).zip(0..).collect();
                    assert_eq!(numbers.len(), script.names.len(), "{case}: names differ");
                    let lits = |clause: &Vec<(String, bool)>| -> Vec<Lit> {
                        let lits = clause.iter();
                        lits.map(|(name, holds)| Lit::new(numbers[name.as_str()], !holds)).collect()
                    };
                    let clauses: Vec<Vec<Lit>> = script.clauses.iter().map(lits).collect();
                    assert!(formula.clauses().eq(clauses), "{case}");
                }
            }
        }
    }
}

#[test]
fn smt_files_state_the_clauses_of_the_dimacs_file() {
    check_smt(one_of_each_family());
}

pub(super) fn check_squares(encodings: Vec<Arc<dyn Encoding>>) {
    for encoding in encodings {
        for numbering in NUMBERINGS {
            let board = Board::new(4).unwrap();
            let plain = file(Format::Dimacs, &*encoding, &board, &numbering);
            let squares = notes(&mut plain.as_bytes()).unwrap().squares;
            for format in [Format::Smt2, Format::Smt1] {
                let text = file(format, &*encoding, &board, &numbering);
                let comments = notes(&mut text.as_bytes()).unwrap();
                assert_eq!(comments.squares, squares, "{}", encoding.info().id);
                let declared = read(format, &text).names;
                for (name, lit) in comments.names {
                    let symbol = if lit.is_neg() { format!("not_{name}") } else { name };
                    assert_eq!(declared[lit.vidx()], symbol);
                }
            }
        }
    }
}

#[test]
fn the_comments_tell_the_squares_by_the_numbers_of_the_declarations() {
    check_squares(one_of_each_family());
}

#[test]
fn names_stay_unambiguous_beyond_nine_columns() {
    for (format, board) in [
        (Format::Smt2, Board::new(12).unwrap()),
        (Format::Smt1, Board::new(12).unwrap()),
        (Format::Smt1, Board::new(9).unwrap()),
        (Format::Smt1, Board::rectangle(2, 11).unwrap()),
    ] {
        let pairwise =
            bezzel_queens::register(bezzel_encode::Registry::standard()).find("pairwise").unwrap();
        let pairwise =
            pairwise.with_settings(bezzel_encode::Constraints::default_on(&board.problem()));
        let script = read(format, &file(format, &*pairwise, &board, &Numbering::AS_GENERATED));
        let squares: BTreeSet<Square> = script
            .names
            .iter()
            .map(|name| square_named(name).unwrap_or_else(|| panic!("{name} is no square")))
            .collect();
        assert!(squares.into_iter().eq(board.each_square()), "{format} {board}");
    }
    let names = |format, side| {
        let board = Board::new(side).unwrap();
        read(format, &file(format, &*encoding("pairwise"), &board, &Numbering::AS_GENERATED)).names
    };
    assert_eq!(names(Format::Smt2, 12)[23], "q_2_12");
    assert_eq!(names(Format::Smt1, 12)[23], "p2_12");
    assert_eq!(names(Format::Smt1, 9)[17], "p29");
}

/// An encoding in which a queen is on the only square if a variable is false.
struct NegatedSquare;

impl Encoding for NegatedSquare {
    fn info(&self) -> EncodingInfo {
        encoding("pairwise").info()
    }

    fn size(&self, _: &Problem) -> Option<Size> {
        None
    }

    fn rules(&self, _: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let square = out.fresh(1).lit(0);
        out.clause(&[!square]);
        VarMap::from_cubes([[!square]])
    }
}

#[test]
fn the_name_of_a_square_whose_variable_is_negated_says_so() {
    let board = Board::new(1).unwrap();
    let text = |format| file(format, &NegatedSquare, &board, &Numbering::AS_GENERATED);
    for (format, name) in [(Format::Smt2, "not_q_1_1"), (Format::Smt1, "not_p11")] {
        let script = read(format, &text(format));
        assert_eq!(script.names, [name]);
        assert_eq!(script.clauses, [[(name.to_owned(), false)]]);
    }
    let dimacs = text(Format::Dimacs);
    assert!(dimacs.contains("c varname 1 ~x_{1,1}\n"), "{dimacs}");
    let notes = notes(&mut dimacs.as_bytes()).unwrap();
    assert!(notes.squares.values().flatten().eq([&lit(-1)]), "{:?}", notes.squares);
}

fn lit(number: i32) -> Lit {
    Lit::from_ipasir(number).unwrap()
}
