//! OPB.

use super::constraint::{ConstraintVisitor, MAX_VARIABLES, ParsedConstraint, Relation};
use super::names::{Names, VariableError, Variables, begins_name, is_in_name};
use super::objective::Objective;
use super::parsed::{Format, NoteKind, Notes, ParsedFile, ProjectionSet, READS};
use super::products::Products;
use crate::literal::{Candidate, Literal};
use crate::text::{FileError, Number, Position, Scanner, Word, quoted};

/// Reads a file whose variables have names, or are numbered, and whose number of variables may be known. None if they
/// are read by numbers, and one has a name.
pub(super) fn read(
    scanner: Scanner<'_>,
    (is_named, variable_count): (bool, Option<u32>),
    each: ConstraintVisitor,
) -> Result<Option<ParsedFile>, FileError> {
    let variables =
        if is_named { Variables::Named(Names::default()) } else { Variables::Numbered(0) };
    let mut reader = OpbReader {
        scanner,
        header: Header::default(),
        variables,
        notes: Notes::default(),
        projection: None,
        objective: None,
        products: Products::new(variable_count),
        digits_end: None,
        name: Vec::new(),
        name_position: Position::START,
    };
    match reader.read(each) {
        Ok(found) => reader.finish(found).map(Some),
        Err(VariableError::IsName) => Ok(None),
        Err(VariableError::Fault(fault)) => Err(fault),
    }
}

/// The numbers of variables and of constraints in the header, with their places.
#[derive(Default)]
struct Header {
    variables: Option<(u64, Position)>,
    constraints: Option<(u64, Position)>,
}

struct OpbReader<'a> {
    scanner: Scanner<'a>,
    header: Header,
    variables: Variables,
    notes: Notes,
    projection: Option<ProjectionSet>,
    objective: Option<Objective>,
    products: Products,
    /// The place behind the last coefficient.
    digits_end: Option<Position>,
    /// The name that was read last and not yet used, with its place.
    name: Vec<u8>,
    name_position: Position,
}

impl From<FileError> for VariableError {
    fn from(fault: FileError) -> Self {
        Self::Fault(fault)
    }
}

impl OpbReader<'_> {
    /// Reads all constraints, and gives their number.
    fn read(&mut self, each: ConstraintVisitor) -> Result<u64, VariableError> {
        let mut written = ParsedConstraint::empty();
        let mut found = 0;
        // The coefficient that waits for its variable.
        let mut coefficient: Option<Number> = None;
        let mut is_open = false;
        while let Some(byte) = self.scanner.skip_blanks(false)? {
            if byte == b'*' && self.scanner.is_at_start() {
                self.comment(found == 0 && !is_open)?;
                continue;
            }
            let position = self.scanner.position();
            if !is_open {
                if byte == b'@' {
                    // A label has no meaning.
                    self.scanner.word(false)?;
                    continue;
                }
                if begins_name(byte) && self.directive(each)? {
                    continue;
                }
                written.position = position;
                is_open = true;
            }
            match byte {
                b'+' | b'-' | b'0'..=b'9' if coefficient.is_none() => {
                    coefficient = Some(self.coefficient("a coefficient")?);
                }
                b'<' | b'>' | b'=' | b'!' if coefficient.is_none() => {
                    self.bound(&mut written)?;
                    if !self.products.is_open() {
                        each(&mut written)?;
                    }
                    written.clear();
                    found += 1;
                    is_open = false;
                }
                _ if byte == b'~' || begins_name(byte) => {
                    if coefficient.is_none() && !written.terms.is_empty() {
                        let message = "a sign is missing before this term, as in `x1 + x2`";
                        return Err(FileError::at(position, message).into());
                    }
                    let weight = coefficient.take().unwrap_or(Number::Small(1));
                    if let Some(literal) = self.product(each)? {
                        written.push(literal, weight);
                    }
                }
                _ => return Err(self.unexpected(found == 0 && written.terms.is_empty())?.into()),
            }
        }
        if is_open {
            let message =
                format!("the constraint of {} is not ended: its `;` is missing", written.position);
            return Err(FileError::at(self.scanner.position(), message).into());
        }
        Ok(found)
    }

    /// The content of a file of `found` constraints.
    fn finish(mut self, found: u64) -> Result<ParsedFile, FileError> {
        if found == 0 && self.header.constraints.is_none() {
            let message = "the file ends without a constraint: if it is whole, its first line is \
                 `* #variable= V #constraint= 0`";
            return Err(FileError::at(self.scanner.position(), message));
        }
        if let Some((promised, position)) = self.header.constraints.filter(|&(n, _)| n != found) {
            let text = format!(
                "the header states {promised} constraints, and the file has {found}, which are read: write {found} \
                 here if the file is whole"
            );
            self.notes.add(NoteKind::Header, position, text);
        }
        let count = self.variables.count();
        let stated = self.header.variables;
        if let Some((promised, position)) = stated.filter(|&(stated, _)| stated < count.into()) {
            let text = match self.variables {
                Variables::Numbered(_) => format!(
                    "the header states {promised} variables, and the file has x{count}: it is read with {count}"
                ),
                Variables::Named(_) => format!(
                    "the header states {promised} variables, and the file has {count} names, which are read"
                ),
            };
            self.notes.add(NoteKind::Header, position, text);
        }
        if let Some(set) = &mut self.projection {
            set.keep_below(count, &mut self.notes);
        }
        let stated = stated.map_or(count, |(stated, _)| count.max(stated as u32));
        Ok(ParsedFile {
            format: Format::Opb,
            variables: stated + self.products.len(),
            names: self.variables.into_names(),
            projection: self.projection,
            objective: self.objective,
            products: self.products,
            notes: self.notes,
        })
    }

    /// Reads the sign and the digits before a variable; one of them may be missing.
    fn coefficient(&mut self, about: &str) -> Result<Number, FileError> {
        let first = self.scanner.position();
        let sign = self.sign()?;
        let number = match (self.scanner.digits(about)?, self.scanner.peek()?) {
            (Some(number), _) => number,
            (None, Some(byte)) if byte == b'~' || begins_name(byte) => Number::Small(1),
            (None, _) => {
                let message = format!("digits are missing after the sign of {about}");
                return Err(FileError::at(first, message));
            }
        };
        self.refuse_fraction(first, about)?;
        self.digits_end = Some(self.scanner.position());
        Ok(if sign == Some(b'-') { number.negated() } else { number })
    }

    /// Passes a sign and the blanks behind it.
    fn sign(&mut self) -> Result<Option<u8>, FileError> {
        let sign = self.scanner.peek()?.filter(|byte| matches!(byte, b'+' | b'-'));
        if let Some(sign) = sign {
            self.scanner.pass(sign);
            self.scanner.skip_blanks(false)?;
        }
        Ok(sign)
    }

    fn refuse_fraction(&mut self, first: Position, about: &str) -> Result<(), FileError> {
        if self.scanner.peek()? != Some(b'.') {
            return Ok(());
        }
        let message = format!(
            "{about} is a whole number, and this one has a decimal point: multiply the constraint by a power of 10"
        );
        Err(FileError::at(first, message))
    }

    /// Reads a name into the buffer.
    fn read_name(&mut self) -> Result<(), FileError> {
        self.name_position = self.scanner.position();
        self.scanner.take_while(&mut self.name, usize::MAX, is_in_name)
    }

    /// The variable of the name that was read, or of the one that comes next.
    fn variable(&mut self) -> Result<Candidate, VariableError> {
        if self.name.is_empty() {
            self.read_name()?;
        }
        let found = self.variables.find(&self.name, self.name_position);
        self.name.clear();
        found
    }

    fn literal(&mut self) -> Result<Literal, VariableError> {
        let negated = self.name.is_empty() && self.scanner.peek()? == Some(b'~');
        if negated {
            self.scanner.pass(b'~');
            if !self.scanner.peek()?.is_some_and(begins_name) {
                let message = "the name of a variable is missing after `~`, as in `~x1`";
                return Err(FileError::at(self.scanner.position(), message).into());
            }
        }
        Ok(Literal::new(self.variable()?, negated))
    }

    /// Reads a literal, or a product of several; none if it is always false.
    fn product(&mut self, each: ConstraintVisitor) -> Result<Option<Literal>, VariableError> {
        let position = self.scanner.position();
        if self.name.is_empty() {
            self.read_name()?;
        }
        let is_exponent = self.digits_end == Some(position)
            && matches!(&*self.name, [b'e' | b'E', rest @ ..] if !rest.is_empty() && rest.iter().all(u8::is_ascii_digit));
        let first = self.literal()?;
        let begins = |byte: Option<u8>| byte.is_some_and(|byte| byte == b'~' || begins_name(byte));
        if !begins(self.scanner.skip_blanks(false)?) {
            return Ok(Some(first));
        }
        if is_exponent {
            let message = "a coefficient is a whole number in digits, as `1000` for `1e3`";
            return Err(FileError::at(position, message).into());
        }
        let mut factors = vec![first];
        while begins(self.scanner.skip_blanks(false)?) {
            factors.push(self.literal()?);
        }
        Ok(self.products.literal(factors, position, each)?)
    }

    /// Reads the relation and the bound, with the `;` behind them.
    fn bound(&mut self, written: &mut ParsedConstraint) -> Result<(), FileError> {
        let word = self.scanner.word_while(|byte| matches!(byte, b'<' | b'>' | b'=' | b'!'))?;
        // `>` and `<` shift the bound by one.
        let (relation, shift) = match word.bytes() {
            b">=" => (Relation::AtLeast, 0),
            b">" => (Relation::AtLeast, 1),
            b"<=" => (Relation::AtMost, 0),
            b"<" => (Relation::AtMost, -1),
            b"=" => (Relation::Equal, 0),
            b"!=" => {
                return Err(word.error(
                    "`!=` is not read: it is no linear constraint; state each side as a constraint of its own with \
                     a new variable",
                ));
            }
            _ => return Err(word.error(format!("`{word}` is no relation: use `>=`, `<=` or `=`"))),
        };
        written.relation = relation;
        self.scanner.skip_blanks(false)?;
        let (first, about) = (self.scanner.position(), "the bound");
        let sign = self.sign()?;
        let Some(number) = self.scanner.digits(about)? else {
            let missing = match sign {
                Some(_) => format!("digits are missing after the sign of {about}"),
                None => format!("{about} is missing: it is a whole number"),
            };
            return Err(FileError::at(first, missing));
        };
        self.refuse_fraction(first, about)?;
        let number = if sign == Some(b'-') { number.negated() } else { number };
        written.set_bound(number.plus(shift));
        if self.scanner.skip_blanks(false)? != Some(b';') {
            return Err(FileError::at(self.scanner.position(), "a `;` is missing after the bound"));
        }
        self.scanner.pass(b';');
        Ok(())
    }

    /// Reads the name at the beginning of a statement. If a `:` follows, it is an objective or a set of variables, and
    /// true is returned. Else it is the first variable of a constraint, and stays in the buffer.
    fn directive(&mut self, each: ConstraintVisitor) -> Result<bool, VariableError> {
        self.read_name()?;
        let position = self.name_position;
        if self.scanner.skip_blanks(true)? != Some(b':') {
            return Ok(false);
        }
        self.scanner.pass(b':');
        match &*self.name {
            word @ (b"min" | b"max") => {
                let is_maximum = word == b"max";
                self.name.clear();
                return self.read_objective(is_maximum, position, each).map(|()| true);
            }
            b"preserved" => {}
            b"soft" => {
                return Err(FileError::at(
                    position,
                    format!(
                        "this is WBO, with constraints that may be violated at a cost: {READS}"
                    ),
                )
                .into());
            }
            name => {
                let name = quoted(name);
                let message = format!(
                    "`{name}:` is not read: the words before a `:` are `min`, `max` and `preserved`; a label is \
                     written `@{name}`"
                );
                return Err(FileError::at(position, message).into());
            }
        }
        self.name.clear();
        let variables = self.variables_to_end(position)?;
        let set = self.projection.get_or_insert_with(|| ProjectionSet::new("preserved:", position));
        set.variables.extend(variables);
        Ok(true)
    }

    /// Reads the sum of an objective. One without terms is none, and one with fractions is not used.
    fn read_objective(
        &mut self,
        is_maximum: bool,
        position: Position,
        each: ConstraintVisitor,
    ) -> Result<(), VariableError> {
        let (mut terms, mut coefficient, mut is_empty) = (Vec::new(), None, true);
        loop {
            match self.scanner.skip_blanks(false)? {
                Some(b'*') if self.scanner.is_at_start() => self.scanner.skip_line()?,
                Some(b';') if coefficient.is_none() => break self.scanner.pass(b';'),
                Some(b'+' | b'-' | b'0'..=b'9') if coefficient.is_none() => {
                    let about = "a coefficient of the objective";
                    coefficient = Some(self.coefficient(about)?);
                }
                Some(byte)
                    if (byte == b'~' || begins_name(byte))
                        && (coefficient.is_some() || is_empty) =>
                {
                    let weight = coefficient.take().unwrap_or(Number::Small(1));
                    terms.extend(self.product(each)?.map(|literal| (literal, weight)));
                    is_empty = false;
                }
                Some(byte) if !matches!(byte, b'<' | b'>' | b'=' | b':') => {
                    return Err(self.unexpected(false)?.into());
                }
                _ => {
                    let message =
                        format!("the statement of {position} is not ended: its `;` is missing");
                    return Err(FileError::at(self.scanner.position(), message).into());
                }
            }
        }
        if let Some(before) = &self.objective {
            let message =
                format!("this is a second objective: the first one is in {}", before.position);
            return Err(FileError::at(position, message).into());
        }
        if !is_empty {
            self.objective = Some(Objective { is_maximum, terms, position });
        }
        Ok(())
    }

    /// Reads up to a `;`, and gives the variables.
    fn variables_to_end(&mut self, start: Position) -> Result<Vec<Candidate>, VariableError> {
        let mut variables = Vec::new();
        loop {
            match self.scanner.skip_blanks(false)? {
                Some(b'*') if self.scanner.is_at_start() => self.scanner.skip_line()?,
                Some(b';') => {
                    self.scanner.pass(b';');
                    return Ok(variables);
                }
                Some(byte) if begins_name(byte) => variables.push(self.variable()?),
                Some(byte @ (b'0'..=b'9' | b'+' | b'-' | b'~')) => self.scanner.pass(byte),
                Some(byte) if !matches!(byte, b'<' | b'>' | b'=' | b':') => {
                    return Err(self.unexpected(false)?.into());
                }
                _ => {
                    let message =
                        format!("the statement of {start} is not ended: its `;` is missing");
                    return Err(FileError::at(self.scanner.position(), message).into());
                }
            }
        }
    }

    /// Passes a comment. One before all constraints may be the header.
    fn comment(&mut self, may_be_header: bool) -> Result<(), FileError> {
        self.scanner.pass(b'*');
        if may_be_header && self.scanner.skip_blanks(true)? == Some(b'#') {
            while self.scanner.skip_blanks(true)? == Some(b'#') {
                let key =
                    self.scanner.word_while(|byte| byte != b'=' && !byte.is_ascii_whitespace())?;
                if self.scanner.skip_blanks(true)? != Some(b'=') {
                    break;
                }
                self.scanner.pass(b'=');
                let value = self.scanner.word(true)?;
                let (place, max) = match key.bytes() {
                    b"#variable" => (&mut self.header.variables, MAX_VARIABLES),
                    b"#constraint" => (&mut self.header.constraints, i64::MAX as u64),
                    _ if value.is_some() => continue,
                    _ => break,
                };
                let Some(value) = value.filter(Word::is_whole_number) else {
                    let text = format!("`{key}=` is no header, as no number follows it");
                    self.notes.add(NoteKind::Header, key.position, text);
                    break;
                };
                let number = value.number(&format!("the value of `{key}=`"))?;
                let Some(number) = u64::try_from(number).ok().filter(|&number| number <= max)
                else {
                    return Err(value.error(format!("`{key}=` goes from 0 to {max}")));
                };
                *place = Some((number, value.position));
            }
        }
        self.scanner.skip_line()
    }

    /// The fault of bytes that belong to no constraint.
    fn unexpected(&mut self, is_beginning: bool) -> Result<FileError, FileError> {
        let word = self.scanner.word(false)?;
        let Some(word) = word else { return Ok(FileError::whole("the file ends early")) };
        Ok(word.error(match word.bytes() {
            [b'[', ..] => {
                format!("this is WBO, with constraints that may be violated at a cost: {READS}")
            }
            _ if is_beginning => format!(
                "`{word}` begins no constraint of a known format: a file begins with `p cnf`, \
                 `p knf` or `p cnf+`, or has constraints as `+1 x1 -2 ~x3 >= 2 ;`"
            ),
            [b';', ..] => "a number stands before `;`: the bound of a constraint follows its relation (`>=`, `<=` or \
                           `=`), and an objective has no constant"
                .to_owned(),
            _ => format!("`{word}` is not part of a constraint, as `+1 x1 -2 ~x3 >= 2 ;` is one"),
        }))
    }
}
