//! Solutions in a list: `bezzel solve` with --all and --random.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use bezzel_queens::{Board, Placement, search};
use rustix::process::{Pid, Signal, kill_process};

use crate::program::{ended, prints, stderr, stdout};

/// The column of the queen in each row, counted from 1.
type Columns = Vec<usize>;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
    command.args(arguments);
    command
}

fn bezzel(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

/// All solutions of a small board.
fn exhaustive(side: u32) -> BTreeSet<Columns> {
    let columns = |placement: &Placement| {
        placement.squares().map(|square| square.column as usize + 1).collect()
    };
    search::solutions(&Board::new(side).unwrap()).iter().map(columns).collect()
}

/// Reads a list of solutions in one of the forms.
fn read(form: &str, text: &str) -> Vec<Columns> {
    // Every queen is in the row in which it is written.
    let of_squares = |squares: Vec<(usize, usize)>| -> Columns {
        let rows: Vec<usize> = squares.iter().map(|&(row, _)| row).collect();
        assert_eq!(rows, (1..=squares.len()).collect::<Vec<_>>());
        squares.into_iter().map(|(_, column)| column).collect()
    };
    let drawings = |mark: &str, empty: &str, clean: fn(&str) -> String| -> Vec<Columns> {
        let row = |line: &str| {
            let line = clean(line);
            let marks: Vec<&str> = line.split(' ').collect();
            assert!(marks.iter().all(|at| *at == mark || *at == empty), "{line}");
            1 + marks.iter().position(|at| *at == mark).unwrap()
        };
        let boards = text.trim_end().split("\n\n");
        boards.map(|board| board.lines().map(row).collect()).collect()
    };
    match form {
        "boards" => drawings("Q", ".", str::to_owned),
        "cao" => drawings("1", "0", |line| {
            let inner = line.strip_prefix('[').and_then(|line| line.strip_suffix(']'));
            inner.unwrap().replace(", ", " ")
        }),
        "coordinates" => text
            .lines()
            .map(|line| {
                let square = |word: &str| {
                    let (row, column) = word.split_once(',').unwrap();
                    (row.parse().unwrap(), column.parse().unwrap())
                };
                of_squares(line.split(' ').map(square).collect())
            })
            .collect(),
        _ => text.lines().map(|line| of_squares(serde_json::from_str(line).unwrap())).collect(),
    }
}

const FORMS: [&str; 4] = ["boards", "coordinates", "cao", "json"];

#[test]
fn every_form_lists_every_solution_once() {
    for side in [5, 6] {
        let expected = exhaustive(side);
        for form in FORMS {
            let output = bezzel(&["solve", &side.to_string(), "--all", "--format", form]);
            assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
            let text = stdout(&output);
            // The form for people ends with the number. The forms for programs have it on stderr.
            let sentence =
                format!("{} solutions (verified: published: OEIS A000170", expected.len());
            let listed = if form == "boards" {
                let (boards, last) = text.trim_end().rsplit_once("\n\n").unwrap();
                assert!(last.starts_with(&sentence), "{last}");
                read(form, boards)
            } else {
                assert!(stderr(&output).contains(&sentence), "{}", stderr(&output));
                read(form, &text)
            };
            assert_eq!(listed.len(), expected.len(), "{form}");
            assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), expected, "{form}");
        }
    }
}

#[test]
fn an_enumeration_ends_at_its_limit() {
    for engine in ["backtrack", "blocking", "propagator"] {
        let arguments = ["solve", "8", "--all", "--max-solutions", "5", "--format", "json"];
        let output = bezzel(&[&arguments[..], &["--engine", engine]].concat());
        assert_eq!(output.status.code(), Some(10), "{engine}: {}", stderr(&output));
        let listed: BTreeSet<_> = read("json", &stdout(&output)).into_iter().collect();
        assert_eq!(listed.len(), 5, "{engine}");
        assert!(listed.is_subset(&exhaustive(8)), "{engine}");
        let printed = "5 solutions, as many as were asked for (verified: rules of the board";
        assert!(stderr(&output).contains(printed), "{}", stderr(&output));
    }
    // A board that cannot be searched to its end.
    let output = bezzel(&[
        "solve",
        "30",
        "--all",
        "--max-solutions",
        "2",
        "--format",
        "coordinates",
        "--engine",
        "blocking",
    ]);
    assert_eq!(stdout(&output).lines().count(), 2, "{}", stderr(&output));
}

#[test]
fn random_solutions_are_those_of_their_seed() {
    let drawn = |seed: &str| {
        let output = bezzel(&[
            "solve",
            "8",
            "--random",
            "--seed",
            seed,
            "--max-solutions",
            "20",
            "--format",
            "json",
        ]);
        assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
        read("json", &stdout(&output))
    };
    assert_eq!(drawn("7"), drawn("7"));
    assert_ne!(drawn("7"), drawn("8"));
    assert_eq!(drawn("7").len(), 20);
    let all = exhaustive(8);
    assert!(drawn("7").iter().all(|columns| all.contains(columns)));
    let one = bezzel(&["solve", "8", "--random"]);
    assert!(stdout(&one).contains("drawn once from 92 solutions"), "{}", stdout(&one));
}

#[test]
fn a_file_holds_the_list_whole_or_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| command(arguments).current_dir(folder.path()).output().unwrap();
    let at = |name: &str| folder.path().join(name);
    let output = run(&["solve", "6", "--all", "--format", "json", "-o", "six.jsonl"]);
    let printed = stdout(&output);
    assert!(printed.starts_with("six.jsonl: 4 solutions (verified"), "{printed}");
    let text = std::fs::read_to_string(at("six.jsonl")).unwrap();
    assert_eq!(read("json", &text).into_iter().collect::<BTreeSet<_>>(), exhaustive(6));

    ended(&run(&["solve", "6", "--all", "--format", "json", "-o", "six.jsonl.gz"]), 10);
    let mut unpacked = String::new();
    let packed = std::fs::File::open(at("six.jsonl.gz")).unwrap();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut unpacked).unwrap();
    assert_eq!(unpacked, text);

    prints(
        &run(&["solve", "20", "--all", "-o", "six.jsonl", "--timeout", "0.2"]),
        3,
        "found so far",
    );
    assert_eq!(std::fs::read_to_string(at("six.jsonl")).unwrap(), text);
    assert!(!Path::exists(&at("six.jsonl.part")));
}

#[test]
fn a_reader_that_closes_its_input_ends_a_list_quietly() {
    let mut child = command(&["solve", "20", "--all", "--format", "coordinates"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let first = lines.next().unwrap().unwrap();
    assert_eq!(first.split(' ').count(), 20);
    drop(lines);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(stderr(&output), "");
}

#[test]
fn an_interrupted_list_keeps_the_solutions_found() {
    for engine in ["backtrack", "blocking"] {
        let list = ["solve", "20", "--all", "--format", "coordinates", "--engine", engine];
        let mut child =
            command(&list).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        lines.next().unwrap().unwrap();
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let listed = lines.inspect(|line| {
            assert_eq!(line.as_ref().unwrap().split(' ').count(), 20, "every line is whole");
        });
        let listed = listed.count() + 1;
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{engine}: {}", stderr(&output));
        let printed: String = stderr(&output).chars().filter(|at| *at != ',').collect();
        let expected = format!("stopped while searching; {listed} solutions found so far");
        assert!(printed.contains(&expected), "{engine}: {printed}");
    }
}
