//! Outside programs and their inputs.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use bezzel_encode::format::Format;
use bezzel_encode::format::dimacs::Preamble;
use bezzel_encode::format::read::{self, SolverVerdict};
use bezzel_encode::{Constraints, Encoding, Numbering, Registry};
use bezzel_queens::{Board, Geometry, Placement};

/// All encodings that this format can express.
pub(crate) fn encodings(format: Format) -> Vec<Arc<dyn Encoding>> {
    let registry = bezzel_queens::register(Registry::standard());
    let infos = registry.infos().into_iter();
    let supported = infos.filter(|info| !info.cardinality || format.takes_cardinality());
    supported
        .map(|info| registry.find(&info.id).unwrap().with_settings(Constraints::Full))
        .collect()
}

/// A board with a solution and one without.
pub(crate) fn boards() -> [(Board, bool); 2] {
    let solvable = Board::new(6).unwrap();
    [(solvable.clone(), true), (solvable.with_geometry(Geometry::Torus), false)]
}

/// The file of the board in this format.
pub(crate) fn file(
    format: Format,
    encoding: &dyn Encoding,
    board: &Board,
    numbering: &Numbering,
) -> String {
    let mut text = Vec::new();
    let preamble = Preamble::Comments { made_by: "a test", names: true };
    format.write(encoding, &board.problem(), numbering, preamble, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// The output of a program for a file.
pub(crate) fn output(program: &str, options: &[&str], file: &Path) -> String {
    let output = Command::new(program).args(options).arg(file).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// The queens of an answer to a file, read as `bezzel decode` reads it; `None` where there is no
/// solution.
pub(crate) fn decode(answer: &str, file: Option<&str>, what: &str) -> Option<Placement> {
    let read = read::answer(&mut answer.as_bytes());
    let read = read.unwrap_or_else(|error| panic!("{what}: {error}\n{answer}"));
    match read.verdict {
        Some(SolverVerdict::Sat) => {
            let notes = file.map(|text| read::notes(&mut text.as_bytes()).unwrap());
            let squares = read.decode_squares(notes.as_ref());
            let squares = squares.unwrap_or_else(|error| panic!("{what}: {error}\n{answer}"));
            Some(squares.into_iter().collect())
        }
        Some(SolverVerdict::Unsat) => None,
        other => panic!("{what}: {other:?}\n{answer}"),
    }
}
