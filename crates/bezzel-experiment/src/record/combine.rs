//! Combination of several experiments to one record, for a report over all of them.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::check::cross;
use crate::record::evidence::{ExperimentRecord, RecordPart};
use crate::results::stored_results::rank;

impl ExperimentRecord {
    /// Combines several records, in the given order.
    ///
    /// - Rows are concatenated. Of several rows of a job the first one with a result stays: a skipped job counts less
    ///   than a run, and a run killed from outside counts least. All rows are examined together.
    /// - Sessions are renumbered, so that each row still names its own session.
    /// - The numbers of planned jobs are added, without the jobs of which an earlier record has a row.
    /// - The config contains every config as one document.
    /// - The question consists of the questions of the experiments, each once.
    pub fn combined(name: &str, records: Vec<Self>) -> Self {
        let mut whole = Self { name: name.to_owned(), ..Self::default() };
        let mut questions: Vec<String> = Vec::new();
        let mut places = HashMap::new();
        for record in records {
            let Self { environments, rows, readings, .. } = record;
            let before = whole.environments.len();
            let mut again = 0;
            for mut row in rows {
                row.session += before;
                match places.entry(row.key.clone()) {
                    Entry::Vacant(entry) => {
                        entry.insert(whole.rows.len());
                        whole.rows.push(row);
                    }
                    Entry::Occupied(entry) => {
                        again += 1;
                        let known = &mut whole.rows[*entry.get()];
                        if rank(&row) > rank(known) {
                            *known = row;
                        }
                    }
                }
            }
            whole.under_other_limits += record.under_other_limits;
            whole.planned += record.planned.saturating_sub(again);
            whole.readings.extend(readings.into_iter().map(|mut reading| {
                reading.session += before;
                reading
            }));
            whole.environments.extend(environments);
            whole.damage.extend(record.damage);
            whole.repeated += record.repeated;
            let mut families = record.families;
            // The statement of an earlier record on an instance stays.
            families.extend(std::mem::take(&mut whole.families));
            whole.families = families;
            // A name that an earlier record gives to another program is left out.
            for named in record.names {
                let is_taken = |known: &(String, String)| known.0 == named.0 || known.1 == named.1;
                if !whole.names.iter().any(is_taken) {
                    whole.names.push(named);
                }
            }
            for contradiction in record.contradictions {
                if !whole.contradictions.contains(&contradiction) {
                    whole.contradictions.push(contradiction);
                }
            }
            if !whole.config.is_empty() {
                whole.config.push_str("---\n");
            }
            for part in ["# ", &record.name, "\n", &record.config] {
                whole.config.push_str(part);
            }
            whole.parts.push(RecordPart { name: record.name, first_session: before });
            questions.extend(record.question.filter(|question| !questions.contains(question)));
        }
        for contradiction in cross::examine(&mut whole.rows) {
            if !whole.contradictions.contains(&contradiction) {
                whole.contradictions.push(contradiction);
            }
        }
        whole.question = (!questions.is_empty()).then(|| questions.join(" "));
        whole
    }

    /// Returns the solvers and engines whose rows have several versions, with these versions.
    pub fn several_versions(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for row in &self.rows {
            versions.entry(&row.job.solver).or_default().insert(&row.solver_version);
        }
        versions.retain(|_, versions| versions.len() > 1);
        versions
    }
}

#[cfg(test)]
mod tests {
    use bezzel_solve::Answer;

    use super::*;
    use crate::check::cross::tests::row;
    use crate::model::environment::Environment;
    use crate::model::row::{EvidenceKind, Row, Termination, Verdict};

    fn record(name: &str, rows: Vec<Row>) -> ExperimentRecord {
        ExperimentRecord {
            name: name.into(),
            question: Some(format!("{name}?")),
            config: format!("name: {name}\n"),
            environments: vec![Environment::default()],
            planned: rows.len() + 1,
            rows,
            ..ExperimentRecord::default()
        }
    }

    #[test]
    fn rows_of_several_experiments_stand_together_each_once_with_their_own_sessions() {
        let first = row(6, "a", Answer::Sat, Some(EvidenceKind::Rules));
        let second = row(7, "b", Answer::Sat, Some(EvidenceKind::Rules));
        let records =
            vec![record("one", vec![first.clone()]), record("two", vec![first.clone(), second])];
        let whole = ExperimentRecord::combined("both", records);
        let summaries: Vec<_> =
            whole.rows.iter().map(|row| (row.job.instance.size(), row.session)).collect();
        assert_eq!(summaries, [(6, 0), (7, 1)]);
        let experiments: Vec<_> = whole.rows.iter().map(|row| whole.experiment_of(row)).collect();
        assert_eq!(experiments, ["one", "two"]);
        // Two and three planned jobs, of which one is planned twice.
        let parts = whole.parts.iter().map(|part| (part.name.as_str(), part.first_session));
        assert_eq!(parts.collect::<Vec<_>>(), [("one", 0), ("two", 1)]);
        assert_eq!((whole.planned, whole.environments.len()), (4, 2));
        assert_eq!(whole.question.as_deref(), Some("one? two?"));
        assert_eq!(whole.config, "# one\nname: one\n---\n# two\nname: two\n");
        assert!(whole.contradictions.is_empty());
    }

    #[test]
    fn an_answer_replaces_a_run_that_was_killed_from_outside_in_either_order() {
        let answer = row(6, "a", Answer::Sat, Some(EvidenceKind::Rules));
        for termination in [Termination::HostError, Termination::Skipped] {
            let killed = Row { termination, ..row(6, "a", Answer::Unknown, None) };
            for (first, second, session) in [(&killed, &answer, 1), (&answer, &killed, 0)] {
                let records = [("one", first), ("two", second)];
                let records = records.map(|(name, row)| record(name, vec![row.clone()]));
                let whole = ExperimentRecord::combined("both", records.into());
                let summaries: Vec<_> =
                    whole.rows.iter().map(|row| (row.termination, row.session)).collect();
                assert_eq!(summaries, [(Termination::Finished, session)]);
                assert_eq!(whole.planned, 3);
            }
        }
    }

    #[test]
    fn answers_of_different_experiments_are_held_against_each_other() {
        let solution = row(6, "a", Answer::Sat, Some(EvidenceKind::Rules));
        let denial = row(6, "b", Answer::Unsat, None);
        let records = vec![record("one", vec![solution]), record("two", vec![denial])];
        let whole = ExperimentRecord::combined("both", records);
        assert_eq!(whole.contradictions.len(), 1);
        assert_eq!(whole.rows[1].verdict, Verdict::Wrong);
    }

    #[test]
    fn solvers_of_several_versions_are_reported() {
        let [one, mut other] = [6, 7].map(|side| row(side, "a", Answer::Sat, None));
        other.solver_version = "another".into();
        let whole = ExperimentRecord::combined("both", vec![record("one", vec![one, other])]);
        assert_eq!(whole.several_versions().len(), 1);
    }
}
