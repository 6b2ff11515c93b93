use super::Observation::Exact;
use super::*;
use crate::contrast::DRAWS;
use crate::outcome::other_offsets;
use crate::paired_design::DesignInstance;
use crate::ratio::Ratio;

/// A design of two arms: the ratio of the first to the second on each instance of each family.
fn paired_design(families: &[(&str, &[f64])]) -> PairedDesign {
    let mut design = PairedDesign::new(2);
    for (family, ratios) in families {
        for (place, ratio) in ratios.iter().enumerate() {
            let instance =
                DesignInstance { name: format!("{family} {place}"), family: (*family).into() };
            design.push(instance, vec![vec![Exact(1_000.0 * ratio)], vec![Exact(1_000.0)]]);
        }
    }
    design
}

/// The design with the noise of each family.
fn with_noise(mut design: PairedDesign, of_family: impl Fn(&str) -> f64) -> PairedDesign {
    for instance in 0..design.instances().len() {
        let noise = of_family(&design.instances()[instance].family);
        design.set_noise(instance, [noise; 2]);
    }
    design
}

fn comparison(designs: Vec<PairedDesign>, noise: f64) -> Comparison {
    let solver_designs = (0..).zip(designs).map(|(number, design)| {
        let label = format!("solver {number}");
        let design = with_noise(design, |_| noise);
        SolverDesign { number, program: label.clone(), label, design }
    });
    Comparison {
        arms: vec!["one".into(), "two".into()],
        solvers: solver_designs.collect(),
        rule: Rule { offset: 0.0, draws: DRAWS },
    }
}

fn relations(ranking: &Ranking) -> Vec<Relation> {
    ranking.comparisons.iter().map(|known| known.overall().relation).collect()
}

const HALF: &[f64] = &[0.5; 10];
const TWICE: &[f64] = &[2.0; 10];
const SAME: &[f64] = &[1.0; 10];

#[test]
fn an_arm_is_above_if_it_takes_less_under_all_of_two_solvers() {
    let below = || paired_design(&[("f", HALF)]);
    let ranking = rank(&comparison(vec![below(), below()], 0.0));
    assert_eq!(
        (&ranking.above[..], &ranking.letters[..]),
        (&[(0, 1)][..], &["a".into(), "b".into()][..])
    );
    assert!(
        ranking.missing.is_empty()
            && ranking.comparisons.iter().all(|known| !known.overall().solvers_differ)
    );
    let one = rank(&comparison(vec![below()], 0.0));
    assert!(one.above.is_empty() && one.missing[0].starts_with("1 solver only"), "{one:?}");
    // A second solver without a comparison agrees with nothing.
    let other = rank(&comparison(vec![below(), PairedDesign::new(2)], 0.0));
    assert!(other.above.is_empty(), "{other:?}");
}

#[test]
fn solvers_that_decide_otherwise_differ() {
    let ranking =
        rank(&comparison(vec![paired_design(&[("f", HALF)]), paired_design(&[("f", TWICE)])], 0.0));
    assert_eq!(relations(&ranking), [Relation::Less, Relation::More]);
    assert!(ranking.comparisons.iter().all(|known| known.overall().solvers_differ));
    assert!(ranking.above.is_empty());
    // An undecided pair differs from a decided one only if no ratio is in both intervals.
    let wide: Vec<f64> = (0..10).map(|place| [0.9, 1.3][place % 2]).collect();
    let ranking =
        rank(&comparison(vec![paired_design(&[("f", HALF)]), paired_design(&[("f", &wide)])], 0.0));
    assert_eq!(relations(&ranking), [Relation::Less, Relation::Undecided]);
    assert!(ranking.comparisons.iter().all(|known| known.overall().solvers_differ));
    let ranking =
        rank(&comparison(vec![paired_design(&[("f", SAME)]), paired_design(&[("f", &wide)])], 0.0));
    assert_eq!(relations(&ranking), [Relation::Equivalent, Relation::Undecided]);
    assert!(ranking.comparisons.iter().all(|known| !known.overall().solvers_differ));
}

/// The families and the overall outcome under each solver, each with its flag `solvers_differ`.
fn differing(ranking: &Ranking) -> Vec<(Vec<bool>, bool)> {
    let each = ranking.comparisons.iter().map(|known| {
        let families = known.outcomes.families.iter().map(|(_, of)| of.solvers_differ);
        (families.collect(), known.overall().solvers_differ)
    });
    each.collect()
}

#[test]
fn solvers_are_compared_in_each_family() {
    // In the family g the solvers decide the opposite; under the first there is no ratio over families.
    let signs = || paired_design(&[("f", HALF), ("g", TWICE)]);
    let ranking = rank(&comparison(vec![signs(), paired_design(&[("f", HALF), ("g", HALF)])], 0.0));
    assert_eq!(relations(&ranking), [Relation::DependsOnFamily, Relation::Less]);
    assert_eq!(differing(&ranking), [(vec![false, true], true), (vec![false, true], true)]);
    // Both lack a ratio for the same reason.
    let ranking = rank(&comparison(vec![signs(), signs()], 0.0));
    assert_eq!(differing(&ranking), [(vec![false, false], false), (vec![false, false], false)]);
    // The same ratio over all families, from families that differ.
    let wide: Vec<f64> = (0..20).map(|place| [0.1, 10.0][place % 2]).collect();
    let same = vec![
        paired_design(&[("f", HALF), ("g", &wide)]),
        paired_design(&[("f", SAME), ("g", &wide)]),
    ];
    let ranking = rank(&comparison(same, 0.0));
    assert_eq!(relations(&ranking), [Relation::Undecided, Relation::Undecided]);
    assert_eq!(differing(&ranking), [(vec![true, false], false), (vec![true, false], false)]);
    // A solver that has one family only is compared in that family, and not over all.
    let ranking = rank(&comparison(
        vec![paired_design(&[("g", TWICE)]), paired_design(&[("f", HALF), ("g", HALF)])],
        0.0,
    ));
    assert_eq!(differing(&ranking), [(vec![true], false), (vec![false, true], false)]);
}

#[test]
fn the_noise_of_one_family_decides_no_other_family() {
    let design = paired_design(&[("quiet", &[0.8; 10]), ("noisy", &[0.8; 10])]);
    let design = with_noise(design, |family| if family == "noisy" { 0.3 } else { 0.01 });
    let mut both = comparison(vec![PairedDesign::new(2)], 0.0);
    both.solvers[0].design = design;
    let outcomes = &rank(&both).comparisons[0].outcomes;
    let found: Vec<_> = outcomes
        .families
        .iter()
        .map(|(family, of)| (family.as_str(), of.relation, of.noise, of.is_within_noise()))
        .collect();
    let expected =
        [("quiet", Relation::Less, 0.01, false), ("noisy", Relation::Undecided, 0.3, true)];
    assert_eq!(found, expected);
    // The ratio over both families has measurements of the noisy one.
    assert_eq!((outcomes.overall.relation, outcomes.overall.noise), (Relation::Undecided, 0.3));
}

#[test]
fn an_effect_that_changes_its_sign_has_no_ratio_over_families() {
    let both = || paired_design(&[("f", HALF), ("g", TWICE)]);
    let ranking = rank(&comparison(vec![both(), both()], 0.0));
    let [known, _] = &ranking.comparisons[..] else { panic!("{ranking:?}") };
    let overall = known.overall();
    assert_eq!((overall.relation, overall.ratio.estimate), (Relation::DependsOnFamily, None));
    assert_eq!((overall.interval, overall.ratio.instances), (None, 20));
    let families: Vec<_> =
        known.outcomes.families.iter().map(|(family, of)| (family.as_str(), of.relation)).collect();
    assert_eq!(families, [("f", Relation::Less), ("g", Relation::More)]);
    let swapped = ranking.comparison(0, 1, 0).unwrap();
    assert_eq!(swapped.outcomes.families[0].1.relation, Relation::More);
    assert!(ranking.above.is_empty());
    // Four families are too small by themselves; together they decide the opposite of the fifth.
    let few: &[f64] = &[0.001; 5];
    let families = [("a", few), ("b", few), ("c", few), ("d", few), ("e", &TWICE[..6])];
    let ranking = rank(&comparison(vec![paired_design(&families)], 0.0));
    let found = ranking.comparisons[0].outcomes.families.iter().map(|(_, of)| of.relation);
    let [few, more] = [Relation::TooFewInstances, Relation::More];
    assert_eq!(found.collect::<Vec<_>>(), [few, few, few, few, more]);
    assert_eq!(relations(&ranking), [Relation::DependsOnFamily]);
    // A family without an effect does not change the sign.
    let ranking = rank(&comparison(vec![paired_design(&[("f", HALF), ("g", SAME)])], 0.0));
    let ratio = ranking.comparisons[0].overall().ratio.estimate.unwrap().exact().unwrap();
    assert!((ratio - 0.5_f64.sqrt()).abs() < 1e-9, "{ratio}");
}

#[test]
fn an_effect_within_the_noise_is_undecided() {
    let small = || paired_design(&[("f", &[1.2; 10])]);
    let by = |noise: f64| relations(&rank(&comparison(vec![small()], noise)));
    assert_eq!(
        [by(0.0), by(0.1), by(0.25)].concat(),
        [Relation::More, Relation::More, Relation::Undecided]
    );
}

#[test]
fn too_few_instances_are_reported() {
    let ranking = rank(&comparison(vec![paired_design(&[("f", &[0.5; 5])])], 0.0));
    assert_eq!(relations(&ranking), [Relation::TooFewInstances]);
    let missing = &ranking.missing[1];
    let expected = "1 of 1 pair under solver 0 has too few instances (the smallest number is 5).";
    assert!(missing.starts_with(expected) && missing.ends_with("need 6 instances."), "{missing}");
}

#[test]
fn other_offsets_are_shown_where_a_median_is_small() {
    let mut design = PairedDesign::new(2);
    for place in 0..6 {
        let instance = DesignInstance { name: place.to_string(), family: "f".into() };
        design.push(instance, vec![vec![Exact(990.0)], vec![Exact(0.0)]]);
    }
    let ratio = |ratio: Ratio| ratio.estimate.unwrap().exact().unwrap();
    let contrasts = [Contrast::of(0, 1)];
    let [small, large] = other_offsets(&design, &contrasts, 10.0)[0].unwrap();
    assert!((ratio(small) - 991.0).abs() < 1e-9 && (ratio(large) - 10.9).abs() < 1e-9);
    let found = rank(&Comparison {
        rule: Rule { offset: 10.0, draws: DRAWS },
        ..comparison(vec![design.clone()], 0.0)
    });
    assert!((ratio(found.comparisons[0].overall().ratio) - 100.0).abs() < 1e-9);
    assert_eq!(other_offsets(&design.shifted(200.0), &contrasts, 10.0), [None]);
}

#[test]
fn overlapping_ties_share_letters_and_no_other_arms_do() {
    // Four in a row, each distinguished from all but its neighbours.
    let apart = |one: usize, two: usize| one.abs_diff(two) > 1;
    let found = groups(4, apart);
    assert_eq!(found, [vec![0, 1], vec![1, 2], vec![2, 3]]);
    assert_eq!(letters(4, &found), ["a", "ab", "bc", "c"]);
}

#[test]
fn all_ties_are_one_group_and_all_apart_are_as_many_as_arms() {
    assert_eq!(letters(3, &groups(3, |_, _| false)), ["a", "a", "a"]);
    assert_eq!(letters(3, &groups(3, |_, _| true)), ["a", "b", "c"]);
    assert!(groups(0, |_, _| true).is_empty());
}

#[test]
fn arms_share_a_letter_exactly_if_they_were_not_distinguished() {
    // All relations of five arms. Each group must be as large as possible.
    let pairs: Vec<(usize, usize)> =
        (0..5).flat_map(|one| (one + 1..5).map(move |two| (one, two))).collect();
    for relation in 0..1 << pairs.len() {
        let apart = |one: usize, two: usize| {
            let place = pairs.iter().position(|pair| *pair == (one.min(two), one.max(two)));
            place.is_some_and(|place| relation >> place & 1 == 1)
        };
        let found = groups(5, apart);
        for &(one, two) in &pairs {
            let share = found.iter().any(|group| group.contains(&one) && group.contains(&two));
            assert_eq!(share, !apart(one, two), "{relation:b}");
        }
        for group in &found {
            let fits = |arm: &usize| {
                !group.contains(arm) && group.iter().all(|other| !apart(*arm, *other))
            };
            assert!(!(0..5).any(|arm| fits(&arm)), "{relation:b}");
        }
    }
}

#[test]
fn there_are_letters_beyond_z() {
    let found = groups(28, |_, _| true);
    assert_eq!(letters(28, &found)[25..], ["z", "a2", "b2"]);
}
