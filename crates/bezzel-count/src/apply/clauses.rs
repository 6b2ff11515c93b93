//! Building formulas clause after clause.

use bezzel_encode::Lit;

use super::kind::Dd;
use super::store::Store;
use crate::budget::Halt;

/// The function of a clause: some of its literals hold.
pub(super) fn clause<D: Dd>(
    store: &mut Store<'_, D>,
    levels: &[u32],
    lits: impl IntoIterator<Item = Lit>,
) -> Result<D, Halt> {
    combine(store, levels, lits, Store::or, false)
}

/// The function of a cube: all of its literals hold.
pub(super) fn cube<D: Dd>(
    store: &mut Store<'_, D>,
    levels: &[u32],
    lits: impl IntoIterator<Item = Lit>,
) -> Result<D, Halt> {
    combine(store, levels, lits, Store::and, true)
}

/// Joins literals from the lowest level up, so that each step adds one node at the root.
fn combine<'a, D: Dd>(
    store: &mut Store<'a, D>,
    levels: &[u32],
    lits: impl IntoIterator<Item = Lit>,
    join: impl Fn(&mut Store<'a, D>, &D, &D) -> Result<D, Halt>,
    neutral: bool,
) -> Result<D, Halt> {
    let mut lits: Vec<Lit> = lits.into_iter().collect();
    lits.sort_unstable_by_key(|lit| std::cmp::Reverse(levels[lit.vidx()]));
    let mut all = store.constant(neutral);
    for lit in lits {
        let literal = store.literal(levels[lit.vidx()], lit.is_pos())?;
        all = join(store, &literal, &all)?;
    }
    Ok(all)
}
