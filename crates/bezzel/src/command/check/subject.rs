//! A formula of any origin beside the constraints that it should state.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_encode::amk::Limit;
use bezzel_encode::format::read::ReadFormula;
use bezzel_encode::propagate::Propagator;
use bezzel_encode::sink::with_guard;
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{AtMostOne, ClauseSink, Formula, Lit};
use bezzel_problem::{Instance, Lists, Literal, Problem};
use bezzel_queens::Board;

use super::constraints::{Group, groups};
use crate::failure::Failure;

/// The formula, with a literal for each variable of the file.
pub(super) struct Subject<'a> {
    pub(super) instance: &'a Instance,
    encoder: &'a dyn AtMostOne,
    /// With the definitions of the variables that stand for several literals.
    pub(super) formula: Formula,
    pub(super) inputs: Vec<Lit>,
    /// The literals that represent each variable of the file together.
    cubes: Lists<Lit>,
    pub(super) variables: u32,
    /// The number of variables beside those that stand for variables of the file.
    pub(super) auxiliary: u32,
    pub(super) clauses: usize,
    /// The constraints of the instance.
    pub(super) groups: Vec<Group>,
}

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
        let (mut inputs, mut cubes) = (Vec::new(), Lists::default());
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
            cubes.push(lits.unwrap_or(std::slice::from_ref(&lit)).iter().copied());
            inputs.push(lit);
        }
        let named: BTreeSet<u32> = cubes.items().iter().map(|lit| lit.vidx32()).collect();
        let auxiliary = variables - named.range(..variables).count() as u32;
        Ok(Self {
            instance,
            encoder,
            formula,
            inputs,
            cubes,
            variables,
            auxiliary,
            clauses,
            groups: groups(problem),
        })
    }

    pub(super) fn lit(&self, literal: Literal) -> Lit {
        let lit = self.inputs[literal.candidate() as usize];
        if literal.is_negated() { !lit } else { lit }
    }

    /// Writes that the sum of a constraint lies at this side of a bound, if a condition holds.
    pub(super) fn write(
        &self,
        group: &Group,
        (limit, bound): (Limit, u64),
        condition: Option<Lit>,
        out: &mut dyn ClauseSink,
    ) {
        let xs: Vec<Lit> = group.literals.iter().map(|&literal| self.lit(literal)).collect();
        let sum = SumLimit { weights: group.weights(), limit, bound };
        with_guard(condition.map(|condition| !condition), out, |out| {
            let most = group.most();
            match (limit, bound) {
                (Limit::AtMost, bound) if bound >= most => {}
                (Limit::AtMost, 0) => xs.iter().for_each(|&x| out.clause(&[!x])),
                (Limit::AtLeast, 0) => {}
                (Limit::AtLeast, 1) => out.clause(&xs),
                (Limit::AtLeast, bound) if bound > most => out.clause(&[]),
                _ => sum.encode(self.encoder, &xs, out),
            }
        });
    }

    /// For each variable of the formula, true if it is that of one of the literals.
    pub(super) fn are_among(&self, lits: &[Lit]) -> Vec<bool> {
        let mut are_among = vec![false; self.formula.variables() as usize];
        for lit in lits {
            are_among[lit.vidx()] = true;
        }
        are_among
    }

    /// True if several variables represent one of the file.
    pub(super) fn has_cubes(&self) -> bool {
        self.cubes.iter().zip(&self.inputs).any(|(cube, input)| cube != [*input])
    }

    /// Defines the variables that represent others together: each holds if a variable of the file holds that shares ones with
    /// it and implies it by unit propagation. The solutions may need other values; then no clause that fails is a fault.
    /// Returns the variables.
    pub(super) fn define_cubes(&self, out: &mut dyn ClauseSink) -> Vec<Lit> {
        let is_input = self.are_among(&self.inputs);
        let cubes: Vec<&[Lit]> = self.cubes.iter().collect();
        let mut propagator = Propagator::new(&self.formula);
        let mut all = Vec::new();
        for part in self.parts(&cubes, &self.are_among(&[])).1 {
            let lits = part.iter().flat_map(|&number| cubes[number]);
            let variables = lits.map(|lit| lit.vidx32()).filter(|&it| !is_input[it as usize]);
            let variables: BTreeSet<u32> = variables.collect();
            let mut defined: Vec<(Lit, Vec<Lit>)> =
                variables.into_iter().map(|it| (Lit::positive(it), Vec::new())).collect();
            let part = if defined.is_empty() { Vec::new() } else { part };
            for number in part {
                let (input, before) = (self.inputs[number], propagator.trail().len());
                let _ = propagator.assume(input);
                let implied = defined.iter_mut().filter(|(var, _)| propagator.holds(*var));
                implied.for_each(|(_, implying)| implying.push(input));
                propagator.undo(before);
            }
            for (var, implying) in defined {
                for &input in &implying {
                    out.clause(&[!input, var]);
                }
                out.clause(&[&implying[..], &[!var]].concat());
                all.push(var);
            }
        }
        all
    }

    /// The clauses of known variables alone, and the others in parts that share no other variable, by their numbers.
    pub(super) fn parts(
        &self,
        clauses: &[&[Lit]],
        is_known: &[bool],
    ) -> (Vec<usize>, Vec<Vec<usize>>) {
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
            variables.filter(|&variable| !is_known[variable as usize]).collect()
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
