//! Boards as instances: a candidate for each square, a family of groups for each direction of lines.

use std::ops::ControlFlow;

use bezzel_problem::{
    BoundSet, Bounds, Candidate, Drawing, EncoderRequest, ExhaustiveSearch, Grid, GroupFamily,
    GroupLayout, GroupSource, InstanceField, Kind, KindSearch, KnownFacts, Literal, NodesSpent,
    Problem, ReportedKind, Solution,
};

use crate::rules::backtrack::Backtrack;
use crate::rules::board::{Board, Geometry, Piece};
use crate::rules::cells;
use crate::rules::draw;
use crate::rules::line::Family;
use crate::rules::placement::Placement;
use crate::rules::published;
use bezzel_problem::Square;

impl Kind for Board {
    const ID: &'static str = "queens";
    const TITLE: &'static str = "queens";
    const FAMILIES: &'static [&'static str] = &["rows", "columns", "diagonals", "antidiagonals"];
    const SIZE: &'static str = "Side of the board, N";
    const NOUN: &'static str = "board";
    const SUBJECT: &'static str = "queens on a board";
    const GIVEN: &'static str = "queens";
    const EXCLUDED: &'static str = "blocked";
    const JOINT_FAMILIES: &'static [&'static str] = &["rows", "columns", "diagonals"];
    const FAMILY_FALLBACKS: &'static [(&'static str, &'static str)] =
        &[("antidiagonals", "diagonals")];
    const RANK: u16 = 0;
    const FIELDS: &'static [InstanceField] = FIELDS;

    /// Rows hold exactly one queen. Columns hold exactly one on a square board, else at most one. Diagonals
    /// of two or more squares hold at most one.
    fn constraints(&self) -> Problem {
        let mut problem = Problem::new(self.squares())
            .with_bound_sets(bound_sets(self))
            .with_repeated_pairs(repeated_pairs(self));
        for &family in self.families() {
            let bounds = match family {
                Family::Rows => Bounds::EXACTLY_ONE,
                Family::Columns if self.is_square() => Bounds::EXACTLY_ONE,
                _ => Bounds::AT_MOST_ONE,
            };
            problem = problem.with_family(GroupFamily::computed(
                family.id(),
                bounds,
                Lines::of(self, family),
            ));
        }
        problem.with_fixed(
            self.placed().iter().map(|&square| self.candidate(square)),
            self.blocked().iter().map(|&square| self.candidate(square)),
        )
    }

    fn size(&self) -> u32 {
        self.rows()
    }

    fn label(&self, candidate: Candidate) -> String {
        let Square { row, column } = self.square(candidate);
        format!("({}, {})", row + 1, column + 1)
    }

    fn grid(&self) -> Option<Grid> {
        Some(Grid { rows: self.rows(), columns: self.columns() })
    }

    /// The board with its blocked squares alone.
    fn without_given(&self) -> Option<Self> {
        if self.placed().is_empty() {
            return None;
        }
        self.without_givens().with_blocked(self.blocked().iter().copied()).ok()
    }

    /// The rules of the empty board: `board queens plane 8 8`.
    fn encoder_request(&self) -> Option<EncoderRequest> {
        let (piece, geometry) = (self.piece(), self.geometry());
        let words = format!("board {piece}s {geometry} {} {}", self.rows(), self.columns());
        Some(EncoderRequest {
            place: 2 * geometry as u32 + piece as u32,
            instance: self.without_givens().to_string(),
            grid: self.grid()?,
            noun: Self::NOUN,
            words,
        })
    }

    fn draw(&self, solution: &Solution) -> String {
        draw::placement(self.rows(), self.columns(), &Placement::of(self, solution))
    }

    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        cells::solved(self, solution)
    }

    fn known(&self) -> KnownFacts {
        let count = published::solutions(self);
        KnownFacts {
            solvable: published::solvable(self),
            count: count.map(|published| (published.count, published.source)),
        }
    }

    fn reported(&self) -> Option<&dyn ReportedKind> {
        Some(self)
    }

    /// Boards to side 64 are searched by [`Backtrack`], whose lines are bits of machine words.
    fn search(&self) -> KindSearch {
        match Backtrack::new(self) {
            Some(search) => {
                KindSearch::OfKind(Box::new(BoardSearch { board: self.clone(), search }))
            }
            None => KindSearch::None,
        }
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        Placement::of(self, solution).judge(self).map_err(|violation| violation.to_string())
    }
}

/// The fields of a board.
const FIELDS: &[InstanceField] = &[
    field("size", "board_rows", None),
    field("columns", "board_columns", Some("size")),
    field("geometry", "geometry", None),
    field("piece", "piece", None),
    field("queens", "given_queens", None),
    field("blocked", "blocked_squares", None),
];

const fn field(
    key: &'static str,
    column: &'static str,
    absent: Option<&'static str>,
) -> InstanceField {
    InstanceField { key, column, absent }
}

/// The lines of a family on a board, a candidate for each square, row by row.
#[derive(Debug)]
struct Lines {
    board: Board,
    family: Family,
}

impl Lines {
    fn of(board: &Board, family: Family) -> Self {
        Self { board: board.without_givens(), family }
    }
}

impl GroupSource for Lines {
    fn lengths(&self) -> Box<dyn Iterator<Item = u64> + '_> {
        Box::new(self.board.lines(self.family).map(|line| line.len() as u64))
    }

    fn for_each(&self, each: &mut dyn FnMut(&[Literal])) {
        let columns = self.board.columns();
        let mut group = Vec::with_capacity(self.board.rows().max(columns) as usize);
        for line in self.board.lines(self.family) {
            group.clear();
            group.extend(line.map(|square| Literal::chosen(square.index(columns) as u32)));
            each(&group);
        }
    }

    fn partners(&self, candidate: Candidate) -> u64 {
        self.board.line_through(self.board.square(candidate), self.family).len() as u64 - 1
    }

    fn layout(&self) -> GroupLayout {
        match self.family {
            Family::Rows => GroupLayout::Parts(self.board.columns()),
            Family::Columns => GroupLayout::Strided,
            Family::Diagonals | Family::Antidiagonals => GroupLayout::Other,
        }
    }
}

/// The number of pairs of squares of a board that are on two lines: n²/2 on a torus of even side n for queens,
/// where the two diagonals through a square meet again half-way round.
fn repeated_pairs(board: &Board) -> u128 {
    let n = u128::from(board.rows());
    let meets_again =
        board.piece() == Piece::Queen && board.geometry() == Geometry::Torus && n.is_multiple_of(2);
    if meets_again { n * n / 2 } else { 0 }
}

/// The choices of stated constraints, the default first.
///
/// A placement of n queens needs no more than "at least one per row, at most one per column and diagonal": n rows then
/// hold one queen each by counting. The sources state more than that, and Zantema remarks that redundancy may be good
/// for efficiency. On a rectangle rows hold exactly one queen and columns at most one, and none of these constraints is
/// redundant.
fn bound_sets(board: &Board) -> Vec<BoundSet> {
    const AT_LEAST_ONE: Bounds = Bounds { at_least: Some(1), at_most: None };
    let (one, most) = (Bounds::EXACTLY_ONE, Bounds::AT_MOST_ONE);
    let set = |id, rows, columns, why| {
        let of_family = |&family: &Family| match family {
            Family::Rows => rows,
            Family::Columns => columns,
            Family::Diagonals | Family::Antidiagonals => most,
        };
        let bounds = board.families().iter().map(of_family).collect();
        let holds = board.is_square() || id == "no-column-alo";
        BoundSet { id, bounds: if holds { Ok(bounds) } else { Err(why) } }
    };
    let column = "that every column holds a queen is true with as many columns as rows only";
    let row =
        "that no row holds two queens is left to counting, which needs as many columns as rows";
    let mut sets = vec![
        set("full", one, one, column),
        set("no-column-alo", one, most, column),
        set("no-column-amo", one, AT_LEAST_ONE, column),
        set("minimal", AT_LEAST_ONE, most, row),
    ];
    if !board.is_square() {
        sets.swap(0, 1);
    }
    sets
}

/// The search of the judge.
struct BoardSearch {
    board: Board,
    search: Backtrack,
}

impl BoardSearch {
    /// The search with one more queen or blocked square; none if the queen attacks a given queen or the literal
    /// contradicts the given and blocked squares.
    fn assuming(&self, literal: Literal) -> Option<Backtrack> {
        let (board, square) = (&self.board, [self.board.square(literal.candidate())]);
        let board = if literal.is_negated() {
            board.clone().with_blocked(board.blocked().iter().copied().chain(square))
        } else {
            board.clone().with_placed(board.placed().iter().copied().chain(square))
        };
        Backtrack::new(&board.ok()?)
    }
}

impl ExhaustiveSearch for BoardSearch {
    fn first(&self, literal: Option<Literal>, budget: u64) -> Result<Option<Solution>, NodesSpent> {
        let found = match literal {
            None => self.search.first(budget),
            Some(literal) => match self.assuming(literal) {
                Some(search) => search.first(budget),
                None => return Ok(None),
            },
        };
        Ok(found.map_err(|_| NodesSpent)?.map(|placement| placement.solution(&self.board)))
    }

    fn each(
        &self,
        budget: u64,
        found: &mut dyn FnMut(&[Candidate]) -> ControlFlow<()>,
    ) -> Result<(), NodesSpent> {
        let mut chosen = Vec::with_capacity(self.board.rows() as usize);
        let each = self.search.each(budget, |placement| {
            chosen.clear();
            chosen.extend(placement.squares().map(|square| self.board.candidate(square)));
            found(&chosen)
        });
        each.map(drop).map_err(|_| NodesSpent)
    }

    fn count(&self, budget: u64) -> Result<u128, NodesSpent> {
        self.search.count(budget).map_err(|_| NodesSpent)
    }
}

impl Board {
    /// The board of an instance; none if the instance is of another kind.
    pub fn of(instance: &bezzel_problem::Instance) -> Option<&Self> {
        instance.get()
    }

    /// The board of a problem; none if the problem is of another kind.
    pub fn of_problem(problem: &Problem) -> Option<&Self> {
        problem.instance()
    }

    /// The problem: see [`Kind::problem`].
    pub fn problem(&self) -> Problem {
        Kind::problem(self)
    }
}

#[cfg(test)]
mod tests {
    use bezzel_problem::Instance;

    use super::*;
    use crate::rules::search;

    #[test]
    fn the_groups_and_the_rules_of_a_board_have_the_same_solutions() {
        let empty = |rows, columns| Board::rectangle(rows, columns).unwrap();
        let torus = empty(5, 5).with_geometry(Geometry::Torus);
        let given = empty(5, 5).with_placed([Square::new(0, 1)]).unwrap();
        let boards = [
            empty(1, 1),
            empty(4, 4),
            empty(3, 5),
            empty(3, 2).with_piece(Piece::Rook),
            torus,
            given.with_blocked([Square::new(2, 0)]).unwrap(),
        ];
        for board in boards {
            let (problem, all) = (board.problem(), search::solutions(&board));
            // Every way to choose one square of each row.
            let ways = u64::from(board.columns()).pow(board.rows());
            let mut found = 0;
            for mut way in 0..ways {
                let solution: Solution = (0..board.rows())
                    .map(|row| {
                        let column = (way % u64::from(board.columns())) as u32;
                        way /= u64::from(board.columns());
                        row * board.columns() + column
                    })
                    .collect();
                let holds = all.contains(&Placement::of(&board, &solution));
                assert_eq!(problem.check(&solution).is_ok(), holds, "{board}: {solution:?}");
                assert_eq!(board.check(&solution).is_ok(), holds, "{board}: {solution:?}");
                found += usize::from(holds);
            }
            assert_eq!(found, all.len(), "{board}");
        }
    }

    #[test]
    fn a_board_is_drawn_with_its_given_queens_and_blocked_squares() {
        let board = Board::new(4).unwrap().with_placed([Square::new(0, 1)]).unwrap();
        let board = Instance::from(board.with_blocked([Square::new(3, 3)]).unwrap());
        let expected = [("♛", 1, 2), ("■", 4, 4)]
            .map(|(sign, row, column)| (sign.to_owned(), [("row", row), ("column", column)]));
        let Some(Drawing::Grid { rows, chequered: true, .. }) = board.drawing(None) else {
            panic!("a board is drawn as a chequered grid");
        };
        let signs = (1..).zip(&rows).flat_map(|(row, cells)| {
            let signs = (1..).zip(cells).filter(|(_, cell)| !cell.text.is_empty());
            signs.map(move |(column, cell)| (cell.text.clone(), [("row", row), ("column", column)]))
        });
        assert_eq!(signs.collect::<Vec<_>>(), expected);
        let is_drawn = |side| Instance::from(Board::new(side).unwrap()).drawing(None).is_some();
        assert!(is_drawn(64) && !is_drawn(65));
    }

    #[test]
    fn requests_to_programs_are_in_the_order_of_boards() {
        let sides = [5, 7, 11].map(|side| Board::new(side).unwrap());
        let tori = sides.clone().map(|board| board.with_geometry(Geometry::Torus));
        let wide =
            [(5, 11), (11, 5)].map(|(rows, columns)| Board::rectangle(rows, columns).unwrap());
        let queens: Vec<Board> = sides.into_iter().chain(tori).chain(wide).collect();
        let rooks = queens.iter().map(|board| board.clone().with_piece(Piece::Rook));
        let mut boards: Vec<Board> = rooks.chain(queens.iter().cloned()).collect();
        boards.sort();
        let requests: Vec<_> = boards.iter().filter_map(Kind::encoder_request).collect();
        assert_eq!(requests.len(), 16);
        assert!(requests.is_sorted());
    }

    #[test]
    fn the_json_of_a_board_is_that_of_recorded_jobs() {
        let board = Board::new(4).unwrap().with_placed([Square::new(0, 1)]).unwrap();
        let instance = Instance::from(board.with_blocked([Square::new(3, 3)]).unwrap());
        let text = concat!(
            r#"{"queens":{"size":4,"geometry":"plane","piece":"queen","queens":[[1,2]],"#,
            r#""blocked":[[4,4]]}}"#
        );
        assert_eq!(serde_json::to_string(&instance).unwrap(), text);
        crate::add_kinds();
        assert_eq!(serde_json::from_str::<Instance>(text).unwrap(), instance);
    }
}
