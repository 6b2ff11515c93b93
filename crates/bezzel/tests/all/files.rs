//! Constraint files under `encode`, `solve`, `decode` and `show`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use bezzel_experiment::packing::Packing;
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{BEZZEL, bezzel_in, ended, stderr, stdout};

/// Three pigeons in three holes, at most one in each: 6 solutions.
const KNF: &str = "\
c three pigeons in three holes
p knf 9 6
k 1 1 2 3 0
k 1 4 5 6 0
7 8 9 0
k 2 -1 -4 -7 0
k 2 -2 -5 -8 0
k 2 -3 -6 -9 0
";
/// Three pigeons in two holes: no solution.
const OPB: &str = "\
* #variable= 6 #constraint= 5
+1 x1 +1 x2 >= 1 ;
+1 x3 +1 x4 >= 1 ;
+1 x5 +1 x6 >= 1 ;
-1 x1 -1 x3 -1 x5 >= -1 ;
-1 x2 -1 x4 -1 x6 >= -1 ;
";
/// One solution: 2 and no other.
const CNF_PLUS: &str = "p cnf+ 4 3\n1 2 3 4 <= 1\n1 2 0\n-1 4 0\n";
/// Two groups of two and a clause: 3 solutions.
const GROUPS: &str = "p cnf 4 1\n1 -4 0\nc eo 1 2 0\nc exactly-one 3 4 0\n";
/// A bound of 2.
const TWO: &str = "p knf 5 2\n1 2 0\nk 2 1 2 3 4 5 0\n";

/// A folder with the files.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("holes.knf", KNF),
        ("none.opb", OPB),
        ("one.cnf+", CNF_PLUS),
        ("groups.cnf", GROUPS),
        ("two.knf", TWO),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    for (name, text) in [("holes.knf.gz", KNF), ("none.opb.xz", OPB)] {
        let path = folder.path().join(name);
        let mut packed = Packing::of(&path).0.write(fs::File::create(&path).unwrap()).unwrap();
        packed.write_all(text.as_bytes()).unwrap();
        packed.finish().unwrap();
    }
    folder
}

/// Runs the program in a folder with this standard input.
fn with_input(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(BEZZEL)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn one_solution_is_found_in_every_form_of_file() {
    let folder = folder();
    for (name, code, solutions) in [
        ("holes.knf", 10, "6"),
        ("holes.knf.gz", 10, "6"),
        ("none.opb", 20, "0"),
        ("none.opb.xz", 20, "0"),
        ("one.cnf+", 10, "1"),
        ("groups.cnf", 10, "3"),
    ] {
        for more in [&[][..], &["--encoding", "sequential-counter", "--solver", "batsat"]] {
            let output = bezzel_in(folder.path(), &[&["solve", name], more].concat());
            let printed = ended(&output, code);
            assert!(printed.contains("(verified: "), "{name}: {printed}");
        }
        let output = bezzel_in(folder.path(), &["solve", name, "--count"]);
        ended(&output, 0);
        assert_eq!(stdout(&output).trim(), solutions, "{name}");
        assert!(stderr(&output).contains("verified: exhaustive search"), "{name}");
    }
    let printed = ended(&with_input(folder.path(), &["solve", "-"], CNF_PLUS), 10);
    assert!(
        printed.contains("v -1 2 -3 -4 0\na solution (verified: rules of the instance)\n"),
        "{printed}"
    );
}

/// Groups that a search visits in 3¹⁴ ways before it comes to four pigeons in three holes, which have no solution.
fn long_search() -> String {
    let mut text = String::new();
    for group in 0..14 {
        let [first, second, third] = [1, 2, 3].map(|member| 3 * group + member);
        writeln!(text, "+1 x{first} +1 x{second} +1 x{third} = 1 ;").unwrap();
    }
    let at = |pigeon: u32, hole: u32| 43 + 3 * pigeon + hole;
    for pigeon in 0..4 {
        let [first, second, third] = [0, 1, 2].map(|hole| at(pigeon, hole));
        writeln!(text, "+1 x{first} +1 x{second} +1 x{third} >= 1 ;").unwrap();
    }
    for hole in 0..3 {
        let [first, second, third, fourth] = [0, 1, 2, 3].map(|pigeon| at(pigeon, hole));
        writeln!(text, "+1 x{first} +1 x{second} +1 x{third} +1 x{fourth} <= 1 ;").unwrap();
    }
    text
}

#[test]
fn a_proof_judges_where_the_search_of_a_file_does_not_end_and_the_encoder_is_checked() {
    let folder = folder();
    fs::write(folder.path().join("long.opb"), long_search()).unwrap();
    let printed = ended(&bezzel_in(folder.path(), &["solve", "long.opb"]), 20);
    let words = "there is no solution (clauses refuted by a checked LRAT proof of ";
    assert!(printed.contains(words), "{printed}");
    let shapes = "encoder checked at these shapes: at most 1 of 4, exactly 1 of 3 (2 shapes, ";
    assert!(printed.contains(shapes), "{printed}");
    let json = stdout(&bezzel_in(folder.path(), &["solve", "long.opb", "--json"]));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["verdict"], &json["evidence"]["kind"]),
        (&"verified".into(), &"proof".into())
    );
    assert!(json["encoder_checked"].as_str().unwrap().starts_with("at most 1 of 4"), "{json}");
    // The search of a small file ends, and its words are about the file.
    let printed = ended(&bezzel_in(folder.path(), &["solve", "none.opb"]), 20);
    assert!(printed.contains("there is no solution (verified: exhaustive search)"), "{printed}");

    // The clauses of this encoder are refuted by a proof, which shows nothing about the file.
    let encoder = "read hello; while read word n; do echo p cnf $n 2; echo 1 0; echo -1 0; done";
    fs::write(folder.path().join("encoder.sh"), encoder).unwrap();
    let encoding = "{command: \"sh encoder.sh\"}";
    let arguments = ["solve", "long.opb", "--encoding", encoding];
    let printed = ended(&bezzel_in(folder.path(), &arguments), 1);
    let message = "the clauses are refuted by a checked proof, but the encoder";
    assert!(printed.contains(message) && printed.contains("wrongly forbids"), "{printed}");
}

#[test]
fn all_commands_pick_the_same_encoding_by_the_shape_of_the_constraints() {
    let folder = folder();
    let mixed = "+1 x1 +1 x2 +1 x3 <= 1 ;\n+1 x1 +1 x4 +1 x5 +1 x6 >= 2 ;\n";
    fs::write(folder.path().join("mixed.opb"), mixed).unwrap();
    let weighted = "+2 x1 +3 x2 +4 x3 <= 6 ;\n";
    fs::write(folder.path().join("weighted.opb"), weighted).unwrap();
    for (file, encoding) in [
        ("one.cnf+", "product"),
        ("two.knf", "totalizer:cut"),
        ("weighted.opb", "robdd-or-watchdog"),
        ("mixed.opb", "'{at-most-one: product, default: totalizer:cut}'"),
    ] {
        let picked = format!("picked: --encoding {encoding}");
        let by_solver = format!("{picked} --solver cadical\n");
        let by_engine = format!("picked: --engine propagator --encoding {encoding}\n");
        for (arguments, first) in [
            (&["encode", file][..], format!("{picked}\n")),
            (&["solve", file], by_solver.clone()),
            (&["solve", file, "--dimacs-output"], by_solver),
            (&["solve", file, "--count"], by_engine.clone()),
            (&["solve", file, "--all"], by_engine),
        ] {
            let output = bezzel_in(folder.path(), arguments);
            assert!(stderr(&output).starts_with(&first), "{arguments:?}: {}", stderr(&output));
        }
    }
}

#[test]
fn a_size_is_exact_or_a_bound_and_its_refusal_names_an_encoding_that_fits() {
    let folder = tempfile::tempdir().unwrap();
    for (n, file) in [(100, "hundred.opb"), (400, "four-hundred.opb")] {
        let terms: Vec<String> = (1..=n).map(|number| format!("+1 x{number}")).collect();
        let sum = terms.join(" ");
        fs::write(folder.path().join(file), format!("{sum} <= {} ;\n", n / 2)).unwrap();
    }
    let exact = "98,913,082,887,808,032,681,188,722,800";
    for (file, clauses) in [("hundred.opb", exact), ("four-hundred.opb", "≥ 2¹²⁰")] {
        let printed = ended(&bezzel_in(folder.path(), &["show", file, "pairwise"]), 0);
        assert!(printed.contains(clauses), "{printed}");
        for command in [
            &["solve", file, "--encoding", "pairwise"][..],
            &["encode", file, "--encoding", "pairwise"],
            &["solve", file, "--count", "--encoding", "pairwise"],
        ] {
            let printed = ended(&bezzel_in(folder.path(), command), 2);
            assert!(printed.contains(&format!("{clauses} clauses")), "{command:?}: {printed}");
            assert!(printed.contains("`--encoding totalizer:cut` fits"), "{command:?}: {printed}");
        }
    }
}

#[test]
fn encoders_of_bounds_and_mixtures_keep_the_solutions_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = "p knf 6 4\nk 2 1 2 3 4 0\nk 2 -2 -3 -4 -5 -6 0\nk 2 -1 -5 -6 0\n1 6 0\n";
    fs::write(folder.path().join("bounds.knf"), text).unwrap();
    let is_solution = |bits: &u32| {
        let sum =
            |variables: &[u32]| variables.iter().map(|one| bits >> (one - 1) & 1).sum::<u32>();
        sum(&[1, 2, 3, 4]) >= 2
            && sum(&[2, 3, 4, 5, 6]) <= 3
            && sum(&[1, 5, 6]) <= 1
            && sum(&[1, 6]) >= 1
    };
    let expected = (0..1 << 6).filter(is_solution).count();
    assert!(expected > 3);
    for encoding in [
        "rustsat-totalizer",
        "rustsat-generalized-totalizer",
        "rustsat-adder",
        "{default: \"totalizer:cut\"}",
        "{at-most-one: product, default: \"totalizer:cut\"}",
        "{at-least-2: rustsat-totalizer, at-most-one: pairwise, at-most-3: adder}",
    ] {
        let arguments = ["solve", "bounds.knf", "--count", "--encoding", encoding];
        let output = bezzel_in(folder.path(), &arguments);
        assert_eq!(stdout(&output).trim(), expected.to_string(), "{encoding}: {}", stderr(&output));
    }
}

#[test]
fn a_formula_is_written_in_every_format_and_its_answers_are_decoded() {
    let folder = folder();
    for (format, encoding) in [
        ("dimacs", "product"),
        ("dimacs", "binary"),
        ("mcc", "sequential-counter"),
        ("opb", "native"),
        ("knf", "native"),
        ("smt2", "commander:3"),
        ("smt1", "pairwise"),
    ] {
        // Binary needs domains, which these groups are.
        let problem = if encoding == "binary" { "groups.cnf" } else { "holes.knf.gz" };
        let settings = [problem, "--encoding", encoding, "--shuffle", "3"];
        let encode = |name: &str| {
            let arguments = ["encode", "--format", format, "-o", name];
            ended(&bezzel_in(folder.path(), &[&arguments[..], &settings].concat()), 0);
            let text = fs::read_to_string(folder.path().join(name)).unwrap();
            text.replace(name, "")
        };
        assert_eq!(encode("first.out"), encode("again.out"), "{format}: the same bytes");
        if encoding == "native" {
            continue;
        }
        let arguments = [&["solve", "--dimacs-output"], &settings[..]].concat();
        let answer = stdout(&bezzel_in(folder.path(), &arguments));
        let decode = ["decode", "-", problem, "--cnf", "first.out"];
        let printed = ended(&with_input(folder.path(), &decode, &answer), 10);
        assert!(printed.starts_with("v "), "{format}: {printed}");
        assert!(
            printed.ends_with(" 0\na solution (verified: rules of the instance)\n"),
            "{printed}"
        );
    }
}

#[test]
fn a_written_constraint_file_is_the_same_problem() {
    let folder = folder();
    for (format, name) in [("knf", "again.knf"), ("opb", "again.opb")] {
        let arguments =
            ["encode", "holes.knf", "--encoding", "native", "--format", format, "-o", name];
        ended(&bezzel_in(folder.path(), &arguments), 0);
        let output = bezzel_in(folder.path(), &["solve", name, "--count"]);
        assert_eq!(stdout(&output).trim(), "6", "{format}");
    }
}

#[test]
fn a_file_is_shown_with_the_size_of_every_encoding() {
    let folder = folder();
    let merged = "* #variable= 3 #constraint= 3\n+1 x1 +1 x1 +1 x2 +1 x3 <= 3 ;\n+1 x1 >= 0 ;\n\
                  +1 x1 +1 x2 +1 x3 = 1 ;\n";
    fs::write(folder.path().join("merged.opb"), merged).unwrap();
    let printed = ended(&bezzel_in(folder.path(), &["show", "holes.knf"]), 0);
    assert!(printed.starts_with("holes.knf #"), "{printed}");
    assert!(printed.contains(": KNF, 9 variables, 6 constraints\n"), "{printed}");
    let row =
        "at-most-one  at most 1        3         3       3        3         9  line 6, column 1";
    assert!(printed.contains(row), "{printed}");
    assert!(printed.contains("\nclauses      at least 1       3"), "{printed}");
    let size = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let product = printed.lines().find(|line| line.starts_with("product "));
    assert_eq!(product.map(size).unwrap()[1..], ["9", "12", "27"], "{printed}");
    // Encodings for boards are listed only where they are named.
    assert!(!printed.contains("board") && !printed.contains("bryant"), "{printed}");
    let named = ended(&bezzel_in(folder.path(), &["show", "holes.knf", "bryant-circuit"]), 0);
    assert!(named.contains("it is for queens on a board only"), "{named}");

    // The sizes equal those of the formulas.
    let printed = ended(&bezzel_in(folder.path(), &["show", "groups.cnf"]), 0);
    for id in ["binary", "product", "sequential-counter", "order"] {
        let line = printed.lines().find(|line| line.starts_with(&format!("{id} "))).map(size);
        let [_, variables, clauses, literals] = &line.unwrap()[..] else { panic!("{printed}") };
        let arguments = ["encode", "groups.cnf", "--encoding", id, "-o", "x.cnf"];
        let encoded = ended(&bezzel_in(folder.path(), &arguments), 0);
        let sentence =
            format!("x.cnf: {variables} variables, {clauses} clauses, {literals} literals\n");
        assert_eq!(encoded, sentence, "{id}");
    }
    let printed = ended(&bezzel_in(folder.path(), &["show", "merged.opb"]), 0);
    assert!(
        printed.contains("OPB, 3 variables, 3 constraints\n  1 constraint: with a variable"),
        "{printed}"
    );
    assert!(printed.contains("1 constraint: always true, omitted"), "{printed}");
    let printed = ended(&bezzel_in(folder.path(), &["show", "holes.knf.gz", "product"]), 0);
    assert!(!printed.contains("pairwise"), "{printed}");
}

#[test]
fn large_weights_are_taken_by_encoders_of_sums_and_others_name_the_place() {
    let folder = folder();
    let weighted = "* #variable= 3 #constraint= 1\n+900 x1 +701 x2 +500 x3 >= 1000 ;\n";
    fs::write(folder.path().join("weighted.opb"), weighted).unwrap();
    let place = "first in line 2, column 1, the weights of a group add up to 2,101";
    let named =
        ended(&bezzel_in(folder.path(), &["show", "weighted.opb", "pairwise", "product"]), 0);
    assert_eq!(named.matches(place).count(), 1, "{named}");
    let printed = ended(&bezzel_in(folder.path(), &["show", "weighted.opb"]), 0);
    assert!(!printed.contains(place) && printed.contains(" left out; "), "{printed}");
    for id in ["robdd:ite+redundant", "generalised-totalizer", "weight-counter", "adder-network"] {
        assert!(printed.contains(id), "{id}: {printed}");
        let count = ["solve", "weighted.opb", "--count", "--encoding", id];
        // Two of the literals or more.
        assert!(ended(&bezzel_in(folder.path(), &count), 0).starts_with("4\n"), "{id}");
    }
    // The constraint that excludes most encoders is named, and not one that excludes some.
    let both = weighted.replace("t= 1", "t= 2") + "+1 x1 +1 x2 +1 x3 <= 2 ;\n";
    fs::write(folder.path().join("both.opb"), both).unwrap();
    let printed =
        ended(&bezzel_in(folder.path(), &["encode", "both.opb", "--encoding", "bitwise"]), 2);
    assert!(printed.contains(place) && printed.contains("`robdd`"), "{printed}");
    let printed = ended(&bezzel_in(folder.path(), &["solve", "both.opb"]), 10);
    assert!(printed.contains("picked: --encoding robdd-or-watchdog"), "{printed}");
    // Diagrams of these weights are too large.
    let weights: Vec<u64> = (1..=60).map(|at| (1 << 40) + 7_919 * at * at * at + at).collect();
    let terms = (1..).zip(&weights).map(|(at, weight)| format!("+{weight} x{at}"));
    let terms: Vec<String> = terms.collect();
    let heavy = format!("{} >= {} ;\n", terms.join(" "), weights.iter().sum::<u64>() / 2);
    fs::write(folder.path().join("heavy.opb"), heavy).unwrap();
    let refused = ["solve", "heavy.opb", "--encoding", "robdd"];
    let printed = ended(&bezzel_in(folder.path(), &refused), 2);
    assert!(printed.contains("2,000,000 nodes") && printed.contains("adder-network"), "{printed}");
    let printed = ended(&bezzel_in(folder.path(), &["solve", "heavy.opb"]), 10);
    assert!(printed.contains("picked: --encoding robdd-or-watchdog"), "{printed}");
    let printed =
        ended(&bezzel_in(folder.path(), &["solve", "two.knf", "--encoding", "bitwise"]), 2);
    assert!(printed.contains("take an encoding of docs/at-most-k.md"), "{printed}");
    for encoding in ["totalizer:cut", "adder", "product"] {
        ended(&bezzel_in(folder.path(), &["solve", "two.knf", "--encoding", encoding]), 10);
    }
    let output = bezzel_in(folder.path(), &["decode", "no", "two.knf"]);
    assert!(ended(&output, 2).contains("cannot read `no`"), "the file itself is read");
}

#[test]
fn a_folder_is_no_file_and_a_number_names_a_size() {
    let folder = folder();
    for name in ["folder.knf", "timetables"] {
        fs::create_dir(folder.path().join(name)).unwrap();
        let printed = ended(&bezzel_in(folder.path(), &["show", name]), 2);
        assert!(printed.contains(&format!("`{name}` is a folder: name a file")), "{printed}");
    }
    // A number names a size, even if there is a file with this name.
    fs::write(folder.path().join("4"), KNF).unwrap();
    let printed = ended(&bezzel_in(folder.path(), &["solve", "4"]), 10);
    assert!(printed.contains(". Q . .\n"), "{printed}");
    ended(&bezzel_in(folder.path(), &["solve", "./4", "--count"]), 0);
}

#[test]
fn constraints_that_stand_as_clauses_are_found_and_encoded_anew() {
    let folder = folder();
    let run = |arguments: &[&str]| ended(&bezzel_in(folder.path(), arguments), 0);
    let counted = |file: &str| run(&["solve", file, "--count"]).lines().next().map(str::to_owned);
    run(&["encode", "two.knf", "--encoding", "pairwise", "-o", "clauses.cnf"]);
    run(&["encode", "holes.knf", "--encoding", "pairwise", "-o", "pairs.cnf"]);
    let printed = run(&["show", "clauses.cnf"]);
    assert!(printed.contains("There are no groups"), "{printed}");
    let printed = run(&["show", "clauses.cnf", "--detect", "-o", "found.knf"]);
    let found = "detected: 1 constraint at most 3, in the place of 5 of 6 clauses";
    assert!(printed.contains(found) && printed.contains("totalizer:cut"), "{printed}");
    let printed = run(&["show", "pairs.cnf", "--detect", "-o", "pairs.knf.gz"]);
    assert!(printed.contains("3 constraints at most 1, in the place of 9 of 12"), "{printed}");
    run(&["encode", "pairs.knf.gz", "--encoding", "product", "-o", "anew.cnf"]);
    assert_eq!(counted("two.knf"), counted("found.knf"));
    assert_eq!(counted("holes.knf"), counted("pairs.knf.gz"));
}
