//! The answer of a report: one or two sentences written from the statistics, which say no more than
//! these carry.

use crate::material::Material;

mod engines;
mod factors;
mod propagation;
mod sizes;
mod standing;
mod words;

/// So many sentences answer a question.
const MOST: usize = 2;

/// The sentences; none if there is nothing to compare.
pub(crate) fn answer(material: &Material<'_>) -> Vec<String> {
    let mut sentences: Vec<String> = Vec::new();
    if let Some(standing) = standing::telling(material) {
        sentences.push(standing::sentence(material, standing));
        sentences.extend(factors::sentence(material, standing.measure));
    }
    sentences.extend(engines::sentences(material));
    sentences.extend(propagation::sentence(material));
    // That one formula is smaller than another answers nothing where more is known of them, unless it
    // was asked.
    if sentences.is_empty() || !material.formulas.is_empty() {
        sentences.extend(sizes::sentence(material));
    }
    sentences.truncate(MOST);
    sentences
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_lab::{ExperimentRecord, Row};

    use super::*;
    use crate::sample::{on_side, shuffled, solved, unchecked};

    /// What these rows answer.
    pub(super) fn told(rows: Vec<Row>) -> Vec<String> {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        answer(&Material::new(&record, &Registry::new()))
    }

    /// The row as one of this encoding and this solver.
    pub(super) fn of(encoding: &str, solver: &str, mut row: Row) -> Row {
        row.job.encoding = encoding.into();
        row.job.solver = solver.into();
        row
    }

    /// Three encodings that take so many times as much, on twelve boards, half of them without a
    /// solution, in two solvers.
    pub(super) fn rows(factors: [f64; 3]) -> Vec<Row> {
        let mut rows = Vec::new();
        for side in 8..20 {
            for solver in ["batsat", "cadical"] {
                for (encoding, factor) in ["a", "b", "c"].into_iter().zip(factors) {
                    let time = 0.01 * f64::from(side) * factor;
                    let mut row = of(encoding, solver, on_side(side, shuffled(1, time)));
                    if side % 2 == 0 {
                        row.answer = bezzel_solve::Answer::Unsat;
                    }
                    rows.push(row);
                }
            }
        }
        rows
    }

    /// Those of one solver.
    pub(super) fn by_batsat(factors: [f64; 3]) -> Vec<Row> {
        rows(factors).into_iter().filter(|row| row.job.solver == "batsat").collect()
    }

    #[test]
    fn what_nobody_checked_answers_nothing() {
        assert!(told(vec![unchecked(1.0), solved(1.0)]).is_empty());
        assert!(told(vec![]).is_empty());
    }
}
