//! The two passes that make a file: the first measures the formula for the head, the second writes it.

use std::io::{self, Write};

use bezzel_problem::Problem;

use super::FormatError;
use super::comments::{FileComments, Outline};
use super::names::{SquareLabels, Style};
use crate::encoding::Encoding;
use crate::info::EncodingInfo;
use crate::numbering::{Images, Numbering};
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::var_map::VarMap;

/// The comments before the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preamble<'a> {
    /// Nothing: the file is the header and the clauses.
    None,
    /// Comments that name the variables of squares.
    Comments {
        /// The origin of the file, such as the command line.
        made_by: &'a str,
        /// True if they name the other variables as well. In the formats that write symbols these are in the clauses.
        names: bool,
    },
}

/// The parts of a file.
#[derive(Clone, Copy)]
pub(super) struct FormulaSource<'a> {
    pub(super) encoding: &'a dyn Encoding,
    pub(super) problem: &'a Problem,
    pub(super) numbering: &'a Numbering,
    pub(super) preamble: Preamble<'a>,
}

/// The lines of a file after its head: a sink of clauses.
pub(super) trait FileBody: ClauseSink {
    /// The numbers of variables made and of clauses taken.
    fn taken(&self) -> (u32, u64);

    /// Writes the last lines and the rest of the buffer, or returns the first error.
    fn finish(self) -> io::Result<()>;
}

/// The data for the head of a file.
pub(super) struct FileHead<'a> {
    source: &'a FormulaSource<'a>,
    info: &'a EncodingInfo,
    style: &'a Style,
    map: &'a VarMap,
    images: &'a Images,
    outline: &'a Outline,
}

impl FileHead<'_> {
    pub(super) fn variables(&self) -> u32 {
        self.outline.stats.variables()
    }

    /// The number of clauses; constraints that are taken whole count as one each.
    pub(super) fn clauses(&self) -> u64 {
        self.outline.clauses
    }

    /// True if some clause has no literal.
    pub(super) fn has_empty_clause(&self) -> bool {
        let sections = self.outline.stats.clone().into_sections();
        sections.iter().any(|section| section.lengths.contains_key(&0))
    }

    pub(super) fn labels(&self) -> SquareLabels {
        SquareLabels::of(self.source.problem, self.map, self.images, self.variables())
    }

    /// Writes the comments, if the file has comments.
    pub(super) fn comments(&self, out: &mut impl Write) -> io::Result<()> {
        let Preamble::Comments { made_by, names } = self.source.preamble else { return Ok(()) };
        let comments = FileComments {
            style: self.style,
            made_by,
            info: self.info,
            problem: self.source.problem,
            numbering: self.source.numbering,
            map: self.map,
            images: self.images,
            labels: &self.labels(),
            outline: self.outline,
            names: names && self.style.has_braces(),
        };
        comments.write(out)
    }
}

/// Makes a file: measures the formula, lets `begin` write the head, then writes the formula. Returns its size.
///
/// With `whole`, the format takes at-most-one constraints, and these are written whole. Otherwise an encoding that
/// states them whole is refused, since a sink of clauses would get pairs in their place.
pub(super) fn write<B: FileBody>(
    source: &FormulaSource<'_>,
    style: &Style,
    whole: bool,
    begin: impl FnOnce(&FileHead<'_>) -> io::Result<B>,
) -> Result<Size, FormatError> {
    let FormulaSource { encoding, problem, numbering, .. } = *source;
    let info = encoding.info();
    if info.cardinality && !whole {
        return Err(FormatError::ClausesOnly { encoding: info.id });
    }
    if info.cardinality && numbering.stores_formula() {
        return Err(FormatError::Shuffled { encoding: info.id });
    }
    let mut outline = Outline::new(whole);
    let map = encoding.encode(problem, &mut outline);
    let (first_variables, first_clauses) = (outline.stats.variables(), outline.clauses);
    let images = numbering.images(problem, first_variables, &map);
    let head =
        FileHead { source, info: &info, style, map: &map, images: &images, outline: &outline };
    let mut body = begin(&head)?;
    numbering.encode(encoding, problem, &images, &mut body);
    let (variables, clauses) = body.taken();
    body.finish()?;
    if (variables, clauses) != (first_variables, first_clauses) {
        return Err(FormatError::Unsteady {
            encoding: info.id,
            first_variables,
            first_clauses,
            variables,
            clauses,
        });
    }
    Ok(outline.stats.size())
}
