//! Files of ours in the hands of outside solvers, and their answers in ours.
//!
//! Solvers that are not installed are skipped, and the test says so; with `BEZZEL_REQUIRE_OUTSIDE`
//! set, as in `.ci/run`, it fails instead.

#![expect(clippy::explicit_write, reason = "`eprintln!` in a passing test is captured")]

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::Command;

use bezzel_encode::format::dimacs::{self, Preamble};
use bezzel_encode::{Board, Constraints, Geometry, Numbering, Placement, Registry, Square};

/// A solver as its package installs it: where its answer goes, and how it says it.
struct Outside {
    program: &'static str,
    /// Whether the answer goes to a second file, as MiniSat's does.
    writes_file: bool,
}

const SOLVERS: [Outside; 3] = [
    Outside { program: "cadical", writes_file: false },
    Outside { program: "picosat", writes_file: false },
    Outside { program: "minisat", writes_file: true },
];

impl Outside {
    fn is_installed(&self) -> bool {
        let found = std::env::var_os("PATH").is_some_and(|path| {
            std::env::split_paths(&path).any(|folder| folder.join(self.program).is_file())
        });
        if !found {
            let skipped = format!("{} is not installed", self.program);
            assert!(std::env::var_os("BEZZEL_REQUIRE_OUTSIDE").is_none(), "{skipped}");
            // Past the capture of passing tests' output.
            writeln!(std::io::stderr(), "skipped: {skipped}").unwrap();
        }
        found
    }

    /// The true literals of a model, or `None` when there is no model.
    fn solve(&self, file: &Path) -> Option<Vec<i32>> {
        let answer = file.with_extension("out");
        let mut command = Command::new(self.program);
        command.arg(file);
        if self.writes_file {
            command.arg(&answer);
        }
        let output = command.output().unwrap();
        let text = if self.writes_file {
            std::fs::read_to_string(&answer).unwrap()
        } else {
            String::from_utf8(output.stdout).unwrap()
        };
        match output.status.code() {
            Some(20) => None,
            Some(10) => Some(
                text.lines()
                    .filter(|line| line.starts_with("v ") || self.writes_file)
                    .flat_map(|line| line.trim_start_matches("v ").split(' '))
                    .filter_map(|word| word.parse().ok())
                    .filter(|&literal| literal != 0)
                    .collect(),
            ),
            code => panic!("{} ended with {code:?}: {text}", self.program),
        }
    }
}

/// The placement that a model means, by nothing but the file's own comments.
fn decode(file: &str, model: &[i32]) -> Placement {
    let holds: HashMap<i32, bool> =
        model.iter().flat_map(|&lit| [(lit, true), (-lit, false)]).collect();
    let squares = file.lines().filter_map(|line| line.strip_prefix("c square "));
    squares
        .filter_map(|line| {
            let mut words = line.split(' ');
            let (row, column) = words.next()?.split_once(',')?;
            let all = words.all(|word| holds[&word.parse().unwrap()]);
            all.then(|| Square::from((row.parse().unwrap(), column.parse().unwrap())))
        })
        .collect()
}

#[test]
fn outside_solvers_read_every_encoding_and_their_models_decode_by_the_comments() {
    let solvers: Vec<_> = SOLVERS.iter().filter(|solver| solver.is_installed()).collect();
    let folder = tempfile::tempdir().unwrap();
    let registry = Registry::standard();
    let solvable = Board::new(6).unwrap();
    let hopeless = Board::new(6).unwrap().with_geometry(Geometry::Torus);
    for card in registry.cards() {
        let encoding = registry.find(&card.id).unwrap().on_board(Constraints::Full);
        for (board, has_solution) in [(&solvable, true), (&hopeless, false)] {
            for numbering in [Numbering::AS_GENERATED, Numbering::random(7)] {
                let mut text = Vec::new();
                let preamble = Preamble::Comments { made_by: "a test" };
                dimacs::write(encoding.as_ref(), board, &numbering, preamble, &mut text).unwrap();
                let file = folder.path().join("queens.cnf");
                std::fs::write(&file, &text).unwrap();
                for solver in &solvers {
                    let what = format!("{} on {board} by {}", card.id, solver.program);
                    let model = solver.solve(&file);
                    assert_eq!(model.is_some(), has_solution, "{what}");
                    if let Some(model) = model {
                        let text = std::str::from_utf8(&text).unwrap();
                        assert_eq!(decode(text, &model).judge(board), Ok(()), "{what}");
                    }
                }
            }
        }
    }
}
