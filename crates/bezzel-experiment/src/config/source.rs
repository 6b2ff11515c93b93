//! The text of a config, places in it, and the error that shows a place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use bezzel_problem::{harmless_line, is_obeyed};

/// A config as it was written: its own file and those that it extends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The files, the config's own file first.
    files: Vec<SourceFile>,
    /// For the config of a session: the copies of the files that it names, by the paths of these files.
    copies: Option<BTreeMap<String, PathBuf>>,
}

/// A file with its text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SourceFile {
    path: Box<str>,
    folder: PathBuf,
    text: Box<str>,
}

/// The place of a value in a config.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLocation {
    /// The index of the file: 0 is the config's own.
    pub(super) file: usize,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
    /// The first byte.
    pub(super) start: usize,
    /// The number of bytes.
    pub(super) len: usize,
}

/// The fault of a config: the place, the reason, and advice.
///
/// The display is the whole message, of one line or several: the reason, the source line with the place marked, and
/// the advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file.
    pub path: Box<str>,
    /// The line, counted from 1; none if the fault is of the file as a whole.
    pub line: Option<u32>,
    /// The column in characters, counted from 1.
    pub column: Option<u32>,
    /// The source line with the place marked below it.
    pub snippet: Option<Box<str>>,
    /// The fault.
    pub message: Box<str>,
    /// The advice, or the value that was probably meant.
    pub hint: Option<Box<str>>,
}

impl std::error::Error for ConfigError {}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        for number in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{number}")?;
        }
        write!(f, ": {}", self.message)?;
        if let Some(snippet) = &self.snippet {
            write!(f, "\n{snippet}")?;
        }
        if let Some(hint) = &self.hint {
            let margin = self.line.map_or(0, |line| line.to_string().len());
            write!(f, "\n{:margin$} = {hint}", "")?;
        }
        Ok(())
    }
}

impl ConfigError {
    /// Returns the error with advice.
    #[must_use]
    pub fn hint(mut self, hint: impl AsRef<str>) -> Self {
        self.hint = Some(harmless_line(hint.as_ref()).into());
        self
    }

    /// Joins the errors of several instances of one entry, such as the files of a pattern, to one error; none if there
    /// are none. It has the place and the advice of the first one. Equal errors in a row are one.
    pub fn joined(mut errors: Vec<Self>) -> Option<Self> {
        /// The number of errors that are shown.
        const SHOWN: usize = 20;
        errors.dedup_by(|one, other| one.message == other.message);
        let number = errors.len();
        let messages: Vec<String> = errors.iter().map(|error| error.message.to_string()).collect();
        let mut first = errors.into_iter().next()?;
        if number > 1 {
            let shown = messages[..number.min(SHOWN)].join("\n  ");
            let rest = match number.saturating_sub(SHOWN) {
                0 => String::new(),
                rest => format!("\n  and {rest} more"),
            };
            first.message = format!("{number} instances are refused:\n  {shown}{rest}").into();
        }
        Some(first)
    }

    /// Returns the error with `did you mean` if there is a near match, and with other advice if not.
    #[must_use]
    pub fn near(self, near: Option<&str>, otherwise: impl AsRef<str>) -> Self {
        match near {
            Some(near) => self.hint(format!("did you mean `{near}`?")),
            None => self.hint(otherwise),
        }
    }
}

/// The widest source line that is shown as a whole, in characters.
const WIDTH: usize = 100;

impl Default for Source {
    fn default() -> Self {
        Self::new("", "")
    }
}

impl Source {
    /// Returns the text of a file as a source.
    pub fn new(path: &str, text: &str) -> Self {
        let mut source = Self { files: Vec::new(), copies: None };
        source.add(path, text);
        source
    }

    /// Returns the text of an argument of a command as a source. The files that it names are relative to `folder`.
    pub(super) fn of_argument(argument: &str, text: &str, folder: &Path) -> Self {
        let mut source = Self::new(argument, text);
        folder.clone_into(&mut source.files[0].folder);
        source
    }

    /// Returns the config of a session, whose files are these copies.
    pub(super) fn with_copies(self, copies: BTreeMap<String, PathBuf>) -> Self {
        Self { copies: Some(copies), ..self }
    }

    /// Returns true for the config of a session.
    pub(super) fn is_of_session(&self) -> bool {
        self.copies.is_some()
    }

    /// Returns the place of a file that the config names, and its path relative to the folder of the config's own file.
    ///
    /// # Errors
    ///
    /// When the config is that of a session, and the session has no copy of the file.
    pub fn locate(
        &self,
        place: SourceLocation,
        path: &Path,
    ) -> Result<(PathBuf, String), ConfigError> {
        let Some(copies) = &self.copies else {
            let full = self.folder(place).join(path);
            let below = self.below(&full);
            return Ok((full, below));
        };
        let found = copies.iter().find(|(known, _)| Path::new(known) == path);
        let found = found.map(|(known, copy)| (copy.clone(), known.clone()));
        found.ok_or_else(|| {
            let path = path.display();
            self.error(place, format!("the session has no copy of the file `{path}`"))
        })
    }

    /// Returns the names of the files in a folder beside the config.
    ///
    /// # Errors
    ///
    /// The folder that cannot be read, and the error.
    pub(super) fn names_in(
        &self,
        place: SourceLocation,
        folder: &Path,
    ) -> Result<Vec<String>, (PathBuf, io::Error)> {
        if let Some(copies) = &self.copies {
            let of_folder = |path: &&Path| path.parent() == Some(folder);
            let paths = copies.keys().map(Path::new).filter(of_folder);
            return Ok(paths
                .filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
                .collect());
        }
        let mut full = self.folder(place).join(folder);
        if full.as_os_str().is_empty() {
            full = ".".into();
        }
        let entries = fs::read_dir(&full).map_err(|error| (full, error))?;
        let files = entries.filter_map(Result::ok).filter(|entry| !entry.path().is_dir());
        Ok(files.filter_map(|entry| entry.file_name().into_string().ok()).collect())
    }

    /// Adds a file that the config extends, and returns its index.
    pub(super) fn add(&mut self, path: &str, text: &str) -> usize {
        // The parser does not count a byte order mark either.
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let folder = Path::new(path).parent().unwrap_or(Path::new("")).to_owned();
        self.files.push(SourceFile { path: harmless_line(path).into(), folder, text: text.into() });
        self.files.len() - 1
    }

    /// Returns a note on a place, in one line.
    pub(super) fn note(&self, place: SourceLocation, message: &str) -> String {
        format!("{}:{}: {message}", self.files[place.file].path, place.line)
    }

    /// Returns the folder of the file that contains a place.
    pub fn folder(&self, place: SourceLocation) -> &Path {
        &self.files[place.file].folder
    }

    /// Returns a path relative to the folder of the config's own file.
    fn below(&self, path: &Path) -> String {
        path.strip_prefix(&self.files[0].folder).unwrap_or(path).display().to_string()
    }

    /// Returns true if this is the path of the config's own file.
    pub(super) fn is_itself(&self, path: &Path) -> bool {
        path == Path::new(&*self.files[0].path)
    }

    /// The path of the config's own file.
    pub fn path(&self) -> &str {
        &self.files[0].path
    }

    /// The whole text of a file.
    pub(super) fn text_in(&self, file: usize) -> &str {
        &self.files[file].text
    }

    /// The place of `len` bytes of a file in this line and column, which are in characters from 1.
    pub fn place(&self, file: usize, line: u32, column: u32, len: usize) -> SourceLocation {
        let text = self.text_in(file);
        let lines = text.split_inclusive('\n').take(line.saturating_sub(1) as usize);
        let begin = lines.map(str::len).sum::<usize>();
        let rest = &text[begin..];
        let before = rest.chars().take(column.saturating_sub(1) as usize);
        let start = begin + before.map(char::len_utf8).sum::<usize>();
        SourceLocation { file, line, column, start, len }
    }

    /// Returns the place of a part of the text that begins at `place`; `place` itself if the part is not found. A
    /// blank of the part matches any white space, since YAML folds lines.
    pub fn within(&self, place: SourceLocation, part: &str) -> SourceLocation {
        let text = self.text_in(place.file);
        let rest = text.get(place.start..).unwrap_or("");
        let find = |(at, _)| Some((place.start + at, folded_len(part, &rest[at..])?));
        let Some((start, len)) = rest.char_indices().find_map(find) else { return place };
        let line = 1 + text[..start].matches('\n').count() as u32;
        let column = 1 + text[..start].chars().rev().take_while(|c| *c != '\n').count() as u32;
        SourceLocation { line, column, start, len, ..place }
    }

    /// Returns the text at a place.
    pub fn written(&self, place: SourceLocation) -> &str {
        self.text_in(place.file).get(place.start..place.start + place.len).unwrap_or("")
    }

    /// Returns the fault of the config as a whole.
    pub(crate) fn fault(&self, message: impl AsRef<str>) -> ConfigError {
        self.fault_in(0, message)
    }

    /// Returns the fault of a file as a whole.
    pub(super) fn fault_in(&self, file: usize, message: impl AsRef<str>) -> ConfigError {
        ConfigError {
            path: self.files[file].path.clone(),
            line: None,
            column: None,
            snippet: None,
            message: harmless_line(message.as_ref()).into(),
            hint: None,
        }
    }

    /// Returns the fault at a place.
    pub fn error(&self, place: SourceLocation, message: impl AsRef<str>) -> ConfigError {
        ConfigError {
            line: Some(place.line),
            column: Some(place.column),
            snippet: Some(self.snippet(place).into()),
            ..self.fault_in(place.file, message)
        }
    }

    /// Returns the source line of a place with its number, and a mark below the place.
    fn snippet(&self, place: SourceLocation) -> String {
        let text = self.text_in(place.file);
        let start = floor(text, place.start);
        let end = floor(text, place.start.saturating_add(place.len)).max(start);
        let breaks = ['\n', '\r'];
        let begin = text[..start].rfind(breaks).map_or(0, |at| at + 1);
        let stop = text[start..].find(breaks).map_or(text.len(), |at| start + at);
        let before: Vec<char> = text[begin..start].chars().collect();
        let marked: Vec<char> = text[start..end.min(stop)].chars().collect();
        let after = text[end.min(stop)..stop].chars();

        // Of a line that is too long, the part around the mark is shown.
        let from = (before.len() + marked.len().min(WIDTH / 2)).saturating_sub(WIDTH * 2 / 3);
        let from = from.min(before.len());
        let line: String = before[from..].iter().chain(&marked).copied().chain(after).collect();
        let cut: String = line.chars().take(WIDTH).collect();
        let (head, tail) =
            (if from > 0 { "…" } else { "" }, if line.len() > cut.len() { "…" } else { "" });
        let indent = head.chars().count() + before.len() - from;
        let marks = marked.len().clamp(1, WIDTH.saturating_sub(before.len() - from).max(1));
        let number = place.line.to_string();
        format!(
            "{:margin$} |\n{number} | {head}{}{tail}\n{:margin$} | {:indent$}{}",
            "",
            blanked(&cut),
            "",
            "",
            "^".repeat(marks),
            margin = number.len(),
        )
    }
}

/// Returns the number of bytes of a part at the beginning of a text in which lines may be folded; none if the part is
/// not there.
fn folded_len(part: &str, text: &str) -> Option<usize> {
    let mut words = part.split(' ');
    let mut rest = text.strip_prefix(words.next()?)?;
    for word in words {
        let next = rest.trim_start();
        rest = next.strip_prefix(word).filter(|_| next.len() < rest.len())?;
    }
    Some(text.len() - rest.len())
}

/// The last character boundary up to `at`.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// A source line that is safe to print and keeps its columns: control characters become blanks.
fn blanked(line: &str) -> String {
    line.chars().map(|c| if is_obeyed(c) { ' ' } else { c }).collect()
}
