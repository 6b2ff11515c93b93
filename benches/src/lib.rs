//! Rows that no run measured, as large as measured ones, for benchmarks.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use bezzel_encode::FormulaStats;
use bezzel_experiment::store::{FORMAT, NewEntry, SessionName, SessionStart, line_of};
use bezzel_experiment::{
    Catalog, Config, Evidence, EvidenceKind, FormulaSize, PlannedJob, Row, Termination, Verdict,
};
use bezzel_queens::{Board, Geometry};
use bezzel_solve::{Answer, Effort};

/// The size of the formula of a job.
pub fn size(planned: &PlannedJob, catalog: &Catalog) -> FormulaSize {
    let found = catalog.encodings.find(&planned.job.encoding).expect("it is known");
    let mut stats = FormulaStats::new();
    found.with_settings(planned.job.settings).encode(&planned.job.instance.problem(), &mut stats);
    let size = stats.size();
    let whole = |number| u64::try_from(number).expect("boards are small");
    FormulaSize {
        variables: whole(size.variables),
        primary: stats.primary().into(),
        clauses: whole(size.clauses),
        literals: whole(size.literals),
        sections: stats.into_sections(),
    }
}

/// The row of a job, the one in this place of the plan. Half of the tori have no solution, and some
/// answers are unchecked.
pub fn row(planned: PlannedJob, formula: FormulaSize, place: usize) -> Row {
    let torus = Board::of(&planned.job.instance).unwrap().geometry() == Geometry::Torus;
    let side = planned.job.instance.size();
    let checked = !place.is_multiple_of(20);
    // Boards on the torus have solutions where their side has no factor of 2 or 3.
    let answer = if torus && (side.is_multiple_of(2) || side.is_multiple_of(3)) {
        Answer::Unsat
    } else {
        Answer::Sat
    };
    let kind = if answer == Answer::Sat { EvidenceKind::Rules } else { EvidenceKind::Cross };
    Row {
        status: answer,
        verdict: if checked { Verdict::Verified } else { Verdict::Unchecked },
        checked_by: checked.then(|| Evidence { kind, source: "made up".into() }),
        formula: Some(formula),
        generate_cpu_s: Some(0.001),
        load_cpu_s: Some(0.002),
        solve_cpu_s: Some(0.1 + place as f64 / 1e6),
        cpu_s: 0.2,
        wall_s: 0.2,
        memory_peak_bytes: Some(4_000_000),
        solver_stats: Effort { conflicts: Some(place as u64), ..Effort::default() },
        started_unix_s: 1.7e9 + place as f64,
        ..Row::blank(planned, Termination::Finished)
    }
}

/// Creates the file of a session of this config, with its first line. Its lines are not synced one by one.
pub fn begin_session(folder: &Path, config: &Config) -> impl Write + use<> {
    let name = SessionName::of_file("2026-11-26T12.44.07Z-bench-1");
    let file = File::create(folder.join(format!("{name}.jsonl"))).expect("it can be made");
    let (mut out, config) = (BufWriter::new(file), config.recorded());
    let start = SessionStart { format: FORMAT, name, config, ..SessionStart::default() };
    out.write_all(&line_of(NewEntry::Session(&start))).expect("there is room");
    out
}
