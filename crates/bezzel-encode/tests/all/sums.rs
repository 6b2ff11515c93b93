//! Encoders of weighted sums: their declarations on the complete catalogue of small sums, and `docs/weighted-sums.md`.
//!
//! After a change of encoders, write it again:
//!
//! ```text
//! BEZZEL_BLESS=1 cargo test -p bezzel-encode --test all sums
//! ```

use std::fmt::Write;

use bezzel_encode::amk::Limit;
use bezzel_encode::properties::constraint::{
    ConstraintProfile, ProfileSummary, has_five_inputs, threshold_functions,
};
use bezzel_encode::size::grouped;
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{AtMostOne, Registry};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::pages::assert_current;

/// The profiles of an encoder on sums, put together. All are right.
fn profile_on(encoder: &dyn AtMostOne, sums: &[SumLimit]) -> ProfileSummary {
    let profiles: Vec<ConstraintProfile> =
        sums.iter().map(|sum| ConstraintProfile::of_sum(encoder, sum)).collect();
    for (profile, sum) in profiles.iter().zip(sums) {
        assert_eq!(profile.wrong, None, "{}: {sum:?}", encoder.info().id);
    }
    ProfileSummary::of(&profiles)
}

fn cells(profile: &ProfileSummary) -> [String; 2] {
    let ProfileSummary { numbers: [complete, refuting, weak], missed, .. } = profile;
    [format!("{complete} / {refuting} / {weak}"), format!("{:.1} %", 100.0 * missed)]
}

/// The same under a condition: the number of sums for which unit propagation makes an open condition false after each
/// violation of the bound, and the numbers of sums with each strength if the condition is true.
fn under_condition(encoder: &dyn AtMostOne, sums: &[SumLimit]) -> [String; 2] {
    let profiles: Vec<[ConstraintProfile; 3]> =
        sums.iter().map(|sum| ConstraintProfile::under_condition(encoder, sum)).collect();
    for ([open, _, without], sum) in profiles.iter().zip(sums) {
        assert_eq!(open.wrong, None, "{}: {sum:?}", encoder.info().id);
        // Without the condition, all assignments are right.
        assert_eq!(without.implied, 0, "{}: {sum:?}", encoder.info().id);
    }
    let of = |place: usize| -> Vec<ConstraintProfile> {
        profiles.iter().map(|all| all[place]).collect()
    };
    let [complete, _, _] = ProfileSummary::of(&of(0)).numbers;
    let [with, _] = cells(&ProfileSummary::of(&of(1)));
    [complete.to_string(), with]
}

/// The properties are those that the encoder declares for at most, or better ones if it declares bounds of them.
#[track_caller]
fn assert_declared(encoder: &dyn AtMostOne, profile: &ProfileSummary) {
    let about = encoder.of_sums().unwrap().about();
    assert_eq!(profile.contradiction(&about), None, "{}", about.id);
    assert_eq!(profile.auxiliaries, about.auxiliaries, "{}", about.id);
}

#[test]
fn the_catalogue_has_as_many_functions_as_are_published() {
    // With the two constants: OEIS A000617.
    for (inputs, heaviest, published) in [(1, 1, 3), (2, 2, 5), (3, 3, 10), (4, 4, 27), (5, 6, 119)]
    {
        assert_eq!(threshold_functions(inputs, heaviest).len() + 2, published, "{inputs}");
    }
    // As many as another program found.
    assert_eq!(threshold_functions(5, 6).iter().filter(|sum| has_five_inputs(sum)).count(), 75);
}

#[test]
#[ignore = "second tier: functions of six inputs"]
fn encoders_keep_their_declarations_on_all_functions_of_six_inputs() {
    let catalogue = threshold_functions(6, 10);
    assert_eq!(catalogue.len() + 2, 1_113);
    for encoder in Registry::standard().sums() {
        assert_declared(encoder.as_ref(), &profile_on(encoder.as_ref(), &catalogue));
    }
}

const HEAD: &str = "\
<!-- Written by `BEZZEL_BLESS=1 cargo test -p bezzel-encode --test all sums`; not edited. -->

# Weighted sums

This page compares encoders of the constraint that the weights of the true literals add up to at most a bound. At least
is encoded as at most of the negations, and an equation as both. An encoder gives a sum of equal weights the clauses of
a count, and a sum that only all literals together exceed is one clause.

Every threshold function has least weights. Up to the order and the negation of inputs there are 117 functions of up to five inputs,
without the two constants ([OEIS A000617](https://oeis.org/A000617)). 75 of them have five inputs that matter, each with a
weight up to the bound. The properties are computed from the clauses of these 75, after every partial assignment.

- *Complete / refuting / weak*: the number of functions with this propagation. `complete`: unit propagation finds every
  implied literal and every conflict. `refuting`: it finds a conflict after every partial assignment that violates the
  constraint. `weak`: it misses such a conflict.
- *Missed*: the share of implied literals and conflicts that unit propagation misses, the mean over the functions.
- *Equation*: the same for Σ wᵢ·xᵢ = b, relative to the equation. Two bounds that are complete each are in general not
  complete together. Each bound of the equation, and at least alone, has the properties of at most.
- *Condition*: the same for r → Σ wᵢ·xᵢ ≤ b as one sum ([python.md](python.md#conditions)). `¬r`: the number of functions
  for which unit propagation makes an open r false after each violation of the bound. `r`: complete / refuting / weak if r
  is true. If r is false, nothing follows.
- *Auxiliary variables* as in [at-most-k.md](at-most-k.md).
- *Clauses*: those of the 75 functions together.
- *n, W*: auxiliary variables / clauses for n random weights from 1 to W, and half of their sum as the bound. `–`: the
  encoder refuses the sum, since it makes more than 100,000,000 clauses, a diagram has more than 2,000,000 nodes, or a node
  of a totalizer more than 20,000,000 pairs of sums.

Each id names an encoding of files and problems in every command and config. Other encoders of larger bounds repeat a
literal of weight w w times ([constraint-files.md](constraint-files.md)).

| id | at most: complete / refuting / weak | missed | equation: complete / refuting / weak | missed | condition: ¬r | condition: r | auxiliary variables | clauses | 20, 10 | 100, 1,000 | 1,000, 1,000,000 |
| --- | --- | ---: | --- | ---: | ---: | --- | --- | ---: | ---: | ---: | ---: |
";

/// Random weights, and half of their sum as the bound.
fn random(n: usize, heaviest: u64) -> SumLimit {
    let mut random = ChaCha8Rng::seed_from_u64(44);
    let weights: Vec<u64> = (0..n).map(|_| random.random_range(1..=heaviest)).collect();
    SumLimit { limit: Limit::AtMost, bound: weights.iter().sum::<u64>() / 2, weights }
}

#[test]
fn encoders_keep_their_declarations_and_the_page_is_current() {
    let registry = Registry::standard();
    let catalogue = threshold_functions(5, 6);
    let whole: Vec<SumLimit> =
        catalogue.iter().filter(|sum| has_five_inputs(sum)).cloned().collect();
    let equations: Vec<SumLimit> =
        whole.iter().map(|sum| SumLimit { limit: Limit::Exactly, ..sum.clone() }).collect();
    let (mut made, mut sources) = (HEAD.to_owned(), String::new());
    for encoder in registry.sums().map(AsRef::as_ref) {
        let about = encoder.of_sums().unwrap().about();
        assert_declared(encoder, &profile_on(encoder, &catalogue));
        // A lower bound is an upper bound of the negations.
        let lower: Vec<SumLimit> = catalogue
            .iter()
            .map(|sum| SumLimit { limit: Limit::AtLeast, bound: sum.bound + 1, ..sum.clone() })
            .collect();
        assert_declared(encoder, &profile_on(encoder, &lower));
        let profile = profile_on(encoder, &whole);
        let equation = profile_on(encoder, &equations);
        let sizes = [(20, 10), (100, 1_000), (1_000, 1_000_000)].map(|(n, heaviest)| {
            random(n, heaviest).size(encoder).map_or("–".into(), |size| {
                format!("{} / {}", grouped(size.variables), grouped(size.clauses))
            })
        });
        let clauses = whole.iter().map(|sum| sum.size(encoder).unwrap().clauses).sum::<u128>();
        let row = [
            vec![format!("`{}`", about.id)],
            cells(&profile).to_vec(),
            cells(&equation).to_vec(),
            under_condition(encoder, &whole).to_vec(),
            vec![profile.auxiliaries.to_string(), grouped(clauses)],
            sizes.to_vec(),
        ];
        writeln!(made, "| {} |", row.concat().join(" | ")).unwrap();
        let aliases = match &*about.aliases {
            [] => String::new(),
            all => format!(" (`{}`)", all.join("`, `")),
        };
        let (title, idea, citation) = (about.title, about.idea, about.citation);
        writeln!(sources, "- `{}`{aliases}: {title}. {idea} Source: {citation}.", about.id)
            .unwrap();
    }
    write!(made, "\n## Sources\n\n{sources}").unwrap();
    assert_current("weighted-sums.md", &made, "sums");
}
