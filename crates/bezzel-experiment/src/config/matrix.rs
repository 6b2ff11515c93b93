//! The axes of an experiment, and the inclusions beside them.

use bezzel_encode::numbering::SquareOrder;
use bezzel_problem::{Goal, Instance, ProblemFile};

use super::arm::Arm;
use super::arms;
use super::axes::{self, SettingValues};
use super::duplicates::refuse_duplicates;
use super::encodings::{self, EncodingEntry};
use super::fields::Fields;
use super::instances::InstanceEntry;
use super::node::Node;
use super::numberings::{self, NumberingEntry};
use super::problems;
use super::source::{ConfigError, Source, SourceLocation};
use crate::backend::InputKind;
use crate::backend::catalog::Catalog;
use crate::model::job::{BackendKind, Task};
use crate::results::store::Attached;

/// An example of the key `encodings`, for messages.
const ENCODINGS: &str = "encodings: [pairwise]";

/// The reason that no arm reads an encoding, for messages.
const INSTANCE_ALONE: &str = "its engines read the instance alone";

/// The largest number of inclusions.
const MAX_INCLUDED: usize = 64;

/// The axes: boards, encodings, settings, numberings, and solvers and engines. The cells are all combinations.
#[derive(Clone, Debug)]
pub struct Matrix {
    /// The instances, as listed.
    pub instances: Vec<InstanceEntry>,
    /// The encodings, as listed; empty if no arm reads one.
    pub encodings: Vec<EncodingEntry>,
    /// The settings of the encodings.
    pub settings: Vec<SettingValues>,
    /// The numberings, as listed.
    pub numberings: Vec<NumberingEntry>,
    /// The solvers, as listed, each with every combination of its switches; then the engines, as listed, with each
    /// task.
    pub arms: Vec<Arm>,
    /// The place of the inclusion; none for the config's own matrix.
    pub(crate) place: Option<SourceLocation>,
}

impl Matrix {
    /// Adds the notes on the constraint files of the instances, each once.
    pub(super) fn add_file_notes(&self, notes: &mut Vec<String>) {
        for file in self.instances.iter().filter_map(|entry| entry.instance.file()) {
            for note in file.notes().into_iter().chain(file.projection_note()) {
                let note = format!("{}: {note}", file.name());
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
    }

    /// Reads the axes of the config itself, and adds the files from which instances were read.
    pub(super) fn of_file(
        source: &Source,
        fields: &Fields<'_>,
        catalog: &Catalog,
        files: &mut Vec<Attached>,
    ) -> Result<Self, ConfigError> {
        fields.need("problems", "problems: [{queens: {size: 8}}]")?;
        // A config with engines alone lacks a task, and nothing else.
        if let (Some(engines), None, None) =
            (fields.get("engines"), fields.get("task"), fields.get("solvers"))
        {
            return Err(arms::engines_without_task(source, engines, &[Task::Solve]));
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
        matrix.take(source, &[fields], catalog, files)?;
        Ok(matrix)
    }

    /// Reads one entry of `include`. Its missing axes are those of the config.
    fn included(
        source: &Source,
        node: &Node,
        of_file: (&Self, &Fields<'_>),
        axes: &[&str],
        catalog: &Catalog,
        files: &mut Vec<Attached>,
    ) -> Result<Self, ConfigError> {
        let (mut matrix, above) = (of_file.0.clone(), of_file.1);
        matrix.place = Some(node.place);
        let fields = Fields::new(source, node, "an inclusion", axes)?;
        if fields.len() == 0 {
            let message = "an inclusion needs a key in which it differs from the matrix";
            let example = "as in `{problems: {queens: {size: 100}}, encodings: product}`";
            return Err(source.error(node.place, message).hint(example));
        }
        matrix.take(source, &[&fields, above], catalog, files)?;
        Ok(matrix)
    }

    /// Takes every axis that the first of the maps has.
    fn take(
        &mut self,
        source: &Source,
        maps: &[&Fields<'_>],
        catalog: &Catalog,
        files: &mut Vec<Attached>,
    ) -> Result<(), ConfigError> {
        let fields = maps[0];
        if let Some(nodes) = fields.list("problems")? {
            self.instances = problems::read(source, nodes, files)?;
        }
        let places = self.instances.iter().map(|entry| (&entry.instance, entry.place));
        refuse_duplicates(source, places, |first, instance| {
            let (noun, names) = (instance.noun(), [first, instance].map(ToString::to_string));
            match names {
                [first, second] if first == second => format!("the {noun} {first} is listed twice"),
                [first, second] => format!("the {noun} {second} is the same as {first}"),
            }
        })?;
        if let Some(nodes) = fields.list("encodings")? {
            self.encodings = encodings::encodings(source, nodes, catalog)?;
        }
        if self.place.is_none() || arms::KEYS.iter().any(|key| fields.get(key).is_some()) {
            self.arms = arms::read(source, maps, catalog)?;
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
        self.state_objectives(source)?;
        self.refuse_numberings(source)
    }

    /// Asks for the optimum of files whose entries leave the use of the objective open, if this is the task. Refuses
    /// files that leave it open otherwise, and an optimum without an objective.
    fn state_objectives(&mut self, source: &Source) -> Result<(), ConfigError> {
        let optimises = self.arms.iter().any(|arm| arm.task == Task::Optimise);
        for entry in &mut self.instances {
            let (instance, place) = (&entry.instance, entry.place);
            let refuse = |message: String, mend: &str| Err(source.error(place, message).hint(mend));
            let goal = instance.file().map(ProblemFile::goal);
            match (goal, entry.has_open_objective) {
                (Some(goal), true) if optimises && *goal != Goal::Optimum => {
                    let file = instance.file().map(|file| file.with_goal(Goal::Optimum));
                    let file =
                        file.transpose().map_err(|it| source.error(place, it.to_string()))?;
                    entry.instance = file.map_or_else(|| instance.clone(), Instance::from);
                }
                (Some(_), true) if !optimises => {
                    let message = format!("the file {instance} has an objective");
                    let mend = "state its use, as in `objective: at most 41`, or ask for the optimum by \
                                `task: optimise`; `objective: ignored` asks for any solution";
                    return refuse(message, mend);
                }
                (Some(Goal::Optimum), false) if !optimises => {
                    let message = "`objective: optimum` is a task of its own".to_owned();
                    return refuse(message, "write `task: optimise`");
                }
                (Some(Goal::Optimum), _) => {}
                (Some(Goal::Bound(bound)), _) if optimises => {
                    let message = format!("`objective: {bound}` asks for no optimum");
                    return refuse(message, "remove it, or `task: optimise`");
                }
                _ if optimises => {
                    let message =
                        format!("`optimise` needs an objective, and {instance} asks for none");
                    return refuse(message, "remove it, or put it into a config of its own");
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns true if an arm reads an encoding.
    fn reads_encoding(&self) -> bool {
        self.arms.iter().any(|arm| arm.reads != InputKind::Instance)
    }

    /// Returns true if an arm reads clauses in their numbering.
    fn reads_numbering(&self) -> bool {
        self.arms.iter().any(|arm| arm.reads == InputKind::Clauses)
    }

    /// Keeps encodings, their settings and numberings only if an arm reads them. Refuses those that are stated and
    /// that no arm reads.
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
            let mend = "remove it, or add an engine that reads an encoding, such as `blocking`";
            unread("encodings", INSTANCE_ALONE, mend)?;
            self.encodings.clear();
            for entry in &mut self.instances {
                if entry.constraints.take().is_some() && fields.get("problems").is_some() {
                    let message = format!("nothing here reads `constraints`: {INSTANCE_ALONE}");
                    return Err(source.error(entry.place, message).hint(mend));
                }
            }
            for values in &mut self.settings {
                if values.other_than_default().is_some() {
                    unread(values.axis.key, INSTANCE_ALONE, mend)?;
                    values.reset();
                }
            }
        }
        let as_generated = self.numberings.iter().all(NumberingEntry::is_as_generated);
        if !self.reads_numbering() && !as_generated {
            let what = "a numbering changes clauses, and nothing here reads clauses";
            let mend =
                "remove it, or add a solver, or an engine that reads clauses, such as `blocking`";
            unread("numberings", what, mend)?;
            self.numberings = vec![NumberingEntry::as_generated()];
        }
        Ok(())
    }

    /// Reads the entries of `include`, which have the keys `axes`.
    pub(super) fn all_included(
        source: &Source,
        nodes: &[Node],
        of_file: (&Self, &Fields<'_>),
        axes: &[&str],
        catalog: &Catalog,
        files: &mut Vec<Attached>,
    ) -> Result<Vec<Self>, ConfigError> {
        if let Some(node) = nodes.get(MAX_INCLUDED) {
            let message = format!("`include` has more than {MAX_INCLUDED} entries");
            return Err(source
                .error(node.place, message)
                .hint("an entry may list several instances"));
        }
        let included = |node| Self::included(source, node, of_file, axes, catalog, files);
        nodes.iter().map(included).collect()
    }

    /// Refuses instances with a numbering that orders squares they do not have, and instances without a numbering.
    fn refuse_numberings(&self, source: &Source) -> Result<(), ConfigError> {
        if !self.reads_numbering() {
            return Ok(());
        }
        let mut numberings = self.numberings.iter().map(|entry| entry.numbering(0));
        let ordered = numberings.find(|numbering| numbering.squares != SquareOrder::default());
        for entry in &self.instances {
            if let (None, Some(numbering)) = (entry.instance.grid(), ordered) {
                let id = numbering.id();
                let message = format!("`{id}` orders the squares of a grid, and this has none");
                let mend = "remove the numbering, or include it with instances on a grid alone";
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

/// The names of a setting's values on any of these instances, those of the matrix first.
fn names_on(instances: &[InstanceEntry], values: &SettingValues) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in instances.iter().flat_map(|entry| entry.values(values)) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    let place = |name: &String| values.stated.iter().position(|stated| stated == name);
    names.sort_by_key(|name| place(name).unwrap_or(usize::MAX));
    names
}
