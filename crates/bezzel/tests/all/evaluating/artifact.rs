use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::evaluating::workspace::{Workspace, git};
use crate::program::{printed, stdout};

/// A workspace with a folder that looks like the sources.
fn workspace_with_sources() -> Workspace {
    let workspace = Workspace::new();
    for (path, text) in [
        ("LICENSE-MIT", "MIT\n"),
        ("LICENSE-APACHE", "Apache\n"),
        ("crates/bezzel/Cargo.toml", "[package]\n"),
        ("crates/bezzel-experiment/src/run/experiment/sample.rs", "//! As it is.\n"),
        ("target/built", "not to be packed"),
    ] {
        let path = workspace.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    workspace
}

/// Packs the experiment, and unpacks the archive by the real program.
fn packed(workspace: &Workspace, file: &str) -> PathBuf {
    let output = workspace.bezzel(&["artifact", "tiny", "-o", file]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let unpacked = workspace.path().join(format!("unpacked-{file}"));
    fs::create_dir(&unpacked).unwrap();
    let archive = workspace.path().join(file);
    let tar = Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(&unpacked).output();
    let tar = tar.unwrap();
    assert!(tar.status.success(), "{}", printed(&tar));
    unpacked.join("tiny-artifact")
}

fn script(folder: &Path) -> Output {
    let mut script = Command::new(folder.join("reproduce"));
    script.env("BEZZEL", env!("CARGO_BIN_EXE_bezzel")).env("MINUTES", "0.02");
    script.output().unwrap()
}

#[test]
fn a_packed_artifact_is_checked_and_reproduced_by_its_script() {
    let workspace = workspace_with_sources();
    let folder = packed(&workspace, "paper.tar.gz");
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "reports/tiny/index.html"] {
        assert!(folder.join(file).is_file(), "{file}");
    }
    assert!(!folder.join("sources/target").exists());
    let digests = Command::new("sha256sum").args(["-c", "MANIFEST"]).current_dir(&folder).output();
    let digests = digests.unwrap();
    assert!(digests.status.success(), "{}", printed(&digests));
    let output = script(&folder);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let text = stdout(&output);
    assert!(text.contains("no fault was found"), "{text}");
    assert!(text.lines().last().unwrap().starts_with("reproduced: "), "{text}");
}

#[test]
fn a_changed_file_is_found() {
    let workspace = workspace_with_sources();
    let folder = packed(&workspace, "paper.tar.xz");
    let rows = folder.join("experiments/tiny/rows.jsonl");
    let text = fs::read_to_string(&rows).unwrap();
    fs::write(&rows, text.replacen("\"decisions\":", "\"decisions\":1", 1)).unwrap();
    let output = script(&folder);
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(
        printed(&output).contains("experiments/tiny/rows.jsonl: FAILED"),
        "{}",
        printed(&output)
    );

    // A new list of digests does not hide that the checksum of the line is wrong.
    let digests = "sha256sum $(cut -c67- MANIFEST) > new && mv new MANIFEST";
    let again = Command::new("sh").args(["-c", digests]).current_dir(&folder).output().unwrap();
    assert!(again.status.success(), "{}", printed(&again));
    let output = script(&folder);
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    assert!(printed(&output).contains("its checksum does not match"), "{}", printed(&output));
}

#[test]
fn the_same_inputs_give_the_same_bytes() {
    let workspace = workspace_with_sources();
    for file in ["one.tar.gz", "two.tar.gz", "one.tar.xz", "two.tar.xz"] {
        let output = workspace.bezzel(&["artifact", "tiny", "-o", file]);
        assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    }
    let bytes = |file: &str| fs::read(workspace.path().join(file)).unwrap();
    assert_eq!(bytes("one.tar.gz"), bytes("two.tar.gz"));
    assert_eq!(bytes("one.tar.xz"), bytes("two.tar.xz"));
}

#[test]
fn in_a_repository_what_is_committed_is_packed() {
    let workspace = workspace_with_sources();
    fs::write(workspace.path().join(".gitignore"), "target\nexperiments\n*.tar.gz\n").unwrap();
    let committed = git(workspace.path(), &["init", "--quiet"])
        .and_then(|()| git(workspace.path(), &["add", "."]))
        .and_then(|()| git(workspace.path(), &["commit", "--quiet", "-m", "sources"]));
    if committed.is_none() {
        return;
    }
    fs::write(workspace.path().join("LICENSE-MIT"), "changed since\n").unwrap();
    fs::write(workspace.path().join("notes.txt"), "no part of the artifact\n").unwrap();
    let output = workspace.bezzel(&["artifact", "tiny"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(stdout(&output).contains("sources have changes that are not committed"));
    fs::remove_file(workspace.path().join("tiny-artifact.tar.gz")).unwrap();
    let folder = packed(&workspace, "paper.tar.gz");
    assert_eq!(fs::read_to_string(folder.join("LICENSE-MIT")).unwrap(), "MIT\n");
    assert!(folder.join("sources/crates/bezzel/Cargo.toml").is_file());
    assert!(!folder.join("sources/notes.txt").exists());
    assert!(fs::read_to_string(folder.join("README.md")).unwrap().contains("Bezzel, commit "));
}

/// An encoder of pairs, as a shell script that reads a second file.
const ENCODER: &str = "\
read first
while read form n; do
    pairs=0; i=1
    while [ $i -le $n ]; do pairs=$((pairs + i - 1)); i=$((i + 1)); done
    echo p cnf $n $pairs
    i=1
    while [ $i -le $n ]; do
        j=$((i + 1))
        while [ $j -le $n ]; do echo -$i -$j 0; j=$((j + 1)); done
        i=$((i + 1))
    done
done
";

#[test]
fn programs_that_encode_are_packed_and_what_must_be_installed_is_listed() {
    let workspace = workspace_with_sources();
    fs::create_dir(workspace.path().join("tools")).unwrap();
    fs::write(workspace.path().join("tools/pairs.sh"), ENCODER).unwrap();
    fs::write(workspace.path().join("secret"), "of no command").unwrap();
    let config = "name: theirs\nboards: [{size: [4, 5]}]\n\
                  encodings: [{command: sh tools/pairs.sh}, pairwise]\n\
                  solvers: [batsat]\ncalibration: off\nwarm_up: 0\n";
    fs::write(workspace.path().join("theirs.yaml"), config).unwrap();
    let output = workspace.bezzel(&["run", "theirs.yaml", "--quiet"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let output = workspace.bezzel(&["artifact", "theirs", "-o", "theirs.tar.gz"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let packed = "packed for the encoder `sh tools/pairs.sh`: tools/pairs.sh\n";
    assert!(stdout(&output).contains(packed), "{}", stdout(&output));
    // Another machine, without any files of this one.
    let elsewhere = tempfile::tempdir().unwrap();
    let archive = workspace.path().join("theirs.tar.gz");
    let tar = Command::new("tar").arg("-xf").arg(archive).arg("-C").arg(elsewhere.path()).output();
    assert!(tar.unwrap().status.success());
    let folder = elsewhere.path().join("theirs-artifact");
    assert!(!folder.join("secret").exists());
    let readme = fs::read_to_string(folder.join("README.md")).unwrap();
    assert!(
        readme.contains("- `sh`, which the encoder `sh tools/pairs.sh` begins with."),
        "{readme}"
    );
    let output = script(&folder);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let text = stdout(&output);
    let last = text.lines().last().unwrap();
    let partial = "; partial: 2 of 4 jobs were not run again, 2 of them since they cannot be run here or \
                   name programs";
    assert!(last.starts_with("reproduced: ") && last.ends_with(partial), "{text}");
    // With `PROGRAMS` it runs them too, from the packed file, here into another folder.
    fs::remove_dir_all(folder.join("experiments/theirs-reproduced")).unwrap();
    let mut again = Command::new(folder.join("reproduce"));
    again.env("BEZZEL", env!("CARGO_BIN_EXE_bezzel")).env("MINUTES", "1").env("PROGRAMS", "1");
    let output = again.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let text = stdout(&output);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("reproduced: ") && !last.contains("partial"), "{text}");
}

#[test]
fn an_artifact_that_cannot_be_packed_is_refused_and_not_written() {
    let workspace = workspace_with_sources();
    let refused = |arguments: &[&str], code: i32, expected: &str| {
        let output = workspace.bezzel(&[&["artifact"], arguments].concat());
        assert_eq!(output.status.code(), Some(code), "{}", printed(&output));
        assert!(printed(&output).contains(expected), "{}", printed(&output));
    };
    refused(&["tinny"], 2, "did you mean `tiny`?");
    refused(&["tiny", "-o", "paper.zip"], 2, "let it end in .tar.gz");
    fs::write(workspace.path().join("there.tar.gz"), "mine").unwrap();
    refused(&["tiny", "-o", "there.tar.gz"], 2, "exists already");
    assert_eq!(fs::read_to_string(workspace.path().join("there.tar.gz")).unwrap(), "mine");
    refused(&["tiny", "--sources", "/proc"], 2, "--sources names their folder");

    let rows = workspace.experiment("tiny").join("rows.jsonl");
    let whole = fs::read_to_string(&rows).unwrap();
    fs::write(&rows, whole.replacen("\"decisions\":", "\"decisions\":1", 1)).unwrap();
    refused(&["tiny"], 1, "its checksum does not match");
    let (_, without_first) = whole.split_once('\n').unwrap();
    fs::write(&rows, without_first).unwrap();
    refused(&["tiny"], 1, "1 of 48 jobs have no row");
    assert!(!workspace.path().join("tiny-artifact.tar.gz").exists());
}
