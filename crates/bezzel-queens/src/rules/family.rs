//! Families of lines, by direction.

use bezzel_problem::named;

named! {
    /// The four directions of lines.
    pub enum Family {
        /// Left to right.
        Rows = "rows",
        /// Top to bottom.
        Columns = "columns",
        /// Down and to the right: row − column is constant.
        Diagonals = "diagonals",
        /// Down and to the left: row + column is constant.
        Antidiagonals = "antidiagonals",
    }
}
