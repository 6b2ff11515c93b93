//! Writes the git revision, the compiler version and the profile into the binary, and links it so that it starts quickly.

use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

fn main() {
    write_provenance();
    link_for_quick_starts();
}

fn write_provenance() {
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
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let compiler = output_of(Command::new(rustc).arg("--version"));
    // Cargo calls the profiles `dev` and `test` by the name of their folder.
    let profile = env::var("PROFILE").ok();
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

/// The names under which the program links libraries of C++, and the archives of the compiler that replace them.
const ARCHIVES: [(&str, &str); 2] = [("libstdc++.a", "libstdc++.a"), ("libgcc_s.a", "libgcc_eh.a")];

/// Links the program to a fixed address, and the libraries of C++ into it, if the compiler has them as archives.
///
/// Every job starts the program. Most of the time of a start was that of the dynamic linker, which corrected 150,000
/// pointers and bound the C++ library. The price: the addresses of the program itself are the same in each process; those of
/// heap, stack and libraries are random as before.
fn link_for_quick_starts() {
    let has = |name: &str, value: &str| {
        env::var(name).is_ok_and(|found| found.split(',').any(|one| one == value))
    };
    let is_glibc = has("CARGO_CFG_TARGET_OS", "linux") && has("CARGO_CFG_TARGET_ENV", "gnu");
    if !is_glibc || has("CARGO_CFG_TARGET_FEATURE", "crt-static") {
        return;
    }
    println!("cargo:rustc-link-arg-bins=-no-pie");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("archives");
    let _ = fs::remove_dir_all(&folder);
    let are_linked = fs::create_dir(&folder).is_ok()
        && ARCHIVES.iter().all(|(name, archive)| {
            archive_path(archive).is_some_and(|path| symlink(path, folder.join(name)).is_ok())
        });
    if are_linked {
        // This folder is searched before those of the compiler, which have the shared libraries.
        println!("cargo:rustc-link-arg-bins=-L{}", folder.display());
    }
}

/// The path of an archive of the compiler that compiles CaDiCaL.
fn archive_path(archive: &str) -> Option<PathBuf> {
    let mut compiler = cc::Build::new().cpp(true).try_get_compiler().ok()?.to_command();
    let path = output_of(compiler.arg(format!("-print-file-name={archive}")))?;
    Some(PathBuf::from(path)).filter(|path| path.is_absolute() && path.exists())
}

/// The output of a command, if it is installed and succeeds.
fn output_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}
