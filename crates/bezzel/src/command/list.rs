//! `bezzel list`: all names that a config can use.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use bezzel_encode::bound::AtMostSum;
use bezzel_encode::{Constraints, EncodingInfo, FormulaStats, Size, amk};
use bezzel_experiment::backend::command::NOT_INSTALLED;
use bezzel_experiment::backend::{Backend, Capabilities, InputKind};
use bezzel_experiment::{BackendKind, Permission};
use bezzel_problem::EntryKey;
use bezzel_problem::layout::{WIDTH, wrapped};
use bezzel_queens::Board;
use bezzel_solve::BackendInfo;
use clap::ValueEnum;
use serde::Serialize;
use serde_json::Value;

use super::common::print_json;
use crate::Workbench;
use crate::arguments::{ListArguments, ListKind};
use crate::failure::{CommandResult, Failure};

/// The side of the board whose sizes are listed.
const SIDE: u32 = 8;

/// The information about an encoding, and its size on the board of side 8.
#[derive(Serialize)]
struct EncodingListEntry {
    #[serde(flatten)]
    info: EncodingInfo,
    /// True if it encodes lines, each by itself.
    lines: bool,
    size_at_8: Option<Size>,
}

/// A kind of problem, with the keys of its entries in configs.
#[derive(Serialize)]
struct ProblemListEntry {
    kind: &'static str,
    keys: Vec<ConfigKeyEntry>,
}

#[derive(Serialize)]
struct ConfigKeyEntry {
    name: &'static str,
    about: &'static str,
    values: String,
    required: bool,
}

impl From<&EntryKey> for ConfigKeyEntry {
    fn from(key: &EntryKey) -> Self {
        let EntryKey { name, about, form, required } = *key;
        Self { name, about, values: form.to_string(), required }
    }
}

impl ProblemListEntry {
    fn item(&self) -> TableItem {
        let key = |key: &ConfigKeyEntry| {
            let needed = if key.required { "; required" } else { "" };
            format!("{} ({}{needed}): {}", key.name, key.values, key.about)
        };
        let text = self.keys.iter().map(key).collect::<Vec<_>>().join(" ");
        TableItem::new(self.kind, text)
    }
}

/// A solver or an engine. An engine has its input and its tasks; a program has its command.
#[derive(Serialize)]
struct BackendEntry {
    #[serde(flatten)]
    info: BackendInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    reads: Option<InputKind>,
    #[serde(rename = "powers", skip_serializing_if = "Option::is_none")]
    capabilities: Option<Capabilities>,
    installed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
}

/// A kind of figure.
#[derive(Serialize)]
struct FigureEntry {
    id: &'static str,
    title: &'static str,
    shows: &'static str,
}

pub(crate) fn run(
    arguments: &ListArguments,
    catalog: &Workbench,
    parser: fn() -> clap::Command,
    out: &mut dyn Write,
) -> CommandResult {
    if let Some(folder) = &arguments.man {
        let written =
            fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(parser(), folder));
        written.map_err(|error| {
            Failure::Input(format!("cannot write man pages to `{}`: {error}", folder.display()))
        })?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.kind.is_none() && !arguments.json {
        overview(catalog, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let word = arguments.word.as_ref().map(|word| word.to_lowercase());
    let has_word = |(TableItem { id, text, .. }, _): &ListEntry| {
        let has = |word: &String| [id, text].iter().any(|part| part.to_lowercase().contains(word));
        word.as_ref().is_none_or(has)
    };
    let requested = |section: &&ListSection| arguments.kind.is_none_or(|kind| kind == section.kind);
    let sections = SECTIONS.iter().filter(requested).map(|section| {
        let entries = (section.entries)(catalog).into_iter().filter(has_word);
        (section, entries.collect::<Vec<_>>())
    });
    if arguments.json {
        let mut listing: BTreeMap<ListKind, Vec<Value>> = BTreeMap::new();
        for (section, entries) in sections {
            let values = entries.into_iter().map(|(_, value)| value);
            listing.entry(section.kind).or_default().extend(values);
        }
        print_json(&listing, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let sections: Vec<_> = sections.filter(|(_, entries)| !entries.is_empty()).collect();
    if sections.is_empty() {
        let word = arguments.word.as_deref().unwrap_or_default();
        let nothing = format!("no listed entry has `{word}` in its id, title or source");
        return Err(Failure::Input(nothing));
    }
    for (index, (section, entries)) in sections.into_iter().enumerate() {
        write!(out, "{}", if index == 0 { "" } else { "\n" })?;
        let items: Vec<TableItem> = entries.into_iter().map(|(item, _)| item).collect();
        section.print(&items, word.is_some(), out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The lines of ids of a kind in the overview.
const LINES: usize = 3;

/// Prints the first ids of each kind, variants folded.
fn overview(catalog: &Workbench, out: &mut dyn Write) -> Result<(), Failure> {
    let mut kinds: BTreeMap<ListKind, (usize, Vec<String>)> = BTreeMap::new();
    for ListSection { kind, entries, marks, .. } in &SECTIONS {
        let (number, ids) = kinds.entry(*kind).or_default();
        let items = entries(catalog);
        *number += items.len();
        let base = |item: &TableItem| item.id.find(*marks).unwrap_or(item.id.len());
        let groups = items.chunk_by(|(a, _), (b, _)| a.id[..base(a)] == b.id[..base(b)]);
        ids.extend(groups.map(|group| group[0].0.id.clone()));
    }
    for (kind, (number, ids)) in kinds {
        let kind = kind.to_possible_value().expect("no kind is hidden");
        let text = wrapped(&ids.join(", "), 16);
        let lines: Vec<&str> = text.lines().collect();
        let shown = match lines.get(..LINES).filter(|_| lines.len() > LINES) {
            Some(first) => {
                first.join("\n").rsplit_once(' ').expect("several words").0.to_owned() + " …"
            }
            None => text,
        };
        writeln!(out, "{:<10} {number:>3}  {shown}", kind.get_name())?;
    }
    let more = "`bezzel list KIND` describes all of one kind, `bezzel list KIND WORD` those with a word, and `bezzel show \
                ID` one encoding.";
    Ok(writeln!(out, "{}", wrapped(more, 0))?)
}

/// The entries of a kind in both forms.
fn listed<T: Serialize>(
    all: impl IntoIterator<Item = T>,
    item: impl Fn(&T) -> TableItem,
) -> Vec<ListEntry> {
    let value = |entry: &T| serde_json::to_value(entry).expect("an entry has text keys");
    all.into_iter().map(|entry| (item(&entry), value(&entry))).collect()
}

/// The backends of a kind. Programs that have an id are run to get their versions.
fn backends(
    catalog: &Workbench,
    kind: BackendKind,
    has: fn(&dyn Backend) -> bool,
) -> Vec<ListEntry> {
    let entry = |backend: &Arc<dyn Backend>| {
        let permission = Permission::of_names([backend.name().as_str()]);
        let version = backend.version(&permission);
        let of_engine = kind == BackendKind::Engine;
        BackendEntry {
            reads: of_engine.then(|| backend.reads()),
            capabilities: of_engine.then(|| backend.capabilities()),
            installed: version != NOT_INSTALLED,
            command: backend.program().map(|program| program.call().command().to_owned()),
            info: BackendInfo { version, ..backend.info() },
        }
    };
    let all = catalog.backends.of(kind).filter(|backend| has(backend.as_ref()));
    listed(all.map(entry), BackendEntry::item)
}

fn encodings(catalog: &Workbench) -> Vec<ListEntry> {
    let board = Board::new(SIDE).expect("a small board");
    let entry = |info: EncodingInfo| {
        let found = catalog.encodings.find(&info.id).expect("an encoding of the registry");
        let encoding = found.with_settings(Constraints::Full);
        let problem = board.problem();
        let size_at_8 = encoding.fits(&problem).is_ok().then(|| {
            let mut stats = FormulaStats::new();
            encoding.encode(&problem, &mut stats);
            stats.size()
        });
        EncodingListEntry { info: encoding.info(), lines: found.has_lines(), size_at_8 }
    };
    listed(catalog.encodings.infos().into_iter().map(entry), EncodingListEntry::item)
}

fn bounds_item(info: &EncodingInfo) -> TableItem {
    TableItem {
        id: info.id.clone(),
        cells: format!("{:<11}  {}", info.propagation, info.auxiliaries),
        text: format!("{}; {}", info.title, info.citation),
    }
}

fn sums_item(info: &EncodingInfo) -> TableItem {
    TableItem { cells: String::new(), ..bounds_item(info) }
}

/// An entry in words, and as JSON.
type ListEntry = (TableItem, Value);

/// An entry of a table.
struct TableItem {
    id: String,
    /// Aligned below the head.
    cells: String,
    text: String,
}

impl TableItem {
    /// An entry without cells.
    fn new(id: impl Into<String>, text: impl Into<String>) -> Self {
        Self { id: id.into(), cells: String::new(), text: text.into() }
    }
}

impl EncodingListEntry {
    fn item(&self) -> TableItem {
        let Self { info, size_at_8: size, .. } = self;
        let number =
            |of: fn(&Size) -> u128| size.map_or("–".to_owned(), |size| of(&size).to_string());
        TableItem {
            id: info.id.clone(),
            cells: format!(
                "{:>9}  {:>7}  {:>8}  {:<11}  {}",
                number(|size| size.variables),
                number(|size| size.clauses),
                number(|size| size.literals),
                info.propagation,
                info.auxiliaries
            ),
            text: format!("{}; {}", info.title, info.citation),
        }
    }
}

impl BackendEntry {
    fn item(&self) -> TableItem {
        let Self {
            info: BackendInfo { id, title, version, citation }, reads, capabilities, ..
        } = self;
        let (Some(reads), Some(capabilities)) = (reads, capabilities) else {
            return TableItem::new(id, format!("{title} ({version})"));
        };
        let reads = match reads {
            InputKind::Instance => "instance",
            InputKind::Circuit => "circuit",
            InputKind::Formula => "formula",
            InputKind::Clauses => "clauses",
        };
        // An engine that lists also counts.
        let counts = match (capabilities.counts, capabilities.lists) {
            (true, _) => "yes",
            (false, true) => "lists",
            (false, false) => "no",
        };
        let lists = if capabilities.lists { "yes" } else { "no" };
        TableItem {
            id: id.clone(),
            cells: format!("{reads:<7}  {lists:<5}  {counts}"),
            text: format!("{title} ({version}); {citation}"),
        }
    }
}

/// A table of one kind.
struct ListSection {
    kind: ListKind,
    title: &'static str,
    head: &'static str,
    entries: fn(&Workbench) -> Vec<ListEntry>,
    /// Entries whose ids are the same up to one of these marks are variants of the first.
    marks: &'static [char],
    note: &'static str,
}

/// The tables in their order.
const SECTIONS: [ListSection; 9] = [
    ListSection {
        kind: ListKind::Encodings,
        title: "Encodings, with their sizes at N = 8",
        head: "variables  clauses  literals  propagation  auxiliary",
        entries: encodings,
        marks: &[':', '+'],
        note: "`bezzel list encodings WORD` lists variants one by one, `bezzel show ID` \
               prints the profile of an encoding. Propagation `complete` is arc consistency \
               (GAC); `refuting` only finds conflicts.",
    },
    ListSection {
        kind: ListKind::Bounds,
        title: "Encoders of at most, at least and exactly K",
        head: "propagation  auxiliary",
        entries: |_| listed(amk::all().iter().map(|encoder| encoder.about()), bounds_item),
        marks: &[':', '+'],
        note: "`bezzel show ID --k K` prints the profile of one; docs/at-most-k.md compares all.",
    },
    ListSection {
        kind: ListKind::Sums,
        title: "Encoders of weighted sums",
        head: "",
        entries: |catalog| {
            let encoders = catalog.encodings.sums().filter_map(|encoder| encoder.of_sums());
            listed(encoders.map(AtMostSum::about), sums_item)
        },
        marks: &[':', '+'],
        note: "They encode groups without weights, too; docs/weighted-sums.md has their properties.",
    },
    ListSection {
        kind: ListKind::Problems,
        title: "Kinds of problems beside queens, with the keys of their entries in `problems`",
        head: "",
        entries: |_| {
            let entries = bezzel_problem::kinds().with_entries().map(|(kind, keys, _)| {
                ProblemListEntry { kind, keys: keys.iter().map(ConfigKeyEntry::from).collect() }
            });
            listed(entries, ProblemListEntry::item)
        },
        marks: &[],
        note: "Queens have entries of their own form: docs/boards.md.",
    },
    ListSection {
        kind: ListKind::Solvers,
        title: "Solvers",
        head: "",
        entries: |catalog| {
            backends(catalog, BackendKind::Solver, |solver| solver.program().is_none())
        },
        marks: &[],
        note: "",
    },
    ListSection {
        kind: ListKind::Solvers,
        title: "External solvers",
        head: "",
        entries: |catalog| {
            backends(catalog, BackendKind::Solver, |solver| solver.program().is_some())
        },
        marks: &[],
        note: "Any other is named by its command line: {command: \"kissat {cnf}\"}.",
    },
    ListSection {
        kind: ListKind::Engines,
        title: "Engines, which count or list all solutions",
        head: "reads    lists  counts",
        entries: |catalog| backends(catalog, BackendKind::Engine, |_| true),
        marks: &['+'],
        note: "Any other counter is named by its command line: {counter: \"ganak {cnf}\"}.",
    },
    ListSection {
        kind: ListKind::Figures,
        title: "Figures",
        head: "",
        entries: |catalog| {
            let kinds = catalog.parts.figures.iter().copied();
            let entries =
                kinds.map(|kind| FigureEntry { id: kind.id, title: kind.title, shows: kind.shows });
            listed(entries, |figure| TableItem::new(figure.id, figure.title))
        },
        marks: &[],
        note: "",
    },
    ListSection {
        kind: ListKind::Tables,
        title: "Tables of reports, for placeholders and `tables`",
        head: "",
        entries: |catalog| {
            listed(catalog.parts.table_ids(), |ids| TableItem::new(ids.id, ids.shows))
        },
        marks: &[],
        note: "{placeholders}. In `tables` the first word of an id stands for all tables with it; `engines`, `operations` \
               and `published` stand for those of engines, for `crossings`, and for those beside sources. \
               `bezzel report NAME` writes the tables of one report with their ids in table.md.",
    },
];

impl ListSection {
    /// Prints the table: each entry, or the first of all variants with the settings that they have.
    fn print(&self, items: &[TableItem], each: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { title, head, marks, note, .. } = self;
        let (marks, note) = if each { (&[][..], "") } else { (*marks, *note) };
        let name = |item: &TableItem| item.id.find(marks).unwrap_or(item.id.len());
        let groups = || items.chunk_by(|a, b| a.id[..name(a)] == b.id[..name(b)]);
        let space = WIDTH - 4 - head.len();
        let widths = groups().map(|group| group[0].id.chars().count());
        let width = widths.filter(|width| *width <= space).max().unwrap_or(0);
        writeln!(out, "{title}")?;
        if !head.is_empty() {
            writeln!(out, "  {:<width$}  {head}", "id")?;
        }
        for group in groups() {
            let TableItem { id, cells, text } = &group[0];
            write!(out, "  {id:<width$}")?;
            if id.chars().count() > width {
                write!(out, "\n  {:<width$}", "")?;
            }
            if cells.is_empty() {
                writeln!(out, "  {}", wrapped(text, width + 4))?;
            } else {
                writeln!(out, "  {}\n    {}", cells.trim_end(), wrapped(text, 4))?;
            }
            if group.len() > 1 {
                let settings = settings(group, marks).join(" ");
                writeln!(out, "    {}", wrapped(&format!("settings {settings}"), 4))?;
            }
        }
        if !note.is_empty() {
            let note = note.replace("{placeholders}", &bezzel_report::id_placeholders());
            writeln!(out, "{}", wrapped(&note, 0))?;
        }
        Ok(())
    }
}

/// The parts of ids that begin with a mark, each once.
fn settings<'a>(items: &'a [TableItem], marks: &[char]) -> Vec<&'a str> {
    let mut settings = Vec::new();
    for TableItem { id, .. } in items {
        for (at, _) in id.match_indices(marks) {
            let end = id[at + 1..].find(marks).map_or(id.len(), |end| at + 1 + end);
            if !settings.contains(&&id[at..end]) {
                settings.push(&id[at..end]);
            }
        }
    }
    settings
}
