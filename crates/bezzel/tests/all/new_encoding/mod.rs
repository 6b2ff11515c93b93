//! `bezzel new-encoding` in a copy of the folders that it changes; and the written files, built and with every property checked.

#![expect(unreachable_pub, reason = "the templates are public where they are meant to stand")]

mod templates;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use bezzel_encode::properties;
use bezzel_encode::{Constraints, Registry};
use tempfile::TempDir;

use crate::program::prints;
use templates::{my_board, my_count, my_idea, my_sum};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const FOLDERS: [&str; 4] = [
    "crates/bezzel-encode/src/amo",
    "crates/bezzel-encode/src/encoding",
    "crates/bezzel-encode/src/amk",
    "crates/bezzel-encode/src/sums",
];

/// A copy of the folders of the repository.
fn copy() -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for folder in FOLDERS {
        fs::create_dir_all(copy.path().join(folder)).unwrap();
        for entry in fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::copy(&path, copy.path().join(folder).join(path.file_name().unwrap())).unwrap();
            }
        }
    }
    copy
}

fn new_encoding(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
    command.arg("new-encoding").args(arguments).current_dir(folder).output().unwrap()
}

/// The lines of `after` that are not in `before`, if `after` is `before` with lines added.
fn added(before: &str, after: &str) -> Vec<String> {
    let mut before = before.lines().peekable();
    let new = after.lines().filter(|line| before.next_if_eq(line).is_none());
    let new = new.map(|line| line.trim().to_owned()).collect();
    assert_eq!(before.next(), None, "a line is gone");
    new
}

#[test]
fn a_new_encoding_is_one_file_and_its_lines_in_the_list() {
    let copy = copy();
    for (arguments, folder, file, lines) in [
        (
            &["thirds"][..],
            FOLDERS[0],
            "thirds.rs",
            &["pub mod thirds;", ".with_at_most_one(thirds::Thirds)"][..],
        ),
        (
            &["a-last-try2"],
            FOLDERS[0],
            "a_last_try2.rs",
            &["pub mod a_last_try2;", ".with_at_most_one(a_last_try2::ALastTry2)"],
        ),
        (
            &["zig-zag", "--board"],
            FOLDERS[1],
            "zig_zag.rs",
            &["pub mod zig_zag;", ".with(zig_zag::ZigZag)"],
        ),
        (
            &["rounds", "--at-most-k"],
            FOLDERS[2],
            "rounds.rs",
            &[
                "pub mod rounds;",
                "all.push(Arc::new(rounds::Rounds));",
                "Arc::new(AtMostOneAsK(rounds::Rounds)),",
            ],
        ),
        (
            &["heap", "--sum"],
            FOLDERS[3],
            "heap.rs",
            &["pub mod heap;", "all.push(SumEncoding::above_totalizer(heap::Heap));"],
        ),
    ] {
        let folder = copy.path().join(folder);
        let before = fs::read_to_string(folder.join("mod.rs")).unwrap();
        // The command works anywhere within the repository.
        prints(&new_encoding(&folder, arguments), 0, "marked REPLACE");
        let after = fs::read_to_string(folder.join("mod.rs")).unwrap();
        assert_eq!(added(&before, &after), lines);
        let text = fs::read_to_string(folder.join(file)).unwrap();
        assert!(text.contains(&format!("id: \"{}\"", arguments[0])), "{text}");
        assert!(!text.to_lowercase().replace('_', "-").contains("my-"), "{text}");
        let modules: Vec<&str> = after
            .lines()
            .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "))
            .filter(|module| *module != "tests;")
            .collect();
        assert!(modules.is_sorted(), "{modules:?}");
    }
    let list = fs::read_to_string(copy.path().join(FOLDERS[0]).join("mod.rs")).unwrap();
    let place = |line: &str| list.find(line).unwrap();
    assert!(place("thirds::Thirds") < place("// RustSAT"));
    assert!(place("native::Native") < place("thirds::Thirds"));
}

#[test]
fn a_new_encoding_has_every_property_before_it_is_changed() {
    let registry = Registry::new()
        .with_at_most_one(my_idea::MyIdea)
        .with_at_most_k(my_count::MyCount)
        .with_sum(my_sum::MySum)
        .with(my_board::MyBoard);
    for name in ["my-idea", "my-count", "my-sum", "my-board"] {
        let found = registry.find(name).unwrap();
        let checked = properties::check(&found, None, None).unwrap();
        assert!(checked.is_right, "{}", checked.text);
        let encoding = found.with_settings(Constraints::Full);
        assert_eq!(bezzel_queens::encode::properties::board::check(&*encoding), Ok(()));
    }
}

#[test]
fn names_that_are_none_or_taken_are_refused_and_nothing_is_written() {
    let copy = copy();
    let state = || {
        FOLDERS.map(|folder| {
            let folder = copy.path().join(folder);
            let list = fs::read_to_string(folder.join("mod.rs")).unwrap();
            (list, fs::read_dir(folder).unwrap().count())
        })
    };
    let before = state();
    let no_id = "is no id: lower-case words of letters and digits, joined by hyphens";
    for (name, why) in [
        ("My-Idea", no_id),
        ("my_idea", no_id),
        ("my--idea", no_id),
        ("-idea", "unexpected argument"),
        ("idea-", no_id),
        ("2nd", no_id),
        ("", no_id),
        ("../away", no_id),
        ("idéa", no_id),
        ("match", "is a word of Rust, and cannot name a module"),
        (
            "at-most-one",
            "would make a type `AtMostOne`, a name that the file of every encoding uses",
        ),
        ("pairwise", "names an encoding already"),
        ("binomial", "names an encoding already"),
        ("robdd", "names an encoding already"),
        ("commander", "names an encoding already"),
        ("pairwize", "is too similar to `pairwise`, which exists already"),
        ("ladders", "is too similar to `ladder`"),
        ("cutoff", "`cutoff` is a name that `"),
        ("std", "is a word of Rust, and cannot name a module"),
    ] {
        prints(&new_encoding(copy.path(), &[name]), 2, why);
        assert_eq!(state(), before, "{name}");
    }
}

#[test]
fn a_list_that_is_not_understood_is_left_alone() {
    let copy = copy();
    let list = copy.path().join(FOLDERS[0]).join("mod.rs");
    fs::write(&list, "// rewritten\n").unwrap();
    prints(&new_encoding(copy.path(), &["thirds"]), 2, "add them by hand");
    assert!(!copy.path().join(FOLDERS[0]).join("thirds.rs").exists());
}

#[test]
fn nothing_that_was_marked_is_left_to_replace() {
    for folder in FOLDERS {
        for entry in fs::read_dir(Path::new(ROOT).join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let Ok(text) = fs::read_to_string(&path) else { continue };
            assert!(!text.contains("REPLACE"), "{} still has a REPLACE", path.display());
        }
    }
}
