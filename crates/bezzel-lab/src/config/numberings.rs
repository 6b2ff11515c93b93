//! The numberings of an experiment.

use bezzel_encode::{Numbering, UnknownId};

use super::fields::Fields;
use super::node::{Node, Value};
use super::source::{ConfigError, Place, Source};

/// A numbering, or a number of shuffles under consecutive seeds.
#[derive(Clone, Copy, Debug)]
pub struct NumberingEntry {
    kind: Kind,
    pub(crate) place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    AsGenerated,
    /// The kind is a numbering of which only matters what it shuffles.
    Random {
        kind: Numbering,
        seed: u64,
        shuffles: u32,
    },
}

const KEYS: [&str; 6] = ["shuffles", "seed", "variables", "literals", "polarity", "clauses"];

/// So that one number in a config cannot ask for more than anybody runs.
const MOST_SHUFFLES: u32 = 1_000_000;

impl NumberingEntry {
    /// As generated, which is the default.
    pub(super) fn as_generated() -> Self {
        Self { kind: Kind::AsGenerated, place: Place { line: 1, column: 1, start: 0, len: 0 } }
    }

    /// How many numberings these are on a board that takes `at_most` shuffles.
    pub fn count(&self, at_most: Option<u32>) -> u32 {
        match self.kind {
            Kind::AsGenerated => 1,
            Kind::Random { shuffles, .. } => shuffles.min(at_most.unwrap_or(u32::MAX)),
        }
    }

    /// The numbering of this index, counted from 0.
    pub fn numbering(&self, index: u32) -> Numbering {
        match self.kind {
            Kind::AsGenerated => Numbering::AS_GENERATED,
            Kind::Random { kind, seed, .. } => {
                let seed = seed + u64::from(index);
                Numbering {
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
            (Kind::AsGenerated, Kind::AsGenerated) => true,
            (
                Kind::Random { kind, seed, shuffles },
                Kind::Random { kind: theirs, seed: start, shuffles: count },
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
        let fields = Fields::new(source, node, "a numbering", &["random"])?;
        let settings = fields.need("random", "random: {shuffles: 10}")?;
        return Ok(NumberingEntry { kind: random(source, settings)?, place });
    }
    let kind = match source.text_of(node, "a numbering")? {
        "as-generated" => Kind::AsGenerated,
        "random" => DEFAULT,
        other => {
            let near = UnknownId::new("numbering", other, ["as-generated", "random"]).near;
            return Err(source
                .error(place, format!("unknown numbering `{other}`"))
                .near(near.as_deref(), "it is `as-generated` or `random`"));
        }
    };
    Ok(NumberingEntry { kind, place })
}

/// Variables renamed and literals shuffled, as often as gives a median and a spread.
const DEFAULT: Kind = Kind::Random { kind: Numbering::random(0), seed: 1, shuffles: 10 };

fn random(source: &Source, node: &Node) -> Result<Kind, ConfigError> {
    if let Value::Nothing = node.value {
        return Ok(DEFAULT);
    }
    let fields = Fields::new(source, node, "a random numbering", &KEYS)?;
    let switch = |key: &str, default: bool| {
        let on = fields.get(key).map(|node| source.flag(node, &format!("`{key}`"))).transpose()?;
        Ok(on.unwrap_or(default).then_some(0))
    };
    let kind = Numbering {
        variables: switch("variables", true)?,
        literals: switch("literals", true)?,
        polarity: switch("polarity", false)?,
        clauses: switch("clauses", false)?,
    };
    if kind == Numbering::AS_GENERATED {
        return Err(source
            .error(node.place, "a random numbering must shuffle something")
            .hint("switch one on, or write `as-generated`"));
    }
    let shuffles = match fields.get("shuffles") {
        None => 10,
        Some(node) => source.whole(node, "`shuffles`", 1..=MOST_SHUFFLES.into())? as u32,
    };
    let seed = match fields.get("seed") {
        None => 1,
        // The last seed must be a number, too.
        Some(node) => source.whole(node, "`seed`", 0..=u64::MAX - u64::from(shuffles - 1))?,
    };
    Ok(Kind::Random { kind, seed, shuffles })
}
