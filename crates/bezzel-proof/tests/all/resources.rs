//! Limits are kept, and memory depends on the live clauses.

use std::fmt::Write;
use std::io::{self, Read};

use bezzel_proof::{Cause, Limits, LratChecker, Refusal};

/// Units 1 to `count`, of which each but the last two is deleted as soon as the next is added: the clauses of the
/// formula are i → i + 1.
fn chain(count: i32) -> (Vec<Vec<i32>>, String) {
    let mut formula = vec![vec![1]];
    formula.extend((1..count).map(|i| vec![-i, i + 1]));
    formula.push(vec![-count]);
    let clauses = i64::from(count) + 1;
    let mut proof = String::new();
    let mut id = clauses;
    // Rounds, so that the proof is much longer than the formula.
    for _ in 0..20 {
        for i in 2..=i64::from(count) {
            id += 1;
            let before = if i == 2 { 1 } else { id - 1 };
            writeln!(proof, "{id} {i} 0 {before} {i} 0").unwrap();
            if i > 2 {
                writeln!(proof, "{id} d {before} 0").unwrap();
            }
        }
    }
    writeln!(proof, "{} 0 {id} {clauses} 0", id + 1).unwrap();
    (formula, proof)
}

fn check(limits: Limits, formula: &[Vec<i32>], proof: impl Read) -> Result<(u64, u64), Refusal> {
    let mut checker = LratChecker::new(limits);
    for clause in formula {
        checker.clause(clause);
    }
    checker.check(proof).map(|result| (result.peak_live_clauses, result.peak_memory_bytes))
}

#[test]
fn deleted_clauses_release_their_memory() {
    let (formula, proof) = chain(3000);
    let (live, memory) = check(Limits::default(), &formula, proof.as_bytes()).unwrap();
    assert_eq!(live, 3001 + 20 + 1);
    // 60,000 clauses were added, of four words each; those of the formula take 60 KB.
    assert!(memory < 400_000, "{memory}");
}

fn check_memory_limits(step: usize) {
    let (formula, proof) = chain(300);
    let (_, memory_bytes) = check(Limits::default(), &formula, proof.as_bytes()).unwrap();
    let with =
        |memory_bytes| check(Limits { memory_bytes, steps: None }, &formula, proof.as_bytes());
    assert!(with(memory_bytes).is_ok());
    let mut gave_up = 0_u64;
    for bytes in (0..memory_bytes).step_by(step) {
        match with(bytes) {
            Ok((_, peak)) => assert!(peak <= bytes),
            Err(Refusal::GaveUp { cause: Cause::Memory { limit_bytes }, .. }) => {
                assert_eq!(limit_bytes, bytes);
                gave_up += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(gave_up * step as u64 > 4_850, "{gave_up}");
}

#[test]
fn a_check_that_needs_more_memory_gives_up_without_a_verdict() {
    check_memory_limits(1_997);
}

#[test]
#[ignore = "second tier: a limit every 97 bytes"]
fn a_check_that_needs_a_little_more_memory_gives_up_without_a_verdict() {
    check_memory_limits(97);
}

#[test]
fn a_check_of_more_steps_than_allowed_gives_up() {
    let (formula, proof) = chain(5);
    let steps = proof.lines().count() as u64;
    let with = |steps| {
        check(Limits { steps: Some(steps), ..Limits::default() }, &formula, proof.as_bytes())
    };
    assert!(with(steps).is_ok());
    match with(steps - 1) {
        Err(Refusal::GaveUp { place, cause: Cause::Steps { limit } }) => {
            assert_eq!((place.step, limit), (steps, steps - 1));
        }
        other => panic!("{other:?}"),
    }
}

/// Clauses move while others of the formula have no number yet.
#[test]
fn clauses_without_a_number_survive_that_others_are_deleted() {
    let count = 8000;
    let mut checker = LratChecker::with_interleaved_ids(Limits::default());
    for i in 1..=count {
        checker.clause(&[i, i + 1, i + 2]);
    }
    let mut proof = String::from("0 d ");
    (1..=6000).for_each(|id| write!(proof, "{id} ").unwrap());
    proof.push_str("0\n");
    // 6001 is derived in between, so that clause 6001 of the formula becomes 6002.
    checker.clause(&[-1]);
    checker.clause(&[1]);
    writeln!(proof, "6001 9000 -9001 0 0").unwrap();
    let (minus, plus) = (i64::from(count) + 2, i64::from(count) + 3);
    // Clause 7000 of the formula follows from itself; its number is 7001.
    writeln!(proof, "{} 7000 7001 7002 0 7001 0", plus + 1).unwrap();
    writeln!(proof, "{} 0 {minus} {plus} 0", plus + 2).unwrap();
    let result = checker.check(proof.as_bytes()).unwrap();
    assert_eq!((result.deletions, result.additions, result.rat), (6000, 3, 1));
    assert_eq!((result.unknown_deletions, result.peak_live_clauses), (0, 8002));
}

/// Returns one byte at a time, and fails after some.
struct Slow<'a>(&'a [u8], usize);

impl Read for Slow<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.1 == 0 {
            return Err(io::Error::other("the disk is gone"));
        }
        self.1 -= 1;
        self.0.read(&mut into[..1])
    }
}

#[test]
fn a_proof_that_cannot_be_read_further_is_not_called_wrong() {
    let (formula, proof) = chain(5);
    let read = |bytes| check(Limits::default(), &formula, Slow(proof.as_bytes(), bytes));
    assert!(read(usize::MAX).is_ok());
    for bytes in 0..proof.len() - 1 {
        match read(bytes) {
            Err(Refusal::GaveUp { cause: Cause::Read(error), .. }) => {
                assert_eq!(error.to_string(), "the disk is gone");
            }
            other => panic!("{other:?}"),
        }
    }
}
