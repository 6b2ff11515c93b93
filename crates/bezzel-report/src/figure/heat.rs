//! `heat-sides`, `heat-families` and `heat-numberings`: encodings in rows, and in columns what else
//! was varied.
//!
//! Lines of many encodings cross and hide each other; numbers in cells do not. So `heat-sides` is
//! drawn from five encodings on, where sides of the plane are at least three; with fewer, `times`
//! shows the same. `heat-families` needs two families of boards and three encodings,
//! `heat-numberings` three numberings and two encodings.

use super::FigureKind;
use super::instance::{Families, Measure, Median, chosen, fair_numbering, measures};
use super::remark::{ends, paragraph, proofs};
use crate::chart::{Axis, Body, Chart, Heat, HeatCell, HeatKey, Name, Panel, Sign, SignKind};
use crate::escape::plain;
use crate::material::Material;
use crate::number::{significant, whole_or};
use crate::statistics::cell::times;
use crate::statistics::{Place, Value, median};

pub(super) const SIDES: FigureKind = FigureKind {
    id: "heat-sides",
    title: "Solve time of every encoding on every side",
    shows: "median CPU time of solving in cells, shaded by the ratio to the best encoding of the side",
    draw: sides,
};

pub(super) const FAMILIES: FigureKind = FigureKind {
    id: "heat-families",
    title: "Every encoding on every family of boards",
    shows: "medians over the boards of a family of the ratio of solve times to the best encoding",
    draw: families,
};

pub(super) const NUMBERINGS: FigureKind = FigureKind {
    id: "heat-numberings",
    title: "Every encoding under every numbering",
    shows: "medians of the effort on the largest plane board, shaded by the ratio to the least of all",
    draw: numberings,
};

/// As many letters have room below a panel that has another one beside it.
const ROOM: usize = 24;

/// What is to be seen of one cell.
struct Seen {
    value: Value,
    /// How many times the best it is compared with.
    ratio: Value,
    runs: usize,
    unchecked: bool,
}

/// A grid of cells, by row and then by column.
type Grid = Vec<Vec<Option<Seen>>>;

/// Before ratios are known.
fn grid(rows: &[usize], columns: usize, seen: impl Fn(usize, usize) -> Option<Median>) -> Grid {
    let of = |row: usize, column: usize| {
        let Median { value, runs, unchecked } = seen(row, column)?;
        Some(Seen { value, ratio: value, runs, unchecked })
    };
    rows.iter().map(|&row| (0..columns).map(|column| of(row, column)).collect()).collect()
}

/// Makes the ratios those to the least value of these cells. `zero` is added on both sides, so that
/// what may be none at all has a ratio.
fn compare<'a>(cells: impl IntoIterator<Item = &'a mut Option<Seen>>, zero: f64) {
    let cells: Vec<&mut Seen> = cells.into_iter().flatten().collect();
    let least = cells.iter().filter_map(|seen| seen.value.measured()).reduce(f64::min);
    for seen in cells {
        seen.ratio = match (seen.value, least) {
            (Value::Measured(value), Some(least)) => {
                let ratio = (value + zero) / (least + zero);
                Value::Measured(if ratio.is_nan() { 1.0 } else { ratio })
            }
            _ => Value::OverLimit,
        };
    }
}

/// Cells that are compared down each column.
fn down_columns(grid: &mut Grid, columns: usize) {
    for column in 0..columns {
        compare(grid.iter_mut().map(|row| &mut row[column]), 0.0);
    }
}

/// The key for ratios up to this one: in whole powers of ten, and no more than three of them.
struct Shades {
    most: f64,
    open: bool,
}

impl Shades {
    fn of(grids: &[(String, Grid)]) -> Self {
        let seen = grids.iter().flat_map(|(_, grid)| grid.iter().flatten().flatten());
        let largest = seen.filter_map(|seen| seen.ratio.measured()).fold(1.0, f64::max);
        let most = [2.0, 10.0, 100.0].into_iter().find(|most| largest <= *most).unwrap_or(1000.0);
        Self { most, open: largest > most }
    }

    fn shade(&self, ratio: f64) -> f64 {
        (ratio.ln() / self.most.ln()).clamp(0.0, 1.0)
    }

    fn key(&self, label: &str) -> HeatKey {
        let ratios: &[f64] = match self.most {
            2.0 => &[1.0, 1.2, 1.5, 2.0],
            10.0 => &[1.0, 2.0, 5.0, 10.0],
            100.0 => &[1.0, 3.0, 10.0, 30.0, 100.0],
            _ => &[1.0, 10.0, 100.0, 1000.0],
        };
        let read = |ratio: f64| {
            let more = if self.open && ratio >= self.most { " and more" } else { "" };
            format!("{}×{more}", whole_or(ratio, 2))
        };
        let ticks = ratios.iter().map(|&ratio| (self.shade(ratio), read(ratio))).collect();
        HeatKey { label: label.to_owned(), ticks }
    }
}

/// What a figure of this kind says, beside its grids.
struct Plan<'a> {
    kind: &'a FigureKind,
    title: String,
    about: &'a str,
    /// What stands below the columns.
    below: &'a str,
    columns: Vec<Name>,
    /// What is in the cells, in which unit.
    label: &'a str,
    unit: Option<&'a str>,
    /// What the shades are.
    shades: &'a str,
    /// What is written for a value over the limit.
    over: String,
    /// Whether the ratio is written and not the value.
    ratios: bool,
}

/// Draws a panel for each grid.
fn chart(
    material: &Material<'_>,
    plan: Plan<'_>,
    styles: &[usize],
    grids: Vec<(String, Grid)>,
    places: impl Fn(Place) -> bool,
) -> Option<Chart> {
    let shades = Shades::of(&grids);
    let names: Vec<Name> = styles.iter().map(|&style| material.entry(style).into()).collect();
    let panel = |(title, grid): (String, Grid)| {
        let cells = grid.into_iter().enumerate().flat_map(|(row, cells)| {
            let (plan, shades) = (&plan, &shades);
            let cells = cells.into_iter().enumerate();
            cells.map(move |(column, seen)| cell(plan, shades, row, column, seen))
        });
        let heat = Heat {
            label: plan.label.to_owned(),
            unit: plan.unit.map(str::to_owned),
            cells: cells.collect(),
            key: shades.key(plan.shades),
        };
        let rows = Axis::names("", names.clone());
        let columns = Axis::names(plan.below, plan.columns.clone());
        Panel { body: Body::Heat(heat), ..Panel::sideways(title, rows, columns, Vec::new()) }
    };
    let panels: Vec<Panel> = grids.into_iter().map(panel).collect();
    // Many columns, and long words below them, need the whole width.
    let words = plan.columns.iter().flat_map(|name| name.label.split([' ', '-']));
    let longest = words.map(|word| word.chars().count()).max().unwrap_or(0);
    let beside = if plan.columns.len() * longest.max(6) > ROOM { 1 } else { 2 };
    let cells = material.cells.iter().filter(|cell| places(cell.place));
    let rows: Vec<_> = cells.flat_map(|cell| cell.rows.iter().copied()).collect();
    let mut chart = Chart {
        id: plan.kind.id.into(),
        title: plan.title,
        caption: paragraph(&[plan.about, &proofs(material, &rows), &ends(&rows)]),
        columns: panels.len().clamp(1, beside),
        panels,
        ..Chart::default()
    };
    chart.signs = signs(&chart);
    let measured = chart.cells().any(|(_, _, cell)| cell.value.is_some());
    measured.then_some(chart)
}

fn cell(
    plan: &Plan<'_>,
    shades: &Shades,
    row: usize,
    column: usize,
    seen: Option<Seen>,
) -> HeatCell {
    let Some(seen) = seen else {
        let (value, shade, text) = (None, None, "–".into());
        return HeatCell { row, column, value, text, shade, unchecked: false, runs: 0 };
    };
    let shown = if plan.ratios { seen.ratio } else { seen.value };
    let text = match shown {
        Value::Measured(value) if plan.ratios => significant(value, 2),
        // Efforts are counts.
        Value::Measured(value) if plan.unit.is_none() && value < 1e5 => whole_or(value, 3),
        Value::Measured(value) => significant(value, 2),
        Value::OverLimit => plan.over.clone(),
    };
    let shade = seen.ratio.measured().map(|ratio| shades.shade(ratio));
    let (runs, unchecked) = (seen.runs, seen.unchecked);
    HeatCell { row, column, value: Some(shown), text, shade, unchecked, runs }
}

/// The signs of the cells that have no shade or are unchecked.
fn signs(chart: &Chart) -> Vec<Sign> {
    let any = |is: fn(&HeatCell) -> bool| chart.cells().any(|(_, _, cell)| is(cell));
    let known = [
        (any(|cell| cell.value == Some(Value::OverLimit)), SignKind::OverCell, "over the limit"),
        (any(|cell| cell.value.is_none()), SignKind::MissingCell, "missing"),
        (any(|cell| cell.unchecked), SignKind::UncheckedCell, "an answer is unchecked"),
    ];
    let known = known.into_iter().filter(|(occurs, _, _)| *occurs);
    known.map(|(_, sign, label)| Sign { sign, label: label.into() }).collect()
}

/// What is written in a cell over the limit: the limit if all runs had the same, in a unit of which
/// so many are a second.
fn over(material: &Material<'_>, second: f64) -> String {
    match material.cpu_limits()[..] {
        [limit] => format!("> {}", whole_or(second * limit, 2)),
        _ => "over".into(),
    }
}

/// The encodings that occur at places of this kind.
fn styles(material: &Material<'_>, is: impl Fn(Place) -> bool) -> Vec<usize> {
    let mut styles: Vec<usize> = material
        .cells
        .iter()
        .map(|cell| cell.place)
        .filter(|&it| is(it))
        .map(|it| it.encoding)
        .collect();
    styles.sort_unstable();
    styles.dedup();
    styles
}

fn sides(material: &Material<'_>) -> Option<Chart> {
    let numbering = fair_numbering(material);
    // The kind of board with most sides, each side by one board.
    let families = Families::of(material);
    let sides_of = |family: usize| -> Vec<usize> {
        let mut boards = families.boards(family);
        boards.sort_by_key(|&board| material.boards[board].rows());
        boards
    };
    let single = |boards: &Vec<usize>| {
        boards
            .windows(2)
            .all(|pair| material.boards[pair[0]].rows() < material.boards[pair[1]].rows())
    };
    let kinds = (0..families.names.len()).map(|kind| (kind, sides_of(kind)));
    let kinds = kinds.filter(|(_, boards)| boards.len() >= 3 && single(boards));
    // The first of those that have most sides.
    let (kind, boards) =
        kinds.reduce(|one, two| if two.1.len() > one.1.len() { two } else { one })?;
    let shown = |place: Place| place.numbering == numbering && boards.contains(&place.board);
    let styles = styles(material, shown);
    if styles.len() < 5 {
        return None;
    }
    let grids = (0..material.solvers.len()).map(|solver| {
        let mut grid = grid(&styles, boards.len(), |encoding, column| {
            let place = Place { board: boards[column], solver, numbering, encoding };
            Median::of(material.cell(place)?, times)
        });
        down_columns(&mut grid, boards.len());
        (plain(&material.solvers[solver]), grid)
    });
    let mut grids: Vec<(String, Grid)> = grids.collect();
    // Short times are read more easily without their zeros.
    let seen = |grids: &[(String, Grid)]| -> f64 {
        let seen = grids.iter().flat_map(|(_, grid)| grid.iter().flatten().flatten());
        seen.filter_map(|seen| seen.value.measured()).fold(0.0, f64::max)
    };
    let in_ms = seen(&grids) < 1.0;
    if in_ms {
        for seen in grids.iter_mut().flat_map(|(_, grid)| grid).flatten().flatten() {
            seen.value = seen.value.measured().map_or(seen.value, |s| Value::Measured(1e3 * s));
        }
    }
    let unit = if in_ms { ("ms", "milliseconds") } else { ("s", "seconds") };
    let about = format!(
        "Boards: {}. {} In each cell the median CPU time of solving in {}; the darker, the larger \
         is its ratio to the best encoding of the same column.",
        families.names[kind],
        chosen(material),
        unit.1
    );
    let plan = Plan {
        kind: &SIDES,
        title: SIDES.title.into(),
        about: &about,
        below: "Side of the board, N",
        columns: boards
            .iter()
            .map(|&board| Name::new(material.boards[board].rows().to_string()))
            .collect(),
        label: "CPU time of solving",
        unit: Some(unit.0),
        shades: "Ratio to the best of the column",
        over: over(material, if in_ms { 1e3 } else { 1.0 }),
        ratios: false,
    };
    chart(material, plan, &styles, grids, shown)
}

fn families(material: &Material<'_>) -> Option<Chart> {
    let numbering = fair_numbering(material);
    let shown = |place: Place| place.numbering == numbering;
    let styles = styles(material, shown);
    let families = Families::of(material);
    if styles.len() < 3 || families.names.len() < 2 {
        return None;
    }
    let grids = (0..material.solvers.len()).map(|solver| {
        let of = |board, encoding| {
            Median::of(material.cell(Place { board, solver, numbering, encoding })?, times)
        };
        // By family and encoding: ratios to the best encoding of each board.
        let mut ratios: Vec<Vec<Vec<(Value, usize, bool)>>> =
            vec![vec![Vec::new(); styles.len()]; families.names.len()];
        for board in 0..material.boards.len() {
            let mut column = grid(&styles, 1, |encoding, _| of(board, encoding));
            down_columns(&mut column, 1);
            for (style, seen) in column.into_iter().flatten().enumerate() {
                if let Some(seen) = seen {
                    let ratio = (seen.ratio, seen.runs, seen.unchecked);
                    ratios[families.of_board[board]][style].push(ratio);
                }
            }
        }
        let rows = 0..styles.len();
        let grid = rows.map(|row| {
            let columns = ratios.iter().map(|family| {
                let values: Vec<Value> = family[row].iter().map(|it| it.0).collect();
                let ratio = median(&values)?;
                let runs = family[row].iter().map(|it| it.1).sum();
                let unchecked = family[row].iter().any(|it| it.2);
                Some(Seen { value: ratio, ratio, runs, unchecked })
            });
            columns.collect()
        });
        (plain(&material.solvers[solver]), grid.collect())
    });
    let grids = grids.collect();
    let about = format!(
        "In each cell the median over the boards of the family of the ratio of solve times: that of the \
         encoding to that of the best encoding on the same board, each by the median of its runs. {}",
        chosen(material)
    );
    let columns = families.names.iter().map(Name::new);
    let plan = Plan {
        kind: &FAMILIES,
        title: FAMILIES.title.into(),
        about: &about,
        below: "Family of boards",
        columns: columns.collect(),
        label: "Ratio to the best encoding of the board",
        unit: None,
        shades: "Ratio to the best of the board",
        over: "over".into(),
        ratios: true,
    };
    chart(material, plan, &styles, grids, shown)
}

fn numberings(material: &Material<'_>) -> Option<Chart> {
    let board = material.largest_plane_number()?;
    let shown = |place: Place| place.board == board;
    let styles = styles(material, shown);
    let columns = material.numberings.len();
    if styles.len() < 2 || columns < 3 {
        return None;
    }
    let measures = measures(material);
    // Conflicts if they are told: they do not depend on the machine.
    let Measure { axis, of } = measures.first()?;
    let is_effort = axis.unit.is_none();
    let grids = (0..material.solvers.len()).map(|solver| {
        let mut grid = grid(&styles, columns, |encoding, numbering| {
            let place = Place { board, solver, numbering, encoding };
            Median::of(material.cell(place)?, *of)
        });
        compare(grid.iter_mut().flatten(), if is_effort { 1.0 } else { 0.0 });
        (plain(&material.solvers[solver]), grid)
    });
    let grids = grids.collect();
    let about = format!(
        "The board {}. In each cell the median; the darker, the larger is its ratio to the least of the \
         panel{}.",
        material.boards[board],
        if is_effort { ", both counted from one" } else { "" }
    );
    let plan = Plan {
        kind: &NUMBERINGS,
        title: format!("{}, on board {}", NUMBERINGS.title, material.boards[board]),
        about: &about,
        below: "Numbering",
        columns: material.numberings.iter().map(Name::new).collect(),
        label: &axis.label,
        unit: axis.unit.as_deref(),
        shades: "Ratio to the least of the panel",
        over: if is_effort { "no answer".into() } else { over(material, 1.0) },
        ratios: false,
    };
    chart(material, plan, &styles, grids, shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{on_side, solved, timed_out, unchecked};
    use bezzel_encode::numbering::{AuxiliaryPlace, Squares};
    use bezzel_encode::{Geometry, Numbering, Registry};
    use bezzel_lab::{ExperimentRecord, Row};

    fn drawn(kind: &FigureKind, rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        (kind.draw)(&Material::new(&record, &Registry::new()))
    }

    fn named(encoding: &str, mut row: Row) -> Row {
        row.job.encoding = encoding.into();
        row
    }

    /// Five encodings on three sides: seconds are the encoding's number times that of the side.
    fn grid_rows() -> Vec<Row> {
        let sides = [8, 16, 32];
        let encodings = ["a", "b", "c", "d", "e"];
        let rows = (1..).zip(sides).flat_map(|(factor, side)| {
            (1..).zip(encodings).map(move |(number, encoding)| {
                on_side(side, named(encoding, solved(f64::from(factor * number))))
            })
        });
        rows.collect()
    }

    fn found(chart: &Chart) -> Vec<(usize, usize, &str, Option<f64>)> {
        let cells = chart.cells().map(|(_, _, cell)| cell);
        cells.map(|cell| (cell.row, cell.column, cell.text.as_str(), cell.shade)).collect()
    }

    #[test]
    fn cells_have_the_value_written_and_the_ratio_shaded() {
        let chart = drawn(&SIDES, grid_rows()).unwrap();
        let cells = found(&chart);
        assert_eq!(cells.len(), 15);
        assert_eq!(cells[0], (0, 0, "1.0", Some(0.0)));
        // Twice the best of its column, on shades up to ten times.
        let (row, column, text, shade) = cells[5];
        assert_eq!((row, column, text), (1, 2, "6.0"));
        assert!((shade.unwrap() - 2_f64.log10()).abs() < 1e-12);
        assert!(chart.signs.is_empty());
    }

    #[test]
    fn limits_and_missing_cells_have_no_shade_and_unchecked_ones_a_sign() {
        let mut rows = grid_rows();
        rows[0] = on_side(8, named("a", timed_out()));
        rows[1] = on_side(8, named("b", unchecked(2.0)));
        rows.remove(14);
        let chart = drawn(&SIDES, rows).unwrap();
        let cells: Vec<_> = chart.cells().map(|(_, _, cell)| cell).collect();
        let told =
            |index: usize| (cells[index].text.as_str(), cells[index].shade, cells[index].value);
        assert_eq!(told(0), ("> 5", None, Some(Value::OverLimit)));
        assert_eq!(told(14), ("–", None, None));
        assert!(cells[3].unchecked && !cells[4].unchecked);
        let signs: Vec<_> = chart.signs.iter().map(|sign| sign.sign).collect();
        assert_eq!(signs, [SignKind::OverCell, SignKind::MissingCell, SignKind::UncheckedCell]);
    }

    #[test]
    fn families_are_compared_by_ratios_on_each_board() {
        let mut rows = Vec::new();
        for (side, torus, seconds) in
            [(8, false, [1.0, 2.0, 4.0]), (9, false, [3.0, 30.0, 3.0]), (8, true, [1.0, 5.0, 6.0])]
        {
            for (encoding, seconds) in ["a", "b", "c"].into_iter().zip(seconds) {
                let mut row = on_side(side, named(encoding, solved(seconds)));
                if torus {
                    row.job.board = row.job.board.with_geometry(Geometry::Torus);
                }
                rows.push(row);
            }
        }
        let chart = drawn(&FAMILIES, rows.clone()).unwrap();
        let texts: Vec<_> = chart.cells().map(|(_, _, cell)| cell.text.as_str()).collect();
        // Medians of ratios on the plane: of 1 and 1, of 2 and 10, of 4 and 1.
        assert_eq!(texts, ["1.0", "1.0", "6.0", "5.0", "2.5", "6.0"]);
        rows.truncate(6);
        assert_eq!(drawn(&FAMILIES, rows), None, "one family is no comparison");
    }

    #[test]
    fn numberings_are_compared_over_the_whole_panel_by_conflicts() {
        let orders = [Squares::RowMajor, Squares::Spiral, Squares::ColumnMajor];
        let mut rows = Vec::new();
        for (number, squares) in (0..).zip(orders) {
            for (encoding, conflicts) in [("a", 0), ("b", 9)] {
                let mut row = named(encoding, solved(1.0));
                row.job.numbering = Numbering::ordered(squares, AuxiliaryPlace::After);
                row.effort.conflicts = Some(conflicts * (number + 1));
                rows.push(row);
            }
        }
        let chart = drawn(&NUMBERINGS, rows.clone()).unwrap();
        let cells = found(&chart);
        assert_eq!(cells[3].2, "9");
        // Counted from one: (9 + 1) / (0 + 1), on shades up to a hundred times.
        assert!((cells[3].3.unwrap() - 0.5).abs() < 1e-12);
        rows.truncate(4);
        assert_eq!(drawn(&NUMBERINGS, rows), None, "two numberings are shown side by side");
    }

    #[test]
    fn few_encodings_sides_or_rows_are_no_heat_map() {
        let of = |keep: fn(&Row) -> bool| grid_rows().into_iter().filter(keep).collect::<Vec<_>>();
        assert_eq!(drawn(&SIDES, of(|row| row.job.encoding != "c")), None);
        assert_eq!(drawn(&SIDES, of(|row| row.job.board.rows() != 16)), None);
        for kind in [SIDES, FAMILIES, NUMBERINGS] {
            assert_eq!(drawn(&kind, Vec::new()), None);
        }
    }
}
