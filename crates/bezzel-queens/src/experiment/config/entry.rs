//! Boards in configs: the entries `{queens: …}` of `problems`.

use std::collections::HashMap;

use crate::{Board, Family, Geometry, MAX_SIDE, Piece};
use bezzel_experiment::config::reading::{
    Attached, CONSTRAINTS, ConfigError, Fields, InstanceEntry, KindKey, Node, ReadEntry, Source,
    SourceLocation, Value, literal, named, path_beside, refuse_duplicates, setting,
};
use bezzel_problem::Square;

use super::board_file;
use super::generate::Generate;

/// The keys of a board by its size, with their descriptions.
const SIZED: [(&str, &str); 6] = [
    (
        "size",
        "The number of rows and columns, ROWSxCOLUMNS, or a range as in 4..14; each is a board.",
    ),
    ("geometry", "The geometry: opposite edges of a torus are joined."),
    ("piece", "The pieces on it."),
    ("queens", "Squares that hold a queen."),
    ("blocked", "Squares that hold none."),
    ("generate", "Given squares that are drawn by seeds."),
];

/// The keys of boards in files, and of all boards.
const OTHERS: [(&str, &str); 2] = [
    ("file", "Drawn boards or JSON, by a path beside the config."),
    (
        CONSTRAINTS.key,
        "The redundant constraints on these boards, in place of those of the matrix.",
    ),
];

/// Boards of queens or rooks.
pub(in crate::experiment) struct Queens;

impl ReadEntry for Queens {
    fn name(&self) -> &'static str {
        "queens"
    }

    fn keys(&self) -> Vec<KindKey> {
        let key = |(name, about)| KindKey {
            name,
            about,
            form: None,
            required: ["size", "file"].contains(&name),
        };
        SIZED.into_iter().chain(OTHERS).map(key).collect()
    }

    fn read(
        &self,
        source: &Source,
        node: &Node,
        files: &mut Vec<Attached>,
    ) -> Result<Vec<InstanceEntry>, ConfigError> {
        if let Value::Number(size) = node.value {
            let problem = source.error(node.place, "a board must be a map, not a number");
            return Err(problem.hint(format!("write {{size: {size}}}")));
        }
        let known: Vec<&str> = SIZED.iter().chain(&OTHERS).map(|(name, _)| *name).collect();
        let fields = Fields::new(source, node, "a board", &known)?;
        let boards = match fields.list("file")? {
            Some(names) => in_files(source, &fields, names, files)?,
            None => sized(source, &fields)?,
        };
        let constraints = fields.list(CONSTRAINTS.key)?;
        let constraints =
            constraints.map(|nodes| setting(source, nodes, CONSTRAINTS)).transpose()?;
        let entry = |(board, place): (Board, SourceLocation)| InstanceEntry {
            constraints: constraints.clone(),
            ..InstanceEntry::new(board.into(), place)
        };
        Ok(boards.into_iter().map(entry).collect())
    }
}

/// Reads the boards in files.
fn in_files(
    source: &Source,
    fields: &Fields<'_>,
    names: &[Node],
    files: &mut Vec<Attached>,
) -> Result<Vec<(Board, SourceLocation)>, ConfigError> {
    for (name, _) in SIZED {
        if let Some(node) = fields.get(name) {
            let message = format!("`{name}` does not go with `file`: the file says all of it");
            return Err(source.error(node.place, message).hint("remove one of the two"));
        }
    }
    let mut boards = Vec::new();
    for node in names {
        let path = literal(path_beside(source, node, "`file`")?);
        let (copy, path) = source.locate(node.place, &path)?;
        let board = board_file::text(&copy).and_then(|text| {
            let board = board_file::parse(&text, &copy)?;
            files.push(Attached { path, bytes: text.into_bytes() });
            Ok(board)
        });
        let board = board.map_err(|error| source.error(node.place, error.to_string()))?;
        boards.push((board, node.place));
    }
    Ok(boards)
}

/// Reads the boards by their sizes.
fn sized(
    source: &Source,
    fields: &Fields<'_>,
) -> Result<Vec<(Board, SourceLocation)>, ConfigError> {
    let mut boards = Vec::new();
    let generate = fields.get("generate").map(|node| Generate::read(source, node)).transpose()?;
    let geometry = fields.get("geometry").map(|node| named(source, node, "`geometry`"));
    let geometry: Geometry = geometry.transpose()?.unwrap_or_default();
    let piece = fields.get("piece").map(|node| named(source, node, "`piece`"));
    let piece: Piece = piece.transpose()?.unwrap_or_default();
    let sizes = match fields.list("size")? {
        Some(sizes) => sizes,
        None => fields.need("size", "size: 8")?.one_or_more(),
    };
    let mut bare_boards = Vec::new();
    for size in sizes {
        bare_boards.extend(bare(source, size)?.into_iter().map(|board| (board, size.place)));
    }
    for (board, place) in bare_boards {
        let board = board
            .try_geometry(geometry)
            .map_err(|error| source.error(place, error.to_string()))?
            .with_piece(piece);
        let queens = squares(source, fields.get("queens"), "queens", &board)?;
        let blocked = squares(source, fields.get("blocked"), "blocked", &board)?;
        compatible(source, &board, &queens, &blocked)?;
        let bare = |squares: &[(Square, SourceLocation)]| -> Vec<Square> {
            squares.iter().map(|&(square, _)| square).collect()
        };
        let board = board
            .with_placed(bare(&queens))
            .and_then(|board| board.with_blocked(bare(&blocked)))
            .map_err(|error| source.error(place, error.to_string()))?;
        let drawn = match &generate {
            None => vec![board],
            Some(generate) => generate.draw(source, &board)?,
        };
        boards.extend(drawn.into_iter().map(|board| (board, place)));
    }
    Ok(boards)
}

/// Reads empty plane boards from a size: a number of rows and columns, `ROWSxCOLUMNS`, or a range of numbers.
fn bare(source: &Source, size: &Node) -> Result<Vec<Board>, ConfigError> {
    let sides = 1..=u64::from(MAX_SIDE);
    let boards: Result<Vec<Board>, _> = match &size.value {
        Value::Text(text) if text.contains('x') => Board::read_size(text).map(|board| vec![board]),
        Value::Text(text) if text.contains("..") => {
            let range = source.range(size.place, text, "sizes", MAX_SIDE.into())?;
            if !sides.contains(range.start()) || !sides.contains(range.end()) {
                let message = format!("`size` must be from 1 to {MAX_SIDE}, not {text}");
                return Err(source.error(size.place, message));
            }
            range.map(|side| Board::new(side as u32)).collect()
        }
        _ => Board::new(source.whole(size, "`size`", sides)? as u32).map(|board| vec![board]),
    };
    boards.map_err(|error| source.error(size.place, error.to_string()))
}

/// Reads squares on a board, each with its place.
fn squares(
    source: &Source,
    node: Option<&Node>,
    key: &str,
    board: &Board,
) -> Result<Vec<(Square, SourceLocation)>, ConfigError> {
    let Some(node) = node else { return Ok(Vec::new()) };
    let Value::List(nodes) = &node.value else {
        let message = format!("`{key}` must be a list of squares, not {}", node.value.kind());
        return Err(source.error(node.place, message).hint(FORMS));
    };
    let squares = nodes
        .iter()
        .map(|node| Ok((square(source, node, board)?, node.place)))
        .collect::<Result<Vec<_>, ConfigError>>()?;
    refuse_duplicates(source, squares.iter().copied(), |square, _| {
        format!("the square {square} is listed twice")
    })?;
    Ok(squares)
}

const FORMS: &str =
    "a square is \"row,column\", [row, column], or its number counted row by row, all from 1";

fn square(source: &Source, node: &Node, board: &Board) -> Result<Square, ConfigError> {
    let written = match &node.value {
        Value::Text(text) => text.clone(),
        Value::Number(_) => source.whole(node, "a square's number", 0..=u64::MAX)?.to_string(),
        Value::List(pair) if pair.len() == 2 => {
            let row = source.whole(&pair[0], "a row", 0..=u64::MAX)?;
            let column = source.whole(&pair[1], "a column", 0..=u64::MAX)?;
            format!("{row},{column}")
        }
        value => {
            let message = format!("a square must not be {}", value.kind());
            return Err(source.error(node.place, message).hint(FORMS));
        }
    };
    board
        .read_square(&written)
        .map_err(|error| source.error(node.place, error.to_string()).hint(FORMS))
}

/// Refuses queens that attack each other, and queens on blocked squares.
fn compatible(
    source: &Source,
    board: &Board,
    queens: &[(Square, SourceLocation)],
    blocked: &[(Square, SourceLocation)],
) -> Result<(), ConfigError> {
    // Each line is identified by its first square, so there is one look-up for each queen, not for each pair.
    let mut lines: HashMap<(Family, Square), (Square, SourceLocation)> = HashMap::new();
    for &(queen, place) in queens {
        for &family in board.families() {
            let start = board.line_through(queen, family).start();
            if let Some((other, seen)) = lines.insert((family, start), (queen, place)) {
                let message = format!(
                    "the queens on {other} (line {}) and {queen} attack each other, so no \
                     solution can hold both",
                    seen.line
                );
                let problem = source.error(place, message);
                let numbers = [seen, place].map(|place| source.written(place).parse::<u64>());
                return Err(match numbers {
                    // Perhaps one queen was meant, by its row and its column.
                    [Ok(row), Ok(column)] => problem.hint(format!(
                        "these are the squares number {row} and {column}; row {row}, column \
                         {column} would be [[{row}, {column}]]"
                    )),
                    _ => problem,
                });
            }
        }
    }
    match blocked.iter().find(|(square, _)| queens.iter().any(|(queen, _)| queen == square)) {
        None => Ok(()),
        Some(&(square, place)) => Err(source
            .error(place, format!("the square {square} is blocked and holds a queen as well"))
            .hint("remove it from one of the two lists")),
    }
}
