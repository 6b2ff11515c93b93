//! Solvers as programs that BenchExec can run.

use crate::job::Job;
use crate::workbench::Workbench;

use super::name;

/// A solver as a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name in configs.
    pub title: String,
    /// The program's name: BenchExec looks for it, unless it is a path.
    pub program: String,
    /// The command line, for a shell, that prints its version, if there is one.
    pub version: Option<String>,
    /// The endings of packed formulas that it reads by itself.
    pub reads: &'static [&'static str],
    call: Call,
}

/// How a solver is called.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Call {
    /// As CaDiCaL is: every option by its name.
    Options,
}

/// What stands for the file of the formula in a command line.
const FORMULA: &str = "\"$bezzel_cnf\"";

impl Tool {
    /// The program of a job's solver.
    ///
    /// # Errors
    ///
    /// Why there is none, in a sentence.
    pub(super) fn of(job: &Job, _workbench: &Workbench) -> Result<Self, String> {
        let title = job.solver.clone();
        if is_linked_cadical(&title) {
            let program = "cadical".to_owned();
            let reads = reads(&program);
            let version = Some("cadical --version".into());
            return Ok(Self { title, program, version, reads, call: Call::Options });
        }
        Err(format!("`{title}` is linked into Bezzel, and there is no program of it"))
    }

    /// The name of its files: that of a module of Python.
    pub(super) fn id(&self) -> String {
        name::plain(&self.title).replace('-', "_")
    }

    /// A job's command line, for a shell.
    pub(super) fn line(&self, job: &Job) -> String {
        match &self.call {
            Call::Options => {
                let options = job.options.iter().map(|(name, value)| format!(" --{name}={value}"));
                let options: Vec<_> = options.collect();
                format!("{} -q{} {FORMULA}", self.program, options.concat())
            }
        }
    }
}

/// Whether this is the CaDiCaL that is linked, whose options a program of CaDiCaL has as well.
fn is_linked_cadical(id: &str) -> bool {
    id == "cadical" || id.starts_with("cadical:")
}

/// The endings of packed formulas that a program is known to read.
fn reads(program: &str) -> &'static [&'static str] {
    match program.rsplit('/').next().unwrap_or(program) {
        // These run xz and gzip themselves.
        "cadical" | "kissat" | "lingeling" | "plingeling" => &[".gz", ".xz"],
        "minisat" | "glucose" | "glucose-syrup" => &[".gz"],
        _ => &[],
    }
}
