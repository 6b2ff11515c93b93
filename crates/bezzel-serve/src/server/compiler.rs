//! Compilation of boards: each board once, a few at a time, within a budget, and only as long as requests ask for it.
//!
//! The first question about a board starts its compilation. If it does not end within a short time, the answer
//! contains the progress, and the page asks again. A compilation therefore does not belong to a request: it
//! continues between two requests, serves all requests for the board, and is stopped after a time without requests.

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
use super::tasks::TOO_MANY_REQUESTS;
use crate::knowledge::compiled::Compiled;
use crate::knowledge::without_pieces;

/// The period of the checks of a compilation.
const CHECK_PERIOD: Duration = Duration::from_millis(100);
/// The time for which a failed compilation is remembered: the machine may be less busy afterwards.
const REFUSAL_TTL: Duration = Duration::from_mins(1);
/// The largest number of failed compilations that are remembered.
const MAX_REFUSALS: usize = 64;

/// The largest side of small boards.
const SMALL_SIDE: u32 = 8;
/// The largest number of small boards that are compiled at a time.
pub(super) const SMALL_COMPILATIONS: usize = 1;
/// The divisor of the cache memory that gives the part for small boards.
const SMALL_SHARE: u64 = 8;

/// A compiled board, and the time that it took.
#[derive(Debug)]
pub(super) struct CompiledBoard {
    pub(super) compiled: Compiled,
    pub(super) seconds: f64,
}

/// The state of a board.
pub(super) enum BoardState {
    /// The board is compiled.
    Compiled(Arc<CompiledBoard>),
    /// The board is being compiled.
    Compiling {
        /// The time since the start, in seconds.
        seconds: f64,
        /// The number of nodes and states so far.
        nodes: u64,
    },
    /// The board does not compile within the limits, for this reason.
    Refused(String),
}

/// The compiler of boards.
#[derive(Debug)]
pub(super) struct Compiler {
    limits: Limits,
    permits: Arc<Semaphore>,
    /// Permits for small boards, which compile in milliseconds and never wait for the others.
    small_permits: Arc<Semaphore>,
    /// A permit for each request that waits for the compilation of a board that is not small.
    waiting: Semaphore,
    state: Mutex<CompilerState>,
}

#[derive(Debug)]
struct CompilerState {
    large: Cache<Board, Arc<CompiledBoard>>,
    /// Small boards, which other boards do not evict.
    small: Cache<Board, Arc<CompiledBoard>>,
    refused: VecDeque<(Board, String, Instant)>,
    running: Vec<Arc<Job>>,
}

impl CompilerState {
    /// Returns the cache for a compiled board.
    fn cache(&mut self, board: &Board) -> &mut Cache<Board, Arc<CompiledBoard>> {
        if is_small(board) { &mut self.small } else { &mut self.large }
    }
}

/// Returns true if a board compiles in milliseconds.
fn is_small(board: &Board) -> bool {
    board.rows() <= SMALL_SIDE
}

/// A running compilation.
#[derive(Debug)]
struct Job {
    board: Board,
    began: Instant,
    nodes: AtomicU64,
    stop: Interrupt,
    last_request: Mutex<Instant>,
    /// The result, at the end.
    outcome: watch::Sender<Option<Outcome>>,
}

/// The result of a compilation.
#[derive(Clone, Debug)]
enum Outcome {
    Compiled(Arc<CompiledBoard>),
    Refused(String),
    /// No request waited for it any more.
    Dropped,
}

/// Locks a mutex. A panic of another thread that holds it leaves its value consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Compiler {
    pub(super) fn new(limits: &Limits) -> Self {
        let state = CompilerState {
            large: Cache::new(limits.cache_bytes - limits.cache_bytes / SMALL_SHARE),
            small: Cache::new(limits.cache_bytes / SMALL_SHARE),
            refused: VecDeque::new(),
            running: Vec::new(),
        };
        let permits = Arc::new(Semaphore::new(limits.compilations));
        let small_permits = Arc::new(Semaphore::new(SMALL_COMPILATIONS));
        let waiting = Semaphore::new(limits.requests);
        let (limits, state) = (limits.clone(), Mutex::new(state));
        Self { limits, permits, small_permits, waiting, state }
    }

    /// Returns the state of the board, without its placed pieces, after at most `time_limit`.
    pub(super) async fn board_state(
        self: &Arc<Self>,
        board: &Board,
        time_limit: Duration,
    ) -> Result<BoardState, Refusal> {
        let board = without_pieces(board);
        let begun = Instant::now();
        let mut waiting_permit = None;
        loop {
            let left = time_limit.saturating_sub(begun.elapsed());
            let known = self.known_state(&board);
            if known.is_err() && waiting_permit.is_none() && !is_small(&board) {
                let waiting = self.waiting.try_acquire();
                waiting_permit = Some(waiting.map_err(|_| Refusal::later(TOO_MANY_REQUESTS))?);
            }
            let job = match known {
                Ok(state) => return Ok(state),
                Err(Some(job)) => job,
                Err(None) => match self.permit(&board, left.min(CHECK_PERIOD)).await {
                    Some(permit) => self.start(&board, permit),
                    // Another request may have started the same board meanwhile.
                    None if !left.is_zero() => continue,
                    None => {
                        return Err(Refusal::later(
                            "as many boards are being compiled as can be at a time; ask again",
                        ));
                    }
                },
            };
            // Updated repeatedly, to show that a request still waits.
            *lock(&job.last_request) = Instant::now();
            let mut seen = job.outcome.subscribe();
            let left = time_limit.saturating_sub(begun.elapsed());
            let seen = timeout(left.min(CHECK_PERIOD), seen.wait_for(Option::is_some)).await;
            match seen.ok().and_then(Result::ok).and_then(|seen| seen.clone()) {
                Some(Outcome::Compiled(compiled_board)) => {
                    return Ok(BoardState::Compiled(compiled_board));
                }
                Some(Outcome::Refused(why)) => return Ok(BoardState::Refused(why)),
                Some(Outcome::Dropped) => {}
                None if begun.elapsed() < time_limit => {}
                None => {
                    let seconds = job.began.elapsed().as_secs_f64();
                    let nodes = job.nodes.load(Ordering::Relaxed);
                    return Ok(BoardState::Compiling { seconds, nodes });
                }
            }
        }
    }

    /// Returns the state of the board if it is known; otherwise the job that compiles it now, if there is one.
    fn known_state(&self, board: &Board) -> Result<BoardState, Option<Arc<Job>>> {
        let mut state = lock(&self.state);
        let cache = state.cache(board);
        if let Some(compiled_board) = cache.get(board) {
            return Ok(BoardState::Compiled(compiled_board));
        }
        state.refused.retain(|(.., when)| when.elapsed() < REFUSAL_TTL);
        if let Some((_, why, _)) = state.refused.iter().find(|(refused, ..)| refused == board) {
            return Ok(BoardState::Refused(why.clone()));
        }
        Err(state.running.iter().find(|job| job.board == *board).map(Arc::clone))
    }

    /// Returns a permit for a compilation, if there is one within `time_limit`.
    async fn permit(&self, board: &Board, time_limit: Duration) -> Option<OwnedSemaphorePermit> {
        let is_small = is_small(board);
        let free = Arc::clone(if is_small { &self.small_permits } else { &self.permits });
        if let Ok(permit) = Arc::clone(&free).try_acquire_owned() {
            return Some(permit);
        }
        if !is_small {
            self.stop_idle();
        }
        timeout(time_limit, free.acquire_owned()).await.ok()?.ok()
    }

    /// Stops the compilation with the oldest last request, if that is old enough: another board waits for its
    /// permit.
    fn stop_idle(&self) {
        let state = lock(&self.state);
        let idle = |job: &Arc<Job>| lock(&job.last_request).elapsed();
        let large = state.running.iter().filter(|job| !is_small(&job.board));
        let longest = large.max_by_key(|job| idle(job));
        if let Some(job) = longest.filter(|job| idle(job) > self.limits.crowded_interest) {
            job.stop.raise();
        }
    }

    /// Starts to compile the board, unless another request has started it meanwhile.
    fn start(self: &Arc<Self>, board: &Board, permit: OwnedSemaphorePermit) -> Arc<Job> {
        let mut state = lock(&self.state);
        if let Some(job) = state.running.iter().find(|job| job.board == *board) {
            return Arc::clone(job);
        }
        let now = Instant::now();
        let job = Arc::new(Job {
            board: board.clone(),
            began: now,
            nodes: AtomicU64::new(0),
            stop: Interrupt::default(),
            last_request: Mutex::new(now),
            outcome: watch::Sender::new(None),
        });
        state.running.push(Arc::clone(&job));
        task::spawn(Arc::clone(self).supervise(Arc::clone(&job), permit));
        job
    }

    /// Runs the compilation, stops it when its time is up or no request asks for it any more, and keeps its result.
    async fn supervise(self: Arc<Self>, job: Arc<Job>, permit: OwnedSemaphorePermit) {
        let (nodes, bytes) = (self.limits.nodes, self.limits.bytes);
        let thread_job = Arc::clone(&job);
        let mut compiling = task::spawn_blocking(move || {
            let _permit = permit;
            let began = Instant::now();
            let budget = Budget { nodes, bytes, stop: thread_job.stop.flag() };
            let compiled = Compiled::new(&thread_job.board, budget, &thread_job.nodes)?;
            Ok::<_, Halt>(CompiledBoard { compiled, seconds: began.elapsed().as_secs_f64() })
        });
        let mut is_late = false;
        let done = loop {
            if let Ok(done) = timeout(CHECK_PERIOD, &mut compiling).await {
                break done;
            }
            is_late = job.began.elapsed() > self.limits.time;
            let idle = lock(&job.last_request).elapsed();
            if is_late || idle > self.limits.interest {
                job.stop.raise();
            }
        };
        let outcome = match done {
            Ok(Ok(compiled_board)) => Outcome::Compiled(Arc::new(compiled_board)),
            Ok(Err(Halt::Stopped)) if !is_late => Outcome::Dropped,
            Ok(Err(Halt::Stopped)) => {
                Outcome::Refused(format!("it takes more than {} s", self.limits.time.as_secs_f64()))
            }
            Ok(Err(halt)) => Outcome::Refused(halt.to_string()),
            Err(_) => Outcome::Refused("compiling it went wrong".to_owned()),
        };
        self.store(&job, &outcome);
        job.outcome.send_replace(Some(outcome));
    }

    /// Keeps the result of a compilation that has ended.
    fn store(&self, job: &Arc<Job>, outcome: &Outcome) {
        let mut state = lock(&self.state);
        state.running.retain(|running| !Arc::ptr_eq(running, job));
        match outcome {
            Outcome::Compiled(compiled_board) => {
                let cache = state.cache(&job.board);
                cache.put(
                    job.board.clone(),
                    Arc::clone(compiled_board),
                    compiled_board.compiled.bytes(),
                );
            }
            Outcome::Refused(why) => {
                if state.refused.len() == MAX_REFUSALS {
                    state.refused.pop_front();
                }
                state.refused.push_back((job.board.clone(), why.clone(), Instant::now()));
            }
            Outcome::Dropped => {}
        }
    }

    /// Stops all running compilations.
    pub(super) fn stop_all(&self) {
        for job in &lock(&self.state).running {
            job.stop.raise();
        }
    }
}
