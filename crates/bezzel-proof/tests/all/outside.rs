//! The same results as those of lrat-trim, whose source comes with CaDiCaL's.
//!
//! lrat-trim checks proofs forwards, every step. Of steps that follow by their first literal, it accepts only those
//! that bounded variable addition makes.

use std::process::Command;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::cadical::{self, Form, Route};
use crate::forger::forge;
use crate::formulas::{dimacs, random, rooks};
use crate::installed::is_installed;
use crate::mutants::{check, gave_up};
use crate::proof;

#[test]
#[ignore = "second tier: needs lrat-trim"]
fn lrat_trim_gives_the_same_verdicts() {
    if !is_installed("lrat-trim") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (cnf, file) = (folder.path().join("formula.cnf"), folder.path().join("proof.lrat"));
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let mut verdicts = [0, 0];
    for formula in [rooks(3, 2), rooks(4, 3), rooks(6, 5), random(1, 7, 60), random(2, 25, 160)] {
        std::fs::write(&cnf, dimacs(&formula)).unwrap();
        let text = cadical::proof(&formula, Route::File, Form::Text, &[]);
        let right = proof::read(&text);
        for i in 0..100 {
            let mut steps = right.clone();
            if i > 0 {
                forge(&mut steps, formula.len(), &mut rng);
            }
            // The memory that it allocates depends on the largest number.
            let text = String::from_utf8(proof::text(&steps)).unwrap();
            if text.split_whitespace().any(|word| word.len() > 5) {
                continue;
            }
            let binary = rng.random();
            let proof = if binary { proof::binary(&steps) } else { text.clone().into_bytes() };
            std::fs::write(&file, &proof).unwrap();
            let output = Command::new("lrat-trim")
                .args(["-S", "--relax"])
                .args([&cnf, &file])
                .output()
                .unwrap();
            let printed = String::from_utf8_lossy(&output.stdout);
            let theirs = printed.lines().any(|line| line == "s VERIFIED");
            assert_eq!(theirs, output.status.code() == Some(20), "{printed}");
            let ours = check(&formula, &proof);
            verdicts[usize::from(theirs)] += 1;
            let complaint = String::from_utf8_lossy(&output.stderr);
            // It reads the numbers of deletions, which this checker ignores: they must not decrease, and must not be
            // less than the numbers of the deleted clauses.
            let stricter = ["smaller than last", "larger than deletion", "does not increase"];
            let stricter = stricter.iter().any(|words| complaint.contains(words));
            assert!(
                ours.is_ok() == theirs || ours.is_ok() && stricter || gave_up(&ours),
                "{ours:?}\n{complaint}\n{text}"
            );
        }
    }
    assert!(verdicts.iter().all(|count| *count > 20), "{verdicts:?}");
}
