//! The data that the build script wrote into the binary.

use bezzel_encode::{HAS_DEBUG_ASSERTIONS, OPT_LEVEL, format};
use bezzel_experiment::environment::Build;
use bezzel_experiment::experiment::Call;

/// The words of the command line.
fn words() -> impl Iterator<Item = String> {
    let given = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    std::iter::once("bezzel".to_owned()).chain(given)
}

/// The command line for the comments of a formula.
pub(crate) fn command_line() -> String {
    format::command_line(words())
}

/// This call of the program.
pub(crate) fn call() -> Call {
    let words: Vec<_> = words().map(|word| format::shell_word(&word)).collect();
    Call { build: here(), command: words.join(" ") }
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
