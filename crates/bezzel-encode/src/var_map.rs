//! The meaning of an encoding's variables.

use std::collections::HashSet;

use bezzel_problem::{Candidate, Solution};
use rustsat::types::{Lit, Var};

use crate::sink::VarRange;

/// The meaning of an encoding's variables: one cube of literals for each candidate of the problem.
///
/// A candidate is chosen if and only if every literal of its cube holds. Direct encodings have cubes of one
/// literal, the binary ones of ⌈log₂ n⌉, the order encoding of two, and of one at the edges. Answers are
/// decoded, candidates fixed, solutions excluded and maps of variables written by the cubes, so no encoding
/// writes a decoder.
///
/// A map has the encoder's numbers of variables; only [`Numbering`](crate::numbering::Numbering) translates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarMap {
    cubes: Vec<Lit>,
    lengths: Lengths,
    /// True if a solution may choose all candidates of another one, and more.
    nested: bool,
}

/// The place of a candidate's cube among the literals of all.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Lengths {
    /// Every cube has `width` literals; there are `candidates` cubes.
    Same { width: usize, candidates: u32 },
    /// The end of each cube, which is the start of the next one.
    Ends(Vec<usize>),
}

impl VarMap {
    /// One variable for each candidate, in the order of the candidates.
    pub fn one_per_candidate(candidates: VarRange) -> Self {
        let cubes: Vec<Lit> = candidates.lits().collect();
        let lengths = Lengths::Same { width: 1, candidates: cubes.len() as u32 };
        Self { cubes, lengths, nested: false }
    }

    /// Cubes of any lengths, one for each candidate in order.
    pub fn from_cubes<C: IntoIterator<Item = Lit>>(each: impl IntoIterator<Item = C>) -> Self {
        let mut cubes = Vec::new();
        let mut ends = Vec::new();
        for cube in each {
            cubes.extend(cube);
            ends.push(cubes.len());
        }
        let width = ends.first().copied().unwrap_or(0);
        let is_even = (1..).zip(&ends).all(|(number, &end)| end == number * width);
        let lengths = if is_even {
            Lengths::Same { width, candidates: ends.len() as u32 }
        } else {
            Lengths::Ends(ends)
        };
        Self { cubes, lengths, nested: false }
    }

    /// The same map for a problem in which a solution may choose all candidates of another one, and more.
    #[must_use]
    pub fn with_nested_solutions(self, nested: bool) -> Self {
        Self { nested, ..self }
    }

    /// The number of candidates.
    pub fn candidates(&self) -> u32 {
        match &self.lengths {
            Lengths::Same { candidates, .. } => *candidates,
            Lengths::Ends(ends) => ends.len() as u32,
        }
    }

    /// The number of literals in the longest cube, which in most encodings is that of each.
    pub fn width(&self) -> usize {
        match &self.lengths {
            Lengths::Same { width, .. } => *width,
            Lengths::Ends(ends) => {
                let starts = std::iter::once(&0).chain(ends);
                ends.iter().zip(starts).map(|(end, start)| end - start).max().unwrap_or(0)
            }
        }
    }

    /// The literals that all hold if and only if the candidate is chosen.
    ///
    /// Empty where the candidate is the only one of its group and its group has a number for variables: it is always
    /// chosen.
    pub fn cube(&self, candidate: Candidate) -> &[Lit] {
        let index = candidate as usize;
        match &self.lengths {
            Lengths::Same { width, .. } => &self.cubes[index * width..(index + 1) * width],
            Lengths::Ends(ends) => {
                let start = index.checked_sub(1).map_or(0, |before| ends[before]);
                &self.cubes[start..ends[index]]
            }
        }
    }

    /// The cubes of all candidates, in order.
    pub fn cubes(&self) -> impl ExactSizeIterator<Item = &[Lit]> + Clone {
        (0..self.candidates()).map(|candidate| self.cube(candidate))
    }

    /// The variables of the cubes in order, each once: the primary ones.
    pub fn variables(&self) -> Vec<Var> {
        let mut seen = HashSet::new();
        let vars = self.cubes.iter().map(|lit| lit.var());
        vars.filter(|&var| seen.insert(var)).collect()
    }

    /// The solution in a model; `holds` gives the value of a literal.
    pub fn decode(&self, mut holds: impl FnMut(Lit) -> bool) -> Solution {
        let is_chosen = |&candidate: &Candidate| self.cube(candidate).iter().all(|&lit| holds(lit));
        (0..self.candidates()).filter(is_chosen).collect()
    }

    /// The clause that excludes exactly the given solution.
    pub fn block(&self, solution: &Solution) -> Vec<Lit> {
        if self.nested {
            // Here every cube is one literal.
            let of = |(candidate, cube): (Candidate, &[Lit])| {
                if solution.chooses(candidate) { !cube[0] } else { cube[0] }
            };
            return (0..).zip(self.cubes()).map(of).collect();
        }
        let cubes = solution.chosen().iter().flat_map(|&candidate| self.cube(candidate));
        cubes.map(|&lit| !lit).collect()
    }
}
