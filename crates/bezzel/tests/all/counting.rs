//! `bezzel solve --count`, and the engines of `bezzel list`.

use crate::program::{bezzel, stderr, stdout};

/// The engines that are listed, without programs. `outside/counters.rs` tests these.
fn engines() -> Vec<serde_json::Value> {
    let output = bezzel(&["list", "--json"]);
    let listing: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let engines = listing["engines"].as_array().unwrap().clone();
    engines.into_iter().filter(|engine| engine.get("command").is_none()).collect()
}

/// The number that is counted, and the messages about it.
fn counted(arguments: &[&str]) -> (String, String) {
    let output = bezzel(&[&["solve", "--count"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    let text = stdout(&output);
    (text.lines().last().unwrap().to_owned(), stderr(&output))
}

#[test]
fn every_engine_that_is_listed_counts_the_solutions_of_six_queens() {
    let engines = engines();
    assert!(engines.len() >= 4, "{engines:?}");
    for engine in &engines {
        let id = engine["id"].as_str().unwrap();
        let (count, printed) = counted(&["6", "--engine", id]);
        assert_eq!(count, "4", "{id}");
        assert!(
            printed.contains(id) && printed.contains("verified: published: OEIS A000170"),
            "{printed}"
        );
    }
}

#[test]
fn a_number_that_comes_of_wrong_clauses_is_none() {
    // A program whose formula excludes no two queens in a line.
    let encoding = r#"{command: "sed -n '/^a/s/[a-z-]*/p cnf/;/^p/s/$/ 0/p'"}"#;
    let output = bezzel(&["solve", "3", "--count", "--engine", "blocking", "--encoding", encoding]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    let printed = stderr(&output);
    assert!(
        printed.contains("is wrong: ") && printed.contains("(1, 1) (1, 2) (1, 3) (2, 1)"),
        "{printed}"
    );
}
