//! Refusals of the command line: `refusals.txt` has commands and files with the place and the message of each.
//!
//! A line `== TITLE` begins a section with a folder of its own; `== TITLE: one line each` states that each refusal is one
//! line. The other lines by their first words:
//!
//! - `file NAME`: a file of the folder; the indented lines after it are its content, `file NAME:` has none.
//! - `folder NAME`: an empty folder.
//! - `$ ARGUMENTS < INPUT`: a command. Blanks within `'…'` do not separate arguments, `\n` in the input is a new line. The
//!   expectations after several commands hold for each of them.
//! - `> TEXT` is a part of the message, and `! TEXT` is none. Spaces at the ends do not count.
//!
//! Every command ends with exit code 2, one message on standard error, no output, and no config, evidence or report.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::program::{BEZZEL, ended, stderr, stdout};

/// Words that belong to the libraries that read numbers, YAML and the command line.
const FOREIGN: [&str; 7] = [
    "invalid digit",
    "while parsing",
    "while scanning",
    "block mapping",
    "scalar",
    "flow mapping",
    "not in 1..",
];

/// The arguments of a command and its input.
fn parsed(line: &str) -> (Vec<String>, String) {
    let (line, input) = line.split_once(" < ").unwrap_or((line, ""));
    let (mut arguments, mut is_quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            ' ' if !is_quoted => arguments.push(String::new()),
            _ => arguments.last_mut().unwrap().push(letter),
        }
    }
    (arguments, input.replace("\\n", "\n"))
}

fn output(folder: &Path, line: &str) -> Output {
    let (arguments, input) = parsed(line);
    let mut command = Command::new(BEZZEL);
    command.args(arguments).current_dir(folder).stdin(Stdio::piped());
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The commands to which the next expectations apply.
struct Refused(Vec<(String, Output)>);

impl Refused {
    fn says(&self, part: &str, is_expected: bool) {
        assert!(!self.0.is_empty(), "`{part}` has no command");
        for (line, output) in &self.0 {
            let printed = stderr(output);
            assert_eq!(printed.contains(part), is_expected, "{line}: `{part}` in\n{printed}");
        }
    }

    fn add(&mut self, folder: &Path, line: &str, is_one_line: bool) {
        let output = output(folder, line);
        let printed = ended(&output, 2);
        // An encoder answers each request before the next one.
        assert!(stdout(&output).is_empty() || line.starts_with("encoder "), "{line}");
        let errors = printed.lines().filter(|line| line.starts_with("error: ")).count();
        assert_eq!(errors, 1, "{line}: {printed}");
        // The choice of an encoding is stated before.
        let lines = printed.lines().filter(|line| !line.starts_with("picked: ")).count();
        assert!(lines == 1 || !is_one_line, "{line}: {printed}");
        for made in ["configs", "experiments", "reports"] {
            assert!(!folder.join(made).exists(), "{line} made `{made}`");
        }
        for word in FOREIGN {
            assert!(!printed.contains(word), "{line}: `{word}` in\n{printed}");
        }
        self.0.push((line.to_owned(), output));
    }
}

#[test]
fn every_refusal_has_its_place_and_its_message() {
    let text = include_str!("refusals.txt");
    let mut folder: TempDir = tempfile::tempdir().unwrap();
    let (mut refused, mut is_one_line, mut is_judged) = (Refused(Vec::new()), false, false);
    let (mut commands, mut expectations) = (0, 0);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let (kind, rest) = line.split_once(' ').unwrap_or((line, ""));
        match kind {
            "==" => {
                folder = tempfile::tempdir().unwrap();
                is_one_line = rest.ends_with(": one line each");
            }
            "file" => {
                let mut content = String::new();
                while let Some(line) = lines.next_if(|line| line.starts_with("    ")) {
                    content.push_str(&line[4..]);
                    content.push('\n');
                }
                let path = folder.path().join(rest.trim_end_matches(':'));
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, content).unwrap();
            }
            "folder" => fs::create_dir(folder.path().join(rest)).unwrap(),
            "$" => {
                if is_judged {
                    refused.0.clear();
                }
                refused.add(folder.path(), rest, is_one_line);
                (is_judged, commands) = (false, commands + 1);
            }
            ">" | "!" => {
                refused.says(rest.trim(), kind == ">");
                (is_judged, expectations) = (true, expectations + 1);
            }
            "" | "#" => {}
            _ => panic!("`{line}` is of no kind"),
        }
    }
    assert!(commands > 150 && expectations > 150, "{commands} commands, {expectations}");
}
