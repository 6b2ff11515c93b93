//! Best values of one objective in several rows. Each solution is checked by the constraints. An unchecked row with a worse
//! value is wrong, a verified one contradicts, and one with the value of a verified row is verified. Rows whose file was
//! not read are not compared.

use std::collections::BTreeMap;

use bezzel_problem::{Instance, ProblemFile};
use bezzel_solve::Answer;
use num_bigint::BigInt;

use super::contradiction::{Contradiction, RowClaim};
use super::{Verdicts, described};
use crate::model::job::Task;
use crate::model::row::{Row, Verdict};

pub(super) fn examine(rows: &[Row], verdicts: &mut Verdicts) -> Vec<Contradiction> {
    let mut contradictions = Vec::new();
    let mut optima: BTreeMap<&Instance, Vec<(usize, BigInt)>> = BTreeMap::new();
    for (place, row) in rows.iter().enumerate() {
        if row.job.task != Task::Optimise || row.verdict == Verdict::Wrong {
            continue;
        }
        // Only a solution that keeps the constraints has a value that counts.
        let solution = row.solution().filter(|it| row.job.instance.check(it).is_ok());
        let file = row.job.instance.file();
        if let Some(value) = file.zip(solution).and_then(|(file, solution)| file.value(&solution)) {
            optima.entry(&row.job.instance).or_default().push((place, value));
        }
    }
    for (instance, found) in optima {
        let objective = instance.file().and_then(ProblemFile::objective);
        let Some(objective) = objective else { continue };
        let order = |one: &&(usize, BigInt), other: &&(usize, BigInt)| {
            let order = one.1.cmp(&other.1);
            if objective.is_maximum() { order } else { order.reverse() }
        };
        let Some((best, value)) = found.iter().max_by(order) else { continue };
        let is_verified = |&&(place, ref it): &&(usize, BigInt)| {
            it == value && rows[place].verdict == Verdict::Verified
        };
        let verified = found.iter().find(is_verified).map(|(place, _)| *place);
        for (place, it) in &found {
            let row = &rows[*place];
            if row.status != Answer::Sat {
                continue;
            }
            if it != value && row.verdict == Verdict::Verified {
                let [one, other] = [&rows[*best], row].map(RowClaim::of);
                contradictions.push(Contradiction { instance: instance.clone(), one, other });
            } else if it != value {
                let note = format!("{it} is no optimum: row {} has {value}", rows[*best].key);
                let source = described(&rows[*best]);
                verdicts.insert(*place, (Verdict::Wrong, source, Some(note)));
            } else if let (Verdict::Unchecked, Some(verified)) = (row.verdict, verified) {
                let source = described(&rows[verified]);
                verdicts.insert(*place, (Verdict::Verified, source, None));
            }
        }
    }
    contradictions
}
