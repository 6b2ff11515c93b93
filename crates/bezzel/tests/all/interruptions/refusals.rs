//! Places where no evidence can be kept, and names that nobody should use: one clear line, no
//! panic.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::process::{Command, Output, Stdio};

use crate::interruptions::place::{LONG, Place, alive};
use crate::program::{is_installed, skip, told, wait_until};

/// One line that says what is wrong, and exit code 2.
fn is_refused(output: &Output, says: &str) {
    let told = told(output);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains(says), "{says} is not in: {told}");
    assert_eq!(told.trim_end().lines().count(), 1, "{told}");
    assert!(told.starts_with("error: "), "{told}");
}

#[test]
fn what_stands_in_the_way_of_evidence_is_named() {
    let place = Place::small(1);
    let root = |root: &str| place.command().args(["--root", root]).output().unwrap();
    is_refused(&root("/proc"), "cannot make the folder `/proc/reports/small`");
    is_refused(&root("/dev/null"), "/dev/null/experiments");
    is_refused(&root("question.yaml"), "question.yaml/experiments");
    // Where there is nothing yet, everything is made.
    assert_eq!(root("a/b").status.code(), Some(0));

    for made in ["experiments", "experiments/small"] {
        let place = Place::small(1);
        fs::create_dir_all(place.path().join(made).parent().unwrap()).unwrap();
        fs::write(place.path().join(made), "in the way").unwrap();
        is_refused(&place.run(), "experiments/small/config.yaml`: Not a directory");
    }
    for file in ["rows.jsonl", "config.yaml", "environment.json"] {
        let place = Place::small(1);
        fs::create_dir_all(place.experiment().join(file)).unwrap();
        let output = place.run();
        let told = told(&output);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{told}");
        assert!(told.contains(&format!("experiments/small/{file}`")), "{told}");
        let reason =
            ["it is a folder", "Is a directory"].iter().any(|reason| told.contains(reason));
        assert!(reason && !told.contains("panicked"), "{told}");
    }
}

#[test]
fn a_list_of_sessions_that_makes_no_sense_is_not_written_over() {
    let place = Place::small(1);
    fs::create_dir_all(place.experiment()).unwrap();
    let file = place.experiment().join("environment.json");
    fs::write(&file, "[{]").unwrap();
    let output = place.run();
    is_refused(&output, "cannot understand `experiments/small/environment.json`");
    assert_eq!(fs::read_to_string(file).unwrap(), "[{]");
}

#[test]
fn odd_names_are_refused_or_work() {
    let place = Place::small(1);
    let name = |name: OsString| {
        let mut option = OsString::from("--name=");
        option.push(name);
        place.command().arg(option).output().unwrap()
    };
    let long = "n".repeat(300);
    for odd in ["", " ", "a b", "a\nb", "-dash", "..", ".", "a/b", "ü", "CON", long.as_str()] {
        let output = name(odd.into());
        let told = told(&output);
        assert_eq!(output.status.code(), Some(2), "{odd:?}: {told}");
        assert!(!told.contains("panicked") && told.starts_with("error: "), "{told}");
    }
    let output = name(OsString::from_vec(vec![b'a', 0xff]));
    assert_eq!(output.status.code(), Some(2), "{}", told(&output));
    assert!(!place.path().join("experiments").exists());

    // What holds the folders may be called as it likes.
    let largest = "r".repeat(255);
    for root in [
        b"with blank".to_vec(),
        b"with\nnewline".to_vec(),
        b"--dash".to_vec(),
        largest.into_bytes(),
    ] {
        let mut option = OsString::from("--root=");
        option.push(OsString::from_vec(root));
        let output = place.command().arg(option).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    }
    // Workers are told where their large files go as text.
    let no_text = place.command().arg("--root").arg(OsString::from_vec(vec![b'x', 0xff])).output();
    is_refused(&no_text.unwrap(), "is not UTF-8 text");
    let too_long = place.command().args(["--root", &"r".repeat(256)]).output().unwrap();
    is_refused(&too_long, "File name too long");
}

#[test]
fn a_folder_that_goes_away_while_rows_are_added_ends_the_run() {
    let place = Place::small(10);
    let runner = place.command().stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("there are rows", || !place.lines().is_empty());
    fs::rename(place.experiment(), place.path().join("experiments/elsewhere")).unwrap();
    let output = runner.wait_with_output().unwrap();
    let told = told(&output);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(!told.contains("panicked"), "{told}");
    assert!(told.contains("experiments/small"), "{told}");
    assert_eq!(told.trim_end().lines().count(), 1, "{told}");
    // Put back, it goes on.
    let _ = fs::remove_dir_all(place.experiment());
    fs::rename(place.path().join("experiments/elsewhere"), place.experiment()).unwrap();
    assert_eq!(place.run().status.code(), Some(0));
    assert_eq!(crate::interruptions::place::results(&place.rows()).len(), 160);
}

#[test]
fn a_worker_outlives_no_runner_whose_folder_is_gone() {
    let place = Place::new(LONG);
    let mut runner = place.spawn();
    wait_until("a worker is at work", || alive(runner.id()) > 0);
    fs::remove_dir_all(place.path().join("experiments")).unwrap();
    runner.kill().unwrap();
    runner.wait().unwrap();
    wait_until("workers outlive their runner", || alive(runner.id()) == 0);
}

#[test]
fn where_nothing_may_be_written_it_is_said_before_anything_is_run() {
    // Root ignores modes, and not mounts.
    if !is_installed("unshare") {
        return;
    }
    let place = Place::small(1);
    fs::create_dir(place.path().join("kept")).unwrap();
    let script = "mount --bind kept kept && mount -o remount,bind,ro kept && \
                  exec \"$0\" run question.yaml --quiet --root kept";
    let is_root = rustix::process::geteuid().is_root();
    let how: &[&str] = if is_root { &["-m"] } else { &["-Urm"] };
    let may = Command::new("unshare").args(how).arg("true").output().unwrap();
    if !may.status.success() {
        return skip("this machine lets nobody make a namespace of mounts");
    }
    let output = Command::new("unshare")
        .args(how)
        .args(["sh", "-c", script, crate::program::BEZZEL])
        .current_dir(place.path())
        .output()
        .unwrap();
    is_refused(&output, "cannot make the folder `kept/reports/small`: Read-only file system");
}
