//! `bezzel check --proof`: checks that a proof refutes a formula.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::ExitCode;

use bezzel_experiment::packing::Packing;
use bezzel_experiment::quantity::{grouped, memory};
use bezzel_proof::dimacs::{self, Header};
use bezzel_proof::{Cause, Limits, LratChecker, Notation, ProofPosition, ProofStats, Refusal};

use crate::arguments::CheckArguments;
use crate::failure::{CommandResult, Failure, cannot, open, shown};
use crate::phase::{self, Phase};

pub(super) fn run(arguments: &CheckArguments, out: &mut dyn Write) -> CommandResult {
    let [formula_file, proof_file] = &arguments.named[..] else {
        return Err(Failure::input(
            "--proof takes a formula and a proof: bezzel check --proof queens.cnf proof.lrat",
        ));
    };
    let (formula_file, proof_file) = (Path::new(formula_file), Path::new(proof_file));
    let limits = Limits { memory_bytes: arguments.limits.memory, steps: None };
    let conversion = || {
        let (formula, proof) = (shown(formula_file), shown(proof_file));
        format!("drat-trim {formula} {proof} -L proof.lrat")
    };
    let (_, unpacked) = Packing::of(proof_file);
    if unpacked.extension().is_some_and(|end| end == "drat" || end == "drup") {
        return Err(Failure::Input(format!(
            "`{}` is named as a proof in DRAT, and proofs in LRAT are checked: convert it with `{}`",
            shown(proof_file),
            conversion()
        )));
    }
    // This checker also accepts proofs of solvers that read the formula clause by clause.
    let mut checker = LratChecker::with_interleaved_ids(limits);
    print_formula(formula(formula_file, |clause| checker.clause(clause))?, out)?;
    match checker.check(proof(proof_file)?) {
        Ok(accepted) => {
            print_proof(&accepted, out)?;
            writeln!(out, "s VERIFIED")?;
            Ok(ExitCode::SUCCESS)
        }
        Err(Refusal::GaveUp { cause: Cause::Read(error), .. }) => {
            Err(cannot("read", proof_file)(error))
        }
        Err(refusal) => {
            writeln!(out, "c {refusal}")?;
            if at_the_beginning(&refusal) {
                let conversion = conversion();
                writeln!(
                    out,
                    "c it was read as LRAT; convert a proof in DRAT with `{conversion}`"
                )?;
            }
            writeln!(out, "s NOT VERIFIED")?;
            Ok(ExitCode::from(1))
        }
    }
}

/// True if the first step of the proof was refused.
fn at_the_beginning(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::Wrong { place: ProofPosition { step: 1, .. }, .. })
}

fn formula(path: &Path, take: impl FnMut(&[i32])) -> Result<Header, Failure> {
    phase::begin(Phase::Reading);
    let named = |problem: String| Failure::Input(format!("`{}`: {problem}", shown(path)));
    dimacs::read(open(path)?, take).map_err(|error| named(error.to_string()))
}

fn proof(path: &Path) -> Result<Box<dyn BufRead>, Failure> {
    phase::begin(Phase::Checking);
    if path.as_os_str() == "-" { Ok(Box::new(io::stdin().lock())) } else { open(path) }
}

fn print_formula(header: Header, out: &mut dyn Write) -> io::Result<()> {
    let number = |number: u64| grouped(number.into());
    let (variables, clauses) = (number(header.variables.into()), number(header.clauses));
    writeln!(out, "c formula: {variables} variables, {clauses} clauses")
}

fn print_proof(result: &ProofStats, out: &mut dyn Write) -> io::Result<()> {
    let number = |number: u64| grouped(number.into());
    let notation = match result.notation {
        Some(Notation::Text) => "text",
        Some(Notation::Binary) => "binary",
        None => {
            return writeln!(out, "c the formula refutes itself: no step of the proof is needed");
        }
    };
    let (steps, bytes) = (number(result.steps), number(result.bytes));
    writeln!(out, "c proof: LRAT in {notation}, {steps} steps in {bytes} bytes")?;
    let (added, rat, deleted) =
        (number(result.additions), number(result.rat), number(result.deletions));
    writeln!(
        out,
        "c {added} clauses added, {rat} of them by their first literal; {deleted} deleted"
    )?;
    if result.unknown_deletions > 0 {
        let unknown = number(result.unknown_deletions);
        writeln!(out, "c {unknown} deletions of clauses that are not there")?;
    }
    let (propagations, live) = (number(result.propagations), number(result.peak_live_clauses));
    let bytes = memory(result.peak_memory_bytes.into());
    writeln!(
        out,
        "c {propagations} propagations, at most {live} clauses at once, {bytes} of memory"
    )
}
