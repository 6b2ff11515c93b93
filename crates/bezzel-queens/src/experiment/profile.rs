//! Encodings of programs for their properties, which are computed on boards.

use crate::Board;
use crate::encode::properties;
use bezzel_encode::registry::NamedEncoding;
use bezzel_experiment::{EncoderPrograms, FindError};
use bezzel_problem::Instance;

/// The side of the largest board in the verdicts on an encoding of boards.
const LARGEST_TRIED: u32 = 12;

/// Finds the encoding of a name for its properties: see [`EncoderPrograms::find_for_properties`].
///
/// # Errors
///
/// When there is no such encoding, a program in its name fails, or it prints another output the second time.
pub fn find_for_properties(
    programs: &mut EncoderPrograms<'_>,
    name: &str,
) -> Result<NamedEncoding, FindError> {
    programs.find_for_properties(name, &boards(), &[])
}

/// Finds the encoding of a name for a profile that shows this board: on the boards of the properties, the boards up to
/// side 12, and that board.
///
/// # Errors
///
/// As [`find_for_properties`].
pub fn find_for_profile(
    programs: &mut EncoderPrograms<'_>,
    name: &str,
    board: &Board,
) -> Result<NamedEncoding, FindError> {
    let planes = (1..=LARGEST_TRIED).map(|side| Board::new(side).expect("it is small"));
    let shown: Vec<Instance> = planes.chain([board.clone()]).map(Instance::from).collect();
    programs.find_for_properties(name, &boards(), &shown)
}

/// The boards on which properties are computed.
fn boards() -> Vec<Instance> {
    properties::board::boards().into_iter().map(Instance::from).collect()
}
