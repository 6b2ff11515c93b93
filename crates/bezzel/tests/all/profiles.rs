//! Profiles and examinations on the command line: `bezzel show` and `bezzel check --cnf`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::{bezzel, stderr, stdout};

#[test]
fn a_profile_shows_sizes_sections_and_three_verdicts() {
    let output = bezzel(&["show", "sequential-counter"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let first: Vec<&str> = text.lines().take(5).collect();
    assert_eq!(
        first,
        [
            "sequential-counter: sequential counter",
            "size         100 inputs: 296 clauses, 99 variables more; 8 × 8: 604 clauses",
            "correct      yes",
            "propagation  complete on one line; complete after one queen",
            "auxiliary    free on one line; free on boards",
        ]
    );
    for expected in [
        "Sinz, CP 2005",
        "at most one of 32",
        "antidiagonals",
        "On one line: yes.",
        "On boards: yes.",
        "One line, at most one: complete (arc-consistent, GAC).",
        "One queen, one attacked square, at side 8: complete, as declared.",
        "At most one of up to 8 inputs: free; exactly one of up to 8 inputs: determined; on boards \
         to side 8: free.",
        "14 of 8",
    ] {
        // Lines are broken anywhere between words.
        let unbroken = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(unbroken.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn mixtures_and_cut_offs_have_profiles_and_json_has_everything() {
    let names = ["{rows: product, columns: pairwise, diagonals: bitwise}", "bdd:ite"];
    let output = bezzel(&[&["show", "--json", "--board", "5x6"], &names[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let profiles: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(profiles[0]["card"]["id"], names[0]);
    assert_eq!(profiles[0]["line"], serde_json::Value::Null);
    assert_eq!(profiles[0]["board"]["auxiliaries"], "free");
    assert_eq!(profiles[1]["line"]["forms"][0]["gap"]["drawing"], "1 2 3\n? . 1");
    assert_eq!(profiles[1]["board"]["one_queen"], "weak");
}

#[test]
fn a_wrong_encoding_is_shown_to_be_wrong_with_its_board_drawn() {
    let folder = Path::new(env!("CARGO_BIN_EXE_bezzel")).parent().unwrap().join("examples");
    for command in ["check", "show"] {
        let output = Command::new(folder.join("wrong_encoding"))
            .args([command, "forgetful"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        let text = stdout(&output);
        assert!(text.contains("\n    1 2"), "{text}");
        assert!(text.contains("1 1") || text.contains("1 0 1"), "{text}");
    }
}

/// A formula of the board of side 6 in a file, with its text changed.
fn formula(folder: &Path, change: impl Fn(&str) -> String) -> String {
    let text = stdout(&bezzel(&["encode", "6", "--encoding", "sequential-counter"]));
    let file = folder.join("formula.cnf");
    fs::write(&file, change(&text)).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_formula_of_ours_is_right_and_says_itself_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = formula(folder.path(), str::to_owned);
    let output = bezzel(&["check", "--cnf", &file]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    for expected in [
        "146 variables, of which 110 auxiliary, and 312 clauses; the board is 6.",
        "Only solutions: yes, by a proof of ",
        "All solutions: yes",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    // Variables of bits, given queens and blocked squares.
    let given = ["encode", "7", "--encoding", "binary", "--queen", "1,2", "--blocked", "2,5"];
    fs::write(&file, stdout(&bezzel(&given))).unwrap();
    let output = bezzel(&["check", "--cnf", &file]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    // The board of the formula has two constraints fewer than this one.
    fs::write(&file, stdout(&bezzel(&["encode", "7", "--encoding", "pairwise"]))).unwrap();
    let drawing = folder.path().join("drawn.txt");
    let row = "\n. . . . . . .";
    fs::write(&drawing, format!(". Q . . . . .\n. . . . x . .{}\n", row.repeat(5))).unwrap();
    let output = bezzel(&["check", "--cnf", &file, "--board", drawing.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
}

#[test]
fn a_formula_with_a_changed_clause_is_wrong_and_a_board_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let without = |text: &str| {
        let clauses = text.replace("p cnf 36 296\n", "p cnf 36 295\n");
        clauses.replace("\n1 2 3 4 5 6 0\n", "\n")
    };
    // No column has an at-least-one clause, and now the first row has none either.
    let set = ["encode", "6", "--encoding", "pairwise", "--constraints", "no-column-alo"];
    let text = stdout(&bezzel(&set));
    let path = folder.path().join("formula.cnf");
    let check = |text: &str| {
        fs::write(&path, text).unwrap();
        let output = bezzel(&["check", "--cnf", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
        stdout(&output)
    };
    let wrong = check(&without(&text));
    assert!(
        wrong.contains(": 5 queens where 6 belong):\n       1 2 3 4 5 6\n    1  . . . . . .\n"),
        "{wrong}"
    );
    let wrong = check(&text.replace("\n1 2 3 4 5 6 0\n", "\n1 0\n"));
    assert!(wrong.contains("It wrongly forbids this one:\n       1 2 3 4 5 6\n"), "{wrong}");
}

#[test]
fn a_formula_without_comments_goes_by_the_order_of_squares() {
    let folder = tempfile::tempdir().unwrap();
    let bare = |text: &str| {
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('c')).collect();
        lines.join("\n") + "\n"
    };
    let file = formula(folder.path(), bare);
    for (board, code) in [(&["--board", "6"][..], 0), (&["--board", "6", "--torus"], 1)] {
        let output = bezzel(&[&["check", "--cnf", &file], board].concat());
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    }
}

/// The assignments of the first `inputs` variables, a bit each, that clauses allow, by trying all of all variables.
fn allowed(clauses: &[Vec<i32>], variables: u32, inputs: u32) -> BTreeSet<u32> {
    let holds = |all: u32, lit: i32| (all >> (lit.unsigned_abs() - 1) & 1 == 1) == (lit > 0);
    let is_model =
        |all: &u32| clauses.iter().all(|clause| clause.iter().any(|&lit| holds(*all, lit)));
    (0..1 << variables).filter(is_model).map(|all| all & ((1 << inputs) - 1)).collect()
}

#[test]
fn a_formula_with_a_changed_clause_is_compared_with_a_file_as_all_assignments_are() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let opb =
        "* #variable= 5 #constraint= 2\n+1 x1 +1 x2 +1 x3 = 1 ;\n+2 x2 +1 x3 +1 x4 +1 x5 <= 3 ;\n";
    fs::write(path("a.opb"), opb).unwrap();
    let bit = |all: u32, at: u32| all >> at & 1;
    let is_solution = |&all: &u32| {
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|at| bit(all, at));
        a + b + c == 1 && 2 * b + c + d + e <= 3
    };
    let right: BTreeSet<u32> = (0..32).filter(is_solution).collect();
    let mut wrong = [0, 0];
    for encoding in ["robdd", "weight-counter"] {
        bezzel(&["encode", &path("a.opb"), "--encoding", encoding, "-o", &path("a.cnf")]);
        let text = fs::read_to_string(path("a.cnf")).unwrap();
        let lines = text.lines().filter(|line| !line.starts_with(['c', 'p']));
        let clause = |line: &str| line.split(' ').map(|lit| lit.parse().unwrap()).collect();
        let mut clauses: Vec<Vec<i32>> = lines.map(clause).collect();
        for clause in &mut clauses {
            assert_eq!(clause.pop(), Some(0));
        }
        let variables = clauses.iter().flatten().map(|lit| lit.unsigned_abs()).max().unwrap();
        let whole = (clauses.clone(), variables);
        let without = (0..clauses.len()).map(|at| {
            let mut clauses = clauses.clone();
            clauses.remove(at);
            (clauses, variables)
        });
        let with = [-1, 3, -4].map(|lit| ([&clauses[..], &[vec![lit]]].concat(), variables));
        for (clauses, variables) in std::iter::once(whole).chain(without).chain(with) {
            let lines = clauses.iter().map(|clause| {
                clause
                    .iter()
                    .map(i32::to_string)
                    .chain(["0\n".into()])
                    .collect::<Vec<_>>()
                    .join(" ")
            });
            let head = format!("p cnf {variables} {}\n", clauses.len());
            fs::write(path("b.cnf"), head + &lines.collect::<String>()).unwrap();
            let output =
                bezzel(&["check", "--cnf", &path("b.cnf"), "--against", &path("a.opb"), "--json"]);
            let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let allowed = allowed(&clauses, variables, 5);
            let mask = |value: &serde_json::Value| {
                let variables = value.as_array().unwrap().iter();
                variables.map(|variable| 1_u32 << (variable.as_u64().unwrap() - 1)).sum::<u32>()
            };
            let too_many = found["wrongly_allowed"].get(0).map(mask);
            let too_few =
                found["wrongly_forbidden"].as_array().map(|_| mask(&found["wrongly_forbidden"]));
            assert_eq!(too_many.is_none(), allowed.is_subset(&right), "{found}: {clauses:?}");
            assert_eq!(too_few.is_none(), right.is_subset(&allowed), "{found}: {clauses:?}");
            assert!(too_many.is_none_or(|it| allowed.contains(&it) && !right.contains(&it)));
            assert!(too_few.is_none_or(|it| right.contains(&it) && !allowed.contains(&it)));
            assert!(too_many.is_some() || found["proof_steps"].is_u64(), "{found}");
            let is_right = allowed == right;
            assert_eq!(output.status.code(), Some(i32::from(!is_right)));
            wrong[0] += usize::from(too_many.is_some());
            wrong[1] += usize::from(too_few.is_some());
        }
        let own = ["check", "--cnf", &path("a.cnf"), "--against", &path("a.opb")];
        let text = stdout(&bezzel(&own));
        assert!(text.contains("Only solutions: yes, by a proof of "), "{text}");
        assert!(text.contains("All solutions: yes"), "{text}");
    }
    assert!(wrong[0] > 5 && wrong[1] > 3, "{wrong:?}");
}
