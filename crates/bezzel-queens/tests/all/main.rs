//! All integration tests of the crate, in one program.

mod agreement;
mod bryant;
#[path = "../../../../tests/chromium.rs"]
mod chromium;
#[path = "../../../../tests/committed.rs"]
mod committed;
mod computed;
mod config;
mod count;
mod csp;
mod declared;
mod experiment;
mod format;
mod input_order;
#[path = "../../../../tests/installed.rs"]
mod installed;
mod knowledge;
mod names;
mod numberings;
mod overview;
#[path = "../../../../tests/pages.rs"]
mod pages;
mod plan;
mod planted;
mod published;
mod recorded;
mod report;
mod report_browser;
mod revisions;
#[path = "../../../../tests/tiers.rs"]
mod tiers;
