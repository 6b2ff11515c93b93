//! Hashes of numbers.

/// A hash of the number: the finaliser of `SplitMix64` (Steele, Lea, Flood, OOPSLA 2014). Near numbers have far hashes;
/// 0 has the hash 0.
pub fn mixed_hash(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
