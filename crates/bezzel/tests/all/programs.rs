//! Encodings in any language: programs in runs, reports and checks, well-behaved and not.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use bezzel_experiment::{Row, Termination, Verdict};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::program::{ended, is_installed};
use crate::session_files::rows_in;

/// The pairwise encoding. The commands in the file `behave` of its folder run first, with the number of the start in
/// `$start`.
const PAIRWISE: &str = r#"
echo started >> starts
start=$(wc -l < starts)
[ -e behave ] && . ./behave
read greeting
while read word n; do
    echo "p cnf $((n + extra)) $((n * (n - 1) / 2))"
    i=1
    while [ $i -le $n ]; do
        j=$((i + 1))
        while [ $j -le $n ]; do echo "-$i -$j 0"; j=$((j + 1)); done
        i=$((i + 1))
    done
done
"#;

const COMMAND: &str = "{command: \"sh encoder.sh\"}";

const CONFIG: &str = "\
name: theirs
problems: [{queens: {size: [5, 6]}}]
encodings: [{command: sh encoder.sh}, pairwise]
solvers: [cadical]
warm_up: 0
calibration: off
limits: {cpu: 600 s, wall: 600 s}
";

/// A folder with an encoder and a config.
struct Workspace {
    folder: TempDir,
}

impl Workspace {
    fn new(config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("encoder.sh"), PAIRWISE).unwrap();
        fs::write(folder.path().join("question.yaml"), config).unwrap();
        Self { folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Sets the shell commands that the encoder runs first.
    fn behave(&self, commands: &str) {
        fs::write(self.path().join("behave"), commands).unwrap();
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
        command.args(arguments).current_dir(self.path());
        command
    }

    fn bezzel(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    fn run(&self) -> Output {
        self.bezzel(&["run", "question.yaml"])
    }

    /// The rows by the size of the board, those of the program last.
    fn rows(&self) -> Vec<Row> {
        let mut rows = rows_in(&self.path().join("experiments/theirs"));
        rows.sort_by_key(|row| (row.job.instance.size(), row.job.encoding == COMMAND));
        rows
    }

    fn starts(&self) -> usize {
        fs::read_to_string(self.path().join("starts")).map_or(0, |text| text.lines().count())
    }
}

#[test]
fn a_program_is_measured_beside_ours_and_the_report_needs_it_no_more() {
    let workspace = Workspace::new(CONFIG);
    ended(&workspace.run(), 0);
    let rows = workspace.rows();
    assert_eq!(rows.len(), 4);
    for rows in rows.chunks(2) {
        let [ours, theirs] = rows else { panic!("two on each board") };
        assert_eq!(
            (theirs.job.encoding.as_str(), ours.job.encoding.as_str()),
            (COMMAND, "pairwise")
        );
        assert_eq!(theirs.verdict, Verdict::Verified);
        assert_eq!(theirs.formula, ours.formula);
        assert_eq!(theirs.clause_digest, ours.clause_digest);
        assert!(theirs.encoding_revision > 1 << 10);
    }
    assert_ne!(rows[1].encoding_revision, rows[3].encoding_revision);
    // One start plans both boards, one checks the encoder, and each of two jobs has one.
    assert_eq!(workspace.starts(), 4);

    // Planning starts the encoder again. No job is missing.
    assert!(ended(&workspace.run(), 0).contains("every job has its row"));
    assert_eq!(workspace.starts(), 5);

    let table = workspace.path().join("reports/theirs/table.csv");
    let before = fs::read_to_string(&table).unwrap();
    assert!(before.contains("sh encoder.sh"), "{before}");
    fs::remove_file(workspace.path().join("encoder.sh")).unwrap();
    ended(&workspace.bezzel(&["report", "theirs"]), 0);
    assert_eq!(fs::read_to_string(&table).unwrap(), before);
    assert_eq!(workspace.starts(), 5);
    let refused = ended(&workspace.run(), 2);
    assert!(refused.contains("question.yaml:3:13: the encoder `sh encoder.sh` ended"), "{refused}");
}

#[test]
fn a_program_that_was_changed_is_measured_again_and_the_report_tells_of_the_new_one() {
    let workspace = Workspace::new(CONFIG);
    ended(&workspace.run(), 0);
    workspace.behave("extra=1");
    ended(&workspace.run(), 0);
    let rows = workspace.rows();
    assert_eq!(rows.len(), 6);
    let variables = |row: &Row| row.formula.as_ref().unwrap().variables;
    assert_eq!((variables(&rows[1]), variables(&rows[2])), (25, 25 + 5 + 5 + 7 + 7));
    ended(&workspace.bezzel(&["report", "theirs"]), 0);
    let sizes = fs::read_to_string(workspace.path().join("reports/theirs/sizes.csv")).unwrap();
    let printed = |size: &str| {
        sizes.lines().any(|line| line.contains("sh encoder.sh") && line.contains(size))
    };
    assert!(printed("5,Variables,49") && !printed("5,Variables,25"), "{sizes}");
    // The encoder prints the old clauses again: their rows still exist.
    workspace.behave("");
    assert!(ended(&workspace.run(), 0).contains("every job has its row"));
}

#[test]
fn a_program_that_prints_something_else_in_a_job_stops_the_run_with_what_was_done_kept() {
    let workspace = Workspace::new(CONFIG);
    workspace.behave("[ $start -eq 4 ] && extra=1");
    let failed = ended(&workspace.run(), 1);
    assert!(failed.contains("must print the same clauses every time"), "{failed}");
    let done = workspace.rows();
    let by_program = done.iter().filter(|row| row.job.encoding == COMMAND).count();
    assert_eq!(by_program, 1, "the second job of the program fails: {}", done.len());
    ended(&workspace.run(), 0);
    assert_eq!(workspace.rows().len(), 4);
}

#[test]
fn a_program_that_fails_in_a_job_makes_a_row_that_says_how() {
    fails(&[
        ("echo no more >&2; exit 3", Termination::Crashed, "ended with exit code 3: no more"),
        (
            "echo p dnf; exit 0",
            Termination::Crashed,
            "line 1, column 3: a header `p dnf` is not read",
        ),
    ]);
}

#[test]
#[ignore = "second tier: it waits for a limit of 4 s"]
fn a_program_that_does_not_end_in_a_job_makes_a_row_that_says_so() {
    fails(&[
        ("sleep 1000", Termination::WallLimit, "was out of wall time"),
        ("yes", Termination::Crashed, "wrote more than"),
    ]);
}

/// An encoder with this behaviour in a job, the end of the job, and a part of its note.
fn fails(cases: &[(&str, Termination, &str)]) {
    for &(behaviour, termination, note) in cases {
        // A wall limit is never below that of CPU time. A sleeping program uses no CPU time.
        let limits = match termination {
            Termination::WallLimit => "{cpu: 4 s, wall: 4 s}",
            _ => "{cpu: 600 s, wall: 600 s}",
        };
        let workspace = Workspace::new(&CONFIG.replace("{cpu: 600 s, wall: 600 s}", limits));
        workspace.behave(&format!("[ $start -eq 3 ] && {{ {behaviour}; }}"));
        let printed = ended(&workspace.run(), i32::from(termination == Termination::Crashed));
        let is_named = printed.contains("failed: 1 job of cadical");
        assert_eq!(is_named, termination == Termination::Crashed, "{printed}");
        let rows = workspace.rows();
        assert_eq!(rows.len(), 4);
        let failed: Vec<_> =
            rows.iter().filter(|row| row.termination != Termination::Finished).collect();
        let [row] = failed[..] else { panic!("{behaviour}: one fails") };
        let printed = row.note.clone().unwrap_or_default();
        assert_eq!(row.termination, termination, "{printed}");
        assert!(printed.starts_with("the encoder `sh encoder.sh` "), "{printed}");
        assert!(printed.contains(note), "{printed}");
        assert_eq!((row.verdict, row.formula.as_ref()), (Verdict::Unchecked, None));
    }
}

/// A program that does not end by itself.
const SLEEPS: &str = "echo $$ > pid; exec sleep 1000";

#[test]
fn ctrl_c_during_a_run_leaves_no_program_behind() {
    interrupt(&["run", "question.yaml"], 2, SLEEPS);
}

#[test]
#[ignore = "second tier: it waits for the ends of programs"]
fn ctrl_c_leaves_no_program_behind() {
    let run = &["run", "question.yaml"][..];
    let solve = &["solve", "5", "--encoding", COMMAND];
    // The interrupt comes during planning, and in another command.
    for (arguments, start) in [(run, 1), (solve, 1)] {
        interrupt(arguments, start, SLEEPS);
    }
    // A program in a session of its own without its environment, during planning and in another command.
    for arguments in [run, solve] {
        interrupt(arguments, 1, &format!("env -i setsid sh -c '{SLEEPS}'"));
    }
}

/// Interrupts a command in which the encoder's start of this number goes to sleep.
fn interrupt(arguments: &[&str], start: usize, sleeps: &str) {
    let workspace = Workspace::new(CONFIG);
    workspace.behave(&format!("[ $start -eq {start} ] && {{ {sleeps}; }}"));
    let mut command = workspace.command(arguments);
    let runner = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let patience = Instant::now() + Duration::from_mins(3);
    let file = workspace.path().join("pid");
    let pid = loop {
        let pid = fs::read_to_string(&file).ok().and_then(|text| text.trim().parse().ok());
        if let Some(pid) = pid.and_then(Pid::from_raw) {
            break pid;
        }
        assert!(Instant::now() < patience, "the program was not started");
        std::thread::sleep(Duration::from_millis(5));
    };
    kill_process(Pid::from_child(&runner), Signal::INT).unwrap();
    assert_eq!(runner.wait_with_output().unwrap().status.code(), Some(130));
    // A zombie counts as gone: another process reaps it.
    let stat = format!("/proc/{}/stat", pid.as_raw_nonzero());
    while fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
        assert!(Instant::now() < patience, "the program outlived the run");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The number of processes with this word among their arguments. A zombie has no arguments.
pub(crate) fn called(word: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.split(|&byte| byte == 0).any(|it| it == word.as_bytes())).count()
}

#[test]
fn nothing_that_an_encoder_or_a_version_command_starts_outlives_it() {
    // An orphan in a session of its own that ignores TERM and has no environment. Its number of seconds identifies it.
    let seconds = format!("7200.{}", std::process::id());
    let daemon = format!("(trap '' TERM HUP; env -i setsid sleep {seconds} > /dev/null 2>&1 &)");
    let version =
        format!("{{command: \"true {{cnf}}\", version: \"{daemon}; touch asked; echo 1\"}}");
    let workspace = Workspace::new(&CONFIG.replace("[cadical]", &format!("[cadical, {version}]")));
    workspace.behave(&daemon);
    let plan = &["run", "question.yaml", "--plan"][..];
    for (arguments, code) in [
        (plan, 0),
        (&["run", "question.yaml"], 0),
        (&["encode", "5", "--encoding", COMMAND], 0),
        (&["check", COMMAND], 0),
        (&["show", COMMAND], 0),
        (&["solve", "5", "--encoding", COMMAND], 10),
    ] {
        let before = workspace.starts();
        ended(&workspace.bezzel(arguments), code);
        assert!(workspace.starts() > before, "{arguments:?}");
        assert_eq!(called(&seconds), 0, "{arguments:?}");
    }
    assert!(workspace.path().join("asked").exists());
}

#[test]
fn a_program_encodes_as_the_same_encoding_of_ours_does_also_as_a_part() {
    let workspace = Workspace::new(CONFIG);
    let clauses = |encoding: &str, board: &str| -> Vec<String> {
        let words = ["encode", "--encoding", encoding].into_iter().chain(board.split(' '));
        let text = ended(&workspace.bezzel(&words.collect::<Vec<_>>()), 0);
        text.lines().filter(|line| !line.starts_with('c')).map(str::to_owned).collect()
    };
    let blocked = "5 --blocked 1,1 --blocked 1,2 --blocked 2,4 --blocked 5,5";
    for ours in [
        "pairwise",
        "{rows: product, columns: bitwise, diagonals: pairwise}",
        "{short: pairwise, long: product, at: 4}",
    ] {
        let theirs = ours.replace("pairwise", COMMAND);
        for board in [
            "1",
            "3x5",
            "6 --constraints no-column-alo",
            &format!("{blocked} --input-order reversed"),
            &format!("{blocked} --input-order random:1"),
        ] {
            assert_eq!(clauses(&theirs, board), clauses(ours, board), "{theirs} {board}");
        }
    }
}

#[test]
#[ignore = "second tier: it starts Python"]
fn the_examples_in_python_have_every_property() {
    if !is_installed("python3") {
        return;
    }
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    for name in [
        "{command: \"python3 examples/my_encoder.py\"}",
        "{command: \"python3 examples/my_board_encoder.py\", kind: board}",
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_bezzel"))
            .args(["check", name])
            .current_dir(root)
            .output()
            .unwrap();
        ended(&output, 0);
        // The page names the commands of the examples.
        let page = fs::read_to_string(Path::new(root).join("docs/external-encoders.md")).unwrap();
        assert!(page.contains(name), "{name}");
    }
}
