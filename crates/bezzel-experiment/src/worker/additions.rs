//! The variables that a solver's re-encoding adds to a formula, and the number of them that span several groups.
//!
//! Bounded variable addition replaces many pairs by a new variable y: candidates a imply y, and y excludes candidates
//! b, which states "not both" for every a and every b. If all of these candidates are in one group, an encoding of that
//! group can state the same. Otherwise the solver found a definition that no encoding of single groups contains.

use std::collections::{BTreeSet, HashMap};

use bezzel_encode::{Images, Lit, Var, VarMap};
use bezzel_problem::{Candidate, Problem};

use crate::model::row::Additions;

/// Collects the clauses that define the new variables.
pub(super) struct AdditionsCollector<'a> {
    problem: &'a Problem,
    /// Variables with this number or a larger one are new.
    known: u32,
    /// The candidates, by the solver's variables that represent them.
    candidates: HashMap<Var, Candidate>,
    /// For each literal of another variable, the literals that imply it.
    implied_by: HashMap<Lit, Vec<Lit>>,
    new: BTreeSet<Var>,
}

impl<'a> AdditionsCollector<'a> {
    /// Returns a collector for a formula with `variables` variables; none if candidates are not single variables.
    pub(super) fn new(
        problem: &'a Problem,
        map: &VarMap,
        images: &Images,
        variables: u32,
    ) -> Option<Self> {
        let mut candidates = HashMap::new();
        for (candidate, cube) in (0..).zip(map.cubes()) {
            let &[lit] = cube else { return None };
            candidates.insert(images.of(lit).var(), candidate);
        }
        let (implied_by, new) = (HashMap::new(), BTreeSet::new());
        Some(Self { problem, known: variables, candidates, implied_by, new })
    }

    /// Adds a clause of the formula in its current form in the solver.
    pub(super) fn clause(&mut self, clause: &[Lit]) {
        let variables = clause.iter().map(|lit| lit.var());
        self.new.extend(variables.filter(|variable| variable.idx32() >= self.known));
        if let &[one, two] = clause {
            for (from, to) in [(!one, two), (!two, one)] {
                if !self.candidates.contains_key(&to.var()) {
                    self.implied_by.entry(to).or_default().push(from);
                }
            }
        }
    }

    /// Returns the number of new variables.
    pub(super) fn finish(&self) -> Additions {
        let groups_of = groups_of(self.problem);
        let across = |variable: &&Var| {
            let literals = [variable.pos_lit(), variable.neg_lit()];
            let touched: BTreeSet<Candidate> =
                literals.into_iter().flat_map(|lit| self.candidates_behind(lit)).collect();
            !are_in_one_group(&groups_of, &touched)
        };
        Additions {
            variables: self.new.len() as u64,
            across_lines: self.new.iter().filter(across).count() as u64,
        }
    }

    /// Returns the candidates that imply a literal, directly or through other variables.
    fn candidates_behind(&self, lit: Lit) -> BTreeSet<Candidate> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::from([lit]);
        let mut open = vec![lit];
        while let Some(lit) = open.pop() {
            for &from in self.implied_by.get(&lit).into_iter().flatten() {
                if let Some(&candidate) = self.candidates.get(&from.var()) {
                    found.insert(candidate);
                } else if seen.insert(from) {
                    open.push(from);
                }
            }
        }
        found
    }
}

/// The numbers of the groups of each candidate, in ascending order. Groups are numbered over all families.
fn groups_of(problem: &Problem) -> Vec<Vec<u32>> {
    let mut groups_of = vec![Vec::new(); problem.candidates() as usize];
    let mut number = 0;
    for family in problem.families() {
        family.for_each(|group| {
            for literal in group {
                groups_of[literal.candidate() as usize].push(number);
            }
            number += 1;
        });
    }
    groups_of
}

/// Returns true if one group contains all of these candidates.
fn are_in_one_group(groups_of: &[Vec<u32>], candidates: &BTreeSet<Candidate>) -> bool {
    let mut each = candidates.iter().map(|&candidate| &groups_of[candidate as usize]);
    let Some(first) = each.next() else { return true };
    let has_all = |group: &u32| each.clone().all(|groups| groups.binary_search(group).is_ok());
    candidates.len() == 1 || first.iter().any(has_all)
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{ClauseSink, FormulaStats, Numbering};
    use bezzel_problem::Kind;

    use super::*;
    use crate::tests::seating::Seating;

    fn additions(clauses: &[[Lit; 2]]) -> (u64, u64) {
        let problem = Seating::new(4, 4).problem();
        let mut stats = FormulaStats::new();
        let map = VarMap::one_per_candidate(stats.fresh(16));
        let images = Numbering::AS_GENERATED.images(&problem, 16, &map);
        let mut collector = AdditionsCollector::new(&problem, &map, &images, 16).unwrap();
        for clause in clauses {
            collector.clause(clause);
        }
        let Additions { variables, across_lines } = collector.finish();
        (variables, across_lines)
    }

    /// Returns the literal of a guest and a chair, counted from 0.
    fn seat(row: u32, column: u32) -> Lit {
        Lit::positive(4 * row + column)
    }

    fn new(number: u32) -> Lit {
        Lit::positive(16 + number)
    }

    #[test]
    fn a_variable_for_seats_of_one_guest_stays_in_its_line() {
        let y = new(0);
        let clauses = [[!seat(0, 0), y], [!seat(0, 1), y], [!seat(0, 2), !y], [!seat(0, 3), !y]];
        assert_eq!(additions(&clauses), (1, 0));
    }

    #[test]
    fn a_variable_for_a_seat_and_its_neighbours_in_row_and_column_sees_across() {
        let y = new(0);
        let clauses = [[!seat(0, 0), y], [!seat(0, 1), !y], [!seat(1, 0), !y]];
        assert_eq!(additions(&clauses), (1, 1));
    }

    #[test]
    fn seats_that_imply_through_other_new_variables_count() {
        let (y, z) = (new(0), new(1));
        let clauses =
            [[!seat(0, 0), z], [!seat(0, 1), z], [!z, y], [!seat(1, 0), !y], [!seat(2, 0), !y]];
        // Only z implies y, so the seats behind z imply y too; z is excluded by the seats behind ¬y.
        assert_eq!(additions(&clauses), (2, 2));
    }

    #[test]
    fn a_formula_without_new_variables_has_no_additions() {
        let clauses = [[!seat(0, 0), !seat(0, 1)]];
        assert_eq!(additions(&clauses), (0, 0));
    }
}
