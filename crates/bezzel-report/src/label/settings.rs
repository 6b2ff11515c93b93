//! The settings that all encodings of a report have, and that their labels omit.

use std::collections::{BTreeMap, HashMap};

use bezzel_encode::{Constraints, SettingAxis, Settings};
use bezzel_experiment::job::encoding_label;
use bezzel_experiment::{Job, NO_ENCODING, Row};
use bezzel_problem::Instance;

use crate::number::count;

/// The settings that are common to all encodings.
#[derive(Debug, Default)]
pub(super) struct CommonSettings {
    /// The settings that all have. Settings in which some differ are at their defaults.
    settings: Settings,
    /// True if some encodings have their own set of constraints, and none is set for them.
    some_have_their_own: bool,
    /// The set of constraints on each instance, if each instance has one set and not all have the same.
    instances: HashMap<Instance, Constraints>,
}

impl CommonSettings {
    /// Finds the common value of each setting in these rows.
    pub(super) fn new(rows: &[Row]) -> Self {
        // An engine that reads the instance has no settings.
        let encoded = || rows.iter().map(|row| &row.job).filter(|job| job.encoding != NO_ENCODING);
        let mut settings = Settings::default();
        for axis in Settings::AXES {
            let has = |job: &&Job| axis.lines_only.is_none() || job.settings.constraints.is_some();
            let mut names = encoded().filter(has).filter_map(|job| axis.name(&job.settings));
            if let Some(first) = names.next()
                && names.all(|name| name == first)
            {
                settings = set(axis, settings, &first);
            }
        }
        let some_have_their_own = encoded().any(|job| job.settings.constraints.is_none());
        Self { settings, some_have_their_own, instances: constraints_by_instance(encoded()) }
    }

    /// The label of a job's encoding: its name, with the settings that are neither at their defaults nor
    /// those of all.
    pub(super) fn label(&self, job: &Job, name: &str) -> String {
        let mut shown = job.settings;
        for axis in Settings::AXES {
            if axis.name(&shown) == axis.name(&self.settings) {
                shown = set(axis, shown, axis.default());
            }
        }
        if !self.instances.is_empty() {
            shown.constraints = shown.constraints.map(|_| Constraints::default());
        }
        encoding_label(name, shown)
    }

    /// The settings of a row as they are on an instance; none if the instance has constraints that no row states.
    pub(super) fn on_instance(&self, settings: Settings, instance: &Instance) -> Option<Settings> {
        if self.instances.is_empty() || settings.constraints.is_none() {
            return Some(settings);
        }
        Some(Settings { constraints: Some(*self.instances.get(instance)?), ..settings })
    }

    /// The settings that the labels omit, in whole sentences: `All encodings state the set no-column-alo: rows exactly
    /// one, columns and diagonals at most one.`
    pub(super) fn sentence(&self) -> Option<String> {
        let who = |some: bool| {
            if some {
                "Encodings that have no set of constraints of their own"
            } else {
                "All encodings"
            }
        };
        let constraints = self.settings.constraints.unwrap_or_default();
        let stated = (constraints != Constraints::default()).then(|| {
            let who = who(self.some_have_their_own);
            format!("{who} state the set {constraints}: {}.", constraints.describe())
        });
        let under = Settings::AXES.iter().filter(|axis| !axis.label.is_empty());
        let under = under.filter_map(|axis| Some((axis, axis.words(&self.settings)?)));
        let (axes, under): (Vec<_>, Vec<_>) = under.unzip();
        let of_lines = axes.iter().any(|axis| axis.lines_only.is_some());
        let who = who(self.some_have_their_own && of_lines);
        let under =
            (!under.is_empty()).then(|| format!("{who} are under {}.", under.join(" and ")));
        let mut sets: BTreeMap<Constraints, usize> = BTreeMap::new();
        self.instances.values().for_each(|set| *sets.entry(*set).or_default() += 1);
        let sets = sets.iter().map(|(constraints, instances)| {
            format!("{constraints} on {}", count(*instances, "instance"))
        });
        let sets = sets.collect::<Vec<_>>().join(", ");
        let by_instance = (!sets.is_empty())
            .then(|| format!("Each instance has one set of constraints: {sets}."));
        let sentences: Vec<String> = stated.into_iter().chain(by_instance).chain(under).collect();
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }
}

/// The set of constraints on each instance; empty if some instance has several, or all have the same.
fn constraints_by_instance<'r>(
    jobs: impl Iterator<Item = &'r Job>,
) -> HashMap<Instance, Constraints> {
    let mut of_instance: HashMap<&Instance, Constraints> = HashMap::new();
    for job in jobs {
        let Some(constraints) = job.settings.constraints else { continue };
        if *of_instance.entry(&job.instance).or_insert(constraints) != constraints {
            return HashMap::new();
        }
    }
    let mut sets = of_instance.values();
    let first = sets.next();
    if sets.all(|set| Some(set) == first) {
        return HashMap::new();
    }
    of_instance.into_iter().map(|(instance, set)| (instance.clone(), set)).collect()
}

/// The settings with another value.
fn set(axis: &SettingAxis, settings: Settings, name: &str) -> Settings {
    axis.with(settings, name).expect("it is the name of a value")
}

#[cfg(test)]
mod tests {
    use bezzel_encode::InputOrder;

    use super::*;
    use crate::tests::sample::{of_size, solved};

    /// A row of an encoding under settings. Without constraints if it has its own set.
    fn under(encoding: &str, constraints: Option<Constraints>, input_order: InputOrder) -> Row {
        let mut row = solved(1.0);
        row.job.encoding = encoding.into();
        row.job.settings = Settings { constraints, input_order, ..Settings::default() };
        row
    }

    fn stated(encoding: &str, constraints: Option<Constraints>) -> Row {
        under(encoding, constraints, InputOrder::default())
    }

    /// The labels of the rows' encodings, and the sentence about all of them.
    fn labelled(rows: &[Row]) -> (String, Option<String>) {
        let alike = CommonSettings::new(rows);
        let labels: Vec<_> =
            rows.iter().map(|row| alike.label(&row.job, &row.job.encoding)).collect();
        (labels.join("; "), alike.sentence())
    }

    #[test]
    fn settings_that_all_encodings_have_are_in_no_label_and_are_stated_once() {
        let less = Some(Constraints::NoColumnAlo);
        // An engine that reads the instance has no encoding and no settings.
        let mut rows =
            vec![stated("pairwise", less), stated("product", less), stated(NO_ENCODING, None)];
        let (labels, sentence) = labelled(&rows);
        assert_eq!(labels, "pairwise; product; none");
        let what =
            "state the set no-column-alo: rows exactly one, columns and diagonals at most one.";
        assert_eq!(sentence, Some(format!("All encodings {what}")));
        // An encoding with its own set has no part in the common settings.
        rows.push(stated("bryant-circuit", None));
        let (labels, sentence) = labelled(&rows);
        assert_eq!(labels, "pairwise; product; none; bryant-circuit");
        assert_eq!(
            sentence,
            Some(format!("Encodings that have no set of constraints of their own {what}"))
        );
        rows.push(stated("product", Some(Constraints::Full)));
        let (labels, sentence) = labelled(&rows);
        let whole =
            "pairwise (no-column-alo); product (no-column-alo); none; bryant-circuit; product";
        assert_eq!((labels.as_str(), sentence), (whole, None));
        // A default is in no label and in no sentence.
        let default = [stated("pairwise", Some(Constraints::Full))];
        assert_eq!(labelled(&default), ("pairwise".into(), None));
    }

    #[test]
    fn constraints_of_instances_are_in_no_label() {
        let on = |size: u32, constraints| {
            let row = stated("product", Some(constraints));
            of_size(size, row)
        };
        let mut rows = vec![
            on(8, Constraints::Full),
            on(9, Constraints::Full),
            on(10, Constraints::Minimal),
            stated("bryant-circuit", None),
        ];
        let (labels, sentence) = labelled(&rows);
        assert_eq!(labels, "product; product; product; bryant-circuit");
        let sets =
            "Each instance has one set of constraints: full on 2 instances, minimal on 1 instance.";
        assert_eq!(sentence.as_deref(), Some(sets));
        // The labels distinguish two sets on one instance.
        rows.push(on(8, Constraints::Minimal));
        let labels = labelled(&rows).0;
        assert_eq!(
            labels,
            "product; product; product (minimal); bryant-circuit; product (minimal)"
        );
    }

    #[test]
    fn each_setting_is_left_out_by_itself() {
        let (full, minimal) = (Some(Constraints::Full), Some(Constraints::Minimal));
        let rows = [
            under("pairwise", minimal, InputOrder::Reversed),
            under("product", full, InputOrder::Reversed),
        ];
        let (labels, sentence) = labelled(&rows);
        assert_eq!(labels, "pairwise (minimal); product");
        assert_eq!(sentence.as_deref(), Some("All encodings are under input order reversed."));
        let rows = [full, minimal].map(|set| under("product", set, InputOrder::Random(7)));
        let (labels, sentence) = labelled(&rows);
        assert_eq!(labels, "product; product (minimal)");
        let all = "All encodings are under input order random:7.";
        assert_eq!(sentence.as_deref(), Some(all));
    }
}
