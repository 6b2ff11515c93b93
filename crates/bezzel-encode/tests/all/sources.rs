//! Every source that a module names by its title is in `references.bib`, and every key that is cited there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bezzel_encode::{Registry, amk};

fn root() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", ".."].iter().collect()
}

/// The letters and digits of a title, in lower case, without those that an accent or a command of TeX stands for.
fn plain(title: &str) -> String {
    let letters = title.chars().filter(char::is_ascii_alphanumeric);
    letters.collect::<String>().to_lowercase()
}

/// The texts after `begin` up to `end`.
fn between<'a>(text: &'a str, begin: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    text.split(begin).skip(1).filter_map(move |rest| Some(rest.split_once(end)?.0))
}

/// The Rust files below a folder.
fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push(path);
        }
    }
}

#[test]
fn every_source_of_a_module_has_an_entry() {
    let entries = fs::read_to_string(root().join("references.bib")).unwrap();
    let titles: BTreeSet<String> = between(&entries, "  title = {", "},\n").map(plain).collect();
    let mut all = Vec::new();
    for part in fs::read_dir(root().join("crates")).unwrap() {
        files(&part.unwrap().path().join("src"), &mut all);
    }
    let (mut named, mut missing) = (0, Vec::new());
    for file in all {
        let text = fs::read_to_string(&file).unwrap();
        let docs: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("//!")).collect();
        for paragraph in docs.join("\n").split("\n\n") {
            for source in paragraph.split("*Source.*").skip(1) {
                let source = source.split("*Departures.*").next().unwrap_or_default();
                // A title is followed by a comma or the place; other words in quotation marks are not.
                for title in between(&source.replace('\n', " "), " \"", "\"") {
                    named += 1;
                    let is_word = !title.starts_with(char::is_uppercase) && !title.contains(':');
                    if !is_word && !titles.contains(&plain(title)) {
                        missing.push(format!("{}: {title}", file.display()));
                    }
                }
            }
        }
    }
    assert!(named > 50, "only {named} titles are read");
    assert!(missing.is_empty(), "not in references.bib:\n{}", missing.join("\n"));
}

/// A letter without its accent.
fn bare(letter: char) -> char {
    let accents = [
        ("áàä", 'a'),
        ("čç", 'c'),
        ("éěè", 'e'),
        ("íì", 'i'),
        ("óöò", 'o'),
        ("úü", 'u'),
        ("ý", 'y'),
    ];
    accents.iter().find(|(all, _)| all.contains(letter)).map_or(letter, |(_, bare)| *bare)
}

#[test]
fn every_source_of_an_encoding_has_an_entry() {
    let text = fs::read_to_string(root().join("references.bib")).unwrap();
    let entries: Vec<(String, &str)> = text
        .split("\n@")
        .filter_map(|entry| {
            let of = |key| between(entry, key, "}").next();
            // An accent of TeX has braces of its own.
            let authors = plain(entry.split("  author = {").nth(1)?.split("},\n").next()?);
            Some((authors, of("  year = {")?))
        })
        .collect();
    let registry = Registry::standard();
    let unlisted = registry.unlisted().iter().map(|encoding| encoding.info());
    let sums = registry.sums().map(|encoding| encoding.of_sums().unwrap().about());
    let bounds = amk::all().into_iter().map(|encoder| encoder.about());
    let (mut found, mut missing) = (0, Vec::new());
    for info in registry.infos().into_iter().chain(unlisted).chain(sums).chain(bounds) {
        // "Eén, Sörensson, JSAT 2006, section 5.1": the first name and the year.
        for part in info.citation.split(';').filter(|part| !part.contains("RustSAT")) {
            let words: Vec<String> = part
                .split([' ', ','])
                .map(|word| plain(&word.chars().map(bare).collect::<String>()))
                .collect();
            let is_name = |word: &&str| word.starts_with(char::is_uppercase);
            let name = part.split([' ', ',']).find(is_name).map(|name| name.chars().map(bare));
            let is_year =
                |word: &&String| word.parse().is_ok_and(|year| (1900..2100).contains(&year));
            let year = words.iter().find(is_year);
            let (Some(name), Some(year)) = (name, year) else { continue };
            let name = plain(&name.collect::<String>());
            found += 1;
            if !entries.iter().any(|(authors, of)| of == year && authors.contains(&name)) {
                missing.push(format!("{}: {part}", info.id));
            }
        }
    }
    assert!(found > 50, "only {found} sources are read");
    assert!(missing.is_empty(), "not in references.bib:\n{}", missing.join("\n"));
}

#[test]
fn every_cited_key_has_one_entry() {
    let entries = fs::read_to_string(root().join("references.bib")).unwrap();
    let keys: Vec<&str> = entries
        .lines()
        .filter_map(|line| line.strip_prefix('@')?.split_once('{')?.1.strip_suffix(','))
        .collect();
    let different: BTreeSet<&&str> = keys.iter().collect();
    assert_eq!(different.len(), keys.len(), "a key stands twice");
    for cited in between(&entries, "\\cite{", "}") {
        assert!(keys.contains(&cited), "{cited}");
    }
}
