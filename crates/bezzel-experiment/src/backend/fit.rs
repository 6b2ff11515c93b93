//! The check that a formula can be solved, by its size alone.

use bezzel_encode::sink::MAX_VARIABLES;
use bezzel_encode::{Encoding, EncodingInfo, FormulaStats, Size};
use bezzel_problem::Instance;
use thiserror::Error;

use crate::backend::{Backend, InputKind};
use crate::model::job::Task;
use crate::model::quantity::{grouped, memory};

/// The largest number of candidates for which a formula without a closed form is generated to count it, which takes
/// some milliseconds. The memory limit of the job stops larger ones.
const MAX_TALLIED: u32 = 64 * 64;

/// The least memory of a solver for a clause besides its literals, in bytes: a header, an entry in the list of
/// clauses, and two watches. Loading pairwise at side 150 took 30 in BatSat and 88 in CaDiCaL.
///
/// A refusal must be certain, so this value is below that of the solver with the least memory. A formula that is
/// accepted may still hit its memory limit. Its row is a row like others.
const CLAUSE_BYTES: u128 = 24;
/// The least memory of a solver for a literal, in bytes.
const LITERAL_BYTES: u128 = 4;
/// The least memory of a solver for a variable, in bytes: value, reason, level, activity, phase, its place in the
/// queue and two lists of watches. Loading sequential-counter at side 500 took 120 in BatSat and 260 in CaDiCaL.
const VARIABLE_BYTES: u128 = 96;
/// The memory that a stored formula takes for each clause besides its literals, in bytes: a pointer and a length.
/// Clauses are stored to be shuffled.
const STORED_CLAUSE_BYTES: u128 = 16;

/// The reason that a formula cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct FormulaTooLarge {
    /// The instance, the encoding, the size, and the limit.
    pub problem: String,
    /// The way to a formula that can be solved.
    pub mend: &'static str,
}

/// The reason that an encoding is not measured under a solver or an engine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{encoding}` states at-most-one constraints whole, and the {reader} takes clauses \
     only: it would get the pairs of `pairwise` under another name"
)]
pub struct ClausesOnly {
    /// The encoding's id.
    pub encoding: String,
    /// The task, solver or engine that takes clauses only, as in "solver `batsat`".
    pub reader: String,
}

/// Refuses an encoding that states more than clauses, under a backend that takes clauses only or for a task that only
/// measures the formula. A constraint that is stated whole has no size to compare, and unit propagation does not use
/// it.
///
/// # Errors
///
/// When the encoding states more than the backend takes.
pub fn stated(
    encoding: &EncodingInfo,
    backend: Option<&dyn Backend>,
    task: Task,
) -> Result<(), ClausesOnly> {
    let takes = |backend: &dyn Backend| {
        backend.takes_cardinality() || backend.reads() == InputKind::Instance
    };
    if !encoding.cardinality || backend.is_some_and(takes) {
        return Ok(());
    }
    let reader = backend.map_or_else(
        || format!("task `{task}`"),
        |backend| format!("{} `{}`", backend.kind().id(), backend.name()),
    );
    Err(ClausesOnly { encoding: encoding.id.clone(), reader })
}

fn described(instance: &Instance, encoding: &str, size: Size) -> String {
    let (variables, clauses) = (grouped(size.variables), grouped(size.clauses));
    let noun = instance.noun();
    format!(
        "the {noun} {instance} under `{encoding}` has {variables} variables and {clauses} clauses"
    )
}

/// The size of the rules of an instance, if there is a closed form or the instance is small.
pub fn size(encoding: &dyn Encoding, instance: &Instance) -> Option<Size> {
    let problem = instance.problem();
    encoding.size(&problem).or_else(|| {
        (problem.candidates() <= MAX_TALLIED).then(|| {
            let mut stats = FormulaStats::new();
            encoding.rules(&problem, &mut stats);
            stats.size()
        })
    })
}

/// Returns the least memory in bytes that the formula needs in any solver.
pub fn least_bytes(size: Size) -> u128 {
    VARIABLE_BYTES * size.variables + CLAUSE_BYTES * size.clauses + LITERAL_BYTES * size.literals
}

/// Refuses a formula whose variables cannot be numbered.
///
/// # Errors
///
/// When there are more than [`MAX_VARIABLES`].
pub fn numbered(instance: &Instance, encoding: &str, size: Size) -> Result<(), FormulaTooLarge> {
    if size.variables <= MAX_VARIABLES.into() {
        return Ok(());
    }
    let (formula, max) = (described(instance, encoding, size), grouped(MAX_VARIABLES.into()));
    let problem = format!("{formula}; solvers number at most {max} variables");
    Err(FormulaTooLarge { problem, mend: "take a smaller instance" })
}

/// Refuses a formula that cannot be solved within `limit_bytes` of memory; `shuffled` is true if its clauses are
/// stored as well.
///
/// # Errors
///
/// When the variables cannot be numbered or the memory does not suffice.
pub fn solvable(
    instance: &Instance,
    encoding: &str,
    size: Size,
    shuffled: bool,
    limit_bytes: u64,
) -> Result<(), FormulaTooLarge> {
    numbered(instance, encoding, size)?;
    let stored = if shuffled {
        STORED_CLAUSE_BYTES * size.clauses + LITERAL_BYTES * size.literals
    } else {
        0
    };
    let needed = least_bytes(size) + stored;
    if needed <= limit_bytes.into() {
        return Ok(());
    }
    let also = if shuffled { " and in the order that is shuffled" } else { "" };
    let problem = format!(
        "{}, which take at least {} in a solver{also}: more than the memory limit of {}",
        described(instance, encoding, size),
        memory(needed),
        memory(limit_bytes.into())
    );
    let mend = "take a smaller instance or another encoding, or raise `memory` in `limits`";
    Err(FormulaTooLarge { problem, mend })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_size_are_read_as_they_are_written() {
        let exact = Size {
            variables: 7,
            clauses: 98_913_082_887_808_032_681_188_722_800,
            literals: 1 << 64,
        };
        let bound = Size::new(u64::MAX.into(), Size::BOUND, u128::MAX);
        let text = serde_json::to_string(&[exact, bound]).unwrap();
        let expected = r#"[{"variables":7,"clauses":"98913082887808032681188722800","literals":"18446744073709551616"},{"variables":18446744073709551615,"clauses":"≥ 2¹²⁰","literals":"≥ 2¹²⁰"}]"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<[Size; 2]>(&text).unwrap(), [exact, bound]);
    }

    #[test]
    fn a_refusal_says_that_a_size_is_a_bound() {
        let instance = crate::tests::seating::Seating::new(8, 8).into();
        let size = Size::new(100, Size::BOUND, Size::BOUND);
        let refusal = solvable(&instance, "pairwise", size, true, 1 << 40).unwrap_err();
        assert!(
            refusal.problem.contains("100 variables and ≥ 2¹²⁰ clauses, which take at least"),
            "{refusal}"
        );
    }
}
