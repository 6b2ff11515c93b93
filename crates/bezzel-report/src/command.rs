//! The exact commands that repeat an experiment and its report.

use crate::report::Report;

/// A command, and what it is for.
pub(crate) struct Command {
    pub(crate) what: &'static str,
    pub(crate) line: String,
}

/// The commands, in the order in which somebody who doubts the report would try them. They are
/// given in the folder that holds `experiments` and `reports`.
pub(crate) fn commands(report: &Report<'_>) -> Vec<Command> {
    let name = word(&report.record.name);
    let config = word(&format!("experiments/{}/config.yaml", report.record.name));
    // A config may have been run under another name than its own.
    let own = report.record.config.lines().any(|line| line.trim_end() == format!("name: {name}"));
    let run = if own {
        format!("bezzel run {config}")
    } else {
        format!("bezzel run {config} --name {name}")
    };
    let command = |what, line| Command { what, line };
    vec![
        command(
            "Examine the evidence: every answer is judged again",
            format!("bezzel verify {name}"),
        ),
        command(
            "Run some of the jobs again, for about ten minutes, and compare",
            format!("bezzel reproduce {name}"),
        ),
        command("Render this report again", report.command.to_owned()),
        command("Measure what is missing and render; with --root FOLDER, all of it there", run),
        command(
            "Pack sources, evidence and digests into an archive for others",
            format!("bezzel artifact {name}"),
        ),
    ]
}

/// A word for a shell: quoted unless it is plain.
fn word(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./+:=".contains(letter);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_for_a_shell_are_quoted_where_they_must_be() {
        assert_eq!(word("first-look"), "first-look");
        assert_eq!(word("it's; rm"), "'it'\\''s; rm'");
        assert_eq!(word(""), "''");
    }
}
