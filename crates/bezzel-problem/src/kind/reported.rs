//! The questions that a report asks about an instance, and that its kind answers.

use crate::drawing::Drawing;

/// The answers of a kind of problem to the questions of a report. A kind without an answer of its own has the default.
pub trait ReportedKind {
    /// The form of the instance, in which instances of one size are alike. None if the kind has no forms.
    fn form(&self) -> Option<Form> {
        None
    }

    /// The family that a reader would give the instance, without its size. None if it is the kind.
    fn family(&self) -> Option<String> {
        None
    }

    /// The name in a report if it is shorter than the name of the instance: `9 with 4 given values`. Instances may
    /// share it; a report numbers them.
    fn short_name(&self) -> Option<String> {
        None
    }

    /// The title of a panel with the drawing. None if it is the name in the report.
    fn panel_title(&self) -> Option<String> {
        None
    }

    /// The size that the figure of instances prefers to others. None if it prefers the smallest.
    fn usual_size(&self) -> Option<u32> {
        None
    }

    /// The drawing of the candidates that unit propagation determines: true if a candidate is chosen, none if it is
    /// open. The candidates are in their order.
    fn propagated(&self, _known: &[Option<bool>]) -> Option<Drawing> {
        None
    }

    /// The fragment of the address of the instance on the page of its kind, without the `#`. Empty if the page does not
    /// accept the instance, and none if the kind has no page.
    fn page_fragment(&self) -> Option<String> {
        None
    }

    /// The known number of nodes of the decision diagram that an engine makes of the instance under an encoding. None
    /// if no source has it.
    fn known_nodes(&self, _engine: &str, _encoding: &str) -> Option<KnownNodes> {
        None
    }
}

/// A form of instances.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// The name.
    pub name: String,
    /// The rank among the forms of the kind.
    pub rank: FormRank,
}

/// The rank of a form. A report compares encodings on the largest instance of the first rank that the record has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FormRank {
    /// The form that has nothing special.
    Basic,
    /// A form that differs from the basic one in little.
    Near,
    /// A form that represents no other.
    Special,
}

/// A known number of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownNodes {
    /// The number, without terminals.
    pub nodes: u64,
    /// The source, in a sentence.
    pub source: &'static str,
}
