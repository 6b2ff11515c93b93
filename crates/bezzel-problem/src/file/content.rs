//! The files that this process has read, each once in memory, by their digests.
//!
//! Instances that come from evidence or from a runner have digests only. They find their files here, if the process has
//! read them. A content never changes, and files with the same digest have the same constraints.

use std::collections::HashMap;
use std::io::BufRead;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

use super::error::FileError;
use super::evaluate::StatedConstraints;
use super::normal::{NormalForm, Normaliser};
use super::parsed::{ConstraintVisitor, Format};
use super::scanner::Scanner;
use super::{dimacs, opb};

/// More variables than a file has bytes are refused beyond this number: memory grows with the file.
const MAX_UNUSED: usize = 1 << 20;

/// A file that was read.
pub(super) struct FileContent {
    /// The path at which another process finds it; none if the bytes have no path.
    pub(super) path: Option<PathBuf>,
    bytes: Arc<Vec<u8>>,
    pub(super) normal: NormalForm,
    /// The constraints as the file writes them, once a solution was tested.
    stated: OnceLock<StatedConstraints>,
}

impl FileContent {
    /// The constraints as the file writes them.
    pub(super) fn stated(&self) -> &StatedConstraints {
        self.stated.get_or_init(|| StatedConstraints::read(&self.bytes))
    }
}

type FileContents = HashMap<u128, Arc<FileContent>>;

static READ: LazyLock<RwLock<FileContents>> = LazyLock::new(RwLock::default);

/// The content with this digest, if it was read.
pub(super) fn of(digest: u128) -> Option<Arc<FileContent>> {
    READ.read().unwrap_or_else(PoisonError::into_inner).get(&digest).cloned()
}

/// Reads a file and keeps its content, unless a file with the same constraints and a path is kept.
pub(super) fn read(
    path: Option<PathBuf>,
    bytes: Arc<Vec<u8>>,
) -> Result<Arc<FileContent>, FileError> {
    let mut normaliser = Normaliser::new();
    let (format, candidates) = parse(&bytes[..], &mut |written| normaliser.add(written))?;
    if candidates as usize > bytes.len().max(MAX_UNUSED) {
        return Err(FileError::whole(format!(
            "it has {candidates} variables in {} bytes: correct the number in the header, or number the variables from 1 \
             on",
            bytes.len()
        )));
    }
    let normal = normaliser.finish(format, candidates);
    let content = Arc::new(FileContent { path, bytes, normal, stated: OnceLock::new() });
    let mut contents = READ.write().unwrap_or_else(PoisonError::into_inner);
    let kept = contents.entry(content.normal.digest).or_insert_with(|| Arc::clone(&content));
    if kept.path.is_none() && content.path.is_some() {
        *kept = Arc::clone(&content);
    }
    Ok(content)
}

/// Reads a file, and gives its format and its number of variables.
fn parse(reader: impl BufRead, each: ConstraintVisitor) -> Result<(Format, u32), FileError> {
    let mut scanner = Scanner::new(reader);
    match scanner.skip_blanks(false)? {
        None => Err(FileError::whole("the file is empty: a header is missing, as `p knf 3 1`")),
        Some(b'c' | b'p') => dimacs::read(scanner, each),
        Some(_) => Ok((Format::Opb, opb::read(scanner, each)?)),
    }
}
