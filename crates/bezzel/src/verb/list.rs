//! `bezzel list`: what can be named.

use std::io::Write;
use std::process::ExitCode;

use bezzel_encode::{Board, Card, Constraints, Size, Tally};
use bezzel_lab::engine::{self, Engine, EngineCard, Powers, Reads, counter};
use bezzel_lab::solver_program::{self, NOT_INSTALLED, PRESETS};
use bezzel_lab::{Permission, Workbench};
use bezzel_report::FigureKind;
use bezzel_solve::SolverCard;
use serde::Serialize;

use crate::arguments::ListArguments;
use crate::failure::Failure;

/// The side of the board whose sizes are listed.
const SIDE: u32 = 8;

/// What can be named: one array for each kind.
#[derive(Serialize)]
struct Listing {
    encodings: Vec<Entry>,
    solvers: Vec<SolverEntry>,
    engines: Vec<EngineEntry>,
    figures: Vec<Figure>,
}

/// An encoding's card and its size on the board of side 8.
#[derive(Serialize)]
struct Entry {
    #[serde(flatten)]
    card: Card,
    size_at_8: Size,
}

/// A solver's card; of one that is a program, how it is called as well.
#[derive(Serialize)]
struct SolverEntry {
    #[serde(flatten)]
    card: SolverCard,
    installed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'static str>,
}

/// An engine's card, what it reads and what it can do; of one that is a program, how it is called as
/// well.
#[derive(Serialize)]
struct EngineEntry {
    #[serde(flatten)]
    card: EngineCard,
    reads: Reads,
    powers: Powers,
    installed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'static str>,
}

/// A kind of figure.
#[derive(Serialize)]
struct Figure {
    id: &'static str,
    title: &'static str,
    shows: &'static str,
}

impl From<&'static FigureKind> for Figure {
    fn from(kind: &'static FigureKind) -> Self {
        Self { id: kind.id, title: kind.title, shows: kind.shows }
    }
}

pub(crate) fn run(
    arguments: &ListArguments,
    workbench: &Workbench,
    out: &mut dyn Write,
) -> Result<ExitCode, Failure> {
    let listing = Listing {
        encodings: encodings(workbench),
        solvers: solvers(workbench),
        engines: engines(workbench),
        figures: bezzel_report::list().iter().map(Figure::from).collect(),
    };
    if arguments.json {
        let text = serde_json::to_string_pretty(&listing).map_err(Failure::work)?;
        writeln!(out, "{text}")?;
    } else {
        print(&listing, out)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The linked solvers, then the programs that are known by an id.
fn solvers(workbench: &Workbench) -> Vec<SolverEntry> {
    let presets = PRESETS.iter().map(|preset| preset.id);
    let workbench = &workbench.permitting(Permission::of_names(presets));
    let linked = workbench.solvers.cards().into_iter();
    let linked = linked.map(|card| SolverEntry { card, installed: true, command: None });
    let programs = PRESETS.iter().filter_map(|preset| {
        let card = solver_program::find(workbench, preset.id).ok()?.card();
        let installed = card.version != NOT_INSTALLED;
        Some(SolverEntry { card, installed, command: Some(preset.command) })
    });
    linked.chain(programs).collect()
}

/// The registered engines, then the counters that are known by an id.
fn engines(workbench: &Workbench) -> Vec<EngineEntry> {
    let presets = counter::PRESETS.iter().map(|preset| preset.id);
    let workbench = &workbench.permitting(Permission::of_names(presets));
    let entry = |engine: &dyn Engine, command| {
        let card = engine.card();
        let installed = card.version != NOT_INSTALLED;
        let (reads, powers) = (engine.reads(), engine.powers());
        EngineEntry { card, reads, powers, installed, command }
    };
    let registered = workbench.engines.all().iter().map(|engine| entry(engine.as_ref(), None));
    let programs = counter::PRESETS.iter().filter_map(|preset| {
        let engine = engine::find(workbench, preset.id).ok()?;
        Some(entry(engine.as_ref(), Some(preset.command)))
    });
    registered.chain(programs).collect()
}

fn encodings(workbench: &Workbench) -> Vec<Entry> {
    let board = Board::new(SIDE).expect("a small board");
    let entry = |card: Card| {
        let found = workbench.encodings.find(&card.id).expect("a card that the registry gave");
        let encoding = found.on_board(Constraints::Full);
        let mut tally = Tally::new();
        encoding.encode(&board, &mut tally);
        Entry { card: encoding.card(), size_at_8: tally.size() }
    };
    workbench.encodings.cards().into_iter().map(entry).collect()
}

fn print_solvers<'a>(
    solvers: impl Iterator<Item = &'a SolverEntry> + Clone,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let width = |text: fn(&SolverCard) -> &str| {
        solvers.clone().map(|solver| text(&solver.card).chars().count()).max().unwrap_or(0)
    };
    let (ids, versions) = (width(|card| &card.id), width(|card| &card.version));
    for SolverEntry { card: SolverCard { id, version, title, .. }, .. } in solvers {
        writeln!(out, "  {id:<ids$}  {version:<versions$}  {title}")?;
    }
    Ok(())
}

fn print_engines(engines: &[EngineEntry], out: &mut dyn Write) -> Result<(), Failure> {
    let width = |text: fn(&EngineEntry) -> usize| engines.iter().map(text).max().unwrap_or(0);
    let ids = width(|engine| engine.card.id.chars().count());
    let versions = width(|engine| engine.card.version.chars().count());
    writeln!(
        out,
        "  {:<ids$}  {:<7}  {:<5}  {:<6}  {:<11}  {:<versions$}  title; source",
        "id", "reads", "lists", "counts", "fundamental", "version"
    )?;
    // A variant that reads and does the same as what it varies is named below it.
    let kin = |of: &EngineEntry, entry: &EngineEntry| {
        let alike = (of.reads, of.powers, &of.card.version)
            == (entry.reads, entry.powers, &entry.card.version);
        entry
            .card
            .id
            .strip_prefix(&of.card.id)
            .filter(|variant| alike && variant.starts_with('+'))
            .map(str::to_owned)
    };
    for entry @ EngineEntry { card, reads, powers, .. } in engines {
        if engines.iter().any(|of| kin(of, entry).is_some()) {
            continue;
        }
        let reads = match reads {
            Reads::Board => "board",
            Reads::Circuit => "circuit",
            Reads::Formula => "formula",
            Reads::Clauses => "clauses",
        };
        // Whoever lists can count, and find the fundamental solutions among those listed.
        let by = |power: bool| match (power, powers.lists) {
            (true, _) => "yes",
            (false, true) => "lists",
            (false, false) => "no",
        };
        writeln!(
            out,
            "  {:<ids$}  {reads:<7}  {:<5}  {:<6}  {:<11}  {:<versions$}  {}; {}",
            card.id,
            if powers.lists { "yes" } else { "no" },
            by(powers.counts),
            by(powers.classes),
            card.version,
            card.title,
            card.citation
        )?;
        let variants: Vec<_> = engines.iter().filter_map(|other| kin(entry, other)).collect();
        if !variants.is_empty() {
            writeln!(out, "    also {}", variants.join(", "))?;
        }
    }
    Ok(())
}

fn print(listing: &Listing, out: &mut dyn Write) -> Result<(), Failure> {
    let width = listing.encodings.iter().map(|entry| entry.card.id.len()).max().unwrap_or(0);
    writeln!(out, "Encodings, with their sizes at n = {SIDE}")?;
    writeln!(
        out,
        "  {:<width$}  {:>9}  {:>7}  {:>8}  {:<11}  {:<9}  title; source",
        "id", "variables", "clauses", "literals", "propagation", "auxiliary"
    )?;
    for Entry { card, size_at_8: size } in &listing.encodings {
        writeln!(
            out,
            "  {:<width$}  {:>9}  {:>7}  {:>8}  {:<11}  {:<9}  {}; {}",
            card.id,
            size.variables,
            size.clauses,
            size.literals,
            card.propagation,
            card.auxiliaries,
            card.title,
            card.citation
        )?;
    }
    writeln!(out, "`bezzel show ID` prints the profile of one.")?;
    writeln!(out, "\nSolvers")?;
    print_solvers(listing.solvers.iter().filter(|solver| solver.command.is_none()), out)?;
    writeln!(out, "\nSolvers that are programs of their own")?;
    print_solvers(listing.solvers.iter().filter(|solver| solver.command.is_some()), out)?;
    writeln!(out, "Any other is named by its command line: {{command: \"kissat {{cnf}}\"}}.")?;
    writeln!(
        out,
        "\nEngines, which find all solutions; those that list them count them by listing"
    )?;
    print_engines(&listing.engines, out)?;
    writeln!(
        out,
        "Any other counter is named by its command line: {{counter: \"ganak {{cnf}}\"}}."
    )?;
    writeln!(out, "\nFigures")?;
    let width = listing.figures.iter().map(|kind| kind.id.len()).max().unwrap_or(0);
    for Figure { id, title, .. } in &listing.figures {
        writeln!(out, "  {id:<width$}  {title}")?;
    }
    Ok(())
}
