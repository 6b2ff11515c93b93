//! All is cancelled in the middle, and nobody merges but by hand.

use std::collections::BTreeMap;

use crate::slurm::node::Node;
use crate::slurm::place::{PLANNED, Place};
use crate::slurm::results::results_in;

pub(crate) fn all_is_cancelled_and_merged_by_hand(node: &Node, local: &BTreeMap<String, String>) {
    let place = Place::new(node);
    place.submit();
    place.cancel_merge();
    place.wait_for_some();
    node.cancel_all();

    let (done, missing) = (place.status("done"), place.status("missing"));
    assert_eq!((place.status("running"), done + missing), (0, PLANNED));
    assert!(done > 0 && missing > 0, "{done} done, {missing} missing");
    // What attempts have found is not merged yet, and counts all the same.
    assert!(results_in(&place.experiment()).is_empty());
    place.does(&["merge", "drill"]);
    assert_eq!(results_in(&place.experiment()).len(), done);

    place.submit();
    place.cancel_merge();
    assert_eq!(Place::submitted(&place.submissions()[1]), missing);
    node.drain();
    assert_eq!((place.status("done"), place.status("unmerged")), (PLANNED, missing));
    place.does(&["merge", "drill", "--report"]);
    place.is_as(local);
    // Once more changes nothing.
    place.does(&["merge", "drill"]);
    place.is_as(local);
}
