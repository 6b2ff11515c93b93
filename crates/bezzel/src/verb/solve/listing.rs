//! Where solutions go that are listed: stdout or a file, in the form that is asked for.

use std::io::{self, BufWriter, Write};

use bezzel_encode::format::solutions::{SolutionForm, Solutions};
use bezzel_problem::Board;

use crate::all::Show;
use crate::arguments::ListingArguments;
use crate::failure::Failure;
use crate::output::write_file;
use bezzel_lab::packing::Packing;

/// Bytes that are written together.
const TOGETHER: usize = 64 << 10;

/// Has `find` find solutions, and writes each as soon as it is shown.
pub(super) fn write<T>(
    arguments: &ListingArguments,
    board: &Board,
    out: &mut dyn Write,
    find: impl FnOnce(Show<'_>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let Some(path) = &arguments.output else {
        let mut solutions = Solutions::new(board, arguments.format, &mut *out);
        let found = find(&mut |queens| Ok(solutions.write(queens)?));
        // What was found before something went wrong was found.
        let ended = found.and_then(|found| Ok(solutions.finish().map(|_| found)?));
        let flushed = out.flush();
        return ended.and_then(|found| Ok(flushed.map(|()| found)?));
    };
    write_file(path, |file| {
        let (packing, _) = Packing::of(path);
        let packed = BufWriter::with_capacity(TOGETHER, packing.write(file)?);
        let mut solutions = Solutions::new(board, arguments.format, packed);
        let found = find(&mut |queens| Ok(solutions.write(queens)?))?;
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
