//! Unknown names, with the nearest known one.

use thiserror::Error;

use crate::harmless_line;

/// A name that is unknown. The message is one line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", harmless_line(&format!("unknown {kind} `{id}`{}", self.help())))]
pub struct UnknownId {
    /// The kind of the values: `encoding`, `solver`.
    pub kind: &'static str,
    /// The unknown name.
    pub id: String,
    /// The nearest known name, where one is near.
    pub near: Option<String>,
    /// Every known name, where these are few.
    pub known: Vec<String>,
}

/// At most this many names are listed.
const FEW: usize = 9;

impl UnknownId {
    /// Reports that `id` is none of the known ids of this kind, and finds the nearest.
    pub fn new<S: AsRef<str>>(
        kind: &'static str,
        id: &str,
        known: impl IntoIterator<Item = S>,
    ) -> Self {
        let lower = id.to_lowercase();
        let mut known: Vec<String> = known.into_iter().map(|name| name.as_ref().into()).collect();
        let near = known
            .iter()
            .map(|known| (strsim::damerau_levenshtein(&lower, &known.to_lowercase()), known))
            .min_by_key(|&(distance, _)| distance)
            // Beyond a third of its length, or if no letter is left in its place, a suggestion would mislead.
            .filter(|(distance, known)| {
                *distance <= 1 + known.len() / 3 && *distance < lower.len().min(known.len())
            })
            .map(|(_, known)| known.clone());
        if known.len() > FEW {
            known.clear();
        }
        Self { kind, id: id.to_owned(), near, known }
    }

    /// The command that lists the names of this kind, and the form of a program in the place of a name.
    pub fn listed(&self) -> Option<String> {
        let is_plain = |c: char| c.is_alphanumeric() || "-_./ =+".contains(c);
        let program = if self.id.chars().all(is_plain) { self.id.as_str() } else { "PROGRAM" };
        let is_number =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let is_size = self.id.split('x').all(is_number);
        match self.kind {
            "encoding" if is_size => Some(format!(
                "`{program}` is an instance, as in `bezzel solve {program}`, and `bezzel list` shows the \
                 encodings"
            )),
            "encoding" if self.id.contains([' ', '/', '.']) => {
                let python = if program.rsplit('.').next() == Some("py") && !program.contains(' ') { "python3 " } else { "" };
                Some(format!(
                    "`{{command: \"{python}{program}\"}}` is a program that encodes, and `bezzel list` shows \
                     the encodings"
                ))
            }
            "encoding" => Some("`bezzel list` shows what there is".into()),
            "key of an encoding" => Some(
                "the keys are `command` and `kind` of a program, `short`, `long` and `at` of a cut-off, and \
                 the families of the problem of a mixture, such as `rows`"
                    .into(),
            ),
            "solver" => Some(format!(
                "`bezzel list solvers` shows all, and `{{command: \"{program} {{cnf}}\"}}` is a program"
            )),
            "engine" => Some(format!(
                "`bezzel list engines` shows all, and `{{counter: \"{program} {{cnf}}\"}}` is a program \
                 that counts"
            )),
            _ => None,
        }
    }

    /// The help: the nearest name, all names, or the place where they are listed.
    fn help(&self) -> String {
        match (&self.near, &*self.known) {
            (Some(near), _) => format!("; did you mean `{near}`?"),
            (None, []) => self.listed().map_or(String::new(), |listed| format!("; {listed}")),
            (None, [one]) => format!("; there is only `{one}`"),
            (None, known) => format!("; there are {}", known.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggestion_shares_letters_with_the_name_and_programs_are_named_by_their_form() {
        let near = |id, known: &str| UnknownId::new("engine", id, [known]).near;
        for (id, known) in [("rnu", "run"), ("cadcal", "cadical"), ("bd", "bdd")] {
            assert_eq!(near(id, known).as_deref(), Some(known), "{id}");
        }
        for (id, known) in [("d4", "bdd"), ("8", "a"), ("xyz", "run")] {
            assert_eq!(near(id, known), None, "{id}");
        }
        let many = (0..20).map(|number| format!("engine-{number}"));
        let text = UnknownId::new("engine", "d4", many).to_string();
        assert!(text.ends_with("`{counter: \"d4 {cnf}\"}` is a program that counts"), "{text}");
    }
}
