//! The known sizes of decision diagrams of boards.

use crate::Board;
use crate::count::diagram_sizes::{self, PublishedCode};

use bezzel_problem::KnownNodes;

/// The known number of nodes of the diagram, if the board, the kind, the order and the code have one.
pub(super) fn known_nodes(board: &Board, engine: &str, encoding: &str) -> Option<KnownNodes> {
    // Another order makes another diagram.
    if engine.split('+').skip(1).any(|word| word != "top-together") {
        return None;
    }
    let (kind, variant) = engine.split(['+', ':']).next().zip(Some(engine.contains(":binary")))?;
    let code = match encoding {
        // Bryant's codes differ from these.
        id if id.starts_with("bryant-circuit:binary") || id == "binary" => return None,
        _ if variant => PublishedCode::Binary,
        _ => PublishedCode::OneHot,
    };
    let nodes = match kind {
        "bdd" | "direct-bdd" => diagram_sizes::bdd(board, code),
        "bcdd" => diagram_sizes::bcdd(board, code),
        "zbdd" | "direct-zdd" => diagram_sizes::zdd(board, code),
        _ => None,
    };
    nodes.map(|nodes| KnownNodes { nodes, source: diagram_sizes::SOURCE })
}
