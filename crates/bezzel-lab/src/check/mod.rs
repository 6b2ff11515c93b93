//! Checks of rows that read no file: the judge, claims of rows compared with each other, listed solutions.

pub(crate) mod consistent;
pub(crate) mod counted;
pub mod cross;
pub mod judge;
pub mod model_check;
pub mod said;
pub mod witness;
