//! The limits of the server.

use std::time::Duration;

use bezzel_count::{Budget, published};
use bezzel_problem::{Board, Geometry, Piece};
use bezzel_solve::Interrupt;
use serde::Serialize;

use crate::knowledge::compiled::Compiled;
use crate::question::Sides;

/// The limits of the server. A request beyond them is answered with the reason of its refusal.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The sides of boards.
    pub sides: Sides,
    /// The largest sides whose diagrams are compiled; larger boards are searched.
    pub compilable: Compilable,
    /// The longest time for a task. A task waits as long for its turn.
    pub time: Duration,
    /// The largest number of nodes and states of a board that is compiled.
    pub nodes: u64,
    /// The largest memory that compiling a board may take, in bytes.
    pub bytes: u64,
    /// The largest number of tasks at a time: for small boards, and for all other questions.
    pub tasks: usize,
    /// The largest number of connections that are open at a time.
    pub connections: usize,
    /// The longest time for the head of a request.
    pub head: Duration,
    /// The longest time in which an idle client may send nothing.
    pub silence: Duration,
    /// The longest time in which a client may read nothing of its answer.
    pub deafness: Duration,
    /// The longest time for making a page of a report.
    pub page: Duration,
    /// The time after which a client that waits for a page of a report must ask again.
    pub page_wait: Duration,
}

impl Limits {
    /// Compiles a board with its placed pieces. The error is the reason why it is searched instead, as a sentence
    /// without its full stop.
    pub(super) fn compiled(
        &self,
        board: &Board,
        interrupt: &Interrupt,
    ) -> Result<Compiled, String> {
        if !self.compilable.has(board) {
            return Err(format!(
                "N = {} is searched by SAT, square by square: its diagram would take too long, so \
                 solutions are not counted",
                board.rows()
            ));
        }
        let budget = Budget { nodes: self.nodes, bytes: self.bytes, stop: interrupt.flag() };
        Compiled::new(board, budget).map_err(|halt| {
            format!(
                "this board is searched by SAT, square by square, since its diagram does not compile \
                 within the limits of this server ({halt}): solutions are not counted"
            )
        })
    }
}

/// The largest sides of boards whose diagrams compile within seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Compilable {
    /// The side for queens on the plane.
    #[serde(rename = "plane queen")]
    pub plane_queen: u32,
    /// The side for queens on the torus. Few states are equal there; but of the large ones only side 13 has
    /// solutions at all.
    #[serde(rename = "torus queen")]
    pub torus_queen: u32,
    /// The side for rooks on the plane.
    #[serde(rename = "plane rook")]
    pub plane_rook: u32,
    /// The side for rooks on the torus, which have the same solutions as on the plane.
    #[serde(rename = "torus rook")]
    pub torus_rook: u32,
}

impl Compilable {
    /// Returns true if the diagram of the board is to be compiled.
    fn has(&self, board: &Board) -> bool {
        let max = match (board.geometry(), board.piece()) {
            (Geometry::Plane, Piece::Queen) => self.plane_queen,
            (Geometry::Torus, Piece::Queen) => self.torus_queen,
            (Geometry::Plane, Piece::Rook) => self.plane_rook,
            (Geometry::Torus, Piece::Rook) => self.torus_rook,
        };
        board.rows() <= max
    }
}

/// The limits for the browser of one user on a machine with other tasks.
impl Default for Limits {
    fn default() -> Self {
        Self {
            sides: Sides { least: 1, max: published::MAX_COUNTED_SIDE },
            compilable: Compilable {
                plane_queen: 14,
                torus_queen: 16,
                plane_rook: 16,
                torus_rook: 16,
            },
            time: Duration::from_secs(10),
            nodes: 8_000_000,
            bytes: 256 << 20,
            tasks: 4,
            connections: 512,
            head: Duration::from_secs(4),
            silence: Duration::from_secs(30),
            deafness: Duration::from_secs(4),
            page: Duration::from_mins(10),
            page_wait: Duration::from_secs(15),
        }
    }
}
