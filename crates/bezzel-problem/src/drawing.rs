//! Instances and their solutions as pages and figures draw them: cells in rows, or a graph.

use serde::Serialize;

/// The most cells of a grid. In a larger one no text is legible, on a page or in a figure. Pigeonholes and exact covers
/// may have many millions of cells.
const CELLS: usize = 2_000;

/// An instance or a solution to draw.
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
        /// The colour of each vertex; none for each if the instance alone is drawn.
        colours: Vec<Option<u32>>,
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
    /// Each value with its two coordinates: of a cell the row and the column, of a coloured vertex its number and its
    /// colour.
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
                let vertices = (1..).zip(colours).filter_map(|(vertex, &colour)| {
                    Some((String::new(), [("vertex", vertex), ("colour", colour? as usize + 1)]))
                });
                vertices.collect()
            }
        }
    }

    /// Cells in rows without boxes; none if there are more than [`CELLS`].
    pub(crate) fn grid(rows: impl IntoIterator<Item = Vec<Cell>>) -> Option<Self> {
        Self::boxed(rows, None)
    }

    /// Cells in rows and in boxes; none if there are more than [`CELLS`]. Rows after these are not made.
    pub(crate) fn boxed(
        rows: impl IntoIterator<Item = Vec<Cell>>,
        boxes: Option<(u32, u32)>,
    ) -> Option<Self> {
        let (mut kept, mut cells) = (Vec::new(), 0);
        for row in rows {
            cells += row.len();
            if cells > CELLS {
                return None;
            }
            kept.push(row);
        }
        Some(Self::Grid { rows: kept, boxes })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::instance::Instance;
    use crate::kind::graph_colouring::GraphColouring;
    use crate::kind::graph_colouring::graph::Graph;
    use crate::kind::latin_square::LatinSquare;
    use crate::kind::pigeonhole::Pigeonhole;
    use crate::queens::board::Board;
    use crate::search::Search;

    /// The small instances of every kind but queens and files.
    fn examples() -> impl Iterator<Item = Instance> {
        Instance::examples().into_iter().filter(|it| it.file().is_none())
    }

    #[test]
    fn solutions_of_every_kind_but_queens_and_files_are_drawn() {
        for instance in examples() {
            let Some(solution) = Search::new(&instance.problem()).first(u64::MAX).unwrap() else {
                continue;
            };
            let drawing = instance.drawing(Some(&solution));
            assert!(drawing.is_some_and(|drawing| !drawing.values().is_empty()), "{instance}");
        }
    }

    #[test]
    fn every_kind_but_queens_and_files_draws_its_instance_alone() {
        for instance in examples() {
            let drawing = instance.drawing(None).expect("a small instance");
            let values = drawing.values();
            let size = instance.size() as usize;
            let grid = match &drawing {
                Drawing::Grid { rows, .. } => rows.as_slice(),
                Drawing::Graph { .. } => &[],
            };
            match &instance {
                Instance::LatinSquare(square) => {
                    let given = square.given().iter().map(|&(row, column, symbol)| {
                        let place = [("row", row as usize), ("column", column as usize)];
                        (symbol.to_string(), place)
                    });
                    assert_eq!(values, given.collect::<Vec<_>>(), "{instance}");
                    assert_eq!(grid.iter().map(Vec::len).collect::<Vec<_>>(), vec![size; size]);
                }
                Instance::GraphColouring(colouring) => {
                    let (colours, edges) = (vec![None; size], colouring.graph().edges());
                    assert_eq!(drawing, Drawing::Graph { colours, edges }, "{instance}");
                }
                Instance::ExactCover(cover) => {
                    let crosses = values.iter().filter(|(text, _)| text == "×");
                    let crosses: BTreeSet<_> =
                        crosses.map(|(_, [row, column])| [row.1, column.1]).collect();
                    // The first row and the first column have names.
                    let options = (2..).zip(cover.options());
                    let items = options.flat_map(|(row, option)| {
                        option.iter().map(move |&item| [row, item as usize + 2])
                    });
                    assert_eq!(crosses, items.collect::<BTreeSet<_>>(), "{instance}");
                }
                Instance::CarSequencing(_) => {
                    let cars = grid[1..].iter().map(|row| row[1].text.parse::<usize>().unwrap());
                    assert_eq!(cars.sum::<usize>(), size, "{instance}");
                }
                Instance::Langford(_) => {
                    assert!(grid.len() == 1 && grid[0].len() == 2 * size && values.is_empty());
                }
                Instance::MaxSquare(_) => {
                    assert!(grid.len() == size && grid[0].len() == size && values.is_empty());
                }
                Instance::Pigeonhole(_) => {
                    // Pigeons and holes have names.
                    assert_eq!(grid.len(), size + 1, "{instance}");
                    assert_eq!(values.len(), size + grid[0].len() - 1, "{instance}");
                }
                Instance::Queens(_) | Instance::File(_) => panic!("{instance} is no example"),
            }
        }
    }

    #[test]
    fn neither_large_instances_nor_queens_are_drawn_alone() {
        let square = |order| LatinSquare::new(order, None, 3).unwrap();
        let graph = |side| GraphColouring::new(Graph::Queen(side), 9).unwrap();
        for (instance, is_drawn) in [
            (Instance::from(square(44)), true),
            (square(45).into(), false),
            (graph(7).into(), true),
            (graph(8).into(), false),
            (Pigeonhole::new(10_000, 9_999).unwrap().into(), false),
            (Board::new(8).unwrap().into(), false),
        ] {
            assert_eq!(instance.drawing(None).is_some(), is_drawn, "{instance}");
        }
    }
}
