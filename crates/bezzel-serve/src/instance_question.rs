//! Questions about Latin squares and colourings, with given candidates.
//!
//! ```text
//! kind=latin-square&order=4&given=1.1.2_2.3.1&encoding=pairwise
//! kind=graph-colouring&graph=mycielski&number=4&colours=3&given=1.2_3.1&encoding=binary
//! ```
//!
//! A given is `row.column.symbol` or `vertex.colour`, counted from 1; givens are joined by `_`.

use bezzel_problem::kind::graph_colouring::GraphColouring;
use bezzel_problem::kind::graph_colouring::graph::Graph;
use bezzel_problem::kind::latin_square::LatinSquare;
use bezzel_problem::{Instance, Problem};

use crate::question::{QuestionError, coordinate, fields, missing, value};

const KEYS: [&str; 7] = ["kind", "order", "graph", "number", "colours", "given", "encoding"];

/// A question about a Latin square or a colouring.
pub struct InstanceQuestion {
    /// The name of the instance without its given candidates.
    pub name: String,
    /// The problem with its given candidates.
    pub problem: Problem,
    /// The edges of the graph, vertices counted from 0; none for a Latin square.
    pub edges: Vec<(u32, u32)>,
    /// The name of the encoding.
    pub encoding: String,
}

impl InstanceQuestion {
    /// Reads a query string.
    ///
    /// # Errors
    ///
    /// It has other keys, a value is invalid, or there is no such instance.
    pub fn read(query: &str) -> Result<Self, QuestionError> {
        let fields = fields(query, &KEYS)?;
        let text = |key: &'static str| {
            fields.iter().find(|(name, _)| *name == key).map(|(_, text)| text.as_str())
        };
        let needed =
            |key: &'static str, example: &'static str| text(key).ok_or(missing(key, example));
        let number = |key: &'static str, expected: &'static str, max: u32| {
            let text = needed(key, "4")?;
            let found = coordinate(text).filter(|number| (1..=max).contains(number));
            found.ok_or_else(|| value(key, text, expected))
        };
        let given = text("given").unwrap_or_default();
        let encoding = needed("encoding", "pairwise")?.to_owned();
        match needed("kind", "latin-square")? {
            "latin-square" => {
                let order = number("order", "it is a number from 1 to 9", 9)?;
                let given = tuples::<3>(given, "write row.column.symbol, joined by _")?;
                let given = given.into_iter().map(|[row, column, symbol]| (row, column, symbol));
                let square = LatinSquare::new(order, None, 3)?;
                let name = square.to_string();
                let problem = Instance::from(square.with_given(given.collect())?).problem();
                Ok(Self { name, problem, edges: Vec::new(), encoding })
            }
            "graph-colouring" => {
                let graph = match needed("graph", "mycielski")? {
                    "mycielski" => {
                        Graph::Mycielski(number("number", "it is a number from 2 to 5", 5)?)
                    }
                    "queen" => Graph::Lines(number("number", "it is a number from 1 to 5", 5)?),
                    other => return Err(value("graph", other, "it is mycielski or queen")),
                };
                let colours = number("colours", "it is a number from 1 to 9", 9)?;
                let vertices = graph.vertices();
                let colouring = GraphColouring::new(graph, colours)?;
                let (name, edges) = (colouring.to_string(), colouring.graph().edges());
                let tuples = tuples::<2>(given, "write vertex.colour, joined by _")?;
                let is_inside = |&[vertex, colour]: &[u32; 2]| {
                    (1..=vertices).contains(&vertex) && (1..=colours).contains(&colour)
                };
                if !tuples.iter().all(is_inside) {
                    let expected = "a vertex or a colour is outside the instance";
                    return Err(value("given", given, expected));
                }
                let chosen =
                    tuples.iter().map(|[vertex, colour]| (vertex - 1) * colours + colour - 1);
                let problem = Instance::from(colouring).problem().with_fixed(chosen, []);
                Ok(Self { name, problem, edges, encoding })
            }
            other => Err(value("kind", other, "it is latin-square or graph-colouring")),
        }
    }
}

/// Parses given candidates, each with `N` numbers.
fn tuples<const N: usize>(
    text: &str,
    expected: &'static str,
) -> Result<Vec<[u32; N]>, QuestionError> {
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let tuple = |item: &str| -> Option<[u32; N]> {
        item.split('.').map(coordinate).collect::<Option<Vec<_>>>()?.try_into().ok()
    };
    let found = text.split('_').map(tuple).collect::<Option<Vec<_>>>();
    found.ok_or_else(|| value("given", text, expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn refused(query: &str) -> String {
        InstanceQuestion::read(query).map(|question| question.name).unwrap_err().to_string()
    }

    #[test]
    fn a_question_has_an_instance_with_its_givens() {
        let query = "kind=latin-square&order=4&given=1.1.2_2.3.1&encoding=pairwise";
        let question = InstanceQuestion::read(query).unwrap();
        assert_eq!(question.name, "latin-square 4, 16 holes");
        assert_eq!((question.problem.candidates(), question.problem.given()), (64, &[1, 24][..]));
        assert!(question.edges.is_empty());
        let query = "kind=graph-colouring&graph=mycielski&number=3&colours=3&given=1.2_5.3\
                     &encoding=commander%3A2";
        let question = InstanceQuestion::read(query).unwrap();
        assert_eq!((question.problem.candidates(), question.problem.given()), (15, &[1, 14][..]));
        assert_eq!((question.edges.len(), &*question.encoding), (5, "commander:2"));
    }

    #[test]
    fn an_invalid_question_is_refused_with_its_key() {
        let latin = "encoding=pairwise&kind=latin-square&order=4";
        let colouring = "encoding=pairwise&kind=graph-colouring&graph=queen&number=3&colours=4";
        for (query, message) in [
            (String::new(), "`encoding` is missing"),
            ("encoding=pairwise&kind=sudoku".into(), "it is latin-square or graph-colouring"),
            (format!("{latin}&size=4"), "unknown key `size`"),
            (latin.replace("order=4", "order=10"), "a number from 1 to 9"),
            (format!("{latin}&given=1.1"), "write row.column.symbol"),
            (format!("{latin}&given=1.1.5"), "outside a square of order 4"),
            (format!("{latin}&given=1.1.2_1.1.3"), "is given twice"),
            (colouring.replace("queen", "petersen"), "it is mycielski or queen"),
            (format!("{colouring}&given=10.1"), "outside the instance"),
            (format!("{colouring}&given=1.2.3"), "write vertex.colour"),
        ] {
            let error = refused(&query);
            assert!(error.contains(message), "{query}: {error}");
        }
    }
}
