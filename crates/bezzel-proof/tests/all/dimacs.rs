//! DIMACS files: the content of right ones, and the errors for wrong ones.

use bezzel_proof::dimacs::{self, Header};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::formulas::{self, random, rooks};

fn read(text: impl AsRef<[u8]>) -> Result<(Header, Vec<Vec<i32>>), String> {
    let mut clauses = Vec::new();
    let header = dimacs::read(text.as_ref(), |clause| clauses.push(clause.to_vec()));
    header.map(|header| (header, clauses)).map_err(|error| error.to_string())
}

#[test]
fn a_written_formula_is_read_back() {
    for formula in [rooks(4, 3), random(1, 20, 90)] {
        let (header, clauses) = read(formulas::dimacs(&formula)).unwrap();
        assert_eq!(header.clauses, formula.len() as u64);
        assert_eq!(clauses, formula);
    }
}

#[test]
fn a_file_may_have_comments_and_clauses_over_lines() {
    let text = "c one\nc\n  p cnf\t3 4 \r\n1 -2\nc two\n 3 0 0\r\n2 2 0 -1\n-3 0\nc p cnf 1 1";
    let (header, clauses) = read(text).unwrap();
    assert_eq!(header, Header { variables: 3, clauses: 4 });
    assert_eq!(clauses, [vec![1, -2, 3], vec![], vec![2, 2], vec![-1, -3]]);
    assert_eq!(read("p cnf 0 0").unwrap().1.len(), 0);
    assert_eq!(read("p cnf 2147483647 1\n-2147483647 0").unwrap().1, [[-i32::MAX]]);
}

#[test]
fn an_invalid_formula_is_refused_with_its_line() {
    for (text, expected) in [
        ("", "line 1: there is no header `p cnf VARIABLES CLAUSES`"),
        ("1 0\n", "line 1: a clause stands before the header `p cnf VARIABLES CLAUSES`"),
        ("p cnf 1 1\np cnf 1 1\n1 0\n", "line 2: a second header"),
        ("p dnf 1 1\n1 0\n", "line 1: the header is not `p cnf VARIABLES CLAUSES`"),
        ("p cnf 1\n", "line 1: the number of clauses is missing"),
        ("p cnf 1 1 1\n", "line 1: something stands behind the header"),
        ("p cnf -1 1\n", "line 1: `-` stands where the number of variables is expected"),
        ("p cnf 2147483648 1\n", "line 1: the number of variables is more than 2147483647"),
        (
            "p cnf 1 18446744073709551616\n",
            "line 1: the number of clauses is more than 18446744073709551615",
        ),
        ("p cnf 2 2\n1 0\n2 0\n1 0\n", "line 4: there are more clauses than the 2 of the header"),
        ("p cnf 2 100000000\n1 0\n", "line 3: there are 1 clauses, and the header says 100000000"),
        ("p cnf 2 1\n1 3 0\n", "line 2: variable 3 is beyond the 2 that the header says"),
        ("p cnf 2 1\n\n1 2\n", "line 4: the last clause is not ended by 0"),
        ("p cnf 2 1\n1 -0\n", "line 2: -0 is not a literal"),
        ("p cnf 2 1\n1 --2 0\n", "line 2: `-` stands where a literal is expected"),
        ("p cnf 2 1\n1 - 0\n", "line 2: a literal is missing"),
        ("p cnf 2 1\n1 2 0\n%\n0\n", "line 3: `%` stands where a literal is expected"),
        ("p cnf 2 1\n1 c 0\n", "line 2: `c` stands where a literal is expected"),
        ("p cnf 2 1\n1 9223372036854775808 0\n", "line 2: a literal is more than 2147483647"),
        ("p cnf 2 1\n1\0 0\n", "line 2: `\\u{0}` stands where a literal is expected"),
    ] {
        assert_eq!(read(text), Err(expected.to_owned()), "{text:?}");
    }
}

fn check_any_bytes(texts: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let bytes = b"0123 -\n\n\rc p%\0\xff";
    let mut read_well = 0;
    for _ in 0..texts {
        let mut text = b"p cnf 30 2\n".to_vec();
        text.extend((0..rng.random_range(0..12)).map(|_| bytes[rng.random_range(0..bytes.len())]));
        read_well += usize::from(read(&text).is_ok());
    }
    assert!(read_well > texts / 2_000, "{read_well}");
}

#[test]
fn any_bytes_are_read_or_refused() {
    check_any_bytes(1_000);
}

#[test]
#[ignore = "second tier: 20,000 texts"]
fn many_bytes_are_read_or_refused() {
    check_any_bytes(20_000);
}
