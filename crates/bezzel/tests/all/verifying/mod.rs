//! `bezzel verify` on evidence with planted faults of every kind with right checksums.

mod answers;
mod counts;
mod sessions;
mod spoiled;
