//! `bezzel verify` on evidence with planted faults of every kind under valid seals.

mod answers;
mod counts;
mod sessions;
mod spoiled;
