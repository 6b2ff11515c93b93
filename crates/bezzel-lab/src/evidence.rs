//! An experiment's record as reports read it.

use crate::environment::Environment;
use crate::row::Row;

/// The whole record of an experiment: what was asked, with what, and what came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExperimentRecord {
    /// The experiment's name, which is its folder's.
    pub name: String,
    /// The question, as the config puts it.
    pub question: Option<String>,
    /// The frozen config, as it was written.
    pub config: String,
    /// The sessions in which rows were made.
    pub environments: Vec<Environment>,
    /// The number of jobs planned. Rows that are missing are missing, not zero.
    pub planned: usize,
    /// The rows of the plan, in its order.
    pub rows: Vec<Row>,
}
