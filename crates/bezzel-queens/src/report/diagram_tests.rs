//! The table of diagrams on boards.

use bezzel_experiment::NO_ENCODING;

use super::tests::{analysed, counted};
use bezzel_experiment::{DiagramSize, Row};
use bezzel_report::analysis::Analysis;
use bezzel_report::table::{Item, Table};

fn with_nodes(mut row: Row, nodes: u64) -> Row {
    let size = DiagramSize { nodes: Some(nodes), peak_nodes: Some(2 * nodes), peak_states: None };
    row.all.as_mut().unwrap().diagram = Some(size);
    row
}

#[test]
fn nodes_stand_beside_those_that_are_known_of_the_same_order_and_code() {
    let rows = vec![
        with_nodes(counted("zbdd", "bryant-circuit", 1.0), 373),
        with_nodes(counted("zbdd+column", "bryant-circuit", 1.0), 374),
        with_nodes(counted("bdd:rules", "none", 1.0), 2451),
        with_nodes(counted("bdd", "bryant-circuit:binary", 1.0), 879),
        with_nodes(counted("direct-zdd", NO_ENCODING, 1.0), 373),
        with_nodes(counted("direct-bdd:binary", NO_ENCODING, 1.0), 877),
        with_nodes(counted("zbdd+top-together", "bryant-circuit", 1.0), 373),
    ];
    let table = analysed(rows, diagrams).unwrap();
    let read: Vec<Vec<String>> =
        table.rows.iter().map(|row| row[1..6].iter().map(Item::read).collect()).collect();
    assert_eq!(
        read,
        [
            ["zbdd", "bryant-circuit", "373", "373", "746"],
            ["zbdd+column", "bryant-circuit", "374", "–", "748"],
            ["bdd:rules", "the instance", "2,451", "2,451", "4,902"],
            ["bdd", "bryant-circuit:binary", "879", "–", "1,758"],
            ["direct-zdd", "the instance", "373", "373", "746"],
            ["direct-bdd:binary", "the instance", "877", "877", "1,754"],
            ["zbdd+top-together", "bryant-circuit", "373", "373", "746"],
        ]
    );
}

/// The table of diagrams of a record.
fn diagrams(dataset: &Analysis<'_>) -> Option<Table> {
    let kinds = super::parts().tables;
    let kind = kinds.iter().find(|kind| kind.id == "diagrams").expect("it is in the list");
    (kind.make)(dataset).pop()
}
