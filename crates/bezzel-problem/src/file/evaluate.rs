//! The constraints as the file writes them, from its bytes alone, to test solutions.
//!
//! This reads files that were read before, so it refuses nothing. It shares no code with the reader and the normal
//! form, since it checks the results of encoders. A file is read once for all its solutions.

use crate::solution::Solution;

/// The constraints of a file in its order. Groups in comments count as the clauses do.
#[derive(Default)]
pub(super) struct StatedConstraints {
    constraints: Vec<StatedConstraint>,
    /// The literals of all constraints: numbers of variables, negative if they are negated.
    literals: Vec<i32>,
    /// The weight of each literal of an OPB file. Empty for a DIMACS file, whose weights are all 1.
    weights: Vec<i64>,
}

struct StatedConstraint {
    /// The number of literals of this constraint and of those before it.
    end: usize,
    relation: StatedRelation,
    bound: i64,
    /// The line of its beginning, from 1.
    line: u64,
}

#[derive(Clone, Copy)]
enum StatedRelation {
    AtMost,
    Equal,
    AtLeast,
}

impl StatedConstraints {
    /// Reads the constraints of a file.
    pub(super) fn read(bytes: &[u8]) -> Self {
        let mut stated = Self::default();
        match bytes.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'c' | b'p') => stated.dimacs(bytes),
            _ => stated.opb(bytes),
        }
        stated
    }

    /// The number of the first constraint that the solution violates, with its line, both from 1.
    pub(super) fn violated(&self, solution: &Solution) -> Option<(u64, u64)> {
        let holds = |literal: i32| solution.chooses(literal.unsigned_abs() - 1) == (literal > 0);
        let mut start = 0;
        for (number, constraint) in (1..).zip(&self.constraints) {
            let places = (start..constraint.end).filter(|&place| holds(self.literals[place]));
            let weight =
                |place: usize| self.weights.get(place).map_or(1, |&weight| i128::from(weight));
            let sum: i128 = places.map(weight).sum();
            let bound = i128::from(constraint.bound);
            let is_satisfied = match constraint.relation {
                StatedRelation::AtMost => sum <= bound,
                StatedRelation::Equal => sum == bound,
                StatedRelation::AtLeast => sum >= bound,
            };
            if !is_satisfied {
                return Some((number, constraint.line));
            }
            start = constraint.end;
        }
        None
    }

    /// Adds a constraint that begins in this line.
    fn add(
        &mut self,
        literals: impl Iterator<Item = i128>,
        relation: &str,
        bound: i128,
        line: u64,
    ) {
        self.literals.extend(literals.map(|literal| literal as i32));
        let relation = match relation {
            "<=" => StatedRelation::AtMost,
            "=" => StatedRelation::Equal,
            _ => StatedRelation::AtLeast,
        };
        let end = self.literals.len();
        self.constraints.push(StatedConstraint { end, relation, bound: bound as i64, line });
    }

    fn dimacs(&mut self, bytes: &[u8]) {
        let mut is_cnf = false;
        // The literals of a constraint that has not ended. A group in a comment may stand between them.
        let mut open = Vec::new();
        let (mut bound, mut start) = (1, None);
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
                    self.add(literals, relation, 1, number);
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
                                self.add(open.drain(..), relation, value, first);
                                true
                            }
                            None if value == 0 => {
                                self.add(open.drain(..), ">=", bound, first);
                                true
                            }
                            None => {
                                open.push(value);
                                false
                            }
                        };
                        if is_end {
                            (bound, start) = (1, None);
                        }
                    }
                }
            }
        }
    }

    fn opb(&mut self, bytes: &[u8]) {
        let (mut open, mut start) = (Vec::new(), None);
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
                                open.push(if is_negated { -value() } else { value() });
                                self.weights.push(weight as i64);
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
                        self.add(open.drain(..), relation.take().unwrap_or(">="), bound, first);
                        start = None;
                    }
                    digits => coefficient = Some(whole(digits)),
                }
            }
        }
    }
}

/// The whole number; 0 if it is none.
fn whole(word: &str) -> i128 {
    word.parse().unwrap_or(0)
}
