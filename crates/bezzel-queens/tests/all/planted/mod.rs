//! Wrong encoders: the check of every property finds its violations and reports them.
//!
//! Some bugs are planted into encodings of Bezzel; some encoders have typical errors of authors; and some formulas are
//! wrong in print.

mod plant;

mod clauses;
mod declarations;
mod encoders;
mod meaning;
mod negated;
mod seeds;

use bezzel_encode::{Constraints, properties};
use bezzel_queens::encode::properties::board as board_properties;

use plant::{Planted, counter, on_board};

#[test]
fn nothing_is_caught_where_nothing_is_planted() {
    assert_eq!(properties::at_most_one::check(&Planted::new(counter())), Ok(()));
    let full = on_board(&counter(), Constraints::Full);
    assert_eq!(board_properties::check(&Planted::new(full)), Ok(()));
}
