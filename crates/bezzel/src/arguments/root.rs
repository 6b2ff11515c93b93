//! The folder with the experiments and the reports.

use std::path::{Path, PathBuf};

use clap::Args;

#[derive(Clone, Debug, Default, Args)]
pub(crate) struct RootArguments {
    /// The folder with `configs`, `experiments` and `reports`; the current folder if not given
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
}

impl RootArguments {
    /// The folder.
    pub(crate) fn path(&self) -> &Path {
        self.root.as_deref().unwrap_or(Path::new(""))
    }
}
