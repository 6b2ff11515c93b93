//! Compressed files: gzip and xz, told by the ending of a file's name.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use bezzel_lab::input;
use bezzel_lab::quantity::memory;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzReader, XzWriter};

use crate::failure::Failure;

/// How hard xz tries. 23 MB of pairwise clauses become 1 MB in a second; at 6, which the program `xz`
/// takes, they become 0.6 MB in thirteen, and in ten by that program.
const XZ_PRESET: u32 = 3;

/// So much memory may an xz file ask for when it is read, in KiB: what the highest preset takes, and
/// no more than that, whatever the file says.
const MOST_KIB: u32 = 80 << 10;

/// The most bytes that are unpacked of a compressed file: so many of any, and so many times its size more.
/// Clauses become 20 to 100 times smaller; what becomes smaller than this was made to keep its reader busy.
const FREE: u64 = 64 << 20;
const MOST_TIMES: u64 = 400;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    None,
    Gzip,
    Xz,
}

impl Packing {
    /// What the ending of the name says, and the name without it.
    pub(crate) fn of(path: &Path) -> (Self, &Path) {
        let inner = || path.file_stem().map_or(path, Path::new);
        match path.extension().and_then(OsStr::to_str) {
            Some("gz") => (Self::Gzip, inner()),
            Some("xz") => (Self::Xz, inner()),
            _ => (Self::None, path),
        }
    }

    /// Compresses what is written.
    pub(crate) fn write<W: Write>(self, out: W) -> io::Result<Packed<W>> {
        Ok(match self {
            Self::None => Packed::Plain(out),
            Self::Gzip => Packed::Gzip(GzEncoder::new(out, Compression::default())),
            Self::Xz => {
                let options = XzOptions::with_preset(XZ_PRESET);
                Packed::Xz(Box::new(XzWriter::new(out, options)?))
            }
        })
    }
}

/// A file that is compressed as it is written.
pub(crate) enum Packed<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Xz(Box<XzWriter<W>>),
}

impl<W: Write> Packed<W> {
    /// Writes what is still held back.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Plain(mut out) => out.flush(),
            Self::Gzip(out) => out.finish()?.flush(),
            Self::Xz(out) => out.finish()?.flush(),
        }
    }
}

impl<W: Write> Write for Packed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(out) => out.write(bytes),
            Self::Xz(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Gzip(out) => out.flush(),
            // The end of a block would compress worse; `finish` writes everything.
            Self::Xz(_) => Ok(()),
        }
    }
}

/// Opens a file to be read, compressed or not.
pub(crate) fn open(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    read(path).map_err(|error| Failure::Input(format!("cannot read `{}`: {error}", path.display())))
}

/// The same, with the error alone.
pub(crate) fn read(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = input::open(path)?;
    let most = FREE.saturating_add(file.metadata()?.len().saturating_mul(MOST_TIMES));
    let file = BufReader::new(file);
    Ok(match Packing::of(path).0 {
        Packing::None => Box::new(file),
        Packing::Gzip => unpacked(MultiGzDecoder::new(file), "gzip", most),
        Packing::Xz => unpacked(XzReader::new_mem_limit(file, true, MOST_KIB), "xz", most),
    })
}

fn unpacked(inner: impl Read + 'static, packing: &'static str, most: u64) -> Box<dyn BufRead> {
    Box::new(BufReader::new(Unpacked { inner, packing, most, left: most }))
}

/// What is read of a compressed file. What is wrong with it is told in words that name its packing.
struct Unpacked<R> {
    inner: R,
    packing: &'static str,
    /// The most bytes that it may have, and how many of them are left.
    most: u64,
    left: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            kind => {
                let packing = self.packing;
                let told = format!("its ending says {packing}, and it is no whole {packing} file");
                io::Error::new(kind, format!("{told}: {error}"))
            }
        })?;
        let Some(left) = self.left.checked_sub(read as u64) else {
            let problem = format!(
                "its content is larger than {}, the most that is unpacked of a file of this size: 64 MiB \
                 and {MOST_TIMES} times the size of the file",
                memory(self.most.into())
            );
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
        };
        self.left = left;
        Ok(read)
    }
}
