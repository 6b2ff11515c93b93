//! Cards as pages of Markdown: one for each encoding, and one that leads to them.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;

use bezzel_encode::Size;
use bezzel_encode::verdict::Dossier;
use bezzel_lab::input::{self, LARGEST_DOCUMENT};
use bezzel_lab::quantity::grouped;

use super::page::Page;
use super::{compose, sizes};
use crate::failure::Failure;
use crate::output::write_file;

/// The first line of every page, by which a page that is no longer made is known.
const MARK: &str = "<!-- Made by `bezzel card --all --markdown`; not edited. -->";

/// Writes the pages into a folder and removes those that it made earlier and makes no longer.
/// Returns how many there are.
pub(super) fn write(dossiers: &[Dossier], folder: &Path) -> Result<usize, Failure> {
    let refused = |error: std::io::Error| {
        Failure::input(format!("cannot write to `{}`: {error}", folder.display()))
    };
    fs::create_dir_all(folder).map_err(refused)?;
    let mut pages = vec![
        ("README.md".to_owned(), index(dossiers).markdown()),
        ("sizes.md".to_owned(), sizes::page(dossiers, link).markdown()),
    ];
    pages.extend(
        dossiers.iter().map(|dossier| (file(&dossier.card.id), compose::page(dossier).markdown())),
    );
    let names: BTreeSet<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
    if names.len() < pages.len() {
        return Err(Failure::work("two encodings have the same file name"));
    }
    for (name, text) in &pages {
        write_file(&folder.join(name), |file| {
            Ok(write!(file, "{MARK}\n\n{}\n", text.trim_end())?)
        })?;
    }
    for entry in fs::read_dir(folder).map_err(refused)? {
        let path = entry.map_err(refused)?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_ours =
            || input::read_text(&path, LARGEST_DOCUMENT).is_ok_and(|text| text.starts_with(MARK));
        if path.extension().is_some_and(|end| end == "md") && !names.contains(name) && is_ours() {
            fs::remove_file(&path).map_err(refused)?;
        }
    }
    Ok(pages.len())
}

/// The file of an encoding's page: its id without what file systems and links do not like.
fn file(id: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "-+".contains(c) { c } else { '-' };
    format!("{}.md", id.chars().map(safe).collect::<String>().replace('+', "--"))
}

fn index(dossiers: &[Dossier]) -> Page {
    let mut page = Page::default();
    page.title("Encodings");
    page.paragraph(
        "Every encoding that Bezzel has, with what was found out by trying it: each page has the \
         exact sizes, whether the encoding is right, what unit propagation finds and misses, and how \
         many models there are. `bezzel card ID` prints a page, and `bezzel card --all --markdown` \
         makes all of them.",
    );
    page.paragraph(
        "*Complete*: on one line, unit propagation finds every implied literal and every conflict, \
         after every partial assignment of up to eight inputs. *Line by line*: on boards to side 4, \
         it finds whatever one line after the other implies. *All rules*: of what all rules together \
         imply on a thousand boards of side 8, the share that it finds. *Auxiliary*: what the \
         auxiliary variables do to the number of models, of at most one, of exactly one, and on \
         boards. Sizes are of at most one of 100 inputs, and of the board of side 8; \
         [all sizes](sizes.md) stand on a page of their own.",
    );
    let (lines, boards): (Vec<_>, Vec<_>) =
        dossiers.iter().partition(|dossier| dossier.line.is_some());
    page.heading("Of lines, lifted to the board");
    let head = [
        "id",
        "variables, n = 100",
        "clauses, n = 100",
        "variables, side 8",
        "clauses, side 8",
        "right",
        "complete",
        "all rules",
        "auxiliary",
        "same as",
    ];
    page.table(&head, lines.iter().map(|dossier| line_row(dossier)).collect());
    page.heading("Of whole boards");
    let head = [
        "id",
        "variables, side 8",
        "clauses, side 8",
        "right",
        "one queen",
        "line by line",
        "all rules",
        "auxiliary",
        "same as",
    ];
    page.table(&head, boards.iter().map(|dossier| board_row(dossier)).collect());
    page
}

fn yes(is_so: bool) -> String {
    if is_so { "yes".into() } else { "**no**".into() }
}

fn link(dossier: &Dossier) -> String {
    let id = &dossier.card.id;
    format!("[`{id}`]({})", file(id))
}

/// Variables and clauses.
fn two(size: Option<Size>) -> [String; 2] {
    match size {
        Some(size) => [grouped(size.variables), grouped(size.clauses)],
        None => ["–".into(), "–".into()],
    }
}

fn side_8(dossier: &Dossier) -> [String; 2] {
    two(dossier.sizes.iter().find(|(side, _)| *side == 8).map(|&(_, size)| size))
}

fn all_rules(dossier: &Dossier) -> String {
    let board = dossier.board.as_ref();
    board.map_or("–".into(), |board| compose::share(board.sampled.found, board.sampled.implied))
}

fn same(dossier: &Dossier) -> String {
    let ids: Vec<String> = dossier
        .same
        .iter()
        .filter(|same| !same.only_small)
        .map(|same| format!("`{}`", same.id))
        .collect();
    ids.join(", ")
}

fn line_row(dossier: &Dossier) -> Vec<String> {
    let line = dossier.line.as_ref().expect("those that have one");
    let [at_most_one, exactly_one] = &line.forms;
    let at_100 = at_most_one.sizes.iter().find(|(n, _)| *n == 100).map(|&(_, size)| size);
    let mut words =
        vec![compose::word(at_most_one.auxiliaries), compose::word(exactly_one.auxiliaries)];
    words.extend(dossier.board.as_ref().map(|board| compose::word(board.auxiliaries)));
    let mut row = vec![link(dossier)];
    row.extend(two(at_100));
    row.extend(side_8(dossier));
    row.extend([
        yes(dossier.is_right()),
        yes(line.is_complete()),
        all_rules(dossier),
        words.join(", "),
        same(dossier),
    ]);
    row
}

fn board_row(dossier: &Dossier) -> Vec<String> {
    let mut row = vec![link(dossier)];
    row.extend(side_8(dossier));
    row.push(yes(dossier.is_right()));
    let board = dossier.board.as_ref();
    row.push(board.map_or("–".into(), |board| board.one_queen.to_string()));
    row.push(board.map_or("–".into(), |board| yes(board.gap_by_lines.is_none())));
    row.push(all_rules(dossier));
    row.push(board.map_or("–".into(), |board| compose::word(board.auxiliaries).into()));
    row.push(same(dossier));
    row
}
