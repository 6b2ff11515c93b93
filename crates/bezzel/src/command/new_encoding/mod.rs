//! `bezzel new-encoding`: the file of a new encoding, and its line in the list.
//!
//! The templates beside this file are modules that compile and have every property: the tests build them
//! as they are.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bezzel_encode::Registry;
use bezzel_experiment::input::{self, LARGEST_DOCUMENT};

use crate::arguments::NewEncodingArguments;
use crate::failure::{CommandResult, Failure, cannot, shown};

/// The differences between the kinds of encodings.
struct Kind {
    /// The folder, below the root of the repository.
    folder: &'static str,
    template: &'static str,
    /// The template's id.
    id: &'static str,
    /// The functions that list the encoding, each with its line there.
    lists: &'static [(&'static str, &'static str)],
    /// The encoding that the unchanged template implements.
    begins_as: &'static str,
}

const AT_MOST_ONE: Kind = Kind {
    folder: "crates/bezzel-encode/src/amo",
    template: include_str!("my_idea.rs"),
    id: "my-idea",
    lists: &[("fn register", "        .with_at_most_one(ITEM)")],
    begins_as: "pairwise",
};

const AT_MOST_K: Kind = Kind {
    folder: "crates/bezzel-encode/src/amk",
    template: include_str!("my_count.rs"),
    id: "my-count",
    lists: &[
        ("fn all()", "    all.push(Arc::new(ITEM));"),
        ("fn as_at_most_one()", "        Arc::new(AtMostOneAsK(ITEM)),"),
    ],
    begins_as: "a sequential counter",
};

const SUM: Kind = Kind {
    folder: "crates/bezzel-encode/src/sums",
    template: include_str!("my_sum.rs"),
    id: "my-sum",
    lists: &[("fn all()", "    all.push(SumEncoding::above_totalizer(ITEM));")],
    begins_as: "a counter of all sums",
};

const BOARD: Kind = Kind {
    folder: "crates/bezzel-encode/src/encoding",
    template: include_str!("my_board.rs"),
    id: "my-board",
    lists: &[("fn register", "        .with(ITEM)")],
    begins_as: "a clause for each two candidates of a group",
};

const KINDS: [Kind; 4] = [AT_MOST_ONE, AT_MOST_K, SUM, BOARD];

/// The reserved words of Rust, and the crates that it has.
const KEYWORDS: [&str; 55] = [
    "core", "alloc", "std", "test", "abstract", "as", "async", "await", "become", "box", "break",
    "const", "continue", "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn",
    "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut",
    "override", "priv", "pub", "ref", "return", "self", "static", "struct", "super", "trait",
    "true", "try", "type", "typeof", "union", "unsafe", "unsized", "use", "virtual", "where",
    "while",
];

pub(crate) fn run(
    arguments: &NewEncodingArguments,
    registry: &Registry,
    out: &mut dyn Write,
) -> CommandResult {
    let kind = match arguments {
        NewEncodingArguments { at_most_k: true, .. } => AT_MOST_K,
        NewEncodingArguments { sum: true, .. } => SUM,
        NewEncodingArguments { board: true, .. } => BOARD,
        _ => AT_MOST_ONE,
    };
    let id = arguments.name.as_str();
    check(id, registry)?;
    let type_name = camel(id);
    if has_word(kind.template, &type_name) {
        return Err(Failure::Input(format!(
            "`{id}` would make a type `{type_name}`, a name that the file of every encoding uses"
        )));
    }
    let here = std::env::current_dir().map_err(Failure::work)?;
    let root = root(&here)?;
    let module = id.replace('-', "_");
    let file = root.join(kind.folder).join(format!("{module}.rs"));
    let list = root.join(kind.folder).join("mod.rs");

    let listed = input::read_text(&list, LARGEST_DOCUMENT).map_err(cannot("read", &list))?;
    if listed.lines().any(|line| !line.trim_start().starts_with("//") && has_word(line, &module)) {
        let list = shown(&list);
        return Err(Failure::Input(format!("`{id}` is a name that `{list}` uses: take another")));
    }
    let new_list = kind.list(&listed, id).ok_or_else(|| {
        let list = shown(&list);
        let functions: Vec<&str> = kind.lists.iter().map(|(function, _)| *function).collect();
        let functions = functions.join("` and `");
        Failure::Input(format!("`{list}` has no modules, or no `{functions}`: add them by hand"))
    })?;
    let mut written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&file)
        .map_err(cannot("write", &file))?;
    let text = kind.template.replace(kind.id, id).replace(&camel(kind.id), &type_name);
    written.write_all(text.as_bytes()).map_err(cannot("write", &file))?;
    replace(&list, &new_list)?;

    let shown = |path: &Path| shown(path.strip_prefix(&here).unwrap_or(path));
    writeln!(out, "written:    {}", shown(&file))?;
    writeln!(out, "registered: {}", shown(&list))?;
    writeln!(
        out,
        "It is {} until you change the parts marked REPLACE. Then: cargo run --example check -- \
         {id}",
        kind.begins_as
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses an invalid id, and an id that is easily mistaken for another.
fn check(id: &str, registry: &Registry) -> Result<(), Failure> {
    let refused = |why: String| Err(Failure::Input(format!("`{id}` {why}")));
    let is_word = |word: &str| {
        !word.is_empty() && word.bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
    };
    if !id.starts_with(|c: char| c.is_ascii_lowercase()) || !id.split('-').all(is_word) {
        return refused(
            "is no id: lower-case words of letters and digits, joined by hyphens".into(),
        );
    }
    if KEYWORDS.contains(&id) {
        return refused("is a word of Rust, and cannot name a module".into());
    }
    let unlisted = registry.unlisted().iter().map(|encoding| encoding.info());
    let infos = registry.infos().into_iter().chain(unlisted);
    let ids = infos.flat_map(|info| std::iter::once(info.id).chain(info.aliases));
    // A parameter or a variant is no part of the name.
    let name = |id: String| id.split([':', '+']).next().unwrap_or_default().to_owned();
    let names: BTreeSet<String> = ids.map(name).collect();
    let exact = names.get(id);
    let near = || names.iter().find(|known| strsim::damerau_levenshtein(known, id) <= 1);
    match exact.or_else(near) {
        Some(known) if known == id => refused("names an encoding already".into()),
        Some(known) => refused(format!("is too similar to `{known}`, which exists already")),
        None => Ok(()),
    }
}

/// The root of the repository, at or above `here`.
fn root(here: &Path) -> Result<PathBuf, Failure> {
    let is_root = |folder: &&Path| KINDS.iter().all(|kind| folder.join(kind.folder).is_dir());
    here.ancestors().find(is_root).map(Path::to_owned).ok_or_else(|| {
        Failure::Input(
            "this is not Bezzel's repository: go to your clone of it and call \
             `cargo run -- new-encoding NAME` there; an encoding of a program of your own needs no \
             file here, see \"Outside this repository\" in CONTRIBUTING.md"
                .into(),
        )
    })
}

/// The name of the type: each word with a capital.
fn camel(id: &str) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    };
    id.split('-').map(capital).collect()
}

/// True if code contains this word, for example as a trait or as a module.
fn has_word(code: &str, word: &str) -> bool {
    code.split(|c: char| !c.is_alphanumeric() && c != '_').any(|other| other == word)
}

impl Kind {
    /// The list with a line for the module, in order, and lines that register the encoding: after our own encodings,
    /// before those of rivals.
    fn list(&self, listed: &str, id: &str) -> Option<String> {
        let module = id.replace('-', "_");
        let item = format!("{module}::{}", camel(id));
        let mut lines: Vec<String> = listed.lines().map(str::to_owned).collect();
        let is_end = |line: &String| {
            line.trim_start().starts_with("// RustSAT")
                || ["}", "    ]", "    all"].contains(&line.as_str())
        };
        for (function, line) in self.lists {
            let begin = lines.iter().position(|line| line.contains(function))?;
            let end = begin + lines[begin..].iter().position(is_end)?;
            lines.insert(end, line.replace("ITEM", &item));
        }

        let declared = |line: &str| {
            let line = line.strip_prefix("pub ").unwrap_or(line);
            line.strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)
        };
        // Modules of tests stand at the end.
        let listing = lines.iter().position(|line| line.contains(self.lists[0].0))?;
        let modules: Vec<_> =
            (0..listing).filter_map(|index| Some((index, declared(&lines[index])?))).collect();
        let after = modules.iter().find(|(_, known)| *known > module);
        let place = after.map_or(modules.last()?.0 + 1, |(index, _)| *index);
        lines.insert(place, format!("pub mod {module};"));
        Some(lines.join("\n") + "\n")
    }
}

/// Replaces the whole content of a file.
fn replace(path: &Path, text: &str) -> Result<(), Failure> {
    let part = path.with_extension("rs.part");
    fs::write(&part, text).and_then(|()| fs::rename(&part, path)).map_err(cannot("write", path))
}
