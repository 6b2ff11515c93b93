//! Writes the level of optimisation into the library. The profiles in the workspace's `Cargo.toml` give all crates that
//! compute the same level.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo::rustc-env=BEZZEL_OPT_LEVEL={level}");
}
