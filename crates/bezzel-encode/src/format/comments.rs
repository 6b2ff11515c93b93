//! The comments of a file before its clauses: the origin of the formula, its size, and the meaning of its variables.
//! [`dimacs`](super::dimacs) states the form of each line.

use std::collections::HashMap;
use std::fmt::{self, Display, Write as _};
use std::io::{self, Write};
use std::rc::Rc;

use bezzel_problem::Problem;
use rustsat::types::{Lit, Var};

use super::names::{SquareLabels, Style};
use crate::formula_stats::{FormulaStats, UNNAMED};
use crate::info::EncodingInfo;
use crate::numbering::{Images, Numbering};
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;
use crate::var_map::VarMap;

/// The name of a variable that does not belong to a square or candidate: the section that made the variable, the line of
/// the section where the encoding names it, and the place among the variables of that line, counted from 1.
pub(super) struct AuxiliaryName<'a> {
    section: &'a str,
    line: Option<u32>,
    place: u32,
}

impl Display for AuxiliaryName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { section, line, place } = *self;
        match line {
            Some(line) => write!(f, "{section}_{{{line},{place}}}"),
            None => write!(f, "{section}_{{{place}}}"),
        }
    }
}

/// The first pass: statistics that also store the beginnings of sections.
#[derive(Debug)]
pub(super) struct Outline {
    pub(super) stats: FormulaStats,
    pub(super) clauses: u64,
    parts: Vec<SectionStart>,
}

/// The place where a section or one of its lines begins or continues: after these numbers of variables and clauses.
#[derive(Clone, Debug)]
struct SectionStart {
    // Shared by the lines of a section.
    section: Rc<str>,
    line: Option<u32>,
    variables: u32,
    clauses: u64,
}

impl Outline {
    /// Measures a formula for a file that takes at-most-one constraints whole if `cardinality`.
    pub(super) fn new(cardinality: bool) -> Self {
        let parts =
            vec![SectionStart { section: UNNAMED.into(), line: None, variables: 0, clauses: 0 }];
        let stats =
            if cardinality { FormulaStats::with_cardinality() } else { FormulaStats::new() };
        Self { stats, clauses: 0, parts }
    }

    /// Each part of the section of this name with the one that comes after it.
    fn parts(&self, section: &str) -> impl Iterator<Item = (&SectionStart, SectionStart)> {
        self.each_part().filter(move |(part, _)| &*part.section == section)
    }

    /// Each part with the one that comes after it.
    fn each_part(&self) -> impl Iterator<Item = (&SectionStart, SectionStart)> {
        let (variables, clauses) = (self.stats.variables(), self.clauses);
        let end = SectionStart { section: "".into(), line: None, variables, clauses };
        let begins = self.parts.iter().skip(1).cloned();
        self.parts.iter().zip(begins.chain(std::iter::once(end)))
    }

    /// Passes each variable that has no name in `labels` to `each`, in ascending order, with a name of its own.
    pub(super) fn each_auxiliary_name(
        &self,
        labels: &SquareLabels,
        mut each: impl FnMut(Var, &AuxiliaryName<'_>),
    ) {
        // A line that continues after others continues its places. Most lines have one part.
        let mut places: HashMap<(String, Option<u32>), u32> = HashMap::new();
        let making = self.each_part().filter(|(part, next)| part.variables < next.variables);
        for (part, next) in making {
            let (section, line) = (word(&part.section), part.line);
            let place = places.entry((section.clone(), line)).or_default();
            for var in (part.variables..next.variables).map(Var::new) {
                if !labels.has(var) {
                    *place += 1;
                    each(var, &AuxiliaryName { section: &section, line, place: *place });
                }
            }
        }
    }
}

impl ClauseSink for Outline {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.stats.fresh(count)
    }

    #[inline]
    fn clause(&mut self, lits: &[Lit]) {
        self.stats.clause(lits);
        self.clauses += 1;
    }

    fn section(&mut self, name: &str) {
        self.stats.section(name);
        let (variables, clauses) = (self.stats.variables(), self.clauses);
        self.parts.push(SectionStart { section: name.into(), line: None, variables, clauses });
    }

    fn line(&mut self, number: u32) {
        let section = self.parts.last().map_or(UNNAMED.into(), |part| Rc::clone(&part.section));
        let (variables, clauses) = (self.stats.variables(), self.clauses);
        self.parts.push(SectionStart { section, line: Some(number), variables, clauses });
    }

    fn takes_cardinality(&self) -> bool {
        self.stats.takes_cardinality()
    }

    #[inline]
    fn at_most(&mut self, xs: &[Lit], k: u64) {
        self.stats.at_most(xs, k);
        self.clauses += 1;
    }
}

/// The content of the comments.
pub(super) struct FileComments<'a> {
    pub(super) style: &'a Style,
    pub(super) made_by: &'a str,
    pub(super) info: &'a EncodingInfo,
    pub(super) problem: &'a Problem,
    pub(super) numbering: &'a Numbering,
    pub(super) map: &'a VarMap,
    pub(super) images: &'a Images,
    pub(super) labels: &'a SquareLabels,
    pub(super) outline: &'a Outline,
    /// True if the variables that do not belong to squares have names in comments.
    pub(super) names: bool,
}

impl FileComments<'_> {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.origin(out)?;
        self.sizes(out)?;
        self.candidates(out)?;
        self.auxiliary(out)
    }

    /// The origin of the formula.
    fn origin(&self, out: &mut impl Write) -> io::Result<()> {
        let EncodingInfo { id, title, citation, revision, constraints, .. } = self.info;
        let Numbering { variables, literals, clauses, .. } = *self.numbering;
        let seeds = [("variables", variables), ("literals", literals), ("clauses", clauses)];
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
        // They are about rows and columns.
        if self.problem.grid().is_some() {
            line("constraints", constraints)?;
        }
        line("numbering", &numbering)?;
        match self.problem.noun() {
            "instance" => {
                line("problem", self.problem.kind())?;
                line("instance", &self.problem.name())?;
            }
            noun => line(noun, &self.problem.name())?,
        }
        let number = |&candidate: &u32| match self.problem.square(candidate) {
            Some(square) => square.to_string(),
            None => (u64::from(candidate) + 1).to_string(),
        };
        let [given, excluded] = [self.problem.given_section(), self.problem.excluded_section()];
        self.list(out, &format!("{given}:"), self.problem.given().iter().map(number))?;
        self.list(out, &format!("{excluded}:"), self.problem.excluded().iter().map(number))
    }

    /// The sizes of the formula and of each of its sections, and the numbers of each section's clauses.
    fn sizes(&self, out: &mut impl Write) -> io::Result<()> {
        let Size { variables, clauses, literals } = self.outline.stats.size();
        let Style { sign, clauses: word_for_clauses, .. } = self.style;
        let primary = self.outline.stats.primary();
        writeln!(out, "{sign} variables: {variables}, of which {primary} primary")?;
        writeln!(out, "{sign} {word_for_clauses}: {clauses}")?;
        writeln!(out, "{sign} literals: {literals}")?;
        for section in self.outline.stats.clone().into_sections() {
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

    /// The meaning of the variables: names, and one line per square or candidate.
    fn candidates(&self, out: &mut impl Write) -> io::Result<()> {
        let Style { sign, id, not, .. } = self.style;
        for (image, label) in self.labels.names(self.style) {
            let negated = if image.is_neg() { "~" } else { "" };
            writeln!(out, "{sign} varname {id}{} {negated}{label}", image.vidx() + 1)?;
        }
        let chosen = match self.problem.grid() {
            Some(_) => "a square is occupied",
            None => "a candidate is chosen",
        };
        writeln!(out, "{sign} {chosen} iff all literals of its line hold")?;
        for (candidate, cube) in (0..).zip(self.map.cubes()) {
            if let Some(square) = self.problem.square(candidate) {
                write!(out, "{sign} square {square}")?;
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

    /// The names of the variables that do not belong to squares, in the order of the variables of the file.
    fn auxiliary_names(&self, out: &mut impl Write) -> io::Result<()> {
        let Style { sign, id, .. } = self.style;
        let image = |var: Var| self.images.of(var.pos_lit());
        let mut write = |image: Lit, name: &dyn Display| {
            writeln!(out, "{sign} varname {id}{} {name}", image.vidx() + 1)
        };
        let (mut last, mut is_ascending) = (0, true);
        self.outline.each_auxiliary_name(self.labels, |var, _| {
            is_ascending &= image(var).vidx() >= last;
            last = image(var).vidx();
        });
        if is_ascending {
            let mut written = Ok(());
            self.outline.each_auxiliary_name(self.labels, |var, name| {
                if written.is_ok() {
                    written = write(image(var), name);
                }
            });
            return written;
        }
        let mut names: Vec<(Lit, String)> = Vec::new();
        self.outline.each_auxiliary_name(self.labels, |var, name| {
            names.push((image(var), name.to_string()));
        });
        names.sort_unstable_by_key(|(image, _)| image.vidx());
        names.iter().try_for_each(|(image, name)| write(*image, name))
    }

    /// The sections of the variables that do not belong to squares, and their names if they are wanted.
    fn auxiliary(&self, out: &mut impl Write) -> io::Result<()> {
        if self.names {
            self.auxiliary_names(out)?;
        }
        for section in self.outline.stats.clone().into_sections() {
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
        /// The length of lines: readable for people, and short enough for the buffers of older tools.
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

/// Text for a comment: on one line, and without two hyphens in a row, which CaDiCaL reads as the beginning of an
/// option.
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

/// A name without spaces.
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
