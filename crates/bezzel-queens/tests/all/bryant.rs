//! Bryant's circuit, compared with the rules of the board, and its declarations, compared with its
//! clauses.

use bezzel_encode::propagate::Propagator;
use bezzel_encode::{Encoding, Formula, Lit, VarMap};
use bezzel_queens::encode::bryant::Positions;
use bezzel_queens::encode::bryant_circuit::BryantCircuit;
use bezzel_queens::encode::placements;
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
