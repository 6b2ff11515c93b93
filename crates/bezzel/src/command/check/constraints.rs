//! The constraints of an instance, and bounds that follow by counting: no column is empty if each row has at least one queen,
//! each column at most one, and there are as many rows as columns.
//!
//! Two sets of disjoint groups have the same literals. The lower bounds of the first have the sum L, the upper bounds of the
//! second the sum U. Then a group of the first has at most U minus the other lower bounds, and one of the second at least L
//! minus the other upper bounds. The literals are compared and the bounds are added here, so no kind of problem needs to be
//! trusted.

use std::collections::HashSet;

use bezzel_problem::{Bounds, Literal, Problem};

/// A constraint: literals with weights, bounds of their sum, and a condition.
pub(super) struct Group {
    pub(super) literals: Vec<Literal>,
    weights: Option<Vec<u64>>,
    pub(super) condition: Option<Literal>,
    /// The stated bounds from which all others follow.
    pub(super) needed: Bounds,
    /// The strongest bounds that follow.
    pub(super) strongest: Bounds,
}

/// The most sets of disjoint groups with lower bounds, and with upper bounds.
const MAX_SETS: usize = 8;

/// The most rounds in which the groups of two sets are made to have the same literals.
const MAX_ROUNDS: usize = 8;

impl Group {
    fn new(
        literals: &[Literal],
        weights: Option<Vec<u64>>,
        bounds: Bounds,
        condition: Option<Literal>,
    ) -> Self {
        let literals = literals.to_vec();
        Self { literals, weights, condition, needed: bounds, strongest: bounds }
    }

    pub(super) fn weights(&self) -> Vec<u64> {
        self.weights.clone().unwrap_or_else(|| vec![1; self.literals.len()])
    }

    /// The sum if all literals hold.
    pub(super) fn most(&self) -> u64 {
        self.weights.as_ref().map_or(self.literals.len() as u64, |weights| weights.iter().sum())
    }
}

/// The constraints of a problem.
pub(super) fn groups(problem: &Problem) -> Vec<Group> {
    let mut groups = Vec::new();
    for family in problem.families() {
        let mut number = 0;
        family.for_each(|literals| {
            let weights = family.weights().map(|weights| weights.get(number).to_vec());
            let condition = family.conditions().get(number).copied();
            groups.push(Group::new(literals, weights, family.bounds(), condition));
            number += 1;
        });
    }
    let given = problem.given().iter().map(|&given| Literal::new(given, false));
    let excluded = problem.excluded().iter().map(|&excluded| Literal::new(excluded, true));
    let fixed: Vec<[Literal; 1]> = given.chain(excluded).map(|literal| [literal]).collect();
    let bounds = Bounds { at_least: Some(1), at_most: None };
    let clauses = problem.clauses().iter().chain(fixed.iter().map(|literal| &literal[..]));
    groups.extend(clauses.map(|literals| Group::new(literals, None, bounds, None)));
    count(&mut groups);
    groups
}

/// Finds the needed and the strongest bounds of groups, of which both are those stated.
fn count(groups: &mut [Group]) {
    let lowers = disjoint(groups, |bounds| bounds.at_least);
    let uppers = disjoint(groups, |bounds| bounds.at_most);
    // A bound from which others follow stays needed.
    let mut used = vec![[false; 2]; groups.len()];
    for (lower, upper) in lowers.iter().flat_map(|it| uppers.iter().map(move |other| (it, other))) {
        let (lower, upper) = matched(groups, lower.clone(), upper.clone());
        if lower == upper {
            continue;
        }
        let sum = |set: &[usize], side: fn(Bounds) -> Option<u64>| {
            let mut bounds = set.iter().map(|&group| side(groups[group].needed));
            bounds.try_fold(0, |sum: u64, bound| sum.checked_add(bound?))
        };
        let sums = sum(&lower, |bounds| bounds.at_least).zip(sum(&upper, |bounds| bounds.at_most));
        let Some((least, most)) = sums else { continue };
        for (side, set) in [&lower, &upper].into_iter().enumerate() {
            for &group in set {
                used[group][side] = true;
            }
        }
        for &number in &lower {
            let Group { needed, strongest, .. } = &mut groups[number];
            let own = needed.at_least.unwrap_or(0);
            let follows = most.saturating_add(own).saturating_sub(least);
            needed.at_most = needed.at_most.filter(|&it| used[number][1] || it < follows);
            strongest.at_most = Some(strongest.at_most.map_or(follows, |it| it.min(follows)));
        }
        for &number in &upper {
            let Group { needed, strongest, .. } = &mut groups[number];
            let own = needed.at_most.unwrap_or(0);
            let follows = least.saturating_add(own).saturating_sub(most);
            needed.at_least = needed.at_least.filter(|&it| used[number][0] || it > follows);
            strongest.at_least = strongest.at_least.max(Some(follows));
        }
    }
}

/// The groups of two sets of disjoint ones, without those that have a literal of no group of the other set; none if that
/// takes too long.
fn matched(
    groups: &[Group],
    mut lower: Vec<usize>,
    mut upper: Vec<usize>,
) -> (Vec<usize>, Vec<usize>) {
    let keep_covered = |set: &mut Vec<usize>, others: &[usize]| {
        let all = others.iter().flat_map(|&group| &groups[group].literals);
        let all: HashSet<Literal> = all.copied().collect();
        set.retain(|&group| groups[group].literals.iter().all(|it| all.contains(it)));
    };
    for _ in 0..MAX_ROUNDS {
        let number = lower.len() + upper.len();
        keep_covered(&mut lower, &upper);
        keep_covered(&mut upper, &lower);
        if lower.len() + upper.len() == number {
            return (lower, upper);
        }
    }
    (Vec::new(), Vec::new())
}

/// The groups without weights and condition that have a bound, each in the first set whose other groups share no literal
/// with it.
fn disjoint(groups: &[Group], bound: fn(Bounds) -> Option<u64>) -> Vec<Vec<usize>> {
    let mut sets = vec![Vec::new(); MAX_SETS];
    let mut literals = vec![HashSet::new(); MAX_SETS];
    for (number, group) in groups.iter().enumerate() {
        let own: HashSet<Literal> = group.literals.iter().copied().collect();
        let is_plain = group.weights.is_none() && group.condition.is_none();
        let is_set = own.len() == group.literals.len();
        if !is_plain || !is_set || bound(group.needed).is_none() {
            continue;
        }
        if let Some(set) = literals.iter().position(|others| own.is_disjoint(others)) {
            literals[set].extend(own);
            sets[set].push(number);
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the bounds on all assignments.
    fn counted(mut groups: Vec<Group>, candidates: u32) -> Vec<Group> {
        let stated: Vec<Bounds> = groups.iter().map(|group| group.needed).collect();
        count(&mut groups);
        for chosen in 0..1_u32 << candidates {
            let holds = |it: &&Literal| (chosen >> it.candidate() & 1 == 1) != it.is_negated();
            let admit = |pick: &dyn Fn(usize, &Group) -> Bounds| {
                groups.iter().enumerate().all(|(number, group)| {
                    let sum = group.literals.iter().filter(holds).count() as u64;
                    pick(number, group).admit(sum)
                })
            };
            let is_right = admit(&|number, _| stated[number]);
            assert_eq!(is_right, admit(&|_, group| group.needed), "{chosen:b}: needed");
            assert_eq!(is_right, admit(&|_, group| group.strongest), "{chosen:b}: strongest");
        }
        groups
    }

    /// The rows and columns, in turn, as a file may have them.
    fn lines(rows: Bounds, columns: Bounds, [height, width]: [u32; 2]) -> Vec<Group> {
        let at = |row: u32, column: u32| Literal::chosen(row * width + column);
        let group = |literals: Vec<Literal>, bounds| Group::new(&literals, None, bounds, None);
        let row = |row| group((0..width).map(|column| at(row, column)).collect(), rows);
        let column = |column| group((0..height).map(|row| at(row, column)).collect(), columns);
        let both = |number| {
            [(number < height).then(|| row(number)), (number < width).then(|| column(number))]
        };
        (0..height.max(width)).flat_map(both).flatten().collect()
    }

    #[test]
    fn needed_and_strongest_bounds_have_the_same_assignments_as_the_stated_ones() {
        let numbers = [None, Some(0), Some(1), Some(2)];
        let with = |at_least| numbers.map(|at_most| Bounds { at_least, at_most });
        let all: Vec<Bounds> = numbers.into_iter().flat_map(with).collect();
        for (&rows, &columns) in all.iter().flat_map(|it| all.iter().map(move |other| (it, other)))
        {
            for sides in [[2, 2], [2, 3], [3, 2]] {
                counted(lines(rows, columns, sides), sides[0] * sides[1]);
            }
            // A group of both sets, with a negated literal, and one that has a literal twice.
            let mut groups = lines(rows, columns, [2, 3]);
            let both = [Literal::chosen(6), Literal::new(7, true)];
            groups.insert(1, Group::new(&both, None, rows, None));
            groups.push(Group::new(&[both[0]; 2], None, columns, None));
            counted(groups, 8);
        }
        let one = Bounds::EXACTLY_ONE;
        let full = counted(lines(one, one, [3, 3]), 9);
        assert!(full.iter().all(|group| group.needed != one && group.strongest == one));
        let at_least = Bounds { at_least: Some(1), at_most: None };
        let mut minimal = lines(at_least, Bounds::AT_MOST_ONE, [3, 3]);
        let other = [Literal::new(0, true), Literal::new(4, true)];
        minimal.push(Group::new(&other, None, at_least, None));
        let minimal = counted(minimal, 9);
        assert!(minimal[..6].iter().all(|group| group.strongest == one));
        // Two pigeons in each of three holes: all rows of four.
        let pigeons = counted(lines(at_least, Bounds::AT_MOST_ONE, [3, 4]), 12);
        assert!(pigeons.iter().all(|group| group.needed != one));
    }
}
