//! Solutions as text, one after the other.
//!
//! Four forms: *boards*, drawn as [`board_text`](super::board_text) draws them, with an empty line between two;
//! *coordinates*, a line for each, as in `1,2 2,4 3,1 4,3`, which [`read::answer`](bezzel_encode::format::read::answer)
//! reads back; *JSON*, an array for each on a line of its own, as rows of evidence have them; and the form of Cao's
//! tool, a list of zeros and ones for each row, and `No solution` where there is none.
//!
//! Writing a solution allocates no memory, since there may be millions of them.
//!
//! *Source* of the last: Cao 2020, section 4, figures 3 to 6. They show a single solution; the empty line between two
//! is an addition.

use std::io::{self, Write};
use std::mem;

use crate::{Board, Square};
use bezzel_problem::named;

use super::board_text::{BLOCKED, FREE, QUEEN};

named! {
    /// A form in which solutions are written.
    #[derive(Default)]
    pub enum SolutionForm: "format" {
        /// Drawings: `.`, `Q`, and `x` for blocked squares.
        #[default]
        Boards = "boards",
        /// `ROW,COLUMN` for each queen, all of a solution on a line.
        Coordinates = "coordinates",
        /// Rows of zeros and ones, as Cao's tool prints them.
        Cao = "cao",
        /// `[[ROW,COLUMN],…]`, each on a line.
        Json = "json",
        /// The values of a file's variables, as the pseudo-Boolean competitions print an answer.
        Pb = "pb",
    }
}

/// Writes solutions of one board in one form.
#[derive(Debug)]
pub struct SolutionWriter<W> {
    form: SolutionForm,
    out: W,
    sheet: SolutionBuffer,
    written: u64,
}

/// The buffers for a solution; kept from one to the next.
#[derive(Debug)]
enum SolutionBuffer {
    /// The empty board as text: queens are put into it and removed again.
    Drawing { text: Vec<u8>, places: SquareOffsets, queen: u8, under: Vec<u8> },
    /// The numbers from 1 on, one after the other, the end of each, and the line that is made.
    Line { digits: Vec<u8>, ends: Vec<u32>, line: Vec<u8> },
}

/// The places of the squares in the text of a drawing.
#[derive(Clone, Copy, Debug)]
struct SquareOffsets {
    /// Bytes of a row, its end included.
    row: usize,
    /// Bytes before its first square.
    indent: usize,
    /// Bytes from one square to the next.
    step: usize,
}

impl SquareOffsets {
    fn of(self, square: Square) -> usize {
        self.row * square.row as usize + self.indent + self.step * square.column as usize
    }
}

impl<W: Write> SolutionWriter<W> {
    /// Writes solutions of `board` to `out`, which should be buffered.
    pub fn new(board: &Board, form: SolutionForm, out: W) -> Self {
        let sheet = match form {
            SolutionForm::Boards | SolutionForm::Pb => drawing(board),
            SolutionForm::Cao => zeros(board),
            SolutionForm::Coordinates | SolutionForm::Json => numbers(board),
        };
        Self { form, out, sheet, written: 0 }
    }

    /// Writes a solution: the squares with a queen, in the order in which they are to be written.
    ///
    /// # Errors
    ///
    /// When `out` takes no more.
    pub fn write(&mut self, squares: &[Square]) -> io::Result<()> {
        let is_first = self.written == 0;
        self.written += 1;
        match &mut self.sheet {
            SolutionBuffer::Drawing { text, places, queen, under } => {
                if !is_first {
                    self.out.write_all(b"\n")?;
                }
                // Wrong solutions are drawn too, and must not change the next drawing.
                for &square in squares {
                    under.push(mem::replace(&mut text[places.of(square)], *queen));
                }
                let done = self.out.write_all(text);
                for &square in squares.iter().rev() {
                    text[places.of(square)] = under.pop().expect("one for each queen");
                }
                done
            }
            SolutionBuffer::Line { digits, ends, line } => {
                let number = |line: &mut Vec<u8>, index: u32| {
                    let ends = &ends[index as usize..];
                    line.extend_from_slice(&digits[ends[0] as usize..ends[1] as usize]);
                };
                let [open, end, between, close]: [&[u8]; 4] = match self.form {
                    SolutionForm::Json => [b"[", b"]", b",", b"]\n"],
                    _ => [b"", b"", b" ", b"\n"],
                };
                line.clear();
                line.extend_from_slice(open);
                for (index, square) in squares.iter().enumerate() {
                    if index > 0 {
                        line.extend_from_slice(between);
                    }
                    line.extend_from_slice(open);
                    number(line, square.row);
                    line.push(b',');
                    number(line, square.column);
                    line.extend_from_slice(end);
                }
                line.extend_from_slice(close);
                self.out.write_all(line)
            }
        }
    }

    /// The number of solutions written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Ends the text after the last solution; if there was none, Cao's form states it. Returns the writer, not flushed.
    ///
    /// # Errors
    ///
    /// When `out` takes no more.
    pub fn finish(mut self) -> io::Result<W> {
        if self.written == 0 && self.form == SolutionForm::Cao {
            self.out.write_all(b"No solution\n")?;
        }
        Ok(self.out)
    }
}

/// The empty board, drawn.
fn drawing(board: &Board) -> SolutionBuffer {
    let mut text = Vec::new();
    for row in 0..board.rows() {
        for column in 0..board.columns() {
            let is_blocked = board.blocked().binary_search(&Square::new(row, column)).is_ok();
            text.push(if is_blocked { BLOCKED } else { FREE } as u8);
            text.push(if column + 1 == board.columns() { b'\n' } else { b' ' });
        }
    }
    let places = SquareOffsets { row: 2 * board.columns() as usize, indent: 0, step: 2 };
    SolutionBuffer::Drawing { text, places, queen: QUEEN as u8, under: Vec::new() }
}

/// The empty board, in zeros.
fn zeros(board: &Board) -> SolutionBuffer {
    let mut row = b"[0".to_vec();
    row.extend(b", 0".repeat(board.columns() as usize - 1));
    row.extend(b"]\n");
    let places = SquareOffsets { row: row.len(), indent: 1, step: 3 };
    let text = row.repeat(board.rows() as usize);
    SolutionBuffer::Drawing { text, places, queen: b'1', under: Vec::new() }
}

/// The numbers of rows and columns.
fn numbers(board: &Board) -> SolutionBuffer {
    let (mut digits, mut ends) = (Vec::new(), vec![0]);
    for number in 1..=board.rows().max(board.columns()) {
        digits.extend(number.to_string().bytes());
        ends.push(digits.len() as u32);
    }
    SolutionBuffer::Line { digits, ends, line: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(board: &Board, form: SolutionForm, solutions: &[&[(u32, u32)]]) -> String {
        let mut writer = SolutionWriter::new(board, form, Vec::new());
        for solution in solutions {
            let squares: Vec<Square> = solution.iter().copied().map(Square::from).collect();
            writer.write(&squares).unwrap();
        }
        assert_eq!(writer.written(), solutions.len() as u64);
        String::from_utf8(writer.finish().unwrap()).unwrap()
    }

    /// Both solutions of side 4.
    const FOUR: [&[(u32, u32)]; 2] =
        [&[(1, 2), (2, 4), (3, 1), (4, 3)], &[(1, 3), (2, 1), (3, 4), (4, 2)]];

    #[test]
    fn each_form_has_both_solutions_of_side_four() {
        let board = Board::new(4).unwrap();
        assert_eq!(
            written(&board, SolutionForm::Boards, &FOUR),
            ". Q . .\n. . . Q\nQ . . .\n. . Q .\n\n. . Q .\nQ . . .\n. . . Q\n. Q . .\n"
        );
        assert_eq!(
            written(&board, SolutionForm::Coordinates, &FOUR),
            "1,2 2,4 3,1 4,3\n1,3 2,1 3,4 4,2\n"
        );
        assert_eq!(
            written(&board, SolutionForm::Json, &FOUR),
            "[[1,2],[2,4],[3,1],[4,3]]\n[[1,3],[2,1],[3,4],[4,2]]\n"
        );
    }

    #[test]
    fn caos_form_is_that_of_figure_4() {
        let board = Board::new(5).unwrap();
        assert_eq!(
            written(&board, SolutionForm::Cao, &[&[(1, 4), (2, 2), (3, 5), (4, 3), (5, 1)]]),
            "[0, 0, 0, 1, 0]\n[0, 1, 0, 0, 0]\n[0, 0, 0, 0, 1]\n[0, 0, 1, 0, 0]\n[1, 0, 0, 0, 0]\n"
        );
        assert_eq!(written(&board, SolutionForm::Cao, &[]), "No solution\n");
        for form in [SolutionForm::Boards, SolutionForm::Coordinates, SolutionForm::Json] {
            assert_eq!(written(&board, form, &[]), "", "{form}");
        }
        assert_eq!(written(&Board::new(1).unwrap(), SolutionForm::Cao, &[&[(1, 1)]]), "[1]\n");
    }

    #[test]
    fn blocked_squares_and_long_numbers_are_in_their_places() {
        let board = Board::rectangle(2, 12).unwrap().with_blocked([Square::new(0, 11)]).unwrap();
        let solution: [&[(u32, u32)]; 1] = [&[(1, 10), (2, 12)]];
        assert_eq!(
            written(&board, SolutionForm::Boards, &solution),
            ". . . . . . . . . Q . x\n. . . . . . . . . . . Q\n"
        );
        // A queen on a blocked square is wrong, and shown unchanged.
        let wrong: [&[(u32, u32)]; 2] = [&[(1, 12), (2, 1)], &[(1, 1), (2, 12)]];
        let drawn = written(&board, SolutionForm::Boards, &wrong);
        assert_eq!(drawn.matches('x').count(), 1);
        assert_eq!(drawn.lines().nth(3).unwrap(), "Q . . . . . . . . . . x");
        assert_eq!(written(&board, SolutionForm::Coordinates, &solution), "1,10 2,12\n");
        assert_eq!(written(&board, SolutionForm::Json, &solution), "[[1,10],[2,12]]\n");
    }

    #[test]
    fn a_form_is_named_by_its_id_and_nothing_else() {
        for form in SolutionForm::ALL {
            assert_eq!(form.to_string().parse(), Ok(form));
        }
        let unknown = "coordinate".parse::<SolutionForm>().unwrap_err();
        assert_eq!(unknown.near.as_deref(), Some("coordinates"));
    }
}
