//! The one property in which two solvers differ.

use std::collections::BTreeSet;

use bezzel_experiment::Row;
use bezzel_solve::SEEDS;

use super::{PROGRAM, PROOFS};
use crate::dataset::Dataset;

/// The one property in which the solvers of two rows differ: its name, and both its levels. If their programs differ,
/// the property is `solver`, and their options are ignored. None if two runs of one program differ in seeds alone or in
/// several properties, or if two programs also differ in proof writing.
pub(super) fn change(before: &Row, after: &Row) -> Option<(String, String, String)> {
    let (before, after) = (&before.job, &after.job);
    if before.solver != after.solver {
        // Options of different programs have different names and meanings, and are not compared.
        return (before.proof == after.proof)
            .then(|| (PROGRAM.into(), before.solver.clone(), after.solver.clone()));
    }
    let names: BTreeSet<&String> = before.options.keys().chain(after.options.keys()).collect();
    let names = names.into_iter().filter(|name| !SEEDS.contains(&name.as_str()));
    let mut changed: Vec<(String, String, String)> = names
        .filter(|name| before.options.get(*name) != after.options.get(*name))
        .map(|name| {
            let level = |options: &bezzel_solve::Options| {
                options.get(name).map_or_else(|| "default".into(), ToString::to_string)
            };
            (name.clone(), level(&before.options), level(&after.options))
        })
        .collect();
    if before.proof != after.proof {
        let level = |format: Option<bezzel_solve::ProofFormat>| {
            format.map_or_else(|| "off".into(), |format| format.to_string())
        };
        changed.push((PROOFS.into(), level(before.proof), level(after.proof)));
    }
    (changed.len() == 1).then(|| changed.remove(0))
}

/// The label of the solver from which a step goes, without the changed property.
pub(super) fn rest(dataset: &Dataset<'_>, step: (usize, usize), factor: &str) -> String {
    let label = &dataset.solvers[step.0];
    let Some((id, options)) = label.split_once(" (") else { return label.clone() };
    let changed = |option: &&str| {
        option.starts_with(&format!("{factor}=")) || (factor == PROOFS && option.contains("proofs"))
    };
    let others: Vec<&str> =
        options.trim_end_matches(')').split(", ").filter(|option| !changed(option)).collect();
    if others.is_empty() { id.to_owned() } else { format!("{id} ({})", others.join(", ")) }
}
