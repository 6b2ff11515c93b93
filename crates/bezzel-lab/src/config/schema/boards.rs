//! Boards, as the schema has them.

use bezzel_encode::board::MAX_SIDE;
use serde_json::{Value, json};

use super::super::generate::{KINDS, PLANTED};
use crate::model::json_schema::{described, map, one_or_more, whole};

/// One board, by its size or by a file.
pub(in crate::config) fn board() -> Value {
    let squares = |description: &str| {
        json!({
            "description": description,
            "type": "array",
            "items": {"anyOf": [
                {"description": "row,column", "type": "string", "pattern": "^\\s*[0-9]+\\s*(,\\s*[0-9]+\\s*)?$"},
                {"description": "[row, column]", "type": "array", "minItems": 2, "maxItems": 2,
                 "items": {"type": "integer", "minimum": 1}},
                {"description": "counted row by row", "type": "integer", "minimum": 1}
            ]}
        })
    };
    let shuffles = whole("At most so many shuffles of each numbering.", 0, u32::MAX);
    let family = json!({
        "description": "The family of instances that reports put these boards into.",
        "type": "string"
    });
    let size = json!({"anyOf": [
        {"type": "integer", "minimum": 1, "maximum": MAX_SIDE},
        {"description": "rows x columns", "type": "string", "pattern": "^[0-9]+x[0-9]+$"}
    ]});
    let of_size = map(
        &["size"],
        &[
            (
                "size",
                described(
                    "The number of rows and columns, or ROWSxCOLUMNS; of a list, each is a board.",
                    one_or_more(&size),
                ),
            ),
            (
                "geometry",
                json!({"description": "Whether opposite edges are joined.", "enum": ["plane", "torus"]}),
            ),
            ("piece", json!({"description": "What stands on it.", "enum": ["queen", "rook"]})),
            ("queens", squares("Squares that hold a queen.")),
            ("blocked", squares("Squares that hold none.")),
            ("generate", generate()),
            ("shuffles", shuffles.clone()),
            ("family", family.clone()),
        ],
    );
    let file = json!({"description": "A path beside the config.", "type": "string"});
    let of_file = map(
        &["file"],
        &[
            ("file", described("Drawn boards or JSON.", one_or_more(&file))),
            ("shuffles", shuffles),
            ("family", family),
        ],
    );
    json!({"anyOf": [of_size, of_file]})
}

/// Boards that are drawn by seeds: a shape for each kind.
fn generate() -> Value {
    let amount = |kind: &str| match kind {
        "blocked" => json!({
            "description": "The share of blocked squares.",
            "type": "number", "minimum": 0, "maximum": 1
        }),
        "completion" => whole("The number of given queens.", 0, u32::MAX),
        "prefix" => whole("The number of first rows whose queens are given.", 0, u32::MAX),
        _ => whole("The number of excluded diagonals.", 0, u32::MAX),
    };
    let seed = json!({"anyOf": [
        {"type": "integer", "minimum": 0},
        {"description": "first..last, both included", "type": "string",
         "pattern": "^[0-9]+[.][.][0-9]+$"}
    ]});
    let kinds = KINDS.map(|(kind, key)| {
        let mut keys = vec![
            ("kind", json!({"enum": [kind]})),
            (key, described("How much of it; of a list, each is a board.", one_or_more(&amount(kind)))),
            (
                "answer",
                json!({"description": "Only boards with a solution, or without.", "enum": ["sat", "unsat"]}),
            ),
            (
                "planted",
                json!({
                    "description": "The solution that such a board is drawn around: any that a \
                                    search finds, or each with the same chance.",
                    "enum": PLANTED.map(|(id, _)| id)
                }),
            ),
            ("seeds", described("A board for each; 1 by default.", one_or_more(&seed))),
        ];
        if kind == "excluded-diagonals" {
            let free = "So many squares of every row and column stay free; 1 by default.";
            keys.push(("least-free", whole(free, 0, u32::MAX)));
        }
        map(&["kind", key], &keys)
    });
    json!({"description": "What is given, drawn by seeds.", "anyOf": kinds})
}
