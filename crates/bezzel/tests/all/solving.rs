//! One solution: the defaults, options of solvers, and a time limit.

use std::time::{Duration, Instant};

use crate::program::{bezzel, stderr, stdout};

#[test]
fn an_unnamed_encoding_is_picked_and_reported() {
    let formula = "--encoding product";
    let solver = "--solver batsat";
    let found = "--option upol=1 --option decide_auxiliary=false --option rnd_init_act=true";
    for (arguments, picked) in [
        (&["solve", "8"][..], format!("picked: {formula} {solver} {found}\n")),
        (&["solve", "8", "--solver", "cadical"], format!("picked: {formula}\n")),
        // The options were found under the default encoding and numbering.
        (&["solve", "8", "--encoding", "binary"], format!("picked: {solver}\n")),
        (&["solve", "8", "--shuffle", "3"], format!("picked: {formula} {solver}\n")),
        (
            &["solve", "8", "--option", "upol=0", "--option", "rnd_init_act=false"],
            format!("picked: {formula} {solver} --option decide_auxiliary=false\n"),
        ),
        (&["solve", "8", "--encoding", "binary", "--solver", "cadical"], String::new()),
        (&["solve", "5", "--torus"], format!("picked: {formula} --solver cadical\n")),
        // The numbers of variables are those of `bezzel encode` with the same arguments.
        (&["solve", "8", "--dimacs-output"], format!("picked: {formula} {solver}\n")),
    ] {
        let output = bezzel(arguments);
        assert_eq!(output.status.code(), Some(10), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stderr(&output), picked, "{arguments:?}");
    }
    let folder = tempfile::tempdir().unwrap();
    let proof = folder.path().join("p.lrat");
    let output = bezzel(&["solve", "6", "--torus", "--proof", proof.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(20), "{}", stderr(&output));
    assert_eq!(stderr(&output), format!("picked: {formula} --solver cadical\n"));
    assert!(stdout(&output).contains("LRAT proof of "), "{}", stdout(&output));
}

#[test]
fn the_picked_arguments_can_be_pasted_and_give_the_same_board() {
    let output = bezzel(&["solve", "20"]);
    let picked = stderr(&output);
    let words = picked.strip_prefix("picked: ").unwrap().split_whitespace();
    let again = bezzel(&[&["solve", "20"], &words.collect::<Vec<_>>()[..]].concat());
    assert_eq!((stdout(&output), ""), (stdout(&again), &*stderr(&again)));
}

#[test]
fn the_picked_arguments_are_right_on_boards_of_every_kind() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("drawn.txt");
    std::fs::write(&drawn, "x.....\n......\n..x...\n......\n.....x\n......\n").unwrap();
    let drawn = drawn.to_str().unwrap();
    for (board, code) in [
        (&["1"][..], 10),
        (&["2"], 20),
        (&["3"], 20),
        (&["4"], 10),
        (&["5", "--torus"], 10),
        (&["8", "--torus"], 20),
        (&["13", "--torus"], 10),
        (&["7x6", "--rooks"], 20),
        (&["6x7"], 10),
        (&["8", "--queen", "1,1"], 10),
        (&["4", "--queen", "1,1"], 20),
        (&["8", "--blocked", "1,1", "--blocked", "1,2", "--queen", "3,3"], 10),
        (&["--board", drawn], 10),
        (&["8", "--constraints", "no-column-alo"], 10),
    ] {
        let output = bezzel(&[&["solve"], board].concat());
        assert_eq!(output.status.code(), Some(code), "{board:?}: {}", stderr(&output));
        assert!(stdout(&output).contains("(verified: "), "{board:?}: {}", stdout(&output));
    }
}

#[test]
fn options_of_the_solver_are_taken_in_its_own_words() {
    let output = bezzel(&["solve", "8", "--solver", "cadical", "--option", "elim=0"]);
    assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
}

#[test]
fn a_single_solution_is_looked_for_no_longer_than_is_allowed() {
    // Twelve pigeons in eleven holes need far more time with both solvers.
    for solver in ["batsat", "cadical"] {
        let begun = Instant::now();
        let board = ["solve", "14x13", "--rooks", "--encoding", "pairwise", "--solver", solver];
        let output = bezzel(&[&board[..], &["--timeout", "0.1"]].concat());
        assert_eq!(output.status.code(), Some(3), "{}{}", stdout(&output), stderr(&output));
        let printed = "error: it took longer than 0.1 s while searching: `--timeout` allows more\n";
        assert_eq!(stderr(&output), printed);
        assert!(begun.elapsed() < Duration::from_mins(2));
    }
    let output = bezzel(&["solve", "8", "--timeout", "600"]);
    assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
}
