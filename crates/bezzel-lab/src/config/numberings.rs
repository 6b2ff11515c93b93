//! The numberings of an experiment.
//!
//! The shuffles of an order are those of a random numbering under the same seed, names of variables
//! apart: so the two can be compared with clauses and literals in the same disorder.

use bezzel_encode::Numbering;
use bezzel_encode::numbering::{AuxiliaryPlace, Squares};
use bezzel_problem::UnknownId;
use serde_json::{Value as Json, json};

use super::axes::named;
use super::fields::{Field, Fields, Form, map_of};
use super::node::{Node, Value};
use super::source::{ConfigError, Place, Source};
use crate::backend::workbench::Workbench;

/// A numbering, or a number of shuffles under consecutive seeds.
#[derive(Clone, Copy, Debug)]
pub struct NumberingEntry {
    kind: Kind,
    pub(crate) place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// One that shuffles nothing.
    Ordered(Numbering),
    /// The kind is a numbering in its order, of whose seeds only matters which there are.
    Shuffled { kind: Numbering, seed: u64, shuffles: u32 },
}

/// The order of the variables.
const ORDER: [Field; 2] = [
    Field::new(
        "squares",
        "The order of the board's squares.",
        Form::Name(|| Squares::ALL.map(Squares::id).to_vec()),
    ),
    Field::new(
        "auxiliaries",
        "Where the auxiliary variables stand.",
        Form::Name(|| AuxiliaryPlace::ALL.map(AuxiliaryPlace::id).to_vec()),
    ),
];

/// The shuffles of an order, or of a random numbering. An order with `variables` is refused with a reason.
const SHUFFLING: [Field; 6] = [
    Field::new("shuffles", "How many shuffles; 10 by default.", Form::Whole(1, 1_000_000)),
    Field::new("seed", "The first seed; 1 by default.", Form::Whole(0, u64::MAX)),
    Field::new("variables", "Rename the variables; so by default.", Form::Flag),
    Field::new("literals", "Shuffle the literals of each clause; so by default.", Form::Flag),
    Field::new("polarity", "Negate half of the variables; not so by default.", Form::Flag),
    Field::new("clauses", "Shuffle the clauses; not so by default.", Form::Flag),
];

const RANDOM: [Field; 1] = [Field::new(
    "random",
    "A random numbering.",
    Form::Of(|workbench| json!({"anyOf": [map_of(&SHUFFLING, workbench), {"type": "null"}]})),
)
.required()];

/// The schema of a numbering: as generated, in an order, or at random.
pub(super) fn schema(workbench: &Workbench) -> Json {
    let mut ordered = map_of(&[&ORDER[..], &SHUFFLING].concat(), workbench);
    ordered["properties"]["variables"] =
        json!({"description": "An order renames none at random.", "enum": [false]});
    json!({"anyOf": [{"enum": ["as-generated", "random"]}, ordered, map_of(&RANDOM, workbench)]})
}

impl NumberingEntry {
    /// As generated, which is the default.
    pub(super) fn as_generated() -> Self {
        let place = Place { file: 0, line: 1, column: 1, start: 0, len: 0 };
        Self { kind: Kind::Ordered(Numbering::AS_GENERATED), place }
    }

    /// Whether it shuffles nothing and changes no order.
    pub(super) fn is_as_generated(&self) -> bool {
        self.kind == Kind::Ordered(Numbering::AS_GENERATED)
    }

    /// How many numberings these are on a board that takes `at_most` shuffles.
    pub fn count(&self, at_most: Option<u32>) -> u32 {
        match self.kind {
            Kind::Ordered(_) => 1,
            Kind::Shuffled { shuffles, .. } => shuffles.min(at_most.unwrap_or(u32::MAX)),
        }
    }

    /// The numbering of this index, counted from 0.
    pub fn numbering(&self, index: u32) -> Numbering {
        match self.kind {
            Kind::Ordered(numbering) => numbering,
            Kind::Shuffled { kind, seed, .. } => {
                let seed = seed + u64::from(index);
                Numbering {
                    squares: kind.squares,
                    auxiliaries: kind.auxiliaries,
                    variables: kind.variables.map(|_| seed),
                    literals: kind.literals.map(|_| seed),
                    polarity: kind.polarity.map(|_| seed),
                    clauses: kind.clauses.map(|_| seed),
                }
            }
        }
    }

    /// Whether some numbering is in both.
    fn meets(&self, other: &Self) -> bool {
        match (self.kind, other.kind) {
            (Kind::Ordered(numbering), Kind::Ordered(theirs)) => numbering == theirs,
            (
                Kind::Shuffled { kind, seed, shuffles },
                Kind::Shuffled { kind: theirs, seed: start, shuffles: count },
            ) => {
                let last = seed + u64::from(shuffles - 1);
                kind == theirs && seed <= start + u64::from(count - 1) && start <= last
            }
            _ => false,
        }
    }
}

pub(super) fn read(source: &Source, nodes: &[Node]) -> Result<Vec<NumberingEntry>, ConfigError> {
    let mut entries: Vec<NumberingEntry> = Vec::new();
    for node in nodes {
        let entry = entry(source, node)?;
        if let Some(twin) = entries.iter().find(|earlier| earlier.meets(&entry)) {
            let message = format!(
                "these numberings, or some of their seeds, are in line {}, column {} already",
                twin.place.line, twin.place.column
            );
            return Err(source.error(entry.place, message).hint("keep one, or choose other seeds"));
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn entry(source: &Source, node: &Node) -> Result<NumberingEntry, ConfigError> {
    let place = node.place;
    if let Value::Map(_) = node.value {
        let known = [&ORDER[..], &SHUFFLING, &RANDOM].concat();
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
        "as-generated" => Kind::Ordered(Numbering::AS_GENERATED),
        "random" => DEFAULT,
        other => {
            let unknown = source.error(place, format!("unknown numbering `{other}`"));
            if other.parse::<Squares>().is_ok() {
                return Err(unknown.hint(format!("did you mean `{{squares: {other}}}`?")));
            }
            let near = UnknownId::new("numbering", other, ["as-generated", "random"]).near;
            let others = "it is `as-generated`, `random`, or an order, as in `{squares: spiral}`";
            return Err(unknown.near(near.as_deref(), others));
        }
    };
    Ok(NumberingEntry { kind, place })
}

/// Variables in some order; what is as generated anyway is the same as `as-generated`.
fn ordered(source: &Source, fields: &Fields<'_>, place: Place) -> Result<Kind, ConfigError> {
    if fields.len() == 0 {
        let message = "a numbering must say something";
        return Err(source.error(place, message).hint("as in `{squares: spiral}`"));
    }
    let squares = match fields.get("squares") {
        None => Squares::default(),
        Some(node) => named(source, node, "`squares`")?,
    };
    let auxiliaries = match fields.get("auxiliaries") {
        None => AuxiliaryPlace::default(),
        Some(node) => named(source, node, "`auxiliaries`")?,
    };
    let order = Numbering::ordered(squares, auxiliaries);
    if let (Some(variables), Some(true)) = (fields.get("variables"), fields.flag("variables")?) {
        let message = "variables that are renamed at random are in no order";
        let mend = "take `variables` away, or write `random: {shuffles: 10}`";
        return Err(source.error(variables.place, message).hint(mend));
    }
    if SHUFFLING.iter().all(|key| fields.get(key.name).is_none()) {
        return Ok(Kind::Ordered(order));
    }
    shuffled(source, fields, place, order, "a numbering with shuffles")
}

/// Variables renamed and literals shuffled, as often as gives a median and a spread.
const DEFAULT: Kind = Kind::Shuffled { kind: Numbering::random(0), seed: 1, shuffles: 10 };

fn random(source: &Source, node: &Node) -> Result<Kind, ConfigError> {
    if let Value::Nothing = node.value {
        return Ok(DEFAULT);
    }
    let fields = Fields::new(source, node, "a random numbering", &SHUFFLING)?;
    let variables = fields.flag("variables")?.unwrap_or(true).then_some(0);
    let kind = Numbering { variables, ..Numbering::AS_GENERATED };
    shuffled(source, &fields, node.place, kind, "a random numbering")
}

/// What is shuffled beside the names of the variables, and how often.
fn shuffled(
    source: &Source,
    fields: &Fields<'_>,
    place: Place,
    kind: Numbering,
    what: &str,
) -> Result<Kind, ConfigError> {
    let switch = |key: &str, default: bool| {
        Ok::<_, ConfigError>(fields.flag(key)?.unwrap_or(default).then_some(0))
    };
    let kind = Numbering {
        literals: switch("literals", true)?,
        polarity: switch("polarity", false)?,
        clauses: switch("clauses", false)?,
        ..kind
    };
    if !kind.is_shuffled() {
        let what = format!("{what} must shuffle something");
        return Err(source.error(place, what).hint("switch one on, or write `as-generated`"));
    }
    let shuffles = fields.whole("shuffles")?.unwrap_or(10) as u32;
    let seed = match fields.get("seed") {
        None => 1,
        // The last seed must be a number, too.
        Some(node) => source.whole(node, "`seed`", 0..=u64::MAX - u64::from(shuffles - 1))?,
    };
    Ok(Kind::Shuffled { kind, seed, shuffles })
}
