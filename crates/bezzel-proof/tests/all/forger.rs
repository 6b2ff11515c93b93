//! Makes mutants of proofs: changes a right proof at random.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::proof::Step;

/// Changes a proof of a formula with `clauses` clauses once, in one of the ways below.
pub(crate) fn forge(steps: &mut Vec<Step>, clauses: usize, rng: &mut ChaCha8Rng) {
    if steps.is_empty() {
        return;
    }
    let at = rng.random_range(0..steps.len());
    let other = rng.random_range(0..steps.len());
    match rng.random_range(0..22) {
        0 => drop(steps.remove(at)),
        1 => steps.swap(at, other),
        2 => steps.insert(other, steps[at].clone()),
        3 => drop(steps.splice(at.min(other)..at.max(other), [])),
        4 => steps.truncate(at),
        5 => {
            // It may be deleted before it is used.
            let id = any_id(steps, clauses, rng);
            let before = if at == 0 { clauses as i64 } else { id_at(steps, at - 1) };
            steps.insert(at, Step::Delete { id: before, ids: vec![id] });
        }
        6 => {
            // The empty clause, with no hints or a few random ones.
            let id = id_at(steps, at).saturating_add(rng.random_range(0..3));
            let hints = (0..rng.random_range(0..4)).map(|_| any_id(steps, clauses, rng)).collect();
            steps.insert(at, Step::Add { id, literals: Vec::new(), hints });
        }
        _ => spoil(steps, at, clauses, rng),
    }
}

/// Changes one step.
fn spoil(steps: &mut [Step], at: usize, clauses: usize, rng: &mut ChaCha8Rng) {
    let any = any_id(steps, clauses, rng);
    let huge = [i64::MAX, i64::MAX - 1, 1 << 40, 1 << 32, i64::from(i32::MAX), 1_000_000];
    let huge = huge[rng.random_range(0..huge.len())];
    let sign = if rng.random() { 1 } else { -1 };
    let literal = sign * rng.random_range(1..=9);
    match &mut steps[at] {
        Step::Delete { ids, .. } => match rng.random_range(0..4) {
            0 => drop(remove(ids, rng)),
            1 => ids.push(any),
            2 => change(ids, rng, |_| any),
            _ => change(ids, rng, |_| huge),
        },
        Step::Add { id, literals, hints } => match rng.random_range(0..18) {
            // Changes of the clause.
            0 | 1 => drop(remove(literals, rng)),
            2 => change(literals, rng, |lit| -lit),
            3 => change(literals, rng, |_| literal),
            4 => literals.insert(rng.random_range(0..=literals.len()), literal),
            5 => change(literals, rng, |_| sign * huge.min(i64::from(i32::MAX))),
            6 => literals.reverse(),
            7 => literals.clear(),
            // Changes of the hints.
            8 => hints.truncate(rng.random_range(0..=hints.len())),
            9 => drop(remove(hints, rng)),
            10 => change(hints, rng, |_| any),
            11 => change(hints, rng, |hint| -hint),
            12 => change(hints, rng, |hint| hint.saturating_add(sign)),
            13 => change(hints, rng, |_| sign * huge),
            14 => hints.reverse(),
            15 => hints.insert(rng.random_range(0..=hints.len()), sign * any),
            // Changes of the number.
            16 => *id = any,
            _ => *id = sign * huge,
        },
    }
}

fn remove(numbers: &mut Vec<i64>, rng: &mut ChaCha8Rng) -> Option<i64> {
    (!numbers.is_empty()).then(|| numbers.remove(rng.random_range(0..numbers.len())))
}

fn change(numbers: &mut [i64], rng: &mut ChaCha8Rng, how: impl FnOnce(i64) -> i64) {
    if !numbers.is_empty() {
        let number = &mut numbers[rng.random_range(0..numbers.len())];
        *number = how(*number);
        // 0 ends a list.
        *number += i64::from(*number == 0);
    }
}

fn id_at(steps: &[Step], at: usize) -> i64 {
    match steps[at] {
        Step::Add { id, .. } | Step::Delete { id, .. } => id,
    }
}

/// The number of a clause of the formula or of the proof.
fn any_id(steps: &[Step], clauses: usize, rng: &mut ChaCha8Rng) -> i64 {
    if rng.random() {
        return rng.random_range(1..=clauses as i64);
    }
    id_at(steps, rng.random_range(0..steps.len())).max(1)
}
