//! Bryant's circuit, compared with the rules of the board, and its declarations, compared with its
//! clauses.

use bezzel_encode::propagate::Propagator;
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{Encoding, Formula, Lit, Propagation, Registry, VarMap, models};
use bezzel_queens::encode::bryant::Positions;
use bezzel_queens::encode::bryant_circuit::BryantCircuit;
use bezzel_queens::encode::placements;
use bezzel_queens::register;
use bezzel_queens::{Board, Geometry, Piece, Placement, Square};

fn plane(side: u32) -> Board {
    Board::new(side).unwrap()
}

/// The plane, the torus, and rooks, of this side.
fn boards(side: u32) -> [Board; 3] {
    let (torus, rooks) =
        (plane(side).with_geometry(Geometry::Torus), plane(side).with_piece(Piece::Rook));
    [plane(side), torus, rooks]
}

fn formula(encoding: BryantCircuit, board: &Board) -> (Formula, VarMap) {
    let mut formula = Formula::new();
    let map = encoding.rules(&board.problem(), &mut formula);
    (formula, map)
}

fn find(id: &str) -> BryantCircuit {
    BryantCircuit::all().find(|encoding| encoding.info().id == id).unwrap()
}

/// All circuits of one kind; the translation to clauses does not matter here.
fn circuits(positions: Positions) -> impl Iterator<Item = BryantCircuit> {
    BryantCircuit::all().filter(move |encoding| {
        encoding.circuit.positions == positions && !encoding.plaisted_greenbaum
    })
}

/// Checks that the circuit accepts exactly the solutions, for every input for which `is_tested` holds.
#[track_caller]
fn agrees(encoding: BryantCircuit, board: &Board, is_tested: impl Fn(u32) -> bool) {
    let circuit = encoding.build(board);
    let (_, map) = formula(encoding, board);
    let width = circuit.inputs();
    let mut inputs = vec![false; width as usize];
    for pattern in (0..1_u32 << width).filter(|&pattern| is_tested(pattern)) {
        for (bit, input) in inputs.iter_mut().enumerate() {
            *input = pattern >> bit & 1 == 1;
        }
        let solution = map.decode(|lit| inputs[lit.vidx()] == lit.is_pos());
        let placement = Placement::of(board, &solution);
        assert_eq!(
            circuit.evaluate(&inputs).accepted(),
            placement.judge(board).is_ok(),
            "{} on {board}, input {pattern:b}",
            encoding.info().id
        );
    }
}

fn check_one_hot(last: u32) {
    for encoding in circuits(Positions::OneHot) {
        for board in (1..=last).flat_map(boards) {
            agrees(encoding, &board, |_| true);
        }
        if last < 4 {
            continue;
        }
        // Of 33 million placements on 25 squares those with about as many queens as rows.
        for board in boards(5) {
            agrees(encoding, &board, |pattern| (4..=6).contains(&pattern.count_ones()));
        }
    }
}

#[test]
fn the_one_hot_circuit_accepts_exactly_the_placements_that_the_rules_allow() {
    check_one_hot(3);
}

#[test]
#[ignore = "second tier: sides 4 and 5"]
fn the_one_hot_circuit_accepts_exactly_the_placements_on_sides_4_and_5() {
    check_one_hot(4);
}

fn check_binary(last: u32) {
    for encoding in circuits(Positions::Binary) {
        for board in (1..=last).flat_map(boards) {
            agrees(encoding, &board, |_| true);
        }
    }
}

#[test]
fn the_binary_circuit_accepts_exactly_the_placements_that_the_rules_allow() {
    check_binary(4);
}

#[test]
#[ignore = "second tier: side 5"]
fn the_binary_circuit_accepts_exactly_the_placements_on_side_5() {
    check_binary(5);
}

#[test]
fn tseitins_clauses_have_as_many_models_as_there_are_solutions() {
    let queens = [1, 0, 0, 2, 10, 4, 40];
    // Modular queens and permutations, counted by other means.
    let torus = [1, 0, 0, 0, 10, 0, 28];
    let rooks = [1, 2, 6, 24, 120, 720, 5040];
    for encoding in BryantCircuit::all().filter(|encoding| !encoding.plaisted_greenbaum) {
        for (side, index) in (1..=7).zip(0..) {
            let expected = [queens[index], torus[index], rooks[index]];
            for (board, expected) in boards(side).iter().zip(expected) {
                let (formula, map) = formula(encoding, board);
                let id = encoding.info().id;
                assert_eq!(models::count(&formula, &map), expected, "{id} on {board}");
            }
        }
    }
}

#[test]
fn by_plaisted_greenbaum_placements_stay_and_models_multiply() {
    let count = |id: &str, side: u32| {
        let board = plane(side);
        let (formula, map) = formula(find(id), &board);
        let placements = placements(&formula, &board, &map, u128::MAX);
        for (placement, _) in &placements {
            assert_eq!(placement.judge(&board), Ok(()));
        }
        let models: u128 = placements.iter().map(|&(_, models)| models).sum();
        (placements.len(), models)
    };
    // UNIQUE leaves no freedom; CONFLICT and ROW are the same in both.
    for id in ["bryant-circuit+plaisted-greenbaum", "bryant-circuit:binary+plaisted-greenbaum"] {
        assert_eq!(count(id, 4), (2, 528));
        assert_eq!(count(id, 5), (10, 54_016));
    }
}

/// Assumes the square's literals one after the other. True if there is no conflict.
fn place(propagator: &mut Propagator, map: &VarMap, candidate: u32) -> bool {
    map.cube(candidate).iter().all(|&lit| propagator.assume(lit).is_ok())
}

/// For each ordered pair of attacking squares: true if a queen on the first excludes the second, and true if queens on
/// both are refuted.
fn attacks(encoding: BryantCircuit, board: &Board) -> Vec<(bool, bool)> {
    let (formula, map) = formula(encoding, board);
    let mut propagator = Propagator::new(&formula);
    let start = propagator.trail().len();
    let mut seen = Vec::new();
    for first in board.each_square() {
        for second in board.each_square().filter(|&second| board.attacks(first, second)) {
            let possible = place(&mut propagator, &map, board.candidate(first));
            let ruled_out = !possible
                || map.cube(board.candidate(second)).iter().any(|&lit| propagator.fails(lit));
            let refuted = !possible || !place(&mut propagator, &map, board.candidate(second));
            seen.push((ruled_out, refuted));
            propagator.undo(start);
        }
    }
    seen
}

#[test]
fn a_queen_rules_out_the_declared_squares() {
    for encoding in BryantCircuit::all() {
        for side in 1..=7 {
            for board in boards(side) {
                let seen = attacks(encoding, &board);
                let info = encoding.info();
                let place = format!("{} on {board}", info.id);
                assert!(seen.iter().all(|&(_, refuted)| refuted), "{place}");
                let complete = seen.iter().all(|&(ruled_out, _)| ruled_out);
                match info.propagation {
                    Propagation::Complete => assert!(complete, "{place}"),
                    // On smaller boards a queen leaves two bits open, or nothing.
                    Propagation::Refuting => {
                        assert!(side < 5 || !complete, "{place}");
                    }
                    Propagation::Weak => panic!("no variant is weak"),
                }
            }
        }
    }
}

/// For each square of the board: true if unit propagation finds its queen when it is the last square left in its
/// column.
fn last_of_column(encoding: BryantCircuit, side: u32) -> Vec<bool> {
    let board = plane(side);
    let (formula, map) = formula(encoding, &board);
    Square::all(side, side)
        .map(|last| {
            let mut propagator = Propagator::new(&formula);
            for row in (0..side).filter(|&row| row != last.row) {
                let [lit] = map.cube(board.candidate(Square::new(row, last.column))) else {
                    panic!("one literal a square")
                };
                propagator.assume(!*lit).unwrap();
            }
            map.cube(board.candidate(last)).iter().all(|&lit| propagator.holds(lit))
        })
        .collect()
}

#[test]
fn the_last_square_of_a_column_is_found_with_columns_only() {
    for encoding in BryantCircuit::all() {
        if encoding.circuit.positions == Positions::OneHot {
            let found = last_of_column(encoding, 6);
            let id = encoding.info().id;
            assert!(found.iter().all(|&found| found == encoding.circuit.columns), "{id}");
        }
    }
}

#[test]
fn a_code_of_no_column_is_refuted_by_unit_propagation() {
    for encoding in BryantCircuit::all() {
        if encoding.circuit.positions == Positions::OneHot {
            continue;
        }
        for side in [3, 5, 6, 7] {
            let width = bezzel_encode::size::bits(side.into());
            let (formula, _) = formula(encoding, &plane(side));
            // Codes 1 to N are columns; N is no power of two here, so 0 is none.
            for code in std::iter::once(0).chain(side + 1..1 << width) {
                for row in 0..side {
                    let mut propagator = Propagator::new(&formula);
                    let possible = (0..width).all(|bit| {
                        let lit = Lit::new(row * width + bit, code >> bit & 1 == 0);
                        propagator.assume(lit).is_ok()
                    });
                    assert!(!possible, "{} {side}: {code}", encoding.info().id);
                }
            }
        }
    }
}

#[test]
fn queens_and_blocked_squares_are_respected_by_every_variant() {
    let known: Placement = [(0, 1), (1, 3), (2, 0), (3, 2)]
        .map(|(row, column)| Square::new(row, column))
        .into_iter()
        .collect();
    for encoding in BryantCircuit::all() {
        for board in [
            plane(4).with_placed([Square::new(0, 1)]).unwrap(),
            plane(4).with_blocked([Square::new(3, 1)]).unwrap(),
        ] {
            let mut formula = Formula::new();
            let map = encoding.encode(&board.problem(), &mut formula);
            let found = placements(&formula, &board, &map, 1);
            let placements: Vec<_> = found.into_iter().map(|(placement, _)| placement).collect();
            assert_eq!(placements, std::slice::from_ref(&known), "{}", encoding.info().id);
        }
    }
}

#[test]
fn every_variant_is_found_by_its_id_and_its_aliases() {
    let registry = register(Registry::standard());
    for encoding in BryantCircuit::all() {
        let info = encoding.info();
        for name in info.aliases.iter().chain([&info.id]) {
            let Ok(NamedEncoding::Whole(found)) = registry.find(name) else { panic!("{name}") };
            assert_eq!(found.info(), info);
        }
    }
}
