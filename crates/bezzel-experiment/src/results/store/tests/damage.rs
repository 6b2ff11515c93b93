//! Damaged files: every accepted row equals the row that was written.

use std::collections::HashMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{line, read, row, start};
use crate::model::job::Key;
use crate::model::row::Row;
use crate::results::store::checksum::{self, Damage};
use crate::results::store::{NewEntry, SessionName, SessionStart, line_of};

const ROWS: usize = 6;

fn original() -> (Vec<u8>, HashMap<Key, Row>) {
    let text = (0..ROWS).flat_map(|number| line(&row(number))).collect();
    (text, (0..ROWS).map(|number| (row(number).key, row(number))).collect())
}

/// The first line of the session.
fn first_line() -> Vec<u8> {
    line_of(NewEntry::Session(&start(1)))
}

/// Reads a damaged file, and compares each accepted row with the original. Returns the number of accepted rows.
fn accepted(bytes: &[u8], rows: &HashMap<Key, Row>, what: &str) -> usize {
    let (_, found) = read(&[&first_line(), bytes].concat());
    found.by_key.iter().for_each(|(key, row)| {
        assert_eq!(rows.get(key), Some(row), "silently wrong: {what}");
    });
    assert!(found.disagreeing.is_empty(), "{what}");
    found.by_key.len()
}

#[test]
fn files_cut_at_every_byte_keep_all_rows_before_the_cut() {
    let (text, rows) = original();
    let mut tried = 0;
    for cut in 0..text.len() {
        let whole = text[..cut].split(|&byte| byte == b'\n').count() - 1;
        for zeros in [0, 1, 4096] {
            let damaged = [&text[..cut], &vec![0; zeros]].concat();
            assert_eq!(accepted(&damaged, &rows, &format!("cut at {cut}")), whole);
            let (found, _) = read(&[&first_line()[..], &damaged].concat());
            assert_eq!(found.damaged, [], "a torn tail is no damaged line");
            let begun = text[..cut].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            let torn = found.torn.first().map_or(0, |(_, bytes)| *bytes);
            assert_eq!(torn, (damaged.len() - begun) as u64);
            tried += 1;
        }
    }
    assert!(tried > 10_000, "{tried}");
}

#[test]
fn a_flipped_bit_is_found_wherever_it_is() {
    let (text, rows) = original();
    let mut tried = 0;
    for at in 0..text.len() {
        for bit in [0, 3, 7] {
            let mut damaged = text.clone();
            damaged[at] ^= 1 << bit;
            let left = accepted(&damaged, &rows, &format!("bit {bit} of byte {at}"));
            // A flipped line break damages the two lines that it joins.
            let lost = if text[at] == b'\n' { 2 } else { 1 };
            assert!(left >= ROWS - lost, "{left} rows are left at byte {at}");
            assert!(left < ROWS, "nothing was lost at byte {at}");
            tried += 1;
        }
    }
    assert!(tried > 10_000, "{tried}");
}

fn check_damage(cases: u32) {
    let (text, rows) = original();
    let mut random = ChaCha8Rng::seed_from_u64(1848);
    for case in 0..cases {
        let mut damaged = text.clone();
        let from = random.random_range(0..text.len());
        let length = random.random_range(1..600).min(text.len() - from);
        let piece = from..from + length;
        match case % 6 {
            0 => damaged[piece].fill(0),
            1 => damaged[piece].fill_with(|| random.random()),
            2 => {
                damaged.drain(piece);
            }
            3 => {
                let copy = damaged[piece].to_vec();
                let to = random.random_range(0..damaged.len());
                damaged.splice(to..to, copy);
            }
            // The start of one row and the end of another.
            4 => {
                let to = random.random_range(0..text.len() - length);
                damaged.copy_within(piece, to);
            }
            _ => {
                for _ in 0..random.random_range(2..9) {
                    let at = random.random_range(0..damaged.len());
                    damaged[at] ^= 1 << random.random_range(0..8);
                }
            }
        }
        accepted(&damaged, &rows, &format!("case {case}"));
    }
}

#[test]
fn zeros_garbage_and_moved_pieces_within_a_file_are_passed_over() {
    check_damage(300);
}

#[test]
#[ignore = "second tier: 6,000 damaged files"]
fn many_zeros_and_much_garbage_within_a_file_are_passed_over() {
    check_damage(6_000);
}

#[test]
fn rows_behind_zeros_are_read_and_the_zeros_counted() {
    let (text, rows) = original();
    let second = text.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    // The first row, including its line break, was not stored.
    let mut damaged = text.clone();
    damaged[..second].fill(0);
    assert_eq!(accepted(&damaged, &rows, "a hole"), ROWS - 1);
    let (found, _) = read(&[first_line(), damaged].concat());
    assert_eq!(found.damaged.len(), 1);
    assert_eq!(found.damaged[0].line, 2);
}

#[test]
fn a_row_with_the_checksum_of_another_row_is_refused() {
    let (first, second) = (line(&row(1)), line(&row(2)));
    let checksum_at = |line: &[u8]| line.len() - 19;
    let swapped = [&first[..checksum_at(&first)], &second[checksum_at(&second)..]].concat();
    let content = checksum::checked(swapped.strip_suffix(b"\n").unwrap());
    assert_eq!(content, Err(Damage::WrongChecksum));
}

#[test]
fn moved_and_doubled_lines_are_read_as_those_of_the_undamaged_file() {
    let (text, rows) = original();
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let first = first_line();
    lines.extend([&first[..], &first[..]]);
    lines.extend_from_within(1..3);
    lines.reverse();
    let (sessions, found) = read(&lines.concat());
    assert_eq!((sessions.list.len(), &sessions.damaged[..]), (1, &[][..]));
    assert_eq!(found.by_key, rows);
    assert!(found.disagreeing.is_empty() && found.repeated.is_empty());
}

#[test]
fn a_file_without_a_readable_first_line_is_left_out() {
    let (text, _) = original();
    let mut first = first_line();
    first[20] ^= 1;
    for damaged in [text.clone(), [&first[..], &text].concat()] {
        let (sessions, found) = read(&damaged);
        assert_eq!((sessions.list.len(), found.by_key.len()), (0, 0));
        assert_eq!(sessions.without_start, [format!("{}.jsonl", super::NAME)]);
    }
    // A name that is a path, and another format.
    for text in ["/tmp/x", "zzz", "2026-11-26T12.44.07Z-a/b-7"] {
        let name = SessionName::of_file(text);
        let first = line_of(NewEntry::Session(&SessionStart { name, ..start(1) }));
        assert_eq!(read(&[first, line(&row(1))].concat()).0.list.len(), 0, "{text}");
    }
    let older = line_of(NewEntry::Session(&SessionStart { format: 0, ..start(1) }));
    assert_eq!(read(&[older, line(&row(1))].concat()).0.list.len(), 0);
}

#[test]
fn sessions_that_were_joined_in_one_file_keep_their_rows() {
    let other = line_of(NewEntry::Session(&start(2)));
    let joined = [&first_line()[..], &line(&row(1)), &other, &line(&row(2)), &line(&row(3))];
    let (sessions, found) = read(&joined.concat());
    assert_eq!((sessions.list.len(), &sessions.damaged[..]), (2, &[][..]));
    let session = |number: usize| found.by_key[&row(number).key].session;
    assert_eq!([1, 2, 3].map(session), [0, 1, 1]);
}
