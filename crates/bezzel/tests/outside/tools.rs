//! Outside programs, and what is put before them.

#![expect(clippy::explicit_write, reason = "`eprintln!` in a passing test is captured")]

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use bezzel_encode::format::Format;
use bezzel_encode::format::dimacs::Preamble;
use bezzel_encode::format::read::{self, Verdict};
use bezzel_encode::{Board, Constraints, Encoding, Geometry, Numbering, Placement, Registry};

/// Whether there is such a program; where there is none, says that it is skipped.
pub(crate) fn is_installed(program: &str) -> bool {
    let found = std::env::var_os("PATH").is_some_and(|path| {
        std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
    });
    found || skipped(program)
}

/// Says that something is not there, which is no success where nothing may be skipped.
pub(crate) fn skipped(what: &str) -> bool {
    let skipped = format!("{what} is not installed");
    assert!(std::env::var_os("BEZZEL_REQUIRE_OUTSIDE").is_none(), "{skipped}");
    // Past the capture of passing tests' output.
    writeln!(std::io::stderr(), "skipped: {skipped}").unwrap();
    false
}

/// Every encoding that this format can say.
pub(crate) fn encodings(format: Format) -> Vec<Arc<dyn Encoding>> {
    let registry = Registry::standard();
    let cards = registry.cards().into_iter();
    let said = cards.filter(|card| !card.cardinality || format.takes_cardinality());
    said.map(|card| registry.find(&card.id).unwrap().on_board(Constraints::Full)).collect()
}

/// A board with a solution and one without.
pub(crate) fn boards() -> [(Board, bool); 2] {
    let solvable = Board::new(6).unwrap();
    [(solvable.clone(), true), (solvable.with_geometry(Geometry::Torus), false)]
}

/// The file that says the board in this format.
pub(crate) fn file(
    format: Format,
    encoding: &dyn Encoding,
    board: &Board,
    numbering: &Numbering,
) -> String {
    let mut text = Vec::new();
    let preamble = Preamble::Comments { made_by: "a test" };
    format.write(encoding, board, numbering, preamble, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

/// What a program prints when it is run on a file.
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
        Some(Verdict::Sat) => {
            let notes = file.map(|text| read::notes(&mut text.as_bytes()).unwrap());
            let placement = read.decode(notes.as_ref());
            Some(placement.unwrap_or_else(|error| panic!("{what}: {error}\n{answer}")))
        }
        Some(Verdict::Unsat) => None,
        other => panic!("{what}: {other:?}\n{answer}"),
    }
}
