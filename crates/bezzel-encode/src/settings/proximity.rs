//! The input order `proximity`: candidates near each other that are in the same constraints.
//!
//! *Source.* J. E. Reeves, J. Filipe, M.-C. Hsu, R. Martins, M. J. H. Heule, "The Impact of Literal Sorting on Cardinality
//! Constraint Encodings", AAAI 2025, the algorithm Proximity with at-most-one constraints.
//!
//! *Construction.* The next candidate is the one with the highest score. If all scores are 0, it is the one with the most
//! occurrences. It adds len² to the scores of all others in an at-most-one constraint of this length, 4 to that of the
//! other in a clause of two literals, and 1/len to those of the others in a longer clause. Equal scores: the candidate
//! that was met first; equal occurrences: the one that is stated first.
//!
//! *Departures.* The source orders one constraint of larger bounds, and finds at-most-one constraints in clauses. Here
//! the groups of a problem are known, and one order of the candidates serves all groups. An at-least-one group is a clause,
//! and an exactly-one group is a clause and an at-most-one constraint. Other bounds and weights link nothing, as in the
//! source. The program of the authors leaves at-most-one constraints of fewer than six literals out, and counts
//! occurrences in clauses alone; the algorithm as described does not.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use bezzel_problem::{Candidate, Literal, Problem};

/// The score of one.
const ONE: u128 = 1 << 40;

/// The constraints that link candidates.
struct Links {
    members: Vec<Vec<Candidate>>,
    scores: Vec<u128>,
    /// The constraints of each candidate.
    of: Vec<Vec<u32>>,
}

impl Links {
    fn new(problem: &Problem) -> Self {
        let of = vec![Vec::new(); problem.candidates() as usize];
        let mut links = Self { members: Vec::new(), scores: Vec::new(), of };
        for family in problem.families().iter().filter(|family| family.weights().is_none()) {
            let bounds = family.bounds();
            family.for_each(|group| {
                if bounds.at_least == Some(1) {
                    links.add_clause(group);
                }
                if bounds.at_most == Some(1) {
                    links.add(group, ONE * (group.len() as u128).pow(2));
                }
            });
        }
        problem.clauses().iter().for_each(|clause| links.add_clause(clause));
        links
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        let score = if clause.len() == 2 { 4 * ONE } else { ONE / clause.len().max(1) as u128 };
        self.add(clause, score);
    }

    fn add(&mut self, literals: &[Literal], score: u128) {
        let number = self.members.len() as u32;
        let members: Vec<Candidate> = literals.iter().map(|lit| lit.candidate()).collect();
        for &candidate in &members {
            self.of[candidate as usize].push(number);
        }
        self.members.push(members);
        self.scores.push(score);
    }
}

/// The candidates in this order.
pub(super) fn ordered(problem: &Problem) -> Vec<Candidate> {
    let links = Links::new(problem);
    let mut by_occurrence: Vec<Candidate> = (0..problem.candidates()).collect();
    by_occurrence.sort_by_key(|&candidate| Reverse(links.of[candidate as usize].len()));
    let mut by_occurrence = by_occurrence.into_iter();
    // Of each candidate the score, and the number of candidates that were met before.
    let mut met: Vec<Option<(u128, u32)>> = vec![None; links.of.len()];
    let mut is_placed = vec![false; links.of.len()];
    let mut next: BTreeSet<(Reverse<u128>, u32, Candidate)> = BTreeSet::new();
    let (mut all_met, mut order) = (0, Vec::with_capacity(links.of.len()));
    loop {
        let best = next.pop_first().map(|(_, _, candidate)| candidate);
        let best = best.or_else(|| by_occurrence.find(|&other| !is_placed[other as usize]));
        let Some(candidate) = best else { return order };
        is_placed[candidate as usize] = true;
        order.push(candidate);
        for &link in &links.of[candidate as usize] {
            for &other in &links.members[link as usize] {
                if is_placed[other as usize] {
                    continue;
                }
                let (score, place) = met[other as usize].unwrap_or_else(|| {
                    all_met += 1;
                    (0, all_met)
                });
                next.remove(&(Reverse(score), place, other));
                let score = score + links.scores[link as usize];
                next.insert((Reverse(score), place, other));
                met[other as usize] = Some((score, place));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bezzel_problem::{Bounds, GroupFamily};

    use super::*;

    fn literals(of: &[u32]) -> Vec<Literal> {
        of.iter().map(|&candidate| Literal::chosen(candidate)).collect()
    }

    #[test]
    fn each_step_is_the_published_one() {
        // Candidate 4 has the most occurrences. Then 1 has 4 + 1/3, 5 has 4, and 0 has 1/3. After 1, candidate 0 has
        // 1/3 + 1/3 and is behind 5, whose score is 4. After 5, candidate 3 has 9 and is before 0, and 2 has 9, met later.
        let clauses = [&[4, 1][..], &[0, 1, 4], &[5, 4]].map(literals);
        let groups = [literals(&[5, 3, 2])];
        let problem = Problem::new(7)
            .with_family(GroupFamily::new("one", Bounds::AT_MOST_ONE, groups.into_iter().collect()))
            .with_clauses(clauses.into_iter().collect::<bezzel_problem::Lists<Literal>>());
        assert_eq!(ordered(&problem), [4, 1, 5, 3, 2, 0, 6]);
    }
}
