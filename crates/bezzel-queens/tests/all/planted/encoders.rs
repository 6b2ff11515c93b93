//! Encoders with typical errors of authors.

use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::properties::LineProfile;
use bezzel_encode::properties::{self, Property, PropertyViolation};
use bezzel_encode::{AtMostOne, Auxiliaries, ClauseSink, EncodingInfo, Lit, Propagation, Size};

/// An encoder in a few lines.
struct Wrong {
    auxiliaries: Auxiliaries,
    at_most_one: fn(&[Lit], &mut dyn ClauseSink),
    exactly_one: fn(&[Lit], &mut dyn ClauseSink),
}

impl Wrong {
    /// Wrong as at most one, and therefore as exactly one.
    fn at_most_one(auxiliaries: Auxiliaries, at_most_one: fn(&[Lit], &mut dyn ClauseSink)) -> Self {
        Self { auxiliaries, at_most_one, exactly_one: |xs, out| Pairwise.exactly_one(xs, out) }
    }

    /// Right as at most one, wrong as exactly one.
    fn exactly_one(auxiliaries: Auxiliaries, exactly_one: fn(&[Lit], &mut dyn ClauseSink)) -> Self {
        Self { auxiliaries, at_most_one: |xs, out| Pairwise.encode(xs, out), exactly_one }
    }
}

impl AtMostOne for Wrong {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "wrong".into(),
            propagation: Propagation::Complete,
            auxiliaries: self.auxiliaries,
            ..EncodingInfo::default()
        }
    }

    fn size(&self, _n: u64) -> Option<Size> {
        None
    }

    fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        (self.at_most_one)(xs, out);
    }

    fn exactly_one(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
        (self.exactly_one)(xs, out);
    }
}

/// The violation that all properties together find; the verdict must find a fault too.
#[track_caller]
fn caught(wrong: &Wrong) -> PropertyViolation {
    let violation = properties::at_most_one::check(wrong).expect_err("it is wrong");
    if violation.property == Property::Meaning {
        let fault = LineProfile::of(wrong).correct.wrong.expect("it is wrong");
        assert_eq!(fault.drawing, violation.drawing, "{}", fault.what);
    }
    violation
}

/// Sinz's counter, whose last clauses are those of input `ends` from the end.
fn counter(xs: &[Lit], ends: usize, out: &mut dyn ClauseSink) {
    if xs.len() < 2 {
        return;
    }
    let s = out.fresh(xs.len() as u32 - 1);
    for (i, &x) in xs.iter().enumerate() {
        let i = i as u32;
        if i + 1 < xs.len() as u32 {
            out.clause(&[!x, s.lit(i)]);
            if i > 0 {
                out.clause(&[!s.lit(i - 1), s.lit(i)]);
            }
        }
        if i > 0 && (i as usize) < xs.len() - ends {
            out.clause(&[!x, !s.lit(i - 1)]);
        }
    }
}

#[test]
fn a_counter_that_is_off_by_one_lets_the_last_input_hold_too() {
    let right = Wrong::at_most_one(Auxiliaries::Free, |xs, out| counter(xs, 0, out));
    assert_eq!(properties::at_most_one::check(&right), Ok(()));
    let violation = caught(&Wrong::at_most_one(Auxiliaries::Free, |xs, out| counter(xs, 1, out)));
    assert_eq!((violation.property, &*violation.place), (Property::Meaning, "2 inputs"));
    assert_eq!(violation.what, "it wrongly allows that exactly these inputs hold: 1, 2");
    assert_eq!(violation.drawing, "1 2\n1 1");
}

#[test]
fn a_pair_that_is_missing_beyond_all_exhaustive_sizes_is_found_pair_by_pair_and_by_lot() {
    let wrong = Wrong::at_most_one(Auxiliaries::None, |xs, out| {
        Pairwise.encode(&xs[..xs.len().min(12)], out);
        for (i, &x) in xs.iter().enumerate().skip(12) {
            // From here on no input excludes the first one.
            xs[1..i].iter().for_each(|&y| out.clause(&[!x, !y]));
        }
    });
    let violation = properties::at_most_one::check(&wrong).expect_err("it is wrong");
    assert_eq!((violation.property, &*violation.place), (Property::Meaning, "13 inputs"));
    let correct = LineProfile::of(&wrong).correct;
    let fault = correct.wrong.expect("the ends are always tried");
    assert!(
        fault.what.contains("25 inputs: it wrongly allows that exactly these inputs hold: 1, 25"),
        "{}",
        fault.what
    );
    assert_eq!(correct.largest, 25);
}

#[test]
fn a_product_that_loses_a_corner_lets_it_hold_with_others_of_its_column() {
    let violation = caught(&Wrong::at_most_one(Auxiliaries::Free, |xs, out| {
        let side = (1..=xs.len()).find(|side| side * side >= xs.len()).unwrap_or(0);
        if xs.len() < 5 {
            return Pairwise.encode(xs, out);
        }
        let (rows, columns) = (out.fresh(side as u32), out.fresh(side as u32));
        for (index, &x) in xs.iter().enumerate() {
            out.clause(&[!x, rows.lit((index / side) as u32)]);
            if index + 1 < xs.len() {
                out.clause(&[!x, columns.lit((index % side) as u32)]);
            }
        }
        Pairwise.encode(&rows.lits().collect::<Vec<_>>(), out);
        Pairwise.encode(&columns.lits().collect::<Vec<_>>(), out);
    }));
    assert_eq!((violation.property, &*violation.place), (Property::Meaning, "5 inputs"));
    // The corner is alone in its row's half: only its column would distinguish it from input 4.
    assert_eq!(violation.drawing, "1 2 3 4 5\n0 0 0 1 1");
}

/// The regular encoding of exactly one: y₁ … yₙ₋₁ fall from true to false, and the input where they
/// do holds. The validity clauses are those that make them fall once.
fn ladder(xs: &[Lit], valid: bool, out: &mut dyn ClauseSink) {
    let n = xs.len() as u32;
    if n == 0 {
        return out.clause(&[]);
    }
    let y = out.fresh(n - 1);
    if valid {
        for i in 1..n - 1 {
            out.clause(&[!y.lit(i), y.lit(i - 1)]);
        }
    }
    for (i, &x) in (0..n).zip(xs) {
        // x ↔ the variable before is true, and this one false.
        let before = (i > 0).then(|| y.lit(i - 1));
        let this = (i < n - 1).then(|| !y.lit(i));
        for rung in [before, this].into_iter().flatten() {
            out.clause(&[!x, rung]);
        }
        let both: Vec<Lit> = [before, this].into_iter().flatten().map(|rung| !rung).collect();
        out.clause(&[&both, &[x][..]].concat());
    }
}

#[test]
fn a_ladder_without_its_validity_clauses_lets_several_hold() {
    let right = Wrong::exactly_one(Auxiliaries::Defined, |xs, out| ladder(xs, true, out));
    assert_eq!(properties::at_most_one::check(&right), Ok(()));
    let wrong = Wrong::exactly_one(Auxiliaries::Defined, |xs, out| ladder(xs, false, out));
    let violation = caught(&wrong);
    assert_eq!(
        (violation.property, &*violation.place),
        (Property::Meaning, "3 inputs, as exactly one")
    );
    assert_eq!(violation.drawing, "1 2 3\n1 0 1");
}

#[test]
fn exactly_one_that_allows_none_is_caught_though_it_is_a_right_at_most_one() {
    let wrong = Wrong::exactly_one(Auxiliaries::None, |xs, out| Pairwise.encode(xs, out));
    let violation = caught(&wrong);
    assert_eq!(violation.place, "0 inputs, as exactly one");
    assert_eq!(violation.what, "it wrongly allows that no input holds");
}

#[test]
fn exactly_one_must_find_the_last_input_by_propagation() {
    let hidden = Wrong::exactly_one(Auxiliaries::Free, |xs, out| {
        let z = out.fresh(1).lit(0);
        for z in [z, !z] {
            out.clause(&[xs, &[z]].concat());
        }
        Pairwise.encode(xs, out);
    });
    let violation =
        properties::at_most_one::propagation(&hidden, 4).expect_err("it is behind a variable");
    let expected = "all inputs but 1 are false, and it is not found to hold";
    assert_eq!((&*violation.place, &*violation.what), ("1 input, as exactly one", expected));
}

#[test]
fn a_wrong_size_of_exactly_one_is_caught() {
    struct Miscounting;
    impl AtMostOne for Miscounting {
        fn info(&self) -> EncodingInfo {
            Pairwise.info()
        }
        fn size(&self, n: u64) -> Option<Size> {
            Pairwise.size(n)
        }
        fn encode(&self, xs: &[Lit], out: &mut dyn ClauseSink) {
            Pairwise.encode(xs, out);
        }
        fn exactly_one_size(&self, n: u64) -> Option<Size> {
            Pairwise.size(n)
        }
    }
    let violation =
        properties::at_most_one::check(&Miscounting).expect_err("a clause is not counted");
    assert_eq!(
        (violation.property, &*violation.place),
        (Property::Size, "0 inputs, as exactly one")
    );
}

#[test]
fn few_inputs_are_legal_for_every_encoder() {
    let wrong = Wrong::at_most_one(Auxiliaries::None, |xs, out| match xs {
        [x] => out.clause(&[!*x]),
        _ => Pairwise.encode(xs, out),
    });
    let violation = caught(&wrong);
    assert_eq!(violation.what, "it wrongly forbids that exactly these inputs hold: 1");
}
