//! What a solver is called in a report: its id, with all that differs between its rows and changes
//! what it does. Rows that are told apart here are cells apart, and never pooled.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_lab::{MeasuredBy, Row};
use bezzel_solve::ProofFormat;

use crate::material::distinct;
use crate::statistics::replicates::SEEDS;

/// What differs between the rows of each solver.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    of_solver: BTreeMap<String, Varied>,
}

#[derive(Debug, Default)]
struct Varied {
    /// The names of options, seeds apart.
    options: BTreeSet<String>,
    /// Whether some rows are with a proof and some without, or proofs are of several formats.
    proofs: Vec<Option<ProofFormat>>,
}

impl Labels {
    /// Finds out what differs.
    pub(crate) fn new(rows: &[Row]) -> Self {
        let mut first = BTreeMap::new();
        let mut of_solver: BTreeMap<String, Varied> = BTreeMap::new();
        for row in rows {
            let (solver, options) = (&row.job.solver, &row.job.options);
            let known = *first.entry(solver).or_insert(options);
            let varied = of_solver.entry(solver.clone()).or_default();
            if !varied.proofs.contains(&row.job.proof) {
                varied.proofs.push(row.job.proof);
            }
            if known != options {
                let names = known.keys().chain(options.keys());
                let names = names.filter(|name| !SEEDS.contains(&name.as_str()));
                let names = names.filter(|name| known.get(*name) != options.get(*name)).cloned();
                varied.options.extend(names);
            }
        }
        Self { of_solver }
    }

    /// The label of a row's solver. An option that is not set is not told: it is as the solver
    /// comes. Nor is a proof, unless others of the solver's rows have none.
    pub(crate) fn of(&self, row: &Row) -> String {
        let job = &row.job;
        let mut words = Vec::new();
        if let Some(Varied { options, proofs }) = self.of_solver.get(&job.solver) {
            let set = options.iter().filter_map(|name| Some((name, job.options.get(name)?)));
            words.extend(set.map(|(name, value)| format!("{name}={value}")));
            let formats = distinct(proofs.iter().flatten()).len();
            match job.proof {
                None if formats > 0 => words.push("proofs off".into()),
                Some(format) if formats > 1 => words.push(format!("{format} proofs")),
                _ => {}
            }
        }
        if job.measured_by == MeasuredBy::Benchexec {
            words.push("by BenchExec".into());
        }
        if words.is_empty() {
            job.solver.clone()
        } else {
            format!("{} ({})", job.solver, words.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{seeded, solved};
    use bezzel_solve::OptionValue;

    fn labels(rows: &[Row]) -> Vec<String> {
        let labels = Labels::new(rows);
        rows.iter().map(|row| labels.of(row)).collect()
    }

    fn with(options: &[(&str, i64)]) -> Row {
        let mut row = solved(1.0);
        for &(name, value) in options {
            row.job.options.insert(name.into(), OptionValue::Integer(value));
        }
        row
    }

    #[test]
    fn a_solver_is_told_by_the_options_that_vary_and_no_others() {
        let rows = [with(&[("quiet", 1), ("factor", 0)]), with(&[("quiet", 1), ("factor", 1)])];
        assert_eq!(labels(&rows), ["batsat (factor=0)", "batsat (factor=1)"]);
    }

    #[test]
    fn what_is_as_the_solver_comes_goes_without_a_word() {
        let rows = [
            with(&[]),
            with(&[("factor", 1)]),
            with(&[("elim", 0)]),
            with(&[("elim", 0), ("factor", 1)]),
        ];
        assert_eq!(
            labels(&rows),
            ["batsat", "batsat (factor=1)", "batsat (elim=0)", "batsat (elim=0, factor=1)"]
        );
    }

    #[test]
    fn seeds_are_the_spread_of_one_cell() {
        assert_eq!(labels(&[seeded(1, 1.0), seeded(2, 1.0)]), ["batsat", "batsat"]);
    }

    #[test]
    fn runs_with_and_without_a_proof_are_apart() {
        let proved = |format| {
            let mut row = solved(1.0);
            row.job.proof = format;
            row
        };
        let (lrat, drat) = (Some(ProofFormat::Lrat), Some(ProofFormat::Drat));
        assert_eq!(labels(&[proved(lrat), proved(None)]), ["batsat", "batsat (proofs off)"]);
        assert_eq!(labels(&[proved(lrat), proved(lrat)]), ["batsat", "batsat"]);
        // None of them has one: the notes under the tables say so.
        assert_eq!(labels(&[proved(None)]), ["batsat"]);
        assert_eq!(
            labels(&[proved(lrat), proved(drat), proved(None)]),
            ["batsat (lrat proofs)", "batsat (drat proofs)", "batsat (proofs off)"]
        );
    }

    #[test]
    fn what_benchexec_measured_is_never_taken_for_our_own() {
        let mut imported = solved(1.0);
        imported.job.measured_by = MeasuredBy::Benchexec;
        assert_eq!(labels(&[solved(1.0), imported]), ["batsat", "batsat (by BenchExec)"]);
    }
}
