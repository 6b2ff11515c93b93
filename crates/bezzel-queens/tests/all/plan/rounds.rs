//! The rounds of a plan, and the order of the jobs in them.

use std::collections::HashSet;

use super::*;

const AXES: &str = "
name: axes
problems: [{queens: {size: [6, 7]}}]
encodings: [pairwise, product, binary, commander:3]
solvers: [cadical, batsat, \"cadical:plain\"]
bva: [off, on]
numberings: [as-generated, random: {shuffles: 2}]
";

/// Returns the rounds of a plan: the jobs of each, in order.
fn rounds_of(plan: &Plan) -> Vec<Vec<&PlannedJob>> {
    let mut rounds: Vec<Vec<&PlannedJob>> = Vec::new();
    for planned in &plan.jobs {
        let of = |planned: &PlannedJob| {
            (planned.job.instance.clone(), planned.job.numbering, planned.job.repeat)
        };
        match rounds.last_mut() {
            Some(round) if of(round[0]) == of(planned) => round.push(planned),
            _ => rounds.push(vec![planned]),
        }
    }
    rounds
}

#[test]
fn the_cells_of_a_round_come_in_an_order_by_seed_and_rounds_stay_whole() {
    let listed =
        Plan::of_record(&config(AXES), &bezzel_queens::experiment::catalog(), [].iter()).unwrap();
    let shuffled = plan(AXES);
    assert_eq!(listed.keys(), shuffled.keys());
    assert_eq!(listed.summary().axes, shuffled.summary().axes);
    let (listed, shuffled) = (rounds_of(&listed), rounds_of(&shuffled));
    assert_eq!(listed.len(), 6);
    let cell = |planned: &&PlannedJob| {
        (planned.job.encoding.clone(), planned.job.solver.clone(), planned.job.options.clone())
    };
    let mut orders = Vec::new();
    for (listed, shuffled) in listed.iter().zip(&shuffled) {
        assert_eq!(listed.len(), 4 * 4);
        let keys = |round: &[&PlannedJob]| {
            round.iter().map(|planned| planned.key.clone()).collect::<HashSet<_>>()
        };
        assert_eq!(keys(listed), keys(shuffled));
        let order: Vec<_> = shuffled.iter().map(cell).collect();
        assert_ne!(order, listed.iter().map(cell).collect::<Vec<_>>());
        assert!(!orders.contains(&order), "another order in each round");
        orders.push(order);
    }
}

#[test]
fn included_cells_on_a_board_of_the_matrix_join_its_rounds() {
    let text = format!(
        "{AXES}include: [{{encodings: [bitwise]}}, {{problems: {{queens: {{size: 5}}}}, solvers: batsat}}]\n"
    );
    let plan = plan(&text);
    let sides: Vec<_> = plan.jobs.iter().map(|planned| planned.job.instance.size()).collect();
    assert!(sides.is_sorted());
    let rounds = rounds_of(&plan);
    let sizes: Vec<_> = rounds.iter().map(Vec::len).collect();
    assert_eq!(sizes, [4, 4, 4, 20, 20, 20, 20, 20, 20]);
}
