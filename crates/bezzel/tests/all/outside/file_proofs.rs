//! Proofs from files of constraints, read by VeriPB beside the file alone.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use bezzel_encode::{Encoding, Formula, Images, Numbering, Registry, Settings};
use bezzel_experiment::file_proof::{FileProof, FileProofError};
use bezzel_problem::{Bounds, GroupFamily, Kind, Lists, Literal, Problem, ProblemFile};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Options, SessionOptions, Solver};

use crate::program::{bezzel_in, ended, is_installed};

/// VeriPB's line of the conclusion that it verified, if it did.
pub(super) fn verified(folder: &Path, file: &str, proof: &str) -> Option<String> {
    // A trace of each refusal takes longer than the check.
    let mut veripb = Command::new("veripb");
    veripb.args([file, proof]).current_dir(folder).env("RUST_BACKTRACE", "0");
    let output = veripb.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let line = printed.lines().find_map(|line| line.strip_prefix("s VERIFIED "));
    line.filter(|_| output.status.success()).map(str::to_owned)
}

/// Pigeons that need a hole each, with holes for one less.
fn pigeons(holes: u32) -> String {
    let variable = |pigeon: u32, hole: u32| format!("x{}", pigeon * holes + hole + 1);
    let mut text = String::from("* pigeons\n");
    for pigeon in 0..=holes {
        let terms: Vec<String> =
            (0..holes).map(|hole| format!("1 {}", variable(pigeon, hole))).collect();
        text.push_str(&(terms.join(" ") + " >= 1 ;\n"));
    }
    for hole in 0..holes {
        let terms: Vec<String> =
            (0..=holes).map(|pigeon| format!("-1 {}", variable(pigeon, hole))).collect();
        text.push_str(&(terms.join(" ") + " >= -1 ;\n"));
    }
    text
}

/// Some encoders of at most one.
const AT_MOST_ONE: [&str; 4] = ["pairwise", "commander:3", "edge", "bitwise"];

/// Writes the proof of this encoding where it can be derived and CaDiCaL refutes it. `text` is the file, if VeriPB reads it;
/// else the file is the translation. Without an error true if the proof is written.
pub(super) fn write(
    folder: &Path,
    (problem, text): (&Problem, Option<&str>),
    encoding: &dyn Encoding,
) -> Result<bool, FileProofError> {
    let file = folder.join("f.opb");
    text.inspect(|text| fs::write(&file, text).unwrap());
    let out = File::create(folder.join("p")).unwrap();
    let translation = || {
        assert_eq!(text, None, "VeriPB reads the file");
        File::create(&file)
    };
    let text = text.map(str::as_bytes);
    let proof = FileProof::begin(problem, encoding, (text, None), out, translation)?;
    let mut formula = Formula::new();
    let map = encoding.encode(problem, &mut formula);
    let options = SessionOptions { stored_proof_bytes: Some(1 << 24), ..SessionOptions::default() };
    let mut session = Cadical::Default.open(&Options::new(), &options).unwrap();
    session.fresh(formula.variables());
    formula.clauses().for_each(|clause| session.clause(clause));
    if session.solve() != Answer::Unsat {
        return Ok(false);
    }
    let images: Images = Numbering::AS_GENERATED.images(problem, formula.variables(), &map);
    let lrat = session.stored_proof().unwrap();
    proof.refute(&images, formula.variables(), &*lrat)?;
    Ok(true)
}

/// The problem of a file.
pub(super) fn problem(text: &str) -> Problem {
    ProblemFile::read("f.opb", None, text).unwrap().problem()
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn veripb_verifies_the_answers_on_files_of_every_form() {
    if !is_installed("veripb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let solve = |file: &str, text: &str, encoding: &str, code: i32| {
        fs::write(folder.path().join(file), text).unwrap();
        let output =
            bezzel_in(folder.path(), &["solve", file, "--veripb", "p", "--encoding", encoding]);
        ended(&output, code)
    };
    let holes = pigeons(4);
    for encoding in AT_MOST_ONE {
        let printed = solve("holes.opb", &holes, encoding, 20);
        assert!(printed.contains("checked by `veripb holes.opb p`\n"), "{encoding}: {printed}");
        let line = verified(folder.path(), "holes.opb", "p");
        assert_eq!(line.as_deref(), Some("UNSATISFIABLE"), "{encoding}");
    }
    // Another file: with a pigeon less there is a solution.
    let other = holes.replacen("1 x1 1 x2 1 x3 1 x4 >= 1 ;", "1 x1 1 x2 1 x3 1 x4 >= 0 ;", 1);
    fs::write(folder.path().join("other.opb"), &other).unwrap();
    assert_eq!(verified(folder.path(), "other.opb", "p"), None);
    solve("other.opb", &other, "product", 10);
    assert_eq!(verified(folder.path(), "other.opb", "p").as_deref(), Some("SATISFIABLE"));
    // Sums whose lines are divided and lose a literal, a reversed relation, an equation.
    let sums = "2 x1 +4 x2 6 ~x3 8 x4 >= 10 ;\n9 x5 2 x1 2 x2 2 x3 >= 13 ;\n3 x1 2 x2 2 x3 5 x4 <= 4 ;\n\
                1 x1 1 x2 1 x3 1 x4 = 2 ;\n";
    solve("sums.opb", sums, "generalised-totalizer", 20);
    assert_eq!(verified(folder.path(), "sums.opb", "p").as_deref(), Some("UNSATISFIABLE"));
    // VeriPB does not read KNF, nor products, nor names of one letter.
    for (file, text) in [
        ("three.knf", "p knf 4 3\nk 3 1 2 3 4 0\nk 2 -1 -2 -3 0\nk 2 -1 -2 -3 -4 0\n"),
        ("products.opb", "1 x1 1 x2 x3 >= 2 ;\n-1 x1 -1 x3 >= -1 ;\n"),
        ("names.opb", "1 a 1 b 1 c >= 2 ;\n-1 a -1 b -1 c >= -1 ;\n"),
    ] {
        let printed = solve(file, text, "sequential-counter", 20);
        assert!(printed.contains("`veripb p.opb p`; trusted: that this file states"), "{printed}");
        assert_eq!(
            verified(folder.path(), "p.opb", "p").as_deref(),
            Some("UNSATISFIABLE"),
            "{file}"
        );
    }
}

/// A line of OPB: the sum of the first variables with these weights, and what follows.
fn sum(weights: &[u64], end: &str) -> String {
    let terms = (1..).zip(weights).map(|(number, weight)| format!("{weight} x{number}"));
    format!("{} {end} ;\n", terms.collect::<Vec<_>>().join(" "))
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn veripb_verifies_refutations_with_every_encoder() {
    if !is_installed("veripb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let registry = bezzel_queens::register(Registry::standard());
    let mut refused = Vec::new();
    let mut check = |id: &str, n: usize, text: &str| {
        let encoding = registry.find(id).unwrap().with_settings(Settings::default());
        match write(folder.path(), (&problem(text), Some(text)), encoding.as_ref()) {
            Ok(is_written) => {
                let line = verified(folder.path(), "f.opb", "p");
                assert!(
                    is_written && line.as_deref() == Some("UNSATISFIABLE"),
                    "{id}: {line:?} {text}"
                );
            }
            Err(FileProofError::Underivable(_)) => refused.push(format!("{id} {n}")),
            Err(error) => panic!("{id}: {error}"),
        }
    };
    for encoding in registry.at_most_ones() {
        let id = encoding.info().id;
        for n in [4, 7, 12] {
            let ends = format!("1 x1 1 x2 >= 1 ;\n1 x{} 1 x{n} >= 1 ;\n", n - 1);
            check(&id, n, &(sum(&vec![1; n], "<= 1") + &ends));
        }
        let bounds = encoding.of_bounds().map(|_| [(5, 2), (7, 4), (12, 3), (20, 5)]);
        for (n, k) in bounds.into_iter().flatten() {
            let [most, least] = [format!("<= {k}"), format!(">= {}", k + 1)];
            check(&id, n, &(sum(&vec![1; n], &most) + &sum(&vec![1; n], &least)));
        }
    }
    for encoding in registry.sums() {
        let long = [9, 7, 6, 5, 5, 4, 3, 2, 2, 1];
        for (weights, bound) in [(&[3, 2, 2, 1][..], 4), (&[5, 4, 3, 3, 2, 1], 8), (&long, 17)] {
            let [most, least] = [format!("<= {bound}"), format!(">= {}", bound + 1)];
            let n = weights.len();
            check(&encoding.info().id, n, &(sum(weights, &most) + &sum(weights, &least)));
        }
    }
    // Modulo totalizers, above eight inputs.
    let modulo = [
        "modulo-totalizer 12",
        "modulo-totalizer 20",
        "k-modulo-totalizer 12",
        "k-modulo-totalizer 20",
    ];
    assert_eq!(refused, [&modulo[..], &["n-level-modulo-totalizer 10"]].concat());
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn variables_of_other_encodings_are_defined() {
    if !is_installed("veripb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let registry = bezzel_queens::register(Registry::standard());
    for holes in [2, 3, 4] {
        let text = pigeons(holes).replace(" >= 1 ;", " = 1 ;");
        let problem = problem(&text);
        for id in [
            "binary",
            "order",
            "binary+selectors",
            "binary+bits+selectors",
            "support",
            "implication",
        ] {
            let encoding = registry.find(id).unwrap().with_settings(Settings::default());
            let is_written = write(folder.path(), (&problem, Some(&text)), encoding.as_ref());
            assert!(is_written.unwrap_or_else(|why| panic!("{id}: {why}")), "{id}");
            let line = verified(folder.path(), "f.opb", "p");
            assert_eq!(line.as_deref(), Some("UNSATISFIABLE"), "{id} {holes}");
        }
    }
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn constraints_with_conditions_are_proved() {
    if !is_installed("veripb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::standard();
    for (size, max) in [(4, 1), (5, 2), (10, 3)] {
        let condition = Literal::new(size, false);
        let group = || std::iter::once((0..size).map(|at| Literal::new(at, false))).collect();
        let of = |at_least, at_most| Bounds { at_least, at_most };
        let most =
            GroupFamily::new("most", of(None, Some(max)), group()).with_conditions([condition]);
        let least = GroupFamily::new("least", of(Some(max + 1), None), group())
            .with_conditions([condition]);
        let problem = Problem::new(size + 1)
            .with_family(most)
            .with_family(least)
            .with_clauses(std::iter::once([condition]).collect::<Lists<Literal>>());
        for encoding in registry.at_most_ones().iter().filter(|it| it.of_bounds().is_some()) {
            let id = encoding.info().id;
            if size > 8 && id.contains("modulo") {
                continue;
            }
            let encoding = registry.find(&id).unwrap().with_settings(Settings::default());
            let is_written = write(folder.path(), (&problem, None), encoding.as_ref());
            assert!(is_written.unwrap_or_else(|why| panic!("{id}: {why}")), "{id}");
            let line = verified(folder.path(), "f.opb", "p");
            assert_eq!(line.as_deref(), Some("UNSATISFIABLE"), "{id} {size}");
        }
    }
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn a_solver_that_lies_is_found_out() {
    if !is_installed("veripb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "1 x1 1 x2 1 x3 <= 1 ;\n1 x1 1 x2 >= 1 ;\n";
    let problem = problem(text);
    let registry = Registry::standard();
    for id in ["pairwise", "edge", "adder", "sorting-network"] {
        let encoding = registry.find(id).unwrap().with_settings(Settings::default());
        let mut formula = Formula::new();
        let map = encoding.encode(&problem, &mut formula);
        let images: Images = Numbering::AS_GENERATED.images(&problem, formula.variables(), &map);
        let all: Vec<String> = (1..=formula.len()).map(|number| number.to_string()).collect();
        for hints in ["1 2".into(), all.join(" ")] {
            fs::write(folder.path().join("f.opb"), text).unwrap();
            let out = File::create(folder.path().join("p")).unwrap();
            let texts = (Some(text.as_bytes()), None);
            let proof =
                FileProof::begin(&problem, encoding.as_ref(), texts, out, || unreachable!());
            let forged = format!("{} 0 {hints} 0\n", formula.len() + 1);
            proof.unwrap().refute(&images, formula.variables(), forged.as_bytes()).unwrap();
            assert_eq!(verified(folder.path(), "f.opb", "p"), None, "{id}");
        }
    }
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn watchdogs_of_many_large_weights_are_proved_by_the_digits_of_these() {
    if !is_installed("veripb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let weights: Vec<u64> = (1..=24).map(|i| (37 * i * i + 101 * i) % 9_973 + 1).collect();
    let sum = |weight: &dyn Fn(u64) -> u64| -> String {
        let terms =
            weights.iter().zip(1..).map(|(&own, number)| format!("{} x{number} ", weight(own)));
        terms.collect()
    };
    let half = weights.iter().sum::<u64>() / 2;
    let text = format!("{}<= {half} ;\n{}>= 12 ;\n", sum(&|own| own), sum(&|_| 1));
    fs::write(folder.path().join("f.opb"), text).unwrap();
    for id in ["global-watchdog", "local-watchdog", "dynamic-watchdog", "robdd-or-watchdog"] {
        let encoding = format!("{{at-least-12: 'totalizer:cut', default: {id}}}");
        let arguments = ["solve", "f.opb", "--veripb", "p", "--encoding", &encoding];
        ended(&bezzel_in(folder.path(), &arguments), 10);
        assert_eq!(verified(folder.path(), "f.opb", "p").as_deref(), Some("SATISFIABLE"), "{id}");
    }
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn optima_of_both_senses_are_proved_and_an_encoder_without_a_proof_is_refused_before() {
    if !is_installed("veripb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let maximum = "max: 2 x1 3 x2 4 x3 ;\n1 x1 1 x2 1 x3 <= 2 ;\n1 x2 1 x3 <= 1 ;\n";
    let minimum = "min: 2 x1 3 x2 4 x3 5 x4 1 x5 1 x6 1 x7 1 x8 1 x9 2 x10 2 x11 ;\n\
                   1 x1 1 x2 1 x3 1 x4 1 x5 1 x6 1 x7 >= 5 ;\n1 x2 1 x3 1 x9 >= 1 ;\n";
    for (text, bounds) in [(maximum, "BOUNDS -6 <= obj <= -6"), (minimum, "BOUNDS 8 <= obj <= 8")] {
        fs::write(folder.path().join("f.opb"), text).unwrap();
        for encoding in ["sequential-counter", "adder", "adder-network", "robdd"] {
            let arguments = ["solve", "f.opb", "--veripb", "p", "--encoding", encoding];
            ended(&bezzel_in(folder.path(), &arguments), 30);
            assert_eq!(
                verified(folder.path(), "f.opb", "p").as_deref(),
                Some(bounds),
                "{encoding}"
            );
        }
    }
    // A solution bounds an objective that names no variable.
    fs::write(folder.path().join("f.opb"), "min: ;\n1 x1 1 x2 >= 1 ;\n").unwrap();
    ended(&bezzel_in(folder.path(), &["solve", "f.opb", "--veripb", "p"]), 10);
    assert_eq!(verified(folder.path(), "f.opb", "p").as_deref(), Some("BOUNDS 0 <= obj <= 0"));
    fs::write(folder.path().join("f.opb"), minimum).unwrap();
    fs::remove_file(folder.path().join("p")).unwrap();
    let arguments = ["solve", "f.opb", "--veripb", "p", "--encoding", "n-level-modulo-totalizer"];
    let printed = ended(&bezzel_in(folder.path(), &arguments), 2);
    assert!(printed.contains("no proof was found of the clauses of `n-level-modulo-totalizer`"));
    assert!(!printed.contains("value"), "no solution is searched: {printed}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}
