//! Inputs that do not end, or never begin: FIFOs, devices, packed files, long lines.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use rustix::fs::{CWD, FileType, Mode, mknodat};
use tempfile::TempDir;

use crate::program::{ended, printed, prints};
use crate::session_files::session_in;

const CONFIG: &str = "\
name: s
problems: [{queens: {size: 5}}]
encodings: [pairwise]
solvers: [cadical]
warm_up: 0
";

/// A folder with a finished experiment.
struct Workspace(TempDir);

impl Workspace {
    fn new() -> Self {
        let workspace = Self(tempfile::tempdir().unwrap());
        fs::write(workspace.path().join("s.yaml"), CONFIG).unwrap();
        workspace
    }

    fn finished() -> Self {
        let workspace = Self::new();
        ended(&workspace.bezzel(&["run", "s.yaml", "--quiet"]), 0);
        workspace
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
        command.args(arguments).current_dir(self.path()).stdin(Stdio::null());
        command
    }

    /// Runs a command that must end by itself.
    fn bezzel(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    fn fifo(&self, name: &str) {
        let path = self.path().join(name);
        let _ = fs::remove_file(&path);
        mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    }

    #[track_caller]
    fn refused(&self, arguments: &[&str], says: &str) {
        let output = self.bezzel(arguments);
        let printed = printed(&output);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{arguments:?}: {printed}");
        assert!(
            printed.contains(says) && !printed.contains("panicked"),
            "{arguments:?}: {printed}"
        );
    }
}

const FIFO: &str = "it is a FIFO, and only regular files are read";

#[test]
fn a_fifo_in_the_place_of_an_input_is_refused_at_once() {
    let workspace = Workspace::new();
    workspace.fifo("fifo");
    workspace.write("child.yaml", "extends: fifo\nname: child\n");
    workspace.write("board.yaml", &CONFIG.replace("{size: 5}", "{file: fifo}"));
    for arguments in [
        &["run", "fifo"][..],
        &["run", "child.yaml"],
        &["run", "board.yaml"],
        &["check", "--cnf", "fifo", "--against", "5"],
        &["decode", "fifo", "5"],
        &["solve", "--board", "fifo"],
        &["check", "--proof", "fifo", "fifo"],
        &["run", "fifo", "--tasks", "2", "--dry-run"],
        &["tune", "fifo"],
    ] {
        workspace.refused(arguments, "FIFO");
    }
    fs::write(
        workspace.path().join("five.cnf"),
        workspace.bezzel(&["encode", "5", "--encoding", "pairwise"]).stdout,
    )
    .unwrap();
    workspace.refused(&["check", "--cnf", "five.cnf", "--against", "fifo"], FIFO);
    workspace.refused(&["check", "--cnf", "/dev/zero", "--against", "5"], "it is a device");
    workspace.refused(&["decode", "/dev/zero", "5"], "it is a device");
}

#[test]
fn a_fifo_or_a_device_in_the_place_of_evidence_keeps_no_command_waiting() {
    let commands: [&[&str]; 7] = [
        &["run", "s.yaml", "--quiet"],
        &["verify", "s"],
        &["report", "s"],
        &["report", "s", "--rows"],
        &["status", "s"],
        &["report", "s", "--against", "s"],
        &["run", "s", "--sample", "0.01"],
    ];
    let device = "it is a device, and only regular files are read";
    for (link, says) in [("", FIFO), ("/dev/zero", device), ("/dev/full", device)] {
        let workspace = Workspace::finished();
        let session = session_in(&workspace.path().join("experiments/s"));
        workspace.fifo(session.to_str().unwrap());
        if !link.is_empty() {
            fs::remove_file(&session).unwrap();
            symlink(link, &session).unwrap();
        }
        // The command ends, so it did not wait for the other end of the pipe.
        for arguments in commands {
            workspace.refused(arguments, says);
        }
    }
    // A copy of a file that a config names.
    let workspace = Workspace::new();
    workspace.write("five.txt", ".....\n".repeat(5).as_str());
    workspace.write("s.yaml", &CONFIG.replace("{size: 5}", "{file: five.txt}"));
    assert_eq!(workspace.bezzel(&["run", "s.yaml", "--quiet"]).status.code(), Some(0));
    let copy = fs::read_dir(workspace.path().join("experiments/s/files")).unwrap().next().unwrap();
    workspace.fifo(copy.unwrap().path().to_str().unwrap());
    workspace.refused(&["report", "s"], "its file `five.txt` is missing or was changed");
}

/// Writes `bytes` bytes of `line` through a packer into a file.
fn packed(path: &Path, packer: &str, begin: &str, line: &[u8], bytes: u64) -> bool {
    let Ok(file) = File::create(path) else { return false };
    let child = Command::new(packer).arg("-c").stdin(Stdio::piped()).stdout(file).spawn();
    let Ok(mut child) = child else { return false };
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(begin.as_bytes()).unwrap();
    let block: Vec<u8> = line.iter().copied().cycle().take(1 << 20).collect();
    io::copy(&mut Read::take(Endless(&block), bytes), &mut stdin).unwrap();
    drop(stdin);
    child.wait().unwrap().success()
}

/// A block that is repeated without end.
struct Endless<'a>(&'a [u8]);

impl Read for Endless<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = into.len().min(self.0.len());
        into[..length].copy_from_slice(&self.0[..length]);
        Ok(length)
    }
}

#[test]
#[ignore = "second tier: it packs 128 MiB"]
fn packed_files_that_unpack_to_much_more_are_refused_with_the_limit() {
    let workspace = Workspace::new();
    let header = "p cnf 25 1\n1 0\n";
    for (name, packer, line, bytes, says) in [
        ("comment.cnf.xz", "xz", &b"c"[..], 72 << 20, "of more than 64 MiB begins here"),
        ("zeros.cnf.gz", "gzip", b"\0", 1 << 20, "is no literal: it is a number"),
        ("blank.cnf.gz", "gzip", b" ", 72 << 20, "of more than 64 MiB begins here"),
        ("lines.cnf.gz", "gzip", b"c\n", 128 << 20, "the limit for a file of this size"),
    ] {
        let path = workspace.path().join(name);
        if !packed(&path, packer, header, line, bytes) {
            continue;
        }
        workspace.refused(&["check", "--cnf", name, "--against", "5"], says);
    }
    // A whole answer of one word.
    let word = File::create(workspace.path().join("word")).unwrap();
    word.set_len(1 << 30).unwrap();
    workspace.refused(&["decode", "word", "5"], "of more than 64 MiB begins here");
}

#[test]
fn an_output_that_takes_no_more_is_an_error_and_a_reader_that_has_gone_is_none() {
    let workspace = Workspace::finished();
    let full = || File::options().write(true).open("/dev/full").unwrap();
    for arguments in
        [&["--help"][..], &["--version"], &["run", "--help"], &["report", "s", "--rows"]]
    {
        prints(
            &workspace.command(arguments).stdout(full()).output().unwrap(),
            1,
            "No space left on device",
        );
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = workspace.command(arguments).stdout(writer).output().unwrap();
        assert_eq!(output.status.code(), Some(141), "{arguments:?}: {}", printed(&output));
        assert_eq!(printed(&output), "", "{arguments:?}");
    }
}

#[test]
fn a_terminal_obeys_no_note_of_a_row_and_no_value_in_a_message() {
    let workspace = Workspace::new();
    workspace.write("s.yaml", &CONFIG.replace("[cadical]", "[{command: \"sh note.sh {cnf}\"}]"));
    workspace.write("note.sh", "printf '\\033[2Jnote\\n' >&2; exit 3\n");
    workspace.bezzel(&["run", "s.yaml", "--quiet"]);
    let rows = workspace.bezzel(&["report", "s", "--rows"]).stdout;
    assert!(!rows.is_empty() && !rows.contains(&0x1b));
    let long = format!("pair\u{202e}\u{1b}[2J{}", "x".repeat(100_000));
    let output = workspace.bezzel(&["encode", "5", "--encoding", &long]);
    assert_eq!(output.status.code(), Some(2));
    let printed = printed(&output);
    assert!(printed.len() < 10_000, "{}", printed.len());
    assert!(!printed.contains(['\u{202e}', '\u{1b}']), "{printed}");
    assert!(printed.contains(r"\u202e\u001b[2Jxxx"), "{printed}");
}

#[test]
fn a_file_in_the_place_of_the_reports_is_refused_before_the_run() {
    let workspace = Workspace::new();
    workspace.write("reports", "");
    workspace.refused(&["run", "s.yaml"], "cannot make the folder `reports/s`");
    assert!(!workspace.path().join("experiments").exists());
}
