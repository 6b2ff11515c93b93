//! What figures and tables are made from: an experiment's record, put in order.

use std::collections::BTreeSet;

use bezzel_encode::{Board, Geometry, Piece, Registry, Size};
use bezzel_lab::{ExperimentRecord, Row, Task};
use bezzel_solve::Answer;

use crate::chart::Entry;
use crate::escape::plain;
use crate::label::Labels;
use crate::lineup::Lineup;
use crate::statistics::growth::Leading;
use crate::statistics::{Cell, cells};

/// A record in order. Encodings, solvers, numberings and boards are in the order of their first
/// rows, which is that of the plan; so the n-th encoding is the n-th in every figure.
pub struct Material<'a> {
    /// The record.
    pub record: &'a ExperimentRecord,
    /// The labels of the encodings.
    pub encodings: Vec<String>,
    /// The labels of the solvers.
    pub solvers: Vec<String>,
    /// The ids of the numberings.
    pub numberings: Vec<String>,
    /// The boards.
    pub boards: Vec<&'a Board>,
    /// The cells: by board, then solver, numbering and encoding.
    pub cells: Vec<Cell<'a>>,
    /// What engines were run, which is in none of the above.
    pub lineup: Lineup<'a>,
    registry: &'a Registry,
    labels: Labels,
}

impl<'a> Material<'a> {
    /// Puts a record in order; `registry` knows the closed forms of sizes.
    pub fn new(record: &'a ExperimentRecord, registry: &'a Registry) -> Self {
        let labels = Labels::new(&record.rows);
        let firsts = || record.rows.iter().filter(|row| row.job.task == Task::First);
        let mut cells = cells(firsts(), |row| labels.of(row));
        let encodings = distinct(firsts().map(|row| row.job.encoding_label()));
        let solvers = distinct(cells.iter().map(|cell| cell.solver.clone()));
        let numberings = distinct(cells.iter().map(|cell| cell.numbering.clone()));
        let boards = distinct(firsts().map(|row| &row.job.board));
        // What differs in its encoding only stands together.
        cells.sort_by_key(|cell| {
            (
                boards.iter().position(|board| *board == cell.board),
                solvers.iter().position(|solver| *solver == cell.solver),
                numberings.iter().position(|numbering| *numbering == cell.numbering),
                encodings.iter().position(|encoding| *encoding == cell.encoding),
            )
        });
        let lineup = Lineup::new(&record.rows, &labels);
        Self { record, encodings, solvers, numberings, boards, cells, lineup, registry, labels }
    }

    /// An encoding's place in the report, by its label.
    pub fn style(&self, encoding: &str) -> usize {
        self.encodings.iter().position(|known| known == encoding).unwrap_or_default()
    }

    /// The encodings of this legend that occur in the styles given.
    pub fn legend(&self, occurring: &BTreeSet<usize>) -> Vec<Entry> {
        occurring.iter().map(|&style| self.entry(style)).collect()
    }

    /// An encoding as an entry of a legend.
    pub fn entry(&self, style: usize) -> Entry {
        Entry { style, label: plain(&self.encodings[style]) }
    }

    /// The label of a row's solver: its id, with what the experiment varies.
    pub fn solver(&self, row: &Row) -> String {
        self.labels.of(row)
    }

    /// The rows of solvers, who look for a first solution, that `keep` wants.
    pub fn firsts(&self, keep: impl Fn(&Row) -> bool) -> Vec<&'a Row> {
        self.rows(|row| row.job.task == Task::First && keep(row))
    }

    /// The rows that `keep` wants, those of engines too.
    pub fn rows(&self, keep: impl Fn(&Row) -> bool) -> Vec<&'a Row> {
        self.record.rows.iter().filter(|row| keep(row)).collect()
    }

    /// The largest empty plane board for queens of those on which most encodings were measured; the
    /// largest such plane board if none is empty. A larger one that was measured for a few encodings
    /// compares nothing.
    pub fn largest_plane(&self) -> Option<&'a Board> {
        let plane = |board: &&&Board| board.geometry() == Geometry::Plane;
        let encodings = |board: &Board| {
            let cells = self.cells.iter().filter(|cell| cell.board == board);
            distinct(cells.map(|cell| &cell.encoding)).len()
        };
        let largest = |empty: bool| {
            let boards = self.boards.iter().filter(plane);
            let boards = boards.filter(|board| !empty || terrain(board) == "plane");
            boards.max_by_key(|board| (encodings(board), board.rows())).copied()
        };
        largest(true).or_else(|| largest(false))
    }

    /// What is known of a board's solutions from the rows: the answer, verified if there is one
    /// that is, and not shown to be wrong.
    pub fn answer(&self, board: &Board) -> Option<Answer> {
        let rows = self.rows(|row| row.job.board == *board && row.solved());
        let verified = rows.iter().find(|row| row.verdict == bezzel_lab::Verdict::Verified);
        verified.or(rows.first()).map(|row| row.answer)
    }

    /// The closed form of an encoding's size on a board, if the encoding is known and has one.
    pub fn closed_form(&self, encoding: &str, board: &Board) -> Option<Size> {
        let row = self.record.rows.iter().find(|row| row.job.encoding_label() == encoding)?;
        let found = self.registry.find(&row.job.encoding).ok()?;
        let encoding = found.on_board(row.job.settings());
        // A row may be older or newer than the encoding that is known here.
        if encoding.card().revision != row.encoding_revision {
            return None;
        }
        encoding.size(board)
    }

    /// The leading term of a closed form on the empty plane.
    pub fn leading(&self, encoding: &str, part: impl Fn(Size) -> u128) -> Option<Leading> {
        Leading::of(|side| {
            let board = Board::new(side).ok()?;
            self.closed_form(encoding, &board).map(&part)
        })
    }

    /// The CPU limits of the rows, in seconds, each once.
    pub fn cpu_limits(&self) -> Vec<f64> {
        let mut limits: Vec<f64> =
            self.record.rows.iter().map(|row| row.job.limits.cpu_s).collect();
        limits.sort_by(f64::total_cmp);
        limits.dedup();
        limits
    }
}

/// What kind of board it is, its side left out: `plane`, `torus`, `plane, rooks, partly filled`,
/// `N × (N + 2)` for rectangles.
pub fn terrain(board: &Board) -> String {
    let (rows, columns) = (board.rows(), board.columns());
    let mut words = vec![match board.geometry() {
        Geometry::Torus => "torus".to_owned(),
        Geometry::Plane if rows == columns => "plane".to_owned(),
        // Rectangles of one kind differ in their rows only, as squares do.
        Geometry::Plane if rows > columns => format!("N × (N − {})", rows - columns),
        Geometry::Plane => format!("N × (N + {})", columns - rows),
    }];
    if board.piece() == Piece::Rook {
        words.push("rooks".to_owned());
    }
    if !board.placed().is_empty() {
        words.push("partly filled".to_owned());
    }
    if !board.blocked().is_empty() {
        words.push("partly blocked".to_owned());
    }
    words.join(", ")
}

/// Each once, in the order of first appearance.
pub fn distinct<T: PartialEq>(things: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for thing in things {
        if !seen.contains(&thing) {
            seen.push(thing);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{shuffled, solved, unchecked};

    fn record(rows: Vec<Row>) -> ExperimentRecord {
        ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() }
    }

    #[test]
    fn encodings_keep_the_order_of_their_first_row() {
        let mut rows = vec![solved(1.0), solved(1.0), solved(1.0)];
        rows[0].job.encoding = "zeta".into();
        rows[2].job.encoding = "alpha".into();
        let record = record(rows);
        let registry = Registry::new();
        let material = Material::new(&record, &registry);
        assert_eq!(material.encodings, ["zeta", "pairwise", "alpha"]);
        assert_eq!(material.style("alpha"), 2);
    }

    #[test]
    fn the_largest_plane_board_is_an_empty_one_for_queens_if_there_is_one() {
        let mut rows = vec![solved(1.0), solved(1.0), shuffled(1, 1.0)];
        rows[1].job.board = Board::new(60).unwrap().with_piece(Piece::Rook);
        rows[2].job.board = Board::new(99).unwrap().with_geometry(Geometry::Torus);
        let record = record(rows);
        let registry = Registry::new();
        let material = Material::new(&record, &registry);
        assert_eq!(material.largest_plane().map(Board::rows), Some(8));
        assert_eq!(terrain(material.boards[1]), "plane, rooks");
        let pigeons = Board::rectangle(9, 8).unwrap().with_piece(Piece::Rook);
        assert_eq!(terrain(&pigeons), "N × (N − 1), rooks");
    }

    #[test]
    fn a_verified_answer_tells_more_of_a_board_than_an_unchecked_one() {
        let record = record(vec![unchecked(1.0), solved(1.0)]);
        let registry = Registry::new();
        let material = Material::new(&record, &registry);
        assert_eq!(material.answer(material.boards[0]), Some(Answer::Sat));
    }

    #[test]
    fn a_closed_form_is_used_for_the_revision_that_was_measured_only() {
        let mut record = record(vec![solved(1.0)]);
        let registry = Registry::standard();
        let board = Board::new(8).unwrap();
        let size = |record: &ExperimentRecord| {
            Material::new(record, &registry).closed_form("pairwise", &board)
        };
        assert_eq!(size(&record).map(|size| size.clauses), Some(744));
        record.rows[0].encoding_revision += 1;
        assert_eq!(size(&record), None);
    }
}
