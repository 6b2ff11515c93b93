//! What solvers, encodings and numberings are called in a report: their ids, a solver's with all that
//! differs between its rows and changes what it does, an encoding's without the settings and a
//! numbering's without the shuffles that all have. Rows that are told apart here are cells apart, and
//! never pooled.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_encode::{Numbering, Settings};
use bezzel_lab::quantity::grouped;
use bezzel_lab::{Job, MeasuredBy, Row, Task};
use bezzel_problem::Instance;
use bezzel_solve::{ProofFormat, SEEDS};

use crate::distinct::distinct;
use crate::words::Words;

mod settings;

use self::settings::SetAlike;

/// What differs between the rows of each solver, and what all encodings and all numberings have in
/// common.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    of_solver: BTreeMap<String, Varied>,
    shuffled_alike: Switches,
    set_alike: SetAlike,
    /// The names of programs, each after the program as jobs have it.
    names: Vec<(String, String)>,
}

/// What a numbering shuffles beside the names of variables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Switches {
    literals: bool,
    polarity: bool,
    clauses: bool,
}

impl Switches {
    fn of(numbering: &Numbering) -> Self {
        Self {
            literals: numbering.literals.is_some(),
            polarity: numbering.polarity.is_some(),
            clauses: numbering.clauses.is_some(),
        }
    }

    /// Those that all rows of solvers shuffle, if they are numbered in several ways. Where there is
    /// one way only, its id has nothing that could be left out.
    fn shared(rows: &[Row]) -> Self {
        let firsts = rows.iter().filter(|row| row.job.task == Task::First);
        let mut numberings = firsts.map(|row| &row.job.numbering);
        let Some(first) = numberings.next() else { return Self::default() };
        let kind = |numbering: &Numbering| {
            let renamed = numbering.variables.is_some();
            (numbering.squares, numbering.auxiliaries, renamed, Self::of(numbering))
        };
        let (mut shared, mut several) = (Self::of(first), false);
        for numbering in numberings {
            let own = Self::of(numbering);
            shared.literals &= own.literals;
            shared.polarity &= own.polarity;
            shared.clauses &= own.clauses;
            several |= kind(numbering) != kind(first);
        }
        if several { shared } else { Self::default() }
    }
}

#[derive(Debug, Default)]
struct Varied {
    /// The names of options, seeds apart.
    options: BTreeSet<String>,
    /// Whether some rows are with a proof and some without, or proofs are of several formats.
    proofs: Vec<Option<ProofFormat>>,
    /// How many solutions were enough; nothing, where all were wanted.
    mosts: BTreeSet<Option<u64>>,
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
            if row.job.task == Task::Enumerate {
                varied.mosts.insert(row.job.most);
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
        let (shuffled_alike, set_alike) = (Switches::shared(rows), SetAlike::new(rows));
        Self { of_solver, shuffled_alike, set_alike, names: Vec::new() }
    }

    /// The same with the names of programs.
    pub(crate) fn naming(self, names: &[(String, String)]) -> Self {
        Self { names: names.to_vec(), ..self }
    }

    /// A label in which programs have their names.
    fn named(&self, label: String) -> String {
        let name = |label: String, (program, name): &(String, String)| label.replace(program, name);
        self.names.iter().fold(label, name)
    }

    /// The settings of a row as they are on a board; none if they are not known.
    pub(crate) fn on_board(&self, settings: Settings, instance: &Instance) -> Option<Settings> {
        self.set_alike.on_board(settings, instance)
    }

    /// The label of a job's encoding: its id, with the settings that are neither at their defaults nor
    /// those of [all others](Self::set_alike).
    pub(crate) fn encoding(&self, job: &Job) -> String {
        self.named(self.set_alike.label(job))
    }

    /// The settings that all encodings have, and no label says, in whole sentences.
    pub(crate) fn set_alike(&self, words: Words) -> Option<String> {
        self.set_alike.told(words)
    }

    /// The label of a solver's numbering: its id, or its order alone with what it shuffles beyond
    /// [all others](Self::shuffled_alike).
    pub(crate) fn numbering(&self, numbering: &Numbering) -> String {
        let shared = self.shuffled_alike;
        if shared == Switches::default() {
            return numbering.id();
        }
        let own = Numbering {
            literals: numbering.literals.filter(|_| !shared.literals),
            polarity: numbering.polarity.filter(|_| !shared.polarity),
            clauses: numbering.clauses.filter(|_| !shared.clauses),
            ..*numbering
        };
        let id = own.id();
        // Nothing here is as generated, and `shuffled` is what they all are.
        match id.strip_prefix("shuffled variables") {
            _ if own == Numbering::AS_GENERATED => own.squares.to_string(),
            Some(further) => format!("random variables{further}"),
            None => id,
        }
    }

    /// What every numbering of the solvers shuffles, and no label says: `literals and clauses`.
    pub(crate) fn shuffled_alike(&self) -> Option<String> {
        let Switches { literals, polarity, clauses } = self.shuffled_alike;
        let words = [(literals, "literals"), (polarity, "polarity"), (clauses, "clauses")];
        let words: Vec<&str> = words.iter().filter(|(on, _)| *on).map(|(_, word)| *word).collect();
        let (last, others) = words.split_last()?;
        Some(if others.is_empty() {
            (*last).to_owned()
        } else {
            format!("{} and {last}", others.join(", "))
        })
    }

    /// The label of a row's solver, with the task unless that is the first solution.
    pub(crate) fn with_task(&self, row: &Row) -> String {
        match row.job.task {
            Task::First => self.of(row),
            task => format!("{}, {task}", self.of(row)),
        }
    }

    /// The label of a row's solver. An option that is not set is not told: it is as the solver
    /// comes. Nor is a proof, unless others of the solver's rows have none.
    pub(crate) fn of(&self, row: &Row) -> String {
        let job = &row.job;
        let mut words = Vec::new();
        if let Some(Varied { options, proofs, mosts }) = self.of_solver.get(&job.solver) {
            let set = options.iter().filter_map(|name| Some((name, job.options.get(name)?)));
            words.extend(set.map(|(name, value)| format!("{name}={value}")));
            let formats = distinct(proofs.iter().flatten()).len();
            match job.proof {
                None if formats > 0 => words.push("proofs off".into()),
                Some(format) if formats > 1 => words.push(format!("{format} proofs")),
                _ => {}
            }
            // To look for some and for all are two things.
            match job.most.filter(|_| mosts.len() > 1) {
                Some(1) => words.push("first solution".into()),
                Some(most) => words.push(format!("{} solutions", grouped(most.into()))),
                None => {}
            }
        }
        if job.measured_by == MeasuredBy::Benchexec {
            words.push("by BenchExec".into());
        }
        let solver = self.named(job.solver.clone());
        if words.is_empty() { solver } else { format!("{solver} ({})", words.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::numbering::{AuxiliaryPlace, Squares};
    use bezzel_solve::OptionValue;

    use super::*;
    use crate::tests::sample::{seeded, shuffled, solved};

    fn labels(rows: &[Row]) -> Vec<String> {
        let labels = Labels::new(rows);
        rows.iter().map(|row| labels.of(row)).collect()
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

    fn numbered(numbering: Numbering) -> Row {
        let mut row = solved(1.0);
        row.job.numbering = numbering;
        row
    }

    #[test]
    fn shuffles_that_all_numberings_have_go_without_a_word() {
        let with =
            |numbering, clauses| numbered(Numbering { literals: Some(3), clauses, ..numbering });
        let orders = [
            Numbering::AS_GENERATED,
            Numbering::ordered(Squares::Spiral, AuxiliaryPlace::After),
            Numbering::ordered(Squares::RowMajor, AuxiliaryPlace::Before),
            Numbering::random(3),
        ];
        let told = |rows: &[Row]| {
            let labels = Labels::new(rows);
            let names: Vec<_> =
                rows.iter().map(|row| labels.numbering(&row.job.numbering)).collect();
            (names.join("; "), labels.shuffled_alike())
        };
        let (names, alike) = told(&orders.map(|order| with(order, Some(3))));
        assert_eq!(names, "row-major; spiral; auxiliaries before; random variables");
        assert_eq!(alike.as_deref(), Some("literals and clauses"));
        // What one of them does not shuffle is told of the others.
        let mut rows = orders.map(|order| with(order, Some(3)));
        rows[1].job.numbering.clauses = None;
        let (names, alike) = told(&rows);
        assert_eq!(
            names,
            "shuffled clauses; spiral; auxiliaries before, shuffled clauses; random variables+clauses"
        );
        assert_eq!(alike.as_deref(), Some("literals"));
        // With what is as generated, and where there is one kind only, ids stay whole.
        let (names, alike) = told(&[solved(1.0), shuffled(1, 1.0), shuffled(2, 1.0)]);
        assert_eq!((names.as_str(), alike), ("as-generated; random; random", None));
        let (names, alike) = told(&[with(orders[1], Some(1)), with(orders[1], Some(2))]);
        let whole = "spiral, shuffled literals+clauses";
        assert_eq!((names, alike), (format!("{whole}; {whole}"), None));
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
    fn one_solution_and_all_of_them_are_apart() {
        let enough = |most| {
            let mut row = solved(1.0);
            (row.job.task, row.job.most) = (Task::Enumerate, most);
            row
        };
        assert_eq!(
            labels(&[enough(None), enough(Some(1)), enough(Some(1000))]),
            ["batsat", "batsat (first solution)", "batsat (1,000 solutions)"]
        );
        assert_eq!(labels(&[enough(Some(1)), enough(Some(1))]), ["batsat", "batsat"]);
    }

    #[test]
    fn what_benchexec_measured_is_never_taken_for_our_own() {
        let mut imported = solved(1.0);
        imported.job.measured_by = MeasuredBy::Benchexec;
        assert_eq!(labels(&[solved(1.0), imported]), ["batsat", "batsat (by BenchExec)"]);
    }
}
