//! Zantema's eight queens problem (Automated Reasoning, 2IW15): the formula of sixty queens.

use bezzel_encode::Constraints;
use bezzel_lab::FormulaSize;
use bezzel_lab::quantity::grouped;

use super::side;
use crate::material::Material;
use crate::statistics::{Cell, median};
use crate::table::columns::Columns;
use crate::table::{Item, Table};

/// The variables of the formula, which the source tells.
const VARIABLES: u64 = 3_600;
/// Its clauses with the condition on diagonals as it is meant, and as it is printed.
const CORRECTED: u64 = 352_940;
const PRINTED: u64 = 352_070;

/// Makes the table; none if sixty queens in pairs were not put to a solver.
pub(super) fn table(material: &Material<'_>) -> Option<Table> {
    let cells = material.cells.iter().filter(|cell| {
        side(cell.board) == Some(60)
            && cell.rows.iter().any(|row| {
                row.job.encoding == "pairwise"
                    && row.job.settings.constraints == Some(Constraints::Full)
            })
    });
    let of_size = |cell: &Cell<'_>, part: fn(&FormulaSize) -> u64| cell.formula().map(part);
    let mut table = Columns::of(cells.filter(|cell| cell.formula().is_some()))
        .words("solver", "Solver", |cell| cell.solver.clone())
        .words("numbering", "Numbering", |cell| cell.numbering.clone())
        .numbers("variables", "Variables", |cell| of_size(cell, |formula| formula.variables))
        .numbers("clauses", "Clauses", |cell| of_size(cell, |formula| formula.clauses))
        .numbers("solve_cpu_median_s", "Solve, median (s)", |cell| median(&cell.times()))
        .numbers("solved", "Solved", |cell| cell.counts().solved)
        .numbers("runs", "Runs", |cell| cell.counts().rows)
        .some_table("zantema", "Beside Zantema's sixty queens", || vec![format!(
            "Published: H. Zantema, example for 2IW15: {} variables, \"over 350,000 clauses\", solved \
             \"within a few seconds\". The condition on diagonals is misprinted there (i + k = j + m \
             for i + j = k + m); as printed there would be {} clauses, as meant there are {}.",
            grouped(VARIABLES.into()),
            grouped(PRINTED.into()),
            grouped(CORRECTED.into())
        )])?;
    let published = [
        "yices (Zantema)".into(),
        "as-generated".into(),
        VARIABLES.into(),
        Item::Missing,
        Item::Missing,
        Item::Count(1),
        Item::Count(1),
    ];
    table.rows.insert(0, published.into());
    Some(table)
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::{ExperimentRecord, FormulaSize, Row};

    use super::*;
    use crate::tests::sample::{on_side, solved};

    fn table_of(rows: Vec<Row>) -> Option<Table> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        table(&Material::new(&record, &Registry::new()))
    }

    #[test]
    fn the_formula_of_sixty_queens_stands_below_what_is_published_of_it() {
        let formula = FormulaSize {
            variables: VARIABLES,
            primary: VARIABLES,
            clauses: CORRECTED,
            literals: 712_840,
            sections: Vec::new(),
        };
        let row = Row { formula: Some(formula), ..on_side(60, solved(0.5)) };
        let table = table_of(vec![row]).unwrap();
        let read: Vec<Vec<String>> =
            table.rows.iter().map(|row| row.iter().map(Item::read).collect()).collect();
        assert_eq!(read[0], ["yices (Zantema)", "as-generated", "3,600", "–", "–", "1", "1"]);
        assert_eq!(read[1], ["batsat", "as-generated", "3,600", "352,940", "0.500", "1", "1"]);
        assert!(table.notes[0].contains("352,070"));
    }

    #[test]
    fn other_boards_make_no_table() {
        assert_eq!(table_of(vec![on_side(59, solved(0.5))]), None);
    }
}
