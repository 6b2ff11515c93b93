//! `bezzel encode`: the formula of a board or of a file of constraints, as a file.

use std::io::Write;
use std::process::ExitCode;

use bezzel_encode::format::Format;
use bezzel_encode::format::dimacs::Preamble;
use bezzel_encode::{Encoding, Numbering, Size};
use bezzel_experiment::Catalog;
use bezzel_experiment::quantity::{grouped, memory};
use bezzel_problem::{Instance, Problem};

use crate::arguments::EncodeArguments;
use crate::failure::{CommandResult, Failure, shown};
use crate::output::{print_picked, refuse_replacing, write_file};
use crate::phase::{self, Phase};
use crate::provenance;
use bezzel_experiment::packing::Packing;

/// The largest file that is written.
const MAX_BYTES: u128 = 100 << 30;

pub(crate) fn run(
    arguments: &EncodeArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let instance = arguments.problem.instance()?;
    let numbering = arguments.order.numbering(&arguments.encoding, &instance)?;
    phase::begin(Phase::Generating);
    let mut picked = Vec::new();
    let encoding = arguments.encoding.find(catalog, &instance, None, &mut picked)?;
    let problem = instance.problem();
    let format = arguments.format()?;
    let whole = encoding.info().cardinality && format.takes_cardinality();
    // A constraint in its native form is far smaller than its size in clauses.
    if let Some(size) = encoding.size(&problem).filter(|_| !whole) {
        refuse_endless(&instance, &encoding.info().id, format, size, || {
            arguments.encoding.advice(catalog, &instance, None)
        })?;
    }
    phase::begin(Phase::Writing);
    match &arguments.output {
        None => {
            write(arguments, encoding.as_ref(), (&problem, &numbering), out)?;
        }
        Some(path) => {
            refuse_replacing(instance.file(), path)?;
            let size = write_file(path, |file| {
                let (packing, _) = Packing::of(path);
                let mut packed = packing.write(file)?;
                let size =
                    write(arguments, encoding.as_ref(), (&problem, &numbering), &mut packed)?;
                packed.finish()?;
                Ok(size)
            })?;
            writeln!(
                out,
                "{}: {} variables, {} {}, {} literals",
                shown(path),
                size.variables,
                size.clauses,
                if format.takes_cardinality() { "constraints" } else { "clauses" },
                size.literals
            )?;
        }
    }
    print_picked(&picked);
    Ok(ExitCode::SUCCESS)
}

/// Refuses a file that no solver could read and few disks could hold; `advice` is added to the message.
pub(super) fn refuse_endless(
    instance: &Instance,
    encoding: &str,
    format: Format,
    size: Size,
    advice: impl FnOnce() -> String,
) -> Result<(), Failure> {
    // A literal takes its digits and the characters around them, a clause its end.
    let digits = u128::from(size.variables.checked_ilog10().unwrap_or(0)) + 1;
    let (around, end) = match format {
        Format::Dimacs | Format::Mcc | Format::Knf => (1, 2),
        Format::Opb => (5, 8),
        Format::Smt1 | Format::Smt2 => (4, 6),
    };
    let bytes = size.literals * (digits + around) + end * size.clauses;
    if bytes <= MAX_BYTES {
        return Ok(());
    }
    Err(Failure::Input(format!(
        "the {} {instance} under `{encoding}` has {} clauses, {} {} as text; at most {} are written: \
         take a smaller {} or another encoding{}",
        instance.noun(),
        grouped(size.clauses),
        if size.is_bound() { "at least" } else { "about" },
        memory(bytes),
        memory(MAX_BYTES),
        instance.noun(),
        advice(),
    )))
}

fn write(
    arguments: &EncodeArguments,
    encoding: &dyn Encoding,
    (problem, numbering): (&Problem, &Numbering),
    out: &mut dyn Write,
) -> Result<Size, Failure> {
    let made_by = provenance::command_line();
    let preamble = Preamble::Comments { made_by: &made_by, names: arguments.names };
    Ok(arguments.format()?.write(encoding, problem, numbering, preamble, out)?)
}
