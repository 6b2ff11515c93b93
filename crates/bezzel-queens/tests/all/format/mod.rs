//! Files of every format, read back by readers that share no code with the writers.

mod answers;
mod dimacs;
mod formulas;
mod numbers;
mod terms;

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::Arc;

use bezzel_queens::{Board, Geometry, Square};

use bezzel_encode::Constraints;
use bezzel_encode::Encoding;
use bezzel_encode::Registry;
use bezzel_encode::format::dimacs::Preamble;
use bezzel_encode::format::{Format, FormatError};
use bezzel_encode::numbering::Numbering;
use bezzel_queens::register;

const COMMENTS: Preamble<'static> = Preamble::Comments { made_by: "the tests", names: true };

const ALL_SHUFFLED: Numbering = Numbering { clauses: Some(4), ..ALL_BUT_CLAUSES_SHUFFLED };

const ALL_BUT_CLAUSES_SHUFFLED: Numbering =
    Numbering { variables: Some(1), literals: Some(2), ..Numbering::AS_GENERATED };

fn encoding(id: &str) -> Arc<dyn Encoding> {
    register(Registry::standard()).find(id).unwrap().with_settings(Constraints::Full)
}

/// Every encoding that states clauses only.
fn clausal() -> Vec<Arc<dyn Encoding>> {
    let infos = register(Registry::standard()).infos().into_iter();
    infos.filter(|info| !info.cardinality).map(|info| encoding(&info.id)).collect()
}

/// The first of them in each family, which is the part of the id before a `:` or `+`.
fn one_of_each_family() -> Vec<Arc<dyn Encoding>> {
    let mut families = BTreeSet::new();
    let mut encodings = clausal();
    encodings.retain(|encoding| {
        let id = encoding.info().id;
        families.insert(id.split([':', '+']).next().map(str::to_owned))
    });
    encodings
}

#[test]
#[ignore = "second tier: all encodings"]
fn files_of_all_encodings_are_right() {
    numbers::check_opb_and_knf(clausal());
    numbers::check_projections(clausal());
    dimacs::check_reading_back(clausal());
    dimacs::check_comments(clausal());
    dimacs::check_accounts(clausal());
    terms::check_smt(clausal());
    terms::check_squares(clausal());
}

fn boards() -> Vec<Board> {
    let mut boards: Vec<_> = (1..=5).map(|side| Board::new(side).unwrap()).collect();
    boards.push(Board::new(4).unwrap().with_geometry(Geometry::Torus));
    let [queen, blocked] = [(2, 3), (4, 4)].map(|(row, column)| Square::new(row, column));
    let given = Board::new(6).unwrap().with_placed([queen]).unwrap();
    boards.push(given.with_blocked([blocked]).unwrap());
    boards
}

/// A file of this format.
fn file(format: Format, encoding: &dyn Encoding, board: &Board, numbering: &Numbering) -> String {
    let mut bytes = Vec::new();
    let size = format.write(encoding, &board.problem(), numbering, COMMENTS, &mut bytes).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let message = format!("variables: {}, of which", size.variables);
    assert!(text.lines().any(|line| line.contains(&message)), "{format}");
    text
}

#[test]
fn whole_constraints_are_refused_by_formats_of_clauses() {
    let registry = register(Registry::standard());
    let board = Board::new(5).unwrap();
    for id in ["native", "{rows: native, columns: product, diagonals: pairwise}"] {
        let encoding = registry.find(id).unwrap().with_settings(Constraints::Full);
        for format in Format::ALL {
            let mut bytes = Vec::new();
            let numbering = Numbering::AS_GENERATED;
            let written =
                format.write(&*encoding, &board.problem(), &numbering, COMMENTS, &mut bytes);
            if format.takes_cardinality() {
                written.unwrap();
                let written = format.write(
                    &*encoding,
                    &board.problem(),
                    &ALL_SHUFFLED,
                    COMMENTS,
                    &mut io::sink(),
                );
                assert!(matches!(written, Err(FormatError::Shuffled { .. })));
            } else {
                let expected = format!(
                    "`{id}` states at-most-one constraints whole, and this format knows clauses \
                     only: it would get the pairs of `pairwise` under another name; take \
                     `pairwise`, or the formats `opb` and `knf`"
                );
                assert_eq!(written.unwrap_err().to_string(), expected);
                assert!(bytes.is_empty(), "{format}");
            }
        }
    }
}

/// A disk that is full after this number of bytes.
struct FullDisk(usize);

impl Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = bytes.len().min(self.0);
        self.0 -= written;
        if written == 0 { Err(io::Error::other("full")) } else { Ok(written) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_reported_by_every_format_wherever_it_happens() {
    let (encoding, board) = (encoding("product"), Board::new(4).unwrap());
    let numbering = Numbering::AS_GENERATED;
    for format in Format::ALL {
        let all = file(format, &*encoding, &board, &numbering).len();
        for left in (0..all).step_by(97).chain([all - 1]) {
            let written = format.write(
                &*encoding,
                &board.problem(),
                &numbering,
                COMMENTS,
                &mut FullDisk(left),
            );
            let message = written.unwrap_err().to_string();
            assert_eq!(message, "writing the formula failed: full", "{format}");
        }
        format
            .write(&*encoding, &board.problem(), &numbering, COMMENTS, &mut FullDisk(all))
            .unwrap();
    }
}
