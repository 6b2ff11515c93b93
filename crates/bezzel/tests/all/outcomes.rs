//! Commands with their ends: `refusals.txt`, `outcomes.txt`, `experiments.txt`, `files.txt` and `programs.txt` have commands and files with the
//! exit code and the message of each.
//!
//! A line `== TITLE` begins a section with a folder of its own; `== TITLE: one line each` states that each refusal is one
//! line. The other lines by their first words:
//!
//! - `file NAME`: a file of the folder; the indented lines after it are its content, `file NAME:` has none.
//! - `folder NAME`: an empty folder.
//! - `$ ARGUMENTS < INPUT`: a command that is refused. Blanks within `'…'` do not separate arguments, `\n` in the input is a
//!   new line, `\r` is a carriage return. The expectations after several commands hold for each of them. `$10 ARGUMENTS` ends with exit code 10.
//!   `$10 @NAME ARGUMENTS` starts the example with this name in the place of `bezzel`.
//! - `> TEXT` is a part of the output, and `! TEXT` is none. `= TEXT` is the whole standard output. `~ TEXT` is a part of the
//!   output with one blank for all blanks and ends of lines between two words. Spaces at the ends do not count.
//!   `^ TEXT` is the beginning of the output, and `2 TEXT` is twice in it.
//!   `/ TEXT … TEXT` states that a line has both in this order.
//! - `>>`: the indented lines after it are a part of the output.
//! - `in NAME`: the next expectations are about this file.
//! - `copy NAME OTHER`: a copy of a file. `same NAME OTHER`: two files with the same bytes.
//! - `no NAME`: there is no such file or folder.
//! - `save NAME`: the standard output of the last command becomes this file.
//!
//! A refused command ends with exit code 2, one message on standard error, no output, and no config, evidence or report.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::program::{BEZZEL, ended, example, fed, printed, stdout};

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
    (arguments, input.replace("\\n", "\n").replace("\\r", "\r"))
}

fn output(folder: &Path, line: &str) -> Output {
    let (mut arguments, input) = parsed(line);
    let example = arguments[0].strip_prefix('@').map(example);
    if example.is_some() {
        arguments.remove(0);
    }
    let mut command = Command::new(example.unwrap_or_else(|| BEZZEL.into()));
    fed(command.args(arguments).current_dir(folder), input.as_bytes())
}

/// The output of a command, or a file.
struct Text {
    /// The command.
    of: String,
    stdout: String,
    /// All output.
    all: String,
}

/// The commands to which the next expectations apply, or a file.
struct Ended(Vec<Text>);

impl Ended {
    fn says(&self, kind: &str, part: &str) {
        assert!(!self.0.is_empty(), "`{part}` has no command");
        let part = part.replace("\\n", "\n");
        for Text { of, stdout, all } in &self.0 {
            let is_right = match kind {
                "=" => stdout.trim_end() == part,
                "~" => all.split_whitespace().collect::<Vec<_>>().join(" ").contains(&part),
                ">" => all.contains(&part),
                "!" => !all.contains(&part),
                "^" => all.starts_with(&part),
                "/" => all.lines().any(|line| {
                    let mut rest = Some(line);
                    part.split(" … ").all(|part| {
                        rest = rest.and_then(|rest| rest.split_once(part)).map(|(_, rest)| rest);
                        rest.is_some()
                    })
                }),
                _ => all.matches(&part).count().to_string() == kind,
            };
            assert!(is_right, "{of}: {kind} `{part}` in\n{all}");
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
        self.push(line, &output);
    }

    fn push(&mut self, line: &str, output: &Output) {
        self.0.push(Text { of: line.to_owned(), stdout: stdout(output), all: printed(output) });
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

#[test]
fn experiments_end_as_stated() {
    end_as_stated(include_str!("experiments.txt"), 25);
}

#[test]
fn constraint_files_end_as_stated_under_every_command() {
    end_as_stated(include_str!("files.txt"), 80);
}

#[test]
fn programs_that_encode_and_wrong_encodings_end_as_stated() {
    end_as_stated(include_str!("programs.txt"), 20);
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
                is_judged = true;
            }
            "file" | ">>" => {
                let mut content = String::new();
                while let Some(line) = lines.next_if(|line| line.starts_with("    ")) {
                    content.push_str(&line[4..]);
                    content.push('\n');
                }
                if kind == ">>" {
                    done.says(">", &content);
                    (is_judged, expectations) = (true, expectations + 1);
                    continue;
                }
                let path = folder.path().join(rest.trim_end_matches(':'));
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, content).unwrap();
            }
            "folder" => fs::create_dir(folder.path().join(rest)).unwrap(),
            _ if [">", "!", "=", "~", "^", "/"].contains(&kind)
                || kind.parse::<usize>().is_ok() =>
            {
                done.says(kind, rest.trim());
                (is_judged, expectations) = (true, expectations + 1);
            }
            "in" => {
                let text = fs::read_to_string(folder.path().join(rest)).expect(rest);
                done = Ended(vec![Text { of: rest.into(), stdout: text.clone(), all: text }]);
                is_judged = true;
            }
            "copy" | "same" => {
                is_judged = true;
                let (from, to) = rest.split_once(' ').unwrap();
                let [from, to] = [from, to].map(|name| folder.path().join(name));
                if kind == "copy" {
                    fs::copy(from, to).unwrap();
                } else {
                    assert!(fs::read(from).unwrap() == fs::read(to).unwrap(), "{rest}");
                }
            }
            "no" => assert!(!folder.path().join(rest).exists(), "`{rest}` is there"),
            "save" => {
                fs::write(folder.path().join(rest), &done.0.last().unwrap().stdout).unwrap();
                is_judged = true;
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
                    done.push(rest, &output);
                }
                (is_judged, commands) = (false, commands + 1);
            }
        }
    }
    assert!(commands > least && expectations > least, "{commands} commands, {expectations}");
}
