//! Compiling boards: each once, a few at a time, within a budget, and only as long as somebody asks.
//!
//! A board that is asked about begins to compile, and whoever asks is told how far it is if it does
//! not end in a moment; the page then asks again. So a compilation does not belong to a request: it
//! goes on between two, is the same for all who ask, and is stopped when nobody did for a while.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bezzel_count::{Budget, Halt};
use bezzel_problem::Board;
use bezzel_solve::Interrupt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task;
use tokio::time::{Instant, timeout};

use super::cache::Cache;
use super::limits::Limits;
use super::refusal::Refusal;
use super::tasks::CROWDED;
use crate::knowledge::compiled::Compiled;
use crate::knowledge::without_pieces;

/// How often somebody looks after a compilation.
const LOOK: Duration = Duration::from_millis(100);
/// For so long it is remembered that a board does not compile: the machine may be less busy then.
const REMEMBERED: Duration = Duration::from_mins(1);
/// So many boards that do not compile are remembered.
const MOST_REMEMBERED: usize = 64;

/// The largest side of small boards.
const SMALL_SIDE: u32 = 8;
/// So many small boards are compiled at a time.
pub(super) const SMALL_COMPILATIONS: usize = 1;
/// Small boards have this part of the memory for compiled boards.
const SMALL_SHARE: u64 = 8;

/// A compiled board, and how long it took.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) compiled: Compiled,
    pub(super) seconds: f64,
}

/// What became of a board so far.
pub(super) enum State {
    /// It is compiled.
    Made(Arc<Made>),
    /// It is being compiled.
    Making {
        /// For so long.
        seconds: f64,
        /// So many nodes and states are kept.
        nodes: u64,
    },
    /// It does not compile within the limits, for this reason.
    Refused(String),
}

/// What compiles boards.
#[derive(Debug)]
pub(super) struct Compiler {
    limits: Limits,
    places: Arc<Semaphore>,
    /// Places for small boards, which compile in milliseconds and never wait for the others.
    small_places: Arc<Semaphore>,
    /// A place for each request that waits for the compilation of a board that is not small.
    waiting: Semaphore,
    shelf: Mutex<Shelf>,
}

#[derive(Debug)]
struct Shelf {
    made: Cache<Board, Arc<Made>>,
    /// Small boards, which no others drive out.
    small: Cache<Board, Arc<Made>>,
    refused: VecDeque<(Board, String, Instant)>,
    running: Vec<Arc<Job>>,
}

impl Shelf {
    /// Where a board is kept that is compiled.
    fn cache(&mut self, board: &Board) -> &mut Cache<Board, Arc<Made>> {
        if is_small(board) { &mut self.small } else { &mut self.made }
    }
}

/// Whether a board compiles in milliseconds.
fn is_small(board: &Board) -> bool {
    board.rows() <= SMALL_SIDE
}

/// A compilation that goes on.
#[derive(Debug)]
struct Job {
    board: Board,
    began: Instant,
    nodes: AtomicU64,
    stop: Interrupt,
    asked: Mutex<Instant>,
    /// What came of it, at the end.
    outcome: watch::Sender<Option<Outcome>>,
}

/// What came of a compilation.
#[derive(Clone, Debug)]
enum Outcome {
    Made(Arc<Made>),
    Refused(String),
    /// Nobody wanted it any more.
    Dropped,
}

/// Whoever panics while holding a lock of ours leaves nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Compiler {
    pub(super) fn new(limits: &Limits) -> Self {
        let shelf = Shelf {
            made: Cache::new(limits.cache_bytes - limits.cache_bytes / SMALL_SHARE),
            small: Cache::new(limits.cache_bytes / SMALL_SHARE),
            refused: VecDeque::new(),
            running: Vec::new(),
        };
        let places = Arc::new(Semaphore::new(limits.compilations));
        let small_places = Arc::new(Semaphore::new(SMALL_COMPILATIONS));
        let waiting = Semaphore::new(limits.requests);
        let (limits, shelf) = (limits.clone(), Mutex::new(shelf));
        Self { limits, places, small_places, waiting, shelf }
    }

    /// What becomes of the board, without what is placed on it, within this time.
    pub(super) async fn ask(
        self: &Arc<Self>,
        board: &Board,
        patience: Duration,
    ) -> Result<State, Refusal> {
        let board = without_pieces(board);
        let begun = Instant::now();
        let mut waits = None;
        loop {
            let left = patience.saturating_sub(begun.elapsed());
            let looked = self.look(&board);
            if looked.is_err() && waits.is_none() && !is_small(&board) {
                let waiting = self.waiting.try_acquire();
                waits = Some(waiting.map_err(|_| Refusal::later(CROWDED))?);
            }
            let job = match looked {
                Ok(state) => return Ok(state),
                Err(Some(job)) => job,
                Err(None) => match self.place(&board, left.min(LOOK)).await {
                    Some(place) => self.begin(&board, place),
                    // Somebody else may have begun with the same board meanwhile.
                    None if !left.is_zero() => continue,
                    None => {
                        return Err(Refusal::later(
                            "as many boards are being compiled as can be at a time; ask again",
                        ));
                    }
                },
            };
            // Said again and again, so that it is known that somebody still waits.
            *lock(&job.asked) = Instant::now();
            let mut seen = job.outcome.subscribe();
            let left = patience.saturating_sub(begun.elapsed());
            let seen = timeout(left.min(LOOK), seen.wait_for(Option::is_some)).await;
            match seen.ok().and_then(Result::ok).and_then(|seen| seen.clone()) {
                Some(Outcome::Made(made)) => return Ok(State::Made(made)),
                Some(Outcome::Refused(why)) => return Ok(State::Refused(why)),
                Some(Outcome::Dropped) => {}
                None if begun.elapsed() < patience => {}
                None => {
                    let seconds = job.began.elapsed().as_secs_f64();
                    let nodes = job.nodes.load(Ordering::Relaxed);
                    return Ok(State::Making { seconds, nodes });
                }
            }
        }
    }

    /// What is known of the board, or who compiles it now, if anybody does.
    fn look(&self, board: &Board) -> Result<State, Option<Arc<Job>>> {
        let mut shelf = lock(&self.shelf);
        let cache = shelf.cache(board);
        if let Some(made) = cache.get(board) {
            return Ok(State::Made(made));
        }
        shelf.refused.retain(|(.., when)| when.elapsed() < REMEMBERED);
        if let Some((_, why, _)) = shelf.refused.iter().find(|(refused, ..)| refused == board) {
            return Ok(State::Refused(why.clone()));
        }
        Err(shelf.running.iter().find(|job| job.board == *board).map(Arc::clone))
    }

    /// A place for a compilation, if there is one within this time.
    async fn place(&self, board: &Board, patience: Duration) -> Option<OwnedSemaphorePermit> {
        let is_small = is_small(board);
        let free = Arc::clone(if is_small { &self.small_places } else { &self.places });
        if let Ok(place) = Arc::clone(&free).try_acquire_owned() {
            return Some(place);
        }
        if !is_small {
            self.make_room();
        }
        timeout(patience, free.acquire_owned()).await.ok()?.ok()
    }

    /// Stops the compilation that was asked about longest ago, if nobody seems to ask any more: others
    /// wait for its place.
    fn make_room(&self) {
        let shelf = lock(&self.shelf);
        let idle = |job: &Arc<Job>| lock(&job.asked).elapsed();
        let large = shelf.running.iter().filter(|job| !is_small(&job.board));
        let longest = large.max_by_key(|job| idle(job));
        if let Some(job) = longest.filter(|job| idle(job) > self.limits.crowded_interest) {
            job.stop.raise();
        }
    }

    /// Begins to compile the board, unless somebody else has meanwhile.
    fn begin(self: &Arc<Self>, board: &Board, place: OwnedSemaphorePermit) -> Arc<Job> {
        let mut shelf = lock(&self.shelf);
        if let Some(job) = shelf.running.iter().find(|job| job.board == *board) {
            return Arc::clone(job);
        }
        let now = Instant::now();
        let job = Arc::new(Job {
            board: board.clone(),
            began: now,
            nodes: AtomicU64::new(0),
            stop: Interrupt::default(),
            asked: Mutex::new(now),
            outcome: watch::Sender::new(None),
        });
        shelf.running.push(Arc::clone(&job));
        task::spawn(Arc::clone(self).look_after(Arc::clone(&job), place));
        job
    }

    /// Has the board compiled, stops it when its time is up or nobody asks any more, and remembers what
    /// became of it.
    async fn look_after(self: Arc<Self>, job: Arc<Job>, place: OwnedSemaphorePermit) {
        let (nodes, bytes) = (self.limits.nodes, self.limits.bytes);
        let its = Arc::clone(&job);
        let mut compiling = task::spawn_blocking(move || {
            let _place = place;
            let began = Instant::now();
            let budget = Budget { nodes, bytes, stop: its.stop.flag() };
            let compiled = Compiled::new(&its.board, budget, &its.nodes)?;
            Ok::<_, Halt>(Made { compiled, seconds: began.elapsed().as_secs_f64() })
        });
        let mut is_late = false;
        let done = loop {
            if let Ok(done) = timeout(LOOK, &mut compiling).await {
                break done;
            }
            is_late = job.began.elapsed() > self.limits.time;
            let idle = lock(&job.asked).elapsed();
            if is_late || idle > self.limits.interest {
                job.stop.raise();
            }
        };
        let outcome = match done {
            Ok(Ok(made)) => Outcome::Made(Arc::new(made)),
            Ok(Err(Halt::Stopped)) if !is_late => Outcome::Dropped,
            Ok(Err(Halt::Stopped)) => {
                Outcome::Refused(format!("it takes more than {} s", self.limits.time.as_secs_f64()))
            }
            Ok(Err(halt)) => Outcome::Refused(halt.to_string()),
            Err(_) => Outcome::Refused("compiling it went wrong".to_owned()),
        };
        self.keep(&job, &outcome);
        job.outcome.send_replace(Some(outcome));
    }

    /// Remembers what came of a compilation that has ended.
    fn keep(&self, job: &Arc<Job>, outcome: &Outcome) {
        let mut shelf = lock(&self.shelf);
        shelf.running.retain(|running| !Arc::ptr_eq(running, job));
        match outcome {
            Outcome::Made(made) => {
                let cache = shelf.cache(&job.board);
                cache.put(job.board.clone(), Arc::clone(made), made.compiled.bytes());
            }
            Outcome::Refused(why) => {
                if shelf.refused.len() == MOST_REMEMBERED {
                    shelf.refused.pop_front();
                }
                shelf.refused.push_back((job.board.clone(), why.clone(), Instant::now()));
            }
            Outcome::Dropped => {}
        }
    }

    /// Stops all that is being compiled.
    pub(super) fn give_up(&self) {
        for job in &lock(&self.shelf).running {
            job.stop.raise();
        }
    }
}
