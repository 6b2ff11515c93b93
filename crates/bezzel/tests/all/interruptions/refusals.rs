//! Folders where no evidence can be kept, and unusual names: one clear line, no panic.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::process::{Command, Output, Stdio};

use bezzel_experiment::store::{NewEntry, SessionStart, line_of};

use crate::interruptions::workspace::{LONG, Workspace, alive, row_lines};
use crate::program::{is_installed, printed, skip, wait_until};

/// Checks for one line with this message, and exit code 2.
fn is_refused(output: &Output, says: &str) {
    let printed = printed(output);
    assert_eq!(output.status.code(), Some(2), "{printed}");
    assert!(printed.contains(says), "{says} is not in: {printed}");
    assert_eq!(printed.trim_end().lines().count(), 1, "{printed}");
    assert!(printed.starts_with("error: "), "{printed}");
}

#[test]
fn an_obstacle_to_writing_evidence_is_named() {
    let workspace = Workspace::small(1);
    let root = |root: &str| workspace.command().args(["--root", root]).output().unwrap();
    for obstacle in ["/proc", "/dev/null", "question.yaml"] {
        is_refused(&root(obstacle), &format!("cannot make the folder `{obstacle}/reports/small`"));
    }
    // Missing folders are made.
    assert_eq!(root("a/b").status.code(), Some(0));

    for made in ["experiments", "experiments/small"] {
        let workspace = Workspace::small(1);
        fs::create_dir_all(workspace.path().join(made).parent().unwrap()).unwrap();
        fs::write(workspace.path().join(made), "in the way").unwrap();
        is_refused(&workspace.run(), &format!("cannot make the folder `{made}`: File exists"));
    }
    let workspace = Workspace::small(1);
    fs::create_dir_all(workspace.experiment().join("session.jsonl")).unwrap();
    is_refused(&workspace.run(), "experiments/small/session.jsonl`: it is a folder");
}

#[test]
fn a_session_of_a_newer_version_is_refused_and_nothing_is_written() {
    let workspace = Workspace::small(1);
    fs::create_dir_all(workspace.experiment()).unwrap();
    let start = SessionStart { format: 99, ..SessionStart::default() };
    let file = workspace.experiment().join("newer.jsonl");
    fs::write(&file, line_of(NewEntry::Session(&start))).unwrap();
    let before = workspace.files();
    is_refused(&workspace.run(), "`experiments/small/newer.jsonl` is a session of format 99");
    assert_eq!(workspace.files(), before);
}

#[test]
fn odd_names_are_refused_or_work() {
    let workspace = Workspace::small(1);
    let name = |name: OsString| {
        let mut option = OsString::from("--name=");
        option.push(name);
        workspace.command().arg(option).output().unwrap()
    };
    let long = "n".repeat(300);
    for odd in ["", " ", "a b", "a\nb", "-dash", "..", ".", "a/b", "ü", "CON", long.as_str()] {
        let output = name(odd.into());
        let printed = printed(&output);
        assert_eq!(output.status.code(), Some(2), "{odd:?}: {printed}");
        assert!(!printed.contains("panicked") && printed.starts_with("error: "), "{printed}");
    }
    let output = name(OsString::from_vec(vec![b'a', 0xff]));
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
    assert!(!workspace.path().join("experiments").exists());

    // The root may have any name.
    let largest = "r".repeat(255);
    for root in [
        b"with blank".to_vec(),
        b"with\nnewline".to_vec(),
        b"--dash".to_vec(),
        largest.into_bytes(),
    ] {
        let mut option = OsString::from("--root=");
        option.push(OsString::from_vec(root));
        let output = workspace.command().arg(option).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    }
    // Workers get the paths of their large files as text.
    let no_text =
        workspace.command().arg("--root").arg(OsString::from_vec(vec![b'x', 0xff])).output();
    is_refused(&no_text.unwrap(), "is not UTF-8 text");
    let too_long = workspace.command().args(["--root", &"r".repeat(256)]).output().unwrap();
    is_refused(&too_long, "File name too long");
}

#[test]
fn a_folder_that_goes_away_while_rows_are_added_ends_the_run() {
    let workspace = Workspace::small(10);
    let runner = workspace.command().stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("there are rows", || row_lines(&workspace.experiment()) > 0);
    fs::rename(workspace.experiment(), workspace.path().join("experiments/elsewhere")).unwrap();
    let output = runner.wait_with_output().unwrap();
    let printed = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(!printed.contains("panicked"), "{printed}");
    assert!(printed.contains("experiments/small"), "{printed}");
    assert_eq!(printed.trim_end().lines().count(), 1, "{printed}");
    // With the folder in its old place, the run continues.
    let _ = fs::remove_dir_all(workspace.experiment());
    fs::rename(workspace.path().join("experiments/elsewhere"), workspace.experiment()).unwrap();
    assert_eq!(workspace.run().status.code(), Some(0));
    assert_eq!(workspace.results().len(), 160);
}

#[test]
fn a_worker_outlives_no_runner_whose_folder_is_gone() {
    let workspace = Workspace::new(LONG);
    let mut runner = workspace.spawn();
    wait_until("a worker is at work", || alive(runner.id()) > 0);
    fs::remove_dir_all(workspace.path().join("experiments")).unwrap();
    runner.kill().unwrap();
    runner.wait().unwrap();
    wait_until("workers outlive their runner", || alive(runner.id()) == 0);
}

#[test]
#[ignore = "second tier: it mounts file systems"]
fn a_folder_without_write_permission_is_reported_before_anything_is_run() {
    // Root ignores file modes, but not read-only mounts.
    if !is_installed("unshare") {
        return;
    }
    let workspace = Workspace::small(1);
    fs::create_dir(workspace.path().join("kept")).unwrap();
    let script = "mount --bind kept kept && mount -o remount,bind,ro kept && \
                  exec \"$0\" run question.yaml --quiet --root kept";
    let is_root = rustix::process::geteuid().is_root();
    let how: &[&str] = if is_root { &["-m"] } else { &["-Urm"] };
    let may = Command::new("unshare").args(how).arg("true").output().unwrap();
    if !may.status.success() {
        return skip("this machine lets no user make a namespace of mounts");
    }
    let output = Command::new("unshare")
        .args(how)
        .args(["sh", "-c", script, crate::program::BEZZEL])
        .current_dir(workspace.path())
        .output()
        .unwrap();
    is_refused(&output, "cannot make the folder `kept/reports/small`: Read-only file system");
}
