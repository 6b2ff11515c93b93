//! Merging: the rows of attempts become rows of their experiment.
//!
//! A merge is a union. A line is carried over if it is not there yet, as it is but for the number of
//! its session, and nothing is decided: which of several rows of a job counts is decided by who reads
//! them, in the same way whatever came first. So a merge can be interrupted, repeated, and made in any
//! order, while attempts still run.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memchr_iter;

use super::ahead::each_line;
use super::attempt::AttemptFiles;
use super::brief::Carried;
use super::calibration::reading_lines;
use super::disk::Real;
use super::error::failed;
use super::lines::{Line, Lines};
use super::seal::{self, Content, Damage};
use super::{
    BLOCK, Extent, Found, Store, StoreError, frozen_config, read_environments, refuse_newer,
};
use crate::environment::Environment;
use crate::input;
use crate::job::Key;

/// So many bytes of rows are written at once; they are kept when all are.
const AT_ONCE: usize = 8 << 20;

/// The rows that an experiment has, by what tells them apart.
#[derive(Debug, Default)]
pub struct Present {
    /// For each key its first row: session and beginning.
    first: HashMap<Key, Told>,
    /// The rows of a key beside the first.
    others: HashSet<(Key, Told)>,
    /// The keys that several attempts have settled.
    pub repeated: HashSet<Key>,
    /// How many rows each session has.
    of_session: HashMap<usize, u64>,
    extent: Extent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Told {
    session: usize,
    began: u64,
    is_settled: bool,
}

impl Found for Present {
    fn extent(&self) -> Extent {
        self.extent
    }
}

impl Present {
    fn read(source: impl BufRead) -> io::Result<Self> {
        let mut present = Self::default();
        let mut lines = Lines::<_, Carried>::new(source);
        for line in &mut lines {
            let line = line?;
            match line.content {
                Content::Row(row, _) => drop(present.enter(&row, row.session())),
                Content::Damaged(_) => {}
                Content::Newer(format) => {
                    present.extent.newer.get_or_insert((line.number, format));
                }
            }
        }
        (present.extent.torn, present.extent.whole) = (lines.torn(), lines.whole());
        Ok(present)
    }

    /// Enters a row of this session; false if it is there.
    fn enter(&mut self, row: &Carried, session: usize) -> bool {
        let told = Told { session, began: row.began(), is_settled: row.is_settled() };
        let is_news = match self.first.entry(row.key().clone()) {
            Entry::Vacant(entry) => {
                entry.insert(told);
                true
            }
            Entry::Occupied(entry) if *entry.get() == told => false,
            Entry::Occupied(entry) => {
                if told.is_settled && entry.get().is_settled {
                    self.repeated.insert(row.key().clone());
                }
                self.others.insert((row.key().clone(), told))
            }
        };
        *self.of_session.entry(session).or_default() += u64::from(is_news);
        is_news
    }
}

/// What a merge did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Attempts that were looked through.
    pub attempts: usize,
    /// Rows that were added.
    pub added: usize,
    /// Readings of the machine that were added.
    pub readings: usize,
    /// Lines that are no rows, or not what was written: the file, the line, and what is wrong with it.
    pub damaged: Vec<(PathBuf, usize, Damage)>,
    /// Attempts whose last line is torn: they are still at work, or were ended in the middle of it.
    pub torn: usize,
}

impl Store {
    /// Takes up an experiment that was begun, to merge attempts into it.
    ///
    /// # Errors
    ///
    /// When there is none, it cannot be read, is in a runner's hands, or of a newer version.
    pub fn open_to_merge(folder: &Path) -> Result<(Self, Present), StoreError> {
        frozen_config(folder)?.ok_or_else(|| StoreError::Missing(folder.to_owned()))?;
        let mut store = Self::locked(Arc::new(Real), folder)?;
        let present = store.mend(|source| Present::read(source))?;
        Ok((store, present))
    }

    /// Carries over what is not there yet.
    ///
    /// # Errors
    ///
    /// When an attempt cannot be read or is of a newer version, or rows cannot be kept. What was carried
    /// over until then stays.
    pub fn merge(
        &mut self,
        attempts: &[AttemptFiles],
        present: &mut Present,
    ) -> Result<Merged, StoreError> {
        let sessions = self.enter_sessions(attempts)?;
        let mut merged = Merged { attempts: attempts.len(), ..Merged::default() };
        // Who has not begun a session has no rows.
        let begun = attempts.iter().zip(sessions);
        let begun: Vec<_> = begun.filter_map(|(files, session)| Some((files, session?))).collect();
        // What was merged to its end need not be read again.
        let news = |files: &AttemptFiles, session| {
            let lines = lines_of(&files.rows())?;
            Ok::<_, StoreError>(present.of_session.get(&session).is_none_or(|&known| known < lines))
        };
        let mut unread = Vec::new();
        for &(files, session) in &begun {
            if news(files, session)? {
                unread.push((files.rows(), session));
            }
        }
        self.merge_rows(&unread, present, &mut merged)?;
        merged.readings = self.merge_readings(&begun)?;
        Ok(merged)
    }

    /// The number of each attempt's session, which is added if it is not there.
    fn enter_sessions(&self, attempts: &[AttemptFiles]) -> Result<Vec<Option<usize>>, StoreError> {
        let mut sessions = self.sessions()?;
        let known = sessions.len();
        let numbered = sessions.iter().enumerate();
        let mut numbers: HashMap<String, usize> = numbered
            .filter_map(|(number, session)| Some((session.attempt.clone()?, number)))
            .collect();
        let mut found = Vec::with_capacity(attempts.len());
        for files in attempts {
            let attempt = files.attempt.to_string();
            if let Some(&number) = numbers.get(&attempt) {
                found.push(Some(number));
                continue;
            }
            let own = read_environments(self.disk.as_ref(), &files.environment())?;
            let Some(own) = own.into_iter().next() else {
                found.push(None);
                continue;
            };
            numbers.insert(attempt.clone(), sessions.len());
            found.push(Some(sessions.len()));
            sessions.push(Environment { attempt: Some(attempt), ..own });
        }
        if sessions.len() > known {
            self.keep_sessions(&sessions)?;
        }
        Ok(found)
    }

    /// Carries over the lines of these files, each of a session, that are not there.
    fn merge_rows(
        &mut self,
        files: &[(PathBuf, usize)],
        present: &mut Present,
        merged: &mut Merged,
    ) -> Result<(), StoreError> {
        let paths: Vec<PathBuf> = files.iter().map(|(path, _)| path.clone()).collect();
        let disk = Arc::clone(&self.disk);
        let (mut carried, mut added) = (Vec::new(), 0);
        merged.torn = each_line(disk.as_ref(), &paths, |place, line: Line<Carried>| {
            let (path, session) = &files[place];
            let damage = match line.content {
                Content::Row(row, _) => {
                    if !present.enter(&row, *session) {
                        return Ok(());
                    }
                    match row.in_session(*session) {
                        Ok(body) => {
                            carried.extend(seal::seal(body));
                            merged.added += 1;
                            None
                        }
                        Err(_) => Some(Damage::NoRow),
                    }
                }
                Content::Damaged(damage) => Some(damage),
                Content::Newer(format) => {
                    return refuse_newer(Some((line.number, format)), path);
                }
            };
            merged.damaged.extend(damage.map(|damage| (path.clone(), line.number, damage)));
            if carried.len() >= AT_ONCE {
                added += carried.len() as u64;
                self.append_lines(&carried, added, false)?;
                carried.clear();
            }
            Ok(())
        })?;
        added += carried.len() as u64;
        if added == 0 { Ok(()) } else { self.append_lines(&carried, added, true) }
    }

    /// Carries over the readings of attempts with their sessions, and says how many.
    fn merge_readings(&self, attempts: &[(&AttemptFiles, usize)]) -> Result<usize, StoreError> {
        let own = self.path(&self.names.calibration);
        let mut known = HashSet::new();
        each_reading(&own, |row| {
            known.insert((row.session(), row.began()));
        })?;
        let (mut carried, mut added) = (Vec::new(), 0);
        for &(files, session) in attempts {
            each_reading(&files.calibration(), |row| {
                if known.insert((session, row.began()))
                    && let Ok(body) = row.in_session(session)
                {
                    carried.extend(seal::seal(body));
                    added += 1;
                }
            })?;
        }
        if added > 0 {
            self.keep_readings(&own, &carried)?;
        }
        Ok(added)
    }
}

/// How many lines a file has, a torn last one not counted.
pub(crate) fn lines_of(path: &Path) -> Result<u64, StoreError> {
    let count = || -> io::Result<u64> {
        let mut source = BufReader::with_capacity(BLOCK, input::open(path)?);
        let mut lines = 0;
        loop {
            let block = source.fill_buf()?;
            if block.is_empty() {
                return Ok(lines);
            }
            lines += memchr_iter(b'\n', block).count() as u64;
            let read = block.len();
            source.consume(read);
        }
    };
    count().map_err(failed("read", path))
}

/// Shows the readings of a file, if it is there. What is damaged is passed over, as always.
fn each_reading(path: &Path, mut take: impl FnMut(Carried)) -> Result<(), StoreError> {
    for line in reading_lines(path)?.into_iter().flatten() {
        if let Content::Row(row, _) = line.map_err(failed("read", path))?.content {
            take(*row);
        }
    }
    Ok(())
}
