//! The arguments for settings of encodings, one for each setting.

use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{SettingAxis, Settings};
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::failure::Failure;

/// The settings that are given, by the names of their values.
#[derive(Debug, Default)]
pub(crate) struct SettingArguments(Vec<(&'static SettingAxis, String)>);

impl SettingArguments {
    /// True if a setting differs from its default. The constraints have no fixed default, since it depends on the board,
    /// so they count as soon as they are given.
    pub(crate) fn are_given(&self) -> bool {
        self.0.iter().any(|(axis, name)| axis.is_nullable() || name != axis.default())
    }

    /// These settings, with those replaced that the command line gives.
    pub(crate) fn on(&self, settings: Settings) -> Settings {
        let with = |settings, (axis, name): &(&SettingAxis, String)| {
            axis.with(settings, name).expect("the parser took it")
        };
        self.0.iter().fold(settings, with)
    }

    /// Refuses settings that the encoding does not have.
    pub(crate) fn refuse_unread(&self, id: &str, found: &NamedEncoding) -> Result<(), Failure> {
        if let Some((axis, name)) = self.0.iter().find(|(axis, _)| !found.has(axis)) {
            return Err(Failure::Input(format!(
                "--{} {name} does not apply to `{id}`, which {}: {}",
                axis.argument.name,
                axis.lines_only.unwrap_or_default(),
                found.info().constraints
            )));
        }
        Ok(())
    }
}

/// The argument of a setting.
fn argument(axis: &'static SettingAxis) -> Arg {
    let name = axis.argument.name;
    let argument = Arg::new(name)
        .long(name)
        .help(axis.argument.help)
        .value_name(axis.argument.value)
        .value_parser(|name: &str| axis.with(Settings::default(), name).map(|_| name.to_owned()));
    if axis.is_nullable() { argument } else { argument.default_value(axis.default()) }
}

impl Args for SettingArguments {
    fn augment_args(command: Command) -> Command {
        command.args(Settings::AXES.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SettingArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = Settings::AXES.iter().filter_map(|axis| {
            let name = axis.argument.name;
            (matches.value_source(name)? == ValueSource::CommandLine).then_some(())?;
            Some((axis, matches.get_one::<String>(name)?.clone()))
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
