//! Colourings of graphs: no edge joins two vertices of one colour.
//!
//! *Rules.* Every vertex has one of k colours. The two vertices of an edge have different ones. Colours are not
//! interchangeable: a colouring with other names of colours is another solution.
//!
//! *Candidates.* Vertex v has colour c, vertex by vertex: n·k.
//!
//! *Families.* `vertices`: for each vertex exactly one colour. `edges`: for each edge and each colour at most one of
//! the two vertices, edge by edge.
//!
//! *Graphs.* [`graph`] has Mycielski graphs, queen graphs, random and planted graphs by a seed, and graphs from DIMACS
//! files.
//!
//! *Known answers.* Mycielski's graph number j has chromatic number j and no triangle (Mycielski 1955). The queen
//! graphs of sides 5 to 9 have chromatic numbers 5, 7, 7, 9 and 10 (listed with the DIMACS colouring benchmarks as
//! `queen5_5` to `queen9_9`; M. Vasquez, "New results on the `Queens_n²` graph coloring problem", Journal of Heuristics
//! 10, 2004, goes on from there). With fewer colours there is no solution.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::drawing::{Cell, CellLook, Drawing};
use crate::entry::{EntryError, EntryForm, EntryKey, EntryValues};
use crate::group::{Bounds, GroupFamily, Lists};
use crate::kind::{EntryKind, Kind, assignment};
use crate::literal::{Candidate, Literal};
use crate::problem::Problem;
use crate::solution::Solution;

pub mod col;
pub mod graph;

use graph::Graph;

/// The largest number of vertices of a graph that is drawn with its colours.
const GRAPH: u32 = 60;
/// The largest number of edges of a graph that is drawn without a solution.
const EDGES: usize = 2_000;
/// The largest number of vertices of a graph that is drawn without a solution.
const VERTICES: u32 = 400;
/// The vertices of a row of a list.
const LIST: usize = 10;

/// A graph and a number of colours.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GraphColouring {
    graph: Graph,
    colours: u32,
}

impl GraphColouring {
    /// The colourings of a graph with this number of colours.
    ///
    /// # Errors
    ///
    /// When there is no colour, the graph is none, or there are too many candidates or groups.
    pub fn new(graph: Graph, colours: u32) -> Result<Self, EntryError> {
        graph.refuse_impossible()?;
        if colours == 0 {
            return Err(EntryError::new("colours", "a colouring has at least 1 colour, not 0"));
        }
        let (vertices, edges) = (u64::from(graph.vertices()), graph.expected_edges());
        // A group for each vertex, and one for both ends of each edge in each colour.
        let pairs = edges.saturating_mul(colours.into());
        let literals = (vertices * u64::from(colours)).saturating_add(pairs.saturating_mul(2));
        super::refuse_large("colours", pairs.saturating_add(vertices), literals)?;
        Ok(Self { graph: graph.in_order(), colours })
    }

    /// The graph.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The colour of each vertex, both from 0.
    fn colours_of(&self, solution: &Solution) -> Result<Vec<u32>, String> {
        let words = ["vertex", "has two colours", "has no colour"];
        assignment(solution.chosen(), self.graph.vertices(), self.colours, words)
    }
}

/// As in `colouring mycielski 4, 3 colours`.
impl fmt::Display for GraphColouring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.colours == 1 { "" } else { "s" };
        write!(f, "colouring {}, {} colour{plural}", self.graph, self.colours)
    }
}

impl Kind for GraphColouring {
    const ID: &'static str = "graph-colouring";
    const TITLE: &'static str = "graph colouring";
    const FAMILIES: &'static [&'static str] = &["vertices", "edges"];
    const SIZE: &'static str = "Vertices of the graph";
    const RANK: u16 = 3;

    fn checked(self) -> Result<Self, EntryError> {
        Self::new(self.graph, self.colours)
    }

    fn constraints(&self) -> Problem {
        let (vertices, colours) = (self.graph.vertices(), self.colours);
        let at = move |vertex: u32, colour: u32| Literal::chosen(vertex * colours + colour);
        let of_vertices =
            (0..vertices).map(|vertex| (0..colours).map(move |colour| at(vertex, colour)));
        let mut of_edges = Lists::default();
        for (first, second) in self.graph.edges() {
            (0..colours).for_each(|colour| of_edges.push([at(first, colour), at(second, colour)]));
        }
        Problem::new(vertices * colours)
            .with_family(GroupFamily::new("vertices", Bounds::EXACTLY_ONE, of_vertices.collect()))
            .with_family(GroupFamily::new("edges", Bounds::AT_MOST_ONE, of_edges))
    }

    fn size(&self) -> u32 {
        self.graph.vertices()
    }

    fn label(&self, candidate: Candidate) -> String {
        format!("v{}={}", candidate / self.colours + 1, candidate % self.colours + 1)
    }

    /// The colour of each vertex, as in `1:3 2:1`.
    fn draw(&self, solution: &Solution) -> String {
        let place = |&candidate: &Candidate| {
            format!("{}:{}", candidate / self.colours + 1, candidate % self.colours + 1)
        };
        solution.chosen().iter().map(place).collect::<Vec<_>>().join(" ")
    }

    /// The graph. The solution for a graph with more than `GRAPH` vertices is drawn as a list of them.
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        let colours = solution.map(|it| self.colours_of(it)).transpose().ok()?;
        let vertices = self.graph.vertices();
        let Some(colours) = colours else {
            let edges = if vertices > VERTICES { return None } else { self.graph.edges() };
            let colours = vec![None; vertices as usize];
            return (edges.len() <= EDGES).then_some(Drawing::Graph { colours, edges });
        };
        if vertices <= GRAPH {
            let colours = colours.into_iter().map(Some).collect();
            return Some(Drawing::Graph { colours, edges: self.graph.edges() });
        }
        let cells: Vec<Cell> = (1..)
            .zip(colours)
            .map(|(vertex, colour)| {
                Cell::new(format!("{vertex}:{}", colour + 1), CellLook::Colour(colour))
            })
            .collect();
        Drawing::grid(cells.chunks(LIST).map(<[Cell]>::to_vec))
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        let colours = self.colours_of(solution)?;
        let clash =
            |&(first, second): &(u32, u32)| colours[first as usize] == colours[second as usize];
        match self.graph.edges().into_iter().find(clash) {
            Some((first, second)) => Err(format!(
                "the edge of vertices {} and {} has both in colour {}",
                first + 1,
                second + 1,
                colours[first as usize] + 1
            )),
            None => Ok(()),
        }
    }

    fn known_count(&self) -> Option<u128> {
        (self.colours < self.graph.least_colours()).then_some(0)
    }
}

impl EntryKind for GraphColouring {
    const ENTRY: &'static [EntryKey] = &[
        EntryKey::required(
            "graph",
            "The family of graphs; `file` reads a DIMACS file.",
            EntryForm::Word(&["random", "planted", "mycielski", "queen", "file"]),
        ),
        EntryKey::required("colours", "The number of colours.", EntryForm::Whole(1, 1_000_000)),
        EntryKey::optional(
            "vertices",
            "The number of vertices of a random or planted graph.",
            EntryForm::Whole(1, graph::MAX_VERTICES as u64),
        ),
        EntryKey::optional(
            "number",
            "The chromatic number of a Mycielski graph, or the side of a queen graph.",
            EntryForm::Whole(1, 1_000),
        ),
        EntryKey::optional(
            "density",
            "The probability of each edge of a random graph, or of each possible edge of a planted one.",
            EntryForm::Share,
        ),
        EntryKey::optional(
            "seeds",
            "The seeds of random and planted graphs.",
            EntryForm::Whole(0, u64::MAX),
        ),
        EntryKey::optional("file", "A graph in a DIMACS file (`.col`).", EntryForm::File),
    ];

    fn instance(values: &EntryValues) -> Result<Self, EntryError> {
        let word = values.word("graph").unwrap_or("random").to_owned();
        let read: &[&str] = match &*word {
            "mycielski" | "queen" => &["graph", "colours", "number"],
            "file" => &["graph", "colours", "file"],
            _ => &["graph", "colours", "vertices", "density", "seeds"],
        };
        values.refuse_unread(&format!("a `{word}` graph"), read)?;
        let need = |key: &'static str| {
            values.whole(key).ok_or_else(|| {
                EntryError::new("graph", format!("a `{word}` graph needs the key `{key}`"))
            })
        };
        let colours = need("colours")? as u32;
        let drawn = || -> Result<(u32, u32, u64), EntryError> {
            let density = values.share("density").ok_or_else(|| {
                EntryError::new("graph", format!("a `{word}` graph needs the key `density`"))
            })?;
            Ok((need("vertices")? as u32, (density * 1e6).round() as u32, need("seeds")?))
        };
        let graph = match &*word {
            "mycielski" => Graph::Mycielski(need("number")? as u32),
            "queen" => Graph::Lines(need("number")? as u32),
            "file" => values.read_text("file", col::read)?,
            "planted" => {
                let (vertices, density_ppm, seed) = drawn()?;
                Graph::Planted { vertices, colours, density_ppm, seed }
            }
            _ => {
                let (vertices, density_ppm, seed) = drawn()?;
                Graph::Random { vertices, density_ppm, seed }
            }
        };
        Self::new(graph, colours)
    }

    fn examples() -> Vec<Self> {
        let random = |seed| Graph::Random { vertices: 5, density_ppm: 500_000, seed };
        let planted = Graph::Planted { vertices: 6, colours: 2, density_ppm: 700_000, seed: 1 };
        [
            (Graph::Mycielski(2), 1),
            (Graph::Mycielski(3), 2),
            (Graph::Mycielski(3), 3),
            (Graph::Lines(2), 4),
            (random(1), 3),
            (random(2), 2),
            (planted, 2),
        ]
        .map(|(graph, colours)| Self { graph, colours })
        .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Search;

    fn count(graph: Graph, colours: u32) -> u64 {
        let instance = GraphColouring::new(graph, colours).unwrap();
        Search::new(&instance.problem()).count(u64::MAX).unwrap()
    }

    #[test]
    fn mycielski_graphs_have_the_published_sizes_and_chromatic_numbers() {
        for (j, vertices, edges) in [(2, 2, 1), (3, 5, 5), (4, 11, 20), (5, 23, 71), (6, 47, 236)] {
            let graph = Graph::Mycielski(j);
            assert_eq!((graph.vertices(), graph.edges().len()), (vertices, edges));
        }
        assert_eq!(count(Graph::Mycielski(4), 3), 0);
        assert!(count(Graph::Mycielski(4), 4) > 0);
        // The cycle of 5 has 2⁵ − 2 colourings with 3 colours.
        assert_eq!(count(Graph::Mycielski(3), 3), 30);
    }

    /// The number of colourings by deletion and contraction: P(G) = P(G − e) − P(G / e).
    fn by_contraction(vertices: &[u32], edges: &[(u32, u32)], colours: i64) -> i64 {
        let Some(&(first, second)) = edges.first() else {
            return colours.pow(vertices.len() as u32);
        };
        let rest: Vec<_> = edges.iter().copied().filter(|&edge| edge != (first, second)).collect();
        let left: Vec<_> = vertices.iter().copied().filter(|&vertex| vertex != second).collect();
        let moved = |vertex: u32| if vertex == second { first } else { vertex };
        let mut joined: Vec<_> =
            rest.iter().map(|&(a, b)| (moved(a).min(moved(b)), moved(a).max(moved(b)))).collect();
        joined.sort_unstable();
        joined.dedup();
        by_contraction(vertices, &rest, colours) - by_contraction(&left, &joined, colours)
    }

    #[test]
    fn colourings_are_as_many_as_the_chromatic_polynomial_says() {
        for (graph, colours) in [
            (Graph::Mycielski(3), 4),
            (Graph::Mycielski(4), 4),
            (Graph::Lines(3), 5),
            (Graph::Random { vertices: 6, density_ppm: 400_000, seed: 3 }, 3),
            (Graph::Planted { vertices: 6, colours: 3, density_ppm: 900_000, seed: 4 }, 3),
        ] {
            let vertices: Vec<u32> = (0..graph.vertices()).collect();
            let expected = by_contraction(&vertices, &graph.edges(), i64::from(colours));
            assert_eq!(count(graph.clone(), colours), expected as u64, "{graph}");
        }
    }

    #[test]
    fn listed_edges_are_kept_once_and_in_order() {
        let graph = |edges: &[(u32, u32)]| Graph::Edges { vertices: 3, edges: edges.to_vec() };
        let once = GraphColouring::new(graph(&[(1, 2), (2, 3)]), 2).unwrap();
        let twice = GraphColouring::new(graph(&[(3, 2), (2, 1), (1, 2)]), 2).unwrap();
        assert_eq!(once, twice);
        assert_eq!(once.to_string(), twice.to_string());
    }

    #[test]
    fn a_planted_graph_can_be_coloured() {
        for seed in 0..20 {
            let graph = Graph::Planted { vertices: 12, colours: 3, density_ppm: 600_000, seed };
            let instance = GraphColouring::new(graph, 3).unwrap();
            let solution = Search::new(&instance.problem()).first(u64::MAX).unwrap().unwrap();
            assert_eq!(instance.check(&solution), Ok(()));
        }
    }
}
