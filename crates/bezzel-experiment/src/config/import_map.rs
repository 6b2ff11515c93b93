//! The map of an imported table: its columns as instance, family, arms, status, time and further measures.

use std::path::Path;

use bezzel_solve::Answer;

use super::fields::Fields;
use super::limits;
use super::node::{Node, Value};
use super::record::resolved;
use super::source::{ConfigError, Source, SourceLocation};
use super::{name, node, question, report, text_of_file, typed_number};
use crate::results::store::{IMPORTED, RecordedConfig};

/// A text of a run: a column, or a part of its text.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The column.
    pub column: String,
    /// Its place in the map.
    pub place: SourceLocation,
    /// The part before the first of this text; the whole text if it is not there.
    before: Option<String>,
    /// The part after the last of this text; empty if it is not there.
    after: Option<String>,
}

/// The statuses of runs.
#[derive(Clone, Debug, PartialEq)]
pub enum StatusRule {
    /// Every run within the limit has this answer.
    Constant(Answer),
    /// A column states it: each word has an answer, or none for a run that ended at the limit.
    Words(Part, Vec<(String, Option<Answer>)>),
}

/// A further measure of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FurtherMeasure {
    /// Conflicts.
    Conflicts,
    /// Decisions.
    Decisions,
    /// Propagations.
    Propagations,
    /// Time of making the formula, in the unit of the time.
    Preparation,
}

/// The map of a table.
#[derive(Clone, Debug)]
pub struct ImportMap {
    /// The name of the experiment.
    pub name: String,
    /// The solver of all runs.
    pub solver: String,
    /// The instance.
    pub instance: Part,
    /// The family; none if all instances are one.
    pub family: Option<Part>,
    /// The factors of arms, each with its name.
    pub arms: Vec<(String, Part)>,
    /// The number of the replicate.
    pub replicate: Option<Part>,
    /// The status.
    pub status: StatusRule,
    /// The time.
    pub time: Part,
    /// Seconds of a unit of time.
    pub unit_s: f64,
    /// The limit, in seconds.
    pub limit_s: f64,
    /// True if a time of at least the limit is a run that ended there.
    pub cuts: bool,
    /// The resolution of times, in seconds: a shorter time counts as this one.
    pub least_s: f64,
    /// Further measures.
    pub measures: Vec<(FurtherMeasure, Part)>,
    /// The SHA-256 of the table, unpacked, if the map states it.
    pub sha256: Option<(String, SourceLocation)>,
    /// The map as a session states it.
    pub recorded: RecordedConfig,
    source: Source,
}

const KEYS: [&str; 15] = [
    "name",
    "question",
    "source",
    "solver",
    "instance",
    "family",
    "arms",
    "replicate",
    "status",
    "time",
    "unit",
    "limit",
    "over_limit",
    "resolution",
    "measures",
];
const SOURCE: [&str; 5] = ["repository", "commit", "file", "licence", "sha256"];
const PART: [&str; 4] = ["column", "before", "after", "words"];
const MEASURES: [(&str, FurtherMeasure); 4] = [
    ("conflicts", FurtherMeasure::Conflicts),
    ("decisions", FurtherMeasure::Decisions),
    ("propagations", FurtherMeasure::Propagations),
    ("preparation", FurtherMeasure::Preparation),
];

impl Part {
    /// The part of the column's text.
    pub fn of<'t>(&self, text: &'t str) -> &'t str {
        let text =
            self.before.as_ref().map_or(text, |end| text.split(&**end).next().unwrap_or(text));
        match &self.after {
            Some(start) => text.rsplit_once(&**start).map_or("", |(_, end)| end),
            None => text,
        }
    }

    fn read(source: &Source, node: &Node) -> Result<Self, ConfigError> {
        let text = |node: &Node| source.text_of(node, "a column").map(str::to_owned);
        if !matches!(node.value, Value::Map(_)) {
            return Ok(Self { column: text(node)?, place: node.place, before: None, after: None });
        }
        let fields = Fields::new(source, node, "a column", &PART)?;
        let column = fields.need("column", "column: name")?;
        let part = |key: &str| fields.get(key).map(text).transpose();
        let (before, after) = (part("before")?, part("after")?);
        Ok(Self { column: text(column)?, place: column.place, before, after })
    }
}

impl StatusRule {
    fn read(source: &Source, node: &Node) -> Result<Self, ConfigError> {
        const CHOICES: [(&str, Option<Answer>); 3] =
            [("sat", Some(Answer::Sat)), ("unsat", Some(Answer::Unsat)), ("limit", None)];
        if let Some((_, Some(answer))) = CHOICES.iter().find(|(name, _)| node.is(name)) {
            return Ok(Self::Constant(*answer));
        }
        let part = Part::read(source, node)?;
        let Some((_, words)) = node.entry("words") else {
            let error = source.error(node.place, "`status` has no `words`");
            return Err(error.hint(
                "as in `{column: result, words: {sat: [SAT], unsat: [UNSAT], limit: [TO]}}`",
            ));
        };
        let keys = CHOICES.map(|(name, _)| name);
        let fields = Fields::new(source, words, "`words`", &keys)?;
        let mut known = Vec::new();
        for (name, answer) in CHOICES {
            for word in fields.list(name)?.unwrap_or_default() {
                known.push((source.text_of(word, "a word of a status")?.to_owned(), answer));
            }
        }
        Ok(Self::Words(part, known))
    }
}

impl ImportMap {
    /// Reads a map.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or is not one YAML document of the right shape.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let path_name = path.display().to_string();
        let source = Source::new(&path_name, &text_of_file(path, &path_name)?);
        let root = node::parse(&source, 0)?;
        let known = [&KEYS[..], &report::keys()].concat();
        let fields = Fields::of_file(&source, &root, "the map", &known)?;
        let part = |key: &str| fields.get(key).map(|node| Part::read(&source, node)).transpose();
        let need = |key: &str| Part::read(&source, fields.need(key, &format!("{key}: COLUMN"))?);
        let seconds = |key: &'static str, node| limits::seconds(&source, node, key);
        typed_number::refuse(&report::read(&source, &fields)?, fields.entries())?;
        question(&source, &fields)?;
        let arms = fields.need("arms", "arms: {encoding: Encoding}")?;
        let Value::Map(factors) = &arms.value else {
            return Err(source.error(arms.place, "`arms` must be a map of factors to columns"));
        };
        if factors.is_empty() {
            let error = source.error(arms.place, "`arms` has no factor");
            return Err(error.hint("name the column of the arms, as in `{encoding: Encoding}`"));
        }
        let factor = |(key, node): &(Node, Node)| {
            Ok((source.text_of(key, "a factor")?.to_owned(), Part::read(&source, node)?))
        };
        let sha256 = match fields.get("source") {
            None => None,
            Some(node) => Fields::new(&source, node, "`source`", &SOURCE)?
                .get("sha256")
                .map(|node| {
                    Ok::<_, ConfigError>((source.text_of(node, "`sha256`")?.to_owned(), node.place))
                })
                .transpose()?,
        };
        let measures = match fields.get("measures") {
            None => Vec::new(),
            Some(node) => {
                let keys = MEASURES.map(|(name, _)| name);
                let fields = Fields::new(&source, node, "`measures`", &keys)?;
                let each = MEASURES.iter().filter_map(|(name, of)| Some((*of, fields.get(name)?)));
                each.map(|(of, node)| Ok((of, Part::read(&source, node)?)))
                    .collect::<Result<_, ConfigError>>()?
            }
        };
        let solver =
            fields.get("solver").map(|node| source.text_of(node, "`solver`")).transpose()?;
        let mut recorded = RecordedConfig::default();
        for (key, value) in fields.entries() {
            let Value::Text(key) = &key.value else { continue };
            let of = if report::is_key(key) { &mut recorded.report } else { &mut recorded.config };
            of.insert(key.clone(), resolved(&source, value));
        }
        recorded.config.insert(IMPORTED.into(), "the rows were not verified here".into());
        Ok(Self {
            name: name::read(&source, fields.need("name", "name: published")?)?,
            solver: solver.unwrap_or("unknown").to_owned(),
            instance: need("instance")?,
            family: part("family")?,
            arms: factors.iter().map(factor).collect::<Result<_, ConfigError>>()?,
            replicate: part("replicate")?,
            status: StatusRule::read(&source, fields.need("status", "status: sat")?)?,
            time: need("time")?,
            unit_s: fields.choice("unit", &limits::TIMES)?.unwrap_or(1.0),
            limit_s: seconds("`limit`", fields.need("limit", "limit: 1800 s")?)?,
            cuts: fields
                .choice("over_limit", &[("refuse", false), ("cut", true)])?
                .unwrap_or(false),
            least_s: fields
                .get("resolution")
                .map_or(Ok(0.0), |node| seconds("`resolution`", node))?,
            measures,
            sha256,
            recorded,
            source,
        })
    }

    /// An error at a place in the map.
    pub fn error(&self, place: SourceLocation, message: &str) -> ConfigError {
        self.source.error(place, message)
    }
}
