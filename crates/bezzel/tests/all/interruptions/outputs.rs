//! Nobody listens: stdout and stderr closed early.

use std::io;
use std::process::{Command, Stdio};

use crate::interruptions::place::Place;
use crate::program::{BEZZEL, told};

/// The verbs as the help lists them.
fn verbs() -> Vec<String> {
    let help = Command::new(BEZZEL).arg("--help").output().unwrap();
    let text = told(&help);
    let listed = text.lines().skip_while(|line| *line != "Commands:").skip(1);
    let verbs = listed.take_while(|line| !line.is_empty()).filter_map(|line| {
        let word = line.strip_prefix("  ")?.split(' ').next()?;
        (!word.is_empty()).then(|| word.to_owned())
    });
    verbs.collect()
}

/// Arguments with which a verb has something to say.
fn arguments(verb: &str) -> &'static [&'static str] {
    match verb {
        "run" => &["question.yaml"],
        "report" | "verify" => &["small"],
        "solve" | "board" | "encode" => &["8"],
        "decode" => &["-", "4"],
        "show" | "check" => &["pairwise"],
        "new-encoding" => &["Not A Name"],
        "completions" => &["bash"],
        "list" | "schema" | "help" => &[],
        _ => &["--help"],
    }
}

#[test]
fn whoever_stops_listening_makes_no_verb_panic() {
    let place = Place::small(1);
    let verbs = verbs();
    assert!(verbs.iter().any(|verb| verb == "run") && verbs.len() > 12, "{verbs:?}");
    for verb in verbs {
        for stderr_too in [false, true] {
            // Nobody reads from the other end.
            let (reader, writer) = io::pipe().unwrap();
            drop(reader);
            let mut command = Command::new(BEZZEL);
            command.arg(&verb).args(arguments(&verb)).current_dir(place.path());
            command.stdin(Stdio::null()).stdout(writer.try_clone().unwrap());
            if stderr_too {
                command.stderr(writer);
            } else {
                command.stderr(Stdio::piped());
            }
            let output = command.output().unwrap();
            let told = told(&output);
            assert!(!told.contains("panicked"), "{verb}: {told}");
            let code = output.status.code();
            assert!(
                matches!(code, Some(0 | 1 | 2 | 10 | 20 | 141)),
                "{verb}, stderr closed {stderr_too}: {:?} {told}",
                output.status
            );
        }
    }
}

#[test]
fn a_run_to_which_nobody_listens_keeps_its_rows() {
    let place = Place::small(1);
    let (reader, writer) = io::pipe().unwrap();
    drop(reader);
    let output = place.command().stdout(writer).output().unwrap();
    assert!(!told(&output).contains("panicked"), "{}", told(&output));
    let output = place.run();
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert_eq!(crate::interruptions::place::results(&place.rows()).len(), 16);
}
