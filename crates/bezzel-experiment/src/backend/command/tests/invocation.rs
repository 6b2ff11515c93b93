//! Names of programs.

use super::super::invocation::Invocation;
use crate::model::job::BackendKind;

#[test]
fn a_program_has_one_name_however_it_is_written() {
    for (written, name) in [
        ("{command: kissat}", "{command: \"kissat\"}"),
        ("{command: ' kissat {cnf} '}", "{command: \"kissat {cnf}\"}"),
        (
            "{proof: lrat, version: k --version, command: 'k {cnf} {proof}'}",
            "{command: \"k {cnf} {proof}\", version: \"k --version\", proof: lrat}",
        ),
        (
            "{command: 'k {cnf} {proof}', proof: {convert: 'd {cnf} {proof} {lrat}', format: drat}}",
            "{command: \"k {cnf} {proof}\", proof: {format: drat, convert: \"d {cnf} {proof} {lrat}\"}}",
        ),
        ("{command: 'minisat {cnf} {answer}'}", "{command: \"minisat {cnf} {answer}\"}"),
        ("{exit: any, command: kissat}", "{command: \"kissat\", exit: any}"),
        ("{command: kissat, exit: competition}", "{command: \"kissat\"}"),
        ("{command: 'a \"{cnf}\" \\n'}", "{command: 'a \"{cnf}\" \\n'}"),
        ("{command: \"a 'b c' {cnf}\"}", "{command: \"a 'b c' {cnf}\"}"),
    ] {
        let call = Invocation::parse(BackendKind::Solver, written).unwrap();
        assert_eq!(call.to_string(), name);
        assert_eq!(Invocation::parse(BackendKind::Solver, name).unwrap(), call);
    }
}
