//! Certificates of encoders: written by `bezzel show --certificate`, made and checked by `bezzel check --certify`.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

use bezzel_encode::certificate::{
    Certificate, MAX_INPUTS, MAX_INPUTS_OF_BOUNDS, Uncertified, check_witnesses,
};
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{AtMostOne, ClauseSink, Formula, Lit};
use bezzel_experiment::scratch::ScratchFolder;
use bezzel_experiment::{Catalog, EncoderPrograms, Permission, program};
use bezzel_queens::experiment::find_for_properties;

use crate::command::common::all_right;
use crate::command::encoder;
use crate::failure::{CommandResult, Failure, cannot, shown};
use crate::scratch;

mod sums;

pub(super) use sums::certify as certify_sums;

/// The program that checks the proofs.
const CHECKER: &str = "veripb";

/// The certificate of at most one of `n` inputs, or of at most k.
fn of_encoder(encoder: &dyn AtMostOne, n: u32, k: Option<u64>) -> Result<Certificate, Uncertified> {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(n).lits().collect();
    match k {
        None => encoder.encode(&xs, &mut formula),
        Some(k) => {
            let bounds = encoder.of_bounds().expect("an encoder of bounds");
            bounds.at_most(&xs, k, &mut formula);
        }
    }
    Certificate::new(&formula, n, k.unwrap_or(1) as u32)
}

/// Finds the encoders; without `k` at-most-one encodings. Programs are asked for these numbers of inputs.
fn find(
    ids: &[String],
    k: Option<u64>,
    numbers: &[u64],
    catalog: &Catalog,
) -> Result<Vec<Arc<dyn AtMostOne>>, Failure> {
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let find = |id: &String| {
        if let Some(k) = k {
            let shapes = encoder::shapes(k, numbers.iter().copied());
            return encoder::of_bounds(id, &shapes, &mut programs, catalog);
        }
        match find_for_properties(&mut programs, id).map_err(Failure::input)? {
            NamedEncoding::AtMostOne(encoding) => Ok(encoding),
            NamedEncoding::Mixture(_) | NamedEncoding::Whole(_) => Err(Failure::Input(format!(
                "`{id}` encodes more than one constraint: certificates are of at-most-one encodings, \
                 and with --k of encoders of at most k"
            ))),
        }
    };
    ids.iter().map(find).collect()
}

/// Refuses a k for which nothing is certified.
fn refuse_k(k: Option<u64>) -> Result<(), Failure> {
    let max = u64::from(MAX_INPUTS_OF_BOUNDS) - 1;
    match k {
        Some(k) if !(1..=max).contains(&k) => {
            Err(Failure::Input(format!("certificates need --k from 1 to {max}, not {k}")))
        }
        _ => Ok(()),
    }
}

/// `bezzel show ID --certificate [N] -o FILE`: writes the two proofs and the two formulas, of a sum if there is one.
pub(super) fn write(
    ids: &[String],
    (n, k): (Option<u32>, Option<u64>),
    sum: Option<(Vec<u64>, u64)>,
    file: &Path,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    refuse_k(k)?;
    let [id] = ids else {
        return Err(Failure::Input("--certificate takes one encoder".into()));
    };
    let (certificate, n) = match (sum, n) {
        (Some(_), Some(n)) => {
            return Err(Failure::Input(format!(
                "--weights states the number of inputs: `--certificate` instead of `--certificate {n}`"
            )));
        }
        (Some((weights, bound)), None) => {
            (sums::stated(id, &weights, bound, catalog)?, weights.len() as u32)
        }
        (None, Some(n)) => (of_count(ids, n, k, catalog)?, n),
        (None, None) => {
            return Err(Failure::Input(
                "--certificate needs a number of inputs, as in `--certificate 16`, or --weights and --bound".into(),
            ));
        }
    };
    scan(&certificate, n).map_err(Failure::Work)?;
    let [constraint, clauses, to_clauses, to_constraint] =
        write_files(&certificate, file).map_err(|(path, error)| cannot("write", &path)(error))?;
    for [from, proof, to] in
        [[&constraint, &to_clauses, &clauses], [&clauses, &to_constraint, &constraint]]
    {
        let [from, proof, to] = [from, proof, to].map(|path| shown(path));
        writeln!(out, "{CHECKER} {from} {proof} {to}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The certificate for a number of inputs without weights.
fn of_count(
    ids: &[String],
    n: u32,
    k: Option<u64>,
    catalog: &Catalog,
) -> Result<Certificate, Failure> {
    let (least, max) = match k {
        None | Some(1) => (2, MAX_INPUTS),
        Some(k) => (k as u32 + 1, MAX_INPUTS_OF_BOUNDS),
    };
    if !(least..=max).contains(&n) {
        return Err(Failure::Input(format!(
            "--certificate takes {least} to {max} inputs here, not {n}"
        )));
    }
    let found = find(ids, k, &[n.into()], catalog)?.remove(0);
    of_encoder(&*found, n, k).map_err(|why| uncertified(&found.info().id, n, &why))
}

/// Scans both proofs for witnesses that name inputs.
fn scan(certificate: &Certificate, n: u32) -> Result<(), String> {
    check_witnesses(&certificate.to_clauses, n)
        .and_then(|()| check_witnesses(&certificate.to_constraint, n))
        .map_err(|line| {
            format!("the witness of a step is no assignment of auxiliary variables: {line}")
        })
}

fn uncertified(id: &str, n: u32, why: &Uncertified) -> Failure {
    Failure::Work(format!("{id} has no certificate for {n} inputs: {why}"))
}

/// Writes the constraint, the clauses, and the proofs to each of them, beside `file`.
fn write_files(
    certificate: &Certificate,
    file: &Path,
) -> Result<[PathBuf; 4], (PathBuf, std::io::Error)> {
    let texts = [
        ("constraint.opb", &certificate.constraint),
        ("clauses.opb", &certificate.clauses),
        ("to-clauses.pbp", &certificate.to_clauses),
        ("to-constraint.pbp", &certificate.to_constraint),
    ];
    let mut paths = texts.map(|(end, _)| file.with_extension(end));
    for (path, (_, text)) in paths.iter_mut().zip(texts) {
        fs::write(&*path, text).map_err(|error| (path.clone(), error))?;
    }
    Ok(paths)
}

/// The outcome of the outside checker.
enum Outcome {
    Verified,
    /// With its output.
    Refused(String),
    Missing,
}

/// The checks of certificates: a scan, and VeriPB unless it is missing.
struct Checks {
    scratch: ScratchFolder,
    is_missing: bool,
}

impl Checks {
    fn new() -> Result<Self, Failure> {
        Ok(Self { scratch: scratch::new("certificates")?, is_missing: false })
    }

    /// The fault of a certificate, if it has one.
    fn fault(&mut self, certificate: &Certificate, n: u32) -> Result<Option<String>, Failure> {
        if let Err(fault) = scan(certificate, n) {
            return Ok(Some(fault));
        }
        if self.is_missing {
            return Ok(None);
        }
        match check_outside(certificate, self.scratch.path())? {
            Outcome::Verified => {}
            Outcome::Missing => self.is_missing = true,
            Outcome::Refused(line) => {
                return Ok(Some(format!("{CHECKER} refuses a proof: {line}")));
            }
        }
        Ok(None)
    }

    fn word(&self) -> &'static str {
        if self.is_missing { "not checked" } else { "verified by VeriPB" }
    }

    /// The end of the command.
    fn end(&self, failed: usize, all: usize, out: &mut dyn Write) -> CommandResult {
        if self.is_missing {
            writeln!(
                out,
                "{CHECKER} is not installed, so no other program checked the proofs: cargo install {CHECKER}"
            )?;
        }
        all_right("encoders without a certificate", failed, all)
    }
}

/// Has both proofs checked by VeriPB.
fn check_outside(certificate: &Certificate, folder: &Path) -> Result<Outcome, Failure> {
    let written = write_files(certificate, &folder.join("certificate"));
    let [constraint, clauses, to_clauses, to_constraint] = written.map_err(|(path, error)| {
        Failure::Work(format!("cannot write `{}`: {error}", shown(&path)))
    })?;
    for arguments in [[&constraint, &to_clauses, &clauses], [&clauses, &to_constraint, &constraint]]
    {
        let output = match Command::new(CHECKER).args(arguments).output() {
            Ok(output) => output,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Outcome::Missing),
            Err(error) => return Err(Failure::Work(format!("cannot run {CHECKER}: {error}"))),
        };
        let printed = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || !printed.contains("s VERIFIED OUTPUT DERIVABLE") {
            let errors = String::from_utf8_lossy(&output.stderr);
            let mut lines = printed.lines().chain(errors.lines()).filter(|line| !line.is_empty());
            return Ok(Outcome::Refused(lines.next_back().unwrap_or("no output").to_owned()));
        }
    }
    Ok(Outcome::Verified)
}

/// `bezzel check ID --certify`: makes the certificates of each encoder for many numbers of inputs, and has them checked by
/// VeriPB where it is installed.
pub(super) fn certify(
    ids: &[String],
    k: Option<u64>,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    refuse_k(k)?;
    let numbers: Vec<u32> = match k {
        None | Some(1) => (2..=16).chain([32, MAX_INPUTS]).collect(),
        Some(k) => (k as u32 + 1..=MAX_INPUTS_OF_BOUNDS).collect(),
    };
    let wide: Vec<u64> = numbers.iter().map(|&n| n.into()).collect();
    let ids: Vec<String> = match (ids, k) {
        ([], None) => {
            let all = catalog.encodings.at_most_ones().iter();
            all.map(|encoding| encoding.info().id).collect()
        }
        ([], Some(_)) => encoder::ids(),
        (ids, _) => ids.to_vec(),
    };
    let (mut checks, mut failed) = (Checks::new()?, 0);
    let all = find(&ids, k, &wide, catalog)?;
    let first = numbers[0];
    for encoder in &all {
        let (mut fault, mut limit) = (None, String::new());
        let (mut certified, mut last, mut bytes) = (0, 0, 0);
        for &n in &numbers {
            let certificate = match of_encoder(&**encoder, n, k) {
                Ok(certificate) => certificate,
                // That no proof was found does not show that there is none.
                Err(why @ Uncertified::TooHard) if certified > 0 => {
                    limit = format!("; for {n} inputs {why}");
                    break;
                }
                Err(why) => {
                    fault = Some(format!("no certificate for {n} inputs: {why}"));
                    break;
                }
            };
            (certified, last) = (certified + 1, n);
            bytes = certificate.to_clauses.len() + certificate.to_constraint.len();
            if let Some(found) = checks.fault(&certificate, n)? {
                fault = Some(format!("for {n} inputs: {found}"));
                break;
            }
        }
        failed += usize::from(fault.is_some());
        let checked = checks.word();
        let outcome = fault.unwrap_or_else(|| {
            format!(
                "certified for {certified} numbers of inputs from {first} to {last}, {checked}, {} KB for the \
                 last{limit}",
                bytes.div_ceil(1_000)
            )
        });
        writeln!(out, "{}: {outcome}", encoder.info().id)?;
        out.flush()?;
    }
    checks.end(failed, all.len(), out)
}
