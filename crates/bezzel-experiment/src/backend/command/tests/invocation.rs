//! Names of programs.

use super::super::invocation::Invocation;
use crate::model::job::BackendKind;

#[test]
fn a_program_has_one_name_however_it_is_written() {
    for (written, name) in [
        ("{command: kissat}", "{command: \"kissat\"}"),
        ("{command: ' kissat {cnf} '}", "{command: \"kissat {cnf}\"}"),
        (
            "{proof: drat, version: k --version, command: 'k {cnf} {proof}', answer: stdout}",
            "{command: \"k {cnf} {proof}\", version: \"k --version\", proof: drat}",
        ),
        (
            "{command: \"minisat {cnf} {answer}\", answer: minisat}",
            "{command: \"minisat {cnf} {answer}\"}",
        ),
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

#[test]
fn an_invalid_solver_is_refused_with_the_reason() {
    for (text, expected) in [
        ("{command: ''}", "`command` is empty"),
        ("{version: a}", "needs `command`"),
        ("{command: {a: b}}", "`command` is a text, not a map"),
        ("{command: a, prof: drat}", "no key `prof`; did you mean `proof`?"),
        (
            "{command: \"a {proof}\", proof: drta}",
            "`proof` is drat or lrat, not `drta`; did you mean `drat`?",
        ),
        ("{command: \"a {proof}\"}", "say in which format"),
        ("{command: a, proof: drat}", "needs a place `{proof}`"),
        ("{command: \"a {cnf} {anser}\"}", "no place `{anser}`; there are {cnf}, {proof}"),
        ("{command: \"a {cnf} {anser}\"}", "did you mean `answer`?"),
        ("{command: a, answer: minisat}", "needs a place `{answer}`"),
        ("{command: \"a {answer}\", answer: stdout}", "remove one of the two"),
        ("{command: \"a [{cnf}]\"}", "never left out"),
        (
            "{command: a, exit: any1}",
            "`exit` is competition or any, not `any1`; did you mean `any`?",
        ),
        ("{command: a", "`{command: a` is no solver: `,` or `}` is expected at character 12"),
        ("{command: a, command: b}", "the key `command` stands twice"),
    ] {
        let error = Invocation::parse(BackendKind::Solver, text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
