//! A formula of any origin beside the constraints that it should state.

use std::collections::BTreeMap;

use bezzel_encode::amk::Limit;
use bezzel_encode::format::read::ReadFormula;
use bezzel_encode::sink::with_guard;
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{AtMostOne, ClauseSink, Formula, Lit};
use bezzel_problem::{Bounds, GroupFamily, Instance, Literal, Problem};
use bezzel_queens::Board;

use crate::failure::Failure;

/// The formula, with a literal for each variable of the file.
pub(super) struct Subject<'a> {
    pub(super) instance: &'a Instance,
    pub(super) problem: &'a Problem,
    encoder: &'a dyn AtMostOne,
    /// With the definitions of the variables that stand for several literals.
    pub(super) formula: Formula,
    pub(super) inputs: Vec<Lit>,
    pub(super) variables: u32,
    /// The number of variables beside those that stand for variables of the file.
    pub(super) auxiliary: u32,
    pub(super) clauses: usize,
    /// The bounds of each family: the weakest ones from which all others follow.
    bounds: Vec<Bounds>,
}

/// A part of the constraints: literals with weights, bounds of their sum, and a condition.
pub(super) type EachGroup<'f> = dyn FnMut(&[Literal], Vec<u64>, Bounds, Option<Literal>) + 'f;

impl<'a> Subject<'a> {
    /// The comments of a formula say which literals stand for a variable of the file, or for a square of a board. Without
    /// them, its variables are the first ones.
    pub(super) fn new(
        ReadFormula { mut formula, notes }: ReadFormula,
        (instance, problem): (&'a Instance, &'a Problem),
        encoder: &'a dyn AtMostOne,
    ) -> Result<Self, Failure> {
        let (variables, clauses) = (formula.variables(), formula.len());
        let board = Board::of(instance);
        let cube = |candidate| match board {
            Some(board) => notes.squares.get(&board.square(candidate)),
            None => notes.candidates.get(&candidate),
        };
        let is_stated = (0..problem.candidates()).any(|candidate| cube(candidate).is_some());
        let is_of_others = !notes.squares.is_empty() || !notes.candidates.is_empty();
        if !is_stated && is_of_others {
            return Err(Failure::Input(format!(
                "the comments of the formula are not of `{instance}`"
            )));
        }
        let (mut inputs, mut named) = (Vec::new(), Vec::new());
        for candidate in 0..problem.candidates() {
            let lits = cube(candidate).map(Vec::as_slice);
            if let Some(lit) = lits.unwrap_or_default().iter().find(|it| it.vidx32() >= variables) {
                return Err(Failure::Input(format!(
                    "the comments name the variable {}, and the formula has {variables}",
                    lit.vidx() + 1
                )));
            }
            let lit = match lits {
                Some([lit]) if lit.is_pos() => *lit,
                Some(cube) => {
                    let lit = formula.fresh(1).lits().next().expect("one");
                    for &part in cube {
                        formula.clause(&[!lit, part]);
                    }
                    let negated = cube.iter().map(|&part| !part);
                    formula.clause(&negated.chain([lit]).collect::<Vec<_>>());
                    lit
                }
                None if is_stated => {
                    return Err(Failure::Input(format!(
                        "the comments of the formula have no literals for {} of `{instance}`",
                        instance.label(candidate)
                    )));
                }
                None if candidate < variables => Lit::positive(candidate),
                // The formula does not use it.
                None => formula.fresh(1).lits().next().expect("one"),
            };
            let lits = lits.unwrap_or(std::slice::from_ref(&lit)).iter().map(|lit| lit.vidx32());
            named.extend(lits.filter(|&variable| variable < variables));
            inputs.push(lit);
        }
        named.sort_unstable();
        named.dedup();
        let auxiliary = variables - named.len() as u32;
        let sets = problem.bound_sets().iter().filter_map(|set| set.bounds.as_ref().ok());
        let stated = |bounds: &&Vec<Bounds>| -> usize {
            let sides = bounds.iter().flat_map(|bounds| [bounds.at_least, bounds.at_most]);
            sides.flatten().count()
        };
        let bounds = sets
            .min_by_key(stated)
            .cloned()
            .unwrap_or_else(|| problem.families().iter().map(GroupFamily::bounds).collect());
        Ok(Self {
            instance,
            problem,
            encoder,
            formula,
            inputs,
            variables,
            auxiliary,
            clauses,
            bounds,
        })
    }

    pub(super) fn lit(&self, literal: Literal) -> Lit {
        let lit = self.inputs[literal.candidate() as usize];
        if literal.is_negated() { !lit } else { lit }
    }

    /// Every constraint of the file.
    pub(super) fn each_group(&self, each: &mut EachGroup<'_>) {
        for (family, &bounds) in self.problem.families().iter().zip(&self.bounds) {
            let mut number = 0;
            family.for_each(|group| {
                let weights = family.weights().map(|weights| weights.get(number).to_vec());
                let weights = weights.unwrap_or_else(|| vec![1; group.len()]);
                each(group, weights, bounds, family.conditions().get(number).copied());
                number += 1;
            });
        }
        let clause = Bounds { at_least: Some(1), at_most: None };
        for literals in self.problem.clauses().iter() {
            each(literals, vec![1; literals.len()], clause, None);
        }
        let fixed = [(self.problem.given(), false), (self.problem.excluded(), true)];
        for (&candidate, is_excluded) in
            fixed.into_iter().flat_map(|(all, is)| all.iter().map(move |it| (it, is)))
        {
            let literal = Literal::chosen(candidate);
            each(&[if is_excluded { !literal } else { literal }], vec![1], clause, None);
        }
    }

    /// Writes that the sum of some literals lies at this side of a bound, if a condition holds.
    pub(super) fn write(
        &self,
        group: &[Literal],
        sum: &SumLimit,
        condition: Option<Lit>,
        out: &mut dyn ClauseSink,
    ) {
        let xs: Vec<Lit> = group.iter().map(|&literal| self.lit(literal)).collect();
        with_guard(condition.map(|condition| !condition), out, |out| {
            let most = sum.weights.iter().sum::<u64>();
            match (sum.limit, sum.bound) {
                (Limit::AtMost, bound) if bound >= most => {}
                (Limit::AtMost, 0) => xs.iter().for_each(|&x| out.clause(&[!x])),
                (Limit::AtLeast, 0) => {}
                (Limit::AtLeast, 1) => out.clause(&xs),
                (Limit::AtLeast, bound) if bound > most => out.clause(&[]),
                _ => sum.encode(self.encoder, &xs, out),
            }
        });
    }

    pub(super) fn is_input(&self) -> Vec<bool> {
        let mut is_input = vec![false; self.formula.variables() as usize];
        self.inputs.iter().for_each(|lit| is_input[lit.vidx32() as usize] = true);
        is_input
    }

    /// The clauses without auxiliary variables, and the others in parts that share none, by their numbers.
    pub(super) fn parts(&self, clauses: &[&[Lit]]) -> (Vec<usize>, Vec<Vec<usize>>) {
        let is_input = self.is_input();
        let mut parent: Vec<u32> = (0..self.formula.variables()).collect();
        let root = |parent: &mut Vec<u32>, mut variable: u32| {
            while parent[variable as usize] != variable {
                parent[variable as usize] = parent[parent[variable as usize] as usize];
                variable = parent[variable as usize];
            }
            variable
        };
        let auxiliary = |clause: &'_ [Lit]| -> Vec<u32> {
            let variables = clause.iter().map(|lit| lit.vidx32());
            variables.filter(|&variable| !is_input[variable as usize]).collect()
        };
        for clause in clauses {
            for pair in auxiliary(clause).windows(2) {
                let [one, other] = [pair[0], pair[1]].map(|variable| root(&mut parent, variable));
                parent[one as usize] = other;
            }
        }
        let (mut pure, mut parts) = (Vec::new(), BTreeMap::<u32, Vec<usize>>::new());
        for (number, clause) in clauses.iter().enumerate() {
            match auxiliary(clause).first() {
                None => pure.push(number),
                Some(&first) => parts.entry(root(&mut parent, first)).or_default().push(number),
            }
        }
        (pure, parts.into_values().collect())
    }
}
