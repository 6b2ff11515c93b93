//! Disks that are full or fail: there is a clear message, no row is lost, and the next run continues.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::interruptions::workspace::{
    Files, Workspace, are_kept, files_in, results_in, row_lines,
};
use crate::program::{BEZZEL, is_installed, printed, skip};

fn namespace() -> Option<Command> {
    if !is_installed("unshare") {
        return None;
    }
    let is_root = rustix::process::geteuid().is_root();
    let mut command = Command::new("unshare");
    command.arg(if is_root { "-m" } else { "-Urm" });
    let may = Command::new("unshare").args(command.get_args()).arg("true").output().unwrap();
    if may.status.success() {
        return Some(command);
    }
    skip("this machine lets no user make a namespace of mounts");
    None
}

fn is_clear(output: &Output, says: &str) {
    let printed = printed(output);
    assert_eq!(output.status.code(), Some(1), "{printed}");
    assert!(printed.contains(says) && !printed.contains("panicked"), "{printed}");
}

/// Checks that sessions are in a folder as they were, and that a reader of it finds the results of an undisturbed run
/// of [`Workspace::small`].
fn went_on(before: &Files, experiment: &Path, repeats: u32) {
    are_kept(before, experiment);
    let undisturbed = Workspace::small(repeats);
    assert_eq!(undisturbed.run().status.code(), Some(0));
    assert_eq!(results_in(experiment), undisturbed.results());
}

/// Checks that a run failed while it kept a line, with this message, and that the same command continues without the
/// fault.
fn failed_and_goes_on(workspace: &Workspace, output: &Output, says: &str, repeats: u32) {
    is_clear(output, "cannot keep a line in `experiments/small/");
    is_clear(output, says);
    assert!(row_lines(&workspace.experiment()) > 0, "it failed before there was anything to lose");
    let before = workspace.files();
    let output = workspace.run();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    went_on(&before, &workspace.experiment(), repeats);
}

#[test]
#[ignore = "second tier: it mounts file systems"]
fn a_full_disk_is_reported_and_when_there_is_room_the_run_goes_on() {
    let Some(mut command) = namespace() else { return };
    let workspace = Workspace::small(8);
    fs::create_dir(workspace.path().join("experiments")).unwrap();
    let script = "
        mount -t tmpfs -o size=96k tmpfs experiments || exit 99
        \"$0\" run question.yaml --quiet >/dev/null 2>first.txt
        echo $? >first.code
        cp -r experiments first
        mount -o remount,size=8m experiments || exit 99
        \"$0\" run question.yaml --quiet >/dev/null 2>second.txt
        echo $? >second.code
        cp -r experiments second";
    let command = command.args(["sh", "-c", script, BEZZEL]).current_dir(workspace.path());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let text = |name: &str| fs::read_to_string(workspace.path().join(name)).unwrap();
    assert_eq!(text("first.code").trim(), "1", "{}", text("first.txt"));
    assert!(text("first.txt").contains("No space left on device"), "{}", text("first.txt"));
    assert!(!text("first.txt").contains("panicked"), "{}", text("first.txt"));
    assert_eq!(text("second.code").trim(), "0", "{}", text("second.txt"));
    let first = files_in(&workspace.path().join("first/small"));
    let bytes: usize = first.values().map(Vec::len).sum();
    assert!(bytes > 20_000, "it failed before there was much to lose");
    went_on(&first, &workspace.path().join("second/small"), 8);
}

#[test]
#[ignore = "second tier: it mounts file systems"]
fn a_folder_that_becomes_read_only_in_mid_run_is_reported_and_the_run_goes_on_when_it_is_not() {
    let Some(mut command) = namespace() else { return };
    let workspace = Workspace::small(8);
    fs::create_dir(workspace.path().join("experiments")).unwrap();
    // Linux refuses this while the file of the session is open for writing. Where it does not, writes fail.
    let script = "
        mount -t tmpfs tmpfs experiments || exit 99
        \"$0\" run question.yaml --quiet >/dev/null 2>first.txt &
        runner=$!
        until grep -qs '^{.row' experiments/small/*.jsonl; do sleep 0.01; done
        mount -o remount,ro experiments 2>refused.txt; echo $? >remounted
        wait $runner; echo $? >first.code
        cp -r experiments first
        mount -o remount,rw experiments || exit 99
        \"$0\" run question.yaml --quiet >/dev/null 2>second.txt
        echo $? >second.code
        cp -r experiments second";
    let command = command.args(["sh", "-c", script, BEZZEL]).current_dir(workspace.path());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let text = |name: &str| fs::read_to_string(workspace.path().join(name)).unwrap();
    if text("remounted").trim() == "0" {
        assert_eq!(text("first.code").trim(), "1", "{}", text("first.txt"));
        assert!(text("first.txt").contains("Read-only file system"), "{}", text("first.txt"));
    } else {
        // The remount had no effect on the run.
        assert!(text("refused.txt").contains("busy"), "{}", text("refused.txt"));
        assert_eq!(text("first.code").trim(), "0", "{}", text("first.txt"));
    }
    assert!(!text("first.txt").contains("panicked"), "{}", text("first.txt"));
    assert_eq!(text("second.code").trim(), "0", "{}", text("second.txt"));
    let first = files_in(&workspace.path().join("first/small"));
    went_on(&first, &workspace.path().join("second/small"), 8);
}

#[test]
fn a_file_that_may_not_grow_is_reported() {
    let workspace = Workspace::small(8);
    // The limit is in blocks of 512 bytes. A process that ignores the signal gets an error from the write.
    let script = "trap '' XFSZ; ulimit -f 80; exec \"$0\" run question.yaml --quiet";
    let mut command = Command::new("sh");
    let output =
        command.args(["-c", script, BEZZEL]).current_dir(workspace.path()).output().unwrap();
    failed_and_goes_on(&workspace, &output, "File too large", 8);
}

#[test]
#[ignore = "second tier: it starts strace"]
fn a_failed_sync_ends_the_run_and_is_not_tried_again() {
    if !is_installed("strace") {
        return;
    }
    let strace = |workspace: &Workspace, inject: &str| {
        let mut command = Command::new("strace");
        command.args([
            "-f",
            "-qq",
            "-o",
            "trace",
            "-e",
            "trace=fdatasync,pwrite64,write",
            "-e",
            inject,
        ]);
        command.args([BEZZEL, "run", "question.yaml", "--quiet"]).current_dir(workspace.path());
        command.output().unwrap()
    };
    let may = Command::new("strace").args(["-o", "/dev/null", "true"]).output().unwrap();
    if !may.status.success() {
        return skip("this machine lets no user trace a program");
    }
    for (error, says) in [
        ("EROFS", "Read-only file system"),
        ("EIO", "Input/output error"),
        ("ENOSPC", "No space left on device"),
        ("EDQUOT", "quota exceeded"),
    ] {
        let workspace = Workspace::small(1);
        // The syncs before: one for the first line, and one for each row.
        let output = strace(&workspace, &format!("inject=fdatasync:error={error}:when=5+"));
        let trace = fs::read_to_string(workspace.path().join("trace")).unwrap();
        let syncs = trace.lines().filter(|line| line.contains("fdatasync(")).count();
        assert_eq!(syncs, 5, "the failed sync was tried again");
        assert_eq!(workspace.rows().len(), 3);
        failed_and_goes_on(&workspace, &output, says, 1);
    }
}
