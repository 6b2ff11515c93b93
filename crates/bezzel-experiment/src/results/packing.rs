//! Compressed files: gzip and xz, by the extension of a file's name.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzReader, XzWriter};

use crate::model::quantity::memory;
use crate::results::input;

/// The preset of xz. 23 MB of pairwise clauses become 1 MB in a second; at 6, which the program `xz` uses, they become
/// 0.6 MB in thirteen seconds, and in ten by that program.
const XZ_PRESET: u32 = 3;

/// The largest memory that decompressing an xz file may take, in KiB: that of the highest preset. A file that requests
/// more is refused.
const MAX_KIB: u32 = 80 << 10;

/// The largest size of decompressed content: `FREE` bytes for every file, and `MAX_TIMES` times its size in addition.
/// Clauses become 20 to 100 times smaller; a higher ratio indicates a file made to exhaust its reader.
const FREE: u64 = 64 << 20;
const MAX_TIMES: u64 = 400;

/// The largest content that is held in memory, decompressed: constraints take up to three times as much in addition, and
/// both together at most 4 GiB.
pub const MAX_CONTENT: u64 = 1 << 30;

/// The compression of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// No compression.
    None,
    /// Compression by gzip.
    Gzip,
    /// Compression by xz.
    Xz,
}

impl Packing {
    /// Returns the compression by the extension of the name, and the name without it.
    pub fn of(path: &Path) -> (Self, &Path) {
        let inner = || path.file_stem().map_or(path, Path::new);
        match path.extension().and_then(OsStr::to_str) {
            Some("gz") => (Self::Gzip, inner()),
            Some("xz") => (Self::Xz, inner()),
            _ => (Self::None, path),
        }
    }

    /// Returns a writer that compresses the bytes written to it.
    ///
    /// # Errors
    ///
    /// When the writer cannot be created.
    pub fn write<W: Write>(self, out: W) -> io::Result<Packed<W>> {
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

/// A writer that compresses.
pub enum Packed<W: Write> {
    /// The unchanged bytes.
    Plain(W),
    /// Compression by gzip.
    Gzip(GzEncoder<W>),
    /// Compression by xz.
    Xz(Box<XzWriter<W>>),
}

impl<W: Write> Packed<W> {
    /// Writes the end of the compressed data.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    pub fn finish(self) -> io::Result<()> {
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

/// Opens a file for reading, compressed or not.
///
/// # Errors
///
/// As [`input::open`].
pub fn read(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = input::open(path)?;
    let max = FREE.saturating_add(file.metadata()?.len().saturating_mul(MAX_TIMES));
    Ok(unpacked(path, BufReader::new(file), max))
}

/// Reads a file of at most `max` bytes and decompresses it. Returns the stored bytes and the content; they are equal
/// if the file is not compressed.
///
/// # Errors
///
/// As [`input::read`]; and when the content cannot be decompressed or is too large.
pub fn read_both(path: &Path, max: u64) -> io::Result<(Vec<u8>, Arc<Vec<u8>>)> {
    let stored = input::read(path, max)?;
    if Packing::of(path).0 == Packing::None {
        let content = stored.clone();
        return Ok((stored, content.into()));
    }
    let max = FREE.saturating_add((stored.len() as u64).saturating_mul(MAX_TIMES));
    let mut content = Vec::new();
    let unpacked = unpacked(path, Cursor::new(stored.clone()), max);
    input::read_all(unpacked, MAX_CONTENT, &mut content)?;
    Ok((stored, content.into()))
}

/// Reads a file and decompresses it. The content has at most [`MAX_CONTENT`] bytes.
///
/// # Errors
///
/// As [`read()`]; and when the content cannot be decompressed or is too large.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    // A file that is already too large is not read.
    input::refuse_larger(input::open(path)?.metadata()?.len(), MAX_CONTENT)?;
    let mut content = Vec::new();
    input::read_all(read(path)?, MAX_CONTENT, &mut content)?;
    Ok(content)
}

/// Returns a reader of the content of a file with this path.
fn unpacked(path: &Path, file: impl BufRead + 'static, max: u64) -> Box<dyn BufRead> {
    fn limited(inner: impl Read + 'static, packing: &'static str, max: u64) -> Box<dyn BufRead> {
        Box::new(BufReader::new(Unpacked { inner, packing, max, left: max }))
    }
    match Packing::of(path).0 {
        Packing::None => Box::new(file),
        Packing::Gzip => limited(MultiGzDecoder::new(file), "gzip", max),
        Packing::Xz => limited(XzReader::new_mem_limit(file, true, MAX_KIB), "xz", max),
    }
}

/// The content of a compressed file. Errors name the compression.
struct Unpacked<R> {
    inner: R,
    packing: &'static str,
    /// The largest number of bytes of the content, and the number of bytes that may still follow.
    max: u64,
    left: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            kind => {
                let packing = self.packing;
                let message =
                    format!("its ending says {packing}, and it is not a complete {packing} file");
                io::Error::new(kind, format!("{message}: {error}"))
            }
        })?;
        let Some(left) = self.left.checked_sub(read as u64) else {
            let problem = format!(
                "its content is larger than {}, the limit for a file of this size: 64 MiB and \
                 {MAX_TIMES} times the size of the file",
                memory(self.max.into())
            );
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
        };
        self.left = left;
        Ok(read)
    }
}
