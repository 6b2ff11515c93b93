//! The outputs of solvers: the log files that BenchExec keeps, in a zip or a folder, and the answers in them.
//!
//! No file is unpacked to the disk, so names in a zip have no effect. BenchExec writes no name that leads out of
//! the folder; a zip with such a name is refused.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};

use bezzel_encode::Lit;
use bezzel_encode::sink::MAX_VARIABLES;
use bezzel_solve::{Answer, Effort};
use thiserror::Error;
use zip::ZipArchive;
use zip::result::ZipError;

use bezzel_experiment::backend::command::take_statistics;
use bezzel_experiment::input;
use bezzel_experiment::quantity::memory;

/// The largest log that is read, and the longest line in it, in bytes: enough for the model of a board of side 4000
/// that lists the true variables in one line.
const MAX_BYTES: u64 = 1 << 29;
const MAX_LINE_BYTES: u64 = 1 << 27;

/// The number of bytes of a line that are searched for statistics of the effort.
const MAX_STATISTIC_BYTES: usize = 200;

/// The reason why logs cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LogsError {
    /// The operating system refused.
    #[error("cannot read the logs `{}`: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The zip is damaged, or is no zip.
    #[error("`{}` is not a complete zip file: {reason}", path.display())]
    Zip {
        /// The file.
        path: PathBuf,
        /// The fault.
        reason: String,
    },
    /// The zip contains the name of a file outside of it.
    #[error(
        "`{}` names the file `{name}`, which lies outside: BenchExec does not write such a zip, and \
         nothing of it is read",
        path.display()
    )]
    Outside {
        /// The zip.
        path: PathBuf,
        /// The name in it.
        name: String,
    },
}

/// The logs of a benchmark.
#[derive(Debug)]
pub(super) struct Logs {
    path: PathBuf,
    store: LogStore,
}

#[derive(Debug)]
enum LogStore {
    Folder,
    /// A zip, with the index of each file by the last part of its name.
    Zip(Box<ZipArchive<BufReader<File>>>, HashMap<String, usize>),
}

impl Logs {
    /// Opens the logs beside a file of results, where BenchExec writes them: `NAME.logfiles.zip`, or the folder
    /// `NAME.logfiles`; returns `None` if there are none.
    pub(super) fn beside(results: &Path) -> Result<Option<Self>, LogsError> {
        let file = results.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let Some((name, _)) = file.rsplit_once(".results.") else { return Ok(None) };
        let paths = [".logfiles.zip", ".logfiles"]
            .map(|end| results.with_file_name(format!("{name}{end}")));
        paths.iter().find(|path| path.exists()).map(|path| Self::open(path)).transpose()
    }

    /// Opens the logs in this zip or folder.
    pub(super) fn open(path: &Path) -> Result<Self, LogsError> {
        let failed = |source| LogsError::Io { path: path.to_owned(), source };
        let store = if path.metadata().map_err(failed)?.is_dir() {
            LogStore::Folder
        } else {
            let file = BufReader::new(input::open(path).map_err(failed)?);
            let zip = ZipArchive::new(file).map_err(|error| broken(path, &error))?;
            let mut indices = HashMap::new();
            for index in 0..zip.len() {
                let name = zip.name_for_index(index).and_then(Result::ok).unwrap_or_default();
                indices.insert(last_part(path, &name)?.to_owned(), index);
            }
            LogStore::Zip(Box::new(zip), indices)
        };
        Ok(Self { path: path.to_owned(), store })
    }

    /// Returns the content of the log of this task in this run definition; `None` if there is no such log.
    pub(super) fn content(
        &mut self,
        run: &str,
        task: &str,
    ) -> Result<Option<LogContent>, LogsError> {
        let name = format!("{run}.{task}.yml.log");
        match &mut self.store {
            LogStore::Folder => {
                let path = self.path.join(name);
                match input::open(&path) {
                    Ok(file) => content(BufReader::new(file), &path).map(Some),
                    Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                    Err(source) => Err(LogsError::Io { path, source }),
                }
            }
            LogStore::Zip(zip, indices) => {
                let Some(&index) = indices.get(&name) else { return Ok(None) };
                let file = zip.by_index(index).map_err(|error| broken(&self.path, &error))?;
                content(BufReader::new(file), &self.path).map(Some)
            }
        }
    }
}

/// Returns the last part of a name in a zip, which must stay inside.
fn last_part<'a>(path: &Path, name: &'a str) -> Result<&'a str, LogsError> {
    let inside = |part: Component<'_>| matches!(part, Component::Normal(_));
    // A backslash is a separator on other systems.
    let is_inside = Path::new(name).components().all(inside) && !name.contains(['\\', '\0']);
    if name.is_empty() || !is_inside {
        let (path, name) = (path.to_owned(), name.to_owned());
        return Err(LogsError::Outside { path, name });
    }
    Ok(name.trim_end_matches('/').rsplit('/').next().unwrap_or(name))
}

fn broken(path: &Path, error: &ZipError) -> LogsError {
    LogsError::Zip { path: path.to_owned(), reason: error.to_string() }
}

/// The content of a solver's log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LogContent {
    /// Its answer.
    pub(super) answer: Option<Answer>,
    /// The literals of its model, if the model is complete.
    pub(super) model: Option<Vec<Lit>>,
    /// Its effort.
    pub(super) effort: Effort,
    /// A fault in the log.
    pub(super) fault: Option<String>,
}

/// Reads the lines in the form of SAT competitions in a log, and statistics of the effort. All other lines are
/// ignored, such as the command that BenchExec wrote first. A log beyond the limits has no answer.
fn content(from: impl BufRead, path: &Path) -> Result<LogContent, LogsError> {
    read_within(from, path, MAX_BYTES, MAX_LINE_BYTES)
}

fn read_within(
    from: impl BufRead,
    path: &Path,
    max_bytes: u64,
    max_line_bytes: u64,
) -> Result<LogContent, LogsError> {
    let mut from = from.take(max_bytes);
    let mut content = LogContent::default();
    let (mut values, mut ended) = (Vec::new(), false);
    let mut line = Vec::new();
    let failed = |source| LogsError::Io { path: path.to_owned(), source };
    loop {
        line.clear();
        let read = (&mut from).take(max_line_bytes).read_until(b'\n', &mut line).map_err(failed)?;
        if !line.ends_with(b"\n") {
            // The line ended by the limit on lines, the limit on logs, or the end of the file.
            let beyond = if read as u64 == max_line_bytes {
                Some(("a line in it", max_line_bytes))
            } else {
                (from.limit() == 0).then_some(("it", max_bytes))
            };
            if let Some((what, max_bytes)) = beyond {
                let max_bytes = memory(max_bytes.into());
                let fault = format!("{what} is longer than {max_bytes}, the most that is read");
                return Ok(LogContent { fault: Some(fault), ..LogContent::default() });
            }
        }
        if read == 0 {
            break;
        }
        let words = match line.split_first() {
            Some((b's' | b'v', rest)) if rest.first().is_none_or(u8::is_ascii_whitespace) => {
                String::from_utf8_lossy(rest)
            }
            _ => {
                let begin = &line[..line.len().min(MAX_STATISTIC_BYTES)];
                take_statistics(&String::from_utf8_lossy(begin), &mut content.effort);
                continue;
            }
        };
        if line[0] == b's' {
            let answer = match words.trim() {
                "SATISFIABLE" => Answer::Sat,
                "UNSATISFIABLE" => Answer::Unsat,
                "UNKNOWN" => Answer::Unknown,
                _ => {
                    content.fault.get_or_insert_with(|| "its `s` line is no answer".to_owned());
                    continue;
                }
            };
            if content.answer.replace(answer).is_some_and(|before| before != answer) {
                content
                    .fault
                    .get_or_insert_with(|| "it answers twice, and not the same".to_owned());
            }
            continue;
        }
        for word in words.split_whitespace() {
            match word.parse::<i32>() {
                Ok(0) => ended = true,
                Ok(_) if ended => {
                    content.fault.get_or_insert_with(|| "its model goes on after the 0".to_owned());
                }
                Ok(number) if number.unsigned_abs() <= MAX_VARIABLES => {
                    values.extend(Lit::from_ipasir(number));
                }
                _ => drop(content.fault.get_or_insert_with(|| no_literal(word))),
            }
        }
    }
    if ended {
        content.model = Some(values);
    } else if !values.is_empty() {
        content.fault.get_or_insert_with(|| "its model has no end".to_owned());
    }
    Ok(content)
}

fn no_literal(word: &str) -> String {
    let word: String = word.chars().take(20).flat_map(char::escape_default).collect();
    format!("`{word}` in its model is not a literal")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_log_or_a_line_without_end_is_refused_with_the_limit() {
        let fault = |text: &str| {
            let content = read_within(text.as_bytes(), Path::new("log"), 1 << 12, 1 << 10);
            content.unwrap().fault
        };
        let line = fault(&"v".repeat(1 << 10));
        assert_eq!(line.unwrap(), "a line in it is longer than 1 KiB, the most that is read");
        let log = fault(&"c comment\n".repeat(1 << 10));
        assert_eq!(log.unwrap(), "it is longer than 4 KiB, the most that is read");
        assert_eq!(fault(&"c comment\n".repeat(400)), None);
        assert_eq!(fault("s UNKNOWN"), None);
    }

    fn of(text: &[u8]) -> LogContent {
        content(text, Path::new("log")).unwrap()
    }

    #[test]
    fn the_lines_of_competitions_are_read_and_everything_else_is_read_over() {
        let log = b"/usr/bin/cadical -q a.cnf\n\n\n-----\n\n\nc s UNSATISFIABLE\nvalue\nsat\n\
                    s SATISFIABLE\nv 1 -2\nc \xff\nv 3 0\n";
        let lits = [1, -2, 3].map(|number| Lit::from_ipasir(number).unwrap());
        let content = of(log);
        assert_eq!(content.answer, Some(Answer::Sat));
        assert_eq!(content.model.as_deref(), Some(&lits[..]));
        assert_eq!(content.fault, None);
        assert_eq!(content.effort.conflicts, None);
        assert_eq!(of(b"c conflicts:  45  2.5 per second\ns UNKNOWN\n").effort.conflicts, Some(45));
        assert_eq!(of(b""), LogContent::default());
        assert_eq!(of(b"s SATISFIABLE\nv 0\n").model, Some(Vec::new()));
    }

    #[test]
    fn answers_that_make_no_sense_are_no_answers() {
        for (log, fault) in [
            (&b"s SATISFIABLE\ns UNSATISFIABLE\n"[..], "twice"),
            (b"s MAYBE\n", "no answer"),
            (b"s SATISFIABLE\nv 1 2", "no end"),
            (b"v 1 0\nv 2 0\n", "after the 0"),
            (b"v 1 x 0\n", "`x`"),
            (b"v 99999999999 0\n", "`99999999999`"),
            (b"v -2147483648 0\n", "not a literal"),
            (b"v \x1b[2J 0\n", "`\\u{1b}[2J`"),
        ] {
            let actual = of(log).fault.unwrap_or_else(|| panic!("{log:?} is taken"));
            assert!(actual.contains(fault), "{actual}");
        }
    }

    #[test]
    fn logs_are_found_beside_the_results_in_a_zip_or_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("b.2026.results.run.all.xml.bz2");
        assert!(Logs::beside(&results).unwrap().is_none());

        let logs = folder.path().join("b.2026.logfiles");
        std::fs::create_dir(&logs).unwrap();
        std::fs::write(logs.join("run.task.yml.log"), "s UNSATISFIABLE\n").unwrap();
        let mut found = Logs::beside(&results).unwrap().unwrap();
        let answer = |content: Option<LogContent>| content.unwrap().answer;
        assert_eq!(answer(found.content("run", "task").unwrap()), Some(Answer::Unsat));
        assert_eq!(found.content("run", "other").unwrap(), None);

        let zip = folder.path().join("b.2026.logfiles.zip");
        write_zip(&zip, &["b.2026.logfiles/run.task.yml.log"]);
        let mut found = Logs::beside(&results).unwrap().unwrap();
        assert_eq!(answer(found.content("run", "task").unwrap()), Some(Answer::Sat));
        assert_eq!(found.content("run", "other").unwrap(), None);
    }

    #[test]
    fn a_zip_that_names_files_outside_or_is_none_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let zip = folder.path().join("logs.zip");
        for name in ["../run.task.yml.log", "/etc/run.task.yml.log", "a/../../b", "a\\..\\b"] {
            write_zip(&zip, &["b.logfiles/run.task.yml.log", name]);
            let refused = Logs::open(&zip).unwrap_err().to_string();
            assert!(refused.contains("lies outside"), "{name}: {refused}");
        }
        std::fs::write(&zip, "PK no zip").unwrap();
        assert!(Logs::open(&zip).unwrap_err().to_string().contains("not a complete zip"));
    }

    fn write_zip(path: &Path, names: &[&str]) {
        let mut zip = zip::ZipWriter::new(File::create(path).unwrap());
        for name in names {
            zip.start_file(*name, zip::write::SimpleFileOptions::default()).unwrap();
            zip.write_all(b"s SATISFIABLE\nv 1 0\n").unwrap();
        }
        zip.finish().unwrap();
    }
}
