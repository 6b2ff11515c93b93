//! The key, the session and the measured numbers of a row.
//!
//! Times have no independent check, so most wrong times are not found. The bounds refuse numbers that no machine
//! can measure.

use bezzel_process::cores;

use crate::model::environment::Environment;
use crate::model::quantity::{LONGEST_S, MAX_BYTES};
use crate::model::row::{Row, Verdict};

/// The tolerance between the clocks of CPU time and of wall time: a factor, and a number of seconds.
const CLOCKS: f64 = 1.1;
const CLOCKS_S: f64 = 1.0;

/// The fault of a row whose key differs from the key of its job.
pub(crate) fn key_fault(row: &Row) -> Option<String> {
    let Row { job, key, encoding_revision, solver_version, .. } = row;
    let right = job.key(*encoding_revision, solver_version);
    (right != *key).then(|| format!("its key is {key}, and that of its job is {right}"))
}

/// Returns the differences between a row and its session, one sentence each.
pub(crate) fn session_faults(row: &Row, session: Option<&Environment>) -> Vec<String> {
    let Row { solver_version, job, started_unix_s, .. } = row;
    let Some(session) = session else { return Vec::new() };
    let mut faults = Vec::new();
    if let Some(solver) = session.solvers.get(&job.solver)
        && solver.version != *solver_version
    {
        let had = &solver.version;
        faults.push(format!("it is of version {solver_version}, and its session had {had}"));
    }
    let began = session.started_unix_s as f64;
    if *started_unix_s < began {
        faults.push(format!(
            "it began {:.2} s before its session: the clock was set back",
            began - started_unix_s
        ));
    }
    faults
}

/// Returns the numbers in a row of this session that no machine can have measured, one sentence each.
pub(crate) fn number_faults(row: &Row, session: Option<&Environment>) -> Vec<String> {
    let mut faults = Vec::new();
    let proof = row.proof.as_ref();
    let parts = [
        ("CPU time of generating", row.generate_cpu_s),
        ("CPU time of loading", row.load_cpu_s),
        ("CPU time of solving", row.solve_cpu_s),
        ("CPU time of decoding", row.decode_cpu_s),
    ];
    let others = [
        ("CPU time", Some(row.cpu_s)),
        ("wall time", Some(row.wall_s)),
        ("CPU time of checking the model", row.check_cpu_s),
        ("CPU time of checking the proof", proof.and_then(|proof| proof.check_cpu_s)),
    ];
    for (what, time) in others.into_iter().chain(parts) {
        if let Some(time) = time.filter(|time| !(0.0..=LONGEST_S).contains(time)) {
            faults.push(format!("its {what} is {time} s, outside of 0 to {LONGEST_S} s"));
        }
    }
    let faults_of_times = faults.len();
    let cores = session.and_then(|session| session.cores).map(|cores| cores.max(1) as f64);
    if let Some(cores) = cores
        && row.cpu_s > CLOCKS * cores * row.wall_s + CLOCKS_S
        && faults_of_times == 0
    {
        faults.push(format!(
            "its CPU time is {} s in {} s of wall time, on a machine with {cores} cores",
            row.cpu_s, row.wall_s
        ));
    }
    // The time of a table of others may be that of solving alone.
    let has_parts = faults_of_times == 0 && row.verdict != Verdict::Imported;
    for (what, time) in parts.into_iter().filter(|_| has_parts) {
        if let Some(time) = time.filter(|time| *time > CLOCKS * row.cpu_s + CLOCKS_S) {
            faults.push(format!("its {what} is {time} s, and its CPU time is {} s", row.cpu_s));
        }
    }
    let max = session.and_then(|session| session.memory_bytes).unwrap_or(MAX_BYTES);
    let peaks = [
        ("peak of memory", row.memory_peak_bytes),
        ("proof's peak of memory", proof.and_then(|proof| proof.check_memory_peak_bytes)),
    ];
    for (what, peak) in peaks {
        if let Some(peak) = peak.filter(|&peak| peak > max) {
            faults.push(format!("its {what} is {peak} bytes, and its machine has {max}"));
        }
    }
    if let Some(core) = row.core.filter(|&core| core >= cores::MAX_PROCESSORS) {
        faults.push(format!(
            "its core is {core}, and jobs are bound to those below {}",
            cores::MAX_PROCESSORS
        ));
    }
    let began = session.map_or(0.0, |session| session.started_unix_s as f64);
    let latest = if began > 0.0 { began + LONGEST_S } else { 1e11 };
    if !(0.0..=latest).contains(&row.started_unix_s) {
        faults.push(format!(
            "its start is {} s since 1970, outside of 0 to {latest} s",
            row.started_unix_s
        ));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::cross::tests::count;

    fn row() -> Row {
        let mut row = count(6, "blocking", "pairwise", 4);
        (row.cpu_s, row.wall_s, row.memory_peak_bytes) = (2.0, 2.1, Some(1 << 20));
        row.started_unix_s = 1_800_000_000.5;
        row
    }

    fn session() -> Environment {
        Environment {
            cores: Some(2),
            memory_bytes: Some(1 << 30),
            started_unix_s: 1_800_000_000,
            ..Environment::default()
        }
    }

    #[test]
    fn numbers_that_a_machine_can_measure_have_no_fault() {
        assert_eq!(number_faults(&row(), Some(&session())), Vec::<String>::new());
        assert_eq!(number_faults(&row(), None), Vec::<String>::new());
        assert_eq!(
            number_faults(&Row { cpu_s: -0.0, ..row() }, Some(&session())),
            Vec::<String>::new()
        );
        // On a large machine, the process may use two cores with any numbers.
        assert_eq!(
            number_faults(&Row { core: Some(63), ..row() }, Some(&session())),
            Vec::<String>::new()
        );
        // A part of the job, within the tolerance of the clocks.
        let part = Row { solve_cpu_s: Some(3.1), ..row() };
        assert_eq!(number_faults(&part, Some(&session())), Vec::<String>::new());
        // Two cores, within the tolerance of the clocks.
        let row = Row { cpu_s: 4.9, ..row() };
        assert_eq!(number_faults(&row, Some(&session())), Vec::<String>::new());
    }

    #[test]
    fn numbers_that_no_machine_can_measure_are_named() {
        let fault_text = |change: fn(&mut Row)| {
            let mut row = row();
            change(&mut row);
            number_faults(&row, Some(&session())).join("; ")
        };
        assert!(fault_text(|row| row.cpu_s = -1.0).contains("CPU time is -1 s"));
        assert!(fault_text(|row| row.cpu_s = 1e308).contains("outside of 0 to 315576000 s"));
        assert!(fault_text(|row| row.wall_s = f64::NAN).contains("wall time is NaN s"));
        assert!(fault_text(|row| row.solve_cpu_s = Some(-0.5)).contains("solving is -0.5 s"));
        assert!(
            fault_text(|row| row.solve_cpu_s = Some(1e6)).contains("solving is 1000000 s, and its")
        );
        for part in [
            |row: &mut Row| row.generate_cpu_s = Some(3.3),
            |row: &mut Row| row.load_cpu_s = Some(3.3),
            |row: &mut Row| row.solve_cpu_s = Some(3.3),
            |row: &mut Row| row.decode_cpu_s = Some(3.3),
        ] {
            assert!(fault_text(part).contains("is 3.3 s, and its CPU time is 2 s"));
        }
        assert!(fault_text(|row| row.cpu_s = 7.0).contains("on a machine with 2 cores"));
        assert!(
            fault_text(|row| row.memory_peak_bytes = Some(u64::MAX)).contains("peak of memory")
        );
        assert!(fault_text(|row| row.memory_peak_bytes = Some(2 << 30)).contains("peak of memory"));
        assert!(
            fault_text(|row| row.core = Some(usize::MAX))
                .contains("its core is 18446744073709551615")
        );
        assert!(fault_text(|row| row.started_unix_s = 1e300).contains("1970, outside of 0 to"));
        assert!(fault_text(|row| row.started_unix_s = -1.0).contains("1970, outside of 0 to"));
    }
}
