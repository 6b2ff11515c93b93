//! Tasks that use the processor: a few at a time, each with a time limit, and none for a client that has
//! disconnected.

use std::sync::Arc;
use std::time::Duration;

use bezzel_solve::Interrupt;
use tokio::sync::Semaphore;
use tokio::task;
use tokio::time::timeout;

use super::refusal::Refusal;

/// The permits of tasks.
pub(super) struct Tasks {
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

impl Tasks {
    /// Runs `permits` tasks at a time, each for at most `limit`. A task waits as long for its turn.
    pub(super) fn new(permits: usize, limit: Duration) -> Self {
        Self { permits: Arc::new(Semaphore::new(permits)), limit }
    }

    /// Runs `work` on a separate thread. Its interrupt is raised when its time is up, or when no request waits for
    /// it any more; its result until then is its answer.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Interrupt) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let permit = timeout(self.limit, Arc::clone(&self.permits).acquire_owned()).await;
        let Ok(Ok(permit)) = permit else {
            return Err(Refusal::later("all places for tasks are taken; ask again"));
        };
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

    fn until_raised(interrupt: &Interrupt) {
        while !interrupt.is_raised() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn work_ends_when_no_client_waits_for_it_any_more() {
        let (sender, receiver) = mpsc::channel();
        runtime().block_on(async {
            let tasks = Tasks::new(1, Duration::from_mins(1));
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
            let tasks = Tasks::new(1, Duration::from_millis(20));
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
            let tasks = Tasks::new(1, Duration::from_mins(1));
            let wrong = tasks.run(|_| -> u32 { panic!("on purpose") });
            assert!(wrong.await.is_err());
            assert_eq!(tasks.run(|_| 7).await.unwrap(), 7);
        });
    }
}
