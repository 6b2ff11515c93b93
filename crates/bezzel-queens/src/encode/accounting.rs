//! The gates of Bryant's circuit, section by section.
//!
//! His Table 1 counts operations of two operands "that are at least quadratic in N"; complements and literals are free.
//! For the one-hot encoding it is right to the leading term. For the binary one it charges bits(N) ANDs for a selector
//! of bits(N) literals, which takes one less: N² too many. (With the exclusive-nors it would be 2·bits(N) − 1.)

use std::fmt::{self, Write as _};
use std::iter::Sum;
use std::ops::Add;

use super::bryant::{CONFLICT, OVERALL, Positions, ROW, SELECT, UNIQUE};
use bezzel_encode::size::bits;

/// bits·bits(N)·N² + square·N² + linear·N + constant, where bits(N) = ⌈log₂ N⌉.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Polynomial {
    /// The coefficient of bits(N)·N².
    pub bits: i64,
    /// The coefficient of N².
    pub square: i64,
    /// The coefficient of N.
    pub linear: i64,
    /// The constant term.
    pub constant: i64,
}

impl Polynomial {
    const fn new(bits: i64, square: i64, linear: i64, constant: i64) -> Self {
        Self { bits, square, linear, constant }
    }

    /// The value at N = `n`.
    pub fn at(self, n: u64) -> i128 {
        let [b, s, l, c] = [self.bits, self.square, self.linear, self.constant].map(i128::from);
        let width = i128::from(bits(n));
        let n = i128::from(n);
        (b * width + s) * n * n + l * n + c
    }

    /// The terms that are at least quadratic, as in the printed table.
    #[must_use]
    pub fn leading(self) -> Self {
        Self { linear: 0, constant: 0, ..self }
    }
}

impl Add for Polynomial {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            bits: self.bits + other.bits,
            square: self.square + other.square,
            linear: self.linear + other.linear,
            constant: self.constant + other.constant,
        }
    }
}

impl Sum for Polynomial {
    fn sum<I: Iterator<Item = Self>>(polynomials: I) -> Self {
        polynomials.fold(Self::default(), Add::add)
    }
}

/// As in `11·N² − 18·N + 5`, `(bits(N) + 7)·N² − 14·N + 5`.
impl fmt::Display for Polynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        if self.bits != 0 && self.square != 0 {
            let mut factor = String::new();
            term(&mut factor, self.bits, "bits(N)")?;
            term(&mut factor, self.square, "")?;
            write!(text, "({factor})·N²")?;
        } else {
            term(&mut text, self.bits, "bits(N)·N²")?;
            term(&mut text, self.square, "N²")?;
        }
        term(&mut text, self.linear, "N")?;
        term(&mut text, self.constant, "")?;
        f.pad(if text.is_empty() { "0" } else { &text })
    }
}

/// Adds `coefficient` times `factor` to the text of a sum.
fn term(sum: &mut String, coefficient: i64, factor: &str) -> fmt::Result {
    let sign = match (coefficient.signum(), sum.is_empty()) {
        (0, _) => return Ok(()),
        (1, true) => "",
        (1, false) => " + ",
        (_, true) => "−",
        (_, false) => " − ",
    };
    match (coefficient.unsigned_abs(), factor) {
        (1, factor) if !factor.is_empty() => write!(sum, "{sign}{factor}"),
        (number, "") => write!(sum, "{sign}{number}"),
        (number, factor) => write!(sum, "{sign}{number}·{factor}"),
    }
}

/// One section's operations on the plane, for N ≥ 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// The section.
    pub section: &'static str,
    /// Operations as the paper states them, those with constants included.
    pub written: Polynomial,
    /// Gates with constants folded and E(r,N) not built: the number that
    /// [`Circuit::operations`](bezzel_encode::circuit::Circuit::operations) counts as built.
    pub built: Polynomial,
}

/// Every section's account, in order.
pub fn accounts(positions: Positions) -> [Account; 5] {
    let [select, unique] = match positions {
        Positions::OneHot => [
            [Polynomial::default(); 2],
            [Polynomial::new(0, 4, 0, 0), Polynomial::new(0, 4, -5, 0)],
        ],
        Positions::Binary => [
            [Polynomial::new(1, -1, 0, 0), Polynomial::new(1, -1, 0, 0)],
            [Polynomial::new(0, 1, 0, 0), Polynomial::new(0, 1, -1, 0)],
        ],
    };
    let conflict = [Polynomial::new(0, 3, -3, 0), Polynomial::new(0, 3, -8, 4)];
    let row = [Polynomial::new(0, 4, 0, 0), Polynomial::new(0, 4, -6, 2)];
    let overall = [Polynomial::new(0, 0, 1, -1); 2];
    [(SELECT, select), (UNIQUE, unique), (CONFLICT, conflict), (ROW, row), (OVERALL, overall)]
        .map(|(section, [written, built])| Account { section, written, built })
}

#[cfg(test)]
mod tests {
    use crate::Board;

    use super::*;
    use crate::encode::bryant::Bryant;

    const BOTH: [Positions; 2] = [Positions::OneHot, Positions::Binary];

    fn built(positions: Positions, side: u32) -> Vec<bezzel_encode::circuit::Operations> {
        let bryant = Bryant { positions, columns: false };
        bryant.build(&Board::new(side).unwrap()).operations()
    }

    #[test]
    fn every_section_has_as_many_operations_as_its_closed_forms_say() {
        for positions in BOTH {
            for side in 2..=64 {
                let operations = built(positions, side);
                let accounts = accounts(positions);
                assert_eq!(operations.len(), accounts.len());
                for (counted, account) in operations.iter().zip(accounts) {
                    assert_eq!(counted.section, account.section);
                    let n = u64::from(side);
                    let place = format!("{} {positions:?} N = {n}", account.section);
                    assert_eq!(i128::from(counted.written), account.written.at(n), "{place}");
                    assert_eq!(i128::from(counted.built), account.built.at(n), "{place}");
                }
            }
        }
    }

    #[test]
    fn a_board_of_one_square_has_no_gate() {
        for positions in BOTH {
            assert!(built(positions, 1).iter().all(|section| section.built == 0));
        }
    }

    #[test]
    fn the_unused_gates_are_one_left_and_one_right_of_every_inner_row() {
        for positions in BOTH {
            for side in 2..=32 {
                for section in built(positions, side) {
                    let unused =
                        if section.section == CONFLICT { 2 * u64::from(side - 2) } else { 0 };
                    assert_eq!(section.built - section.reachable, unused);
                }
            }
        }
    }

    #[test]
    fn totals_are_the_written_ones_and_the_exact_ones() {
        let total = BOTH.map(|positions| {
            let accounts = accounts(positions);
            let written: Polynomial = accounts.iter().map(|account| account.written).sum();
            let built: Polynomial = accounts.iter().map(|account| account.built).sum();
            [written, built].map(|polynomial| polynomial.to_string())
        });
        assert_eq!(total[0], ["11·N² − 2·N − 1", "11·N² − 18·N + 5"]);
        assert_eq!(total[1], ["(bits(N) + 7)·N² − 2·N − 1", "(bits(N) + 7)·N² − 14·N + 5"]);
    }

    #[test]
    fn a_polynomial_reads_as_one_writes_it() {
        let read = |bits, square, linear, constant| {
            Polynomial::new(bits, square, linear, constant).to_string()
        };
        assert_eq!(read(0, 0, 0, 0), "0");
        assert_eq!(read(0, 0, 1, -1), "N − 1");
        assert_eq!(read(1, 0, 0, 0), "bits(N)·N²");
        assert_eq!(read(1, -1, 0, 0), "(bits(N) − 1)·N²");
        assert_eq!(read(0, -3, -1, 4), "−3·N² − N + 4");
    }
}
