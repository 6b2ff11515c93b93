//! The properties that encoders of larger bounds and of weighted sums declare, on all assignments of few inputs.

use super::at_most_one::declared_by;
use super::constraint::{
    ConstraintProfile, ProfileSummary, threshold_functions, weaker, wrong_assignment,
};
use super::form::words;
use super::{Property, PropertyViolation};
use crate::amo::AtMostOne;
use crate::bound::Limit;
use crate::formula_stats::FormulaStats;
use crate::info::EncodingInfo;
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::sums::SumLimit;

/// The most inputs with a larger bound than one. Declared properties are those of the weakest of these bounds.
const INPUTS: usize = 8;

/// The first violation of each property, with the fewest inputs. An encoder that declares bounds of its properties is not
/// tried.
pub(super) fn violations(encoder: &dyn AtMostOne) -> Vec<PropertyViolation> {
    if encoder.info().bounds {
        return Vec::new();
    }
    if let Some(sums) = encoder.of_sums() {
        let mut all = threshold_functions(5, 6);
        all.sort_by_key(|sum| (sum.weights.len(), sum.weights.iter().sum::<u64>()));
        return violations_on(encoder, &sums.about(), &all);
    }
    let Some(bounds) = encoder.of_bounds() else { return Vec::new() };
    let all = (2..=INPUTS as u64).flat_map(|n| {
        let at_most =
            move |bound| SumLimit { weights: vec![1; n as usize], limit: Limit::AtMost, bound };
        (1..n).map(at_most)
    });
    violations_on(encoder, &bounds.about(), &all.collect::<Vec<_>>())
}

fn violations_on(
    encoder: &dyn AtMostOne,
    about: &EncodingInfo,
    all: &[SumLimit],
) -> Vec<PropertyViolation> {
    let mut found: Vec<PropertyViolation> = Vec::new();
    let mut add = |violation: PropertyViolation| {
        if found.iter().all(|known| known.property != violation.property) {
            found.push(violation);
        }
    };
    let mut profiles = Vec::new();
    for sum in all {
        let is_count = sum.weights.iter().all(|weight| *weight == 1);
        let weights: Vec<String> = sum.weights.iter().map(u64::to_string).collect();
        let place = if is_count {
            format!("at most {} of {} inputs", sum.bound, weights.len())
        } else {
            format!("a sum of at most {} with the weights {}", sum.bound, weights.join(", "))
        };
        let violation = |property, what: String| {
            PropertyViolation::new(about.id.clone(), property, &place, what)
        };
        let counted = written_size(encoder, sum);
        if let Some(stated) = sum.size(encoder).filter(|stated| *stated != counted) {
            let what = format!("stated {}, counted {}", words(stated), words(counted));
            add(violation(Property::Size, what));
        }
        let profile = ConstraintProfile::of_sum(encoder, sum);
        if let Some(weaker) = weaker(profile.propagation, about) {
            add(violation(Property::Propagation, weaker + declared_by(encoder)));
        }
        profiles.push(profile);
        // The caller tries at least and exactly of counts.
        let limits = if is_count { &[][..] } else { &[Limit::AtLeast, Limit::Exactly] };
        let others = limits.iter().find_map(|&limit| {
            let sum = SumLimit { limit, ..sum.clone() };
            Some((wrong_assignment(encoder, &sum)?, sum))
        });
        if let Some((held, sum)) = profile.wrong.map(|held| (held, sum.clone())).or(others) {
            let mut wrong = sum.counterexample(&about.id, held);
            if is_count {
                wrong.weights.clear();
            }
            add(wrong.violation());
        }
    }
    // A wrong encoder has other properties.
    let all = ProfileSummary::of(&profiles);
    if found.is_empty()
        && let Some(contradiction) = all.contradiction(about)
    {
        let is_of_propagation = all.weakest() != about.propagation;
        let property =
            if is_of_propagation { Property::Propagation } else { Property::Auxiliaries };
        let place = format!("all {} small constraints", profiles.len());
        found.push(PropertyViolation::new(about.id.clone(), property, place, contradiction));
    }
    found
}

/// The size of the clauses of a sum.
fn written_size(encoder: &dyn AtMostOne, sum: &SumLimit) -> Size {
    let mut stats = FormulaStats::new();
    let xs: Vec<_> = stats.fresh(sum.weights.len() as u32).lits().collect();
    sum.encode(encoder, &xs, &mut stats);
    let size = stats.size();
    Size { variables: size.variables - xs.len() as u128, ..size }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::amk::AtMostOneAsK;
    use crate::amk::adder::{Adder, Directions};
    use crate::amk::knuth_counter::KnuthCounter;
    use crate::bound::{AtMostK, AtMostSum};
    use crate::info::{Auxiliaries, Propagation};
    use crate::properties::check;
    use crate::properties::shapes::{self, ShapeGrid};
    use crate::registry::{NamedEncoding, Registry};
    use crate::sums::SumEncoding;
    use rustsat::types::Lit;

    /// Knuth's counter with a fault, as an encoder of counts and of sums.
    #[derive(Clone, Copy)]
    struct Faulty(Property);

    impl AtMostK for Faulty {
        fn about(&self) -> EncodingInfo {
            let about = KnuthCounter.about();
            match self.0 {
                Property::Auxiliaries => {
                    EncodingInfo { auxiliaries: Auxiliaries::Defined, ..about }
                }
                _ => about,
            }
        }

        fn at_most_size(&self, n: u64, k: u64) -> Option<Size> {
            match self.0 {
                Property::Size => Some(Size::new(0, 7, 0)),
                Property::Auxiliaries => KnuthCounter.at_most_size(n, k),
                _ => None,
            }
        }

        fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
            match self.0 {
                Property::Meaning if xs.len() > 4 => {
                    Limit::AtMost.encode(&KnuthCounter, &xs[1..], k, out);
                }
                Property::Propagation => {
                    Adder { directions: Directions::Up }.at_most(xs, k, out);
                }
                _ => KnuthCounter.at_most(xs, k, out),
            }
        }
    }

    impl AtMostSum for Faulty {
        fn about(&self) -> EncodingInfo {
            AtMostK::about(self)
        }

        fn size(&self, weights: &[u64], bound: u64) -> Option<Size> {
            let ones: u64 = weights.iter().sum();
            self.at_most_size(ones, bound).or_else(|| KnuthCounter.at_most_size(ones, bound))
        }

        fn at_most(&self, xs: &[Lit], weights: &[u64], bound: u64, out: &mut dyn ClauseSink) {
            let ones = xs.iter().zip(weights);
            let ones: Vec<Lit> =
                ones.flat_map(|(&x, &weight)| std::iter::repeat_n(x, weight as usize)).collect();
            AtMostK::at_most(self, &ones, bound, out);
        }
    }

    #[test]
    fn each_fault_is_found_with_few_inputs() {
        for (property, count, sum) in [
            (
                Property::Meaning,
                "on at most 1 of 5 inputs: it wrongly allows that exactly these inputs hold: 1, 2",
                "on a sum of at most ",
            ),
            (Property::Size, "on at most 1 of 3 inputs: stated 0 variables", "stated 0"),
            (
                Property::Propagation,
                "propagation weak, and `complete` is declared",
                "propagation refuting, and `complete` is declared",
            ),
            // Copies of a literal lose propagation, so its sums have no other fault.
            (Property::Auxiliaries, "auxiliary variables free", ""),
        ] {
            let faulty = Faulty(property);
            let found = [
                violations(&AtMostOneAsK(faulty)),
                violations(&*SumEncoding::above_totalizer(faulty)),
            ];
            let cases = found.iter().zip([count, sum]);
            for (found, expected) in cases.filter(|(_, expected)| !expected.is_empty()) {
                let found = found.iter().find(|found| found.property == property).unwrap();
                assert!(found.to_string().contains(expected), "{found}");
            }
        }
    }

    #[test]
    fn every_encoder_has_its_declared_properties() {
        let registry = Registry::standard();
        for encoder in registry.at_most_ones().iter().chain(registry.unlisted()) {
            assert_eq!(violations(&**encoder), [], "{}", encoder.info().id);
        }
    }

    /// Complete for k = 1 and weak above, with a declaration.
    struct Mixed([Propagation; 2]);

    impl AtMostK for Mixed {
        fn about(&self) -> EncodingInfo {
            EncodingInfo { id: "mixed".into(), propagation: self.0[1], ..KnuthCounter.about() }
        }

        fn propagation_of_one(&self) -> Propagation {
            self.0[0]
        }

        fn at_most_size(&self, _n: u64, _k: u64) -> Option<Size> {
            None
        }

        /// Each input that holds has one of k slots of its own; many inputs have Knuth's counter.
        fn at_most(&self, xs: &[Lit], k: u64, out: &mut dyn ClauseSink) {
            if xs.len() > 10 {
                return KnuthCounter.at_most(xs, k, out);
            }
            let slots: Vec<Vec<Lit>> =
                xs.iter().map(|_| out.fresh(k as u32).lits().collect()).collect();
            for (row, &x) in xs.iter().enumerate() {
                out.clause(&[&[!x][..], &slots[row]].concat());
                for (one, other) in slots[..row].iter().flat_map(|it| it.iter().zip(&slots[row])) {
                    out.clause(&[!*one, !*other]);
                }
            }
        }
    }

    #[test]
    fn an_encoder_that_is_complete_for_one_alone_declares_both() {
        let [weak, complete] = [Propagation::Weak, Propagation::Complete];
        for (declared, expected) in [
            (
                [complete; 2],
                "mixed: VIOLATES A PROPERTY: at most 2 of 4 inputs: propagation weak, and `complete` is declared; \
                 k = 1 has a declaration of its own (`propagation_of_one`) (property `propagation`)",
            ),
            (
                [weak; 2],
                "mixed: VIOLATES A PROPERTY: at most 1 of 40 inputs: it declares weak propagation, but up to this size \
                 it is complete; k = 1 has a declaration of its own (`propagation_of_one`) (property `propagation`)",
            ),
            (
                [complete, weak],
                "mixed: satisfies every property (propagation complete for k = 1 and weak for larger k, auxiliary \
                 variables free)",
            ),
        ] {
            let encoder = Arc::new(AtMostOneAsK(Mixed(declared)));
            let found = NamedEncoding::AtMostOne(encoder);
            assert_eq!(check(&found, None, None).unwrap().text, expected);
        }
        // Pigeons without a hole of their own are searched a few times only.
        let mixed = shapes::check(&AtMostOneAsK(Mixed([complete, weak])), ShapeGrid::of_bound(7));
        let extent = "39 numbers of inputs and bounds, up to 150 inputs";
        let expected = format!(
            "no fault found at {extent}; 2762 of 7966 assignments undecided, which `bezzel check` gives to a solver"
        );
        assert_eq!(mixed.unwrap().to_string(), expected);
        let complete = shapes::check(&AtMostOneAsK(KnuthCounter), ShapeGrid::of_bound(7));
        assert_eq!(complete.unwrap().to_string(), format!("right at {extent}"));
    }
}
