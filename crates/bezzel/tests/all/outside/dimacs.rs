//! DIMACS files read by SAT solvers.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use bezzel_encode::Numbering;
use bezzel_encode::format::Format;
use bezzel_queens::{Placement, Square};

use crate::outside::tools::{boards, encodings, file};
use crate::program::is_installed;

/// A solver as its package installs it, with the place and the form of its answer.
struct Outside {
    program: &'static str,
    /// True if the answer goes to a second file, as MiniSat's does.
    writes_file: bool,
}

const SOLVERS: [Outside; 3] = [
    Outside { program: "cadical", writes_file: false },
    Outside { program: "picosat", writes_file: false },
    Outside { program: "minisat", writes_file: true },
];

impl Outside {
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

/// The placement of a model, by the comments of the file alone.
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
#[ignore = "second tier: it runs programs of others"]
fn sat_solvers_read_every_encoding_and_their_models_decode_by_the_comments() {
    let solvers: Vec<_> = SOLVERS.iter().filter(|solver| is_installed(solver.program)).collect();
    let folder = tempfile::tempdir().unwrap();
    for encoding in encodings(Format::Dimacs) {
        for (board, has_solution) in boards() {
            for numbering in [Numbering::AS_GENERATED, Numbering::random(7)] {
                let text = file(Format::Dimacs, encoding.as_ref(), &board, &numbering);
                let path = folder.path().join("queens.cnf");
                std::fs::write(&path, &text).unwrap();
                for solver in &solvers {
                    let what = format!("{} on {board} by {}", encoding.info().id, solver.program);
                    let model = solver.solve(&path);
                    assert_eq!(model.is_some(), has_solution, "{what}");
                    if let Some(model) = model {
                        assert_eq!(decode(&text, &model).judge(&board), Ok(()), "{what}");
                    }
                }
            }
        }
    }
}
