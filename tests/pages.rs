//! Pages in `docs/` that tests write.

use std::path::PathBuf;
use std::{env, fs};

/// Checks that a page in `docs/` is this text. With `BEZZEL_BLESS` it is written first. `filter` runs the test that makes
/// it.
#[track_caller]
pub(crate) fn assert_current(page: &str, made: &str, filter: &str) {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "..", "..", "docs", page].iter().collect();
    if env::var_os("BEZZEL_BLESS").is_some() {
        fs::write(&path, made).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    let stale: Vec<_> = made.lines().filter(|line| !committed.contains(line)).collect();
    assert!(
        made == committed,
        "docs/{page} is not current: {stale:#?}; write it again with BEZZEL_BLESS=1 cargo test -p {} --test all {filter}",
        env!("CARGO_PKG_NAME")
    );
}
