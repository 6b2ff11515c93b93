//! The numberings of an experiment.
//!
//! The shuffles of an order are those of a random numbering under the same seed, except for the names of variables.
//! So both can be compared with clauses and literals in the same disorder.

use bezzel_encode::Numbering;
use bezzel_encode::numbering::{AuxiliaryPlace, SquareOrder};
use bezzel_problem::UnknownId;

use super::axes::named;
use super::fields::Fields;
use super::node::{Node, Value};
use super::source::{ConfigError, Source, SourceLocation};

/// A numbering, or a number of shuffles under consecutive seeds.
#[derive(Clone, Copy, Debug)]
pub struct NumberingEntry {
    kind: NumberingKind,
    pub(crate) place: SourceLocation,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberingKind {
    /// A numbering without shuffles.
    Ordered(Numbering),
    /// A numbering under the seeds from 1 on. In `kind`, a seed only marks a shuffled part; its value is not used.
    Shuffled { kind: Numbering, shuffles: u32 },
}

/// The keys of the order of the variables.
const ORDER: [&str; 2] = ["squares", "auxiliaries"];

/// The keys of the shuffles of an order, or of a random numbering.
const SHUFFLING: [&str; 3] = ["shuffles", "literals", "clauses"];

impl NumberingEntry {
    /// Returns the numbering as generated, which is the default.
    pub(super) fn as_generated() -> Self {
        let place = SourceLocation { file: 0, line: 1, column: 1, start: 0, len: 0 };
        Self { kind: NumberingKind::Ordered(Numbering::AS_GENERATED), place }
    }

    /// Returns true if it shuffles nothing and changes no order.
    pub fn is_as_generated(&self) -> bool {
        self.kind == NumberingKind::Ordered(Numbering::AS_GENERATED)
    }

    /// Returns the number of numberings on a board with at most `at_most` shuffles.
    pub fn count(&self, at_most: Option<u32>) -> u32 {
        match self.kind {
            NumberingKind::Ordered(_) => 1,
            NumberingKind::Shuffled { shuffles, .. } => shuffles.min(at_most.unwrap_or(u32::MAX)),
        }
    }

    /// The numbering of this index, counted from 0.
    pub fn numbering(&self, index: u32) -> Numbering {
        match self.kind {
            NumberingKind::Ordered(numbering) => numbering,
            NumberingKind::Shuffled { kind, .. } => {
                let seed = 1 + u64::from(index);
                Numbering {
                    squares: kind.squares,
                    auxiliaries: kind.auxiliaries,
                    variables: kind.variables.map(|_| seed),
                    literals: kind.literals.map(|_| seed),
                    clauses: kind.clauses.map(|_| seed),
                }
            }
        }
    }

    /// Returns true if some numbering is in both.
    fn meets(&self, other: &Self) -> bool {
        match (self.kind, other.kind) {
            (NumberingKind::Ordered(numbering), NumberingKind::Ordered(theirs)) => {
                numbering == theirs
            }
            (
                NumberingKind::Shuffled { kind, .. },
                NumberingKind::Shuffled { kind: theirs, .. },
            ) => kind == theirs,
            _ => false,
        }
    }
}

pub(super) fn read(source: &Source, nodes: &[Node]) -> Result<Vec<NumberingEntry>, ConfigError> {
    let mut entries: Vec<NumberingEntry> = Vec::new();
    for node in nodes {
        let entry = entry(source, node)?;
        if let Some(earlier) = entries.iter().find(|other| other.meets(&entry)) {
            let message = format!(
                "this numbering is in line {}, column {} already",
                earlier.place.line, earlier.place.column
            );
            return Err(source.error(entry.place, message).hint("keep one"));
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn entry(source: &Source, node: &Node) -> Result<NumberingEntry, ConfigError> {
    let place = node.place;
    if let Value::Map(_) = node.value {
        let known = [&ORDER[..], &SHUFFLING, &["random"]].concat();
        let fields = Fields::new(source, node, "a numbering", &known)?;
        let kind = match fields.get("random") {
            Some(_) if fields.len() > 1 => {
                let message = "a numbering is in an order or random, not both";
                return Err(source.error(place, message).hint("make two numberings of it"));
            }
            Some(settings) => random(source, settings)?,
            None => ordered(source, &fields, place)?,
        };
        return Ok(NumberingEntry { kind, place });
    }
    let kind = match source.text_of(node, "a numbering")? {
        "as-generated" => NumberingKind::Ordered(Numbering::AS_GENERATED),
        "random" => DEFAULT,
        other => {
            let unknown = source.error(place, format!("unknown numbering `{other}`"));
            if other.parse::<SquareOrder>().is_ok() {
                return Err(unknown.hint(format!("did you mean `{{squares: {other}}}`?")));
            }
            let near = UnknownId::new("numbering", other, ["as-generated", "random"]).near;
            let others = "it is `as-generated`, `random`, or a map without quotes: as in `{squares: spiral}`, \
                          `{squares: spiral, shuffles: 3}` or `{random: {shuffles: 3}}`";
            return Err(unknown.near(near.as_deref(), others));
        }
    };
    Ok(NumberingEntry { kind, place })
}

/// Reads an order of the variables. An order equal to the generated one is the same as `as-generated`.
fn ordered(
    source: &Source,
    fields: &Fields<'_>,
    place: SourceLocation,
) -> Result<NumberingKind, ConfigError> {
    if fields.len() == 0 {
        let message = "a numbering needs a key";
        return Err(source.error(place, message).hint("as in `{squares: spiral}`"));
    }
    let squares = match fields.get("squares") {
        None => SquareOrder::default(),
        Some(node) => named(source, node, "`squares`")?,
    };
    let auxiliaries = match fields.get("auxiliaries") {
        None => AuxiliaryPlace::default(),
        Some(node) => named(source, node, "`auxiliaries`")?,
    };
    let order = Numbering::ordered(squares, auxiliaries);
    if SHUFFLING.iter().all(|key| fields.get(key).is_none()) {
        return Ok(NumberingKind::Ordered(order));
    }
    shuffled(source, fields, place, order)
}

/// Renamed variables and shuffled literals, with enough shuffles for a median and a spread.
const DEFAULT: NumberingKind = NumberingKind::Shuffled { kind: Numbering::random(0), shuffles: 10 };

fn random(source: &Source, node: &Node) -> Result<NumberingKind, ConfigError> {
    if let Value::Nothing = node.value {
        return Ok(DEFAULT);
    }
    let fields = Fields::new(source, node, "a random numbering", &SHUFFLING)?;
    let kind = Numbering { variables: Some(0), ..Numbering::AS_GENERATED };
    shuffled(source, &fields, node.place, kind)
}

/// Reads the number of shuffles, and the shuffled parts other than the names of the variables.
fn shuffled(
    source: &Source,
    fields: &Fields<'_>,
    place: SourceLocation,
    kind: Numbering,
) -> Result<NumberingKind, ConfigError> {
    let kind = Numbering {
        literals: fields.switch("literals", true)?.then_some(0),
        clauses: fields.switch("clauses", false)?.then_some(0),
        ..kind
    };
    if !kind.is_shuffled() {
        let message = "a numbering with shuffles must shuffle something";
        return Err(source.error(place, message).hint("switch one on, or write `as-generated`"));
    }
    let shuffles = fields.whole("shuffles", 1..=1_000_000)?.unwrap_or(10) as u32;
    Ok(NumberingKind::Shuffled { kind, shuffles })
}
