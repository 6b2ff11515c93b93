//! Auxiliary variables are eliminated before the search, where that makes the formula little larger.
//!
//! The clauses that name a variable are replaced by their resolvents on it, which leaves the
//! assignments of all other variables that extend to a model as they were. So does unit
//! propagation: what followed through the variable follows from the resolvents. A search that
//! never shows auxiliary variables, and need not propagate through them either, is as quick as on
//! a formula without them.
//!
//! A variable is eliminated if the longer ones of its resolvents have hardly more than twice the
//! literals that those of the clauses have which they replace: most of them are superfluous at once.
//! Clauses of two are not counted, since each costs so little, up to a limit.
//!
//! Eén, Biere: Effective Preprocessing in SAT Through Variable and Clause Elimination. SAT 2005,
//! LNCS 3569, 61-75; section 4.1.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::clauses::Clauses;
use super::code::Code;
use super::pool::Pool;

/// So many clauses of two may be there in the end, or as many as there were.
const MOST_PAIRS: usize = 1 << 20;

/// So many literals the resolvents may have beyond twice those of the clauses that they replace.
const SLACK: usize = 32;

/// So many pairs of clauses are resolved at most.
const MOST_STEPS: usize = 1 << 24;

/// So many literals are looked at in search of what is superfluous.
const PATIENCE: u64 = 1 << 28;

/// Eliminates variables that are not to be kept, as far as one comes before an interrupt.
pub(super) fn eliminate(
    clauses: &mut Clauses,
    is_kept: &[bool],
    is_interrupted: &mut dyn FnMut() -> bool,
) {
    if !clauses.iter().flatten().any(|code| !is_kept[code.variable()]) {
        return;
    }
    let mut pool = Pool::new(is_kept.len(), PATIENCE);
    for clause in clauses.iter() {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        pool.add(clause);
    }
    pool.tidy(is_interrupted);
    run(&mut pool, is_kept, is_interrupted);
    *clauses = pool.into_clauses();
}

/// Eliminates one variable after the other, those first that leave the fewest resolvents.
fn run(pool: &mut Pool, is_kept: &[bool], is_interrupted: &mut dyn FnMut() -> bool) {
    let most_pairs = pool.pairs().max(MOST_PAIRS);
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
        if steps > MOST_STEPS || is_interrupted() {
            return;
        }
        let Some(resolvents) = resolvents(pool, variable, most_pairs) else {
            continue;
        };
        let mut neighbours: Vec<usize> =
            pool.take(variable).iter().flatten().map(|code| code.variable()).collect();
        for resolvent in resolvents {
            pool.add(resolvent);
        }
        pool.tidy(is_interrupted);
        // Those that could not go before may be able to now.
        neighbours.sort_unstable();
        neighbours.dedup();
        for neighbour in neighbours {
            if neighbour != variable && !is_kept[neighbour] {
                queue.push(Reverse((self::product(pool, neighbour), neighbour)));
            }
        }
    }
}

/// How many resolvents there are at most.
fn product(pool: &Pool, variable: usize) -> usize {
    let code = Code::positive(variable);
    pool.with(code).len() * pool.with(!code).len()
}

/// The resolvents on a variable; `None` if they are too many.
fn resolvents(pool: &Pool, variable: usize, most_pairs: usize) -> Option<Vec<Vec<Code>>> {
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
            if after > 2 * before + SLACK || pool.pairs() + resolvents.len() > most_pairs {
                return None;
            }
        }
    }
    Some(resolvents)
}

/// The resolvent of two clauses on a variable, sorted; `None` if it is a tautology.
fn resolve(first: &[Code], second: &[Code], variable: usize) -> Option<Vec<Code>> {
    let both = first.iter().chain(second).copied();
    let mut resolvent: Vec<Code> = both.filter(|code| code.variable() != variable).collect();
    resolvent.sort_unstable();
    resolvent.dedup();
    // The two literals of a variable are neighbours now.
    resolvent.windows(2).all(|pair| pair[0] != !pair[1]).then_some(resolvent)
}
