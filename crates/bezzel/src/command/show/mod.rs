//! `bezzel show`: the computed profile of an encoding, of an at-most-k encoder or of an encoder of sums, or the constraints of a file.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

use bezzel_encode::registry::NamedEncoding;
use bezzel_experiment::{Catalog, EncoderPrograms, Permission, program};
use bezzel_problem::layout::wrapped;
use bezzel_queens::Board;
use bezzel_queens::encode::properties::{self, Profile};
use bezzel_queens::experiment::find_for_profile;
use serde::Serialize;

use super::certificate;
use super::common::{all_right, print_json};
use super::scopes::{self, TriedShapes};
use crate::arguments::{ShowArguments, no_file};
use crate::failure::{CommandResult, Failure};
use crate::phase::{self, Phase};

pub(super) mod constraint;
mod file;

pub(crate) fn run(
    arguments: &ShowArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    phase::begin(Phase::Checking);
    let sum = (arguments.weights.as_deref(), arguments.bound.as_deref());
    let sum = match sum {
        (None, None) => None,
        (weights, bound) => Some(constraint::read_sum(weights, bound).map_err(Failure::Input)?),
    };
    let ids = &arguments.named;
    if let Some(numbers) = &arguments.certificate {
        let file = arguments.output.as_deref().expect("clap requires it");
        let n = numbers.first().copied();
        return certificate::write(ids, (n, arguments.k), sum, file, catalog, out);
    }
    if let Some(k) = arguments.k {
        return constraint::show_bound(ids, k, arguments.json, catalog, out);
    }
    if let Some(sum) = sum {
        return constraint::show_sum(ids, sum, arguments.json, catalog, out);
    }
    let (files, ids) = files_and_ids(&arguments.named, catalog)?;
    match *files.as_slice() {
        [] if arguments.detect => {
            return Err(Failure::Input("--detect searches a file: name a CNF file".into()));
        }
        [] => {}
        [file] if arguments.board.is_none() => {
            return file::run(Path::new(file), &ids, arguments, catalog, out);
        }
        [file] => {
            return Err(Failure::Input(format!(
                "--board is for profiles of encodings, and `{file}` is a file of constraints: remove --board"
            )));
        }
        [one, other, ..] => {
            return Err(Failure::Input(format!(
                "`{one}` and `{other}` are files: one is shown at a time"
            )));
        }
    }
    let board = arguments.board.as_deref().unwrap_or("8");
    let board = Board::read_size(board).map_err(Failure::input)?;
    if board.squares() > 1 << 20 {
        return Err(Failure::input(
            "--board: at most 1024 rows and columns, so that a profile is quick",
        ));
    }
    let ids = if arguments.all {
        catalog.encodings.infos().into_iter().map(|info| info.id).collect()
    } else {
        ids
    };
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let found = ids.iter().map(|id| find_for_profile(&mut programs, id, &board));
    let found = found.collect::<Result<Vec<_>, _>>();
    let found = found.map_err(Failure::input)?;
    let same = properties::ids_with_same_clauses(&catalog.encodings);
    let profiles = profiles(&found, &same, &board);
    let mut shown = Vec::new();
    for ((id, found), profile) in ids.iter().zip(&found).zip(profiles) {
        let shapes = match found {
            NamedEncoding::AtMostOne(encoder) if profile.is_right() => {
                Some(scopes::check(id, encoder, None, &mut programs)?)
            }
            _ => None,
        };
        shown.push(ShownProfile { profile, shapes });
    }
    if arguments.json {
        print_json(&shown, out)?;
    } else {
        let texts: Vec<String> = shown.iter().map(ShownProfile::text).collect();
        write!(out, "{}", texts.join("\n"))?;
    }
    let wrong = shown.iter().filter(|profile| !profile.is_right()).count();
    all_right("wrong encodings", wrong, shown.len())
}

/// A profile, with the constraints at which the encoder was tried, if it encodes single constraints.
#[derive(Serialize)]
struct ShownProfile {
    #[serde(flatten)]
    profile: Profile,
    #[serde(skip_serializing_if = "Option::is_none")]
    shapes: Option<TriedShapes>,
}

impl ShownProfile {
    fn is_right(&self) -> bool {
        self.profile.is_right() && self.shapes.as_ref().is_none_or(|shapes| shapes.correct)
    }

    fn text(&self) -> String {
        let tried = self.shapes.as_ref().map(|shapes| {
            let text = wrapped(&format!("Single constraints: {}.", shapes.outcome), 0);
            format!("{text}\n{}\n", shapes.drawing())
        });
        format!("{}{}", self.profile.text(), tried.unwrap_or_default())
    }
}

/// The named files, and the ids of encodings. A name is an encoding if there is one.
fn files_and_ids<'a>(
    named: &'a [String],
    catalog: &Catalog,
) -> Result<(Vec<&'a str>, Vec<String>), Failure> {
    let (mut files, mut ids) = (Vec::new(), Vec::new());
    for name in named {
        let is_path = !name.starts_with('{') && name.contains(['.', '/']);
        match catalog.encodings.find(name) {
            Err(_) if matches!(&**name, "-" | "/dev/stdin") => files.push("/dev/stdin"),
            Err(_) if Path::new(name).is_dir() => {
                return Err(Failure::Input(format!("`{name}` is a folder: name a file")));
            }
            Err(_) if Path::new(name).exists() => files.push(&**name),
            Err(unknown) if is_path => return Err(no_file(name, format!(", and {unknown}"))),
            _ => ids.push(name.clone()),
        }
    }
    Ok((files, ids))
}

/// The profiles of all, in their order, as many at a time as there are processors.
fn profiles(
    found: &[NamedEncoding],
    same: &BTreeMap<String, Vec<String>>,
    board: &Board,
) -> Vec<Profile> {
    let done = Mutex::new(vec![None; found.len()]);
    let next = Mutex::new(0..found.len());
    let work = || {
        while let Some(at) = { next.lock().expect("no thread panics with it").next() } {
            let same = same.get(&found[at].info().id).cloned().unwrap_or_default();
            let profile = Profile::of(&found[at], same, board);
            done.lock().expect("no thread panics with it")[at] = Some(profile);
        }
    };
    let workers = thread::available_parallelism().map_or(1, usize::from).min(found.len());
    thread::scope(|scope| {
        for _ in 1..workers {
            // Without further threads this one does all the work.
            let _ = thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let done = done.into_inner().expect("no thread panicked with it");
    done.into_iter().map(|profile| profile.expect("each was done")).collect()
}
