//! Where a new board encoding is meant to stand.

pub use bezzel_encode::Encoding;

#[path = "../../../src/verb/new_encoding/my_board.rs"]
pub mod my_board;
