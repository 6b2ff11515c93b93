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
        "All rules together: incomplete: the board 2: no solution goes on from here",
        "And: the board 4: no queen can stand on 1,1",
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
        "The board 6: 146 variables, of which 110 auxiliary; 312 clauses.",
        "Correct: yes. All allowed boards were listed: all 4 solutions and nothing else.",
        "One queen, one attacked square: complete propagation.",
        "One line after the other: unit propagation misses nothing",
        "Models: 5,184 for 4 placements, 1296.0 for each: count projected onto the squares.",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
}

#[test]
fn a_formula_that_lacks_a_clause_is_wrong_and_a_board_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    // No column has an at-least-one clause, and now the first row has none either.
    let set = ["encode", "6", "--encoding", "pairwise", "--constraints", "no-column-alo"];
    let text = stdout(&bezzel(&set)).replace("p cnf 36 296\n", "p cnf 36 295\n");
    let file = folder.path().join("formula.cnf");
    fs::write(&file, text.replace("\n1 2 3 4 5 6 0\n", "\n")).unwrap();
    let file = file.to_str().unwrap();
    let output = bezzel(&["check", "--cnf", file]);
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    let text = stdout(&output);
    let reason = "Correct: NO.\n  row 1 may stay empty.\n  6 columns may stay empty: 1, 2, 3, 4, 5, 6.\n  \
                  All allowed boards were listed: all 4 solutions";
    assert!(text.contains(reason), "{text}");
    assert!(text.contains("it wrongly allows this: 5 queens where 6 belong"), "{text}");
    assert!(text.contains("       1 2 3 4 5 6\n    1  . . . . . .\n"), "{text}");
}

#[test]
fn on_a_board_too_large_to_be_listed_a_solver_proves_that_only_solutions_are_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formula.cnf");
    let whole = stdout(&bezzel(&["encode", "16", "--encoding", "pairwise"]));
    let check = |text: &str| {
        fs::write(&file, text).unwrap();
        let output = bezzel(&["check", "--cnf", file.to_str().unwrap()]);
        (output.status.code(), stdout(&output))
    };
    let (code, text) = check(&whole);
    assert_eq!(code, Some(0), "{text}");
    let proved = "Correct: yes. A solver has shown that it allows nothing but solutions.";
    assert!(text.contains(proved), "{text}");
    // Only the last clause excludes two queens on one antidiagonal.
    let lines: Vec<&str> = whole.lines().collect();
    let header = lines.iter().find(|line| line.starts_with("p cnf")).unwrap();
    let clauses: usize = header.rsplit(' ').next().unwrap().parse().unwrap();
    let fewer = header.replace(&clauses.to_string(), &(clauses - 1).to_string());
    let cut = lines[..lines.len() - 1].join("\n").replace(header, &fewer) + "\n";
    let (code, text) = check(&cut);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("it wrongly allows this: the queens on 15,16 and 16,15"), "{text}");
    let reason = "1 attacking pair has no clause: 15,16 and 16,15, on antidiagonals.";
    assert!(text.contains(reason), "{text}");
}

/// The formula of the board of side 8 without the clauses of some pairs of squares.
fn without(folder: &Path, encoding: &str, is_left_out: impl Fn(&[i32]) -> bool) -> String {
    let text = stdout(&bezzel(&["encode", "8", "--encoding", encoding]));
    let (head, clauses) = text.split_once("\np cnf ").unwrap();
    let (sizes, clauses) = clauses.split_once('\n').unwrap();
    let kept = clauses.lines().filter(|line| {
        let lits: Vec<i32> = line.split(' ').map(|lit| lit.parse().unwrap()).collect();
        !is_left_out(&lits[..lits.len() - 1])
    });
    let kept: Vec<&str> = kept.collect();
    let variables = sizes.split(' ').next().unwrap();
    let file = folder.join("without.cnf");
    let text = format!("{head}\np cnf {variables} {}\n{}\n", kept.len(), kept.join("\n"));
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn the_reason_why_a_formula_is_wrong_comes_first_in_the_words_of_the_board() {
    let folder = tempfile::tempdir().unwrap();
    let square = |lit: i32| ((-lit - 1) / 8 + 1, (-lit - 1) % 8 + 1);
    let on_antidiagonal = |lits: &[i32]| {
        let [first, second] = lits else { return None };
        let ((r, c), (s, d)) = (square(*first), square(*second));
        (*first < 0 && *second < 0 && r + c == s + d).then_some((c, d))
    };
    let check = |file: &str| {
        let output = bezzel(&["check", "--cnf", file]);
        assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
        stdout(&output)
    };
    // A fault of a loop that begins one column too late.
    let file = without(folder.path(), "pairwise", |lits| {
        on_antidiagonal(lits).is_some_and(|(c, d)| c == 1 || d == 1)
    });
    let text = check(&file);
    let reason = "Correct: NO.\n  28 attacking pairs have no clause: all on antidiagonals that end in \
                  column 1, each with a square in column 1; the first is 1,2 and 2,1.\n";
    assert!(text.contains(reason), "{text}");
    // A fault of a forgotten direction.
    let file = without(folder.path(), "pairwise", |lits| on_antidiagonal(lits).is_some());
    let text = check(&file);
    assert!(
        text.contains("140 attacking pairs have no clause: every pair on antidiagonals"),
        "{text}"
    );
    // With auxiliary variables the check counts allowed pairs: the constraints of the columns are removed.
    let sizes = stdout(&bezzel(&["encode", "8", "--encoding", "sequential-counter"]));
    let range = sizes.lines().find_map(|line| line.strip_prefix("c clauses columns ")).unwrap();
    let (from, to) = range.split_once("..").unwrap();
    let (from, to): (usize, usize) = (from.parse().unwrap(), to.parse().unwrap());
    let number = std::cell::Cell::new(0);
    let file = without(folder.path(), "sequential-counter", |_| {
        number.set(number.get() + 1);
        (from..=to).contains(&number.get())
    });
    let text = check(&file);
    assert!(text.contains("224 attacking pairs are allowed: every pair on columns"), "{text}");
    assert!(text.contains("8 columns may stay empty: 1, 2, 3, 4, 5, 6, 7, 8."), "{text}");
}

#[test]
fn missed_implications_of_a_right_formula_are_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("f.cnf");
    fs::write(&file, stdout(&bezzel(&["encode", "6", "--encoding", "binary"]))).unwrap();
    let output = bezzel(&["check", "--cnf", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("Unit propagation (an implication that it does not find is no fault):"),
        "{text}"
    );
    assert!(!text.contains("? ") && !text.contains("missed"), "no board is drawn: {text}");
    let output = bezzel(&["check", "--cnf", file.to_str().unwrap(), "--json"]);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found["by_rules"]["first"]["drawing"].is_string(), "{found}");
    assert_eq!(found["reasons"], serde_json::json!([]));
}

#[test]
fn a_formula_without_comments_goes_by_order_or_by_a_map() {
    let folder = tempfile::tempdir().unwrap();
    let bare = |text: &str| {
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('c')).collect();
        lines.join("\n") + "\n"
    };
    let file = formula(folder.path(), bare);
    let output = bezzel(&["check", "--cnf", &file, "--board", "6"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));

    // A map that rotates the board. The rules are unchanged.
    let map = folder.path().join("turned.map");
    let squares = (0..36).map(|at| format!("{},{} {}\n", 6 - at % 6, at / 6 + 1, at + 1));
    fs::write(&map, squares.collect::<String>()).unwrap();
    let map = map.to_str().unwrap();
    let output = bezzel(&["check", "--cnf", &file, "--board", "6", "--map", map]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));

    // A map that swaps a square of one row with one of another row.
    let swapped = (0..36).map(|at| {
        let other = [(1, 8), (8, 1)].iter().find(|(from, _)| *from == at).map_or(at, |pair| pair.1);
        format!("square {},{} {}\n", at / 6 + 1, at % 6 + 1, other + 1)
    });
    fs::write(map, swapped.collect::<String>()).unwrap();
    let output = bezzel(&["check", "--cnf", &file, "--board", "6", "--map", map, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(found["listed"], true);
    assert!(!found["faults"].as_array().unwrap().is_empty());
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
