//! Variables that only occur together are taken for one variable of many values.
//!
//! Where a number is written in binary, every clause that names one of its bits names all of them:
//! it excludes one value, together with what else it says. Each value gets a variable of its own,
//! which stands for its part in these clauses; at least one of them holds, and each implies its
//! bits, so that the bits determine them, and no model is gained or lost. Unit propagation then
//! sees when a number has one value left, or none, and the search decides numbers rather than bits.
//!
//! This is the way back from the logarithmic to the direct encoding. Walsh: SAT v CSP. CP 2000, LNCS
//! 1894, 441-456, who shows what propagation loses on the way there.

use super::clauses::Clauses;
use super::code::Code;

/// Numbers of more bits are left alone.
const MOST_BITS: usize = 8;

/// Variables that occur in the same clauses.
struct Group {
    bits: Vec<usize>,
    /// The variable of the first value; the others follow. Bit i of a value tells whether the
    /// group's bit number i is false.
    first: usize,
}

/// Gives the values of each group of projected variables a variable of their own, numbered from
/// `variables` on. Returns how many variables there are then.
pub(super) fn name_values(clauses: &mut Clauses, variables: usize, projection: &[Code]) -> usize {
    let (groups, all) = groups(clauses, variables, projection);
    if groups.is_empty() {
        return variables;
    }
    // Per variable, its group and its place there.
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
                // The value that makes all of these literals false, looked for once.
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

/// The groups for which it pays, and how many variables there are with those of their values.
fn groups(clauses: &Clauses, variables: usize, projection: &[Code]) -> (Vec<Group>, usize) {
    // Per variable, the number of its clauses and a sum over them, which all but tells them.
    let mut sums = vec![(0, 0_u64); variables];
    for (number, clause) in (1..).zip(clauses.iter()) {
        for code in clause {
            let (count, sum) = &mut sums[code.variable()];
            (*count, *sum) = (*count + 1, sum.wrapping_add(scattered(number)));
        }
    }
    let mut projected: Vec<usize> = projection.iter().map(|code| code.variable()).collect();
    projected.sort_unstable_by_key(|&variable| (sums[variable], variable));
    projected.dedup();
    let alike = projected.chunk_by(|&one, &other| sums[one] == sums[other]);
    let pays = |bits: &&[usize]| {
        (2..=MOST_BITS).contains(&bits.len()) && sums[bits[0]].0 >> bits.len() > 0
    };
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

/// Of each group, whether every clause names all of its variables or none.
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
        let met = || clause.iter().filter_map(|code| group_of[code.variable()]);
        met().for_each(|group| named[group] += 1);
        for group in met() {
            // Looked at once for each of its literals; 0 when it has been judged.
            let count = std::mem::take(&mut named[group]);
            are_together[group] &= count == 0 || count == groups[group].len();
        }
    }
    are_together
}

/// A number that has little to do with this one (the finaliser of `SplitMix64`).
fn scattered(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
