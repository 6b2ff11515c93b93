//! The templates, in the place of the folders for which they are written.

pub use bezzel_encode::bound::AtMostSum;
pub use bezzel_encode::{AtMostK, AtMostOne, Encoding};

#[path = "../../../src/command/new_encoding/my_board.rs"]
pub mod my_board;
#[path = "../../../src/command/new_encoding/my_count.rs"]
pub mod my_count;
#[path = "../../../src/command/new_encoding/my_idea.rs"]
pub mod my_idea;
#[path = "../../../src/command/new_encoding/my_sum.rs"]
pub mod my_sum;
