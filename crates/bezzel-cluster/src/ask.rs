//! Asking Slurm. Its programs are started by `bezzel-external`, with a time limit, and with few variables
//! of the environment: those of `sbatch` go with the job, and some of them would change what it is asked.

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use bezzel_external::{Cause, Exit, Program};

use super::error::SlurmError;
use super::name::JobNames;
use super::queue::{self, FORMAT, Task};
use super::script::Array;

/// How long a program of Slurm's may take. It goes on asking a controller that does not answer for some
/// ten seconds.
const WALL: Duration = Duration::from_mins(2);

/// The most that one may print: a line for each of a million tasks.
const MOST_BYTES: usize = 1 << 27;

/// The variables that Slurm's programs and the jobs get: where programs and libraries are, who asks,
/// where Slurm is, and what a site wants of every job and scripts do not say.
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
/// Variables win over `#SBATCH` lines, so these are told only where there are no such lines.
const PARTITION: &str = "SBATCH_PARTITION";
const ACCOUNT: &str = "SBATCH_ACCOUNT";

/// The mark of processes that we started, and end with. Jobs must not bear it: one may run on this very
/// machine.
const MARK: &str = "BEZZEL_RUN";

/// Slurm, as this machine reaches it.
#[derive(Clone, Debug)]
pub struct Slurm {
    environment: Vec<(OsString, OsString)>,
    wall: Duration,
}

/// The jobs of a submission, by Slurm's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Submitted {
    /// The array.
    pub array: u64,
    /// The job that merges after it.
    pub merge: u64,
}

impl Slurm {
    /// Slurm as this process's environment tells where it is.
    pub fn here() -> Self {
        let given = |name: &&str| Some(((*name).into(), env::var_os(name)?));
        Self::new(ENVIRONMENT.iter().filter_map(given).collect(), WALL)
    }

    /// Slurm by an environment, which tells at `PATH` where its programs are; each of them may take so
    /// long.
    pub fn new(environment: Vec<(OsString, OsString)>, wall: Duration) -> Self {
        Self { environment, wall }
    }

    /// Submits an array and the job that merges after it, by their scripts in these files.
    ///
    /// # Errors
    ///
    /// When one of them is not submitted. Then neither is: whatever is in the queue under their names is
    /// cancelled again, or the error says that it could not be.
    pub fn submit(
        &self,
        array: &Array,
        array_script: &Path,
        merge_script: &Path,
    ) -> Result<Submitted, SlurmError> {
        let number = match self.sbatch(array, &[], array_script) {
            Ok(number) => number,
            // Nobody was asked.
            Err(reason @ (SlurmError::Missing { .. } | SlurmError::Start(_))) => {
                return Err(reason);
            }
            Err(reason) => return Err(self.undo(array, "the array", reason)),
        };
        let after = format!("--dependency=afterany:{number}");
        let merge = self.sbatch(array, &[after], merge_script);
        let merge = merge.map_err(|reason| self.undo(array, "the job that merges", reason))?;
        Ok(Submitted { array: number, merge })
    }

    /// What is in the queue of the array of these names, ended tasks too, as long as Slurm remembers them.
    ///
    /// # Errors
    ///
    /// When Slurm does not tell.
    pub fn tasks(&self, names: &JobNames) -> Result<Vec<Task>, SlurmError> {
        let name = format!("--name={}", names.array);
        let options = ["--noheader", "--array", "--states=all", &name, FORMAT];
        queue::read(&self.ask("squeue", self.environment.clone(), options)?)
    }

    /// The tasks of the array of these names that wait, run, or are held.
    ///
    /// # Errors
    ///
    /// When Slurm does not tell.
    pub fn under_way(&self, names: &JobNames) -> Result<Vec<Task>, SlurmError> {
        let mut tasks = self.tasks(names)?;
        tasks.retain(|task| task.state.is_under_way());
        Ok(tasks)
    }

    /// The largest number that a task may have, and one more: Slurm's `MaxArraySize`.
    ///
    /// # Errors
    ///
    /// When Slurm does not tell.
    pub fn max_array_size(&self) -> Result<u32, SlurmError> {
        let told = self.ask("scontrol", self.environment.clone(), ["show", "config"])?;
        let value = told.lines().find_map(|line| {
            let (name, value) = line.split_once('=')?;
            (name.trim() == "MaxArraySize").then(|| value.trim().parse::<u32>().ok())?
        });
        let said = "nothing of its MaxArraySize";
        value.ok_or_else(|| SlurmError::Garbage { program: "scontrol", said: said.into() })
    }

    /// Cancels what is in the queue under these names; it does not matter if there is nothing.
    ///
    /// # Errors
    ///
    /// When Slurm does not do so.
    pub fn cancel(&self, names: &JobNames) -> Result<(), SlurmError> {
        // The job that merges first: it would run as soon as the array is gone.
        for name in [&names.merge, &names.array] {
            let option = format!("--name={name}");
            self.ask("scancel", self.environment.clone(), [option.as_str()])?;
        }
        Ok(())
    }

    /// Submits a script and returns the number of its job.
    fn sbatch(&self, array: &Array, options: &[String], script: &Path) -> Result<u64, SlurmError> {
        let mut environment = self.environment.clone();
        environment.retain(|(name, _)| {
            !(name == PARTITION && array.partition.is_some()
                || name == ACCOUNT && array.account.is_some())
        });
        let mut words = vec![OsString::from("--parsable")];
        words.extend(options.iter().map(Into::into));
        words.push(script.into());
        let told = self.ask("sbatch", environment, words)?;
        job_number(&told)
            .ok_or_else(|| SlurmError::Garbage { program: "sbatch", said: shown(&told) })
    }

    /// Cancels what may have been submitted, and says what came of it: `sbatch` may have reached the
    /// controller though it refused, or did not answer.
    fn undo(&self, array: &Array, what: &'static str, reason: SlurmError) -> SlurmError {
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
    fn ask(
        &self,
        name: &'static str,
        environment: Vec<(OsString, OsString)>,
        words: impl IntoIterator<Item = impl Into<OsString>>,
    ) -> Result<String, SlurmError> {
        // It looks the program up, and takes our mark away again.
        let mut args: Vec<OsString> = ["-u", MARK, name].map(Into::into).into();
        args.extend(words.into_iter().map(Into::into));
        let program = Program {
            args,
            environment,
            keep_bytes: MOST_BYTES,
            output_bytes: MOST_BYTES as u64,
            sweep: false,
            ..Program::new("/usr/bin/env", self.wall)
        };
        let outcome = program.run(None)?;
        let said = || {
            let text = outcome.stderr.text();
            if text.trim().is_empty() { shown(&outcome.stdout.text()) } else { shown(&text) }
        };
        match (outcome.killed_by, outcome.exit) {
            (None, Exit::Code(0)) => Ok(outcome.stdout.text()),
            (None, Exit::Code(127)) => Err(SlurmError::Missing { program: name }),
            (None, Exit::Code(_)) => Err(SlurmError::Refused { program: name, said: said() }),
            (Some(Cause::Wall), _) => {
                Err(SlurmError::Slow { program: name, seconds: self.wall.as_secs() })
            }
            _ => Err(SlurmError::Ended { program: name, said: said() }),
        }
    }
}

/// The number of the job in what `sbatch --parsable` printed: alone on a line, or before the cluster's
/// name. What a site prints beside it is passed over, but not where it could be meant as well.
pub(super) fn job_number(text: &str) -> Option<u64> {
    let number = |line: &str| {
        let (digits, cluster) = line.trim().split_once(';').unwrap_or((line.trim(), "-"));
        let is_name = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let is_told = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_one = is_told && !cluster.is_empty() && cluster.chars().all(is_name);
        is_one.then(|| digits.parse::<u64>().ok().filter(|&number| number > 0))?
    };
    let mut numbers = text.lines().filter_map(number);
    numbers.next().filter(|_| numbers.next().is_none())
}

/// The last lines of what a program said, as one.
fn shown(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines[lines.len().saturating_sub(4)..].join("; ");
    let plain: String = last.chars().filter(|c| !c.is_control()).take(500).collect();
    if plain.is_empty() { "it said nothing".into() } else { plain }
}
