//! Imports between the modules of every crate: none goes in a circle.
//!
//! A module is a file or a folder of `src`. Two modules beside each other must not import each other, directly or by
//! way of others. A folder counts with all that is in it. Imports between a module and the module around it are not
//! examined, and neither are imports of tests.
//!
//! In the two large crates modules form layers. Each layer imports only earlier ones.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The layers of the two large crates, each a line of modules; the root of a crate may import all.
const LAYERS: [(&str, &[&str]); 2] = [
    (
        "bezzel-experiment",
        &[
            "model file_proof",
            "check",
            "results",
            "backend",
            "config",
            "plan",
            "worker",
            "run",
            "record",
        ],
    ),
    (
        "bezzel-report",
        &[
            "number error escape files",
            "instance_words",
            "family",
            "row_statistics",
            "label look machines chart",
            "counter_runs",
            "dataset",
            "machine_groups run_ends run_conditions rows",
            "comparison treatment",
            "effects caveats",
            "analysis",
            "claims",
            "render table row_columns",
            "figure record_comparison answer csv",
            "trust_line",
            "computed_sentences",
            "computed_tasks",
            "computed_answer",
            "parts toolkit",
            "report",
            "command summary latex markdown page encodings_page index",
        ],
    ),
];

/// The path of a module in its crate.
type Module = Vec<String>;

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The files of a crate by their modules, tests left out.
fn modules(folder: &Path, of: &Module, all: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let inner = [of.as_slice(), std::slice::from_ref(&name)].concat();
        if name == "tests" {
        } else if path.is_dir() {
            modules(&path, &inner, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let is_root = ["lib", "main", "mod"].contains(&name.as_str());
            let text = fs::read_to_string(&path).unwrap();
            all.insert(if is_root { of.clone() } else { inner }, without_tests(&text));
        }
    }
}

/// The code of a file, without comments and without the tests at its end.
fn without_tests(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths of a tree of imports, as in `crate::a::{b, c::D}`.
fn paths(tree: &str) -> Vec<Module> {
    let tree = tree.trim();
    let Some((before, inner)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        return vec![path.split("::").map(|part| part.trim().to_owned()).collect()];
    };
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    let inner = inner.strip_suffix('}').unwrap_or(inner);
    for (place, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| paths(&[before.trim(), part.trim()].concat())).collect()
}

/// The modules that a module imports.
fn imports(module: &Module, text: &str, all: &BTreeMap<Module, String>) -> Vec<Module> {
    let mut found = Vec::new();
    let mut rest = String::new();
    for (number, part) in text.split("use ").enumerate() {
        let begins = number > 0 && text_before_is_open(text, part);
        match part.split_once(';').filter(|_| begins) {
            Some((tree, after)) => {
                found.extend(paths(tree));
                rest.push_str(after);
            }
            None => rest.push_str(part),
        }
    }
    let word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == ':';
    let inline = rest.split(|letter| !word(letter)).filter(|path| path.starts_with("crate::"));
    found.extend(inline.flat_map(paths));
    let known = found.into_iter().filter_map(|path| {
        let base = match path.first().map(String::as_str) {
            Some("crate") => path[1..].to_vec(),
            Some("self") => [module.as_slice(), &path[1..]].concat(),
            Some("super") => {
                let up = path.iter().take_while(|part| *part == "super").count();
                let kept = module.len().checked_sub(up)?;
                [&module[..kept], &path[up..]].concat()
            }
            _ => [module.as_slice(), &path].concat(),
        };
        (1..=base.len())
            .rev()
            .map(|length| base[..length].to_vec())
            .find(|path| all.contains_key(path))
    });
    known.collect()
}

/// True if `part`, which follows a `use `, begins a statement.
fn text_before_is_open(text: &str, part: &str) -> bool {
    let before = part.as_ptr() as usize - text.as_ptr() as usize - "use ".len();
    let before = text[..before].trim_end();
    before.is_empty() || before.ends_with([';', '}', '{', ')', ']']) || before.ends_with("pub")
}

/// The groups of modules of a crate that import each other in a circle, beside each other in one module.
fn circles(all: &BTreeMap<Module, String>) -> Vec<String> {
    let mut beside: BTreeMap<(Module, String), BTreeSet<String>> = BTreeMap::new();
    for (module, text) in all {
        for target in imports(module, text, all) {
            let shared = module.iter().zip(&target).take_while(|(one, two)| one == two).count();
            if let (Some(own), Some(other)) = (module.get(shared), target.get(shared)) {
                let around = module[..shared].to_vec();
                beside.entry((around, own.clone())).or_default().insert(other.clone());
            }
        }
    }
    let reaches = |around: &Module, from: &str| {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut next = vec![from.to_owned()];
        while let Some(module) = next.pop() {
            for target in beside.get(&(around.clone(), module)).into_iter().flatten() {
                if seen.insert(target.clone()) {
                    next.push(target.clone());
                }
            }
        }
        seen
    };
    let in_circle =
        beside.keys().filter(|(around, module)| reaches(around, module).contains(module));
    in_circle
        .map(|(around, module)| {
            [around.as_slice(), std::slice::from_ref(module)].concat().join("::")
        })
        .collect()
}

#[test]
fn no_modules_import_each_other_in_a_circle() {
    let mut found = Vec::new();
    for entry in fs::read_dir(crates()).unwrap() {
        let folder = entry.unwrap().path();
        let mut all = BTreeMap::new();
        modules(&folder.join("src"), &Vec::new(), &mut all);
        assert!(all.len() > 1, "{}", folder.display());
        let name = folder.file_name().unwrap().to_str().unwrap().to_owned();
        found.extend(circles(&all).into_iter().map(|module| format!("{name}: {module}")));
    }
    assert!(found.is_empty(), "modules in circles of imports:\n{}", found.join("\n"));
}

/// The imports of a crate that violate its layers, and the modules that are in no layer.
fn against(layers: &[&str], all: &BTreeMap<Module, String>) -> Vec<String> {
    let layer = |module: &Module| {
        let top = module.first()?;
        Some(layers.iter().position(|names| names.split(' ').any(|name| name == top)))
    };
    let mut found = Vec::new();
    for (module, text) in all {
        let Some(own) = layer(module) else { continue };
        let Some(own) = own else {
            found.push(format!("{} is in no layer", module.join("::")));
            continue;
        };
        for target in imports(module, text, all) {
            let is_above =
                layer(&target).is_some_and(|other| other.is_none_or(|other| other > own));
            if is_above {
                found.push(format!("{} imports {}", module.join("::"), target.join("::")));
            }
        }
    }
    found
}

#[test]
fn layers_import_only_the_ones_before_them() {
    let mut found = Vec::new();
    for (name, layers) in LAYERS {
        let mut all = BTreeMap::new();
        modules(&crates().join(name).join("src"), &Vec::new(), &mut all);
        found.extend(against(layers, &all).into_iter().map(|import| format!("{name}: {import}")));
    }
    assert!(found.is_empty(), "imports against the layers:\n{}", found.join("\n"));
}

#[test]
fn an_import_against_the_layers_is_found() {
    let files = [("a", "use crate::b::C;"), ("b", "use crate::a::D;"), ("e", "use std::fmt;")];
    let files = files.map(|(module, text)| (vec![module.to_owned()], text.to_owned()));
    let found = against(&["a", "b"], &files.into_iter().collect());
    assert_eq!(found, ["a imports b", "e is in no layer"]);
}

#[test]
fn a_circle_is_found() {
    let of = |files: &[(&str, &str)]| {
        let path = |module: &str| module.split("::").map(str::to_owned).collect::<Module>();
        let files = files.iter().map(|(module, text)| (path(module), without_tests(text)));
        circles(&files.collect())
    };
    let direct = [("a", "use crate::{b::{C, D}, x};"), ("b", "fn f() { crate::a::g() }")];
    assert_eq!(of(&direct), ["a", "b"]);
    let inner =
        [("a::b", "use super::c::C;"), ("a::c", "pub use super::d;"), ("a::d", "use super::b::B;")];
    assert_eq!(of(&inner), ["a::b", "a::c", "a::d"]);
    let none = [
        ("a", "use crate::b::B; // use crate::c;"),
        ("b", "use crate::c::C;"),
        ("c", "use std::fmt;"),
    ];
    assert_eq!(of(&none), [""; 0]);
}
