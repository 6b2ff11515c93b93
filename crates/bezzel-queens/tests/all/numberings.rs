//! Every numbering of every encoding is the same formula under other names.

use std::collections::BTreeSet;
use std::sync::Arc;

use bezzel_encode::numbering::{AuxiliaryPlace, SquareOrder};
use bezzel_encode::{Constraints, Encoding, Formula, Images, Lit, Numbering, Registry, VarMap};
use bezzel_queens::Board;
use bezzel_queens::register;

use crate::tiers::Tier;

fn encodings(tier: Tier) -> Vec<Arc<dyn Encoding>> {
    let registry = register(Registry::standard());
    let ids = registry.infos().into_iter().map(|info| info.id).collect();
    let ids = tier.encodings(ids, String::clone).into_iter();
    ids.map(|id| registry.find(&id).unwrap().with_settings(Constraints::Full)).collect()
}

/// Every order of squares with every place of auxiliary variables, without `as-generated`.
fn orders() -> impl Iterator<Item = Numbering> {
    let places = |squares| AuxiliaryPlace::ALL.map(|place| Numbering::ordered(squares, place));
    SquareOrder::ALL.into_iter().flat_map(places).skip(1)
}

/// The formula under the encoder's numbers, and under others.
struct Renamed {
    map: VarMap,
    plain: Formula,
    images: Images,
    formula: Formula,
}

fn renamed(encoding: &dyn Encoding, board: &Board, numbering: Numbering) -> Renamed {
    let (mut plain, mut formula) = (Formula::new(), Formula::new());
    let map = encoding.encode(&board.problem(), &mut plain);
    let images = numbering.images(&board.problem(), plain.variables(), &map);
    assert_eq!(numbering.encode(encoding, &board.problem(), &images, &mut formula), map);
    Renamed { map, plain, images, formula }
}

fn check_permutations(tier: Tier) {
    for encoding in encodings(tier) {
        for side in [1, 4, 5] {
            let board = Board::new(side).unwrap();
            for numbering in orders() {
                let Renamed { plain, images, formula, .. } = renamed(&*encoding, &board, numbering);
                let case = format!("{} on {board}, {}", encoding.info().id, numbering.id());
                let mut numbers: Vec<Lit> = images.range(0..plain.variables()).collect();
                numbers.sort_unstable();
                assert!(
                    numbers.into_iter().eq((0..plain.variables()).map(Lit::positive)),
                    "{case}"
                );
                assert_eq!(formula.variables(), plain.variables(), "{case}");
                let expected = plain
                    .clauses()
                    .map(|clause| clause.iter().map(|&lit| images.of(lit)).collect::<Vec<_>>());
                assert!(expected.eq(formula.clauses().map(<[Lit]>::to_vec)), "{case}");
            }
        }
    }
}

#[test]
fn an_order_is_a_permutation_and_changes_no_literal_but_its_number() {
    check_permutations(Tier::Default);
}

fn check_places(tier: Tier) {
    for encoding in encodings(tier) {
        let board = Board::new(5).unwrap();
        for numbering in orders() {
            let Renamed { map, plain, images, .. } = renamed(&*encoding, &board, numbering);
            let case = format!("{}, {}", encoding.info().id, numbering.id());
            let primary: BTreeSet<u32> =
                map.variables().iter().map(|&var| images.of(var.pos_lit()).vidx32()).collect();
            // In a walk over the squares, every new variable has the next number.
            let mut met = BTreeSet::new();
            let mut next = primary.iter();
            for square in numbering.squares.order(5, 5) {
                for &lit in map.cube(board.candidate(square)) {
                    let number = images.of(lit).vidx32();
                    if met.insert(number) {
                        assert_eq!(Some(&number), next.next(), "{case}");
                    }
                }
            }
            let (made, among) = (plain.variables(), primary.len() as u32);
            let auxiliary = made - among;
            let before = |number: u32| number - primary.range(..number).count() as u32;
            for (index, &number) in (0..).zip(&primary) {
                let expected = match numbering.auxiliaries {
                    AuxiliaryPlace::After => 0,
                    AuxiliaryPlace::Before => auxiliary,
                    AuxiliaryPlace::Between => index * auxiliary / among,
                };
                assert_eq!(before(number), expected, "{case}");
            }
        }
    }
}

#[test]
fn squares_come_in_their_order_and_auxiliary_variables_in_their_place() {
    check_places(Tier::Default);
}

#[test]
fn row_by_row_with_auxiliary_variables_after_is_how_encoders_number() {
    // This order therefore needs no other name than `as-generated`.
    for encoding in encodings(Tier::Second) {
        let mut formula = Formula::new();
        let problem = Board::new(6).unwrap().problem();
        let map = encoding.encode(&problem, &mut formula);
        let primary: Vec<u32> = map.variables().iter().map(|var| var.idx32()).collect();
        assert!(primary.is_sorted() && primary[0] == 0, "{}", encoding.info().id);
        let images = Numbering::AS_GENERATED.images(&problem, formula.variables(), &map);
        let kept = images.range(0..formula.variables());
        assert!(kept.eq((0..formula.variables()).map(Lit::positive)), "{}", encoding.info().id);
    }
}

#[test]
#[ignore = "second tier: all encodings"]
fn every_encoding_is_the_same_formula_under_every_numbering() {
    check_permutations(Tier::Second);
    check_places(Tier::Second);
}
