//! From rows to intervals and verdicts.

mod paired;
mod recorded;
mod simulated;
