//! A fingerprint of a stream of clauses.

use rustsat::types::Lit;

use crate::sink::{ClauseSink, VarRange};

/// Digests the clauses that pass: BLAKE3 of their literals as DIMACS integers, four bytes each, little-endian, every
/// clause ended by a zero.
///
/// Equal formulas in equal order have equal digests, for all programs.
#[derive(Debug)]
pub struct ClauseHash {
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
    variables: u32,
}

/// The number of bytes that are hashed at once: a power of two, so that they are a whole branch of BLAKE3's tree and
/// can be hashed in parallel.
const BLOCK: usize = 1 << 16;

impl ClauseHash {
    /// The digest of no clauses.
    pub fn new() -> Self {
        let buffer = Vec::with_capacity(2 * BLOCK);
        Self { hasher: blake3::Hasher::new(), buffer, variables: 0 }
    }

    /// The digest of all clauses so far, as 32 hexadecimal digits.
    pub fn finish(mut self) -> String {
        self.hasher.update(&self.buffer);
        self.hasher.finalize().to_hex()[..32].to_owned()
    }

    #[cold]
    fn hash_blocks(&mut self) {
        let whole = self.buffer.len() - self.buffer.len() % BLOCK;
        self.hasher.update(&self.buffer[..whole]);
        self.buffer.drain(..whole);
    }
}

impl Default for ClauseHash {
    fn default() -> Self {
        Self::new()
    }
}

/// The literal by its DIMACS number: variables from 1, negated ones negative.
#[inline]
fn number(lit: Lit) -> [u8; 4] {
    // Below MAX_VARIABLES, so it fits.
    let number = lit.vidx32() as i32 + 1;
    (if lit.is_neg() { -number } else { number }).to_le_bytes()
}

impl ClauseSink for ClauseHash {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.variables, count)
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        for &lit in lits {
            self.buffer.extend_from_slice(&number(lit));
        }
        self.buffer.extend_from_slice(&[0; 4]);
        if self.buffer.len() >= BLOCK {
            self.hash_blocks();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(clauses: &[&[i32]]) -> String {
        let mut digest = ClauseHash::new();
        for clause in clauses {
            let lits: Vec<_> = clause.iter().map(|&lit| Lit::from_ipasir(lit).unwrap()).collect();
            digest.clause(&lits);
        }
        digest.finish()
    }

    #[test]
    fn the_digest_is_the_hash_of_the_clauses_as_dimacs_integers() {
        let bytes: Vec<u8> = [1, -2, 0, i32::MAX, 0, 0, -300, 0]
            .iter()
            .flat_map(|n: &i32| n.to_le_bytes())
            .collect();
        let expected = blake3::hash(&bytes).to_hex()[..32].to_owned();
        assert_eq!(digest(&[&[1, -2], &[i32::MAX], &[], &[-300]]), expected);
        assert_eq!(digest(&[]), blake3::hash(&[]).to_hex()[..32]);
    }

    #[test]
    fn order_signs_and_ends_of_clauses_all_count() {
        let all = [
            digest(&[&[1, 2], &[3]]),
            digest(&[&[3], &[1, 2]]),
            digest(&[&[2, 1], &[3]]),
            digest(&[&[1, -2], &[3]]),
            digest(&[&[1], &[2, 3]]),
            digest(&[&[1, 2], &[3], &[]]),
        ];
        for (index, digest) in all.iter().enumerate() {
            assert!(!all[..index].contains(digest), "number {index} is like one before");
        }
    }

    #[test]
    fn a_stream_longer_than_the_buffer_is_hashed_whole() {
        let clause: Vec<i32> = (1..=1000).collect();
        let clauses = vec![clause.as_slice(); 100];
        let mut bytes = Vec::new();
        for _ in 0..100 {
            bytes.extend(clause.iter().chain([&0]).flat_map(|n| n.to_le_bytes()));
        }
        assert!(bytes.len() > 5 * BLOCK);
        assert_eq!(digest(&clauses), blake3::hash(&bytes).to_hex()[..32]);
    }
}
