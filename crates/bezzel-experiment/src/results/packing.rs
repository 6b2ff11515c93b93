//! Compressed files: gzip, xz and bzip2.
//!
//! A file is written by the extension of its name, and read by its first bytes: a name may lack its extension.

use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;

use bzip2::read::MultiBzDecoder;
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
    unpacked(path, BufReader::new(file), max)
}

/// Reads a file of at most `max` bytes and decompresses it. Returns the stored bytes and the content; they are equal
/// if the file is not compressed.
///
/// # Errors
///
/// As [`input::read`]; and when the content cannot be decompressed or is too large.
pub fn read_both(path: &Path, max: u64) -> io::Result<(Vec<u8>, Arc<Vec<u8>>)> {
    let stored = input::read(path, max)?;
    if StoredPacking::of(path, &stored)? == StoredPacking::None {
        let content = stored.clone();
        return Ok((stored, content.into()));
    }
    let max = FREE.saturating_add((stored.len() as u64).saturating_mul(MAX_TIMES));
    let mut content = Vec::new();
    let unpacked = unpacked(path, Cursor::new(stored.clone()), max)?;
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

/// The compression of a file that is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StoredPacking {
    None,
    Gzip,
    Xz,
    Bzip2,
}

/// The number of first bytes that show the compression.
const FIRST: u64 = 10;

impl StoredPacking {
    /// Returns the compression by the first bytes, or by the extension of the name if they show none.
    fn of(path: &Path, first: &[u8]) -> io::Result<Self> {
        Ok(match (Self::of_content(first)?, Packing::of(path).0) {
            (Self::None, Packing::Gzip) => Self::Gzip,
            (Self::None, Packing::Xz) => Self::Xz,
            (packing, _) => packing,
        })
    }

    /// Returns the compression by the first bytes.
    fn of_content(first: &[u8]) -> io::Result<Self> {
        let unread = match first {
            [0x1f, 0x8b, ..] => return Ok(Self::Gzip),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => return Ok(Self::Xz),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..]
            | [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => {
                return Ok(Self::Bzip2);
            }
            [0x28, 0xb5, 0x2f, 0xfd, ..] => "zstd",
            [b'P', b'K', 3, 4, ..] => "zip",
            [b'7', b'z', 0xbc, 0xaf, ..] => "7z",
            [0x1f, 0x9d, ..] => "compress",
            [0x04, 0x22, 0x4d, 0x18, ..] => "lz4",
            _ => return Ok(Self::None),
        };
        let message = format!("it is compressed by {unread}: gzip, xz and bzip2 are read");
        Err(io::Error::new(io::ErrorKind::InvalidData, message))
    }
}

/// Returns a reader of the content of a file with this path.
fn unpacked(
    path: &Path,
    mut file: impl BufRead + 'static,
    max: u64,
) -> io::Result<Box<dyn BufRead>> {
    let mut first = Vec::new();
    file.by_ref().take(FIRST).read_to_end(&mut first)?;
    let (packing, place) = match StoredPacking::of_content(&first)? {
        StoredPacking::None => (StoredPacking::of(path, &first)?, "ending"),
        packing => (packing, "beginning"),
    };
    let file = Cursor::new(first).chain(file);
    let (packing, inner): (_, Box<dyn Read>) = match packing {
        StoredPacking::None => return Ok(Box::new(file)),
        StoredPacking::Gzip => ("gzip", Box::new(MultiGzDecoder::new(file))),
        StoredPacking::Xz => ("xz", Box::new(XzReader::new_mem_limit(file, true, MAX_KIB))),
        StoredPacking::Bzip2 => ("bzip2", Box::new(MultiBzDecoder::new(file))),
    };
    Ok(Box::new(BufReader::new(Unpacked { inner, packing, place, max, left: max })))
}

/// The content of a compressed file. Errors name the compression.
struct Unpacked<R> {
    inner: R,
    packing: &'static str,
    /// The place that shows the compression: the beginning of the content, or the ending of the name.
    place: &'static str,
    /// The largest number of bytes of the content, and the number of bytes that may still follow.
    max: u64,
    left: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(into).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            kind => {
                let (packing, place) = (self.packing, self.place);
                let message =
                    format!("its {place} says {packing}, and it is not a complete {packing} file");
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

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const TEXT: &[u8] = b"p cnf 2 1\n1 2 0\n";

    fn packed(name: &str) -> Vec<u8> {
        let mut stored = Vec::new();
        if name == "bz2" {
            let mut out = bzip2::write::BzEncoder::new(&mut stored, bzip2::Compression::new(9));
            out.write_all(TEXT).unwrap();
            out.finish().unwrap();
        } else {
            let mut out = Packing::of(Path::new(name)).0.write(&mut stored).unwrap();
            out.write_all(TEXT).unwrap();
            out.finish().unwrap();
        }
        stored
    }

    #[test]
    fn a_compressed_file_is_read_by_its_content_whatever_its_name() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a", "a.gz", "a.xz", "a.bz2", "a.cnf"] {
            let path = folder.path().join(name);
            for packing in ["x.gz", "x.xz", "bz2"] {
                let one = packed(packing);
                // Several members follow each other.
                let members = [one.as_slice(), &one].concat();
                fs::write(&path, &members).unwrap();
                let twice = [TEXT, TEXT].concat();
                assert_eq!(read_whole(&path).unwrap(), twice, "{name} {packing}");
                let (stored, content) = read_both(&path, 1 << 20).unwrap();
                assert_eq!(
                    (stored, content.as_slice()),
                    (members, twice.as_slice()),
                    "{name} {packing}"
                );
                fs::write(&path, &one[..one.len() - 3]).unwrap();
                let error = read_whole(&path).unwrap_err().to_string();
                assert!(error.starts_with("its beginning says "), "{name} {packing}: {error}");
            }
        }
        let path = folder.path().join("plain");
        for text in [TEXT, b"", b"B", b"BZh9 is no such file"] {
            fs::write(&path, text).unwrap();
            assert_eq!(read_whole(&path).unwrap(), text);
            assert_eq!(&*read_both(&path, 99).unwrap().1, text);
        }
    }

    #[test]
    fn other_compressions_are_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.opb");
        fs::write(&path, b"\x28\xb5\x2f\xfd\0\0").unwrap();
        let expected = "it is compressed by zstd: gzip, xz and bzip2 are read";
        assert_eq!(read_whole(&path).unwrap_err().to_string(), expected);
        fs::write(&path, b"PK\x03\x04").unwrap();
        assert!(
            read_both(&path, 99).unwrap_err().to_string().starts_with("it is compressed by zip")
        );
        fs::write(folder.path().join("b.gz"), TEXT).unwrap();
        let error = read_whole(&folder.path().join("b.gz")).unwrap_err().to_string();
        assert!(error.starts_with("its ending says gzip, and it is not"), "{error}");
    }
}
