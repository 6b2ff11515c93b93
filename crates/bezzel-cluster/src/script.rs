//! The scripts of a submission, as text.
//!
//! All options for `sbatch` are in `#SBATCH` lines, except the number of the array that the other job waits for: a
//! submission can therefore be read, and submitted again by hand.
//!
//! `--signal` is not used: Slurm may send such a signal a minute early. It sends TERM when the time is over, when a
//! task is preempted, requeued or cancelled, and KILL some seconds later. The shell has been replaced by the
//! program then, which ends its jobs and has kept every row.

use std::fmt::Write;
use std::path::PathBuf;

use super::error::ScriptError;
use super::name::JobNames;
use super::quote::{directive, path, pattern, shell};

/// A submission of an experiment: some shards, and their merge.
///
/// All paths are absolute. Slurm makes no folder: `log` in the submission must exist before the first task begins,
/// or the task fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobArray {
    /// The experiment's name.
    pub name: String,
    /// A text that no other submission has.
    pub token: String,
    /// The number of shards, less than Slurm's [`MaxArraySize`](super::Slurm::max_array_size). The task of a
    /// shard has its number.
    pub shards: u32,
    /// The largest number of tasks that run at the same time; `None` for no limit.
    pub max_running: Option<u32>,
    /// CPUs of a task: jobs that it runs at the same time, times their threads.
    pub cpus: u32,
    /// Memory of a task, in bytes: that of its jobs, and that of Bezzel itself.
    pub memory_bytes: u64,
    /// The time limit of a task, in minutes.
    pub minutes: u32,
    /// Memory of the job that merges and reports, in bytes.
    pub merge_memory_bytes: u64,
    /// The time limit of the job that merges and reports, in minutes.
    pub merge_minutes: u32,
    /// The partition; `None` for Slurm's default.
    pub partition: Option<String>,
    /// The account that is charged; `None` for the user's default.
    pub account: Option<String>,
    /// True if its jobs name programs (encoders, solvers or counters) that its tasks may run.
    pub programs: bool,
    /// True if no other job may run on the node of a task meanwhile.
    pub whole_nodes: bool,
    /// The path of Bezzel.
    pub program: PathBuf,
    /// The folder of the submission.
    pub submission: PathBuf,
    /// The folder that contains `experiments` and `reports`.
    pub root: PathBuf,
    /// The working directory of tasks: relative paths of programs in a config start there.
    pub directory: PathBuf,
}

impl JobArray {
    /// Returns the names of its two jobs.
    pub fn names(&self) -> JobNames {
        JobNames::of(&self.name, &self.token)
    }

    /// Returns the script of the array.
    ///
    /// # Errors
    ///
    /// Slurm cannot take a path or a name.
    pub fn script(&self) -> Result<String, ScriptError> {
        let limit = self.max_running.map(|limit| format!("%{limit}")).unwrap_or_default();
        let log = pattern("submission", &self.submission, "log/%A_%a.log")?;
        let mut text = format!(
            "#!/bin/bash\n\
             # Shards of the experiment {}: task K of this array does shard K.\n\
             # Written by `bezzel submit`. It can be submitted by hand: sbatch, and this file.\n\
             #\n\
             # A task may begin again at any time, even after its end. What any attempt at its shard has\n\
             # found is passed over, and each attempt writes rows to a file of its own.\n\n",
            one_line(&self.name)
        );
        self.common(&mut text, &self.names().array)?;
        let _ = write!(
            text,
            "#SBATCH --array=1-{}{limit}\n\
             # Array and task in the names of logs; a task that begins again adds to its own.\n\
             #SBATCH --output={}\n\
             # For all jobs that a task runs at the same time, and Bezzel beside them, which keeps the\n\
             # limits of each job itself: these limits apply to the whole task.\n\
             #SBATCH --time={}\n\
             #SBATCH --mem={}M\n\
             #SBATCH --nodes=1 --ntasks=1 --cpus-per-task={}\n\
             # A CPU is a core here, with no second thread: two threads of one core slow each other down,\n\
             # and the time of each would include work of the other.\n\
             #SBATCH --hint=nomultithread\n",
            self.shards,
            directive(&log),
            self.minutes,
            mebibytes(self.memory_bytes),
            self.cpus
        );
        if self.whole_nodes {
            text.push_str(
                "# Nobody else on the node, who would share its memory and caches.\n\
                 #SBATCH --exclusive\n",
            );
        }
        let _ = write!(
            text,
            "\n# In place of this shell, so that Slurm's TERM reaches it.\n\
             exec {} run {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --quiet{}\n",
            shell(path("program", &self.program)?),
            shell(path("submission", &self.submission)?),
            self.shards,
            if self.programs { " --programs" } else { "" },
        );
        Ok(text)
    }

    /// Returns the script of the job that merges when all tasks have ended. It is submitted with
    /// `--dependency=afterany:` and the number of the array.
    ///
    /// # Errors
    ///
    /// Slurm cannot take a path or a name.
    pub fn merge_script(&self) -> Result<String, ScriptError> {
        let log = pattern("submission", &self.submission, "log/merge_%j.log")?;
        let mut text = format!(
            "#!/bin/bash\n\
             # Merges what the array {} has found, and reports.\n\
             # Written by `bezzel submit`. By hand: sbatch --dependency=afterany:ARRAY, and this file; or its\n\
             # last line, anywhere, at any time, and as often as you like.\n\n",
            self.names().array
        );
        self.common(&mut text, &self.names().merge)?;
        let _ = write!(
            text,
            "# Should what it waits for not be possible any more, it goes.\n\
             #SBATCH --kill-on-invalid-dep=yes\n\
             #SBATCH --output={}\n\
             #SBATCH --time={}\n\
             #SBATCH --mem={}M\n\
             #SBATCH --nodes=1 --ntasks=1 --cpus-per-task=1\n\n\
             exec {} merge --report --quiet --root {} -- {}\n",
            directive(&log),
            self.merge_minutes,
            mebibytes(self.merge_memory_bytes),
            shell(path("program", &self.program)?),
            shell(path("root", &self.root)?),
            shell(&one_line(&self.name)),
        );
        Ok(text)
    }

    /// Writes the requests that both scripts have.
    fn common(&self, text: &mut String, name: &str) -> Result<(), ScriptError> {
        let _ = write!(
            text,
            "#SBATCH --job-name={name}\n\
             #SBATCH --chdir={}\n\
             # Back into the queue when the node fails or a job of higher priority takes it.\n\
             #SBATCH --requeue --open-mode=append\n\
             # Limits of the shell that submits are none of the job's; variables are, since they tell where\n\
             # programs and libraries are.\n\
             #SBATCH --propagate=NONE --export=ALL\n",
            directive(path("working directory", &self.directory)?)
        );
        for (what, value) in [("partition", &self.partition), ("account", &self.account)] {
            let Some(value) = value else { continue };
            if value.is_empty() || value.chars().any(char::is_control) {
                return Err(ScriptError::Name { what, text: value.clone() });
            }
            let _ = writeln!(text, "#SBATCH --{what}={}", directive(value));
        }
        Ok(())
    }
}

/// Rounds up to whole mebibytes, at least 1. Slurm reads 0 as all memory of a node.
fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20).max(1)
}

/// Returns a text that cannot end the line of a script.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
