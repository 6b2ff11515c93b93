//! A disk in memory that fails on demand and loses unsynced data.
//!
//! Written bytes and names are volatile until they are synced. A failed sync drops the bytes that it could not store
//! and reports success the next time, as Linux does. After a power failure the synced data remain, and the seed
//! determines the rest: nothing, all, a part, or zeros.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::results::store::disk::{Disk, FileHandle, FileIdentity, OpenMode};
use crate::results::store::whole::above;

/// The effect of a fault on one operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultKind {
    /// The operation is refused and has no effect. A refused sync drops the unsynced bytes.
    Refused,
    /// A write writes half of its bytes and returns their number, and the next operation is refused.
    Short,
    /// The operation is done, and reported as failed.
    After,
}

/// A fault at the `k`-th operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct InjectedFault {
    pub(super) at: usize,
    pub(super) kind: FaultKind,
    /// True if every later operation is refused, too.
    pub(super) dead: bool,
}

#[derive(Clone, Debug, Default)]
struct File {
    bytes: Vec<u8>,
    /// For each byte, true if the next sync stores it.
    dirty: Vec<bool>,
    kept: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DiskNode {
    Folder,
    File(usize),
}

/// A change of names that is not synced yet.
#[derive(Clone, Debug)]
enum Change {
    Add(PathBuf, DiskNode),
    Rename(PathBuf, PathBuf),
    Remove(PathBuf),
}

impl Change {
    fn touches(&self, folder: &Path) -> bool {
        match self {
            Self::Add(path, _) | Self::Remove(path) => above(path) == folder,
            Self::Rename(from, to) => above(from) == folder || above(to) == folder,
        }
    }

    fn apply(self, names: &mut BTreeMap<PathBuf, DiskNode>) {
        match self {
            Self::Add(path, node) => {
                names.insert(path, node);
            }
            Self::Rename(from, to) => {
                if let Some(node) = names.remove(&from) {
                    names.insert(to, node);
                }
            }
            Self::Remove(path) => {
                names.remove(&path);
            }
        }
    }
}

#[derive(Debug, Default)]
struct State {
    files: Vec<File>,
    names: BTreeMap<PathBuf, DiskNode>,
    kept_names: BTreeMap<PathBuf, DiskNode>,
    changes: Vec<Change>,
    locked: HashSet<usize>,
    operations: usize,
    fault: Option<InjectedFault>,
    refuse_next: bool,
    dead: bool,
}

/// The disk.
#[derive(Clone, Debug, Default)]
pub(super) struct MemoryDisk(Arc<Mutex<State>>);

/// The way in which an operation is done.
enum Step {
    Go,
    Half,
    GoAndFail,
}

fn fault() -> io::Error {
    io::Error::other("the disk failed")
}

impl MemoryDisk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// Returns the number of operations so far.
    pub(super) fn operations(&self) -> usize {
        self.state().operations
    }

    /// Plans a fault, counted from the next operation on.
    pub(super) fn plan(&self, fault: InjectedFault) {
        let mut state = self.state();
        state.operations = 0;
        state.fault = Some(fault);
    }

    /// Simulates a restart of the process, after which the disk works again.
    pub(super) fn restart(&self) {
        let mut state = self.state();
        state.fault = None;
        state.refuse_next = false;
        state.dead = false;
        state.operations = 0;
        assert!(state.locked.is_empty(), "a lock outlived its holder");
    }

    /// Simulates a power failure. `seed` determines which unsynced data remain; none remain without a seed.
    pub(super) fn cut(&self, seed: Option<u64>) {
        self.restart();
        let mut state = self.state();
        let mut random = seed.map(ChaCha8Rng::seed_from_u64);
        let mut choose = |max: u64| random.as_mut().map_or(0, |random| random.random_range(0..max));
        let changes = std::mem::take(&mut state.changes);
        let mut names = std::mem::take(&mut state.kept_names);
        for change in changes {
            if choose(2) == 1 {
                change.apply(&mut names);
            }
        }
        // The entries of a folder that was not synced are lost with it.
        let folders = names.clone();
        let lasts = |path: &Path| path == Path::new(".") || folders.contains_key(path);
        names.retain(|path, _| {
            path.ancestors().skip(1).all(|above| above.as_os_str().is_empty() || lasts(above))
        });
        state.kept_names.clone_from(&names);
        state.names = names;
        for file in &mut state.files {
            let (kept, bytes) = (file.kept.len(), file.bytes.len());
            let left = match choose(4) {
                0 => file.kept.clone(),
                1 => file.bytes.clone(),
                // A part of the appended bytes was written.
                2 if bytes > kept => {
                    let part = kept + choose((bytes - kept) as u64) as usize;
                    [&file.kept[..], &file.bytes[kept..part]].concat()
                }
                // The length was written, but the bytes were not.
                _ if bytes > kept => [&file.kept[..], &vec![0; bytes - kept]].concat(),
                _ => file.kept.clone(),
            };
            file.kept.clone_from(&left);
            file.dirty = vec![false; left.len()];
            file.bytes = left;
        }
    }

    /// Returns the content of a file, if it exists.
    pub(super) fn text(&self, path: &Path) -> Option<Vec<u8>> {
        let state = self.state();
        match state.names.get(path)? {
            DiskNode::File(file) => Some(state.files[*file].bytes.clone()),
            DiskNode::Folder => None,
        }
    }

    /// Removes a file, as another process does.
    pub(super) fn remove(&self, path: &Path) {
        self.state().change(Change::Remove(path.to_owned()));
    }

    /// Returns the paths of the files, in order.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        let state = self.state();
        let is_file = |(_, node): &(&PathBuf, &DiskNode)| matches!(node, DiskNode::File(_));
        state.names.iter().filter(is_file).map(|(path, _)| path.clone()).collect()
    }

    /// Marks all data as synced.
    pub(super) fn keep_all(&self) {
        let mut state = self.state();
        state.changes.clear();
        state.kept_names = state.names.clone();
        for file in &mut state.files {
            file.kept.clone_from(&file.bytes);
        }
    }

    /// Counts an operation, and runs it with the effect of the fault.
    fn step<T>(&self, run: impl Fn(&mut State, Step) -> io::Result<T>) -> io::Result<T> {
        let mut state = self.state();
        let number = state.operations;
        state.operations += 1;
        if state.dead || std::mem::take(&mut state.refuse_next) {
            return Err(fault());
        }
        let Some(due) = state.fault.filter(|fault| fault.at == number) else {
            return run(&mut state, Step::Go);
        };
        state.dead = due.dead;
        match due.kind {
            FaultKind::Refused => Err(fault()),
            FaultKind::Short => run(&mut state, Step::Half),
            FaultKind::After => run(&mut state, Step::GoAndFail),
        }
    }

    fn named(&self, run: impl Fn(&mut State) -> io::Result<()>) -> io::Result<()> {
        self.step(|state, step| {
            if matches!(step, Step::Half) {
                return Err(fault());
            }
            run(state)?;
            if matches!(step, Step::GoAndFail) { Err(fault()) } else { Ok(()) }
        })
    }
}

impl State {
    fn change(&mut self, change: Change) {
        change.clone().apply(&mut self.names);
        self.changes.push(change);
    }

    fn file(&self, path: &Path) -> io::Result<usize> {
        match self.names.get(path) {
            Some(DiskNode::File(file)) => Ok(*file),
            Some(DiskNode::Folder) => Err(io::ErrorKind::IsADirectory.into()),
            None => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

impl Disk for MemoryDisk {
    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.named(|state| {
            if !state.names.contains_key(path) {
                state.change(Change::Add(path.to_owned(), DiskNode::Folder));
            }
            Ok(())
        })
    }

    fn open(&self, path: &Path, how: OpenMode) -> io::Result<Box<dyn FileHandle>> {
        let file = Mutex::new(None);
        self.named(|state| {
            let found = match (state.file(path), how) {
                (Err(error), OpenMode::New | OpenMode::Fresh)
                    if error.kind() == io::ErrorKind::NotFound =>
                {
                    let folder = above(path);
                    let there = state.names.contains_key(folder) || folder == Path::new(".");
                    if !there {
                        return Err(error);
                    }
                    state.files.push(File::default());
                    let new = state.files.len() - 1;
                    state.change(Change::Add(path.to_owned(), DiskNode::File(new)));
                    new
                }
                (Ok(_), OpenMode::Fresh) => return Err(io::ErrorKind::AlreadyExists.into()),
                (found, _) => found?,
            };
            if how == OpenMode::New {
                state.files[found].bytes.clear();
                state.files[found].dirty.clear();
            }
            *file.lock().unwrap() = Some(found);
            Ok(())
        })?;
        let file = file.into_inner().unwrap().expect("it was found");
        Ok(Box::new(Open { disk: self.clone(), file, holds: false }))
    }

    fn content(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.step(|_, step| if matches!(step, Step::Go) { Ok(()) } else { Err(fault()) })?;
        self.text(path).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.named(|state| {
            state.file(from)?;
            state.change(Change::Rename(from.to_owned(), to.to_owned()));
            Ok(())
        })
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.named(|state| {
            let changes = std::mem::take(&mut state.changes);
            for change in changes {
                if change.touches(path) {
                    change.apply(&mut state.kept_names);
                } else {
                    state.changes.push(change);
                }
            }
            Ok(())
        })
    }

    fn identity(&self, path: &Path) -> io::Result<FileIdentity> {
        self.step(|state, step| {
            if !matches!(step, Step::Go) {
                return Err(fault());
            }
            match state.names.get(path) {
                Some(DiskNode::File(file)) => Ok((1, *file as u64)),
                Some(DiskNode::Folder) => Ok((0, 0)),
                None => Err(io::ErrorKind::NotFound.into()),
            }
        })
    }
}

/// An open file.
#[derive(Debug)]
struct Open {
    disk: MemoryDisk,
    file: usize,
    holds: bool,
}

impl Write for Open {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let file = self.file;
        self.disk.step(|state, step| {
            let half = matches!(step, Step::Half);
            let taken = if half { bytes.len() / 2 } else { bytes.len() };
            let open = &mut state.files[file];
            open.bytes.extend_from_slice(&bytes[..taken]);
            open.dirty.resize(open.bytes.len(), true);
            state.refuse_next |= half;
            if matches!(step, Step::GoAndFail) { Err(fault()) } else { Ok(taken) }
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl FileHandle for Open {
    fn sync(&mut self) -> io::Result<()> {
        let file = self.file;
        let synced = self.disk.step(|state, step| {
            if matches!(step, Step::Half) {
                return Err(fault());
            }
            let file = &mut state.files[file];
            let File { bytes, dirty, kept } = file;
            kept.resize(bytes.len(), 0);
            for ((kept, &byte), dirty) in kept.iter_mut().zip(&*bytes).zip(dirty) {
                if std::mem::take(dirty) {
                    *kept = byte;
                }
            }
            if matches!(step, Step::GoAndFail) { Err(fault()) } else { Ok(()) }
        });
        if synced.is_err() {
            // The system drops the bytes that it could not store.
            self.disk.state().files[file].dirty.fill(false);
        }
        synced
    }

    fn set_length(&mut self, bytes: u64) -> io::Result<()> {
        let file = self.file;
        self.disk.named(|state| {
            let file = &mut state.files[file];
            file.bytes.truncate(bytes as usize);
            file.dirty.truncate(bytes as usize);
            Ok(())
        })
    }

    fn lock(&mut self) -> io::Result<bool> {
        let file = self.file;
        let locked = self.disk.step(|state, step| {
            if !matches!(step, Step::Go) {
                return Err(fault());
            }
            Ok(state.locked.insert(file))
        })?;
        self.holds |= locked;
        Ok(locked)
    }

    fn identity(&self) -> io::Result<FileIdentity> {
        Ok((1, self.file as u64))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        if self.holds {
            self.disk.state().locked.remove(&self.file);
        }
    }
}
