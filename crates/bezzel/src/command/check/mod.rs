//! `bezzel check`: checks every property of an encoding, as the tests do; or a formula or a proof of any origin.

mod constraints;
mod formula;
mod refutation;
mod subject;
mod sums;

use std::io::Write;
use std::path::Path;

use bezzel_encode::properties;
use bezzel_encode::registry::{Name, NamedEncoding};
use bezzel_experiment::{Catalog, EncoderPrograms, Permission, program};
use bezzel_queens::Board;
use bezzel_queens::experiment::{find_for_profile, find_for_properties};

use crate::arguments::CheckArguments;
use crate::command::common::{all_right, is_constraints};
use crate::command::show::constraint;
use crate::command::{certificate, scopes};
use crate::failure::{CommandResult, Failure};
use crate::phase::{self, Phase};

pub(crate) fn run(
    arguments: &CheckArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    if arguments.proof.proof {
        return refutation::run(arguments, out);
    }
    if let Some(file) = &arguments.formula.cnf {
        return formula::run(file, &arguments.formula, catalog, out);
    }
    phase::begin(Phase::Checking);
    if arguments.certify && arguments.sums {
        return certificate::certify_sums(&arguments.named, catalog, out);
    }
    if arguments.certify {
        return certificate::certify(&arguments.named, arguments.k, catalog, out);
    }
    if arguments.sums {
        return sums::run(&arguments.named, catalog, out);
    }
    if let Some(k) = arguments.k {
        return constraint::check_bound(&arguments.named, k, catalog, out);
    }
    let is_file = |name: &&String| {
        let path = Path::new(name);
        let can_be = is_constraints(path) || path.exists() && !path.is_file();
        can_be && catalog.encodings.find(name).is_err()
    };
    if let Some(name) = arguments.named.iter().find(is_file) {
        let advice = "`bezzel check --cnf FORMULA --against FILE` compares a formula with a file";
        return Err(Failure::Input(format!("`{name}` is no encoding: {advice} of constraints")));
    }
    let ids = if arguments.named.is_empty() {
        catalog.encodings.infos().into_iter().map(|info| info.id).collect()
    } else {
        arguments.named.clone()
    };
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let board = Board::new(8).expect("a small board");
    // An encoder program is started once for its output.
    let is_program = |id: &str| {
        let commands = Name::parse(id).ok().and_then(|name| name.commands().ok());
        commands.is_some_and(|commands| !commands.is_empty())
    };
    let found = ids.iter().map(|id| {
        if is_program(id) {
            find_for_profile(&mut programs, id, &board)
        } else {
            find_for_properties(&mut programs, id)
        }
    });
    let found = found.collect::<Result<Vec<_>, _>>().map_err(Failure::input)?;
    let (mut broken, mut of_sums) = (0, Vec::new());
    for (id, found) in ids.iter().zip(found) {
        let tried = match &found {
            NamedEncoding::AtMostOne(encoder) => {
                if encoder.of_sums().is_some() && !arguments.named.is_empty() {
                    of_sums.push(id.clone());
                }
                Some(scopes::check(id, encoder, None, &mut programs)?)
            }
            NamedEncoding::Mixture(_) | NamedEncoding::Whole(_) => None,
        };
        let wrong = tried.as_ref().and_then(|tried| tried.wrong.as_ref());
        let checked = properties::check(&found, wrong, catalog.encodings.properties())
            .map_err(Failure::input)?;
        broken += usize::from(!checked.is_right);
        writeln!(out, "{}", checked.text)?;
        if let Some(tried) = tried.filter(|tried| tried.correct) {
            writeln!(out, "{}: {}", found.info().id, tried.outcome)?;
        }
        out.flush()?;
    }
    // Faults of large weights are found on random sums alone.
    if broken == 0 && !of_sums.is_empty() {
        return sums::run(&of_sums, catalog, out);
    }
    all_right("encodings that violate a property", broken, ids.len())
}
