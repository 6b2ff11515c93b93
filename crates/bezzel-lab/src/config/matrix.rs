//! The axes of an experiment, and what is added beside them.

use bezzel_encode::{Blocked, Constraints, Symmetry};

use super::axes;
use super::boards::{self, BoardEntry};
use super::encodings::{self, EncodingEntry};
use super::fields::Fields;
use super::file::Attached;
use super::node::Node;
use super::numberings::{self, NumberingEntry};
use super::solvers::{self, SolverEntry};
use super::source::{ConfigError, Place, Source};
use crate::workbench::Workbench;

/// The keys of the axes.
pub(super) const AXES: [&str; 10] = [
    "boards",
    "encodings",
    "constraints",
    "blocked",
    "symmetry",
    "numberings",
    "solvers",
    "reencode",
    "eliminate",
    "proofs",
];

/// So many matrices can be included.
const MOST_INCLUDED: usize = 64;

/// Boards, encodings, settings, numberings and solvers, of which each meets each.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The boards, as listed.
    pub boards: Vec<BoardEntry>,
    /// The encodings, as listed.
    pub encodings: Vec<EncodingEntry>,
    /// The sets of constraints for the encodings that take one.
    pub constraints: Vec<Constraints>,
    /// The ways to treat blocked squares.
    pub blocked: Vec<Blocked>,
    /// The rules of symmetry.
    pub symmetry: Vec<Symmetry>,
    /// The numberings, as listed.
    pub numberings: Vec<NumberingEntry>,
    /// The solvers, as listed, each with every combination of what is switched on and off in it.
    pub solvers: Vec<SolverEntry>,
    /// Where it is included; nowhere, if it is the config's own.
    pub(crate) place: Option<Place>,
}

impl Matrix {
    /// The axes of the config itself, and the files that boards were read from.
    pub(super) fn of_file(
        source: &Source,
        fields: &Fields<'_>,
        workbench: &Workbench,
    ) -> Result<(Self, Vec<Attached>), ConfigError> {
        let needed = |key: &str, example: &str| {
            fields.need(key, example)?;
            fields.list(key).map(Option::unwrap_or_default)
        };
        let (boards, files) = boards::read(source, needed("boards", "boards: [{size: 8}]")?)?;
        let encodings = needed("encodings", "encodings: [pairwise]")?;
        let encodings = encodings::encodings(source, encodings, workbench)?;
        needed("solvers", "solvers: [cadical]")?;
        let solvers = solvers::read(source, &[fields], workbench)?;
        let constraints = match fields.list("constraints")? {
            None => vec![Constraints::default()],
            Some(nodes) => axes::constraints(source, nodes)?,
        };
        let blocked = match fields.list("blocked")? {
            None => vec![Blocked::default()],
            Some(nodes) => axes::blocked(source, nodes)?,
        };
        let symmetry = match fields.list("symmetry")? {
            None => vec![Symmetry::default()],
            Some(nodes) => axes::symmetry(source, nodes)?,
        };
        let numberings = match fields.list("numberings")? {
            None => vec![NumberingEntry::as_generated()],
            Some(nodes) => numberings::read(source, nodes)?,
        };
        let place = None;
        let matrix =
            Self { boards, encodings, constraints, blocked, symmetry, numberings, solvers, place };
        matrix.refuse_boards_without_numbering(source)?;
        Ok((matrix, files))
    }

    /// One entry of `include`: what it does not say is as in the config.
    fn included(
        source: &Source,
        node: &Node,
        of_file: (&Self, &Fields<'_>),
        workbench: &Workbench,
        files: &mut Vec<Attached>,
    ) -> Result<Self, ConfigError> {
        let (mut matrix, above) = (of_file.0.clone(), of_file.1);
        matrix.place = Some(node.place);
        let fields = Fields::new(source, node, "an inclusion", &AXES)?;
        if fields.len() == 0 {
            let message = "an inclusion must say in what it differs from the matrix";
            let example = "as in `{boards: {size: 100}, encodings: product}`";
            return Err(source.error(node.place, message).hint(example));
        }
        if let Some(nodes) = fields.list("boards")? {
            let (boards, named) = boards::read(source, nodes)?;
            matrix.boards = boards;
            files.extend(named);
        }
        if let Some(nodes) = fields.list("encodings")? {
            matrix.encodings = encodings::encodings(source, nodes, workbench)?;
        }
        if let Some(nodes) = fields.list("constraints")? {
            matrix.constraints = axes::constraints(source, nodes)?;
        }
        if let Some(nodes) = fields.list("blocked")? {
            matrix.blocked = axes::blocked(source, nodes)?;
        }
        if let Some(nodes) = fields.list("symmetry")? {
            matrix.symmetry = axes::symmetry(source, nodes)?;
        }
        if let Some(nodes) = fields.list("numberings")? {
            matrix.numberings = numberings::read(source, nodes)?;
        }
        if solvers::KEYS.iter().any(|key| fields.get(key).is_some()) {
            matrix.solvers = solvers::read(source, &[&fields, above], workbench)?;
        }
        matrix.refuse_boards_without_numbering(source)?;
        Ok(matrix)
    }

    /// The entries of `include`.
    pub(super) fn all_included(
        source: &Source,
        nodes: &[Node],
        of_file: (&Self, &Fields<'_>),
        workbench: &Workbench,
        files: &mut Vec<Attached>,
    ) -> Result<Vec<Self>, ConfigError> {
        if let Some(node) = nodes.get(MOST_INCLUDED) {
            let message = format!("`include` has more than {MOST_INCLUDED} entries");
            return Err(source.error(node.place, message).hint("an entry may list several boards"));
        }
        nodes.iter().map(|node| Self::included(source, node, of_file, workbench, files)).collect()
    }

    fn refuse_boards_without_numbering(&self, source: &Source) -> Result<(), ConfigError> {
        for entry in &self.boards {
            if self.numberings.iter().all(|numbering| numbering.count(entry.shuffles) == 0) {
                let message = "with no shuffles this board has no numbering left to run";
                return Err(source
                    .error(entry.place, message)
                    .hint("allow a shuffle, or add `as-generated` to the numberings"));
            }
        }
        Ok(())
    }
}
