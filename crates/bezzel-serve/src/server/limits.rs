//! The limits of the server, and compilations within them: a few at a time, each with a time limit, and none for a
//! client that has disconnected.

use std::sync::Arc;
use std::time::Duration;

use bezzel_queens::published;
use bezzel_queens::{Board, Geometry, Piece};
use bezzel_solve::Interrupt;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task;
use tokio::time::timeout;

use super::answers::Refusal;
use crate::question::Sides;

/// The limits of the server. A request beyond them is answered with the reason of its refusal.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The sides of boards.
    pub sides: Sides,
    /// The largest sides whose diagrams are compiled; larger boards are searched.
    pub compilable: Compilable,
    /// The longest time for a compilation. It waits as long for its turn.
    pub time: Duration,
    /// The largest number of nodes and states of a board that is compiled.
    pub nodes: u64,
    /// The largest memory that compiling a board may take, in bytes.
    pub bytes: u64,
    /// The largest number of compilations at a time. Questions about small boards are not counted.
    pub compilations: usize,
    /// The largest number of connections that are open at a time.
    pub connections: usize,
    /// The longest time for the head of a request, from the end of the answer before it.
    pub head: Duration,
    /// The longest time in which a client may read nothing of its answer.
    pub deafness: Duration,
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
    pub(super) fn has(&self, board: &Board) -> bool {
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
            compilations: 4,
            connections: 512,
            head: Duration::from_secs(4),
            deafness: Duration::from_secs(4),
        }
    }
}

/// The largest side of small boards. They are answered in milliseconds and never wait for others.
const SMALL_SIDE: u32 = 8;

/// Compilations of formulas and diagrams, a limited number at a time.
pub(super) struct Compilations {
    permits: Arc<Semaphore>,
    limit: Duration,
}

/// Raises the interrupt when no request waits any more: a waiting request is dropped with its connection, and all
/// are with the server.
struct InterruptOnDrop(Interrupt);

impl Drop for InterruptOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}

impl Compilations {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { permits: Arc::new(Semaphore::new(limits.compilations)), limit: limits.time }
    }

    /// Runs the work for a question about a board as [`Self::run`] does; for a small board at once.
    pub(super) async fn run_on<T: Send + 'static>(
        &self,
        board: &Board,
        work: impl FnOnce(&Interrupt) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        if board.rows() <= SMALL_SIDE { self.begun(None, work).await } else { self.run(work).await }
    }

    /// Runs `work` on a separate thread. Its interrupt is raised when its time is up, or when no request waits for
    /// it any more; its result until then is its answer.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Interrupt) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = timeout(self.limit, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(Refusal::later(
                "as many questions as possible are being answered; ask again",
            ));
        };
        self.begun(Some(permit), work).await
    }

    async fn begun<T: Send + 'static>(
        &self,
        permit: Option<OwnedSemaphorePermit>,
        work: impl FnOnce(&Interrupt) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let interrupt = Interrupt::default();
        let waiting = InterruptOnDrop(interrupt.clone());
        let mut working = task::spawn_blocking(move || {
            // The permit is released at the end of the work, not at the end of its request.
            let _permit = permit;
            work(&interrupt)
        });
        let done = if let Ok(done) = timeout(self.limit, &mut working).await {
            done
        } else {
            drop(waiting);
            working.await
        };
        done.map_err(|_| Refusal::fault())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use tokio::runtime::{Builder, Runtime};

    use super::*;

    fn runtime() -> Runtime {
        Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
    }

    fn one_at_a_time(time: Duration) -> Compilations {
        Compilations::new(&Limits { compilations: 1, time, ..Limits::default() })
    }

    fn until_raised(interrupt: &Interrupt) {
        while !interrupt.is_raised() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn work_ends_when_no_client_waits_for_it_any_more() {
        let (sender, receiver) = mpsc::channel();
        runtime().block_on(async {
            let tasks = one_at_a_time(Duration::from_mins(1));
            let work = tasks.run(move |interrupt| {
                until_raised(interrupt);
                sender.send(()).unwrap();
            });
            // The future is dropped then, as with its connection.
            assert!(timeout(Duration::from_millis(50), work).await.is_err());
            receiver.recv_timeout(Duration::from_mins(2)).unwrap();
            // And its permit is free.
            assert_eq!(tasks.run(|_| 7).await.unwrap(), 7);
        });
    }

    #[test]
    fn work_that_is_late_answers_what_it_came_to() {
        runtime().block_on(async {
            let tasks = one_at_a_time(Duration::from_millis(20));
            let come_to = tasks.run(|interrupt| {
                until_raised(interrupt);
                "so far"
            });
            assert_eq!(come_to.await.unwrap(), "so far");
        });
    }

    #[test]
    fn a_mistake_is_an_answer_too() {
        runtime().block_on(async {
            let tasks = one_at_a_time(Duration::from_mins(1));
            let wrong = tasks.run(|_| -> u32 { panic!("on purpose") });
            assert!(wrong.await.is_err());
            assert_eq!(tasks.run(|_| 7).await.unwrap(), 7);
        });
    }
}
