//! The board in the browser: the knowledge of a board, and a server for it.
//!
//! [`question`] parses a query string into a bounded, valid board. [`knowledge`](bezzel_queens::knowledge) computes the number of solutions
//! that are left, the squares that they use, the reasons why other squares are ruled out, and the squares that an
//! encoding's unit propagation rules out. It does no input or output and reads no clock; the caller can stop it.
//! The rest is a [`Server`]: a page, a JSON API for the knowledge, and limits that keep it available under any
//! requests.
//!
//! The server keeps no state but the reports that are being made, and changes no files itself.
//! `docs/board-api.md` describes the API.

pub mod question;
mod server;

pub use server::{Compilable, Limits, Options, PageMaker, ServeError, Server, Stop};
