//! Certificates of weighted sums: `bezzel show --weights --certificate`, `bezzel check --sums --certify`.
//!
//! CaDiCaL finds the proofs of long sums. Its lemmas are steps of the certificate, so it need not be trusted.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use bezzel_encode::amk::Limit;
use bezzel_encode::certificate::{Certificate, Uncertified};
use bezzel_encode::properties::constraint::threshold_functions;
use bezzel_encode::properties::shapes::random_sums;
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{AtMostOne, ClauseSink, Formula, Lit};
use bezzel_experiment::file_proof::refute;
use bezzel_experiment::{Catalog, EncoderPrograms, Permission, program};

use super::{Checks, uncertified};
use crate::command::encoder;
use crate::failure::{CommandResult, Failure};

/// The conflicts after which a search for a proof is given up.
const MAX_CONFLICTS: u32 = 100_000;

/// The most literals of a formula with many inputs.
const MAX_LITERALS: u128 = 50_000;

/// The terms of the random sums.
const TERMS: usize = 20;

/// The certificate of one sum of at most a bound.
fn certificate(encoder: &dyn AtMostOne, sum: &SumLimit) -> Result<Certificate, Uncertified> {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(sum.weights.len() as u32).lits().collect();
    sum.encode(encoder, &xs, &mut formula);
    Certificate::of_sum(&formula, &sum.weights, sum.bound, &mut |formula| {
        refute(formula, MAX_CONFLICTS)
    })
}

/// The certificate of a sum that the user states.
pub(super) fn stated(
    id: &str,
    weights: &[u64],
    bound: u64,
    catalog: &Catalog,
) -> Result<Certificate, Failure> {
    let total: u64 = weights.iter().sum();
    if bound >= total {
        return Err(Failure::Input(format!(
            "--bound {bound}: nothing is to be proved, since the weights add up to {total}: take a bound below"
        )));
    }
    let sum = SumLimit { weights: weights.to_vec(), limit: Limit::AtMost, bound };
    let permission = Permission::of_names([id]);
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let encoder = encoder::of_sums(id, std::slice::from_ref(&sum), &mut programs, catalog)?;
    if sum.size(encoder.as_ref()).is_none() {
        return Err(Failure::Input(format!("`{id}` refuses this sum: its formula is too large")));
    }
    certificate(encoder.as_ref(), &sum).map_err(|why| uncertified(id, weights.len() as u32, &why))
}

/// Ten sums of twenty terms, with all kinds of weights and bounds.
fn long_sums() -> Vec<SumLimit> {
    let sums = random_sums(10, &(TERMS..=TERMS), 10);
    sums.into_iter().map(|sum| SumLimit { limit: Limit::AtMost, ..sum }).collect()
}

/// `bezzel check ID --sums --certify`: the threshold functions of up to four inputs, and ten random sums.
pub(in crate::command) fn certify(
    ids: &[String],
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let all = encoder::sum_ids(catalog);
    let ids = if ids.is_empty() { &all } else { ids };
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let (catalogue, long) = (threshold_functions(4, 4), long_sums());
    let (mut checks, mut failed) = (Checks::new()?, 0);
    for id in ids {
        let sums: Vec<SumLimit> = catalogue.iter().chain(&long).cloned().collect();
        let encoder = encoder::of_sums(id, &sums, &mut programs, catalog)?;
        let outcome = match certified(&encoder, (&catalogue, &long), &mut checks)? {
            Ok(text) => text,
            Err(fault) => {
                failed += 1;
                fault
            }
        };
        writeln!(out, "{}: {outcome}", encoder.info().id)?;
        out.flush()?;
    }
    checks.end(failed, ids.len(), out)
}

/// The outcome for one encoder, or its fault.
fn certified(
    encoder: &Arc<dyn AtMostOne>,
    (catalogue, long): (&[SumLimit], &[SumLimit]),
    checks: &mut Checks,
) -> Result<Result<String, String>, Failure> {
    let (mut count, mut bytes, mut large, mut unproved) = (0, 0, 0, 0);
    for sum in catalogue.iter().chain(long) {
        let n = sum.weights.len();
        let literals = sum.size(encoder.as_ref()).map_or(u128::MAX, |size| size.literals);
        if n == TERMS && literals > MAX_LITERALS {
            large += 1;
            continue;
        }
        let fault = match certificate(encoder.as_ref(), sum) {
            Ok(certificate) => {
                bytes = bytes.max(certificate.to_clauses.len() + certificate.to_constraint.len());
                count += usize::from(n == TERMS);
                checks.fault(&certificate, n as u32)?
            }
            // That no proof was found does not show that there is none.
            Err(Uncertified::Unproved) if n == TERMS => {
                unproved += 1;
                None
            }
            Err(why) => Some(format!("no certificate: {why}")),
        };
        if let Some(fault) = fault {
            let weights: Vec<String> = sum.weights.iter().map(u64::to_string).collect();
            return Ok(Err(format!(
                "at most {} with the weights {}: {fault}",
                sum.bound,
                weights.join(", ")
            )));
        }
    }
    let mut text = format!(
        "certified for the {} threshold functions of up to 4 inputs and {count} of {} sums of {TERMS} terms, {}, at most {} KB",
        catalogue.len(),
        long.len(),
        checks.word(),
        bytes.div_ceil(1_000)
    );
    if large > 0 {
        let _ = write!(text, "; {large} formulas are too large");
    }
    if unproved > 0 {
        let _ = write!(text, "; for {unproved} sums no proof was found");
    }
    Ok(Ok(text))
}
