//! Encoders at many shapes, for `bezzel check` and `bezzel show`: at most one and exactly one, and with larger bounds at
//! most, at least and exactly k.

use std::collections::BTreeSet;
use std::sync::Arc;

use bezzel_encode::properties::shapes::{Counterexample, ShapeGrid};
use bezzel_encode::{AtMostOne, Shape};
use bezzel_experiment::EncoderPrograms;
use bezzel_experiment::quantity::{counted, grouped};
use bezzel_experiment::shape_check::{CheckExtent, CheckedShapes, check_grid};
use serde::Serialize;

use crate::failure::Failure;
use crate::progress::Steps;

/// The result for one encoder, in words and numbers.
#[derive(Serialize)]
pub(super) struct TriedShapes {
    /// True if no wrong assignment was found.
    pub(super) correct: bool,
    /// The outcome in words.
    pub(super) outcome: String,
    /// The number of shapes, and of those that were left out as too large.
    shapes: usize,
    left_out: usize,
    /// The number of assignments that were decided one by one.
    assignments: u64,
    /// The number of those that the solver gave up.
    undecided: u64,
    #[serde(skip)]
    pub(super) wrong: Option<Counterexample>,
}

impl TriedShapes {
    /// The wrong assignment, drawn on lines of its own.
    pub(super) fn drawing(&self) -> String {
        let drawing = self.wrong.as_ref().map(|wrong| wrong.finding().drawing).unwrap_or_default();
        drawing.lines().map(|line| ["    ", line, "\n"].concat()).collect()
    }
}

/// Checks an encoder of this name, with this bound or with all that it has. Programs are asked for the shapes.
pub(super) fn check(
    name: &str,
    encoder: &Arc<dyn AtMostOne>,
    k: Option<u64>,
    programs: &mut EncoderPrograms<'_>,
) -> Result<TriedShapes, Failure> {
    let grid = match k {
        Some(k) => ShapeGrid::of_bound(k),
        None if encoder.of_bounds().is_some() => ShapeGrid::of_one().and(ShapeGrid::of_bounds()),
        None => ShapeGrid::of_one(),
    };
    let extent = if k.is_some() { CheckExtent::OF_BOUNDS } else { CheckExtent::OF_ENCODERS };
    let mut shown = Steps::new(false);
    let find = |shapes: &[Shape]| {
        Ok(programs.find_for_shapes(name, shapes)?.unwrap_or_else(|| Arc::clone(encoder)))
    };
    let checked = check_grid(&encoder.info().id, grid, extent, find, |shape, done, of| {
        shown.show(format!("checking {name}: {shape}"), done, of);
    });
    shown.finish();
    Ok(match checked.map_err(Failure::input)? {
        Ok(checked) => TriedShapes {
            correct: true,
            outcome: right(&checked),
            shapes: checked.tried.len(),
            left_out: checked.left_out,
            assignments: checked.assignments,
            undecided: checked.undecided,
            wrong: None,
        },
        Err(wrong) => TriedShapes {
            correct: false,
            outcome: format!("WRONG: {wrong}"),
            shapes: 0,
            left_out: 0,
            assignments: 0,
            undecided: 0,
            wrong: Some(wrong),
        },
    })
}

/// The extent of a check without a fault: the constraints, the numbers of inputs, the numbers of shapes and assignments.
fn right(checked: &CheckedShapes) -> String {
    let shapes = || checked.tried.iter().map(|(_, shape)| shape);
    let inputs = |shapes: &BTreeSet<u64>| match (shapes.first(), shapes.last()) {
        (Some(least), Some(max)) => format!("{least} to {max} inputs"),
        _ => "no inputs".to_owned(),
    };
    let mut parts = Vec::new();
    let of_one: BTreeSet<u64> =
        shapes().filter(|shape| shape.is_of_one()).map(|shape| shape.n).collect();
    if !of_one.is_empty() {
        parts.push(format!("at most one and exactly one of {}", inputs(&of_one)));
    }
    let bounds: BTreeSet<u64> =
        shapes().filter(|shape| !shape.is_of_one()).map(|shape| shape.k).collect();
    if let (Some(least), Some(max)) = (bounds.first(), bounds.last()) {
        let of_bounds: BTreeSet<u64> =
            shapes().filter(|shape| !shape.is_of_one()).map(|shape| shape.n).collect();
        let k = if least == max { least.to_string() } else { format!("k from {least} to {max}") };
        parts.push(format!("at most, at least and exactly {k} of {}", inputs(&of_bounds)));
    }
    let proved = match checked.proved {
        proved if proved == checked.tried.len() => {
            "a solver proved that no wrong assignment is allowed".to_owned()
        }
        proved => format!(
            "a solver proved for {} of them that no wrong assignment is allowed",
            grouped(proved as u128)
        ),
    };
    let mut text = format!(
        "{}: {} ({}, {} assignments; {proved}",
        checked.verdict(),
        parts.join("; "),
        counted(checked.tried.len(), "constraint"),
        grouped(checked.assignments.into())
    );
    if checked.left_out > 0 {
        let left_out = grouped(checked.left_out as u128);
        text += &["; ", &left_out, " with larger formulas not tried"].concat();
    }
    text + ")"
}
