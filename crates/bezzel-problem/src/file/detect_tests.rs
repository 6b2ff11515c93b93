//! Constraints that stand as clauses are found again, and a file that states them has the same solutions.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::ProblemFile;
use super::detect::each_choice;
use crate::kind::Kind;
use crate::literal::Literal;
use crate::solution::Solution;

fn file(variables: u32, clauses: &[Vec<i32>]) -> ProblemFile {
    let mut text = format!("p cnf {variables} {}\n", clauses.len());
    for clause in clauses {
        let literals: Vec<String> = clause.iter().map(i32::to_string).collect();
        writeln!(text, "{} 0", literals.join(" ")).unwrap();
    }
    ProblemFile::read("a.cnf", None, text.as_bytes()).unwrap()
}

/// The clauses of at most k of these literals.
fn at_most(k: usize, literals: &[i32]) -> Vec<Vec<i32>> {
    let all = literals
        .iter()
        .map(|lit| Literal::new(lit.unsigned_abs() - 1, *lit < 0))
        .collect::<Vec<_>>();
    let mut clauses = Vec::new();
    each_choice(&all, k + 1, &mut |chosen| {
        let number = |literal: &Literal| {
            let number = literal.candidate() as i32 + 1;
            if literal.is_negated() { number } else { -number }
        };
        clauses.push(chosen.iter().map(number).collect());
        true
    });
    clauses
}

fn numbers(sets: &[Vec<Literal>]) -> BTreeSet<Vec<String>> {
    sets.iter().map(|set| set.iter().map(|of| format!("{of:?}")).collect()).collect()
}

#[test]
fn sets_of_clauses_are_found_again() {
    for (k, literals) in [
        (1, vec![1, 2, 3]),
        (1, vec![-1, 2, -5, 7, 9]),
        (2, vec![1, -2, 3, 4, 6]),
        (3, vec![1, 2, 3, 4, 5, 6]),
    ] {
        let mut clauses = at_most(k, &literals);
        clauses.extend([vec![1, 8], vec![2, 3, 8], vec![1]]);
        clauses.shuffle(&mut ChaCha8Rng::seed_from_u64(7));
        let found = file(9, &clauses).detected().unwrap();
        let set = literals.iter().map(|lit| (-lit).to_string()).collect();
        assert_eq!(numbers(&found.at_most[k - 1]), [set].into());
        assert_eq!(found.at_most.concat().len(), 1);
        assert!(found.rest.len() == 3 && !found.is_partial);
    }
}

#[test]
fn groups_that_cross_are_found() {
    for n in [8_i32, 12] {
        let squares = (0..n).flat_map(|row| (0..n).map(move |column| (row, column)));
        let of = |key: &dyn Fn(i32, i32) -> i32| {
            let mut lines = std::collections::BTreeMap::<i32, Vec<i32>>::new();
            for (row, column) in squares.clone() {
                lines.entry(key(row, column)).or_default().push(row * n + column + 1);
            }
            lines.into_values().collect::<Vec<_>>()
        };
        let lines =
            [of(&|row, _| row), of(&|_, column| column), of(&|r, c| r - c), of(&|r, c| r + c)]
                .concat();
        let mut clauses: Vec<Vec<i32>> = lines.iter().flat_map(|line| at_most(1, line)).collect();
        let expected = lines.iter().filter(|line| line.len() > 2);
        let expected: BTreeSet<Vec<String>> = expected
            .map(|line| line.iter().map(|square| (-square).to_string()).collect())
            .collect();
        for seed in 0..4 {
            let found = file(n as u32 * n as u32, &clauses).detected().unwrap();
            let found = numbers(&found.at_most[0]);
            // In another order, lines of three squares may be found with others.
            let common = expected.intersection(&found).count();
            assert!(if seed == 0 { found == expected } else { common + 2 >= expected.len() });
            clauses.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        }
    }
}

#[test]
fn the_written_file_has_the_same_solutions() {
    let mut random = ChaCha8Rng::seed_from_u64(51);
    let mut sets = 0;
    for _ in 0..300 {
        let variables = 8;
        let mut clauses = Vec::new();
        for _ in 0..random.random_range(1..5) {
            let mut literals: Vec<i32> = (1..=variables).collect();
            literals.shuffle(&mut random);
            literals.truncate(random.random_range(2..7));
            for literal in &mut literals {
                *literal *= if random.random_range(0..4) == 0 { -1 } else { 1 };
            }
            let k = random.random_range(0..4);
            clauses.extend(at_most(k, &literals));
            clauses.push(literals);
        }
        for _ in 0..random.random_range(0..clauses.len().min(3)) {
            let place = random.random_range(0..clauses.len());
            clauses.remove(place);
        }
        let before = file(variables as u32, &clauses);
        let detected = before.detected().unwrap();
        sets += detected.at_most.concat().len();
        let text = before.with_detected(&detected);
        let after = ProblemFile::read("a.knf", None, text.as_bytes()).unwrap();
        for chosen in 0..1_u32 << variables {
            let chosen = (0..variables as u32).filter(|place| chosen >> place & 1 == 1);
            let solution: Solution = chosen.collect();
            let holds = |file: &ProblemFile| file.check(&solution).is_ok();
            assert_eq!(holds(&before), holds(&after), "{clauses:?}\n{text}");
        }
    }
    assert!(sets > 300, "{sets}");
}

#[test]
fn groups_and_the_projection_set_are_kept_and_other_formats_refused() {
    let text = "p cnf 5 3\nc p show 1 2 0\n-1 -2 0\n-1 -3 0\n-2 -3 0\nc amo 3 4 5 0\nc alo 4 5 0\n";
    let file = ProblemFile::read("a.cnf", None, text.as_bytes()).unwrap();
    let knf = file.with_detected(&file.detected().unwrap());
    let expected = "p knf 5 3\nc p show 1 2 0\n4 5 0\nk 2 -1 -2 -3 0\nk 2 -3 -4 -5 0\n";
    assert_eq!(knf, expected);
    // A group that stands as clauses, too, is stated once, in the order of the comment.
    let twice = "p cnf 3 3\n-1 -2 0\n-1 -3 0\n-2 -3 0\nc amo 3 1 2 0\n";
    let file = ProblemFile::read("a.cnf", None, twice.as_bytes()).unwrap();
    let knf_of_twice = file.with_detected(&file.detected().unwrap());
    assert_eq!(knf_of_twice, "p knf 3 1\nk 2 -3 -1 -2 0\n");
    let other = ProblemFile::read("a.knf", None, knf.as_bytes()).unwrap();
    let error = other.detected().unwrap_err().to_string();
    assert!(error.contains("it is KNF, which states its constraints"), "{error}");
    // Such a group counts a literal twice.
    let weighted = "p cnf 3 1\nc eo 1 1 2 0\n-2 -3 0\n";
    let file = ProblemFile::read("a.cnf", None, weighted.as_bytes()).unwrap();
    let error = file.detected().unwrap_err().to_string();
    assert!(error.contains("KNF has no weights"), "{error}");
}
