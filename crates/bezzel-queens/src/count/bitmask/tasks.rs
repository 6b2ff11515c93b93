//! Threads that share tasks.

use std::num::NonZeroUsize;
use std::ops::Add;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use bezzel_count::budget::Halt;

/// Numbers of tasks, each of which is taken once.
pub(super) struct Tasks {
    next: AtomicUsize,
    end: usize,
}

impl Tasks {
    /// The next task that no thread has.
    pub(super) fn take(&self) -> Option<usize> {
        let task = self.next.fetch_add(1, Ordering::Relaxed);
        (task < self.end).then_some(task)
    }
}

/// The sum of the results of the threads. Each takes tasks until none is left. The result of a task must not depend on
/// the thread.
///
/// # Errors
///
/// When one of the threads halted.
pub(super) fn share<T: Add<Output = T> + Send>(
    threads: NonZeroUsize,
    tasks: usize,
    work: impl Fn(&Tasks) -> Result<T, Halt> + Sync,
) -> Result<T, Halt> {
    let tasks = Tasks { next: AtomicUsize::new(0), end: tasks };
    let (tasks, work) = (&tasks, &work);
    thread::scope(|scope| {
        let others = (1..threads.get().min(tasks.end)).map_while(|_| {
            // If the system gives no more threads, the existing ones do the work.
            thread::Builder::new().spawn_scoped(scope, move || work(tasks)).ok()
        });
        let others: Vec<_> = others.collect();
        let mut sum = work(tasks);
        for other in others {
            let brought = other.join().unwrap_or_else(|panic| resume_unwind(panic));
            sum = Ok(sum? + brought?);
        }
        sum
    })
}
