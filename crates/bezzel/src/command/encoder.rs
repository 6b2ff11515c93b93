//! The encoders of bounds and of weighted sums, by their ids.

use std::path::Path;
use std::sync::Arc;

use bezzel_encode::amk::{self, Limit};
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{AtMostOne, Shape};
use bezzel_experiment::{Catalog, EncoderPrograms, program};
use bezzel_problem::UnknownId;

use crate::failure::Failure;

/// The ids of all encoders.
pub(super) fn ids() -> Vec<String> {
    amk::all().iter().map(|encoder| encoder.about().id).collect()
}

/// The refusal of a name that no encoder has.
fn refusal(id: &str, catalog: &Catalog) -> Failure {
    let list = "docs/at-most-k.md lists the encoders for --k";
    if catalog.encodings.find(id).is_ok() {
        return Failure::Input(format!("`{id}` does not encode at most k: {list}"));
    }
    if Path::new(id).is_file() {
        return Failure::Input(format!("`{id}` is a file, and no encoder of at most k: {list}"));
    }
    unknown("encoder of at most k", id, ids(), list)
}

/// The refusal of an id that is unknown: with the nearest one, or with the place of the list.
fn unknown(what: &'static str, id: &str, known: Vec<String>, list: &str) -> Failure {
    let unknown = UnknownId::new(what, id, known);
    if unknown.near.is_some() {
        Failure::input(unknown)
    } else {
        Failure::Input(format!("{unknown}: {list}"))
    }
}

/// The encoder of bounds of this name. A program is asked for these shapes.
pub(super) fn of_bounds(
    id: &str,
    shapes: &[Shape],
    programs: &mut EncoderPrograms<'_>,
    catalog: &Catalog,
) -> Result<Arc<dyn AtMostOne>, Failure> {
    if program::needs_programs(id) {
        let found = programs.find_for_shapes(id, shapes).map_err(Failure::input)?;
        return found.ok_or_else(|| {
            Failure::Input(format!(
                "`{id}` has no bounds to encode: a program of bounds is \
                 `{{command: ..., kind: at-most-k}}`"
            ))
        });
    }
    match catalog.encodings.find(id) {
        Ok(NamedEncoding::AtMostOne(encoder)) if encoder.of_bounds().is_some() => Ok(encoder),
        _ => Err(refusal(id, catalog)),
    }
}

/// The encoder of weighted sums of this name. A program is asked for these sums.
pub(super) fn of_sums(
    id: &str,
    sums: &[SumLimit],
    programs: &mut EncoderPrograms<'_>,
    catalog: &Catalog,
) -> Result<Arc<dyn AtMostOne>, Failure> {
    if program::needs_programs(id) {
        let found = programs.find_for_sums(id, sums).map_err(Failure::input)?;
        return found.ok_or_else(|| {
            Failure::Input(format!(
                "`{id}` does not encode weighted sums: a program of sums is `{{command: ..., kind: sum}}`"
            ))
        });
    }
    let list = "docs/weighted-sums.md lists the encoders of weighted sums";
    match catalog.encodings.find(id) {
        Ok(NamedEncoding::AtMostOne(encoder)) if encoder.of_sums().is_some() => Ok(encoder),
        Ok(_) => Err(Failure::Input(format!("`{id}` does not encode weighted sums: {list}"))),
        Err(_) => Err(unknown("encoder of weighted sums", id, sum_ids(catalog), list)),
    }
}

/// The ids of all encoders of weighted sums.
pub(super) fn sum_ids(catalog: &Catalog) -> Vec<String> {
    catalog.encodings.sums().map(|encoder| encoder.info().id).collect()
}

/// At most, at least and exactly `k` of these numbers of inputs.
pub(super) fn shapes(k: u64, numbers: impl IntoIterator<Item = u64>) -> Vec<Shape> {
    let numbers = numbers.into_iter();
    numbers.flat_map(|n| Limit::ALL.map(|limit| Shape { n, limit, k })).collect()
}
