//! At-most-k encoders: their declarations, on every assignment of up to 8 literals, and `docs/at-most-k.md` with the
//! computed properties of all.
//!
//! After a change of encoders, write it again:
//!
//! ```text
//! BEZZEL_BLESS=1 cargo test -p bezzel-encode --test all bounds -- --ignored
//! ```

use std::fmt::Write;

use bezzel_encode::amk::{self, AtMostK, Limit, smallest::Found};
use bezzel_encode::certificate::Certificate;
use bezzel_encode::properties::constraint::{ConstraintProfile, ProfileSummary};
use bezzel_encode::size::grouped;
use bezzel_encode::{ClauseHash, ClauseSink, Formula, FormulaStats, Registry, Size, Tee};

use crate::pages::assert_current;

/// The number of literals up to which properties are computed.
const MAX_N: u32 = 8;

/// The properties for 1 ≤ k < n ≤ [`MAX_N`], put together. All are right.
fn computed(encoder: &dyn AtMostK, limit: Limit) -> ProfileSummary {
    let cases = (2..=MAX_N).flat_map(|n| (1..u64::from(n)).map(move |k| (n, k)));
    let profiles: Vec<ConstraintProfile> = cases
        .map(|(n, k)| {
            let profile = ConstraintProfile::of_bound(encoder, limit, n, k);
            assert_eq!(profile.wrong, None, "{}: {limit} {k} of {n}", encoder.about().id);
            profile
        })
        .collect();
    ProfileSummary::of(&profiles)
}

#[test]
fn every_encoder_is_certified_for_all_bounds() {
    for encoder in amk::all() {
        for (n, k) in (2..=MAX_N).flat_map(|n| (1..n).map(move |k| (n, k))) {
            let mut formula = Formula::new();
            let xs: Vec<_> = formula.fresh(n).lits().collect();
            Limit::AtMost.encode(&*encoder, &xs, k.into(), &mut formula);
            let certificate = Certificate::new(&formula, n, k);
            let why = certificate.err().map(|why| why.to_string());
            assert_eq!(why, None, "{}: at most {k} of {n}", encoder.about().id);
        }
    }
}

#[test]
fn every_constraint_allows_what_it_should_for_all_bounds() {
    for encoder in amk::all() {
        for (n, limit) in (0..=6_u32).flat_map(|n| Limit::ALL.map(|limit| (n, limit))) {
            for k in 0..=u64::from(n) + 1 {
                let profile = ConstraintProfile::of_bound(&*encoder, limit, n, k);
                assert_eq!(profile.wrong, None, "{}: {limit} {k} of {n}", encoder.about().id);
            }
        }
    }
}

/// The size of the written clauses.
fn written(encoder: &dyn AtMostK, limit: Limit, n: u64, k: u64) -> Size {
    let mut stats = FormulaStats::new();
    let xs: Vec<_> = stats.fresh(n as u32).lits().collect();
    limit.encode(encoder, &xs, k, &mut stats);
    let size = stats.size();
    Size { variables: size.variables - u128::from(n), ..size }
}

const HEAD: &str = "\
<!-- Written by `BEZZEL_BLESS=1 cargo test -p bezzel-encode --test all bounds -- --ignored`; not edited. -->

# At most k

This page compares encoders of the constraint that at most k of n literals are true. At least k is encoded as at most
n − k of the negations, and exactly k as both. For exactly k, the `+defined` encoders state both bounds on the same
outputs.

The columns *at most*, *at least* and *exactly* have two properties. They are computed from the clauses for
1 ≤ k < n ≤ 8: propagation after every partial assignment of the n literals, the auxiliary variables under every complete
assignment. A cell shows the weakest result of these cases.

- *Propagation*. `complete`: unit propagation finds every implied literal of the n and every conflict (this is arc
  consistency, GAC). `refuting`: it finds a conflict after every partial assignment that violates the constraint, but
  misses an implied literal. `weak`: it misses such a conflict.
- *Auxiliary variables*. `none`: there are none. `defined` (also called functionally defined): the n literals determine
  their values. `free`: the n literals do not determine them.
- *Sizes*: auxiliary variables / clauses, for at most k of n literals.

Each id names an encoding of files and problems in every command and config. `totalizer:bounded`, `adder+one-way`,
`smallest` and RustSAT's encoders have to be named: patterns such as `*` do not contain them. `bezzel check ID` also tries up to 150
literals ([checking.md](checking.md#encoders)).

For each of these encoders and 1 ≤ k < n ≤ 8, Bezzel finds two proofs. One shows that every solution of the constraint
extends to a model of the clauses, the other that every model satisfies the constraint. VeriPB accepts these proofs
([certificates.md](certificates.md)).

| id | at most | at least | exactly | k = 3, n = 10 | k = 10, n = 20 | k = 10, n = 100 | k = 500, n = 1,000 |
| --- | --- | --- | --- | ---: | ---: | ---: | ---: |
";

#[test]
fn the_smallest_formulas_are_those_of_the_page() {
    let page = include_str!("../../../../docs/smallest.md");
    for Found { n, k, auxiliaries, clauses } in amk::smallest::FOUND {
        let clause =
            |clause: &&[i8]| clause.iter().map(i8::to_string).collect::<Vec<_>>().join(" ");
        let listed = clauses.iter().map(clause).collect::<Vec<_>>().join(", ");
        let line = format!("- {k} of {n}, {auxiliaries}: `{listed}`");
        assert!(page.lines().any(|known| known == line), "{line}");
    }
}

#[test]
#[ignore = "second tier: every bound of up to 8 literals for each encoder"]
fn declared_properties_are_those_that_are_computed_and_the_page_is_current() {
    let mut made = HEAD.to_owned();
    let mut sources = String::new();
    for encoder in amk::all() {
        let about = encoder.about();
        let found = Limit::ALL.map(|limit| computed(&*encoder, limit));
        assert_eq!(found[0].contradiction(&about), None, "{}", about.id);
        let cells = found.map(|found| format!("{}, {}", found.weakest(), found.auxiliaries));
        let sizes = [(3, 10), (10, 20), (10, 100), (500, 1_000)].map(|(k, n)| {
            let size = Limit::AtMost.size(&*encoder, n, k);
            let is_counted = size.is_none() && about.id.starts_with("rustsat-");
            let counted = is_counted.then(|| written(&*encoder, Limit::AtMost, n, k));
            let clauses = |size: Size| {
                if size.clauses > 1_000_000_000_000 && size.clauses < Size::BOUND {
                    format!("> 10{}", superscript(size.clauses.ilog10()))
                } else {
                    grouped(size.clauses)
                }
            };
            size.or(counted).map_or("–".into(), |size| {
                format!("{} / {}", grouped(size.variables), clauses(size))
            })
        });
        let row = [vec![format!("`{}`", about.id)], cells.to_vec(), sizes.to_vec()].concat();
        writeln!(made, "| {} |", row.join(" | ")).unwrap();
        writeln!(
            sources,
            "- `{}`: {}. {} Source: {}.",
            about.id, about.title, about.idea, about.citation
        )
        .unwrap();
    }
    write!(made, "\n## Sources\n\n{sources}").unwrap();
    assert_current("at-most-k.md", &made, "bounds");
}

fn superscript(number: u32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    number.to_string().chars().map(|digit| digits[digit as usize - '0' as usize]).collect()
}

#[test]
fn sizes_are_those_that_are_written() {
    for encoder in amk::all() {
        for (n, limit) in (0..=18_u64).flat_map(|n| Limit::ALL.map(|limit| (n, limit))) {
            for k in 0..=n + 1 {
                let counted = written(&*encoder, limit, n, k);
                let id = encoder.about().id;
                if let Some(stated) = limit.size(&*encoder, n, k) {
                    assert_eq!(stated, counted, "{id}: {limit} {k} of {n}");
                } else {
                    assert!(id.starts_with("rustsat-"), "{id} states no size");
                }
            }
        }
    }
}

#[test]
fn at_most_one_is_the_same_as_before() {
    let registry = Registry::standard();
    let stream = |encode: &dyn Fn(&[bezzel_encode::Lit], &mut dyn ClauseSink), n: u32| {
        let mut sink = Tee(ClauseHash::new(), FormulaStats::new());
        let xs: Vec<_> = sink.fresh(n).lits().collect();
        encode(&xs, &mut sink);
        (sink.0.finish(), sink.1.size())
    };
    for encoder in amk::all() {
        let id = encoder.about().id;
        let mut all = registry.at_most_ones().iter().chain(registry.unlisted());
        let one = all.find(|one| one.info().id == id).expect("all are registered");
        for n in 2..40 {
            let before = stream(&|xs, out| one.encode(xs, out), n);
            let after = stream(&|xs, out| encoder.at_most(xs, 1, out), n);
            assert_eq!(before, after, "{id}: {n} literals");
            let before = stream(&|xs, out| one.exactly_one(xs, out), n);
            let after = stream(&|xs, out| Limit::Exactly.encode(&*encoder, xs, 1, out), n);
            let differs = id.starts_with("totalizer") || id.starts_with("sorting-network");
            assert!(
                before == after || differs && id.ends_with("+defined"),
                "{id}: exactly 1 of {n}"
            );
        }
    }
}
