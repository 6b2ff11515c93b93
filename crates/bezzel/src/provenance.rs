//! The data that the build script wrote into the binary.

use bezzel_encode::{HAS_DEBUG_ASSERTIONS, OPT_LEVEL, format};
use bezzel_experiment::environment::Build;

/// The command line for the comments of a formula.
pub(crate) fn command_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    format::command_line(std::iter::once("bezzel".to_owned()).chain(words))
}

/// The build of this program.
pub(crate) fn here() -> Build {
    let non_empty = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Build {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        git_revision: non_empty(env!("BEZZEL_GIT_REVISION")),
        git_dirty: env!("BEZZEL_GIT_CHANGES").parse().ok(),
        rustc: non_empty(env!("BEZZEL_RUSTC")),
        profile: non_empty(env!("BEZZEL_PROFILE")),
        opt_level: non_empty(OPT_LEVEL),
        optimised: OPT_LEVEL == "3" && !HAS_DEBUG_ASSERTIONS,
    }
}
