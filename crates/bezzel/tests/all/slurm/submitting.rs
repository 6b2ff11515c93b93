//! A dry run prints the scripts of a submission.

use crate::slurm::node::Node;
use crate::slurm::workspace::Workspace;

pub(crate) fn a_dry_run_shows_the_scripts_and_submits_nothing(node: &Node) {
    let workspace = Workspace::new(node);
    let options = ["--dry-run", "--array-size", "3", "--max-running", "2", "--whole-nodes"];
    let printed = workspace.run(&[&["submit", "question.yaml", "--slurm"], &options[..]].concat());
    for line in
        ["#SBATCH --array=1-3%2", "#SBATCH --exclusive", "#SBATCH --kill-on-invalid-dep=yes"]
    {
        assert!(printed.contains(line), "{line} is not in\n{printed}");
    }
    assert!(node.queue().is_empty());
    assert!(workspace.submissions().is_empty());
}
