//! Who is ranked above whom, and what is told where nobody is.

use super::Observation::Exact;
use super::*;
use crate::statistics::panel::Instance;

/// A panel of arms that take so many times as much as the instance's own scale, on so many
/// instances of so many families, with three replicates each.
fn panel(factors: &[f64], instances: usize, families: usize) -> Panel {
    let mut panel = Panel::new(factors.len());
    for place in 0..instances {
        let family = format!("family {}", place % families);
        let instance = Instance { name: place.to_string(), family };
        let scale = 1.0 + place as f64;
        let cells = factors.iter().enumerate().map(|(arm, factor)| {
            // Some spread, another for each arm and instance.
            let shift = ((place * 7 + arm * 3) % 5) as f64 / 20.0;
            [0.9, 1.0, 1.2].map(|run| Exact(scale * factor * (run + shift))).to_vec()
        });
        panel.push(instance, cells.collect());
    }
    panel
}

fn contest(panels: Vec<Panel>) -> Contest {
    let arms = (0..panels[0].arms()).map(|arm| format!("arm {arm}")).collect();
    let solvers = panels.into_iter().enumerate().map(|(place, panel)| Entrant {
        label: format!("solver {place}"),
        program: format!("program {place}"),
        panel,
    });
    Contest { arms, solvers: solvers.collect() }
}

#[test]
fn arms_are_ranked_where_both_solvers_agree_on_enough_instances() {
    let factors = [4.0, 1.0, 1.01];
    let made = contest(vec![panel(&factors, 12, 2), panel(&factors, 12, 3)]);
    let found = rank(&made);
    assert_eq!(found.order[2], 0);
    assert_eq!(found.letters, ["b", "a", "a"]);
    let mut above = found.above.clone();
    above.sort_unstable();
    assert_eq!(above, [(1, 0), (2, 0)]);
    assert_eq!(
        found.missing,
        ["1 of 3 pairs are not ranked: their intervals hold 1 under some solver, or the solvers \
             disagree."]
    );
    let known = found.comparison(1, 0, 1).unwrap();
    assert!(known.ratio.estimate.unwrap().exact().unwrap() > 3.0);
    assert_eq!((known.relation(), known.a12), (Relation::More, Some(1.0)));
    // Twelve signs alike: 2 in 4096, and the smallest of three of its kind.
    assert!((known.p - 3.0 * 2.0 / 4096.0).abs() < 1e-12, "{}", known.p);
    let back = found.comparison(1, 1, 0).unwrap();
    assert_eq!((back.relation(), back.a12), (Relation::Less, Some(0.0)));
}

#[test]
fn what_is_missing_is_told_and_nothing_is_ranked_without_it() {
    let factors = [4.0, 1.0];
    let one = rank(&contest(vec![panel(&factors, 12, 2)]));
    assert_eq!(one.letters, ["a", "a"]);
    assert_eq!(one.missing, ["1 solver only: a ranking needs 2 that agree."]);
    let few = rank(&contest(vec![panel(&factors, 9, 2), panel(&factors, 12, 1)]));
    assert_eq!(few.letters, ["a", "a"]);
    assert_eq!(
        few.missing,
        [
            "9 boards on which solver 0 compares two: a ranking needs 10.",
            "Boards of 1 family only, on which solver 1 compares two: a ranking needs 2."
        ]
    );
}

#[test]
fn solvers_that_disagree_rank_nothing() {
    let made = contest(vec![panel(&[4.0, 1.0], 12, 2), panel(&[1.0, 4.0], 12, 2)]);
    let found = rank(&made);
    assert_eq!((found.letters, found.above), (vec!["a".into(), "a".into()], vec![]));
}

#[test]
fn one_program_with_two_sets_of_options_is_not_two_that_agree() {
    let mut made = contest(vec![panel(&[4.0, 1.0], 12, 2), panel(&[4.0, 1.0], 12, 2)]);
    assert_eq!(rank(&made).above, [(1, 0)]);
    made.solvers[1].program = made.solvers[0].program.clone();
    assert!(rank(&made).above.is_empty());
}

#[test]
fn a_comparison_turned_twice_is_itself() {
    let found = rank(&contest(vec![panel(&[2.0, 1.0], 3, 1)]));
    let known = &found.comparisons[0];
    let again = known.turned().turned();
    assert!((again.a12.unwrap() - known.a12.unwrap()).abs() < 1e-12);
    assert_eq!((again.one, again.test), (known.one, known.test));
}
