//! The index of all reports: the reports in the folder, and nothing else.

use std::fs;
use std::path::Path;

use bezzel_experiment::ExperimentRecord;
use serde_json::{Value as Json, json};

use crate::report::{counting, sample};

fn render(record: &ExperimentRecord, reports: &Path, name: &str) {
    bezzel_queens::report::render(record, &reports.join(name), "bezzel report x").unwrap();
}

fn index(reports: &Path) -> String {
    let path = bezzel_report::index(reports).unwrap();
    assert_eq!(path, reports.join("index.html"));
    fs::read_to_string(path).unwrap()
}

/// The links of the index to reports, in their order. The first links are those to the board and to the encodings.
fn links(page: &str) -> Vec<&str> {
    let mut links = page.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    assert_eq!((links.next(), links.next()), (Some("../"), Some("encodings.html")));
    links.collect()
}

/// The links of an index of these reports: each to its page and to its Markdown.
fn of_reports(names: &[&str]) -> Vec<String> {
    let files = ["index.html", "report.md"];
    names.iter().flat_map(|name| files.map(|file| format!("{name}/{file}"))).collect()
}

#[test]
fn reports_are_listed_by_group_with_their_questions_and_runs() {
    let folder = tempfile::tempdir().unwrap();
    render(&sample::small(), folder.path(), "small");
    render(&sample::wide(), folder.path(), "another");
    render(&counting::record(), folder.path(), "counting");
    let page = index(folder.path());
    // The one with the most verified runs, then by name within a group; counting is the last group.
    assert_eq!(links(&page), of_reports(&["another", "small", "counting"]));
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(place("<section id=\"main\">") < place("another/index.html"));
    assert!(place("another/index.html") < place("<section id=\"encodings\">"));
    assert!(place("small/index.html") < place("<section id=\"counting\">"));
    assert!(!page.contains("<section id=\"documents\">"));
    for expected in ["Is this read?", "2026-01-01", "18 runs", "16 verified"] {
        assert!(page.contains(expected), "{expected}");
    }
    // The page loads its pictures, which are the lead figures in the folders of the reports, and nothing else.
    let pictures: Vec<_> = page.split("src=\"").skip(1).collect();
    assert_eq!(pictures.len(), 3);
    for picture in pictures {
        let picture = picture.split('"').next().unwrap();
        let path = folder.path().join(picture);
        assert!(path.is_file() && path.extension().is_some_and(|end| end == "svg"), "{picture}");
    }
    assert_eq!(page.matches("<script").count(), 1);
    for asking in ["http:", "https:", "<link", "url("] {
        assert!(!page.contains(asking), "{asking}");
    }
    // The index does not depend on the time or the number of writes.
    assert_eq!(index(folder.path()), page);
}

#[test]
fn folders_without_a_valid_report_are_left_out() {
    let folder = tempfile::tempdir().unwrap();
    assert!(index(folder.path()).contains("There is no report yet."));
    render(&sample::small(), folder.path(), "small");
    let good = fs::read_to_string(folder.path().join("small/summary.json")).unwrap();
    let summary: Json = serde_json::from_str(&good).unwrap();
    let mut newer = summary.clone();
    newer["version"] = json!(2);
    let damaged = [
        ("torn", good[..good.len() / 2].to_owned()),
        ("foreign", "[1, 2]".into()),
        ("newer", newer.to_string()),
        ("long", format!("{good}{}", " ".repeat(1 << 19))),
        (".hidden", good.clone()),
    ];
    for (name, text) in damaged {
        let folder = folder.path().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("index.html"), "").unwrap();
        fs::write(folder.join("summary.json"), text).unwrap();
    }
    // A page without a summary, and a file among folders. A summary without its page is a report: the page is made on
    // request.
    fs::create_dir_all(folder.path().join("half/summary.json")).unwrap();
    fs::write(folder.path().join("half/index.html"), "").unwrap();
    fs::create_dir(folder.path().join("pageless")).unwrap();
    fs::write(folder.path().join("pageless/summary.json"), &good).unwrap();
    fs::write(folder.path().join("notes.txt"), "").unwrap();
    assert_eq!(links(&index(folder.path())), of_reports(&["pageless", "small"]));

    // A report without its picture is a report. A picture that is no figure of a report is not shown.
    for picture in ["missing.svg", "../small/sizes.svg", "summary.json", "sizes", "x\" onload=\"x"]
    {
        let mut summary = summary.clone();
        summary["picture"] = json!(picture);
        fs::write(folder.path().join("small/summary.json"), summary.to_string()).unwrap();
        let page = index(folder.path());
        assert_eq!(links(&page), of_reports(&["pageless", "small"]));
        assert!(!page.contains("<img"), "{picture}");
    }
}

#[test]
fn texts_of_a_summary_are_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let name = "a b\"><script>";
    render(&sample::small(), folder.path(), name);
    let path = folder.path().join(name).join("summary.json");
    let mut summary: Json = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    for field in ["name", "question", "answer", "figure"] {
        summary[field] = json!("</title><script>alert(1)</script>\u{202e}\" onload=\"x");
    }
    summary["measured"] = json!(["<b>", "<i>"]);
    fs::write(&path, summary.to_string()).unwrap();
    let page = index(folder.path());
    assert_eq!(links(&page), of_reports(&["a%20b%22%3E%3Cscript%3E"]));
    for tag in ["<script>alert", "<b>", "\u{202e}", "\" onload"] {
        assert!(!page.contains(tag), "{tag}");
    }
    assert_eq!(page.matches("<script").count(), 1, "the script of the index");
}

#[test]
fn a_report_without_figures_leaves_no_picture_of_an_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    render(&sample::small(), folder.path(), "one");
    let empty = ExperimentRecord { name: "one".into(), ..ExperimentRecord::default() };
    render(&empty, folder.path(), "one");
    assert!(!index(folder.path()).contains("<img"));
}
