//! Merging: the rows of attempts become rows of their experiment.
//!
//! A merge is a union. A line is carried over if it is not there yet, as it is but for the number of
//! its session, and nothing is decided: which of several rows of a job counts is decided by who reads
//! them, in the same way whatever came first. So a merge can be interrupted, repeated, and made in any
//! order, while attempts still run.

use std::collections::{BTreeMap, hash_map::Entry};
use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use memchr::memchr_iter;

use super::ahead::each_line;
use super::attempt::AttemptFiles;
use super::brief::{Brief, Carried};
use super::disk::{Disk, Real};
use super::error::failed;
use super::lines::{Line, Lines, rows_in};
use super::seal::{self, Content, Damage};
use super::sessions::{self, Unlisted};
use super::{BLOCK, CALIBRATION, Store, StoreError, config_of};
use crate::model::environment::Environment;
use crate::model::job::Key;
use crate::results::input;

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
    of_session: BTreeMap<usize, u64>,
    /// Bytes of a torn last line.
    torn: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Told {
    session: usize,
    began: u64,
    is_settled: bool,
}

impl Present {
    /// Enters the rows of an experiment.
    fn read(&mut self, lines: &mut Lines<impl Read, Brief>) -> Result<(), StoreError> {
        for line in &mut *lines {
            if let Content::Row(row, _) = line?.content {
                self.enter(&row, row.session);
            }
        }
        self.torn = lines.torn();
        Ok(())
    }

    /// Enters a row of this session; false if it is there.
    fn enter(&mut self, row: &Brief, session: usize) -> bool {
        let told = Told { session, began: row.began(), is_settled: row.is_settled() };
        let is_news = match self.first.entry(row.key.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(told);
                true
            }
            Entry::Occupied(entry) if *entry.get() == told => false,
            Entry::Occupied(entry) => {
                if told.is_settled && entry.get().is_settled {
                    self.repeated.insert(row.key.clone());
                }
                self.others.insert((row.key.clone(), told))
            }
        };
        *self.of_session.entry(session).or_default() += u64::from(is_news);
        is_news
    }
}

/// An attempt of which rows were not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its id.
    pub attempt: String,
    /// How many of its lines were not taken; nothing if they cannot be counted.
    pub rows: Option<u64>,
    /// Why, with the file.
    pub why: String,
}

/// What a merge did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merged {
    /// Attempts that were looked through, those apart that are left out whole.
    pub attempts: usize,
    /// Attempts that are not, or not whole. They stop no other.
    pub left_out: Vec<LeftOut>,
    /// Rows of the experiment whose sessions are not in its list.
    pub unlisted: Unlisted,
    /// Rows that were added.
    pub added: usize,
    /// Readings of the machine that were added.
    pub readings: usize,
    /// Lines that are no rows, or not what was written: the file, the line, and what is wrong with it.
    pub damaged: Vec<(PathBuf, usize, Damage)>,
    /// Attempts whose last line is torn: they are still at work, or were ended in the middle of it.
    pub torn: Vec<String>,
    /// Attempts that are not at work, have a session and no row: they were ended before the first one, or
    /// their rows are lost.
    pub without_rows: Vec<String>,
    /// Bytes of a torn last line of the experiment itself, which were set aside.
    pub set_aside: u64,
}

impl Store {
    /// Takes up an experiment that was begun, to merge attempts into it.
    ///
    /// # Errors
    ///
    /// When there is none, it cannot be read, is in a runner's hands, or of a newer version.
    pub fn open_to_merge(folder: &Path) -> Result<(Self, Present), StoreError> {
        config_of(folder)?;
        let mut store = Self::locked(Arc::new(Real), folder)?;
        let mut present = Present::default();
        store.mend(|lines| present.read(lines))?;
        Ok((store, present))
    }

    /// Carries over what is not there yet. An attempt that cannot be read is left out and named.
    ///
    /// # Errors
    ///
    /// When rows cannot be kept. What was carried over until then stays.
    pub fn merge(
        &mut self,
        attempts: &[AttemptFiles],
        present: &mut Present,
    ) -> Result<Merged, StoreError> {
        let mut merged = Merged { set_aside: present.torn, ..Merged::default() };
        let begun = self.enter_sessions(attempts, &mut merged)?;
        // What was merged to its end need not be read again.
        let known = |session| present.of_session.get(&session).copied().unwrap_or_default();
        let mut unread = Vec::new();
        for Begun { files, session, lines } in &begun {
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

    /// The attempts that have begun, each with the number of its session, which is added if it is not
    /// there. What cannot be read is noted as left out.
    fn enter_sessions<'a>(
        &self,
        attempts: &'a [AttemptFiles],
        merged: &mut Merged,
    ) -> Result<Vec<Begun<'a>>, StoreError> {
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
                    merged.left_out.push(LeftOut { attempt, rows: None, why });
                    continue;
                }
            };
            if let Some(&session) = numbers.get(&attempt) {
                begun.push(Begun { files, session, lines });
                continue;
            }
            match own_session(self.disk.as_ref(), files) {
                Ok(own) => {
                    let session = sessions.len();
                    numbers.insert(attempt.clone(), session);
                    begun.push(Begun { files, session, lines });
                    sessions.push(Environment { attempt: Some(attempt), ..own });
                }
                // An attempt without rows may not have begun its session yet.
                Err(_) if lines == 0 => {}
                Err(why) => merged.left_out.push(LeftOut { attempt, rows: Some(lines), why }),
            }
        }
        merged.attempts = attempts.len() - merged.left_out.len();
        if sessions.len() > known {
            self.keep_sessions(&sessions)?;
        }
        Ok(begun)
    }

    /// Carries over the lines of these files, each of a session, that are not there.
    fn merge_rows(
        &mut self,
        files: &[(&AttemptFiles, usize)],
        present: &mut Present,
        merged: &mut Merged,
    ) -> Result<(), StoreError> {
        let paths: Vec<PathBuf> = files.iter().map(|(files, _)| files.rows()).collect();
        let mut newer: Vec<(u64, Option<(usize, u32)>)> = vec![(0, None); files.len()];
        let disk = Arc::clone(&self.disk);
        let (mut carried, mut added) = (Vec::new(), 0);
        let torn = each_line(disk.as_ref(), &paths, |place, line: Line<Carried>| {
            let (path, session) = (&paths[place], &files[place].1);
            let damage = match line.content {
                // An attempt has one session.
                Content::Row(row, _) if row.brief.session > 0 => Some(Damage::Session),
                Content::Row(row, _) => {
                    if !present.enter(&row.brief, *session) {
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
                    let (lines, first) = &mut newer[place];
                    *lines += 1;
                    first.get_or_insert((line.number, format));
                    None
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
        merged.torn = torn.into_iter().map(|place| files[place].0.attempt.to_string()).collect();
        for ((files, _), (lines, first)) in files.iter().zip(newer) {
            if let Some((line, format)) = first {
                let (path, attempt) = (files.rows(), files.attempt.to_string());
                let why = StoreError::Newer { path, line, format }.to_string();
                merged.left_out.push(LeftOut { attempt, rows: Some(lines), why });
            }
        }
        added += carried.len() as u64;
        if added == 0 { Ok(()) } else { self.append_lines(&carried, added, true) }
    }

    /// Carries over the readings of attempts with their sessions, and gives their number. An attempt whose
    /// readings cannot be read stops no other.
    fn merge_readings(
        &self,
        attempts: &[Begun<'_>],
        left_out: &mut Vec<LeftOut>,
    ) -> Result<usize, StoreError> {
        let own = self.path(CALIBRATION);
        let mut known = HashSet::new();
        for row in rows_in::<Brief>(&own)? {
            let (_, row) = row?;
            known.insert((row.session, row.began()));
        }
        let (mut carried, mut added) = (Vec::new(), 0);
        for &Begun { files, session, .. } in attempts {
            let mut read = || -> Result<(), StoreError> {
                for row in rows_in::<Carried>(&files.calibration())? {
                    let (_, row) = row?;
                    if row.brief.session == 0
                        && known.insert((session, row.brief.began()))
                        && let Ok(body) = row.in_session(session)
                    {
                        carried.extend(seal::seal(body));
                        added += 1;
                    }
                }
                Ok(())
            };
            if let Err(error) = read() {
                let (attempt, why) = (files.attempt.to_string(), error.to_string());
                left_out.push(LeftOut { attempt, rows: None, why });
            }
        }
        if added > 0 {
            self.keep_readings(&own, &carried)?;
        }
        Ok(added)
    }
}

/// An attempt that has begun.
struct Begun<'a> {
    files: &'a AttemptFiles,
    /// The number of its session.
    session: usize,
    /// Lines of its rows.
    lines: u64,
}

/// The one session of an attempt, or the reason that it has none.
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
