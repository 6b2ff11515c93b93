//! Merging: the rows of attempts become rows of their experiment.
//!
//! A merge is a union. A line is copied if it is not present yet, and only the number of its session changes. A merge
//! does not choose among several rows of a job: readers choose, independent of the order of the rows. Therefore a merge
//! can be interrupted, repeated, and made in any order, while attempts still run.

use std::collections::{BTreeMap, hash_map::Entry};
use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memchr_iter;

use super::ahead::each_line;
use super::attempt::AttemptFiles;
use super::brief::{BriefLine, BriefRow};
use super::checksum::{self, Damage, LineContent};
use super::disk::{Disk, RealDisk};
use super::error::failed;
use super::lines::{Line, Lines, rows_in};
use super::sessions::{self, UnlistedRows};
use super::{BLOCK, CALIBRATION, Store, StoreError, config_of};
use crate::model::environment::Environment;
use crate::model::job::Key;
use crate::results::input;

/// The number of bytes of rows that are written at once; the file is synced after the last write.
const WRITE_BYTES: usize = 8 << 20;

/// The rows of an experiment, by the values that identify them.
#[derive(Debug, Default)]
pub struct PresentRows {
    /// For each key its first row: session and start.
    first: HashMap<Key, RowIdentity>,
    /// The rows of a key beside the first.
    others: HashSet<(Key, RowIdentity)>,
    /// The keys that several attempts have settled.
    pub repeated: HashSet<Key>,
    /// The number of rows of each session.
    of_session: BTreeMap<usize, u64>,
    /// The number of bytes of a torn last line.
    torn: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct RowIdentity {
    session: usize,
    began: u64,
    is_settled: bool,
}

impl PresentRows {
    /// Adds the rows of an experiment.
    fn read(&mut self, lines: &mut Lines<impl Read, BriefRow>) -> Result<(), StoreError> {
        for line in &mut *lines {
            if let LineContent::Row(row, _) = line?.content {
                self.enter(&row, row.session);
            }
        }
        self.torn = lines.torn();
        Ok(())
    }

    /// Adds a row of this session; returns false if it is present.
    fn enter(&mut self, row: &BriefRow, session: usize) -> bool {
        let identity = RowIdentity { session, began: row.began(), is_settled: row.is_settled() };
        let is_news = match self.first.entry(row.key.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(identity);
                true
            }
            Entry::Occupied(entry) if *entry.get() == identity => false,
            Entry::Occupied(entry) => {
                if identity.is_settled && entry.get().is_settled {
                    self.repeated.insert(row.key.clone());
                }
                self.others.insert((row.key.clone(), identity))
            }
        };
        *self.of_session.entry(session).or_default() += u64::from(is_news);
        is_news
    }
}

/// An attempt whose rows were left out, completely or in part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedAttempt {
    /// Its id.
    pub attempt: String,
    /// The number of lines that were left out; absent if they cannot be counted.
    pub rows: Option<u64>,
    /// The reason, with the file.
    pub why: String,
}

/// The result of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MergedRows {
    /// The number of attempts that were read, without those that are left out completely.
    pub attempts: usize,
    /// Attempts that are left out, completely or in part. They do not stop the others.
    pub left_out: Vec<SkippedAttempt>,
    /// Rows of the experiment whose sessions are not in its list.
    pub unlisted: UnlistedRows,
    /// The number of rows that were added.
    pub added: usize,
    /// The number of readings of the machine that were added.
    pub readings: usize,
    /// Lines that are not rows, or were changed: the file, the line and the damage.
    pub damaged: Vec<(PathBuf, usize, Damage)>,
    /// Attempts whose last line is torn: they still run, or were ended during a write.
    pub torn: Vec<String>,
    /// Attempts that do not run, and have a session but no row: they ended before the first row, or their rows are
    /// lost.
    pub without_rows: Vec<String>,
    /// The number of bytes of a torn last line of the experiment itself, which were set aside.
    pub set_aside: u64,
}

impl Store {
    /// Opens an existing experiment, to merge attempts into it.
    ///
    /// # Errors
    ///
    /// When there is none, it cannot be read, a runner works on it, or it is of a newer version.
    pub fn open_to_merge(folder: &Path) -> Result<(Self, PresentRows), StoreError> {
        config_of(folder)?;
        let mut store = Self::locked(Arc::new(RealDisk), folder)?;
        let mut present = PresentRows::default();
        store.mend(|lines| present.read(lines))?;
        Ok((store, present))
    }

    /// Copies the rows and readings that are not present yet. An attempt that cannot be read is left out and named.
    ///
    /// # Errors
    ///
    /// When rows cannot be stored. Rows that were copied until then stay.
    pub fn merge(
        &mut self,
        attempts: &[AttemptFiles],
        present: &mut PresentRows,
    ) -> Result<MergedRows, StoreError> {
        let mut merged = MergedRows { set_aside: present.torn, ..MergedRows::default() };
        let begun = self.enter_sessions(attempts, &mut merged)?;
        // Attempts that were merged completely need not be read again.
        let known = |session| present.of_session.get(&session).copied().unwrap_or_default();
        let mut unread = Vec::new();
        for BegunAttempt { files, session, lines } in &begun {
            if known(*session) < *lines {
                unread.push((*files, *session));
            } else if known(*session) == 0 && files.holder().is_none() {
                merged.without_rows.push(files.attempt.to_string());
            }
        }
        self.merge_rows(&unread, present, &mut merged)?;
        merged.readings = self.merge_readings(&begun, &mut merged.left_out)?;
        let sessions = self.sessions()?;
        for (&session, &rows) in &present.of_session {
            merged.unlisted.note_all(session, rows as usize, &sessions);
        }
        Ok(merged)
    }

    /// Returns the attempts that have begun, each with the number of its session, which is added if it is not present.
    /// Attempts that cannot be read are noted as left out.
    fn enter_sessions<'a>(
        &self,
        attempts: &'a [AttemptFiles],
        merged: &mut MergedRows,
    ) -> Result<Vec<BegunAttempt<'a>>, StoreError> {
        let mut sessions = self.all_sessions()?;
        let known = sessions.len();
        let numbered = sessions.iter().enumerate();
        let mut numbers: HashMap<String, usize> = numbered
            .filter_map(|(number, session)| Some((session.attempt.clone()?, number)))
            .collect();
        let mut begun = Vec::with_capacity(attempts.len());
        for files in attempts {
            let attempt = files.attempt.to_string();
            let lines = match lines_of(&files.rows()) {
                Ok(lines) => lines,
                Err(error) => {
                    let why = error.to_string();
                    merged.left_out.push(SkippedAttempt { attempt, rows: None, why });
                    continue;
                }
            };
            if let Some(&session) = numbers.get(&attempt) {
                begun.push(BegunAttempt { files, session, lines });
                continue;
            }
            match own_session(self.disk.as_ref(), files) {
                Ok(own) => {
                    let session = sessions.len();
                    numbers.insert(attempt.clone(), session);
                    begun.push(BegunAttempt { files, session, lines });
                    sessions.push(Environment { attempt: Some(attempt), ..own });
                }
                // An attempt without rows may not have begun its session yet.
                Err(_) if lines == 0 => {}
                Err(why) => {
                    merged.left_out.push(SkippedAttempt { attempt, rows: Some(lines), why });
                }
            }
        }
        merged.attempts = attempts.len() - merged.left_out.len();
        if sessions.len() > known {
            self.keep_sessions(&sessions)?;
        }
        Ok(begun)
    }

    /// Copies the lines of these files, each of one session, that are not present.
    fn merge_rows(
        &mut self,
        files: &[(&AttemptFiles, usize)],
        present: &mut PresentRows,
        merged: &mut MergedRows,
    ) -> Result<(), StoreError> {
        let paths: Vec<PathBuf> = files.iter().map(|(files, _)| files.rows()).collect();
        let mut newer: Vec<(u64, Option<(usize, u32)>)> = vec![(0, None); files.len()];
        let disk = Arc::clone(&self.disk);
        let (mut carried, mut added) = (Vec::new(), 0);
        let torn = each_line(disk.as_ref(), &paths, |place, line: Line<BriefLine>| {
            let (path, session) = (&paths[place], &files[place].1);
            let damage = match line.content {
                // An attempt has one session.
                LineContent::Row(row, _) if row.brief.session > 0 => Some(Damage::Session),
                LineContent::Row(row, _) => {
                    if !present.enter(&row.brief, *session) {
                        return Ok(());
                    }
                    match row.in_session(*session) {
                        Ok(body) => {
                            carried.extend(checksum::with_checksum(body));
                            merged.added += 1;
                            None
                        }
                        Err(_) => Some(Damage::NoRow),
                    }
                }
                LineContent::Damaged(damage) => Some(damage),
                LineContent::Newer(format) => {
                    let (lines, first) = &mut newer[place];
                    *lines += 1;
                    first.get_or_insert((line.number, format));
                    None
                }
            };
            merged.damaged.extend(damage.map(|damage| (path.clone(), line.number, damage)));
            if carried.len() >= WRITE_BYTES {
                added += carried.len() as u64;
                self.append_lines(&carried, added, false)?;
                carried.clear();
            }
            Ok(())
        })?;
        merged.torn = torn.into_iter().map(|place| files[place].0.attempt.to_string()).collect();
        for ((files, _), (lines, first)) in files.iter().zip(newer) {
            if let Some((line, format)) = first {
                let (path, attempt) = (files.rows(), files.attempt.to_string());
                let why = StoreError::Newer { path, line, format }.to_string();
                merged.left_out.push(SkippedAttempt { attempt, rows: Some(lines), why });
            }
        }
        added += carried.len() as u64;
        if added == 0 { Ok(()) } else { self.append_lines(&carried, added, true) }
    }

    /// Copies the readings of attempts with their sessions, and returns their number. An attempt whose readings cannot
    /// be read does not stop the others.
    fn merge_readings(
        &self,
        attempts: &[BegunAttempt<'_>],
        left_out: &mut Vec<SkippedAttempt>,
    ) -> Result<usize, StoreError> {
        let own = self.path(CALIBRATION);
        let mut known = HashSet::new();
        for row in rows_in::<BriefRow>(&own)? {
            let (_, row) = row?;
            known.insert((row.session, row.began()));
        }
        let (mut carried, mut added) = (Vec::new(), 0);
        for &BegunAttempt { files, session, .. } in attempts {
            let mut read = || -> Result<(), StoreError> {
                for row in rows_in::<BriefLine>(&files.calibration())? {
                    let (_, row) = row?;
                    if row.brief.session == 0
                        && known.insert((session, row.brief.began()))
                        && let Ok(body) = row.in_session(session)
                    {
                        carried.extend(checksum::with_checksum(body));
                        added += 1;
                    }
                }
                Ok(())
            };
            if let Err(error) = read() {
                let (attempt, why) = (files.attempt.to_string(), error.to_string());
                left_out.push(SkippedAttempt { attempt, rows: None, why });
            }
        }
        if added > 0 {
            self.keep_readings(&own, &carried)?;
        }
        Ok(added)
    }
}

/// An attempt that has begun.
struct BegunAttempt<'a> {
    files: &'a AttemptFiles,
    /// The number of its session.
    session: usize,
    /// The number of lines of its rows.
    lines: u64,
}

/// Returns the only session of an attempt, or the reason why it has none.
fn own_session(disk: &dyn Disk, files: &AttemptFiles) -> Result<Environment, String> {
    let path = files.environment();
    let own = sessions::read(disk, &path).map_err(|error| error.to_string())?;
    own.into_iter().next().ok_or_else(|| {
        format!(
            "`{}` lists no session: the machine of the attempt's rows is unknown; restore that file from a \
             copy, or remove the attempt's files to run its jobs again",
            path.display()
        )
    })
}

/// The number of lines of a file, a torn last one included; 0 if there is no file.
pub(crate) fn lines_of(path: &Path) -> Result<u64, StoreError> {
    let count = || -> io::Result<u64> {
        let file = match input::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            file => file?,
        };
        let mut source = BufReader::with_capacity(BLOCK, file);
        let (mut lines, mut last) = (0, b'\n');
        loop {
            let block = source.fill_buf()?;
            let Some(&end) = block.last() else { return Ok(lines + u64::from(last != b'\n')) };
            (lines, last) = (lines + memchr_iter(b'\n', block).count() as u64, end);
            let read = block.len();
            source.consume(read);
        }
    };
    count().map_err(failed("read", path))
}
