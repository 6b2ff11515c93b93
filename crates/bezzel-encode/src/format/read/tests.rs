//! Words without end are refused.

use super::{answer, dimacs};

#[test]
fn words_lines_and_white_space_without_end_are_refused_where_they_begin() {
    use std::io::{BufReader, Read, repeat};

    let endless = |begin: &'static str, byte: u8| {
        let from = BufReader::with_capacity(1 << 16, begin.as_bytes().chain(repeat(byte)));
        dimacs(&mut { from }).map(drop).unwrap_err().to_string()
    };
    let expected = |place: &str| {
        let what = "a word, a line or white space of more than 64 MiB begins here";
        format!("{place}: {what}, which is not read")
    };
    let header = "p cnf 4 1\n";
    assert_eq!(endless(header, 0), expected("line 2, column 1"));
    assert_eq!(endless("p cnf 4 1\nc", b'x'), expected("line 2, column 2"));
    assert_eq!(endless(header, b' '), expected("line 1, column 10"));
    let quoted = BufReader::new(b"sat (\"".chain(repeat(b'q')));
    let error = answer(&mut { quoted }).unwrap_err().to_string();
    assert_eq!(error, expected("line 1, column 7"));
}
