//! Formulas that are wrong in print.
//!
//! H. Zantema, "Example of how to work out a problem for the practical assignment Automated
//! Reasoning 2IW15", has i + k = j + m for one direction of diagonals, where it must be i + j = k + m.
//! X. Cao, "CS517 Final Project", lets k run to n + d in ψ₃, where it must be n − d, and to d − 1 in
//! ψ₆, where it must be n.

use std::collections::BTreeMap;

use bezzel_encode::properties::Property;
use bezzel_encode::{
    ClauseSink, Encoding, EncodingInfo, Formula, FormulaStats, Lit, Size, VarMap, models,
};
use bezzel_problem::Problem;
use bezzel_queens::encode::placements;
use bezzel_queens::encode::properties::board as board_properties;
use bezzel_queens::{Board, Square};

/// The printed text, or the corrected one.
#[derive(Clone, Copy, PartialEq)]
enum Text {
    Printed,
    Mended,
}

struct Zantema(Text);

struct Cao(Text);

fn plane(side: u32) -> Board {
    Board::new(side).unwrap()
}

fn planes() -> Vec<Board> {
    (1..=7).map(plane).collect()
}

fn info(id: &str) -> EncodingInfo {
    EncodingInfo { id: id.into(), ..EncodingInfo::default() }
}

impl Encoding for Zantema {
    fn info(&self) -> EncodingInfo {
        info("zantema")
    }

    fn size(&self, _: &Problem) -> Option<Size> {
        None
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let board = Board::of_problem(problem).expect("a board");
        let n = i64::from(board.rows());
        let p = out.fresh(board.squares());
        let map = VarMap::one_per_candidate(p);
        let at = |i: i64, j: i64| p.lit(((i - 1) * n + j - 1) as u32);
        for i in 1..=n {
            out.clause(&(1..=n).map(|j| at(i, j)).collect::<Vec<_>>());
        }
        for j in 1..=n {
            out.clause(&(1..=n).map(|i| at(i, j)).collect::<Vec<_>>());
        }
        for i in 1..=n {
            for (j, k) in (1..=n).flat_map(|j| (j + 1..=n).map(move |k| (j, k))) {
                out.clause(&[!at(i, j), !at(i, k)]);
                out.clause(&[!at(j, i), !at(k, i)]);
            }
        }
        for (i, k) in (1..=n).flat_map(|i| (i + 1..=n).map(move |k| (i, k))) {
            for (j, m) in (1..=n).flat_map(|j| (1..=n).map(move |m| (j, m))) {
                let rising = if self.0 == Text::Printed { i + k == j + m } else { i + j == k + m };
                if rising || i - k == j - m {
                    out.clause(&[!at(i, j), !at(k, m)]);
                }
            }
        }
        map
    }
}

impl Encoding for Cao {
    fn info(&self) -> EncodingInfo {
        info("cao")
    }

    fn size(&self, _: &Problem) -> Option<Size> {
        None
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let board = Board::of_problem(problem).expect("a board");
        let n = i64::from(board.rows());
        let squares = out.fresh(board.squares());
        let map = VarMap::one_per_candidate(squares);
        let mut beyond: BTreeMap<(i64, i64), Lit> = BTreeMap::new();
        let mut not_both = |(i, j): (i64, i64), (k, m): (i64, i64)| {
            let clause = [(i, j), (k, m)].map(|(row, column)| {
                if (1..=n).contains(&row) && (1..=n).contains(&column) {
                    !squares.lit(((row - 1) * n + column - 1) as u32)
                } else {
                    !*beyond.entry((row, column)).or_insert_with(|| out.fresh(1).lit(0))
                }
            });
            out.clause(&clause);
        };
        let pairs = |from: i64, to: i64, last: i64| {
            (from..=to).flat_map(move |j| (j + 1..=last).map(move |k| (j, k)))
        };
        for i in 1..=n {
            for (j, k) in pairs(1, n, n) {
                not_both((i, j), (i, k));
                not_both((j, i), (k, i));
            }
        }
        for d in 0..=n - 2 {
            let last = if self.0 == Text::Printed { n + d } else { n - d };
            pairs(1, n - d, last).for_each(|(j, k)| not_both((d + j, j), (d + k, k)));
        }
        for d in -(n - 2)..=-1 {
            pairs(1, n + d, n + d).for_each(|(j, k)| not_both((j, j - d), (k, k - d)));
        }
        for d in 3..=n + 1 {
            pairs(1, d - 1, d - 1).for_each(|(j, k)| not_both((j, d - j), (k, d - k)));
        }
        for d in n + 2..2 * n {
            let last = if self.0 == Text::Printed { d - 1 } else { n };
            pairs(d - n, n, last).for_each(|(j, k)| not_both((j, d - j), (k, d - k)));
        }
        for row in Square::all(board.rows(), 1) {
            let first = row.row * board.columns();
            out.clause(
                &(first..first + board.columns()).map(|at| squares.lit(at)).collect::<Vec<_>>(),
            );
        }
        map
    }
}

/// The numbers of variables and clauses.
fn size(encoding: &dyn Encoding, side: u32) -> (u128, u128) {
    let mut stats = FormulaStats::new();
    encoding.rules(&plane(side).problem(), &mut stats);
    (stats.size().clauses, stats.size().variables)
}

/// The number of placements that the formula allows, and the number of solutions among them.
fn allowed(encoding: &dyn Encoding, side: u32) -> (usize, usize) {
    let board = plane(side);
    let mut formula = Formula::new();
    let map = encoding.encode(&board.problem(), &mut formula);
    let placements = placements(&formula, &board, &map, 1);
    let genuine = placements.iter().filter(|(placement, _)| placement.judge(&board).is_ok());
    (placements.len(), genuine.count())
}

#[test]
fn zantemas_formula_as_printed_has_other_models_and_no_solution_of_eight_queens() {
    assert_eq!(size(&Zantema(Text::Printed), 60), (352_070, 3600));
    let numbers: Vec<_> = (1..=8).map(|side| allowed(&Zantema(Text::Printed), side)).collect();
    let expected = [(1, 1), (0, 0), (0, 0), (4, 0), (4, 4), (0, 0), (0, 0), (32, 0)];
    assert_eq!(numbers, expected);
    let violation = board_properties::solutions(&Zantema(Text::Printed), &planes()).unwrap_err();
    assert_eq!((violation.property, &*violation.place), (Property::Solutions, "the board 4"));
    assert_eq!(violation.drawing.matches('Q').count(), 4, "{}", violation.drawing);
}

#[test]
fn zantemas_formula_corrected_has_every_property() {
    assert_eq!(size(&Zantema(Text::Mended), 60), (352_940, 3600));
    for (property, check) in board_properties::PROPERTIES {
        assert_eq!(check(&Zantema(Text::Mended), &planes()), Ok(()), "{property}");
    }
}

#[test]
fn caos_formula_as_printed_speaks_of_squares_beyond_the_board() {
    let printed = (4..=8).map(|side| size(&Cao(Text::Printed), side));
    let beyond = [9, 17, 28, 41, 57].into_iter().zip(4_u32..);
    let clauses = [101, 213, 386, 633, 967];
    let expected = clauses
        .into_iter()
        .zip(beyond)
        .map(|(clauses, (beyond, n))| (clauses, beyond + u128::from(n * n)));
    assert!(printed.eq(expected));
    // The placements are still right, but have many models each.
    assert_eq!(board_properties::solutions(&Cao(Text::Printed), &planes()), Ok(()));
    let violation = board_properties::auxiliaries(&Cao(Text::Printed), &planes()).unwrap_err();
    assert_eq!(violation.property, Property::Auxiliaries);
    assert!(
        violation.what.starts_with("it declares no auxiliary variables, but makes"),
        "{violation}"
    );
    let mut formula = Formula::new();
    let map = Cao(Text::Printed).encode(&plane(5).problem(), &mut formula);
    assert_eq!(models::count(&formula, &map), 10_528);
}

#[test]
fn caos_formula_corrected_has_every_property() {
    let mended: Vec<_> = (4..=8).map(|side| size(&Cao(Text::Mended), side).0).collect();
    assert_eq!(mended, [80, 165, 296, 483, 736]);
    for (property, check) in board_properties::PROPERTIES {
        assert_eq!(check(&Cao(Text::Mended), &planes()), Ok(()), "{property}");
    }
}
