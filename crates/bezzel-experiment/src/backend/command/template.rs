//! Command lines with places for the values of a job: `kissat --seed={seed} {cnf}`.

use bezzel_problem::{UnknownId, named};

named! {
    /// A word in curly brackets in a command line.
    pub(super) enum Placeholder {
        /// The file of the formula, in DIMACS CNF.
        Cnf = "cnf",
        /// The file for the proof.
        Proof = "proof",
        /// The file for the proof in LRAT, of a converter.
        Lrat = "lrat",
        /// The file for the answer, in MiniSat's form.
        Answer = "answer",
        /// The seed, from the options.
        Seed = "seed",
        /// The limit of CPU time, in whole seconds.
        Cpu = "cpu",
        /// The limit of wall time, in whole seconds.
        Wall = "wall",
        /// The limit of memory, in MiB.
        Memory = "memory",
    }
}

/// A parsed command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Value(Placeholder, Quotes),
    /// A part that is left out if a placeholder in it has no value.
    Group(Vec<Self>),
}

/// The quotes around a placeholder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Quotes {
    None,
    Single,
    Double,
}

impl Template {
    /// Parses a command line. Curly brackets around one word of small letters are a placeholder, unless a `$` is
    /// before them. Other brackets belong to the shell.
    ///
    /// A part in square brackets with a placeholder is left out if the placeholder has no value. So is a word with
    /// `{proof}` without such brackets.
    pub(super) fn parse(line: &str) -> Result<Self, UnknownId> {
        let mut parser = Parser { rest: line, quotes: Quotes::None, before: None };
        Ok(Self(parser.pieces(false)?))
    }

    /// Returns the kind of the place for `wanted`, if the line has one.
    pub(super) fn place(&self, wanted: Placeholder) -> Option<PlaceholderRequirement> {
        let holds = |pieces: &[Piece]| {
            pieces.iter().any(|piece| matches!(piece, Piece::Value(value, _) if *value == wanted))
        };
        let in_group =
            |piece: &Piece| matches!(piece, Piece::Group(pieces) if holds(pieces.as_slice()));
        match () {
            () if holds(&self.0) => Some(PlaceholderRequirement::Needed),
            () if self.0.iter().any(in_group) => Some(PlaceholderRequirement::Optional),
            () => None,
        }
    }

    /// Returns the command line with these values. Each value is one word for the shell.
    pub(super) fn line(&self, value: &dyn Fn(Placeholder) -> Option<String>) -> String {
        let mut line = String::new();
        fill(&self.0, value, &mut line);
        line
    }
}

/// The kind of a placeholder's place in a command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlaceholderRequirement {
    /// It must have a value.
    Needed,
    /// The part around it is left out if it has no value.
    Optional,
}

fn fill(pieces: &[Piece], value: &dyn Fn(Placeholder) -> Option<String>, line: &mut String) {
    for piece in pieces {
        match piece {
            Piece::Text(text) => line.push_str(text),
            Piece::Value(wanted, quotes) => {
                line.push_str(&quoted(&value(*wanted).unwrap_or_default(), *quotes));
            }
            Piece::Group(pieces) => {
                let open = |piece: &Piece| matches!(piece, Piece::Value(wanted, _) if value(*wanted).is_none());
                if !pieces.iter().any(open) {
                    fill(pieces, value, line);
                }
            }
        }
    }
}

/// A text as one word for the shell.
pub(super) fn word(text: &str) -> String {
    quoted(text, Quotes::None)
}

/// Returns a text as one word for the shell, within the quotes around it.
fn quoted(text: &str, quotes: Quotes) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+@%:,=".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    match quotes {
        Quotes::None => format!("'{}'", text.replace('\'', r"'\''")),
        Quotes::Single => text.replace('\'', r"'\''"),
        Quotes::Double => {
            let mut quoted = String::with_capacity(text.len());
            for c in text.chars() {
                if ['\\', '"', '$', '`'].contains(&c) {
                    quoted.push('\\');
                }
                quoted.push(c);
            }
            quoted
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    quotes: Quotes,
    /// The character before the rest.
    before: Option<char>,
}

impl Parser<'_> {
    /// Parses the pieces up to the end, or to the bracket that closes a group.
    fn pieces(&mut self, in_group: bool) -> Result<Vec<Piece>, UnknownId> {
        let mut pieces = Vec::new();
        // The pieces of the word that is being read.
        let mut word: Vec<Piece> = Vec::new();
        while let Some(c) = self.rest.chars().next() {
            if in_group && c == ']' {
                self.take(c);
                break;
            }
            if let Some(placeholder) = self.placeholder()? {
                word.push(Piece::Value(placeholder, self.quotes));
                continue;
            }
            if !in_group && c == '[' && self.group_begins() {
                self.take(c);
                word.push(Piece::Group(self.pieces(true)?));
                continue;
            }
            let ends_word = self.quotes == Quotes::None
                && self.before != Some('\\')
                && (c.is_whitespace() || ";|&()<>".contains(c));
            if ends_word {
                finish(&mut pieces, &mut word, in_group);
                text(&mut pieces, c);
            } else {
                text(&mut word, c);
            }
            self.turn(c);
            self.take(c);
        }
        finish(&mut pieces, &mut word, in_group);
        Ok(pieces)
    }

    fn take(&mut self, c: char) {
        self.rest = &self.rest[c.len_utf8()..];
        // A backslash that is escaped itself escapes nothing.
        self.before = if c == '\\' && self.before == Some('\\') { None } else { Some(c) };
    }

    /// Updates the quotes after a character.
    fn turn(&mut self, c: char) {
        let escaped = self.before == Some('\\');
        self.quotes = match (self.quotes, c) {
            (Quotes::None, '\'') if !escaped => Quotes::Single,
            (Quotes::None, '"') if !escaped => Quotes::Double,
            (Quotes::Single, '\'') => Quotes::None,
            (Quotes::Double, '"') if !escaped => Quotes::None,
            (quotes, _) => quotes,
        };
    }

    /// Takes a placeholder, if one is next.
    fn placeholder(&mut self) -> Result<Option<Placeholder>, UnknownId> {
        let Some((word, _)) = bracketed(self.rest) else { return Ok(None) };
        if self.before == Some('$') {
            return Ok(None);
        }
        let known = Placeholder::ALL.into_iter().find(|known| known.id() == word);
        let words = || Placeholder::ALL.map(Placeholder::id);
        let found = known.ok_or_else(|| UnknownId::new("placeholder", word, words()))?;
        self.rest = &self.rest[word.len() + 2..];
        self.before = Some('}');
        Ok(Some(found))
    }

    /// Returns true if the next square bracket is closed, with a placeholder before its end.
    fn group_begins(&self) -> bool {
        let Some((inside, _)) = self.rest[1..].split_once(']') else { return false };
        inside.match_indices('{').any(|(at, _)| {
            let word = bracketed(&inside[at..]).map(|(word, _)| word);
            let is_known = |word| Placeholder::ALL.iter().any(|known| known.id() == word);
            !inside[..at].ends_with('$') && word.is_some_and(is_known)
        })
    }
}

/// Returns the word of small letters in curly brackets at the beginning of a text, and the rest of the text.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let (word, rest) = text.strip_prefix('{')?.split_once('}')?;
    let small = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
    small.then_some((word, rest))
}

/// Adds a character to the text at the end.
fn text(pieces: &mut Vec<Piece>, c: char) {
    if let Some(Piece::Text(text)) = pieces.last_mut() {
        text.push(c);
    } else {
        pieces.push(Piece::Text(c.into()));
    }
}

/// Adds a word. A word with a place for a proof may be left out.
fn finish(pieces: &mut Vec<Piece>, word: &mut Vec<Piece>, in_group: bool) {
    let proves = |piece: &Piece| matches!(piece, Piece::Value(Placeholder::Proof, _));
    let word = std::mem::take(word);
    if !in_group && word.iter().any(proves) {
        pieces.push(Piece::Group(word));
    } else {
        pieces.extend(word);
    }
}
