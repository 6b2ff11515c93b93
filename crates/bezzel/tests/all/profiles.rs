//! Profiles and examinations on the command line: `bezzel show` and `bezzel check --cnf`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::program::{bezzel, stderr, stdout};

#[test]
fn a_profile_shows_sizes_sections_and_three_verdicts() {
    let output = bezzel(&["show", "sequential-counter"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
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
