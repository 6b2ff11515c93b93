//! All tasks are cancelled in the middle, and the rows are merged by hand.

use std::collections::BTreeMap;

use crate::slurm::node::Node;
use crate::slurm::results::results_in;
use crate::slurm::workspace::{PLANNED, Workspace};

pub(crate) fn all_is_cancelled_and_merged_by_hand(node: &Node, local: &BTreeMap<String, String>) {
    let workspace = Workspace::new(node);
    workspace.submit();
    workspace.cancel_merge();
    workspace.wait_for_some();
    node.cancel_all();

    let (done, missing) = (workspace.status("done"), workspace.status("missing"));
    assert_eq!((workspace.status("running"), done + missing), (0, PLANNED));
    assert!(done > 0 && missing > 0, "{done} done, {missing} missing");
    // Rows of attempts count before they are merged.
    assert!(results_in(&workspace.experiment()).is_empty());
    workspace.run(&["merge", "drill"]);
    assert_eq!(results_in(&workspace.experiment()).len(), done);

    workspace.submit();
    workspace.cancel_merge();
    assert_eq!(Workspace::submitted(&workspace.submissions()[1]), missing);
    node.drain();
    assert_eq!((workspace.status("done"), workspace.status("unmerged")), (PLANNED, missing));
    workspace.run(&["merge", "drill", "--report"]);
    workspace.is_as(local);
    // A second merge changes nothing.
    workspace.run(&["merge", "drill"]);
    workspace.is_as(local);
}
