//! Families of instances. A report pools instances of one family and keeps families apart.
//!
//! A config states a family by `family` on an entry. Otherwise it is derived from the instance, and is its kind if the
//! kind has no families. A stated family of several kinds is a family for each kind. If instances of one family have
//! both answers, each answer has a family of its own. Examples are `torus`, `pigeonhole` and `excluded diagonals,
//! unsatisfiable`.

use std::collections::{BTreeMap, HashMap, HashSet};

use bezzel_experiment::{ExperimentRecord, Row, Verdict};
use bezzel_problem::{FormRank, Instance};
use bezzel_solve::Answer;
use indexmap::{IndexMap, IndexSet};

use crate::instance_words::side;

/// The family of every instance of a record.
#[derive(Debug, Default)]
pub(crate) struct Families<'a> {
    of_instance: HashMap<&'a Instance, String>,
}

/// The answer of the rows on an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KnownAnswer {
    answer: Answer,
    verified: bool,
}

impl<'a> Families<'a> {
    /// Finds the family of each instance in a record.
    pub(crate) fn new(record: &'a ExperimentRecord) -> Self {
        let stated = |instance: &Instance| record.families.get(instance);
        // The answers that occur in each kind.
        let mut kinds: HashMap<String, Vec<Answer>> = HashMap::new();
        let mut of_kinds: Vec<(&Instance, String, Option<Answer>)> = Vec::new();
        let answers = instance_answers(&record.rows);
        // The kinds of problems of each stated family, which are families of their own.
        let mut problems: HashMap<&String, HashSet<&str>> = HashMap::new();
        for instance in answers.keys() {
            if let Some(family) = stated(instance) {
                problems.entry(family).or_default().insert(instance.kind());
            }
        }
        for (instance, answer) in answers {
            let kind = match stated(instance) {
                Some(family) if problems[family].len() > 1 => {
                    format!("{family}, {}", instance.kind())
                }
                Some(family) => family.clone(),
                None => derived_family(instance),
            };
            let occurring = kinds.entry(kind.clone()).or_default();
            if let Some(answer) = answer.filter(|answer| !occurring.contains(answer)) {
                occurring.push(answer);
            }
            of_kinds.push((instance, kind, answer));
        }
        let of_instance = of_kinds.into_iter().map(|(instance, kind, answer)| {
            if kinds[&kind].len() < 2 {
                return (instance, kind);
            }
            (instance, format!("{kind}, {}", side(answer.unwrap_or(Answer::Unknown))))
        });
        Self { of_instance: of_instance.collect() }
    }

    /// The family of an instance. Without a row of the instance it is derived from the instance.
    pub(crate) fn of(&self, instance: &Instance) -> String {
        self.of_instance.get(instance).cloned().unwrap_or_else(|| derived_family(instance))
    }
}

/// The answers that sound rows have on each instance of these rows: the first verified one, or else the first one.
pub(crate) fn instance_answers<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
) -> BTreeMap<&'a Instance, Option<Answer>> {
    let mut answers: BTreeMap<&Instance, Option<KnownAnswer>> = BTreeMap::new();
    for row in rows {
        let known = answers.entry(&row.job.instance).or_default();
        if row.solved() && row.status != Answer::Unknown {
            let answer =
                KnownAnswer { answer: row.status, verified: row.verdict == Verdict::Verified };
            if known.is_none_or(|known| answer.verified && !known.verified) {
                *known = Some(answer);
            }
        }
    }
    answers
        .into_iter()
        .map(|(instance, answer)| (instance, answer.map(|answer| answer.answer)))
        .collect()
}

/// The family that is derived from an instance alone. It does not depend on the size.
fn derived_family(instance: &Instance) -> String {
    instance.reported().family().unwrap_or_else(|| instance.kind().to_owned())
}

/// The kind of an instance without its size: its form if it has one, otherwise the kind of problem.
pub fn instance_kind(instance: &Instance) -> String {
    instance.reported().form().map_or_else(|| instance.kind().to_owned(), |form| form.name)
}

/// The name of each of these instances, as short as its kind has it. Instances with the same short name are numbered in
/// their order: `60 with 40 given values, no. 3`.
pub fn instance_names<'a>(
    instances: impl IntoIterator<Item = &'a Instance>,
) -> HashMap<&'a Instance, String> {
    let instances: IndexSet<&Instance> = instances.into_iter().collect();
    let mut alike: IndexMap<String, Vec<&Instance>> = IndexMap::new();
    for instance in instances {
        let name = instance.reported().short_name().unwrap_or_else(|| instance.to_string());
        alike.entry(name).or_default().push(instance);
    }
    let named = alike.into_iter().flat_map(|(name, instances)| {
        let several = instances.len() > 1;
        instances.into_iter().zip(1..).map(move |(instance, turn)| {
            (instance, if several { format!("{name}, no. {turn}") } else { name.clone() })
        })
    });
    named.collect()
}

/// True if the kind of an instance has forms.
pub(crate) fn has_form(instance: &Instance) -> bool {
    instance.reported().form().is_some()
}

/// The rank of the form of an instance.
pub fn rank(instance: &Instance) -> Option<FormRank> {
    instance.reported().form().map(|form| form.rank)
}

#[cfg(test)]
mod tests {
    use bezzel_problem::kind::langford::Langford;
    use bezzel_problem::kind::pigeonhole::Pigeonhole;

    use super::*;
    use crate::tests::sample::{solved, timed_out, unchecked, wrong};

    fn langford(number: u32) -> Instance {
        Langford::new(number).unwrap().into()
    }

    fn holes(pigeons: u32) -> Instance {
        Pigeonhole::new(pigeons, 3).unwrap().into()
    }

    fn on(instance: Instance, mut row: Row) -> Row {
        row.job.instance = instance;
        row
    }

    fn record(rows: Vec<Row>) -> ExperimentRecord {
        ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() }
    }

    #[test]
    fn answers_are_named_where_both_occur_and_a_wrong_one_does_not_count() {
        let alike = record(vec![on(langford(8), solved(1.0)), on(langford(9), wrong(1.0))]);
        let families = Families::new(&alike);
        assert_eq!([8, 9].map(|number| families.of(&langford(number))), ["langford"; 2]);
        let both = record(vec![
            on(langford(8), solved(1.0)),
            // An unchecked answer counts if there is no verified one.
            on(langford(3), unchecked(1.0)),
            on(langford(5), unchecked(1.0)),
            on(langford(5), solved(1.0)),
            on(langford(40), timed_out()),
        ]);
        let families = Families::new(&both);
        let of = |number| families.of(&langford(number));
        assert_eq!([of(8), of(5)], ["langford, satisfiable"; 2]);
        assert_eq!([of(3), of(40)], ["langford, unsatisfiable", "langford, unanswered"]);
    }

    #[test]
    fn a_stated_family_with_both_answers_is_two() {
        let rows = [5, 6, 7, 8].map(|number| {
            let answer = if number % 2 == 1 { Answer::Sat } else { Answer::Unsat };
            on(langford(number), Row { status: answer, ..solved(1.0) })
        });
        let mut stated = record(rows.into());
        for number in 5..9 {
            stated.families.insert(langford(number), "pairs".into());
        }
        let families = Families::new(&stated);
        let of = |number| families.of(&langford(number));
        assert_eq!([of(5), of(7)], ["pairs, satisfiable"; 2]);
        assert_eq!([of(6), of(8)], ["pairs, unsatisfiable"; 2]);
    }

    #[test]
    fn a_stated_family_of_several_kinds_is_a_family_for_each() {
        let rows = [holes(4), langford(3)].map(|instance| on(instance, solved(1.0)));
        let mut stated = record(rows.into());
        assert_eq!(Families::new(&stated).of(&langford(3)), "langford");
        for instance in [holes(4), langford(3)] {
            stated.families.insert(instance, "small".into());
        }
        let families = Families::new(&stated);
        assert_eq!(families.of(&langford(3)), "small, langford");
        assert_eq!(families.of(&holes(4)), "small, pigeonhole");
    }

    #[test]
    fn a_family_that_is_stated_is_the_family() {
        let rows = vec![on(langford(8), solved(1.0)), on(langford(3), unchecked(1.0))];
        let mut stated = record(rows);
        stated.families.insert(langford(3), "tiny".into());
        let families = Families::new(&stated);
        assert_eq!([8, 3].map(|number| families.of(&langford(number))), ["langford", "tiny"]);
    }
}
