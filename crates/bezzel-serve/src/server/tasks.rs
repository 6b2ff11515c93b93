//! Tasks that use the processor: a few at a time, each with a time limit, and none for a client that has
//! disconnected.

use std::sync::Arc;
use std::time::Duration;

use bezzel_solve::Interrupt;
use tokio::sync::Semaphore;
use tokio::task;
use tokio::time::timeout;

use super::refusal::Refusal;

/// The longest time that a task waits for its turn.
const QUEUE_TIMEOUT: Duration = Duration::from_secs(1);
/// The reason of the refusal of a request beyond the limit of waiting requests.
pub(super) const TOO_MANY_REQUESTS: &str = "too many requests at a time; ask again";
/// The longest wait for the end of interrupted work. Work checks its flag every few milliseconds.
const GRACE: Duration = Duration::from_secs(2);

/// The permits of tasks, and of requests that wait for one.
#[derive(Debug)]
pub(super) struct Tasks {
    permits: Arc<Semaphore>,
    /// A permit for each request that waits for a task or runs one.
    waiting: Semaphore,
    limit: Duration,
}

/// Raises the interrupt when no request waits any more: a waiting request is dropped with its connection.
struct InterruptOnDrop(Interrupt);

impl Drop for InterruptOnDrop {
    fn drop(&mut self) {
        self.0.raise();
    }
}

impl Tasks {
    /// Runs `places` tasks at a time, each for at most `limit`, for `requests` requests at a time.
    pub(super) fn new(permits: usize, limit: Duration, requests: usize) -> Self {
        let waiting = Semaphore::new(requests);
        Self { permits: Arc::new(Semaphore::new(permits)), waiting, limit }
    }

    /// Runs `work` on a separate thread. Its interrupt is raised when its time is up, or when no request waits for
    /// it any more; its result until then is its answer.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Interrupt) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let Ok(_waiting) = self.waiting.try_acquire() else {
            return Err(Refusal::later(TOO_MANY_REQUESTS));
        };
        let permit = timeout(QUEUE_TIMEOUT, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(Refusal::later("all places for tasks are taken; ask again"));
        };
        let interrupt = Interrupt::default();
        let interrupt_on_drop = InterruptOnDrop(interrupt.clone());
        let mut working = task::spawn_blocking(move || {
            // The permit is released at the end of the work, not at the end of its request.
            let _permit = permit;
            work(&interrupt)
        });
        let done = if let Ok(done) = timeout(self.limit, &mut working).await {
            done
        } else {
            drop(interrupt_on_drop);
            let late = timeout(GRACE, working).await;
            late.map_err(|_| Refusal::later("it took too long and was given up"))?
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

    fn until_raised(interrupt: &Interrupt) {
        while !interrupt.is_raised() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn work_ends_when_no_client_waits_for_it_any_more() {
        let (sender, receiver) = mpsc::channel();
        runtime().block_on(async {
            let tasks = Tasks::new(1, Duration::from_mins(1), 8);
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
            let tasks = Tasks::new(1, Duration::from_millis(20), 8);
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
            let tasks = Tasks::new(1, Duration::from_mins(1), 8);
            let wrong = tasks.run(|_| -> u32 { panic!("on purpose") });
            assert!(wrong.await.is_err());
            assert_eq!(tasks.run(|_| 7).await.unwrap(), 7);
        });
    }
}
