//! The words for instances of an answer, for the sizes of instances, and for lists.

use std::fmt;

use bezzel_problem::Instance;
use bezzel_solve::Answer;

/// The title of an axis of sizes of several kinds.
const SIZE: &str = "Size of the instance";

/// The word for a size of several kinds.
const SIZE_WORD: &str = "size";

/// The word for an instance with an answer. An instance is nowhere called otherwise.
pub(crate) fn side(answer: Answer) -> &'static str {
    match answer {
        Answer::Sat => "satisfiable",
        Answer::Unsat => "unsatisfiable",
        Answer::Unknown => "unanswered",
    }
}

/// A list in words: `a, b and c`.
pub(crate) fn listed(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match &words[..] {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// The words for instances of an answer.
pub fn with_answer(answer: Answer) -> &'static str {
    match answer {
        Answer::Sat => "satisfiable instances",
        Answer::Unsat => "unsatisfiable instances",
        Answer::Unknown => "unanswered instances",
    }
}

/// The name of the size of some instances: that of their kind if they are of one kind, or else `size`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SizeName {
    /// The title of the size of the kind.
    of_kind: Option<&'static str>,
}

impl SizeName {
    /// The name of the size of these instances.
    pub(crate) fn new<'a>(instances: impl IntoIterator<Item = &'a Instance>) -> Self {
        let mut titles = instances.into_iter().map(Instance::size_title);
        let first = titles.next();
        Self { of_kind: first.filter(|first| titles.all(|title| title == *first)) }
    }

    /// The title of an axis with the sizes.
    pub(crate) fn title(self) -> &'static str {
        self.of_kind.unwrap_or(SIZE)
    }

    /// A size, as in `N = 8` or `vertices = 50`.
    pub(crate) fn of(self, size: impl fmt::Display) -> String {
        format!("{} = {size}", self.short())
    }

    /// The meaning of the sign of the size, as in `N: side of the board.`, if one of these texts has it.
    pub(crate) fn defined<'t>(self, texts: impl IntoIterator<Item = &'t str>) -> Option<String> {
        let (meaning, sign) = self.of_kind?.rsplit_once(", ")?;
        let equation = format!("{sign} = ");
        let is_used = texts.into_iter().any(|text| text.contains(&equation));
        is_used.then(|| format!("{sign}: {}{}.", meaning[..1].to_lowercase(), &meaning[1..]))
    }

    /// The sign at the end of the title, as `n` in `Largest number, n`, or else its first word.
    fn short(self) -> String {
        let Some(title) = self.of_kind else { return SIZE_WORD.to_owned() };
        match title.rsplit_once(", ") {
            Some((_, sign)) => sign.to_owned(),
            None => title.split(' ').next().unwrap_or(title).to_lowercase(),
        }
    }
}

#[cfg(test)]
mod tests {
    use bezzel_problem::kind::langford::Langford;
    use bezzel_problem::kind::latin_square::LatinSquare;
    use bezzel_problem::kind::pigeonhole::Pigeonhole;

    use super::*;

    #[test]
    fn a_size_has_the_name_of_its_kind_if_all_instances_are_of_one_kind() {
        let langford = Instance::from(Langford::new(3).unwrap());
        let holes = [4, 5].map(|pigeons| Instance::from(Pigeonhole::new(pigeons, 3).unwrap()));
        let square = Instance::from(LatinSquare::new(4, None, 3).unwrap());
        let named = |instances: &[&Instance]| {
            let name = SizeName::new(instances.iter().copied());
            (name.title(), name.of(4))
        };
        assert_eq!(named(&[&langford]), ("Largest number, n", "n = 4".into()));
        assert_eq!(named(&[&holes[0], &holes[1]]), ("Pigeons", "pigeons = 4".into()));
        assert_eq!(named(&[&square]), ("Order of the square", "order = 4".into()));
        assert_eq!(named(&[&square, &langford]), ("Size of the instance", "size = 4".into()));
        let defined = |instance, text| SizeName::new([instance]).defined([text]);
        assert_eq!(defined(&langford, "Clauses, n = 4").unwrap(), "n: largest number.");
        assert_eq!(defined(&langford, "Clauses"), None);
        assert_eq!(defined(&square, "Clauses, order = 4"), None);
    }
}
