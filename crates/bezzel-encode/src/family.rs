//! Families of lines, by direction.

/// The four directions of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// Left to right.
    Rows,
    /// Top to bottom.
    Columns,
    /// Down and to the right: row − column is constant.
    Diagonals,
    /// Down and to the left: row + column is constant.
    Antidiagonals,
}

impl Family {
    /// The four families in the order in which encodings state them.
    pub const ALL: [Self; 4] = [Self::Rows, Self::Columns, Self::Diagonals, Self::Antidiagonals];

    /// The name of the formula's section.
    pub fn section(self) -> &'static str {
        match self {
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Diagonals => "diagonals",
            Self::Antidiagonals => "antidiagonals",
        }
    }
}
