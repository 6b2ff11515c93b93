//! What a file says of itself before its clauses: what was encoded, how large it is, and what the
//! variables mean. [`dimacs`](super::dimacs) states the form of each line.

use std::collections::HashMap;
use std::fmt::{Display, Write as _};
use std::io::{self, Write};
use std::rc::Rc;

use bezzel_problem::Problem;
use rustsat::types::{Lit, Var};

use super::names::{Labels, Style};
use crate::card::Card;
use crate::numbering::{Images, Numbering};
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;
use crate::tally::{Tally, UNNAMED};
use crate::var_map::VarMap;

/// Formulas of more variables than these have no names for those that say nothing of squares.
const MOST_NAMED: u32 = 1_000_000;

/// The first pass: a tally that also remembers where sections begin.
#[derive(Debug)]
pub(super) struct Outline {
    pub(super) tally: Tally,
    pub(super) clauses: u64,
    parts: Vec<Part>,
}

/// Where a section or one of its lines begins, or is taken up again: after so many variables and clauses.
#[derive(Clone, Debug)]
struct Part {
    // Shared by the lines of a section.
    section: Rc<str>,
    line: Option<u32>,
    variables: u32,
    clauses: u64,
}

impl Outline {
    /// Measures what a file gets that takes at-most-one constraints whole, or does not.
    pub(super) fn new(cardinality: bool) -> Self {
        let parts = vec![Part { section: UNNAMED.into(), line: None, variables: 0, clauses: 0 }];
        let tally = if cardinality { Tally::with_cardinality() } else { Tally::new() };
        Self { tally, clauses: 0, parts }
    }

    /// Each part of the section of this name with the one that comes after it.
    fn parts(&self, section: &str) -> impl Iterator<Item = (&Part, Part)> {
        self.each_part().filter(move |(part, _)| &*part.section == section)
    }

    /// Each part with the one that comes after it.
    fn each_part(&self) -> impl Iterator<Item = (&Part, Part)> {
        let (variables, clauses) = (self.tally.variables(), self.clauses);
        let end = Part { section: "".into(), line: None, variables, clauses };
        let begins = self.parts.iter().skip(1).cloned();
        self.parts.iter().zip(begins.chain(std::iter::once(end)))
    }

    /// The names of the variables that have none in `labels`: by the section that made them, the line of
    /// the section where the encoding names it, and their place among those of that line.
    pub(super) fn auxiliary_names(&self, labels: &Labels) -> impl Iterator<Item = (Var, String)> {
        let mut made: HashMap<(String, Option<u32>), u32> = HashMap::new();
        let indices = self.each_part().flat_map(|(part, next)| {
            (part.variables..next.variables).map(move |index| (part, Var::new(index)))
        });
        indices.filter(|&(_, var)| !labels.has(var)).map(move |(part, var)| {
            let section = word(&part.section);
            let place = made.entry((section.clone(), part.line)).or_default();
            *place += 1;
            let name = match part.line {
                Some(line) => format!("{section}_{{{line},{place}}}"),
                None => format!("{section}_{{{place}}}"),
            };
            (var, name)
        })
    }
}

impl ClauseSink for Outline {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.tally.fresh(count)
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        self.tally.clause(lits);
        self.clauses += 1;
    }

    fn section(&mut self, name: &str) {
        self.tally.section(name);
        let (variables, clauses) = (self.tally.variables(), self.clauses);
        self.parts.push(Part { section: name.into(), line: None, variables, clauses });
    }

    fn line(&mut self, number: u32) {
        let section = self.parts.last().map_or(UNNAMED.into(), |part| Rc::clone(&part.section));
        let (variables, clauses) = (self.tally.variables(), self.clauses);
        self.parts.push(Part { section, line: Some(number), variables, clauses });
    }

    fn takes_cardinality(&self) -> bool {
        self.tally.takes_cardinality()
    }

    #[inline]
    fn at_most_one(&mut self, xs: &[Lit]) {
        self.tally.at_most_one(xs);
        self.clauses += 1;
    }
}

/// Everything that the comments tell.
pub(super) struct Comments<'a> {
    pub(super) style: &'a Style,
    pub(super) made_by: &'a str,
    pub(super) card: &'a Card,
    pub(super) problem: &'a Problem,
    pub(super) numbering: &'a Numbering,
    pub(super) map: &'a VarMap,
    pub(super) images: &'a Images,
    pub(super) labels: &'a Labels,
    pub(super) outline: &'a Outline,
}

impl Comments<'_> {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.origin(out)?;
        self.sizes(out)?;
        self.candidates(out)?;
        self.auxiliary(out)
    }

    /// What was encoded, and by whom.
    fn origin(&self, out: &mut impl Write) -> io::Result<()> {
        let Card { id, title, citation, revision, constraints, .. } = self.card;
        let Numbering { variables, literals, polarity, clauses, .. } = *self.numbering;
        let seeds = [
            ("variables", variables),
            ("literals", literals),
            ("polarity", polarity),
            ("clauses", clauses),
        ];
        let mut numbering = self.numbering.id();
        for (switch, seed) in seeds {
            if let Some(seed) = seed {
                write!(numbering, ", {switch} by seed {seed}").expect("a string takes all text");
            }
        }
        let sign = self.style.sign;
        let mut line = |key, value: &str| writeln!(out, "{sign} {key}: {}", clean(value));
        line("generator", concat!("bezzel-encode ", env!("CARGO_PKG_VERSION")))?;
        line("made by", self.made_by)?;
        line("encoding", &format!("{id}, revision {revision}"))?;
        line("title", title)?;
        line("citation", citation)?;
        // They speak of rows and columns.
        if self.problem.board().is_some() {
            line("constraints", constraints)?;
        }
        line("numbering", &numbering)?;
        let Some(board) = self.problem.board() else {
            line("problem", self.problem.kind())?;
            line("instance", &self.problem.name())?;
            let number = |&candidate: &u32| u64::from(candidate) + 1;
            self.list(out, "given:", self.problem.given().iter().map(number))?;
            return self.list(out, "excluded:", self.problem.excluded().iter().map(number));
        };
        line("board", &board.to_string())?;
        self.list(out, "queens:", board.placed())?;
        self.list(out, "blocked:", board.blocked())
    }

    /// How large the formula and each of its sections is, and which clauses are whose.
    fn sizes(&self, out: &mut impl Write) -> io::Result<()> {
        let Size { variables, clauses, literals } = self.outline.tally.size();
        let Style { sign, clauses: word_for_clauses, .. } = self.style;
        let primary = self.outline.tally.primary();
        writeln!(out, "{sign} variables: {variables}, of which {primary} primary")?;
        writeln!(out, "{sign} {word_for_clauses}: {clauses}")?;
        writeln!(out, "{sign} literals: {literals}")?;
        for section in self.outline.tally.clone().into_sections() {
            let name = word(&section.name);
            let Size { variables, clauses, literals } = section.size();
            writeln!(
                out,
                "{sign} section {name}: {variables} variables, {clauses} {word_for_clauses}, \
                 {literals} literals"
            )?;
            if self.numbering.clauses.is_none() {
                let parts = self.outline.parts(&section.name);
                let parts = parts.map(|(part, next)| (part.clauses + 1, next.clauses));
                self.list(out, &format!("{word_for_clauses} {name}"), runs(parts))?;
            }
        }
        Ok(())
    }

    /// What the variables mean: names, and one line per square or candidate.
    fn candidates(&self, out: &mut impl Write) -> io::Result<()> {
        let Style { sign, id, not, .. } = self.style;
        for (image, label) in self.labels.names(self.style) {
            let negated = if image.is_neg() { "~" } else { "" };
            writeln!(out, "{sign} varname {id}{} {negated}{label}", image.vidx() + 1)?;
        }
        let board = self.problem.board();
        match board {
            Some(_) => {
                writeln!(out, "{sign} a square is occupied iff all literals of its line hold")?;
            }
            None => {
                writeln!(out, "{sign} a candidate is chosen iff all literals of its line hold")?;
            }
        }
        for (candidate, cube) in (0..).zip(self.map.cubes()) {
            if let Some(board) = board {
                write!(out, "{sign} square {}", board.square(candidate))?;
            } else {
                let label = word(&self.problem.label(candidate));
                write!(out, "{sign} candidate {} {label}", u64::from(candidate) + 1)?;
            }
            for &lit in cube {
                let image = self.images.of(lit);
                write!(out, " {}{id}{}", if image.is_neg() { not } else { "" }, image.vidx() + 1)?;
            }
            writeln!(out)?;
        }
        Ok(())
    }

    /// The section that made each variable that says nothing of squares, and its name.
    fn auxiliary(&self, out: &mut impl Write) -> io::Result<()> {
        let Style { sign, id, .. } = self.style;
        // Beyond, names would be longer than the formula, and formats with symbols have their own.
        if self.style.has_braces() && self.outline.tally.variables() <= MOST_NAMED {
            let names = self.outline.auxiliary_names(self.labels);
            let names = names.map(|(var, name)| (self.images.of(var.pos_lit()), name));
            let mut names: Vec<(Lit, String)> = names.collect();
            names.sort_unstable_by_key(|(image, _)| image.vidx());
            for (image, name) in names {
                let negated = if image.is_neg() { "~" } else { "" };
                writeln!(out, "{sign} varname {id}{} {negated}{name}", image.vidx() + 1)?;
            }
        }
        for section in self.outline.tally.clone().into_sections() {
            let mut ids: Vec<u64> = self
                .outline
                .parts(&section.name)
                .flat_map(|(part, next)| part.variables..next.variables)
                .filter(|&index| !self.labels.has(Var::new(index)))
                .map(|index| self.images.of(Var::new(index).pos_lit()).vidx() as u64 + 1)
                .collect();
            ids.sort_unstable();
            let ids = runs(ids.into_iter().map(|id| (id, id)));
            self.list(out, &format!("auxiliary {}", word(&section.name)), ids)?;
        }
        Ok(())
    }

    /// Writes items after a head, on as many lines as needed, or on none if there is no item.
    fn list<T: Display>(
        &self,
        out: &mut impl Write,
        head: &str,
        items: impl IntoIterator<Item = T>,
    ) -> io::Result<()> {
        /// Lines are as long as people read with ease, and older tools keep in their buffers.
        const WIDTH: usize = 100;
        let sign = self.style.sign;
        let mut line = String::new();
        for item in items {
            let item = item.to_string();
            if !line.is_empty() && head.len() + line.len() + item.len() + 3 > WIDTH {
                writeln!(out, "{sign} {head}{line}")?;
                line.clear();
            }
            line.push(' ');
            line.push_str(&item);
        }
        if line.is_empty() { Ok(()) } else { writeln!(out, "{sign} {head}{line}") }
    }
}

/// Text that may stand in a comment: on one line, and without an option for CaDiCaL, which reads
/// two hyphens as the beginning of one.
fn clean(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    for char in text.chars() {
        let breaks_line = char.is_control() || matches!(char, '\u{2028}' | '\u{2029}');
        if char == '-' && clean.ends_with('-') {
            clean.push(' ');
        }
        clean.push(if breaks_line { ' ' } else { char });
    }
    clean
}

/// A name that may stand between spaces.
pub(super) fn word(name: &str) -> String {
    clean(name).replace(char::is_whitespace, "_")
}

/// Runs of numbers as text, from ranges in ascending order: empty ones dropped, adjacent ones
/// joined.
fn runs(ranges: impl IntoIterator<Item = (u64, u64)>) -> impl Iterator<Item = String> {
    let mut joined: Vec<(u64, u64)> = Vec::new();
    for (first, last) in ranges.into_iter().filter(|(first, last)| first <= last) {
        match joined.last_mut() {
            Some(run) if run.1 + 1 == first => run.1 = last,
            _ => joined.push((first, last)),
        }
    }
    let text = |(first, last)| {
        if first == last { format!("{first}") } else { format!("{first}..{last}") }
    };
    joined.into_iter().map(text)
}
