//! `bezzel list`: all names that a config can use.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::process::ExitCode;

use bezzel_encode::bound::AtMostSum;
use bezzel_encode::{Constraints, EncodingInfo, amk};
use bezzel_experiment::backend::Backend;
use bezzel_experiment::backend::command::NOT_INSTALLED;
use bezzel_experiment::{BackendKind, Permission};
use bezzel_problem::layout::wrapped;
use clap::ValueEnum;
use serde::Serialize;
use serde_json::{Value, json};

use super::common::print_json;
use crate::Workbench;
use crate::arguments::{ListArguments, ListKind};
use crate::failure::{CommandResult, Failure, cannot};

/// An entry in words, and as JSON.
struct ListEntry {
    id: String,
    text: String,
    value: Value,
}

impl ListEntry {
    fn new(id: impl Into<String>, text: impl Into<String>, value: impl Serialize) -> Self {
        let value = serde_json::to_value(value).expect("an entry has text keys");
        Self { id: id.into(), text: text.into(), value }
    }

    /// An encoder, by its information.
    fn of_encoder(info: EncodingInfo) -> Self {
        let EncodingInfo { title, aliases, citation, propagation, auxiliaries, .. } = &info;
        let also = match &aliases[..] {
            [] => String::new(),
            aliases => format!(" (also {})", aliases.join(", ")),
        };
        let text = format!(
            "{title}{also}; {citation}; propagation {propagation}, auxiliary variables {auxiliaries}"
        );
        Self::new(info.id.clone(), text, info)
    }

    /// A solver or an engine. An engine has its input and its tasks; a program has its command. Programs that have an id are
    /// run to get their versions.
    fn of_backend(kind: BackendKind, backend: &dyn Backend) -> Self {
        let version = backend.version(&Permission::of_names([backend.name().as_str()]));
        let (info, can) = (backend.info(), backend.capabilities());
        let mut text = format!("{} ({version})", info.title);
        let mut value = json!({
            "id": info.id, "title": info.title, "version": version, "citation": info.citation,
            "installed": version != NOT_INSTALLED,
        });
        if kind == BackendKind::Engine {
            (value["reads"], value["powers"]) = (json!(backend.reads()), json!(can));
            let does = match (can.lists, can.counts) {
                (true, true) => "lists and counts",
                (true, false) => "lists, and counts by listing",
                (false, _) => "counts",
            };
            let reads = value["reads"].as_str().unwrap_or_default();
            text = format!("reads the {reads}, {does}: {text}; {}", info.citation);
        }
        if let Some(program) = backend.program() {
            value["command"] = json!(program.call().command());
        }
        Self::new(info.id, text, value)
    }
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
        written.map_err(cannot("write man pages to", folder))?;
        return Ok(ExitCode::SUCCESS);
    }
    if arguments.kind.is_none() && !arguments.json {
        overview(catalog, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let word = arguments.word.as_ref().map(|word| word.to_lowercase());
    let has_word = |ListEntry { id, text, .. }: &ListEntry| {
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
            let values = entries.into_iter().map(|entry| entry.value);
            listing.entry(section.kind).or_default().extend(values);
        }
        print_json(&listing, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let sections: Vec<_> = sections.filter(|(_, entries)| !entries.is_empty()).collect();
    if sections.is_empty() {
        let word = arguments.word.as_deref().unwrap_or_default();
        let nothing = format!("no listed entry has `{word}` in its names, title or source");
        return Err(Failure::Input(nothing));
    }
    for (index, (section, entries)) in sections.into_iter().enumerate() {
        write!(out, "{}", if index == 0 { "" } else { "\n" })?;
        section.print(&entries, word.is_some(), out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The lines of ids of a kind in the overview.
const LINES: usize = 3;

/// Prints the first ids of each kind, variants folded.
fn overview(catalog: &Workbench, out: &mut dyn Write) -> Result<(), Failure> {
    let mut kinds: BTreeMap<ListKind, (usize, Vec<String>)> = BTreeMap::new();
    for ListSection { kind, entries, .. } in &SECTIONS {
        let (number, ids) = kinds.entry(*kind).or_default();
        let entries = entries(catalog);
        *number += entries.len();
        ids.extend(groups(&entries, marks(*kind)).map(|group| group[0].id.clone()));
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

/// The marks in the ids of a kind: entries whose ids are the same up to one of them are variants of the first.
fn marks(kind: ListKind) -> &'static [char] {
    match kind {
        ListKind::Encodings | ListKind::Bounds | ListKind::Sums => &[':', '+'],
        ListKind::Engines => &['+'],
        _ => &[],
    }
}

/// The entries with their variants.
fn groups<'a>(
    entries: &'a [ListEntry],
    marks: &'a [char],
) -> impl Iterator<Item = &'a [ListEntry]> {
    let base = move |entry: &ListEntry| entry.id.find(marks).unwrap_or(entry.id.len());
    entries.chunk_by(move |a, b| a.id[..base(a)] == b.id[..base(b)])
}

fn encodings(catalog: &Workbench) -> Vec<ListEntry> {
    let entry = |info: EncodingInfo| {
        let found = catalog.encodings.find(&info.id).expect("an encoding of the registry");
        let mut entry = ListEntry::of_encoder(found.with_settings(Constraints::Full).info());
        // It encodes lines, each by itself.
        entry.value["lines"] = json!(found.has_lines());
        entry
    };
    catalog.encodings.infos().into_iter().map(entry).collect()
}

/// The linked backends of a kind, or the programs.
fn backends(
    catalog: &Workbench,
    kind: BackendKind,
    has: fn(&dyn Backend) -> bool,
) -> Vec<ListEntry> {
    let all = catalog.backends.of(kind).map(AsRef::as_ref).filter(|backend| has(*backend));
    all.map(|backend| ListEntry::of_backend(kind, backend)).collect()
}

fn problems(_: &Workbench) -> Vec<ListEntry> {
    let all = bezzel_problem::kinds().with_entries().map(|(kind, keys, _)| {
        let text = keys.iter().map(|key| {
            let needed = if key.required { "; required" } else { "" };
            format!("{} ({}{needed}): {}", key.name, key.form, key.about)
        });
        let text = text.collect::<Vec<_>>().join(" ");
        let keys = keys.iter().map(|key| {
            let values = key.form.to_string();
            json!({"name": key.name, "about": key.about, "values": values, "required": key.required})
        });
        ListEntry::new(kind, text, json!({"kind": kind, "keys": keys.collect::<Vec<_>>()}))
    });
    all.collect()
}

/// A table of one kind.
struct ListSection {
    kind: ListKind,
    title: &'static str,
    entries: fn(&Workbench) -> Vec<ListEntry>,
    note: &'static str,
}

/// The tables in their order.
const SECTIONS: [ListSection; 9] = [
    ListSection {
        kind: ListKind::Encodings,
        title: "Encodings",
        entries: encodings,
        note: "`bezzel list encodings WORD` lists variants one by one, `bezzel show ID` prints the profile of an encoding. \
               Propagation `complete` is arc consistency (GAC); `refuting` only finds conflicts.",
    },
    ListSection {
        kind: ListKind::Bounds,
        title: "Encoders of at most, at least and exactly K",
        entries: |_| amk::all().iter().map(|it| ListEntry::of_encoder(it.about())).collect(),
        note: "`bezzel show ID --k K` prints the profile of one; docs/at-most-k.md compares all.",
    },
    ListSection {
        kind: ListKind::Sums,
        title: "Encoders of weighted sums",
        entries: |catalog| {
            let encoders = catalog.encodings.sums().filter_map(|encoder| encoder.of_sums());
            encoders.map(AtMostSum::about).map(ListEntry::of_encoder).collect()
        },
        note: "They encode groups without weights, too; docs/weighted-sums.md has their properties.",
    },
    ListSection {
        kind: ListKind::Problems,
        title: "Kinds of problems beside queens, with the keys of their entries in `problems`",
        entries: problems,
        note: "Queens have entries of their own form: docs/boards.md.",
    },
    ListSection {
        kind: ListKind::Solvers,
        title: "Solvers",
        entries: |catalog| backends(catalog, BackendKind::Solver, |it| it.program().is_none()),
        note: "",
    },
    ListSection {
        kind: ListKind::Solvers,
        title: "External solvers",
        entries: |catalog| backends(catalog, BackendKind::Solver, |it| it.program().is_some()),
        note: "Any other is named by its command line: {command: \"kissat {cnf}\"}.",
    },
    ListSection {
        kind: ListKind::Engines,
        title: "Engines, which count or list all solutions",
        entries: |catalog| backends(catalog, BackendKind::Engine, |_| true),
        note: "Any other counter is named by its command line: {counter: \"ganak {cnf}\"}.",
    },
    ListSection {
        kind: ListKind::Figures,
        title: "Figures",
        entries: |catalog| {
            let entry = |it: &bezzel_report::FigureKind| {
                let value = json!({"id": it.id, "title": it.title, "shows": it.shows});
                ListEntry::new(it.id, it.title, value)
            };
            catalog.parts.figures.iter().map(entry).collect()
        },
        note: "",
    },
    ListSection {
        kind: ListKind::Tables,
        title: "Tables of reports, for placeholders and `tables`",
        entries: |catalog| {
            let all = catalog.parts.table_ids();
            all.map(|ids| ListEntry::new(ids.id, ids.shows, ids)).collect()
        },
        note: "{placeholders}. In `tables` the first word of an id stands for all tables with it; `engines`, `operations` \
               and `published` stand for those of engines, for `crossings`, and for those beside sources. \
               `bezzel report NAME` writes the tables of one report with their ids in table.md.",
    },
];

/// The widest column of ids.
const ID_WIDTH: usize = 24;

impl ListSection {
    /// Prints the table: each entry, or the first of all variants with the settings that they have.
    fn print(&self, all: &[ListEntry], each: bool, out: &mut dyn Write) -> Result<(), Failure> {
        let (marks, note) = if each { (&[][..], "") } else { (marks(self.kind), self.note) };
        let widths = groups(all, marks).map(|group| group[0].id.chars().count());
        let width = widths.max().unwrap_or(0).min(ID_WIDTH);
        writeln!(out, "{}", self.title)?;
        for group in groups(all, marks) {
            let ListEntry { id, text, .. } = &group[0];
            write!(out, "  {id:<width$}")?;
            if id.chars().count() > width {
                write!(out, "\n  {:<width$}", "")?;
            }
            writeln!(out, "  {}", wrapped(text, width + 4))?;
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
fn settings<'a>(entries: &'a [ListEntry], marks: &[char]) -> Vec<&'a str> {
    let mut settings = Vec::new();
    for ListEntry { id, .. } in entries {
        for (at, _) in id.match_indices(marks) {
            let end = id[at + 1..].find(marks).map_or(id.len(), |end| at + 1 + end);
            if !settings.contains(&&id[at..end]) {
                settings.push(&id[at..end]);
            }
        }
    }
    settings
}
