//! The profiles of encodings, compared with their declarations, published numbers, and each other.

use bezzel_encode::amo::sequential_counter::SequentialCounter;
use bezzel_encode::properties::{LineProfile, ModelCounts};
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{AtMostOne, Auxiliaries, Propagation, Registry, Settings};
use bezzel_queens::encode::properties::{self, BoardProfile};
use bezzel_queens::register;

use crate::tiers::Tier;

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

fn check_at_most_ones(tier: Tier) {
    let all = register(Registry::standard()).at_most_ones().to_vec();
    for amo in tier.encodings(all, |amo| amo.info().id) {
        let (info, verdict) = (amo.info(), LineProfile::of(&*amo));
        let id = &info.id;
        assert_eq!(verdict.correct.wrong, None, "{id}");
        assert_eq!(verdict.correct.undecided, 0, "{id}");
        let [at_most_one, exactly_one] = &verdict.forms;
        assert_eq!(at_most_one.auxiliaries, info.auxiliaries, "{id}");
        let is_complete = info.propagation == Propagation::Complete;
        for form in [at_most_one, exactly_one] {
            assert_eq!(form.gap.is_none(), is_complete, "{id}, {}: {:?}", form.form, form.gap);
        }
    }
}

#[test]
fn every_at_most_one_has_its_declared_properties() {
    check_at_most_ones(Tier::Default);
}

#[test]
#[ignore = "second tier: all encodings"]
fn all_at_most_ones_have_their_declared_properties() {
    check_at_most_ones(Tier::Second);
}

fn check_board_encodings(tier: Tier) {
    let all = register(Registry::standard()).whole_encodings().to_vec();
    for encoding in tier.encodings(all, |encoding| encoding.info().id) {
        let info = encoding.info();
        let Some(verdict) = BoardProfile::of(&*encoding) else { continue };
        let id = &info.id;
        assert_eq!(verdict.correct.wrong, None, "{id}");
        assert_eq!((verdict.correct.undecided, verdict.correct.exhaustive), (0, 8), "{id}");
        assert_eq!(verdict.one_queen, info.propagation, "{id}");
        assert_eq!(verdict.auxiliaries, info.auxiliaries, "{id}");
        assert!(verdict.every.found <= verdict.every.implied, "{id}");
    }
}

#[test]
fn every_board_encoding_has_its_declared_properties() {
    check_board_encodings(Tier::Default);
}

#[test]
#[ignore = "second tier: all encodings"]
fn all_board_encodings_have_their_declared_properties() {
    check_board_encodings(Tier::Second);
}

#[test]
fn models_of_single_lines_are_those_that_were_worked_out() {
    let at_most_one = |id: &str| numbers(&line(id).forms[0].models);
    let n = || 2..=8_u128;
    assert!(at_most_one("pairwise").into_iter().eq(n().map(|n| n + 1)));
    assert!(at_most_one("sequential-counter").into_iter().eq(n().map(|n| 2 * n)));
    let bits = |n: u128| 128 - (n - 1).leading_zeros();
    assert!(at_most_one("bitwise").into_iter().eq(n().map(|n| n + (1 << bits(n)))));
    // As exactly one the register is determined.
    let [_, exactly_one] = line("sequential-counter").forms;
    assert_eq!(numbers(&exactly_one.models), [2, 3, 4, 5, 6, 7, 8]);
    assert_eq!(exactly_one.auxiliaries, Auxiliaries::Defined);
}

#[test]
fn models_of_boards_are_those_that_were_worked_out() {
    let expected = [
        ("pairwise", [2, 10, 4, 92]),
        ("sequential-counter", [32, 930, 5184, 32_760_320]),
        ("bitwise", [32, 1536, 16384, 171_966_464]),
        ("product", [2, 10, 4, 269_192]),
    ];
    for (id, models) in expected {
        let verdict = board(id);
        assert_eq!(numbers(&verdict.models), models, "{id}");
        let solutions: Vec<u64> = verdict.models.iter().map(|count| count.solutions).collect();
        assert_eq!(solutions, [2, 10, 4, 92], "{id}");
    }
    let circuit = board("bryant-circuit+plaisted-greenbaum");
    assert_eq!(numbers(&circuit.models)[..3], [528, 54016, 9_077_760]);
}

#[test]
fn pairwise_finds_what_one_line_after_the_other_implies_and_nothing_more() {
    let verdict = board("pairwise");
    assert_eq!(verdict.gap_by_lines, None);
    for strength in [verdict.every, verdict.sampled] {
        assert_eq!(strength.found, strength.by_lines);
        assert_eq!(strength.dead_found, strength.dead_by_lines);
        assert!(strength.found < strength.implied && strength.dead_found < strength.dead);
    }
    // Every choice of up to four of sixteen squares, each with a queen or without.
    assert_eq!(verdict.every.boards, 1 + 32 + 480 + 4480 + 29120);
}

#[test]
fn all_rules_together_imply_what_no_line_does() {
    let gap = board("pairwise").gap_at_4.unwrap();
    assert!(gap.what.contains("no queen can stand on 1,1"), "{}", gap.what);
    assert_eq!(gap.drawing, "   1 2 3 4\n1  ? . . .\n2  . . . .\n3  . . . .\n4  . . . .");
}

#[test]
fn the_missed_implications_of_a_board_encoding_by_lines_are_drawn() {
    // No column is stated to hold a queen: the third square of a column is not found.
    let gap = board("bryant-circuit").gap_by_lines.unwrap();
    assert_eq!(gap.drawing, "   1 2 3\n1  x . .\n2  x . .\n3  . . .");
    let gap = board("bryant-circuit").gap_by_lines_at_4.unwrap();
    assert!(gap.what.contains("a queen must stand on 1,3"), "{}", gap.what);
    assert_eq!(gap.drawing, "   1 2 3 4\n1  . . ? .\n2  Q . . .\n3  . . . .\n4  . . . .");
    let verdict = board("binary");
    assert_eq!(verdict.one_queen, Propagation::Refuting);
    assert!(verdict.every.found < verdict.every.by_lines);
    // Consistency between every two rows excludes more than single lines do.
    let support = board("support");
    assert!(support.every.found > support.every.by_lines);
}

#[test]
fn the_diagram_of_four_clauses_a_node_misses_a_literal_of_three() {
    let [at_most_one, _] = line("bdd:ite").forms;
    let gap = at_most_one.gap.unwrap();
    assert!(gap.what.starts_with("at most one of 3 inputs: input 1 cannot hold"), "{}", gap.what);
    assert_eq!(gap.drawing, "1 2 3\n? . 1");
}

#[test]
fn sizes_of_a_profile_are_those_of_the_encoder() {
    let [at_most_one, _] = LineProfile::of(&SequentialCounter).forms;
    for (n, size) in at_most_one.sizes {
        assert_eq!(Some(size), SequentialCounter.size(n));
    }
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
