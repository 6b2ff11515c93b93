//! The instance of a command: a board by its size or by a drawing, or a file of constraints.

use std::fmt::Display;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bezzel_experiment::config::given_instances;
use bezzel_experiment::input::near_path;
use bezzel_experiment::packing;
use bezzel_problem::kind::{exact_cover, graph_colouring};
use bezzel_problem::{Goal, Instance, ProblemFile, harmless_line};
use bezzel_queens::experiment::board_file;
use bezzel_queens::{Board, BoardError};
use clap::Args;

use super::board::BesideSize;
use crate::failure::{self, Failure};
use crate::phase::{self, Phase};
use crate::terminal;

#[derive(Debug, Args)]
pub(crate) struct ProblemArguments {
    /// The number of rows and columns of a board, or both as in 8x10; or a file of constraints (KNF, OPB,
    /// CNF+, or CNF with groups in comments), compressed or not, `-` for stdin
    #[arg(id = "size", value_name = "N|FILE", required_unless_present_any = ["file", "problem"])]
    named: Option<String>,
    #[command(flatten)]
    beside: BesideSize,
    /// The instance of any kind, as an entry of `problems` in a config, as in {latin-square: {order: 8, holes: 42 %, seeds:
    /// 1}}
    #[arg(long, value_name = "ENTRY", conflicts_with_all = ["size", "file", "torus", "rooks", "queens", "blocked"])]
    problem: Option<String>,
}

impl ProblemArguments {
    /// The instance. A projection set and an objective that it has are not used.
    pub(crate) fn instance(&self) -> Result<Instance, Failure> {
        let instance = self.read()?;
        note_unused(&instance);
        Ok(instance)
    }

    /// The instance, whose projection set is used.
    pub(crate) fn projected_instance(&self) -> Result<Instance, Failure> {
        let instance = self.read()?;
        note(&instance, ProblemFile::objective_note);
        Ok(instance)
    }

    /// The instance. If it has an objective, the best value is asked for.
    pub(crate) fn optimised_instance(&self) -> Result<Instance, Failure> {
        let instance = self.read()?;
        note(&instance, ProblemFile::projection_note);
        let file = instance.file().filter(|file| file.objective().is_some());
        let optimised = file.map(|file| file.with_goal(Goal::Optimum)).transpose();
        Ok(optimised.map_err(Failure::input)?.map_or(instance.clone(), Instance::from))
    }

    fn read(&self) -> Result<Instance, Failure> {
        if let Some(entry) = &self.problem {
            return of_entry("--problem", entry);
        }
        self.beside.instance(self.named.as_deref().unwrap_or_default())
    }
}

/// An instance that may be described by the comments of another file.
#[derive(Debug, Args)]
pub(crate) struct OptionalProblemArguments {
    /// The number of rows and columns of a board, or both as in 8x10; or a file of constraints; if none is
    /// given, the board that the comments of the --cnf file describe
    #[arg(id = "size", value_name = "N|FILE")]
    named: Option<String>,
    #[command(flatten)]
    beside: BesideSize,
    /// The instance of any kind, as an entry of `problems` in a config
    #[arg(long, value_name = "ENTRY", conflicts_with_all = ["size", "file", "torus", "rooks", "queens", "blocked"])]
    problem: Option<String>,
}

impl OptionalProblemArguments {
    /// The instance, if one is given.
    pub(crate) fn instance(&self) -> Result<Option<Instance>, Failure> {
        if let Some(entry) = &self.problem {
            return of_entry("--problem", entry).map(Some);
        }
        match &self.named {
            Some(named) => self.beside.instance(named).map(Some),
            None if self.beside.file.is_some() => self.beside.instance("").map(Some),
            None if self.beside.option().is_some() => {
                Err(Failure::Input("give the size of the board too, as in `8 --torus`".to_owned()))
            }
            None => Ok(None),
        }
    }
}

/// The instance of the text after an option: an entry of `problems`, the size of a board, or the file of a board or of
/// constraints.
pub(crate) fn read_instance(option: &str, text: &str) -> Result<Instance, Failure> {
    if text.starts_with('{') {
        return of_entry(option, text);
    }
    match board_file::read(Path::new(text)) {
        Ok(board) if Board::read_size(text).is_err() => Ok(board.into()),
        _ => BesideSize::default().instance(text),
    }
}

/// The one instance of an entry of `problems`, whose files are in this folder.
fn of_entry(option: &str, entry: &str) -> Result<Instance, Failure> {
    let read = given_instances(option, entry, Path::new(""));
    let (_, mut instances) = read.map_err(Failure::input)?;
    match (instances.len(), instances.pop()) {
        (1, Some(instance)) => Ok(instance),
        (number, _) => Err(Failure::Input(format!(
            "{option} {entry}: it means {number} instances: state one, as by one seed"
        ))),
    }
}

impl BesideSize {
    /// The board of this size, or the constraints in the file with this path.
    fn instance(&self, named: &str) -> Result<Instance, Failure> {
        let no_size = match Board::read_size(named) {
            Err(error @ BoardError::Size(_)) if self.file.is_none() => error,
            _ => return self.board(named).map(Instance::from),
        };
        let path = if named == "-" { Path::new("/dev/stdin") } else { Path::new(named) };
        if let Ok(false) = path.try_exists() {
            let is_path = named.contains(['.', '/']);
            let otherwise = if is_path { String::new() } else { format!(", and {no_size}") };
            return Err(no_file(named, otherwise));
        }
        if let Some(option) = self.option() {
            return Err(Failure::Input(format!(
                "{option} is for boards, and `{named}` is a file of constraints: remove {option}"
            )));
        }
        read_problem(path).map(Instance::from)
    }
}

/// The refusal of the name of a file that is not there, with the nearest one, or with the end of the sentence.
pub(crate) fn no_file(name: &str, otherwise: String) -> Failure {
    let near = near_path(Path::new(name));
    let rest =
        near.map_or(otherwise, |near| format!("; did you mean `{}`?", failure::shown(&near)));
    Failure::Input(harmless_line(&format!("there is no file `{name}`{rest}")))
}

/// Reads a file of constraints, compressed or not.
pub(crate) fn read_problem(path: &Path) -> Result<ProblemFile, Failure> {
    phase::begin(Phase::Reading);
    let named = if path == Path::new("/dev/stdin") { Path::new("stdin") } else { path };
    let shown = failure::shown(named);
    let bytes = packing::read_whole(path).map_err(failure::cannot("read", named))?;
    let bytes = Arc::new(bytes);
    // Comments contain the name. It does not depend on the folder of the file.
    let name = harmless_line(&named.file_name().unwrap_or(named.as_os_str()).to_string_lossy());
    let read = ProblemFile::read_shared(name, Some(PathBuf::from(path)), Arc::clone(&bytes));
    let file = read.map_err(|error| {
        let text = std::str::from_utf8(&bytes).unwrap_or_default();
        let in_config = |kind, entry: &str| {
            format!("; it is {kind}: name it in a config, as in `problems: [{{{entry}}}]`")
        };
        let hint = if board_file::parse(text, path).is_ok() {
            format!("; it is a board: `--board {shown}` reads it")
        } else if graph_colouring::col::read(text).is_ok() {
            let entry = "graph-colouring: {graph: file, file: FILE, colours: 4}";
            in_config("a graph", entry)
        } else if exact_cover::file::read(text).is_ok() {
            in_config("an exact cover", "exact-cover: {file: FILE}")
        } else if path.extension().is_some_and(|end| end == "yaml" || end == "yml") {
            format!("; it is a config: `bezzel run {shown}` runs it")
        } else {
            String::new()
        };
        Failure::Input(format!("{shown}: {error}{hint}"))
    })?;
    file.notes().iter().for_each(|note| print_note(&shown, note));
    Ok(file)
}

/// Prints that the projection set and the objective of an instance are not used, if it has them.
pub(crate) fn note_unused(instance: &Instance) {
    note(instance, ProblemFile::projection_note);
    note(instance, ProblemFile::objective_note);
}

/// Prints one of the notes on an instance that is a file.
fn note(instance: &Instance, of: impl Fn(&ProblemFile) -> Option<String>) {
    if let Some((file, note)) = instance.file().and_then(|file| Some((file, of(file)?))) {
        print_note(&file.name(), &note);
    }
}

/// Prints a note on a file to stderr.
fn print_note(name: &dyn Display, note: &str) {
    // A closed stderr has no reader.
    let _ = writeln!(terminal::stderr(), "note: {name}: {note}");
}
