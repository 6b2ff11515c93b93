//! Calls of Slurm's programs. `bezzel-process` starts them, with a time limit, and with few variables of the
//! environment: those of `sbatch` become part of the job, and some of them would change the request.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use bezzel_process::{Exit, KillReason, Program};

use super::error::SlurmError;
use super::name::JobNames;
use super::queue::{self, ArrayTask, FORMAT};
use super::script::JobArray;

/// The time limit of a program of Slurm. It tries to reach a controller that does not answer for some ten seconds.
const WALL_LIMIT: Duration = Duration::from_mins(2);

/// The largest output of a program: a line for each of a million tasks.
const MAX_OUTPUT_BYTES: usize = 1 << 27;

/// The variables that Slurm's programs and the jobs get: paths of programs and libraries, the user, the location of
/// Slurm, and requests of a site for every job that scripts do not contain.
const ENVIRONMENT: [&str; 15] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LD_LIBRARY_PATH",
    "BEZZEL_ISOLATION",
    "KRB5CCNAME",
    "SLURM_CONF",
    "SLURM_CONF_SERVER",
    "SBATCH_QOS",
    "SBATCH_RESERVATION",
    "SBATCH_CONSTRAINT",
    PARTITION,
    ACCOUNT,
];
/// Variables override `#SBATCH` lines, so these are passed only if there are no such lines.
const PARTITION: &str = "SBATCH_PARTITION";
const ACCOUNT: &str = "SBATCH_ACCOUNT";

/// Slurm, as it is reached from this machine.
#[derive(Clone, Debug)]
pub struct Slurm {
    environment: Vec<(OsString, OsString)>,
    wall: Duration,
}

/// The jobs of a submission, by Slurm's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubmittedJobs {
    /// The number of the array.
    pub array: u64,
    /// The number of the job that merges after it.
    pub merge: u64,
}

impl Slurm {
    /// Returns Slurm in the environment of this process.
    pub fn here() -> Self {
        let given = |name: &&str| Some(((*name).into(), env::var_os(name)?));
        Self::new(ENVIRONMENT.iter().filter_map(given).collect(), WALL_LIMIT)
    }

    /// Returns Slurm in an environment, whose `PATH` contains its programs. `wall` is the time limit of each of
    /// them.
    pub fn new(environment: Vec<(OsString, OsString)>, wall: Duration) -> Self {
        Self { environment, wall }
    }

    /// Submits an array and the job that merges after it, by their scripts in these files.
    ///
    /// # Errors
    ///
    /// One of them is not submitted. Then neither is: jobs in the queue under their names are cancelled again, or
    /// the error reports that this failed.
    pub fn submit(
        &self,
        array: &JobArray,
        array_script: &Path,
        merge_script: &Path,
    ) -> Result<SubmittedJobs, SlurmError> {
        let number = match self.sbatch(array, &[], array_script) {
            Ok(number) => number,
            // No request was sent.
            Err(reason @ (SlurmError::Missing { .. } | SlurmError::Start(_))) => {
                return Err(reason);
            }
            Err(reason) => return Err(self.undo(array, "the array", reason)),
        };
        let after = format!("--dependency=afterany:{number}");
        let merge = self.sbatch(array, &[after], merge_script);
        let merge = merge.map_err(|reason| self.undo(array, "the job that merges", reason))?;
        Ok(SubmittedJobs { array: number, merge })
    }

    /// Returns the tasks of the array of these names in the queue, ended tasks too, as long as Slurm remembers them.
    ///
    /// # Errors
    ///
    /// Slurm does not report them.
    pub fn tasks(&self, names: &JobNames) -> Result<Vec<ArrayTask>, SlurmError> {
        let name = format!("--name={}", names.array);
        let options = ["--noheader", "--array", "--states=all", &name, FORMAT];
        queue::read(&self.run_program("squeue", self.environment.clone(), options)?)
    }

    /// Returns the tasks of the array of these names that wait, run, or are held.
    ///
    /// # Errors
    ///
    /// Slurm does not report them.
    pub fn under_way(&self, names: &JobNames) -> Result<Vec<ArrayTask>, SlurmError> {
        let mut tasks = self.tasks(names)?;
        tasks.retain(|task| task.state.is_under_way());
        Ok(tasks)
    }

    /// Returns the largest number that a task may have, plus one: Slurm's `MaxArraySize`.
    ///
    /// # Errors
    ///
    /// Slurm does not report it.
    pub fn max_array_size(&self) -> Result<u32, SlurmError> {
        let output = self.run_program("scontrol", self.environment.clone(), ["show", "config"])?;
        let value = output.lines().find_map(|line| {
            let (name, value) = line.split_once('=')?;
            (name.trim() == "MaxArraySize").then(|| value.trim().parse::<u32>().ok())?
        });
        let output = "nothing of its MaxArraySize";
        value.ok_or_else(|| SlurmError::Garbage { program: "scontrol", output: output.into() })
    }

    /// Cancels the jobs in the queue under these names. It succeeds if there are none.
    ///
    /// # Errors
    ///
    /// Slurm does not cancel them.
    pub fn cancel(&self, names: &JobNames) -> Result<(), SlurmError> {
        // The job that merges comes first: it would run as soon as the array is gone.
        for name in [&names.merge, &names.array] {
            let option = format!("--name={name}");
            self.run_program("scancel", self.environment.clone(), [option.as_str()])?;
        }
        Ok(())
    }

    /// Submits a script and returns the number of its job.
    fn sbatch(
        &self,
        array: &JobArray,
        options: &[String],
        script: &Path,
    ) -> Result<u64, SlurmError> {
        let mut environment = self.environment.clone();
        environment.retain(|(name, _)| {
            !(name == PARTITION && array.partition.is_some()
                || name == ACCOUNT && array.account.is_some())
        });
        let mut words = vec![OsString::from("--parsable")];
        words.extend(options.iter().map(Into::into));
        words.push(script.into());
        let output = self.run_program("sbatch", environment, words)?;
        job_number(&output)
            .ok_or_else(|| SlurmError::Garbage { program: "sbatch", output: shown(&output) })
    }

    /// Cancels jobs that may have been submitted, and returns the error with the result: `sbatch` may have reached
    /// the controller though it refused, or did not answer.
    fn undo(&self, array: &JobArray, what: &'static str, reason: SlurmError) -> SlurmError {
        let (names, reason) = (array.names(), Box::new(reason));
        match self.cancel(&names) {
            Ok(()) => SlurmError::NotSubmitted { what, reason },
            Err(error) => SlurmError::HalfSubmitted {
                what,
                reason,
                cancelling: Box::new(error),
                command: format!("scancel --name={}; scancel --name={}", names.merge, names.array),
            },
        }
    }

    /// Runs a program and returns what it prints.
    fn run_program(
        &self,
        name: &'static str,
        environment: Vec<(OsString, OsString)>,
        words: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Result<String, SlurmError> {
        // `env` looks the program up.
        let mut args: Vec<OsString> = vec![name.into()];
        args.extend(words.into_iter().map(Into::into));
        let program = Program {
            args,
            environment,
            keep_bytes: MAX_OUTPUT_BYTES,
            output_bytes: MAX_OUTPUT_BYTES as u64,
            ..Program::new("/usr/bin/env", self.wall)
        };
        let outcome = program.run(None)?;
        let output = || {
            let text = outcome.stderr.text();
            if text.trim().is_empty() { shown(&outcome.stdout.text()) } else { shown(&text) }
        };
        match (outcome.killed_by, outcome.exit) {
            (None, Exit::Code(0)) => Ok(outcome.stdout.text()),
            (None, Exit::Code(127)) => Err(SlurmError::Missing { program: name }),
            (None, Exit::Code(_)) => Err(SlurmError::Refused { program: name, output: output() }),
            (Some(KillReason::Wall), _) => {
                Err(SlurmError::Slow { program: name, seconds: self.wall.as_secs() })
            }
            _ => Err(SlurmError::Ended { program: name, output: output() }),
        }
    }
}

/// Returns the number of the job in the output of `sbatch --parsable`: alone on a line, or before the cluster's
/// name. Other lines that a site prints are ignored, unless they could be the number as well.
pub(super) fn job_number(text: &str) -> Option<u64> {
    let number = |line: &str| {
        let (digits, cluster) = line.trim().split_once(';').unwrap_or((line.trim(), "-"));
        let is_name = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_one = is_number && !cluster.is_empty() && cluster.chars().all(is_name);
        is_one.then(|| digits.parse::<u64>().ok().filter(|&number| number > 0))?
    };
    let mut numbers = text.lines().filter_map(number);
    numbers.next().filter(|_| numbers.next().is_none())
}

/// Returns the last lines of a program's output, as one.
fn shown(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(4)..].join("; ");
    let plain: String = last.chars().filter(|c| !c.is_control()).take(500).collect();
    if plain.is_empty() { "it printed nothing".into() } else { plain }
}
