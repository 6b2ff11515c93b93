//! What is taken out of the matrix: the key `exclude`.
//!
//! An exclusion names values of some axes, and takes out the cells that have one of them on each of
//! these axes. One that takes nothing out is a mistake, and refused.

use bezzel_encode::{Blocked, Board, Constraints, Settings, Symmetry, UnknownId};
use bezzel_solve::Confounder;

use super::arm::Arm;
use super::axes;
use super::encodings;
use super::fields::Fields;
use super::glob::Glob;
use super::matrix::Matrix;
use super::node::{Node, Value};
use super::numberings::NumberingEntry;
use super::source::{ConfigError, Place, Source};
use super::switch;
use crate::job::Task;
use crate::workbench::Workbench;

/// The keys of an exclusion.
const KEYS: [&str; 12] = [
    "board",
    "encoding",
    "constraints",
    "blocked",
    "symmetry",
    "numbering",
    "task",
    "solver",
    "reencode",
    "eliminate",
    "proofs",
    "engine",
];

/// So many exclusions can stand in a config: the plan keeps a bit of each.
const MOST: usize = 64;

/// Cells that are taken out of the matrix. An axis that is not named has any value.
#[derive(Clone, Debug)]
pub struct Exclusion {
    boards: Option<Vec<BoardPattern>>,
    encodings: Option<Vec<Glob>>,
    constraints: Option<Vec<Constraints>>,
    blocked: Option<Vec<Blocked>>,
    symmetry: Option<Vec<Symmetry>>,
    numberings: Option<Vec<Glob>>,
    tasks: Option<Vec<Task>>,
    solvers: Option<Vec<Glob>>,
    engines: Option<Vec<Glob>>,
    switches: Vec<(Confounder, Vec<bool>)>,
    proofs: Option<Vec<bool>>,
    pub(crate) place: Place,
}

/// Which boards are meant.
#[derive(Clone, Debug)]
enum BoardPattern {
    /// All of so many rows and columns.
    Size(u32, u32),
    /// Those whose names fit.
    Name(Glob),
}

impl BoardPattern {
    fn matches(&self, board: &Board) -> bool {
        match self {
            Self::Size(rows, columns) => (board.rows(), board.columns()) == (*rows, *columns),
            Self::Name(glob) => glob.matches(&board.to_string()),
        }
    }
}

impl Exclusion {
    /// Whether a board is among those that are meant.
    pub(crate) fn names_board(&self, board: &Board) -> bool {
        any(self.boards.as_ref(), |pattern| pattern.matches(board))
    }

    /// Whether an encoding under these settings is among those that are meant. Who takes no sets of
    /// constraints has none.
    pub(crate) fn names_encoding(&self, id: &str, takes_constraints: bool, set: Settings) -> bool {
        any(self.encodings.as_ref(), |glob| glob.matches(id))
            && any(self.constraints.as_ref(), |&value| {
                takes_constraints && value == set.constraints
            })
            && any(self.blocked.as_ref(), |&value| value == set.blocked)
            && any(self.symmetry.as_ref(), |&value| value == set.symmetry)
    }

    /// Whether it names nothing that only an encoding has, so that jobs without one are meant, too.
    pub(crate) fn names_no_encoding(&self) -> bool {
        let has_setting = self.constraints.is_some() || self.blocked.is_some();
        self.encodings.is_none() && self.symmetry.is_none() && !has_setting
    }

    /// Whether it names no numbering, so that jobs that read none are meant, too.
    pub(crate) fn names_no_numbering(&self) -> bool {
        self.numberings.is_none()
    }

    /// Whether numberings are among those that are meant.
    pub(crate) fn names_numbering(&self, entry: &NumberingEntry) -> bool {
        any(self.numberings.as_ref(), |glob| glob.matches(&entry.numbering(0).id()))
    }

    /// Whether a solver, as it is switched, or an engine or nobody with its task is among those that are meant.
    pub(crate) fn names_arm(&self, entry: &Arm) -> bool {
        any(self.tasks.as_ref(), |&task| task == entry.task)
            && any(self.solvers.as_ref(), |glob| entry.is_solver() && glob.matches(&entry.id))
            && any(self.engines.as_ref(), |glob| entry.is_engine() && glob.matches(&entry.id))
            && any(self.proofs.as_ref(), |&on| entry.can_prove && entry.proof.is_some() == on)
            && self.switches.iter().all(|(confounder, values)| {
                entry.state(*confounder).is_some_and(|on| values.contains(&on))
            })
    }
}

/// Whether one of the values fits; if none is given, any does.
fn any<T>(values: Option<&Vec<T>>, fits: impl Fn(&T) -> bool) -> bool {
    values.is_none_or(|values| values.iter().any(fits))
}

/// The exclusions from a matrix.
pub(super) fn read(
    source: &Source,
    nodes: &[Node],
    matrix: &Matrix,
    workbench: &Workbench,
) -> Result<Vec<Exclusion>, ConfigError> {
    if let Some(node) = nodes.get(MOST) {
        let message = format!("`exclude` has more than {MOST} entries");
        return Err(source.error(node.place, message).hint("an entry may list several values"));
    }
    nodes.iter().map(|node| entry(source, node, matrix, workbench)).collect()
}

fn entry(
    source: &Source,
    node: &Node,
    matrix: &Matrix,
    workbench: &Workbench,
) -> Result<Exclusion, ConfigError> {
    let fields = Fields::new(source, node, "an exclusion", &KEYS)?;
    if fields.len() == 0 {
        let message = "an exclusion must say what is taken out";
        let example = "as in `{board: 40, encoding: pairwise}`";
        return Err(source.error(node.place, message).hint(example));
    }
    let named = |key: &str, names: Vec<String>| -> Result<Option<Vec<Glob>>, ConfigError> {
        let Some(nodes) = fields.list(key)? else { return Ok(None) };
        let what = format!("`{key}`");
        let globs = nodes.iter().map(|node| named(source, node, &what, &names, workbench));
        globs.collect::<Result<_, _>>().map(Some)
    };
    let boards = match fields.list("board")? {
        None => None,
        Some(nodes) => {
            let patterns = nodes.iter().map(|node| board(source, node, matrix));
            Some(patterns.collect::<Result<_, ConfigError>>()?)
        }
    };
    let ids = matrix.encodings.iter().map(|entry| entry.id.clone()).collect();
    let encodings = named("encoding", ids)?;
    let ids = matrix.numberings.iter().map(|entry| entry.numbering(0).id()).collect();
    let numberings = named("numbering", ids)?;
    let ids = |is_meant: fn(&Arm) -> bool| {
        let arms = matrix.arms.iter().filter(|arm| is_meant(arm));
        arms.map(|arm| arm.id.clone()).collect()
    };
    let solvers = named("solver", ids(Arm::is_solver))?;
    let engines = named("engine", ids(Arm::is_engine))?;
    let tasks = match fields.list("task")? {
        None => None,
        Some(nodes) => {
            let tasks: Vec<_> = matrix.arms.iter().map(|arm| arm.task).collect();
            Some(of_axis(source, nodes, axes::tasks, &tasks)?)
        }
    };
    let constraints = match fields.list("constraints")? {
        None => None,
        Some(nodes) => Some(of_axis(source, nodes, axes::constraints, &matrix.constraints)?),
    };
    let blocked = match fields.list("blocked")? {
        None => None,
        Some(nodes) => Some(of_axis(source, nodes, axes::blocked, &matrix.blocked)?),
    };
    let symmetry = match fields.list("symmetry")? {
        None => None,
        Some(nodes) => Some(of_axis(source, nodes, axes::symmetry, &matrix.symmetry)?),
    };
    let mut switches = Vec::new();
    for confounder in Confounder::ALL {
        let states = matrix.arms.iter().filter_map(|entry| entry.state(confounder));
        if let Some(values) = switched(source, &fields, confounder.id(), states)? {
            switches.push((confounder, values));
        }
    }
    let proving = matrix.arms.iter().filter(|entry| entry.can_prove);
    let proofs = switched(source, &fields, "proofs", proving.map(|entry| entry.proof.is_some()))?;
    let place = node.place;
    Ok(Exclusion {
        boards,
        encodings,
        constraints,
        blocked,
        symmetry,
        numberings,
        tasks,
        solvers,
        engines,
        switches,
        proofs,
        place,
    })
}

/// What is not there to be taken out.
fn absent(source: &Source, node: &Node, near: Option<&str>, there: &str) -> ConfigError {
    let written = source.written(node.place);
    let message = format!("{written} takes nothing out: it is not in the matrix");
    source.error(node.place, message).near(near, format!("there are {there}"))
}

/// So many names are shown when none fits.
const SHOWN: usize = 8;

fn shown(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let more = if names.len() > SHOWN { ", …" } else { "" };
    names[..names.len().min(SHOWN)].join(", ") + more
}

/// Boards, by size or by name.
fn board(source: &Source, node: &Node, matrix: &Matrix) -> Result<BoardPattern, ConfigError> {
    let pattern = if let Value::Text(text) = &node.value {
        match Board::read_size(text) {
            Ok(board) => BoardPattern::Size(board.rows(), board.columns()),
            Err(_) => BoardPattern::Name(Glob::new(text)),
        }
    } else {
        let size = source.whole(node, "`board`", 1..=u32::MAX.into())? as u32;
        BoardPattern::Size(size, size)
    };
    if matrix.boards.iter().any(|entry| pattern.matches(&entry.board)) {
        return Ok(pattern);
    }
    let names: Vec<_> = matrix.boards.iter().map(|entry| entry.board.to_string()).collect();
    let near = match &node.value {
        Value::Text(text) => UnknownId::new("board", text, &names).near,
        _ => None,
    };
    Err(absent(source, node, near.as_deref(), &shown(&names)))
}

/// Names with `*` and `?`, or a name; one that the matrix has.
fn named(
    source: &Source,
    node: &Node,
    what: &str,
    names: &[String],
    workbench: &Workbench,
) -> Result<Glob, ConfigError> {
    let name = match &node.value {
        // An encoding may be called otherwise, or be put together.
        Value::Map(_) if what == "`encoding`" => encodings::one(source, node, workbench)?.id,
        _ => source.text_of(node, what)?.to_owned(),
    };
    let glob = Glob::new(&name);
    if names.iter().any(|known| glob.matches(known)) {
        return Ok(glob);
    }
    if what == "`encoding`" && !Glob::is_meant(&name) {
        let id = encodings::one(source, node, workbench)?.id;
        if names.contains(&id) {
            return Ok(Glob::new(&id));
        }
    }
    let near = UnknownId::new("name", &name, names).near;
    Err(absent(source, node, near.as_deref(), &shown(names)))
}

/// Values of a setting, each of which the matrix has.
fn of_axis<T: PartialEq>(
    source: &Source,
    nodes: &[Node],
    read: impl Fn(&Source, &[Node]) -> Result<Vec<T>, ConfigError>,
    values: &[T],
) -> Result<Vec<T>, ConfigError> {
    let wanted = read(source, nodes)?;
    for (value, node) in wanted.iter().zip(nodes) {
        if !values.contains(value) {
            let written = source.written(node.place);
            let message = format!("{written} takes nothing out: it is not in the matrix");
            return Err(source.error(node.place, message));
        }
    }
    Ok(wanted)
}

/// Values of a switch, each of which some solver of the matrix has.
fn switched(
    source: &Source,
    fields: &Fields<'_>,
    key: &str,
    states: impl Iterator<Item = bool>,
) -> Result<Option<Vec<bool>>, ConfigError> {
    let Some(nodes) = fields.list(key)? else { return Ok(None) };
    let states: Vec<bool> = states.collect();
    let values = switch::axis(source, nodes, &format!("`{key}`"))?;
    for (value, place) in &values {
        if !states.contains(value) {
            let message = format!("`{key}` is {} in no solver here", switch::word(*value));
            return Err(source.error(*place, message).hint("so this takes nothing out"));
        }
    }
    Ok(Some(values.into_iter().map(|(value, _)| value).collect()))
}
