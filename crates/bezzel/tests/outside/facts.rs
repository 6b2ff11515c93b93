//! Boards as facts, in the hands of an answer set solver: it finds as many solutions as ours.

use std::io::Write;
use std::process::{Command, Stdio};

use bezzel_count::Backtrack;
use bezzel_encode::format::facts;
use bezzel_encode::{Board, Recipe};

use crate::tools::is_installed;

/// The rules of blocked queens, for the facts `num/1`, `block/2` and `queen/2`.
const RULES: &str = "
    1 { queen(R,C) : num(C) } 1 :- num(R).
    :- queen(R,C), queen(S,C), R < S.
    :- queen(R,C), queen(S,D), R < S, S - R = D - C.
    :- queen(R,C), queen(S,D), R < S, S - R = C - D.
    :- queen(R,C), block(R,C).
    #defined block/2.
";

/// What a program prints, given this on its stdin.
fn piped(program: &str, arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap().stdout
}

/// How many answer sets the rules have with these facts.
fn answer_sets(facts: &str) -> u128 {
    let ground = piped("gringo", &["-"], format!("{facts}{RULES}").as_bytes());
    let counted = String::from_utf8(piped("clasp", &["-q", "0"], &ground)).unwrap();
    let models = counted.lines().find_map(|line| line.strip_prefix("Models       : "));
    models.and_then(|number| number.trim().parse().ok()).expect("clasp counts models")
}

#[test]
fn an_answer_set_solver_finds_as_many_solutions_of_our_facts() {
    if !is_installed("gringo") || !is_installed("clasp") {
        return;
    }
    let mut boards = vec![Board::new(1).unwrap(), Board::new(3).unwrap(), Board::new(8).unwrap()];
    for seed in 0..4 {
        let board = Board::new(8).unwrap();
        let given = Recipe::Completion { queens: 1 }.draw(&board, None, seed, 0).unwrap();
        boards.push(Recipe::Blocked { density: 0.2 }.draw(&given, None, seed, 0).unwrap());
        boards.push(Recipe::Blocked { density: 0.3 }.draw(&board, None, seed, 0).unwrap());
    }
    for board in boards {
        let text = facts::write(&board).unwrap();
        let solutions = Backtrack::new(&board).unwrap().count(1 << 30).unwrap();
        assert_eq!(answer_sets(&text), solutions, "{board}");
    }
}
