//! Weighted sums on the command line: profiles, checks, requests, and programs of the kind `sum`.

use std::fs;
use std::path::Path;

use bezzel_encode::format::read;
use bezzel_encode::properties::constraint::threshold_functions;
use bezzel_encode::properties::shapes::random_sums;
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{ClauseSink, Formula, Lit, Registry};

use crate::program::{BEZZEL, bezzel_in, ended, with_input};

/// The clauses that `bezzel encoder` answers to these requests.
fn answers(id: &str, requests: &[String]) -> Vec<Formula> {
    let input = format!("bezzel-encoder 1\n{}\n", requests.join("\n"));
    let printed = ended(&with_input(Path::new("."), &["encoder", id], input.as_bytes()), 0);
    let parts = printed.split("p cnf").skip(1).map(|part| format!("p cnf{part}"));
    parts.map(|part| read::dimacs(&mut part.as_bytes()).unwrap().formula).collect()
}

#[test]
fn the_answer_to_a_sum_has_the_clauses_of_the_library() {
    let registry = bezzel_queens::register(Registry::standard());
    let sums: Vec<SumLimit> =
        threshold_functions(4, 3).into_iter().chain(random_sums(3, &(4..=9), 15)).collect();
    let request = |sum: &SumLimit| {
        let weights: Vec<String> = sum.weights.iter().map(u64::to_string).collect();
        let word = sum.limit.to_string().replace(' ', "-");
        format!("sum {word} {} {} {}", sum.bound, weights.len(), weights.join(" "))
    };
    let requests: Vec<String> = sums.iter().map(request).collect();
    for id in ["robdd", "gte", "global-watchdog", "adder-network"] {
        let Ok(NamedEncoding::AtMostOne(encoder)) = registry.find(id) else { panic!("{id}") };
        for (sum, answer) in sums.iter().zip(answers(id, &requests)) {
            let mut formula = Formula::new();
            let xs: Vec<Lit> = formula.fresh(sum.weights.len() as u32).lits().collect();
            sum.encode(encoder.as_ref(), &xs, &mut formula);
            // Weights of 1 alone are a count, whose clauses are those of the encoder of counts.
            if sum.weights.iter().any(|&weight| weight > 1) {
                assert_eq!(answer, formula, "{id}: {sum:?}");
            }
        }
    }
}

/// `bezzel encoder` is such a program: what it serves is what the library encodes.
#[test]
fn a_program_of_sums_encodes_files_and_single_sums() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.opb"), "+3 x1 +5 x2 +7 x3 +2 ~x4 >= 9 ;\n").unwrap();
    let program = format!("{{command: \"{BEZZEL} encoder robdd\", kind: sum}}");
    let encoded = |encoding: &str| {
        let printed = bezzel_in(folder.path(), &["encode", "a.opb", "--encoding", encoding]);
        let printed = ended(&printed, 0);
        let clauses = printed.lines().filter(|line| !line.starts_with('c'));
        clauses.map(str::to_owned).collect::<Vec<String>>()
    };
    assert_eq!(encoded(&program), encoded("robdd"));
    let show = |encoder: &str| {
        let output =
            bezzel_in(folder.path(), &["show", encoder, "--weights", "3,5,7,2", "--bound", "9"]);
        ended(&output, 0).split_once("at most 9").unwrap().1.to_owned()
    };
    assert_eq!(show(&program), show("robdd"));
}
