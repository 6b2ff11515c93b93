//! Export of experiments to BenchExec, and import of its results.
//!
//! [`Export`] writes the formulas, task definitions and benchmark definitions of a plan, so that another laboratory
//! can run them by BenchExec. [`import`] reads its results as rows, and judges the answers as those of Bezzel's own
//! runs.
//!
//! *Source.* BenchExec, D. Beyer, S. Löwe, P. Wendler, "Reliable benchmarking: requirements and
//! solutions", STTT 21, 2019; its documentation of task definitions (format 2.0), benchmark
//! definitions, tool-info modules (`BaseTool2`) and result files.

mod definition;
mod export;
mod import;
mod logs;
mod name;
mod readme;
pub mod results;
mod rows;
mod session;
pub mod tasks;
pub mod tool;
mod value;

pub use export::{Compression, Export};
pub use import::{ImportError, ImportRequest, ImportSummary, import};
pub use tasks::{Benchmark, RunDefinition, TaskFormula, Tasks, TasksError};
