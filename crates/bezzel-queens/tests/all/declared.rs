//! Every property, over the whole standard registry: tests cover new encodings without a change.

use std::ops::ControlFlow;
use std::sync::Arc;

use bezzel_encode::properties;
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{AtMostOne, Constraints, Encoding, Registry};
use bezzel_problem::{GroupFamily, Problem, Search};
use bezzel_queens::encode::properties::board as board_properties;
use bezzel_queens::register;
use bezzel_queens::search;
use bezzel_queens::{Board, Geometry, Piece, Placement};

use crate::tiers::Tier;

/// The encodings of a tier; lifted ones under every set of constraints.
fn encodings(tier: Tier) -> Vec<Arc<dyn Encoding>> {
    encodings_under(tier, &Constraints::ALL)
}

/// The encodings of a tier; lifted ones under each of these sets of constraints.
fn encodings_under(tier: Tier, sets: &[Constraints]) -> Vec<Arc<dyn Encoding>> {
    let boards = register(Registry::standard()).whole_encodings().to_vec();
    let boards = tier.encodings(boards, |encoding| encoding.info().id);
    let lifted = at_most_ones(tier).into_iter().flat_map(|at_most_one| {
        sets.iter()
            .map(move |&set| NamedEncoding::AtMostOne(Arc::clone(&at_most_one)).with_settings(set))
    });
    lifted.chain(boards).collect()
}

fn at_most_ones(tier: Tier) -> Vec<Arc<dyn AtMostOne>> {
    let all = register(Registry::standard()).at_most_ones().to_vec();
    tier.encodings(all, |at_most_one| at_most_one.info().id)
}

/// The name of an encoding here.
fn name(encoding: &dyn Encoding) -> String {
    let info = encoding.info();
    format!("{} ({})", info.id, info.constraints)
}

/// Checks one property over encodings and boards.
#[track_caller]
fn check(
    property: board_properties::BoardCheck,
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

/// Every at-most-one has every property. The models of every board encoding are the solutions that backtracking finds,
/// every layout fixes and blocks placements, auxiliary variables have the declared effect, unit propagation is as
/// strong as declared, every clause is well-formed, and encoding twice gives the same clauses.
fn check_properties(tier: Tier) {
    for at_most_one in at_most_ones(tier) {
        assert_eq!(properties::at_most_one::check(&*at_most_one), Ok(()));
    }
    let boards = board_properties::boards();
    for (_, property) in board_properties::PROPERTIES {
        check(property, &encodings(tier), &boards);
    }
}

#[test]
fn an_encoding_of_each_family_has_its_declared_properties() {
    check_properties(Tier::Default);
}

#[test]
#[ignore = "second tier: all encodings"]
fn every_encoding_has_its_declared_properties() {
    check_properties(Tier::Second);
}

/// Boards of these sides, on the plane and on the torus.
fn planes_and_tori(sides: impl IntoIterator<Item = u32>) -> Vec<Board> {
    let boards = sides.into_iter().map(|side| Board::new(side).unwrap());
    boards.flat_map(|board| [board.clone(), board.with_geometry(Geometry::Torus)]).collect()
}

/// Sizes are the closed forms: on large sides, under every set of constraints, for rooks, and on rectangles.
fn check_sizes(tier: Tier) {
    let sides = tier.pick(vec![1, 2, 3, 7, 12], (1..=24).chain([27, 28, 36, 50, 64]).collect());
    let full = encodings_under(tier, &[Constraints::Full]);
    check(board_properties::size, &full, &planes_and_tori(sides));
    // A planner needs the size of a large board.
    let large = Board::new(30_000).unwrap();
    for encoding in encodings(tier) {
        let size = encoding.size(&large.problem());
        let size = size.unwrap_or_else(|| panic!("{}", name(&*encoding)));
        assert!(size.variables > 100_000 && size.clauses > 0, "{}", name(&*encoding));
    }
    let (last, encodings) = (tier.pick(4, 16), encodings(tier));
    check(board_properties::size, &encodings, &planes_and_tori(1..=last));
    let rooks = planes_and_tori(1..=last).into_iter().map(|board| board.with_piece(Piece::Rook));
    check(board_properties::size, &encodings, &rooks.collect::<Vec<_>>());

    let last = tier.pick(4, 9);
    let shapes = (1..=last).flat_map(|rows| (1..=last).map(move |columns| (rows, columns)));
    let large = [(1, 40), (40, 2), (12, 33), (17, 16), (16, 17)];
    let shapes = shapes.chain(large.into_iter().take(tier.pick(0, 5)));
    let boards = shapes.map(|(rows, columns)| Board::rectangle(rows, columns).unwrap());
    let boards: Vec<Board> =
        boards.flat_map(|board| [board.clone(), board.with_piece(Piece::Rook)]).collect();
    let stated = |encoding: &Arc<dyn Encoding>| {
        let fitting = boards.iter().filter(|board| encoding.fits(&board.problem()).is_ok());
        fitting.clone().count() > 20
            && fitting.clone().all(|board| encoding.size(&board.problem()).is_some())
    };
    let of_rectangles = encodings.iter().filter(|encoding| stated(encoding)).count();
    assert!(of_rectangles > encodings.len() / 4, "closed forms on rectangles: {of_rectangles}");
    check(board_properties::size, &encodings, &boards);
}

#[test]
fn sizes_of_an_encoding_of_each_family_are_the_closed_forms() {
    check_sizes(Tier::Default);
}

#[test]
#[ignore = "second tier: all encodings, up to side 64"]
fn sizes_of_every_encoding_are_the_closed_forms() {
    check_sizes(Tier::Second);
}

#[test]
fn encodings_that_state_a_queen_in_every_column_fit_squares_only() {
    let (square, rectangle) = (Board::new(4).unwrap(), Board::rectangle(4, 6).unwrap());
    for encoding in encodings(Tier::Second) {
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
    let boards = board_properties::boards();
    // On a square board every set is right, and names its bounds.
    let square = Board::new(4).unwrap().problem();
    for set in Constraints::ALL {
        let of_square = square.bound_sets().iter().find(|known| known.id == set.id()).unwrap();
        let bounds = of_square.bounds.as_ref().unwrap();
        let mut wrong = 0;
        for board in boards.iter().filter(|board| !board.is_square()) {
            let whole = board.problem();
            let mut problem = Problem::new(board.squares())
                .with_fixed(whole.given().iter().copied(), whole.excluded().iter().copied());
            for (family, &bounds) in whole.families().iter().zip(bounds) {
                let groups = family.listed().into_owned();
                let family = GroupFamily::new(family.name().to_owned(), bounds, groups);
                problem = problem.with_family(family);
            }
            let mut found = std::collections::BTreeSet::new();
            let searched = Search::new(&problem).each(u64::MAX, |solution| {
                found.insert(Placement::of(board, solution));
                ControlFlow::Continue(())
            });
            searched.unwrap();
            wrong += u32::from(found != search::solutions(board));
        }
        assert_eq!(wrong > 0, set != Constraints::NoColumnAlo, "{set}");
    }
}

#[test]
fn the_rules_checker_accepts_what_backtracking_finds_and_only_that() {
    for board in board_properties::boards() {
        let (rows, columns) = (board.rows(), u64::from(board.columns()));
        let solutions = search::solutions(&board);
        // Every choice of one column per row, right or wrong.
        for mut code in 0..columns.pow(rows.min(5)) {
            let placement = (0..rows)
                .map(|row| {
                    let column = (code % columns) as u32;
                    code /= columns;
                    bezzel_queens::Square::new(row, column)
                })
                .collect();
            let accepted = bezzel_queens::Placement::judge(&placement, &board).is_ok();
            assert_eq!(accepted, solutions.contains(&placement), "{board}: {placement:?}");
        }
        for solution in &solutions {
            assert_eq!(solution.judge(&board), Ok(()), "{board}");
        }
    }
}

#[test]
fn ids_are_unique_and_spelt_as_ids_are() {
    let mut names: Vec<String> = register(Registry::standard())
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

/// Members of families that are not listed have every property.
fn check_members(numbers: &[u32]) {
    for family in register(Registry::standard()).families() {
        let (least, max) = (*family.range.start(), *family.range.end());
        for number in numbers.iter().map(|&number| number.clamp(least, max)) {
            for member in (family.make)(number) {
                assert_eq!(properties::at_most_one::check(&*member), Ok(()));
            }
        }
    }
}

#[test]
fn a_member_of_each_family_that_is_not_listed_has_every_property() {
    check_members(&[5]);
}

#[test]
#[ignore = "second tier: five members of each family"]
fn members_of_families_that_are_not_listed_have_every_property() {
    check_members(&[0, 5, 9, 50, u32::MAX]);
}
