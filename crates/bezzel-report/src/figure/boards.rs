//! `boards`: a board of each family with its queens as they were found, the squares that unit propagation finds on one
//! board, and a solution of each other kind.

use bezzel_experiment::{Row, Task, Verdict};
use bezzel_queens::{Board, Geometry, Piece, Square};
use bezzel_solve::Answer;
use indexmap::IndexMap;

use super::FigureKind;
use super::remark::paragraph;
use crate::analysis::Analysis;
use crate::chart::{
    Axis, BoardDiagram, BoardSquare, Chart, Facet, FacetBody, LegendSign, SignKind,
};
use crate::dataset::Dataset;

mod propagated;
mod solved;

pub(super) const KIND: FigureKind = FigureKind {
    id: "boards",
    title: "Boards",
    shows: "one board of each family with its solution, or the squares that unit propagation determines",
    draw,
};

/// The largest side whose squares are still distinguishable.
const LARGEST: u32 = 20;
/// The side of the original puzzle, shown before others.
const CLASSIC: u32 = 8;
/// The largest number of boards that are shown.
const MAX_BOARDS: usize = 6;
/// The number of boards side by side.
const COLUMNS: usize = 3;

fn draw(dataset: &Analysis<'_>) -> Option<Chart> {
    let is_shown = |board: &Board| side(board) <= LARGEST;
    let rows = dataset.rows(|row| {
        row.verdict == Verdict::Verified && Board::of(&row.job.instance).is_none_or(is_shown)
    });
    let (measured, answered): (Vec<&Row>, Vec<&Row>) =
        rows.into_iter().partition(|row| row.job.task == Task::Propagate);
    // Boards are shown only if there is a verified placement.
    let on_boards: Vec<&Row> =
        answered.iter().copied().filter(|row| board(row).is_some()).collect();
    let shown = if on_boards.iter().any(|row| row.places.is_some()) {
        one_of_each_family(dataset, &on_boards)
    } else {
        Vec::new()
    };
    let found = propagated::select(&measured);
    let solved = solved::select(&answered);
    let facets = shown.iter().filter_map(|row| facet(row));
    let facets = facets.chain(found.iter().map(|found| found.facet(dataset)));
    let facets: Vec<Facet> =
        facets.chain(solved.iter().map(|solved| solved::facet(dataset, solved))).collect();
    if facets.is_empty() {
        return None;
    }
    let signs = signs(&facets);
    let caption = paragraph(&[
        &caption(dataset, &shown),
        &propagated::caption(dataset, &found),
        &solved::caption(dataset, &solved),
    ]);
    Some(Chart { signs, ..KIND.chart("", caption, COLUMNS, facets) })
}

fn side(board: &Board) -> u32 {
    board.rows().max(board.columns())
}

/// The preference of a board. The least comes first: the classic side, then the smallest.
fn preference(board: &Board) -> (bool, u32) {
    (side(board) != CLASSIC, side(board))
}

/// The row that is shown of each family of boards: of the classic side if there is one, else of the smallest; with a
/// placement if there is one. A bare board without a placement is not shown.
fn one_of_each_family<'a>(dataset: &Dataset<'_>, rows: &[&'a Row]) -> Vec<&'a Row> {
    let rank = |row: &Row| (row.places.is_none(), board(row).map(preference));
    let mut best: IndexMap<String, &Row> = IndexMap::new();
    let bare = |row: &&&Row| board(row).is_some_and(Board::is_empty) && row.places.is_none();
    for &row in rows.iter().filter(|row| !bare(row)) {
        let known = best.entry(dataset.family(&row.job.instance)).or_insert(row);
        if rank(row) < rank(known) {
            *known = row;
        }
    }
    best.into_values().take(MAX_BOARDS).collect()
}

/// The board of a row.
fn board(row: &Row) -> Option<&Board> {
    Board::of(&row.job.instance)
}

fn facet(row: &Row) -> Option<Facet> {
    let found = row.places.iter().flatten().map(|&place| (place.into(), BoardSquare::Queen));
    Some(board_facet(title(board(row)?), board(row)?, found))
}

/// A board with its given queens and blocked squares, and the content of other squares.
fn board_facet(
    title: String,
    board: &Board,
    found: impl Iterator<Item = (Square, BoardSquare)>,
) -> Facet {
    let given = board.placed().iter().map(|&square| (square, BoardSquare::Given));
    let blocked = board.blocked().iter().map(|&square| (square, BoardSquare::Blocked));
    let is_open =
        |square: &Square| !board.placed().contains(square) && !board.blocked().contains(square);
    let found = found.filter(|(square, _)| is_open(square));
    let mut squares: Vec<(Square, BoardSquare)> = given.chain(blocked).chain(found).collect();
    squares.sort_unstable();
    let diagram = BoardDiagram {
        rows: board.rows(),
        columns: board.columns(),
        rooks: board.piece() == Piece::Rook,
        squares: squares.into_iter().map(|(at, what)| (at.row, at.column, what)).collect(),
    };
    Facet {
        body: FacetBody::Board(diagram),
        ..Facet::new(title, Axis::count(""), Axis::count(""), Vec::new())
    }
}

fn title(board: &Board) -> String {
    let torus = if board.geometry() == Geometry::Torus { "torus, " } else { "" };
    let size = if board.is_square() {
        format!("N = {}", board.rows())
    } else {
        format!("{} × {}", board.rows(), board.columns())
    };
    let parts = [(board.placed().len(), "given"), (board.blocked().len(), "blocked")];
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts = parts.map(|(number, what)| format!(", {number} {what}"));
    format!("{torus}{size}{}", parts.collect::<Vec<_>>().concat())
}

fn signs(facets: &[Facet]) -> Vec<LegendSign> {
    let diagrams = || {
        facets.iter().filter_map(|facet| match &facet.body {
            FacetBody::Board(diagram) => Some(diagram),
            _ => None,
        })
    };
    let rooks = diagrams().all(|diagram| diagram.rooks);
    let occurs = |wanted: BoardSquare| {
        diagrams().any(|diagram| diagram.squares.iter().any(|(_, _, what)| *what == wanted))
    };
    let all = [BoardSquare::Queen, BoardSquare::Given, BoardSquare::Blocked, BoardSquare::RuledOut];
    let occurring = all.into_iter().filter(|what| occurs(*what));
    let label = |what: BoardSquare| match what {
        BoardSquare::Queen => if rooks { "found" } else { "queen, found" }.to_owned(),
        other => other.label().to_owned(),
    };
    occurring.map(|what| LegendSign { sign: SignKind::Square(what), label: label(what) }).collect()
}

/// The sentences of captions about placements. Empty if none is shown.
fn caption(dataset: &Dataset<'_>, shown: &[&Row]) -> String {
    if shown.is_empty() {
        return String::new();
    }
    let solved = shown.iter().filter(|row| row.places.is_some());
    let solved = solved.map(|&row| (row, board(row).map(title).unwrap_or_default()));
    let without = shown.iter().filter(|row| row.places.is_none() && row.status == Answer::Unsat);
    let without: Vec<_> = without.filter_map(|row| board(row).map(title)).collect();
    paragraph(&[
        "The figure shows a board of each family: one of side 8, or else the smallest. Its solution is \
         the first in the order of the plan. Each solution was checked by the rules of the board.",
        &solved_by(dataset, solved),
        &if without.is_empty() {
            String::new()
        } else {
            format!("Verified without a solution: {}.", without.join("; "))
        },
    ])
}

/// A sentence for each solver with an encoding: the names of the instances that they solved.
fn solved_by<'r>(dataset: &Dataset<'_>, solved: impl Iterator<Item = (&'r Row, String)>) -> String {
    let mut names: IndexMap<String, Vec<String>> = IndexMap::new();
    for (row, name) in solved {
        let by = format!("{} with {}", row.job.solver, dataset.encoding(row));
        names.entry(by).or_default().push(name);
    }
    let parts = names.iter().map(|(by, names)| format!("Solved by {by}: {}.", names.join("; ")));
    parts.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;
    use bezzel_problem::kind::graph_colouring::GraphColouring;
    use bezzel_problem::kind::graph_colouring::graph::Graph;
    use bezzel_problem::kind::langford::Langford;
    use bezzel_problem::kind::latin_square::LatinSquare;
    use bezzel_problem::{Instance, Place, Search};

    use super::*;
    use crate::tests::sample::{on_side, solved, unchecked};

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        draw(&Analysis::new(&record, &Registry::new()))
    }

    fn placed(mut row: Row, queens: &[(u32, u32)]) -> Row {
        row.places = Some(queens.iter().copied().map(Place::from).collect());
        row
    }

    /// A solution of N = 4.
    const FOUR: [(u32, u32); 4] = [(1, 2), (2, 4), (3, 1), (4, 3)];
    /// One of N = 8, the first in the order of the alphabet.
    const EIGHT: [(u32, u32); 8] = [(1, 1), (2, 5), (3, 8), (4, 6), (5, 3), (6, 7), (7, 2), (8, 4)];

    fn titles(chart: &Chart) -> Vec<&str> {
        chart.facets.iter().map(|facet| facet.title.as_str()).collect()
    }

    #[test]
    fn the_classic_board_is_shown_before_smaller_ones_and_else_the_smallest() {
        let four = placed(on_side(4, solved(1.0)), &FOUR);
        let chart = drawn(vec![four.clone(), placed(solved(1.0), &EIGHT)]).unwrap();
        assert_eq!(titles(&chart), ["N = 8"]);
        let FacetBody::Board(diagram) = &chart.facets[0].body else { panic!("a board is drawn") };
        assert_eq!(diagram.squares.len(), 8);
        assert_eq!(diagram.squares[1], (1, 4, BoardSquare::Queen));
        assert_eq!(titles(&drawn(vec![on_side(5, solved(1.0)), four]).unwrap()), ["N = 4"]);
    }

    #[test]
    fn given_and_blocked_squares_are_distinguished_from_queens_that_were_found() {
        let board = Board::new(4).unwrap();
        let given = board.with_placed([Square::from(FOUR[0])]).unwrap();
        let given = given.with_blocked([Square::from((1, 1))]).unwrap();
        let mut row = placed(solved(1.0), &FOUR);
        row.job.instance = given.into();
        let chart = drawn(vec![row]).unwrap();
        assert_eq!(titles(&chart), ["N = 4, 1 given, 1 blocked"]);
        let FacetBody::Board(diagram) = &chart.facets[0].body else { panic!("a board is drawn") };
        let squares: Vec<_> = diagram.squares.iter().map(|square| square.2).collect();
        assert_eq!(squares[..2], [BoardSquare::Blocked, BoardSquare::Given]);
        assert_eq!(squares[2..], [BoardSquare::Queen; 3]);
        assert_eq!(chart.signs.len(), 3);
    }

    #[test]
    fn a_blocked_board_without_a_solution_shows_its_squares() {
        let mut refuted = solved(1.0);
        refuted.status = Answer::Unsat;
        refuted.job.instance =
            Board::new(4).unwrap().with_blocked(FOUR.map(Square::from)).unwrap().into();
        let chart = drawn(vec![refuted.clone(), placed(solved(1.0), &EIGHT)]).unwrap();
        assert_eq!(titles(&chart), ["N = 4, 4 blocked", "N = 8"]);
        assert!(chart.caption.contains("Verified without a solution: N = 4, 4 blocked."));
        assert_eq!(drawn(vec![refuted]), None);
    }

    #[test]
    fn a_solution_of_each_other_kind_is_drawn_beside_boards() {
        let of = |instance: Instance| {
            let found = Search::new(&instance.problem()).first(u64::MAX).unwrap().unwrap();
            let mut row = Row { places: None, ..solved(1.0) };
            row.job.instance = instance;
            row.set_solution(&found);
            row
        };
        let square = LatinSquare::new(2, None, 3).unwrap().with_given(vec![(1, 1, 2)]).unwrap();
        let rows = vec![
            placed(solved(1.0), &EIGHT),
            of(Langford::new(4).unwrap().into()),
            of(Langford::new(3).unwrap().into()),
            of(square.into()),
            of(GraphColouring::new(Graph::Queen(2), 4).unwrap().into()),
        ];
        let chart = drawn(rows.clone()).unwrap();
        let expected =
            ["N = 8", "langford 3", "latin-square 2, 3 holes", "colouring queen 2, 4 colours"];
        let begins = |(title, expected): (&str, &str)| title.starts_with(expected);
        assert!(titles(&chart).into_iter().zip(expected).all(begins), "{:?}", titles(&chart));
        let solved = "Solved by batsat with pairwise: langford 3; latin-square 2, 3 holes";
        assert!(chart.caption.contains(solved), "{}", chart.caption);
        assert!(chart.caption.contains("Shaded cells are given."), "{}", chart.caption);
        // One kind alone needs no board, and an unchecked solution is not drawn.
        assert_eq!(drawn(rows[1..2].to_vec()).unwrap().facets.len(), 1);
        let unknown = Row { verdict: Verdict::Unchecked, ..rows[1].clone() };
        assert_eq!(drawn(vec![unknown]), None);
    }

    #[test]
    fn neither_large_boards_nor_unchecked_solutions_are_shown() {
        let large = placed(on_side(LARGEST + 1, solved(1.0)), &EIGHT);
        assert_eq!(drawn(vec![large, placed(unchecked(1.0), &EIGHT)]), None);
    }
}
