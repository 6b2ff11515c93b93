//! The commands and arguments of the command line, with their help.

use std::path::PathBuf;

use bezzel_encode::format::Format;
use bezzel_problem::UnknownId;
use bezzel_queens::encode::solutions::SolutionForm;
use bezzel_solve::OptionValue;
use clap::{Args, Parser, Subcommand, ValueEnum};
use serde::Serialize;

use crate::failure::{Failure, shown};
use crate::limited::Limits;
use bezzel_experiment::packing::Packing;

mod all;
mod board;
mod clusters;
mod default_encoding;
mod encoder;
mod encoding;
mod import;
mod judging;
mod limits;
mod problem;
mod quantity;
mod root;
mod running;
mod serve;
mod settings;
mod tuning;
mod verifying;

pub(crate) use all::ListingArguments;
pub(crate) use clusters::StatusArguments;
pub(crate) use default_encoding::{BY_SHAPE, FIRST_TUNED, MAX_CLAUSES, default_encoding};
pub(crate) use encoder::{AnswerFormat, EncoderArguments};
pub(crate) use encoding::{EncodingArguments, OrderArguments};
pub(crate) use import::ImportArguments;
pub(crate) use judging::{CheckArguments, FormulaArguments, ShowArguments};
pub(crate) use limits::LimitArguments;
pub(crate) use problem::{
    OptionalProblemArguments, ProblemArguments, no_file, note_unused, read_instance, read_problem,
};
pub(crate) use running::{ReportArguments, RunArguments};
pub(crate) use serve::ServeArguments;
pub(crate) use tuning::TuneArguments;
pub(crate) use verifying::VerifyArguments;

/// Compares SAT encodings.
#[derive(Debug, Parser)]
#[command(
    version,
    about = "Compares SAT encodings",
    long_about = "Compares SAT encodings: one YAML file in, a verified report out.",
    after_long_help = FIRST_STEPS,
    arg_required_else_help = true,
    propagate_version = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: CliCommand,
}

const FIRST_STEPS: &str = "\
First steps:
  bezzel show configs/instances/roster.opb
      the constraints of a file, and the size of each encoding of them
  bezzel run configs/first-look.yaml
      an experiment and its report

`bezzel COMMAND -h` has the options of a command, `--help` all of them with examples. `source <(COMPLETE=bash bezzel)` \
lets bash complete them; zsh and fish have completions, too.";

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// List what a config or a command can name, or one kind of it
    #[command(after_long_help = LIST_EXAMPLES)]
    List(ListArguments),
    /// Show the profile of an encoding, or the constraints of a file
    Show(ShowArguments),
    /// Find one solution, list solutions, or count them
    #[command(after_long_help = SOLVE_EXAMPLES)]
    Solve(Box<SolveArguments>),
    /// Choose the encoding and solver for files, within a time budget
    Tune(TuneArguments),
    /// Explore a board in the browser
    Serve(ServeArguments),
    /// Run an experiment and write its report
    Run(Box<RunArguments>),
    /// Count the done, running and missing jobs of an experiment
    Status(StatusArguments),
    /// Render a report again, write rows, or compare two experiments
    Report(ReportArguments),
    /// Import a table of runs of others as an experiment
    Import(ImportArguments),
    /// Check encodings, or a formula or a proof of any origin
    Check(CheckArguments),
    /// Verify the evidence of an experiment again
    Verify(VerifyArguments),
    /// Draw the answer of a solver and check it
    #[command(after_long_help = DECODE_EXAMPLES)]
    Decode(DecodeArguments),
    /// Write the formula of a board, a file or another problem
    #[command(after_long_help = ENCODE_EXAMPLES)]
    Encode(EncodeArguments),
    /// Answer requests of other programs for clauses, on stdin
    Encoder(EncoderArguments),
    /// Write a board: drawn by a seed, or in another form
    #[command(after_long_help = BOARD_EXAMPLES)]
    Board(BoardCommandArguments),
    /// Write the file of a new encoding and register it
    #[command(after_long_help = NEW_ENCODING_EXAMPLES)]
    NewEncoding(NewEncodingArguments),
    /// Run one job, given on stdin: a run starts this for each cell of its plan
    #[command(hide = true)]
    Worker,
}

impl CliCommand {
    /// The limits of the command, if it has any: it is run in a child process then.
    pub(crate) fn limits(&self) -> Option<Limits> {
        match self {
            Self::Solve(arguments) => Some(arguments.limits.limits()),
            Self::Check(arguments) => Some(arguments.limits()),
            Self::Show(arguments) => Some(arguments.limits.limits()),
            Self::Encode(arguments) => Some(arguments.limits.limits()),
            Self::Tune(arguments) => Some(arguments.limits()),
            _ => None,
        }
    }
}

const SOLVE_EXAMPLES: &str = "\
Examples:
  bezzel solve 8
      eight queens, with the default encoding and solver
  bezzel solve 5 --queen 2 --queen 2,4
      queens on square 2 and on row 2, column 4
  bezzel solve 12 --torus --encoding bryant-circuit
      no solution, exit code 20
  bezzel solve 100 --solver cadical --option elim=0 --timeout 60
  bezzel solve 10 --torus --encoding binary --proof p.lrat
      no solution, with a proof that is checked
  bezzel solve timetable.opb.gz --encoding commander:3
      a file of constraints: KNF, OPB, CNF+, CNF with groups
  bezzel solve 8 --all --format coordinates
      92 lines of squares (row,column) such as 1,1 2,5 3,8 …
  bezzel solve 12 --random --seed 7 --max-solutions 3
      three solutions, uniformly at random
  bezzel solve 8 --count --fundamental
      12: none is an image of another under turns and reflections
  bezzel solve 12 --count --engine direct-zdd
      by a decision diagram, with its size

Solutions of a file are listed and counted by engines that read clauses: `propagator` if none is named. The \
numbers in `v` lines and in JSON are variables of the file.

A list has the number of solutions on stderr, or at the end of the boards. With --count stdout has the \
number alone; stderr has its verification: by published numbers, or by an independent search. \
docs/all-solutions.md has more.

The default encoding of one solution is `product` with randomly renamed variables. The default solver is \
`batsat`, which is fast on boards of every size. It is `cadical` where a solution may not exist (a torus, \
more rows than columns, a file) or a proof is requested. stderr names both. With --dimacs-output the \
formula is the one of `bezzel encode`.

A file with an objective is solved to the optimum.

Exit codes: 10 a solution, verified; 20 there is none; 30 an optimum; 0 a number, with --count; 1 the answer was wrong; 2 \
the command line is invalid; 3 nodes, memory or time ran out; 130 stopped by Ctrl-C.";

const ENCODE_EXAMPLES: &str = "\
Examples:
  bezzel encode 8 --encoding sequential-counter
      DIMACS on stdout
  bezzel encode 8 --encoding binary --shuffle 7 -o b.cnf
      renamed at random, seed 7
  bezzel encode 8 --encoding product --squares spiral --auxiliaries before
      variables numbered along a spiral, auxiliary ones first
  bezzel encode 20 --format smt2 -o queens.smt2.gz
      compressed by the ending .gz; .xz works too
  bezzel encode timetable.knf --encoding product -o t.cnf
      a file of constraints: KNF, OPB, CNF+, CNF with groups
  bezzel encode --problem '{pigeonhole: {pigeons: 9}}' -o holes.cnf
      an instance of any kind, as an entry of `problems` in a config

The comments of the formula have the meaning of the variables. `bezzel decode` reads the answer of a solver by them.

Exit codes: 0 written; 2 the input is invalid; 3 memory or time ran out; 130 stopped by Ctrl-C.

Formats:
  dimacs  DIMACS CNF, for SAT solvers
  mcc     DIMACS with the lines `c t` and `c p show` of the Model Counting Competition
  opb     pseudo-Boolean constraints
  knf     clauses and cardinality constraints
  smt2    SMT-LIB 2.6, for Z3, cvc5, Yices
  smt1    SMT-LIB 1.2 as in Zantema's text";

const DECODE_EXAMPLES: &str = "\
Examples:
  cadical queens.cnf | bezzel decode --cnf queens.cnf -
      the comments of the file have the variable map
  z3 queens.smt2 | bezzel decode - 8
      names of variables suffice without the file
  cadical t.cnf | bezzel decode --cnf t.cnf - timetable.knf
      the formula of a file of constraints: `v` numbers the variables of the file
  roundingsat timetable.opb | bezzel decode - timetable.opb
      an answer to the file itself, checked by its constraints

An answer is: the s and v lines of solver competitions, SAT or pseudo-Boolean; MiniSat's result \
file; the model of an SMT solver; or a list of the true variables, by name, number or square. \
Variables that are not mentioned are false.

Exit codes: 10 a solution, verified; 20 the solver found that there is none; 0 the solver did not \
decide; 1 the answer is wrong; 2 the input is invalid.";

const BOARD_EXAMPLES: &str = "\
Examples:
  bezzel board 8 --queen 1,2 --blocked 3,3
      a drawing on stdout: `Q` for a given queen, `x` for blocked
  bezzel board --problem \\
    '{queens: {size: 20, generate: {kind: blocked, density: 0.3, seeds: 1}}}'
      drawn by a seed, as an entry of `problems` in a config states it
  bezzel board --board hard.txt --json
      the same board as JSON

`bezzel solve`, `bezzel encode` and configs (`problems: [{queens: {file: hard.txt}}]`) read both forms. \
docs/boards.md has the kinds of drawn boards.";

const LIST_EXAMPLES: &str = "\
Examples:
  bezzel list
      what there is, a few lines for each kind
  bezzel list encodings
      the table of a kind, variants folded into their encoding
  bezzel list encodings commander
      the encodings with `commander` in their names, title or source, each variant
  bezzel list --json
      one object with an array for each kind
  bezzel list --man ~/.local/share/man/man1
      man pages: bezzel, bezzel-run and so on";

const NEW_ENCODING_EXAMPLES: &str = "\
Examples:
  cargo run -- new-encoding thirds
      crates/bezzel-encode/src/amo/thirds.rs, an at-most-one
  cargo run -- new-encoding counted-thirds --at-most-k
      crates/bezzel-encode/src/amk/counted_thirds.rs
  cargo run -- new-encoding weighed-thirds --sum
      crates/bezzel-encode/src/sums/weighed_thirds.rs
  cargo run -- new-encoding zig-zag --board
      crates/bezzel-encode/src/encoding/zig_zag.rs

CONTRIBUTING.md has all steps to a measured encoding.";

#[derive(Debug, Args)]
pub(crate) struct SolveArguments {
    #[command(flatten)]
    pub(crate) problem: ProblemArguments,
    #[command(flatten)]
    pub(crate) encoding: EncodingArguments,
    /// The solver, as `bezzel list` names it, or the command line of any: {command: "kissat {cnf}"}; if not given
    /// `batsat`, or `cadical` for a torus, for more rows than columns, for a file and for a proof
    #[arg(long, value_name = "ID")]
    pub(crate) solver: Option<String>,
    /// An option of the solver under the solver's own name, as in elim=0; once for each
    #[arg(
        long = "option",
        value_name = "NAME=VALUE",
        value_parser = option,
        conflicts_with_all = ["listing", "count"]
    )]
    pub(crate) options: Vec<(String, OptionValue)>,
    /// Write a proof to this file where there is no solution, and check it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["listing", "count"])]
    pub(crate) proof: Option<PathBuf>,
    /// Write a proof for VeriPB to this file, from the constraints of the file to the answer; other forms than plain OPB are
    /// written to FILE.opb first
    #[arg(long, value_name = "FILE", conflicts_with_all = ["listing", "count", "proof"])]
    pub(crate) veripb: Option<PathBuf>,
    /// Print the answer in the form of solver competitions
    #[arg(long, conflicts_with_all = ["listing", "count"])]
    pub(crate) dimacs_output: bool,
    /// Print the answer as JSON, or with --count the number and its evidence
    #[arg(long, conflicts_with = "dimacs_output")]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) listing: ListingArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

impl SolveArguments {
    /// True if the answer of one search is printed in the form of solver competitions: of those for formulas, or of those
    /// for pseudo-Boolean constraints.
    pub(crate) fn is_competition(&self) -> bool {
        self.dimacs_output || self.listing.format == SolutionForm::Pb
    }
}

/// Reads an option of a solver.
fn option(text: &str) -> Result<(String, OptionValue), String> {
    let read = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, value) = read.ok_or("an option is a name and a value, as in elim=0")?;
    let flag = || value.parse().ok().map(OptionValue::Flag);
    let integer = || value.parse().ok().map(OptionValue::Integer);
    let number =
        || value.parse().ok().filter(|value: &f64| value.is_finite()).map(OptionValue::Number);
    let value = flag().or_else(integer).or_else(number);
    let value = value.ok_or("the value of an option is a number, true or false")?;
    Ok((name.to_owned(), value))
}

#[derive(Debug, Args)]
pub(crate) struct EncodeArguments {
    #[command(flatten)]
    pub(crate) problem: ProblemArguments,
    #[command(flatten)]
    pub(crate) encoding: EncodingArguments,
    #[command(flatten)]
    pub(crate) order: OrderArguments,
    /// The format: dimacs, mcc, opb, knf, smt2 or smt1; the default follows from the ending of the file, and is dimacs
    /// on stdout
    #[arg(long, value_name = "FORMAT", value_parser = format_named)]
    format: Option<Format>,
    /// Write the names of auxiliary variables as comments
    #[arg(long)]
    pub(crate) names: bool,
    /// The file to write, compressed if it ends in .gz or .xz; stdout if there is none
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// The format with this name, or with this ending of files.
fn format_named(name: &str) -> Result<Format, UnknownId> {
    match name {
        "cnf" => Ok(Format::Dimacs),
        "smt" => Ok(Format::Smt1),
        other => other.parse(),
    }
}

impl EncodeArguments {
    /// The requested format, or that of the file's ending; otherwise DIMACS.
    pub(crate) fn format(&self) -> Result<Format, Failure> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        let Some(output) = &self.output else { return Ok(Format::Dimacs) };
        let (_, path) = Packing::of(output);
        let Some(ending) = path.extension() else { return Ok(Format::Dimacs) };
        let ending = ending.to_string_lossy();
        format_named(&ending).map_err(|_| {
            let all = Format::ALL.map(Format::id).join(", ");
            Failure::Input(format!(
                "-o {}: the ending `.{ending}` names no format: add --format, which is one of {all}",
                shown(output)
            ))
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct BoardCommandArguments {
    #[command(flatten)]
    pub(crate) problem: ProblemArguments,
    /// Write JSON, as a row of evidence has it, instead of a drawing
    #[arg(long)]
    pub(crate) json: bool,
    /// The file to write; stdout if there is none
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct DecodeArguments {
    /// The file with the answer; - for stdin
    pub(crate) answer: PathBuf,
    /// The formula that was solved, with comments that describe the board and the variables: DIMACS, KNF, OPB or
    /// SMT-LIB, compressed or not
    #[arg(long, value_name = "FILE")]
    pub(crate) cnf: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) problem: OptionalProblemArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// The kind; all if none is given
    #[arg(value_enum)]
    pub(crate) kind: Option<ListKind>,
    /// List only entries with this word in their names, title or source
    pub(crate) word: Option<String>,
    /// Print one JSON object with an array for each kind
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the man pages of all commands to this folder
    #[arg(long, value_name = "FOLDER", exclusive = true)]
    pub(crate) man: Option<PathBuf>,
}

/// A kind of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ListKind {
    Encodings,
    Bounds,
    Sums,
    Problems,
    Solvers,
    Engines,
    Figures,
    Tables,
}

#[derive(Debug, Args)]
pub(crate) struct NewEncodingArguments {
    /// The id: lower-case words joined by hyphens, as in the literature if it has a name there
    pub(crate) name: String,
    /// It encodes at most k, not at most one
    #[arg(long, group = "kind")]
    pub(crate) at_most_k: bool,
    /// It encodes weighted sums
    #[arg(long, group = "kind")]
    pub(crate) sum: bool,
    /// It encodes whole boards
    #[arg(long, group = "kind")]
    pub(crate) board: bool,
}
