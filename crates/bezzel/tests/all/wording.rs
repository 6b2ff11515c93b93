//! Comments, texts in the sources and documents are free of the words that readers stumble over. The sources are in
//! Rust, JavaScript, CSS and Python; configs and the manifests of crates are read, too.

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
const THIS_FILE: &str = "crates/bezzel/tests/all/wording.rs";

/// Folders with files that programs wrote. Hidden folders have such files, too.
const WRITTEN_BY_PROGRAMS: [&str; 4] = ["target", "build", "dist", "__pycache__"];

/// The files below a folder with this extension, without those that programs wrote.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && !WRITTEN_BY_PROGRAMS.contains(&name.as_str()) {
                files(&path, extension, found);
            }
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

/// The string literals of a Rust source with the number of their first line. Lines that end in a backslash are joined.
fn literals(source: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let (mut at, mut number, mut numbered) = (0, 1, 0);
    while let Some(offset) = source[at..].find(['/', '\'', '"']) {
        let start = at + offset;
        let rest = &source[start..];
        let length = match rest.as_bytes() {
            [b'/', b'/', ..] => rest.find('\n').unwrap_or(rest.len()),
            [b'\'', b'\\', ..] | [b'\'', b'"', b'\'', ..] => 3,
            [b'"', ..] => {
                let hashes = source[..start].bytes().rev().take_while(|&byte| byte == b'#').count();
                let body = &rest[1..];
                let length = if source[..start - hashes].ends_with('r') {
                    body.find(&format!("\"{}", "#".repeat(hashes)))
                } else {
                    let mut is_escaped = false;
                    body.bytes().position(|byte| {
                        let is_end = byte == b'"' && !is_escaped;
                        is_escaped = byte == b'\\' && !is_escaped;
                        is_end
                    })
                };
                let length = length.expect("the literal has an end");
                number += source[numbered..start].matches('\n').count();
                numbered = start;
                let mut lines = body[..length].split("\\\n");
                let first = lines.next().unwrap_or_default().to_owned();
                found.push((number, lines.fold(first, |text, line| text + line.trim_start())));
                length + 2
            }
            _ => 1,
        };
        at = start + length;
    }
    found
}

/// The first forbidden word of a text in a source. A question may begin with any word.
fn literal_fault(text: &str) -> Option<&'static str> {
    let text = text.replace("\\n", "\n");
    let mut sentences = text.lines().flat_map(|line| line.split_inclusive(['.', ':', '!', '?']));
    sentences.find_map(|sentence| fault(sentence.trim_start(), !sentence.ends_with('?')))
}

/// The first forbidden word of a line of a script, a style or a manifest. Comments and texts in quotes begin sentences.
/// A comment that continues the one of the line before begins none.
fn script_fault(line: &str, is_continued: bool) -> Option<&'static str> {
    let mut begun = line.split(['"', '\'', '`', '#', '/', '*']).skip(1);
    fault(line, false).or_else(|| begun.find_map(literal_fault).filter(|_| !is_continued))
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
fn literals_are_found_with_their_lines() {
    let source = "f('\"', r#\"a \" b\"#); // \"c\"\n'x: g(\"d \\\n    e\", '\\'', b\"\\\"\");";
    let expected = [(1_usize, "a \" b"), (2, "d e"), (3, "\\\"")];
    assert_eq!(literals(source), expected.map(|(line, text)| (line, text.to_owned())));
    assert_eq!(literal_fault("`a`: What it is"), Some("What "));
    assert_eq!(literal_fault("one\\nWho it is"), Some("Who "));
    assert_eq!(literal_fault("the size. What is it?"), None);
    assert_eq!(literal_fault("it was told"), Some("told"));
}

#[test]
fn beginnings_of_sentences_are_found_in_scripts() {
    assert_eq!(script_fault("f(x); // What it is", false), Some("What "));
    assert_eq!(script_fault("/* Who it is */", false), Some("Who "));
    assert_eq!(script_fault("# What it is", true), None);
    assert_eq!(script_fault("f(`a: ${b}`, 'Whose it is')", false), Some("Whose "));
    assert_eq!(script_fault("f('What is it?')", false), None);
    assert_eq!(script_fault("What it is", false), None);
    assert_eq!(script_fault("const told = 1;", true), Some("told"));
}

#[test]
fn comments_texts_and_documents_are_plain() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let mut sources = Vec::new();
    files(&root.join("crates"), "rs", &mut sources);
    let mut documents = Vec::new();
    files(&root.join("docs"), "md", &mut documents);
    files(&root.join("crates"), "md", &mut documents);
    let names =
        ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "METHODOLOGY.md"];
    documents.extend(names.map(|name| root.join(name)));
    let mut configs = Vec::new();
    files(&root.join("configs"), "yaml", &mut configs);
    let mut scripts = vec![root.join("Cargo.toml")];
    for folder in ["crates", "configs", "examples", "python"] {
        for extension in ["js", "css", "py", "toml"] {
            files(&root.join(folder), extension, &mut scripts);
        }
    }
    let found = [sources.len(), documents.len(), configs.len(), scripts.len()];
    assert!(found[0] > 800 && found[1] > 20 && found[2] > 40 && found[3] > 60, "{found:?}");
    let mut faults = Vec::new();
    for path in sources.iter().chain(&documents).chain(&configs).chain(&scripts) {
        let name = path.strip_prefix(&root).unwrap().display().to_string();
        if name == THIS_FILE {
            continue;
        }
        let extension = path.extension().and_then(|of| of.to_str()).unwrap_or_default();
        let content = fs::read_to_string(path).unwrap();
        let mut note = |number: usize, word: Option<&str>| {
            faults.extend(word.map(|word| format!("{name}:{number}: `{}`", word.trim())));
        };
        let mut is_inside = false;
        for (number, line) in (1..).zip(content.lines()) {
            let text = line.trim_start();
            let (text, is_start) = match extension {
                "rs" => match text.strip_prefix("//") {
                    Some(comment) => {
                        let is_doc = comment.starts_with(['/', '!']);
                        (comment.trim_start_matches(['/', '!', ' ']), is_doc)
                    }
                    None => continue,
                },
                // The first line of a comment begins a sentence.
                "yaml" => {
                    let comment = text.split_once('#').map(|(_, comment)| comment.trim_start());
                    let is_start = !std::mem::replace(&mut is_inside, text.starts_with('#'));
                    (comment.unwrap_or_default(), is_start)
                }
                "js" | "css" | "py" | "toml" => {
                    let is_comment = text.starts_with("//") || text.starts_with('#');
                    let was_inside = std::mem::replace(&mut is_inside, is_comment);
                    note(number, script_fault(text, is_comment && was_inside));
                    continue;
                }
                _ => (text, false),
            };
            note(number, fault(text, is_start));
        }
        if extension == "rs" {
            for (number, text) in literals(&content) {
                note(number, literal_fault(&text));
            }
        }
    }
    assert!(faults.is_empty(), "words to be replaced:\n{}", faults.join("\n"));
}
