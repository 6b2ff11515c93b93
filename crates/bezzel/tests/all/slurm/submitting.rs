//! What is submitted is shown first.

use crate::slurm::node::Node;
use crate::slurm::place::Place;

pub(crate) fn a_dry_run_shows_the_scripts_and_submits_nothing(node: &Node) {
    let place = Place::new(node);
    let options = ["--dry-run", "--array-size", "3", "--max-running", "2", "--whole-nodes"];
    let told = place.does(&[&["submit", "question.yaml", "--slurm"], &options[..]].concat());
    for line in
        ["#SBATCH --array=1-3%2", "#SBATCH --exclusive", "#SBATCH --kill-on-invalid-dep=yes"]
    {
        assert!(told.contains(line), "{line} is not in\n{told}");
    }
    assert!(node.queue().is_empty());
    assert!(place.submissions().is_empty());
}
