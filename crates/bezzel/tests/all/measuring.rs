//! Readings of the noise of the machine in a run, and rows that contradict each other.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use bezzel_experiment::{Row, Verdict, store};
use bezzel_solve::Answer;
use tempfile::TempDir;

use crate::program::printed;

const CONFIG: &str = "\
name: steady
boards: [{size: [6, 8]}]
encodings: [pairwise]
solvers: [cadical, batsat]
";

/// A folder with a config.
struct Workspace(TempDir);

impl Workspace {
    fn new(config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("question.yaml"), config).unwrap();
        Self(folder)
    }

    fn run(&self) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
        command.args(["run", "question.yaml"]).current_dir(self.0.path()).output().unwrap()
    }

    fn experiment(&self) -> PathBuf {
        self.0.path().join("experiments/steady")
    }

    fn rows(&self) -> Vec<Row> {
        let text = fs::read_to_string(self.experiment().join(store::ROWS)).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

#[test]
fn a_run_measures_the_machine_and_says_how_noisy_it_is() {
    let workspace = Workspace::new(CONFIG);
    let output = workspace.run();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(printed(&output).contains("noise of the machine: "), "{}", printed(&output));
    let readings = store::readings(&workspace.experiment()).unwrap();
    assert!(readings.len() >= 5, "{}", readings.len());
    for reading in &readings {
        assert_eq!((reading.status, reading.verdict), (Answer::Unsat, Verdict::Verified));
        assert_eq!(reading.solver_stats, readings[0].solver_stats);
        assert_eq!(reading.solver_stats.conflicts, Some(12_250), "as the documentation says");
    }
    assert_eq!(workspace.rows().len(), 4, "readings are no rows");
    let report = workspace.0.path().join("reports/steady/report.md");
    assert!(fs::read_to_string(report).unwrap().contains("Noise of the machine"));

    // A run without jobs takes no readings.
    let output = workspace.run();
    assert!(!printed(&output).contains("noise"), "{}", printed(&output));
    assert_eq!(store::readings(&workspace.experiment()).unwrap(), readings);
}

#[test]
fn every_thread_takes_its_readings_where_jobs_run_side_by_side() {
    let workspace = Workspace::new(&format!("{CONFIG}parallel: 2\n"));
    let output = workspace.run();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let readings = store::readings(&workspace.experiment()).unwrap();
    assert_eq!(readings.len(), 2 * 5);
}

#[test]
fn a_machine_that_is_not_to_be_measured_is_not() {
    let workspace = Workspace::new(&format!("{CONFIG}calibration: off\n"));
    let output = workspace.run();
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(!printed(&output).contains("noise"), "{}", printed(&output));
    assert!(!workspace.experiment().join(store::CALIBRATION).exists());
}

/// An encoder of lines that counts its starts.
const PAIRWISE: &str = "\
echo >> starts; read greeting
while read word n; do
    echo p cnf $n $((n * (n - 1) / 2)); i=1
    while [ $i -lt $n ]; do
        j=$((i + 1))
        while [ $j -le $n ]; do echo -$i -$j 0; j=$((j + 1)); done
        i=$((i + 1))
    done
done
";

#[test]
fn the_first_jobs_are_run_once_before_and_leave_nothing() {
    let starts = |warm_up: u32| {
        let config = format!(
            "{}calibration: off\nwarm_up: {warm_up}\n",
            CONFIG.replace("[pairwise]", "[{command: sh encoder.sh}]")
        );
        let workspace = Workspace::new(&config);
        fs::write(workspace.0.path().join("encoder.sh"), PAIRWISE).unwrap();
        assert_eq!(workspace.run().status.code(), Some(0));
        assert_eq!(workspace.rows().len(), 4);
        fs::read_to_string(workspace.0.path().join("starts")).unwrap().lines().count()
    };
    let without = starts(0);
    assert_eq!(starts(1), without + 1);
    assert_eq!(starts(3), without + 3);
    // There are only four jobs.
    assert_eq!(starts(9), without + 4);
}

#[test]
fn rows_that_contradict_each_other_let_a_run_fail_and_stay_as_they_are() {
    let workspace = Workspace::new(CONFIG);
    assert_eq!(workspace.run().status.code(), Some(0));
    // The row of BatSat on the smaller board becomes a wrong answer without a checksum, as in the format before checksums.
    let mut rows = workspace.rows();
    let lie = rows
        .iter_mut()
        .find(|row| row.job.solver == "batsat" && row.job.instance.size() == 6)
        .unwrap();
    (lie.status, lie.verdict, lie.checked_by) = (Answer::Unsat, Verdict::Unchecked, None);
    (lie.queens, lie.format) = (None, 1);
    let lines: Vec<_> = rows.iter().map(|row| serde_json::to_string(row).unwrap() + "\n").collect();
    let text = lines.concat().replace("\"format\":3,", "");
    let file = workspace.experiment().join(store::ROWS);
    fs::write(&file, &text).unwrap();

    let output = workspace.run();
    assert_eq!(output.status.code(), Some(1), "{}", printed(&output));
    let printed = printed(&output);
    assert!(printed.contains("WRONG: batsat on 6 with pairwise"), "{printed}");
    assert!(
        printed.contains("CONTRADICTION: board 6: sat says cadical with pairwise"),
        "{printed}"
    );
    assert!(!printed.contains("CONTRADICTION: board 8"), "{printed}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "evidence is never changed");
    let report = fs::read_to_string(workspace.0.path().join("reports/steady/report.md")).unwrap();
    assert!(report.contains("## Answers that contradict each other"));
}
