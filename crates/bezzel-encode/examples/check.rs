//! Checks encodings as `bezzel check` does, on the example instances of all kinds. It links `bezzel-encode` alone, so it
//! is built again within seconds when an encoding was changed.
//!
//! ```text
//! cargo run --example check -- pairwise
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use bezzel_encode::properties;
use bezzel_encode::properties::shapes::{self, ShapeGrid};
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{AtMostOne, Registry};

fn main() -> ExitCode {
    match check(std::env::args().skip(1)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            // Without a stderr, only the exit code shows the error.
            let _ = writeln!(io::stderr(), "error: {error}");
            ExitCode::from(2)
        }
    }
}

/// At most one, and all bounds if the encoder takes them.
fn grid(encoder: &dyn AtMostOne) -> ShapeGrid {
    let bounds = encoder.of_bounds().map(|_| ShapeGrid::of_bounds()).unwrap_or_default();
    ShapeGrid::of_one().and(bounds)
}

/// Checks the encodings; true if all are right.
fn check(ids: impl Iterator<Item = String>) -> Result<bool, Box<dyn Error>> {
    let (registry, mut out) = (Registry::standard(), io::stdout());
    let found: Vec<_> = ids.map(|id| registry.find(&id)).collect::<Result<_, _>>()?;
    if found.is_empty() {
        return Err("name an encoding: cargo run --example check -- pairwise".into());
    }
    let mut all_right = true;
    for found in &found {
        let shapes = match found {
            NamedEncoding::AtMostOne(encoder) => Some(shapes::check(&**encoder, grid(&**encoder))),
            NamedEncoding::Mixture(_) | NamedEncoding::Whole(_) => None,
        };
        let wrong = shapes.as_ref().and_then(|shapes| shapes.as_ref().err());
        let checked = properties::check(found, wrong, registry.properties())?;
        writeln!(out, "{}", checked.text)?;
        if let (Some(Ok(shapes)), true) = (shapes, checked.is_right) {
            let is_sum = registry.sums().any(|sum| sum.info().id == found.info().id);
            let of = if is_sum { "; `bezzel check` tries sums above five inputs" } else { "" };
            writeln!(out, "right at {shapes} numbers of inputs and bounds, up to 150 inputs{of}")?;
        }
        all_right &= checked.is_right;
    }
    Ok(all_right)
}
