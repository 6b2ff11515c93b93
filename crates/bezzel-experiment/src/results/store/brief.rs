//! Brief rows: the few fields of a line that merging and status reports read.

use std::fmt;

use bezzel_problem::{Instance, KindInfo, kinds};
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};

use super::checksum::RowView;
use crate::model::job::{Job, Key, Limits, Task};
use crate::model::row::{Row, Termination, Verdict, first_format, session_number};

/// The outcome of a job in brief.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct BriefRow {
    #[serde(default = "first_format")]
    format: u32,
    /// The job's key.
    pub key: Key,
    /// The part of the job that determines its expected time.
    pub job: BriefJob,
    /// The verdict of the judge on the answer.
    pub verdict: Verdict,
    /// The end of the run.
    #[serde(alias = "stop")]
    pub termination: Termination,
    /// Wall time of the whole process, in seconds.
    pub wall_s: f64,
    started_unix_s: f64,
    /// The session.
    #[serde(deserialize_with = "session_number")]
    pub session: usize,
}

/// A brief row with its line, for readers that need the whole row or copy it.
pub(crate) struct BriefLine {
    pub(crate) brief: BriefRow,
    /// The line without its checksum.
    body: Vec<u8>,
}

/// A job in brief.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BriefJob {
    /// The size of the instance; none if its JSON does not state it.
    pub size: Option<BriefSize>,
    /// The encoding's id.
    pub encoding: String,
    /// The solver's or engine's id.
    pub solver: String,
    /// The task.
    pub task: Task,
}

/// The size of an instance in brief. Instances of one kind and size count as equally hard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BriefSize {
    /// The key of the kind in JSON.
    kind: &'static str,
    size: u32,
}

/// The key of the size in the JSON of the kinds that state it.
const SIZE: &str = "size";

fn states_size(kind: &KindInfo) -> bool {
    kind.fields.iter().any(|field| field.key == SIZE)
}

impl BriefSize {
    fn of(instance: &Instance) -> Option<Self> {
        let kind = instance.info();
        states_size(kind).then(|| Self { kind: kind.key, size: instance.size() })
    }
}

impl From<&Job> for BriefJob {
    fn from(job: &Job) -> Self {
        let size = BriefSize::of(&job.instance);
        Self { size, encoding: job.encoding.clone(), solver: job.solver.clone(), task: job.task }
    }
}

impl<'de> Deserialize<'de> for BriefJob {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(JobVisitor)
    }
}

/// A key of a job.
enum JobKey {
    Encoding,
    Solver,
    Task,
    /// The key of a kind whose instances state their size.
    Sized(&'static str),
    Other,
}

impl<'de> Deserialize<'de> for JobKey {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct KeyVisitor;

        impl Visitor<'_> for KeyVisitor {
            type Value = JobKey;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key of a job")
            }

            fn visit_str<E>(self, key: &str) -> Result<JobKey, E> {
                Ok(match key {
                    "encoding" => JobKey::Encoding,
                    "solver" => JobKey::Solver,
                    "task" => JobKey::Task,
                    key => kinds()
                        .iter()
                        .find(|kind| kind.key == key && states_size(kind))
                        .map_or(JobKey::Other, |kind| JobKey::Sized(kind.key)),
                })
            }
        }

        from.deserialize_identifier(KeyVisitor)
    }
}

/// Reads the fields of a job that are read in brief, and ignores the others.
struct JobVisitor;

impl<'de> Visitor<'de> for JobVisitor {
    type Value = BriefJob;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a job")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BriefJob, A::Error> {
        #[derive(Deserialize)]
        struct Sized {
            size: u32,
        }
        let (mut size, mut encoding, mut solver, mut task) = (None, None, None, None);
        while let Some(key) = map.next_key()? {
            match key {
                JobKey::Encoding => encoding = Some(map.next_value()?),
                JobKey::Solver => solver = Some(map.next_value()?),
                JobKey::Task => task = Some(map.next_value()?),
                JobKey::Sized(kind) => {
                    let Sized { size: number } = map.next_value()?;
                    size = Some(BriefSize { kind, size: number });
                }
                JobKey::Other => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        let missing = A::Error::missing_field;
        Ok(BriefJob {
            size,
            encoding: encoding.ok_or_else(|| missing("encoding"))?,
            solver: solver.ok_or_else(|| missing("solver"))?,
            task: task.ok_or_else(|| missing("task"))?,
        })
    }
}

impl RowView for BriefRow {
    fn read(body: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(body)
    }

    fn format(&self) -> u32 {
        self.format
    }

    fn session(&self) -> usize {
        self.session
    }
}

impl RowView for BriefLine {
    fn read(body: &[u8]) -> serde_json::Result<Self> {
        Ok(Self { brief: BriefRow::read(body)?, body: body.to_owned() })
    }

    fn format(&self) -> u32 {
        self.brief.format
    }

    fn session(&self) -> usize {
        self.brief.session
    }
}

impl BriefRow {
    /// True if the row settles its job; see [`Row::is_settled`].
    pub(crate) fn is_settled(&self) -> bool {
        self.termination != Termination::HostError
    }

    /// Returns the start of the run. With the key and the session it identifies a row.
    pub(super) fn began(&self) -> u64 {
        self.started_unix_s.to_bits()
    }
}

impl BriefLine {
    /// Returns the complete row.
    pub(crate) fn row(&self) -> serde_json::Result<Row> {
        Row::read(&self.body)
    }

    /// The limits of its job.
    pub(super) fn limits(&self) -> Option<Limits> {
        #[derive(Deserialize)]
        struct Limited {
            job: Limiting,
        }
        #[derive(Deserialize)]
        struct Limiting {
            limits: Limits,
        }
        serde_json::from_slice(&self.body).ok().map(|Limited { job }| job.limits)
    }

    /// Returns the row in another session, without a checksum. The session is the last field of a row, so that the rest
    /// need not be parsed.
    pub(super) fn in_session(mut self, session: usize) -> serde_json::Result<Vec<u8>> {
        let ending = format!("\"session\":{}}}", self.brief.session);
        if self.body.ends_with(ending.as_bytes()) {
            self.body.truncate(self.body.len() - ending.len());
            self.body.extend_from_slice(format!("\"session\":{session}}}").as_bytes());
            return Ok(self.body);
        }
        serde_json::to_vec(&Row { session, ..self.row()? })
    }
}

#[cfg(test)]
mod tests {
    use super::super::checksum::{self, LineContent};
    use super::super::tests::row;
    use super::*;

    #[test]
    fn a_row_is_carried_as_it_is_into_another_session() {
        let row = Row { session: 0, ..row(3) };
        let value = serde_json::to_value(&row).unwrap();
        // Fields in another order, as another program may write them.
        let reversed: serde_json::Map<_, _> =
            value.as_object().unwrap().clone().into_iter().rev().collect();
        for body in [serde_json::to_vec(&row).unwrap(), serde_json::to_vec(&reversed).unwrap()] {
            let carried = BriefLine::read(&body).unwrap();
            assert!(carried.brief.is_settled());
            let line = checksum::with_checksum(carried.in_session(12).unwrap());
            let LineContent::Row(read, true) =
                checksum::open::<Row>(line.strip_suffix(b"\n").unwrap())
            else {
                panic!("its checksum matches")
            };
            assert_eq!(*read, Row { session: 12, ..row.clone() });
        }
    }
}
