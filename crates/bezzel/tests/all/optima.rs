//! Objectives of files under the commands: the optimum, its forms of output, bounds in configs, and the task `optimise`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::program::{BEZZEL, bezzel_in, ended, stderr, stdout};
use crate::session_files::{change_session, rows_in};

/// Its optimum is 10, by the items 3 and 4.
const KNAPSACK: &str =
    "max: +5 x1 +4 x2 +3 x3 +7 x4 ;\n+2 x1 +3 x2 +1 x3 +4 x4 <= 5 ;\n+1 x1 x2 +1 x3 <= 1 ;\n";

const NONE: &str = "min: +1 x1 ;\n+1 x1 +1 x2 >= 2 ;\n+1 x1 <= 0 ;\n";

fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("configs")).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// Weights of products of literals; a literal is a variable and if it is negated.
type Terms = Vec<(i64, Vec<(usize, bool)>)>;

fn terms(rng: &mut ChaCha8Rng, variables: usize) -> Terms {
    let term = |rng: &mut ChaCha8Rng| {
        let weight = *[1, 2, 3, -1, -5, 40, -300, 2_500].choose(rng).unwrap();
        let length = *[1, 1, 1, 2].choose(rng).unwrap();
        (weight, (0..length).map(|_| (rng.random_range(0..variables), rng.random())).collect())
    };
    (0..rng.random_range(1..6)).map(|_| term(rng)).collect()
}

fn written(terms: &Terms) -> String {
    let mut text = String::new();
    for (weight, factors) in terms {
        write!(text, "{weight:+} ").unwrap();
        for (variable, negated) in factors {
            write!(text, "{}x{} ", if *negated { "~" } else { "" }, variable + 1).unwrap();
        }
    }
    text
}

fn value(terms: &Terms, bits: u32) -> i64 {
    let holds = |&(variable, negated): &(usize, bool)| (bits >> variable & 1 == 1) != negated;
    terms.iter().filter(|(_, factors)| factors.iter().all(holds)).map(|(weight, _)| weight).sum()
}

#[test]
fn the_optimum_of_random_files_is_that_of_all_assignments() {
    let mut rng = ChaCha8Rng::seed_from_u64(44);
    let folder = folder_with(&[]);
    let (mut optima, mut refuted) = (0, 0);
    for round in 0..60 {
        let variables = rng.random_range(2..6);
        let [aim, sum] = [(); 2].map(|()| terms(&mut rng, variables));
        let bound = value(&sum, rng.random_range(0..1 << variables));
        let relation = [">=", "<=", "=", ">"].choose(&mut rng).unwrap();
        let is_maximum: bool = rng.random();
        let word = if is_maximum { "max" } else { "min" };
        let text = format!(
            "* #variable= {variables}\n{word}: {};\n{}{relation} {bound} ;\n",
            written(&aim),
            written(&sum)
        );
        fs::write(folder.path().join("r.opb"), &text).unwrap();
        let holds = |bits: &u32| match *relation {
            ">=" => value(&sum, *bits) >= bound,
            "<=" => value(&sum, *bits) <= bound,
            ">" => value(&sum, *bits) > bound,
            _ => value(&sum, *bits) == bound,
        };
        let values = (0..1 << variables).filter(holds).map(|bits| value(&aim, bits));
        let best = if is_maximum { values.max() } else { values.min() };
        let names = ["robdd", "generalised-totalizer", "weight-counter", "adder-network"];
        let (name, solver) = (names[round % 4], ["cadical", "batsat"][round / 4 % 2]);
        let arguments = ["solve", "r.opb", "--json", "--encoding", name, "--solver", solver];
        let output = bezzel_in(folder.path(), &arguments);
        ended(&output, if best.is_some() { 30 } else { 20 });
        let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let expected = best.map_or(Value::Null, |best| best.to_string().into());
        assert_eq!(found["value"], expected, "{text}");
        assert_eq!(found["verdict"], "verified", "{text}");
        optima += u32::from(best.is_some());
        refuted += u32::from(best.is_none());
    }
    assert!(optima > 20 && refuted > 2, "{optima} {refuted}");
}

#[test]
fn bounds_on_an_objective_take_the_groups_of_the_file_as_parts() {
    let folder = tempfile::tempdir().unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(45);
    for round in 0..10 {
        // Three groups of four variables, and a bound on a sum over all of them.
        let weights: Vec<[i64; 2]> =
            (0..12).map(|_| [rng.random_range(-9..30), rng.random_range(1..20)]).collect();
        let sum = |of: usize| -> String {
            let terms = (0..12).map(|at| format!("{:+} x{} ", weights[at][of], at + 1));
            terms.collect::<Vec<_>>().concat()
        };
        let relation = if round % 2 == 0 { "=" } else { "<=" };
        let groups = [1, 5, 9]
            .map(|x| format!("+1 x{x} +1 x{} +1 x{} +1 x{} {relation} 1 ;\n", x + 1, x + 2, x + 3));
        let text = format!("max: {};\n{}{}<= 30 ;\n", sum(0), groups.concat(), sum(1));
        fs::write(folder.path().join("r.opb"), &text).unwrap();
        // The place of the chosen one in each group; the place 4 is none.
        let places = if relation == "=" { 4 } else { 5 };
        let choices = (0..125).map(|code| [code / 25, code / 5 % 5, code % 5]);
        let choices = choices.filter(|choice| choice.iter().all(|place| *place < places));
        let value = |choice: &[usize; 3], of: usize| -> i64 {
            let chosen = (0..3).filter(|group| choice[*group] < 4);
            chosen.map(|group| weights[4 * group + choice[group]][of]).sum()
        };
        let best =
            choices.filter(|choice| value(choice, 1) <= 30).map(|choice| value(&choice, 0)).max();
        let encoders = [
            "robdd",
            "generalised-totalizer",
            "weight-counter",
            "global-watchdog",
            "robdd-or-watchdog",
        ];
        let arguments =
            ["solve", "r.opb", "--json", "--amo", "detected", "--encoding", encoders[round % 5]];
        let output = bezzel_in(folder.path(), &arguments);
        ended(&output, if best.is_some() { 30 } else { 20 });
        let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let expected = best.map_or(Value::Null, |best| best.to_string().into());
        assert_eq!((&found["value"], &found["verdict"]), (&expected, &"verified".into()), "{text}");
    }
}

fn run(folder: &Path, name: &str, text: &str, code: i32) -> String {
    fs::write(folder.join(format!("configs/{name}.yaml")), format!("name: {name}\n{text}"))
        .unwrap();
    let output = bezzel_in(folder, &["run", &format!("configs/{name}.yaml")]);
    ended(&output, code);
    stdout(&output) + &stderr(&output)
}

fn rows(folder: &Path, name: &str) -> Vec<Value> {
    let rows = rows_in(&folder.join("experiments").join(name)).into_iter();
    rows.map(|row| serde_json::to_value(row).unwrap()).collect()
}

#[test]
fn a_config_asks_for_the_optimum_or_for_bounds() {
    let folder = folder_with(&[("configs/a.opb", KNAPSACK), ("configs/none.opb", NONE)]);
    let folder = folder.path();
    let rest = "encodings: [robdd, adder-network]\nsolvers: [cadical, batsat]\n";
    run(
        folder,
        "best",
        &format!("task: optimise\nproblems: [{{file: [a.opb, none.opb]}}]\n{rest}"),
        0,
    );
    let found = rows(folder, "best");
    assert_eq!(found.len(), 8);
    for row in &found {
        assert_eq!(row["verdict"], "verified", "{row}");
        match row["status"].as_str() {
            Some("sat") => {
                let last = row["values"].as_array().unwrap().last().unwrap();
                assert_eq!(
                    (&last["value"], &row["chosen"]),
                    (&"10".into(), &serde_json::json!([3, 4]))
                );
            }
            status => assert_eq!((status, row.get("values")), (Some("unsat"), None), "{row}"),
        }
    }
    ended(&bezzel_in(folder, &["verify", "best"]), 0);
    // A worse value than that of its solution, and a solution that is worse than another one.
    change_session(&folder.join("experiments/best"), |_, rows| {
        let values = rows.iter_mut().filter_map(|row| row.values.as_mut()?.last_mut());
        values.for_each(|last| last.value = "11".to_owned());
    });
    let forged = ended(&bezzel_in(folder, &["verify", "best", "--sample", "0"]), 1);
    assert!(forged.contains("its verdict is verified, and it is judged wrong"), "{forged}");

    let bounds = "problems: [{file: a.opb, objective: [at least 10, at least 11]}]\n";
    run(folder, "bounds", &format!("{bounds}{rest}"), 0);
    let found = rows(folder, "bounds");
    for row in &found {
        let status = if row["job"]["problem"]["file"]["objective"] == "at least 10" {
            "sat"
        } else {
            "unsat"
        };
        assert_eq!((&row["status"], &row["verdict"]), (&status.into(), &"verified".into()));
    }
    assert_eq!(found.len(), 8);
}

#[test]
fn a_limit_before_the_optimum_is_proved_leaves_the_best_solution() {
    let folder = folder_with(&[("a.opb", KNAPSACK)]);
    // The time limit passes while the answer is checked, however fast the machine is.
    let solve = |arguments: &[&str]| {
        let mut command = Command::new(BEZZEL);
        command.args(["solve", "a.opb", "--timeout", "60"]).args(arguments);
        command.env("BEZZEL_STOP_IN", "checking").current_dir(folder.path()).output().unwrap()
    };
    let pb = solve(&["--format", "pb"]);
    ended(&pb, 10);
    assert!(stdout(&pb).ends_with("o 10\ns SATISFIABLE\nv -x1 -x2 x3 x4\n"), "{}", stdout(&pb));
    let text = solve(&[]);
    ended(&text, 3);
    let end = "a solution of value 10 (verified: rules of the instance); a better one was not searched to the end\n";
    assert!(stdout(&text).ends_with(end), "{}", stdout(&text));
    assert!(stderr(&text).contains("; the best value is 10"), "{}", stderr(&text));
    let json = solve(&["--json"]);
    ended(&json, 3);
    let found: Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!((&found["answer"], &found["value"]), (&"unknown".into(), &"10".into()));
}
