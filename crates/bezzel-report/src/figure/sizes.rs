//! `sizes`: clauses and variables against the side of the board.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use bezzel_encode::Size;
use bezzel_problem::Instance;

use super::FigureKind;
use super::few;
use super::legend::with_legends;
use super::marked::{line, marked};
use super::remark::paragraph;
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Panel};
use crate::distinct::distinct;
use crate::family::terrain;
use crate::material::Material;
use crate::number::count;
use crate::statistics::growth::local_slope;
use crate::table::operations::counted;
use crate::words::{Words, size_title};

pub(super) const KIND: FigureKind = FigureKind {
    id: "sizes",
    title: "Formula size against the side of the board",
    shows: "clauses and variables on log-log axes, with the local slope beside the closed form's \
            leading term",
    draw,
};

/// A number of a formula with its name.
type Part = (&'static str, fn(Size) -> u128);

const PARTS: [Part; 2] = [("Clauses", |size| size.clauses), ("Variables", |size| size.variables)];

fn draw(material: &Analysis<'_>) -> Option<Chart> {
    // The plane if there is one: other terrains make other formulas, and one line is for one kind.
    let of_solvers = material.terrains.iter().cloned();
    let terrains =
        distinct(of_solvers.chain(material.formulas.iter().map(|cell| terrain(cell.instance))));
    let shown = terrains.iter().find(|terrain| *terrain == "plane").or(terrains.first())?;
    let mut panels: Vec<_> = PARTS.iter().map(|part| panel(material, shown, part)).collect();
    // One side makes no line. One encoding makes no comparison.
    let is_alone = panels.iter().all(|panel| panel.series().len() < 2);
    if few::longest(&panels) < 2 || is_alone || has_circuits(material) {
        return None;
    }
    let few = few::eight(&mut panels, few::alone);
    let caption = paragraph(&[&caption(material, shown), &few]);
    let about = format!("Size of the formula, {}s: {shown}", material.words);
    let chart = KIND.chart(&about, caption, panels.len(), panels);
    // A size is a number and has no spread.
    with_legends(chart, material, "runs")
}

fn panel(material: &Material<'_>, shown: &str, &(label, part): &Part) -> Panel {
    let mut all = Vec::new();
    let mut counts: Vec<BTreeMap<u32, u128>> = vec![BTreeMap::new(); material.encodings.len()];
    let of_solvers = material.cells.iter();
    let of_solvers = of_solvers.filter(|cell| material.terrain(cell.place.board) == shown);
    let measured = material.formulas.iter().filter(|cell| terrain(cell.instance) == shown);
    for cell in of_solvers.chain(measured) {
        let counts = &mut counts[material.style(&cell.encoding)];
        let side = cell.instance.size();
        if counts.contains_key(&side) {
            continue;
        }
        if let Some(formula) = cell.formula() {
            counts.insert(side, part(formula.size()));
        }
    }
    let sides: BTreeSet<u32> = counts.iter().flat_map(BTreeMap::keys).copied().collect();
    let marked = marked(&sides);
    let instances = material.with_formula().map(|cell| cell.instance);
    let instances: Vec<_> = instances.filter(|instance| terrain(instance) == shown).collect();
    // Leading terms are those of boards.
    let of_boards = instances.iter().all(|instance| instance.board().is_some());
    for (style, counts) in counts.into_iter().enumerate() {
        let encoding = &material.encodings[style];
        if counts.is_empty() {
            continue;
        }
        let numbers: Vec<_> =
            counts.iter().map(|(&side, &count)| (f64::from(side), count as f64)).collect();
        let slope = local_slope(&numbers).map(|slope| format!("{slope:.2}"));
        let leading = material.leading(encoding, part).filter(|_| of_boards);
        let leading = leading.map(|leading| leading.to_string());
        let end = slope.map(|slope| match leading {
            Some(leading) => format!("{slope} ({leading})"),
            None => slope,
        });
        all.push(line(material, style, &numbers, &marked, end));
    }
    let position = Axis::log(size_title(instances), None)
        .with_ticks(marked.into_iter().map(f64::from).collect());
    let end_title = if of_boards { "slope (form)" } else { "slope" };
    Panel {
        end_title: Some(end_title.to_owned()),
        ..Panel::new("", position, Axis::log(label, None), all)
    }
}

/// True if the figure `operations` already shows clauses.
fn has_circuits(material: &Material<'_>) -> bool {
    counted(material).iter().any(|counted| counted.operations.is_some())
}

fn caption(material: &Material<'_>, shown: &str) -> String {
    let board = if shown == "plane" {
        "Empty boards of the plane.".to_owned()
    } else {
        format!("{:#}s: {shown}.", material.words)
    };
    let ends = if material.words == Words::Boards || shown == "plane" {
        "Beside the ends of the lines: their slope between the two largest boards, which is the \
         exponent of N there, and the leading term of the closed form, where there is one."
    } else {
        "The first instance of each size is shown. Beside the ends of the lines: their slope between the two \
         largest instances, which is the exponent of the size there."
    };
    paragraph(&[&board, ends, &agreement(material)])
}

/// True if candidates of the instance are given or excluded, which adds clauses to the rules.
fn has_givens(instance: &Instance) -> bool {
    if !instance.has_problem() {
        return false;
    }
    let problem = instance.problem();
    !problem.given().is_empty() || !problem.excluded().is_empty()
}

/// A sentence that compares the measured sizes with the closed forms.
fn agreement(material: &Material<'_>) -> String {
    let mut compared = 0;
    let mut different = 0;
    let mut seen = HashSet::new();
    for cell in material.with_formula() {
        let known = (&cell.encoding, cell.instance);
        if seen.contains(&known) || has_givens(cell.instance) {
            continue;
        }
        let Some(formula) = cell.formula() else { continue };
        seen.insert(known);
        if let Some(size) = material.closed_form(&cell.encoding, cell.instance) {
            compared += 1;
            different += usize::from(size != formula.size());
        }
    }
    match (compared, different) {
        (0, _) => String::new(),
        (_, 0) => format!(
            "Variables, clauses and literals of {} of the experiment were compared with the closed \
             forms; all agree.",
            count(compared, "formula")
        ),
        _ => format!(
            "Of {} of the experiment, {different} differ{} from the closed forms in variables, clauses \
             or literals.",
            count(compared, "formula"),
            if different == 1 { "s" } else { "" }
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample::{measured, on_side, solved, wrong};
    use bezzel_encode::Registry;
    use bezzel_lab::{ExperimentRecord, Row};

    fn drawn(rows: Vec<Row>, registry: &Registry) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        draw(&Analysis::new(&record, registry))
    }

    /// The same rows with another encoding, which has no closed form.
    fn beside(rows: &[Row]) -> Vec<Row> {
        let others = rows.iter().cloned().map(|mut row| {
            row.job.encoding = "other".into();
            row
        });
        rows.iter().cloned().chain(others).collect()
    }

    #[test]
    fn the_local_slope_stands_beside_the_closed_form() {
        // Pairwise has 84 clauses at N = 4 and 744 at 8: log₂(744 / 84) = 3.147.
        let rows = vec![on_side(4, measured(16, 84, 184)), on_side(8, measured(64, 744, 1584))];
        let chart = drawn(beside(&rows), &Registry::standard()).unwrap();
        let ends: Vec<_> =
            chart.panels.iter().map(|panel| panel.series()[0].end.as_deref().unwrap()).collect();
        assert_eq!(ends, ["3.15 (N³)", "2.00 (N²)"]);
        assert!(chart.caption.contains("2 formulas of the experiment were compared"));
        assert!(chart.caption.contains("all agree"));
        let unknown = drawn(beside(&rows), &Registry::new()).unwrap();
        assert_eq!(unknown.panels[0].series()[0].end.as_deref(), Some("3.15"));
        assert!(!unknown.caption.contains("compared"));
    }

    #[test]
    fn a_size_that_is_not_the_closed_forms_is_told() {
        let rows = vec![on_side(4, measured(16, 84, 184)), on_side(8, measured(64, 745, 1586))];
        let chart = drawn(beside(&rows), &Registry::standard()).unwrap();
        assert!(chart.caption.contains("Of 2 formulas of the experiment, 1 differs from"));
        assert_eq!(drawn(rows.clone(), &Registry::standard()), None, "one encoding");
        assert_eq!(drawn(beside(&rows[1..]), &Registry::standard()), None, "one side is no line");
    }

    #[test]
    fn rows_without_a_formula_and_wrong_ones_have_no_size() {
        let formula = measured(64, 744, 1584).formula;
        let rows = vec![solved(1.0), Row { formula, ..wrong(1.0) }];
        assert_eq!(drawn(rows, &Registry::new()), None);
    }
}
