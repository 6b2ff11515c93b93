//! What a run does about the machine that it measures on, and about rows that contradict each other.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use bezzel_lab::{Row, Verdict, store};
use bezzel_solve::Answer;
use tempfile::TempDir;

use crate::program::told;

const CONFIG: &str = "\
name: steady
boards: [{size: [6, 8]}]
encodings: [pairwise]
solvers: [cadical, batsat]
";

/// A folder with a config.
struct Place(TempDir);

impl Place {
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
    let place = Place::new(CONFIG);
    let output = place.run();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(told(&output).contains("noise of the machine: "), "{}", told(&output));
    let readings = store::readings(&place.experiment()).unwrap();
    assert!(readings.len() >= 5, "{}", readings.len());
    for reading in &readings {
        assert_eq!((reading.answer, reading.verdict), (Answer::Unsat, Verdict::Verified));
        assert_eq!(reading.effort, readings[0].effort);
        assert_eq!(reading.effort.conflicts, Some(12_250), "as the documentation says");
    }
    assert_eq!(place.rows().len(), 4, "readings are no rows");
    let report = place.0.path().join("reports/steady/report.md");
    assert!(fs::read_to_string(report).unwrap().contains("Noise of the machine"));

    // Where nothing is run, nothing is measured.
    let output = place.run();
    assert!(!told(&output).contains("noise"), "{}", told(&output));
    assert_eq!(store::readings(&place.experiment()).unwrap(), readings);
}

#[test]
fn every_thread_takes_its_readings_where_jobs_run_side_by_side() {
    let place = Place::new(&format!("{CONFIG}parallel: 2\n"));
    let output = place.run();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    let readings = store::readings(&place.experiment()).unwrap();
    assert_eq!(readings.len(), 2 * 5);
}

#[test]
fn a_machine_that_is_not_to_be_measured_is_not() {
    let place = Place::new(&format!("{CONFIG}calibration: off\n"));
    let output = place.run();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(!told(&output).contains("noise"), "{}", told(&output));
    assert!(!place.experiment().join(store::CALIBRATION).exists());
}

#[test]
fn the_first_jobs_are_run_once_before_and_leave_nothing() {
    let starts = |warm_up: u32| {
        let config = format!(
            "{}calibration: off\nwarm_up: {warm_up}\n",
            CONFIG.replace("[pairwise]", "[{command: sh encoder.sh}]")
        );
        let place = Place::new(&config);
        let encoder =
            "echo >> starts; read greeting; while read word n; do echo p cnf $n 0; done\n";
        fs::write(place.0.path().join("encoder.sh"), encoder).unwrap();
        // Lines without a clause allow queens that attack each other: such answers are wrong.
        assert_eq!(place.run().status.code(), Some(1));
        assert_eq!(place.rows().len(), 4);
        fs::read_to_string(place.0.path().join("starts")).unwrap().lines().count()
    };
    let without = starts(0);
    assert_eq!(starts(1), without + 1);
    assert_eq!(starts(3), without + 3);
    // There are four jobs.
    assert_eq!(starts(9), without + 4);
}

#[test]
fn rows_that_contradict_each_other_let_a_run_fail_and_stay_as_they_are() {
    let place = Place::new(CONFIG);
    assert_eq!(place.run().status.code(), Some(0));
    // What BatSat said of the smaller board, as a liar would have said it before there were seals.
    let mut rows = place.rows();
    let lie = rows
        .iter_mut()
        .find(|row| row.job.solver == "batsat" && row.job.instance.size() == 6)
        .unwrap();
    (lie.answer, lie.verdict, lie.evidence) = (Answer::Unsat, Verdict::Unchecked, None);
    (lie.queens, lie.format) = (None, 1);
    let lines: Vec<_> = rows.iter().map(|row| serde_json::to_string(row).unwrap() + "\n").collect();
    let text = lines.concat().replace("\"format\":2,", "");
    let file = place.experiment().join(store::ROWS);
    fs::write(&file, &text).unwrap();

    let output = place.run();
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    let told = told(&output);
    assert!(told.contains("WRONG: batsat on 6 with pairwise"), "{told}");
    assert!(told.contains("CONTRADICTION: board 6: sat says cadical with pairwise"), "{told}");
    assert!(!told.contains("CONTRADICTION: board 8"), "{told}");
    assert_eq!(fs::read_to_string(&file).unwrap(), text, "evidence is never changed");
    let report = fs::read_to_string(place.0.path().join("reports/steady/report.md")).unwrap();
    assert!(report.contains("## Answers that contradict each other"));
}
