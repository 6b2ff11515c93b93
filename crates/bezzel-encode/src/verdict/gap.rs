//! The smallest case in which unit propagation misses what is implied.
//!
//! Partial assignments are tried by how many cells they know, so the first that shows something
//! missing is a smallest one. Not all of 3ᵏ need be looked at: a cell that unit propagation knows
//! already tells it nothing new, and two partial assignments from which it knows the same cells are
//! the same to it from there on. So the search goes from one closed assignment to the next, which is
//! as good as trying all.

use std::collections::HashSet;

use super::subject::{Partial, Subject, each};

/// A partial assignment after which unit propagation misses something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// What is known.
    pub(super) given: Partial,
    /// A cell that is implied, and how; none where nothing is possible any more, and unit
    /// propagation finds no conflict.
    pub(super) missed: Option<(u32, bool)>,
}

/// How the search for a gap ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Searched {
    /// Unit propagation finds everything.
    Complete,
    /// It misses something, and nowhere sooner.
    Gap(Gap),
    /// Nothing was missed until the search had seen as many cases as it may: all where at most so
    /// many cells are known.
    Unfinished(u32),
}

/// The smallest gap, in at most so many cases. `implied` tells what is implied, or that nothing is
/// possible any more.
pub(super) fn smallest(
    subject: &mut Subject,
    implied: impl Fn(Partial) -> Option<Partial>,
    cases: usize,
) -> Searched {
    let cells = subject.cells();
    let mut seen = HashSet::new();
    let mut level = vec![Partial::default()];
    for known_cells in 0_u32.. {
        if level.is_empty() {
            break;
        }
        let mut next = Vec::new();
        for given in level {
            let Some(known) = subject.propagate(given) else { continue };
            if !seen.insert(known) {
                continue;
            }
            let Some(implied) = implied(given) else {
                return Searched::Gap(Gap { given, missed: None });
            };
            let missed = implied.beyond(known);
            if let Some(cell) = each(missed.known()).next() {
                let missed = Some((cell, missed.on >> cell & 1 == 1));
                return Searched::Gap(Gap { given, missed });
            }
            if seen.len() > cases {
                return Searched::Unfinished(known_cells.saturating_sub(1));
            }
            for cell in (0..cells).filter(|cell| known.known() >> cell & 1 == 0) {
                next.extend([true, false].map(|is_on| given.with(cell, is_on)));
            }
        }
        level = next;
    }
    Searched::Complete
}
