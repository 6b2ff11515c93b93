//! The smallest case in which unit propagation misses what is implied.
//!
//! Partial assignments are tried by how many cells they know, so the first that shows something
//! missing is a smallest one. Not all of 3ᵏ need be looked at: a cell that unit propagation knows
//! already tells it nothing new, and two partial assignments from which it knows the same cells are
//! the same to it from there on. So the search goes from one closed assignment to the next, which is
//! as good as trying all: whatever is implied after one that is passed over is implied by what unit
//! propagation makes of it. Where that is asked of a closed assignment alone, since those that led to
//! it imply less line by line than unit propagation knows, it waits for a smaller one.

use std::collections::HashSet;

use super::subject::{Partial, Subject, each};

/// A partial assignment after which unit propagation misses something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// The known cells.
    pub(super) given: Partial,
    /// A cell that is implied, and how; none where nothing is possible any more, and unit
    /// propagation finds no conflict.
    pub(super) missed: Option<(u32, bool)>,
}

/// The end of a search for a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Searched {
    /// Unit propagation finds everything.
    Complete,
    /// It misses something, and met nothing of the kind where fewer cells are known.
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
    // What shows that something is missing after `given`, of which these cells are known.
    let gap = |given: Partial, known: Partial| {
        let Some(implied) = implied(given) else { return Some(Gap { given, missed: None }) };
        let missed = implied.beyond(known);
        let cell = each(missed.known()).next()?;
        Some(Gap { given, missed: Some((cell, missed.on >> cell & 1 == 1)) })
    };
    let mut seen = HashSet::new();
    let mut level = vec![Partial::default()];
    let mut closed: Option<Gap> = None;
    for known_cells in 0_u32.. {
        if level.is_empty() || closed.is_some_and(|gap| gap.given.len() <= known_cells) {
            break;
        }
        let mut next = Vec::new();
        for given in level {
            let Some(known) = subject.propagate(given) else { continue };
            if !seen.insert(known) {
                continue;
            }
            if let Some(gap) = gap(given, known) {
                return Searched::Gap(gap);
            }
            let of_closed = gap(known, known).into_iter().chain(closed);
            closed = of_closed.min_by_key(|gap| gap.given.len());
            if seen.len() > cases {
                let unfinished = Searched::Unfinished(known_cells.saturating_sub(1));
                return closed.map_or(unfinished, Searched::Gap);
            }
            for cell in (0..cells).filter(|cell| known.known() >> cell & 1 == 0) {
                next.extend([true, false].map(|is_on| given.with(cell, is_on)));
            }
        }
        level = next;
    }
    closed.map_or(Searched::Complete, Searched::Gap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formula;
    use crate::sink::ClauseSink;

    #[test]
    fn what_only_a_closed_assignment_shows_to_be_missing_is_found() {
        // The formula knows that the first cell brings the second; what is implied is only that both
        // together bring the third.
        let mut formula = Formula::new();
        let cells = formula.fresh(3);
        formula.clause(&[!cells.lit(0), cells.lit(1)]);
        let lits = [0, 1, 2].map(|cell| cells.lit(cell));
        let mut subject = Subject::new(&formula, lits.chunks(1));
        let implied = |given: Partial| {
            let both = given.on & 0b11 == 0b11;
            Some(if both { Partial { on: given.on | 0b100, ..given } } else { given })
        };
        let found = smallest(&mut subject, implied, usize::MAX);
        let given = Partial { on: 0b11, off: 0 };
        assert_eq!(found, Searched::Gap(Gap { given, missed: Some((2, true)) }));
    }
}
