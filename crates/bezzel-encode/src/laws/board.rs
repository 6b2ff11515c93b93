//! The laws of a whole-board encoding, each tried on the boards it is given.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::ops::ControlFlow;

use rustsat::types::Lit;

use super::fault::{Fault, means_exactly, show};
use super::inspector::Inspector;
use super::{Breach, Law, search, seen, words};
use crate::board::{Board, Geometry, Piece};
use crate::card::{Auxiliaries, Propagation};
use crate::digest::Digest;
use crate::draw;
use crate::encoding::Encoding;
use crate::formula::Formula;
use crate::layout::Layout;
use crate::models;
use crate::propagate::Propagator;
use crate::sink::{ClauseSink, Tee};
use crate::square::Square;
use crate::tally::Tally;

/// A law: the encoding, and the boards to try it on.
pub type Check = fn(&dyn Encoding, &[Board]) -> Result<(), Breach>;

/// The laws in the order in which they are tried: a later one takes the earlier ones for granted.
pub const LAWS: [(Law, Check); 7] = [
    (Law::WellFormed, well_formed),
    (Law::Determinism, determinism),
    (Law::Size, size),
    (Law::Solutions, solutions),
    (Law::Layout, layout),
    (Law::Auxiliaries, auxiliaries),
    (Law::Propagation, propagation),
];

/// Every law on [`boards`].
///
/// # Errors
///
/// The first breach found.
pub fn check(encoding: &dyn Encoding) -> Result<(), Breach> {
    let boards = boards();
    LAWS.iter().try_for_each(|(_, check)| check(encoding, &boards))
}

/// The boards on which every law can be tried within a moment: queens on the plane and on the torus
/// up to side 7, rooks up to 4, rectangles, and some with given queens and blocked squares.
///
/// A law passes over boards that the encoding says do not [fit](Encoding::fits) it.
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

fn breach(encoding: &dyn Encoding, law: Law, board: &Board, what: impl Display) -> Breach {
    Breach::new(encoding.card().id, law, format!("the board {board}"), what)
}

/// A breach that shows on no board by itself, but on all of them together.
fn breach_of_all(
    encoding: &dyn Encoding,
    law: Law,
    boards: &[Board],
    what: impl Display,
) -> Breach {
    Breach::new(encoding.card().id, law, format!("all {} boards tried", boards.len()), what)
}

/// The boards of which the encoding says the rules.
fn fitting<'a>(encoding: &'a dyn Encoding, boards: &'a [Board]) -> impl Iterator<Item = &'a Board> {
    boards.iter().filter(|board| encoding.fits(board).is_ok())
}

fn encode<S: ClauseSink>(encoding: &dyn Encoding, board: &Board, mut sink: S) -> (Layout, S) {
    let layout = encoding.encode(board, &mut sink);
    (layout, sink)
}

/// See [`Law::WellFormed`]. On a board of two columns a clause may always be true: where a row is one
/// bit, a circuit's gate "this square or that one" is x ∨ ¬x.
///
/// # Errors
///
/// The first breach found.
pub fn well_formed(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), Breach> {
    fitting(encoding, boards).try_for_each(|board| {
        let inspector = if board.columns() == 2 {
            Inspector::allowing_always_true()
        } else {
            Inspector::default()
        };
        let (_, inspector) = encode(encoding, board, inspector);
        inspector.finish().map_err(|fault| breach(encoding, Law::WellFormed, board, fault))
    })
}

/// See [`Law::Determinism`].
///
/// # Errors
///
/// The first breach found.
pub fn determinism(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), Breach> {
    fitting(encoding, boards).try_for_each(|board| {
        let [first, second] = [(); 2].map(|()| {
            let (layout, Tee(digest, tally)) =
                encode(encoding, board, Tee(Digest::new(), Tally::new()));
            (layout, digest.finish(), tally.variables())
        });
        if first == second {
            return Ok(());
        }
        let what = "encoding twice gives two different streams or layouts";
        Err(breach(encoding, Law::Determinism, board, what))
    })
}

/// See [`Law::Size`]. An encoding without a closed form has nothing to breach.
///
/// # Errors
///
/// The first breach found.
pub fn size(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), Breach> {
    fitting(encoding, boards).try_for_each(|board| {
        let Some(stated) = encoding.size(board) else { return Ok(()) };
        let mut tally = Tally::new();
        encoding.rules(board, &mut tally);
        let counted = tally.size();
        if stated == counted {
            return Ok(());
        }
        let what = format!("stated {}, counted {}", words(stated), words(counted));
        Err(breach(encoding, Law::Size, board, what))
    })
}

/// See [`Law::Solutions`].
///
/// # Errors
///
/// The first breach found.
pub fn solutions(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), Breach> {
    fitting(encoding, boards).try_for_each(|board| {
        let (layout, formula) = encode(encoding, board, Formula::new());
        let expected = search::solutions(board);
        means_exactly(&formula, &layout, &expected)
            .map_err(|fault| fault.breach(encoding, Law::Solutions, board))
    })
}

/// See [`Law::Layout`].
///
/// # Errors
///
/// The first breach found.
pub fn layout(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), Breach> {
    fitting(encoding, boards).try_for_each(|board| {
        layout_on(encoding, board).map_err(|fault| fault.breach(encoding, Law::Layout, board))
    })
}

fn layout_on(encoding: &dyn Encoding, board: &Board) -> Result<(), Fault> {
    let (layout, Tee(formula, tally)) = encode(encoding, board, Tee(Formula::new(), Tally::new()));
    let (rows, columns) = (layout.rows(), layout.columns());
    if (rows, columns) != (board.rows(), board.columns()) {
        return Err(format!("the layout is of a board of {rows} rows and {columns} columns").into());
    }
    let mut variables: Vec<u32> = layout.variables().iter().map(|var| var.idx32()).collect();
    variables.sort_unstable();
    if !variables.iter().copied().eq(0..tally.primary()) {
        let primary = tally.primary();
        let what = format!("the cubes are not of the {primary} variables made first, and of all");
        return Err(what.into());
    }
    for square in board.each_square() {
        let cube = layout.cube(square);
        let distinct: BTreeSet<u32> = cube.iter().map(|lit| lit.vidx32()).collect();
        if distinct.len() != cube.len() {
            return Err(format!("the cube of {square} names a variable twice").into());
        }
    }
    let solutions = search::solutions(board);
    // The first and the last stand for all: enumerating once for each would take long.
    let ends: BTreeSet<_> = solutions.first().into_iter().chain(solutions.last()).collect();
    for &placement in &ends {
        let mut fixed = formula.clone();
        for &lit in placement.squares().flat_map(|square| layout.cube(square)) {
            fixed.clause(&[lit]);
        }
        means_exactly(&fixed, &layout, &BTreeSet::from([placement.clone()])).map_err(|fault| {
            fault.after(&format!("with the cubes of {} fixed", show(placement)))
        })?;
        let mut blocked = formula.clone();
        blocked.clause(&layout.block(placement));
        let mut others = solutions.clone();
        others.remove(placement);
        means_exactly(&blocked, &layout, &others)
            .map_err(|fault| fault.after(&format!("with {} blocked", show(placement))))?;
    }
    Ok(())
}

/// See [`Law::Auxiliaries`].
///
/// # Errors
///
/// The first breach found.
pub fn auxiliaries(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), Breach> {
    let card = encoding.card();
    let promised = card.auxiliaries;
    let mut made_any = false;
    for board in fitting(encoding, boards) {
        let (layout, Tee(formula, tally)) =
            encode(encoding, board, Tee(Formula::new(), Tally::new()));
        let made = tally.variables() - tally.primary();
        made_any |= made > 0;
        if promised == Auxiliaries::None && made > 0 {
            let what = format!("promised is no auxiliary variable, made are {made}");
            return Err(breach(encoding, Law::Auxiliaries, board, what));
        }
        let several = models::each(&formula, &layout.variables(), 2, |model, models| {
            if models == 1 {
                return ControlFlow::Continue(());
            }
            ControlFlow::Break(layout.decode(|lit| model.holds(lit)))
        });
        match (promised, several) {
            (Auxiliaries::Free, ControlFlow::Break(_)) => return Ok(()),
            (Auxiliaries::Defined, ControlFlow::Break(placement)) => {
                let shown = show(&placement);
                let what = format!(
                    "promised are determined auxiliary variables, but several models mean {shown}"
                );
                return Err(Fault::of(what, board, &placement).breach(
                    encoding,
                    Law::Auxiliaries,
                    board,
                ));
            }
            _ => {}
        }
    }
    let what = match promised {
        _ if card.bounds => return Ok(()),
        // They begin on larger boards, so nothing is refuted here.
        _ if !made_any && makes_variables(encoding) => return Ok(()),
        Auxiliaries::Free => {
            "promised are free auxiliary variables, but everywhere placements and models are the \
             same in number"
        }
        Auxiliaries::Defined if !made_any => {
            "promised are determined auxiliary variables, but there are none"
        }
        _ => return Ok(()),
    };
    Err(breach_of_all(encoding, Law::Auxiliaries, boards, what))
}

/// Whether some board, however large, takes more variables than it has squares.
fn makes_variables(encoding: &dyn Encoding) -> bool {
    let board = Board::new(30_000).expect("a planner may ask for it");
    encoding.size(&board).is_some_and(|size| size.variables > u128::from(board.squares()))
}

/// See [`Law::Propagation`].
///
/// # Errors
///
/// The first breach found.
pub fn propagation(encoding: &dyn Encoding, boards: &[Board]) -> Result<(), Breach> {
    let card = encoding.card();
    let promised = card.propagation;
    let mut weakest = Propagation::Complete;
    for board in fitting(encoding, boards) {
        let (layout, formula) = encode(encoding, board, Formula::new());
        let mut propagator = Propagator::new(&formula);
        for first in board.each_square() {
            let attacked =
                board.each_square().filter(|&second| search::clash(board, first, second));
            for second in attacked {
                let cubes: [&[Lit]; 2] = [layout.cube(first), layout.cube(second)];
                let found = seen(&mut propagator, cubes[0], cubes[1]);
                if found > promised {
                    let what = format!(
                        "promised is {promised} propagation, but of {first} and {second} it is {found}"
                    );
                    let drawing =
                        draw::board(board.rows(), board.columns(), |square| match square {
                            _ if square == first => draw::QUEEN,
                            _ if square == second => draw::POINT,
                            _ => draw::OPEN,
                        });
                    let fault = Fault { what, drawing };
                    return Err(fault.breach(encoding, Law::Propagation, board));
                }
                weakest = weakest.max(found);
            }
        }
    }
    if weakest == promised || card.bounds {
        return Ok(());
    }
    let what = format!("promised is {promised} propagation, but everywhere it is {weakest}");
    Err(breach_of_all(encoding, Law::Propagation, boards, what))
}
