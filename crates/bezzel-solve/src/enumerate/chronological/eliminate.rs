//! Elimination of auxiliary variables before the search, where that enlarges the formula only a little.
//!
//! The clauses that contain a variable are replaced by their resolvents on it. The assignments of all other
//! variables that extend to a model stay the same. Unit propagation is preserved too: a literal that followed
//! through the variable follows from the resolvents. A search that does not show auxiliary variables does not need
//! to propagate through them, and is as fast as on a formula without them.
//!
//! A variable is eliminated if its resolvents of more than two literals have hardly more than twice the literals of
//! the longer clauses that they replace: most of them are redundant at once. Binary clauses are not counted, since
//! each costs little, up to a limit.
//!
//! Eén, Biere: Effective Preprocessing in SAT Through Variable and Clause Elimination. SAT 2005,
//! LNCS 3569, 61-75; section 4.1.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::clauses::Clauses;
use super::code::Code;
use super::pool::Pool;

/// The largest number of binary clauses after elimination, unless the formula had more.
const MAX_PAIRS: usize = 1 << 20;

/// The number of literals that resolvents may have beyond twice those of the clauses that they replace.
const SLACK: usize = 32;

/// The largest number of pairs of clauses that are resolved.
const MAX_STEPS: usize = 1 << 24;

/// The number of literals that the search for redundant clauses and literals may read.
const READ_LIMIT: u64 = 1 << 28;

/// Eliminates variables that need not be kept, until an interrupt.
pub(super) fn eliminate(
    clauses: &mut Clauses,
    is_kept: &[bool],
    is_interrupted: &mut dyn FnMut() -> bool,
) {
    if !clauses.iter().flatten().any(|code| !is_kept[code.variable()]) {
        return;
    }
    let mut pool = Pool::new(is_kept.len(), READ_LIMIT);
    for clause in clauses.iter() {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        pool.add(clause);
    }
    pool.tidy(is_interrupted);
    run(&mut pool, is_kept, is_interrupted);
    *clauses = pool.into_clauses();
}

/// Eliminates one variable after the other, beginning with those with the fewest resolvents.
fn run(pool: &mut Pool, is_kept: &[bool], is_interrupted: &mut dyn FnMut() -> bool) {
    let max_pairs = pool.pairs().max(MAX_PAIRS);
    let open = (0..is_kept.len()).filter(|&variable| !is_kept[variable]);
    let mut queue: BinaryHeap<_> =
        open.map(|variable| Reverse((product(pool, variable), variable))).collect();
    let mut steps = 0;
    while let Some(Reverse((expected, variable))) = queue.pop() {
        let product = product(pool, variable);
        if product > expected {
            queue.push(Reverse((product, variable)));
            continue;
        }
        steps += product;
        if steps > MAX_STEPS || is_interrupted() {
            return;
        }
        let Some(resolvents) = resolvents(pool, variable, max_pairs) else {
            continue;
        };
        let mut neighbours: Vec<usize> =
            pool.take(variable).iter().flatten().map(|code| code.variable()).collect();
        for resolvent in resolvents {
            pool.add(resolvent);
        }
        pool.tidy(is_interrupted);
        // Neighbours that were not eliminated before may qualify now.
        neighbours.sort_unstable();
        neighbours.dedup();
        for neighbour in neighbours {
            if neighbour != variable && !is_kept[neighbour] {
                queue.push(Reverse((self::product(pool, neighbour), neighbour)));
            }
        }
    }
}

/// Returns an upper bound on the number of resolvents.
fn product(pool: &Pool, variable: usize) -> usize {
    let code = Code::positive(variable);
    pool.with(code).len() * pool.with(!code).len()
}

/// Returns the resolvents on a variable; `None` if they are too many.
fn resolvents(pool: &Pool, variable: usize, max_pairs: usize) -> Option<Vec<Vec<Code>>> {
    let code = Code::positive(variable);
    let parents = pool.with(code).chain(pool.with(!code));
    let before: usize = parents.map(<[Code]>::len).filter(|&length| length > 2).sum();
    let mut after = 0;
    let mut resolvents = Vec::new();
    for first in pool.with(code) {
        for second in pool.with(!code) {
            let Some(resolvent) = resolve(first, second, variable) else {
                continue;
            };
            if pool.has_pair(&resolvent) {
                continue;
            }
            if resolvent.len() > 2 {
                after += resolvent.len();
            }
            resolvents.push(resolvent);
            if after > 2 * before + SLACK || pool.pairs() + resolvents.len() > max_pairs {
                return None;
            }
        }
    }
    Some(resolvents)
}

/// Returns the resolvent of two clauses on a variable, sorted; `None` if it is a tautology.
fn resolve(first: &[Code], second: &[Code], variable: usize) -> Option<Vec<Code>> {
    let both = first.iter().chain(second).copied();
    let mut resolvent: Vec<Code> = both.filter(|code| code.variable() != variable).collect();
    resolvent.sort_unstable();
    resolvent.dedup();
    // Both literals of a variable are adjacent now.
    resolvent.windows(2).all(|pair| pair[0] != !pair[1]).then_some(resolvent)
}
