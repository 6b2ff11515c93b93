//! Effects: what the numbering does, and each option of the solvers, all else held fixed.

use super::pairs::{FEW_BOARDS, verdict};
use super::ranking::{ends, of_ratio};
use super::{Column, Item, Table};
use crate::contest::{Arm, Measure, left_out};
use crate::effects::Effect;
use crate::escape::id;
use crate::material::Material;
use crate::number::count;

/// A table for every measure in which a factor other than the encoding is varied.
pub fn tables(material: &Material<'_>) -> Vec<Table> {
    let measures = Measure::ALL.into_iter();
    measures.filter_map(|measure| table(material, measure, material.effects(measure))).collect()
}

fn table(material: &Material<'_>, measure: Measure, effects: &[Effect]) -> Option<Table> {
    let columns = vec![
        Column::words("factor", "Factor"),
        Column::words("from", "From"),
        Column::words("to", "To"),
        Column::words("held", "Held fixed"),
        Column::words("boards_of", "Boards of"),
        Column::numbers("instances", "Boards"),
        Column::numbers("ratio", "Ratio"),
        Column::numbers("ratio_low", "from"),
        Column::numbers("ratio_high", "to"),
        Column::words("verdict", "Verdict"),
    ];
    let rows: Vec<Vec<Item>> = effects
        .iter()
        .map(|effect| {
            let boards = effect.family.as_deref().unwrap_or("all");
            let words: [&str; 5] = [&effect.factor, &effect.from, &effect.to, &effect.held, boards];
            let mut row: Vec<Item> = words.map(|word| Item::Words(word.to_owned())).into();
            row.push(Item::Count(effect.ratio.instances as u128));
            row.push(of_ratio(&effect.ratio));
            row.extend(ends(effect.interval));
            row.push(Item::Words(verdict(effect.relation()).into()));
            row
        })
        .collect();
    (!rows.is_empty()).then(|| Table {
        id: id(&["effects", measure.id()]),
        title: format!("Effects on {}, encodings apart", measure.words()),
        columns,
        rows,
        notes: vec![
            "Ratio: what it takes after the change to what it took before, the geometric mean over \
             boards and on each over the encodings that have both; medians of runs. What one encoding \
             gains and another loses is not seen in it."
                .into(),
            format!(
                "Intervals resample boards, then the runs of each; those of all levels of a factor on \
                 the same boards hold together with 95 %. Equivalent: the whole interval lies between \
                 1 / 1.1 and 1.1. {FEW_BOARDS}"
            ),
        ]
        .into_iter()
        .chain(same_machines(material, measure, effects))
        .collect(),
    })
}

/// How many runs are left out of these effects so that times are of the same machines; nothing where all
/// stay.
fn same_machines(material: &Material<'_>, measure: Measure, effects: &[Effect]) -> Option<String> {
    if measure != Measure::Time || !material.compares_same_machines() {
        return None;
    }
    let has =
        |numbered: bool| effects.iter().any(|effect| (effect.factor == "numbering") == numbered);
    let [encodings, numberings, solvers] =
        [&material.encodings, &material.numberings, &material.solvers].map(Vec::len);
    let every = |held: usize, levels: usize, arm: fn(usize, usize, usize) -> Arm| {
        let of_level = |level| (0..encodings).map(move |encoding| arm(held, level, encoding));
        left_out(material, &(0..levels).flat_map(of_level).collect::<Vec<_>>())
    };
    let numbered = |solver, numbering, encoding| Arm { encoding, numbering, solver };
    let solved = |numbering, solver, encoding| Arm { encoding, numbering, solver };
    let held = (0..solvers).filter(|_| has(true));
    let of_numberings: usize = held.map(|solver| every(solver, numberings, numbered)).sum();
    let held = (0..numberings).filter(|_| has(false));
    let of_solvers: usize = held.map(|numbering| every(numbering, solvers, solved)).sum();
    (of_numberings + of_solvers > 0).then(|| {
        format!(
            "Same machines: on each board the runs of one kind of machine alone are compared, that of most \
             cells; left out of effects of the numbering: {}, of those of solvers and options: {}.",
            count(of_numberings, "run"),
            count(of_solvers, "run")
        )
    })
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::ExperimentRecord;

    use super::*;
    use crate::sample::{on_side, shuffled, solved};

    #[test]
    fn an_effect_has_a_line_with_its_verdict() {
        let rows =
            (8..14).flat_map(|side| [on_side(side, solved(4.0)), on_side(side, shuffled(1, 1.0))]);
        let record = ExperimentRecord { rows: rows.collect(), ..ExperimentRecord::default() };
        let tables = tables(&Material::new(&record, &Registry::new()));
        let [table] = &tables[..] else { panic!("{tables:?}") };
        assert_eq!(table.id, "effects-time");
        let read: Vec<_> = table.rows[0].iter().map(Item::read).collect();
        assert_eq!(
            read,
            [
                "numbering",
                "as-generated",
                "random",
                "batsat",
                "all",
                "6",
                "0.250",
                "0.250",
                "0.250",
                "takes less"
            ]
        );
    }

    #[test]
    fn without_a_varied_factor_there_is_no_table() {
        let record = ExperimentRecord { rows: vec![solved(1.0)], ..ExperimentRecord::default() };
        assert!(tables(&Material::new(&record, &Registry::new())).is_empty());
    }
}
