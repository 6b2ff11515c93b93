//! Instances and their solutions as pages and figures draw them: cells in rows, or a graph.

use serde::Serialize;

/// The largest number of cells of a grid, 64 × 64. A larger grid is not legible on a page or
/// in a figure. A pigeonhole instance may have many millions of cells.
const CELLS: usize = 4_096;

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
        /// True if neighbouring cells differ in their ground, and cells hold pieces instead of text.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        chequered: bool,
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
    /// It is closed by the instance.
    Blocked,
    /// It is empty, as propagation finds.
    RuledOut,
}

impl CellLook {
    /// The meaning, in a few words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Given => "given",
            Self::Name => "name",
            Self::Colour(_) => "colour",
            Self::Blocked => "blocked",
            Self::RuledOut => "ruled out by propagation",
        }
    }
}

impl Cell {
    /// A cell with this text.
    pub fn new(text: impl Into<String>, look: CellLook) -> Self {
        Self { text: text.into(), look }
    }

    /// The name of a row or a column.
    pub fn name(text: impl Into<String>) -> Self {
        Self::new(text, CellLook::Name)
    }

    /// A cross where something was chosen, an empty cell elsewhere.
    pub fn chosen(is_chosen: bool) -> Self {
        Self::new(if is_chosen { "×" } else { "" }, CellLook::Found)
    }
}

/// A place in a drawing: the name of a coordinate, and its number from 1.
type Coordinate = (&'static str, usize);

impl Drawing {
    /// Each value with its two coordinates: of a cell the row and the column, of a coloured vertex its number and its
    /// colour. The value of a chequered cell is the meaning of its look.
    pub fn values(&self) -> Vec<(String, [Coordinate; 2])> {
        match self {
            Self::Grid { rows, chequered, .. } => {
                let cells = (1..).zip(rows).flat_map(|(row, cells)| {
                    let cells = (1..).zip(cells).filter(|(_, cell)| !cell.text.is_empty());
                    cells.map(move |(column, cell)| {
                        let value = if *chequered { cell.look.label() } else { &cell.text };
                        (value.to_owned(), [("row", row), ("column", column)])
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

    /// Cells in rows without boxes; none if there are more than 4,096.
    pub fn grid(rows: impl IntoIterator<Item = Vec<Cell>>) -> Option<Self> {
        Self::boxed(rows, None)
    }

    /// Chequered cells in rows; none if there are more than 4,096.
    pub fn chequered(rows: impl IntoIterator<Item = Vec<Cell>>) -> Option<Self> {
        let mut drawing = Self::grid(rows)?;
        if let Self::Grid { chequered, .. } = &mut drawing {
            *chequered = true;
        }
        Some(drawing)
    }

    /// Cells in rows and in boxes; none if there are more than 4,096. No further row is generated after this number
    /// is exceeded.
    pub fn boxed(
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
        Some(Self::Grid { rows: kept, boxes, chequered: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::Instance;
    use crate::kind::exact_cover::ExactCover;
    use crate::kind::graph_colouring::GraphColouring;
    use crate::kind::graph_colouring::graph::Graph;
    use crate::kind::latin_square::LatinSquare;
    use crate::kind::pigeonhole::Pigeonhole;
    use crate::search::Search;

    /// The small instances of every kind but files.
    fn examples() -> impl Iterator<Item = Instance> {
        Instance::examples().into_iter().filter(|it| it.file().is_none())
    }

    #[test]
    fn solutions_of_every_kind_but_files_are_drawn() {
        for instance in examples() {
            let Some(solution) = Search::new(&instance.problem()).first(u64::MAX).unwrap() else {
                continue;
            };
            let drawing = instance.drawing(Some(&solution));
            assert!(drawing.is_some_and(|drawing| !drawing.values().is_empty()), "{instance}");
        }
    }

    #[test]
    fn every_kind_but_files_draws_its_instance_alone() {
        for instance in examples() {
            let drawing = instance.drawing(None).expect("a small instance");
            let values = drawing.values();
            let size = instance.size() as usize;
            let grid = match &drawing {
                Drawing::Grid { rows, .. } => rows.as_slice(),
                Drawing::Graph { .. } => &[],
            };
            if let Some(square) = instance.get::<LatinSquare>() {
                let given = square.given().iter().map(|&(row, column, symbol)| {
                    let place = [("row", row as usize), ("column", column as usize)];
                    (symbol.to_string(), place)
                });
                assert_eq!(values, given.collect::<Vec<_>>(), "{instance}");
                assert_eq!(grid.iter().map(Vec::len).collect::<Vec<_>>(), vec![size; size]);
            } else if let Some(colouring) = instance.get::<GraphColouring>() {
                let (colours, edges) = (vec![None; size], colouring.graph().edges());
                assert_eq!(drawing, Drawing::Graph { colours, edges }, "{instance}");
            } else if let Some(cover) = instance.get::<ExactCover>() {
                assert_eq!(grid.len(), cover.options().len(), "{instance}");
                for (candidate, row) in (0..).zip(grid) {
                    let items: Vec<&str> = row[1..].iter().map(|it| &*it.text).collect();
                    assert_eq!(format!("{{{}}}", items.join(",")), instance.label(candidate));
                }
            } else {
                let columns = grid[0].len();
                match instance.kind() {
                    "multidimensional-knapsack" | "bin-packing" | "generalised-assignment" => {
                        assert_eq!(grid.len(), size + 1, "{instance}");
                    }
                    "car-sequencing" => {
                        let cars =
                            grid[1..].iter().map(|row| row[1].text.parse::<usize>().unwrap());
                        assert_eq!(cars.sum::<usize>(), size, "{instance}");
                    }
                    "langford" => {
                        assert!(grid.len() == 1 && columns == 2 * size && values.is_empty());
                    }
                    "max-square" => {
                        assert!(grid.len() == size && columns == size && values.is_empty());
                    }
                    "pigeonhole" => {
                        // Pigeons and holes have names.
                        assert_eq!(grid.len(), size + 1, "{instance}");
                        assert_eq!(values.len(), size + columns - 1, "{instance}");
                    }
                    other => panic!("{other} has no expectation"),
                }
            }
        }
    }

    #[test]
    fn large_instances_are_not_drawn_alone() {
        let square = |order| LatinSquare::new(order, None, 3).unwrap();
        let graph = |side| GraphColouring::new(Graph::Lines(side), 9).unwrap();
        for (instance, is_drawn) in [
            (Instance::from(square(64)), true),
            (square(65).into(), false),
            // They have 1,456 and 2,920 edges.
            (graph(8).into(), true),
            (graph(12).into(), false),
            (Pigeonhole::new(10_000, 9_999).unwrap().into(), false),
        ] {
            assert_eq!(instance.drawing(None).is_some(), is_drawn, "{instance}");
        }
    }
}
