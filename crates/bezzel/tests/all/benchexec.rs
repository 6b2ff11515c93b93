//! Experiments exported for BenchExec, and results in its documented form read back, without BenchExec.
//! `outside/benchexec.rs` uses the real one.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bezzel_experiment::{EvidenceKind, Isolation, MeasuredBy, Row, Termination, Verdict};
use bezzel_solve::Answer;
use tempfile::TempDir;

use crate::program::{stderr, stdout};

const CONFIG: &str = "\
name: exchanged
boards: [{size: [6, 8]}, {size: 6, geometry: torus}]
encodings: [pairwise, sequential-counter]
solvers: [cadical, batsat]
numberings: [as-generated, random: {shuffles: 1}]
limits: {cpu: 9.5 s, wall: 20 s, memory: 1 GiB}
";

/// A folder with a config and its export.
struct Workspace {
    folder: TempDir,
}

impl Workspace {
    fn new() -> Self {
        let workspace = Self { folder: tempfile::tempdir().unwrap() };
        fs::write(workspace.path().join("question.yaml"), CONFIG).unwrap();
        let result = workspace.bezzel(&[
            "benchexec",
            "export",
            "question.yaml",
            "--to",
            "out",
            "--packing",
            "none",
        ]);
        assert_eq!(result.status.code(), Some(0), "{}", stderr(&result));
        workspace
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn bezzel(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
        command.current_dir(self.path()).args(arguments).output().unwrap()
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// The names of all tasks, in the order of the plan.
    fn tasks(&self) -> Vec<String> {
        let set = self.read("out/sets/cadical.set");
        let name = |line: &str| {
            line.strip_prefix("../tasks/").unwrap().strip_suffix(".yml").unwrap().to_owned()
        };
        set.lines().map(name).collect()
    }

    /// Writes the results of these runs: a task, and its columns.
    fn write_results(&self, runs: &[(String, Vec<(&str, &str)>)]) -> PathBuf {
        let mut xml = String::from(HEAD);
        for (task, columns) in runs {
            writeln!(xml, "  <run name=\"../tasks/{task}.yml\">").unwrap();
            for (title, value) in columns {
                writeln!(xml, "    <column title=\"{title}\" value=\"{value}\"/>").unwrap();
            }
            xml.push_str("  </run>\n");
        }
        xml.push_str("</result>\n");
        self.write("out/results/cadical.1.results.cadical.all.xml", &xml)
    }

    /// Writes the output of the solver in the run of this task.
    fn write_log(&self, task: &str, all_text: &str) {
        let log = format!("cadical {task}\n\n\n-----\n\n\n{all_text}");
        self.write(&format!("out/results/cadical.1.logfiles/cadical.{task}.yml.log"), &log);
    }

    fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn import(&self, results: &Path) -> Output {
        self.bezzel(&["benchexec", "import", "theirs", results.to_str().unwrap()])
    }

    fn rows(&self) -> Vec<Row> {
        let text = self.read("experiments/theirs/rows.jsonl");
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// An answer of linked CaDiCaL on this board, in the form of solver competitions.
    fn answer(&self, board: &[&str]) -> String {
        let result = self.bezzel(&[&["solve", "--dimacs-output"], board].concat());
        String::from_utf8(result.stdout).unwrap()
    }
}

const HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<!DOCTYPE result
  PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.12//EN'
  'https://www.sosy-lab.org/benchexec/result-3.12.dtd'>
<result benchmarkname=\"cadical\" tool=\"cadical\" version=\"1.5.3\" toolmodule=\"bezzel_tools.cadical\"
    starttime=\"2026-01-02T03:04:05+00:00\" generator=\"BenchExec 3.35\" memlimit=\"1073741824B\"
    timelimit=\"10s\" options=\"\" block=\"all\" name=\"cadical.all\">
  <systeminfo hostname=\"h\"><cpu model=\"A CPU\" cores=\"4\"/><ram size=\"8000000000B\"/></systeminfo>
";

/// The columns that BenchExec writes for a run with this status.
fn done(status: &str) -> Vec<(&str, &str)> {
    let code = if status == "true" { "10" } else { "20" };
    vec![
        ("status", status),
        ("cputime", "0.25s"),
        ("walltime", "0.5s"),
        ("memory", "1048576B"),
        ("returnvalue", code),
        ("starttime", "2026-01-02T03:04:06+00:00"),
    ]
}

/// Fails with one message and exit code 2.
fn refused(output: &Output, because: &str) {
    let result = stderr(output);
    assert_eq!(output.status.code(), Some(2), "{result}{}", stdout(output));
    assert!(result.contains(because), "{result}");
    assert_eq!(result.lines().filter(|line| line.starts_with("error:")).count(), 1, "{result}");
}

#[test]
fn an_export_holds_every_formula_once_with_its_task_and_says_the_limits() {
    let workspace = Workspace::new();
    let tasks = workspace.tasks();
    assert_eq!(tasks.len(), 12);
    let of = |begin: &str| tasks.iter().find(|task| task.starts_with(begin)).unwrap();
    let (torus, eight) =
        (of("torus-6_pairwise_as-generated_"), of("8_sequential-counter_random-1_"));

    let digest = torus.rsplit('_').next().unwrap();
    let task = workspace.read(&format!("out/tasks/{torus}.yml"));
    let (result, whole) = task.split_once("# digest of the clauses: ").unwrap();
    let whole = whole.split_once('\n').unwrap().0;
    assert!(whole.starts_with(digest) && whole.len() == 32, "{whole}");
    assert_eq!(
        result,
        "format_version: '2.0'\n\n# board: torus 6\n# encoding: pairwise\n# numbering: as-generated\n"
    );
    assert!(task.contains(&format!("input_files: '../formulas/{torus}.cnf'\n")), "{task}");
    assert!(task.contains("property_file: '../satisfiable.prp'\n"), "{task}");
    assert!(task.ends_with("expected_verdict: false\n"), "{task}");
    assert!(
        workspace.read(&format!("out/tasks/{eight}.yml")).ends_with("expected_verdict: true\n")
    );

    let benchmark = workspace.read("out/cadical.xml");
    for part in [
        "tool=\"bezzel_tools.cadical\"",
        "timelimit=\"10 s\" walltimelimit=\"20 s\" memlimit=\"1073741824 B\"",
        "<option name=\"cadical --factor=0 &quot;$bezzel_cnf&quot;\"/>",
        "<includesfile>sets/cadical.set</includesfile>",
    ] {
        assert!(benchmark.contains(part), "{part}: {benchmark}");
    }
    assert!(workspace.read("out/bezzel_tools/cadical.py").contains("class Tool(Solver):"));
    let readme = workspace.read("out/README.txt");
    assert!(
        readme.contains("benchexec --read-only-dir / --full-access-dir . cadical.xml"),
        "{readme}"
    );
    assert!(readme.contains("Left out: `batsat` is linked into Bezzel"), "{readme}");
    assert_eq!(workspace.read("out/config.yaml"), CONFIG);
}

#[test]
fn an_exported_formula_tells_its_board_and_comes_out_the_same_twice() {
    let workspace = Workspace::new();
    let torus =
        workspace.tasks().into_iter().find(|task| task.starts_with("torus-6_pairwise_random"));
    let formula = format!("out/formulas/{}.cnf", torus.unwrap());
    workspace.write("answer", "s UNSATISFIABLE\n");
    let result = workspace.bezzel(&["decode", "answer", "--cnf", &formula]);
    assert_eq!(result.status.code(), Some(20), "{}", stderr(&result));
    assert!(stdout(&result).contains("verified: published"), "{}", stdout(&result));

    let again = ["benchexec", "export", "question.yaml", "--to", "again", "--packing", "none"];
    assert_eq!(workspace.bezzel(&again).status.code(), Some(0));
    // An export into the same folder continues an interrupted one.
    assert_eq!(workspace.bezzel(&again).status.code(), Some(0));
    let files = |folder: &str| {
        let paths =
            ["formulas", "tasks", "sets", "bezzel_tools", "."].into_iter().flat_map(|part| {
                fs::read_dir(workspace.path().join(folder).join(part)).unwrap().map(Result::unwrap)
            });
        let files = paths.filter(|entry| entry.file_type().unwrap().is_file());
        let mut files: Vec<_> =
            files.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect();
        files.sort();
        files
    };
    assert!(files("out") == files("again"));
}

#[test]
fn results_become_rows_that_are_judged_by_the_models_in_the_logs() {
    let workspace = Workspace::new();
    let mut runs = Vec::new();
    for task in workspace.tasks() {
        let board = task.split('_').next().unwrap();
        let encoding = task.split('_').nth(1).unwrap();
        if board == "torus-6" {
            workspace.write_log(&task, "c conflicts: 7\ns UNSATISFIABLE\n");
            runs.push((task, done("false")));
        } else {
            let mut more_arguments = vec![board, "--encoding", encoding];
            if task.contains("_random-1_") {
                more_arguments.extend(["--shuffle", "1"]);
            }
            workspace.write_log(&task, &workspace.answer(&more_arguments));
            runs.push((task, done("true")));
        }
    }
    let results = workspace.write_results(&runs);
    let result = workspace.import(&results);
    assert_eq!(result.status.code(), Some(0), "{}", stderr(&result));
    assert!(stdout(&result).contains("12 rows added"), "{}", stdout(&result));

    let rows = workspace.rows();
    assert_eq!(rows.len(), 12);
    for row in &rows {
        assert_eq!(
            (row.verdict, row.termination, &row.note),
            (Verdict::Verified, Termination::Finished, &None)
        );
        let kind = row.checked_by.as_ref().unwrap().kind;
        match row.status {
            Answer::Sat => assert_eq!(kind, EvidenceKind::Rules),
            Answer::Unsat => {
                assert_eq!((kind, row.solver_stats.conflicts), (EvidenceKind::Cross, Some(7)));
            }
            Answer::Unknown => panic!("{row:?}"),
        }
        assert_eq!((row.cpu_s, row.solve_cpu_s, row.wall_s), (0.25, Some(0.25), 0.5));
        assert_eq!(row.memory_peak_bytes, Some(1 << 20));
        assert_eq!((row.load_cpu_s, row.generate_cpu_s), (None, None));
        assert_eq!(row.isolation, Isolation::Benchexec);
        assert_eq!((row.job.measured_by, row.job.proof), (MeasuredBy::Benchexec, None));
        assert_eq!(row.solver_version, "1.5.3");
        assert!((row.started_unix_s - 1_767_323_046.0).abs() < 1e-3, "{}", row.started_unix_s);
        assert!(row.formula.as_ref().unwrap().clauses > 0 && row.clause_digest.is_some());
    }
    let environment = workspace.read("experiments/theirs/environment.json");
    for part in ["\"measured_by\": \"BenchExec 3.35\"", "\"cpu_model\": \"A CPU\"", "\"cores\": 4"]
    {
        assert!(environment.contains(part), "{environment}");
    }
    let report = workspace.read("reports/theirs/report.md");
    assert!(report.contains("BenchExec"), "{report}");

    // A second import counts no result twice.
    let result = workspace.import(&results);
    assert!(
        stdout(&result).contains("0 rows added; 12 results had a row already"),
        "{}",
        stdout(&result)
    );
    assert_eq!(workspace.rows(), rows);

    // A run cannot add rows of another measuring engine to these.
    let run = workspace.bezzel(&["run", "question.yaml", "--name", "theirs", "--quiet"]);
    refused(&run, "holds results of BenchExec");
}

#[test]
fn an_answer_that_the_log_does_not_show_is_not_believed() {
    let workspace = Workspace::new();
    let tasks = workspace.tasks();
    let of = |begin: &str| tasks.iter().find(|task| task.starts_with(begin)).unwrap().clone();
    let six = |which: &str| of(&format!("6_{which}"));
    let attacked = "s SATISFIABLE\nv 1 8 15 22 29 36 0\n";
    workspace.write_log(&of("8_pairwise_as-generated"), attacked);
    workspace.write_log(&six("sequential-counter_random"), "s UNSATISFIABLE\n");
    workspace.write_log(&of("8_pairwise_random"), "s SATISFIABLE\nv 1 -1 0\n");
    let mut late = done("TIMEOUT (true)");
    late.push(("terminationreason", "cputime"));
    let mut without_memory = done("true");
    without_memory.retain(|(title, _)| *title != "memory");
    let killed = [done("KILLED"), vec![("terminationreason", "killed")]].concat();
    let results = workspace.write_results(&[
        (six("pairwise_as-generated"), without_memory),
        (six("pairwise_random"), done("false")),
        (six("sequential-counter_as-generated"), late),
        (six("sequential-counter_random"), done("true")),
        (of("8_pairwise_as-generated"), done("true")),
        (of("8_pairwise_random"), done("true")),
        (of("8_sequential-counter_as-generated"), killed),
        (of("8_sequential-counter_random"), Vec::new()),
        (of("torus-6_pairwise_as-generated"), done("true")),
    ]);
    let result = workspace.import(&results);
    assert_eq!(result.status.code(), Some(1), "{}", stderr(&result));
    let all_text = stdout(&result);
    for part in ["7 rows added", "2 runs were not done", "5 jobs of the config have no row yet"] {
        assert!(all_text.contains(part), "{part}: {all_text}");
    }
    assert_eq!(all_text.matches("WRONG: ").count(), 3, "{all_text}");

    let rows = workspace.rows();
    let row = |board: &str, encoding: &str, random: bool| {
        let is = |row: &&Row| {
            row.job.instance.to_string() == board
                && row.job.encoding == encoding
                && row.job.numbering.is_shuffled() == random
        };
        rows.iter().find(is).unwrap()
    };
    let note = |row: &Row| row.note.clone().unwrap_or_default();

    let unshown = row("6", "pairwise", false);
    assert_eq!((unshown.verdict, unshown.memory_peak_bytes), (Verdict::Unchecked, None));
    assert!(note(unshown).contains("no log shows it"));
    let denied = row("6", "pairwise", true);
    assert_eq!((denied.status, denied.verdict), (Answer::Unsat, Verdict::Wrong));
    let late = row("6", "sequential-counter", false);
    assert_eq!((late.status, late.termination), (Answer::Sat, Termination::CpuLimit));
    let contradicted = row("6", "sequential-counter", true);
    assert_eq!(
        (contradicted.status, contradicted.termination),
        (Answer::Unknown, Termination::Crashed)
    );
    assert!(note(contradicted).contains("log is invalid"), "{}", note(contradicted));
    let attacked = row("8", "pairwise", false);
    assert_eq!(attacked.verdict, Verdict::Wrong);
    let both = row("8", "pairwise", true);
    assert_eq!((both.verdict, both.termination), (Verdict::Unchecked, Termination::Crashed));
    assert!(note(both).contains("both true and false"), "{}", note(both));
    let impossible = row("torus 6", "pairwise", false);
    assert_eq!(impossible.verdict, Verdict::Wrong);
    assert!(!rows.iter().any(|row| row.job.solver == "batsat"));
}

#[test]
fn a_run_beyond_a_limit_is_at_the_limit_for_every_status_and_contradictions_are_reported() {
    let workspace = Workspace::new();
    let tasks = workspace.tasks();
    let of = |begin: &str| tasks.iter().find(|task| task.starts_with(begin)).unwrap().clone();
    let with = |title: &str, value: &'static str| {
        let mut columns = done("true");
        columns.iter_mut().find(|(known, _)| *known == title).unwrap().1 = value;
        columns
    };
    let (cpu, wall) = (of("6_pairwise_as-generated"), of("6_pairwise_random"));
    let (memory, whole) = (of("6_sequential-counter_as"), of("6_sequential-counter_random"));
    let twice = of("8_pairwise_as-generated");
    let again = of("8_pairwise_random");
    let results = workspace.write_results(&[
        (cpu, with("cputime", "1000000s")),
        (wall, with("walltime", "20.01s")),
        (memory, with("memory", "1073741825B")),
        // The limit of 9.5 s is one of 10 s for BenchExec.
        (whole, with("cputime", "10s")),
        (twice.clone(), done("true")),
        (twice, done("false")),
        (again.clone(), done("true")),
        (again.clone(), done("true")),
    ]);
    let result = workspace.import(&results);
    let all_text = stdout(&result);
    assert_eq!(result.status.code(), Some(1), "{all_text}{}", stderr(&result));
    assert!(all_text.contains("6 rows added; 0 results had a row already"), "{all_text}");
    assert!(all_text.contains("2 results are of tasks that another run"), "{all_text}");
    assert_eq!(
        all_text.matches("CONTRADICTION: cadical on 8 with pairwise").count(),
        1,
        "{all_text}"
    );
    let rows = workspace.rows();
    let stops: Vec<Termination> = rows.iter().map(|row| row.termination).collect();
    let count = |termination| stops.iter().filter(|&&known| known == termination).count();
    let limits = [Termination::CpuLimit, Termination::WallLimit, Termination::MemoryLimit];
    assert_eq!(limits.map(count), [1, 1, 1], "{stops:?}");
    assert_eq!(count(Termination::Finished), 3, "{stops:?}");
    let late = rows.iter().find(|row| row.termination == Termination::CpuLimit).unwrap();
    assert!(late.note.as_ref().unwrap().contains("s of CPU time (limit 10 s)"), "{late:?}");
    assert!(!late.solved());

    // The results of an earlier import are compared as well.
    let results = workspace.write_results(&[(again, done("false"))]);
    let result = workspace.import(&results);
    assert_eq!(result.status.code(), Some(1), "{}", stdout(&result));
    assert!(stdout(&result).contains("and sat in an earlier import"), "{}", stdout(&result));
}

#[test]
fn results_that_make_no_sense_are_refused_before_anything_is_kept() {
    let workspace = Workspace::new();
    let task = workspace.tasks().remove(0);
    let good = workspace.write_results(&[(task.clone(), done("false"))]);
    let text = fs::read_to_string(&good).unwrap();
    let with = |from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        workspace.write("out/results/cadical.1.results.cadical.all.xml", &text.replace(from, to))
    };

    refused(&workspace.import(&workspace.path().join("missing.xml")), "cannot read `");
    refused(&workspace.import(&with("</result>", "")), "truncated");
    refused(&workspace.import(&with("<result ", "<resolt ")), "not a result of BenchExec");
    refused(&workspace.import(&with("bezzel_tools.cadical", "kissat")), "the tool `kissat`");
    refused(&workspace.import(&with("name=\"cadical.all\"", "name=\"other.all\"")), "`other`");
    refused(&workspace.import(&with("timelimit=\"10s\"", "timelimit=\"900s\"")), "900s");
    refused(
        &workspace.import(&with("memlimit=\"1073741824B\"", "memlimit=\"5B\"")),
        "limit of memory",
    );
    refused(
        &workspace.import(&with(&task, "../../../etc/passwd")),
        "`passwd` is not of this config",
    );
    refused(&workspace.import(&with(&task, "\u{1b}[2Jx")), "is not of this config");
    for wrong in ["-1s", "1e308s", "18446744073709551616s", "NaN"] {
        refused(
            &workspace.import(&with("0.25s", wrong)),
            &format!("the cputime of the task `{task}`"),
        );
    }
    refused(
        &workspace.import(&with("0.5s", "1e309s")),
        "`1e309s`: no machine can have measured that",
    );
    for wrong in ["18446744073709551616B", "-1B", "NaN"] {
        refused(&workspace.import(&with("1048576B", wrong)), &format!("is `{wrong}`"));
    }
    let (cell, _) = task.rsplit_once('_').unwrap();
    refused(&workspace.import(&with(&task, &format!("{cell}_000000000000"))), "of other clauses");
    let packed = workspace.write("out/results/cadical.1.results.cadical.all.xml.bz2", "no bzip2");
    refused(&workspace.import(&packed), "cannot read the results");
    workspace.write("out/results/cadical.1.logfiles.zip", "no zip");
    assert_eq!(with("cadical", "cadical"), good);
    refused(&workspace.import(&good), "not a complete zip");
    assert!(!workspace.path().join("experiments").exists());

    let good = good.to_str().unwrap();
    refused(&workspace.bezzel(&["benchexec", "import", "../up", good]), "name");
    refused(&workspace.bezzel(&["benchexec", "import", "a", good, "--from", "nowhere"]), "nowhere");
    refused(&workspace.bezzel(&["benchexec", "export", "question.yaml"]), "--to");
    refused(
        &workspace.bezzel(&["benchexec", "export", "question.yaml", "--to", "."]),
        "name a new folder",
    );
    fs::write(workspace.path().join("none.yaml"), CONFIG.replace("cadical, ", "")).unwrap();
    let none = ["benchexec", "export", "none.yaml", "--to", "none"];
    refused(&workspace.bezzel(&none), "no solver of this config can be run by BenchExec");
    fs::write(workspace.path().join("README.txt"), "....\n....\n....\n....\n").unwrap();
    let file = CONFIG.replace("boards: [", "boards: [{file: README.txt}, ");
    fs::write(workspace.path().join("twice.yaml"), file).unwrap();
    let twice = ["benchexec", "export", "twice.yaml", "--to", "twice"];
    refused(&workspace.bezzel(&twice), "names a file `README.txt`");
}
