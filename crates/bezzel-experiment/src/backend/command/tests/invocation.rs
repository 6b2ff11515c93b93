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

#[test]
fn an_invalid_solver_is_refused_with_the_reason() {
    for (text, expected) in [
        ("{command: ''}", "`command` is empty"),
        ("{version: a}", "needs `command`"),
        ("{command: {a: b}}", "`command` is a text, not a map"),
        ("{command: a, prof: lrat}", "no key `prof`; did you mean `proof`?"),
        (
            "{command: \"a {proof}\", proof: drat}",
            "`proof` is `lrat` or `proof: {format: drat, convert: \"drat-trim {cnf} {proof} -L {lrat}\"}`, \
             not `drat`",
        ),
        (
            "{command: \"a {proof}\", proof: {format: drat}}",
            "write `proof: {format: drat, convert: ",
        ),
        (
            "{command: \"a {proof}\", proof: {convrt: a}}",
            "no key `convrt`; did you mean `convert`?",
        ),
        (
            "{command: \"a {proof}\", proof: {format: drta, convert: a}}",
            "`format` is drat, not `drta`; did you mean `drat`?",
        ),
        (
            "{command: \"a {proof}\", proof: {format: drat, convert: \"d {cnf} {proof}\"}}",
            "a converter needs a place `{lrat}`, as in `drat-trim {cnf} {proof} -L {lrat}`",
        ),
        (
            "{command: \"a {proof}\", proof: {format: drat, convert: \"d {cnf} {proof} {lrat} {seed}\"}}",
            "`convert` has no place `{seed}`; there are {cnf}, {proof}, {lrat}, {cpu}, {wall}, {memory}",
        ),
        (
            "{command: \"a {cnf} {lrat}\"}",
            "`command` has no place `{lrat}`; there are {cnf}, {proof}",
        ),
        ("{command: \"a {proof}\"}", "say in which format"),
        ("{command: a, proof: lrat}", "needs a place `{proof}`"),
        ("{command: \"a {cnf} {anser}\"}", "no place `{anser}`; there are {cnf}, {proof}"),
        ("{command: \"a {cnf} {anser}\"}", "did you mean `answer`?"),
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
