//! Exclusions from the matrix: the key `exclude`.
//!
//! An exclusion is a map of patterns over the names that the plan prints for a job: its instance, its encoding, the
//! values of the encoding's settings, its numbering, its task and its solver or engine. It removes the cells that fit
//! all of its patterns. An exclusion that removes nothing is refused by the plan.

use bezzel_encode::Settings;
use bezzel_problem::UnknownId;

use super::fields::Fields;
use super::glob::Glob;
use super::node::{Node, Value};
use super::source::{ConfigError, Source, SourceLocation};

/// The largest number of exclusions in a config, which is the number of bits of a [mask](mask).
const MAX_EXCLUSIONS: usize = u64::BITS as usize;

/// The largest number of names that are shown if none fits.
const SHOWN: usize = 8;

/// The names of one part of a job, such as its encoding: each key of exclusions on it, with the names that it may have.
pub(crate) type PartNames = Vec<(&'static str, Vec<String>)>;

/// Cells that are removed from the matrix.
#[derive(Clone, Debug)]
pub struct Exclusion {
    tests: Vec<(&'static str, Vec<Pattern>)>,
    pub(crate) place: SourceLocation,
}

/// A pattern with its place.
#[derive(Clone, Debug)]
struct Pattern {
    glob: Glob,
    text: String,
    place: SourceLocation,
}

impl Pattern {
    /// Returns true if one of the names is the text, or fits it as a pattern. A command line may have signs of a
    /// pattern.
    fn fits(&self, names: &[String]) -> bool {
        names.iter().any(|name| *name == self.text || self.glob.matches(name))
    }
}

/// The keys of exclusions.
fn keys() -> Vec<&'static str> {
    let settings = Settings::AXES.iter().map(|axis| axis.key);
    ["instance", "encoding"]
        .into_iter()
        .chain(settings)
        .chain(["numbering", "task", "solver"])
        .collect()
}

/// Reads the exclusions.
pub(super) fn read(source: &Source, nodes: &[Node]) -> Result<Vec<Exclusion>, ConfigError> {
    if let Some(node) = nodes.get(MAX_EXCLUSIONS) {
        let message = format!("`exclude` has more than {MAX_EXCLUSIONS} entries");
        return Err(source.error(node.place, message).hint("an entry may list several values"));
    }
    let known = keys();
    let entry = |node: &Node| {
        let fields = Fields::new(source, node, "an exclusion", &known)?;
        if fields.len() == 0 {
            let message = "an exclusion needs a key";
            let example = "as in `{instance: 40, encoding: pairwise}`";
            return Err(source.error(node.place, message).hint(example));
        }
        let mut tests = Vec::new();
        for name in &known {
            let Some(nodes) = fields.list(name)? else { continue };
            let pattern = |node: &Node| {
                let text = match node.value {
                    Value::Number(_) => source.written(node.place),
                    _ => source.text_of(node, &format!("`{name}`"))?,
                };
                Ok(Pattern { glob: Glob::new(text), text: text.to_owned(), place: node.place })
            };
            tests.push((*name, nodes.iter().map(pattern).collect::<Result<_, ConfigError>>()?));
        }
        Ok(Exclusion { tests, place: node.place })
    };
    nodes.iter().map(entry).collect()
}

/// The exclusions that do not keep a part of a job, a bit for each. A job is removed if a bit is in the masks of all
/// its parts.
pub(crate) fn mask(exclude: &[Exclusion], part: &PartNames) -> u64 {
    let fits = |exclusion: &Exclusion| {
        exclusion.tests.iter().all(|(key, patterns)| {
            let names = part.iter().find(|(name, _)| name == key);
            names.is_none_or(|(_, names)| patterns.iter().any(|pattern| pattern.fits(names)))
        })
    };
    let bits = exclude.iter().enumerate().filter(|(_, exclusion)| fits(exclusion));
    bits.fold(0, |mask, (bit, _)| mask | 1 << bit)
}

impl Exclusion {
    /// Refuses a pattern that fits no name of any of these parts.
    pub(crate) fn refuse_unmatched(
        &self,
        source: &Source,
        parts: &[PartNames],
    ) -> Result<(), ConfigError> {
        for (key, patterns) in &self.tests {
            let of_key = || parts.iter().flatten().filter(|(name, _)| name == key);
            let is_idle = |pattern: &&Pattern| !of_key().any(|(_, names)| pattern.fits(names));
            let Some(Pattern { text, place, .. }) = patterns.iter().find(is_idle) else { continue };
            let mut names: Vec<String> = Vec::new();
            for name in of_key().flat_map(|(_, names)| names) {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
            let message = format!("`{text}` removes nothing: no `{key}` of the matrix fits it");
            let near = UnknownId::new("name", text, &names).near;
            let more = if names.len() > SHOWN { ", …" } else { "" };
            names.truncate(SHOWN);
            let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            let there = format!("there are {there}{more}");
            return Err(source.error(*place, message).near(near.as_deref(), there));
        }
        Ok(())
    }
}
