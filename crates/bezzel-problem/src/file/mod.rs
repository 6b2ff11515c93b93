//! Files of constraints: clauses, and bounds on numbers of literals.
//!
//! # Formats
//!
//! The format is known by the header, not by the name of the file. Lines end in `\n` or `\r\n`, and a byte order mark may
//! stand before the first. A constraint may go over several lines, and a line may have several constraints. Variables go
//! up to 2³¹ − 1. Integers have any size if `large.rs` makes them at most 2⁶³ − 1. In all formats but OPB, lines that
//! begin with `c` are comments; `c p show` and `c ind` are projection sets.
//! - **CNF**: `p cnf V C`, then C clauses, each ended by `0`. Comments state groups: `c amo 1 2 -3 0` is at most one of
//!   the literals, `c alo 1 2 0` at least one, and `c eo 1 2 0` or `c exactly-one 1 2 0` exactly one. A group is one
//!   line behind the header, and a constraint beside the clauses, which `C` does not count. Comments with other words
//!   than numbers are ignored. The lines `%` and `0` may end a file, as in SATLIB.
//! - **KNF**: `p knf V C`. A constraint is a clause, or `k BOUND 1 2 -3 0`: at least BOUND of the literals.
//! - **CNF+**: `p cnf+ V C`. A constraint is a clause, or literals and a bound at the end of a line: `1 2 -3 <= 1`,
//!   `1 2 -3 >= 2`, or with weights `w 2*1 3*-3 >= 2`.
//! - **OPB**: constraints as `+1 x1 -2 ~x3 >= 2 ;`, with `>=`, `=`, `<=`, `>` or `<`. The header `* #variable= V
//!   #constraint= C` may be missing or wrong; then the largest variable is the last. `names.rs` describes names. Lines that
//!   begin with `*` are comments, and words that begin with `@` are labels. `preserved:` is a projection set. `products.rs`
//!   describes products. An objective, `min:` or `max:`, is used according to the [goal](Goal). Costs of constraints are
//!   refused.
//!
//! Content that is not used and wrong headers of OPB give [notes](ProblemFile::notes). `recognise.rs` names the formats
//! that are not read.
//!
//! # Candidates and families
//!
//! Candidate 0 is variable 1. `normal.rs` describes the form of the constraints. Clauses are the problem's clauses; so
//! are literals that must hold. Groups with the same bounds are a family, in the order of their first groups:
//! `exactly-one`, `at-most-one`, and others by their bounds as `at-least-2`, `at-most-3`, `exactly-4`, or with weights
//! `linear-at-least-7`. [`GroupFamily::origin`](crate::GroupFamily::origin) has the place of the first group.
//!
//! # Identity
//!
//! An instance is the digest of its constraints in normal form and of the number of variables, and a name that is
//! only shown. The file itself is not stored with the instance: a process reads it before it builds the problem. The
//! caller decompresses.
//!
//! *Sources.* KNF: J. E. Reeves, M. J. H. Heule, R. E. Bryant, "From Clauses to Klauses", CAV 2024. CNF+: the `formula`
//! module of PySAT. OPB: O. Roussel, V. Manquinho, "Input/Output Format and Solver Requirements for the Competitions of
//! Pseudo-Boolean Solvers".

use std::cmp::Ordering;
use std::fmt;
use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::path::PathBuf;
use std::sync::Arc;

use num_bigint::BigInt;
use serde::{Deserialize, Serialize};

use crate::entry::{EntryError, EntryFile, EntryForm, EntryKey, EntryValues};
use crate::kind::{EntryKind, Kind};
use crate::literal::{Candidate, Literal};
use crate::problem::Problem;
use crate::solution::Solution;
use crate::text::FileError;

mod constraint;
mod content;
mod detect;
#[cfg(test)]
mod detect_tests;
mod dimacs;
mod evaluate;
#[cfg(test)]
mod form_tests;
mod joined;
mod large;
mod names;
mod normal;
mod objective;
mod opb;
mod parsed;
mod products;
mod recognise;
#[cfg(test)]
mod tests;

pub use detect::Detected;
pub use dimacs::{FormulaVisitor, MAX_COMMENT, read_formula};
pub use normal::{Changes, is_family};
pub use objective::{Goal, Objective, ObjectiveBound};
pub use parsed::{Format, ProjectionSet};

use content::FileContent;
use normal::{NormalForm, Normaliser};

/// The problem of constraints in normal form.
fn problem_of(normal: &NormalForm) -> Problem {
    let problem = Problem::new(normal.candidates);
    let families = normal.families.iter().cloned();
    families.fold(problem, Problem::with_family).with_clauses(Arc::clone(&normal.clauses))
}

/// A file of constraints. Equality, order and hash are those of the digest.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "StoredFile", into = "StoredFile")]
pub struct ProblemFile {
    name: String,
    candidates: u32,
    digest: u128,
    goal: Goal,
    /// The content; none if the instance comes from JSON.
    own: Option<Arc<FileContent>>,
}

/// The form in JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredFile {
    name: String,
    candidates: u32,
    digest: String,
    /// The use of the objective; absent if it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    objective: Option<String>,
}

impl From<ProblemFile> for StoredFile {
    fn from(file: ProblemFile) -> Self {
        let objective = (!file.goal.is_ignored()).then(|| file.goal.to_string());
        Self { digest: file.digest(), candidates: file.candidates, name: file.name, objective }
    }
}

impl TryFrom<StoredFile> for ProblemFile {
    type Error = String;

    fn try_from(stored: StoredFile) -> Result<Self, String> {
        let text = stored.digest;
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        let digest = Some(&text).filter(|text| text.len() == 32 && text.bytes().all(is_hex));
        let digest =
            digest.and_then(|text| u128::from_str_radix(text, 16).ok()).ok_or_else(|| {
                format!("the digest of a file is 32 of the digits 0 to f, not `{text}`")
            })?;
        let goal = stored.objective.map_or(Ok(Goal::Ignored), |text| text.parse())?;
        Ok(Self { name: stored.name, candidates: stored.candidates, digest, goal, own: None })
    }
}

impl ProblemFile {
    /// Reads a file. `name` is only shown; `path` is where another process finds the file.
    ///
    /// # Errors
    ///
    /// The first fault of the file.
    pub fn read(
        name: impl Into<String>,
        path: Option<PathBuf>,
        bytes: impl Into<Vec<u8>>,
    ) -> Result<Self, FileError> {
        Self::read_shared(name, path, Arc::new(bytes.into()))
    }

    /// Reads a file whose bytes are shared: they may be large, and are held once.
    ///
    /// # Errors
    ///
    /// The first fault of the file.
    pub fn read_shared(
        name: impl Into<String>,
        path: Option<PathBuf>,
        bytes: Arc<Vec<u8>>,
    ) -> Result<Self, FileError> {
        Self::read_for(name.into(), path, bytes, (Goal::Ignored, true))
    }

    /// Reads a file for this use of its objective. Only a content that is kept is found by its digest.
    fn read_for(
        name: String,
        path: Option<PathBuf>,
        bytes: Arc<Vec<u8>>,
        (goal, is_kept): (Goal, bool),
    ) -> Result<Self, FileError> {
        let content = content::read(path, bytes, (&goal, is_kept))?;
        let (candidates, digest) = (content.normal.candidates, content.normal.digest);
        Ok(Self { name, candidates, digest, goal, own: Some(content) })
    }

    /// The same file, with this use of its objective.
    ///
    /// # Errors
    ///
    /// When this process has not read the file, or it has no objective.
    pub fn with_goal(&self, goal: Goal) -> Result<Self, FileError> {
        if goal == self.goal {
            return Ok(self.clone());
        }
        let content = self.content().ok_or_else(|| FileError::whole("the file was not read"))?;
        Self::read_for(self.name.clone(), content.path.clone(), content.bytes(), (goal, true))
    }

    /// The same file with this bound, for a question that is asked once: its content ends with the value.
    ///
    /// # Errors
    ///
    /// As for [`with_goal`](Self::with_goal).
    pub fn with_bound(&self, bound: &ObjectiveBound) -> Result<Self, FileError> {
        let content = self.content().ok_or_else(|| FileError::whole("the file was not read"))?;
        let goal = (Goal::Bound(bound.clone()), false);
        Self::read_for(self.name.clone(), content.path.clone(), content.bytes(), goal)
    }

    /// The use of the objective.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// The objective, if the file has one and this process has read it.
    pub fn objective(&self) -> Option<Objective> {
        self.content()?.objective.clone()
    }

    /// The problem of a bound on the objective in the middle of its values, beside the constraints of the file, if its
    /// optimum is asked for.
    pub fn middle_bound(&self) -> Option<Problem> {
        let objective = self.objective().filter(|_| self.goal == Goal::Optimum)?;
        let bounded = self.bounded(&objective.middle()).ok()??;
        Some(bounded.with_side_constraints(Arc::new(self.constraints())))
    }

    /// The note that the objective is left out, if it is, and this process has read the file.
    pub fn objective_note(&self) -> Option<String> {
        self.objective().filter(|_| self.goal.is_ignored()).map(|objective| objective.left_out())
    }

    /// The value of the objective, evaluated as the file writes it; none if the file has no objective or was not read.
    pub fn value(&self, solution: &Solution) -> Option<BigInt> {
        self.content()?.stated().value(solution)
    }

    /// The problem of the same candidates whose only constraint is a bound on the objective; none if the file has no
    /// objective, or this process has not read it.
    ///
    /// # Errors
    ///
    /// When the weights are too large.
    pub fn bounded(&self, bound: &ObjectiveBound) -> Result<Option<Problem>, FileError> {
        let Some(content) = self.content() else { return Ok(None) };
        let Some(objective) = &content.objective else { return Ok(None) };
        let mut normaliser = Normaliser::new();
        normaliser.add(&mut objective.constraint(bound))?;
        Ok(Some(problem_of(&normaliser.finish(content.normal.format, self.candidates))))
    }

    /// Compares this file with another one that was read in its place.
    ///
    /// # Errors
    ///
    /// When their constraints are not the same.
    pub fn refuse_other(&self, other: &Self) -> Result<(), FileError> {
        let other = &other.with_goal(self.goal.clone())?;
        if self == other && self.candidates == other.candidates {
            return Ok(());
        }
        let (name, digest, found) = (&self.name, self.digest(), other.digest());
        Err(FileError::whole(format!(
            "the constraints of `{name}` have the digest {found}, not {digest}: the file was \
             changed, so bring back the former one or plan the jobs again"
        )))
    }

    /// The content; none if this process has not read the file.
    fn content(&self) -> Option<Arc<FileContent>> {
        if self.own.is_some() {
            return self.own.clone();
        }
        content::of(self.digest).filter(|content| content.normal.candidates == self.candidates)
    }

    /// True if this process has read the file: [`Kind::problem`] and [`Kind::check`] need it.
    pub fn is_read(&self) -> bool {
        self.content().is_some()
    }

    /// The path of the file; none if this process has not read it, or it has none.
    pub fn path(&self) -> Option<PathBuf> {
        self.content()?.path.clone()
    }

    /// The same file without its name, which is no part of its identity.
    #[must_use]
    pub fn nameless(&self) -> Self {
        Self { name: String::new(), own: None, goal: self.goal.clone(), ..*self }
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The digest of the constraints in normal form, 32 hexadecimal digits.
    pub fn digest(&self) -> String {
        format!("{:032x}", self.digest)
    }

    /// The format; none if this process has not read the file.
    pub fn format(&self) -> Option<Format> {
        self.content().map(|content| content.normal.format)
    }

    /// Content that is not used and numbers of the header that are wrong, each with its place.
    pub fn notes(&self) -> Vec<String> {
        self.content().map(|content| content.notes.clone()).unwrap_or_default()
    }

    /// The projection set, if the file has one and this process has read it.
    pub fn projection(&self) -> Option<ProjectionSet> {
        self.content()?.projection.clone()
    }

    /// The note that the projection set is not used, if the file has one and this process has read it.
    pub fn projection_note(&self) -> Option<String> {
        let ProjectionSet { word, position, .. } = self.projection()?;
        Some(format!(
            "{position}: the projection set of `{word}` is not used here; `bezzel solve FILE --count --projected` counts \
             by it"
        ))
    }

    /// The number of variables that the file has, which come before those of products; all if this process has not read
    /// the file.
    pub fn stated_variables(&self) -> u32 {
        let products = self.content().map_or(0, |content| content.products.len());
        self.candidates - products as u32
    }

    /// True if the variables have names, and this process has read them.
    pub fn has_names(&self) -> bool {
        self.content().is_some_and(|content| content.names.is_some())
    }

    /// The numbers of constraints that reading changed; none if this process has not read the file.
    pub fn changes(&self) -> Option<Changes> {
        self.content().map(|content| content.normal.changes)
    }
}

impl Kind for ProblemFile {
    const ID: &'static str = "file";
    const TITLE: &'static str = "constraint files";
    /// The families that encoders take; a file may have others.
    const FAMILIES: &'static [&'static str] = &["exactly-one", "at-most-one"];
    const SIZE: &'static str = "Variables of the file";
    const RANK: u16 = 11;

    fn identity(&self) -> Option<Self> {
        Some(self.nameless())
    }

    /// # Panics
    ///
    /// When this process has not read the file; see [`ProblemFile::is_read`].
    fn constraints(&self) -> Problem {
        let content =
            self.content().expect("the file of an instance is read before its problem is built");
        problem_of(&content.normal)
    }

    /// The number of variables.
    fn size(&self) -> u32 {
        self.candidates
    }

    /// The name of the variable. If only others have names, it is `#` and its number, else `x` and its number. A product
    /// is its factors with `*` between them.
    fn label(&self, candidate: Candidate) -> String {
        let content = self.content();
        let product = candidate.checked_sub(self.stated_variables());
        let products = content.as_ref().map(|content| &content.products);
        if let Some(factors) =
            product.zip(products).and_then(|(place, all)| all.get(place as usize))
        {
            let factor = |literal: &Literal| {
                let sign = if literal.is_negated() { "~" } else { "" };
                format!("{sign}{}", self.label(literal.candidate()))
            };
            return factors.iter().map(factor).collect::<Vec<_>>().join("*");
        }
        let names = content.as_ref().and_then(|content| content.names.as_ref());
        match names.and_then(|names| names.get(candidate as usize)) {
            Some(name) => name.to_string(),
            // No name begins with this sign.
            None if names.is_some() => format!("#{}", u64::from(candidate) + 1),
            None => format!("x{}", u64::from(candidate) + 1),
        }
    }

    /// The `v` line of the literals that hold, without products. Variables with names are written by these, without a 0
    /// at the end.
    fn draw(&self, solution: &Solution) -> String {
        let mut text = String::from("v");
        if self.has_names() {
            for candidate in 0..self.stated_variables() {
                let sign = if solution.chooses(candidate) { "" } else { "-" };
                write!(text, " {sign}{}", self.label(candidate)).expect("strings take all text");
            }
            return text;
        }
        let mut chosen = solution.chosen().iter().copied().peekable();
        for candidate in 0..self.stated_variables() {
            let sign = if chosen.next_if_eq(&candidate).is_some() { "" } else { "-" };
            write!(text, " {sign}{}", candidate + 1).expect("strings take all text");
        }
        text + " 0"
    }

    /// Evaluates the constraints as the file writes them. A file that was not read is an error.
    fn check(&self, solution: &Solution) -> Result<(), String> {
        let Some(content) = self.content() else {
            return Err(format!("the file `{}` was not read, so nothing is checked", self.name));
        };
        let variables = self.candidates;
        if let Some(last) = solution.chosen().last().filter(|&&last| last >= variables) {
            return Err(format!(
                "there is no variable x{}: the last is x{variables}",
                u64::from(*last) + 1
            ));
        }
        if let Goal::Bound(bound) = &self.goal {
            let value = content.stated().value(solution);
            if !value.as_ref().is_some_and(|value| bound.is_met(value)) {
                let value = value.unwrap_or_default();
                return Err(format!("the objective is {value}, not {bound}"));
            }
        }
        match content.stated().violated(solution) {
            None => Ok(()),
            Some((number, line)) => {
                Err(format!("constraint {number} of the file, in line {line}, does not hold"))
            }
        }
    }
}

impl EntryKind for ProblemFile {
    const ENTRY: &'static [EntryKey] = &[EntryKey::required(
        "file",
        "A file of constraints: CNF with groups in comments, KNF, CNF+ or OPB.",
        EntryForm::File,
    )];

    fn instance(values: &EntryValues) -> Result<Self, EntryError> {
        let EntryFile { name, path, bytes } = values.file("file")?;
        Self::read_shared(name, path.clone(), Arc::clone(bytes))
            .map_err(|error| EntryError::new("file", format!("{name}: {error}")))
    }

    fn examples() -> Vec<Self> {
        let files: [(&str, &str); 4] = [
            ("groups.cnf", "p cnf 5 1\n1 -5 0\nc eo 1 -2 3 0\nc amo 2 3 4 -5 0\nc alo 4 5 0\n"),
            ("three.knf", "p knf 4 2\nk 3 -1 -2 -3 -4 0\n1 2 3 4 0\n"),
            ("weights.opb", "+3 x1 +2 x2 +2 ~x3 +1 x4 <= 5 ;\n+2 x1 +1 x2 +1 x3 +1 ~x4 = 3 ;\n"),
            ("none.opb", "+1 x1 +1 x2 +1 x3 = 1 ;\n+2 x1 +2 ~x2 +2 ~x3 = 2 ;\n+1 x1 >= 1 ;\n"),
        ];
        let read = |(name, text): (&str, &str)| {
            let file = Self::read(name, None, text.as_bytes());
            file.expect("the examples are constraint files")
        };
        files.map(read).into()
    }
}

/// `php8.knf #a1b2c3`, and with a bound on the objective `a.opb at most 41 #a1b2c3`.
impl fmt::Display for ProblemFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Goal::Bound(bound) = &self.goal {
            write!(f, " {bound}")?;
        }
        write!(f, " #{}", &self.digest()[..6])
    }
}

impl fmt::Debug for ProblemFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProblemFile")
            .field("name", &self.name)
            .field("digest", &self.digest())
            .field("candidates", &self.candidates)
            .finish_non_exhaustive()
    }
}

impl PartialEq for ProblemFile {
    fn eq(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

impl Eq for ProblemFile {}

impl PartialOrd for ProblemFile {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ProblemFile {
    fn cmp(&self, other: &Self) -> Ordering {
        self.digest.cmp(&other.digest)
    }
}

impl Hash for ProblemFile {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.digest.hash(state);
    }
}
