//! The session of imported rows: the machine that BenchExec ran on, as far as it is recorded.

use std::collections::BTreeMap;

use super::results::{Run, RunSet};
use super::value::{bytes, moment, seconds};
use bezzel_experiment::environment::{Build, Environment, SolverBuild};

/// The name of the measuring program, if BenchExec does not report its version.
const BENCHEXEC: &str = "BenchExec";

/// Returns the environment of a file of results. `build` is the importing build.
pub(super) fn environment(results: &RunSet, parallel: u32, build: Build) -> Environment {
    let RunSet { machine, tool_module, version, generator, start, .. } = results;
    let solver = tool_module.rsplit('.').next().unwrap_or(tool_module).to_owned();
    let version = version.clone().unwrap_or_default();
    Environment {
        build,
        measured_by: Some(generator.clone().unwrap_or_else(|| BENCHEXEC.to_owned())),
        attempt: None,
        host: None,
        reproduces: None,
        cpu_model: machine.cpu_model.clone(),
        cores: machine.cores.as_deref().and_then(|cores| cores.parse().ok()),
        memory_bytes: machine.memory.as_deref().and_then(bytes),
        kernel: None,
        system: machine.system.clone(),
        solvers: BTreeMap::from([(solver, SolverBuild { version, ..SolverBuild::default() })]),
        parallel,
        lost: false,
        started_unix_s: start.as_deref().and_then(moment).map_or(0, |moment| moment as u64),
    }
}

/// Returns the largest number of runs at the same time, by their starts and their wall times: BenchExec does not
/// record its setting. Returns 1 if no starts are recorded.
pub(super) fn parallel(runs: &[Run]) -> u32 {
    let mut events = Vec::new();
    for run in runs {
        let start = run.start.as_deref().and_then(moment);
        if let (Some(start), Some(wall)) = (start, run.wall.as_deref().and_then(seconds)) {
            events.push((start, 1));
            events.push((start + wall, -1));
        }
    }
    // Of events at the same moment, ends come first.
    events.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let (mut now, mut max) = (0, 1);
    for (_, change) in events {
        now += change;
        max = max.max(now);
    }
    u32::try_from(max).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_side_by_side_are_found_by_their_times() {
        let run = |start: &str, wall: &str| Run {
            start: Some(format!("2026-01-02T03:04:{start}+00:00")),
            wall: Some(wall.into()),
            ..Run::default()
        };
        assert_eq!(parallel(&[]), 1);
        assert_eq!(parallel(&[run("05", "1s"), run("06", "1s"), run("08", "1s")]), 1);
        assert_eq!(parallel(&[run("05", "2s"), run("06", "3s"), run("06.5", "1s")]), 3);
        assert_eq!(parallel(&[Run::default(), run("05", "2s")]), 1);
    }
}
