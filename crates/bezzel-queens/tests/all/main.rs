//! All integration tests of the crate, in one program.

mod agreement;
mod bryant;
mod computed;
mod csp;
mod declared;
mod format;
mod input_order;
mod names;
mod numberings;
mod overview;
mod pages;
mod planted;
mod published;
mod recorded;
mod revisions;
mod strength;
mod tiers;
