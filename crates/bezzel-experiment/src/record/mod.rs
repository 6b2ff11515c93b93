//! Recorded experiments: read for reports, combined, verified, summarised.

pub(crate) mod combine;
pub mod evidence;
pub mod status;
pub mod verify;
