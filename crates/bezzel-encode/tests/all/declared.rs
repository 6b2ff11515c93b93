//! Every property, over the whole standard registry: tests cover new encodings without a change.

use std::sync::Arc;

use bezzel_encode::properties::{self, PropertyViolation};
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{AtMostOne, Constraints, Encoding, Formula, Registry, models};
use bezzel_problem::queens::search;
use bezzel_problem::{Board, Geometry, Piece};

/// Every encoding that can be named; lifted ones under every set of constraints.
fn encodings() -> Vec<Arc<dyn Encoding>> {
    encodings_under(&Constraints::ALL)
}

/// Every encoding that can be named; lifted ones under each of these sets of constraints.
fn encodings_under(sets: &[Constraints]) -> Vec<Arc<dyn Encoding>> {
    let registry = Registry::standard();
    let lifted = registry.at_most_ones().iter().flat_map(|at_most_one| {
        sets.iter().map(|&set| NamedEncoding::AtMostOne(Arc::clone(at_most_one)).on_board(set))
    });
    lifted.chain(registry.board_encodings().iter().map(Arc::clone)).collect()
}

/// The name of an encoding here.
fn name(encoding: &dyn Encoding) -> String {
    let info = encoding.info();
    format!("{} ({})", info.id, info.constraints)
}

/// Checks one property over every encoding and board of the properties.
#[track_caller]
fn check(property: properties::board::BoardCheck) {
    check_on(property, &encodings(), &properties::board::boards());
}

#[track_caller]
fn check_on(
    property: properties::board::BoardCheck,
    encodings: &[Arc<dyn Encoding>],
    boards: &[Board],
) {
    let violations: Vec<String> = encodings
        .iter()
        .filter_map(|encoding| {
            let violation = property(&**encoding, boards).err()?;
            Some(format!("{}: {violation}", name(&**encoding)))
        })
        .collect();
    assert!(violations.is_empty(), "\n{}", violations.join("\n"));
}

#[track_caller]
fn check_at_most_ones(property: fn(&dyn AtMostOne) -> Result<(), PropertyViolation>) {
    let registry = Registry::standard();
    let violations: Vec<String> = registry
        .at_most_ones()
        .iter()
        .filter_map(|at_most_one| Some(property(&**at_most_one).err()?.to_string()))
        .collect();
    assert!(violations.is_empty(), "\n{}", violations.join("\n"));
}

#[test]
fn every_at_most_one_has_every_property() {
    check_at_most_ones(properties::at_most_one::check);
}

#[test]
fn the_models_of_every_encoding_are_the_solutions_that_backtracking_finds() {
    check(properties::board::solutions);
}

#[test]
fn every_layout_fixes_and_blocks_placements() {
    check(properties::board::layout);
}

#[test]
fn auxiliary_variables_have_the_declared_effect() {
    check(properties::board::auxiliaries);
}

#[test]
fn unit_propagation_is_as_strong_as_declared() {
    check(properties::board::propagation);
}

#[test]
fn every_clause_is_well_formed() {
    check(properties::board::well_formed);
}

#[test]
fn encoding_twice_gives_the_same_stream() {
    check(properties::board::determinism);
}

/// Boards of these sides, on the plane and on the torus.
fn planes_and_tori(sides: impl IntoIterator<Item = u32>) -> Vec<Board> {
    let boards = sides.into_iter().map(|side| Board::new(side).unwrap());
    boards.flat_map(|board| [board.clone(), board.with_geometry(Geometry::Torus)]).collect()
}

#[test]
fn sizes_are_the_closed_forms_on_every_side_to_24_and_on_some_to_64() {
    let sides = (1..=24).chain([27, 28, 36, 50, 64]);
    check_on(
        properties::board::size,
        &encodings_under(&[Constraints::Full]),
        &planes_and_tori(sides),
    );
}

#[test]
fn sizes_are_the_closed_forms_under_every_set_of_constraints() {
    check_on(properties::board::size, &encodings(), &planes_and_tori(1..=16));
}

#[test]
fn sizes_are_the_closed_forms_for_rooks() {
    let rooks: Vec<Board> =
        planes_and_tori(1..=16).into_iter().map(|board| board.with_piece(Piece::Rook)).collect();
    check_on(properties::board::size, &encodings(), &rooks);
}

#[test]
fn sizes_are_the_closed_forms_on_rectangles() {
    let shapes = (1..=9).flat_map(|rows| (1..=9).map(move |columns| (rows, columns)));
    let shapes = shapes.chain([(1, 40), (40, 2), (12, 33), (17, 16), (16, 17)]);
    let boards = shapes.map(|(rows, columns)| Board::rectangle(rows, columns).unwrap());
    let boards: Vec<Board> =
        boards.flat_map(|board| [board.clone(), board.with_piece(Piece::Rook)]).collect();
    let encodings = encodings();
    let stated = |encoding: &Arc<dyn Encoding>| {
        let fitting = boards.iter().filter(|board| encoding.fits(&board.problem()).is_ok());
        fitting.clone().count() > 20
            && fitting.clone().all(|board| encoding.size(&board.problem()).is_some())
    };
    let of_rectangles = encodings.iter().filter(|encoding| stated(encoding)).count();
    assert!(of_rectangles > encodings.len() / 4, "closed forms on rectangles: {of_rectangles}");
    check_on(properties::board::size, &encodings, &boards);
}

#[test]
fn encodings_that_state_a_queen_in_every_column_fit_squares_only() {
    let (square, rectangle) = (Board::new(4).unwrap(), Board::rectangle(4, 6).unwrap());
    for encoding in encodings() {
        assert_eq!(encoding.fits(&square.problem()), Ok(()), "{}", name(&*encoding));
        let words = encoding.info().constraints;
        // The words are true of the formula: on a rectangle a column is empty in any solution.
        let states_columns = !words.starts_with("rows exactly one")
            || !words.contains(", columns and diagonals at most one");
        let own = encoding.info().id.starts_with("implication");
        assert_eq!(encoding.fits(&rectangle.problem()).is_err(), states_columns && !own, "{words}");
    }
    let refused = Constraints::Full.fits(&rectangle.problem()).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the set of constraints `full` does not fit the board 4x6: that every column holds a \
         queen is true with as many columns as rows only; take `constraints: no-column-alo`"
    );
}

#[test]
fn a_set_of_constraints_that_is_refused_would_be_wrong_on_some_rectangle() {
    let boards = properties::board::boards();
    let pairwise = &Registry::standard().at_most_ones()[0].clone();
    for set in Constraints::ALL {
        let encoding = NamedEncoding::AtMostOne(Arc::clone(pairwise)).on_board(set);
        let mut wrong = 0;
        for board in boards.iter().filter(|board| !board.is_square()) {
            let mut formula = Formula::new();
            let map = encoding.encode(&board.problem(), &mut formula);
            let found: Vec<_> = models::placements(&formula, board, &map, 1).into_iter().collect();
            let found: std::collections::BTreeSet<_> =
                found.into_iter().map(|(placement, _)| placement).collect();
            wrong += u32::from(found != search::solutions(board));
        }
        assert_eq!(wrong > 0, set != Constraints::NoColumnAlo, "{set}");
    }
}

#[test]
fn every_encoding_states_a_size_where_a_planner_needs_it() {
    let board = Board::new(30_000).unwrap();
    for encoding in encodings() {
        let size =
            encoding.size(&board.problem()).unwrap_or_else(|| panic!("{}", name(&*encoding)));
        assert!(size.variables > 100_000 && size.clauses > 0, "{}", name(&*encoding));
    }
}

#[test]
fn every_encoding_counts_1_0_0_2_10_4_40_placements() {
    for (side, solutions) in (1..).zip([1, 0, 0, 2, 10, 4, 40]) {
        let board = Board::new(side).unwrap();
        for encoding in encodings() {
            let mut formula = Formula::new();
            let map = encoding.encode(&board.problem(), &mut formula);
            let placements = models::placements(&formula, &board, &map, 1);
            assert_eq!(placements.len(), solutions, "{} at n = {side}", name(&*encoding));
            for (placement, _) in placements {
                assert_eq!(placement.judge(&board), Ok(()), "{}", name(&*encoding));
            }
        }
    }
}

#[test]
fn backtracking_finds_the_published_numbers_of_solutions() {
    let count = |board: &Board| search::solutions(board).len();
    for (side, solutions) in (1..).zip([1, 0, 0, 2, 10, 4, 40, 92]) {
        assert_eq!(count(&Board::new(side).unwrap()), solutions, "n = {side}");
    }
    for (side, solutions) in (1..).zip([1, 0, 0, 0, 10, 0, 28, 0]) {
        let torus = Board::new(side).unwrap().with_geometry(Geometry::Torus);
        assert_eq!(count(&torus), solutions, "torus {side}");
    }
    // k rooks of k rows on n columns stand in n! / (n − k)! ways.
    for (rows, columns, ways) in [(2, 5, 20), (3, 4, 24), (4, 3, 0), (5, 7, 2520)] {
        let rooks = Board::rectangle(rows, columns).unwrap().with_piece(Piece::Rook);
        assert_eq!(count(&rooks), ways, "{rooks}");
    }
    for (side, factorial) in (1..).zip([1, 2, 6, 24, 120, 720]) {
        let rooks = Board::new(side).unwrap().with_piece(Piece::Rook);
        assert_eq!(count(&rooks), factorial, "rooks {side}");
    }
}

#[test]
fn the_rules_checker_accepts_what_backtracking_finds_and_only_that() {
    for board in properties::board::boards() {
        let (rows, columns) = (board.rows(), u64::from(board.columns()));
        let solutions = search::solutions(&board);
        // Every choice of one column per row, right or wrong.
        for mut code in 0..columns.pow(rows.min(5)) {
            let placement = (0..rows)
                .map(|row| {
                    let column = (code % columns) as u32;
                    code /= columns;
                    bezzel_problem::Square::new(row, column)
                })
                .collect();
            let accepted = bezzel_problem::Placement::judge(&placement, &board).is_ok();
            assert_eq!(accepted, solutions.contains(&placement), "{board}: {placement:?}");
        }
        for solution in &solutions {
            assert_eq!(solution.judge(&board), Ok(()), "{board}");
        }
    }
}

#[test]
fn ids_are_unique_and_spelt_as_ids_are() {
    let mut names: Vec<String> = Registry::standard()
        .infos()
        .into_iter()
        .flat_map(|info| std::iter::once(info.id).chain(info.aliases))
        .collect();
    for name in &names {
        let spelt = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-:+".contains(c);
        assert!(name.chars().all(spelt), "{name}");
    }
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all, "some id or alias is borne twice: {names:?}");
}

#[test]
fn members_of_families_that_are_not_listed_have_every_property() {
    for family in Registry::standard().families() {
        let (least, max) = (*family.range.start(), *family.range.end());
        for number in [least, 5, 9, 50, max].map(|number| number.clamp(least, max)) {
            for member in (family.make)(number) {
                assert_eq!(properties::at_most_one::check(&*member), Ok(()));
            }
        }
    }
}
