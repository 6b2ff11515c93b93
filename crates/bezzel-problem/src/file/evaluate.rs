//! The constraints of a file under a solution, from the bytes of the file alone.
//!
//! This reads files that were read before, so it refuses nothing. It shares no code with the reader and the normal
//! form, since it checks the results of encoders.

use crate::solution::Solution;

/// The number of the first constraint of the file that the solution violates, with its line, both from 1. Groups in
/// comments count as the clauses do.
pub(super) fn violated(bytes: &[u8], solution: &Solution) -> Option<(u64, u64)> {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    let mut judge = Judge { solution, constraints: 0 };
    let line = match first {
        Some(b'c' | b'p') => judge.dimacs(bytes),
        _ => judge.opb(bytes),
    };
    line.map(|line| (judge.constraints, line))
}

struct Judge<'a> {
    solution: &'a Solution,
    constraints: u64,
}

impl Judge<'_> {
    /// True if the literal holds: a number of a variable, negative if it is negated.
    fn holds(&self, literal: i128) -> bool {
        self.solution.chooses((literal.unsigned_abs() - 1) as u32) == (literal > 0)
    }

    /// Counts a constraint, and tests it.
    fn admits(&mut self, sum: i128, relation: &str, bound: i128) -> bool {
        self.constraints += 1;
        match relation {
            "<=" => sum <= bound,
            "=" => sum == bound,
            _ => sum >= bound,
        }
    }

    /// The line of the first constraint that is violated.
    fn dimacs(&mut self, bytes: &[u8]) -> Option<u64> {
        let mut is_cnf = false;
        let (mut sum, mut bound, mut start) = (0, 1, None);
        // The relation that was read, if its bound comes next.
        let mut relation = None;
        for (line, number) in bytes.split(|&byte| byte == b'\n').zip(1..) {
            let words = || {
                let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
                words.map(|word| std::str::from_utf8(word).unwrap_or_default())
            };
            match words().next() {
                Some("p") => is_cnf = words().nth(1) == Some("cnf"),
                Some("c") if is_cnf => {
                    let relation = match words().nth(1) {
                        Some("amo") => "<=",
                        Some("alo") => ">=",
                        Some("eo" | "exactly-one") => "=",
                        _ => continue,
                    };
                    let is_number = |word: &str| {
                        word.starts_with(|first: char| {
                            "+-".contains(first) || first.is_ascii_digit()
                        })
                    };
                    if !words().nth(2).is_some_and(is_number) {
                        continue;
                    }
                    let literals = words().skip(2).map(whole).take_while(|&literal| literal != 0);
                    let sum = literals.filter(|&literal| self.holds(literal)).count();
                    if !self.admits(sum as i128, relation, 1) {
                        return Some(number);
                    }
                }
                Some(word) if word.starts_with('c') => {}
                // A first word that is not UTF-8 is in a comment.
                None | Some("") => {}
                Some(_) => {
                    for word in words() {
                        let first = *start.get_or_insert(number);
                        if word == "k" || word.ends_with('=') {
                            relation = Some(word);
                            continue;
                        }
                        let value = whole(word);
                        let is_end = match relation.take() {
                            Some("k") => {
                                bound = value;
                                false
                            }
                            Some(relation) => {
                                if !self.admits(sum, relation, value) {
                                    return Some(first);
                                }
                                true
                            }
                            None if value == 0 => {
                                if !self.admits(sum, ">=", bound) {
                                    return Some(first);
                                }
                                true
                            }
                            None => {
                                sum += i128::from(self.holds(value));
                                false
                            }
                        };
                        if is_end {
                            (sum, bound, start) = (0, 1, None);
                        }
                    }
                }
            }
        }
        None
    }

    /// The line of the first constraint that is violated.
    fn opb(&mut self, bytes: &[u8]) -> Option<u64> {
        let (mut sum, mut start) = (0, None);
        let mut coefficient = None;
        let mut relation = None;
        for (line, number) in bytes.split(|&byte| byte == b'\n').zip(1..) {
            let mut rest = line.trim_ascii();
            if rest.starts_with(b"*") {
                continue;
            }
            while let Some(&byte) = rest.first() {
                let first = *start.get_or_insert(number);
                // A part is digits, a relation, or one byte.
                let class = |byte: u8| match byte {
                    b'0'..=b'9' => 1,
                    b'<' | b'>' | b'=' => 2,
                    _ => 0,
                };
                let belongs = |&&other: &&u8| class(byte) != 0 && class(other) == class(byte);
                let length = 1 + rest[1..].iter().take_while(belongs).count();
                let part = std::str::from_utf8(&rest[..length]).unwrap_or_default();
                rest = rest[length..].trim_ascii_start();
                match part {
                    "+" | "-" | "~" | "x" => {
                        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                        let value = || whole(std::str::from_utf8(&rest[..digits]).unwrap_or("0"));
                        match part {
                            "-" => {
                                coefficient = Some(-value());
                                rest = rest[digits..].trim_ascii_start();
                            }
                            "x" => {
                                let weight: i128 = coefficient.take().unwrap_or(0);
                                let is_negated = relation.take() == Some("~");
                                if self.holds(value()) != is_negated {
                                    sum += weight;
                                }
                                rest = rest[digits..].trim_ascii_start();
                            }
                            "~" => relation = Some("~"),
                            _ => {}
                        }
                    }
                    ">=" | "<=" => relation = Some(part),
                    "=" => relation = Some("="),
                    ";" => {
                        let bound = coefficient.take().unwrap_or(0);
                        if !self.admits(sum, relation.take().unwrap_or(">="), bound) {
                            return Some(first);
                        }
                        (sum, start) = (0, None);
                    }
                    digits => coefficient = Some(whole(digits)),
                }
            }
        }
        None
    }
}

/// The whole number; 0 if it is none.
fn whole(word: &str) -> i128 {
    word.parse().unwrap_or(0)
}
