//! Compressed files: gzip and xz, told by the ending of a file's name.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzReader, XzWriter};

/// How hard xz tries. 23 MB of pairwise clauses become 1 MB in a second; at 6, which the program `xz`
/// takes, they become 0.6 MB in thirteen, and in ten by that program.
const XZ_PRESET: u32 = 3;

/// So much memory may an xz file ask for when it is read, in KiB: what the highest preset takes, and
/// no more than that, whatever the file says.
const MOST_KIB: u32 = 80 << 10;

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
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = BufReader::new(File::open(path)?);
    Ok(match Packing::of(path).0 {
        Packing::None => Box::new(file),
        Packing::Gzip => unpacked(MultiGzDecoder::new(file), "gzip"),
        Packing::Xz => unpacked(XzReader::new_mem_limit(file, true, MOST_KIB), "xz"),
    })
}

fn unpacked(inner: impl Read + 'static, packing: &'static str) -> Box<dyn BufRead> {
    Box::new(BufReader::new(Unpacked { inner, packing }))
}

/// What is read of a compressed file. What is wrong with it is told in words that name its packing.
struct Unpacked<R> {
    inner: R,
    packing: &'static str,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.inner.read(into).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            kind => {
                let packing = self.packing;
                let told = format!("its ending says {packing}, and it is no whole {packing} file");
                io::Error::new(kind, format!("{told}: {error}"))
            }
        })
    }
}
