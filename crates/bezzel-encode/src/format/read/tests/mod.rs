//! Files and answers as they are, and as they should not be.

mod answers;
mod formulas;

use super::{answer, dimacs};

#[test]
fn words_lines_and_white_space_without_end_are_refused_where_they_begin() {
    use std::io::{BufReader, Read, repeat};

    let endless = |begin: &'static str, byte: u8| {
        let from = BufReader::with_capacity(1 << 16, begin.as_bytes().chain(repeat(byte)));
        dimacs(&mut { from }).map(drop).unwrap_err().to_string()
    };
    let told = |place: &str, what: &str, most: &str| {
        format!("{place}: {what} of more than {most} KiB begins here, which is not read")
    };
    let header = "p cnf 4 1\n";
    assert_eq!(endless(header, 0), told("line 2, column 1", "a word", "64"));
    assert_eq!(endless("p cnf 4 1\nc", b'x'), told("line 2, column 2", "a line", "16384"));
    assert_eq!(endless(header, b' '), told("line 2, column 1", "white space", "16384"));
    let quoted = BufReader::new(b"sat (\"".chain(repeat(b'q')));
    let error = answer(&mut { quoted }).unwrap_err().to_string();
    assert_eq!(error, told("line 1, column 6", "a text in quotes", "16384"));
}
