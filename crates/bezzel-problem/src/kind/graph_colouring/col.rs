//! Graphs in DIMACS files: `p edge VERTICES EDGES`, then `e U V` for each edge, vertices counted from 1.
//!
//! Lines that begin with `c` are comments. Lines that begin with `n`, `d`, `v` or `x` state nothing about the edges and
//! are passed over. An edge that is listed twice, or in both directions, is one edge. The number of edges in the header
//! may count each edge once, twice, or as often as it is listed.
//!
//! *Source.* "Clique and coloring problems graph format", DIMACS Implementation Challenge 2, 1993.

use thiserror::Error;

use super::graph::{Graph, MAX_VERTICES};

/// A file that is no graph.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ColError {
    /// The line, from 1.
    pub line: usize,
    /// The column of the word, from 1.
    pub column: usize,
    /// The fault, and how to mend it.
    pub message: String,
}

/// Reads a graph.
///
/// # Errors
///
/// The first line that cannot be read.
pub fn read(text: &str) -> Result<Graph, ColError> {
    let mut header: Option<(u32, u64)> = None;
    let mut edges: Vec<(u32, u32)> = Vec::new();
    let mut lines = 0;
    // Some editors write a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, text) in (1..).zip(text.lines()) {
        lines = line;
        let mut rest = 0;
        let mut words = text.split_whitespace().map(|word| {
            let column = text[rest..].find(word).map_or(rest, |at| rest + at);
            rest = column + word.len();
            (column + 1, word)
        });
        let error = |column: usize, message: String| ColError { line, column, message };
        let end = text.len() + 1;
        let Some((column, first)) = words.next() else { continue };
        let mut number = |what: &str, max: u64| {
            let (column, word) =
                words.next().ok_or_else(|| error(end, format!("{what} is missing")))?;
            let value = word.parse::<u64>().ok().filter(|value| (1..=max).contains(value));
            value.ok_or_else(|| {
                error(column, format!("{what} is a whole number from 1 to {max}, not `{word}`"))
            })
        };
        match first {
            "c" | "n" | "d" | "v" | "x" => continue,
            "p" if header.is_some() => {
                return Err(error(column, "there is a second header".into()));
            }
            "p" => {
                let mut words = text.split_whitespace().skip(1);
                let form = words.next().unwrap_or_default();
                if !matches!(form, "edge" | "edges" | "col") {
                    let message = format!("a header is `p edge VERTICES EDGES`, not `p {form}`");
                    return Err(error(column, message));
                }
                let number = |word: Option<&str>| word.and_then(|word| word.parse::<u64>().ok());
                let (Some(vertices), Some(edges)) = (number(words.next()), number(words.next()))
                else {
                    return Err(error(column, "a header is `p edge VERTICES EDGES`".into()));
                };
                if vertices == 0 || vertices > MAX_VERTICES.into() {
                    let message =
                        format!("a graph has 1 to {MAX_VERTICES} vertices, not {vertices}");
                    return Err(error(column, message));
                }
                if let Some(word) = words.next() {
                    let message = format!("`{word}` stands after the header: begin a line");
                    return Err(error(column, message));
                }
                header = Some((vertices as u32, edges));
            }
            "e" => {
                let Some((vertices, _)) = header else {
                    return Err(error(
                        column,
                        "the header `p edge VERTICES EDGES` comes first".into(),
                    ));
                };
                let [first, second] =
                    [number("a vertex", vertices.into())?, number("a vertex", vertices.into())?];
                if first == second {
                    return Err(error(column, format!("the edge joins vertex {first} to itself")));
                }
                edges.push((first as u32, second as u32));
            }
            _ => {
                let message = format!("a line begins with `p`, `e` or `c`, not `{first}`");
                return Err(error(column, message));
            }
        }
        if let Some((column, word)) = words.next().filter(|_| first == "e") {
            return Err(error(column, format!("an edge has two vertices; `{word}` is too much")));
        }
    }
    let Some((vertices, stated)) = header else {
        let message = "the header `p edge VERTICES EDGES` is missing".into();
        return Err(ColError { line: lines + 1, column: 1, message });
    };
    let listed = edges.len() as u64;
    for edge in &mut edges {
        *edge = (edge.0.min(edge.1), edge.0.max(edge.1));
    }
    edges.sort_unstable();
    edges.dedup();
    let distinct = edges.len() as u64;
    if ![listed, distinct, 2 * distinct].contains(&stated) {
        let message = format!("the header states {stated} edges, and the file has {listed}");
        return Err(ColError { line: lines + 1, column: 1, message });
    }
    Ok(Graph::Edges { vertices, edges })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_read_once_each() {
        let graph = read("c a triangle\np edge 3 3\ne 1 2\ne 2 3\n\ne 3 1\r\n").unwrap();
        assert_eq!(graph, Graph::Edges { vertices: 3, edges: vec![(1, 2), (1, 3), (2, 3)] });
        let marked = read("\u{feff}p edge 3 3\r\ne 1 2\r\ne 2 3\r\ne 3 1");
        assert_eq!(marked.as_ref(), Ok(&graph));
        let both = read("p col 2 2\ne 1 2\ne 2 1\n").unwrap();
        assert_eq!(both.edges(), [(0, 1)]);
    }

    #[test]
    fn a_file_that_is_no_graph_is_refused_with_its_place() {
        for (text, message) in [
            ("", "line 1, column 1: the header"),
            ("e 1 2\n", "line 1, column 1: the header"),
            ("p edge 3\n", "line 1, column 1: a header is"),
            ("p cnf 3 1\n", "line 1, column 1: a header is `p edge VERTICES EDGES`, not `p cnf`"),
            ("p edge 3 1 e 1 2\n", "line 1, column 1: `e` stands after the header"),
            ("p edge 999999999 1\n", "line 1, column 1: a graph has 1 to 100000 vertices"),
            ("p edge 3 1\np edge 3 1\n", "line 2, column 1: there is a second header"),
            (
                "p edge 3 1\ne 1 4\n",
                "line 2, column 5: a vertex is a whole number from 1 to 3, not `4`",
            ),
            ("p edge 3 1\ne 1\n", "line 2, column 4: a vertex is missing"),
            (
                "p edge 3 1\ne 0 1\n",
                "line 2, column 3: a vertex is a whole number from 1 to 3, not `0`",
            ),
            ("p edge 3 1\ne 2 2\n", "line 2, column 1: the edge joins vertex 2 to itself"),
            ("p edge 3 1\ne 1 2 3\n", "line 2, column 7: an edge has two vertices"),
            (
                "p edge 3 1\na 1 2\n",
                "line 2, column 1: a line begins with `p`, `e` or `c`, not `a`",
            ),
            (
                "p edge 3 7\ne 1 2\n",
                "line 3, column 1: the header states 7 edges, and the file has 1",
            ),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text:?}: {error}");
        }
    }
}
