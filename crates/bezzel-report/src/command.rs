//! The exact commands that repeat an experiment and its report.

use bezzel_encode::format::shell_word;
use bezzel_experiment::ExperimentRecord;

use crate::report::Report;
use crate::row_columns::needs_permission;

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
        let folder = shell_word(&format!("experiments/{}", record.name));
        (shell_word(&record.name), format!("bezzel run {folder}"))
    } else {
        ("$name".to_owned(), "bezzel run experiments/$name".to_owned())
    };
    let each = |what, line: String| ReportCommand { what, line: for_each(record, line) };
    if record.is_imported() {
        let map = record.map.as_deref().map_or("MAP".into(), shell_word);
        let line = format!("bezzel import TABLE --map {map}");
        return vec![
            ReportCommand { what: "Import the table of this source by this map", line },
            ReportCommand { what: "Render this report again", line: report.command.to_owned() },
        ];
    }
    let programs = programs(record);
    let run = format!("{run}{programs}");
    vec![
        each("Check the evidence: judge every answer again", format!("bezzel verify {name}")),
        each(
            "Run a sample of the jobs again, for about ten minutes, and compare",
            format!("bezzel run {name} --sample 10{programs}"),
        ),
        ReportCommand { what: "Render this report again", line: report.command.to_owned() },
        each("Run missing jobs and render; with --root FOLDER, run all jobs there", run),
    ]
}

/// A line for the experiment of a record. A report over several experiments has no evidence of its own: the line is
/// repeated with the name of each of them.
fn for_each(record: &ExperimentRecord, line: String) -> String {
    let parts: Vec<String> = record.parts.iter().map(|part| shell_word(&part.name)).collect();
    if parts.is_empty() {
        line
    } else {
        format!("for name in {}; do {line}; done", parts.join(" "))
    }
}

/// The option without which jobs of programs that rows name are left out.
fn programs(record: &ExperimentRecord) -> &'static str {
    if record.rows.iter().any(|row| needs_permission(&row.job)) { " --programs" } else { "" }
}
