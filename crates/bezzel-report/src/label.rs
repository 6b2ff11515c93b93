//! The names of solvers and encodings in a report. A solver has its id with all properties that differ between its rows
//! and affect it. An encoding has its id without the settings that all have. Rows with different names are different
//! cells, and are never pooled. A numbering has its id, as configs write it.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_encode::Settings;
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{Job, NO_ENCODING, Row, Task};
use bezzel_problem::Instance;
use bezzel_solve::{ProofFormat, SEEDS};

use self::mixtures::CommonParts;
use self::settings::CommonSettings;
use crate::number::distinct;

mod mixtures;
mod settings;

/// The differences between the rows of each solver, and the common properties of all encodings.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    of_solver: BTreeMap<String, SolverVariation>,
    common_settings: CommonSettings,
    common_parts: CommonParts,
    /// The names of programs, each after the program in jobs.
    names: Vec<(String, String)>,
}

/// The text with the names of programs in the place of their calls.
pub(crate) fn with_program_names(text: &str, names: &[(String, String)]) -> String {
    let name = |text: String, (program, name): &(String, String)| text.replace(program, name);
    names.iter().fold(text.to_owned(), name)
}

#[derive(Debug, Default)]
struct SolverVariation {
    /// The names of options, seeds apart.
    options: BTreeSet<String>,
    /// The formats of proofs of the rows, none for a row without a proof. Several formats appear in the label.
    proofs: Vec<Option<ProofFormat>>,
    /// The numbers of solutions that suffice; none for all solutions.
    solution_limits: BTreeSet<Option<u64>>,
}

impl Labels {
    /// Finds the differences between rows.
    pub(crate) fn new(rows: &[Row]) -> Self {
        let mut first = BTreeMap::new();
        let mut of_solver: BTreeMap<String, SolverVariation> = BTreeMap::new();
        for row in rows {
            let (solver, options) = (&row.job.solver, &row.job.options);
            let known = *first.entry(solver).or_insert(options);
            let varied = of_solver.entry(solver.clone()).or_default();
            if row.job.task == Task::Enumerate {
                varied.solution_limits.insert(row.job.max_solutions);
            }
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
        let common_settings = CommonSettings::new(rows);
        let encodings = rows.iter().map(|row| row.job.encoding.as_str());
        let common_parts = CommonParts::new(encodings.filter(|id| *id != NO_ENCODING));
        Self { of_solver, common_settings, common_parts, names: Vec::new() }
    }

    /// The same with the names of programs.
    pub(crate) fn with_program_names(self, names: &[(String, String)]) -> Self {
        Self { names: names.to_vec(), ..self }
    }

    /// A label in which programs have their names.
    fn with_names(&self, label: &str) -> String {
        with_program_names(label, &self.names)
    }

    /// The settings of a row as they are on an instance; none if they are not known.
    pub(crate) fn on_instance(&self, settings: Settings, instance: &Instance) -> Option<Settings> {
        self.common_settings.on_instance(settings, instance)
    }

    /// The label of a job's encoding: its name, with the settings that are neither at their defaults nor
    /// those of [all others](Self::common_settings).
    pub(crate) fn encoding(&self, job: &Job) -> String {
        self.with_names(&self.common_settings.label(job, &self.encoding_name(job)))
    }

    /// The name of a job's encoding without settings: its id, or the parts in which a mixture differs from all others.
    fn encoding_name(&self, job: &Job) -> String {
        self.common_parts.name(&job.encoding)
    }

    /// The id from which the look of a job's encoding follows: its own, or that of the part in which a mixture differs
    /// from all others.
    pub(crate) fn look_id(&self, job: &Job) -> String {
        self.common_parts.look(&job.encoding)
    }

    /// The settings and the parts of mixtures that all encodings have, and that no label contains, in whole sentences.
    pub(crate) fn common_settings(&self) -> Option<String> {
        let sentences = self.common_parts.sentence().into_iter();
        let sentences: Vec<String> = sentences.chain(self.common_settings.sentence()).collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// The label of a row's solver, with the task unless that is the first solution.
    pub(crate) fn with_task(&self, row: &Row) -> String {
        match row.job.task {
            Task::Solve => self.solver(row),
            task => format!("{}, {task}", self.solver(row)),
        }
    }

    /// The label of a row's solver. Options at their defaults are left out. Proofs are left out, unless other rows of
    /// the solver have none.
    pub(crate) fn solver(&self, row: &Row) -> String {
        let job = &row.job;
        let mut words = Vec::new();
        if let Some(SolverVariation { options, proofs, solution_limits }) =
            self.of_solver.get(&job.solver)
        {
            let set = options.iter().filter_map(|name| Some((name, job.options.get(name)?)));
            words.extend(set.map(|(name, value)| format!("{name}={value}")));
            let formats = distinct(proofs.iter().flatten()).len();
            match job.proof {
                None if formats > 0 => words.push("proofs off".into()),
                Some(format) if formats > 1 => words.push(format!("{format} proofs")),
                _ => {}
            }
            // The search for some solutions and that for all are different tasks.
            match job.max_solutions.filter(|_| solution_limits.len() > 1) {
                Some(1) => words.push("first solution".into()),
                Some(max_solutions) => {
                    words.push(format!("{} solutions", grouped(max_solutions.into())));
                }
                None => {}
            }
        }
        let solver = self.with_names(&job.solver);
        if words.is_empty() { solver } else { format!("{solver} ({})", words.join(", ")) }
    }
}

/// The ids with the names that their authors write.
const NAMES: [(&str, &str); 3] =
    [("cadical", "CaDiCaL"), ("batsat", "BatSat"), ("kissat", "Kissat")];

/// The endings of labels of solvers whose times include writing a proof. People read this in a sentence.
const PROOFS: [&str; 2] = [" + LRAT", " + DRAT"];

/// The text with names in the place of ids that are words of their own, and without the formats of proofs. An id within
/// another one, as in `blocking:batsat`, stays.
pub(crate) fn with_solver_names(text: &str) -> String {
    let text = PROOFS.iter().fold(text.to_owned(), |text, proofs| text.replace(proofs, ""));
    let named = text.split_inclusive([' ', ',', ';']).map(|part| {
        let word = part.trim_end_matches([' ', ',', ';']);
        let name = NAMES.iter().find(|(id, _)| *id == word).map(|(_, name)| *name);
        name.map_or_else(|| part.to_owned(), |name| part.replacen(word, name, 1))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bezzel_solve::OptionValue;

    use crate::tests::sample::{seeded, solved};

    fn labels(rows: &[Row]) -> Vec<String> {
        let labels = Labels::new(rows);
        rows.iter().map(|row| labels.solver(row)).collect()
    }

    fn with(options: &[(&str, i64)]) -> Row {
        let mut row = solved(1.0);
        for &(name, value) in options {
            std::sync::Arc::make_mut(&mut row.job.options)
                .insert(name.into(), OptionValue::Integer(value));
        }
        row
    }

    #[test]
    fn a_solver_is_labelled_by_the_options_that_vary_and_no_others() {
        let rows = [with(&[("quiet", 1), ("factor", 0)]), with(&[("quiet", 1), ("factor", 1)])];
        assert_eq!(labels(&rows), ["batsat (factor=0)", "batsat (factor=1)"]);
    }

    #[test]
    fn labels_name_only_the_options_that_are_set() {
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
        // None of them has a proof: the notes under the tables state this.
        assert_eq!(labels(&[proved(None)]), ["batsat"]);
        assert_eq!(
            labels(&[proved(lrat), proved(drat), proved(None)]),
            ["batsat (lrat proofs)", "batsat (drat proofs)", "batsat (proofs off)"]
        );
    }

    #[test]
    fn one_solution_and_all_of_them_are_apart() {
        let enough = |max_solutions| {
            let mut row = solved(1.0);
            (row.job.task, row.job.max_solutions) = (Task::Enumerate, max_solutions);
            row
        };
        assert_eq!(
            labels(&[enough(None), enough(Some(1)), enough(Some(1000))]),
            ["batsat", "batsat (first solution)", "batsat (1,000 solutions)"]
        );
        assert_eq!(labels(&[enough(Some(1)), enough(Some(1))]), ["batsat", "batsat"]);
    }

    #[test]
    fn ids_that_are_words_have_their_names() {
        let text = "cadical (proofs off), batsat, blocking:batsat";
        assert_eq!(with_solver_names(text), "CaDiCaL (proofs off), BatSat, blocking:batsat");
        assert_eq!(with_solver_names("after kissat"), "after Kissat");
        assert_eq!(with_solver_names("cadical (factor=0) + LRAT, sat"), "CaDiCaL (factor=0), sat");
        assert_eq!(with_solver_names(""), "");
    }
}
