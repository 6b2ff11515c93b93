//! `bezzel schema`: the JSON Schemas of configs, for editors that complete and check YAML, and of
//! rows, for programs that read evidence.

use std::io::Write;
use std::process::ExitCode;

use bezzel_experiment::{Catalog, config, row_schema};

use super::common::print_json;
use crate::arguments::{SchemaArguments, SchemaOf};
use crate::failure::CommandResult;

pub(crate) fn run(
    arguments: &SchemaArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let schema = match arguments.of {
        SchemaOf::Configs => config::schema(catalog),
        SchemaOf::Rows => row_schema(),
    };
    print_json(&schema, out)?;
    Ok(ExitCode::SUCCESS)
}
