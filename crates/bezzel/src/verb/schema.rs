//! `bezzel schema`: the JSON Schemas of configs, for editors that complete and check YAML, and of
//! rows, for programs that read evidence.

use std::io::Write;
use std::process::ExitCode;

use bezzel_lab::{Workbench, config, row_schema};

use crate::arguments::{SchemaArguments, SchemaOf};
use crate::failure::Failure;

pub(crate) fn run(
    arguments: &SchemaArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let schema = match arguments.of {
        SchemaOf::Configs => config::schema(workbench),
        SchemaOf::Rows => row_schema(),
    };
    let text = serde_json::to_string_pretty(&schema).map_err(Failure::work)?;
    writeln!(out, "{text}")?;
    Ok(ExitCode::SUCCESS)
}
