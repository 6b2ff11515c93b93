//! Solvers as programs that BenchExec can run.

use bezzel_solve::OptionValue;

use super::name;
use super::value::whole;
use bezzel_experiment::Backend as _;
use bezzel_experiment::backend::command::{CommandBackend, Invocation, Placeholder};
use bezzel_experiment::job::Job;

/// A solver as a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tool {
    /// Its name in configs.
    pub title: String,
    /// The program's name: BenchExec searches for it, unless it is a path.
    pub program: String,
    /// The command line, for a shell, that prints its version, if there is one.
    pub version: Option<String>,
    /// The extensions of compressed formulas that it reads by itself.
    pub reads: &'static [&'static str],
    call: CallForm,
}

/// The form of a solver's call.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CallForm {
    /// The form of CaDiCaL: every option by its name.
    Options,
    /// A command line.
    Line(Invocation),
}

/// The shell variable with the path of the formula.
const FORMULA: &str = "$bezzel_cnf";
/// The shell variable with the path of the file that gets the answer.
const ANSWER: &str = "$bezzel_answer";

impl Tool {
    /// Returns the program of a job's solver.
    ///
    /// # Errors
    ///
    /// The reason why there is none, as a sentence.
    pub(super) fn of(job: &Job) -> Result<Self, String> {
        let title = job.solver.clone();
        let (program, version, call) = if is_linked_cadical(&title) {
            ("cadical".to_owned(), Some("cadical --version".to_owned()), CallForm::Options)
        } else if let Some(call) = solver(&title) {
            // If that is no single program, the shell is the program that runs.
            let program = call.program().unwrap_or("sh").to_owned();
            (program, call.version().map(str::to_owned), CallForm::Line(call))
        } else {
            return Err(format!("`{title}` is linked into Bezzel, and there is no program of it"));
        };
        let by_input = matches!(&call, CallForm::Line(call) if call.reads_input());
        let reads = if by_input { &[] } else { reads(&program) };
        Ok(Self { title, program, version, reads, call })
    }

    /// Returns the name of its files: that of a module of Python. For a command line it is the name of its program.
    pub(super) fn id(&self) -> String {
        let is_line = self.title.starts_with('{');
        let of = if is_line { self.program.rsplit('/').next() } else { Some(&*self.title) };
        let id = name::plain(of.unwrap_or_default()).replace('-', "_");
        // A module of Python begins with a letter.
        if id.starts_with(|c: char| c.is_ascii_alphabetic()) { id } else { format!("solver_{id}") }
    }

    /// Returns a job's command line, for a shell.
    pub(super) fn line(&self, job: &Job) -> String {
        match &self.call {
            CallForm::Options => {
                let options = job.options.iter().map(|(name, value)| format!(" --{name}={value}"));
                let options: Vec<_> = options.collect();
                format!("{}{} \"{FORMULA}\"", self.program, options.concat())
            }
            CallForm::Line(call) => {
                let line = call.line(&|place| value(place, job));
                let line = variables(&line, &[FORMULA, ANSWER]);
                if call.reads_input() { format!("({line}) <\"{FORMULA}\"") } else { line }
            }
        }
    }
}

/// Returns the call of a solver that is a program.
fn solver(name: &str) -> Option<Invocation> {
    let program = CommandBackend::named(name).filter(|program| program.capabilities().solves);
    program.map(|program| program.call().clone())
}

/// Returns the value of a placeholder in a command line. Files are shell variables; no proof is written.
fn value(place: Placeholder, job: &Job) -> Option<String> {
    // The final dollar forces the template to quote the word, and the quotes show its context.
    let variable = |name: &str| Some(format!("{name}$"));
    match place {
        Placeholder::Cnf => variable(FORMULA),
        Placeholder::Answer => variable(ANSWER),
        Placeholder::Proof | Placeholder::Lrat => None,
        Placeholder::Seed => match job.options.get("seed") {
            Some(OptionValue::Integer(seed)) => Some(seed.to_string()),
            _ => None,
        },
        Placeholder::Cpu => Some(whole(job.limits.cpu_s).to_string()),
        Placeholder::Wall => Some(whole(job.limits.wall_s).to_string()),
        Placeholder::Memory => Some((job.limits.memory_bytes >> 20).to_string()),
    }
}

/// Replaces the names by shell variables. A template has quoted the names as texts: alone, within double quotes, or
/// within single ones.
fn variables(line: &str, names: &[&str]) -> String {
    let mut line = line.to_owned();
    for name in names {
        let bare = &name[1..];
        line = line
            .replace(&format!("'${bare}$'"), &format!("\"{name}\""))
            .replace(&format!("\\${bare}\\$"), name)
            .replace(&format!("${bare}$"), &format!("'\"{name}\"'"));
    }
    line
}

/// Returns true for the linked CaDiCaL, whose options the program CaDiCaL has as well.
fn is_linked_cadical(id: &str) -> bool {
    id == "cadical" || id.starts_with("cadical:")
}

/// Returns the extensions of compressed formulas that a program is known to read.
fn reads(program: &str) -> &'static [&'static str] {
    match program.rsplit('/').next().unwrap_or(program) {
        // These call xz and gzip themselves.
        "cadical" | "kissat" | "lingeling" | "plingeling" => &[".gz", ".xz"],
        "minisat" | "glucose" | "glucose-syrup" => &[".gz"],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{Numbering, Settings};
    use bezzel_experiment::job::{Limits, MeasuredBy, Task};
    use bezzel_problem::Board;
    use bezzel_solve::Options;

    use super::*;

    /// Returns the tool of a solver with this seed, and its command line.
    fn tool(solver: &str, options: Options) -> Result<(Tool, String), String> {
        let job = Job {
            instance: Board::new(4).unwrap().into(),
            encoding: "pairwise".into(),
            settings: Settings::default(),
            numbering: Numbering::AS_GENERATED,
            solver: solver.into(),
            options: options.into(),
            task: Task::Solve,
            max_solutions: None,
            repeat: 1,
            limits: Limits { cpu_s: 1.5, wall_s: 4.0, memory_bytes: 1 << 30, nodes: None },
            proof: None,
            simplified: false,
            measured_by: MeasuredBy::Benchexec,
        };
        let tool = Tool::of(&job)?;
        let line = tool.line(&job);
        Ok((tool, line))
    }

    fn line(solver: &str) -> String {
        tool(solver, Options::new()).unwrap().1
    }

    #[test]
    fn solvers_are_called_as_bezzel_calls_them_and_write_no_proofs() {
        let options =
            |name: &str, value| Options::from([(name.to_owned(), OptionValue::Integer(value))]);
        let (cadical, called) = tool("cadical:plain", options("factor", 0)).unwrap();
        assert_eq!((cadical.program.as_str(), cadical.id().as_str()), ("cadical", "cadical_plain"));
        assert_eq!(called, "cadical --factor=0 \"$bezzel_cnf\"");

        assert_eq!(line("minisat"), "minisat  \"$bezzel_cnf\" \"$bezzel_answer\"");
        let (kissat, called) = tool("kissat", options("seed", 7)).unwrap();
        assert_eq!(called.trim_end(), "kissat --seed=7 \"$bezzel_cnf\"");
        assert_eq!(kissat.version.as_deref(), Some("kissat --version"));

        let refused = tool("batsat", Options::new()).unwrap_err();
        assert!(refused.contains("no program of it"), "{refused}");
    }

    #[test]
    fn the_shell_finds_files_in_whatever_quotes_their_place_stands() {
        let of = |command: &str| line(&format!("{{command: {command}}}"));
        assert_eq!(of("'a {cnf}'"), "a \"$bezzel_cnf\"");
        assert_eq!(of("'a \"{cnf}\"'"), "a \"$bezzel_cnf\"");
        assert_eq!(of("'a --in=\"x {cnf}\"'"), "a --in=\"x $bezzel_cnf\"");
        assert_eq!(of("\"a '{cnf}'\""), "a \"$bezzel_cnf\"");
        assert_eq!(of("\"a 'x {cnf} y'\""), "a 'x '\"$bezzel_cnf\"' y'");
        assert_eq!(
            of("'a -t {cpu} -w {wall} -m {memory} {cnf}'"),
            "a -t 2 -w 4 -m 1024 \"$bezzel_cnf\""
        );
        assert_eq!(of("'a -'"), "(a -) <\"$bezzel_cnf\"");
    }

    #[test]
    fn the_program_of_a_command_line_is_what_the_shell_runs_or_the_shell() {
        let program = |command: &str| {
            tool(&format!("{{command: \"{command}\"}}"), Options::new()).unwrap().0.program
        };
        assert_eq!(program("A=1 kissat {cnf}"), "kissat");
        assert_eq!(program("exec ./my solver {cnf}"), "./my");
        assert_eq!(program("'./my' {cnf}"), "./my");
        assert_eq!(program("(a; b) {cnf}"), "sh");
        assert_eq!(program("cd x && a {cnf}"), "sh");
    }
}
