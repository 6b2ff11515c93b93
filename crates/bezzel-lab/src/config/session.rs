//! How a run goes about its jobs: their order, what is run before them, and what is run between.
//!
//! None of this is in a job, so that none of it is in a key.

use bezzel_problem::UnknownId;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::fields::{Field, Fields, Form, map_of};
use super::limits;
use super::node::{Node, Value};
use super::source::{ConfigError, Source};
use crate::backend::workbench::Workbench;
use crate::model::quantity::duration;

/// The most first jobs that are run and thrown away.
pub(super) const MOST_WARM_UP: u64 = 1_000;

const ORDER: [Field; 1] =
    [Field::new("seed", "The seed of the shuffle.", Form::Whole(0, u64::MAX)).required()];

const CALIBRATION: [Field; 1] = [Field::new(
    "every",
    "The time from one measurement to the next, at least.",
    Form::Of(|_| limits::time_schema()),
)
.required()];

/// In which order the cells of a round come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// As they are listed, encodings before solvers.
    AsListed,
    /// Shuffled by this seed, in each round anew.
    Seeded(u64),
}

impl Default for Order {
    /// Shuffled, so that a drifting machine favours nobody.
    fn default() -> Self {
        Self::Seeded(1)
    }
}

/// A fixed formula that is solved now and then, which shows how steady the machine is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// The time by the clock from one solving to the next, in seconds, at least.
    pub every_s: f64,
}

impl Default for Calibration {
    fn default() -> Self {
        Self { every_s: 30.0 }
    }
}

impl Calibration {
    /// How often, as people say it.
    pub(crate) fn words(self) -> String {
        format!("every {}", duration(self.every_s))
    }
}

/// The schema of the key `order`.
pub(super) fn order_schema(workbench: &Workbench) -> Json {
    json!({"anyOf": [{"enum": ["as-listed"]}, map_of(&ORDER, workbench)]})
}

/// The schema of the key `calibration`.
pub(super) fn calibration_schema(workbench: &Workbench) -> Json {
    let switch = Field::new("calibration", "", Form::Switch).schema(workbench);
    json!({"anyOf": [switch, map_of(&CALIBRATION, workbench)]})
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
            let message = "`calibration` says how often the machine is measured, or is off";
            Err(source.error(node.place, message).hint("as in `{every: 30 s}`"))
        }
    }
}
