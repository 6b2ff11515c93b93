//! Labels in a config: names of families of boards, and of programs. Reports show them. No job has them in its key.

use super::node::Node;
use super::source::{ConfigError, Source, SourceLocation};

/// The longest label, in characters. Labels are shown in tables and legends.
pub(super) const LONGEST: usize = 60;

/// A key whose value is a label.
pub(super) struct Label {
    key: &'static str,
    named: &'static str,
    example: &'static str,
}

pub(super) const FAMILY: Label = Label {
    key: "family",
    named: "the family of these instances",
    example: "family: completion, one solution",
};

pub(super) const NAME: Label =
    Label { key: "name", named: "the program in reports", example: "name: triangle" };

/// The key of a program's name.
pub(super) const NAMED: &str = NAME.key;

/// A program with its name.
#[derive(Clone, Debug)]
pub(crate) struct NamedProgram {
    /// The program, as it is named in jobs.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) place: SourceLocation,
}

/// Reads a label.
pub(super) fn read(source: &Source, node: &Node, label: &Label) -> Result<String, ConfigError> {
    let Label { key, named, example } = label;
    let text = source.text_of(node, &format!("`{key}`"))?;
    let problem = if text.trim().is_empty() {
        format!("`{key}` names {named}, and is empty")
    } else if text.chars().any(char::is_control) {
        format!("`{key}` is one line of text")
    } else if text.trim().chars().count() > LONGEST {
        format!("`{key}` has more than {LONGEST} characters")
    } else {
        return Ok(text.trim().to_owned());
    };
    Err(source.error(node.place, problem).hint(format!("as in `{example}`")))
}

/// The names by program. Refuses a name of two programs, and two names of a program; `is_id` is true for ids that
/// a name must not have.
pub(super) fn names<'a>(
    source: &Source,
    all: impl Iterator<Item = &'a NamedProgram>,
    is_id: impl Fn(&str) -> bool,
) -> Result<Vec<(String, String)>, ConfigError> {
    let mut names: Vec<&NamedProgram> = Vec::new();
    for named in all {
        let refused =
            |message: String, mend: &str| Err(source.error(named.place, message).hint(mend));
        if is_id(&named.name) {
            let message =
                format!("`{}` is the id of an encoding, a solver or an engine", named.name);
            return refused(message, "choose another name");
        }
        let is_known = |known: &&&NamedProgram| known.id == named.id || known.name == named.name;
        match names.iter().find(is_known) {
            None => names.push(named),
            Some(known) if known.id != named.id => {
                let (name, line) = (&named.name, known.place.line);
                let message = format!("`{name}` is the name of another program in line {line}");
                return refused(message, "give each program a name of its own");
            }
            Some(known) if known.name != named.name => {
                let (name, line) = (&known.name, known.place.line);
                let message = format!("this program has the name `{name}` in line {line}");
                return refused(message, "remove one of the two names");
            }
            Some(_) => {}
        }
    }
    Ok(names.into_iter().map(|named| (named.id.clone(), named.name.clone())).collect())
}
