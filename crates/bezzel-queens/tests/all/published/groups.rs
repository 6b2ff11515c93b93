//! Golden numbers of the encodings that cut their inputs into groups: commanders, bimanders, split and nested.

use bezzel_encode::{Constraints, Formula, Registry, properties};
use bezzel_queens::Board;
use bezzel_queens::register;

use crate::published::measure::{at_most_one, cost, on_board, pairs};

#[test]
fn flat_commanders_have_the_published_closed_form_where_no_group_is_of_one() {
    for (group, name) in [(2, "commander:2"), (3, "commander:3"), (4, "commander:4")] {
        for n in group + 1..=149 {
            let m = u128::from(n);
            let groups = m.div_ceil(u128::from(group));
            let within = m / u128::from(group) * pairs(group.into()) + pairs(u128::from(n % group));
            let one_way = within + m + pairs(groups);
            let (variables, clauses) = cost(&format!("{name}+flat+one-way"), n);
            if n % group == 1 {
                // The last input is its own commander: a variable and its clause less.
                assert_eq!((variables, clauses), (groups - 1, one_way - 1), "{name}, n = {n}");
            } else {
                assert_eq!((variables, clauses), (groups, one_way), "{name}, n = {n}");
            }
            let back = (variables, clauses + variables);
            assert_eq!(cost(&format!("{name}+flat"), n), back, "{name}, n = {n}");
        }
    }
}

#[test]
fn clauses_of_one_line_are_those_of_the_published_table() {
    // n, 3n − 6, bimander:2, commander:3
    let table = [
        (8, 18, 20, 21),
        (16, 42, 56, 50),
        (32, 90, 144, 107),
        (36, 102, 198, 120),
        (64, 186, 352, 217),
        (100, 294, 650, 344),
        (256, 762, 1920, 891),
    ];
    for (n, split, bimander, commander) in table {
        for id in ["split:4", "split:3", "nested:4", "nested:3", "sequential-counter:simplified"] {
            assert_eq!(cost(id, n).1, split, "{id}, n = {n}");
        }
        assert_eq!(cost("bimander:2", n).1, bimander, "n = {n}");
        assert_eq!(cost("commander:3", n).1, commander, "n = {n}");
    }
}

#[test]
fn every_size_of_group_has_every_property_where_eight_inputs_show_its_variables() {
    let mut ids: Vec<String> = vec!["bimander:1".into()];
    for size in 2..=7 {
        let variants = ["", "+one-way", "+flat", "+flat+one-way"];
        ids.extend(variants.map(|variant| format!("commander:{size}{variant}")));
        ids.push(format!("bimander:{size}"));
        if size >= 3 {
            ids.extend([format!("split:{size}"), format!("nested:{size}")]);
        }
    }
    for id in ids {
        assert_eq!(properties::at_most_one::check(&*at_most_one(&id)), Ok(()), "{id}");
    }
}

#[test]
fn sizes_are_counted_right_for_groups_of_every_size() {
    let names = ["commander", "bimander", "split", "nested"];
    for (name, group) in names.iter().flat_map(|name| (3..=40).map(move |group| (name, group))) {
        let at_most_one = at_most_one(&format!("{name}:{group}"));
        properties::at_most_one::size(&*at_most_one, 150).unwrap();
    }
}

#[test]
fn split_boards_under_the_minimal_constraints_lack_what_is_redundant() {
    for side in 3..=32 {
        let board = Board::new(side).unwrap();
        let encoding = register(Registry::standard())
            .find("split:4")
            .unwrap()
            .with_settings(Constraints::Minimal);
        let mut formula = Formula::new();
        encoding.encode(&board.problem(), &mut formula);
        // Without the rows' at most one and the columns' at least one.
        let n = u128::from(side);
        let saved = n * (3 * n - 6) + n;
        assert_eq!(formula.len() as u128, on_board("split:4", side).1 - saved, "n = {side}");
        assert_eq!(
            encoding.size(&board.problem()).unwrap().clauses,
            formula.len() as u128,
            "n = {side}"
        );
        if side == 8 {
            assert_eq!(formula.len(), 372);
        }
    }
}
