//! The board in the browser: what is known of a board, and a server that tells it.
//!
//! [`question`] makes a bounded, valid board of a query string. [`knowledge`] finds out what there
//! is to be known of it: how many solutions are left, which squares they use, why they do not use
//! another one, and what an encoding's unit propagation sees of that. It does no input or output
//! and reads no clock; whoever calls it can stop it. The rest is a [`Server`]: a page, a JSON API
//! over the knowledge, and the limits that keep it answering whatever it is asked.
//!
//! The server holds no state but a cache of compiled diagrams, and changes nothing.
//! `docs/board-in-the-browser.md` has the API.

pub mod knowledge;
pub mod question;
mod server;

pub use server::{Compilable, Limits, Maker, Options, ServeError, Server, Stop};
