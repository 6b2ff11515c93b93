//! What is set beside the encoding, from the command line and in whole runs.

use std::process::{Command, Output};

fn bezzel(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bezzel")).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_board_is_solved_under_every_order() {
    for encoding in ["pairwise", "product", "binary", "bryant-circuit:binary"] {
        for squares in ["row-major", "column-major", "spiral", "centre-out"] {
            for auxiliaries in ["after", "before", "between"] {
                let order = ["--squares", squares, "--auxiliaries", auxiliaries];
                let output =
                    bezzel(&[&["solve", "12", "--encoding", encoding], &order[..]].concat());
                assert_eq!(output.status.code(), Some(10), "{encoding}: {}", stderr(&output));
            }
        }
    }
}

#[test]
fn a_file_says_in_which_order_its_variables_are() {
    let order = ["--squares", "spiral", "--auxiliaries", "before"];
    let text = stdout(&bezzel(
        &[&["encode", "3", "--encoding", "sequential-counter"], &order[..]].concat(),
    ));
    assert!(text.contains("\nc numbering: spiral with auxiliaries before\n"), "{text}");
    let primary = text.lines().find(|line| line.starts_with("c square 3,2 ")).unwrap();
    let centre = text.lines().find(|line| line.starts_with("c square 2,2 ")).unwrap();
    let number = |line: &str| line.rsplit(' ').next().unwrap().parse::<u32>().unwrap();
    // The last but three of the spiral, and the last.
    assert_eq!(number(centre), number(primary) + 3);
}

#[test]
fn orders_that_make_no_sense_are_refused() {
    for (arguments, told) in [
        (["--squares", "spirals"], "unknown order of squares `spirals`; did you mean `spiral`?"),
        (["--auxiliaries", "behind"], "unknown place of auxiliary variables `behind`"),
    ] {
        let output = bezzel(&[&["solve", "8"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
    let output = bezzel(&["solve", "8", "--squares", "spiral", "--shuffle", "1"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot be used with"), "{}", stderr(&output));
}
