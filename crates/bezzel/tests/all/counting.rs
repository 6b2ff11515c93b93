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
fn boards_of_every_kind_are_counted() {
    for (arguments, count) in [
        (&["3"][..], "0"),
        (&["7", "--torus"], "28"),
        (&["6", "--rooks"], "720"),
        (&["4x5", "--rooks"], "120"),
        (&["5", "--queen", "2", "--queen", "9"], "1"),
        (&["5", "--queen", "1,2", "--queen", "2,4", "--engine", "blocking"], "1"),
        (&["4", "--blocked", "1,2"], "1"),
        (&["7", "--encoding", "sequential-counter", "--shuffle", "3"], "40"),
    ] {
        assert_eq!(counted(arguments).0, count, "{arguments:?}");
    }
}

#[test]
fn fundamental_solutions_are_counted_by_any_engine_with_the_verified_number_of_all() {
    for arguments in [&["8"][..], &["8", "--engine", "blocking"], &["8", "--threads", "2"]] {
        let (count, printed) = counted(&[arguments, &["--fundamental"]].concat());
        assert_eq!(count, "12", "{arguments:?}");
        let of_all = "92 solutions (verified: published: OEIS A000170";
        assert!(printed.contains(of_all), "{arguments:?}: {printed}");
    }
    let output = bezzel(&["solve", "8", "--count", "--fundamental", "--json"]);
    let counted: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&counted["fundamental"], &counted["count"]), (&"12".into(), &"92".into()));
}

#[test]
fn the_number_comes_with_what_it_rests_on_as_json() {
    let output = bezzel(&["solve", "8", "--count", "--json", "--engine", "backtrack"]);
    let counted: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(counted["count"], "92");
    assert_eq!(counted["verdict"], "verified");
    assert_eq!(counted["engine"], "backtrack");
    assert!(counted["threads"].as_u64().unwrap() >= 1);
    assert!(counted["evidence"]["source"].as_str().unwrap().contains("A000170"));
    assert!(counted["wall_s"].as_f64().unwrap() > 0.0);
}

#[test]
fn a_count_beyond_its_timeout_has_no_number_and_its_own_exit_code() {
    for engine in ["backtrack", "blocking"] {
        let output = bezzel(&["solve", "20", "--count", "--engine", engine, "--timeout", "0.2"]);
        assert_eq!(output.status.code(), Some(3), "{engine}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{engine}");
        let printed = "it took longer than 0.2 s while searching: `--timeout` allows more";
        assert!(stderr(&output).contains(printed), "{}", stderr(&output));
    }
}

#[test]
fn a_diagram_is_reported_with_its_size_and_kept_within_its_budget() {
    let (count, printed) = counted(&["8", "--engine", "direct-zdd"]);
    assert_eq!(count, "92");
    // The node count of the literature, without terminals.
    assert!(printed.contains("the diagram has 373 nodes"), "{printed}");
    let (_, printed) = counted(&["8", "--engine", "zbdd"]);
    assert!(printed.contains("reading `bryant-circuit`"), "{printed}");
    assert!(printed.contains("the diagram has 373 nodes"), "{printed}");
    for (budget, printed) in [
        (
            ["--nodes", "300"],
            "more than 300 nodes would have to be kept while searching: `--nodes` allows more",
        ),
        (["--memory", "1MiB"], "`--memory` allows more"),
    ] {
        for engine in ["direct-zdd", "states", "zbdd"] {
            let output =
                bezzel(&[&["solve", "15", "--count", "--engine", engine][..], &budget].concat());
            assert_eq!(output.status.code(), Some(3), "{engine}: {}", stderr(&output));
            assert!(stderr(&output).contains(printed), "{engine}: {}", stderr(&output));
            assert_eq!(stdout(&output), "", "{engine}");
        }
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
