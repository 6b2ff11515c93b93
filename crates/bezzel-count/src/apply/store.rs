//! The store in which a diagram is built, within its limits of memory.

use std::{io, thread};

use oxidd::util::AllocResult;
use oxidd::{Manager, ManagerRef};

use super::kind::Dd;
use super::store_memory::StoreMemory;
use crate::budget::{Budget, Halt};

/// The stacks of the threads of a store: `OxiDD` works in one thread, and collects dead nodes in another one.
const STACK_BYTES: [usize; 2] = [1 << 30, 4 << 20];

/// Starts threads as a store does, since `OxiDD` panics if it cannot, and waits until their stacks are free again.
fn try_threads() -> io::Result<()> {
    let mut waiting = Vec::new();
    let started = STACK_BYTES.into_iter().try_for_each(|stack| {
        waiting.push(thread::Builder::new().stack_size(stack).spawn(thread::park)?);
        Ok(())
    });
    for thread in waiting {
        thread.thread().unpark();
        thread.join().expect("it only waits");
    }
    started
}

/// The reason why a thread was not started: its stack does not fit if a thread with a small one starts.
pub(super) fn halt_of_thread(budget: Budget<'_>) -> Halt {
    let small = thread::Builder::new().stack_size(1 << 16).spawn(|| ());
    if small.is_ok() { Halt::Bytes(budget.bytes) } else { Halt::Thread }
}

/// Nodes, and the operations that make them.
///
/// The stop flag is read between two operations. `OxiDD` cannot stop within one, so large operations are made of
/// smaller ones.
pub(super) struct Store<'a, D: Dd> {
    manager: D::ManagerRef,
    budget: Budget<'a>,
    memory: StoreMemory,
    /// The most nodes after an operation so far.
    peak: u64,
    /// The number of nodes at which the dead ones are collected.
    collect_at: u64,
}

impl<'a, D: Dd> Store<'a, D> {
    /// An empty store for functions of `variables` variables.
    ///
    /// # Errors
    ///
    /// When the system does not start its threads.
    pub(super) fn new(
        variables: usize,
        memory: StoreMemory,
        budget: Budget<'a>,
    ) -> Result<Self, Halt> {
        try_threads().map_err(|_| halt_of_thread(budget))?;
        let manager = D::store(memory.capacity(), memory.cache);
        manager.with_manager_exclusive(|manager| manager.add_vars(variables as u32));
        Ok(Self { manager, budget, memory, peak: 0, collect_at: memory.collect_at(0) })
    }

    /// The most nodes that the store held after an operation, dead ones included.
    pub(super) fn peak(&self) -> u64 {
        self.peak
    }

    /// The function that always holds, or never does.
    pub(super) fn constant(&self, value: bool) -> D {
        self.manager
            .with_manager_shared(|manager| if value { D::t(manager) } else { D::f(manager) })
    }

    /// The function that holds if and only if the variable of a level has this value.
    pub(super) fn literal(&mut self, level: u32, value: bool) -> Result<D, Halt> {
        let manager = self.manager.clone();
        self.run(|| {
            manager.with_manager_shared(|manager| {
                if value { D::var(manager, level) } else { D::not_var(manager, level) }
            })
        })
    }

    pub(super) fn not(&mut self, of: &D) -> Result<D, Halt> {
        self.run(|| of.not())
    }

    pub(super) fn and(&mut self, left: &D, right: &D) -> Result<D, Halt> {
        self.run(|| left.and(right))
    }

    pub(super) fn or(&mut self, left: &D, right: &D) -> Result<D, Halt> {
        self.run(|| left.or(right))
    }

    pub(super) fn implies(&mut self, left: &D, right: &D) -> Result<D, Halt> {
        self.run(|| left.imp(right))
    }

    /// The node on a level above both children.
    pub(super) fn branch(&mut self, level: u32, high: &D, low: &D) -> Result<D, Halt> {
        let manager = self.manager.clone();
        self.run(|| manager.with_manager_shared(|manager| D::branch(manager, level, high, low)))
    }

    fn run(&mut self, operation: impl Fn() -> AllocResult<D>) -> Result<D, Halt> {
        self.budget.go_on()?;
        let made = if let Ok(made) = operation() {
            made
        } else {
            // The space of the dead nodes may suffice.
            self.collect();
            operation().map_err(|_| self.memory.halt)?
        };
        let stored = self.stored();
        self.peak = self.peak.max(stored);
        if stored >= self.collect_at && self.collect() >= self.memory.nodes {
            return Err(self.memory.halt);
        }
        Ok(made)
    }

    fn stored(&self) -> u64 {
        self.manager.with_manager_shared(|manager| manager.approx_num_inner_nodes()) as u64
    }

    /// Removes the dead nodes, and with them all cached results. Returns the number of nodes that are left.
    fn collect(&mut self) -> u64 {
        self.peak = self.peak.max(self.stored());
        self.manager.with_manager_shared(|manager| manager.gc());
        let left = self.stored();
        self.collect_at = self.memory.collect_at(left);
        left
    }
}
