//! Permission to start programs.
//!
//! Encoders, solvers, counters and the commands that print their versions are command lines in a config
//! or in a row, and evidence may come from anywhere. No command line is started without a `Permitted`
//! value, and only a [`Permission`] makes one: this module holds the only calls that make a process of a
//! command line, which the lint `disallowed_methods` enforces. A permission that was forgotten is none.
//!
//! A permission lists command lines. The permission of the user's own config permits the lines of that
//! config and no others, whatever evidence lies beside it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use bezzel_external::{SoftLimits, Supervised};
use thiserror::Error;

use crate::config::Config;
use crate::engine;
use crate::job::{Doer, Job};
use crate::program;
use crate::solver_program;

/// The command lines that may be started. The default permits none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Permission(Granted);

#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Granted {
    #[default]
    Nothing,
    Lines(Arc<BTreeSet<String>>),
    Everything,
}

/// The rule by which a program is not started, for messages.
pub(crate) const RULE: &str = "programs that evidence names run only with the option --programs of \
                               `verify`, `reproduce`, `import` and `work`";

/// A command line that is not started.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the program `{line}` is not started: {RULE}")]
pub struct NotPermitted {
    /// The command line.
    pub line: String,
}

/// A command line that may be started.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Permitted<'l>(&'l str);

impl Permission {
    /// No program.
    pub fn none() -> Self {
        Self::default()
    }

    /// Every program: the user gave `--programs`.
    pub fn everything() -> Self {
        Self(Granted::Everything)
    }

    /// The programs of a config that the user named on the command line.
    pub fn of_config(config: &Config) -> Self {
        let encodings = config.matrices().flat_map(|matrix| &matrix.encodings);
        let arms = config.arms().map(|arm| arm.id.as_str());
        Self::of_names(encodings.map(|entry| entry.id.as_str()).chain(arms))
    }

    /// The programs in these names of encodings, solvers and engines.
    pub fn of_names<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let lines = names.into_iter().flat_map(|name| {
            let mut lines = program::lines_in(name);
            lines.extend(solver_program::lines_in(name));
            lines.extend(engine::lines_in(name));
            lines
        });
        Self(Granted::Lines(Arc::new(lines.collect())))
    }

    /// The programs of one job.
    pub(crate) fn of_job(job: &Job) -> Self {
        Self::of_names([job.encoding.as_str(), job.solver.as_str()])
    }

    /// True if this command line may be started.
    pub(crate) fn permits(&self, line: &str) -> bool {
        match &self.0 {
            Granted::Nothing => false,
            Granted::Lines(lines) => lines.contains(line),
            Granted::Everything => true,
        }
    }

    /// The command line as one that may be started.
    pub(crate) fn permit<'l>(&self, line: &'l str) -> Result<Permitted<'l>, NotPermitted> {
        if self.permits(line) {
            Ok(Permitted(line))
        } else {
            Err(NotPermitted { line: line.to_owned() })
        }
    }

    /// Refuses a job that names a program which may not be started.
    ///
    /// # Errors
    ///
    /// [`NotPermitted`] with the first such command line.
    pub fn refuse(&self, job: &Job) -> Result<(), NotPermitted> {
        self.refuse_each(program::lines_in(&job.encoding))?;
        match job.task.doer() {
            Doer::Solver => self.refuse_each(solver_program::lines_in(&job.solver)),
            Doer::Engine => self.refuse_each(engine::lines_in(&job.solver)),
            Doer::Nobody => Ok(()),
        }
    }

    /// Refuses the first of these command lines that may not be started.
    pub(crate) fn refuse_each(&self, lines: Vec<String>) -> Result<(), NotPermitted> {
        lines
            .into_iter()
            .find(|line| !self.permits(line))
            .map_or(Ok(()), |line| Err(NotPermitted { line }))
    }
}

impl Permitted<'_> {
    /// The command line itself.
    pub(crate) fn text(&self) -> &str {
        self.0
    }

    /// The command line as it is for one formula, `filled`, under a supervisor.
    #[expect(clippy::disallowed_methods, clippy::unused_self, reason = "the gate itself")]
    pub(crate) fn supervised(
        self,
        filled: String,
        directory: PathBuf,
        limits: SoftLimits,
        output: PathBuf,
    ) -> Supervised {
        Supervised::new(filled, directory, limits, output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::Workbench;

    const ENCODER: &str = "python3 a.py";
    const SOLVER: &str = "b {cnf}";
    const VERSION: &str = "b --version";
    const COUNTER: &str = "c {cnf}";

    fn config() -> Config {
        let text = format!(
            "name: own\nboards: [{{size: 4}}]\nencodings: [{{command: \"{ENCODER}\"}}, pairwise]\n\
             solvers: [{{command: \"{SOLVER}\", version: \"{VERSION}\"}}, minisat]\n\
             engines: [{{counter: \"{COUNTER}\"}}]\ntask: [first, count]\n"
        );
        Config::parse(&text, "a test", &Workbench::standard()).unwrap()
    }

    #[test]
    fn the_permission_of_a_config_permits_its_own_command_lines_and_no_others() {
        let permission = Permission::of_config(&config());
        for line in [ENCODER, SOLVER, VERSION, COUNTER] {
            assert!(permission.permits(line), "{line}");
            assert!(!Permission::none().permits(line), "{line}");
            assert!(Permission::everything().permits(line), "{line}");
        }
        let minisat = solver_program::lines_in("minisat");
        assert!(!minisat.is_empty() && minisat.iter().all(|line| permission.permits(line)));
        for other in ["python3 a.py ", "python3", "touch x", "", "kissat -q {cnf}"] {
            assert!(!permission.permits(other), "{other}");
        }
        let refused = permission.permit("touch x").unwrap_err();
        assert!(refused.to_string().contains("`touch x`"), "{refused}");
    }

    #[test]
    fn programs_within_mixtures_are_found() {
        let name = "{rows: {command: \"a\"}, columns: pairwise, diagonals: {command: \"b\"}}";
        let permission = Permission::of_names([name]);
        assert!(permission.permits("a") && permission.permits("b") && !permission.permits("c"));
    }
}
