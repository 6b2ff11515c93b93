//! Recorded experiments: read for reports, combined, verified, summarised, packed as an artifact.

pub mod artifact;
pub(crate) mod combine;
pub mod evidence;
pub mod git;
pub mod status;
pub mod verify;
