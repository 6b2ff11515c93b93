//! The exact totals of the operations in Bryant's circuits, with which the judge compares measured circuits.

use crate::encode::accounting::accounts;
use crate::encode::bryant::Positions;
use crate::{Board, Geometry, Piece};
use bezzel_experiment::judge::SizeComparison;
use bezzel_experiment::{Row, SectionOperations};

/// Compares the circuit of a row with the exact totals of each section, where they are known.
pub(crate) fn compare(row: &Row) -> Option<SizeComparison> {
    let (circuit, board) = (row.circuit.as_ref()?, Board::of(&row.job.instance)?);
    let positions = accounted(&row.job.encoding, board)?;
    Some(SizeComparison {
        source: "exact totals of the operations in each section",
        difference: unlike(circuit, positions, board),
    })
}

/// Returns the kind of Bryant's circuit that an encoding uses, if its exact totals are known: on the square plane, as
/// in the paper, in any variant.
fn accounted(encoding: &str, board: &Board) -> Option<Positions> {
    let plane = board.geometry() == Geometry::Plane && board.piece() == Piece::Queen;
    if !plane || !board.is_square() || board.rows() < 2 {
        return None;
    }
    let (circuit, variant) = encoding.split_once('+').unwrap_or((encoding, "columns"));
    match (circuit, variant) {
        ("bryant-circuit", "columns" | "plaisted-greenbaum") => Some(Positions::OneHot),
        ("bryant-circuit:binary", "columns" | "plaisted-greenbaum") => Some(Positions::Binary),
        _ => None,
    }
}

/// Returns the difference between a circuit and its exact totals, if there is one.
fn unlike(circuit: &[SectionOperations], positions: Positions, board: &Board) -> Option<String> {
    let n = board.rows().into();
    let accounts = accounts(positions);
    for account in &accounts {
        let counted = circuit.iter().find(|section| section.name == account.section);
        let (written, built) = counted.map_or((0, 0), |section| (section.written, section.built));
        for (counted, exact, how) in
            [(written, account.written, "as written"), (built, account.built, "as built")]
        {
            if i128::from(counted) != exact.at(n) {
                return Some(format!(
                    "{} has {counted} operations {how}, and {exact} makes {}",
                    account.section,
                    exact.at(n)
                ));
            }
        }
    }
    let is_known = |section: &&SectionOperations| {
        section.written + section.built > 0
            && accounts.iter().all(|account| account.section != section.name)
    };
    circuit
        .iter()
        .find(is_known)
        .map(|section| format!("the section {} has operations that no total knows", section.name))
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{FormulaStats, Settings, Size};
    use bezzel_experiment::judge::{Case, Judge, Judgement};
    use bezzel_experiment::{
        FormulaSize, Job, Limits, NO_SOLVER, PlannedJob, Task, Termination, Verdict,
    };

    use super::*;

    /// The size of an encoding's formula as a worker measures it, with the closed form of its rules.
    fn sized(id: &str, board: &Board) -> (Row, Option<Size>) {
        let encoding = crate::experiment::catalog()
            .encodings
            .find(id)
            .unwrap()
            .with_settings(Settings::default());
        let limits = Limits { cpu_s: 1.0, wall_s: 2.0, memory_bytes: 1 << 30, nodes: None };
        let job =
            Job { task: Task::Size, ..Job::solving(board.clone().into(), id, NO_SOLVER, limits) };
        let mut row = Row::blank(PlannedJob::new(job, 1, "1".into()), Termination::Finished);
        let mut stats = FormulaStats::new();
        encoding.encode(&board.problem(), &mut stats);
        row.formula = Some(FormulaSize::of(stats));
        let circuit = encoding.circuit(&board.problem());
        let operations = circuit.map(|circuit| circuit.operations());
        row.circuit = operations.map(|operations| operations.into_iter().map(Into::into).collect());
        (row, encoding.size(&board.problem()))
    }

    fn judged(row: &Row, closed_form: Option<Size>) -> Judgement {
        let mut judge = Judge::with_size_checks(&crate::experiment::catalog().size_checks);
        judge.judge(&Case { closed_form, ..Case::of(row, None) })
    }

    #[test]
    fn a_circuit_is_held_against_the_exact_totals_of_each_section_where_there_are_some() {
        let board = Board::new(8).unwrap();
        let both =
            "closed form of the formula's size, exact totals of the operations in each section";
        for id in
            ["bryant-circuit", "bryant-circuit:binary+columns", "bryant-circuit+plaisted-greenbaum"]
        {
            let (row, form) = sized(id, &board);
            let judgement = judged(&row, form);
            assert_eq!(judgement.verdict, Verdict::Verified, "{id}: {:?}", judgement.note);
            assert_eq!(judgement.evidence.unwrap().source, both, "{id}");
            for change in [
                (|section: &mut SectionOperations| section.built += 1)
                    as fn(&mut SectionOperations),
                |section| section.written -= 1,
                |section| section.name = "EXTRA".into(),
            ] {
                let mut other = row.clone();
                change(&mut other.circuit.as_mut().unwrap()[2]);
                assert_eq!(judged(&other, form).verdict, Verdict::Wrong, "{id}");
            }
        }
        // Other variants, and the circuits of the torus, have other totals, which are not known.
        assert_eq!(accounted("bryant-circuit+shared", &board), None);
        assert_eq!(accounted("bryant-circuit", &board.with_geometry(Geometry::Torus)), None);
    }
}
