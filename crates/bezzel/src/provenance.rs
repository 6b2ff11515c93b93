//! What the build script wrote into the binary.

use bezzel_encode::format;
use bezzel_lab::environment::Build;

/// The command line, as the comments of a formula have it.
pub(crate) fn command_line() -> String {
    let words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    format::command_line(std::iter::once("bezzel".to_owned()).chain(words))
}

/// What was built.
pub(crate) fn here() -> Build {
    let told = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Build {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        git_revision: told(env!("BEZZEL_GIT_REVISION")),
        git_dirty: env!("BEZZEL_GIT_CHANGES").parse().ok(),
        rustc: told(env!("BEZZEL_RUSTC")),
        optimised: !cfg!(debug_assertions),
    }
}
