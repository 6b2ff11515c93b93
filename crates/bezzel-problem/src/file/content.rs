//! The files that this process has read, each once in memory, by their digests.
//!
//! Instances that come from evidence or from a runner have digests only. They find their files here, if the process has
//! read them. A content never changes, and files with the same digest have the same constraints.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

use super::constraint::ParsedConstraint;
use super::evaluate::StatedConstraints;
use super::normal::{NormalForm, Normaliser};
use super::objective::{Goal, Objective};
use super::parsed::{ParsedFile, ProjectionSet};
use super::recognise::{Syntax, recognise, without_mark};
use super::{dimacs, opb};
use crate::literal::Literal;
use crate::text::{FileError, Scanner};

/// More variables than a file has bytes are refused beyond this number: memory grows with the file.
const MAX_UNUSED: usize = 1 << 20;

/// A file that was read.
pub(super) struct FileContent {
    /// The path at which another process finds it; none if the bytes have no path.
    pub(super) path: Option<PathBuf>,
    bytes: Arc<Vec<u8>>,
    pub(super) normal: NormalForm,
    /// The names of the variables, if they have names. There may be fewer than variables.
    pub(super) names: Option<Vec<Box<str>>>,
    pub(super) projection: Option<ProjectionSet>,
    pub(super) objective: Option<Objective>,
    /// The products of literals, whose variables are the last ones.
    pub(super) products: Vec<Box<[Literal]>>,
    /// Content that is not used, and wrong numbers of the header.
    pub(super) notes: Vec<String>,
    /// The constraints as the file writes them, once a solution was tested.
    stated: OnceLock<StatedConstraints>,
}

impl FileContent {
    /// The bytes of the file.
    pub(super) fn bytes(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.bytes)
    }

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

/// Reads a file, and keeps its content on request, unless a file with the same constraints and a path is kept.
pub(super) fn read(
    path: Option<PathBuf>,
    bytes: Arc<Vec<u8>>,
    (goal, is_kept): (&Goal, bool),
) -> Result<Arc<FileContent>, FileError> {
    let syntax = recognise(without_mark(&bytes))?;
    let mut normaliser = Normaliser::new();
    let (mut is_named, mut variables) = (false, None);
    let parsed = loop {
        match parse(&bytes, syntax, is_named, variables, &mut normaliser)? {
            // A variable has a name: the numbers of those before it are others.
            None if !is_named => is_named = true,
            None => return Err(FileError::whole("the names of the variables cannot be read")),
            Some(parsed) if parsed.products.is_open() => variables = Some(parsed.variables),
            Some(parsed) => break parsed,
        }
        normaliser = Normaliser::new();
    };
    match (goal, &parsed.objective) {
        (Goal::Ignored, _) => (),
        (_, None) => {
            return Err(FileError::whole(format!(
                "it has no objective, so `{goal}` has no meaning: a line as `min: +1 x1 ;` states one"
            )));
        }
        (Goal::Optimum, Some(objective)) => normaliser.digest_objective(objective),
        (Goal::Bound(bound), Some(objective)) => {
            normaliser.digest_objective(objective);
            normaliser.add(&mut objective.constraint(bound))?;
        }
    }
    normaliser.digest_products(parsed.products.len());
    if parsed.variables as usize > bytes.len().max(MAX_UNUSED) {
        return Err(FileError::whole(format!(
            "it has {} variables in {} bytes: correct the number in the header, or number the variables from 1 \
             on",
            parsed.variables,
            bytes.len()
        )));
    }
    let normal = normaliser.finish(parsed.format, parsed.variables);
    let content = Arc::new(FileContent {
        path,
        normal,
        names: parsed.names,
        projection: parsed.projection,
        objective: parsed.objective,
        products: parsed.products.into_list(),
        notes: parsed.notes.into_texts(),
        stated: OnceLock::new(),
        bytes,
    });
    if !is_kept {
        return Ok(content);
    }
    let mut contents = READ.write().unwrap_or_else(PoisonError::into_inner);
    let kept = contents.entry(content.normal.digest).or_insert_with(|| Arc::clone(&content));
    if kept.path.is_none() && content.path.is_some() {
        *kept = Arc::clone(&content);
    }
    Ok(content)
}

/// Reads a text. None if it is to be read by names.
fn parse(
    text: &[u8],
    syntax: Syntax,
    is_named: bool,
    variables: Option<u32>,
    normaliser: &mut Normaliser,
) -> Result<Option<ParsedFile>, FileError> {
    let mut text = text;
    let scanner = Scanner::new(&mut text);
    let each = &mut |written: &mut ParsedConstraint| normaliser.add(written);
    match syntax {
        Syntax::Dimacs => dimacs::read(scanner, each).map(Some),
        Syntax::Opb => opb::read(scanner, (is_named, variables), each),
    }
}
