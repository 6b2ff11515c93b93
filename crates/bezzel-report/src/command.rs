//! The exact commands that repeat an experiment and its report.

use bezzel_encode::format::shell_word;
use bezzel_experiment::backend::command;
use bezzel_experiment::{Row, program};

use crate::report::Report;

/// A command and its purpose.
pub(crate) struct ReportCommand {
    pub(crate) what: &'static str,
    pub(crate) line: String,
}

/// The commands, in the order in which a sceptical reader would run them. They are for the folder that holds
/// `experiments` and `reports`.
pub(crate) fn commands(report: &Report<'_>) -> Vec<ReportCommand> {
    let record = report.record;
    let (name, run) = if record.parts.is_empty() {
        let name = shell_word(&record.name);
        let config = shell_word(&format!("experiments/{}/config.yaml", record.name));
        let run = if record.config_name == record.name {
            format!("bezzel run {config}")
        } else {
            format!("bezzel run {config} --name {name}")
        };
        (name, run)
    } else {
        let run = "bezzel run experiments/$name/config.yaml --name $name".to_owned();
        ("$name".to_owned(), run)
    };
    // A report over several experiments has no evidence of its own: each command names one of them.
    let each = |what, line: String| {
        let parts: Vec<String> = record.parts.iter().map(|part| shell_word(part)).collect();
        let line = if parts.is_empty() {
            line
        } else {
            format!("for name in {}; do {line}; done", parts.join(" "))
        };
        ReportCommand { what, line }
    };
    // Jobs of programs that rows name are left out without `--programs`.
    let asks_programs = record.rows.iter().any(|Row { job, .. }| {
        command::is_program_job(job) || program::needs_programs(&job.encoding)
    });
    let programs = if asks_programs { " --programs" } else { "" };
    vec![
        each("Check the evidence: judge every answer again", format!("bezzel verify {name}")),
        each(
            "Run a sample of the jobs again, for about ten minutes, and compare",
            format!("bezzel run {name} --sample 10{programs}"),
        ),
        ReportCommand { what: "Render this report again", line: report.command.to_owned() },
        each("Run missing jobs and render; with --root FOLDER, run all jobs there", run),
        each(
            "Pack sources, evidence and digests into an archive",
            format!("bezzel artifact {name}"),
        ),
    ]
}
