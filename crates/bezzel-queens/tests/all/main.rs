//! All integration tests of the crate, in one program.

mod agreement;
mod bryant;
mod computed;
mod config;
mod count;
mod csp;
mod declared;
mod experiment;
mod format;
mod input_order;
mod knowledge;
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
