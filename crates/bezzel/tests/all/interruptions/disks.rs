//! Disks that are full or fail: there is a clear message, no row is lost, and the next run continues.

use std::fs;
use std::process::{Command, Output};

use crate::interruptions::workspace::{Workspace, results};
use crate::program::{BEZZEL, is_installed, printed, rows_in, skip};

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

/// Continues without the fault, and compares the result with the earlier rows.
fn goes_on(workspace: &Workspace, jobs: usize) {
    let before = workspace.lines();
    assert!(!before.is_empty(), "it failed before there was anything to lose");
    let output = workspace.run();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(workspace.lines().starts_with(&before), "what was recorded has changed");
    assert_eq!(results(&workspace.rows()).len(), jobs);
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
    let lines =
        |folder: &str| fs::read(workspace.path().join(folder).join("small/rows.jsonl")).unwrap();
    let (first, second) = (lines("first"), lines("second"));
    let whole = first.iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    assert!(second.starts_with(&first[..whole]), "what was recorded has changed");
    let rows = rows_in(&workspace.path().join("second/small"));
    assert_eq!(results(&rows).len(), 128);
    assert!(whole > 20_000, "it failed before there was much to lose");
}

#[test]
#[ignore = "second tier: it mounts file systems"]
fn a_folder_that_becomes_read_only_in_mid_run_is_reported_and_the_run_goes_on_when_it_is_not() {
    let Some(mut command) = namespace() else { return };
    let workspace = Workspace::small(8);
    fs::create_dir(workspace.path().join("experiments")).unwrap();
    // Linux refuses this while the file of rows is open for writing. Where it does not, writes fail.
    let script = "
        mount -t tmpfs tmpfs experiments || exit 99
        \"$0\" run question.yaml --quiet >/dev/null 2>first.txt &
        runner=$!
        until [ -s experiments/small/rows.jsonl ]; do sleep 0.01; done
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
    let lines =
        |folder: &str| fs::read(workspace.path().join(folder).join("small/rows.jsonl")).unwrap();
    let (first, second) = (lines("first"), lines("second"));
    let whole = first.iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    assert!(second.starts_with(&first[..whole]), "what was recorded has changed");
    assert_eq!(results(&rows_in(&workspace.path().join("second/small"))).len(), 128);
}

#[test]
fn a_file_that_may_not_grow_is_reported() {
    let workspace = Workspace::small(8);
    // The limit is in blocks of 512 bytes. A process that ignores the signal gets an error from the write.
    let script = "trap '' XFSZ; ulimit -f 80; exec \"$0\" run question.yaml --quiet";
    let mut command = Command::new("sh");
    let output =
        command.args(["-c", script, BEZZEL]).current_dir(workspace.path()).output().unwrap();
    is_clear(&output, "File too large");
    is_clear(&output, "cannot keep a row in `experiments/small/rows.jsonl`");
    goes_on(&workspace, 128);
}

#[test]
#[ignore = "second tier: it starts strace"]
fn a_file_of_rows_that_becomes_read_only_is_reported_and_loses_nothing() {
    if !is_installed("strace") {
        return;
    }
    let workspace = Workspace::small(1);
    let rows = fs::canonicalize(workspace.path()).unwrap().join("experiments/small/rows.jsonl");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "trace", "-P"]).arg(rows);
    // Like the system after a remount: this write to the file of rows fails, and all later ones.
    command.args(["-e", "trace=write", "-e", "inject=write:error=EROFS:when=4+"]);
    command.args([BEZZEL, "run", "question.yaml", "--quiet"]).current_dir(workspace.path());
    let output = command.output().unwrap();
    if printed(&output).contains("Operation not permitted") {
        return skip("this machine lets no user trace a program");
    }
    is_clear(&output, "cannot keep a row in `experiments/small/rows.jsonl`");
    is_clear(&output, "Read-only file system");
    assert_eq!(workspace.rows().len(), 3);
    goes_on(&workspace, 16);
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
        // The syncs before: the config, the session, and then one for each row.
        let output = strace(&workspace, &format!("inject=fdatasync:error={error}:when=5+"));
        is_clear(&output, "cannot keep a row in `experiments/small/rows.jsonl`");
        is_clear(&output, says);
        let trace = fs::read_to_string(workspace.path().join("trace")).unwrap();
        let syncs = trace.lines().filter(|line| line.contains("fdatasync(")).count();
        assert_eq!(syncs, 5, "the failed sync was tried again");
        goes_on(&workspace, 16);
    }
}
