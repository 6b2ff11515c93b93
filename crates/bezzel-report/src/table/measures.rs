//! The full table of what was measured without a solver: a row for each job.

use bezzel_lab::measure::Share;
use bezzel_lab::{Row, Stop, Task, Verdict};

use super::{Column, Item, Table};
use crate::material::Material;
use crate::statistics::Value;

/// Makes the table; none if nothing was measured so.
pub fn table(material: &Material<'_>) -> Option<Table> {
    let rows = material.rows(|row| row.job.task.backend().is_none());
    let rows: Vec<_> = rows.into_iter().map(|row| items(material, row)).collect();
    (!rows.is_empty()).then(|| Table {
        id: "measurements".into(),
        title: "All measurements".into(),
        columns: vec![
            Column::words("task", "Task"),
            Column::words("board", "Board"),
            Column::words("family", "Family"),
            Column::words("encoding", "Encoding"),
            Column::words("stop", "End"),
            Column::words("verdict", "Verdict"),
            Column::numbers("variables", "Variables"),
            Column::numbers("clauses", "Clauses"),
            Column::numbers("literals", "Literals"),
            Column::numbers("operations", "Operations"),
            Column::numbers("generate_cpu_s", "Generation (s)"),
            Column::words("conflict", "Conflict"),
            Column::words("solvable", "Has a solution"),
            Column::numbers("implied", "Implied squares"),
            Column::numbers("found", "Found"),
            Column::numbers("implied_beyond", "Not attacked"),
            Column::numbers("found_beyond", "Found of these"),
            Column::numbers("propagate_cpu_s", "Propagation (s)"),
        ],
        rows,
        notes: ["A line for each job. What is wrong has no number.".to_owned()]
            .into_iter()
            .chain(material.set_alike())
            .collect(),
    })
}

fn items(material: &Material<'_>, row: &Row) -> Vec<Item> {
    let is_sound = row.verdict != Verdict::Wrong;
    let seconds = |s: Option<f64>| Item::of(s.filter(|_| is_sound).map(Value::Measured));
    let count = |number: Option<u64>| {
        number.filter(|_| is_sound).map_or(Item::Missing, |number| Item::Count(number.into()))
    };
    let formula = row.formula.as_ref();
    let circuit = row.circuit.as_ref();
    let propagation = row.propagation.as_ref().filter(|_| row.job.task == Task::Propagate);
    let share = propagation.and_then(|propagation| Share::of(&row.job.board, propagation));
    let of_share = |of: fn(&Share) -> u32| count(share.as_ref().map(|share| u64::from(of(share))));
    let truth = propagation.and_then(|propagation| propagation.truth.as_ref());
    let word = |is: Option<bool>| match is {
        None => Item::Missing,
        Some(true) => Item::Words("yes".into()),
        Some(false) => Item::Words("no".into()),
    };
    vec![
        Item::Words(row.job.task.to_string()),
        Item::Words(row.job.board.to_string()),
        Item::Words(material.family(&row.job.board)),
        {
            let label = material.encoding(row);
            Item::Encoding(material.style(&label), label)
        },
        Item::Words(stop(row.stop).into()),
        Item::Words(verdict(row.verdict).into()),
        count(formula.map(|formula| formula.variables)),
        count(formula.map(|formula| formula.clauses)),
        count(formula.map(|formula| formula.literals)),
        count(circuit.map(|sections| sections.iter().map(|section| section.built).sum())),
        seconds(row.generate_cpu_s),
        word(propagation.map(|propagation| propagation.conflict)),
        word(truth.map(|truth| truth.solvable)),
        of_share(Share::implied),
        of_share(Share::found),
        of_share(Share::beyond),
        of_share(Share::beyond_found),
        seconds(propagation.map(|propagation| propagation.propagate_cpu_s)),
    ]
}

fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::Finished => "finished",
        Stop::CpuLimit => "CPU limit",
        Stop::WallLimit => "wall limit",
        Stop::MemoryLimit => "memory limit",
        Stop::NodeLimit => "node limit",
        Stop::Crashed => "failed",
        Stop::HostError => "killed",
        Stop::Skipped => "skipped",
    }
}

fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Verified => "verified",
        Verdict::Wrong => "wrong",
        Verdict::Unchecked => "unchecked",
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{Constraints, Registry};
    use bezzel_lab::ExperimentRecord;

    use super::*;
    use crate::sample::{measured, propagated, sized, solved};

    #[test]
    fn every_measurement_is_a_line_and_a_wrong_one_has_no_numbers() {
        let truth = "xQxx/xxxQ/Qxxx/xxQx";
        let mut wrong = sized("pairwise", 8, measured(64, 745, 1584));
        wrong.verdict = Verdict::Wrong;
        let rows = vec![
            sized("pairwise", 8, measured(64, 744, 1584)),
            propagated("pairwise", Some("xQxx/xxx./.x.x/.x.."), Some(truth)),
            wrong,
            solved(1.0),
        ];
        let planned = rows.len();
        let record = ExperimentRecord { planned, rows, ..ExperimentRecord::default() };
        let csv = table(&Material::new(&record, &Registry::new())).unwrap().csv();
        let lines: Vec<&str> = csv.lines().skip(1).collect();
        assert_eq!(lines.len(), 3);
        assert!(
            lines[0].starts_with("size,8,plane,pairwise,finished,verified,64,744,1584,"),
            "{csv}"
        );
        assert!(lines[1].contains(",no,yes,15,9,6,0,"), "{csv}");
        assert!(lines[2].ends_with("finished,wrong,,,,,,,,,,,,"), "{csv}");
    }

    #[test]
    fn what_all_encodings_have_set_is_told_below_and_in_no_line() {
        let mut row = sized("pairwise", 8, measured(64, 736, 1520));
        row.job.settings.constraints = Some(Constraints::NoColumnAlo);
        let record = ExperimentRecord { rows: vec![row], ..ExperimentRecord::default() };
        let table = table(&Material::new(&record, &Registry::new())).unwrap();
        assert_eq!(table.rows[0][3].read(), "pairwise");
        assert!(table.notes[1].starts_with("All encodings state no-column-alo: "), "{table:?}");
    }
}
