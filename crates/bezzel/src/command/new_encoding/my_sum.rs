//! The my-sum encoder of weighted sums: REPLACE by its effect, in one sentence.
//!
//! *Idea.* REPLACE: the way in which inputs that weigh more than the bound come to contradict each other. Here sᵢᵥ means
//! that some of the first i inputs hold and weigh v.
//!
//! *Clauses.* xᵢ → sᵢᵥ, where v is the weight of xᵢ; sᵢ₋₁ᵥ → sᵢᵥ; xᵢ ∧ sᵢ₋₁ᵤ → sᵢᵥ, where v is u and the weight of xᵢ, or ¬xᵢ ∨
//! ¬sᵢ₋₁ᵤ, if that is more than the bound. REPLACE by yours, as implications.
//!
//! *Size.* A variable for each i and v; a clause for each input, and two for each variable before the last input.
//! REPLACE.
//!
//! *Propagation of ≤.* Complete: REPLACE by the reason.
//!
//! *Models.* Free: REPLACE: the inputs determine the auxiliary variables or do not, and the reason.
//!
//! *Source.* REPLACE: authors, title, place and year, down to the section.
//!
//! *Departures.* REPLACE: the differences from the source. None, if there is no difference.

use rustsat::types::Lit;

use super::AtMostSum;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct MySum;

/// The most variables of a sum that is encoded.
const MAX_VARIABLES: usize = 20_000_000;

/// For each input, the weights up to the bound of some inputs up to it, ascending. None if there are too many.
fn columns(weights: &[u64], bound: u64) -> Option<Vec<Vec<u64>>> {
    let (mut columns, mut variables) = (Vec::new(), 0);
    let mut column = Vec::new();
    for weight in weights {
        let heavier: Vec<u64> = column.iter().map(|before| before + weight).collect();
        column.push(*weight);
        column.extend(heavier.into_iter().filter(|sum| *sum <= bound));
        column.sort_unstable();
        column.dedup();
        variables += column.len();
        if variables > MAX_VARIABLES {
            return None;
        }
        columns.push(column.clone());
    }
    Some(columns)
}

impl AtMostSum for MySum {
    fn about(&self) -> EncodingInfo {
        EncodingInfo {
            id: "my-sum".into(),
            title: "my-sum".into(),
            idea: "REPLACE: the idea in a sentence.".into(),
            citation: "REPLACE: authors and year".into(),
            // The checks confirm or refute both. Guess, and read the output of `bezzel check`.
            propagation: Propagation::Complete,
            auxiliaries: Auxiliaries::Free,
            ..EncodingInfo::default()
        }
    }

    // REPLACE. The numbers of auxiliary variables, clauses and literals; `None` refuses a sum that needs too many. Refuse it
    // before the lists that you make are long: the checks also ask for sums of 150 weights up to a million.
    fn size(&self, weights: &[u64], bound: u64) -> Option<Size> {
        let columns = columns(weights, bound)?;
        let mut size = Size::new(0, 1, 2);
        for (column, next) in columns.iter().zip(&weights[1..]) {
            let before = column.len() as u128;
            let within = column.iter().filter(|sum| *sum + next <= bound).count() as u128;
            size += Size::new(before, 1 + 2 * before, 2 + 4 * before + within);
        }
        let last = columns.last().map_or(0, Vec::len) as u128;
        Some(size + Size::new(last, 0, 0))
    }

    // REPLACE. `out.fresh(m)` makes m auxiliary variables, `out.clause(&[…])` states a clause. All inputs together weigh
    // more than the bound, and each weighs from 1 to the bound. Make variables only by `out.fresh`.
    fn at_most(&self, xs: &[Lit], weights: &[u64], bound: u64, out: &mut dyn ClauseSink) {
        let columns = columns(weights, bound).expect("`size` accepts the sum");
        let mut before: Vec<(u64, Lit)> = Vec::new();
        for ((&x, &weight), column) in xs.iter().zip(weights).zip(columns) {
            let made = out.fresh(column.len() as u32);
            let now: Vec<(u64, Lit)> = column.into_iter().zip(made.lits()).collect();
            let s = |sum: u64| {
                let place = now.binary_search_by_key(&sum, |&(sum, _)| sum);
                now[place.expect("each sum has a variable")].1
            };
            // xᵢ → sᵢᵥ
            out.clause(&[!x, s(weight)]);
            for &(sum, lit) in &before {
                // sᵢ₋₁ᵥ → sᵢᵥ
                out.clause(&[!lit, s(sum)]);
                // xᵢ ∧ sᵢ₋₁ᵤ → sᵢᵥ
                if sum + weight <= bound {
                    out.clause(&[!x, !lit, s(sum + weight)]);
                } else {
                    out.clause(&[!x, !lit]);
                }
            }
            before = now;
        }
    }
}
