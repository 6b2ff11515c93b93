//! Properties of every kind of problem, over the registry: tests cover a new kind without a change.

mod damaged;

use std::collections::HashMap;

use bezzel_problem::{
    Candidate, EntryFile, EntryValue, EntryValues, Instance, Search, Solution, UnknownId,
};

#[test]
fn the_groups_of_a_problem_and_the_rules_of_its_kind_accept_the_same() {
    for instance in Instance::examples() {
        assert_eq!(instance.disagreement(), None);
    }
}

#[test]
fn a_candidate_that_there_is_not_is_refused_by_both_checks() {
    for instance in Instance::examples() {
        let problem = instance.problem();
        for candidate in [problem.candidates(), problem.candidates() + 7, Candidate::MAX] {
            let solution = Solution::from_iter([candidate]);
            assert!(problem.check(&solution).is_err(), "{instance}");
            assert!(instance.check(&solution).is_err(), "{instance}");
        }
    }
}

#[test]
fn an_instance_is_read_back_from_its_json_and_has_a_short_label() {
    for instance in Instance::examples() {
        let text = serde_json::to_string(&instance).unwrap();
        assert_eq!(serde_json::from_str::<Instance>(&text).unwrap(), instance);
        let label = instance.to_string();
        assert!(!label.is_empty() && label.len() < 80, "{label}");
    }
}

#[test]
fn the_name_of_the_file_of_an_exact_cover_is_shown_and_is_no_part_of_its_identity() {
    let mut kinds = bezzel_problem::kinds().with_entries();
    let (_, _, instance) = kinds.find(|(kind, ..)| *kind == "exact-cover").unwrap();
    let named = |name: &str| {
        let bytes = b"a b\na\nb\n".to_vec().into();
        let file = EntryFile { name: name.into(), path: None, bytes };
        instance(&EntryValues(vec![("file", EntryValue::File(file))])).unwrap()
    };
    // The JSON of jobs from before names existed.
    let json = r#"{"exact-cover":{"items":["a","b"],"secondary":0,"options":[[0],[1]]}}"#;
    let nameless: Instance = serde_json::from_str(json).unwrap();
    let start = |instance: &Instance| instance.to_string().split(" (#").next().unwrap().to_owned();
    assert_eq!(start(&nameless), "exact-cover 2 items, 2 options");
    assert_eq!(start(&named("covers/a.txt")), "exact-cover covers/a.txt, 2 items, 2 options");
    let mut different = HashMap::new();
    for instance in [nameless.clone(), named("covers/a.txt"), named("b.txt")] {
        assert_eq!(instance, nameless);
        assert_eq!(
            serde_json::to_string(instance.identity().as_ref().unwrap_or(&instance)).unwrap(),
            json
        );
        let own = serde_json::to_string(&instance).unwrap();
        let read: Instance = serde_json::from_str(&own).unwrap();
        assert_eq!(read.to_string(), instance.to_string());
        different.insert(instance, own);
    }
    assert_eq!(different.len(), 1);
}

#[test]
fn different_examples_have_different_labels() {
    let mut labels: Vec<String> = Instance::examples().iter().map(ToString::to_string).collect();
    let number = labels.len();
    labels.sort();
    labels.dedup();
    assert_eq!(labels.len(), number, "{labels:?}");
}

#[test]
fn candidates_of_an_instance_have_different_labels() {
    for instance in Instance::examples() {
        let mut labels: Vec<String> = (0..instance.problem().candidates())
            .map(|candidate| instance.label(candidate))
            .collect();
        labels.sort();
        let number = labels.len();
        labels.dedup();
        assert_eq!(labels.len(), number, "{instance}");
    }
}

#[test]
fn every_kind_has_examples_with_solutions_and_without() {
    for (kind, ..) in bezzel_problem::kinds().with_entries() {
        let examples = Instance::examples().into_iter().filter(|instance| instance.kind() == kind);
        let found: Vec<bool> = examples
            .map(|instance| Search::new(&instance.problem()).first(u64::MAX).unwrap().is_some())
            .collect();
        assert!(found.contains(&true) && found.contains(&false), "{kind}: {found:?}");
    }
}

#[test]
fn keys_are_named_once_in_kebab_case_and_described_by_a_sentence() {
    for (kind, keys, _) in bezzel_problem::kinds().with_entries() {
        let names: Vec<&str> = keys.iter().map(|key| key.name).collect();
        for (place, name) in names.iter().enumerate() {
            assert!(!names[..place].contains(name), "{kind}: {name}");
            assert!(name.chars().all(|char| char.is_ascii_lowercase() || char == '-'), "{name}");
        }
        assert!(keys.iter().all(|key| key.about.ends_with('.')), "{kind}");
    }
    // The names of kinds are near each other in a message.
    let unknown = UnknownId::new(
        "kind of problem",
        "latin-squares",
        bezzel_problem::kinds().iter().map(|kind| kind.id),
    );
    assert!(unknown.to_string().ends_with("did you mean `latin-square`?"), "{unknown}");
}
