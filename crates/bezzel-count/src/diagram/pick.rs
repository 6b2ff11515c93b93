//! A model at random.

use bezzel_encode::Var;
use num_bigint::BigUint;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::Counts;

impl Counts<'_> {
    /// The true variables of a model at random, every one with the same chance; `None` when there
    /// is none. The same state of `random` gives the same model on every machine.
    pub fn random(&self, random: &mut ChaCha8Rng) -> Option<Vec<Var>> {
        let total = self.total();
        (total.bits() > 0).then(|| self.kth(&below(&total, random)).expect("below the total"))
    }
}

/// A number below `limit`, which is not 0, every one with the same chance.
fn below(limit: &BigUint, random: &mut ChaCha8Rng) -> BigUint {
    // As many bits as the limit has, repeated until they are below it. A remainder would favour small numbers. The
    // order of bytes does not depend on the machine's words.
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
