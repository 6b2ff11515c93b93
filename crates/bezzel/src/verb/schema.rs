//! `bezzel schema`: the JSON Schema of configs, for editors that complete and check YAML.

use std::io::Write;
use std::process::ExitCode;

use bezzel_lab::{Workbench, config};

use crate::failure::Failure;

pub(crate) fn run(workbench: &Workbench, out: &mut dyn Write) -> Result<ExitCode, Failure> {
    let schema = config::schema(workbench);
    let text = serde_json::to_string_pretty(&schema).map_err(Failure::work)?;
    writeln!(out, "{text}")?;
    Ok(ExitCode::SUCCESS)
}
