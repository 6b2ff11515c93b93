//! The names of the jobs of a submission.

/// The number of characters of an experiment's name that job names contain: `squeue` shows a few.
const MAX_NAME_CHARS: usize = 40;

/// The names of the two jobs of a submission. No other jobs have them, since they hold its token.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JobNames {
    /// The name of the array: `bezzel-first-look-1f00ba5e`.
    pub array: String,
    /// The name of the job that merges: `bezzel-first-look-1f00ba5e-merge`.
    pub merge: String,
}

impl JobNames {
    /// Returns the names for the submission with this token of the experiment with this name.
    pub fn of(experiment: &str, token: &str) -> Self {
        // Slurm reads a comma as the end of a name. Other special characters are not passed to it either.
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let shown: String = experiment.chars().take(MAX_NAME_CHARS).map(plain).collect();
        let token: String = token.chars().map(plain).collect();
        let array = format!("bezzel-{shown}-{token}");
        Self { merge: format!("{array}-merge"), array }
    }
}
