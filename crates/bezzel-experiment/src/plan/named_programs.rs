//! Programs in the names of encodings, solvers and engines, and permissions to start them.

use crate::backend::command;
use crate::backend::program;
use crate::config::Config;
use crate::model::job::Job;
use crate::model::permission::{NotPermitted, Permission};

impl Permission {
    /// Returns the permission for the programs of a config that the user named on the command line.
    pub fn of_config(config: &Config) -> Self {
        let encodings = config.matrices().flat_map(|matrix| &matrix.encodings);
        let arms = config.arms().map(|arm| arm.id.as_str());
        Self::of_names(encodings.map(|entry| entry.id.as_str()).chain(arms))
    }

    /// Returns the permission for the programs in these names of encodings, solvers and engines.
    pub fn of_names<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let lines = names.into_iter().flat_map(|name| {
            let mut lines = program::lines_in(name);
            lines.extend(command::lines_in(name));
            lines
        });
        Self::of_lines(lines)
    }

    /// Returns the permission for the programs of one job.
    pub(crate) fn of_job(job: &Job) -> Self {
        Self::of_names([job.encoding.as_str(), job.solver.as_str()])
    }

    /// Refuses a job that names a program which may not be started.
    ///
    /// # Errors
    ///
    /// [`NotPermitted`] with the first such command line.
    pub fn refuse(&self, job: &Job) -> Result<(), NotPermitted> {
        self.refuse_each(program::lines_in(&job.encoding))?;
        let lines = job.task.backend().map(|_| command::lines_in(&job.solver));
        self.refuse_each(lines.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::catalog::Catalog;

    const ENCODER: &str = "python3 a.py";
    const SOLVER: &str = "b {cnf}";
    const VERSION: &str = "b --version";
    const COUNTER: &str = "c {cnf}";

    fn config() -> Config {
        let text = format!(
            "name: own\nproblems: [{{latin-square: {{order: 4}}}}]\nencodings: [{{command: \"{ENCODER}\"}}, pairwise]\n\
             solvers: [{{command: \"{SOLVER}\", version: \"{VERSION}\"}}, minisat]\n\
             engines: [{{counter: \"{COUNTER}\"}}]\ntask: [solve, count]\n"
        );
        Config::parse(&text, "a test", &Catalog::of_tests()).unwrap()
    }

    #[test]
    fn the_permission_of_a_config_permits_its_own_command_lines_and_no_others() {
        let permission = Permission::of_config(&config());
        for line in [ENCODER, SOLVER, VERSION, COUNTER] {
            assert!(permission.permits(line), "{line}");
            assert!(!Permission::none().permits(line), "{line}");
            assert!(Permission::everything().permits(line), "{line}");
        }
        let minisat = command::lines_in("minisat");
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
