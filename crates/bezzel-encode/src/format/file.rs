//! The two passes that make a file: what its head must say beforehand, then what it says.

use std::io::{self, Write};

use bezzel_problem::Problem;
use rustsat::types::Lit;

use super::FormatError;
use super::comments::{Comments, Outline};
use super::names::{Labels, Style};
use crate::card::Card;
use crate::encoding::Encoding;
use crate::numbering::{Images, Numbering};
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::var_map::VarMap;

/// The comments before the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preamble<'a> {
    /// Nothing: the file is the header and the clauses.
    None,
    /// Comments that name the variables of squares and sections.
    Comments {
        /// The origin of the file, such as the command line.
        made_by: &'a str,
    },
}

/// The parts of a file.
#[derive(Clone, Copy)]
pub(super) struct Subject<'a> {
    pub(super) encoding: &'a dyn Encoding,
    pub(super) problem: &'a Problem,
    pub(super) numbering: &'a Numbering,
    pub(super) preamble: Preamble<'a>,
}

/// The lines of a file after its head: a sink of clauses.
pub(super) trait Body: ClauseSink {
    /// The numbers of variables made and of clauses taken.
    fn taken(&self) -> (u32, u64);

    /// Writes what comes last and what is still held back, or tells the first error.
    fn finish(self) -> io::Result<()>;
}

/// What the head of a file can say.
pub(super) struct Head<'a> {
    subject: &'a Subject<'a>,
    card: &'a Card,
    style: &'a Style,
    map: &'a VarMap,
    images: &'a Images,
    outline: &'a Outline,
}

impl Head<'_> {
    pub(super) fn variables(&self) -> u32 {
        self.outline.tally.variables()
    }

    /// The number of clauses; constraints that are taken whole count as one each.
    pub(super) fn clauses(&self) -> u64 {
        self.outline.clauses
    }

    /// Whether some clause has no literal.
    pub(super) fn has_empty_clause(&self) -> bool {
        let sections = self.outline.tally.clone().into_sections();
        sections.iter().any(|section| section.lengths.contains_key(&0))
    }

    pub(super) fn labels(&self) -> Labels {
        Labels::of(self.subject.problem, self.map, self.images, self.variables())
    }

    /// The literal of each variable of the file that has a name, and the name: one for each variable.
    pub(super) fn names(&self) -> Vec<(Lit, String)> {
        let labels = self.labels();
        let auxiliary = self.outline.auxiliary_names(&labels);
        let auxiliary = auxiliary.map(|(var, name)| (self.images.of(var.pos_lit()), name));
        let mut names: Vec<_> = labels.names(self.style).chain(auxiliary).collect();
        names.sort_unstable_by_key(|(image, _)| image.vidx());
        names
    }

    /// Writes the comments, if there are to be any.
    pub(super) fn comments(&self, out: &mut impl Write) -> io::Result<()> {
        let Preamble::Comments { made_by } = self.subject.preamble else { return Ok(()) };
        let comments = Comments {
            style: self.style,
            made_by,
            card: self.card,
            problem: self.subject.problem,
            numbering: self.subject.numbering,
            map: self.map,
            images: self.images,
            labels: &self.labels(),
            outline: self.outline,
        };
        comments.write(out)
    }
}

/// Makes a file: measures the formula, lets `begin` write the head, then writes the formula.
/// Returns its size.
///
/// An at-most-one constraint that is handed over whole is written so if `whole` says that the
/// format knows them; else the encoding is refused, since a sink of clauses would get pairs in
/// their place.
pub(super) fn write<B: Body>(
    subject: &Subject<'_>,
    style: &Style,
    whole: bool,
    begin: impl FnOnce(&Head<'_>) -> io::Result<B>,
) -> Result<Size, FormatError> {
    let Subject { encoding, problem, numbering, .. } = *subject;
    let card = encoding.card();
    if card.cardinality && !whole {
        return Err(FormatError::ClausesOnly { encoding: card.id });
    }
    if card.cardinality && numbering.stores_formula() {
        return Err(FormatError::Shuffled { encoding: card.id });
    }
    let mut outline = Outline::new(whole);
    let map = encoding.encode(problem, &mut outline);
    let (first_variables, first_clauses) = (outline.tally.variables(), outline.clauses);
    let images = numbering.images(problem, first_variables, &map);
    let head = Head { subject, card: &card, style, map: &map, images: &images, outline: &outline };
    let mut body = begin(&head)?;
    numbering.encode(encoding, problem, &images, &mut body);
    let (variables, clauses) = body.taken();
    body.finish()?;
    if (variables, clauses) != (first_variables, first_clauses) {
        return Err(FormatError::Unsteady {
            encoding: card.id,
            first_variables,
            first_clauses,
            variables,
            clauses,
        });
    }
    Ok(outline.tally.size())
}
