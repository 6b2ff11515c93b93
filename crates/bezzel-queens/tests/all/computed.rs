//! The profiles of encodings, compared with their declarations, published numbers, and each other.

use bezzel_encode::properties::{LineProfile, ModelCounts};
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{Auxiliaries, Registry, Settings};
use bezzel_queens::encode::properties::{self, BoardProfile};
use bezzel_queens::register;

fn found(id: &str) -> NamedEncoding {
    register(Registry::standard()).find(id).unwrap()
}

fn line(id: &str) -> LineProfile {
    let NamedEncoding::AtMostOne(amo) = found(id) else { panic!("{id} is an at-most-one") };
    LineProfile::of(&*amo)
}

fn board(id: &str) -> BoardProfile {
    BoardProfile::of(&*found(id).with_settings(Settings::default())).unwrap()
}

fn numbers(models: &[ModelCounts]) -> Vec<u128> {
    models.iter().map(|count| count.models.unwrap()).collect()
}

#[test]
fn every_encoding_states_its_title_its_idea_and_its_source() {
    for info in register(Registry::standard()).infos() {
        let texts = [&info.title, &info.idea, &info.citation];
        assert!(texts.iter().all(|text| !text.is_empty()), "{}", info.id);
        assert!(info.idea.ends_with('.') && info.idea.len() > 20, "{}: {}", info.id, info.idea);
    }
}

#[test]
fn models_of_profiles_are_those_that_were_worked_out() {
    // As exactly one the register is determined.
    let [_, exactly_one] = line("sequential-counter").forms;
    assert_eq!(numbers(&exactly_one.models), [2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(exactly_one.auxiliaries, Auxiliaries::Defined);
    let circuit = board("bryant-circuit+plaisted-greenbaum").models;
    assert_eq!(numbers(&circuit[..3]), [528, 54016, 9_077_760]);
    assert!(circuit.iter().map(|count| count.solutions).eq([2, 10, 4, 92]));
}

#[test]
fn the_diagram_of_four_clauses_a_node_misses_a_literal_of_three() {
    let [at_most_one, _] = line("bdd:ite").forms;
    let gap = at_most_one.gap.unwrap();
    assert!(gap.what.starts_with("at most one of 3 inputs: input 1 cannot hold"), "{}", gap.what);
    assert_eq!(gap.drawing, "1 2 3\n? . 1");
}

#[test]
fn ids_with_the_same_clauses_are_found_out() {
    let same = properties::ids_with_same_clauses(&register(Registry::standard()));
    let others = |id: &str| same.get(id).map(Vec::as_slice).unwrap_or_default();
    for id in ["implication", "native", "rustsat-pairwise"] {
        assert!(others("pairwise").contains(&id.to_owned()), "{id}");
        assert!(others(id).contains(&"pairwise".to_owned()), "{id}");
    }
    assert!(others("bitwise").contains(&"rustsat-bitwise".to_owned()));
    // The same clauses for 9 inputs, and others for 40.
    assert!(!others("commander:3").contains(&"commander:3+flat".to_owned()));
    assert!(others("bdd:ite").is_empty() && others("binary").is_empty());
}
