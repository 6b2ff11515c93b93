//! All solutions of a board, to pick one by its number, or any at random.
//!
//! They are kept as a zero-suppressed decision diagram, made [directly from the board](crate::count::direct), which on large
//! boards is smaller than a list of them. Making it takes 1.4 megabytes on the empty board of side 12, 25 on that of
//! side 14, and five times as much with each further row. The number of solutions below each of its nodes then leads to
//! any of them in a step for each square.

use std::sync::atomic::AtomicBool;

use crate::{Board, Placement};
use bezzel_encode::VarMap;
use num_bigint::BigUint;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use crate::count::direct::{Direct, DirectCost, RowCode};
use bezzel_count::budget::{Budget, Halt};
use bezzel_count::diagram::{Counts, Decoder, Diagram, DiagramKind};

/// All solutions of a board.
#[derive(Clone, Debug)]
pub struct Pool {
    board: Board,
    diagram: Diagram,
    map: VarMap,
    effort: DirectCost,
}

impl Pool {
    /// Finds all solutions of a board; `None` if it has more than 64 columns.
    ///
    /// # Errors
    ///
    /// When the budget is spent.
    pub fn new(board: &Board, budget: Budget<'_>) -> Result<Option<Self>, Halt> {
        let Some(direct) = Direct::new(board) else { return Ok(None) };
        let code = RowCode::OneHot;
        let map = code.map(board);
        let (diagram, effort) = direct.diagram(DiagramKind::Zdd, code, budget)?;
        Ok(Some(Self { board: board.clone(), diagram, map, effort }))
    }

    /// The same within `nodes` nodes and states, without a stop flag.
    ///
    /// # Errors
    ///
    /// When more would be needed.
    pub fn within(board: &Board, nodes: u64) -> Result<Option<Self>, Halt> {
        let never = AtomicBool::new(false);
        Self::new(board, Budget { nodes, ..Budget::unlimited(&never) })
    }

    /// The diagram.
    pub fn diagram(&self) -> &Diagram {
        &self.diagram
    }

    /// The cost of making it.
    pub fn effort(&self) -> DirectCost {
        self.effort
    }

    /// Prepares to pick.
    pub fn picker(&self) -> Picker<'_> {
        Picker {
            counts: self.diagram.counts(),
            board: &self.board,
            decoder: Decoder::new(&self.map),
        }
    }
}

/// Picks solutions.
#[derive(Clone, Debug)]
pub struct Picker<'a> {
    counts: Counts<'a>,
    board: &'a Board,
    decoder: Decoder<'a>,
}

impl Picker<'_> {
    /// The number of solutions.
    pub fn total(&self) -> BigUint {
        self.counts.total()
    }

    /// Solution number `k`, counted from 0 in reading order: the one whose first queen stands furthest to the left
    /// comes first. `None` if there are at most `k` solutions.
    pub fn nth(&mut self, k: &BigUint) -> Option<Placement> {
        let model = self.counts.kth(k)?;
        Some(Placement::of(self.board, &self.decoder.solution(&model)))
    }

    /// A solution at random, every one with the same chance; `None` if there is none.
    pub fn random(&mut self, random: &mut ChaCha8Rng) -> Option<Placement> {
        let model = self.counts.random(random)?;
        Some(Placement::of(self.board, &self.decoder.solution(&model)))
    }

    /// Solutions at random without end, each time every one with the same chance; none if the board has none. A seed
    /// gives the same ones on every machine.
    pub fn shuffled(mut self, seed: u64) -> impl Iterator<Item = Placement> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        std::iter::from_fn(move || self.random(&mut random))
    }
}
