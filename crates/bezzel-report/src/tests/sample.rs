//! Single rows for the tests of this crate.

use std::sync::Arc;

use bezzel_encode::{Constraints, Numbering};
use bezzel_experiment::row::{Finding, ProofRecord};
use bezzel_experiment::{
    AllSolutions, Catalog, Count, FormulaSize, Job, Key, Limits, Marks, NO_SOLVER, PlannedJob,
    Propagation, Row, Task, Termination, Truth, Verdict,
};
use bezzel_problem::Instance;
use bezzel_problem::kind::langford::Langford;
use bezzel_problem::kind::latin_square::LatinSquare;
use bezzel_solve::{Answer, OptionValue, ProofFormat};

#[path = "../../../bezzel-experiment/src/tests/seating.rs"]
pub(crate) mod seating;

use seating::Seating;

/// The standard catalog with a calibration instance.
pub(crate) fn catalog() -> Catalog {
    Catalog { calibration: Some(langford(6)), ..Catalog::standard() }
}

fn row() -> Row {
    let job = Job {
        instance: langford(8),
        encoding: "pairwise".into(),
        settings: Constraints::Full.into(),
        numbering: Numbering::AS_GENERATED,
        solver: "batsat".into(),
        options: Arc::default(),
        task: Task::Solve,
        max_solutions: None,
        repeat: 1,
        limits: Limits { cpu_s: 5.0, wall_s: 10.0, memory_bytes: 1_000_000_000, nodes: None },
        proof: None,
        simplified: false,
    };
    let planned = PlannedJob {
        job,
        key: Key("00".into()),
        encoding_revision: 1,
        solver_version: "1".into(),
        size: None,
    };
    Row {
        status: Answer::Sat,
        verdict: Verdict::Verified,
        solve_cpu_s: Some(1.0),
        cpu_s: 1.0,
        wall_s: 1.0,
        ..Row::blank(planned, Termination::Finished)
    }
}

/// A verified answer after `cpu_s` CPU seconds.
pub(crate) fn solved(cpu_s: f64) -> Row {
    Row { solve_cpu_s: Some(cpu_s), ..row() }
}

/// A verified count of all solutions by an engine.
pub(crate) fn counted(engine: &str, encoding: &str, cpu_s: f64) -> Row {
    let mut row = solved(cpu_s);
    row.job.task = Task::Count;
    row.job.solver = engine.into();
    row.job.encoding = encoding.into();
    let (count, whole) = (Count::from(92_u32), true);
    row.all = Some(AllSolutions { count, whole, digest: None, diagram: None, auxiliaries: None });
    row
}

/// The verified size of a formula, measured and not solved.
pub(crate) fn sized(encoding: &str, size: u32, formula: Row) -> Row {
    let mut row = of_size(size, formula);
    (row.status, row.solve_cpu_s) = (Answer::Unknown, None);
    row.job.task = Task::Size;
    row.job.solver = NO_SOLVER.into();
    row.job.encoding = encoding.into();
    row
}

/// The propagation for 4 guests on 4 chairs, the first of them on the second chair: the found squares, or a
/// conflict; and the implied values, if there is a solution.
pub(crate) fn propagated(encoding: &str, found: Option<&str>, implied: Option<&str>) -> Row {
    let mut row = sized(encoding, 4, measured(16, 84, 184));
    row.job.task = Task::Propagate;
    row.job.instance = Seating::new(4, 4).with_given(&[(1, 2)]).into();
    let marks = |text: &str| serde_json::from_value(text.into()).expect("marks are text");
    let implied: Option<Marks> = implied.map(marks);
    let truth = Some(Truth { solvable: implied.is_some(), implied });
    let (conflict, found) = (found.is_none(), found.map(marks));
    row.propagation = Some(Propagation { conflict, found, truth, propagate_cpu_s: 0.001 });
    row
}

/// A verified answer under a random numbering.
pub(crate) fn shuffled(seed: u64, cpu_s: f64) -> Row {
    let mut row = solved(cpu_s);
    row.job.numbering = Numbering::random(seed);
    row
}

/// A verified answer of a solver with a seed.
pub(crate) fn seeded(seed: i64, cpu_s: f64) -> Row {
    let mut row = solved(cpu_s);
    let options = Arc::make_mut(&mut row.job.options);
    options.insert("random_seed".into(), OptionValue::Integer(seed));
    row
}

/// An unchecked answer.
pub(crate) fn unchecked(cpu_s: f64) -> Row {
    Row { verdict: Verdict::Unchecked, status: Answer::Unsat, ..solved(cpu_s) }
}

/// A wrong answer.
pub(crate) fn wrong(cpu_s: f64) -> Row {
    Row { verdict: Verdict::Wrong, ..solved(cpu_s) }
}

/// A run that the limit of 5 CPU seconds ended.
pub(crate) fn timed_out() -> Row {
    Row {
        status: Answer::Unknown,
        verdict: Verdict::Unchecked,
        termination: Termination::CpuLimit,
        solve_cpu_s: Some(4.9),
        ..row()
    }
}

/// A run that its wall limit of 10 seconds ended after `cpu_s` CPU seconds, all of it for solving.
pub(crate) fn at_wall_limit(cpu_s: f64) -> Row {
    let wall_s = row().job.limits.wall_s;
    Row {
        termination: Termination::WallLimit,
        solve_cpu_s: Some(cpu_s),
        cpu_s,
        wall_s,
        ..timed_out()
    }
}

/// A run that the limit of memory ended.
pub(crate) fn out_of_memory() -> Row {
    Row { termination: Termination::MemoryLimit, solve_cpu_s: None, ..timed_out() }
}

/// A run that was killed from outside.
pub(crate) fn killed() -> Row {
    let note = Some("killed from without".into());
    Row { termination: Termination::HostError, solve_cpu_s: None, note, ..timed_out() }
}

/// A job whose solver or engine is not installed.
pub(crate) fn skipped() -> Row {
    let note = Some("kissat is not installed: no program `kissat` is in the search path".into());
    let mut row = Row { termination: Termination::Skipped, solve_cpu_s: None, note, ..timed_out() };
    (row.cpu_s, row.wall_s) = (0.0, 0.0);
    row.job.solver = "kissat".into();
    row
}

/// The row on an instance of this size.
pub(crate) fn of_size(size: u32, mut row: Row) -> Row {
    row.job.instance = langford(size);
    row
}

/// Replaces the instance of a row by one of the same size and another kind.
pub(crate) fn change_kind(row: &mut Row) {
    let square = LatinSquare::new(row.job.instance.size(), None, 3).expect("a small order");
    row.job.instance = square.into();
}

fn langford(size: u32) -> Instance {
    Langford::new(size).expect("a small number").into()
}

/// A verified answer to a formula of this size.
pub(crate) fn measured(variables: u64, clauses: u64, literals: u64) -> Row {
    let sections = Vec::new();
    let formula = FormulaSize { variables, primary: variables, clauses, literals, sections };
    Row { formula: Some(formula), ..row() }
}

/// A verified answer without a solution, by `encoding` on an empty instance with this size, with an accepted proof.
pub(crate) fn proved(encoding: &str, size: u32, proof_mib: u64, check_cpu_s: f64) -> Row {
    let mut row = of_size(size, solved(1.0));
    row.job.encoding = encoding.into();
    row.job.proof = Some(ProofFormat::Lrat);
    row.status = Answer::Unsat;
    row.proof = Some(ProofRecord {
        format: ProofFormat::Lrat,
        finding: Finding::Accepted,
        bytes: Some(proof_mib << 20),
        steps: Some(10),
        check_cpu_s: Some(check_cpu_s),
        check_memory_peak_bytes: None,
        note: None,
        translated: false,
        checker_version: None,
    });
    row
}
