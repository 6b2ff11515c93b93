//! Files and answers as they are, and as they should not be.

mod answers;
mod formulas;
