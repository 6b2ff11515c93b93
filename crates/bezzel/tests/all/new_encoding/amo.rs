//! Where a new at-most-one encoding is meant to stand.

pub use bezzel_encode::AtMostOne;

#[path = "../../../src/verb/new_encoding/my_idea.rs"]
pub mod my_idea;
