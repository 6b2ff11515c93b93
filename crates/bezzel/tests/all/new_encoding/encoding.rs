//! The place of a new board encoding.

pub use bezzel_encode::Encoding;

#[path = "../../../src/command/new_encoding/my_board.rs"]
pub mod my_board;
