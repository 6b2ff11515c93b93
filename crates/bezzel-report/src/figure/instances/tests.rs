use bezzel_problem::kind::graph_colouring::GraphColouring;
use bezzel_problem::kind::graph_colouring::graph::Graph;
use bezzel_problem::kind::langford::Langford;
use bezzel_problem::kind::latin_square::LatinSquare;
use bezzel_problem::{Instance, Search};

use super::*;
use crate::tests::analysed;
use crate::tests::sample::solved;

fn drawn(rows: Vec<Row>) -> Option<Chart> {
    analysed(rows, draw)
}

#[test]
fn the_smallest_solution_of_each_kind_is_drawn() {
    let of = |instance: Instance| {
        let found = Search::new(&instance.problem()).first(u64::MAX).unwrap().unwrap();
        let mut row = solved(1.0);
        row.job.instance = instance;
        row.set_solution(&found);
        row
    };
    let square = LatinSquare::new(2, None, 3).unwrap().with_given(vec![(1, 1, 2)]).unwrap();
    let rows = vec![
        of(Langford::new(4).unwrap().into()),
        of(Langford::new(3).unwrap().into()),
        of(square.into()),
        of(GraphColouring::new(Graph::Mycielski(3), 3).unwrap().into()),
    ];
    let chart = drawn(rows.clone()).unwrap();
    let titles: Vec<&str> = chart.facets.iter().map(|facet| facet.title.as_str()).collect();
    let expected = ["langford 3", "latin-square 2, 3 holes", "colouring mycielski 3, 3 colours"];
    let begins = |(title, expected): (&&str, &str)| title.starts_with(expected);
    assert!(titles.len() == 3 && titles.iter().zip(expected).all(begins), "{titles:?}");
    let solved = "Solved by batsat with pairwise: langford 3; latin-square 2, 3 holes";
    assert!(chart.caption.contains(solved), "{}", chart.caption);
    assert!(chart.caption.contains("Shaded cells are given."), "{}", chart.caption);
    assert_eq!(chart.signs, [], "text in cells needs no legend");
    // An unchecked solution is not drawn, and no instance without one.
    let unknown = Row { verdict: Verdict::Unchecked, ..rows[0].clone() };
    let bare = Row { chosen: None, ..rows[1].clone() };
    assert_eq!(drawn(vec![unknown, bare]), None);
}
