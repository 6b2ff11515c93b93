//! Words for the instances of a record. Texts are written in the words of boards. A record with instances of another
//! kind has them in the words of instances.

use std::borrow::Cow;
use std::fmt;

use bezzel_problem::Instance;
use bezzel_queens::Board;
use bezzel_solve::Answer;

/// The words for the instances of a record. Displayed, they are `board` or `instance`; `{:#}` begins with a capital
/// letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InstanceTerms {
    /// All instances are queens or rooks on boards.
    Boards,
    /// Some instances are of another kind.
    Instances,
}

/// The title of the axis of sizes of several kinds.
const SIZE: &str = "Size of the instance";

/// Phrases in the words of boards, with those of instances. Longer phrases come before their parts.
const PHRASES: [(&str, &str); 19] = [
    ("largest plane board", "largest instance"),
    (" a board", " an instance"),
    ("A board", "An instance"),
    ("side of the board", "size of the instance"),
    ("several boards of a side", "several instances of a size"),
    ("boards per side", "instances per size"),
    ("every side", "every size"),
    ("each side", "each size"),
    ("the same side", "the same size"),
    ("best encoding of the side", "best encoding of the size"),
    ("three sides", "three sizes"),
    ("same N ", "same size "),
    ("implied squares", "implied values"),
    ("Implied squares", "Implied values"),
    ("given queens", "given values"),
    ("the squares", "the values"),
    ("reads the queens off", "reads the solution off"),
    ("board", "instance"),
    ("Board", "Instance"),
];

impl InstanceTerms {
    /// The words for these instances.
    pub(crate) fn new<'a>(instances: impl IntoIterator<Item = &'a Instance>) -> Self {
        let all_boards = instances.into_iter().all(|instance| Board::of(instance).is_some());
        if all_boards { Self::Boards } else { Self::Instances }
    }

    /// `board` or `instance`.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Boards => "board",
            Self::Instances => "instance",
        }
    }

    /// A fixed text in the words of boards, in these words. Names in records must not be part of it.
    pub(crate) fn adapt(self, text: &'static str) -> Cow<'static, str> {
        match self {
            Self::Boards => text.into(),
            Self::Instances => PHRASES
                .iter()
                .fold(text.to_owned(), |text, (boards, instances)| text.replace(boards, instances))
                .into(),
        }
    }

    /// The word for a size.
    pub(crate) fn size_word(self) -> &'static str {
        match self {
            Self::Boards => "side",
            Self::Instances => "size",
        }
    }

    /// A size, as in `N = 8`.
    pub(crate) fn size(self, size: impl fmt::Display) -> String {
        match self {
            Self::Boards => format!("N = {size}"),
            Self::Instances => format!("size {size}"),
        }
    }

    /// The words for instances of an answer.
    pub(crate) fn with_answer(self, answer: Answer) -> Cow<'static, str> {
        self.adapt(match answer {
            Answer::Sat => "boards with a solution",
            Answer::Unsat => "boards without a solution",
            Answer::Unknown => "boards without an answer",
        })
    }
}

impl fmt::Display for InstanceTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self, f.alternate()) {
            (_, false) => self.noun(),
            (Self::Boards, true) => "Board",
            (Self::Instances, true) => "Instance",
        })
    }
}

/// The title of an axis with the sizes of these instances.
pub(crate) fn size_title<'a>(instances: impl IntoIterator<Item = &'a Instance>) -> &'static str {
    let mut titles = instances.into_iter().map(Instance::size_title);
    match titles.next() {
        Some(first) if titles.all(|title| title == first) => first,
        _ => SIZE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_on_boards_are_texts_on_instances_where_a_record_has_another_kind() {
        let text = "A mark is a board of each side; marks at the same N are drawn side by side.";
        assert_eq!(InstanceTerms::Boards.adapt(text), text);
        assert_eq!(
            InstanceTerms::Instances.adapt(text),
            "A mark is an instance of each size; marks at the same size are drawn side by side."
        );
        let solved = "A point for the implied squares is the largest plane board.";
        assert_eq!(
            InstanceTerms::Instances.adapt(solved),
            "A point for the implied values is the largest instance."
        );
        let all = crate::figure::ALL.iter().flat_map(|kind| [kind.title, kind.shows]);
        for text in all.map(|text| InstanceTerms::Instances.adapt(text)) {
            assert!(!text.to_lowercase().contains("board"), "{text}");
            assert!(!text.contains(" a instance"), "{text}");
        }
        assert_eq!(format!("{0}s, {0:#}", InstanceTerms::Instances), "instances, Instance");
    }
}
