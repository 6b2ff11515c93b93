//! Finds closed forms from numbers.
//!
//! An encoding states its size as a function. The expression in n is found by solving for the coefficients of a few
//! terms. It is confirmed on every n up to some hundreds and on some up to the largest board. This is a proof only for
//! functions that are such expressions, and otherwise an aid for readers. A property checks that the function counts
//! the clauses.

use std::fmt::Write;

use bezzel_problem::MAX_SIDE;

use crate::size::Size;

/// The n up to which an expression is confirmed on every number.
const CONFIRMED: u64 = 300;

/// Larger ones on which it is confirmed too, where a size is known: groups of a thousand and cut-offs have an effect
/// only there, and no board has more rows than the last.
const FAR: [u64; 7] = [301, 512, 1000, 1001, 2001, 10_000, MAX_SIDE as u64];

/// The least number of n on which it is confirmed, where not all sizes are known.
const MIN_VALUES: usize = 100;

/// The largest n from which an expression may begin to hold.
const LATEST: u64 = 6;

/// A term: its text after the coefficient, with `n` for the variable, and its value.
struct GrowthTerm(&'static str, fn(i128) -> i128);

fn bits(n: i128) -> i128 {
    crate::size::bits(n as u64).into()
}

const ONE: GrowthTerm = GrowthTerm("", |_| 1);
const LINEAR: GrowthTerm = GrowthTerm("n", |n| n);
const SQUARE: GrowthTerm = GrowthTerm("n²", |n| n * n);
const CUBE: GrowthTerm = GrowthTerm("n³", |n| n * n * n);
const HALF: GrowthTerm = GrowthTerm("⌊n/2⌋", |n| n / 2);
const LOG: GrowthTerm = GrowthTerm("⌈log₂ n⌉", bits);
const LINEAR_LOG: GrowthTerm = GrowthTerm("n⌈log₂ n⌉", |n| n * bits(n));
const SQUARE_LOG: GrowthTerm = GrowthTerm("n²⌈log₂ n⌉", |n| n * n * bits(n));

/// The sets of terms that are tried, simple ones first. Terms are written from the last to the first.
const SETS: [&[GrowthTerm]; 7] = [
    &[ONE],
    &[ONE, LINEAR],
    &[ONE, LINEAR, SQUARE],
    &[ONE, HALF, LINEAR],
    &[ONE, LOG, LINEAR, LINEAR_LOG],
    &[ONE, LINEAR, SQUARE, CUBE],
    &[ONE, LINEAR, SQUARE, SQUARE_LOG],
];

/// The numbers of variables, clauses and literals as expressions in n; see [`form`].
pub(in super::super) fn forms(size: impl Fn(u64) -> Option<Size>) -> [Option<String>; 3] {
    let part = |part: fn(Size) -> u128| form(|n| Some(part(size(n)?)));
    [part(|size| size.variables), part(|size| size.clauses), part(|size| size.literals)]
}

/// An expression in n that equals `size` from some small n on; `None` if no tried expression does.
fn form(size: impl Fn(u64) -> Option<u128>) -> Option<String> {
    let values: Vec<i128> = (1..=CONFIRMED).map_while(|n| i128::try_from(size(n)?).ok()).collect();
    if values.len() < MIN_VALUES {
        return None;
    }
    // Few terms, even if they hold from later on, are better than many.
    for terms in SETS {
        for from in 1..=LATEST {
            let Some((coefficients, divisor)) = fit(terms, from, &values) else { continue };
            // More terms would give the same expression, or one that fits by chance.
            if !FAR.iter().all(|&n| goes_on(terms, &coefficients, divisor, n, size(n))) {
                return None;
            }
            let text = write(terms, &coefficients, divisor);
            return Some(if from <= 1 { text } else { format!("{text} for n ≥ {from}") });
        }
    }
    None
}

/// True if the expression gives this size, where one is known.
fn goes_on(
    terms: &[GrowthTerm],
    coefficients: &[i128],
    divisor: i128,
    n: u64,
    size: Option<u128>,
) -> bool {
    let values = terms.iter().zip(coefficients);
    let sum: i128 =
        values.map(|(GrowthTerm(_, value), coefficient)| coefficient * value(n.into())).sum();
    size.is_none_or(|size| i128::try_from(size).is_ok_and(|size| sum == divisor * size))
}

/// The whole numbers, over a common divisor, by which the terms give the values from `from` on.
fn fit(terms: &[GrowthTerm], from: u64, values: &[i128]) -> Option<(Vec<i128>, i128)> {
    let row = |n: u64| -> Vec<i128> {
        let known = terms.iter().map(|GrowthTerm(_, value)| value(n.into()));
        known.chain([values[n as usize - 1]]).collect()
    };
    // Rows with a leading 1 in a column of their own, kept as whole numbers over their lead.
    let mut pivots: Vec<(usize, Vec<i128>)> = Vec::new();
    for n in from..=values.len() as u64 {
        let mut left = row(n);
        for (lead, pivot) in &pivots {
            left = eliminate(&left, pivot, *lead);
        }
        let Some(lead) = left[..terms.len()].iter().position(|&value| value != 0) else {
            if left[terms.len()] != 0 {
                return None;
            }
            continue;
        };
        for (_, pivot) in &mut pivots {
            *pivot = eliminate(pivot, &left, lead);
        }
        pivots.push((lead, left));
    }
    if pivots.len() < terms.len() {
        return None;
    }
    pivots.sort_unstable_by_key(|&(lead, _)| lead);
    let divisor =
        pivots.iter().fold(1, |divisor, (lead, pivot)| lcm(divisor, lowest(pivot, *lead).1));
    let coefficients = pivots.iter().map(|(lead, pivot)| {
        let (over, under) = lowest(pivot, *lead);
        over * (divisor / under)
    });
    Some((coefficients.collect(), divisor))
}

/// The value of a solved row: a fraction in lowest terms, with a positive divisor.
fn lowest(pivot: &[i128], lead: usize) -> (i128, i128) {
    let (over, under) = (pivot[pivot.len() - 1], pivot[lead]);
    let common = gcd(over, under).max(1) * under.signum();
    (over / common, under / common)
}

/// The row without its entry at `lead`, in lowest whole numbers.
fn eliminate(row: &[i128], pivot: &[i128], lead: usize) -> Vec<i128> {
    if row[lead] == 0 {
        return row.to_vec();
    }
    let left: Vec<i128> =
        row.iter().zip(pivot).map(|(&a, &b)| a * pivot[lead] - b * row[lead]).collect();
    let common = left.iter().fold(0, |common, &value| gcd(common, value)).max(1);
    left.into_iter().map(|value| value / common).collect()
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

fn lcm(a: i128, b: i128) -> i128 {
    a / gcd(a, b) * b
}

/// As in `3n − 4` or `(5n³ − 6n² + 7n)/3`.
fn write(terms: &[GrowthTerm], coefficients: &[i128], divisor: i128) -> String {
    let mut text = String::new();
    for (GrowthTerm(name, _), &coefficient) in terms.iter().zip(coefficients).rev() {
        if coefficient == 0 {
            continue;
        }
        let sign = match (text.is_empty(), coefficient < 0) {
            (true, true) => "−",
            (true, false) => "",
            (false, true) => " − ",
            (false, false) => " + ",
        };
        text.push_str(sign);
        let amount = coefficient.abs();
        if amount != 1 || name.is_empty() {
            write!(text, "{amount}").expect("a string takes all text");
        }
        text.push_str(name);
    }
    if text.is_empty() {
        return "0".into();
    }
    match divisor {
        1 => text,
        _ if text.contains(' ') => format!("({text})/{divisor}"),
        _ => format!("{text}/{divisor}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(size: impl Fn(u128) -> u128) -> Option<String> {
        form(|n| Some(size(n.into())))
    }

    #[test]
    fn closed_forms_are_read_off_their_values() {
        assert_eq!(of(|_| 0).as_deref(), Some("0"));
        assert_eq!(of(|n| n * (n - 1) / 2).as_deref(), Some("(n² − n)/2"));
        assert_eq!(of(|n| n.saturating_sub(1)).as_deref(), Some("n − 1"));
        let counter = of(|n| if n < 2 { 0 } else { 3 * n - 4 });
        assert_eq!(counter.as_deref(), Some("3n − 4 for n ≥ 2"));
        assert_eq!(of(|n| 5 * n + n / 2).as_deref(), Some("5n + ⌊n/2⌋"));
        let board = of(|n| n * (n - 1) * (5 * n - 1) / 3 + 2 * n);
        assert_eq!(board.as_deref(), Some("(5n³ − 6n² + 7n)/3"));
        let bitwise = of(|n| n * u128::from(crate::size::bits(n as u64)));
        assert_eq!(bitwise.as_deref(), Some("n⌈log₂ n⌉"));
    }

    #[test]
    fn other_functions_have_no_expression() {
        assert_eq!(of(u128::isqrt), None);
        assert_eq!(of(|n| u128::from(n == 299)), None);
        // Groups of a thousand are pairwise until one is full.
        let bits = |n: u128| u128::from(crate::size::bits((n as u64).div_ceil(1000)));
        assert_eq!(of(bits), None);
        assert_eq!(of(|n| if n < 35_000 { n } else { 0 }), None);
        assert_eq!(form(|n| (n < 100).then_some(n.into())), None);
    }
}
