//! Answers in every form of solvers, and texts in no such form.

use bezzel_queens::{Board, Piece, Placement, Square};
use rustsat::types::Lit;

use bezzel_encode::Constraints;
use bezzel_encode::Registry;
use bezzel_encode::format::Format;
use bezzel_encode::format::dimacs::Preamble;
use bezzel_encode::format::read::{FormulaComments, ReadAnswer, SolverVerdict, answer, notes};
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

fn error_text(text: &str, notes: Option<&FormulaComments>) -> String {
    let read = answer(&mut text.as_bytes()).and_then(|answer| placed(&answer, notes));
    read.unwrap_err().to_string()
}

#[test]
fn every_form_of_an_answer_means_the_same_board() {
    let notes = file(Format::Dimacs, "pairwise", &four(), &Numbering::AS_GENERATED);
    let sat = Some(SolverVerdict::Sat);
    let with_file = [
        // CaDiCaL, Kissat, PicoSAT: lines end anywhere, comments stand anywhere, `v` before `s`.
        (
            "c hello\ns SATISFIABLE\nv -1 2 -3 -4\nc 99\nv -5 -6 -7 8 9 -10\nv -11 -12 -13 -14 15 -16 0\n",
            sat,
        ),
        ("v 2 8\nv 9 15 0\ns SATISFIABLE\n", sat),
        // MiniSat's result file, and one with the relevant variables only.
        ("SAT\n-1 2 -3 -4 -5 -6 -7 8 9 -10 -11 -12 -13 -14 15 -16 0\n", sat),
        ("SAT\r\n15 9 8 2 0\r\n", sat),
        // clasp, MiniSat+, RoundingSat.
        ("c Solving\nv x2 -x3 x8 x9 x15\ns SATISFIABLE\n", sat),
        ("o 12\ns OPTIMUM FOUND\nv -x1 x2 x8 x9\nv x15", sat),
        ("s SATISFIABLE\nv ~x1 x2 x8 x9 x15\n", sat),
        // The true variables, by number or by the file's name.
        ("2 8 9 15", None),
        ("x_{1,2}\nx_{2,4} x_{3,1}, x_{4,3}\n", None),
    ];
    for (text, verdict) in with_file {
        let read = answer(&mut text.as_bytes()).unwrap();
        assert_eq!(read.verdict, verdict, "{text}");
        assert_eq!(placed(&read, Some(&notes)).unwrap(), solution(), "{text}");
    }
    let without = [
        // Z3.
        (
            "sat\n(\n  (define-fun q_1_2 () Bool\n    true)\n  (define-fun q_2_4 () Bool\n    true)\n  \
             (define-fun q_1_1 () Bool\n    false)\n (define-fun q_3_1 () Bool true)\n (define-fun \
             q_4_3 () Bool true)\n (define-fun a_17 () Bool true)\n)\n",
            sat,
        ),
        // cvc4, with the word that the older standard has, and quoted symbols.
        (
            "sat\n(model\n(define-fun |q_1_2| () Bool true)\n(define-fun q_2_4 () Bool true) \
             (define-fun q_3_1 () Bool true) (define-fun q_4_3 () Bool true) ; end\n)",
            sat,
        ),
        // Yices 2 and 1, the latter as in Zantema's text.
        (
            "sat\n(= q_1_2 true)\n(= q_2_4 true)\n(= q_3_1 true)\n(= q_4_3 true)\n(= q_1_1 false)",
            sat,
        ),
        ("sat\nMODEL\n(= p12 true)\n(= p24 true)\n(= p31 true)\n(= p43 true)\n----\n", sat),
        // (get-value …)
        ("sat\n((q_1_2 true) (q_2_4 true)\n (q_3_1 true) (q_4_3 true) (q_4_4 false))\n", sat),
        // A list of the true variables.
        ("p12, p24, p31, p43", None),
        ("1,2 2,4 3,1 4,3\n", None),
        ("q_1_2 q_2_4 q_3_1 not_q_4_4 q_4_3 ~q_1_1", None),
    ];
    for (text, verdict) in without {
        let read = answer(&mut text.as_bytes()).unwrap();
        assert_eq!(read.verdict, verdict, "{text}");
        // With the file or without it.
        for notes in [None, Some(&notes)] {
            assert_eq!(placed(&read, notes).unwrap(), solution(), "{text}");
        }
    }
}

#[test]
fn answers_without_a_model_say_so() {
    for (text, verdict) in [
        ("s UNSATISFIABLE\n", SolverVerdict::Unsat),
        ("c x\ns UNKNOWN", SolverVerdict::Unknown),
        ("UNSAT\n", SolverVerdict::Unsat),
        ("INDET", SolverVerdict::Unknown),
        ("unsat\n(error \"line 5 column 36: model is not (available)\")\n", SolverVerdict::Unsat),
        ("unknown\n", SolverVerdict::Unknown),
    ] {
        let read = answer(&mut text.as_bytes()).unwrap();
        assert_eq!((read.verdict, read.has_values()), (Some(verdict), false), "{text}");
    }
}

#[test]
fn an_answer_with_a_part_missing_is_told_from_a_whole_one() {
    for (text, is_cut_off) in [
        ("s SATISFIABLE\nv 1 -2 0\n", false),
        ("SAT\n1 -2 0\n", false),
        ("SAT\n1 -2", true),
        ("s SATISFIABLE\nv 1 -2\n", true),
        ("s SATISFIABLE\n", true),
        ("\u{feff}s SATISFIABLE\r\nv 1 -2\r\n", true),
        // Answers of names and lists of numbers have no 0.
        ("s SATISFIABLE\nv x1 -x2\n", false),
        ("1 -2\n", false),
        ("UNSAT\n", false),
    ] {
        assert_eq!(answer(&mut text.as_bytes()).unwrap().is_cut_off(), is_cut_off, "{text:?}");
    }
}

#[test]
fn every_format_and_numbering_is_decoded_by_its_own_comments() {
    let polarity = Numbering { polarity: Some(4), ..Numbering::random(9) };
    for format in Format::ALL {
        for id in ["pairwise", "binary", "bitwise"] {
            for numbering in [Numbering::AS_GENERATED, polarity] {
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
fn an_invalid_answer_is_refused_with_its_place() {
    let notes = file(Format::Dimacs, "pairwise", &four(), &Numbering::AS_GENERATED);
    let cases = [
        (
            "s SATISFIED\n",
            "line 1, column 1: `s SATISFIED` is no verdict: it is SATISFIABLE, UNSATISFIABLE or UNKNOWN",
        ),
        ("s SATISFIABLE\ns SATISFIABLE\n", "line 2, column 1: a second verdict: an answer has one"),
        ("sat\nv 1 0\nunsat\n", "line 3, column 1: a second verdict: an answer has one"),
        (
            "v 1 2 0\nv 3 0\n",
            "line 2, column 3: a second answer begins here, after the 0: give one",
        ),
        ("v 1 -1 0\n", "line 1, column 5: the variable 1 is both true and false"),
        (
            "s SATISFIABLE\nv 1 two 0\n",
            "line 2, column 5: `two` is neither a value nor a name that the comments of the file \
             give",
        ),
        (
            "v 1 99999999999 0",
            "line 1, column 5: `99999999999` is neither a value nor a name that the comments of \
             the file give",
        ),
        ("q_1_1 not_q_1_1\n", "line 1, column 7: `q_1_1` is both true and false"),
        ("sat\n((q_1_1 true)\n", "line 3, column 1: the text ends within parentheses"),
        ("sat\n)\n", "line 2, column 1: `)` closes nothing"),
        ("(error \"no\n", "line 1, column 8: the quote is not closed"),
        (
            "hello world",
            "line 1, column 1: `hello` is neither a value nor a name that the comments of the \
             file give",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(error_text(text, Some(&notes)), expected, "{text:?}");
    }
    let deep = "(".repeat(1_000_000);
    assert!(error_text(&deep, None).contains("too many parentheses in each other"));
    assert_eq!(
        error_text("s SATISFIABLE\nv 1 2 0\n", None),
        "line 2, column 3: a number means nothing without the file that numbers the variables: \
         give it by --cnf FILE"
    );
    assert_eq!(
        error_text("q_1_1 queen\n", None),
        "line 1, column 7: `queen` is neither a value nor the name of a square: squares are \
         called `q_3_12`, `x_{3,12}` or `3,12`; other names need the file that was solved, by \
         --cnf FILE"
    );
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
