//! The solutions of a board, and the marks of its squares that follow from them.
//!
//! A diagram of all solutions is made directly from the board with its placed pieces, zero-suppressed. This takes
//! milliseconds for boards of usual sides, so nothing has to be kept between two questions.
//!
//! Larger boards are searched by SAT: one call for each square determines if a solution uses it. The formula is that of
//! the board without placed pieces, which are assumptions. Every solution that is found shows that all its squares are
//! possible. BatSat is used, since it takes assumptions, stops soon after an interrupt, and is written in Rust only.
//! [`Search::solution`] is the only call of a solver. A single solution is found by a [`FindSolution`].

use std::sync::Arc;

use crate::count::direct::{Direct, RowCode};
use crate::{Board, Placement, Square};
use bezzel_count::diagram::{Builder, Diagram, DiagramKind, Ref};
use bezzel_count::{Budget, Halt};
use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::encoding::direct;
use bezzel_encode::{AtMostOne, Constraints, Encoding, Lit, Var, VarMap};
use bezzel_solve::batsat::BatSat;
use bezzel_solve::{Answer, Interrupt, Options, Session, SessionOptions, Solver};
use num_bigint::BigUint;
use serde::Serialize;

use super::{Stopped, is_hopeless, without_pieces};

/// All solutions of a board that have its placed pieces.
#[derive(Clone, Debug)]
pub struct Compiled {
    columns: u32,
    squares: u32,
    diagram: Diagram,
}

impl Compiled {
    /// Compiles the board.
    ///
    /// # Errors
    ///
    /// The budget is exceeded.
    pub fn new(board: &Board, budget: Budget<'_>) -> Result<Self, Halt> {
        let diagram = if is_hopeless(board) {
            Builder::new(DiagramKind::Zdd, Vec::new(), budget).finish(Ref::FALSE)
        } else {
            // A board too wide for machine words would exceed every limit on nodes.
            let direct = Direct::new(board).ok_or(Halt::Nodes(budget.nodes))?;
            direct.diagram(DiagramKind::Zdd, RowCode::OneHot, budget)?.0
        };
        Ok(Self { columns: board.columns(), squares: board.squares(), diagram })
    }

    /// Returns the number of solutions, and for each square of the board, row by row, the number of those that use it.
    pub fn counts(&self) -> (BigUint, Vec<BigUint>) {
        let marginals = self.diagram.marginals();
        let mut each = vec![BigUint::ZERO; self.squares as usize];
        for (var, count) in self.diagram.order().iter().zip(marginals.each) {
            each[var.idx()] = count;
        }
        (marginals.total, each)
    }

    /// Returns solution number `number`, counted from 0 in reading order; `None` if there are fewer.
    pub fn nth(&self, number: &BigUint) -> Option<Placement> {
        let model = self.diagram.counts().kth(number)?;
        // Variables are numbered row by row.
        let square = |var: Var| {
            Square::new(var.idx() as u32 / self.columns, var.idx() as u32 % self.columns)
        };
        Some(model.into_iter().map(square).collect())
    }
}

/// Finds solutions of boards that are too large for a diagram.
pub trait FindSolution: Send + Sync {
    /// Returns a solution with the placed pieces of the board, if there is one. Raising `interrupt` makes it stop.
    ///
    /// # Errors
    ///
    /// It was stopped, or found no answer that is right.
    fn solution(&self, board: &Board, interrupt: &Interrupt) -> Result<Option<Placement>, Stopped>;
}

/// Finds solutions in the process of the server.
pub struct InServer;

impl FindSolution for InServer {
    fn solution(&self, board: &Board, interrupt: &Interrupt) -> Result<Option<Placement>, Stopped> {
        Search::new(board, interrupt).solution(board.placed())
    }
}

/// A board whose solutions are found by a SAT solver.
pub struct Search {
    board: Board,
    session: Box<dyn Session>,
    map: VarMap,
    assumptions: Vec<Lit>,
    hopeless: bool,
}

impl Search {
    /// Prepares the search on the board without its placed pieces. Raising `interrupt` makes it stop.
    pub fn new(board: &Board, interrupt: &Interrupt) -> Self {
        let board = without_pieces(board);
        let session_options = SessionOptions::from(interrupt.clone());
        let mut session =
            BatSat.open(&Options::new(), &session_options).expect("no option, no proof");
        let pairwise: Arc<dyn AtMostOne> = Arc::new(Pairwise);
        let encoding = direct::Direct::new(&pairwise, Constraints::default_on(&board.problem()));
        let map = encoding.encode(&board.problem(), &mut *session);
        Self { session, map, assumptions: Vec::new(), hopeless: is_hopeless(&board), board }
    }

    /// Returns a solution with pieces on all of these squares, if there is one.
    ///
    /// # Errors
    ///
    /// The search was stopped before its answer.
    pub fn solution(&mut self, held: &[Square]) -> Result<Option<Placement>, Stopped> {
        if self.hopeless {
            return Ok(None);
        }
        self.assumptions.clear();
        let candidates = held.iter().map(|&square| self.board.candidate(square));
        self.assumptions.extend(candidates.flat_map(|candidate| self.map.cube(candidate)));
        match self.session.solve_under(&self.assumptions) {
            Answer::Sat => {
                let solution = self.map.decode(|lit| self.session.holds(lit));
                Ok(Some(Placement::of(&self.board, &solution)))
            }
            Answer::Unsat => Ok(None),
            Answer::Unknown => Err(Stopped),
        }
    }
}

/// The mark of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// A piece was placed there.
    Queen,
    /// The square is blocked.
    Blocked,
    /// A placed piece attacks it.
    Attacked,
    /// No solution uses it, though no placed piece attacks it.
    Dead,
    /// Some solution uses it.
    Free,
    /// It is unknown if a solution uses it.
    Unknown,
}

/// The marks of the squares of a board, and counts of its solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Squares {
    /// The number of solutions left, if it is known.
    pub solutions: Option<BigUint>,
    /// The mark of each square, row by row.
    pub marks: Vec<Mark>,
    /// For each square, row by row, the number of solutions left that use it, if that is known.
    pub counts: Option<Vec<BigUint>>,
    /// The pieces that are missing, if exactly one solution is left and some are.
    pub completion: Option<Vec<Square>>,
}

impl Squares {
    /// Returns the marks that follow from the rules alone.
    pub fn by_rules(board: &Board) -> Self {
        let marks = board.each_square().map(|square| mark(board, square).unwrap_or(Mark::Unknown));
        Self { solutions: None, marks: marks.collect(), counts: None, completion: None }
    }

    /// Returns the marks and counts by the diagram of all solutions, which must be that of this board.
    pub fn by_diagram(board: &Board, compiled: &Compiled) -> Self {
        let (solutions, counts) = compiled.counts();
        let known = |(square, count): (Square, &BigUint)| {
            let is_used = *count != BigUint::ZERO;
            mark(board, square).unwrap_or(if is_used { Mark::Free } else { Mark::Dead })
        };
        let marks = board.each_square().zip(&counts).map(known).collect();
        let is_last = solutions == BigUint::from(1_u32);
        let last = is_last.then(|| compiled.nth(&BigUint::ZERO)).flatten();
        let missing = |last: Placement| -> Vec<Square> {
            last.squares().filter(|square| !board.placed().contains(square)).collect()
        };
        let completion = last.map(missing).filter(|missing| !missing.is_empty());
        Self { solutions: Some(solutions), marks, counts: Some(counts), completion }
    }

    /// Returns the result of a search until it is stopped: the mark of each square, and the number of solutions if it is
    /// 0 or 1.
    pub fn by_search(board: &Board, interrupt: &Interrupt) -> Self {
        let mut found = Self::by_rules(board);
        // The marks found before a stop are kept.
        let _ = settle(board, interrupt, &mut found);
        found
    }
}

/// Searches the squares one by one.
fn settle(board: &Board, interrupt: &Interrupt, found: &mut Squares) -> Result<(), Stopped> {
    let mut search = Search::new(board, interrupt);
    let place = |square: Square| square.index(board.columns());
    let open: Vec<Square> =
        board.each_square().filter(|&square| mark(board, square).is_none()).collect();
    let Some(first) = search.solution(board.placed())? else {
        for &square in &open {
            found.marks[place(square)] = Mark::Dead;
        }
        found.solutions = Some(BigUint::ZERO);
        return Ok(());
    };
    let use_all = |found: &mut Squares, solution: &Placement| {
        for square in solution.squares() {
            let mark = &mut found.marks[place(square)];
            if *mark == Mark::Unknown {
                *mark = Mark::Free;
            }
        }
    };
    use_all(found, &first);
    let mut held = board.placed().to_vec();
    for &square in &open {
        if found.marks[place(square)] == Mark::Unknown {
            held.push(square);
            match search.solution(&held)? {
                Some(solution) => use_all(found, &solution),
                None => found.marks[place(square)] = Mark::Dead,
            }
            held.pop();
        }
    }
    let is_free = |square: &Square| found.marks[place(*square)] == Mark::Free;
    let free: Vec<Square> = open.into_iter().filter(is_free).collect();
    // Each solution uses as many open squares as pieces are missing. These are exactly the free ones, so the
    // solution is unique.
    if free.len() + board.placed().len() == board.rows() as usize {
        found.solutions = Some(BigUint::from(1_u32));
        found.completion = Some(free).filter(|free| !free.is_empty());
    }
    Ok(())
}

/// Returns a value for each square of a board, row after row.
pub fn rows<T>(board: &Board, of: impl Fn(Square) -> T) -> Vec<Vec<T>> {
    let row = |row| (0..board.columns()).map(|column| of(Square::new(row, column))).collect();
    (0..board.rows()).map(row).collect()
}

/// Returns the mark of a square if placed pieces and blocked squares determine it.
pub fn mark(board: &Board, square: Square) -> Option<Mark> {
    if board.placed().contains(&square) {
        Some(Mark::Queen)
    } else if board.blocked().contains(&square) {
        Some(Mark::Blocked)
    } else if board.placed().iter().any(|&piece| board.attacks(piece, square)) {
        Some(Mark::Attacked)
    } else {
        None
    }
}
