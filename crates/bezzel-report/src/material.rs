//! An experiment's record in order. Figures and tables are made from it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use bezzel_encode::{Registry, Size};
use bezzel_lab::{ExperimentRecord, Row, Stop, Task};
use bezzel_problem::{Board, Geometry, Instance};
use bezzel_solve::Answer;
use indexmap::IndexSet;

use crate::chart::{Entry, Point, Series};
use crate::family::{Families, answers, names, terrain};
use crate::label::Labels;
use crate::lineup::Lineup;
use crate::look::looks;
use crate::machines::Machines;
use crate::statistics::cell::counts;
use crate::statistics::growth::Leading;
use crate::statistics::{Cell, Place, cells};
use crate::words::Words;

/// A record in order. Encodings, solvers, numberings and boards are in the order of their first
/// rows, which is that of the plan; so the n-th encoding is the n-th in every figure.
pub struct Material<'a> {
    /// The record.
    pub record: &'a ExperimentRecord,
    /// The labels of the encodings: their ids, with their settings but for those that all of them
    /// have.
    pub encodings: Vec<String>,
    /// The labels of the solvers.
    pub solvers: Vec<String>,
    /// The labels of the numberings: their ids, without the shuffles that all of them have.
    pub numberings: Vec<String>,
    /// The instances.
    pub instances: Vec<&'a Instance>,
    /// The kinds of the boards, each once, as `family::terrain` names them.
    pub terrains: Vec<String>,
    /// The cells: by board, then solver, numbering and encoding. The numbers in their places are
    /// those of `boards`, `solvers`, `numberings` and `encodings`.
    pub cells: Vec<Cell<'a>>,
    /// The formulas that were measured and not solved, in the order of their first rows. Only their encodings are in the
    /// fields above; the numbers in their places are indices of none of these fields.
    pub formulas: Vec<Cell<'a>>,
    /// The runs of engines, which are in no field above.
    pub lineup: Lineup<'a>,
    /// The kind of machine of each row.
    pub machines: Machines<'a>,
    /// The words for the instances.
    pub(crate) words: Words,
    registry: &'a Registry,
    labels: Labels,
    /// The look of each encoding, by its place in the report.
    looks: Vec<usize>,
    families: Families<'a>,
    /// The name of each board of any row.
    names: HashMap<&'a Instance, String>,
    /// The index in `cells` of each place.
    numbers: HashMap<Place, usize>,
    /// The terrain of each board, by its number.
    terrain_of: Vec<usize>,
    /// The answer of each board that has a row, where it is known.
    answers: BTreeMap<&'a Instance, Option<Answer>>,
    /// The first row of each encoding, by its label.
    firsts_of: HashMap<String, &'a Row>,
}

impl<'a> Material<'a> {
    /// Puts a record in order; `registry` knows the closed forms of sizes.
    pub fn new(record: &'a ExperimentRecord, registry: &'a Registry) -> Self {
        let labels = Labels::new(&record.rows).naming(&record.names);
        let encoding = |row: &Row| labels.encoding(&row.job);
        let firsts = || record.rows.iter().filter(|row| row.job.task == Task::First);
        let mut cells = cells(firsts(), |row| labels.of(row), encoding);
        for cell in &mut cells {
            cell.numbering = labels.numbering(&cell.rows[0].job.numbering);
        }
        let [mut encodings, mut solvers, mut numberings] = [const { Vec::new() }; 3];
        let mut boards = Vec::new();
        for cell in &cells {
            // Numbers are given in the order of first appearance.
            let Place { board, solver, numbering, encoding } = cell.place;
            for (names, number, name) in [
                (&mut encodings, encoding, &cell.encoding),
                (&mut solvers, solver, &cell.solver),
                (&mut numberings, numbering, &cell.numbering),
            ] {
                if number == names.len() {
                    names.push(name.clone());
                }
            }
            if board == boards.len() {
                boards.push(cell.instance);
            }
        }
        // What is measured without a solver is of encodings, too.
        let mut known: BTreeSet<String> = encodings.iter().cloned().collect();
        for row in record.rows.iter().filter(|row| row.job.task.backend().is_none()) {
            let label = labels.encoding(&row.job);
            if known.insert(label.clone()) {
                encodings.push(label);
            }
        }
        let sized = record.rows.iter().filter(|row| row.job.task == Task::Size);
        let formulas = crate::statistics::cells(sized, |row| labels.of(row), encoding);
        // What differs in its encoding only stands together.
        cells.sort_by_key(|cell| cell.place);
        let numbers = cells.iter().enumerate().map(|(number, cell)| (cell.place, number));
        let mut terrains = IndexSet::new();
        let terrain_of =
            boards.iter().map(|board| terrains.insert_full(terrain(board)).0).collect();
        let mut firsts_of = HashMap::new();
        for row in &record.rows {
            firsts_of.entry(labels.encoding(&row.job)).or_insert(row);
        }
        let id =
            |label: &str| firsts_of.get(label).map_or("", |row: &&Row| row.job.encoding.as_str());
        Self {
            record,
            looks: looks(encodings.iter().map(|label| (id(label), label.as_str()))),
            numbers: numbers.collect(),
            terrains: terrains.into_iter().collect(),
            terrain_of,
            answers: answers(&record.rows),
            firsts_of,
            lineup: Lineup::new(&record.rows, &labels),
            machines: Machines::new(record),
            words: Words::new(record.rows.iter().map(|row| &row.job.instance)),
            families: Families::new(record),
            names: names(record.rows.iter().map(|row| &row.job.instance)),
            encodings,
            solvers,
            numberings,
            instances: boards,
            cells,
            formulas,
            registry,
            labels,
        }
    }

    /// The cell at a place, if anything was run there.
    pub fn cell(&self, place: Place) -> Option<&Cell<'a>> {
        self.numbers.get(&place).map(|&number| &self.cells[number])
    }

    /// The cells of the board of this number.
    pub fn cells_on(&self, board: usize) -> &[Cell<'a>] {
        let from = self.cells.partition_point(|cell| cell.place.board < board);
        let to = self.cells.partition_point(|cell| cell.place.board <= board);
        &self.cells[from..to]
    }

    /// The cells of an encoding in a solver under a numbering, each by its number, in the order of
    /// the boards.
    pub fn cells_of(
        &self,
        encoding: usize,
        solver: usize,
        numbering: usize,
    ) -> impl Iterator<Item = &Cell<'a>> {
        let boards = 0..self.instances.len();
        boards.filter_map(move |board| self.cell(Place { board, solver, numbering, encoding }))
    }

    /// The boards of such a terrain whose formulas were measured and not solved.
    pub fn formulas_on(&self, shown: &str) -> impl Iterator<Item = &'a Instance> {
        let boards = self.formulas.iter().map(|cell| cell.instance);
        boards.filter(move |board| terrain(board) == shown)
    }

    /// The cells that may have a formula, with a solver and without.
    pub fn with_formula(&self) -> impl Iterator<Item = &Cell<'a>> {
        self.cells.iter().chain(&self.formulas)
    }

    /// The terrain of the board of this number.
    pub fn terrain(&self, board: usize) -> &str {
        &self.terrains[self.terrain_of[board]]
    }

    /// An encoding's place in the report, by its label.
    pub fn style(&self, encoding: &str) -> usize {
        self.encodings.iter().position(|known| known == encoding).unwrap_or_default()
    }

    /// The encodings with one of these looks, in their order.
    pub fn legend(&self, occurring: &BTreeSet<usize>) -> Vec<Entry> {
        let entries = (0..self.encodings.len()).map(|encoding| self.entry(encoding));
        entries.filter(|entry| occurring.contains(&entry.style)).collect()
    }

    /// The encoding of this number as an entry of a legend.
    pub fn entry(&self, encoding: usize) -> Entry {
        Entry { style: self.looks[encoding], label: self.encodings[encoding].clone() }
    }

    /// A series of points of the encoding of this number.
    pub fn series(&self, encoding: usize, points: Vec<Point>) -> Series {
        let Entry { style, label } = self.entry(encoding);
        Series::new(style, label, points)
    }

    /// The label of a row's encoding: its id, with its settings but for those that all encodings
    /// have.
    pub fn encoding(&self, row: &Row) -> String {
        self.labels.encoding(&row.job)
    }

    /// The label of a row's solver: its id, with what the experiment varies.
    pub fn solver(&self, row: &Row) -> String {
        self.labels.of(row)
    }

    /// The label of the numbering of a solver's row.
    pub fn numbering(&self, row: &Row) -> String {
        self.labels.numbering(&row.job.numbering)
    }

    /// The family of instances that a board is one of: as the config says, or derived from the board;
    /// with its answer, where boards of one family have both.
    pub fn family(&self, instance: &Instance) -> String {
        self.families.of(instance)
    }

    /// The instances that are pooled where engines find all their solutions: those of a board's terrain, or of the
    /// family of another instance, since an instance without a solution is pooled with none that has one.
    pub(crate) fn group(&self, instance: &Instance) -> String {
        if instance.board().is_some() { terrain(instance) } else { self.family(instance) }
    }

    /// The name of a board in this report, as in `60 with 40 given queens, no. 3`.
    pub fn name(&self, instance: &Instance) -> String {
        self.names.get(instance).cloned().unwrap_or_else(|| instance.to_string())
    }

    /// The shuffles that all numberings of the solvers have, which labels therefore leave out: `literals and clauses`.
    pub fn shuffled_alike(&self) -> Option<String> {
        self.labels.shuffled_alike()
    }

    /// The settings that all encodings have, which labels therefore leave out, in whole sentences.
    pub fn set_alike(&self) -> Option<String> {
        self.labels.set_alike(self.words)
    }

    /// The rows of solvers that look for a first solution, where `keep` is true.
    pub fn firsts(&self, keep: impl Fn(&Row) -> bool) -> Vec<&'a Row> {
        self.rows(|row| row.job.task == Task::First && keep(row))
    }

    /// The rows where `keep` is true, those of engines included.
    pub fn rows(&self, keep: impl Fn(&Row) -> bool) -> Vec<&'a Row> {
        self.record.rows.iter().filter(|row| keep(row)).collect()
    }

    /// The number of the largest empty plane board for queens of those on which most encodings were measured; of
    /// the largest such plane board if none is empty; of the largest such instance of any kind if there is no board. A
    /// larger one that was measured for a few encodings compares nothing.
    pub fn largest_plane_number(&self) -> Option<usize> {
        let largest = |is_shown: &dyn Fn(usize) -> bool| {
            let boards = (0..self.instances.len()).filter(|&board| is_shown(board));
            let encodings = |board: usize| {
                let cells = self.cells_on(board).iter();
                cells.map(|cell| cell.place.encoding).collect::<BTreeSet<_>>().len()
            };
            boards.max_by_key(|&board| (encodings(board), self.instances[board].size()))
        };
        let is_plane = |board: &Board| board.geometry() == Geometry::Plane;
        largest(&|board| self.terrain(board) == "plane")
            .or_else(|| largest(&|board| self.instances[board].board().is_some_and(is_plane)))
            .or_else(|| {
                let has_boards = self.instances.iter().any(|board| board.board().is_some());
                largest(&|_| !has_boards)
            })
    }

    /// The answer of a board by its rows: a verified one if there is one, else the first that is not wrong.
    pub fn answer(&self, instance: &Instance) -> Option<Answer> {
        *self.answers.get(instance)?
    }

    /// The closed form of an encoding's size on a board, if the encoding is known and has one.
    pub fn closed_form(&self, encoding: &str, instance: &Instance) -> Option<Size> {
        let row = self.firsts_of.get(encoding)?;
        let found = self.registry.find(&row.job.encoding).ok()?;
        let encoding = found.on_board(self.labels.on_board(row.job.settings, instance)?);
        // A row may be older or newer than the encoding that is known here.
        if encoding.card().revision != row.encoding_revision || !instance.has_problem() {
            return None;
        }
        let problem = instance.problem();
        encoding.fits(&problem).ok()?;
        encoding.size(&problem)
    }

    /// The leading term of a closed form on the empty plane.
    pub fn leading(&self, encoding: &str, part: impl Fn(Size) -> u128) -> Option<Leading> {
        Leading::of(|side| {
            let board = Board::new(side).ok()?;
            self.closed_form(encoding, &board.into()).map(&part)
        })
    }

    /// The limit of CPU time in seconds, if all runs had the same and no other end left one of them without
    /// an answer.
    pub fn cpu_limit(&self) -> Option<f64> {
        let rows = || self.record.rows.iter();
        let limit = rows().next().map(|row| row.job.limits.cpu_s);
        let is_at_it = |row: &Row| row.solved() || !counts(row) || row.stop == Stop::CpuLimit;
        limit.filter(|_| rows().all(|row| Some(row.job.limits.cpu_s) == limit && is_at_it(row)))
    }
}

#[cfg(test)]
mod tests;
