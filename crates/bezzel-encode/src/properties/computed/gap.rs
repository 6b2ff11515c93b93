//! The smallest case in which unit propagation misses a consequence.
//!
//! Partial assignments are tried by the number of known cells, so the first that shows a missed consequence is a
//! smallest one. Not all 3ᵏ need a test. A cell that unit propagation knows already adds nothing. Two partial
//! assignments from which it knows the same cells have the same extensions. The search therefore goes from one closed
//! assignment to the next, which is as good as trying all: a consequence of a skipped assignment is also one of its
//! closure under unit propagation. A gap of a closed assignment alone is possible, since the assignments that led to it
//! imply less line by line than unit propagation knows. Such a gap is returned only if there is no smaller one.

use std::collections::HashSet;

use super::subject::{ExaminedFormula, PartialAssignment, each};

/// A partial assignment after which unit propagation misses a consequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// The known cells.
    pub(super) given: PartialAssignment,
    /// An implied cell with its value; none where no completion exists and unit propagation finds no conflict.
    pub(super) missed: Option<(u32, bool)>,
}

/// The end of a search for a gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GapSearchResult {
    /// Unit propagation finds every consequence.
    Complete,
    /// It misses a consequence here, and none where fewer cells are known.
    Gap(Gap),
    /// No consequence was missed when the search reached its limit of cases. It had tried all with at most this number
    /// of known cells.
    Unfinished(u32),
}

/// The smallest gap, in at most `cases` cases. `implied` returns the implied cells, or none if no completion exists.
pub(super) fn smallest(
    subject: &mut ExaminedFormula,
    implied: impl Fn(PartialAssignment) -> Option<PartialAssignment>,
    cases: usize,
) -> GapSearchResult {
    let cells = subject.cells();
    // The gap after `given`, after which propagation knows the cells of `known`; none if it misses nothing.
    let gap = |given: PartialAssignment, known: PartialAssignment| {
        let Some(implied) = implied(given) else { return Some(Gap { given, missed: None }) };
        let missed = implied.beyond(known);
        let cell = each(missed.known()).next()?;
        Some(Gap { given, missed: Some((cell, missed.on >> cell & 1 == 1)) })
    };
    let mut seen = HashSet::new();
    let mut level = vec![PartialAssignment::default()];
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
                return GapSearchResult::Gap(gap);
            }
            let of_closed = gap(known, known).into_iter().chain(closed);
            closed = of_closed.min_by_key(|gap| gap.given.len());
            if seen.len() > cases {
                let unfinished = GapSearchResult::Unfinished(known_cells.saturating_sub(1));
                return closed.map_or(unfinished, GapSearchResult::Gap);
            }
            for cell in (0..cells).filter(|cell| known.known() >> cell & 1 == 0) {
                next.extend([true, false].map(|is_on| given.with(cell, is_on)));
            }
        }
        level = next;
    }
    closed.map_or(GapSearchResult::Complete, GapSearchResult::Gap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formula::Formula;
    use crate::sink::ClauseSink;

    #[test]
    fn an_implication_that_only_a_closed_assignment_shows_to_be_missing_is_found() {
        // In the formula the first cell implies the second; only both together imply the third.
        let mut formula = Formula::new();
        let cells = formula.fresh(3);
        formula.clause(&[!cells.lit(0), cells.lit(1)]);
        let lits = [0, 1, 2].map(|cell| cells.lit(cell));
        let mut subject = ExaminedFormula::new(&formula, lits.chunks(1));
        let implied = |given: PartialAssignment| {
            let both = given.on & 0b11 == 0b11;
            Some(if both { PartialAssignment { on: given.on | 0b100, ..given } } else { given })
        };
        let found = smallest(&mut subject, implied, usize::MAX);
        let given = PartialAssignment { on: 0b11, off: 0 };
        assert_eq!(found, GapSearchResult::Gap(Gap { given, missed: Some((2, true)) }));
    }
}
