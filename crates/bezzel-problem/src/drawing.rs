//! Solutions as figures draw them: cells in rows, or a graph.

use serde::Serialize;

/// A solution to draw.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Drawing {
    /// Cells in rows, with stronger lines after every `boxes` rows and columns, if there are boxes.
    Grid {
        /// The cells.
        rows: Vec<Vec<Cell>>,
        /// The rows and the columns of a box.
        boxes: Option<(u32, u32)>,
    },
    /// Vertices with their colours, both counted from 0.
    Graph {
        /// The colour of each vertex.
        colours: Vec<u32>,
        /// The pairs of vertices that are joined.
        edges: Vec<(u32, u32)>,
    },
}

/// A cell of a grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cell {
    /// Its text.
    pub text: String,
    /// Its look.
    pub look: CellLook,
}

/// The look of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CellLook {
    /// It was found.
    Found,
    /// It was given.
    Given,
    /// A name of its row or column.
    Name,
    /// It has a colour, counted from 0.
    Colour(u32),
}

impl Cell {
    /// A cell with this text.
    pub(crate) fn new(text: impl Into<String>, look: CellLook) -> Self {
        Self { text: text.into(), look }
    }

    /// The name of a row or a column.
    pub(crate) fn name(text: impl Into<String>) -> Self {
        Self::new(text, CellLook::Name)
    }

    /// A cross where something was chosen, an empty cell elsewhere.
    pub(crate) fn chosen(is_chosen: bool) -> Self {
        Self::new(if is_chosen { "×" } else { "" }, CellLook::Found)
    }
}

/// A place in a drawing: the name of a coordinate, and its number from 1.
type Coordinate = (&'static str, usize);

impl Drawing {
    /// Each value with its two coordinates: of a cell the row and the column, of a vertex its number and its colour.
    pub fn values(&self) -> Vec<(String, [Coordinate; 2])> {
        match self {
            Self::Grid { rows, .. } => {
                let cells = (1..).zip(rows).flat_map(|(row, cells)| {
                    let cells = (1..).zip(cells).filter(|(_, cell)| !cell.text.is_empty());
                    cells.map(move |(column, cell)| {
                        (cell.text.clone(), [("row", row), ("column", column)])
                    })
                });
                cells.collect()
            }
            Self::Graph { colours, .. } => {
                let vertices = (1..).zip(colours).map(|(vertex, &colour)| {
                    (String::new(), [("vertex", vertex), ("colour", colour as usize + 1)])
                });
                vertices.collect()
            }
        }
    }

    /// Cells in rows without boxes.
    pub(crate) fn grid(rows: Vec<Vec<Cell>>) -> Self {
        Self::Grid { rows, boxes: None }
    }
}

#[cfg(test)]
mod tests {
    use crate::instance::Instance;
    use crate::search::Search;

    #[test]
    fn solutions_of_every_kind_but_queens_and_files_are_drawn() {
        for instance in Instance::examples().into_iter().filter(|it| it.file().is_none()) {
            let Some(solution) = Search::new(&instance.problem()).first(u64::MAX).unwrap() else {
                continue;
            };
            let drawing = instance.drawing(&solution);
            assert!(drawing.is_some_and(|drawing| !drawing.values().is_empty()), "{instance}");
        }
    }
}
