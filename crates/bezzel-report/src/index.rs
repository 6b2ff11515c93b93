//! The index of all reports: one page, written anew from the content of the folder of reports.

use std::fs;
use std::path::{Path, PathBuf};

use bezzel_experiment::quantity::grouped;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::encodings_page;
use crate::error::ReportError;
use crate::escape::{address, plain};
use crate::files;
use crate::number::count;
use crate::page::{SCRIPT_OF_INDEX, head, policy_of, start, style_of_index};
use crate::summary::{ReportGroup, Summary};

/// A report in the folder.
struct IndexEntry {
    /// The report's folder.
    folder: String,
    summary: Summary,
    /// The title and the file of the lead figure.
    picture: Option<(String, String)>,
}

/// Writes `index.html` into the folder of reports, and the page of encodings beside it. The report with the most verified
/// runs stands first, the others by their groups and names. Folders without a summary of a report, or with a damaged
/// summary, are left out.
///
/// # Errors
///
/// When the folder cannot be read, or the page not written.
pub fn index(reports: &Path) -> Result<PathBuf, ReportError> {
    let page = page(&entries(reports)?);
    files::write(reports, encodings_page::FILE, encodings_page::page().as_bytes())?;
    files::write(reports, "index.html", page.as_bytes())
}

fn entries(reports: &Path) -> Result<Vec<IndexEntry>, ReportError> {
    let fault = |source| ReportError::Read { path: reports.to_owned(), source };
    let mut entries = Vec::new();
    for entry in fs::read_dir(reports).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        let Some(folder) = path.file_name().and_then(|name| name.to_str()) else { continue };
        if folder.starts_with('.') {
            continue;
        }
        if let Some(summary) = Summary::read(&path) {
            let picture = summary.lead_figure(&path);
            let picture = picture.map(|(title, file)| (title.to_owned(), file.to_owned()));
            entries.push(IndexEntry { folder: folder.to_owned(), summary, picture });
        }
    }
    entries.sort_by(|one, two| one.folder.cmp(&two.folder));
    Ok(entries)
}

fn page(entries: &[IndexEntry]) -> String {
    let style = style_of_index();
    // Of equal numbers, the first by name.
    let main = entries.iter().rev().max_by_key(|entry| entry.summary.verified);
    let is_main = |entry: &&IndexEntry| main.is_some_and(|main| std::ptr::eq(main, *entry));
    let own = |group| entries.iter().filter(move |entry| entry.summary.group == group);
    let groups = ReportGroup::ALL.map(|group| (group.heading(), own(group)));
    let groups = groups.map(|(heading, own)| (heading, own.filter(|it| !is_main(it)).collect()));
    let first = (("main", "The result with the most verified runs"), main.into_iter().collect());
    let parts: Vec<((&str, &str), Vec<&IndexEntry>)> = [first].into_iter().chain(groups).collect();
    html! {
        (DOCTYPE)
        html lang="en" {
            (head("All reports", &style, &policy_of(&style, SCRIPT_OF_INDEX)))
            body {
                div.layout.index {
                    header {
                        p.kicker { "Bezzel reports " (start("../")) " " a href=(encodings_page::FILE) { "Encodings" } }
                        h1 { "Questions about SAT encodings, and what was measured" }
                    }
                    main {
                        @for ((id, heading), own) in parts.iter().filter(|(_, own)| !own.is_empty()) {
                            section id=(id) {
                                h2 { (heading) }
                                ul.reports { @for entry in own { li { (card(entry)) } } }
                            }
                        }
                        @if entries.is_empty() { p.lead { "There is no report yet." } }
                    }
                    footer { (count(entries.len(), "report")) ", each rendered from its evidence by " code { "bezzel report" } "." }
                }
                script { (PreEscaped(SCRIPT_OF_INDEX)) }
            }
        }
    }
    .into_string()
}

fn card(entry: &IndexEntry) -> Markup {
    let IndexEntry { folder, summary, picture } = entry;
    let name = plain(&summary.name);
    html! {
        @if let Some((title, file)) = picture {
            div.thumb {
                img src={ (address(folder)) "/" (file) } alt=(plain(title)) loading="lazy";
            }
        }
        div.about {
            p.name { (name) }
            h3 {
                a href={ (address(folder)) "/index.html" } {
                    (summary.question.as_deref().map_or(name, plain))
                }
            }
            @if let Some(answer) = &summary.answer { p.found { (plain(answer)) } }
            p.facts { (facts(summary)) " · " a href={ (address(folder)) "/report.md" } { "Markdown" } }
        }
    }
}

/// The time of measurement, the number of runs, and their results.
fn facts(summary: &Summary) -> String {
    let mut facts = Vec::new();
    if let Some((first, last)) = &summary.measured {
        facts.push(if first == last { plain(first) } else { plain(&format!("{first} to {last}")) });
    }
    facts.push(count(summary.runs, "run"));
    if summary.verified < summary.runs {
        facts.push(format!("{} verified", grouped(summary.verified as u128)));
    } else if summary.runs > 0 {
        facts.push("all verified".into());
    }
    let missing = summary.planned.saturating_sub(summary.runs);
    for (number, what) in [(missing, "missing"), (summary.wrong, "wrong")] {
        if number > 0 {
            facts.push(format!("{} {what}", grouped(number as u128)));
        }
    }
    facts.join(" · ")
}
