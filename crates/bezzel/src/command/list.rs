//! `bezzel list`: all names that a config can use.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use bezzel_encode::bound::AtMostSum;
use bezzel_encode::{Constraints, EncodingInfo, FormulaStats, Size, amk};
use bezzel_experiment::backend::command::NOT_INSTALLED;
use bezzel_experiment::backend::{Backend, Capabilities, InputKind};
use bezzel_experiment::{BackendKind, Catalog, Permission};
use bezzel_problem::queens::draw::{WIDTH, wrapped};
use bezzel_problem::{Board, EntryKey, Instance};
use bezzel_report::{FigureKind, TableIds};
use bezzel_solve::BackendInfo;
use serde::Serialize;

use super::common::print_json;
use crate::arguments::{ListArguments, ListKind};
use crate::failure::{CommandResult, Failure};

/// The side of the board whose sizes are listed.
const SIDE: u32 = 8;

/// An array for each requested kind.
#[derive(Serialize)]
struct Listing {
    #[serde(skip_serializing_if = "Option::is_none")]
    encodings: Option<Vec<EncodingListEntry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Vec<EncodingInfo>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sums: Option<Vec<EncodingInfo>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problems: Option<Vec<ProblemListEntry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solvers: Option<Vec<BackendEntry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    engines: Option<Vec<BackendEntry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    figures: Option<Vec<FigureEntry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tables: Option<Vec<TableIds>>,
}

/// The information about an encoding, and its size on the board of side 8.
#[derive(Serialize)]
struct EncodingListEntry {
    #[serde(flatten)]
    info: EncodingInfo,
    /// True if it encodes lines, each by itself.
    lines: bool,
    size_at_8: Size,
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
    fn all() -> Vec<Self> {
        let entries = Instance::ENTRIES.iter();
        entries
            .map(|(kind, keys, _)| Self {
                kind,
                keys: keys.iter().map(ConfigKeyEntry::from).collect(),
            })
            .collect()
    }

    fn item(&self) -> TableItem {
        let key = |key: &ConfigKeyEntry| {
            let needed = if key.required { "; required" } else { "" };
            format!("{} ({}{needed}): {}", key.name, key.values, key.about)
        };
        let text = self.keys.iter().map(key).collect::<Vec<_>>().join(" ");
        TableItem { id: self.kind.into(), cells: String::new(), text }
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

impl From<&'static FigureKind> for FigureEntry {
    fn from(kind: &'static FigureKind) -> Self {
        Self { id: kind.id, title: kind.title, shows: kind.shows }
    }
}

pub(crate) fn run(
    arguments: &ListArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let word = arguments.word.as_ref().map(|word| word.to_lowercase());
    let is_requested = |kind| arguments.kind.is_none_or(|is_requested| is_requested == kind);
    let figures = || bezzel_report::figure_kinds().iter().map(FigureEntry::from).collect();
    let listing = Listing {
        encodings: is_requested(ListKind::Encodings)
            .then(|| having(word.as_deref(), encodings(catalog), EncodingListEntry::item)),
        bounds: is_requested(ListKind::Bounds)
            .then(|| having(word.as_deref(), bounds(), bounds_item)),
        sums: is_requested(ListKind::Sums).then(|| {
            let encoders = catalog.encodings.sums().filter_map(|encoder| encoder.of_sums());
            let sums = encoders.map(AtMostSum::about).collect();
            having(word.as_deref(), sums, sums_item)
        }),
        problems: is_requested(ListKind::Problems)
            .then(|| having(word.as_deref(), ProblemListEntry::all(), ProblemListEntry::item)),
        solvers: is_requested(ListKind::Solvers).then(|| {
            having(word.as_deref(), backends(catalog, BackendKind::Solver), BackendEntry::item)
        }),
        engines: is_requested(ListKind::Engines).then(|| {
            having(word.as_deref(), backends(catalog, BackendKind::Engine), BackendEntry::item)
        }),
        figures: is_requested(ListKind::Figures)
            .then(|| having(word.as_deref(), figures(), FigureEntry::item)),
        tables: is_requested(ListKind::Tables).then(|| {
            having(word.as_deref(), bezzel_report::table_ids().copied().collect(), table_item)
        }),
    };
    if arguments.json {
        print_json(&listing, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let sections = sections(&listing);
    if sections.is_empty() {
        let word = arguments.word.as_deref().unwrap_or_default();
        let nothing = format!("no listed entry has `{word}` in its id, title or source");
        return Err(Failure::Input(nothing));
    }
    for (index, section) in sections.iter().enumerate() {
        write!(out, "{}", if index == 0 { "" } else { "\n" })?;
        section.print(word.is_some(), out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The entries of a kind whose id or text contains the word. All entries if there is no word.
fn having<T>(word: Option<&str>, mut all: Vec<T>, item: fn(&T) -> TableItem) -> Vec<T> {
    let has = |TableItem { id, text, .. }: TableItem, word| {
        id.to_lowercase().contains(word) || text.to_lowercase().contains(word)
    };
    all.retain(|entry| word.is_none_or(|word| has(item(entry), word)));
    all
}

/// The backends of a kind, the programs last. Programs that have an id are run to get their versions.
fn backends(catalog: &Catalog, kind: BackendKind) -> Vec<BackendEntry> {
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
    catalog.backends.of(kind).map(entry).collect()
}

fn encodings(catalog: &Catalog) -> Vec<EncodingListEntry> {
    let board = Board::new(SIDE).expect("a small board");
    let entry = |info: EncodingInfo| {
        let found = catalog.encodings.find(&info.id).expect("an encoding of the registry");
        let encoding = found.on_board(Constraints::Full);
        let mut stats = FormulaStats::new();
        encoding.encode(&board.problem(), &mut stats);
        EncodingListEntry {
            info: encoding.info(),
            lines: found.has_lines(),
            size_at_8: stats.size(),
        }
    };
    catalog.encodings.infos().into_iter().map(entry).collect()
}

fn bounds() -> Vec<EncodingInfo> {
    amk::all().iter().map(|encoder| encoder.about()).collect()
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

/// An entry of a table.
struct TableItem {
    id: String,
    /// Aligned below the head.
    cells: String,
    text: String,
}

impl EncodingListEntry {
    fn item(&self) -> TableItem {
        let Self { info, size_at_8: size, .. } = self;
        TableItem {
            id: info.id.clone(),
            cells: format!(
                "{:>9}  {:>7}  {:>8}  {:<11}  {}",
                size.variables, size.clauses, size.literals, info.propagation, info.auxiliaries
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
            let text = format!("{title} ({version})");
            return TableItem { id: id.clone(), cells: String::new(), text };
        };
        let reads = match reads {
            InputKind::Board => "board",
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

impl FigureEntry {
    fn item(&self) -> TableItem {
        TableItem { id: self.id.into(), cells: String::new(), text: self.title.into() }
    }
}

fn table_item(ids: &TableIds) -> TableItem {
    TableItem { id: ids.id.into(), cells: String::new(), text: ids.shows.into() }
}

/// A table of one kind.
struct ListSection {
    title: &'static str,
    head: &'static str,
    items: Vec<TableItem>,
    /// Entries whose ids are the same up to one of these marks are variants of the first.
    marks: &'static [char],
    note: String,
}

/// The tables that have entries.
fn sections(listing: &Listing) -> Vec<ListSection> {
    let (linked, programs): (Vec<&BackendEntry>, Vec<_>) =
        listing.solvers.iter().flatten().partition(|solver| solver.command.is_none());
    let solvers = |some: Vec<&BackendEntry>| some.into_iter().map(BackendEntry::item).collect();
    let mut all = vec![
        ListSection {
            title: "Encodings, with their sizes at N = 8",
            head: "variables  clauses  literals  propagation  auxiliary",
            items: listing.encodings.iter().flatten().map(EncodingListEntry::item).collect(),
            marks: &[':', '+'],
            note: "`bezzel list encodings WORD` lists variants one by one, `bezzel show ID` \
                   prints the profile of an encoding. Propagation `complete` is arc consistency \
                   (GAC); `refuting` only finds conflicts."
                .into(),
        },
        ListSection {
            title: "Encoders of at most, at least and exactly K",
            head: "propagation  auxiliary",
            items: listing.bounds.iter().flatten().map(bounds_item).collect(),
            marks: &[':', '+'],
            note:
                "`bezzel show ID --k K` prints the profile of one; docs/at-most-k.md compares all."
                    .into(),
        },
        ListSection {
            title: "Encoders of weighted sums",
            head: "",
            items: listing.sums.iter().flatten().map(sums_item).collect(),
            marks: &[':', '+'],
            note: "They encode groups without weights, too; docs/weighted-sums.md has their properties."
                .into(),
        },
        ListSection {
            title: "Kinds of problems beside queens, with the keys of their entries in `problems`",
            head: "",
            items: listing.problems.iter().flatten().map(ProblemListEntry::item).collect(),
            marks: &[],
            note: "Queens have entries of their own form: `boards` of docs/configs.md.".into(),
        },
        ListSection {
            title: "Solvers",
            head: "",
            items: solvers(linked),
            marks: &[],
            note: String::new(),
        },
        ListSection {
            title: "External solvers",
            head: "",
            items: solvers(programs),
            marks: &[],
            note: "Any other is named by its command line: {command: \"kissat {cnf}\"}.".into(),
        },
        ListSection {
            title: "Engines, which count or list all solutions",
            head: "reads    lists  counts",
            items: listing.engines.iter().flatten().map(BackendEntry::item).collect(),
            marks: &['+'],
            note: "Any other counter is named by its command line: {counter: \"ganak {cnf}\"}."
                .into(),
        },
        ListSection {
            title: "Figures",
            head: "",
            items: listing.figures.iter().flatten().map(FigureEntry::item).collect(),
            marks: &[],
            note: String::new(),
        },
        ListSection {
            title: "Tables of reports, for placeholders and `tables`",
            head: "",
            items: listing.tables.iter().flatten().map(table_item).collect(),
            marks: &[],
            note: format!(
                "{}. In `tables` the first word of an id stands for all tables with it; `engines`, `operations` \
                 and `published` stand for those of engines, for `crossings`, and for those beside sources. \
                 `bezzel report NAME` writes the tables of one report with their ids in table.md.",
                bezzel_report::id_placeholders()
            ),
        },
    ];
    all.retain(|section| !section.items.is_empty());
    all
}

impl ListSection {
    /// Prints the table: each entry, or the first of all variants with the settings that they have.
    fn print(&self, each: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let Self { title, head, items, marks, note } = self;
        let (marks, note) = if each { (&[][..], "") } else { (*marks, note.as_str()) };
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
            writeln!(out, "{}", wrapped(note, 0))?;
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
