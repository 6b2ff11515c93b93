//! The verbs, one file each.

pub(crate) mod artifact;
pub(crate) mod board;
pub(crate) mod card;
pub(crate) mod check;
pub(crate) mod check_proof;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod count;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod new_encoding;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod rows;
pub(crate) mod run;
pub(crate) mod schema;
pub(crate) mod serve;
pub(crate) mod solve;
pub(crate) mod supervise;
pub(crate) mod verify;
pub(crate) mod worker;
