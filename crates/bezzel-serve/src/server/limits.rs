//! The limits of the server.

use std::time::Duration;

use bezzel_count::published;
use bezzel_problem::{Board, Geometry, Piece};
use serde::Serialize;

use crate::question::Sides;

/// The limits of the server. A request beyond them is answered with the reason of its refusal.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The sides of boards.
    pub sides: Sides,
    /// The largest sides whose diagrams are compiled; larger boards are searched.
    pub compilable: Compilable,
    /// The longest time for compiling a board, and for any other task.
    pub time: Duration,
    /// The largest number of nodes and states of a board that is compiled.
    pub nodes: u64,
    /// The largest memory that compiling a board may take, in bytes.
    pub bytes: u64,
    /// The largest memory of all compiled boards together, in bytes.
    pub cache_bytes: u64,
    /// The largest number of boards that are compiled at a time; small ones do not count.
    pub compilations: usize,
    /// The largest number of other tasks at a time. Answers that are read from a compiled board do not count.
    pub tasks: usize,
    /// The time for which a compilation continues after the last request for it.
    pub interest: Duration,
    /// The same time while another board waits for its permit.
    pub crowded_interest: Duration,
    /// The largest number of requests that wait at a time for the compilation of a board, and the largest number
    /// that wait for other tasks. Answers that are read from a compiled board have a limit of their own.
    pub requests: usize,
    /// The largest number of connections that are open at a time.
    pub connections: usize,
    /// The longest address of a request, in bytes.
    pub address_bytes: usize,
    /// The longest time from the opening of a connection to the end of a request's head.
    pub head: Duration,
    /// The longest time in which an idle client may send nothing.
    pub silence: Duration,
    /// The longest time in which a client may read nothing of its answer.
    pub deafness: Duration,
    /// The longest time that a connection is open.
    pub connection: Duration,
    /// The largest number of pages of reports that are made, or wait for it, at the same time.
    pub pages: usize,
    /// The longest time for making a page of a report.
    pub page: Duration,
    /// The largest file of a report that is sent, in bytes.
    pub file_bytes: u64,
    /// The largest memory of all long answers together while they are sent, in bytes.
    pub sending_bytes: u32,
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
    /// Returns true if the diagram of the board, without its placed pieces, is to be compiled.
    pub(crate) fn has(&self, board: &Board) -> bool {
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
            time: Duration::from_secs(5),
            nodes: 8_000_000,
            bytes: 256 << 20,
            cache_bytes: 128 << 20,
            compilations: 2,
            tasks: 4,
            interest: Duration::from_secs(3),
            crowded_interest: Duration::from_secs(1),
            requests: 64,
            connections: 512,
            address_bytes: 8 << 10,
            head: Duration::from_secs(4),
            silence: Duration::from_secs(30),
            deafness: Duration::from_secs(4),
            connection: Duration::from_mins(10),
            pages: 16,
            page: Duration::from_mins(10),
            file_bytes: 64 << 20,
            sending_bytes: 64 << 20,
        }
    }
}
