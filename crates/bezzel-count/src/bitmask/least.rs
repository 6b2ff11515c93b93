//! One solution of each orbit: the one whose columns, read from the first row on, come first.

use bezzel_problem::{Board, Dihedral, Square};

/// True if no image of a placement comes before it, in the lexicographic order of columns.
///
/// `columns` has the column of the piece in each row of a board `width` columns wide, no two the same. `group` has to
/// be a group of maps of this board, as [`stabilizer`](bezzel_problem::queens::dihedral::stabilizer) gives it; then
/// exactly one placement of each orbit is the least. The function allocates no memory, and mostly reads a row or two of
/// each image.
///
/// # Panics
///
/// When a map makes columns of rows, and there are not as many of both.
pub fn is_least(columns: &[u32], width: u32, group: &[Dihedral]) -> bool {
    group.iter().all(|&map| columns.iter().copied().le(image(columns, width, map)))
}

/// The columns of the image of a placement, from the first row on.
fn image(columns: &[u32], width: u32, map: Dihedral) -> impl Iterator<Item = u32> {
    let rows = columns.len() as u32;
    assert!(map.keeps_rows() || rows == width, "{map} of a board of {rows} rows, {width} columns");
    let column = |row: u32| columns[row as usize];
    let row_of = |column: u32| {
        let row = columns.iter().position(|&other| other == column);
        row.expect("every column of a square has its piece") as u32
    };
    (0..rows).map(move |row| {
        let (from_bottom, last) = (rows - 1 - row, width - 1);
        match map {
            Dihedral::Identity => column(row),
            Dihedral::Mirror => last - column(row),
            Dihedral::Flip => column(from_bottom),
            Dihedral::HalfTurn => last - column(from_bottom),
            Dihedral::Transpose => row_of(row),
            Dihedral::Antitranspose => last - row_of(from_bottom),
            Dihedral::QuarterTurn => last - row_of(row),
            Dihedral::ThreeQuarterTurn => row_of(from_bottom),
        }
    })
}

/// The squares on which a least solution has no piece if that of its first row stands in column `first`: those from
/// which a map of the group would move it to the first row, further left.
pub(super) fn excluded(
    board: &Board,
    group: &[Dihedral],
    first: u32,
) -> impl Iterator<Item = Square> {
    let comes_before = move |square: Square, map: Dihedral| {
        let image = map.image(square, board.rows(), board.columns());
        image.row == 0 && image.column < first
    };
    board.each_square().filter(move |&square| group.iter().any(|&map| comes_before(square, map)))
}
