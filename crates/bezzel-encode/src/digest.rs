//! A fingerprint of a stream of clauses.

use rustsat::types::Lit;

use crate::sink::{ClauseSink, VarRange};

/// Digests the clauses that pass: BLAKE3 of their literals as DIMACS integers, four bytes each,
/// little-endian, every clause closed by a zero.
///
/// Equal formulas in equal order have equal digests, whatever program made them.
#[derive(Debug)]
pub struct Digest {
    hasher: blake3::Hasher,
    buffer: Vec<u8>,
    variables: u32,
}

/// Full when hashing many bytes at once pays.
const BUFFER: usize = 1 << 16;

impl Digest {
    /// The digest of nothing.
    pub fn new() -> Self {
        let buffer = Vec::with_capacity(2 * BUFFER);
        Self { hasher: blake3::Hasher::new(), buffer, variables: 0 }
    }

    /// The digest of all clauses so far, as 32 hexadecimal digits.
    pub fn finish(mut self) -> String {
        self.hasher.update(&self.buffer);
        self.hasher.finalize().to_hex()[..32].to_owned()
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl ClauseSink for Digest {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = VarRange::after(self.variables, count);
        self.variables += count;
        range
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        for lit in lits {
            self.buffer.extend_from_slice(&lit.to_ipasir().to_le_bytes());
        }
        self.buffer.extend_from_slice(&[0; 4]);
        if self.buffer.len() >= BUFFER {
            self.hasher.update(&self.buffer);
            self.buffer.clear();
        }
    }
}
