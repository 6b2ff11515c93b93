//! The rows of an experiment.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use bezzel_problem::Instance;
use bezzel_solve::Options;

use super::StoreError;
use super::reader::{ReadEntry, Sessions, each_entry};
use crate::check::claim::{ClaimedAnswer, Disagreement};
use crate::model::job::{Job, Key};
use crate::model::row::Row;

/// The rows of an experiment, each with the number of its session.
#[derive(Debug, Default)]
pub struct Rows {
    /// The row of each key. Of the rows that settle its job, it is the first of the first session. If no row settles the
    /// job, it is the last row.
    pub by_key: HashMap<Key, Row>,
    /// Rows that settle a job with another result than the kept row.
    pub disagreeing: Vec<Disagreement>,
    /// The keys that several sessions have settled.
    pub repeated: HashSet<Key>,
    /// The readings of the machine, in their order.
    pub readings: Vec<Row>,
    /// The claims of rows that settle a job, other than those of the kept row.
    others: HashMap<Key, Vec<ClaimedAnswer>>,
    shared: SharedParts,
}

/// The parts that many jobs have in common, each once: the largest of a row in memory.
#[derive(Debug, Default)]
struct SharedParts {
    instances: HashSet<Instance>,
    options: Vec<Arc<Options>>,
}

/// The number of options that are compared with those of a row. More options differ in their seeds.
const OPTIONS: usize = 16;

impl SharedParts {
    /// Replaces the parts of a job by equal ones.
    fn share(&mut self, job: &mut Job) {
        match self.instances.get(&job.instance) {
            Some(known) => job.instance = known.clone(),
            None => drop(self.instances.insert(job.instance.clone())),
        }
        match self.options.iter().find(|known| **known == job.options) {
            Some(known) => job.options = Arc::clone(known),
            None if self.options.len() < OPTIONS => self.options.push(Arc::clone(&job.options)),
            None => {}
        }
    }
}

impl Rows {
    /// Reads the rows and readings of all sessions in a folder.
    ///
    /// # Errors
    ///
    /// When there is no session, a file cannot be read, or a session is of a newer version.
    pub fn read(folder: &Path) -> Result<(Sessions, Self), StoreError> {
        let mut rows = Self::default();
        let sessions = each_entry(folder, |_, read| rows.take(read))?;
        Ok((sessions, rows))
    }

    pub(super) fn take(&mut self, read: ReadEntry) {
        let mut row = match read {
            ReadEntry::Row(row) => row,
            ReadEntry::Reading(row) => return self.readings.push(row),
        };
        self.shared.share(&mut row.job);
        match self.by_key.entry(row.key.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(row);
            }
            Entry::Occupied(mut entry) => {
                let kept = entry.get();
                if !kept.is_settled() {
                    entry.insert(row);
                } else if row.is_settled() {
                    let key = row.key.clone();
                    if kept.session != row.session {
                        self.repeated.insert(key.clone());
                    }
                    let (known, claim) = (ClaimedAnswer::of(kept), ClaimedAnswer::of(&row));
                    let others = self.others.entry(key.clone()).or_default();
                    // The kept row may have no answer.
                    let mut before = std::iter::once(&known).chain(&*others);
                    if let Some(kept) = before.find(|one| one.contradicts(&claim)).cloned() {
                        self.disagreeing.push(Disagreement { key, kept, other: claim.clone() });
                    }
                    others.push(claim);
                }
            }
        }
    }
}
