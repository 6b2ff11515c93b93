//! `native` writes every bound, so that OPB and KNF become each other.

use std::fmt::Write;

use bezzel_encode::format::{Format, dimacs};
use bezzel_encode::{Encoding, Numbering, Registry, Settings};
use bezzel_problem::{Kind, Problem, ProblemFile, Solution};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A file of constraints over some variables, with all relations, negations and, if wanted, weights.
fn random_opb(random: &mut ChaCha8Rng, variables: u32, is_weighted: bool) -> String {
    let lines = random.random_range(1..5);
    let mut text = format!("* #variable= {variables} #constraint= {lines}\n");
    for _ in 0..lines {
        let mut sum = 0;
        for variable in 1..=variables {
            if random.random_bool(0.7) {
                let weight = if is_weighted { random.random_range(1..4) } else { 1 };
                let sign = if random.random_bool(0.3) { "~" } else { "" };
                write!(text, "+{weight} {sign}x{variable} ").unwrap();
                sum += weight;
            }
        }
        if sum == 0 {
            text += "+1 x1 ";
            sum = 1;
        }
        let relation = [">=", "<=", "="][random.random_range(0..3)];
        writeln!(text, "{relation} {} ;", random.random_range(0..=sum)).unwrap();
    }
    text
}

fn problem(text: &str) -> Problem {
    let file = ProblemFile::read("random", None, text.as_bytes()).unwrap();
    file.problem()
}

/// All solutions, by trying every choice of candidates.
fn solutions(problem: &Problem) -> Vec<u32> {
    let chosen = |bits: u32| (0..problem.candidates()).filter(move |at| bits >> at & 1 == 1);
    (0..1 << problem.candidates())
        .filter(|&bits| problem.check(&chosen(bits).collect::<Solution>()).is_ok())
        .collect()
}

fn native() -> std::sync::Arc<dyn Encoding> {
    Registry::standard().find("native").unwrap().with_settings(Settings::default())
}

fn rewritten(problem: &Problem, format: Format) -> String {
    let mut out = Vec::new();
    let numbering = Numbering::default();
    let preamble = dimacs::Preamble::None;
    format.write(native().as_ref(), problem, &numbering, preamble, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn opb_and_knf_become_each_other_with_the_same_solutions() {
    let mut random = ChaCha8Rng::seed_from_u64(70);
    let mut larger = 0;
    for _ in 0..200 {
        let variables = random.random_range(2..9);
        let first = problem(&random_opb(&mut random, variables, false));
        let knf = rewritten(&first, Format::Knf);
        larger += u32::from(knf.contains("\nk "));
        let second = problem(&knf);
        let opb = rewritten(&second, Format::Opb);
        let third = problem(&opb);
        let expected = solutions(&first);
        assert_eq!(solutions(&second), expected, "{knf}");
        assert_eq!(solutions(&third), expected, "{opb}");
    }
    assert!(larger > 100, "{larger} files of 200 have a line with a bound");
}
