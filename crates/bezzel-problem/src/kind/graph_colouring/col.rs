//! Graphs in DIMACS files: `p edge VERTICES EDGES`, then `e U V` for each edge, vertices counted from 1.
//!
//! Lines that begin with `c` are comments. Lines that begin with `n`, `d`, `v` or `x` state nothing about the edges and
//! are passed over. An edge that is listed twice, or in both directions, is one edge. The number of edges in the header
//! may count each edge once, twice, or as often as it is listed.
//!
//! *Source.* "Clique and coloring problems graph format", DIMACS Implementation Challenge 2, 1993.

use std::ops::RangeInclusive;

use super::graph::{Graph, MAX_VERTICES};
use crate::text::{FileError, Scanner};

/// The form of the header.
const HEADER: &str = "a header is `p edge VERTICES EDGES`";

/// Reads a graph.
///
/// # Errors
///
/// The first word that cannot be read.
pub fn read(text: &str) -> Result<Graph, FileError> {
    let mut bytes = text.as_bytes();
    let mut scanner = Scanner::new(&mut bytes);
    let mut header: Option<(u64, u64)> = None;
    let mut edges: Vec<(u32, u32)> = Vec::new();
    while let Some(first) = scanner.word(false)? {
        match first.bytes() {
            b"c" | b"n" | b"d" | b"v" | b"x" => {
                scanner.skip_line()?;
                continue;
            }
            b"p" if header.is_some() => return Err(first.error("there is a second header")),
            b"p" => {
                let form = scanner.word(true)?.ok_or_else(|| first.error(HEADER))?;
                if !matches!(form.bytes(), b"edge" | b"edges" | b"col") {
                    return Err(form.error(format!("{HEADER}, not `p {form}`")));
                }
                let vertices = 1..=u64::from(MAX_VERTICES);
                let vertices = number(&mut scanner, "the number of vertices", &vertices)?;
                let edges = number(&mut scanner, "the number of edges", &(0..=u64::MAX))?;
                header = Some((vertices, edges));
            }
            b"e" => {
                let Some((vertices, _)) = header else {
                    return Err(first.error("the header `p edge VERTICES EDGES` comes first"));
                };
                let mut vertex = || number(&mut scanner, "a vertex", &(1..=vertices));
                let (from, to) = (vertex()?, vertex()?);
                if from == to {
                    return Err(first.error(format!("the edge joins vertex {from} to itself")));
                }
                edges.push((from.min(to) as u32, from.max(to) as u32));
            }
            _ => {
                let message = format!("a line begins with `p`, `e` or `c`, not `{first}`");
                return Err(first.error(message));
            }
        }
        if let Some(word) = scanner.word(true)? {
            return Err(word.error(format!("`{word}` is too much in this line: begin another one")));
        }
    }
    let end = scanner.position();
    let Some((vertices, stated)) = header else {
        return Err(FileError::at(end, "the header `p edge VERTICES EDGES` is missing"));
    };
    let listed = edges.len() as u64;
    edges.sort_unstable();
    edges.dedup();
    let distinct = edges.len() as u64;
    if ![listed, distinct, 2 * distinct].contains(&stated) {
        let message = format!("the header states {stated} edges, and the file has {listed}");
        return Err(FileError::at(end, message));
    }
    Ok(Graph::Edges { vertices: vertices as u32, edges })
}

/// The number that comes next in the line.
fn number(
    scanner: &mut Scanner<'_>,
    what: &str,
    range: &RangeInclusive<u64>,
) -> Result<u64, FileError> {
    let Some(word) = scanner.word(true)? else {
        return Err(FileError::at(scanner.position(), format!("{what} is missing")));
    };
    let number = word.number(what).ok().and_then(|number| u64::try_from(number).ok());
    number.filter(|number| range.contains(number)).ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        word.error(format!("{what} is a whole number from {least} to {most}, not `{word}`"))
    })
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
            ("p edge 3\n", "line 1, column 9: the number of edges is missing"),
            ("p cnf 3 1\n", "line 1, column 3: a header is `p edge VERTICES EDGES`, not `p cnf`"),
            ("p edge 3 1 e 1 2\n", "line 1, column 12: `e` is too much in this line"),
            (
                "p edge 999999999 1\n",
                "line 1, column 8: the number of vertices is a whole number from 1 to 100000",
            ),
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
            ("p edge 3 1\ne 1 2 3\n", "line 2, column 7: `3` is too much in this line"),
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
