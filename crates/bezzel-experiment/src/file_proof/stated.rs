//! The constraints of an OPB file under the numbers that VeriPB gives them.
//!
//! VeriPB reads a part of OPB: a constraint in each line, a coefficient before each variable, and one of `>=`, `<=` and `=`,
//! which has two numbers. Files with more are translated, as are those whose variables have other names than `x1`, `x2`, and
//! so on. The constraints of the problem are normal forms of those of the file, so each has a line of the file, or follows
//! from one by a division and without literals that must hold.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use bezzel_encode::certificate::Proof;
use bezzel_problem::weighted::{common_divisor, merge_terms};
use bezzel_problem::{Literal, Problem, Solution};

use super::premises::Premises;
use super::{lit, literals};

/// The way from a line of the file to a constraint.
enum Way {
    Same,
    /// By unit propagation.
    Propagation,
    /// By these steps of cutting planes.
    Steps(String),
}

/// The constraints of a file by the digests of their forms, each with the line that it follows from.
pub(super) struct StatedConstraints {
    lines: HashMap<u64, (u64, Way)>,
    constraints: u64,
    /// The terms of the objective, negated if it is a maximum.
    pub(super) objective: Option<Terms>,
}

/// A sum: literals with their weights.
pub(super) type Terms = Vec<(Literal, i128)>;

/// The sum of the weights of the literals that hold in a solution.
pub(super) fn value_of(terms: &Terms, solution: &Solution) -> i128 {
    let holds = |literal: Literal| solution.chooses(literal.candidate()) != literal.is_negated();
    terms.iter().filter(|&&(literal, _)| holds(literal)).map(|&(_, weight)| weight).sum()
}

#[derive(PartialEq)]
enum Token {
    Number(i64),
    Variable(u32),
    Negation,
    AtLeast,
    AtMost,
    Equal,
    End,
}

/// The words of a line; none if VeriPB reads it in another way, or not at all.
fn tokens(line: &str) -> Option<Vec<Token>> {
    let (mut rest, mut all) = (line.trim_ascii(), Vec::new());
    while let Some(first) = rest.bytes().next() {
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (token, length) = match first {
            b';' => (Token::End, 1),
            b'~' => (Token::Negation, 1),
            b'=' => (Token::Equal, 1),
            b'>' if rest[1..].starts_with('=') => (Token::AtLeast, 2),
            b'<' if rest[1..].starts_with('=') => (Token::AtMost, 2),
            b'x' => {
                let length = 1 + digits(&rest[1..]);
                let number =
                    rest[1..length].parse::<u32>().ok().filter(|_| !rest[1..].starts_with('0'))?;
                let follows = rest[length..].bytes().next();
                let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"_-^[]{}".contains(&byte);
                if follows.is_some_and(is_name) {
                    return None;
                }
                (Token::Variable(number - 1), length)
            }
            b'+' | b'-' | b'0'..=b'9' => {
                let sign = usize::from(!first.is_ascii_digit());
                let length = sign + digits(&rest[sign..]);
                (Token::Number(rest[..length].parse().ok()?), length)
            }
            _ => return None,
        };
        all.push(token);
        rest = rest[length..].trim_ascii_start();
    }
    Some(all)
}

/// The terms of a sum up to its relation, and what follows.
fn terms(mut tokens: &[Token]) -> (Terms, &[Token]) {
    let mut terms = Vec::new();
    loop {
        let (weight, literal, rest) = match tokens {
            [Token::Number(weight), Token::Variable(variable), rest @ ..] => {
                (weight, Literal::new(*variable, false), rest)
            }
            [Token::Number(weight), Token::Negation, Token::Variable(variable), rest @ ..] => {
                (weight, Literal::new(*variable, true), rest)
            }
            _ => return (terms, tokens),
        };
        terms.push((literal, i128::from(*weight)));
        tokens = rest;
    }
}

/// The sum with one positive weight for each variable, in their order.
fn normal(terms: &[(Literal, i128)], sign: i128, bound: i128) -> (Terms, i128) {
    let (signed, mut degree) =
        (terms.iter().map(|&(lit, weight)| (lit, sign * weight)), sign * bound);
    let mut terms = merge_terms(signed, &mut degree, Literal::candidate);
    terms.sort_unstable_by_key(|(literal, _)| literal.candidate());
    (terms, degree)
}

/// A number that is the same for equal constraints, and seldom the same for others.
fn digest(terms: &[(Literal, i128)], degree: i128) -> u64 {
    let mut hasher = DefaultHasher::new();
    (terms, degree).hash(&mut hasher);
    hasher.finish()
}

fn divisor(terms: &[(Literal, i128)]) -> i128 {
    common_divisor(terms.iter().map(|&(_, weight)| weight))
}

impl StatedConstraints {
    /// Reads a file; none if VeriPB reads it in another way, or not at all.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        let mut stated = Self { lines: HashMap::new(), constraints: 0, objective: None };
        for line in str::from_utf8(text).ok()?.lines().map(str::trim_ascii) {
            if line.is_empty() || line.starts_with('*') {
                continue;
            }
            if let Some(objective) = line.strip_prefix("min:").or(line.strip_prefix("max:")) {
                let tokens = tokens(objective)?;
                let (mut terms, [Token::End]) = terms(&tokens) else { return None };
                if line.starts_with("max:") {
                    for (_, weight) in &mut terms {
                        *weight = -*weight;
                    }
                }
                stated.objective = Some(terms);
                continue;
            }
            let tokens = tokens(line)?;
            let (terms, rest) = terms(&tokens);
            let [relation, Token::Number(bound), Token::End] = rest else { return None };
            let signs: &[i128] = match relation {
                Token::AtLeast => &[1],
                Token::AtMost => &[-1],
                Token::Equal => &[1, -1],
                _ => return None,
            };
            for &sign in signs {
                let (terms, degree) = normal(&terms, sign, (*bound).into());
                stated.constraints += 1;
                stated.add(terms, degree);
            }
        }
        Some(stated)
    }

    /// Adds the forms of a constraint under the last number.
    fn add(&mut self, mut terms: Terms, mut degree: i128) {
        let total = |terms: &Terms| terms.iter().map(|&(_, weight)| weight).sum::<i128>();
        if degree > total(&terms) {
            self.insert(&[], 1, Way::Same);
        }
        let mut steps = String::new();
        while degree > 0 && degree <= total(&terms) {
            let divisor = divisor(&terms);
            if divisor > 1 {
                for (_, weight) in &mut terms {
                    *weight /= divisor;
                }
                degree = (degree + divisor - 1) / divisor;
                let _ = write!(steps, " {divisor} d");
            }
            let way = if steps.is_empty() { Way::Same } else { Way::Steps(steps.clone()) };
            self.insert(&terms, degree, way);
            if terms.iter().all(|&(_, weight)| weight >= degree) {
                let clause: Terms = terms.iter().map(|&(literal, _)| (literal, 1)).collect();
                self.insert(&clause, 1, Way::Propagation);
            }
            // Without a literal whose weight is above the slack the number is not reached.
            let slack = total(&terms) - degree;
            let (units, rest): (Terms, Terms) =
                terms.iter().partition(|&&(_, weight)| weight > slack);
            for &(literal, weight) in &units {
                self.insert(&[(literal, 1)], 1, Way::Propagation);
                let sign = if literal.is_negated() { "" } else { "~" };
                let _ = write!(steps, " {sign}x{} {weight} * +", literal.candidate() + 1);
                degree -= weight;
            }
            if units.is_empty() {
                break;
            }
            terms = rest;
        }
    }

    fn insert(&mut self, terms: &[(Literal, i128)], degree: i128, way: Way) {
        self.lines.entry(digest(terms, degree)).or_insert((self.constraints, way));
    }

    /// The lines of the constraints of a problem, and the beginning of a proof that derives them; none if one of them is
    /// none of the file's. With a best solution the proof states it, the bound on others is a constraint of the file, and
    /// the value comes third.
    pub(super) fn premises(
        &mut self,
        problem: &Problem,
        best: Option<&Solution>,
    ) -> Option<(Premises, Proof, Option<i128>)> {
        let (mut proof, mut value) = (Proof::new(self.constraints), None);
        if let Some(best) = best {
            let terms = self.objective.clone()?;
            let least = value_of(&terms, best);
            self.constraints = proof.improve(&literals(best, problem.candidates()));
            let (terms, degree) = normal(&terms, -1, least - 1);
            self.add(terms, degree);
            value = Some(least);
        }
        let premises = Premises::by(problem, |terms, degree| {
            let wide: Terms =
                terms.iter().map(|&(literal, weight)| (literal, weight.into())).collect();
            let (wide, degree) = normal(&wide, 1, degree.into());
            Some(match self.lines.get(&digest(&wide, degree))? {
                (line, Way::Same) => *line,
                (line, Way::Steps(steps)) => proof.pol(&format!("{line}{steps}")),
                (line, Way::Propagation) => {
                    let clause: Vec<_> = terms.iter().map(|&(literal, _)| lit(literal)).collect();
                    proof.rup_by(&clause, &[*line])
                }
            })
        })?;
        Some((premises, proof, value))
    }
}
