//! Checks encodings as `bezzel check` does, on the example instances of all kinds. It links `bezzel-encode` alone, so it
//! is built again within seconds when an encoding was changed.
//!
//! ```text
//! cargo run --example check -- pairwise
//! ```

use std::error::Error;
use std::io::{self, Write};
use std::process::ExitCode;

use bezzel_encode::properties::shapes::{self, Counterexample, ShapeGrid, random_sums};
use bezzel_encode::properties::{self, constraint::wrong_assignment};
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{AtMostOne, Registry};

/// The number of random sums.
const SUMS: usize = 60;

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

/// Tries all assignments of the inputs of random sums of 6 to 9 inputs, if the encoder takes sums.
///
/// # Errors
///
/// The first assignment that the encoder wrongly allows or forbids.
fn check_sums(encoder: &dyn AtMostOne) -> Result<(), Counterexample> {
    let count = if encoder.of_sums().is_some() { SUMS } else { 0 };
    random_sums(1848, &(6..=9), count).iter().try_for_each(|sum| {
        let wrong = wrong_assignment(encoder, sum);
        wrong.map_or(Ok(()), |held| Err(sum.counterexample(&encoder.info().id, held)))
    })
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
            NamedEncoding::AtMostOne(encoder) => {
                let shapes = shapes::check(&**encoder, grid(&**encoder));
                Some(shapes.and_then(|shapes| check_sums(&**encoder).map(|()| shapes)))
            }
            NamedEncoding::Mixture(_) | NamedEncoding::Whole(_) => None,
        };
        let wrong = shapes.as_ref().and_then(|shapes| shapes.as_ref().err());
        let checked = properties::check(found, wrong, registry.properties())?;
        writeln!(out, "{}", checked.text)?;
        if let (Some(Ok(shapes)), true) = (shapes, checked.is_right) {
            let is_sum = registry.sums().any(|sum| sum.info().id == found.info().id);
            let of = if is_sum {
                format!(", and at {SUMS} sums of 6 to 9 inputs; `bezzel check` tries larger ones")
            } else {
                String::new()
            };
            writeln!(out, "{shapes}{of}")?;
        }
        all_right &= checked.is_right;
    }
    Ok(all_right)
}
