//! The keys in which two configs differ. This module alone decides whether a config is another version.
//!
//! Values are compared as they are read, in any notation, including values that were taken over from other files.
//! Remarks, the order of keys, keys that are [no part](NO_PART) of an experiment, and keys for the report alone make no
//! difference.

use bezzel_problem::Instance;

use super::node::{Node, Value};
use super::{Config, report};

/// Keys that are no part of an experiment. A config can be run under another `name`. The keys that `extends` takes over
/// are compared themselves.
const NO_PART: [&str; 2] = ["name", "extends"];

/// The key of limits. They are compared as jobs have them, since the frozen copy states one limit more.
const LIMITS: &str = "limits";

/// The key of problems, which may be in files.
const PROBLEMS: &str = "problems";

impl Config {
    /// The keys whose values differ from those of another config; none if both are the same experiment with the same
    /// question.
    pub fn differing<'a>(&'a self, other: &'a Self) -> Vec<&'a str> {
        let both = self.entries.iter().chain(&other.entries);
        let mut keys: Vec<&str> = both.filter_map(|(key, _)| name(key)).collect();
        keys.push(LIMITS);
        keys.sort_unstable();
        keys.dedup();
        keys.retain(|&key| match key {
            _ if NO_PART.contains(&key) || report::is_key(key) => false,
            LIMITS => self.limits != other.limits,
            PROBLEMS if self.all_instances() != other.all_instances() => true,
            _ => match (self.value(key), other.value(key)) {
                (Some(one), Some(two)) => !one.means(two),
                (one, two) => one.is_some() || two.is_some(),
            },
        });
        keys
    }

    fn value(&self, key: &str) -> Option<&Value> {
        let entry = self.entries.iter().find(|(own, _)| own.is(key));
        entry.map(|(_, value)| &value.value)
    }

    fn all_instances(&self) -> Vec<&Instance> {
        self.matrices().flat_map(|matrix| &matrix.instances).map(|entry| &entry.instance).collect()
    }
}

fn name(key: &Node) -> Option<&str> {
    match &key.value {
        Value::Text(name) => Some(name),
        _ => None,
    }
}
