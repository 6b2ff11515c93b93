//! The constraints as the file writes them, from its bytes alone, to test solutions.
//!
//! This reads files that were read before, so it refuses nothing. It shares no code with the reader and the normal
//! form, since it checks the results of encoders. A file is read once for all its solutions.

use std::collections::{BTreeMap, HashMap};

use num_bigint::BigInt;

use crate::solution::Solution;

/// The constraints of a file in its order. Groups in comments count as the clauses do.
#[derive(Default)]
pub(super) struct StatedConstraints {
    constraints: Vec<StatedConstraint>,
    /// The literals of all constraints: numbers of variables, negative if they are negated.
    literals: Vec<i32>,
    /// The weight of each literal. Empty for CNF and KNF files, whose weights are all 1.
    weights: Vec<i64>,
    /// The weights that do not fit there, by their places, and the bounds that do not fit, by their constraints.
    large_weights: BTreeMap<usize, BigInt>,
    large_bounds: BTreeMap<usize, BigInt>,
    /// The other factors of terms that are products, by the places of their first ones.
    factors: BTreeMap<usize, Vec<i32>>,
    objective: Option<Vec<StatedTerm>>,
}

/// A term of the objective: its weight, and the literals of its product.
struct StatedTerm {
    weight: BigInt,
    factors: Vec<i32>,
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
        let bytes = if bytes.starts_with(&[0xef, 0xbb, 0xbf]) { &bytes[3..] } else { bytes };
        let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii_start);
        // The first line that is no comment of DIMACS is its header.
        let first = lines.filter(|line| !line.is_empty()).find(|line| line[0] != b'c');
        match first {
            Some([b'p', blank, rest @ ..])
                if blank.is_ascii_whitespace()
                    && rest.trim_ascii().first().is_some_and(u8::is_ascii_alphabetic) =>
            {
                stated.dimacs(bytes);
            }
            _ => stated.opb(bytes),
        }
        stated
    }

    /// The number of the first constraint that the solution violates, with its line, both from 1.
    pub(super) fn violated(&self, solution: &Solution) -> Option<(u64, u64)> {
        let holds = |place: usize| {
            let others = self.factors.get(&place).into_iter().flatten();
            others.chain([&self.literals[place]]).all(|&literal| is_true(literal, solution))
        };
        let mut start = 0;
        for (number, constraint) in (1..).zip(&self.constraints) {
            let places = (start..constraint.end).filter(|&place| holds(place));
            let weight =
                |place: usize| self.weights.get(place).map_or(1, |&weight| i128::from(weight));
            let sum: i128 = places.map(weight).sum();
            let order = if self.large_weights.is_empty() && self.large_bounds.is_empty() {
                sum.cmp(&constraint.bound.into())
            } else {
                let large = self.large_weights.range(start..constraint.end);
                let large = large.filter(|&(&place, _)| holds(place));
                let sum = BigInt::from(sum) + large.map(|(_, weight)| weight).sum::<BigInt>();
                let bound = self.large_bounds.get(&(number as usize - 1));
                sum.cmp(bound.unwrap_or(&constraint.bound.into()))
            };
            let is_satisfied = match constraint.relation {
                StatedRelation::AtMost => order.is_le(),
                StatedRelation::Equal => order.is_eq(),
                StatedRelation::AtLeast => order.is_ge(),
            };
            if !is_satisfied {
                return Some((number, constraint.line));
            }
            start = constraint.end;
        }
        None
    }

    /// The value of the objective; none if there is none.
    pub(super) fn value(&self, solution: &Solution) -> Option<BigInt> {
        let held = |term: &&StatedTerm| term.factors.iter().all(|&it| is_true(it, solution));
        Some(self.objective.as_ref()?.iter().filter(held).map(|term| &term.weight).sum())
    }

    /// Adds the weight of the literal that comes next.
    fn weigh(&mut self, weight: BigInt) {
        if let Ok(weight) = i64::try_from(&weight) {
            self.weights.push(weight);
        } else {
            self.large_weights.insert(self.weights.len(), weight);
            self.weights.push(0);
        }
    }

    /// Takes the terms of these literals away, which are the last ones.
    fn taken(&mut self, open: &mut Vec<i128>) -> Vec<StatedTerm> {
        let first = self.weights.len() - open.len();
        let weights = self.weights.split_off(first);
        let mut large = self.large_weights.split_off(&first);
        let mut factors = self.factors.split_off(&first);
        let term = |(place, (literal, weight)): (usize, (i128, i64))| {
            let mut factors = factors.remove(&place).unwrap_or_default();
            factors.push(literal as i32);
            StatedTerm { weight: large.remove(&place).unwrap_or_else(|| weight.into()), factors }
        };
        (first..).zip(open.drain(..).zip(weights)).map(term).collect()
    }

    /// Adds a constraint that begins in this line.
    fn add(
        &mut self,
        literals: impl Iterator<Item = i128>,
        relation: &str,
        bound: BigInt,
        line: u64,
    ) {
        self.literals.extend(literals.map(|literal| literal as i32));
        let relation = match relation {
            "<=" => StatedRelation::AtMost,
            "=" => StatedRelation::Equal,
            _ => StatedRelation::AtLeast,
        };
        let end = self.literals.len();
        let bound = i64::try_from(&bound).unwrap_or_else(|_| {
            self.large_bounds.insert(self.constraints.len(), bound);
            0
        });
        self.constraints.push(StatedConstraint { end, relation, bound, line });
    }

    fn dimacs(&mut self, bytes: &[u8]) {
        let (mut is_cnf, mut has_weights) = (false, false);
        // The literals of a constraint that has not ended. A group in a comment may stand between them.
        let mut open = Vec::new();
        let (mut bound, mut start) = (BigInt::from(1), None);
        // The relation that was read, if its bound comes next.
        let mut relation = None;
        for (line, number) in bytes.split(|&byte| byte == b'\n').zip(1..) {
            let words = || {
                let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
                words.map(|word| std::str::from_utf8(word).unwrap_or_default())
            };
            match words().next() {
                Some("p") => {
                    is_cnf = words().nth(1) == Some("cnf");
                    has_weights = words().nth(1) == Some("cnf+");
                }
                Some("c") if is_cnf => {
                    let relation = match words().nth(1) {
                        Some("amo") => "<=",
                        Some("alo") => ">=",
                        Some("eo" | "exactly-one") => "=",
                        _ => continue,
                    };
                    // Only whole numbers make a group.
                    let is_number = |word: &str| {
                        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
                        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
                    };
                    if words().count() < 3 || !words().skip(2).all(is_number) {
                        continue;
                    }
                    let literals = words().skip(2).map(whole).take_while(|&literal| literal != 0);
                    self.add(literals, relation, 1.into(), number);
                }
                Some(word) if word.starts_with('c') => {}
                // Files of SATLIB end so.
                Some("%") if open.is_empty() && start.is_none() => break,
                // A first word that is not UTF-8 is in a comment.
                None | Some("") => {}
                Some(_) => {
                    for word in words() {
                        let first = *start.get_or_insert(number);
                        if word == "k" || word.ends_with('=') {
                            relation = Some(word);
                            continue;
                        }
                        if word == "w" {
                            continue;
                        }
                        let (weight, literal) = word.split_once('*').unwrap_or(("1", word));
                        let value = whole(literal);
                        let is_end = match relation.take() {
                            Some("k") => {
                                bound = large(word);
                                false
                            }
                            Some(relation) => {
                                self.add(open.drain(..), relation, large(word), first);
                                true
                            }
                            None if value == 0 => {
                                self.add(open.drain(..), ">=", bound.clone(), first);
                                true
                            }
                            None => {
                                open.push(value);
                                if has_weights {
                                    self.weigh(large(weight));
                                }
                                false
                            }
                        };
                        if is_end {
                            (bound, start) = (1.into(), None);
                        }
                    }
                }
            }
        }
    }

    fn opb(&mut self, bytes: &[u8]) {
        let numbers = variables(bytes);
        let mut open = Vec::new();
        let (mut start, mut negative, mut is_negated) = (None, false, false);
        let mut coefficient: Option<BigInt> = None;
        let mut relation = None;
        // The word before the `:` of an objective or of a set of variables, and the name that was read last.
        let (mut directive, mut last) = (None, "");
        // A name that comes next is a factor of the last term.
        let mut is_in_term = false;
        opb_parts(bytes, &mut |part, line| {
            // Labels, and the fractions of an objective.
            if part.starts_with(['@', '.']) {
                return;
            }
            let first = *start.get_or_insert(line);
            match part {
                ";" => {
                    let sign = if negative { -1 } else { 1 };
                    let bound = coefficient.take().unwrap_or_default() * sign;
                    if let Some(word) = directive {
                        let terms = self.taken(&mut open);
                        if matches!(word, "min" | "max") {
                            self.objective = Some(terms);
                        }
                    } else {
                        let shift = match relation {
                            Some(">") => 1,
                            Some("<") => -1,
                            _ => 0,
                        };
                        let relation = match relation {
                            Some("<" | "<=") => "<=",
                            Some("=") => "=",
                            _ => ">=",
                        };
                        self.add(open.drain(..), relation, bound + shift, first);
                    }
                    (start, relation) = (None, None);
                    (negative, is_negated, is_in_term, directive) = (false, false, false, None);
                }
                ":" => {
                    directive = Some(last);
                    drop(self.taken(&mut open));
                    is_in_term = false;
                }
                "+" | "-" => (negative, is_in_term) = (part == "-", false),
                "~" => is_negated = true,
                "<" | ">" | "=" | "<=" | ">=" => relation = Some(part),
                _ if part.starts_with(|first: char| first.is_ascii_digit()) => {
                    coefficient = Some(large(part));
                    is_in_term = false;
                }
                name if is_in_term => {
                    let variable = numbers.get(name).copied().unwrap_or_else(|| whole(&name[1..]));
                    let literal = if is_negated { -variable } else { variable };
                    let factors = self.factors.entry(self.weights.len() - 1).or_default();
                    factors.push(literal as i32);
                    is_negated = false;
                }
                name => {
                    (is_in_term, last) = (true, name);
                    let weight = coefficient.take().unwrap_or_else(|| 1.into());
                    self.weigh(if negative { -weight } else { weight });
                    let variable = numbers.get(name).copied().unwrap_or_else(|| whole(&name[1..]));
                    open.push(if is_negated { -variable } else { variable });
                    (negative, is_negated) = (false, false);
                }
            }
        });
    }
}

fn is_true(literal: i32, solution: &Solution) -> bool {
    solution.chooses(literal.unsigned_abs() - 1) == (literal > 0)
}

/// The variables by their names, in the order in which these occur. None are named if each is `x` and its number.
fn variables(bytes: &[u8]) -> HashMap<&str, i128> {
    let mut numbers = HashMap::new();
    let (mut is_numbered, mut last) = (true, "");
    opb_parts(bytes, &mut |part, _| {
        // The word before a `:` is no variable, so a name counts once the part behind it is known.
        let is_name =
            |first: char| first.is_ascii_alphabetic() || first == '_' || !first.is_ascii();
        if last.starts_with(is_name) && part != ":" {
            let digits = last.strip_prefix('x').unwrap_or_default();
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            is_numbered &= is_number && digits.bytes().any(|byte| byte != b'0');
            let next = numbers.len() as i128 + 1;
            numbers.entry(last).or_insert(next);
        }
        last = part;
    });
    if is_numbered {
        numbers.clear();
    }
    numbers
}

/// Passes each part of an OPB file with its line: digits, a name, a relation, a label, or one sign.
fn opb_parts<'a>(bytes: &'a [u8], each: &mut dyn FnMut(&'a str, u64)) {
    for (line, number) in bytes.split(|&byte| byte == b'\n').zip(1..) {
        let mut rest = line.trim_ascii();
        if rest.starts_with(b"*") {
            continue;
        }
        while let Some(&byte) = rest.first() {
            let in_name = |byte: u8| {
                byte.is_ascii_alphanumeric()
                    || !byte.is_ascii()
                    || b"_[]{}()^.,'$#@|/".contains(&byte)
            };
            let length = match byte {
                b'0'..=b'9' => rest.iter().take_while(|byte| byte.is_ascii_digit()).count(),
                b'<' | b'>' | b'=' => rest.iter().take_while(|byte| b"<>=".contains(byte)).count(),
                b'@' => rest.iter().take_while(|byte| !byte.is_ascii_whitespace()).count(),
                b'.' => 1 + rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count(),
                _ if in_name(byte) => rest.iter().take_while(|&&byte| in_name(byte)).count(),
                _ => 1,
            };
            // A label may be any text.
            let part = if byte == b'@' {
                "@"
            } else {
                std::str::from_utf8(&rest[..length]).unwrap_or("@")
            };
            each(part, number);
            rest = rest[length..].trim_ascii_start();
        }
    }
}

/// The whole number; 0 if it is none.
fn whole(word: &str) -> i128 {
    word.parse().unwrap_or(0)
}

/// The whole number of any size; 0 if it is none.
fn large(word: &str) -> BigInt {
    word.parse().unwrap_or_default()
}
