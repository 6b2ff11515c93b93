//! A program that supervises, as `bezzel supervise` does: for the tests of this crate, whose own program does
//! not.

use std::io;

use bezzel_process::supervisor;

fn main() -> io::Result<()> {
    supervisor::serve(&mut io::stdout().lock())
}
