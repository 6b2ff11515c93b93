//! Pairs of literals of which at most one holds, each counted once.

use std::borrow::Cow;

use bezzel_problem::{GroupFamily, Lists, Literal, Problem};

use crate::size::pairs;

/// For each literal of a problem, by its index, the numbers of the groups in which it is.
pub(super) fn groups_of<'a>(
    problem: &Problem,
    groups: impl Iterator<Item = &'a [Literal]> + Clone,
) -> Lists<u32> {
    let literals = 2 * problem.candidates() as usize;
    let mut starts = vec![0_usize; literals + 1];
    for literal in groups.clone().flatten() {
        starts[literal.index() + 1] += 1;
    }
    for literal in 0..literals {
        starts[literal + 1] += starts[literal];
    }
    let ends = starts[1..].to_vec();
    let mut items = vec![0; *starts.last().expect("one more than literals")];
    for (number, group) in (0..).zip(groups) {
        for literal in group {
            let start = &mut starts[literal.index()];
            items[*start] = number;
            *start += 1;
        }
    }
    Lists::from_parts(items, ends)
}

/// The groups of some families, each with the numbers of the groups in which every literal is.
pub(super) fn listed_with_index<'a>(
    problem: &Problem,
    families: impl Iterator<Item = &'a GroupFamily>,
) -> Vec<(Cow<'a, Lists<Literal>>, Lists<u32>)> {
    let with_index = |family: &'a GroupFamily| {
        let groups = family.listed();
        let of = groups_of(problem, groups.iter());
        (groups, of)
    };
    families.map(with_index).collect()
}

/// The number of pairs of literals that are together in some group with at most one of these families, each counted
/// once. `is_counted` selects the pairs that count, and `in_group` counts them in one group.
///
/// Takes time linear in the number of literals, but for groups that share two literals or more. Where the problem knows
/// its repeated pairs, all pairs count, and no group is listed.
pub(super) fn distinct(
    problem: &Problem,
    families: &[&GroupFamily],
    is_counted: impl Fn(Literal, Literal) -> bool,
    in_group: impl Fn(&[Literal]) -> u128,
) -> u128 {
    if let Some(repeated) = problem.repeated_pairs() {
        let lengths = families.iter().flat_map(|family| family.lengths());
        return lengths.map(|length| pairs(length.into())).sum::<u128>() - repeated;
    }
    let mut groups = Lists::default();
    for family in families.iter().filter(|family| family.bounds().at_most.is_some()) {
        family.for_each(|group| groups.push(group.iter().copied()));
    }
    let stated: u128 = groups.iter().map(in_group).sum();
    let of = groups_of(problem, groups.iter());
    // The number of literals that each earlier group shares with the present one.
    let mut shared = vec![0_u32; groups.len()];
    let (mut met, mut repeated) = (Vec::new(), Vec::new());
    let mut distinct = stated;
    for (number, group) in (0..).zip(groups.iter()) {
        let earlier = |literal: &Literal| {
            of.get(literal.index()).iter().copied().take_while(|&other| other < number)
        };
        for other in group.iter().flat_map(earlier) {
            if shared[other as usize] == 0 {
                met.push(other);
            }
            shared[other as usize] += 1;
        }
        repeated.clear();
        for &other in met.iter().filter(|&&other| shared[other as usize] > 1) {
            let both: Vec<Literal> = {
                let is_shared = |literal: &&Literal| earlier(literal).any(|at| at == other);
                group.iter().filter(is_shared).copied().collect()
            };
            for (at, &first) in both.iter().enumerate() {
                let seconds = both[at + 1..].iter().filter(|&&second| is_counted(first, second));
                repeated.extend(seconds.map(|&second| (first.min(second), first.max(second))));
            }
        }
        repeated.sort_unstable();
        repeated.dedup();
        distinct -= repeated.len() as u128;
        met.drain(..).for_each(|other| shared[other as usize] = 0);
    }
    distinct
}
