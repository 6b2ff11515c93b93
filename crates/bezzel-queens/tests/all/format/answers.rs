//! Answers to files of every format, and texts that are no answers. `bezzel`'s tests of outcomes and refusals have answers in
//! every form of solvers.

use bezzel_queens::{Board, Piece, Placement, Square};
use rustsat::types::Lit;

use bezzel_encode::Constraints;
use bezzel_encode::Registry;
use bezzel_encode::format::Format;
use bezzel_encode::format::dimacs::Preamble;
use bezzel_encode::format::read::{FormulaComments, ReadAnswer, answer, notes};
use bezzel_encode::numbering::Numbering;
use bezzel_problem::FileError;
use bezzel_queens::encode::comments;
use bezzel_queens::register;

/// The notes of a file in this format.
fn file(format: Format, id: &str, board: &Board, numbering: &Numbering) -> FormulaComments {
    let encoding =
        register(Registry::standard()).find(id).unwrap().with_settings(Constraints::Full);
    let preamble = Preamble::Comments { made_by: "a test", names: true };
    let mut bytes = Vec::new();
    format.write(&*encoding, &board.problem(), numbering, preamble, &mut bytes).unwrap();
    notes(&mut bytes.as_slice()).unwrap()
}

/// The queens that an answer places.
fn placed(read: &ReadAnswer, notes: Option<&FormulaComments>) -> Result<Placement, FileError> {
    Ok(read.decode_squares(notes)?.into_iter().collect())
}

fn four() -> Board {
    Board::new(4).unwrap()
}

/// The squares of a solution on the board of side 4.
fn solution() -> Placement {
    [(1, 2), (2, 4), (3, 1), (4, 3)].map(Square::from).into_iter().collect()
}

#[test]
fn every_format_and_numbering_is_decoded_by_its_own_comments() {
    for format in Format::ALL {
        for id in ["pairwise", "binary", "bitwise"] {
            for numbering in [Numbering::AS_GENERATED, Numbering::random(9)] {
                let notes = file(format, id, &four(), &numbering);
                // A model holds the cubes of the squares with queens. A literal of a square without a queen is negated
                // only where it is the square's own.
                let mut model = Vec::new();
                for (&square, cube) in &notes.squares {
                    if solution().holds(square) {
                        model.extend(cube.iter().map(|lit| lit.to_ipasir()));
                    } else if cube.len() == 1 {
                        model.push(-cube[0].to_ipasir());
                    }
                }
                let case = format!("{id} as {format}, {}", numbering.id());
                let numbers: Vec<_> = model.iter().map(ToString::to_string).collect();
                let text = format!("s SATISFIABLE\nv {} 0\n", numbers.join(" "));
                let read = answer(&mut text.as_bytes()).unwrap();
                assert_eq!(placed(&read, Some(&notes)).unwrap(), solution(), "{case}");
                // By the names that are true.
                let holds = |lit: i32| model.contains(&lit);
                let names = notes.names.iter().filter(|(_, lit)| holds(lit.to_ipasir()));
                let names = names.map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(" ");
                let read = answer(&mut names.as_bytes()).unwrap();
                assert_eq!(placed(&read, Some(&notes)).unwrap(), solution(), "{case}: {names}");
            }
        }
    }
}

#[test]
fn where_one_variable_says_both_squares_of_a_row_the_answer_is_read_by_the_comments() {
    // It is not the name of a square: false, it places a queen on the other one.
    let board = Board::new(2).unwrap().with_piece(Piece::Rook);
    let solution: Placement = [(1, 2), (2, 1)].map(Square::from).into_iter().collect();
    for format in Format::ALL {
        for id in ["order", "binary", "binary+selectors", "bryant-circuit:binary"] {
            let notes = file(format, id, &board, &Numbering::AS_GENERATED);
            let true_literals: Vec<_> =
                solution.squares().flat_map(|square| notes.squares[&square].clone()).collect();
            let value =
                |(name, lit): (&String, &Lit)| format!("({name} {})", true_literals.contains(lit));
            let values: Vec<String> = notes.names.iter().map(value).collect();
            let text = format!("sat ({})", values.join(" "));
            let read = answer(&mut text.as_bytes()).unwrap();
            assert_eq!(placed(&read, Some(&notes)).unwrap(), solution, "{id} as {format}: {text}");
            assert!(placed(&read, None).is_err(), "{id} as {format}: {text}");
        }
    }
}

#[test]
fn the_board_is_read_with_all_that_is_given_on_it() {
    let square = |row, column| Square::from((row, column));
    let given = Board::new(12).unwrap().with_geometry(bezzel_queens::Geometry::Torus);
    let given = given.with_placed([square(2, 3)]).unwrap();
    let given = given.with_blocked((1..=12).map(|column| square(7, column))).unwrap();
    for board in [
        Board::new(1).unwrap(),
        Board::new(5).unwrap().with_piece(bezzel_queens::Piece::Rook),
        given.clone(),
        given.with_piece(bezzel_queens::Piece::Rook),
    ] {
        for format in Format::ALL {
            let notes = file(format, "pairwise", &board, &Numbering::random(1));
            assert_eq!(
                comments::board(&notes).unwrap().as_ref(),
                Some(&board),
                "{format} of {board}"
            );
        }
    }
    let nothing = notes(&mut &b"c hello\np cnf 1 1\n1 0\n"[..]).unwrap();
    assert_eq!(comments::board(&nothing), Ok(None));
    let wrong = notes(&mut &b"c board: torus 4x5\n"[..]).unwrap();
    assert!(comments::board(&wrong).is_err());
}

#[test]
fn deep_parentheses_are_refused() {
    let read = answer(&mut "(".repeat(1_000_000).as_bytes());
    let error = read.and_then(|answer| placed(&answer, None)).unwrap_err().to_string();
    assert!(error.contains("too many parentheses in each other"), "{error}");
}

#[test]
fn garbage_is_no_answer_and_nothing_else_happens() {
    let notes = file(Format::Dimacs, "pairwise", &four(), &Numbering::AS_GENERATED);
    let mut state = 7_u32;
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b"svc SATqx_{},()=\"|;~-0129\n\t\xff\xc3 "[(state >> 16) as usize % 30]
    };
    for length in 0..3000 {
        let garbage: Vec<u8> = (0..length % 61).map(|_| byte()).collect();
        for head in ["", "s SATISFIABLE\n", "sat\n(", "v 1 ", "SAT\n"] {
            let text = [head.as_bytes(), &garbage].concat();
            if let Ok(read) = answer(&mut text.as_slice()) {
                for notes in [None, Some(&notes)] {
                    if let Ok(placement) = placed(&read, notes) {
                        assert!(placement.squares().len() <= text.len());
                    }
                }
            }
        }
    }
}
