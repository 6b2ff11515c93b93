//! Files that are right, and files that must be refused.

use std::io::{self, BufReader, Read};

use bezzel_problem::FileError;
use bezzel_queens::Square;
use rustsat::types::Lit;

use bezzel_encode::Formula;
use bezzel_encode::format::read::{FormulaComments, ReadFormula, dimacs, square_named};

fn read(text: &str) -> Result<ReadFormula, FileError> {
    dimacs(&mut text.as_bytes())
}

fn lit(number: i32) -> Lit {
    Lit::from_ipasir(number).unwrap()
}

fn clauses(formula: &Formula) -> Vec<Vec<i32>> {
    let numbers = |clause: &[Lit]| clause.iter().map(|lit| lit.to_ipasir()).collect();
    formula.clauses().map(numbers).collect()
}

#[test]
fn clauses_are_read_however_they_are_laid_out() {
    let text = "c hello\nc\n\n  p  cnf 3\t4 \r\n1 -2\n 3 0 -1 0\r\nc between\n0 2\nc within\n-2 0";
    let ReadFormula { formula, notes } = read(text).unwrap();
    assert_eq!(formula.variables(), 3);
    assert_eq!(clauses(&formula), [vec![1, -2, 3], vec![-1], vec![], vec![2, -2]]);
    assert_eq!(notes, FormulaComments::default());
    assert!(read("p cnf 0 0\n").unwrap().formula.is_empty());
    // A byte order mark, and the end of files of SATLIB.
    for text in
        ["\u{feff}p cnf 2 1\r\n1 2 0", "p cnf 2 1\n 1 2 0\n%\n0\n\n", "p cnf 2 1\n1 2 0\n%\n"]
    {
        assert_eq!(clauses(&read(text).unwrap().formula), [vec![1, 2]], "{text}");
    }
}

#[test]
fn a_formula_of_another_program_is_read_by_the_names_of_its_variables() {
    let text = "c varname 1 x_{1,1}\nc varname 3 ~x_{2,12}\nc varname 2 q_2_1\nc varname 4 s_{1,1}\n\
                p cnf 4 0\n";
    let notes = read(text).unwrap().notes;
    let expected = [((1, 1), vec![lit(1)]), ((2, 1), vec![lit(2)]), ((2, 12), vec![lit(-3)])];
    let expected = expected.map(|(square, cube)| (Square::from(square), cube));
    assert!(notes.squares.into_iter().eq(expected));
    assert_eq!(notes.names["s_{1,1}"], lit(4));
}

#[test]
fn names_tell_their_square_where_only_one_is_meant() {
    let square = |row, column| Some(Square::from((row, column)));
    for name in ["x_{3,12}", "q_3_12", "p3_12", "p_3_12", "3,12", "x3,12"] {
        assert_eq!(square_named(name), square(3, 12), "{name}");
    }
    assert_eq!(square_named("p34"), square(3, 4));
    for name in
        ["p111", "34", "s_1_2", "x_{1,2", "x_1,2}", "x_0_1", "q_1_2_3", "x", "", "x_{+1,2}", "x17"]
    {
        assert_eq!(square_named(name), None, "{name}");
    }
}

#[test]
fn comments_that_only_begin_like_ours_are_comments_like_others() {
    let text = "c square dance\nc squares 1,1 1\nc varname\nc varname one x\nc queens: of hearts\n\
                cnf\nc square\np cnf 1 0\n";
    assert_eq!(read(text).unwrap().notes, FormulaComments::default());
}

#[test]
fn invalid_dimacs_is_refused_with_its_place() {
    // The reader of headers and clauses is that of constraint files, whose refusals have a record of their own.
    let cases = [
        ("", "1, column 1: the file ends without a header: it is `p cnf V C`, with the numbers of"),
        ("p knf 1 1\n", "1, column 3: a header `p knf` is not read: it is `p cnf V C`, with"),
        ("p cnf 2 1\n1 c 0\n", "2, column 3: `c` is no literal: it is a number as `3` or `-3`"),
        ("c \u{e9}\u{e9} square 1,1\nc square 1,1 é\n", "2, column 14: `é` is not a literal"),
        ("c square 1,1 1\nc square 1,1 1\n", "2, column 10: the square 1,1 is described a second"),
        ("c varname 1 a\nc varname 2 a\n", "2, column 11: the name `a` was given before"),
        ("c queens: 1,1 1;2\n", "1, column 15: `1;2` is not a square"),
    ];
    for (text, expected) in cases {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(&format!("line {expected}")), "{text:?}: {error}");
    }
}

#[test]
fn garbage_is_refused_and_nothing_else_happens() {
    // Bytes that look like all parts of a file, by a generator of its own.
    let mut state = 1_u32;
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b"cp nf0123456789-\n\t\r, _{}~xq\x00\xff\xc3\xa9:"[(state >> 16) as usize % 32]
    };
    for length in 0..2000 {
        let garbage: Vec<u8> = (0..length % 97).map(|_| byte()).collect();
        for head in ["", "p cnf 9 9\n", "c square 1,1", "c varname 1", "c queens:"] {
            let text = [head.as_bytes(), &garbage].concat();
            if let Ok(found) = dimacs(&mut text.as_slice()) {
                assert!(found.formula.len() <= text.len());
            }
        }
    }
}

/// Returns one text again and again, a number of times, and then fails.
struct Endless {
    text: &'static [u8],
    times: u64,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.times == 0 {
            return Err(io::Error::other("torn"));
        }
        self.times -= 1;
        buffer[..self.text.len()].copy_from_slice(self.text);
        Ok(self.text.len())
    }
}

#[test]
fn a_line_without_end_takes_no_memory_and_an_error_of_the_file_is_reported() {
    for head in [&b"c "[..], b"p cnf ", b"p cnf 1 1\n", b"c square 1,1 "] {
        for (times, expected) in [(1, "cannot be read: torn"), (20_000, "which is not read")] {
            let rest = Endless { text: &[b'7'; 4096], times };
            let error = dimacs(&mut BufReader::new(head.chain(rest))).unwrap_err().to_string();
            assert!(error.ends_with(expected), "{error}");
        }
    }
}
