//! Programs with faults of every kind.

use super::*;
use crate::model::row::Termination;

/// Returns the error of a script for two guests on three chairs.
fn failure_of(text: &str, limits: Limits) -> ProgramError {
    failure(&Script::new(text).name(), limits)
}

fn failure(name: &str, limits: Limits) -> ProgramError {
    let registry = Registry::standard();
    match EncoderPrograms::new(&registry, limits, &Permission::everything()).find(
        name,
        Settings::default(),
        &Seating::new(2, 3).into(),
    ) {
        Err(FindError::Program(error)) => error,
        Err(FindError::Name(error)) => panic!("{error}"),
        Ok(_) => panic!("it is an encoding"),
    }
}

/// Returns the error of a script that ignores its input and prints `printed`.
fn complaint_about(printed: &str) -> String {
    let script = Script::new(&format!("cat >/dev/null\ncat <<'END'\n{printed}END\n"));
    let error = failure(&script.name(), QUICK);
    assert_eq!(error.termination, Termination::Crashed);
    let message = error.to_string();
    let begin = format!("the encoder `sh {}", script.folder.path().display());
    assert!(message.starts_with(&begin), "{message}");
    message.split_once("` ").unwrap().1.to_owned()
}

#[test]
fn an_invalid_answer_is_refused_with_its_place() {
    let cases = [
        ("", "was asked 2 lines and answered 0"),
        (
            "hello\n",
            "answered `at-most-one 2` wrongly: line 1, column 1: the header is missing before `hello`: it is \
             `p cnf V C`, with the numbers of variables and clauses",
        ),
        ("p cnf 2 1\n-1 -2 0\n", "was asked 2 lines and answered 1"),
        ("p cnf 2 0\np cnf 3 0\nc once more\np cnf 3 0\n", "was asked 2 lines and answered 3"),
        (
            "p cnf 2 0\nc five\n\np cnf 3 1\n-1 -3 0\n-2 -3 0\n",
            "answered `at-most-one 3` wrongly: line 4, column 9: the header states 1 constraints, and \
             the file has 2: write 2 here if the file is whole",
        ),
        (
            "p cnf 2 0\np cnf 3 3\n-1 -3 0\n",
            "answered `at-most-one 3` wrongly: line 2, column 9: the header states 3 constraints, and \
             the file has 1: write 1 here if the file is whole",
        ),
        // An auxiliary variable beyond those of the header.
        (
            "p cnf 2 0\np cnf 4 2\n-1 4 0\n-2 5 0\n",
            "answered `at-most-one 3` wrongly: line 4, column 4: variable 5 is above 4, the \
             number of variables in the header: correct the header or the variable",
        ),
        (
            "p cnf 2 0\np cnf 2 0\n",
            "answered `at-most-one 3` wrongly: the header states 2 variables, but the first 3 are \
             the inputs",
        ),
        (
            "p cnf 2 0\np cnf 2147483647 1\n-1 -3 0\n",
            "answered `at-most-one 3` wrongly: the header states 2,147,483,647 variables, and the \
             clauses have 2 literals: state as many as there are",
        ),
        (
            "p cnf 2 0\nunfit too long\n",
            "answered `at-most-one 3` wrongly: line 2: only an instance may be refused as unfit",
        ),
        (
            "Traceback\np cnf 2 0\np cnf 3 0\n",
            "answered `at-most-one 2` wrongly: line 1, column 1: the header is missing before \
             `Traceback`: it is `p cnf V C`, with the numbers of variables and clauses",
        ),
    ];
    for (printed, expected) in cases {
        assert_eq!(complaint_about(printed), expected, "{printed:?}");
    }
}

#[test]
fn a_map_of_a_grid_that_is_not_whole_is_refused() {
    let registry = Registry::standard();
    let message = |printed: &str| {
        let script = Script::new(&format!("cat >/dev/null; cat <<'END'\n{printed}END\n"));
        let mut programs = EncoderPrograms::new(&registry, QUICK, &Permission::everything());
        let instance = Seating::new(1, 2).into();
        let error =
            programs.find(&script.of_instances(), Settings::default(), &instance).err().unwrap();
        error.to_string().split_once("wrongly: ").unwrap().1.to_owned()
    };
    let cases = [
        (
            "p cnf 1 0\n",
            "the header states 1 variables, but without comments `c square ROW,COLUMN LITERALS` \
             the first 2 are the squares",
        ),
        ("c square 1,1 1\np cnf 2 0\n", "the comments name squares, but not 1,2"),
        (
            "c square 1,1 1\nc square 1,2 3\np cnf 2 0\n",
            "the square 1,2 has the literal 3: variables run from 1 to 2",
        ),
        (
            "c square 1,1 1\nc square 1,2 2\nc square 2,1 1\np cnf 2 0\n",
            "the comments name the square 2,1, which is not on the seating",
        ),
        ("unfit\n", "line 1: a refusal needs a reason: `unfit REASON`"),
        ("unfit small\n1 0\n", "line 2: the seating is refused as unfit, and has no clauses"),
    ];
    for (printed, expected) in cases {
        assert_eq!(message(printed), expected, "{printed:?}");
    }
}

#[test]
fn a_program_that_dies_is_reported_with_its_last_output() {
    let message = |text: &str| {
        let error = failure_of(text, QUICK);
        assert_eq!(error.termination, Termination::Crashed);
        error.to_string().split_once("` ").unwrap().1.to_owned()
    };
    assert_eq!(message("exit 3"), "ended with exit code 3");
    let script = "echo one >&2; echo; echo two >&2; printf 'three\\033[31m' >&2; exit 1";
    assert_eq!(message(script), "ended with exit code 1: one / two / three [31m");
    // A shell may become its last command, or wait for it.
    let killed = message("kill -SEGV $$");
    assert!(killed.contains("by signal 11"), "{killed}");
    let error = failure("{command: no-such-program-anywhere}", QUICK).to_string();
    assert!(error.contains("ended with exit code 127, which shells use"), "{error}");
    assert!(error.ends_with("not found"), "{error}");
    // The program answers every request, and fails at its end.
    assert_eq!(
        message("cat >/dev/null; echo p cnf 2 0; echo p cnf 3 0; exit 4"),
        "ended with exit code 4"
    );
}

#[test]
#[ignore = "second tier: it waits for limits"]
fn a_program_that_hangs_loops_or_hoards_is_ended_at_its_limit() {
    let error = failure_of("sleep 1000", Limits { wall_s: 0.2, ..QUICK });
    assert!(error.to_string().ends_with("was out of wall time"), "{error}");
    assert_eq!(error.termination, Termination::WallLimit);
    let error = failure_of("while :; do :; done", Limits { cpu_s: 1.0, ..QUICK });
    assert!(error.to_string().ends_with("was out of CPU time"), "{error}");
    assert_eq!(error.termination, Termination::CpuLimit);
    // Shells end in several ways without memory; interpreters report it.
    let error = failure_of("x=aaaaaaaa; while :; do x=$x$x; done", QUICK);
    let ends = [Termination::Crashed, Termination::MemoryLimit];
    assert!(ends.contains(&error.termination), "{error}");
    let error = failure_of("echo MemoryError >&2; exit 1", QUICK);
    let message = error.to_string();
    assert!(message.ends_with("was refused memory: MemoryError"), "{message}");
    assert_eq!(error.termination, Termination::MemoryLimit);
}

#[test]
#[ignore = "second tier: it writes until a limit"]
fn a_program_that_writes_without_end_is_ended_at_once() {
    for stream in [1, 2] {
        let line = "x".repeat(8000);
        let flood = format!("while :; do echo {line}; done >&{stream}");
        let error = failure_of(&flood, LIMITS);
        assert!(error.is_of_limits && error.to_string().contains("wrote more than"), "{error}");
    }
}

#[test]
fn a_program_gets_little_of_the_environment() {
    let script = "cat >/dev/null; env | cut -d= -f1 | sort | tr '\\n' ' ' >&2; exit 1";
    let message = failure_of(script, QUICK).to_string();
    let names = message.split_once("code 1: ").unwrap().1;
    // Variables that a shell adds by itself do not count.
    let given = names.split(' ').filter(|name| !["PWD", "OLDPWD", "SHLVL", "_"].contains(name));
    for name in given {
        assert!(ENVIRONMENT.contains(&name), "{names}");
    }
    assert!(names.contains("PATH"));
}
