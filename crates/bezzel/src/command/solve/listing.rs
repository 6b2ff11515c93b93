//! Lists of solutions, on stdout or in a file, in one of several forms.

use std::io::{self, BufWriter, Write};

use bezzel_problem::{Candidate, Instance, ProblemFile};
use bezzel_queens::encode::solutions::{SolutionForm, SolutionWriter};
use bezzel_queens::{Board, Square};

use crate::arguments::ListingArguments;
use crate::failure::{Failure, shown};
use crate::output::{refuse_replacing, write_file};
use crate::terminal;
use bezzel_experiment::packing::Packing;

/// Takes the solutions that are shown, with their candidates in ascending order.
pub(super) type Show<'a> = &'a mut dyn FnMut(&[Candidate]) -> Result<(), Failure>;

/// The chosen candidates without the products of a file, which come last.
pub(super) fn stated<'a>(instance: &Instance, chosen: &'a [Candidate]) -> &'a [Candidate] {
    let count = instance.file().map_or(u32::MAX, ProblemFile::stated_variables);
    &chosen[..chosen.partition_point(|&candidate| candidate < count)]
}

/// The numbers of candidates, from 1.
pub(super) fn numbers(chosen: &[Candidate]) -> impl Iterator<Item = u32> {
    chosen.iter().map(|candidate| candidate + 1)
}

/// Bytes that are written together.
const BUFFER_BYTES: usize = 64 << 10;

/// Writes solutions of one instance in one form.
pub(super) enum Writer<'a, W> {
    /// The writer for boards. `queens` are the squares of one solution.
    Board { board: &'a Board, solutions: SolutionWriter<W>, queens: Vec<Square> },
    /// The writer for other instances.
    Other { instance: &'a Instance, form: SolutionForm, out: W },
}

impl<'a, W: Write> Writer<'a, W> {
    /// Writes solutions of `instance` to `out`, which should be buffered. Only boards have Cao's form.
    pub(super) fn new(instance: &'a Instance, form: SolutionForm, out: W) -> Result<Self, Failure> {
        match Board::of(instance) {
            Some(board) => {
                let solutions = SolutionWriter::new(board, form, out);
                Ok(Self::Board { board, solutions, queens: Vec::new() })
            }
            _ if form == SolutionForm::Pb => Err(Failure::Input(
                "--format pb prints one answer: leave away --all, --count and --random".to_owned(),
            )),
            None if form == SolutionForm::Cao => Err(Failure::Input(format!(
                "--format cao draws boards, and `{instance}` is none: take `boards`, `coordinates` or `json`"
            ))),
            None => Ok(Self::Other { instance, form, out }),
        }
    }

    /// Writes a solution: its candidates in ascending order. Candidates outside the board are omitted.
    pub(super) fn write(&mut self, chosen: &[Candidate]) -> io::Result<()> {
        match self {
            Self::Board { board, solutions, queens } => {
                let on_board = chosen.iter().filter(|&&candidate| candidate < board.squares());
                queens.clear();
                queens.extend(on_board.map(|&candidate| board.square(candidate)));
                solutions.write(queens)
            }
            Self::Other { instance, form, out } => match form {
                SolutionForm::Coordinates => {
                    let chosen = stated(instance, chosen);
                    let labels = chosen.iter().map(|&candidate| instance.label(candidate));
                    writeln!(out, "{}", labels.collect::<Vec<_>>().join(" "))
                }
                SolutionForm::Json => {
                    let chosen = stated(instance, chosen);
                    let numbers: Vec<u32> = numbers(chosen).collect();
                    serde_json::to_writer(&mut *out, &numbers)?;
                    writeln!(out)
                }
                SolutionForm::Boards | SolutionForm::Cao | SolutionForm::Pb => {
                    writeln!(out, "{}", instance.draw(&chosen.iter().copied().collect()))
                }
            },
        }
    }

    /// Ends the text, and returns the writer, which is not flushed.
    fn finish(self) -> io::Result<W> {
        match self {
            Self::Board { solutions, .. } => solutions.finish(),
            Self::Other { out, .. } => Ok(out),
        }
    }
}

/// Runs `find`, and writes each solution that it shows at once.
pub(super) fn write<T>(
    arguments: &ListingArguments,
    instance: &Instance,
    out: &mut dyn Write,
    find: impl FnOnce(Show<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Some(path) = &arguments.output else {
        let mut solutions = Writer::new(instance, arguments.format, &mut *out)?;
        let result = find(&mut |chosen| Ok(solutions.write(chosen)?));
        // The solutions before a failure are kept.
        let ended = result.and_then(|result| Ok(solutions.finish().map(|_| result)?));
        let flushed = out.flush();
        return ended.and_then(|result| Ok(flushed.map(|()| result)?));
    };
    refuse_replacing(instance.file(), path)?;
    write_file(path, |file| {
        let (packing, _) = Packing::of(path);
        let packed = BufWriter::with_capacity(BUFFER_BYTES, packing.write(file)?);
        let mut solutions = Writer::new(instance, arguments.format, packed)?;
        let result = find(&mut |chosen| Ok(solutions.write(chosen)?))?;
        let packed = solutions.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        packed.finish()?;
        Ok(result)
    })
}

/// Prints the result of the list: to stderr beside a list for programs, below a drawn list, and with the name of the
/// file if there is one.
pub(super) fn print_summary(
    arguments: &ListingArguments,
    sentence: &str,
    is_empty: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    match &arguments.output {
        Some(path) => writeln!(out, "{}: {sentence}", shown(path))?,
        None if arguments.format == SolutionForm::Boards => {
            let line = if is_empty { "" } else { "\n" };
            writeln!(out, "{line}{sentence}")?;
        }
        // A closed stderr has no reader.
        None => {
            let _ = writeln!(terminal::stderr(), "{sentence}");
        }
    }
    Ok(())
}
