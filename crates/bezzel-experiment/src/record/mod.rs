//! Recorded experiments: read for reports, combined, imported, verified, summarised.

pub(crate) mod combine;
pub mod evidence;
pub mod import;
pub mod status;
pub mod verify;
