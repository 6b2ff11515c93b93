//! All integration tests of the crate, in one program.

mod agreement;
mod bounds;
mod bryant;
mod computed;
mod conditions;
mod csp;
mod declared;
mod far;
mod input_order;
mod kinds;
mod models;
mod names;
mod native;
mod numberings;
mod overview;
mod pages;
mod planted;
mod published;
mod revisions;
mod rivals;
mod sources;
mod strength;
mod sums;
mod tiers;
