//! The judgement on a number of models, auxiliary variables included.
//!
//! If the squares determine the auxiliary variables, as the encoding declares and the property tests of all encodings
//! show, the numbers of models and solutions are equal, and the number of solutions is known. If auxiliary variables
//! are free, any number that is not smaller is possible. Another method's number for the same formula is then
//! [the only evidence](crate::check::cross).

use std::cmp::Ordering;

use bezzel_encode::Auxiliaries;

use super::super::known::{KnownFacts, KnownTotal};
use super::super::{Case, Judgement};
use crate::check::counted::CountedSet;
use crate::model::all_solutions::AllSolutions;
use crate::model::row::{EvidenceKind, Verdict};

pub(super) fn judge(case: &Case<'_>, all: &AllSolutions, known: &mut KnownFacts) -> Judgement {
    // The formula has at least one model for each solution.
    let Some(KnownTotal { count: total, source }) = known.total(case.instance) else {
        return Judgement::unchecked();
    };
    let (models, solutions) =
        (CountedSet::Models.describe(&all.count.0), CountedSet::All.describe(&total));
    let determined = match all.auxiliaries {
        Some(Auxiliaries::None) => "no auxiliary variables",
        Some(Auxiliaries::Defined) => "auxiliary variables that the squares determine",
        Some(Auxiliaries::Free) | None => {
            return if all.whole && all.count.0 < total {
                let note =
                    format!("{models} were counted, and each of {solutions} has one at least");
                Judgement::wrong(EvidenceKind::Cross, source, note)
            } else {
                Judgement::unchecked()
            };
        }
    };
    match all.count.0.cmp(&total) {
        _ if !all.whole => Judgement::unchecked(),
        Ordering::Equal => {
            let source = format!("{source}, with {determined}");
            Judgement::new(Verdict::Verified, EvidenceKind::Cross, source)
        }
        Ordering::Less | Ordering::Greater => {
            let note =
                format!("{models} were counted, and with {determined} there are {solutions}");
            Judgement::wrong(EvidenceKind::Cross, source, note)
        }
    }
}
