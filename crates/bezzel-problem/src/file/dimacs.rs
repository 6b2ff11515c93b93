//! CNF, KNF and CNF+.

use std::io::Read;

use super::constraint::{ConstraintVisitor, MAX_VARIABLES, ParsedConstraint, Relation};
use super::parsed::{
    Format, NoteKind, Notes, ParsedFile, ProjectionSet, READS, check_count, literal,
};
use super::products::Products;
use crate::literal::Literal;
use crate::text::{FileError, Position, Scanner, Word};

/// The header of a file: its first line that is not a comment.
struct Header {
    format: Format,
    variables: u32,
    constraints: u64,
    /// The place of the number of constraints.
    position: Position,
}

/// The reading of a comment that begins as a group does.
enum GroupComment {
    /// It is no group.
    Words,
    /// It is a group, which was read.
    Group,
    /// It is a group with this fault.
    Fault(FileError),
}

impl Header {
    /// The literal of this word; none if it is 0.
    fn literal(&self, word: &Word) -> Result<Option<Literal>, FileError> {
        let number = word.number("a literal")?;
        if number == 0 {
            return Ok(None);
        }
        let literal = literal(number.unsigned_abs(), number < 0, Some(self.variables));
        literal.map(Some).map_err(|message| word.error(message))
    }
}

/// The longest comment on a formula that is read; longer ones are passed.
pub const MAX_COMMENT: usize = 1 << 16;

/// The most literals of a clause of a formula, which may come from a stream without end.
const MAX_CLAUSE: usize = 1 << 26;

/// Receives the parts of a formula in DIMACS.
pub trait FormulaVisitor {
    /// A comment behind its `c`, with the place of its text.
    ///
    /// # Errors
    ///
    /// A fault of the comment.
    fn comment(&mut self, text: &str, position: Position) -> Result<(), FileError>;

    /// A clause, with the place of its first word.
    ///
    /// # Errors
    ///
    /// When it is not taken.
    fn clause(&mut self, literals: &[Literal], position: Position) -> Result<(), FileError>;
}

/// Reads a formula in `p cnf` to its end, and gives the number of its variables.
///
/// Literals are written strictly: without `+`, and 0 without a sign. Groups in comments are comments.
///
/// # Errors
///
/// The first fault of the text, or of a part that the visitor does not take.
pub fn read_formula(
    from: &mut dyn Read,
    visitor: &mut dyn FormulaVisitor,
) -> Result<u32, FileError> {
    let parsed =
        DimacsReader::new(Scanner::new(from), Receiver::Formula(visitor, Vec::new())).read()?;
    Ok(parsed.variables)
}

/// Reads a file of constraints.
pub(super) fn read<'a>(
    scanner: Scanner<'a>,
    each: ConstraintVisitor<'a>,
) -> Result<ParsedFile, FileError> {
    DimacsReader::new(scanner, Receiver::Constraints(each)).read()
}

/// The receiver of a file.
enum Receiver<'a> {
    /// Takes constraints of all formats, and groups in comments.
    Constraints(ConstraintVisitor<'a>),
    /// Takes the clauses of `p cnf`, and all comments. The list is for the literals of a clause.
    Formula(&'a mut dyn FormulaVisitor, Vec<Literal>),
}

impl Receiver<'_> {
    /// The headers that it takes, for messages.
    fn headers(&self) -> &'static str {
        HEADERS[usize::from(matches!(self, Self::Formula(..)))]
    }

    fn take(&mut self, written: &mut ParsedConstraint) -> Result<(), FileError> {
        match self {
            Self::Constraints(each) => each(written)?,
            Self::Formula(visitor, literals) => {
                literals.clear();
                literals.extend(written.terms.iter().map(|term| term.0));
                visitor.clause(literals, written.position)?;
            }
        }
        written.clear();
        Ok(())
    }
}

/// The fault of a relation that CNF+ does not have.
fn other_relation(word: &Word) -> FileError {
    let message = match word.bytes() {
        b"=" | b"==" => {
            "CNF+ has no `=`: write the constraint in two lines, one with `<=` and one with `>=`"
                .to_owned()
        }
        b"<" => "CNF+ has no `<`: write `<=` and a bound that is smaller by 1".to_owned(),
        b">" => "CNF+ has no `>`: write `>=` and a bound that is larger by 1".to_owned(),
        [b'<' | b'>', b'=', ..] => {
            format!("`{word}` is no relation: write a blank before the bound")
        }
        _ => format!("`{word}` is no relation: use `<=` or `>=`"),
    };
    word.error(message)
}

/// The headers of files of constraints, and of a formula.
const HEADERS: [&str; 2] = [
    "it is `p cnf V C`, `p knf V C` or `p cnf+ V C`, with the numbers of variables and constraints",
    "it is `p cnf V C`, with the numbers of variables and clauses",
];

/// The fault of words behind the end of a SATLIB file.
const AFTER_PERCENT: &str =
    "after a line `%`, which ends files of SATLIB, only a line `0` may stand: delete the rest";

struct DimacsReader<'a> {
    scanner: Scanner<'a>,
    receiver: Receiver<'a>,
    header: Option<Header>,
    /// The place of a group in a comment before the header.
    early: Option<Position>,
    written: ParsedConstraint,
    /// The group of a comment.
    group: ParsedConstraint,
    notes: Notes,
    projection: Option<ProjectionSet>,
    /// A comment on a formula.
    text: Vec<u8>,
}

impl<'a> DimacsReader<'a> {
    fn new(scanner: Scanner<'a>, receiver: Receiver<'a>) -> Self {
        Self {
            scanner,
            receiver,
            header: None,
            early: None,
            written: ParsedConstraint::empty(),
            group: ParsedConstraint::empty(),
            notes: Notes::default(),
            projection: None,
            text: Vec::new(),
        }
    }

    /// Reads the text to its end.
    fn read(mut self) -> Result<ParsedFile, FileError> {
        let headers = self.receiver.headers();
        let mut found = 0;
        // Terms are pending, or the bound of a KNF constraint.
        let mut is_open = false;
        // The pending terms have weights.
        let mut is_weighted = false;
        while let Some(byte) = self.scanner.skip_blanks(false)? {
            if byte == b'c' && self.scanner.is_at_start() {
                self.scanner.pass(byte);
                self.comment(is_open)?;
                self.scanner.skip_line()?;
                continue;
            }
            let word = self.scanner.word_while(|byte| !byte.is_ascii_whitespace())?;
            if word.is_first && word.bytes() == b"p" {
                self.header(&word)?;
                continue;
            }
            let Some(header) = &self.header else {
                let what = match word.bytes() {
                    b"h" => format!("`h` begins a hard clause of WCNF, which is not read: {READS}"),
                    _ => format!("the header is missing before `{word}`: {headers}"),
                };
                return Err(word.error(what));
            };
            let format = header.format;
            if word.bytes() == b"%" && word.is_first && !is_open {
                self.end_of_satlib()?;
                break;
            }
            if !is_open {
                self.written.relation = Relation::AtLeast;
                self.written.bound = 1;
                self.written.position = word.position;
            }
            match (word.bytes(), format) {
                (b"k", Format::Knf) if is_open => {
                    return Err(
                        word.error("a `0` is missing before `k`: it ends the constraint before")
                    );
                }
                (b"k", Format::Knf) => {
                    self.written.bound = self.bound(&word, "k")?;
                    is_open = true;
                }
                (b"w", Format::CnfPlus) if !is_open => (is_open, is_weighted) = (true, true),
                (b"<=" | b">=", Format::CnfPlus) => {
                    self.written.relation = match word.bytes() {
                        b"<=" => Relation::AtMost,
                        _ => Relation::AtLeast,
                    };
                    self.written.bound = self.bound(&word, "the relation")?;
                    self.end_of_bound()?;
                    self.receiver.take(&mut self.written)?;
                    (found, is_open, is_weighted) = (found + 1, false, false);
                }
                ([b'<' | b'>' | b'=' | b'!', ..], Format::CnfPlus) => {
                    return Err(other_relation(&word));
                }
                _ if is_weighted => self.weighted(&word)?,
                _ if self.literal(&word)? => is_open = true,
                _ => {
                    self.receiver.take(&mut self.written)?;
                    (found, is_open) = (found + 1, false);
                }
            }
        }
        let end = self.scanner.position();
        let Some(header) = self.header else {
            return Err(FileError::at(end, format!("the file ends without a header: {headers}")));
        };
        if is_open {
            let start = self.written.position;
            let missing = if is_weighted { "its relation and its bound are" } else { "its `0` is" };
            let message = format!("the constraint of {start} is not ended: {missing} missing");
            return Err(FileError::at(end, message));
        }
        check_count(header.constraints, found, header.position)?;
        if let Some(set) = &mut self.projection {
            set.keep_below(header.variables, &mut self.notes);
        }
        Ok(ParsedFile {
            format: header.format,
            variables: header.variables,
            names: None,
            projection: self.projection,
            objective: None,
            products: Products::default(),
            notes: self.notes,
        })
    }

    /// Adds a literal; false if the word is the 0 that ends a constraint.
    fn literal(&mut self, word: &Word) -> Result<bool, FileError> {
        let Some(header) = &self.header else { return Ok(false) };
        if word.is_first && matches!(word.bytes(), b"a" | b"e") && header.format == Format::Cnf {
            return Err(word.error(format!("quantifiers (QDIMACS) are not read: {READS}")));
        }
        if matches!(self.receiver, Receiver::Formula(..)) {
            if !word.is_plain_literal() {
                let message = format!("`{word}` is no literal: it is a number as `3` or `-3`");
                return Err(word.error(message));
            }
            if self.written.terms.len() == MAX_CLAUSE {
                return Err(word.error(format!("a clause of more than {MAX_CLAUSE} literals")));
            }
        }
        let found = header.literal(word)?;
        self.written.terms.extend(found.map(|literal| (literal, 1)));
        Ok(found.is_some())
    }

    /// Adds a literal with its weight, as `3*-4`.
    fn weighted(&mut self, word: &Word) -> Result<(), FileError> {
        let Some(header) = &self.header else { return Ok(()) };
        let Some((weight, literal)) = word.split(b'*') else {
            let message = "a line that begins with `w` has weights and literals, as `2*1 3*-4`, and ends in a relation \
                 and a bound";
            return Err(word.error(format!("`{word}` is no literal with a weight: {message}")));
        };
        let Some(literal) = header.literal(&literal)? else {
            return Err(word.error("0 is no literal"));
        };
        self.written.push(literal, weight.whole_number("a weight")?);
        Ok(())
    }

    /// Passes the lines `%` and `0` at the end of the files of SATLIB.
    fn end_of_satlib(&mut self) -> Result<(), FileError> {
        match self.scanner.word(false)? {
            None => return Ok(()),
            Some(word) if word.bytes() == b"0" => {}
            Some(word) => return Err(word.error(AFTER_PERCENT)),
        }
        match self.scanner.word(false)? {
            None => Ok(()),
            Some(word) => Err(word.error(AFTER_PERCENT)),
        }
    }

    /// The number after `k`, `<=` or `>=`.
    fn bound(&mut self, before: &Word, name: &str) -> Result<i64, FileError> {
        match self.scanner.word(true)? {
            Some(word) => word.number("a bound"),
            None => Err(before.error(format!("the bound is missing after {name} in this line"))),
        }
    }

    /// The bound of CNF+ ends its constraint, and its line.
    fn end_of_bound(&mut self) -> Result<(), FileError> {
        if let Some(word) = self.scanner.word(true)? {
            return Err(word.error(format!(
                "`{word}` stands after a bound, which ends a constraint without a `0`: begin a line"
            )));
        }
        if self.scanner.peek()?.is_none() {
            let text =
                "the last line does not end, so its bound may be cut; it is read as it stands";
            self.notes.add(NoteKind::OpenEnd, self.scanner.position(), text);
        }
        Ok(())
    }

    /// Reads the header after its `p`.
    fn header(&mut self, first: &Word) -> Result<(), FileError> {
        let headers = self.receiver.headers();
        if self.header.is_some() {
            return Err(first.error("there is a second header: a file has one"));
        }
        let Some(word) = self.scanner.word(true)? else {
            return Err(first.error(format!("the header is cut: {headers}")));
        };
        let is_formula = matches!(self.receiver, Receiver::Formula(..));
        let format = match word.bytes() {
            b"cnf" => Format::Cnf,
            b"knf" if !is_formula => Format::Knf,
            b"cnf+" if !is_formula => Format::CnfPlus,
            b"wcnf" => {
                let message = format!("`p wcnf` is WCNF, with soft clauses: {READS}");
                return Err(word.error(message));
            }
            _ => return Err(word.error(format!("a header `p {word}` is not read: {headers}"))),
        };
        let mut number = |name: &str, max: u64| {
            let Some(word) = self.scanner.word(true)? else {
                let message = format!("the header is without its number of {name}: {headers}");
                return Err(first.error(message));
            };
            let number = word.number(&format!("the number of {name}"))?;
            match u64::try_from(number) {
                Ok(number) if number <= max => Ok((number, word.position)),
                _ => Err(word.error(format!("a file has 0 to {max} {name}, not {number}"))),
            }
        };
        let (variables, _) = number("variables", MAX_VARIABLES)?;
        let (constraints, position) = number("constraints", i64::MAX as u64)?;
        if let Some(word) = self.scanner.word(true)? {
            return Err(word.error(format!("`{word}` stands after the header: begin a line")));
        }
        if let (Format::Cnf, Some(early)) = (format, self.early) {
            return Err(FileError::at(
                early,
                "a group stands before the header `p cnf`: move it behind",
            ));
        }
        self.header = Some(Header { format, variables: variables as u32, constraints, position });
        Ok(())
    }

    /// Reads a comment after its `c`, up to the end of its line at most.
    fn comment(&mut self, is_open: bool) -> Result<(), FileError> {
        if let Receiver::Formula(visitor, _) = &mut self.receiver {
            let position = self.scanner.position();
            self.scanner.line(&mut self.text, MAX_COMMENT)?;
            // The end of a longer one is missing.
            if self.text.len() == MAX_COMMENT {
                return Ok(());
            }
            return visitor.comment(&String::from_utf8_lossy(&self.text), position);
        }
        // Words as `comment` are words of a comment too.
        if self.scanner.peek()?.is_some_and(|byte| !byte.is_ascii_whitespace()) {
            return Ok(());
        }
        let Some(name) = self.scanner.word(true)? else { return Ok(()) };
        let relation = match name.bytes() {
            b"amo" => Relation::AtMost,
            b"alo" => Relation::AtLeast,
            b"eo" | b"exactly-one" => Relation::Equal,
            b"ind" => return self.projection("c ind", name.position),
            b"p" => return self.counters_comment(),
            _ => return Ok(()),
        };
        if self.header.as_ref().is_some_and(|header| header.format != Format::Cnf) {
            return Ok(());
        }
        self.group.relation = relation;
        self.group.position = name.position;
        self.group.clear();
        let fault = match self.group_literals(&name)? {
            GroupComment::Words => return Ok(()),
            GroupComment::Group => None,
            GroupComment::Fault(fault) => Some(fault),
        };
        if self.header.is_none() {
            self.early = self.early.or(Some(name.position));
            return Ok(());
        }
        if let Some(fault) = fault {
            return Err(fault);
        }
        if is_open {
            return Err(name.error("a group stands within a clause: move it behind the clause"));
        }
        self.receiver.take(&mut self.group)
    }

    /// Reads the literals of a group to the end of the line. A comment with another word is no group.
    fn group_literals(&mut self, name: &Word) -> Result<GroupComment, FileError> {
        let mut fault = None;
        let (mut is_ended, mut is_begun) = (false, false);
        while let Some(word) = self.scanner.word(true)? {
            if !word.is_whole_number() {
                if is_begun {
                    let text =
                        format!("`c {name}` is a comment and no group, as `{word}` is no literal");
                    self.notes.add(NoteKind::GroupComment, name.position, text);
                }
                return Ok(GroupComment::Words);
            }
            is_begun = true;
            if is_ended {
                fault = fault.or_else(|| {
                    let message = format!("`{word}` stands after the `0` of the group `c {name}`");
                    Some(word.error(format!("{message}: write one group in a line")))
                });
                continue;
            }
            match self.header.as_ref().map(|header| header.literal(&word)) {
                Some(Ok(Some(literal))) => self.group.terms.push((literal, 1)),
                Some(Err(error)) => fault = fault.or(Some(error)),
                Some(Ok(None)) => is_ended = true,
                None => is_ended = word.bytes() == b"0",
            }
        }
        if !is_begun {
            return Ok(GroupComment::Words);
        }
        if !is_ended {
            let message = format!("the group `c {name}` is not ended: its `0` is missing");
            fault = fault.or(Some(FileError::at(self.scanner.position(), message)));
        }
        Ok(fault.map_or(GroupComment::Group, GroupComment::Fault))
    }

    /// Reads a comment of the Model Counting Competition after its `c p`.
    fn counters_comment(&mut self) -> Result<(), FileError> {
        match self.scanner.word(true)? {
            Some(word) if word.bytes() == b"show" => self.projection("c p show", word.position),
            Some(word) if word.bytes() == b"weight" => {
                let text = "weights of literals (`c p weight`) are not used";
                self.notes.add(NoteKind::Weights, word.position, text);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Reads the variables of a projection set, up to their 0. A line with other words is a comment.
    fn projection(&mut self, word: &'static str, position: Position) -> Result<(), FileError> {
        let mut variables = Vec::new();
        while let Some(number) = self.scanner.word(true)? {
            match number.number("").ok().map(u32::try_from) {
                Some(Ok(0)) => {
                    let new = || ProjectionSet::new(word, position);
                    self.projection.get_or_insert_with(new).variables.extend(variables);
                    return Ok(());
                }
                Some(Ok(number)) => variables.push(number - 1),
                _ => break,
            }
        }
        if !variables.is_empty() {
            let text = format!(
                "`{word}` is a comment and no projection set, which has variables and a `0` behind them"
            );
            self.notes.add(NoteKind::ProjectionComment, position, text);
        }
        Ok(())
    }
}
