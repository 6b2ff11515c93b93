//! Variables that only occur together are replaced by one variable for each of their joint values.
//!
//! If a number is written in binary, every clause that contains one of its bits contains all of them: it excludes
//! one value in combination with its other literals. Each value gets a variable of its own, which replaces the bits
//! in these clauses. At least one of these variables is true, and each implies its bits. The bits therefore
//! determine them, and the models stay the same. Unit propagation then detects that a number has one value left, or
//! none, and the search decides numbers instead of bits.
//!
//! This reverses the step from the direct to the logarithmic encoding. Walsh: SAT v CSP. CP 2000, LNCS 1894,
//! 441-456, shows the loss of propagation in that step.

use bezzel_problem::mixed_hash;

use super::clauses::Clauses;
use super::code::Code;

/// The largest number of bits of a number that is replaced.
const MAX_BITS: usize = 8;

/// Variables that occur in the same clauses.
struct Group {
    bits: Vec<usize>,
    /// The variable of the first value; the others follow. Bit i of a value is 1 if the group's bit number i is
    /// false.
    first: usize,
}

/// Gives each value of each group of projected variables a variable of its own, numbered from `variables` on.
/// Returns the new number of variables.
pub(super) fn name_values(clauses: &mut Clauses, variables: usize, projection: &[Code]) -> usize {
    let (groups, all) = groups(clauses, variables, projection);
    if groups.is_empty() {
        return variables;
    }
    // Per variable, its group and its position there.
    let mut places = vec![None; variables];
    for group in &groups {
        for (place, &bit) in group.bits.iter().enumerate() {
            places[bit] = Some((group, place));
        }
    }
    let mut named = Clauses::default();
    let mut clause = Vec::new();
    for codes in clauses.iter() {
        clause.clear();
        for &code in codes {
            match places[code.variable()] {
                None => clause.push(code),
                // The value that makes all of these literals false, computed at the first bit.
                Some((group, 0)) => {
                    let value = codes.iter().filter_map(|&code| {
                        let (other, place) = places[code.variable()]?;
                        let is_true = !code.is_negated();
                        (other.first == group.first).then_some(usize::from(is_true) << place)
                    });
                    clause.push(!Code::positive(group.first + value.sum::<usize>()));
                }
                Some(_) => {}
            }
        }
        named.add(clause.iter().copied());
    }
    for group in &groups {
        let values = (0..1 << group.bits.len()).map(|value| Code::positive(group.first + value));
        named.add(values.clone());
        for (value, code) in values.enumerate() {
            for (place, &bit) in group.bits.iter().enumerate() {
                let bit = Code::positive(bit);
                let bit = if value >> place & 1 == 0 { bit } else { !bit };
                named.add([!code, bit].into_iter());
            }
        }
    }
    *clauses = named;
    all
}

/// Returns the groups for which the replacement pays, and the number of variables with those of their values.
fn groups(clauses: &Clauses, variables: usize, projection: &[Code]) -> (Vec<Group>, usize) {
    // Per variable, the number of its clauses and a hash of the set of its clauses.
    let mut sums = vec![(0, 0_u64); variables];
    for (number, clause) in (1..).zip(clauses.iter()) {
        for code in clause {
            let (count, sum) = &mut sums[code.variable()];
            (*count, *sum) = (*count + 1, sum.wrapping_add(mixed_hash(number)));
        }
    }
    let mut projected: Vec<usize> = projection.iter().map(|code| code.variable()).collect();
    projected.sort_unstable_by_key(|&variable| (sums[variable], variable));
    projected.dedup();
    let alike = projected.chunk_by(|&one, &other| sums[one] == sums[other]);
    let pays =
        |bits: &&[usize]| (2..=MAX_BITS).contains(&bits.len()) && sums[bits[0]].0 >> bits.len() > 0;
    let found: Vec<&[usize]> = alike.filter(pays).collect();
    let mut all = variables;
    let mut groups = Vec::new();
    for (bits, is_group) in found.iter().zip(are_together(clauses, variables, &found)) {
        if is_group {
            groups.push(Group { bits: bits.to_vec(), first: all });
            all += 1 << bits.len();
        }
    }
    (groups, all)
}

/// Returns for each group true if every clause contains all of its variables or none.
fn are_together(clauses: &Clauses, variables: usize, groups: &[&[usize]]) -> Vec<bool> {
    let mut group_of = vec![None; variables];
    for (group, bits) in groups.iter().enumerate() {
        for &bit in *bits {
            group_of[bit] = Some(group);
        }
    }
    let mut are_together = vec![true; groups.len()];
    let mut named = vec![0; groups.len()];
    for clause in clauses.iter() {
        let groups_of_clause = || clause.iter().filter_map(|code| group_of[code.variable()]);
        groups_of_clause().for_each(|group| named[group] += 1);
        for group in groups_of_clause() {
            // Visited once for each literal of the group; 0 after the first visit.
            let count = std::mem::take(&mut named[group]);
            are_together[group] &= count == 0 || count == groups[group].len();
        }
    }
    are_together
}
