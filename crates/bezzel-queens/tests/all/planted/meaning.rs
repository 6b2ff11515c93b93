//! Formulas and layouts with a wrong meaning.

use bezzel_encode::encoding::binary::Binary;
use bezzel_encode::encoding::implication::{Auxiliary, Implication};
use bezzel_encode::properties::{self, Property};
use bezzel_encode::{ClauseSink, Constraints, Lit, VarMap};
use bezzel_queens::Board;
use bezzel_queens::encode::properties::board as board_properties;

use super::plant::{Planted, board_of, caught, caught_at_most_one, on_board, pairwise};

#[test]
fn a_dropped_clause_shows_in_the_size_and_in_the_meaning() {
    let drop = |number, clause: &[Lit], out: &mut dyn ClauseSink| {
        if number != 4 {
            out.clause(clause);
        }
    };
    let planted = Planted::with_clauses(pairwise(), drop);
    assert_eq!(caught_at_most_one(&planted).0, Property::Size);
    let violation = properties::at_most_one::meaning(&planted, 8).expect_err("a clause is missing");
    assert_eq!(
        violation.to_string(),
        "`pairwise` violates the property `meaning` on 4 inputs: it wrongly allows \
         that exactly these inputs hold: 2, 4"
    );
    let planted = Planted::with_clauses(on_board(&pairwise(), Constraints::Minimal), drop);
    assert_eq!(caught(&planted).0, Property::Size);
    let violation = board_properties::solutions(&planted, &board_properties::boards());
    let violation = violation.expect_err("a clause is missing");
    assert!(violation.what.starts_with("it wrongly allows this: "), "{violation}");
}

#[test]
fn a_clause_too_many_shows_in_the_meaning() {
    let forbid = |number, clause: &[Lit], out: &mut dyn ClauseSink| {
        out.clause(clause);
        if number == 0 {
            out.clause(&clause[..1]);
        }
    };
    let planted = Planted::with_clauses(pairwise(), forbid);
    let violation =
        properties::at_most_one::meaning(&planted, 8).expect_err("an input is forbidden");
    assert_eq!(violation.what, "it wrongly forbids that exactly these inputs hold: 1");
    let planted = Planted::with_clauses(on_board(&pairwise(), Constraints::Full), forbid);
    let violation = board_properties::solutions(&planted, &[Board::new(4).unwrap()]);
    let violation = violation.expect_err("the upper row is forced");
    assert!(violation.what.starts_with("it wrongly forbids this solution"), "{violation}");
}

/// The map with some of its cubes changed.
fn recut(map: &VarMap, change: impl Fn(u32) -> Vec<Lit>) -> VarMap {
    VarMap::from_cubes((0..map.candidates()).map(change))
}

#[test]
fn a_layout_that_takes_one_square_for_another_means_other_placements() {
    let swapped: fn(VarMap) -> VarMap = |map| {
        let last = map.candidates().isqrt() - 1;
        recut(&map, |candidate| {
            let other = match candidate {
                0 => last,
                column if column == last => 0,
                _ => candidate,
            };
            map.cube(other).to_vec()
        })
    };
    for encoding in [on_board(&pairwise(), Constraints::Full), board_of(Binary)] {
        assert_eq!(caught(&Planted::with_layout(encoding, swapped)).0, Property::Solutions);
    }
}

#[test]
fn a_layout_of_other_variables_is_caught() {
    // The variables 'attacked', which are false where a queen stands.
    let attacked: fn(VarMap) -> VarMap = |map| {
        let squares = map.candidates();
        recut(&map, |square| vec![Lit::negative(squares + map.cube(square)[0].vidx32())])
    };
    let planted = Planted::with_layout(board_of(Auxiliary { plaisted_greenbaum: false }), attacked);
    let (property, what) = caught(&planted);
    assert_eq!(property, Property::Layout, "{what}");
    assert!(what.starts_with("the cubes are not of the 1 variables made first"), "{what}");
}

#[test]
fn a_cube_that_names_a_variable_twice_is_caught() {
    let doubled: fn(VarMap) -> VarMap = |map| recut(&map, |square| map.cube(square).repeat(2));
    let planted = Planted::with_layout(board_of(Implication { later: false }), doubled);
    let violation = board_properties::layout(&planted, &[Board::new(4).unwrap()]);
    assert_eq!(
        violation.expect_err("a planted bug").what,
        "the cube of 1,1 names a variable twice"
    );
}
