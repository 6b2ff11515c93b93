//! BenchExec's results: the XML that it writes for each run definition.
//!
//! The root `result` contains the tool, the machine and the limits; each `run` below it has columns with a title
//! and a value. Unknown columns are ignored, so that results of versions with more columns can be read. Document
//! types have no effect.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use bzip2::read::MultiBzDecoder;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use thiserror::Error;

use bezzel_experiment::input;

#[cfg(test)]
mod tests;

/// The largest file of results that is read, decompressed: a million runs have some 600 MB.
const MAX_BYTES: u64 = 1 << 30;

/// The length of the longest element, in bytes, which bounds the memory that an element takes.
const MAX_ELEMENT_BYTES: usize = 1 << 20;

/// The largest number of runs that are read.
const MAX_RUNS: usize = 1 << 20;

/// The largest depth of nested elements.
const MAX_DEPTH: usize = 16;

/// The reason why results cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// The file cannot be read.
    #[error("cannot read the results: {0}")]
    Read(#[from] io::Error),
    /// The text is not XML.
    #[error("this is not XML from byte {at} on: {reason}")]
    Xml {
        /// The position.
        at: u64,
        /// The fault.
        reason: String,
    },
    /// The text is XML, but not a result of BenchExec.
    #[error(
        "this is not a result of BenchExec: it begins with <{found}>, where <result> is expected; \
         give the files `results/NAME.results.RUNS.xml.bz2` that BenchExec has written"
    )]
    Other {
        /// The first element.
        found: String,
    },
    /// The text ends inside the results.
    #[error("the results end in the middle: the file is truncated, or BenchExec still writes it")]
    Truncated,
    /// The file exceeds a limit.
    #[error("these are too many results: {0}; split them")]
    TooMuch(String),
    /// An element lacks a required attribute.
    #[error("<{element}> at byte {at} has no `{attribute}`: this is not a result of BenchExec")]
    Missing {
        /// The position.
        at: u64,
        /// The element.
        element: &'static str,
        /// The attribute.
        attribute: &'static str,
    },
}

/// The results of one run definition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunSet {
    /// The name of the run definition, without that of its block of tasks.
    pub name: Option<String>,
    /// The tool-info module.
    pub tool_module: String,
    /// The version of the tool, if it reports one.
    pub version: Option<String>,
    /// The version of BenchExec that wrote the file.
    pub generator: Option<String>,
    /// The start time, as it is written.
    pub start: Option<String>,
    /// The limit on CPU time, as it is written.
    pub time_limit: Option<String>,
    /// The memory limit, as it is written.
    pub memory_limit: Option<String>,
    /// The machine.
    pub machine: Machine,
    /// The results of the runs.
    pub runs: Vec<Run>,
}

/// The machine that BenchExec ran on, as far as it is recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Machine {
    /// The operating system.
    pub system: Option<String>,
    /// The model of the CPU.
    pub cpu_model: Option<String>,
    /// Its cores.
    pub cores: Option<String>,
    /// Its memory, as it is written.
    pub memory: Option<String>,
}

/// The result of a run, as it is written; `None` for values that were not recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The task, by the path of its definition.
    pub name: String,
    /// The result, as in `true` or `TIMEOUT`. It is empty if a run was not done.
    pub status: Option<String>,
    /// The comparison with the expected result.
    pub category: Option<String>,
    /// CPU time.
    pub cpu: Option<String>,
    /// Wall time.
    pub wall: Option<String>,
    /// The peak of memory.
    pub memory: Option<String>,
    /// The reason why BenchExec ended it.
    pub termination_reason: Option<String>,
    /// The signal that ended it.
    pub exit_signal: Option<String>,
    /// Its exit code.
    pub return_value: Option<String>,
    /// The start time.
    pub start: Option<String>,
}

/// Reads a file of results, compressed by bzip2 if its name ends in `.bz2`.
///
/// # Errors
///
/// The file cannot be read, or is no result of BenchExec.
pub fn read(path: &Path) -> Result<RunSet, ResultsError> {
    let file = BufReader::new(input::open(path)?);
    let is_packed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bz2"));
    if is_packed { parse(BufReader::new(MultiBzDecoder::new(file))) } else { parse(file) }
}

/// Reads the text of results.
///
/// # Errors
///
/// As [`read`].
pub fn parse(from: impl BufRead) -> Result<RunSet, ResultsError> {
    let taken = Rc::new(Cell::new(0));
    let from = ElementLimit { from: from.take(MAX_BYTES), taken: Rc::clone(&taken) };
    let mut reader = Reader::from_reader(from);
    let mut buffer = Vec::new();
    let mut results = RunSet::default();
    let mut open: Vec<Element> = Vec::new();
    let mut found = false;
    loop {
        buffer.clear();
        taken.set(0);
        let at = reader.buffer_position();
        if at >= MAX_BYTES {
            return Err(ResultsError::TooMuch(format!("more than {} MiB", MAX_BYTES >> 20)));
        }
        let event = reader.read_event_into(&mut buffer);
        let (start, is_empty) = match event.map_err(|error| broken(&error, at))? {
            Event::Start(start) => (start, false),
            Event::Empty(start) => (start, true),
            Event::End(_) => {
                open.pop();
                continue;
            }
            Event::Eof if open.is_empty() && found => return Ok(results),
            Event::Eof => return Err(ResultsError::Truncated),
            Event::Text(text) if !found && !text.trim().is_empty() => {
                return Err(ResultsError::Xml {
                    at,
                    reason: "text stands before any element".into(),
                });
            }
            _ => continue,
        };
        let attributes = Attributes { start: &start, at };
        let element = match (open.last(), start.name().0) {
            (None, "result") if !found => {
                found = true;
                results.head(&attributes)?;
                Element::Results
            }
            (None, other) if !found => return Err(ResultsError::Other { found: shortened(other) }),
            (None, _) => {
                return Err(ResultsError::Xml { at, reason: "a second document begins".into() });
            }
            (Some(Element::Results), "run") => {
                if results.runs.len() == MAX_RUNS {
                    return Err(ResultsError::TooMuch(format!("more than {MAX_RUNS} runs")));
                }
                let name = attributes.need("run", "name")?;
                results.runs.push(Run { name, ..Run::default() });
                Element::Run
            }
            (Some(Element::Run), "column") => {
                let run = results.runs.last_mut().expect("one is open");
                run.column(&attributes)?;
                Element::Other
            }
            (Some(Element::Results), "systeminfo") => Element::System,
            (Some(Element::System), name) => {
                results.machine.part(name, &attributes)?;
                Element::Other
            }
            (Some(_), _) => Element::Other,
        };
        if !is_empty {
            open.push(element);
            if open.len() > MAX_DEPTH {
                return Err(ResultsError::Xml { at, reason: "elements stand too deep".into() });
            }
        }
    }
}

/// A reader that fails at an element longer than [`MAX_ELEMENT_BYTES`].
struct ElementLimit<R> {
    from: R,
    /// The number of bytes since the end of the last element.
    taken: Rc<Cell<usize>>,
}

impl<R: BufRead> Read for ElementLimit<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.from.read(into)
    }
}

impl<R: BufRead> BufRead for ElementLimit<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let left = (MAX_ELEMENT_BYTES + 1).saturating_sub(self.taken.get());
        if left == 0 {
            let reason = format!("an element is longer than {} KiB", MAX_ELEMENT_BYTES >> 10);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        let bytes = self.from.fill_buf()?;
        Ok(&bytes[..bytes.len().min(left)])
    }

    fn consume(&mut self, bytes: usize) {
        self.taken.set(self.taken.get() + bytes);
        self.from.consume(bytes);
    }
}

/// The kind of an open element.
enum Element {
    Results,
    System,
    Run,
    Other,
}

impl RunSet {
    fn head(&mut self, attributes: &Attributes<'_>) -> Result<(), ResultsError> {
        self.tool_module = attributes.need("result", "toolmodule")?;
        let block = attributes.get("block")?;
        // A run definition without a name of its own has the name of its block.
        self.name = attributes.get("name")?.and_then(|name| match block {
            Some(block) if name == block => None,
            Some(block) => {
                Some(name.strip_suffix(&format!(".{block}")).unwrap_or(&name).to_owned())
            }
            None => Some(name),
        });
        self.version = attributes.get("version")?.filter(|version| !version.is_empty());
        self.generator = attributes.get("generator")?;
        self.start = attributes.get("starttime")?;
        self.time_limit = attributes.get("timelimit")?;
        self.memory_limit = attributes.get("memlimit")?;
        Ok(())
    }
}

impl Machine {
    fn part(&mut self, element: &str, attributes: &Attributes<'_>) -> Result<(), ResultsError> {
        match element {
            "os" => self.system = attributes.get("name")?,
            "cpu" => {
                self.cpu_model = attributes.get("model")?;
                self.cores = attributes.get("cores")?;
            }
            "ram" => self.memory = attributes.get("size")?,
            _ => {}
        }
        Ok(())
    }
}

impl Run {
    fn column(&mut self, attributes: &Attributes<'_>) -> Result<(), ResultsError> {
        let title = attributes.need("column", "title")?;
        let into = match &*title {
            "status" => &mut self.status,
            "category" => &mut self.category,
            "cputime" => &mut self.cpu,
            "walltime" => &mut self.wall,
            // BenchExec before 2.0 has another name for it.
            "memory" | "memUsage" => &mut self.memory,
            "terminationreason" => &mut self.termination_reason,
            "exitsignal" => &mut self.exit_signal,
            "returnvalue" => &mut self.return_value,
            "starttime" => &mut self.start,
            _ => return Ok(()),
        };
        *into = attributes.get("value")?.filter(|value| !value.is_empty());
        Ok(())
    }
}

/// The attributes of an element.
struct Attributes<'a> {
    start: &'a BytesStart<'a>,
    at: u64,
}

impl Attributes<'_> {
    fn get(&self, name: &str) -> Result<Option<String>, ResultsError> {
        let misread = |reason: String| ResultsError::Xml { at: self.at, reason };
        for attribute in self.start.attributes() {
            let attribute = attribute.map_err(|error| misread(error.to_string()))?;
            if attribute.key.0 == name {
                let value = attribute.normalized_value(XmlVersion::Implicit1_0);
                return Ok(Some(value.map_err(|error| misread(error.to_string()))?.into_owned()));
            }
        }
        Ok(None)
    }

    fn need(&self, element: &'static str, attribute: &'static str) -> Result<String, ResultsError> {
        let missing = || ResultsError::Missing { at: self.at, element, attribute };
        self.get(attribute)?.ok_or_else(missing)
    }
}

fn broken(error: &quick_xml::Error, at: u64) -> ResultsError {
    use quick_xml::Error;
    use quick_xml::errors::SyntaxError;
    match error {
        Error::Io(error) => match error.kind() {
            // A truncated compressed file.
            io::ErrorKind::UnexpectedEof => ResultsError::Truncated,
            kind => ResultsError::Read(io::Error::new(kind, error.to_string())),
        },
        Error::Syntax(
            SyntaxError::UnclosedTag
            | SyntaxError::UnclosedSingleQuotedAttributeValue
            | SyntaxError::UnclosedDoubleQuotedAttributeValue,
        ) => ResultsError::Truncated,
        other => ResultsError::Xml { at, reason: other.to_string() },
    }
}

/// Returns the beginning of a name, for messages.
fn shortened(name: &str) -> String {
    name.chars().take(40).collect()
}
