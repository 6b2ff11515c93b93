//! Formats in which variables are numbers: the counters' DIMACS, OPB and KNF. Outside programs read the first two in
//! tests of the command line. No package has a reader of KNF, so the reader here is the only one.

use std::collections::BTreeSet;
use std::sync::Arc;

use bezzel_problem::Problem;
use bezzel_queens::{Board, Placement, Square};
use rustsat::types::Lit;

use super::{ALL_BUT_CLAUSES_SHUFFLED, ALL_SHUFFLED, boards, encoding, file, one_of_each_family};
use bezzel_encode::ClauseSink;
use bezzel_encode::Encoding;
use bezzel_encode::EncodingInfo;
use bezzel_encode::Size;
use bezzel_encode::VarMap;
use bezzel_encode::format::Format;
use bezzel_encode::format::read::{FormulaComments, dimacs, notes};
use bezzel_encode::numbering::Numbering;

const NUMBERINGS: [Numbering; 3] =
    [Numbering::AS_GENERATED, Numbering::random(5), ALL_BUT_CLAUSES_SHUFFLED];

/// A constraint: at least this number of the literals hold.
#[derive(Debug, PartialEq, Eq)]
struct AtLeast {
    bound: i64,
    lits: Vec<i64>,
}

/// The constraints in a file, by the definition of its format: first the numbers of variables and of constraints in the
/// header.
fn read(format: Format, text: &str) -> (usize, Vec<AtLeast>) {
    let (sign, shape, before_count) = if format == Format::Opb {
        ('*', "* #variable= ", " #constraint= ")
    } else {
        ('c', "p knf ", " ")
    };
    let header = text.lines().find_map(|line| line.strip_prefix(shape)).unwrap();
    let (variables, count) = header.split_once(before_count).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with(sign) && !line.starts_with(shape));
    let read = if format == Format::Opb { opb_constraint } else { knf_constraint };
    let constraints: Vec<AtLeast> = lines.map(read).collect();
    assert_eq!(count.parse(), Ok(constraints.len()), "{format}");
    let variables = variables.parse().unwrap();
    let largest = constraints.iter().flat_map(|constraint| &constraint.lits);
    assert!(largest.into_iter().all(|lit| lit.unsigned_abs() <= variables as u64), "{format}");
    (variables, constraints)
}

/// `+1 x1 -1 x2 >= 0 ;`: a negative coefficient is that of the negation, and counts to the bound.
fn opb_constraint(line: &str) -> AtLeast {
    let (sum, bound) = line.strip_suffix(" ;").unwrap().split_once(">= ").unwrap();
    let mut bound: i64 = bound.parse().unwrap();
    let words: Vec<&str> = sum.split_whitespace().collect();
    let mut lits = Vec::new();
    for term in words.chunks(2) {
        let variable: i64 = term[1].strip_prefix('x').unwrap().parse().unwrap();
        let coefficient: i64 = term[0].parse().unwrap();
        assert!(term[0].starts_with(['+', '-']) && coefficient.abs() == 1, "{line}");
        lits.push(coefficient * variable);
        bound += i64::from(coefficient < 0);
    }
    AtLeast { bound, lits }
}

/// `1 -2 0`, or `k 2 1 -2 3 0`.
fn knf_constraint(line: &str) -> AtLeast {
    let mut numbers = line.strip_suffix('0').unwrap().split_whitespace();
    let bound = match line.strip_prefix("k ") {
        Some(_) => numbers.nth(1).unwrap().parse().unwrap(),
        None => 1,
    };
    AtLeast { bound, lits: numbers.map(|number| number.parse().unwrap()).collect() }
}

fn satisfied(constraints: &[AtLeast], holds: impl Fn(i64) -> bool) -> bool {
    constraints.iter().all(|AtLeast { bound, lits }| {
        lits.iter().filter(|&&lit| holds(lit)).count() as i64 >= *bound
    })
}

pub(super) fn check_opb_and_knf(encodings: Vec<Arc<dyn Encoding>>) {
    for encoding in encodings {
        for board in boards() {
            for numbering in NUMBERINGS.into_iter().chain([ALL_SHUFFLED]) {
                let text = file(Format::Dimacs, &*encoding, &board, &numbering);
                let formula = dimacs(&mut text.as_bytes()).unwrap().formula;
                let clause = |lits: &[Lit]| {
                    let lits = lits.iter().map(|lit| i64::from(lit.to_ipasir()));
                    AtLeast { bound: 1, lits: lits.collect() }
                };
                let expected: Vec<_> = formula.clauses().map(clause).collect();
                for format in [Format::Opb, Format::Knf] {
                    let text = file(format, &*encoding, &board, &numbering);
                    let (variables, constraints) = read(format, &text);
                    assert_eq!(variables, formula.variables() as usize);
                    assert_eq!(constraints, expected, "{} on {board}", encoding.info().id);
                }
            }
        }
    }
}

#[test]
fn clauses_are_clauses_in_opb_and_knf() {
    check_opb_and_knf(one_of_each_family());
}

/// The value of each variable, counted from 1, for this placement.
fn values(notes: &FormulaComments, variables: usize, placement: &Placement) -> Vec<bool> {
    let mut values = vec![false; variables + 1];
    for (&square, cube) in &notes.squares {
        let [lit] = cube[..] else { panic!("one variable per square") };
        values[lit.vidx() + 1] = placement.holds(square) == lit.is_pos();
    }
    values
}

#[test]
fn native_is_one_line_for_each_line_of_the_board_and_has_the_solutions_of_the_board() {
    let native = encoding("native");
    for format in [Format::Opb, Format::Knf] {
        for numbering in NUMBERINGS {
            let on_board = |side: u32| {
                let text = file(format, &*native, &Board::new(side).unwrap(), &numbering);
                (read(format, &text), notes(&mut text.as_bytes()).unwrap())
            };
            // Every assignment on the board of side 4.
            let ((variables, constraints), notes) = on_board(4);
            assert_eq!((variables, constraints.len()), (16, 2 * 4 + 2 * 4 + 2 * 5));
            let models: BTreeSet<Placement> = (0..1_u32 << 16)
                .filter(|model| {
                    satisfied(&constraints, |lit| (model >> (lit.abs() - 1) & 1 == 1) == (lit > 0))
                })
                .map(|model| {
                    let holds = |lit: &Lit| (model >> lit.vidx() & 1 == 1) == lit.is_pos();
                    let squares = notes.squares.iter();
                    squares.filter(|(_, cube)| holds(&cube[0])).map(|(&square, _)| square).collect()
                })
                .collect();
            assert_eq!(models.len(), 2, "{format}");
            let board = Board::new(4).unwrap();
            assert!(models.iter().all(|model| model.judge(&board).is_ok()), "{format}");

            // Every way to put one queen into each row on the board of side 6.
            let ((variables, constraints), notes) = on_board(6);
            let board = Board::new(6).unwrap();
            let mut solutions = 0;
            for code in 0..6_u32.pow(6) {
                let placement: Placement =
                    (0..6).map(|row| Square::new(row, code / 6_u32.pow(row) % 6)).collect();
                let values = values(&notes, variables, &placement);
                let holds = |lit: i64| values[lit.unsigned_abs() as usize] == (lit > 0);
                let is_solution = satisfied(&constraints, holds);
                assert_eq!(is_solution, placement.judge(&board).is_ok(), "{format}: {placement:?}");
                solutions += u32::from(is_solution);
            }
            assert_eq!(solutions, 4);
        }
    }
}

pub(super) fn check_projections(encodings: Vec<Arc<dyn Encoding>>) {
    for encoding in encodings {
        for board in boards() {
            for numbering in [Numbering::AS_GENERATED, ALL_SHUFFLED] {
                let plain = file(Format::Dimacs, &*encoding, &board, &numbering);
                let text = file(Format::Mcc, &*encoding, &board, &numbering);
                let notes = notes(&mut plain.as_bytes()).unwrap();
                let shown: BTreeSet<usize> =
                    notes.squares.values().flatten().map(|lit| lit.vidx() + 1).collect();
                let shown: Vec<_> = shown.iter().map(|variable| format!("{variable} ")).collect();
                let shown = shown.concat();
                let header = plain.lines().find(|line| line.starts_with('p')).unwrap();
                let expected = plain.replace(header, &format!("{header}\nc p show {shown}0"));
                assert_eq!(text, format!("c t pmc\n{expected}"), "{}", encoding.info().id);
                // The two lines are comments for readers that do not count.
                let read = dimacs(&mut text.as_bytes()).unwrap();
                assert_eq!(read.formula, dimacs(&mut plain.as_bytes()).unwrap().formula);
            }
        }
    }
}

#[test]
fn counters_project_onto_the_variables_of_the_queens() {
    check_projections(one_of_each_family());
}

#[test]
fn literals_of_every_number_are_written_right() {
    // Beyond the numbers that have a text of their own, on both sides of it.
    struct Far;
    impl Encoding for Far {
        fn info(&self) -> EncodingInfo {
            encoding("native").info()
        }

        fn size(&self, _: &Problem) -> Option<Size> {
            None
        }

        fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
            let squares = out.fresh(problem.candidates());
            let far = out.fresh(300_000);
            let xs = [far.lit(0), !far.lit(262_140), far.lit(262_143), !far.lit(299_999)];
            out.at_most(&xs, 1);
            out.clause(&xs);
            VarMap::one_per_candidate(squares)
        }
    }
    let board = Board::new(1).unwrap();
    let numbers = [2, -262_142, 262_145, -300_001];
    let expected = [
        AtLeast { bound: 3, lits: numbers.iter().map(|number| -number).collect() },
        AtLeast { bound: 1, lits: numbers.to_vec() },
    ];
    for format in [Format::Opb, Format::Knf] {
        let text = file(format, &Far, &board, &Numbering::AS_GENERATED);
        assert_eq!(read(format, &text).1, expected, "{format}");
    }
}
