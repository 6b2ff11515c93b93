//! All integration tests of the crate, in one program.

mod bounds;
mod conditions;
mod far;
mod kinds;
mod models;
mod native;
#[path = "../../../../tests/pages.rs"]
mod pages;
mod rivals;
mod sources;
mod sums;
#[path = "../../../../tests/tiers.rs"]
mod tiers;
