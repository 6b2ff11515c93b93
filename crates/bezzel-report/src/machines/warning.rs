//! What a reader must know where times come from unlike machines.

use super::{Unlike, fleet};
use crate::contest::left_out_of_rankings;
use crate::material::Material;
use crate::number::count;

/// The sentence; none where all times are of one kind of machine.
pub(crate) fn warning(material: &Material<'_>) -> Option<String> {
    let kinds = material.machines.kinds().len();
    if kinds < 2 {
        return None;
    }
    let runs = fleet::runs(material);
    let unlike = Unlike::of(material);
    if unlike.is_none() {
        return Some(format!(
            "Times come from {kinds} kinds of machine ({runs}), but all runs that are compared on a \
             board are of one kind: their ratios are not affected; what pools boards is, such as \
             cactus plots, medians over boards, and how times grow."
        ));
    }
    let Unlike { pairs, across, mixed } = unlike;
    let are = if across == 1 { "is" } else { "are" };
    let across = format!(
        "of {} of cells on a board that differ in one thing, {across} {are} across kinds",
        count(pairs, "pair")
    );
    let mixed_told =
        format!("in {} the runs themselves are of several kinds", count(mixed, "cell"));
    let told = [(pairs, across), (mixed, mixed_told)].into_iter().filter(|(number, _)| *number > 0);
    let told = told.map(|(_, told)| told).collect::<Vec<_>>().join("; ");
    Some(if material.compares_same_machines() {
        let left_out = count(left_out_of_rankings(material), "run");
        format!(
            "Times come from unlike machines ({runs}): {told}. Rankings, pairs and effects of times \
             have, on each board, the runs of one kind of machine alone, that of most cells; {left_out} \
             left out of rankings. Figures and tables of medians, and what is told of engines, have \
             all runs."
        )
    } else {
        format!(
            "Times of unlike machines are compared ({runs}): {told}. With --same-machines \
             a report ranks by the runs on one kind of machine alone, on each board."
        )
    })
}

/// How many runs the choice of the same machines leaves out, for the account of all runs; nothing where
/// all of them stay.
pub(crate) fn left_out(material: &Material<'_>) -> Option<String> {
    let runs = left_out_of_rankings(material);
    (runs > 0).then(|| {
        format!(
            "Left out of rankings by time: {}, on another kind of machine than those with which they \
             would be compared",
            count(runs, "run")
        )
    })
}
