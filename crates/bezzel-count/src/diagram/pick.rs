//! The k-th model, and a random one.

use bezzel_encode::Var;
use num_bigint::BigUint;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::counts::{Number, Table};
use super::{Counts, Diagram, Kind, Ref};

impl Counts<'_> {
    /// The true variables of model number `k`, counted from 0 in the order of
    /// [`Models`](super::Models); `None` when there are not so many.
    pub fn kth(&self, k: &BigUint) -> Option<Vec<Var>> {
        if *k >= self.total() {
            return None;
        }
        let diagram = self.diagram;
        // Less than the total, which fits.
        let fits = "a number below the total";
        Some(match &self.table {
            Table::Words(table) => diagram.kth(table, k.try_into().expect(fits)),
            Table::Wide(table) => diagram.kth(table, k.try_into().expect(fits)),
            Table::Big(table) => diagram.kth(table, k.clone()),
        })
    }

    /// The true variables of a model at random, every one with the same chance; `None` when there
    /// is none. The same state of `random` gives the same model on every machine.
    pub fn random(&self, random: &mut ChaCha8Rng) -> Option<Vec<Var>> {
        let total = self.total();
        (total.bits() > 0).then(|| self.kth(&below(&total, random)).expect("below the total"))
    }
}

/// A number below `limit`, which is not 0, every one with the same chance.
fn below(limit: &BigUint, random: &mut ChaCha8Rng) -> BigUint {
    // As many bits as the limit has, again and again until they are below it: no remainder that
    // would favour small numbers, and bytes, whose order no machine's words change.
    let bits = limit.bits();
    let mut bytes = vec![0; bits.div_ceil(8) as usize];
    loop {
        random.fill_bytes(&mut bytes);
        if let Some(last) = bytes.last_mut() {
            *last &= u8::MAX >> (8 * bits.div_ceil(8) - bits);
        }
        let drawn = BigUint::from_bytes_le(&bytes);
        if drawn < *limit {
            return drawn;
        }
    }
}

impl Diagram {
    fn kth<N: Number>(&self, table: &[N], mut k: N) -> Vec<Var> {
        let fits = "not more than the total, which fits";
        let mut model = Vec::new();
        let mut at = self.root;
        let mut level = 0;
        loop {
            let here = self.level(at);
            if self.kind == Kind::Bdd {
                while level < here {
                    // Both values have as many models.
                    let half = self.below(table, level, at).expect(fits);
                    if k < half {
                        model.push(self.order[level]);
                    } else {
                        k = k.minus(&half);
                    }
                    level += 1;
                }
            }
            let Some((low, high)) = self.children(at) else {
                debug_assert_eq!(at, Ref::TRUE, "a model leads to true");
                return model;
            };
            let first = self.below(table, here, high).expect(fits);
            if k < first {
                model.push(self.order[here]);
                at = high;
            } else {
                k = k.minus(&first);
                at = low;
            }
            level = here + 1;
        }
    }
}
