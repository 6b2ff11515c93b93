//! The program `bezzel` with queens.

use std::process::ExitCode;

fn main() -> ExitCode {
    bezzel::main(&bezzel::Workbench::standard())
}
