//! Bryant's circuit: the rules of the board as gates, quadratically many.
//!
//! Rows count from 1 at the top, columns from 1 at the left, as in the paper; S, E, H, L, D, R and V are its names. In
//! words, for row r and column c:
//!
//! - SELECT: S(r,c), a queen stands on the square: a variable each, or the code of c in the row's bits.
//! - UNIQUE: H(r,c), the row up to c holds exactly one queen; E(r,c), it holds none. In binary a row cannot hold two,
//!   so H(r,c) is: it holds one.
//! - CONFLICT: L(r,c), D(r,c) and R(r,c), no queen stands on the squares from (r,c) downward to the left, straight
//!   down, and downward to the right; r runs from N up to 2.
//! - ROW: V(r), the row holds one queen, and below it none attacks it.
//! - OVERALL: V, every row is valid; it is required. The paper's section is "Overall Correctness".
//!
//! *Source.* R. E. Bryant, "Supplement: Encoding the N-Queens Problem with Boolean Formulas",
//! December 20, 2019.
//!
//! *Departures.* The paper treats the square plane only. On a rectangle a row has as many squares as there are columns;
//! all else stays the same. On a torus L and R take columns modulo N, so that no diagonal ends before row N: each has
//! one square in every row, so the downward direction suffices. For rooks there are no L and R. E(r,N), which no gate
//! uses, is counted as written and not built. L(r,N) and R(r,1), which no gate uses on the plane either, are built,
//! since the recurrences contain them. The bits of a selector are joined from the most significant one down, and (L ∧
//! D) ∧ R from the left, as are ROW and OVERALL; the paper leaves that open.

use crate::{Board, Geometry, Piece, Square};

use bezzel_encode::circuit::{Circuit, Wire};
use bezzel_encode::size::bits;

/// The section of the selectors, and of the primary variables.
pub const SELECT: &str = "SELECT";
/// The section that counts the queens of each row.
pub const UNIQUE: &str = "UNIQUE";
/// The section of empty diagonals and columns.
pub const CONFLICT: &str = "CONFLICT";
/// The section that makes a row valid.
pub const ROW: &str = "ROW";
/// The section that makes the board valid.
pub const OVERALL: &str = "OVERALL";
/// The section of the column clauses, which the paper does not have.
pub const COLUMNS: &str = "columns";

/// The primary variables, which encode the squares of the queens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Positions {
    /// The paper's ONH: a variable for each square, row by row.
    OneHot,
    /// The paper's BIN: ⌈log₂ N⌉ variables for each row, the code of its queen's column, least
    /// significant bit first.
    Binary,
}

impl Positions {
    /// The number of primary variables on a board.
    pub fn inputs(self, board: &Board) -> u32 {
        match self {
            Self::OneHot => board.squares(),
            Self::Binary => board.rows() * bits(board.columns().into()),
        }
    }

    /// The code of a column, counted from 0: the paper's own, which counts from 1. Of N = 2^k
    /// columns the last gets the k bits of N itself, which are all 0.
    pub fn code(column: u32) -> u32 {
        column + 1
    }
}

/// A variant of Bryant's circuit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bryant {
    /// The primary variables.
    pub positions: Positions,
    /// True if every column is required to hold a queen, which the paper leaves implied.
    pub columns: bool,
}

impl Bryant {
    /// Builds the circuit of an empty board; given queens and blocked squares are ignored.
    pub fn build(self, board: &Board) -> Circuit {
        let mut circuit = Circuit::new(self.positions.inputs(board), SELECT);
        let selectors = select(&mut circuit, board, self.positions);
        circuit.section(UNIQUE);
        let one_queen = unique(&mut circuit, &selectors, self.positions);
        circuit.section(CONFLICT);
        let free = Free::below(&mut circuit, board, &selectors);
        circuit.section(ROW);
        let valid = rows(&mut circuit, &selectors, &one_queen, &free);
        circuit.section(OVERALL);
        let all = valid.into_iter().reduce(|all, row| circuit.and(all, row));
        circuit.require(all);
        if self.columns {
            circuit.section(COLUMNS);
            for column in 0..board.columns() {
                circuit.require((0..board.rows()).map(|row| selectors.at(row, column)));
            }
        }
        circuit
    }
}

/// A wire for each square; rows and columns count from 0 from here on.
struct Grid {
    rows: u32,
    columns: u32,
    wires: Vec<Wire>,
}

impl Grid {
    fn new(board: &Board) -> Self {
        let wires = vec![Wire::TRUE; board.squares() as usize];
        Self { rows: board.rows(), columns: board.columns(), wires }
    }

    fn at(&self, row: u32, column: u32) -> Wire {
        self.wires[Square::new(row, column).index(self.columns)]
    }

    /// The wire of a square, 1 beyond the edges of the board: the paper's boundary conditions.
    fn or_true(&self, row: u32, column: Option<u32>) -> Wire {
        match column {
            Some(column) if row < self.rows => self.at(row, column),
            _ => Wire::TRUE,
        }
    }

    fn set(&mut self, row: u32, column: u32, wire: Wire) {
        self.wires[Square::new(row, column).index(self.columns)] = wire;
    }
}

/// SELECT: S(r,c).
fn select(circuit: &mut Circuit, board: &Board, positions: Positions) -> Grid {
    let width = bits(board.columns().into());
    let mut selectors = Grid::new(board);
    for Square { row, column } in board.each_square() {
        let selector = match positions {
            Positions::OneHot => circuit.input(row * board.columns() + column),
            Positions::Binary => {
                let code = Positions::code(column);
                let bits = (0..width).rev().map(|bit| {
                    let input = circuit.input(row * width + bit);
                    if code >> bit & 1 == 1 { input } else { !input }
                });
                let bits: Vec<Wire> = bits.collect();
                let all = bits.into_iter().reduce(|all, bit| circuit.and(all, bit));
                // One column needs no bits: its queen stands there in any case.
                all.unwrap_or(Wire::TRUE)
            }
        };
        selectors.set(row, column, selector);
    }
    selectors
}

/// UNIQUE: H(r) of each row r.
fn unique(circuit: &mut Circuit, selectors: &Grid, positions: Positions) -> Vec<Wire> {
    let columns = selectors.columns;
    let mut row_holds_one = |row| {
        let (mut none, mut one) = (Wire::TRUE, Wire::FALSE);
        for column in 0..columns {
            let here = selectors.at(row, column);
            if positions == Positions::Binary {
                one = circuit.or(here, one);
                continue;
            }
            let first = circuit.and(here, none);
            let earlier = circuit.and(!here, one);
            one = circuit.or(first, earlier);
            if column + 1 < columns {
                none = circuit.and(none, !here);
            } else {
                circuit.omit();
            }
        }
        one
    };
    (0..selectors.rows).map(&mut row_holds_one).collect()
}

/// L, D and R: no queen stands downward from this square.
struct Free {
    left: Grid,
    down: Grid,
    right: Grid,
    geometry: Geometry,
    piece: Piece,
}

impl Free {
    /// CONFLICT: builds L, D and R of every row but the first, from the last one up.
    fn below(circuit: &mut Circuit, board: &Board, selectors: &Grid) -> Self {
        let [left, down, right] = [(); 3].map(|()| Grid::new(board));
        let (geometry, piece) = (board.geometry(), board.piece());
        let mut free = Self { left, down, right, geometry, piece };
        for row in (1..board.rows()).rev() {
            for column in 0..board.columns() {
                let empty = !selectors.at(row, column);
                if piece == Piece::Queen {
                    let left = circuit.and(free.left_of(row, column), empty);
                    free.left.set(row, column, left);
                }
                let down = circuit.and(free.under(row, column), empty);
                free.down.set(row, column, down);
                if piece == Piece::Queen {
                    let right = circuit.and(free.right_of(row, column), empty);
                    free.right.set(row, column, right);
                }
            }
        }
        free
    }

    /// L(r+1, c−1).
    fn left_of(&self, row: u32, column: u32) -> Wire {
        let last = self.left.columns - 1;
        let beyond = (self.geometry == Geometry::Torus).then_some(last);
        self.left.or_true(row + 1, column.checked_sub(1).or(beyond))
    }

    /// D(r+1, c).
    fn under(&self, row: u32, column: u32) -> Wire {
        self.down.or_true(row + 1, Some(column))
    }

    /// R(r+1, c+1).
    fn right_of(&self, row: u32, column: u32) -> Wire {
        let beyond = (self.geometry == Geometry::Torus).then_some(0);
        let next = Some(column + 1).filter(|&next| next < self.right.columns);
        self.right.or_true(row + 1, next.or(beyond))
    }
}

/// ROW: V(r) of each row r.
fn rows(circuit: &mut Circuit, selectors: &Grid, one_queen: &[Wire], free: &Free) -> Vec<Wire> {
    let mut valid = one_queen.to_vec();
    for Square { row, column } in Square::all(selectors.rows, selectors.columns) {
        let mut safe = free.under(row, column);
        if free.piece == Piece::Queen {
            safe = circuit.and(free.left_of(row, column), safe);
            safe = circuit.and(safe, free.right_of(row, column));
        }
        let no_conflict = circuit.or(!selectors.at(row, column), safe);
        let row = &mut valid[row as usize];
        *row = circuit.and(*row, no_conflict);
    }
    valid
}
