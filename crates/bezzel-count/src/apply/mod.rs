//! Diagrams of all solutions, built by operations on diagrams.
//!
//! [`Rules`] state the constraints of a problem: an encoding's circuit, the clauses of an encoding without auxiliary
//! variables, or [terms](Term) on candidates. [`Method`] defines how a diagram is built from it: its [`OxiddKind`],
//! its variable [`Order`], and the [`Schedule`]. Nodes and operations are `OxiDD`'s. The finished diagram is copied out
//! of its store into a [`Diagram`] of this crate, which answers queries for counts, solutions, the k-th and a random
//! one.
//!
//! All methods build the same diagram of one kind in one order, since diagrams are canonical. They differ in the nodes
//! that are made and die meanwhile: [`Built::peak`] and [`Built::widest`] are their numbers.
//!
//! *Counting of nodes.* Nodes never include terminals here. `OxiDD`'s own count does: two for a BDD or a ZBDD, one with
//! complement edges. A BDD with complement edges of the solutions has at most one node less than one without: the two
//! nodes "the last candidate is not chosen" and "it is chosen" are one. Its copy is a BDD without complement edges, and has the
//! nodes of one.
//!
//! *Limits.* An operation of `OxiDD` goes on until it is done or out of nodes. Large conjunctions are made in pieces
//! (`conjoin`), and the stop flag is read before each; a single piece can still be long. Dead nodes are collected after
//! an operation. The kept nodes are never more than the budget's nodes, but [`Built::peak`] can be more, by a sixteenth
//! and a thousand.
//!
//! *Source.* R. E. Bryant, "Supplement: Encoding the N-Queens Problem with Boolean Formulas", 2019,
//! for the layers; N. Husung, C. Dubslaff, H. Hermanns,
//! M. A. Köhl, "`OxiDD`: A Safe, Concurrent, Modular, and Performant Decision Diagram Framework in
//! Rust", TACAS 2024.

mod clauses;
mod conjoin;
mod export;
mod gates;
mod kind;
mod order;
mod rules;
mod schedule;
mod store;
mod store_memory;

use bezzel_encode::Var;
use bezzel_problem::Candidate;
use oxidd::bcdd::BCDDFunction;
use oxidd::bdd::BDDFunction;
use oxidd::zbdd::ZBDDFunction;

pub use kind::OxiddKind;
pub use order::Order;
pub use rules::{Rules, RulesError, Term, TermSource};
pub use schedule::Schedule;
pub use store_memory::NODE_BYTES;

use crate::budget::{Budget, Halt};
use crate::diagram::{Builder, Diagram};
use gates::Gates;
use kind::Dd;
use rules::Form;
use store::Store;
use store_memory::StoreMemory;

/// The version of OxiDD that builds: that of the lock file.
pub const VERSION: &str = "0.13.0";

/// The stack of the thread that builds: operations go down one level of the diagram at a time.
const STACK_BYTES: usize = 8 << 20;
const STACK_BYTES_PER_LEVEL: usize = 4 << 10;

/// The number of nodes from which on a conjunction is made in pieces.
const LARGE: usize = 1 << 15;

/// The way in which a diagram is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Method {
    /// The kind of diagram.
    pub kind: OxiddKind,
    /// The order in which it decides variables.
    pub order: Order,
    /// The order in which the terms of a circuit are conjoined.
    pub schedule: Schedule,
}

/// A finished diagram, and the numbers of its building.
#[derive(Clone, Debug)]
pub struct Built {
    /// The diagram, without complement edges.
    pub diagram: Diagram,
    /// The nodes of the diagram as it was built, terminals not counted.
    pub nodes: u64,
    /// The most nodes that were in the store after an operation, including unreferenced ones that were not yet
    /// collected; terminals not counted.
    pub peak: u64,
    /// The most nodes that the conjunction of the terms so far had, terminals not counted.
    pub widest: u64,
}

impl Method {
    /// A diagram of this kind in the default order, by the default schedule.
    pub fn new(kind: OxiddKind) -> Self {
        Self { kind, order: Order::default(), schedule: Schedule::default() }
    }

    /// Builds the diagram of all solutions of the reading, in a thread of its own with a stack that is large enough.
    ///
    /// # Errors
    ///
    /// When the budget is spent, or the stop flag is set.
    pub fn build(self, reading: &Rules, budget: Budget<'_>) -> Result<Built, Halt> {
        self.build_around(reading, budget, |build| build())
    }

    /// The same, with `around` called in that thread; it calls the function that builds. A caller that measures the
    /// time of the thread measures it there.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn build_around<T: Send>(
        self,
        reading: &Rules,
        budget: Budget<'_>,
        around: impl FnOnce(&mut dyn FnMut() -> Result<Built, Halt>) -> Result<T, Halt> + Send,
    ) -> Result<T, Halt> {
        let order = self.order.variables(reading.grid, &reading.map);
        let memory = StoreMemory::new(order.len(), budget)?;
        let stack = STACK_BYTES + STACK_BYTES_PER_LEVEL * order.len();
        let mut build = move || {
            let order = order.clone();
            match self.kind {
                OxiddKind::Bdd => self.build_as::<BDDFunction>(reading, order, memory, budget),
                OxiddKind::Bcdd => self.build_as::<BCDDFunction>(reading, order, memory, budget),
                OxiddKind::Zbdd => self.build_as::<ZBDDFunction>(reading, order, memory, budget),
            }
        };
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(stack);
            let thread = builder.spawn_scoped(scope, move || around(&mut build));
            let thread = thread.map_err(|_| store::halt_of_thread(budget))?;
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    fn build_as<D: Dd>(
        self,
        reading: &Rules,
        order: Vec<Var>,
        memory: StoreMemory,
        budget: Budget<'_>,
    ) -> Result<Built, Halt> {
        let mut levels = vec![0; order.iter().map(|var| var.idx() + 1).max().unwrap_or(0)];
        for (level, var) in (0..).zip(&order) {
            levels[var.idx()] = level;
        }
        let mut building = Building::<D> {
            reading,
            levels: &levels,
            store: Store::new(order.len(), memory, budget)?,
            widest: 0,
        };
        let mut all = building.given()?;
        all = match &reading.form {
            Form::Gates(circuit) => {
                let terms = gates::terms(circuit);
                let mut gates = Gates::new(circuit, &levels, &terms);
                for group in self.schedule.groups(&terms) {
                    let mut joined: Option<D> = None;
                    for term in group {
                        let term = gates.term(&mut building.store, term)?;
                        joined = Some(match joined {
                            None => term,
                            Some(joined) => building.store.and(&joined, &term)?,
                        });
                    }
                    if let Some(joined) = joined {
                        all = building.conjoin(&all, &joined)?;
                    }
                }
                all
            }
            Form::Clauses(formula) => {
                for clause in formula.clauses() {
                    let lits = clause.iter().copied();
                    let clause = clauses::clause(&mut building.store, &levels, lits)?;
                    all = building.conjoin(&all, &clause)?;
                }
                all
            }
            Form::Terms(terms) => building.terms(&**terms, all)?,
        };
        let (peak, widest) = (building.store.peak(), building.widest);
        let copy = Budget { bytes: memory.copy_bytes, ..budget };
        let mut builder = Builder::new(D::SKIPPED, order, copy);
        let root = all.export(&mut builder).map_err(|halt| match halt {
            Halt::Bytes(_) => Halt::Bytes(budget.bytes),
            other => other,
        })?;
        let nodes = inner_nodes(&all) as u64;
        Ok(Built { diagram: builder.finish(root), nodes, peak, widest })
    }
}

/// A diagram that is being built.
struct Building<'a, D: Dd> {
    reading: &'a Rules,
    levels: &'a [u32],
    store: Store<'a, D>,
    widest: u64,
}

impl<D: Dd> Building<'_, D> {
    /// The given candidates are chosen, the excluded ones are not.
    fn given(&mut self) -> Result<D, Halt> {
        let Rules { given, excluded, .. } = self.reading;
        let mut all = self.store.constant(true);
        for &candidate in given {
            let chosen = self.chosen(candidate)?;
            all = self.store.and(&all, &chosen)?;
        }
        for &candidate in excluded {
            let clause = self.reading.map.cube(candidate).iter().map(|&lit| !lit);
            let none = clauses::clause(&mut self.store, self.levels, clause)?;
            all = self.store.and(&all, &none)?;
        }
        Ok(all)
    }

    /// The function of a candidate: all literals of its cube hold.
    fn chosen(&mut self, candidate: Candidate) -> Result<D, Halt> {
        let cube = self.reading.map.cube(candidate).iter().copied();
        clauses::cube(&mut self.store, self.levels, cube)
    }

    /// The conjunction of `all` and the terms, one after the other.
    fn terms(&mut self, terms: &dyn TermSource, all: D) -> Result<D, Halt> {
        let mut all = all;
        terms.each(&mut |term| {
            let term = self.term(term)?;
            all = self.conjoin(&all, &term)?;
            Ok(())
        })?;
        Ok(all)
    }

    fn term(&mut self, term: Term<'_>) -> Result<D, Halt> {
        let map = &self.reading.map;
        match term {
            Term::ExcludedBy { chosen, others } => {
                let empty = others.iter().flat_map(|&other| map.cube(other)).map(|&lit| !lit);
                let none = clauses::cube(&mut self.store, self.levels, empty)?;
                let chosen = self.chosen(chosen)?;
                self.store.implies(&chosen, &none)
            }
            Term::AnyOf(candidates) => {
                let lits = candidates.iter().flat_map(|&candidate| map.cube(candidate)).copied();
                clauses::clause(&mut self.store, self.levels, lits)
            }
        }
    }

    fn conjoin(&mut self, all: &D, term: &D) -> Result<D, Halt> {
        let all = if self.widest < LARGE as u64 {
            self.store.and(all, term)?
        } else {
            conjoin::conjoin(&mut self.store, all, term)?
        };
        self.widest = self.widest.max(inner_nodes(&all) as u64);
        Ok(all)
    }
}

/// The nodes of a diagram, terminals not counted.
fn inner_nodes<D: Dd>(of: &D) -> usize {
    of.node_count().saturating_sub(D::TERMINALS)
}
