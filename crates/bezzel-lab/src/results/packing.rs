//! Compressed files: gzip and xz, by the ending of a file's name.

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
pub enum Packing {
    /// Not at all.
    None,
    /// By gzip.
    Gzip,
    /// By xz.
    Xz,
}

impl Packing {
    /// The compression by the ending of the name, and the name without it.
    pub fn of(path: &Path) -> (Self, &Path) {
        let inner = || path.file_stem().map_or(path, Path::new);
        match path.extension().and_then(OsStr::to_str) {
            Some("gz") => (Self::Gzip, inner()),
            Some("xz") => (Self::Xz, inner()),
            _ => (Self::None, path),
        }
    }

    /// Compresses the bytes that are written.
    ///
    /// # Errors
    ///
    /// When the writer cannot be made.
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

/// A file that is compressed as it is written.
pub enum Packed<W: Write> {
    /// The bytes as they are.
    Plain(W),
    /// By gzip.
    Gzip(GzEncoder<W>),
    /// By xz.
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

/// Opens a file to be read, compressed or not.
///
/// # Errors
///
/// As [`input::open`].
pub fn read(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = input::open(path)?;
    let most = FREE.saturating_add(file.metadata()?.len().saturating_mul(MOST_TIMES));
    Ok(unpacked(path, BufReader::new(file), most))
}

/// Reads a file of at most `most` bytes whole, and decompresses it. Of a file that is not compressed, the content is
/// the same bytes.
///
/// # Errors
///
/// As [`input::read`]; and when the content cannot be decompressed or is too large.
pub fn read_both(path: &Path, most: u64) -> io::Result<(Vec<u8>, Arc<[u8]>)> {
    let stored = input::read(path, most)?;
    if Packing::of(path).0 == Packing::None {
        let content = stored.as_slice().into();
        return Ok((stored, content));
    }
    let most = FREE.saturating_add((stored.len() as u64).saturating_mul(MOST_TIMES));
    let mut content = Vec::new();
    unpacked(path, Cursor::new(stored.clone()), most).read_to_end(&mut content)?;
    Ok((stored, content.into()))
}

/// Reads a file of any size whole, decompressed.
///
/// # Errors
///
/// As [`read()`]; and when the content cannot be decompressed or is too large.
pub fn read_whole(path: &Path) -> io::Result<Vec<u8>> {
    let mut content = Vec::new();
    read(path)?.read_to_end(&mut content)?;
    Ok(content)
}

/// The content of a file with this path.
fn unpacked(path: &Path, file: impl BufRead + 'static, most: u64) -> Box<dyn BufRead> {
    fn limited(inner: impl Read + 'static, packing: &'static str, most: u64) -> Box<dyn BufRead> {
        Box::new(BufReader::new(Unpacked { inner, packing, most, left: most }))
    }
    match Packing::of(path).0 {
        Packing::None => Box::new(file),
        Packing::Gzip => limited(MultiGzDecoder::new(file), "gzip", most),
        Packing::Xz => limited(XzReader::new_mem_limit(file, true, MOST_KIB), "xz", most),
    }
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
