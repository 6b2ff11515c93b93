//! Writes the git revision, the compiler version and the profile into the binary.

use std::process::Command;

fn main() {
    // The binary is built from these sources. A change in them marks the revision as dirty.
    let sources = ["Cargo.toml", "Cargo.lock", "crates"];
    for source in sources.iter().chain(&[".git/HEAD", ".git/index"]) {
        println!("cargo:rerun-if-changed=../../{source}");
    }
    let revision = output_of(Command::new("git").args(["rev-parse", "HEAD"]));
    let changes = output_of(
        Command::new("git")
            .args(["--no-optional-locks", "status", "--porcelain", "--"])
            .args(sources)
            .current_dir("../.."),
    );
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiler = output_of(Command::new(rustc).arg("--version"));
    // Cargo calls the profiles `dev` and `test` by the name of their folder.
    let profile = std::env::var("PROFILE").ok();
    let profile = profile.map(|name| if name == "debug" { "dev".to_owned() } else { name });
    for (name, value) in [
        ("BEZZEL_PROFILE", profile),
        ("BEZZEL_GIT_REVISION", revision),
        ("BEZZEL_GIT_CHANGES", changes.map(|changes| (!changes.is_empty()).to_string())),
        ("BEZZEL_RUSTC", compiler),
    ] {
        // Outside a repository there is no revision, and the value is empty.
        println!("cargo:rustc-env={name}={}", value.unwrap_or_default());
    }
}

/// The output of a command, if it is installed and succeeds.
fn output_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
