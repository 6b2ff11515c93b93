//! The requests of `bezzel encoder`: constraints on literals, with or without weights and a condition.

use bezzel_encode::amk::Limit;
use bezzel_encode::encoding::MAX_WEIGHT;
use bezzel_encode::sink::MAX_VARIABLES;
use bezzel_encode::{InputOrder, Lit};
use bezzel_experiment::quantity::grouped;

use super::repeated::{MergedConstraint, Term, conditional, merge};

/// The largest number of literals of a request.
const MAX_LITERALS: u32 = 1 << 24;

/// The largest sum of the weights of a request.
const MAX_TOTAL: u128 = i64::MAX as u128;

/// The first words of requests, with their constraints. `at-most-one` has no number K.
const WORDS: [(&str, Limit); 4] = [
    ("at-most-one", Limit::AtMost),
    ("at-most", Limit::AtMost),
    ("at-least", Limit::AtLeast),
    ("exactly", Limit::Exactly),
];

/// The word before the constraint of a request with weights, and the word before the condition.
const SUM: &str = "sum";
const IF: &str = "if";

/// A request as it is stated.
pub(super) struct StatedRequest {
    limit: Limit,
    bound: i128,
    terms: Vec<Term>,
    /// The number of variables before the auxiliary ones.
    top: u32,
    /// The literal without which the constraint need not hold.
    condition: Option<Lit>,
}

/// A request in the form that encoders take.
pub(super) struct Request {
    pub(super) constraints: Vec<MergedConstraint>,
    pub(super) top: u32,
    /// A literal that is added to each clause.
    pub(super) guard: Option<Lit>,
}

impl StatedRequest {
    pub(super) fn read(line: &str) -> Result<Self, String> {
        let mut words: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_sum = words.first() == Some(&SUM);
        if is_sum {
            words.remove(0);
        }
        let condition = match words.iter().rposition(|word| *word == IF) {
            Some(place) => match words.split_off(place)[..] {
                [_, lit] => Some(lit.to_owned()),
                _ => return Err(format!("one literal follows `{IF}`, and ends the request")),
            },
            None => None,
        };
        let mut words = words.into_iter();
        let word = words.next().unwrap_or_default();
        let known = &WORDS[usize::from(is_sum)..];
        let Some((_, limit)) = known.iter().find(|(known, _)| *known == word) else {
            let known: Vec<String> = known.iter().map(|(known, _)| format!("`{known}`")).collect();
            let known = known.join(", ");
            return Err(if is_sum {
                format!("one of {known} follows `{SUM}`, not `{word}`")
            } else {
                format!("a request begins with one of {known}, `{SUM}`, not with `{word}`")
            });
        };
        let name = if is_sum { "B" } else { "K" };
        let bound = if word == WORDS[0].0 { 1 } else { bound(words.next(), name)? };
        let n: u32 = number(words.next(), "N, the number of literals")?;
        if n > MAX_LITERALS {
            let most = grouped(MAX_LITERALS.into());
            return Err(format!("a request has at most {most} literals, not {n}"));
        }
        let weights: Vec<i128> = if is_sum {
            (0..n).map(|_| weight(words.next())).collect::<Result<_, _>>()?
        } else {
            vec![1; n as usize]
        };
        let (lits, top) = match words.next() {
            None => ((0..n).map(Lit::positive).collect::<Vec<Lit>>(), n),
            Some(top) => {
                let top = number(Some(top), "TOP, the variables before the auxiliary ones")?;
                (literals(words, n, top)?, top)
            }
        };
        let condition = condition.map(|word| literal(&word, top)).transpose()?;
        Ok(Self {
            limit: *limit,
            bound,
            terms: lits.into_iter().zip(weights).collect(),
            top,
            condition,
        })
    }

    /// True if there are no weights and no condition.
    pub(super) fn is_count(&self) -> bool {
        self.condition.is_none() && self.terms.iter().all(|&(_, weight)| weight == 1)
    }

    /// True if the bound is one or less.
    pub(super) fn is_of_one(&self) -> bool {
        self.bound <= 1
    }

    /// The request for an encoder, with its terms in this order. Without sums, a literal of weight w is w literals, and a
    /// condition is stated by the guard.
    pub(super) fn request(&self, takes_sums: bool, order: InputOrder) -> Result<Request, String> {
        let Self { limit, bound, top, .. } = *self;
        let (mut constraints, guard) = match self.condition {
            Some(condition) if takes_sums => {
                (conditional(limit, bound, &self.terms, condition), None)
            }
            condition => (vec![merge(limit, bound, self.terms.clone())], condition.map(|lit| !lit)),
        };
        for merged in &mut constraints {
            let total = merged.total();
            if total > MAX_TOTAL {
                let most = grouped(MAX_TOTAL);
                return Err(format!(
                    "the weights add up to {}; at most {most} is encoded",
                    grouped(total)
                ));
            }
            if !takes_sums && merged.terms.iter().any(|&(_, weight)| weight > 1) {
                if total > u128::from(MAX_WEIGHT).max(self.terms.len() as u128) {
                    return Err(format!(
                        "the weights add up to {}, and this encoder takes a literal of weight w as w literals, at most {}: \
                         take an encoder of docs/weighted-sums.md",
                        grouped(total),
                        grouped(MAX_WEIGHT.into())
                    ));
                }
                let copies = merged.terms.iter();
                let copies = copies.flat_map(|&(lit, weight)| (0..weight).map(move |_| (lit, 1)));
                merged.terms = copies.collect();
            }
            order.arrange(&mut merged.terms, 0, 1);
        }
        Ok(Request { constraints, top, guard })
    }
}

/// Reads the bound of a request, of any sign.
fn bound(word: Option<&str>, name: &str) -> Result<i128, String> {
    let Some(word) = word else { return Err(format!("{name}, the bound, is missing")) };
    let read = word.parse::<i128>().ok();
    let read =
        read.ok_or_else(|| format!("`{word}` is not {name}, the bound: it is a whole number"))?;
    // Farther bounds than any sum are alike.
    Ok(read.clamp(-(1 << 90), 1 << 90))
}

/// Reads a weight, of any sign.
fn weight(word: Option<&str>) -> Result<i128, String> {
    let Some(word) = word else {
        return Err("N weights follow N, and some are missing".to_owned());
    };
    let (most, read) = (i64::MAX, word.parse::<i64>().ok().filter(|weight| *weight > i64::MIN));
    read.map(i128::from).ok_or_else(|| {
        format!("`{word}` is not a weight: it is a whole number from -{most} to {most}")
    })
}

/// Reads a number of a request.
fn number<T: std::str::FromStr>(word: Option<&str>, meaning: &str) -> Result<T, String> {
    let Some(word) = word else { return Err(format!("{meaning}, is missing")) };
    word.parse().map_err(|_| format!("`{word}` is not {meaning}: it is a whole number from 0 on"))
}

/// Reads a literal of a variable from 1 to `top`.
fn literal(word: &str, top: u32) -> Result<Lit, String> {
    let number = word.parse::<i32>().ok().filter(|number| number.unsigned_abs() <= top);
    number.and_then(|number| Lit::from_ipasir(number).ok()).ok_or_else(|| {
        format!("`{word}` is not a literal: literals are 1 to {top} (TOP) and their negatives")
    })
}

/// Reads `n` literals of variables from 1 to `top`.
fn literals<'a>(
    words: impl Iterator<Item = &'a str>,
    n: u32,
    top: u32,
) -> Result<Vec<Lit>, String> {
    if top > MAX_VARIABLES {
        return Err(format!("TOP is {top}: a formula has at most {MAX_VARIABLES} variables"));
    }
    let lits = words.map(|word| literal(word, top)).collect::<Result<Vec<Lit>, _>>()?;
    if lits.len() != n as usize {
        return Err(format!("N is {n}, and {} literals follow", lits.len()));
    }
    Ok(lits)
}
