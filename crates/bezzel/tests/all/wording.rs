//! Comments and documents are free of the words that readers stumble over.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that name no value and no check: a value is printed or stored, a check compares, a user is a user.
const WORDS: [&str; 11] = [
    "told",
    "said",
    "whoever",
    "nobody",
    "somebody",
    "anybody",
    "held against",
    "as it comes",
    "takes least",
    "so many",
    "so much",
];

/// First words of a sentence without a noun.
const STARTS: [&str; 8] =
    ["What ", "Who ", "Whose ", "Whether ", "Of which ", "Of what ", "So many ", "By which "];

/// This file names the words.
const ALLOWED: [&str; 1] = ["crates/bezzel/tests/all/wording.rs"];

/// The files below a folder with this extension.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|of| of == extension) {
            found.push(path);
        }
    }
}

/// The first forbidden word of a text; none if it has none.
fn fault(text: &str, is_start: bool) -> Option<&'static str> {
    let lower = text.to_lowercase();
    let is_edge = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric() && c != '_');
    let has = |word: &&str| {
        lower.match_indices(*word).any(|(at, _)| {
            is_edge(lower[..at].chars().next_back())
                && is_edge(lower[at + word.len()..].chars().next())
        })
    };
    let start = || STARTS.into_iter().find(|start| is_start && text.starts_with(start));
    WORDS.into_iter().find(has).or_else(start)
}

#[test]
fn faults_are_found_as_whole_words() {
    assert_eq!(fault("The number that is told.", false), Some("told"));
    assert_eq!(fault("A stold `as_told`.", false), None);
    assert_eq!(fault("What it is.", true), Some("What "));
    assert_eq!(fault("What it is.", false), None);
    assert_eq!(fault("Is it So Many?", false), Some("so many"));
}

#[test]
fn comments_and_documents_are_plain() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let mut sources = Vec::new();
    files(&root.join("crates"), "rs", &mut sources);
    let mut documents = Vec::new();
    files(&root.join("docs"), "md", &mut documents);
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "METHODOLOGY.md"] {
        documents.push(root.join(name));
    }
    assert!(sources.len() > 800 && documents.len() > 20, "{} {}", sources.len(), documents.len());
    let mut faults = Vec::new();
    for path in sources.iter().chain(&documents) {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        if ALLOWED.contains(&&*name) {
            continue;
        }
        let is_source = path.extension().is_some_and(|of| of == "rs");
        for (number, line) in (1..).zip(fs::read_to_string(path).unwrap().lines()) {
            let text = line.trim_start();
            let (text, is_start) = match text.strip_prefix("//") {
                _ if !is_source => (text, false),
                Some(comment) => {
                    let is_doc = comment.starts_with(['/', '!']);
                    (comment.trim_start_matches(['/', '!', ' ']), is_doc)
                }
                None => continue,
            };
            if let Some(word) = fault(text, is_start) {
                faults.push(format!("{name}:{number}: `{}`", word.trim()));
            }
        }
    }
    assert!(faults.is_empty(), "words to be replaced:\n{}", faults.join("\n"));
}
