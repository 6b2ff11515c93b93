//! The squares that unit propagation finds on one board with given queens, with the encoding by which it finds fewest
//! and with the one by which it finds most.

use bezzel_experiment::measure::{CandidateFact, PropagationShare};
use bezzel_experiment::{Row, Task};
use bezzel_queens::{Board, Square};

use super::{board_facet, preference, title};
use crate::chart::{BoardSquare, Facet};
use crate::dataset::Dataset;
use crate::distinct::distinct;

/// The propagation of a row on a board with a solution on which some square is implied.
#[derive(Clone)]
pub(super) struct PropagationDrawing<'a> {
    row: &'a Row,
    board: &'a Board,
    /// The content of each square as far as it is known, row by row.
    known: Vec<Option<CandidateFact>>,
    share: PropagationShare,
}

impl<'a> PropagationDrawing<'a> {
    /// The propagation of a row. None after a conflict, which determines no square.
    fn of(row: &'a Row) -> Option<Self> {
        let propagation = row.propagation.as_ref().filter(|_| row.job.task == Task::Propagate)?;
        let known = propagation.found.as_ref()?.read(&row.job.instance)?;
        let share = PropagationShare::of(&row.job.instance, propagation)
            .filter(|share| share.implied() > 0)?;
        Some(Self { row, board: Board::of(&row.job.instance)?, known, share })
    }

    fn board(&self) -> &'a Board {
        self.board
    }

    /// The squares whose content was found, with the content.
    fn squares(&self) -> impl Iterator<Item = (Square, BoardSquare)> {
        self.board().each_square().zip(&self.known).filter_map(|(square, known)| {
            let what = match (*known)? {
                CandidateFact::Chosen => BoardSquare::Queen,
                CandidateFact::Empty => BoardSquare::RuledOut,
            };
            Some((square, what))
        })
    }

    /// The board with the found squares, under the name of the encoding.
    pub(super) fn facet(&self, dataset: &Dataset<'_>) -> Facet {
        board_facet(dataset.encoding(self.row), self.board(), self.squares())
    }
}

/// The propagations that are shown. On a board of the classic side, or else of the smallest, these are the least and
/// the most that an encoding finds. The first board on which these differ is shown. If they differ on no board, one
/// encoding represents all.
pub(super) fn select<'a>(rows: &[&'a Row]) -> Vec<PropagationDrawing<'a>> {
    let mut all: Vec<PropagationDrawing<'a>> =
        rows.iter().filter_map(|&row| PropagationDrawing::of(row)).collect();
    let Some(best) = all.iter().map(|found| preference(found.board())).min() else {
        return Vec::new();
    };
    all.retain(|found| preference(found.board()) == best);
    let extremes = |board: &Board| {
        let on_board = || all.iter().filter(|found| found.board() == board);
        // The first of equal ones is taken.
        let least = on_board().min_by_key(|found| found.share.found())?;
        let max = on_board().rev().max_by_key(|found| found.share.found())?;
        Some((least, max))
    };
    let boards = distinct(all.iter().map(PropagationDrawing::board));
    let pairs: Vec<_> = boards.into_iter().filter_map(extremes).collect();
    let apart = pairs.iter().find(|(least, max)| least.share.found() < max.share.found());
    match (apart, pairs.first()) {
        (Some(&(least, max)), _) => vec![least.clone(), max.clone()],
        (None, Some(&(one, _))) => vec![one.clone()],
        (None, None) => Vec::new(),
    }
}

/// The sentences of captions about propagation. Empty if nothing is shown.
pub(super) fn caption(dataset: &Dataset<'_>, all: &[PropagationDrawing<'_>]) -> String {
    let Some(first) = all.first() else { return String::new() };
    let finds = all
        .iter()
        .map(|found| format!("{} finds {}", dataset.encoding(found.row), found.share.found()));
    format!(
        "A panel with the name of an encoding shows the board {} after unit propagation, before any \
         search. Crossed squares are ruled out. A queen that was not given is implied. A square without \
         a mark is open. Of {} implied squares, {}{}.",
        title(first.board()),
        first.share.implied(),
        finds.collect::<Vec<_>>().join(", and "),
        if all.len() > 1 { ", the fewest and the most of all encodings" } else { "" }
    )
}

#[cfg(test)]
mod tests {
    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;

    use super::super::KIND;
    use super::*;
    use crate::analysis::Analysis;
    use crate::chart::{Chart, FacetBody, SignKind};
    use crate::tests::sample::propagated;

    /// Side 5 with a queen in the second square of the first row: the squares that it attacks, and the squares that are
    /// equal in both solutions.
    const ATTACKED: &str = "xQxxx/xxx../.x.x./.x..x/.x...";
    const IMPLIED: &str = "xQxxx/xxx../.x.xx/.x.xx/xxx..";
    /// These solutions, as the column in each row.
    const SOLUTIONS: [[u32; 5]; 2] = [[1, 3, 0, 2, 4], [1, 4, 2, 0, 3]];
    const GIVEN: Square = Square::new(0, 1);

    fn on_five(encoding: &str, found: &str) -> Row {
        let mut row = propagated(encoding, Some(found), Some(IMPLIED));
        row.job.instance = Board::new(5).unwrap().with_placed([GIVEN]).unwrap().into();
        row
    }

    fn drawn(rows: Vec<Row>) -> Option<Chart> {
        let record = ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() };
        (KIND.draw)(&Analysis::new(&record, &Registry::new()))
    }

    fn titles(chart: &Chart) -> Vec<&str> {
        chart.facets.iter().map(|facet| facet.title.as_str()).collect()
    }

    /// The squares of a panel with this content.
    fn squares(facet: &Facet, wanted: BoardSquare) -> Vec<Square> {
        let FacetBody::Board(diagram) = &facet.body else { panic!("a board is drawn") };
        let squares = diagram.squares.iter().filter(|(_, _, what)| *what == wanted);
        squares.map(|&(row, column, _)| Square::new(row, column)).collect()
    }

    #[test]
    fn excluded_squares_are_crossed_for_the_weakest_and_the_strongest_encoding() {
        let rows = vec![
            // A smaller board without a solution. A conflict on it determines no square.
            propagated("pairwise", None, None),
            on_five("order", IMPLIED),
            on_five("pairwise", ATTACKED),
            on_five("support", ATTACKED),
        ];
        let board = rows[1].job.instance.clone();
        let chart = drawn(rows).unwrap();
        assert_eq!(titles(&chart), ["pairwise", "order"]);
        let those = |is: &dyn Fn(Square) -> bool| -> Vec<Square> {
            Board::of(&board).unwrap().each_square().filter(|&square| is(square)).collect()
        };
        let attacked = those(&|square| Board::of(&board).unwrap().attacks(GIVEN, square));
        let never = those(&|square| {
            SOLUTIONS.iter().all(|columns| columns[square.row as usize] != square.column)
        });
        for (facet, crossed) in chart.facets.iter().zip([attacked, never]) {
            assert_eq!(squares(facet, BoardSquare::RuledOut), crossed);
            assert_eq!(squares(facet, BoardSquare::Given), [GIVEN]);
            assert!(squares(facet, BoardSquare::Queen).is_empty());
        }
        let signs: Vec<_> = chart.signs.iter().map(|sign| sign.sign).collect();
        assert_eq!(signs, [BoardSquare::Given, BoardSquare::RuledOut].map(SignKind::Square));
        let expected = "Of 16 implied squares, pairwise finds 12, and order finds 16, the fewest and the most of \
                        all encodings.";
        assert!(chart.caption.ends_with(expected), "{}", chart.caption);
    }

    #[test]
    fn encodings_that_find_the_same_are_one_board_and_found_queens_stand_on_it() {
        // The one solution of side 4 follows from the queen alone.
        let whole = "xQxx/xxxQ/Qxxx/xxQx";
        let rows = vec![
            propagated("pairwise", Some(whole), Some(whole)),
            propagated("order", Some(whole), Some(whole)),
        ];
        let chart = drawn(rows).unwrap();
        assert_eq!(titles(&chart), ["pairwise"]);
        let queens = [(2, 4), (3, 1), (4, 3)].map(Square::from);
        assert_eq!(squares(&chart.facets[0], BoardSquare::Queen), queens);
        assert_eq!(squares(&chart.facets[0], BoardSquare::RuledOut).len(), 12);
        assert!(chart.caption.ends_with("pairwise finds 15."), "{}", chart.caption);
    }

    #[test]
    fn a_board_on_which_encodings_differ_is_shown_before_one_on_which_they_do_not() {
        // All implied squares are found: the other squares of the row.
        let marks = "xxQxx/...../...../...../.....";
        let elsewhere = |encoding: &str| {
            let mut row = propagated(encoding, Some(marks), Some(marks));
            row.job.instance =
                Board::new(5).unwrap().with_placed([Square::new(0, 2)]).unwrap().into();
            row
        };
        let rows = vec![
            elsewhere("pairwise"),
            elsewhere("order"),
            on_five("pairwise", ATTACKED),
            on_five("order", IMPLIED),
        ];
        let chart = drawn(rows).unwrap();
        assert_eq!(titles(&chart), ["pairwise", "order"]);
        assert_eq!(squares(&chart.facets[0], BoardSquare::Given), [GIVEN]);
    }
}
