//! The arguments of `schema`.

use clap::{Args, ValueEnum};

#[derive(Debug, Args)]
#[command(after_help = SCHEMA_EXAMPLES)]
pub(crate) struct SchemaArguments {
    /// The kind of document
    #[arg(value_enum, default_value_t)]
    pub(crate) of: SchemaOf,
}

/// The documents that have a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchemaOf {
    /// Configs, as a run reads them
    #[default]
    Configs,
    /// Rows: the lines of sessions that have a row
    Rows,
}

const SCHEMA_EXAMPLES: &str = "\
Examples:
  bezzel schema > bezzel.schema.json
      of configs
  bezzel schema rows > rows.schema.json
      of the lines with rows in experiments/NAME/*.jsonl, for programs that read them

With the YAML language server, a config that begins with this line is completed and checked:
  # yaml-language-server: $schema=bezzel.schema.json";
