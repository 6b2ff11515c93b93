//! Observes an engine that lists solutions: checks each against the rules, and passes it on.

use std::ops::ControlFlow;

use bezzel_experiment::backend::Observer;
use bezzel_experiment::solution_collector::{CollectedSolutions, SolutionCollector, is_first};
use bezzel_problem::{Board, Candidate, Dihedral, Instance, Square};

use crate::failure::Failure;
use crate::phase::{self, Phase};

/// Takes the solutions that are shown, with their candidates in ascending order.
pub(crate) type Show<'a> = &'a mut dyn FnMut(&[Candidate]) -> Result<(), Failure>;

/// The observer of a listing engine.
pub(super) struct ListingObserver<'a> {
    collector: SolutionCollector,
    /// The board and the maps under which images count once, if solutions are shown.
    group: Option<(&'a Board, Vec<Dihedral>)>,
    max_solutions: u64,
    show: Option<Show<'a>>,
    shown: u64,
    chosen: Vec<Candidate>,
    queens: Vec<Square>,
    image: Vec<Square>,
    failure: Option<Failure>,
}

/// The result of an observation.
pub(super) struct ListingOutcome {
    pub(super) collected: CollectedSolutions,
    pub(super) failure: Option<Failure>,
}

impl<'a> ListingObserver<'a> {
    /// Observes all solutions, or at most `max_solutions`. Under a group of maps, images of each other count once.
    pub(super) fn new(
        instance: &'a Instance,
        group: Option<(&'a Board, Vec<Dihedral>)>,
        max_solutions: Option<u64>,
        show: Option<Show<'a>>,
    ) -> Self {
        // A listing must know at once if a solution counts. Otherwise the collector counts.
        let (group, counted) = match show {
            Some(_) => (group, None),
            None => (None, group.map(|(_, maps)| maps)),
        };
        Self {
            collector: SolutionCollector::new(instance, counted),
            group,
            max_solutions: max_solutions.unwrap_or(u64::MAX),
            show,
            shown: 0,
            chosen: Vec::new(),
            queens: Vec::new(),
            image: Vec::new(),
            failure: None,
        }
    }

    /// The solutions that were seen, and the failure that ended the listing, if one did.
    pub(super) fn finish(self) -> ListingOutcome {
        let filtered = self.group.is_some();
        let mut collected = self.collector.finish();
        if filtered {
            collected.count = self.shown;
        }
        ListingOutcome { collected, failure: self.failure }
    }
}

impl Observer for ListingObserver<'_> {
    fn loaded(&mut self, _clause_digest: Option<String>) {
        phase::begin(Phase::Searching);
    }

    fn found(&mut self, chosen: &[Candidate]) -> ControlFlow<()> {
        self.collector.add(chosen);
        if let Some(show) = &mut self.show {
            self.chosen.clear();
            self.chosen.extend_from_slice(chosen);
            self.chosen.sort_unstable();
            let counts = self.group.as_ref().is_none_or(|(board, maps)| {
                self.queens.clear();
                self.queens.extend(self.chosen.iter().map(|&candidate| board.square(candidate)));
                is_first(&self.queens, board, maps, &mut self.image)
            });
            if counts {
                self.shown += 1;
                self.failure = show(&self.chosen).err();
            }
        } else {
            self.shown += 1;
        }
        if self.failure.is_some() || self.shown >= self.max_solutions {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
