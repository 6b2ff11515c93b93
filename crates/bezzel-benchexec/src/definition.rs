//! The small files of an export: task definitions, benchmark definitions, tool-info modules.

use std::fmt::Write;

use bezzel_count::{backtrack::Backtrack, published};
use bezzel_experiment::job::Limits;
use bezzel_problem::Instance;

use super::tasks::{Benchmark, RunDefinition, TaskFormula};
use super::tool::Tool;
use super::value::whole;

/// The package of the tool-info modules.
pub(super) const PACKAGE: &str = "bezzel_tools";
/// The file of the property that a solution exists.
pub(super) const PROPERTY: &str = "satisfiable.prp";
/// The common part of all modules.
pub(super) const SOLVER_PY: &str = include_str!("python/solver.py");

/// The largest number of nodes of a search for the expected verdict, which takes a moment for each board.
const SEARCH_BUDGET: u64 = 3_000_000;

/// The property file. BenchExec compares verdicts with expected ones only if there is a property, and reads only
/// its name.
pub(super) const PROPERTY_TEXT: &str = "the formula has a model\n";

/// Returns true if the board has a solution, with the source, if that is soon found out.
pub(super) fn expected(instance: &Instance) -> Option<(bool, String)> {
    let Some(board) = instance.board() else {
        let count = instance.known_count()?;
        return Some((count > 0, format!("number of solutions that `{}` cites", instance.kind())));
    };
    if let Some((solvable, source)) = published::solvable(board) {
        return Some((solvable, format!("published: {source}")));
    }
    let first = Backtrack::new(board)?.first(SEARCH_BUDGET).ok()?;
    Some((first.is_some(), "exhaustive search".into()))
}

/// Returns the definition of a task, in YAML.
pub(super) fn task(
    formula: &TaskFormula,
    ending: &str,
    expected: Option<&(bool, String)>,
) -> String {
    let TaskFormula { name, instance, label, numbering, clause_digest, .. } = formula;
    let mut text = String::from("format_version: '2.0'\n\n");
    for (what, value) in [
        ("board", instance.to_string()),
        ("encoding", label.clone()),
        ("numbering", numbering.id()),
        ("digest of the clauses", clause_digest.clone()),
    ] {
        let _ = writeln!(text, "# {what}: {}", one_line(&value));
    }
    let _ = writeln!(text, "input_files: '../formulas/{name}{ending}'\n");
    let _ = writeln!(text, "properties:\n  - property_file: '../{PROPERTY}'");
    if let Some((solvable, source)) = expected {
        let _ = writeln!(text, "    # {}", one_line(source));
        let _ = writeln!(text, "    expected_verdict: {solvable}");
    }
    text
}

/// Returns the list of tasks of a run definition.
pub(super) fn set(run: &RunDefinition, formulas: &[TaskFormula]) -> String {
    let mut text = String::new();
    for &(formula, _) in &run.tasks {
        let _ = writeln!(text, "../tasks/{}.yml", formulas[formula].name);
    }
    text
}

/// Returns the benchmark definition of a solver, in XML.
///
/// BenchExec takes whole seconds: limits are rounded up.
pub(super) fn benchmark(benchmark: &Benchmark, limits: &Limits) -> String {
    let Limits { cpu_s, wall_s, memory_bytes, .. } = *limits;
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE benchmark PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN\" \
         \"https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd\">\n\
         <benchmark tool=\"{PACKAGE}.{}\" displayName=\"{}\" timelimit=\"{} s\" \
         walltimelimit=\"{} s\" memlimit=\"{memory_bytes} B\">\n  \
         <propertyfile>{PROPERTY}</propertyfile>\n",
        benchmark.name,
        xml(&benchmark.tool.title),
        whole(cpu_s),
        whole(wall_s),
    );
    for run in &benchmark.runs {
        let _ = writeln!(text, "  <!-- {} -->", comment(&run.title));
        let _ = writeln!(text, "  <rundefinition name=\"{}\">", run.name);
        let _ = writeln!(text, "    <option name=\"{}\"/>", xml(&run.line));
        let _ = writeln!(
            text,
            "    <tasks name=\"all\"><includesfile>sets/{}.set</includesfile></tasks>",
            run.name
        );
        text.push_str("  </rundefinition>\n");
    }
    text.push_str("</benchmark>\n");
    text
}

/// Returns the tool-info module of a solver, in Python.
pub(super) fn module(tool: &Tool) -> String {
    let Tool { title, program, version, reads, .. } = tool;
    // A tuple of one needs its comma.
    let reads = reads.iter().map(|ending| python(ending) + ",").collect::<Vec<_>>().join(" ");
    let version = version.as_deref().map_or("None".to_owned(), python);
    format!(
        "\"\"\"The data of a solver for BenchExec; the rest is in solver.py.\"\"\"\n\n\
         from {PACKAGE}.solver import Solver\n\n\n\
         class Tool(Solver):\n    \
         TITLE = {}\n    PROGRAM = {}\n    VERSION = {version}\n    READS = ({reads})\n",
        python(title),
        python(program),
    )
}

/// Returns the text in an attribute or an element. Characters that XML does not allow are left out.
fn xml(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => written.push_str("&amp;"),
            '<' => written.push_str("&lt;"),
            '>' => written.push_str("&gt;"),
            '"' => written.push_str("&quot;"),
            '\'' => written.push_str("&apos;"),
            // An XML parser would turn these into blanks.
            '\t' | '\n' | '\r' => {
                let _ = write!(written, "&#{};", u32::from(c));
            }
            c if c.is_control() => {}
            c => written.push(c),
        }
    }
    written
}

/// Returns the text in a comment of XML, which may not contain two hyphens.
fn comment(text: &str) -> String {
    one_line(text).replace("--", "- -").replace("--", "- -")
}

/// Returns the text as a literal of Python.
fn python(text: &str) -> String {
    let mut written = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => written.extend(['\\', c]),
            c if c.is_ascii_graphic() || c == ' ' => written.push(c),
            c => {
                let _ = write!(written, "\\U{:08x}", u32::from(c));
            }
        }
    }
    written.push('"');
    written
}

/// Returns the text in one line of a comment.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use bezzel_problem::{Board, Square};

    use super::*;

    #[test]
    fn hostile_text_stays_where_it_is_put() {
        let hostile = "\"/><x a='&' --\n\u{7}";
        assert_eq!(xml(hostile), "&quot;/&gt;&lt;x a=&apos;&amp;&apos; --&#10;");
        assert_eq!(comment("a --- b\n"), "a - - - b ");
        assert!(!comment("-----").contains("--"));
        assert_eq!(python("a\"\\\nß"), "\"a\\\"\\\\\\U0000000a\\U000000df\"");
        assert_eq!(one_line("a\nb: c"), "a b: c");
    }

    #[test]
    fn limits_are_rounded_up() {
        assert_eq!([0.2, 1.0, 1.01].map(whole), [1, 1, 2]);
    }

    #[test]
    fn the_expected_answer_of_a_board_is_published_or_searched() {
        let corner = Board::new(6).unwrap().with_placed([Square::new(0, 0)]).unwrap();
        assert_eq!(expected(&corner.into()), Some((false, "exhaustive search".into())));
        assert!(expected(&Board::new(8).unwrap().into()).unwrap().0);
        let open = Board::new(200).unwrap().with_blocked([Square::new(0, 0)]);
        assert_eq!(expected(&open.unwrap().into()), None);
    }
}
