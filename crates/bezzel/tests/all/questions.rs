//! The quick variants of the configs in the repository, from YAML to the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bezzel_experiment::Verdict;

use crate::program::printed;
use crate::session_files::rows_in;

/// The quick variants among the configs of the repository.
fn quick_configs() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    let files = |folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = [root.clone(), root.join("which-encoding")].into_iter().flat_map(files);
    let mut found: Vec<_> = all.filter(|path| is_quick(path)).collect();
    found.sort();
    assert!(found.len() > 10, "{found:?}");
    found
}

fn bezzel(arguments: &[&str], config: &Path, folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
    command.args(arguments).arg(config).current_dir(folder).output().unwrap()
}

fn is_quick(config: &Path) -> bool {
    config.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("quick"))
}

/// Runs a config through to its page. No answer is wrong.
fn goes_through_to_the_page(config: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let output = bezzel(&["run", "--quiet"], config, folder.path());
    assert!(output.status.success(), "{}: {}", config.display(), printed(&output));
    let experiment = only_folder(&folder.path().join("experiments"));
    let rows = rows_in(&experiment);
    assert!(!rows.is_empty(), "{}", config.display());
    let wrong = rows.iter().find(|row| row.verdict == Verdict::Wrong);
    assert_eq!(wrong, None, "{}", config.display());
    let report = folder.path().join("reports").join(experiment.file_name().unwrap());
    let page = fs::read_to_string(report.join("index.html")).unwrap();
    assert!(page.contains("</html>"), "{}", config.display());
}

#[test]
#[ignore = "second tier: it runs every quick variant"]
fn every_quick_variant_goes_through_to_the_page_without_a_wrong_answer() {
    for config in quick_configs() {
        goes_through_to_the_page(&config);
    }
}

#[test]
fn the_shortest_quick_variant_goes_through_to_the_page_without_a_wrong_answer() {
    let is_shortest = |config: &&PathBuf| config.ends_with("bryant-table-1-quick.yaml");
    let configs = quick_configs();
    goes_through_to_the_page(configs.iter().find(is_shortest).unwrap());
}

/// The one folder in a folder.
fn only_folder(folder: &Path) -> PathBuf {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let folders: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    assert_eq!(folders.len(), 1, "{folders:?}");
    folders.into_iter().next().unwrap()
}

#[test]
#[ignore = "second tier: it starts git"]
fn a_first_run_changes_nothing_that_git_sees() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let git =
        |arguments: &[&str]| Command::new("git").args(arguments).current_dir(&root).output().ok();
    // The sources may be no repository.
    let Some(tracked) = git(&["ls-files", "README.md"]).filter(|found| !found.stdout.is_empty())
    else {
        return;
    };
    assert!(tracked.status.success());
    let index = git(&["ls-files", "reports/index.html"]).unwrap();
    assert_eq!(String::from_utf8_lossy(&index.stdout), "", "each report writes it anew");
    for made in [
        "experiments/first-look/2026-11-26T12.44.07Z-node7-4711.jsonl",
        "reports/first-look/report.md",
        "reports/index.html",
        "experiments/zantema-n60-quick/2026-11-26T12.44.07Z-node7-4711.jsonl",
    ] {
        let ignored = git(&["check-ignore", "--quiet", made]).unwrap();
        assert!(ignored.status.success(), "{made} would be new to git");
    }
    // Evidence of other experiments is visible to git.
    let seen =
        git(&["check-ignore", "--quiet", "experiments/mine/2026-11-26T12.44.07Z-node7-4711.jsonl"])
            .unwrap();
    assert_eq!(seen.status.code(), Some(1));
}

#[test]
fn every_question_of_its_own_has_a_quick_variant() {
    let stem = |path: &PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
    let quick: Vec<String> = quick_configs().iter().map(stem).collect();
    for question in [
        "bryant-table-1",
        "cao-figure-2",
        "zantema-n60",
        "cook-two-approaches",
        "numbering-or-encoding",
        "does-the-solver-repair-it",
        "unsat-proofs",
        "propagation-strength",
        "diagrams",
        "encoding-and-counting",
    ] {
        assert!(quick.contains(&format!("{question}-quick")), "{question} has none: {quick:?}");
    }
    assert!(quick.contains(&"quick".to_owned()), "which-encoding has none: {quick:?}");
}
