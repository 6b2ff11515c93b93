//! Looks on while an engine lists solutions: holds each against the rules, and hands it on.

use std::ops::ControlFlow;

use bezzel_lab::backend::Observer;
use bezzel_lab::witness::{Seen, Witness, is_first};
use bezzel_problem::{Board, Candidate, Dihedral, Instance, Square};

use crate::failure::Failure;

/// Takes the solutions that are shown, their candidates in ascending order.
pub(crate) type Show<'a> = &'a mut dyn FnMut(&[Candidate]) -> Result<(), Failure>;

/// Looks on.
pub(super) struct Looker<'a> {
    witness: Witness,
    /// The board and the maps under which images count once, where those that count are to be shown.
    group: Option<(&'a Board, Vec<Dihedral>)>,
    most: u64,
    show: Option<Show<'a>>,
    shown: u64,
    chosen: Vec<Candidate>,
    queens: Vec<Square>,
    image: Vec<Square>,
    failure: Option<Failure>,
}

/// What came of looking.
pub(super) struct Looked {
    pub(super) seen: Seen,
    pub(super) failure: Option<Failure>,
}

impl<'a> Looker<'a> {
    /// Looks at all solutions, or so many as are enough; under a group of maps, images of each
    /// other count once.
    pub(super) fn new(
        instance: &'a Instance,
        group: Option<(&'a Board, Vec<Dihedral>)>,
        most: Option<u64>,
        show: Option<Show<'a>>,
    ) -> Self {
        // Who shows must know at once whether a solution counts; else it is found out by the way.
        let (group, counted) = match show {
            Some(_) => (group, None),
            None => (None, group.map(|(_, maps)| maps)),
        };
        Self {
            witness: Witness::new(instance, counted),
            group,
            most: most.unwrap_or(u64::MAX),
            show,
            shown: 0,
            chosen: Vec::new(),
            queens: Vec::new(),
            image: Vec::new(),
            failure: None,
        }
    }

    /// What was seen, and why it was not shown to the end.
    pub(super) fn finish(self) -> Looked {
        let filtered = self.group.is_some();
        let mut seen = self.witness.finish();
        if filtered {
            seen.count = self.shown;
        }
        Looked { seen, failure: self.failure }
    }
}

impl Observer for Looker<'_> {
    fn loaded(&mut self, _clause_digest: Option<String>) {}

    fn found(&mut self, chosen: &[Candidate]) -> ControlFlow<()> {
        self.witness.add(chosen);
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
        if self.failure.is_some() || self.shown >= self.most {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
