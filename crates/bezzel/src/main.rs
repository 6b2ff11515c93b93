//! The program `bezzel` with its own encodings.

use std::process::ExitCode;

fn main() -> ExitCode {
    bezzel::main(bezzel_queens::register(bezzel::Registry::standard()))
}
