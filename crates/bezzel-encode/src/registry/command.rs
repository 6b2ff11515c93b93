//! Names of programs: `{command: "python3 my_encoder.py"}`.
//!
//! The output of such a program is an encoding like any other once it is recorded. Programs are not run here: the caller
//! runs them and adds the record to the registry, where it is found by this name.

use std::fmt;

use bezzel_problem::{UnknownId, named};

use super::name::quoted;
use super::{Name, NameError};

/// The keys of a name that is a program; the second may be left out.
pub const COMMAND_KEYS: [&str; 2] = ["command", "kind"];

named! {
    /// The constraints that a program encodes, as `kind` names them; the first if it is left out.
    pub enum CommandKind: "kind" {
        /// At most one of some inputs.
        AtMostOne = "at-most-one",
        /// At most k of some inputs.
        AtMostK = "at-most-k",
        /// A weighted sum of at most a bound, and at most k of some inputs.
        Sum = "sum",
        /// The rules of a whole problem on a grid.
        Whole = "board",
    }
}

impl CommandKind {
    /// True if its programs encode at most k of some inputs.
    pub fn takes_bounds(self) -> bool {
        matches!(self, Self::AtMostK | Self::Sum)
    }
}

/// A program that encodes, by its command line.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Command {
    /// The command line, for a shell.
    pub line: String,
    /// The constraints that it encodes.
    pub kind: CommandKind,
}

impl Command {
    /// True if a map with these keys can only be the name of a program.
    pub(super) fn is_meant(parts: &[(String, Name)]) -> bool {
        parts.iter().any(|(key, _)| key == COMMAND_KEYS[0])
    }

    /// The program that a map names.
    pub(super) fn of(parts: &[(String, Name)]) -> Result<Self, NameError> {
        let mut line = "";
        let mut kind = CommandKind::AtMostOne;
        for (key, value) in parts {
            let Name::Id(text) = value else {
                return Err(NameError::Command(format!("`{key}` is a text, not a map")));
            };
            match key.as_str() {
                "command" => line = text,
                "kind" => kind = text.parse()?,
                key => return Err(UnknownId::new("key of an encoding", key, COMMAND_KEYS).into()),
            }
        }
        let refused = if line.trim().is_empty() {
            "`command` is empty"
        } else if line.contains(char::is_control) {
            "`command` is one line without control characters"
        } else {
            return Ok(Self { line: line.to_owned(), kind });
        };
        Err(NameError::Command(refused.to_owned()))
    }
}

/// The name under which its record is found, one for each program.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{command: {}", quoted(&self.line))?;
        match self.kind {
            CommandKind::AtMostOne => f.write_str("}"),
            kind => write!(f, ", kind: {kind}}}"),
        }
    }
}

impl Name {
    /// The programs in the name, itself or its parts, each once.
    ///
    /// # Errors
    ///
    /// When one is malformed.
    pub fn commands(&self) -> Result<Vec<Command>, NameError> {
        let mut found = Vec::new();
        self.collect_commands(&mut found)?;
        found.sort();
        found.dedup();
        Ok(found)
    }

    fn collect_commands(&self, found: &mut Vec<Command>) -> Result<(), NameError> {
        match self {
            Self::Id(_) => Ok(()),
            Self::Map(parts) if Command::is_meant(parts) => {
                found.push(Command::of(parts)?);
                Ok(())
            }
            Self::Map(parts) => parts.iter().try_for_each(|(_, part)| part.collect_commands(found)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Registry;

    fn commands(text: &str) -> Result<Vec<Command>, NameError> {
        Name::parse(text)?.commands()
    }

    #[test]
    fn a_program_has_one_name_however_it_is_written() {
        for (written, name) in [
            ("{command: ./enc}", "{command: \"./enc\"}"),
            ("{kind: at-most-one, command: 'a b'}", "{command: \"a b\"}"),
            ("{command: \"a, {b}\", kind: board}", "{command: \"a, {b}\", kind: board}"),
            ("{kind: at-most-k, command: a}", "{command: \"a\", kind: at-most-k}"),
            ("{command: 'say \"a\" \\n'}", "{command: 'say \"a\" \\n'}"),
            ("{command: \"it's\"}", "{command: \"it's\"}"),
            ("{command: 'it''s \"a\" \\n'}", "{command: 'it''s \"a\" \\n'}"),
            ("{command: 'it''s'}", "{command: \"it's\"}"),
            ("{command: '''a'' b'''}", "{command: \"'a' b'\"}"),
        ] {
            let [command] = &commands(written).unwrap()[..] else { panic!("{written}") };
            assert_eq!(command.to_string(), name);
            assert_eq!(commands(name).unwrap(), std::slice::from_ref(command));
        }
    }

    #[test]
    fn programs_are_found_wherever_they_are_parts() {
        let text = "{rows: {command: b}, columns: {short: pairwise, long: {command: a}, at: 4}, \
                    diagonals: {command: b}}";
        let lines: Vec<String> =
            commands(text).unwrap().into_iter().map(|command| command.line).collect();
        assert_eq!(lines, ["a", "b"]);
        assert_eq!(commands("pairwise"), Ok(vec![]));
    }

    #[test]
    fn an_invalid_command_is_refused_with_the_reason() {
        let cases = [
            ("{command: ''}", "`command` is empty"),
            ("{command: {a: b}}", "`command` is a text, not a map"),
            ("{command: a, kind: bord}", "unknown kind `bord`; did you mean `board`?"),
            ("{command: a, knd: board}", "unknown key of an encoding `knd`; did you mean `kind`?"),
            ("{command: \"a\nb\"}", "`command` is one line without control characters"),
        ];
        for (text, expected) in cases {
            assert_eq!(commands(text).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn a_program_that_is_not_recorded_is_no_encoding_yet() {
        let registry = Registry::standard();
        for text in ["{command: a}", "{short: pairwise, long: {command: a}, at: 3}"] {
            let error = registry.find(text).err().unwrap();
            assert_eq!(error, NameError::Unrecorded("{command: \"a\"}".into()));
        }
    }
}
