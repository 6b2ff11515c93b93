//! The settings of a run: the order of its jobs, the warm-up before them, and the calibration between them.
//!
//! No job contains these settings, so no key depends on them.

use bezzel_problem::UnknownId;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::fields::{Fields, KeySpec, ValueForm, map_of};
use super::limits;
use super::node::{Node, Value};
use super::source::{ConfigError, Source};
use crate::backend::catalog::Catalog;
use crate::model::quantity::duration;

/// The largest number of warm-up jobs.
pub(super) const MAX_WARM_UP: u64 = 1_000;

const ORDER: [KeySpec; 1] =
    [KeySpec::new("seed", "The seed of the shuffle.", ValueForm::Whole(0, u64::MAX)).required()];

const CALIBRATION: [KeySpec; 1] = [KeySpec::new(
    "every",
    "The time from one measurement to the next, at least.",
    ValueForm::Of(|_| limits::time_schema()),
)
.required()];

/// The order of the cells of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The order of the list, encodings before solvers.
    AsListed,
    /// A shuffle by this seed, another one in each round.
    Seeded(u64),
}

impl Default for Order {
    /// Shuffled, so that a drift of the machine affects all cells alike.
    fn default() -> Self {
        Self::Seeded(1)
    }
}

/// A fixed formula that is solved from time to time, to measure how steady the machine is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// The shortest time by the clock from one solving to the next, in seconds.
    pub every_s: f64,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { every_s: 30.0 }
    }
}

impl Calibration {
    /// Returns the interval in words.
    pub(crate) fn words(self) -> String {
        format!("every {}", duration(self.every_s))
    }
}

/// The schema of the key `order`.
pub(super) fn order_schema(catalog: &Catalog) -> Json {
    json!({"anyOf": [{"enum": ["as-listed"]}, map_of(&ORDER, catalog)]})
}

/// The schema of the key `calibration`.
pub(super) fn calibration_schema(catalog: &Catalog) -> Json {
    let switch = KeySpec::new("calibration", "", ValueForm::Switch).schema(catalog);
    json!({"anyOf": [switch, map_of(&CALIBRATION, catalog)]})
}

/// The key `order`.
pub(super) fn order(source: &Source, node: Option<&Node>) -> Result<Order, ConfigError> {
    let Some(node) = node else { return Ok(Order::default()) };
    if let Value::Map(_) = node.value {
        let fields = Fields::new(source, node, "`order`", &ORDER)?;
        fields.need("seed", "seed: 1")?;
        return Ok(fields.whole("seed")?.map_or_else(Order::default, Order::Seeded));
    }
    let forms = "it is `as-listed`, or shuffled, as in `{seed: 1}`";
    match source.text_of(node, "`order`").map_err(|error| error.hint(forms))? {
        "as-listed" => Ok(Order::AsListed),
        other => {
            let near = UnknownId::new("order", other, ["as-listed"]).near;
            let problem = source.error(node.place, format!("unknown order `{other}`"));
            Err(problem.near(near.as_deref(), forms))
        }
    }
}

/// The key `calibration`.
pub(super) fn calibration(
    source: &Source,
    node: Option<&Node>,
) -> Result<Option<Calibration>, ConfigError> {
    let Some(node) = node else { return Ok(Some(Calibration::default())) };
    if let Value::Map(_) = node.value {
        let fields = Fields::new(source, node, "`calibration`", &CALIBRATION)?;
        let every = fields.need("every", "every: 30 s")?;
        return Ok(Some(Calibration { every_s: limits::seconds(source, every, "`every`")? }));
    }
    match &node.value {
        Value::Flag(false) => Ok(None),
        Value::Flag(true) => Ok(Some(Calibration::default())),
        Value::Text(text) if text == "off" => Ok(None),
        Value::Text(text) if text == "on" => Ok(Some(Calibration::default())),
        _ => {
            let message = "`calibration` is the time between measurements of the machine, or off";
            Err(source.error(node.place, message).hint("as in `{every: 30 s}`"))
        }
    }
}
