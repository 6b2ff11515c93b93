//! `bezzel tune`.

use std::fs;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::program::ended;

fn tune(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
    command.arg("tune").args(arguments).arg("--quiet").current_dir(folder.path());
    command.output().unwrap()
}

/// Three pigeons in as many holes, each in one hole, and each hole for one pigeon.
const KNF: &str = "p knf 9 9\n1 2 3 0\nk 2 -1 -2 -3 0\n4 5 6 0\nk 2 -4 -5 -6 0\n7 8 9 0\nk 2 -7 -8 -9 0\n\
                   k 2 -1 -4 -7 0\nk 2 -2 -5 -8 0\nk 2 -3 -6 -9 0\n";

#[test]
fn a_choice_is_made_on_one_half_and_judged_on_the_other() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("files")).unwrap();
    fs::write(folder.path().join("files/a.knf"), KNF).unwrap();
    // Another order: another instance.
    let other = KNF
        .replace("1 2 3 0\nk 2 -1 -2 -3 0\n", "")
        .replace("\n7 8", "\n1 2 3 0\nk 2 -1 -2 -3 0\n7 8");
    fs::write(folder.path().join("files/b.knf"), other).unwrap();
    let printed = ended(&tune(&folder, &["files", "--budget", "2"]), 0);
    assert!(printed.contains("\n1 of the 2 files judge the choice"), "{printed}");
    assert!(printed.contains("Chosen on 1 instance: "), "{printed}");
    assert!(printed.contains("Judged on 1 other instance (sat): "), "{printed}");
    assert!(
        printed.contains("No bound for new instances: 1 instance judged the choice"),
        "{printed}"
    );
    let config = fs::read_to_string(folder.path().join("configs/tune-files.yaml")).unwrap();
    let parts = ["binary", "order", "shuffles: 4"];
    assert!(parts.iter().all(|part| config.contains(part)), "{config}");
    // Groups of three have the same clauses under several encodings.
    assert!(printed.contains("\nleft out, with the same clauses: product, com"), "{printed}");
    // The computed answer, which has no verdict on an instance, is in the report alone.
    assert!(!config.contains("product") && !printed.contains("no verdict"), "{printed}");
    // The holes list the pigeons alike.
    assert!(!config.contains("input_order"), "{config}");
    assert!(folder.path().join("reports/tune-files/report.md").is_file());
    // The same command continues the experiment, which is complete.
    let again = ended(&tune(&folder, &["files", "--budget", "2"]), 0);
    assert!(again.contains("Chosen on 1 instance: "), "{again}");
    // Another budget is refused, and so is a config of another origin.
    let other = ended(&tune(&folder, &["files", "--budget", "3"]), 2);
    assert!(
        other.contains("tune-files.yaml` are those of --budget 2, not of --budget 3: give"),
        "{other}"
    );
    fs::write(folder.path().join("configs/own.yaml"), "name: own\n").unwrap();
    let own = ended(&tune(&folder, &["files", "--budget", "2", "--name", "own"]), 2);
    assert!(own.contains("own.yaml` does not begin with `# bezzel tune --budget "), "{own}");
    // The command that it prints makes a formula.
    let line = printed.lines().find(|line| line.starts_with("bezzel encode FILE ")).unwrap();
    let line = line.replace(
        "bezzel encode FILE",
        &format!("{} encode files/a.knf", env!("CARGO_BIN_EXE_bezzel")),
    );
    let encode =
        Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
    assert!(ended(&encode, 0).contains("formula.cnf: "));
}

#[test]
fn orders_are_compared_where_groups_are_not_aligned() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, orders) in [
        ("crossed.knf", KNF.replace("-2 -5 -8", "-2 -8 -5"), "[as-stated, common:1, proximity]"),
        ("one.knf", "p knf 6 1\nk 3 -1 -4 -2 -5 -3 -6 0\n".into(), "[as-stated, proximity]"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
        ended(&tune(&folder, &[name, "--budget", "9", "--plan"]), 0);
        let config = format!("configs/tune-{}.yaml", name.replace(".knf", ""));
        let config = fs::read_to_string(folder.path().join(config)).unwrap();
        assert!(config.contains("\n  - {encoding: [pairwise], input_order: ["), "{config}");
        let line = config.lines().find(|line| line.starts_with("input_order")).unwrap_or(&config);
        assert_eq!(line.replace('"', ""), format!("input_order: {orders}"), "{config}");
    }
}

#[test]
fn of_one_file_nothing_follows_for_others() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("none.opb"), "+1 x1 +1 x2 = 1 ; +1 x1 >= 1 ; +1 x2 >= 1 ;")
        .unwrap();
    let printed = ended(&tune(&folder, &["none.opb", "--budget", "2"]), 0);
    assert!(printed.contains("Chosen on 14 shuffles of the file: "), "{printed}");
    assert!(printed.contains("Judged on 14 other shuffles of the file (unsat): "), "{printed}");
    assert!(printed.contains("\nOn 80 % of new shuffles of the file, at most "), "{printed}");
    assert!(printed.contains("nothing is claimed for other files"), "{printed}");
    // The same command makes the same choice without further runs.
    let again = ended(&tune(&folder, &["none.opb", "--budget", "2"]), 0);
    let choice = |printed: &str| printed.split_once("\nChosen on ").unwrap().1.to_owned();
    assert_eq!(choice(&again), choice(&printed));
    let sessions = fs::read_dir(folder.path().join("experiments/tune-none")).unwrap();
    let names = sessions.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(names.filter(|name| name.contains(".jsonl")).count(), 1);
}

#[test]
fn a_record_without_shuffled_runs_has_no_regret() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let folder = tempfile::tempdir().unwrap();
    let output = tune(&folder, &["--replay", "all-solutions", "--root", root]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(
        message.contains("no instance has a checked answer in three or more shuffles"),
        "{message}"
    );
}
