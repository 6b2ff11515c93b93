//! Observes an engine that lists solutions: checks each against the rules, and passes it on.

use std::ops::ControlFlow;

use bezzel_experiment::backend::Observer;
use bezzel_experiment::solution_collector::{CollectedSolutions, SolutionCollector};
use bezzel_problem::{Candidate, Instance};

use crate::failure::Failure;
use crate::phase::{self, Phase};

/// Takes the solutions that are shown, with their candidates in ascending order.
pub(crate) type Show<'a> = &'a mut dyn FnMut(&[Candidate]) -> Result<(), Failure>;

/// The observer of a listing engine.
pub(super) struct ListingObserver<'a> {
    collector: SolutionCollector,
    max_solutions: u64,
    show: Option<Show<'a>>,
    shown: u64,
    chosen: Vec<Candidate>,
    failure: Option<Failure>,
}

/// The result of an observation.
pub(super) struct ListingOutcome {
    pub(super) collected: CollectedSolutions,
    pub(super) failure: Option<Failure>,
}

impl<'a> ListingObserver<'a> {
    /// Observes all solutions, or at most `max_solutions`.
    pub(super) fn new(
        instance: &Instance,
        max_solutions: Option<u64>,
        show: Option<Show<'a>>,
    ) -> Self {
        Self {
            collector: SolutionCollector::new(instance),
            max_solutions: max_solutions.unwrap_or(u64::MAX),
            show,
            shown: 0,
            chosen: Vec::new(),
            failure: None,
        }
    }

    /// The solutions that were seen, and the failure that ended the listing, if one did.
    pub(super) fn finish(self) -> ListingOutcome {
        ListingOutcome { collected: self.collector.finish(), failure: self.failure }
    }
}

impl Observer for ListingObserver<'_> {
    fn loaded(&mut self, _clause_digest: Option<String>) {
        phase::begin(Phase::Searching);
    }

    fn found(&mut self, chosen: &[Candidate]) -> ControlFlow<()> {
        self.collector.add(chosen);
        self.shown += 1;
        if let Some(show) = &mut self.show {
            self.chosen.clear();
            self.chosen.extend_from_slice(chosen);
            self.chosen.sort_unstable();
            self.failure = show(&self.chosen).err();
        }
        if self.failure.is_some() || self.shown >= self.max_solutions {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
