//! The place of a new at-most-one encoding.

pub use bezzel_encode::AtMostOne;

#[path = "../../../src/command/new_encoding/my_idea.rs"]
pub mod my_idea;
