//! Graphs: by formula, by a seed, or edge by edge.

use std::fmt;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

use crate::entry::EntryError;
use crate::kind::short_digest;

/// The ChaCha8 stream of planted graphs. Latin squares and numberings have smaller ones.
const STREAM: u64 = 6 << 32;

/// The most vertices of a graph.
pub const MAX_VERTICES: u32 = 100_000;

/// The most vertices of a graph that is drawn: a number is drawn for each pair of them.
const MAX_DRAWN: u32 = 20_000;

/// A graph with vertices from 0 and without loops.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Graph {
    /// Mycielski's graph of this chromatic number, from 2: an edge, a cycle of 5, the Grötzsch graph, and so on. It
    /// has no triangle.
    ///
    /// *Source.* J. Mycielski, "Sur le coloriage des graphes", Colloquium Mathematicum 3, 1955.
    Mycielski(u32),
    /// The cells of a grid of this side; edges join cells on a common row, column or diagonal. Its name in the literature
    /// is *queen graph*.
    #[serde(rename = "queen")]
    Lines(u32),
    /// Every edge with the same probability: G(n, p).
    Random {
        /// The number of vertices.
        vertices: u32,
        /// The probability of an edge, in millionths.
        density_ppm: u32,
        /// The seed.
        seed: u64,
    },
    /// A random graph that has a colouring: edges join vertices of different hidden colours only.
    Planted {
        /// The number of vertices.
        vertices: u32,
        /// The number of hidden colours.
        colours: u32,
        /// The probability of an edge between different colours, in millionths.
        density_ppm: u32,
        /// The seed.
        seed: u64,
    },
    /// Edges one by one, vertices counted from 1.
    Edges {
        /// The number of vertices.
        vertices: u32,
        /// The edges.
        edges: Vec<(u32, u32)>,
    },
}

impl Graph {
    /// Refuses graphs that do not exist or are too large.
    pub(super) fn refuse_impossible(&self) -> Result<(), EntryError> {
        let refused = |key, message: String| Err(EntryError::new(key, message));
        match self {
            Self::Mycielski(number) if !(2..=16).contains(number) => refused(
                "number",
                format!("a Mycielski graph has a number from 2 to 16, not {number}"),
            ),
            Self::Lines(side) if !(1..=100).contains(side) => {
                refused("number", format!("a queen graph has a side from 1 to 100, not {side}"))
            }
            Self::Planted { colours: 0, .. } => {
                refused("colours", "a planted graph has at least 1 hidden colour, not 0".into())
            }
            Self::Random { density_ppm, .. } | Self::Planted { density_ppm, .. }
                if *density_ppm > 1_000_000 =>
            {
                refused("density", format!("a density is at most 1, not {density_ppm} millionths"))
            }
            Self::Random { vertices, .. } | Self::Planted { vertices, .. }
                if *vertices > MAX_DRAWN =>
            {
                refused(
                    "vertices",
                    format!(
                        "a random or planted graph has at most {MAX_DRAWN} vertices, not {vertices}: \
                         larger ones are read from a file"
                    ),
                )
            }
            _ if !(1..=MAX_VERTICES).contains(&self.vertices()) => refused(
                "vertices",
                format!("a graph has 1 to {MAX_VERTICES} vertices, not {}", self.vertices()),
            ),
            Self::Edges { vertices, edges } => {
                let is_edge = |&(first, second): &(u32, u32)| {
                    first != second
                        && (1..=*vertices).contains(&first)
                        && (1..=*vertices).contains(&second)
                };
                match edges.iter().find(|edge| !is_edge(edge)) {
                    Some((first, second)) => refused(
                        "graph",
                        format!(
                            "({first}, {second}) is not an edge of a graph of {vertices} vertices"
                        ),
                    ),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// The number of vertices.
    pub fn vertices(&self) -> u32 {
        match *self {
            Self::Mycielski(number) => 3 * (1 << number.saturating_sub(2)) - 1,
            Self::Lines(side) => side * side,
            Self::Random { vertices, .. }
            | Self::Planted { vertices, .. }
            | Self::Edges { vertices, .. } => vertices,
        }
    }

    /// The edges in ascending order, each once and with its smaller vertex first; vertices count from 0.
    pub fn edges(&self) -> Vec<(u32, u32)> {
        match self {
            Self::Mycielski(number) => mycielski(*number),
            Self::Lines(side) => {
                let meet = |first: u32, second: u32| {
                    let down = (first / side).abs_diff(second / side);
                    let right = (first % side).abs_diff(second % side);
                    down == 0 || right == 0 || down == right
                };
                pairs(side * side).filter(|&(first, second)| meet(first, second)).collect()
            }
            Self::Random { vertices, density_ppm, seed } => {
                let mut generator = ChaCha8Rng::seed_from_u64(*seed);
                pairs(*vertices).filter(|_| draws(&mut generator, *density_ppm)).collect()
            }
            Self::Planted { vertices, colours, density_ppm, seed } => {
                let mut generator = ChaCha8Rng::seed_from_u64(*seed);
                generator.set_stream(STREAM);
                let hidden: Vec<u32> =
                    (0..*vertices).map(|_| generator.next_u32() % colours).collect();
                pairs(*vertices)
                    .filter(|&(first, second)| hidden[first as usize] != hidden[second as usize])
                    .filter(|_| draws(&mut generator, *density_ppm))
                    .collect()
            }
            Self::Edges { edges, .. } => {
                let from_0 =
                    |&(first, second): &(u32, u32)| (first.min(second) - 1, first.max(second) - 1);
                let mut edges: Vec<_> = edges.iter().map(from_0).collect();
                edges.sort_unstable();
                edges.dedup();
                edges
            }
        }
    }

    /// The number of edges: exactly by formula, the expected number for random graphs, an upper bound of it for planted
    /// ones. No edge is listed.
    pub(super) fn expected_edges(&self) -> u64 {
        match self {
            Self::Mycielski(number) => {
                // Mycielski's step makes 2n + 1 vertices of n, and 3m + n edges of m.
                let step = |(vertices, edges), _| (2 * vertices + 1, 3 * edges + vertices);
                (2..*number).fold((2, 1), step).1
            }
            Self::Lines(side) => {
                let n = u64::from(*side);
                n * (n - 1) * (5 * n - 1) / 3
            }
            Self::Random { vertices, density_ppm, .. }
            | Self::Planted { vertices, density_ppm, .. } => {
                let n = u64::from(*vertices);
                n * (n - 1) / 2 * u64::from(*density_ppm) / 1_000_000
            }
            Self::Edges { edges, .. } => edges.len() as u64,
        }
    }

    /// The same graph with listed edges in ascending order, each once and with its smaller vertex first.
    pub(super) fn in_order(mut self) -> Self {
        if let Self::Edges { edges, .. } = &mut self {
            for edge in edges.iter_mut() {
                *edge = (edge.0.min(edge.1), edge.0.max(edge.1));
            }
            edges.sort_unstable();
            edges.dedup();
        }
        self
    }

    /// The number of colours below which it is known that there is no colouring.
    pub(super) fn least_colours(&self) -> u32 {
        match *self {
            Self::Mycielski(number) => number,
            // A row is a clique; 6, 8 and 9 need one colour more.
            Self::Lines(side) => side + u32::from(matches!(side, 6 | 8 | 9)),
            _ => 1,
        }
    }
}

/// All pairs of vertices in ascending order.
fn pairs(vertices: u32) -> impl Iterator<Item = (u32, u32)> {
    (0..vertices).flat_map(move |first| (first + 1..vertices).map(move |second| (first, second)))
}

/// True with this probability.
fn draws(generator: &mut ChaCha8Rng, ppm: u32) -> bool {
    u64::from(generator.next_u32()) * 1_000_000 < u64::from(ppm) << 32
}

/// From the edge: a shadow for each vertex, joined to the vertex's neighbours, and one more vertex, joined to all
/// shadows.
fn mycielski(number: u32) -> Vec<(u32, u32)> {
    let (mut vertices, mut edges) = (2, vec![(0, 1)]);
    for _ in 2..number {
        let old = edges.clone();
        edges.extend(old.iter().flat_map(|&(a, b)| [(a, vertices + b), (b, vertices + a)]));
        edges.extend((0..vertices).map(|vertex| (vertices + vertex, 2 * vertices)));
        vertices = 2 * vertices + 1;
    }
    edges.sort_unstable();
    edges
}

/// As in `mycielski 4`, `queen 6`, `random 50, density 0.1, seed 3`.
impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |ppm: u32| f64::from(ppm) / 1e6;
        match self {
            Self::Mycielski(number) => write!(f, "mycielski {number}"),
            Self::Lines(side) => write!(f, "queen {side}"),
            Self::Random { vertices, density_ppm, seed } => {
                write!(f, "random {vertices}, density {}, seed {seed}", share(*density_ppm))
            }
            Self::Planted { vertices, colours, density_ppm, seed } => {
                let density = share(*density_ppm);
                write!(f, "planted {vertices} by {colours}, density {density}, seed {seed}")
            }
            Self::Edges { vertices, edges } => {
                let ends = edges.iter().flat_map(|&(first, second)| [first, second]);
                write!(f, "graph {vertices}/{} (#{})", edges.len(), short_digest(ends))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_the_same_graph_for_ever() {
        let random = Graph::Random { vertices: 6, density_ppm: 400_000, seed: 1 };
        let planted = Graph::Planted { vertices: 6, colours: 3, density_ppm: 600_000, seed: 1 };
        assert_eq!(random.edges(), RANDOM);
        assert_eq!(planted.edges(), PLANTED);
    }

    const RANDOM: [(u32, u32); 5] = [(0, 4), (0, 5), (1, 3), (1, 4), (2, 3)];
    const PLANTED: [(u32, u32); 5] = [(0, 3), (0, 5), (2, 3), (2, 5), (3, 4)];

    #[test]
    fn larger_graphs_of_a_seed_keep_their_digest() {
        let digest = |graph: Graph| {
            let mut hasher = blake3::Hasher::new();
            for (first, second) in graph.edges() {
                hasher.update(&first.to_le_bytes()).update(&second.to_le_bytes());
            }
            hasher.finalize().to_hex()[..12].to_owned()
        };
        let seed = u64::MAX;
        let random = Graph::Random { vertices: 60, density_ppm: 300_001, seed };
        let planted = Graph::Planted { vertices: 60, colours: 7, density_ppm: 300_001, seed };
        assert_eq!(digest(random), "2421ca387f1c");
        assert_eq!(digest(planted), "4ab3f731926c");
    }

    #[test]
    fn the_number_of_edges_is_known_without_a_list() {
        for graph in (2..=9).map(Graph::Mycielski).chain((1..=12).map(Graph::Lines)) {
            assert_eq!(graph.expected_edges(), graph.edges().len() as u64, "{graph}");
        }
        for seed in 0..10 {
            let random = Graph::Random { vertices: 200, density_ppm: 250_000, seed };
            let expected = random.expected_edges();
            // The standard deviation is 61.
            assert!(expected.abs_diff(random.edges().len() as u64) < 5 * 61, "{random}");
        }
    }

    #[test]
    fn graphs_of_lines_have_the_published_numbers_of_edges() {
        // DIMACS benchmarks queen5_5 to queen8_8: 160, 290, 476, 728 edges.
        for (side, edges) in [(5, 160), (6, 290), (7, 476), (8, 728)] {
            assert_eq!(Graph::Lines(side).edges().len(), edges);
        }
    }
}
