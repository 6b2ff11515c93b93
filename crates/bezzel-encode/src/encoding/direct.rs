//! Direct encodings: one variable for each candidate, and an at-most-one encoding on every group.
//!
//! *Clauses.* A group of which at least one literal holds is a clause. A group of which at most one holds is encoded by
//! the at-most-one encoding. [`Constraints`] selects the redundant constraints of a problem that are stated. Clauses of
//! the problem come last, in the section `clauses`.
//!
//! *Size.* One variable for each candidate, the literals of every clause, and f(m) for every group of m literals
//! of which at most one holds, for an at-most-one of cost f.
//!
//! *Excluded candidates* are left to the solver as unit clauses.
//!
//! *Input order* ([`InputOrder`]): the at-most-one encoding gets the literals of each
//! group in this order. Sizes do not depend on it.
//!
//! *Propagation and models.* Those of the at-most-one encoding. Where at most one per row or per column is left
//! implied, only search finds that two candidates there conflict: propagation is weak then, with any at-most-one.
//!
//! *Larger bounds* are encoded by the [same method](AtMostOne::of_bounds) where it has them: at least, at most or
//! exactly k, and two different bounds by two constraints.
//!
//! *Weights* are encoded by the [same method](AtMostOne::of_sums) where it has them. By another method of larger
//! bounds, a literal of weight w is w literals: it is right for equal literals, too, and its propagation may be weaker.
//! The weights of a group then add up to at most 1,000.
//!
//! *At-most-one groups in sums* ([`AmoUse`]): terms of which at most one holds are [parts](crate::sums::parts) of a sum.
//! Encoders without such a form are refused then. The encoders are tried at the sums without parts.
//!
//! *Conditions.* Where the bounds of a group hold if r does, each of their clauses has the literal ¬r, too. Without r the
//! auxiliary variables of the group are free.
//!
//! *Departures.* Larger bounds and weights are refused under other methods.

use std::collections::BTreeSet;
use std::sync::Arc;

use bezzel_problem::{Bounds, GroupFamily, Literal, Problem};
use rustsat::types::Lit;

use super::mixture::Mixture;
use super::rest::{CLAUSES, first_in, refuse_bounds, refuse_weights};
use super::{EncoderShapes, EncoderSums, Encoding};
use crate::amo::AtMostOne;
use crate::bound::{AtMostK, Limit};
use crate::constraints::{Constraints, Unsupported};
use crate::info::{EncodingInfo, Propagation};
use crate::settings::{AmoUse, Arrangement, InputOrder, Settings};
use crate::shape::Shape;
use crate::sink::{ClauseSink, with_guard};
use crate::size::{Size, grouped};
use crate::sums::{self, AmoGroups, Parts, SumLimit};
use crate::var_map::VarMap;

/// At-most-one encodings lifted to whole problems.
#[derive(Clone)]
pub struct Direct {
    mixture: Mixture,
    settings: Settings,
}

impl Direct {
    /// Lifts `at_most_one` to problems under these settings.
    pub fn new(at_most_one: &Arc<dyn AtMostOne>, settings: impl Into<Settings>) -> Self {
        Self::mixed(Mixture::Pure(Arc::clone(at_most_one)), settings)
    }

    /// Lifts an encoding for each family of groups to problems under these settings.
    pub fn mixed(mixture: Mixture, settings: impl Into<Settings>) -> Self {
        Self { mixture, settings: settings.into() }
    }

    /// The set of constraints that is stated.
    fn constraints(&self) -> Constraints {
        self.settings.constraints.unwrap_or_default()
    }

    /// The at-most-one encoding of a family.
    fn part(&self, family: &GroupFamily) -> &Arc<dyn AtMostOne> {
        self.mixture.of(family.name()).expect("`fits` refuses families without an encoding")
    }
}

/// The number of literals of each group of a family that are encoded, in the order of the groups: with weights their
/// sum.
fn lengths(family: &GroupFamily) -> Box<dyn Iterator<Item = u64> + '_> {
    match family.weights() {
        Some(weights) => Box::new(weights.iter().map(|weights| weights.iter().sum())),
        None => family.lengths(),
    }
}

/// The constraints on sums of a group with these weights.
fn limits(weights: Vec<u64>, bounds: Bounds) -> impl Iterator<Item = SumLimit> {
    Limit::of(bounds.at_least, bounds.at_most).map(move |(limit, bound)| SumLimit {
        weights: weights.clone(),
        limit,
        bound,
    })
}

/// The constraints on sums of a family with weights, if the encoder takes sums.
fn sums<'a>(
    family: &'a GroupFamily,
    part: &Arc<dyn AtMostOne>,
) -> Option<impl Iterator<Item = SumLimit> + use<'a>> {
    let weights = family.weights().filter(|_| part.of_sums().is_some())?;
    Some(weights.iter().flat_map(|weights| limits(weights.to_vec(), family.bounds())))
}

impl Direct {
    /// The at-most-one groups of a problem, if sums use them.
    fn groups(&self, problem: &Problem) -> AmoGroups {
        match self.settings.amo {
            AmoUse::None => AmoGroups::default(),
            AmoUse::Detected => AmoGroups::new(problem),
        }
    }

    /// The input order of the sums of a problem.
    fn order_of_sums(&self, problem: &Problem) -> Arrangement {
        let has_sums = problem.families().iter().any(|family| family.weights().is_some());
        let order = if has_sums { self.settings.input_order } else { InputOrder::default() };
        Arrangement::new(order, problem)
    }

    /// Calls `each` with the constraints on the sum of each group of a family, its literals, and their parts.
    fn each_sum(
        number: usize,
        family: &GroupFamily,
        groups: &AmoGroups,
        order: &Arrangement,
        mut each: impl FnMut(u32, &SumLimit, &[Literal], &Parts),
    ) {
        let Some(weights) = family.weights() else { return };
        let mut group_number = 0;
        family.for_each(|group| {
            let weights = weights.get(group_number as usize);
            group_number += 1;
            let mut terms: Vec<(Literal, u64)> =
                group.iter().copied().zip(weights.iter().copied()).collect();
            order.arrange(&mut terms, |&(literal, _)| literal.candidate(), number, group_number);
            let (literals, weights): (Vec<Literal>, Vec<u64>) = terms.into_iter().unzip();
            let parts = groups.parts(&literals);
            for sum in limits(weights, family.bounds()) {
                each(group_number, &sum, &literals, &parts);
            }
        });
    }
}

/// The encoder of larger bounds.
fn bounded(part: &Arc<dyn AtMostOne>) -> &dyn AtMostK {
    part.of_bounds().expect("`fits` refuses bounds that are not encoded")
}

/// The size of the groups of a family, each of which is a count.
fn count_size(family: &GroupFamily, part: &Arc<dyn AtMostOne>, stated: Bounds) -> Option<Size> {
    let Bounds { at_least, at_most } = stated;
    let size = |length: u64| match (at_least, at_most) {
        (Some(1), Some(1)) => part.exactly_one_size(length),
        (Some(1), None) => Some(Size::new(0, 1, length.into())),
        (None, Some(1)) => part.size(length),
        _ => {
            let limits = Limit::of(at_least, at_most);
            limits.map(|(limit, k)| limit.size(bounded(part), length, k)).sum()
        }
    };
    lengths(family).map(size).sum()
}

/// Refuses sums under encoders that take no parts, where groups are used inside sums.
fn refuse_parts(
    what: impl FnOnce() -> String,
    problem: &Problem,
    family: &GroupFamily,
    part: &Arc<dyn AtMostOne>,
) -> Result<(), Unsupported> {
    let takes =
        |encoder: &Arc<dyn AtMostOne>| encoder.of_sums()?.of_parts().map(|_| encoder.info().id);
    if family.weights().is_none() || takes(part).is_some() {
        return Ok(());
    }
    let all: Vec<String> = sums::all().iter().filter_map(takes).collect();
    let why = format!(
        "the family `{}`{} has weights, and of the encoders of sums only `{}` use at-most-one groups",
        family.name(),
        first_in(family),
        all.join("`, `"),
    );
    Err(Unsupported::new(what(), problem, why, "take one of these, or `amo: none`"))
}

impl Direct {
    /// Refuses a family with a sum for which the encoder makes too many clauses.
    fn refuse_sums(
        &self,
        what: impl FnOnce() -> String,
        problem: &Problem,
        number: usize,
        groups: &AmoGroups,
        order: &Arrangement,
    ) -> Result<(), Unsupported> {
        let family = &problem.families()[number];
        let part = self.part(family);
        let mut large = None;
        Self::each_sum(number, family, groups, order, |_, sum, literals, parts| {
            if large.is_none() && sum.size_of_parts(part.as_ref(), parts).is_none() {
                large = Some((literals.len(), sum.bound));
            }
        });
        let Some((terms, bound)) = large else { return Ok(()) };
        let why = format!(
            "the family `{}`{} has a sum of {} weights with the bound {} for which the encoder is too large: it has more \
             than 100,000,000 clauses, or a diagram of more than 2,000,000 nodes",
            family.name(),
            first_in(family),
            grouped(terms as u128),
            grouped(bound.into()),
        );
        let mend = "an encoder that grows with the digits of the weights alone, as `adder-network`, makes fewer clauses";
        Err(Unsupported::new(what(), problem, why, mend))
    }
}

impl Encoding for Direct {
    fn info(&self) -> EncodingInfo {
        let info = self.mixture.info();
        let all_stated =
            self.constraints().row_at_most_one() && self.constraints().column_at_most_one();
        EncodingInfo {
            propagation: if all_stated { info.propagation } else { Propagation::Weak },
            constraints: [
                self.constraints().describe().into(),
                self.settings.input_order.describe(),
                self.settings.amo.describe(),
            ]
            .concat(),
            ..info
        }
    }

    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        self.constraints().fits(problem)?;
        let name = || format!("`{}`", self.info().id);
        let (groups, order) = (self.groups(problem), self.order_of_sums(problem));
        for (number, family) in problem.families().iter().enumerate() {
            let Some(part) = self.mixture.of(family.name()) else {
                let why =
                    format!("it has no key `{}`, the name of a family of groups", family.name());
                let mend = "add this key, or `default` for all families without one";
                let spelt = format!("`{}`", self.mixture.spelt());
                return Err(Unsupported::new(spelt, problem, why, mend));
            };
            if self.settings.amo == AmoUse::Detected {
                refuse_parts(name, problem, family, part)?;
            }
            if part.of_bounds().is_none() {
                refuse_bounds(name, problem, family)?;
            } else if part.of_sums().is_some() {
                self.refuse_sums(name, problem, number, &groups, &order)?;
            } else {
                refuse_weights(name, problem, family)?;
            }
        }
        Ok(())
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        let mut size = Size::new(problem.candidates().into(), 0, 0);
        let (groups, order) = (self.groups(problem), self.order_of_sums(problem));
        for (number, family) in problem.families().iter().enumerate() {
            let part = self.part(family);
            let stated = self.constraints().stated(problem, number);
            let of_family = if part.of_sums().is_some() && family.weights().is_some() {
                let mut sizes = Some(Size::default());
                Self::each_sum(number, family, &groups, &order, |_, sum, _, parts| {
                    let size = sum.size_of_parts(part.as_ref(), parts);
                    sizes = sizes.zip(size).map(|(sizes, size)| sizes + size);
                });
                sizes
            } else {
                count_size(family, part, stated)
            }?;
            let is_guarded = u128::from(!family.conditions().is_empty());
            size += of_family + Size::new(0, 0, is_guarded * of_family.clauses);
        }
        let clauses = problem.clauses();
        Some(size + Size::new(0, clauses.len() as u128, clauses.items().len() as u128))
    }

    fn shapes(&self, problem: &Problem) -> EncoderShapes {
        let mut all = EncoderShapes::new();
        for (number, family) in problem.families().iter().enumerate() {
            let part = self.part(family);
            if sums(family, part).is_some() {
                continue;
            }
            let bounds = self.constraints().stated(problem, number);
            let lengths: BTreeSet<u64> = lengths(family).collect();
            let shapes = lengths.into_iter().flat_map(|n| Shape::of_group(bounds, n));
            let shapes = shapes.map(|shape| (shape, Arc::clone(part)));
            all.entry(part.info().id).or_default().extend(shapes);
        }
        all
    }

    fn sums(&self, problem: &Problem) -> EncoderSums {
        let mut all = EncoderSums::new();
        for family in problem.families() {
            let part = self.part(family);
            if let Some(sums) = sums(family, part) {
                let of_encoder = all.entry(part.info().id).or_default();
                of_encoder.extend(sums.map(|sum| (sum, Arc::clone(part))));
            }
        }
        all
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        out.section(problem.families().first().map_or(CLAUSES, GroupFamily::name));
        let candidates = out.fresh(problem.candidates());
        let lit = |literal: Literal| {
            let lit = candidates.lit(literal.candidate());
            if literal.is_negated() { !lit } else { lit }
        };
        let (mut terms, mut xs): (Vec<Literal>, Vec<Lit>) = (Vec::new(), Vec::new());
        let groups = self.groups(problem);
        let order = Arrangement::new(self.settings.input_order, problem);
        for (number, family) in problem.families().iter().enumerate() {
            let part = self.part(family);
            let Bounds { at_least, at_most } = self.constraints().stated(problem, number);
            out.section(family.name());
            // The literal that each clause of a group has, too.
            let guard = |group_number: u32| {
                let condition = family.conditions().get(group_number as usize - 1);
                condition.map(|&condition| lit(!condition))
            };
            if part.of_sums().is_some() && family.weights().is_some() {
                Self::each_sum(number, family, &groups, &order, |group, sum, literals, parts| {
                    out.line(group);
                    xs.clear();
                    xs.extend(literals.iter().map(|&literal| lit(literal)));
                    with_guard(guard(group), out, |out| {
                        sum.encode_parts(part.as_ref(), &xs, parts, out);
                    });
                });
                continue;
            }
            let mut group_number = 0;
            family.for_each(|group| {
                group_number += 1;
                out.line(group_number);
                terms.clear();
                if let Some(weights) = family.weights() {
                    let weights = weights.get(group_number as usize - 1);
                    for (&literal, &weight) in group.iter().zip(weights) {
                        terms.extend((0..weight).map(|_| literal));
                    }
                } else {
                    terms.extend_from_slice(group);
                }
                order.arrange(&mut terms, |literal| literal.candidate(), number, group_number);
                xs.clear();
                xs.extend(terms.iter().map(|&literal| lit(literal)));
                with_guard(guard(group_number), out, |out| match (at_least, at_most) {
                    (Some(1), Some(1)) => part.exactly_one(&xs, out),
                    (Some(1), None) => out.clause(&xs),
                    (None, Some(1)) => part.encode(&xs, out),
                    _ => {
                        for (limit, k) in Limit::of(at_least, at_most) {
                            limit.encode(bounded(part), &xs, k, out);
                        }
                    }
                });
            });
        }
        if !problem.clauses().is_empty() {
            out.section(CLAUSES);
            for clause in problem.clauses().iter() {
                xs.clear();
                xs.extend(clause.iter().map(|&literal| lit(literal)));
                out.clause(&xs);
            }
        }
        let map = VarMap::one_per_candidate(candidates);
        map.with_nested_solutions(problem.has_nested_solutions())
    }
}
