//! The properties of an encoding of whole problems, each tried on some boards.

use std::collections::BTreeSet;

use bezzel_encode::properties::meaning::EnumerationBounds;
use bezzel_encode::properties::{Property, PropertyFinding, PropertyViolation, problem};
use bezzel_encode::{
    Auxiliaries, ClauseSink, Encoding, Formula, FormulaStats, Propagation, Tee, VarMap,
};

use super::case::Case;
use super::meaning::{drawn, fault, of_board};
use crate::{Board, Geometry, Piece, Placement, Square, draw, search};

/// A property: a check of the encoding on boards.
pub type BoardCheck = fn(&dyn Encoding, &[Board]) -> Result<(), PropertyViolation>;

/// The properties in the order in which they are tried: a later one assumes the earlier ones.
pub const PROPERTIES: [(Property, BoardCheck); 7] = [
    (Property::WellFormed, well_formed),
    (Property::Determinism, determinism),
    (Property::Size, size),
    (Property::Solutions, solutions),
    (Property::Layout, layout),
    (Property::Auxiliaries, auxiliaries),
    (Property::Propagation, propagation),
];

/// Checks every property on [`boards`].
///
/// # Errors
///
/// The first violation found.
pub fn check(encoding: &dyn Encoding) -> Result<(), PropertyViolation> {
    violations(encoding).into_iter().next().map_or(Ok(()), Err)
}

/// The first violation of each property. None of the properties that assume well-formed clauses and a right layout is
/// tried without them.
pub(super) fn violations(encoding: &dyn Encoding) -> Vec<PropertyViolation> {
    let boards = boards();
    let mut found = Vec::new();
    for (property, check) in PROPERTIES {
        let Err(violation) = check(encoding, &boards) else { continue };
        found.push(violation);
        if [Property::WellFormed, Property::Layout].contains(&property) {
            break;
        }
    }
    found
}

/// The boards on which every property can be tried within a moment: queens on the plane and on the torus
/// up to side 7, rooks up to 4, rectangles, and some with given queens and blocked squares.
///
/// A property skips boards that do not [fit](Encoding::fits) the encoding.
pub fn boards() -> Vec<Board> {
    let board = |side| Board::new(side).expect("small sides are allowed");
    let rectangle =
        |rows, columns| Board::rectangle(rows, columns).expect("small boards are allowed");
    let given = |board: Board, queens: &[(u32, u32)], blocked: &[(u32, u32)]| {
        let squares = |squares: &[(u32, u32)]| squares.iter().copied().map(Square::from).collect();
        let queens: Vec<Square> = squares(queens);
        let blocked: Vec<Square> = squares(blocked);
        board
            .with_placed(queens)
            .and_then(|board| board.with_blocked(blocked))
            .expect("the squares are on the board and apart")
    };
    let mut boards: Vec<Board> = (1..=7).map(board).collect();
    boards.extend((1..=7).map(|side| board(side).with_geometry(Geometry::Torus)));
    boards.extend((1..=4).map(|side| board(side).with_piece(Piece::Rook)));
    boards.push(board(3).with_piece(Piece::Rook).with_geometry(Geometry::Torus));
    let shapes = [(1, 2), (2, 1), (1, 5), (3, 1), (2, 3), (3, 2), (3, 5), (4, 3), (4, 6), (5, 7)];
    boards.extend(shapes.map(|(rows, columns)| rectangle(rows, columns)));
    // Four rooks on three columns: the pigeonhole principle.
    let shapes = [(4, 3), (3, 4), (2, 5)];
    boards.extend(shapes.map(|(rows, columns)| rectangle(rows, columns).with_piece(Piece::Rook)));
    boards.extend([
        given(rectangle(3, 5), &[(2, 1)], &[(1, 4), (3, 5)]),
        given(rectangle(4, 5).with_piece(Piece::Rook), &[(4, 5)], &[(1, 1)]),
        given(board(1), &[(1, 1)], &[]),
        given(board(1), &[], &[(1, 1)]),
        given(board(4), &[(1, 2)], &[]),
        given(board(5), &[(1, 1)], &[(5, 4)]),
        given(board(6), &[], &[(1, 2), (6, 4)]),
        given(board(6), &[(1, 1)], &[]),
        given(board(7), &[(4, 4), (1, 2)], &[]),
        given(board(5).with_geometry(Geometry::Torus), &[(2, 3)], &[(1, 1)]),
        given(board(4).with_piece(Piece::Rook), &[(2, 3)], &[(1, 1), (4, 4)]),
    ]);
    boards
}

fn violation(
    encoding: &dyn Encoding,
    property: Property,
    board: &Board,
    found: impl Into<PropertyFinding>,
) -> PropertyViolation {
    PropertyViolation::new(encoding.info().id, property, format!("the board {board}"), found)
}

/// A violation that shows on all boards together, not on one.
fn violation_of_all(
    encoding: &dyn Encoding,
    property: Property,
    boards: &[Board],
    what: &str,
) -> PropertyViolation {
    let place = format!("all {} boards tried", boards.len());
    PropertyViolation::new(encoding.info().id, property, place, what)
}

/// The squares of a placement, in readable form.
fn show(placement: &Placement) -> String {
    let squares: Vec<_> = placement.squares().map(|square| square.to_string()).collect();
    if squares.is_empty() { "no square".into() } else { squares.join(" and ") }
}

/// The boards that fit the encoding.
fn fitting<'a>(encoding: &'a dyn Encoding, boards: &'a [Board]) -> impl Iterator<Item = &'a Board> {
    boards.iter().filter(|board| encoding.fits(&board.problem()).is_ok())
}

fn encode<S: ClauseSink>(encoding: &dyn Encoding, board: &Board, mut sink: S) -> (VarMap, S) {
    let map = encoding.encode(&board.problem(), &mut sink);
    (map, sink)
}

/// A check of the encoding on each board that fits it.
fn on_each(
    encoding: &dyn Encoding,
    boards: &[Board],
    property: Property,
    check: impl Fn(&Board) -> Result<(), PropertyFinding>,
) -> Result<(), PropertyViolation> {
    fitting(encoding, boards).try_for_each(|board| {
        check(board).map_err(|fault| violation(encoding, property, board, fault))
    })
}

/// See [`Property::WellFormed`].
///
/// # Errors
///
/// The first violation found.
pub fn well_formed(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), PropertyViolation> {
    let check = |board: &Board| problem::well_formed(encoding, &board.problem());
    on_each(encoding, boards, Property::WellFormed, check)
}

/// See [`Property::Determinism`].
///
/// # Errors
///
/// The first violation found.
pub fn determinism(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), PropertyViolation> {
    let check = |board: &Board| problem::determinism(encoding, &board.problem());
    on_each(encoding, boards, Property::Determinism, check)
}

/// See [`Property::Size`]. An encoding without a closed form has nothing to compare.
///
/// # Errors
///
/// The first violation found.
pub fn size(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), PropertyViolation> {
    let check = |board: &Board| problem::size(encoding, &board.problem());
    on_each(encoding, boards, Property::Size, check)
}

/// See [`Property::Solutions`].
///
/// # Errors
///
/// The first violation found.
pub fn solutions(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), PropertyViolation> {
    fitting(encoding, boards).try_for_each(|board| {
        let (map, formula) = encode(encoding, board, Formula::new());
        let solutions = search::solutions(board);
        let meaning = of_board(&formula, board, &map, &solutions, EnumerationBounds::FIRST);
        fault(&meaning, board)
            .map_or(Ok(()), |fault| Err(violation(encoding, Property::Solutions, board, fault)))
    })
}

/// See [`Property::Layout`].
///
/// # Errors
///
/// The first violation found.
pub fn layout(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), PropertyViolation> {
    on_each(encoding, boards, Property::Layout, |board| layout_on(encoding, board))
}

fn layout_on(encoding: &dyn Encoding, board: &Board) -> Result<(), PropertyFinding> {
    let (map, formula) = problem::layout(encoding, &board.problem())?;
    let solutions = search::solutions(board);
    // The first and the last represent all: enumerating once for each would take long.
    let ends: BTreeSet<_> = solutions.first().into_iter().chain(solutions.last()).collect();
    for &placement in &ends {
        let mut fixed = formula.clone();
        for &lit in placement.squares().flat_map(|square| map.cube(board.candidate(square))) {
            fixed.clause(&[lit]);
        }
        let only = BTreeSet::from([placement.clone()]);
        let mut blocked = formula.clone();
        blocked.clause(&map.block(&placement.solution(board)));
        let mut others = solutions.clone();
        others.remove(placement);
        let shown = show(placement);
        for (formula, right, done) in [
            (&fixed, &only, format!("with the cubes of {shown} fixed")),
            (&blocked, &others, format!("with {shown} blocked")),
        ] {
            let meaning = of_board(formula, board, &map, right, EnumerationBounds::FIRST);
            if let Some(PropertyFinding { what, drawing }) = fault(&meaning, board) {
                return Err(PropertyFinding { what: format!("{done}, {what}"), drawing });
            }
        }
    }
    Ok(())
}

/// See [`Property::Auxiliaries`].
///
/// # Errors
///
/// The first violation found.
pub fn auxiliaries(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), PropertyViolation> {
    let info = encoding.info();
    let declared = info.auxiliaries;
    let mut made_any = false;
    for board in fitting(encoding, boards) {
        let (map, Tee(formula, stats)) =
            encode(encoding, board, Tee(Formula::new(), FormulaStats::new()));
        let made = stats.variables() - stats.primary();
        made_any |= made > 0;
        if declared == Auxiliaries::None && made > 0 {
            let what = format!("it declares no auxiliary variables, but makes {made}");
            return Err(violation(encoding, Property::Auxiliaries, board, what));
        }
        // The right placements do not matter here.
        let meaning = of_board(&formula, board, &map, &BTreeSet::new(), EnumerationBounds::SEVERAL);
        match (declared, meaning.first_several) {
            (Auxiliaries::Free, Some(_)) => return Ok(()),
            (Auxiliaries::Defined, Some(placement)) => {
                let shown = show(&placement);
                let what = format!(
                    "it declares determined auxiliary variables, but several models mean {shown}"
                );
                let fault = drawn(board, &placement, what);
                return Err(violation(encoding, Property::Auxiliaries, board, fault));
            }
            _ => {}
        }
    }
    let what = match declared {
        _ if info.bounds => return Ok(()),
        Auxiliaries::None => return Ok(()),
        // They begin on larger boards, so nothing is refuted here.
        _ if !made_any && makes_variables(encoding) => return Ok(()),
        Auxiliaries::Free => {
            "it declares free auxiliary variables, but every board has as many models as \
             placements"
        }
        Auxiliaries::Defined if !made_any => {
            "it declares determined auxiliary variables, but makes none"
        }
        Auxiliaries::Defined => return Ok(()),
    };
    Err(violation_of_all(encoding, Property::Auxiliaries, boards, what))
}

/// True if a very large board takes more variables than it has squares.
fn makes_variables(encoding: &dyn Encoding) -> bool {
    let board = Board::new(30_000).expect("a planner may ask for it");
    encoding.size(&board.problem()).is_some_and(|size| size.variables > u128::from(board.squares()))
}

/// See [`Property::Propagation`].
///
/// # Errors
///
/// The first violation found.
pub fn propagation(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), PropertyViolation> {
    let info = encoding.info();
    let declared = info.propagation;
    let mut weakest = Propagation::Complete;
    for board in fitting(encoding, boards) {
        let (found_here, pair) = Case::new(encoding, board).one_queen();
        if let Some((first, second)) = pair.filter(|_| found_here > declared) {
            let what = format!(
                "it declares {declared} propagation, but between {first} and {second} it is \
                 {found_here}"
            );
            let fault = PropertyFinding { what, drawing: draw::attack(board, first, second) };
            return Err(violation(encoding, Property::Propagation, board, fault));
        }
        weakest = weakest.max(found_here);
    }
    if weakest == declared || info.bounds {
        return Ok(());
    }
    let what = format!("it declares {declared} propagation, but it is {weakest} on all boards");
    Err(violation_of_all(encoding, Property::Propagation, boards, &what))
}
