//! `bezzel solve --all`: every solution, as it is found.

use std::io::{self, Write};

use bezzel_lab::{Task, Workbench};

use super::{exit_code, listing, pick};
use crate::all::{Asked, run as ask};
use crate::arguments::SolveArguments;
use crate::failure::{Done, Failure};

pub(super) fn run(arguments: &SolveArguments, workbench: &Workbench, out: &mut dyn Write) -> Done {
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
        return pick::run(&instance, wanted, out);
    }
    let task = if wanted.fundamental { Task::Fundamental } else { Task::Enumerate };
    let (engine, formula) = (&wanted.engine, &arguments.encoding);
    let mut asked = Asked::new((task, true), instance, engine, formula, workbench)?;
    asked.most = wanted.most;
    let found = listing::write(wanted, &asked.instance, out, |show| ask(&asked, Some(show)))?;
    found.refuse_wrong(&asked)?;
    // Nobody is left to be told when stderr is closed.
    let _ = write!(io::stderr(), "{}", found.account(&asked));
    let is_empty = found.all.count.0.bits() == 0;
    listing::tell(wanted, &found.sentence(&asked), is_empty, out)?;
    Ok(exit_code(found.answer()))
}
