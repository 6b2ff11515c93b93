//! Bryant's circuit: quadratically many gates, each a few clauses.
//!
//! *Idea.* One gate of every square covers each diagonal and the column below it, and uses the gate of the square below
//! it. The rules therefore take about 11N² gates, where clauses for every pair of squares grow as N³. The gates, by the
//! paper's names, are in [`circuit::bryant`](crate::encode::bryant); the board is valid if the last of them, V, holds.
//! `bryant-circuit` has a variable for each square (the paper's ONH), `bryant-circuit:binary` ⌈log₂ N⌉ variables for
//! each row (BIN), with code c for column c, counted from 1, and code 0 for column N = 2ᵏ; bit 0 is the first variable
//! of a row. Each has two variants:
//!
//! - `+columns` requires a queen in every column, one clause of N selectors each. The paper leaves
//!   it implied: N rows hold a queen each, and no column two. It is for square boards.
//! - `+plaisted-greenbaum` states only the direction of a gate that is needed.
//!
//! *Clauses.* For a gate g = a ∧ b: g → a, g → b, a ∧ b → g. For a gate g = a ∨ b: g → a ∨ b, a → g, b → g. Then V. By
//! Plaisted-Greenbaum g → … only, as every gate is needed to hold; but the binary selectors, needed both ways, keep all
//! three.
//!
//! *Size* on the plane for N ≥ 2, where B = ⌈log₂ N⌉. `+columns` adds N clauses and N² literals.
//!
//! | | one-hot | binary |
//! |---|---|---|
//! | gates | 11N² − 18N + 5 | (7 + B)N² − 14N + 5 |
//! | variables | 12N² − 18N + 5 | (7 + B)N² − (14 − B)N + 5 |
//! | clauses | 33N² − 54N + 16 | (21 + 3B)N² − 42N + 16 |
//! | literals | 77N² − 126N + 36 | (49 + 7B)N² − 98N + 36 |
//! | clauses, Plaisted-Greenbaum | 20N² − 38N + 19 | (11 + 3B)N² − 30N + 19 |
//! | literals, Plaisted-Greenbaum | 42N² − 78N + 37 | (23 + 7B)N² − 62N + 37 |
//!
//! At N = 8 there are 565 and 533 gates, 629 and 557 variables, 1,696 and 1,600 clauses, 995 and 1,059 by
//! Plaisted-Greenbaum. On a torus there are 11N² − 14N − 1 and (7 + B)N² − 10N − 1 gates;
//! [`GateCounts`] has the closed form for every board, rectangles included, and every variant. At N = 1 there is no gate:
//! one-hot has one variable and its unit clause (twice with `+columns`), binary has neither, since its queen stands
//! there in any case.
//!
//! Bryant's Table 1, compared with the gates of the circuit, which [`accounting`](crate::encode::accounting) has as data:
//!
//! | section | Table 1 | written, constants included | built |
//! |---|---|---|---|
//! | SELECT, one-hot / binary | 0 / B·N² | 0 / (B − 1)·N² | 0 / (B − 1)·N² |
//! | UNIQUE, one-hot / binary | 4N² / N² | 4N² / N² | 4N² − 5N / N² − N |
//! | CONFLICT | 3N² | 3N² − 3N | 3N² − 8N + 4 |
//! | ROW | 4N² | 4N² | 4N² − 6N + 2 |
//! | OVERALL | – | N − 1 | N − 1 |
//!
//! *Propagation.* One-hot: complete, for every variant; a queen falsifies every attacked square. Binary: refuting; a
//! queen falsifies the gate of an attacked square, but leaves a clause over its bits. Without `+columns`, propagation
//! does not find the queen of the last free row of a column.
//!
//! *Models.* Tseitin's translation keeps their number. By Plaisted-Greenbaum it grows: the 2 solutions at N = 4 have
//! 528 models, the 10 at N = 5 have 54,016, one-hot and binary. A factor of 2^(2N − 4) comes from the gates L(r,N) and
//! R(r,1): they have a variable each, as every gate does, and no clause.
//!
//! *Source.* R. E. Bryant, "Supplement: Encoding the N-Queens Problem with Boolean Formulas", 2019,
//! to "Chain reduction for binary and zero-suppressed decision diagrams", Journal of Automated
//! Reasoning 2020. He builds diagrams of the gates; [`circuit::tseitin`](bezzel_encode::circuit::tseitin)
//! and [`circuit::plaisted_greenbaum`](bezzel_encode::circuit::plaisted_greenbaum) name the sources of the
//! clauses.
//!
//! *Departures.* Those of [`circuit::bryant`](crate::encode::bryant): torus and rooks, constants folded, E(r,N) not
//! built, the order in which several operands are joined. Only constants are folded: at N = 2 a binary row's H is x ∨
//! ¬x, a gate, one of whose clauses is always true.

use bezzel_encode::circuit::Circuit;
use bezzel_encode::circuit::plaisted_greenbaum::plaisted_greenbaum;
use bezzel_encode::circuit::tseitin::tseitin;
use bezzel_encode::size::bits;
use bezzel_encode::{
    Auxiliaries, ClauseSink, Constraints, Encoding, EncodingInfo, Propagation, Size, Unsupported,
    VarMap, VarRange,
};
use bezzel_problem::{Kind, Problem};

use super::bryant::{Bryant, Positions};
use super::gate_counts::GateCounts;
use crate::Board;

/// See the [module](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BryantCircuit {
    /// The circuit.
    pub circuit: Bryant,
    /// True if only the needed direction of each gate is stated.
    pub plaisted_greenbaum: bool,
}

impl BryantCircuit {
    /// Every variant: one-hot before binary, the plain one first.
    pub fn all() -> impl Iterator<Item = Self> {
        let variants = |positions| {
            [(false, false), (false, true), (true, false)].map(|(columns, plaisted_greenbaum)| {
                Self { circuit: Bryant { positions, columns }, plaisted_greenbaum }
            })
        };
        [Positions::OneHot, Positions::Binary].into_iter().flat_map(variants)
    }

    /// Builds the circuit of a board, for uses that need gates rather than clauses.
    pub fn build(self, board: &Board) -> Circuit {
        self.circuit.build(board)
    }

    /// The variant after the plus sign, if it is one.
    fn variant(self) -> Option<&'static str> {
        match (self.circuit.columns, self.plaisted_greenbaum) {
            (false, false) => None,
            (true, _) => Some("columns"),
            (false, true) => Some("plaisted-greenbaum"),
        }
    }

    fn map(self, board: &Board, inputs: VarRange) -> VarMap {
        match self.circuit.positions {
            Positions::OneHot => VarMap::one_per_candidate(inputs),
            Positions::Binary => {
                let width = bits(board.columns().into());
                VarMap::from_cubes(board.each_square().map(|square| {
                    let code = Positions::code(square.column);
                    (0..width).map(move |bit| {
                        let lit = inputs.lit(square.row * width + bit);
                        if code >> bit & 1 == 1 { lit } else { !lit }
                    })
                }))
            }
        }
    }
}

/// The board of a problem that an encoding of boards has accepted.
///
/// # Panics
///
/// When the problem is not one of queens.
fn board_of(problem: &Problem) -> &Board {
    Board::of_problem(problem).expect("`fits` refuses other problems")
}

impl Encoding for BryantCircuit {
    fn info(&self) -> EncodingInfo {
        let one_hot = self.circuit.positions == Positions::OneHot;
        let name = if one_hot { "Bryant's circuit" } else { "Bryant's circuit, binary" };
        let (suffix, title) = match self.variant() {
            None => (String::new(), name.to_owned()),
            Some(variant) => (format!("+{variant}"), format!("{name}, {variant}")),
        };
        let (id, aliases, propagation) = if one_hot {
            let alias = format!("bryant-circuit:onehot{suffix}");
            (format!("bryant-circuit{suffix}"), vec![alias], Propagation::Complete)
        } else {
            (format!("bryant-circuit:binary{suffix}"), vec![], Propagation::Refuting)
        };
        let (translation, auxiliaries) = if self.plaisted_greenbaum {
            ("Plaisted, Greenbaum 1986", Auxiliaries::Free)
        } else {
            ("Tseitin 1968", Auxiliaries::Defined)
        };
        let placement = if one_hot { "ONH" } else { "BIN" };
        let constraints =
            if self.circuit.columns { Constraints::Full } else { Constraints::NoColumnAlo };
        EncodingInfo {
            id,
            aliases,
            title,
            idea: "A circuit has gates for the column and the diagonals below every square, and \
                   reuses the gates of the squares below. The number of gates grows with the \
                   number of squares, not with the number of pairs of squares."
                .into(),
            citation: format!("Bryant 2019, supplement on N-queens, {placement}; {translation}"),
            propagation,
            auxiliaries,
            constraints: constraints.describe().into(),
            ..EncodingInfo::default()
        }
    }

    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        Unsupported::check_kind(format!("`{}`", self.info().id), problem, Board::ID)?;
        let board = board_of(problem);
        if board.is_square() || !self.circuit.columns {
            return Ok(());
        }
        let why = "that every column holds a queen is true with as many columns as rows only";
        let mend = "take the variant without `+columns`";
        Err(Unsupported::new(format!("`{}`", self.info().id), problem, why, mend))
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        let board = board_of(problem);
        let [rows, columns] = [board.rows(), board.columns()].map(u128::from);
        let positions = self.circuit.positions;
        let primary = positions.inputs(board).into();
        let gate_counts = GateCounts::of(self.circuit, board);
        let gates = if self.plaisted_greenbaum {
            gate_counts.plaisted_greenbaum()
        } else {
            gate_counts.tseitin()
        };
        let mut size = Size::new(primary, 0, 0) + gates;
        if columns > 1 || positions == Positions::OneHot {
            size += Size::new(0, 1, 1);
            if self.circuit.columns {
                size += Size::new(0, columns, rows * columns);
            }
        } else if rows > 1 {
            // Two given queens in one column: the empty clause.
            size += Size::new(0, 1, 0);
        }
        Some(size)
    }

    fn circuit(&self, problem: &Problem) -> Option<Circuit> {
        Board::of_problem(problem).map(|board| self.build(board))
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let board = board_of(problem);
        let circuit = self.build(board);
        let inputs = if self.plaisted_greenbaum {
            plaisted_greenbaum(&circuit, out)
        } else {
            tseitin(&circuit, out)
        };
        self.map(board, inputs)
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::FormulaStats;

    use super::*;
    use crate::Geometry;

    fn stats(encoding: BryantCircuit, board: &Board) -> FormulaStats {
        let mut stats = FormulaStats::new();
        encoding.rules(&board.problem(), &mut stats);
        stats
    }

    fn find(id: &str) -> BryantCircuit {
        BryantCircuit::all().find(|encoding| encoding.info().id == id).unwrap()
    }

    #[test]
    fn golden_sizes_are_those_derived_by_hand() {
        let check = |id: &str, side: u32, gates: u128, variables: u128, clauses: u128| {
            let encoding = find(id);
            let board = Board::new(side).unwrap();
            let size = encoding.size(&board.problem()).unwrap();
            let primary = u128::from(encoding.circuit.positions.inputs(&board));
            assert_eq!(size.variables - primary, gates, "{id}");
            assert_eq!((size.variables, size.clauses), (variables, clauses), "{id}");
        };
        check("bryant-circuit", 8, 565, 629, 1696);
        check("bryant-circuit:binary", 8, 533, 557, 1600);
        check("bryant-circuit+plaisted-greenbaum", 8, 565, 629, 995);
        check("bryant-circuit:binary+plaisted-greenbaum", 8, 533, 557, 1059);
        check("bryant-circuit+columns", 8, 565, 629, 1704);
        check("bryant-circuit", 4, 109, 125, 328);
        check("bryant-circuit:binary", 4, 93, 101, 280);
        check("bryant-circuit+plaisted-greenbaum", 4, 109, 125, 187);
        check("bryant-circuit:binary+plaisted-greenbaum", 4, 93, 101, 171);
    }

    #[test]
    fn the_closed_forms_of_the_module_doc_are_the_sizes() {
        for side in 2..=64_u32 {
            let (n, b) = (i128::from(side), i128::from(bits(side.into())));
            let check = |id: &str, variables: i128, clauses: i128, literals: i128| {
                let size = find(id).size(&Board::new(side).unwrap().problem()).unwrap();
                let expected = [variables, clauses, literals].map(|number| number as u128);
                assert_eq!([size.variables, size.clauses, size.literals], expected, "{id} {side}");
            };
            let quadratic = |a: i128, b: i128, c: i128| a * n * n + b * n + c;
            let one_hot = quadratic(12, -18, 5);
            let binary = quadratic(7 + b, b - 14, 5);
            check("bryant-circuit", one_hot, quadratic(33, -54, 16), quadratic(77, -126, 36));
            check(
                "bryant-circuit+plaisted-greenbaum",
                one_hot,
                quadratic(20, -38, 19),
                quadratic(42, -78, 37),
            );
            check(
                "bryant-circuit:binary",
                binary,
                quadratic(21 + 3 * b, -42, 16),
                quadratic(49 + 7 * b, -98, 36),
            );
            check(
                "bryant-circuit:binary+plaisted-greenbaum",
                binary,
                quadratic(11 + 3 * b, -30, 19),
                quadratic(23 + 7 * b, -62, 37),
            );
            let torus = Board::new(side).unwrap().with_geometry(Geometry::Torus);
            let gates = |id: &str| GateCounts::of(find(id).circuit, &torus).gates() as i128;
            assert_eq!(gates("bryant-circuit"), quadratic(11, -14, -1));
            assert_eq!(gates("bryant-circuit:binary"), quadratic(7 + b, -10, -1));
        }
    }

    #[test]
    fn sections_are_the_papers_and_the_primary_variables_stand_in_select() {
        let board = Board::new(8).unwrap();
        let stats = stats(find("bryant-circuit:binary+columns"), &board);
        assert_eq!(stats.primary(), 24);
        let sections = stats.into_sections();
        let names: Vec<_> = sections.iter().map(|section| section.name.as_str()).collect();
        assert_eq!(names, ["SELECT", "UNIQUE", "CONFLICT", "ROW", "OVERALL", "columns"]);
        let variables: Vec<_> = sections.iter().map(|section| section.variables).collect();
        assert_eq!(variables, [24 + 128, 56, 132, 210, 7, 0]);
        assert_eq!(sections[5].lengths, [(8, 8)].into());
    }

    #[test]
    fn variants_have_ids_and_one_hot_has_a_second_name() {
        let infos: Vec<_> = BryantCircuit::all().map(|encoding| encoding.info()).collect();
        let ids = infos.iter().map(|info| info.id.as_str());
        let expected = ["bryant-circuit", "bryant-circuit:binary"].map(|id| {
            ["", "+plaisted-greenbaum", "+columns"].map(|variant| format!("{id}{variant}"))
        });
        assert!(ids.eq(expected.concat()), "{infos:?}");
        assert_eq!(infos[0].aliases, ["bryant-circuit:onehot"]);
        assert_eq!(infos[2].aliases, ["bryant-circuit:onehot+columns"]);
    }
}
