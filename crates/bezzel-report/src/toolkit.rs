//! The functions from which the figures and tables of a plug-in are made, beside [`crate::chart`], [`crate::comparison`],
//! [`crate::dataset`], [`crate::row_statistics`] and [`crate::table`].
//!
//! A figure is a function from [`Analysis`](crate::analysis::Analysis) to an optional [`Chart`](crate::chart::Chart); a kind
//! of tables is one to [`Table`](crate::table::Table)s. [`ReportParts`](crate::ReportParts) holds both.

pub use crate::counter_runs::cpu_s;
pub use crate::family::{instance_kind, instance_names, rank};
pub use crate::figure::lines::engines::engine_group;
pub use crate::figure::lines::kinds::all_times as draw_all_times;
pub use crate::figure::lines::kinds::{ALL_TIMES, SIZES};
pub use crate::figure::lines::{
    LineFigure, LineKind, LinePanel, LineSample, of_encodings, panel as line_panel,
};
pub use crate::figure::remark::{add_published, paragraph};
pub use crate::instance_words::with_answer;
pub use crate::machine_groups::machines_differ;
pub use crate::number::distinct;
pub use crate::table::columns::{Columns, with_outcome};
pub use bezzel_experiment::quantity::counted as count;
pub use bezzel_statistics::number::significant;
