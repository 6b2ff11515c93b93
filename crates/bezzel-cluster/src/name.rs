//! What the jobs of a submission are called.

/// So much of an experiment's name is told, in characters: `squeue` shows a few.
const SHOWN: usize = 40;

/// The names of the two jobs of a submission. No other jobs have them, since they hold its token.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JobNames {
    /// The array's: `bezzel-first-look-1f00ba5e`.
    pub array: String,
    /// The name of the job that merges: `bezzel-first-look-1f00ba5e-merge`.
    pub merge: String,
}

impl JobNames {
    /// Those of the submission with this token of the experiment with this name.
    pub fn of(experiment: &str, token: &str) -> Self {
        // Slurm takes a comma for the end of a name, and is not told of other strange characters.
        let plain = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
        let shown: String = experiment.chars().take(SHOWN).map(plain).collect();
        let token: String = token.chars().map(plain).collect();
        let array = format!("bezzel-{shown}-{token}");
        Self { merge: format!("{array}-merge"), array }
    }
}
