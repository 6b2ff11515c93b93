//! Queens are a plug-in: the general crates neither depend on it nor name what it is about.

use std::fs;
use std::path::{Path, PathBuf};

/// The crates that know no kind but those of their own lists.
const GENERAL: [&str; 4] =
    ["bezzel-problem", "bezzel-encode", "bezzel-experiment", "bezzel-report"];

/// Parts of identifiers that name the plug-in's subject.
const SUBJECT: [&str; 3] = ["queen", "board", "rook"];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push(path);
        }
    }
}

/// The text of a source without comments and without the content of string and character literals.
fn code(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let raw = rest.strip_prefix('r').map(|rest| rest.trim_start_matches('#'));
        let hashes = raw.map_or(0, |raw| rest.len() - 1 - raw.len());
        let is_word = out.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let end = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if !is_word && raw.is_some_and(|raw| raw.starts_with('"')) {
            let start = 2 + hashes;
            let close = format!("\"{}", "#".repeat(hashes));
            rest[start..].find(&close).map_or(rest.len(), |end| start + end + close.len())
        } else if first == '"' {
            string_end(rest)
        } else if let Some(end) = character_end(rest) {
            end
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
            continue;
        };
        out.push(' ');
        rest = &rest[end..];
    }
    out
}

/// The length of the string literal at the beginning.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (place, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return place + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the character literal at the beginning; none for a lifetime.
fn character_end(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    let mut chars = inner.char_indices();
    let (_, first) = chars.next()?;
    if first == '\\' {
        return inner[2..].find('\'').map(|end| end + 4);
    }
    let (place, next) = chars.next()?;
    (next == '\'').then_some(place + 2)
}

fn identifiers(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

#[test]
fn literals_and_comments_are_no_code() {
    let text = r##"let a = "board \" rook"; // queen
        /* rook */ let b = 'q'; let c: &'static str = r#"board"#; let d = '\''; fn my_queen() {}"##;
    let code = code(text);
    let words: Vec<&str> = identifiers(&code).collect();
    let expected = "let a let b let c static str let d fn my_queen";
    assert_eq!(words, expected.split(' ').collect::<Vec<_>>());
}

#[test]
fn no_general_crate_depends_on_the_plug_in() {
    for name in GENERAL {
        let manifest = fs::read_to_string(crates().join(name).join("Cargo.toml")).unwrap();
        assert!(!manifest.contains("queens"), "{name}");
    }
}

#[test]
fn no_identifier_of_a_general_crate_names_a_board_a_queen_or_a_rook() {
    let mut found = Vec::new();
    for name in GENERAL {
        let mut all = Vec::new();
        sources(&crates().join(name), &mut all);
        for path in all {
            let text = fs::read_to_string(&path).unwrap();
            let code = code(&text);
            for word in identifiers(&code) {
                let lower = word.to_lowercase();
                if SUBJECT.iter().any(|part| lower.contains(part)) {
                    found.push(format!("{}: {word}", path.display()));
                }
            }
        }
    }
    found.dedup();
    assert!(found.is_empty(), "{} identifiers: {found:#?}", found.len());
}
