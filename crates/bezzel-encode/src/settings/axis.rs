//! One axis of the settings: its texts, and its values by their names.

use bezzel_problem::UnknownId;

use super::Settings;

/// One of the settings beside an encoding, as an axis of experiments. Its values are handled by name.
#[derive(Debug)]
pub struct SettingAxis {
    /// The key in configs, exclusions and jobs.
    pub key: &'static str,
    /// One value in a message: `the input order`.
    pub value: &'static str,
    /// The values in the description of an exclusion.
    pub values: &'static str,
    /// The description in configs.
    pub about: &'static str,
    /// The column in tables of rows.
    pub column: &'static str,
    /// The word before a value in labels; empty where the value alone is clear.
    pub label: &'static str,
    /// The reason why an encoding of whole problems does not have this setting; none if every encoding has it. An
    /// encoding that does not have a setting occurs once, for any listed values.
    pub lines_only: Option<&'static str>,
    /// The argument of commands.
    pub argument: Argument,
    pub(super) names: fn() -> Vec<&'static str>,
    /// A regular expression for further names, which have a number.
    pub pattern: Option<&'static str>,
    pub(super) get: fn(&Settings) -> Option<String>,
    pub(super) set: fn(&mut Settings, &str) -> Result<(), UnknownId>,
}

/// The argument of commands for a setting.
#[derive(Debug)]
pub struct Argument {
    /// The name, after two dashes.
    pub name: &'static str,
    /// The placeholder for the value in the help.
    pub value: &'static str,
    /// The help.
    pub help: &'static str,
}

impl SettingAxis {
    /// The names of the values that have no number, the default first.
    pub fn names(&self) -> Vec<&'static str> {
        (self.names)()
    }

    /// The name of the default.
    pub fn default(&self) -> &'static str {
        self.names()[0]
    }

    /// The name of the value in these settings; none where the encoding has its own.
    pub fn name(&self, settings: &Settings) -> Option<String> {
        (self.get)(settings)
    }

    /// These settings with another value.
    ///
    /// # Errors
    ///
    /// When no value has this name.
    pub fn with(&self, mut settings: Settings, name: &str) -> Result<Settings, UnknownId> {
        (self.set)(&mut settings, name)?;
        Ok(settings)
    }

    /// The value in these settings in the form of labels; none for the default.
    pub fn words(&self, settings: &Settings) -> Option<String> {
        let name = self.name(settings).filter(|name| name != self.default())?;
        Some(if self.label.is_empty() { name } else { format!("{} {name}", self.label) })
    }

    /// True if encodings may have no value of their own, which is null in jobs.
    pub fn is_nullable(&self) -> bool {
        self.name(&Settings::default()).is_none()
    }
}
