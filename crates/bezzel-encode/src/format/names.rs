//! The names of the variables of a file.

use bezzel_problem::Problem;
use rustsat::types::{Lit, Var};

use crate::numbering::Images;
use crate::var_map::VarMap;

/// The spellings of a format for the common parts of all formats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    /// The beginning of a comment.
    pub(super) sign: &'static str,
    /// The text before the number of a variable.
    pub(super) id: &'static str,
    /// The sign of negation.
    pub(super) not: &'static str,
    /// The name of the lines of the formula.
    pub(super) clauses: &'static str,
    pub(super) spelling: Spelling,
}

impl Style {
    /// True if names have braces, as in formats without symbols of their own.
    pub(super) fn has_braces(&self) -> bool {
        matches!(self.spelling, Spelling::Braces)
    }
}

/// The spelling of names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spelling {
    /// `x_{3,12}`, `b_{3,1}`: as in CNFgen and LaTeX.
    Braces,
    /// `q_3_12`, `b_3_1`: symbols of SMT-LIB.
    Underscores,
    /// `p34`, `b31`: as in Zantema's text, up to nine rows and columns.
    Digits,
    /// `p3_12`, `b3_1`: with the extra symbol of Zantema's text for larger grids.
    Apart,
}

impl Spelling {
    fn name(self, label: SquareLabel, direct: bool) -> String {
        let SquareLabel { row, number, .. } = label;
        let letter = match (direct, self) {
            (false, _) => 'b',
            (true, Self::Braces) => 'x',
            (true, Self::Underscores) => 'q',
            (true, Self::Digits | Self::Apart) => 'p',
        };
        let Some(number) = number else {
            return match self {
                Self::Braces => format!("{letter}_{{{row}}}"),
                Self::Underscores | Self::Apart => format!("{letter}_{row}"),
                Self::Digits => format!("{letter}{row}"),
            };
        };
        match self {
            Self::Braces => format!("{letter}_{{{row},{number}}}"),
            Self::Underscores => format!("{letter}_{row}_{number}"),
            Self::Digits => format!("{letter}{row}{number}"),
            Self::Apart => format!("{letter}{row}_{number}"),
        }
    }
}

/// The variable of a square of a grid, or one of several that encode the choice in a row. In problems without a grid,
/// that of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct SquareLabel {
    /// The literal of the file that has the meaning of the name.
    image: Lit,
    /// The row, or the candidate, counted from 1.
    row: u32,
    /// The column where every square has a variable of its own; else the place among the variables that first occur in
    /// the row. Counted from 1. None for the variable of a candidate.
    number: Option<u32>,
}

/// The names of the variables that belong to squares.
#[derive(Clone, Debug)]
pub(super) struct SquareLabels {
    /// True if every square has a variable of its own.
    direct: bool,
    /// In the order of their numbers in the file.
    known: Vec<SquareLabel>,
    /// True for each variable of the encoder that has a name.
    named: Vec<bool>,
}

impl SquareLabels {
    pub(super) fn of(problem: &Problem, map: &VarMap, images: &Images, variables: u32) -> Self {
        // On two columns a row may have one variable for both of its squares.
        let mut seen = vec![false; variables as usize];
        let direct = map.cubes().all(|cube| match *cube {
            [lit] => !std::mem::replace(&mut seen[lit.vidx()], true),
            _ => false,
        });
        let mut named = vec![false; variables as usize];
        let mut labels = Vec::new();
        // Without a grid each candidate is a row of its own.
        let grid = problem.grid();
        let columns = grid.map_or(1, |grid| grid.columns);
        let mut of_row = 0;
        for (candidate, cube) in (0..).zip(map.cubes()) {
            let (row, column) = (candidate / columns, candidate % columns);
            of_row = if column == 0 { 0 } else { of_row };
            for &lit in cube {
                if !std::mem::replace(&mut named[lit.vidx()], true) {
                    of_row += 1;
                    let (lit, number) = match (direct, grid) {
                        (true, Some(_)) => (lit, Some(column + 1)),
                        (true, None) => (lit, None),
                        (false, _) => (lit.var().pos_lit(), Some(of_row)),
                    };
                    labels.push(SquareLabel { image: images.of(lit), row: row + 1, number });
                }
            }
        }
        labels.sort_unstable();
        Self { direct, known: labels, named }
    }

    /// True if this variable of the encoder has a name.
    pub(super) fn has(&self, var: Var) -> bool {
        self.named[var.idx()]
    }

    /// The literals of the file that have a name, in the order of their variables, with the names.
    pub(super) fn names(&self, style: &Style) -> impl Iterator<Item = (Lit, String)> {
        let spelling = style.spelling;
        self.known.iter().map(move |&label| (label.image, spelling.name(label, self.direct)))
    }

    /// The variables of the file that have a name, in their order.
    pub(super) fn variables(&self) -> impl Iterator<Item = Var> {
        self.known.iter().map(|label| label.image.var())
    }
}

/// The symbol of every variable of a file, for formats that have no numbers.
///
/// Named variables have their names; where a name is that of the negation, it begins with `not_`. The others are called
/// `a` and their number.
#[derive(Debug)]
pub(super) struct Symbols {
    /// All symbols, one after the other.
    text: String,
    /// The end of each.
    ends: Vec<usize>,
    longest: usize,
}

impl Symbols {
    pub(super) fn of(labels: &SquareLabels, style: &Style, variables: u32) -> Self {
        let mut symbols = Self { text: String::new(), ends: Vec::new(), longest: 0 };
        let mut names = labels.names(style).peekable();
        let apart = matches!(style.spelling, Spelling::Underscores);
        for index in 0..variables {
            if let Some((image, name)) = names.next_if(|(image, _)| image.vidx32() == index) {
                symbols.text.push_str(if image.is_neg() { "not_" } else { "" });
                symbols.text.push_str(&name);
            } else {
                symbols.text.push_str(if apart { "a_" } else { "a" });
                symbols.text.push_str(&(index + 1).to_string());
            }
            let start = symbols.ends.last().copied().unwrap_or(0);
            symbols.longest = symbols.longest.max(symbols.text.len() - start);
            symbols.ends.push(symbols.text.len());
        }
        symbols
    }

    /// True if the literal's variable has a symbol.
    #[inline]
    pub(super) fn has(&self, lit: Lit) -> bool {
        lit.vidx() < self.ends.len()
    }

    /// The symbol of the variable of this number, counted from 0.
    #[inline]
    pub(super) fn of_variable(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[index]]
    }

    /// The symbols in the order of their variables.
    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.ends.len()).map(|index| self.of_variable(index))
    }

    /// The largest number of bytes of a literal.
    pub(super) fn longest_literal(&self) -> usize {
        "(not ) ".len() + self.longest
    }
}
