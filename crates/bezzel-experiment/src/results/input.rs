//! Reading of files: one function opens configs, instances, evidence and all other files.
//!
//! Only regular files are opened. Reading a FIFO, a device or a socket may never end or may block, and opening a FIFO
//! waits for its other end.

use std::fs::{self, File, FileType, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use bezzel_problem::UnknownId;
use rustix::fs::OFlags;
use rustix::io::Errno;

use crate::model::quantity::memory;

/// The largest file that a config names, in bytes.
pub const LARGEST_DOCUMENT: u64 = 64 << 20;

/// The reason why a file is not written.
const LINK: &str =
    "it is a symbolic link, and evidence is not written through links: put the file in its place";

/// The name of the standard input, the only path that may be a pipe, since its name is explicit.
const STDIN: &str = "/dev/stdin";

/// Opens a regular file for reading, or the standard input by its name. This never blocks, for any kind of file.
///
/// # Errors
///
/// When there is no such file, it is no regular file, or it may not be read.
pub fn open(path: &Path) -> io::Result<File> {
    if path == Path::new(STDIN) {
        return Ok(io::stdin().as_fd().try_clone_to_owned()?.into());
    }
    // Opening a device may have an effect, so it is not attempted.
    refuse_special(&path.metadata()?)?;
    let mut options = OpenOptions::new();
    open_with(options.read(true), path)
}

/// Opens a file with these options, without waiting, and refuses it if it is no regular file.
pub(crate) fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    opened(options, OFlags::NONBLOCK, path)
}

/// Opens a file to write evidence: as [`open_with`], but a symbolic link is refused, since it may lead to any
/// file.
pub(crate) fn open_to_write(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let opened = opened(options, OFlags::NONBLOCK | OFlags::NOFOLLOW, path);
    opened.map_err(|error| match Errno::from_io_error(&error) {
        Some(Errno::LOOP) => io::Error::new(io::ErrorKind::InvalidInput, LINK),
        _ => error,
    })
}

fn opened(options: &mut OpenOptions, flags: OFlags, path: &Path) -> io::Result<File> {
    // On a regular file NONBLOCK has no effect.
    let file = options.custom_flags(flags.bits().cast_signed()).open(path)?;
    refuse_special(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file of at most `max` bytes.
///
/// # Errors
///
/// As [`open`]; and when the file is larger, or cannot be read.
pub fn read(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    read_all(open(path)?, max, &mut bytes)?;
    Ok(bytes)
}

/// Reads a regular file of at most `max` bytes as UTF-8 text.
///
/// # Errors
///
/// As [`read`]; and when the file is not UTF-8 text.
pub fn read_text(path: &Path, max: u64) -> io::Result<String> {
    String::from_utf8(read(path, max)?).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|&byte| byte == b'\n').count();
        io::Error::new(io::ErrorKind::InvalidData, format!("it is not UTF-8 text in line {line}"))
    })
}

/// Reads a source of at most `max` bytes to its end.
pub(crate) fn read_all(source: impl Read, max: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    // Reading one byte more than the limit detects a longer source. The length of the file does not suffice: it may
    // grow.
    source.take(max.saturating_add(1)).read_to_end(bytes)?;
    refuse_larger(bytes.len() as u64, max)
}

/// Refuses a source of more than `max` bytes.
pub(crate) fn refuse_larger(bytes: u64, max: u64) -> io::Result<()> {
    if bytes <= max {
        return Ok(());
    }
    let problem = format!("it is larger than the limit of {}", memory(max.into()));
    Err(io::Error::new(io::ErrorKind::FileTooLarge, problem))
}

fn refuse_special(metadata: &Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    if kind.is_file() {
        return Ok(());
    }
    if kind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    let problem = format!("it is {}, and only regular files are read", special(kind));
    Err(io::Error::new(io::ErrorKind::InvalidInput, problem))
}

/// Returns the kind of a file that is neither regular nor a folder, with an article.
pub(crate) fn special(kind: FileType) -> &'static str {
    if kind.is_fifo() {
        "a FIFO"
    } else if kind.is_socket() {
        "a socket"
    } else if kind.is_symlink() {
        "a link"
    } else {
        "a device"
    }
}

/// The path that is nearest to one that does not exist. If its folder does not exist either, it is in the nearest folder, or
/// that folder.
pub fn near_path(path: &Path) -> Option<PathBuf> {
    let (folder, name) = (path.parent()?, path.file_name()?);
    let there = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if !there.is_dir() {
        let near_folder = near_path(folder).filter(|near| near.is_dir())?;
        let near = near_folder.join(name);
        let is_there = near.exists().then(|| near.clone());
        return is_there.or_else(|| near_path(&near)).or(Some(near_folder));
    }
    let name = name.to_string_lossy();
    let names = fs::read_dir(there).ok()?.flatten().map(|entry| entry.file_name());
    let names = names.map(|other| other.to_string_lossy().into_owned());
    // A link to nothing is in its folder.
    let mut names: Vec<String> = names.filter(|other| *other != name).collect();
    names.sort();
    UnknownId::new("file", &name, names).near.map(|near| folder.join(near))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::net::UnixListener;

    use rustix::fs::{CWD, FileType as Kind, Mode, mknodat};

    use super::*;

    #[test]
    fn the_nearest_path_is_another_one_that_is_there() {
        let near = |path| near_path(Path::new(path)).unwrap_or_default();
        for path in ["/proc/self/statos", "/proc/selfs/status", "/proc/selfs/statos"] {
            assert_eq!(near(path), Path::new("/proc/self/status"));
        }
        assert_eq!(near("/proc/selfs/no-such-file"), Path::new("/proc/self"));
        assert_ne!(near("/proc/self/status"), Path::new("/proc/self/status"));
    }

    #[test]
    fn a_regular_file_is_read_up_to_its_largest_size() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "12345").unwrap();
        assert_eq!(read(&path, 5).unwrap(), b"12345");
        let refused = read(&path, 4).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(refused.to_string(), "it is larger than the limit of 4 bytes");
        fs::write(&path, b"ab\n\xE4").unwrap();
        assert_eq!(read_text(&path, 9).unwrap_err().to_string(), "it is not UTF-8 text in line 2");
    }

    #[test]
    fn all_other_files_are_refused_at_once_by_their_kind() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let refused = |path: &Path| open(path).unwrap_err().to_string();
        assert_eq!(refused(folder.path()), "it is a folder");
        mknodat(CWD, at("fifo"), Kind::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert_eq!(refused(&at("fifo")), "it is a FIFO, and only regular files are read");
        let _socket = UnixListener::bind(at("socket")).unwrap();
        assert_eq!(refused(&at("socket")), "it is a socket, and only regular files are read");
        let device = "it is a device, and only regular files are read";
        assert_eq!(refused(Path::new("/dev/zero")), device);
        std::os::unix::fs::symlink("/dev/full", at("link")).unwrap();
        assert_eq!(refused(&at("link")), device);
        assert_eq!(open(&at("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        // A FIFO may replace the file after its metadata were read.
        let mut options = OpenOptions::new();
        assert!(open_with(options.read(true).append(true), &at("fifo")).is_err());
    }
}
