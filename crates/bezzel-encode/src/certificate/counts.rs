//! The clauses of a group from its bounds, where each auxiliary variable counts: it holds if and only if the weights of
//! some inputs, or of their negations, add up to at least a number.
//!
//! The clauses say which inputs and which number, as `structure.rs` describes: a variable is defined by the clauses in
//! which it is the newest. Each gives a lower bound on a sum, the inputs are those of all of them, and the number is the
//! least. Sequential counters, totalizers, products, commanders, trees, ladders and decision diagrams have such variables;
//! those of adders, sorting networks and remainders are no counts.
//!
//! Variables of watchdogs count the digits of the weights in place of the weights (`places.rs`).
//!
//! Two redundance steps define each variable, as reified sums. A clause then follows by one step of cutting planes: the
//! definitions of its literals are added up, with a bound of the group if that is needed, other inputs are weakened, and a
//! division leaves the clause. Nothing of this is trusted: a wrong guess gives no step that adds up, or one that the checker
//! refuses.

use std::fmt::Write as _;
use std::rc::Rc;

use rustsat::types::Lit;

use super::group::{Bound, Group, Premise};
use super::places;
use super::proof::Proof;
use crate::formula::Formula;

/// The meanings of the variables.
pub(super) struct Counts<'a> {
    /// The weight of each input.
    pub(super) weights: &'a [u64],
    /// True if digits of the weights are counted.
    pub(super) by_places: bool,
    /// For each auxiliary variable a literal that holds if and only if the bound does.
    pub(super) meanings: Vec<Option<(Lit, Bound)>>,
}

/// The sum from which a clause follows: the literals whose meanings are added, and the number of the premise, each with the
/// times that it is added.
type Derivation = (Vec<(Lit, u64)>, Option<(usize, u64)>);

/// The weight of each input.
pub(super) fn weights(group: &Group<'_>) -> Vec<u64> {
    let mut weights = vec![1; group.inputs as usize];
    for &(lit, weight) in group.premises.iter().flat_map(|premise| &premise.terms) {
        weights[lit.vidx()] = weight;
    }
    weights
}

/// Derives the clauses of a group, and deletes the definitions. Returns the line of each clause; none, with nothing
/// written, if no meanings are found from which all clauses follow.
pub(super) fn derive(group: &Group<'_>, proof: &mut Proof) -> Option<Vec<u64>> {
    let &Group { formula, inputs, guard, .. } = group;
    let weights = weights(group);
    let orders = [(false, false), (true, false), (false, true), (true, true)];
    let has_weights = weights.iter().any(|&weight| weight > 1);
    let by_places = orders[..if has_weights { 4 } else { 0 }].iter().map(|order| (*order, true));
    for (order, by_places) in orders.map(|order| (order, false)).into_iter().chain(by_places) {
        let mut counts = Counts { weights: &weights, by_places, meanings: Vec::new() };
        counts.read(formula, order, guard);
        if let Some(lines) = counts.derive(group, proof) {
            return Some(lines);
        }
        if formula.variables() == inputs {
            break;
        }
    }
    None
}

impl Counts<'_> {
    /// Finds the meanings of the variables: the newest last, or first.
    fn read(
        &mut self,
        formula: &Formula,
        (is_reversed, negated_first): (bool, bool),
        guard: Option<Lit>,
    ) {
        let (inputs, variables) = (self.weights.len() as u32, formula.variables());
        let clauses: Vec<&[Lit]> = formula.clauses().collect();
        self.meanings = vec![None; (variables - inputs) as usize];
        let rank = |lit: &Lit| match lit.vidx32() {
            variable if variable < inputs => 0,
            variable if is_reversed => variables - variable,
            variable => variable - inputs + 1,
        };
        let mut last: Vec<Vec<usize>> = vec![Vec::new(); self.meanings.len() + 1];
        for (number, clause) in clauses.iter().enumerate() {
            last[clause.iter().map(rank).max().unwrap_or(0) as usize].push(number);
        }
        for (rank, of_this) in (1..).zip(&last[1..]) {
            let variable = if is_reversed { variables - rank } else { inputs + rank - 1 };
            // A literal that a clause denies is reached by no inputs.
            let unit =
                of_this.iter().map(|&number| clauses[number]).find(|clause| clause.len() == 1);
            if let Some(&[lit]) = unit {
                self.meanings[(variable - inputs) as usize] = Some((!lit, Bound::never()));
            }
            for is_negated in [negated_first, !negated_first] {
                let defined = Lit::new(variable, is_negated);
                let defining = of_this.iter().map(|&number| clauses[number]);
                let defining = defining.filter(|clause| clause.contains(&defined));
                if let Some(bound) = self.least(defined, defining, guard) {
                    self.meanings[(variable - inputs) as usize] = Some((defined, bound));
                    break;
                }
            }
        }
    }

    /// The weakest bound that implies the literal by these clauses: none if they are none, or bound unlike sums.
    fn least<'c>(
        &self,
        defined: Lit,
        clauses: impl Iterator<Item = &'c [Lit]>,
        guard: Option<Lit>,
    ) -> Option<Bound> {
        let (mut reasons, mut is_any) = (Vec::new(), false);
        for clause in clauses {
            is_any = true;
            let lits = clause.iter().filter(|&&lit| lit != defined && Some(lit) != guard);
            let bounds = lits.map(|&lit| self.bound(!lit)).collect::<Option<Vec<Bound>>>()?;
            if !bounds.iter().any(Bound::is_never) {
                reasons
                    .push(bounds.into_iter().filter(|bound| bound.least > 0).collect::<Vec<_>>());
            }
        }
        if self.by_places {
            return if is_any && reasons.is_empty() {
                Some(Bound::never())
            } else if reasons.iter().any(Vec::is_empty) {
                Some(Bound { least: 0, ..Bound::never() })
            } else {
                places::least(&reasons, self.weights)
            };
        }
        let is_of = |sign: bool, bounds: &[Bound]| bounds.iter().all(|it| it.is_negated == sign);
        let plain = reasons
            .iter()
            .find(|bounds| is_of(bounds.first().is_some_and(|it| it.is_negated), bounds));
        let is_negated =
            plain.and_then(|bounds| bounds.first()).is_some_and(|bound| bound.is_negated);
        let (mut all, mut inputs): (Option<u64>, Vec<u32>) = (None, Vec::new());
        for bounds in &reasons {
            if bounds.is_empty() || is_of(!is_negated, bounds) {
                return None;
            }
            // Of an if-then-else some reasons have the other sign.
            let bounds = || bounds.iter().filter(|bound| bound.is_negated == is_negated);
            let before = inputs.len();
            inputs.extend(bounds().flat_map(|bound| bound.terms.iter().map(|(input, _)| *input)));
            let mut own = inputs[before..].to_vec();
            own.sort_unstable();
            let leasts = bounds().map(|bound| bound.least);
            let is_disjoint = own.windows(2).all(|pair| pair[0] != pair[1]);
            let least = if is_disjoint { leasts.sum() } else { leasts.max()? };
            all = Some(all.map_or(least, |other| other.min(least)));
        }
        inputs.sort_unstable();
        inputs.dedup();
        let least = all.or(is_any.then_some(1))?;
        let weighted = |input: u32| (input, self.weights[input as usize]);
        let terms = inputs.into_iter().map(weighted).collect();
        Some(Bound { is_negated, terms, least, place: 1 })
    }

    /// The bound that holds if a literal does.
    fn bound(&self, lit: Lit) -> Option<Bound> {
        let Some(auxiliary) = lit.vidx().checked_sub(self.weights.len()) else {
            let weight = if self.by_places { 1 } else { self.weights[lit.vidx()] };
            let terms = Rc::from([(lit.vidx32(), weight)]);
            return Some(Bound { is_negated: lit.is_neg(), terms, least: weight, place: 1 });
        };
        let (defined, bound) = self.meanings[auxiliary].as_ref()?;
        let mut bound = bound.clone();
        if *defined != lit {
            bound.is_negated = !bound.is_negated;
            let least = (bound.total() + 1).checked_sub(bound.least);
            // Among digits a constant may always hold.
            bound.least = least.filter(|&least| least > 0 || self.by_places)?;
        }
        Some(bound)
    }

    /// The lines of the clauses, if all follow.
    pub(super) fn derive(&self, group: &Group<'_>, proof: &mut Proof) -> Option<Vec<u64>> {
        let clauses: Vec<&[Lit]> = group.formula.clauses().collect();
        let derivation = |clause: &&[Lit]| self.derivation(clause, group.premises);
        let all = clauses.iter().map(derivation).collect::<Option<Vec<_>>>()?;
        Some(self.write(&clauses, &all, group.premises, proof))
    }

    /// The sum from which a clause follows.
    fn derivation(&self, clause: &[Lit], premises: &[Premise]) -> Option<Derivation> {
        let inputs = self.weights.len();
        let bounds: Vec<(Lit, Bound)> = clause
            .iter()
            .filter(|lit| lit.vidx() >= inputs)
            .filter_map(|&lit| Some((!lit, self.bound(!lit).filter(|bound| bound.least > 0)?)))
            .collect();
        let all = (1_u32 << bounds.len().min(5)) - 1;
        // All of them first. Of more than four only all are tried.
        let subsets = if bounds.len() > 4 { 0..=0 } else { 0..=all };
        for left_out in subsets {
            let is_chosen = |place: usize| place > 4 || left_out >> place & 1 == 0;
            let chosen =
                || (0..bounds.len()).filter(|&place| is_chosen(place)).map(|at| &bounds[at]);
            let premised = (0..premises.len()).flat_map(|number| {
                // Where each input may reach all of the other bounds, or all but one.
                let is_negated =
                    premises[number].terms.first().is_some_and(|(lit, _)| lit.is_pos());
                let is_reached = |bound: &Bound| bound.is_negated == is_negated && bound.least == 1;
                let reached = chosen().filter(|(_, bound)| is_reached(bound)).count() as u64;
                let times = [1, reached.saturating_sub(1), reached];
                let times =
                    times.into_iter().enumerate().filter(|&(at, times)| at == 0 || times > 1);
                times.map(move |(_, times)| Some((number, times)))
            });
            let place = chosen().map(|(_, bound)| bound.place).max().unwrap_or(1);
            // Where digits of one place are added to counts of lower ones.
            let scaled = if place > 1 { 1 << chosen().count() } else { 1_u32 };
            let sums = std::iter::once(None).chain(premised);
            for (premise, scaled) in sums.flat_map(|sum| (0..scaled).map(move |of| (sum, of))) {
                let times = |at: usize| if scaled >> at & 1 == 1 { place } else { 1 };
                let added = premise.map(|(number, times)| (&premises[number], times));
                let bounds = chosen().enumerate().map(|(at, (_, bound))| (bound, times(at)));
                let (coefficients, degree) = self.sum(bounds, added);
                // The greatest value where the clause does not hold.
                let mut max: i128 = coefficients.iter().map(|&weight| weight.max(0)).sum();
                for lit in clause.iter().filter(|lit| lit.vidx() < inputs) {
                    let weight = coefficients[lit.vidx()];
                    max -= if lit.is_pos() { weight.max(0) } else { (-weight).max(0) };
                }
                if max < degree {
                    let lits = chosen().enumerate().map(|(at, &(lit, _))| (lit, times(at)));
                    return Some((lits.collect(), premise));
                }
            }
        }
        None
    }

    /// The sum of bounds, each the given number of times, and a premise: the coefficients of the inputs, and the number that is reached at least.
    fn sum<'b>(
        &self,
        bounds: impl Iterator<Item = (&'b Bound, u64)>,
        premise: Option<(&Premise, u64)>,
    ) -> (Vec<i128>, i128) {
        let (mut coefficients, mut degree) = (vec![0; self.weights.len()], 0);
        let mut add = |input: u32, is_negated: bool, weight: i128| {
            coefficients[input as usize] += if is_negated { -weight } else { weight };
            // The weight of a negation is all of it, less that of the input.
            if is_negated { weight } else { 0 }
        };
        for (bound, times) in bounds {
            let times = i128::from(times);
            degree += times * i128::from(bound.least);
            for &(input, weight) in &*bound.terms {
                degree -= add(input, bound.is_negated, times * i128::from(weight));
            }
        }
        if let Some((premise, times)) = premise {
            degree += i128::from(times) * i128::from(premise.degree);
            for &(lit, weight) in &premise.terms {
                degree -= add(lit.vidx32(), lit.is_neg(), i128::from(times) * i128::from(weight));
            }
        }
        (coefficients, degree)
    }

    /// Writes the definitions and the clauses.
    fn write(
        &self,
        clauses: &[&[Lit]],
        derivations: &[Derivation],
        premises: &[Premise],
        proof: &mut Proof,
    ) -> Vec<u64> {
        let inputs = self.weights.len();
        let mut is_used = vec![false; self.meanings.len()];
        derivations
            .iter()
            .flat_map(|(lits, _)| lits)
            .for_each(|(lit, _)| is_used[lit.vidx() - inputs] = true);
        // The lines of the definitions, if the literal holds and if it does not.
        let mut lines = vec![[0; 2]; self.meanings.len()];
        for (number, meaning) in self.meanings.iter().enumerate() {
            if let Some((lit, bound)) = meaning.as_ref().filter(|_| is_used[number]) {
                lines[number] = Self::define(*lit, bound, proof);
            }
        }
        let line = |lit: Lit| {
            let number = lit.vidx() - inputs;
            let defined = self.meanings[number].as_ref().map(|(lit, _)| *lit);
            lines[number][usize::from(defined != Some(lit))]
        };
        let mut ids = Vec::with_capacity(clauses.len());
        for (clause, (lits, premise)) in clauses.iter().zip(derivations) {
            let premise = premise.map(|(number, times)| (&premises[number], times));
            let added = lits.iter().map(|&(lit, times)| (line(lit), times));
            let added = added.chain(premise.map(|(premise, times)| (premise.id, times)));
            let mut steps = String::new();
            for (place, (id, times)) in added.enumerate() {
                let _ = write!(steps, "{id} ");
                if times > 1 {
                    let _ = write!(steps, "{times} * ");
                }
                steps.push_str(if place > 0 { "+ " } else { "" });
            }
            self.reduce(clause, lits, premise, proof, &mut steps);
            ids.push(proof.pol(steps.trim_end()));
        }
        proof.delete(&lines.concat().into_iter().filter(|&id| id > 0).collect::<Vec<u64>>());
        ids
    }

    /// Defines a literal as a reified sum: the lines if it holds, and if it does not.
    fn define(lit: Lit, bound: &Bound, proof: &mut Proof) -> [u64; 2] {
        let passed = i128::from(bound.total()) + 1 - i128::from(bound.least);
        [(!lit, i128::from(bound.least), bound.is_negated), (lit, passed, !bound.is_negated)].map(
            |(own, degree, is_negated)| {
                let term = |&(input, weight): &(u32, u64)| {
                    (Lit::new(input, is_negated), i128::from(weight))
                };
                let terms: Vec<(Lit, i128)> =
                    [(own, degree)].into_iter().chain(bound.terms.iter().map(term)).collect();
                if degree > 0 { proof.red(&terms, degree, own) } else { 0 }
            },
        )
    }

    /// Leaves the clause of the sum: weakens other inputs, divides, and adds literals that are missing.
    fn reduce(
        &self,
        clause: &[Lit],
        lits: &[(Lit, u64)],
        premise: Option<(&Premise, u64)>,
        proof: &Proof,
        steps: &mut String,
    ) {
        let bounds: Vec<(Bound, u64)> =
            lits.iter().filter_map(|&(lit, times)| Some((self.bound(lit)?, times))).collect();
        let added = bounds.iter().map(|(bound, times)| (bound, *times));
        let (coefficients, mut degree) = self.sum(added, premise);
        let least = |(bound, times): &(Bound, u64)| i128::from(*times) * i128::from(bound.least);
        let mut largest = bounds.iter().map(least).max().unwrap_or(0);
        let mut present: Vec<Lit> = lits.iter().map(|&(lit, _)| !lit).collect();
        for (input, &weight) in (0..).zip(&coefficients).filter(|(_, weight)| **weight != 0) {
            let lit = Lit::new(input, weight < 0);
            degree += (-weight).max(0);
            if clause.contains(&lit) {
                largest = largest.max(weight.abs());
                present.push(lit);
            } else {
                degree -= weight.abs();
                let _ = write!(steps, "{} w ", proof.name(lit).trim_start_matches('~'));
            }
        }
        largest = largest.max(degree);
        if largest > 1 {
            let _ = write!(steps, "{largest} d ");
        }
        present.sort_unstable();
        for &lit in clause.iter().filter(|lit| present.binary_search(lit).is_err()) {
            let _ = write!(steps, "{} + ", proof.name(lit));
        }
    }
}
