//! A run of a program on one formula: its folder, its command line with all values, the rest of the job's limits, and its
//! end.

use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, io};

use bezzel_process::{SoftLimits, Supervised, usage};
use bezzel_solve::{Budget, SessionOptions, SolverError, SolverErrorKind, Usage};

use super::invocation::Invocation;
use super::template::{Placeholder, word};
use crate::backend::supervised::exit_code;
use crate::model::permission::Permission;
use crate::results::scratch::ScratchFolder;

/// The largest file that a program may write, so that no proof fills the disk.
const MAX_FILE_BYTES: u64 = 16 << 30;

/// The value of an absent limit, in seconds and in MiB.
const NO_LIMIT: &str = "1000000";

/// A program that is to run on one formula.
pub(crate) struct ProgramRun {
    pub(crate) call: Invocation,
    pub(crate) permission: Permission,
    pub(crate) seed: Option<i64>,
    pub(crate) session_options: SessionOptions,
    /// The time at which its session was opened.
    pub(crate) begun: Instant,
}

impl ProgramRun {
    /// Runs the program on the formula in the folder; it may print `max_output` bytes. Returns its exit code, or
    /// an error whose note names the program `who`; `Err(None)` if the job was cancelled. Sets `usage`.
    pub(crate) fn run_program(
        &self,
        who: &str,
        scratch: &Scratch,
        max_output: u64,
        usage: &mut Option<Usage>,
    ) -> Result<i32, Option<SolverError>> {
        let host = |note: String| Some(SolverError { kind: SolverErrorKind::Host, note });
        let process = self.supervised(scratch, max_output).map_err(host)?;
        let account = process
            .run(Some(self.session_options.interrupt.flag()))
            .map_err(|error| host(format!("the {who} cannot be run: {error}")))?;
        let memory_peak_bytes = Some(account.memory_peak_bytes);
        *usage = Some(Usage { cpu_s: account.cpu_s, memory_peak_bytes });
        let any = self.call.any_exit;
        // Codes of shells for failures are never taken.
        let is_accepted = |code: i32| {
            matches!(code, 0 | 10 | 20) || (any && !matches!(code, 126 | 127 | 129..=192))
        };
        exit_code(who, &account, &process.limits, process.file_bytes, is_accepted)
            .map_err(|solver_error| solver_error.map(|error| without(error, scratch)))
    }

    /// Returns the program under the rest of the job's limits. It may print at most `max_output` bytes.
    fn supervised(&self, scratch: &Scratch, max_output: u64) -> Result<Supervised, String> {
        let permitted = self.permission.permit(&self.call.command);
        let permitted = permitted.map_err(|refused| refused.to_string())?;
        let command = self.command(scratch)?;
        let unlimited = SoftLimits { cpu_s: f64::MAX, wall_s: f64::MAX, memory_bytes: u64::MAX };
        let budget = self.session_options.budget;
        let limits = budget.map_or(unlimited, |budget| left(budget, self.begun));
        let directory = std::env::current_dir()
            .map_err(|error| format!("the working directory cannot be found: {error}"))?;
        Ok(Supervised {
            output_bytes: max_output,
            file_bytes: if self.session_options.proof.is_some() {
                MAX_FILE_BYTES
            } else {
                max_output
            },
            cgroup: self.session_options.cgroup.clone(),
            ..permitted.supervised(command, directory, limits, scratch.output())
        })
    }

    /// Returns the command line with all values.
    fn command(&self, scratch: &Scratch) -> Result<String, String> {
        let text = |path: &Path| {
            let path =
                path.to_str().ok_or("the name of the folder for the program's files is no text")?;
            Ok::<_, String>(path.to_owned())
        };
        let folder = std::path::absolute(scratch.folder()).map_err(|error| {
            format!("the folder for the program's files cannot be found: {error}")
        })?;
        let of = |path: &Path| text(&folder.join(path.file_name().unwrap_or_default()));
        let (formula, answer) = (of(&scratch.formula())?, of(&scratch.answer())?);
        let lrat = of(&scratch.lrat())?;
        let proof = self.session_options.proof.as_deref().map(std::path::absolute).transpose();
        let proof =
            proof.map_err(|error| format!("the place of the proof cannot be found: {error}"))?;
        let proof = proof.as_deref().map(text).transpose()?;
        let budget = self.session_options.budget.as_ref();
        let whole = |value: Option<f64>| {
            let value = value.filter(|&value| value < f64::MAX);
            Some(value.map_or_else(
                || NO_LIMIT.to_owned(),
                |value| format!("{:.0}", value.ceil().max(1.0)),
            ))
        };
        let line = self.call.template.line(&|placeholder| match placeholder {
            Placeholder::Cnf => Some(formula.clone()),
            Placeholder::Answer => Some(answer.clone()),
            Placeholder::Proof => proof.clone(),
            Placeholder::Lrat => Some(lrat.clone()),
            Placeholder::Seed => self.seed.map(|seed| seed.to_string()),
            Placeholder::Cpu => whole(budget.map(|budget| budget.cpu_s)),
            Placeholder::Wall => whole(budget.map(|budget| budget.wall_s)),
            Placeholder::Memory => {
                whole(budget.map(|budget| (budget.memory_bytes / (1 << 20)) as f64))
            }
        });
        let by_stdin = self.call.template.place(Placeholder::Cnf).is_none();
        // The input of the shell and of everything that it starts.
        Ok(if by_stdin { format!("exec < {}\n{line}", word(&formula)) } else { line })
    }
}

/// Returns the rest of the limits of a job that began at this time, without the part that this process has used.
pub(super) fn left(Budget { cpu_s, wall_s, memory_bytes }: Budget, begun: Instant) -> SoftLimits {
    /// The least time; a job at its limit is stopped soon.
    const LEAST_S: f64 = 0.01;
    let own_bytes = usage::memory().map_or(0, |memory| memory.resident_bytes);
    SoftLimits {
        cpu_s: (cpu_s - usage::cpu_s()).max(LEAST_S),
        wall_s: (wall_s - begun.elapsed().as_secs_f64()).max(LEAST_S),
        memory_bytes: memory_bytes.saturating_sub(own_bytes).max(1),
    }
}

/// Replaces paths in a note by the names of the files, since folders differ between machines.
fn without(solver_error: SolverError, scratch: &Scratch) -> SolverError {
    let Ok(folder) = std::path::absolute(scratch.folder()) else { return solver_error };
    SolverError {
        note: solver_error.note.replace(&format!("{}/", folder.display()), ""),
        ..solver_error
    }
}

/// A folder for the files of one session.
#[derive(Debug)]
pub(crate) enum Scratch {
    Given(PathBuf),
    Own(ScratchFolder),
}

impl Scratch {
    /// Returns `given`, else a new folder that other users cannot read.
    pub(crate) fn new(given: Option<&Path>) -> io::Result<Self> {
        match given {
            Some(given) => Ok(Self::Given(given.to_owned())),
            None => ScratchFolder::new("session").map(Self::Own),
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        match self {
            Self::Given(folder) => folder,
            Self::Own(own) => own.path(),
        }
    }

    pub(crate) fn formula(&self) -> PathBuf {
        self.folder().join("formula.cnf")
    }

    pub(crate) fn output(&self) -> PathBuf {
        self.folder().join("output")
    }

    pub(crate) fn answer(&self) -> PathBuf {
        self.folder().join("answer")
    }

    /// The proof in LRAT that a converter writes.
    pub(crate) fn lrat(&self) -> PathBuf {
        self.folder().join("lrat")
    }

    /// Removes the files, if there are any.
    pub(crate) fn clear(&self) {
        for file in [self.formula(), self.output(), self.answer(), self.lrat()] {
            let _ = fs::remove_file(file);
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        self.clear();
    }
}
