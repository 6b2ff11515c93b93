//! Lists of solutions, on stdout or in a file, in one of several forms.

use std::io::{self, BufWriter, Write};

use bezzel_encode::format::solutions::{SolutionForm, Solutions};
use bezzel_problem::{Board, Candidate, Instance, Square};

use crate::all::Show;
use crate::arguments::ListingArguments;
use crate::failure::Failure;
use crate::output::write_file;
use bezzel_lab::packing::Packing;

/// Bytes that are written together.
const TOGETHER: usize = 64 << 10;

/// Writes solutions of one instance in one form.
pub(super) enum Writer<'a, W> {
    /// Those of a board; `queens` has the squares of one solution.
    Board { board: &'a Board, solutions: Solutions<W>, queens: Vec<Square> },
    /// Those of another instance.
    Other { instance: &'a Instance, form: SolutionForm, out: W },
}

impl<'a, W: Write> Writer<'a, W> {
    /// Writes solutions of `instance` to `out`, which should be buffered. Only boards have Cao's form.
    pub(super) fn new(instance: &'a Instance, form: SolutionForm, out: W) -> Result<Self, Failure> {
        match instance.board() {
            Some(board) => {
                let solutions = Solutions::new(board, form, out);
                Ok(Self::Board { board, solutions, queens: Vec::new() })
            }
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
                    let labels = chosen.iter().map(|&candidate| instance.label(candidate));
                    writeln!(out, "{}", labels.collect::<Vec<_>>().join(" "))
                }
                SolutionForm::Json => {
                    let numbers: Vec<u32> = super::numbers(chosen).collect();
                    serde_json::to_writer(&mut *out, &numbers)?;
                    writeln!(out)
                }
                SolutionForm::Boards | SolutionForm::Cao => {
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

/// Has `find` find solutions, and writes each as soon as it is shown.
pub(super) fn write<T>(
    arguments: &ListingArguments,
    instance: &Instance,
    out: &mut dyn Write,
    find: impl FnOnce(Show<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Some(path) = &arguments.output else {
        let mut solutions = Writer::new(instance, arguments.format, &mut *out)?;
        let found = find(&mut |chosen| Ok(solutions.write(chosen)?));
        // What was found before something went wrong was found.
        let ended = found.and_then(|found| Ok(solutions.finish().map(|_| found)?));
        let flushed = out.flush();
        return ended.and_then(|found| Ok(flushed.map(|()| found)?));
    };
    write_file(path, |file| {
        let (packing, _) = Packing::of(path);
        let packed = BufWriter::with_capacity(TOGETHER, packing.write(file)?);
        let mut solutions = Writer::new(instance, arguments.format, packed)?;
        let found = find(&mut |chosen| Ok(solutions.write(chosen)?))?;
        let packed = solutions.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?;
        packed.finish()?;
        Ok(found)
    })
}

/// Says how the list came out: beside a list that a program reads, below one that people read, and
/// with the name of the file where there is one.
pub(super) fn tell(
    arguments: &ListingArguments,
    sentence: &str,
    is_empty: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    match &arguments.output {
        Some(path) => writeln!(out, "{}: {sentence}", path.display())?,
        None if arguments.format == SolutionForm::Boards => {
            let line = if is_empty { "" } else { "\n" };
            writeln!(out, "{line}{sentence}")?;
        }
        // Nobody is left to be told when stderr is closed.
        None => {
            let _ = writeln!(io::stderr(), "{sentence}");
        }
    }
    Ok(())
}
