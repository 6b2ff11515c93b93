//! Decision diagrams of all solutions, and their number.
//!
//! Diagrams are made from the rules that an encoding states in [`apply`], with the operations of `OxiDD`, or node by node.
//! A finished [`diagram`] gives the number of its models, all of them, the k-th and a random one. A [`budget`] limits every
//! computation that may take long.

pub mod apply;
pub mod budget;
pub mod diagram;

pub use budget::{Budget, Halt};
pub use diagram::Diagram;
