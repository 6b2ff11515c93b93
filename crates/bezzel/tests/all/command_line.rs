//! The command line for users: its output and its exit codes.

use std::path::Path;
use std::process::Command;

use crate::program::{bezzel, ended, prints, stderr, stdout};

/// The commands without those that only Bezzel itself starts.
fn commands() -> Vec<String> {
    bezzel::commands().into_iter().filter(|command| command != "worker").collect()
}

#[test]
fn help_groups_at_most_sixteen_commands_and_has_a_short_form() {
    let help = stdout(&bezzel(&["--help"]));
    let listed =
        help.lines().skip_while(|line| *line != "Try:").take_while(|line| *line != "Options:");
    let listed = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let mut listed: Vec<&str> = listed.collect();
    listed.sort_unstable();
    let mut commands = commands();
    commands.sort();
    assert_eq!(listed, commands);
    assert!(commands.len() <= 16, "{commands:?}");
    for command in &commands {
        let [short, long] = ["-h", "--help"].map(|option| stdout(&bezzel(&[command, option])));
        assert!(long.contains("Examples:") && !short.contains("Examples:"), "{command}");
        assert!(short.lines().count() < long.lines().count(), "{command}");
    }
    let groups = help.split("Options:").next().unwrap();
    assert!(groups.lines().all(|line| line.chars().count() <= 80), "{help}");
}

#[test]
fn a_shell_completes_encodings_solvers_experiments_and_configs() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("configs")).unwrap();
    std::fs::write(folder.path().join("configs/mine.yaml"), "").unwrap();
    let session = folder.path().join("experiments/older");
    std::fs::create_dir_all(&session).unwrap();
    std::fs::write(session.join("s.jsonl"), "{}\n").unwrap();
    let completed = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
        command.env("COMPLETE", "fish").current_dir(folder.path());
        stdout(&command.args(["--", "bezzel"]).args(words).output().unwrap())
    };
    for (words, name) in [
        (&["solve", "8", "--encoding", "sequential-c"][..], "sequential-counter"),
        (&["check", "generalised"], "generalised-totalizer"),
        (&["solve", "8", "--solver", "bat"], "batsat"),
        (&["solve", "8", "--engine", "backt"], "backtrack"),
        (&["status", "o"], "older"),
        (&["report", "older", "--against", "o"], "older"),
        (&["run", "m"], "mine"),
        (&["list", "enc"], "encodings"),
    ] {
        let text = completed(words);
        assert!(
            text.lines().any(|line| line.split('\t').next() == Some(name)),
            "{words:?}: {text}"
        );
    }
    let script = Command::new(env!("CARGO_BIN_EXE_bezzel")).env("COMPLETE", "bash").output();
    assert!(stdout(&script.unwrap()).contains("complete "));
}

#[test]
fn examples_fit_eighty_columns_and_paragraphs_are_wrapped_by_the_terminal() {
    for (command, columns) in
        commands().iter().flat_map(|command| ["80", "100"].map(|columns| (command, columns)))
    {
        let output = Command::new(env!("CARGO_BIN_EXE_bezzel"))
            .args([command, "--help"])
            .env("COLUMNS", columns)
            .output()
            .unwrap();
        let text = stdout(&output);
        let width: usize = columns.parse().unwrap();
        let notes = text.split_once("Examples:").map_or("", |(_, notes)| notes);
        let lines: Vec<&str> = notes.lines().collect();
        for pair in lines.windows(2) {
            let [line, next] = pair else { unreachable!("two each") };
            assert!(line.chars().count() <= width, "{command}: {line}");
            // A line of a paragraph ends only where the next word does not fit.
            let first = next.split(' ').next().unwrap_or_default();
            let is_list = line.starts_with(' ') || next.starts_with(' ') || line.ends_with(':');
            let fits = line.chars().count() + 1 + first.chars().count() <= width;
            assert!(
                is_list || line.is_empty() || next.is_empty() || !fits,
                "{command} at {columns}: `{line}` and then `{next}`"
            );
        }
    }
}

#[test]
fn list_tells_every_kind_with_ids_as_json() {
    let output = bezzel(&["list", "--json"]);
    let listing: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    for kind in ["encodings", "bounds", "solvers", "engines", "figures", "tables"] {
        let entries = listing[kind].as_array().unwrap();
        assert!(!entries.is_empty());
        assert!(entries.iter().all(|entry| entry["id"].is_string()), "{kind}");
    }
    let encodings = listing["encodings"].as_array().unwrap();
    let with_lines =
        |id: &str| encodings.iter().find(|entry| entry["id"] == id).unwrap()["lines"].clone();
    assert_eq!(["product", "binary"].map(with_lines), [true, false]);
    let engines = listing["engines"].as_array().unwrap();
    let named = |id: &str| engines.iter().find(|entry| entry["id"] == id).unwrap();
    assert_eq!(named("blocking")["reads"], "clauses");
    assert_eq!(named("blocking")["powers"]["lists"], true);
    assert_eq!(named("ganak")["powers"]["lists"], false);
}

/// The first words of the lines of a list that begin an entry.
fn entries(list: &str) -> Vec<&str> {
    let begun = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    list.lines().filter(begun).map(|line| line.split_whitespace().next().unwrap()).collect()
}

#[test]
fn a_list_fits_eighty_columns_and_folds_variants_unless_a_word_is_given() {
    let all = stdout(&bezzel(&["list"]));
    assert!(all.lines().count() <= 30, "{all}");
    for kind in ["encodings", "solvers", "engines", "figures", "tables"] {
        assert!(all.lines().any(|line| line.starts_with(kind)), "{kind}");
        let list = stdout(&bezzel(&["list", kind]));
        let lines = all.lines().chain(list.lines());
        lines.for_each(|line| assert!(line.chars().count() <= 80, "{line}"));
    }
    let folded = stdout(&bezzel(&["list", "encodings"]));
    let ids = entries(&folded);
    assert_eq!(ids.iter().filter(|id| id.starts_with("bryant-circuit")).count(), 1, "{folded}");
    let settings = "settings +plaisted-greenbaum +columns :binary\n";
    assert!(folded.contains(settings), "{folded}");
    let each = stdout(&bezzel(&["list", "encodings", "Klieber"]));
    let expected = ["", "+one-way", "+flat", "+flat+one-way"];
    let commanders = ["2", "3", "4"].map(|k| expected.map(|end| format!("commander:{k}{end}")));
    let rest = ["tree", "tree+defined", "rustsat-commander"].map(str::to_owned);
    assert_eq!(entries(&each), [commanders.concat(), rest.to_vec()].concat());
}

#[test]
fn the_picked_arguments_can_be_pasted_and_give_the_same_board() {
    let output = bezzel(&["solve", "20"]);
    let picked = stderr(&output);
    let words = picked.strip_prefix("picked: ").unwrap().split_whitespace();
    let again = bezzel(&[&["solve", "20"], &words.collect::<Vec<_>>()[..]].concat());
    assert_eq!((stdout(&output), ""), (stdout(&again), &*stderr(&again)));
}

#[test]
fn dimacs_output_is_what_solver_competitions_ask_for() {
    let output = bezzel(&["solve", "8", "--encoding", "pairwise", "--dimacs-output"]);
    assert_eq!(output.status.code(), Some(10));
    let text = stdout(&output);
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("s SATISFIABLE"));
    let values: Vec<i32> = lines
        .inspect(|line| assert!(line.starts_with("v ") && line.len() <= 78))
        .flat_map(|line| line[2..].split(' ').map(|word| word.parse().unwrap()))
        .collect();
    assert_eq!(values.len(), 65);
    assert_eq!(values.last(), Some(&0));
    assert_eq!(values.iter().filter(|&&value| value > 0).count(), 8);

    let output = bezzel(&["solve", "3", "--dimacs-output"]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(20), "s UNSATISFIABLE\n"));
}

#[test]
fn encoding_writes_the_same_formula_to_stdout_and_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("queens.cnf");
    let printed = stdout(&bezzel(&["encode", "6", "--encoding", "binary"]));
    ended(&bezzel(&["encode", "6", "--encoding", "binary", "-o", file.to_str().unwrap()]), 0);
    let written = std::fs::read_to_string(file).unwrap();
    // One line names the command, and differs.
    let rest = |text: &str| {
        text.lines()
            .filter(|line| !line.starts_with("c made by"))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(rest(&printed), rest(&written));
    assert!(written.lines().all(|line| !line.starts_with("c --")));
    assert!(written.lines().any(|line| line.starts_with("p cnf 18 ")));
}

#[test]
fn the_command_that_made_a_formula_can_be_pasted_into_a_shell() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("two words.cnf"), folder.path().join("again"));
    std::fs::create_dir(&second).unwrap();
    let name = first.to_str().unwrap();
    let output = bezzel(&["encode", "5", "--encoding", "commander:3", "--torus", "-o", name]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = std::fs::read_to_string(&first).unwrap();
    assert!(!text.contains("--"), "CaDiCaL would read an option: {text}");
    let line = text.lines().find_map(|line| line.strip_prefix("c made by: ")).unwrap();
    std::fs::remove_file(&first).unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_bezzel")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let shell = Command::new("/bin/sh").args(["-c", line]).env("PATH", path).output().unwrap();
    assert!(shell.status.success(), "{line}: {}", stderr(&shell));
    assert_eq!(std::fs::read_to_string(&first).unwrap(), text);
}

#[test]
fn a_device_is_written_to_and_stays_a_device() {
    ended(&bezzel(&["encode", "6", "-o", "/dev/null"]), 0);
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    assert!(!Path::new("/dev/null.part").exists());
}

#[test]
fn options_in_the_environment_are_refused_since_no_row_would_tell() {
    prints(
        &Command::new(env!("CARGO_BIN_EXE_bezzel"))
            .args(["solve", "8"])
            .env("CADICAL_ELIM", "0")
            .output()
            .unwrap(),
        2,
        "CADICAL_ELIM is set",
    );
}

#[test]
fn every_command_has_a_man_page() {
    let folder = tempfile::tempdir().unwrap();
    let man = folder.path().join("man1");
    ended(&bezzel(&["list", "--man", man.to_str().unwrap()]), 0);
    let page = |name: &str| std::fs::read_to_string(man.join(format!("{name}.1"))).unwrap();
    for command in commands() {
        assert!(page(&format!("bezzel-{command}")).contains(".SH SYNOPSIS"), "{command}");
    }
    assert_eq!(std::fs::read_dir(&man).unwrap().count(), 1 + commands().len());
    assert!(page("bezzel").contains("bezzel\\-run(1)") && page("bezzel-show").contains("detect"));
}
