//! The axes of an experiment, and what is added beside them.

use bezzel_encode::numbering::Squares;

use super::arm::Arm;
use super::arms;
use super::axes::{self, SettingValues};
use super::boards::{self, InstanceEntry};
use super::encodings::{self, EncodingEntry};
use super::fields::{Field, Fields};
use super::node::Node;
use super::numberings::{self, NumberingEntry};
use super::problems;
use super::source::{ConfigError, Place, Source};
use super::twins::refuse_twins;
use crate::backend::Reads;
use crate::backend::workbench::Workbench;
use crate::model::job::{BackendKind, Task};
use crate::results::store::Attached;

/// What may stand there where encodings must.
const ENCODINGS: &str = "encodings: [pairwise]";

/// Why nobody reads an encoding.
const BOARD_ALONE: &str = "its engines read the board alone";

/// So many matrices can be included.
const MOST_INCLUDED: usize = 64;

/// Boards, encodings, settings, numberings, and the solvers and engines that do the work, of which
/// each meets each.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The boards, then the other instances, as listed.
    pub instances: Vec<InstanceEntry>,
    /// The encodings, as listed; none, where nobody reads one.
    pub encodings: Vec<EncodingEntry>,
    /// What is set beside the encodings.
    pub settings: Vec<SettingValues>,
    /// The numberings, as listed.
    pub numberings: Vec<NumberingEntry>,
    /// The solvers, as listed, each with every combination of what is switched on and off in it; then
    /// the engines, as listed, with each task.
    pub arms: Vec<Arm>,
    /// Where it is included; nowhere, if it is the config's own.
    pub(crate) place: Option<Place>,
}

impl Matrix {
    /// The axes of the config itself, and the files that boards were read from.
    pub(super) fn of_file(
        source: &Source,
        fields: &Fields<'_>,
        workbench: &Workbench,
    ) -> Result<(Self, Vec<Attached>), ConfigError> {
        if fields.get("problems").is_none() {
            fields.need("boards", "boards: [{size: 8}]")?;
        }
        // Whoever lists engines alone has forgotten to say what for, and needs nothing else.
        if let (Some(engines), None, None) =
            (fields.get("engines"), fields.get("task"), fields.get("solvers"))
        {
            return Err(arms::unasked(source, engines, &[Task::First]));
        }
        let tasks = arms::tasks(source, &[fields])?;
        if tasks.iter().any(|task| task.backend() != Some(BackendKind::Engine)) {
            fields.need("encodings", ENCODINGS)?;
        }
        let mut matrix = Self {
            instances: Vec::new(),
            encodings: Vec::new(),
            settings: SettingValues::defaults(),
            numberings: vec![NumberingEntry::as_generated()],
            arms: Vec::new(),
            place: None,
        };
        let mut files = Vec::new();
        matrix.take(source, &[fields], workbench, &mut files)?;
        Ok((matrix, files))
    }

    /// One entry of `include`: what it does not say is as in the config.
    fn included(
        source: &Source,
        node: &Node,
        of_file: (&Self, &Fields<'_>),
        axes: &[Field],
        workbench: &Workbench,
        files: &mut Vec<Attached>,
    ) -> Result<Self, ConfigError> {
        let (mut matrix, above) = (of_file.0.clone(), of_file.1);
        matrix.place = Some(node.place);
        let fields = Fields::new(source, node, "an inclusion", axes)?;
        if fields.len() == 0 {
            let message = "an inclusion must say in what it differs from the matrix";
            let example = "as in `{boards: {size: 100}, encodings: product}`";
            return Err(source.error(node.place, message).hint(example));
        }
        matrix.take(source, &[&fields, above], workbench, files)?;
        Ok(matrix)
    }

    /// Takes every axis that the first of the maps has.
    fn take(
        &mut self,
        source: &Source,
        maps: &[&Fields<'_>],
        workbench: &Workbench,
        files: &mut Vec<Attached>,
    ) -> Result<(), ConfigError> {
        let fields = maps[0];
        if ["boards", "problems"].iter().any(|key| fields.get(key).is_some()) {
            self.instances.clear();
        }
        if let Some(nodes) = fields.list("boards")? {
            let (boards, named) = boards::read(source, nodes)?;
            self.instances = boards;
            files.extend(named);
        }
        if let Some(nodes) = fields.list("problems")? {
            let (instances, named) = problems::read(source, nodes)?;
            self.instances.extend(instances);
            files.extend(named);
        }
        let places = self.instances.iter().map(|entry| (&entry.instance, entry.place));
        refuse_twins(source, places, |instance| format!("the {} {instance}", instance.noun()))?;
        if let Some(nodes) = fields.list("encodings")? {
            self.encodings = encodings::encodings(source, nodes, workbench)?;
        }
        if self.place.is_none() || arms::KEYS.iter().any(|key| fields.get(key).is_some()) {
            self.arms = arms::read(source, maps, workbench)?;
        }
        for values in &mut self.settings {
            if let Some(nodes) = fields.list(values.axis.key)? {
                values.stated = axes::setting(source, nodes, values.axis)?;
            }
            values.names = names_on(&self.instances, values);
        }
        if let Some(nodes) = fields.list("numberings")? {
            self.numberings = numberings::read(source, nodes)?;
        }
        self.keep_what_is_read(source, fields)?;
        self.refuse_numberings(source)
    }

    /// Whether some arm reads an encoding.
    fn reads_encoding(&self) -> bool {
        self.arms.iter().any(|arm| arm.reads != Reads::Board)
    }

    /// Whether some arm reads clauses in their numbering.
    fn reads_numbering(&self) -> bool {
        self.arms.iter().any(|arm| arm.reads == Reads::Clauses)
    }

    /// Keeps encodings, their settings and numberings only where somebody reads them, and refuses
    /// those that are stated for nobody.
    fn keep_what_is_read(
        &mut self,
        source: &Source,
        fields: &Fields<'_>,
    ) -> Result<(), ConfigError> {
        let unread = |key: &str, what: &str, mend: &str| {
            arms::stated_here(fields, key).map_or(Ok(()), |node| {
                let message = format!("nothing here reads `{key}`: {what}");
                Err(source.error(node.place, message).hint(mend))
            })
        };
        if self.reads_encoding() {
            if self.encodings.is_empty() {
                fields.need("encodings", ENCODINGS)?;
            }
        } else {
            let mend = "take it away, or add an engine that reads an encoding, such as `blocking`";
            unread("encodings", BOARD_ALONE, mend)?;
            self.encodings.clear();
            for entry in &mut self.instances {
                if entry.constraints.take().is_some() && fields.get("boards").is_some() {
                    let message = format!("nothing here reads `constraints`: {BOARD_ALONE}");
                    return Err(source.error(entry.place, message).hint(mend));
                }
            }
            // That solutions are left out is refused for the engine by which it is wrong.
            let set = |values: &&mut SettingValues| !values.axis.leaves_out;
            for values in self.settings.iter_mut().filter(set) {
                if values.other_than_default().is_some() {
                    unread(values.axis.key, BOARD_ALONE, mend)?;
                    values.reset();
                }
            }
        }
        let as_generated = self.numberings.iter().all(NumberingEntry::is_as_generated);
        if !self.reads_numbering() && !as_generated {
            let what = "it is clauses that are numbered, for whoever solves them";
            let mend = "take it away, or add a solver, or an engine that reads clauses, such as \
                        `blocking`";
            unread("numberings", what, mend)?;
            self.numberings = vec![NumberingEntry::as_generated()];
        }
        Ok(())
    }

    /// The entries of `include`, which have these keys.
    pub(super) fn all_included(
        source: &Source,
        nodes: &[Node],
        of_file: (&Self, &Fields<'_>),
        axes: &[Field],
        workbench: &Workbench,
        files: &mut Vec<Attached>,
    ) -> Result<Vec<Self>, ConfigError> {
        if let Some(node) = nodes.get(MOST_INCLUDED) {
            let message = format!("`include` has more than {MOST_INCLUDED} entries");
            return Err(source.error(node.place, message).hint("an entry may list several boards"));
        }
        let included = |node| Self::included(source, node, of_file, axes, workbench, files);
        nodes.iter().map(included).collect()
    }

    /// Refuses instances with a numbering that orders squares they do not have, and instances without a numbering.
    fn refuse_numberings(&self, source: &Source) -> Result<(), ConfigError> {
        if !self.reads_numbering() {
            return Ok(());
        }
        let mut numberings = self.numberings.iter().map(|entry| entry.numbering(0));
        let ordered = numberings.find(|numbering| numbering.squares != Squares::default());
        for entry in &self.instances {
            if let (None, Some(numbering)) = (entry.instance.board(), ordered) {
                let id = numbering.id();
                let message = format!("`{id}` orders the squares of boards, and this has none");
                let mend = "take the numbering away, or include it with boards alone";
                return Err(source.error(entry.place, message).hint(mend));
            }
            if self.numberings.iter().all(|numbering| numbering.count(entry.shuffles) == 0) {
                let noun = entry.instance.noun();
                let message = format!("with no shuffles this {noun} has no numbering left to run");
                return Err(source
                    .error(entry.place, message)
                    .hint("allow a shuffle, or add `as-generated` to the numberings"));
            }
        }
        Ok(())
    }
}

/// The names of a setting's values on any of these boards, those of the matrix first.
fn names_on(boards: &[InstanceEntry], values: &SettingValues) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in boards.iter().flat_map(|entry| entry.values(values)) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let place = |name: &String| values.stated.iter().position(|stated| stated == name);
    names.sort_by_key(|name| place(name).unwrap_or(usize::MAX));
    names
}
