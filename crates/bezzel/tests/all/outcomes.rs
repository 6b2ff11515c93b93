//! Commands with their ends: `refusals.txt` and `outcomes.txt` have commands and files with the exit code and the message of
//! each.
//!
//! A line `== TITLE` begins a section with a folder of its own; `== TITLE: one line each` states that each refusal is one
//! line. The other lines by their first words:
//!
//! - `file NAME`: a file of the folder; the indented lines after it are its content, `file NAME:` has none.
//! - `folder NAME`: an empty folder.
//! - `$ ARGUMENTS < INPUT`: a command that is refused. Blanks within `'…'` do not separate arguments, `\n` in the input is a
//!   new line. The expectations after several commands hold for each of them. `$10 ARGUMENTS` ends with exit code 10.
//! - `> TEXT` is a part of the output, and `! TEXT` is none. `= TEXT` is the whole standard output. Spaces at the ends do not
//!   count.
//!
//! A refused command ends with exit code 2, one message on standard error, no output, and no config, evidence or report.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::program::{BEZZEL, ended, printed, stdout};

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
struct Ended(Vec<(String, Output)>);

impl Ended {
    fn says(&self, kind: &str, part: &str) {
        assert!(!self.0.is_empty(), "`{part}` has no command");
        for (line, output) in &self.0 {
            let printed = printed(output);
            let is_right = match kind {
                "=" => stdout(output).trim_end() == part.replace("\\n", "\n"),
                _ => printed.contains(&part.replace("\\n", "\n")) == (kind == ">"),
            };
            assert!(is_right, "{line}: {kind} `{part}` in\n{printed}");
        }
    }

    fn refuse(&mut self, folder: &Path, line: &str, is_one_line: bool) {
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
    end_as_stated(include_str!("refusals.txt"), 150);
}

#[test]
fn every_command_ends_as_stated() {
    end_as_stated(include_str!("outcomes.txt"), 80);
}

/// Runs the commands of a text, which has this number of commands at least.
fn end_as_stated(text: &str, least: usize) {
    let mut folder: TempDir = tempfile::tempdir().unwrap();
    let (mut done, mut is_one_line, mut is_judged) = (Ended(Vec::new()), false, false);
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
            ">" | "!" | "=" => {
                done.says(kind, rest.trim());
                (is_judged, expectations) = (true, expectations + 1);
            }
            "" | "#" => {}
            _ => {
                let code = kind.strip_prefix('$').expect("a command");
                if is_judged {
                    done.0.clear();
                }
                if code.is_empty() {
                    done.refuse(folder.path(), rest, is_one_line);
                } else {
                    let output = output(folder.path(), rest);
                    assert_eq!(
                        output.status.code(),
                        code.parse().ok(),
                        "{rest}: {}",
                        printed(&output)
                    );
                    assert!(!printed(&output).contains("panicked"), "{rest}");
                    done.0.push((rest.to_owned(), output));
                }
                (is_judged, commands) = (false, commands + 1);
            }
        }
    }
    assert!(commands > least && expectations > least, "{commands} commands, {expectations}");
}
