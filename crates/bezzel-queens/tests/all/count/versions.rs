//! The versions in rows are the versions of the build.

#[test]
fn the_version_of_oxidd_is_that_of_the_lock_file() {
    let lock =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.lock")).unwrap();
    let entry = format!("name = \"oxidd\"\nversion = \"{}\"\n", bezzel_count::apply::VERSION);
    assert!(lock.contains(&entry), "the lock file has another version than {entry}");
}
