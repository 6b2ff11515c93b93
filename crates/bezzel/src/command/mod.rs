//! The commands, one file each.

use bezzel_experiment::Permission;
pub(crate) use common::config_names;

pub(crate) mod board;
pub(crate) mod certificate;
pub(crate) mod check;
mod common;
pub(crate) mod compare;
pub(crate) mod decode;
pub(crate) mod encode;
mod encoder;
pub(crate) mod encoder_program;
mod encoder_request;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod new_encoding;
mod repeated;
pub(crate) mod report;
pub(crate) mod rows;
pub(crate) mod run;
mod scopes;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod status;
mod submit;
pub(crate) mod tune;
pub(crate) mod verify;
pub(crate) mod worker;

/// The permission of a command that reads evidence: `--programs` permits the programs that the evidence names.
fn permission(programs: bool) -> Permission {
    if programs { Permission::everything() } else { Permission::none() }
}
