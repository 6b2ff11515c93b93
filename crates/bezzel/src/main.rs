//! The program `bezzel`, with the encodings that it comes with.

use std::process::ExitCode;

fn main() -> ExitCode {
    bezzel::main(bezzel::Registry::standard())
}
