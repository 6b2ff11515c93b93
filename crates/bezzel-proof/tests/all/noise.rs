//! Random bytes in place of a proof: no panic, bounded memory, and no proof accepted.

use bezzel_proof::{Limits, LratChecker, Refusal};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::formulas::random;

fn hold(seed: u64, count: usize, mut noise: impl FnMut(&mut ChaCha8Rng) -> u8) {
    // With few clauses for its variables, it has a model: every acceptance is wrong.
    let formula = random(seed, 20, 30);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let limits = Limits { memory_bytes: 1 << 16, steps: None };
    for _ in 0..count {
        let length = rng.random_range(0..200);
        let proof: Vec<u8> = (0..length).map(|_| noise(&mut rng)).collect();
        let mut checker = LratChecker::with_interleaved_ids(limits);
        for clause in &formula {
            checker.clause(clause);
        }
        match checker.check(proof.as_slice()) {
            Ok(result) => panic!("{result:?}: {proof:?}"),
            Err(refusal) => {
                let place = match &refusal {
                    Refusal::Wrong { place, .. }
                    | Refusal::Incomplete { place, .. }
                    | Refusal::GaveUp { place, .. } => place,
                };
                assert!(place.byte <= length as u64, "{refusal}");
                assert!(refusal.to_string().starts_with("step "), "{refusal}");
            }
        }
    }
}

fn check_noise(count: usize) {
    hold(1, count, RngExt::random);
    hold(2, count, |rng| b"0011223456789-   \n\ncd"[rng.random_range(0..20)]);
    hold(3, count, |rng| match rng.random_range(0..4) {
        0 => b'a',
        1 => 0,
        2 => b'd',
        _ => rng.random_range(0..70),
    });
}

#[test]
fn random_bytes_and_text_and_binary_steps_are_refused() {
    check_noise(1_000);
}

#[test]
#[ignore = "second tier: 20,000 of each kind"]
fn many_random_bytes_and_texts_and_binary_steps_are_refused() {
    check_noise(20_000);
}
