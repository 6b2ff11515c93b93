//! Rows in brief: what merging and taking stock need of a line, without the rest, which is most of it.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use serde::Deserialize;

use super::error::failed;
use super::lines::Lines;
use super::seal::OfRow;
use super::{BLOCK, StoreError};
use crate::model::job::{Job, Key, Task};
use crate::model::row::session_number;
use crate::model::row::{Row, Stop, Verdict, first_format};
use crate::results::input;

/// What became of a job, in brief.
#[derive(Clone, Debug, Deserialize)]
pub struct Brief {
    #[serde(default = "first_format")]
    format: u32,
    /// The job's key.
    pub key: Key,
    /// What of the job tells how long it may take.
    pub job: BriefJob,
    /// What the judge makes of the answer.
    pub verdict: Verdict,
    /// How the run came to its end.
    pub stop: Stop,
    /// Wall time of the whole process, in seconds.
    pub wall_s: f64,
    /// The session.
    #[serde(deserialize_with = "session_number")]
    pub session: usize,
}

/// A job in brief.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct BriefJob {
    /// The board.
    pub board: BriefBoard,
    /// The encoding's id.
    pub encoding: String,
    /// The solver's or engine's id.
    pub solver: String,
    /// What is asked.
    pub task: Task,
}

impl From<&Job> for BriefJob {
    fn from(job: &Job) -> Self {
        let board = BriefBoard { size: job.board.rows() };
        Self { board, encoding: job.encoding.clone(), solver: job.solver.clone(), task: job.task }
    }
}

/// A board in brief: its rows. Boards of as many rows are taken to be as hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
pub struct BriefBoard {
    /// The number of rows.
    pub size: u32,
}

impl Brief {
    /// Whether it says what becomes of its job; see [`Row::is_settled`].
    pub fn is_settled(&self) -> bool {
        self.stop != Stop::HostError
    }
}

impl OfRow for Brief {
    fn read(body: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(body)
    }

    fn format(&self) -> u32 {
        self.format
    }
}

/// The rows of a file, in brief.
///
/// # Errors
///
/// When it is not there, or cannot be opened.
pub fn briefs(path: &Path) -> Result<Lines<BufReader<File>, Brief>, StoreError> {
    let file = input::open(path).map_err(failed("read", path))?;
    Ok(Lines::new(BufReader::with_capacity(BLOCK, file)))
}

/// A row that is carried elsewhere as it is, but for the number of its session.
pub(super) struct Carried {
    head: Head,
    body: Vec<u8>,
}

/// What tells a row from every other one.
#[derive(Deserialize)]
struct Head {
    #[serde(default = "first_format")]
    format: u32,
    key: Key,
    stop: Stop,
    started_unix_s: f64,
    #[serde(deserialize_with = "session_number")]
    session: usize,
}

impl OfRow for Carried {
    fn read(body: &[u8]) -> serde_json::Result<Self> {
        Ok(Self { head: serde_json::from_slice(body)?, body: body.to_owned() })
    }

    fn format(&self) -> u32 {
        self.head.format
    }
}

impl Carried {
    pub(super) fn key(&self) -> &Key {
        &self.head.key
    }

    pub(super) fn session(&self) -> usize {
        self.head.session
    }

    pub(super) fn is_settled(&self) -> bool {
        self.head.stop != Stop::HostError
    }

    /// When it began; with the key and the session it tells a row from every other one.
    pub(super) fn began(&self) -> u64 {
        self.head.started_unix_s.to_bits()
    }

    /// The whole row.
    pub(super) fn row(&self) -> serde_json::Result<Row> {
        Row::read(&self.body)
    }

    /// The row in another session, without a seal. The session is the last that a row tells, so that
    /// nothing else need be read.
    pub(super) fn in_session(mut self, session: usize) -> serde_json::Result<Vec<u8>> {
        let told = format!("\"session\":{}}}", self.head.session);
        if self.body.ends_with(told.as_bytes()) {
            self.body.truncate(self.body.len() - told.len());
            self.body.extend_from_slice(format!("\"session\":{session}}}").as_bytes());
            return Ok(self.body);
        }
        serde_json::to_vec(&Row { session, ..self.row()? })
    }
}

#[cfg(test)]
mod tests {
    use super::super::seal::{self, Content};
    use super::super::tests::row;
    use super::*;

    #[test]
    fn a_row_is_carried_as_it_is_into_another_session() {
        let row = Row { session: 0, ..row(3) };
        for body in [
            serde_json::to_vec(&row).unwrap(),
            // Members in another order, as another program might write them.
            serde_json::to_vec(&serde_json::to_value(&row).unwrap().as_object().map(|members| {
                members
                    .iter()
                    .rev()
                    .map(|(name, value)| (name.clone(), value.clone()))
                    .collect::<serde_json::Map<_, _>>()
            }))
            .unwrap(),
        ] {
            let carried = Carried::read(&body).unwrap();
            assert!(carried.is_settled());
            let line = seal::seal(carried.in_session(12).unwrap());
            let Content::Row(read, true) = seal::open::<Row>(line.strip_suffix(b"\n").unwrap())
            else {
                panic!("its seal vouches for it")
            };
            assert_eq!(*read, Row { session: 12, ..row.clone() });
        }
    }
}
