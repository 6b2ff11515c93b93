//! The functions from which the figures and tables of a plug-in are made, beside [`crate::chart`], [`crate::comparison`],
//! [`crate::dataset`], [`crate::row_statistics`] and [`crate::table`].
//!
//! A figure is a function from [`Analysis`](crate::analysis::Analysis) to an optional [`Chart`](crate::chart::Chart); a kind
//! of tables is one to [`Table`](crate::table::Table)s. [`ReportParts`](crate::ReportParts) holds both.

pub use crate::counter_runs::cpu_s;
pub use crate::distinct::distinct;
pub use crate::family::{instance_kind, instance_names};
pub use crate::figure::engines::{TIMES as ALL_TIMES, engine_group, times as draw_all_times};
pub use crate::figure::legend::{add_published, with_legends};
pub use crate::figure::marked::{line, mark, marked};
pub use crate::figure::remark::paragraph;
pub use crate::figure::series_choice::{keep_best, own_group};
pub use crate::figure::sizes::KIND as SIZES;
pub use crate::figure::summary::keys_of;
pub use crate::instance_words::with_answer;
pub use crate::kind_answers::rank;
pub use crate::machine_groups::machines_differ;
pub use crate::table::columns::Columns;
pub use crate::table::compared::with_outcome;
pub use bezzel_experiment::quantity::counted as count;
pub use bezzel_statistics::number::significant;
