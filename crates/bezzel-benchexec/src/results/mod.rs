//! BenchExec's results: the XML that it writes for each run definition.
//!
//! The root `result` says which tool ran, where and with which limits; each `run` below it has
//! columns with a title and a value. What is not asked for is read over, so that results of
//! versions with more columns are understood. Nothing of a document type is obeyed.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use bzip2::read::MultiBzDecoder;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use thiserror::Error;

use bezzel_lab::input;

#[cfg(test)]
mod tests;

/// The largest file of results that is read, unpacked: a million runs have some 600 MB.
const MOST_BYTES: u64 = 1 << 30;

/// The longest element, in bytes. Whoever writes a longer one wants to fill the memory.
const LONGEST: usize = 1 << 20;

/// How many runs are read at most.
const MOST_RUNS: usize = 1 << 20;

/// How deep elements stand in each other at most.
const DEEPEST: usize = 16;

/// Why results cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResultsError {
    /// The file cannot be read.
    #[error("cannot read the results: {0}")]
    Read(#[from] io::Error),
    /// The text is not XML.
    #[error("this is no XML from byte {at} on: {reason}")]
    Xml {
        /// Where.
        at: u64,
        /// What is wrong.
        reason: String,
    },
    /// The text is XML, but not of BenchExec.
    #[error(
        "this is no result of BenchExec: it begins with <{found}>, where <result> is expected; give \
         the files `results/NAME.results.RUNS.xml.bz2` that BenchExec has written"
    )]
    Other {
        /// The first element.
        found: String,
    },
    /// The text ends before the results do.
    #[error("the results end in the middle: the file is truncated, or BenchExec still writes it")]
    Truncated,
    /// There is more than anybody needs.
    #[error("these are too many results: {0}; split them")]
    TooMuch(String),
    /// An element lacks what it must have.
    #[error("<{element}> at byte {at} has no `{attribute}`: this is no result of BenchExec")]
    Missing {
        /// Where.
        at: u64,
        /// Which element.
        element: &'static str,
        /// What it lacks.
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
    /// The version of the tool, where it tells one.
    pub version: Option<String>,
    /// Which BenchExec wrote this.
    pub generator: Option<String>,
    /// When it began, as it is written.
    pub start: Option<String>,
    /// The limit of CPU time, as it is written.
    pub time_limit: Option<String>,
    /// The limit of memory, as it is written.
    pub memory_limit: Option<String>,
    /// The machine.
    pub machine: Machine,
    /// What became of each run.
    pub runs: Vec<Run>,
}

/// The machine that BenchExec ran on, as far as it tells.
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

/// What became of a run, as it is written; what is not there was not told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The task: the file that defines it, by its path.
    pub name: String,
    /// What came of it, as in `true` or `TIMEOUT`. BenchExec leaves it empty where a run was not
    /// done.
    pub status: Option<String>,
    /// Whether that was expected.
    pub category: Option<String>,
    /// CPU time.
    pub cpu: Option<String>,
    /// Wall time.
    pub wall: Option<String>,
    /// The peak of memory.
    pub memory: Option<String>,
    /// Why BenchExec ended it.
    pub termination_reason: Option<String>,
    /// The signal that ended it.
    pub exit_signal: Option<String>,
    /// Its exit code.
    pub return_value: Option<String>,
    /// When it began.
    pub start: Option<String>,
}

/// Reads a file of results, compressed by bzip2 if its name ends in `.bz2`.
///
/// # Errors
///
/// When it cannot be read, or is not what BenchExec writes.
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
    let from = Paced { from: from.take(MOST_BYTES), taken: Rc::clone(&taken) };
    let mut reader = Reader::from_reader(from);
    let mut buffer = Vec::new();
    let mut results = RunSet::default();
    let mut open: Vec<Element> = Vec::new();
    let mut found = false;
    loop {
        buffer.clear();
        taken.set(0);
        let at = reader.buffer_position();
        if at >= MOST_BYTES {
            return Err(ResultsError::TooMuch(format!("more than {} MiB", MOST_BYTES >> 20)));
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
                if results.runs.len() == MOST_RUNS {
                    return Err(ResultsError::TooMuch(format!("more than {MOST_RUNS} runs")));
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
            if open.len() > DEEPEST {
                return Err(ResultsError::Xml { at, reason: "elements stand too deep".into() });
            }
        }
    }
}

/// Gives out no element that is longer than [`LONGEST`].
struct Paced<R> {
    from: R,
    /// Bytes since the last element ended.
    taken: Rc<Cell<usize>>,
}

impl<R: BufRead> Read for Paced<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.from.read(into)
    }
}

impl<R: BufRead> BufRead for Paced<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let left = (LONGEST + 1).saturating_sub(self.taken.get());
        if left == 0 {
            let reason = format!("an element is longer than {} KiB", LONGEST >> 10);
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

/// Which element is open.
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
        // Without a name of its own, the run definition bears that of its block alone.
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
            // BenchExec before 2.0 calls it by another name.
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
            // The end of a packed file that was cut.
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

/// The beginning of a name, for messages.
fn shortened(name: &str) -> String {
    name.chars().take(40).collect()
}
