//! Writes into the binary what it was built from: the git revision and the compiler.

use std::process::Command;

fn main() {
    // What is built comes from these; a change in them is what makes a revision dirty.
    let sources = ["Cargo.toml", "Cargo.lock", "crates"];
    for source in sources.iter().chain(&[".git/HEAD", ".git/index"]) {
        println!("cargo:rerun-if-changed=../../{source}");
    }
    let revision = said(Command::new("git").args(["rev-parse", "HEAD"]));
    let changes = said(
        Command::new("git")
            .args(["--no-optional-locks", "status", "--porcelain", "--"])
            .args(sources)
            .current_dir("../.."),
    );
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiler = said(Command::new(rustc).arg("--version"));
    for (name, value) in [
        ("BEZZEL_GIT_REVISION", revision),
        ("BEZZEL_GIT_CHANGES", changes.map(|changes| (!changes.is_empty()).to_string())),
        ("BEZZEL_RUSTC", compiler),
    ] {
        // Built outside a repository there is no revision to tell, and none is told.
        println!("cargo:rustc-env={name}={}", value.unwrap_or_default());
    }
}

/// What a command prints, if it is there and succeeds.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
