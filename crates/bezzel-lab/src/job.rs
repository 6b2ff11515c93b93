//! A job: one cell of an experiment, and the key under which its row is found.

use std::fmt;

use bezzel_encode::{Board, Constraints, Numbering};
use bezzel_solve::Options;
use serde::{Deserialize, Serialize};

/// One cell of an experiment: everything that decides what is run, and nothing else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The board.
    pub board: Board,
    /// The encoding's id.
    pub encoding: String,
    /// The constraints stated; `None` where the encoding has its own set.
    pub constraints: Option<Constraints>,
    /// The numbering of variables, clauses and literals.
    pub numbering: Numbering,
    /// The solver's id, preset included.
    pub solver: String,
    /// The options with which the solver runs, the preset's included.
    pub options: Options,
    /// What is asked.
    pub task: Task,
    /// Which repetition of the same run this is, counted from 1.
    pub repeat: u32,
    /// What the job may use.
    pub limits: Limits,
}

/// What is asked of the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// One solution, or that there is none.
    #[default]
    First,
}

/// What a job may use, its whole process counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// CPU time, in seconds.
    pub cpu_s: f64,
    /// Wall time, in seconds.
    pub wall_s: f64,
    /// Memory, in bytes.
    pub memory_bytes: u64,
}

/// The key of a job: 32 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Key(pub String);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Job {
    /// The job's key: the BLAKE3 of its JSON together with the revision of its encoding and the
    /// version of its solver, so that no row outlives what it measured.
    pub fn key(&self, encoding_revision: u32, solver_version: &str) -> Key {
        let text = serde_json::to_string(&(self, encoding_revision, solver_version))
            .expect("a job has string keys and finite numbers only");
        Key(blake3::hash(text.as_bytes()).to_hex()[..32].to_owned())
    }

    /// What is compared: the encoding's id, with its constraints where they are not the default.
    pub fn encoding_label(&self) -> String {
        encoding_label(&self.encoding, self.constraints)
    }
}

/// The name of an encoding under a set of constraints: its id, with the set where it is not the
/// default.
pub(crate) fn encoding_label(id: &str, constraints: Option<Constraints>) -> String {
    match constraints {
        None | Some(Constraints::Full) => id.to_owned(),
        Some(constraints) => format!("{id} ({constraints})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_of_a_square_board_names_one_size_and_of_a_rectangle_its_columns_too() {
        let json = |board: &Board| serde_json::to_string(board).unwrap();
        let rest = r#""geometry":"plane","piece":"queen","queens":[],"blocked":[]"#;
        assert_eq!(json(&Board::new(8).unwrap()), format!(r#"{{"size":8,{rest}}}"#));
        let rectangle = Board::rectangle(8, 10).unwrap();
        assert_eq!(json(&rectangle), format!(r#"{{"size":8,"columns":10,{rest}}}"#));
        assert_eq!(serde_json::from_str::<Board>(&json(&rectangle)).unwrap(), rectangle);
        let torus = r#"{"size":8,"columns":10,"geometry":"torus"}"#;
        assert!(serde_json::from_str::<Board>(torus).is_err());
    }
}
