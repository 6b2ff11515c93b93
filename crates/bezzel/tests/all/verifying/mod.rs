//! `bezzel verify` on evidence into which faults of every kind were planted, by somebody who knows
//! how to seal a line.

mod answers;
mod counts;
mod sessions;
mod spoiled;
