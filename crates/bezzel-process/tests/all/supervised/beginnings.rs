//! The environment of command lines at their start, and failed starts.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use bezzel_process::{Exit, ExternalError, Supervised};

use super::{AMPLE, Bench};

#[test]
fn the_environment_has_what_programs_need_and_no_options_of_theirs() {
    let bench = Bench::new("exec env", AMPLE);
    // The test's own environment contains others: cargo's variables.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    bench.run();
    let known = ["LC_ALL", "TOKEN", "PWD", "_", "OLDPWD", "SHLVL"];
    for line in bench.text().lines() {
        let (name, value) = line.split_once('=').unwrap();
        let given = bezzel_process::supervised::ENVIRONMENT.contains(&name);
        assert!(given || known.contains(&name), "{line}");
        assert!(name != "LC_ALL" || value == "C");
    }
    assert!(bench.text().contains("\nPATH=") || bench.text().starts_with("PATH="));
}

#[test]
fn standard_input_is_empty_and_there_is_no_terminal() {
    let bench = Bench::new("cat; (: < /dev/tty) 2> /dev/null || echo none", AMPLE);
    assert_eq!((bench.run().exit, bench.text().as_str()), (Exit::Code(0), "none\n"));
}

#[test]
fn it_leads_a_session_and_is_inside_its_limits() {
    let script = "cut -d ' ' -f 1,5,6 /proc/self/stat > /dev/null; \
                  set -- $(cat /proc/$$/stat); [ $1 = $5 ] && [ $1 = $6 ] && echo leads; \
                  ulimit -c; ulimit -d; ulimit -S -t; ulimit -H -t; ulimit -f";
    let mut bench = Bench::new(script, AMPLE);
    bench.program.file_bytes = 10 << 20;
    bench.run();
    assert_eq!(bench.text(), "leads\n0\n2162688\n751\n752\n20480\n");
}

#[test]
fn a_folder_whose_name_is_no_text_is_a_folder_too() {
    let mut bench = Bench::new("pwd | wc -c", AMPLE);
    let folder = bench.path().join(OsStr::from_bytes(b"a\xffb"));
    std::fs::create_dir(&folder).unwrap();
    let length = folder.as_os_str().len() + 1;
    bench.program.directory = folder;
    assert_eq!(bench.run().exit, Exit::Code(0));
    assert_eq!(bench.text().trim(), length.to_string());
}

#[track_caller]
fn refused(bench: &Bench) -> String {
    let error = bench.try_run().unwrap_err();
    assert!(matches!(error, ExternalError::Supervisor { .. }), "{error}");
    error.to_string()
}

#[test]
fn a_program_that_cannot_start_is_an_error_with_the_reason() {
    let with = |change: fn(&mut Supervised)| {
        let mut bench = Bench::new("true", AMPLE);
        change(&mut bench.program);
        refused(&bench)
    };
    let error = with(|program| program.directory = "/nowhere".into());
    assert!(
        error.starts_with("cannot run `true`: cannot run in /nowhere: No such file"),
        "{error}"
    );
    let error = with(|program| program.output = "/nowhere/output".into());
    assert!(error.contains("cannot write its output to /nowhere/output: "), "{error}");
    let error = with(|program| program.cgroup = Some("/nowhere".into()));
    assert!(error.contains("the control group /nowhere: "), "{error}");
}

#[test]
fn a_command_line_that_is_not_found_is_reported_by_the_shell() {
    let outcome = Bench::new("no-such-program", AMPLE).run();
    assert_eq!(outcome.exit, Exit::Code(127));
    assert!(outcome.stderr.text().contains("no-such-program: not found"));
}

#[test]
fn a_supervisor_that_is_none_is_an_error() {
    let mut bench = Bench::new("true", AMPLE);
    bench.program.supervisor = PathBuf::from("/nowhere/bezzel");
    assert!(matches!(bench.try_run().unwrap_err(), ExternalError::Start { .. }));
    bench.program.supervisor = PathBuf::from("/bin/true");
    let error = bench.try_run().unwrap_err();
    assert!(matches!(error, ExternalError::SupervisorDied { exit: Exit::Code(0), .. }), "{error}");
    bench.program.supervisor = PathBuf::from("/bin/false");
    let error = bench.try_run().unwrap_err();
    assert!(matches!(error, ExternalError::SupervisorDied { exit: Exit::Code(1), .. }), "{error}");
}
