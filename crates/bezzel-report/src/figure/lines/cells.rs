//! Measures of the runs of solvers: times, proofs, and formulas after preprocessing.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use bezzel_experiment::Row;
use bezzel_problem::FormRank;
use bezzel_solve::Answer;

use super::super::instance::{
    FamilyIndex, fair_numbering, numbering_suffix, shown_numbering, time_axis,
};
use super::super::remark::proofs_note;
use super::{LineFigure, LineKind, LinePanel, LineSample, left_out};
use crate::analysis::Analysis;
use crate::chart::Axis;
use crate::dataset::Dataset;
use crate::family::rank;
use crate::number::{count, distinct};
use crate::row_statistics::cell::{is_counted, values};
use crate::row_statistics::replicates::spread;
use crate::row_statistics::{Cell, CellIndex};
use bezzel_statistics::{Value, median};

/// The least number of sizes that show growth of times.
const GROWTH: usize = 3;
/// The largest number of panels of times.
const MAX_PANELS: usize = 6;
/// The largest number of families with proofs.
const MAX_FAMILIES: usize = 3;

/// A measure of the rows of solvers.
struct CellMeasure {
    axis: Axis,
    /// The value of a row. None if the row counts for nothing.
    of: fn(&Row) -> Option<Value>,
    /// True for the rows that have the measure.
    has: fn(&Row) -> bool,
}

/// The value of a row, over the limit if its run has no answer.
fn of_answered(row: &Row, of: impl Fn(&Row) -> Option<f64>) -> Option<Value> {
    values(&[row], of).pop()
}

/// The instances of each size, by their numbers.
fn by_size(dataset: &Dataset<'_>, instances: &[usize]) -> BTreeMap<u32, Vec<usize>> {
    let mut sizes: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for &instance in instances {
        sizes.entry(dataset.instances[instance].size()).or_default().push(instance);
    }
    sizes
}

/// The panel of a measure for some instances under a solver and numberings. If a size has several instances, the value
/// of each is the median of its runs, so that an instance with many runs weighs no more than one with few.
fn of_cells<'a>(
    dataset: &Dataset<'a>,
    (solver, numberings): (usize, &[usize]),
    instances: &[usize],
    measure: &CellMeasure,
    title: String,
) -> LinePanel<'a> {
    let mut samples = Vec::new();
    for (at, here) in by_size(dataset, instances) {
        for encoding in 0..dataset.encodings.len() {
            let all =
                here.iter().flat_map(|&instance| numberings.iter().map(move |&it| (instance, it)));
            let cells = all.filter_map(|(instance, numbering)| {
                dataset.cell(CellIndex { instance, solver, numbering, encoding, record: 0 })
            });
            let rows = |cell: &Cell<'a>| -> Vec<&'a Row> {
                cell.rows.iter().copied().filter(|row| (measure.has)(row)).collect()
            };
            let by_cell: Vec<Vec<&'a Row>> = cells.map(rows).collect();
            let values =
                |rows: &[&Row]| rows.iter().filter_map(|row| (measure.of)(row)).collect::<Vec<_>>();
            let (rows, medians) =
                (by_cell.concat(), by_cell.iter().filter_map(|rows| median(&values(rows))));
            let runs = values(&rows);
            let number = Some(runs.len());
            let values = if here.len() > 1 { medians.collect() } else { runs };
            let sample = LineSample::measured(encoding, at, rows, values);
            samples.push(LineSample { runs: number, ..sample });
        }
    }
    let of = instances.iter().map(|&instance| dataset.instances[instance]);
    LinePanel { title, ..super::panel(of, measure.axis.clone(), samples) }
}

/// Growth is shown for instances that were not chosen for their effort: families with the same number of instances on
/// every size. Quartiles are bands with at most three encodings; more bands cover each other.
pub(super) fn times<'a>(dataset: &Analysis<'a>) -> LineFigure<'a> {
    let families = FamilyIndex::of(dataset);
    let sizes = |family: usize| by_size(dataset, &families.instances(family));
    let grows = |family: &usize| {
        let sizes = sizes(*family);
        let numbers: BTreeSet<usize> = sizes.values().map(Vec::len).collect();
        sizes.len() >= GROWTH && numbers.len() == 1
    };
    let mut shown: Vec<usize> = (0..families.names.len()).filter(grows).collect();
    let solvers = dataset.solvers.len();
    let mut numberings: Vec<usize> = (0..dataset.numberings.len()).collect();
    if solvers * shown.len() * numberings.len() > MAX_PANELS {
        // Families with most sizes are kept. Of equal ones the first is kept.
        shown.sort_by_key(|&family| std::cmp::Reverse(sizes(family).len()));
        shown.truncate((MAX_PANELS / (solvers * numberings.len())).max(1));
        shown.sort_unstable();
    }
    if solvers * shown.len() * numberings.len() > MAX_PANELS {
        numberings = vec![fair_numbering(dataset)];
    }
    let measure = CellMeasure {
        axis: time_axis(dataset),
        of: |row| of_answered(row, |row| row.solve_cpu_s),
        has: |_| true,
    };
    let mut panels = Vec::new();
    for solver in 0..solvers {
        for &family in &shown {
            for &numbering in &numberings {
                let name = &families.names[family];
                let [of_solver, of_numbering] =
                    [&dataset.solvers[solver], &dataset.numberings[numbering]];
                let title = format!("{of_solver}, {of_numbering}, {name}");
                let instances = families.instances(family);
                let place = (solver, &[numbering][..]);
                panels.push(of_cells(dataset, place, &instances, &measure, title));
            }
        }
    }
    let pooled = shown.iter().any(|&family| sizes(family).values().any(|it| it.len() > 1));
    let instances = shown.iter().flat_map(|&family| families.instances(family));
    let instances: HashSet<usize> = instances.collect();
    let cells = dataset.cells.iter().filter(|cell| instances.contains(&cell.index.instance));
    let spread = if pooled { "instances" } else { spread(cells) };
    let (lines, bars) = match dataset.encodings.len() {
        ..4 => (LineKind::Bands, "bands"),
        _ => (LineKind::Bars, "bars"),
    };
    let names = (0..families.names.len()).filter(|family| !shown.contains(family));
    let names: Vec<&str> = names.map(|family| families.names[family].as_str()).collect();
    let rows = dataset.firsts(|row| {
        shown.iter().any(|&it| families.names[it] == dataset.family(&row.job.instance))
    });
    let compares_panels = dataset.numberings.len() > 1;
    LineFigure {
        heading: "Median CPU time of solving".into(),
        about: format!(
            "Lower is better. Medians of the CPU time of solving, without generation and loading. The {bars} extend \
             from the lower to the upper quartile over the {spread}. A run without an answer counts as longer than all \
             others, so a median or quartile that depends on one is over the limit. The CPU limit holds for the whole \
             process, including generating and loading the formula."
        ),
        notes: vec![
            (if pooled { "The value of an instance is the median of its runs." } else { "" })
                .into(),
            left_out(
                "have fewer than three sizes, unequal numbers of instances per size, or no room on the page",
                &names,
            ),
            match numberings[..] {
                [one] if compares_panels => shown_numbering(dataset, one),
                _ => String::new(),
            },
            proofs_note(dataset, &rows),
        ],
        // Numberings of one solver and family are side by side.
        columns: if numberings.len() == 3 { 3 } else { 2 },
        spread,
        lines,
        compares_panels,
        ..super::of_encodings(dataset, panels)
    }
}

pub(super) fn proofs<'a>(dataset: &Analysis<'a>) -> Option<LineFigure<'a>> {
    if dataset.instances.iter().any(|instance| dataset.answer(instance) == Some(Answer::Sat)) {
        return None;
    }
    // A run without a proof is left out if its job requested none.
    let measure = |label: &str, unit: &str, of: fn(&Row) -> Option<Value>| CellMeasure {
        axis: Axis::log(label, Some(unit)).with_limit(None, "no answer"),
        of,
        has: |row| row.proof.is_some() || row.job.proof.is_some(),
    };
    let measures = [
        measure("Size of the proof", "MiB", |row| {
            of_answered(row, |row| Some(row.proof.as_ref()?.bytes? as f64 / f64::from(1 << 20)))
        }),
        measure("CPU time of checking", "s", |row| {
            of_answered(row, |row| row.proof.as_ref()?.check_cpu_s)
        }),
    ];
    let families = FamilyIndex::of(dataset);
    let (mut panels, mut names) = (Vec::new(), Vec::new());
    let solvers = dataset.solvers.len();
    for (family, name) in families.names.iter().enumerate() {
        let mut undrawn = Vec::new();
        for (solver, of_solver) in dataset.solvers.iter().enumerate() {
            let both = measures.iter().map(|measure| {
                let place = (solver, &[fair_numbering(dataset)][..]);
                let title = format!("{of_solver}, {name}");
                of_cells(dataset, place, &families.instances(family), measure, title)
            });
            let both: Vec<LinePanel<'_>> = both.collect();
            let is_shown = |panel: &LinePanel<'_>| panel.has_line() && panel.is_measured();
            if panels.len() < measures.len() * MAX_FAMILIES && both.iter().all(is_shown) {
                panels.extend(both);
            } else {
                undrawn.push(format!("{name} in {of_solver}"));
            }
        }
        // A family without a panel is named once.
        names.extend(if undrawn.len() == solvers { vec![name.clone()] } else { undrawn });
    }
    Some(LineFigure {
        heading: format!(
            "Size of proofs of unsatisfiability and CPU time of checking, medians over runs{}",
            numbering_suffix(dataset)
        ),
        about: "Lower is better. Medians over the runs that write a proof. A run without an answer counts as over the \
                limit. The size is that of the solver's proof file. A second process generates the formula again and \
                checks the proof. Its time is not included in the times of the run."
            .into(),
        notes: vec![left_out("have a single size, no proofs or no room on the page", &names)],
        ..super::of_encodings(dataset, panels)
    })
}

/// The formulas of the basic instances, or else of all, before preprocessing and after that of each solver.
pub(super) fn simplified<'a>(dataset: &Analysis<'a>) -> Option<LineFigure<'a>> {
    let measure = |of: fn(&Row) -> Option<Value>| CellMeasure {
        axis: Axis::log("Clauses", None),
        of,
        has: |row| is_counted(row) && row.simplified.is_some(),
    };
    let before = measure(|row| Some(Value::Measured(row.formula.as_ref()?.clauses as f64)));
    let after = measure(|row| Some(Value::Measured(row.simplified.as_ref()?.clauses as f64)));
    let has = |instance: &usize| {
        let mut rows = dataset.cells_on(*instance).iter().flat_map(|cell| &cell.rows);
        rows.any(|row| (after.has)(row))
    };
    let all: Vec<usize> = (0..dataset.instances.len()).filter(has).collect();
    let is_basic = |instance: &usize| rank(dataset.instances[*instance]) == Some(FormRank::Basic);
    let basic = all.iter().copied().filter(is_basic).collect::<Vec<usize>>();
    let shown = if basic.is_empty() { all } else { basic };
    let kinds = distinct(shown.iter().map(|&instance| dataset.instance_kind(instance)));
    let (&kind, others) = kinds.split_first()?;
    let here = |instance: &usize| dataset.instance_kind(*instance) == kind;
    let shown: Vec<usize> = shown.into_iter().filter(here).collect();
    let numberings: Vec<usize> = (0..dataset.numberings.len()).collect();
    let mut panels = Vec::new();
    for (solver, name) in dataset.solvers.iter().enumerate() {
        let of = |measure, title| of_cells(dataset, (solver, &numberings), &shown, measure, title);
        if panels.is_empty() {
            panels.extend(Some(of(&before, "as generated".into())).filter(LinePanel::has_line));
        }
        panels.push(of(&after, format!("after {name}")));
    }
    let answered = |row: &&&Row| {
        row.simplified.as_ref().is_some_and(|simplified| simplified.answer != Answer::Unknown)
    };
    let rows: Vec<&Row> = panels
        .iter()
        .skip(1)
        .flat_map(|panel| &panel.samples)
        .flat_map(|it| it.rows.clone())
        .collect();
    let decided = rows.iter().filter(answered).count();
    Some(LineFigure {
        heading: format!("Clauses of the formula before and after preprocessing, instances: {kind}"),
        about: "Lower is better. Counted are clauses that are not redundant, before the search: as generated, and after \
                the preprocessing of each solver. A point is the median over all runs and numberings. Zero has a \
                separate place on the axis. Preprocessing is measured in a separate solver session, which no time \
                includes."
            .into(),
        notes: vec![
            left_out("were preprocessed, too", others),
            match decided {
                0 => String::new(),
                decided => format!(
                    "Of {}, preprocessing alone answered {decided}, and left an empty formula.",
                    count(rows.len(), "run")
                ),
            },
        ],
        ..super::of_encodings(dataset, panels)
    })
}
