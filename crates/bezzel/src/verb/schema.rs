//! `bezzel schema`: the JSON Schemas of configs, for editors that complete and check YAML, and of
//! rows, for programs that read evidence.

use std::io::Write;
use std::process::ExitCode;

use bezzel_lab::{Workbench, config, row_schema};

use super::common::print_json;
use crate::arguments::{SchemaArguments, SchemaOf};
use crate::failure::Done;

pub(crate) fn run(arguments: &SchemaArguments, workbench: &Workbench, out: &mut dyn Write) -> Done {
    let schema = match arguments.of {
        SchemaOf::Configs => config::schema(workbench),
        SchemaOf::Rows => row_schema(),
    };
    print_json(&schema, out)?;
    Ok(ExitCode::SUCCESS)
}
