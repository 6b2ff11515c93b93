//! Larger boards, by SAT: one call for each square determines if a solution uses it.
//!
//! The formula is that of the board without placed pieces, which are assumptions; every solution that is found
//! shows that all its squares are possible. BatSat is used, since it takes assumptions, stops soon after an
//! interrupt, and is written in Rust only.

use std::sync::Arc;

use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::encoding::direct::Direct;
use bezzel_encode::{AtMostOne, Constraints, Encoding, Lit, VarMap};
use bezzel_problem::{Board, Placement, Square};
use bezzel_solve::batsat::BatSat;
use bezzel_solve::{Answer, Interrupt, Options, Session, SessionOptions, Solver};
use num_bigint::BigUint;

use super::squares::{Mark, Squares, mark};
use super::{Stopped, is_hopeless, without_pieces};

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
        let encoding = Direct::new(&pairwise, Constraints::default_on(&board));
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

/// Returns the result of a search on the squares of a board until it is stopped: the mark of each, and the number
/// of solutions if it is 0 or 1.
pub fn squares(board: &Board, interrupt: &Interrupt) -> Squares {
    let mut found = Squares::by_rules(board);
    // The marks found before a stop are kept.
    let _ = settle(board, interrupt, &mut found);
    found
}

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
