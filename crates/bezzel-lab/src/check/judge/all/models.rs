//! What a number of models is worth, auxiliary variables counted.
//!
//! Where the squares determine the auxiliary variables, as the encoding promises and the laws of all
//! encodings prove, there are as many models as solutions, and how many solutions there are is known.
//! Where they are free, there may be any number that is not less; what another way of counting says of
//! the same formula is then [the only evidence](crate::check::cross).

use std::cmp::Ordering;

use bezzel_encode::Auxiliaries;

use super::super::known::{Known, Total};
use super::super::{Case, Judgement};
use crate::check::counted::Counted;
use crate::model::all_solutions::AllSolutions;
use crate::model::job::Task;
use crate::model::row::{EvidenceKind, Verdict};

pub(super) fn judge(case: &Case<'_>, all: &AllSolutions, known: &mut Known) -> Judgement {
    // Of as many placements as its symmetry leaves, the formula has models.
    let counted = Counted::of(Task::Count, case.symmetry);
    let Some(Total { count: total, source }) = known.total(case.instance, counted) else {
        return Judgement::unchecked();
    };
    let (models, solutions) = (Counted::Models.told(&all.count.0), counted.told(&total));
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
