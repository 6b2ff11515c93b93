//! An experiment's record in order. Figures and tables are made from it.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use bezzel_encode::{Encoding, Registry, SettingAxis, Size};
use bezzel_experiment::{ExperimentRecord, Row, Task, Termination};
use bezzel_problem::{FormRank, Instance};
use bezzel_solve::Answer;
use indexmap::IndexSet;

use crate::chart::{LegendEntry, Point, Series};
use crate::counter_runs::CounterRuns;
use crate::family::{Families, has_form, instance_answers, instance_kind, instance_names, rank};
use crate::instance_words::SizeName;
use crate::label::Labels;
use crate::look::looks;
use crate::machines::{Machines, SessionNoise};
use crate::number::distinct;
use crate::row_statistics::cell::is_counted;
use crate::row_statistics::{Cell, CellIndex, cells};

/// A record in order. Encodings, solvers, numberings and instances are in the order of their first rows, which is that
/// of the plan. So the n-th encoding is the n-th in every figure.
pub struct Dataset<'a> {
    /// The record.
    pub record: &'a ExperimentRecord,
    /// The labels of the encodings: their ids, with the settings that not all of them have.
    pub encodings: Vec<String>,
    /// The labels of the solvers.
    pub solvers: Vec<String>,
    /// The ids of the numberings.
    pub numberings: Vec<String>,
    /// The instances.
    pub instances: Vec<&'a Instance>,
    /// The kinds of the instances, each once, as `family::instance_kind` names them.
    pub instance_kinds: Vec<String>,
    /// The cells: by instance, then solver, numbering and encoding. The numbers of their `index` are
    /// those of `instances`, `solvers`, `numberings` and `encodings`.
    pub cells: Vec<Cell<'a>>,
    /// The formulas that were measured and not solved, in the order of their first rows. Only their encodings are in
    /// the fields above; the numbers of their `index` are indices of none of these fields.
    pub formulas: Vec<Cell<'a>>,
    /// The runs of engines, which are in no field above.
    pub counter_runs: CounterRuns<'a>,
    /// The kind of machine of each row.
    pub machines: Machines<'a>,
    /// The noise of each session.
    pub(crate) noise: SessionNoise,
    /// The words for the instances.
    pub(crate) size_name: SizeName,
    /// True if every instance has a [form](bezzel_problem::Form).
    pub(crate) has_forms: bool,
    registry: &'a Registry,
    labels: Labels,
    /// The look of each encoding, by its place in the report.
    looks: Vec<usize>,
    families: Families<'a>,
    /// The name of each instance of any row.
    names: HashMap<&'a Instance, String>,
    /// The position in `cells` of each cell.
    positions: HashMap<CellIndex, usize>,
    /// The kind of each instance, by its number, as an index in `instance_kinds`.
    kind_of: Vec<usize>,
    /// The answer of each instance that has a row, where it is known.
    answers: BTreeMap<&'a Instance, Option<Answer>>,
    /// The first row of each encoding, by its label.
    firsts_of: HashMap<String, &'a Row>,
}

impl<'a> Dataset<'a> {
    /// Puts a record in order; `registry` knows the closed forms of sizes.
    pub fn new(record: &'a ExperimentRecord, registry: &'a Registry) -> Self {
        let labels = Labels::new(&record.rows).with_program_names(&record.names);
        let firsts = record.rows.iter().filter(|row| row.job.task == Task::Solve);
        let solver = |row: &Row| labels.solver(row);
        let cells = cells(firsts, solver, |row| labels.encoding(&row.job), |_| 0);
        Self::of_cells(record, registry, labels, cells)
    }

    /// Puts a combined record in order, with its [parts](ExperimentRecord::parts) as a factor: the runs of two parts
    /// are in different cells. Engines are among the solvers, and their labels have the task.
    pub fn by_record(record: &'a ExperimentRecord, registry: &'a Registry) -> Self {
        let labels = Labels::new(&record.rows).with_program_names(&record.names);
        let part = |row: &Row| {
            record.parts.partition_point(|part| part.first_session <= row.session).saturating_sub(1)
        };
        let run = record.rows.iter().filter(|row| row.job.task.backend().is_some());
        let solver = |row: &Row| labels.with_task(row);
        let cells = cells(run, solver, |row| labels.encoding(&row.job), part);
        Self::of_cells(record, registry, labels, cells)
    }

    fn of_cells(
        record: &'a ExperimentRecord,
        registry: &'a Registry,
        labels: Labels,
        mut cells: Vec<Cell<'a>>,
    ) -> Self {
        let [mut encodings, mut solvers, mut numberings] = [const { Vec::new() }; 3];
        let mut instances = Vec::new();
        for cell in &cells {
            // Numbers are given in the order of first appearance.
            let CellIndex { instance, solver, numbering, encoding, record: _ } = cell.index;
            for (names, number, name) in [
                (&mut encodings, encoding, &cell.encoding),
                (&mut solvers, solver, &cell.solver),
                (&mut numberings, numbering, &cell.numbering),
            ] {
                if number == names.len() {
                    names.push(name.clone());
                }
            }
            if instance == instances.len() {
                instances.push(cell.instance);
            }
        }
        // Formulas that are measured without a solver have encodings, too.
        let mut known: BTreeSet<String> = encodings.iter().cloned().collect();
        for row in record.rows.iter().filter(|row| row.job.task.backend().is_none()) {
            let label = labels.encoding(&row.job);
            if known.insert(label.clone()) {
                encodings.push(label);
            }
        }
        let sized = record.rows.iter().filter(|row| row.job.task == Task::Size);
        let encoding = |row: &Row| labels.encoding(&row.job);
        let formulas =
            crate::row_statistics::cells(sized, |row| labels.solver(row), encoding, |_| 0);
        // Cells that differ only in their encoding are neighbours.
        cells.sort_by_key(|cell| cell.index);
        let positions = cells.iter().enumerate().map(|(number, cell)| (cell.index, number));
        let mut kinds = IndexSet::new();
        let kind_of =
            instances.iter().map(|instance| kinds.insert_full(instance_kind(instance)).0).collect();
        let mut firsts_of = HashMap::new();
        for row in &record.rows {
            firsts_of.entry(labels.encoding(&row.job)).or_insert(row);
        }
        let name = |label: &String| {
            firsts_of.get(label).map_or_else(String::new, |row: &&Row| labels.look_id(&row.job))
        };
        let names: Vec<String> = encodings.iter().map(name).collect();
        let ids = names.iter().zip(&encodings);
        Self {
            record,
            looks: looks(ids.map(|(name, label)| (name.as_str(), label.as_str()))),
            positions: positions.collect(),
            instance_kinds: kinds.into_iter().collect(),
            kind_of,
            answers: instance_answers(&record.rows),
            firsts_of,
            counter_runs: CounterRuns::new(&record.rows, &labels),
            machines: Machines::new(record),
            noise: SessionNoise::new(&record.readings),
            size_name: SizeName::new(record.rows.iter().map(|row| &row.job.instance)),
            has_forms: record.rows.iter().all(|row| has_form(&row.job.instance)),
            families: Families::new(record),
            names: instance_names(record.rows.iter().map(|row| &row.job.instance)),
            encodings,
            solvers,
            numberings,
            instances,
            cells,
            formulas,
            registry,
            labels,
        }
    }

    /// The cell with these numbers, if there are runs.
    pub fn cell(&self, index: CellIndex) -> Option<&Cell<'a>> {
        self.positions.get(&index).map(|&number| &self.cells[number])
    }

    /// The cells of the instance of this number.
    pub fn cells_on(&self, instance: usize) -> &[Cell<'a>] {
        let from = self.cells.partition_point(|cell| cell.index.instance < instance);
        let to = self.cells.partition_point(|cell| cell.index.instance <= instance);
        &self.cells[from..to]
    }

    /// The cells of an encoding in a solver under a numbering, each by its number, in the order of
    /// the instances.
    pub fn cells_of(
        &self,
        encoding: usize,
        solver: usize,
        numbering: usize,
    ) -> impl Iterator<Item = &Cell<'a>> {
        let instances = 0..self.instances.len();
        instances.filter_map(move |instance| {
            self.cell(CellIndex { instance, solver, numbering, encoding, record: 0 })
        })
    }

    /// The cells that may have a formula, with a solver and without.
    pub fn with_formula(&self) -> impl Iterator<Item = &Cell<'a>> {
        self.cells.iter().chain(&self.formulas)
    }

    /// The kind of the instance of this number.
    pub fn instance_kind(&self, instance: usize) -> &str {
        &self.instance_kinds[self.kind_of[instance]]
    }

    /// An encoding's place in the report, by its label.
    pub fn style(&self, encoding: &str) -> usize {
        self.encodings.iter().position(|known| known == encoding).unwrap_or_default()
    }

    /// The encodings with one of these looks, in their order.
    pub fn legend(&self, occurring: &BTreeSet<usize>) -> Vec<LegendEntry> {
        let entries = (0..self.encodings.len()).map(|encoding| self.entry(encoding));
        entries.filter(|entry| occurring.contains(&entry.style)).collect()
    }

    /// The encoding of this number as an entry of a legend.
    pub fn entry(&self, encoding: usize) -> LegendEntry {
        LegendEntry { style: self.looks[encoding], label: self.encodings[encoding].clone() }
    }

    /// A series of points of the encoding of this number.
    pub fn series(&self, encoding: usize, points: Vec<Point>) -> Series {
        let LegendEntry { style, label } = self.entry(encoding);
        Series::new(style, label, points)
    }

    /// The label of a row's encoding: its id, with the settings that not all encodings have.
    pub fn encoding(&self, row: &Row) -> String {
        self.labels.encoding(&row.job)
    }

    /// The id from which the look of a row's encoding follows.
    pub(crate) fn look_id(&self, row: &Row) -> String {
        self.labels.look_id(&row.job)
    }

    /// The label of the encoding of this number without a setting, and the value of the setting. None if it has no row
    /// or not this setting.
    pub fn without_setting(&self, encoding: usize, axis: &SettingAxis) -> Option<(String, String)> {
        let (label, mut values) = self.without_settings(encoding, [axis])?;
        Some((label, values.pop()?))
    }

    /// The label of the encoding of this number without these settings, and their values. None if it has no row, or not
    /// all of these settings.
    pub(crate) fn without_settings<'x>(
        &self,
        encoding: usize,
        axes: impl IntoIterator<Item = &'x SettingAxis>,
    ) -> Option<(String, Vec<String>)> {
        let row = self.firsts_of.get(&self.encodings[encoding])?;
        let (mut job, mut values) = (row.job.clone(), Vec::new());
        for axis in axes {
            values.push(axis.name(&row.job.settings)?);
            job.settings = axis.with(job.settings, axis.default()).ok()?;
        }
        Some((self.labels.encoding(&job), values))
    }

    /// The label of a row's solver: its id, with the properties that the experiment varies.
    pub fn solver(&self, row: &Row) -> String {
        self.labels.solver(row)
    }

    /// The family of instances of an instance: stated by the config, or derived from the instance; with its answer, if
    /// instances of one family have both.
    pub fn family(&self, instance: &Instance) -> String {
        self.families.of(instance)
    }

    /// The families of the instances of all rows, each with its answer where it is known.
    pub(crate) fn known_families(&self) -> Vec<(String, Answer)> {
        let answered = self.answers.iter().filter_map(|(instance, of)| Some((instance, (*of)?)));
        distinct(answered.map(|(instance, answer)| (self.family(instance), answer)))
    }

    /// The families of the instances with formulas, each with its answer.
    pub(crate) fn measured_families(&self) -> Vec<(String, Answer)> {
        let instances = self.with_formula().map(|cell| cell.instance);
        let answer = |instance| self.answer(instance).unwrap_or(Answer::Unknown);
        distinct(instances.map(|instance| (self.family(instance), answer(instance))))
    }

    /// The instances that are pooled if engines find all their solutions: those of a form, or of the family of an
    /// instance without a form, since an instance without a solution is not pooled with one that has one.
    pub(crate) fn group(&self, instance: &Instance) -> String {
        if has_form(instance) { instance_kind(instance) } else { self.family(instance) }
    }

    /// The name of an instance in this report, as in `60 with 40 given values, no. 3`.
    pub fn name(&self, instance: &Instance) -> String {
        self.names.get(instance).cloned().unwrap_or_else(|| instance.to_string())
    }

    /// The settings that all encodings have, and that labels omit, in whole sentences.
    pub fn common_settings(&self) -> Option<String> {
        self.labels.common_settings()
    }

    /// The rows of solvers that look for a first solution, where `keep` is true.
    pub fn firsts(&self, keep: impl Fn(&Row) -> bool) -> Vec<&'a Row> {
        self.rows(|row| row.job.task == Task::Solve && keep(row))
    }

    /// The rows where `keep` is true, those of engines included.
    pub fn rows(&self, keep: impl Fn(&Row) -> bool) -> Vec<&'a Row> {
        self.record.rows.iter().filter(|row| keep(row)).collect()
    }

    /// The number of the instance on which encodings are compared. It is the largest among those on which most
    /// encodings were measured, of the basic form; of a near one if no instance has the basic one; of all if no
    /// instance has a form. A larger one that was measured for a few encodings is no basis for a comparison.
    pub fn compared_number(&self) -> Option<usize> {
        let ranks: Vec<Option<FormRank>> =
            self.instances.iter().map(|instance| rank(instance)).collect();
        let largest = |wanted: Option<FormRank>| {
            let instances = (0..ranks.len()).filter(|&instance| ranks[instance] == wanted);
            let encodings = |instance: usize| {
                let cells = self.cells_on(instance).iter();
                cells.map(|cell| cell.index.encoding).collect::<BTreeSet<_>>().len()
            };
            instances.max_by_key(|&instance| (encodings(instance), self.instances[instance].size()))
        };
        largest(Some(FormRank::Basic)).or_else(|| largest(Some(FormRank::Near))).or_else(|| {
            let has_none = ranks.iter().all(Option::is_none);
            largest(None).filter(|_| has_none)
        })
    }

    /// The answer of an instance by its rows: a verified one if there is one, else the first that is not wrong.
    pub fn answer(&self, instance: &Instance) -> Option<Answer> {
        *self.answers.get(instance)?
    }

    /// The closed form of an encoding's size on an instance, if the encoding is known and has one.
    pub fn closed_form(&self, encoding: &str, instance: &Instance) -> Option<Size> {
        self.encoder(encoding, instance)?.size(&instance.problem())
    }

    /// The encoding with this label, if this program has it and it encodes the instance.
    pub(crate) fn encoder(&self, label: &str, instance: &Instance) -> Option<Arc<dyn Encoding>> {
        let row = self.firsts_of.get(label)?;
        let found = self.registry.find(&row.job.encoding).ok()?;
        let encoding = found.with_settings(self.labels.on_instance(row.job.settings, instance)?);
        // A row may have an older or newer revision of the encoding.
        if encoding.info().revision != row.encoding_revision || !instance.has_problem() {
            return None;
        }
        encoding.fits(&instance.problem()).ok()?;
        Some(encoding)
    }

    /// The limit of CPU time in seconds, if all runs had the same and no other end left one of them without an answer.
    pub fn cpu_limit(&self) -> Option<f64> {
        let rows = || self.record.rows.iter();
        let limit = rows().next().map(|row| row.job.limits.cpu_s);
        let is_at_it = |row: &Row| {
            row.solved() || !is_counted(row) || row.termination == Termination::CpuLimit
        };
        limit.filter(|_| rows().all(|row| Some(row.job.limits.cpu_s) == limit && is_at_it(row)))
    }
}

/// An instance in a heading: `plane, N = 60`, or by its name.
pub(crate) fn instance_label(dataset: &Dataset<'_>, instance: &Instance) -> String {
    let name = dataset.name(instance);
    let is_size = name.chars().all(|letter| letter.is_ascii_digit());
    let size = || SizeName::new([instance]).of(&name);
    if is_size { format!("{}, {}", instance_kind(instance), size()) } else { name }
}

#[cfg(test)]
mod tests;
