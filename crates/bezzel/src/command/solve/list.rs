//! `bezzel solve --all`: all solutions, each printed as soon as it is found.

use std::io::Write;

use bezzel_experiment::{Catalog, Task};

use super::{exit_code, listing, pick};
use crate::all::{EngineRequest, run as run_engine};
use crate::arguments::SolveArguments;
use crate::failure::{CommandResult, Failure};
use crate::terminal;

pub(super) fn run(
    arguments: &SolveArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    if arguments.json {
        return Err(Failure::Input(
            "--json is for one solution and for --count: `--format json` lists solutions".into(),
        ));
    }
    let instance = arguments.problem.instance()?;
    let wanted = &arguments.listing;
    if wanted.nth.is_some() || wanted.random {
        if arguments.encoding.is_named() {
            return Err(Failure::Input(
                "--nth and --random read the board itself: an encoding, its settings and a \
                 numbering make no difference to them"
                    .into(),
            ));
        }
        return pick::run(&instance, arguments, out);
    }
    let mut request = EngineRequest::new(Task::Enumerate, instance, arguments, catalog)?;
    request.max_solutions = wanted.max_solutions;
    let result =
        listing::write(wanted, &request.instance, out, |show| run_engine(&request, Some(show)))?;
    result.refuse_wrong(&request)?;
    // A closed stderr has no reader.
    let _ = write!(terminal::stderr(), "{}", result.account(&request));
    let is_empty = result.all.count.0.bits() == 0;
    listing::print_summary(wanted, &result.sentence(&request), is_empty, out)?;
    Ok(exit_code(result.answer()))
}
