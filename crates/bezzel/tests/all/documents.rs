//! The blocks of the documents work as printed. Each document is one script in a folder of its own: commands run in
//! their order, and configs and parts of configs are planned. Blocks of Python are run by the tests of the package.
//! Documents are listed and short, and their links lead to files and headings.
//!
//! CONTRIBUTING.md states the comments of HTML that keep a block, or some of its lines, from being run, and that give a
//! config a file.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::program::{BEZZEL, bezzel_in, ended, printed};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The documents in `docs/`, in their order.
fn in_docs() -> Vec<String> {
    let entries = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let files = entries.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let name = |path: PathBuf| format!("docs/{}", path.file_name().unwrap().display());
    let mut names: Vec<String> = files.map(name).collect();
    names.sort();
    names
}

/// A block of code of a document.
#[derive(Debug, PartialEq)]
struct Block {
    /// The number of its first line.
    line: usize,
    lines: Vec<String>,
    /// The content of the comment before it; empty if there is none.
    comment: String,
}

/// The blocks of a document: fenced, or indented by at least four blanks after an empty line.
fn blocks(text: &str) -> Vec<Block> {
    let (mut found, mut comment, mut is_after_empty) = (Vec::<Block>::new(), String::new(), true);
    let mut lines = (1..).zip(text.lines()).peekable();
    while let Some((number, line)) = lines.next() {
        let is_fence = line.starts_with("```");
        let is_indented = is_after_empty && line.starts_with("    ");
        is_after_empty = line.is_empty();
        if let Some(words) = line.strip_prefix("<!-- ").and_then(|it| it.strip_suffix(" -->")) {
            words.clone_into(&mut comment);
            continue;
        }
        if !is_fence && !is_indented {
            if !line.is_empty() {
                comment.clear();
            }
            continue;
        }
        let mut block =
            Block { line: number, lines: Vec::new(), comment: std::mem::take(&mut comment) };
        if is_fence {
            let inner = lines.by_ref().map(|(_, line)| line.to_owned());
            block.lines = inner.take_while(|line| line != "```").collect();
        } else {
            block.lines.push(line.to_owned());
            while let Some((_, line)) =
                lines.next_if(|(_, it)| it.is_empty() || it.starts_with("    "))
            {
                block.lines.push(line.to_owned());
            }
            is_after_empty = true;
        }
        let margin = |line: &String| line.len() - line.trim_start().len();
        let margin =
            block.lines.iter().filter(|line| !line.is_empty()).map(margin).min().unwrap_or(0);
        for line in &mut block.lines {
            *line = line.get(margin..).unwrap_or_default().trim_end().to_owned();
        }
        while block.lines.last().is_some_and(String::is_empty) {
            block.lines.pop();
        }
        found.push(block);
    }
    found
}

/// The first words of the lines of a shell.
const SHELL: [&str; 18] = [
    "bezzel",
    "cargo",
    "cadical",
    "cd",
    "for",
    "minisat",
    "mkdir",
    "parallel",
    "pdflatex",
    "pip",
    "printf",
    "python3",
    "scp",
    "seq",
    "tar",
    "BEZZEL_PROGRAM=target/debug/bezzel",
    "echo",
    "$",
];

/// The meaning of a block.
#[derive(Debug, PartialEq)]
enum Kind {
    Commands,
    Config,
    /// Rust, Python, and the output of programs.
    Other,
}

fn kind(block: &Block) -> Kind {
    let first = block.lines.iter().find(|line| !line.starts_with('#')).map_or("", String::as_str);
    // A manifest has names of programs, too.
    let is_manifest = first.contains(" = ");
    if !is_manifest && SHELL.contains(&first.split(' ').next().unwrap_or_default()) {
        return Kind::Commands;
    }
    let key = first.split_once(':').map_or("", |(key, _)| key);
    let is_key =
        |key: &str| !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    // A program's output may begin with a word and a colon, too; a config has a known key.
    if is_key(key) && KEYS.contains(&key) { Kind::Config } else { Kind::Other }
}

/// The keys with which a config or a part of one begins in the documents.
const KEYS: [&str; 12] = [
    "name",
    "problems",
    "encodings",
    "solvers",
    "task",
    "exclude",
    "numberings",
    "input_order",
    "engines",
    "hypothesis",
    "answer",
    "limits",
];

/// The rest of a config for a part of one, by keys.
const REST: [(&str, &str); 5] = [
    ("name", "name: part"),
    ("problems", "problems: [{queens: {size: [6, 40]}}]"),
    ("encodings", "encodings: [pairwise, product, rustsat-pairwise]"),
    ("solvers", "solvers: [cadical, batsat]"),
    ("numberings", "numberings: [as-generated, random]"),
];

/// The config of a block, completed.
fn completed(block: &Block) -> String {
    let mut text = block.lines.join("\n") + "\n";
    let has = |text: &str, key: &str| text.lines().any(|line| line.starts_with(&format!("{key}:")));
    let extends = has(&text, "extends");
    let is_given = |text: &str, key: &str| match key {
        "solvers" => extends || has(text, key) || has(text, "engines") || has(text, "task"),
        "problems" | "encodings" => extends || has(text, key),
        "numberings" => has(text, key) || !has(text, "exclude"),
        _ => has(text, key),
    };
    for (key, rest) in REST {
        if !is_given(&text, key) {
            writeln!(text, "{rest}").unwrap();
        }
    }
    text
}

/// The lines of a shell in a block, without the descriptions behind them.
fn commands(block: &Block) -> Vec<String> {
    let shown = block.lines.iter().any(|line| line.starts_with("$ "));
    let lines = block.lines.iter().filter_map(|line| match line.strip_prefix("$ ") {
        Some(command) => Some(command),
        // The other lines are output.
        None if shown => None,
        None => Some(line.as_str()),
    });
    let without_description = |line: &str| {
        let end = line.trim_end().find("  ").unwrap_or(line.len());
        line[..end].trim_end().to_owned()
    };
    lines
        .map(without_description)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

/// The folder in which a document's blocks run.
struct Workspace(tempfile::TempDir);

impl Workspace {
    fn new(text: &str) -> Self {
        let workspace = Self(tempfile::tempdir().unwrap());
        let folder = workspace.0.path();
        for name in ["configs/boards", "configs/instances", "timetables", "bin", "experiments"] {
            fs::create_dir_all(folder.join(name)).unwrap();
        }
        symlink(BEZZEL, folder.join("bin/bezzel")).unwrap();
        symlink(root().join("examples"), folder.join("examples")).unwrap();
        let copy = |from: &str, to: &str| {
            fs::copy(root().join(from), folder.join(to)).unwrap();
        };
        for name in [
            "at-most-one.yaml",
            "instances/choices.opb",
            "instances/knuth.txt",
            "instances/roster.opb",
            "boards/framed.txt",
        ] {
            copy(&format!("configs/{name}"), &format!("configs/{name}"));
        }
        for name in ["timetable.opb", "timetables/roster.opb"] {
            copy("configs/instances/roster.opb", name);
        }
        ended(&workspace.shell("gzip --keep timetable.opb"), 0);
        let small = |name: &str| {
            format!(
                "name: {name}\nproblems: [{{queens: {{size: 6}}}}]\nencodings: [pairwise, product]\nsolvers: [cadical]\n\
                 calibration: off\nwarm_up: 0\n"
            )
        };
        for (name, runs) in
            [("first-look", vec!["first-look", "first-look-at-home"]), ("hard", vec!["hard"])]
        {
            if text.contains(name) {
                let config = format!("configs/{name}.yaml");
                fs::write(folder.join(&config), small(name)).unwrap();
                for run in runs {
                    ended(&bezzel_in(folder, &["run", &config, "--quiet", "--name", run]), 0);
                }
            }
        }
        workspace
    }

    fn shell(&self, line: &str) -> Output {
        let path = std::env::var("PATH").unwrap_or_default();
        // A command that waits is a fault, too.
        Command::new("timeout")
            .args(["300", "sh", "-c", line])
            .stdin(Stdio::null())
            .current_dir(self.0.path())
            .env("PATH", format!("{}:{path}", self.0.path().join("bin").display()))
            .output()
            .unwrap()
    }
}

/// The command as a test runs it, unless it names a file of the document: nothing is measured, and nothing is submitted.
fn tested(line: &str) -> String {
    let word = line.split(' ').nth(1).unwrap_or_default();
    let has = |options: &[&str]| options.iter().any(|option| line.contains(option));
    let option = match word {
        "run" if has(&["--tasks"]) && !has(&["--dry-run"]) => " --dry-run",
        "run" if !has(&["--plan", "--shard", "--sample", "--only", "--tasks"]) => " --plan",
        "tune" => " --plan",
        _ => "",
    };
    format!("{line}{option}")
}

/// The faults of a document's blocks, and the numbers of commands and configs that were tried.
fn faults(path: &Path, count: &mut [usize; 2]) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let workspace = Workspace::new(&text);
    let (mut faults, mut own) = (Vec::new(), Vec::<String>::new());
    for block in blocks(&text) {
        let name = format!("{}:{}", path.file_name().unwrap().display(), block.line);
        let marked = block.comment.strip_prefix("not run: ");
        let left_out: Vec<&str> = match marked.map(|it| it.split_once(": ")) {
            // The whole block.
            Some(None) => continue,
            Some(Some((_, lines))) => lines.split("; ").collect(),
            None if block.comment.starts_with("needs ") => continue,
            None => Vec::new(),
        };
        if let Some(file) = block.comment.strip_prefix("file: ") {
            // A further block of the same file is added to it.
            let path = workspace.0.path().join(file);
            let before = fs::read_to_string(&path).unwrap_or_default();
            fs::write(path, before + &block.lines.join("\n") + "\n").unwrap();
            own.push(file.to_owned());
            continue;
        }
        match kind(&block) {
            Kind::Other => {}
            Kind::Config => {
                count[1] += 1;
                fs::write(workspace.0.path().join("configs/part.yaml"), completed(&block)).unwrap();
                let output = workspace.shell("bezzel run configs/part.yaml --plan");
                if output.status.code() != Some(0) {
                    faults.push(format!("{name}: {}\n{}", completed(&block), printed(&output)));
                }
            }
            Kind::Commands => {
                let all = commands(&block);
                for words in &left_out {
                    let is_there = all.iter().any(|line| line.starts_with(words));
                    assert!(is_there, "{name}: no line begins with `{words}`");
                }
                for line in all {
                    if left_out.iter().any(|words| line.starts_with(words)) {
                        continue;
                    }
                    count[0] += 1;
                    let is_own = own.iter().any(|file| line.contains(file));
                    let output =
                        workspace.shell(&if is_own { line.clone() } else { tested(&line) });
                    // A solution, or none.
                    let finds = line.starts_with("bezzel solve") || line.contains("bezzel decode");
                    let expected: &[i32] = if finds { &[0, 10, 20] } else { &[0] };
                    if output.status.code().is_none_or(|code| !expected.contains(&code)) {
                        faults.push(format!(
                            "{name}: {line}: {:?}\n{}",
                            output.status,
                            printed(&output)
                        ));
                    }
                }
            }
        }
    }
    faults
}

#[test]
fn every_block_of_the_readme_works_as_printed() {
    let faults = faults(&root().join("README.md"), &mut [0; 2]);
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
#[ignore = "second tier: it runs every document"]
fn every_block_of_every_document_works_as_printed() {
    let documents = in_docs().into_iter().chain(["README.md", "CONTRIBUTING.md"].map(String::from));
    let mut count = [0; 2];
    let faults: Vec<String> =
        documents.flat_map(|name| faults(&root().join(name), &mut count)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(count[0] > 40 && count[1] > 10, "{count:?}");
}

/// The documents outside `docs/`.
const AT_THE_ROOT: [&str; 5] =
    ["README.md", "METHODOLOGY.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"];

/// The largest number of words of a document in `docs/`.
const MAX_WORDS: usize = 2_000;

/// The targets of the links of a document.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0))
}

/// The anchors of the headings of a document.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let letters = |line: &str| {
        let line = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        line.chars().filter(|it| it.is_alphanumeric() || "-_".contains(*it)).collect()
    };
    headings.map(letters).collect()
}

#[test]
fn documents_are_listed_and_short_and_their_links_lead_somewhere() {
    let root = root();
    let names = in_docs();
    let list = fs::read_to_string(root.join("docs/README.md")).unwrap();
    let mut faults = Vec::new();
    for name in names.iter().map(String::as_str).chain(AT_THE_ROOT) {
        let text = fs::read_to_string(root.join(name)).unwrap();
        if let Some(file) = name.strip_prefix("docs/") {
            let words = text.split_whitespace().count();
            if words > MAX_WORDS {
                faults.push(format!("{name} has {words} words, and may have {MAX_WORDS}"));
            }
            if file != "README.md" && !links(&list).any(|link| link == file) {
                faults.push(format!("docs/README.md does not list {file}"));
            }
        }
        for link in links(&text).filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = root.join(name).parent().unwrap().join(file);
            let path = if file.is_empty() { root.join(name) } else { path };
            let has = |text: String| anchors(&text).iter().any(|known| known == anchor);
            let is_right =
                path.exists() && (anchor.is_empty() || fs::read_to_string(&path).is_ok_and(has));
            if !is_right {
                faults.push(format!("{name} links to {link}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn blocks_have_their_kinds_and_comments() {
    let text = "One:\n\n<!-- not run: needs a cluster: bezzel b -->\n\n    bezzel a     that is a\n    bezzel b\n\nTwo:\n\n\
                ```yaml\nproblems: []\n```\n\n- item\n      continued\n\n    triples: right\n";
    let found = blocks(text);
    let kinds: Vec<Kind> = found.iter().map(kind).collect();
    assert_eq!(kinds, [Kind::Commands, Kind::Config, Kind::Other], "{found:?}");
    assert_eq!(found[0].comment, "not run: needs a cluster: bezzel b");
    assert_eq!(found[0].line, 5);
    assert_eq!(commands(&found[0]), ["bezzel a", "bezzel b"]);
    let shown = Block { lines: vec!["$ bezzel c".into(), "92".into()], ..blocks(text).remove(0) };
    assert_eq!(commands(&shown), ["bezzel c"]);
    assert_eq!(tested("bezzel run a.yaml"), "bezzel run a.yaml --plan");
    assert_eq!(tested("bezzel run a --sample 10"), "bezzel run a --sample 10");
}
