//! The answers of boards to the questions of a report.

use std::collections::HashMap;

use bezzel_problem::quantity::counted as count;
use bezzel_problem::{Drawing, Form, FormRank, KnownNodes, ReportedKind, Square};

use crate::count::diagram_sizes;
use crate::count::diagram_sizes::PublishedCode;
use crate::rules::cells;
use crate::{Board, Family, Geometry, Piece, published};

/// The size of the original puzzle.
const CLASSIC: u32 = 8;

impl ReportedKind for Board {
    fn form(&self) -> Option<Form> {
        Some(form(self))
    }

    fn family(&self) -> Option<String> {
        Some(family(self))
    }

    fn short_name(&self) -> Option<String> {
        Some(short_name(self))
    }

    fn panel_title(&self) -> Option<String> {
        Some(panel_title(self))
    }

    fn usual_size(&self) -> Option<u32> {
        Some(CLASSIC)
    }

    fn propagated(&self, known: &[Option<bool>]) -> Option<Drawing> {
        cells::propagated(self, known)
    }

    fn page_fragment(&self) -> Option<String> {
        Some(fragment(self))
    }

    fn known_nodes(&self, engine: &str, encoding: &str) -> Option<KnownNodes> {
        known_nodes(self, engine, encoding)
    }
}

/// The fragment (the part after `#`) of the address of a board; empty if the page does not accept the board.
pub(super) fn fragment(board: &Board) -> String {
    if !board.is_square() || board.rows() > published::MAX_COUNTED_SIDE {
        return String::new();
    }
    let torus = (board.geometry() == Geometry::Torus).then(|| "geometry=torus".to_owned());
    let rooks = (board.piece() == Piece::Rook).then(|| "piece=rook".to_owned());
    let lists = [("queens", board.placed()), ("blocked", board.blocked())];
    let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
    let lists = lists.map(|(name, list)| format!("{name}={}", squares(list)));
    let size = format!("size={}", board.rows());
    std::iter::once(size).chain(torus).chain(rooks).chain(lists).collect::<Vec<_>>().join("&")
}

/// Squares as `1.2_3.4`: rows and columns counted from 1.
fn squares(squares: &[Square]) -> String {
    let words = squares.iter().map(|square| square.to_string().replace(',', "."));
    words.collect::<Vec<_>>().join("_")
}

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

/// The form of a board: `plane`, `torus`, `plane, rooks, partly filled`, and `N × (N + 2)` for rectangles.
pub(super) fn form(board: &Board) -> Form {
    let (rows, columns) = (board.rows(), board.columns());
    let mut words = vec![match board.geometry() {
        Geometry::Torus => "torus".to_owned(),
        Geometry::Plane if rows == columns => "plane".to_owned(),
        // Rectangles of one kind differ only in their rows, like squares.
        Geometry::Plane if rows > columns => format!("N × (N − {})", rows - columns),
        Geometry::Plane => format!("N × (N + {})", columns - rows),
    }];
    if board.piece() == Piece::Rook {
        words.push("rooks".to_owned());
    }
    if !board.placed().is_empty() {
        words.push("partly filled".to_owned());
    }
    if !board.blocked().is_empty() {
        words.push("partly blocked".to_owned());
    }
    let rank = match board.geometry() {
        Geometry::Torus => FormRank::Special,
        Geometry::Plane if words == ["plane"] => FormRank::Basic,
        Geometry::Plane => FormRank::Near,
    };
    Form { name: words.join(", "), rank }
}

/// The family of a board, which does not depend on the size.
pub(super) fn family(board: &Board) -> String {
    // One pigeon more than there are holes: there is no solution.
    if board.piece() == Piece::Rook && board.rows() == board.columns() + 1 && board.is_empty() {
        return "pigeonhole".into();
    }
    let kind = form(board).name;
    let kind = kind.strip_prefix("plane, ").unwrap_or(&kind);
    if excludes_diagonals(board) {
        kind.replace("partly blocked", "excluded diagonals")
    } else {
        kind.to_owned()
    }
}

/// True if the blocked squares are whole diagonals, at least one of them longer than a square.
fn excludes_diagonals(board: &Board) -> bool {
    // A line is identified by its first square.
    let lines = |square: Square| {
        [Family::Diagonals, Family::Antidiagonals].map(|family| {
            let line = board.line_through(square, family);
            ((family, line.start()), line.len())
        })
    };
    let mut blocked: HashMap<(Family, Square), usize> = HashMap::new();
    for &square in board.blocked() {
        for (line, _) in lines(square) {
            *blocked.entry(line).or_default() += 1;
        }
    }
    let mut longest = 0;
    let whole = board.blocked().iter().all(|&square| {
        let whole = lines(square).into_iter().filter(|(line, squares)| blocked[line] == *squares);
        let squares = whole.map(|(_, squares)| squares).max();
        longest = longest.max(squares.unwrap_or_default());
        squares.is_some()
    });
    whole && longest > 1
}

/// The name of a board without the names of its squares, if it has more than three of a kind: `60 with 40 given
/// queens`.
pub(super) fn short_name(board: &Board) -> String {
    let is_short = board.placed().len() <= 3 && board.blocked().len() <= 3;
    if is_short {
        return board.to_string();
    }
    let whole = board.to_string();
    let size = whole.split(" with ").next().unwrap_or(&whole);
    let piece = if board.piece() == Piece::Rook { "rook" } else { "queen" };
    let parts =
        [(board.placed().len(), "given ", piece), (board.blocked().len(), "blocked ", "square")];
    let parts = parts.iter().filter(|(number, ..)| *number > 0);
    let parts: Vec<String> =
        parts.map(|(number, kind, what)| count(*number, &format!("{kind}{what}"))).collect();
    format!("{size} with {}", parts.join(" and "))
}

/// The title of a panel with a board: `torus, N = 8, 3 given`.
pub(super) fn panel_title(board: &Board) -> String {
    let torus = if board.geometry() == Geometry::Torus { "torus, " } else { "" };
    let size = if board.is_square() {
        format!("N = {}", board.rows())
    } else {
        format!("{} × {}", board.rows(), board.columns())
    };
    let parts = [(board.placed().len(), "given"), (board.blocked().len(), "blocked")];
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts = parts.map(|(number, what)| format!(", {number} {what}"));
    format!("{torus}{size}{}", parts.collect::<Vec<_>>().concat())
}

#[cfg(test)]
mod tests {
    use bezzel_problem::Instance;
    use bezzel_report::toolkit::instance_names;

    use super::*;

    fn board(side: u32) -> Board {
        Board::new(side).unwrap()
    }

    fn blocked(side: u32, squares: impl IntoIterator<Item = (u32, u32)>) -> Board {
        let squares = squares.into_iter().map(|(row, column)| Square::new(row, column));
        board(side).with_blocked(squares).unwrap()
    }

    #[test]
    fn a_board_has_the_family_that_a_reader_would_call_it() {
        let rooks = |rows, columns| {
            family(&Board::rectangle(rows, columns).unwrap().with_piece(Piece::Rook))
        };
        assert_eq!(family(&board(8)), "plane");
        assert_eq!(family(&board(12).with_geometry(Geometry::Torus)), "torus");
        assert_eq!(rooks(9, 8), "pigeonhole");
        assert_eq!((rooks(9, 7), rooks(8, 8)), ("N × (N − 2), rooks".into(), "rooks".into()));
        let filled = board(8).with_placed([Square::new(0, 3)]).unwrap();
        assert_eq!(family(&filled), "partly filled");
        assert_eq!(family(&blocked(8, [(0, 1), (4, 4)])), "partly blocked");
    }

    #[test]
    fn blocked_squares_that_are_whole_diagonals_are_excluded_diagonals() {
        // The antidiagonal of the squares 1,3 2,2 3,1, and the main diagonal of side 4.
        let (anti, main) = ([(0, 2), (1, 1), (2, 0)], [(0, 0), (1, 1), (2, 2), (3, 3)]);
        assert_eq!(family(&blocked(4, anti)), "excluded diagonals");
        assert_eq!(
            family(&blocked(4, main.into_iter().chain([(0, 2), (2, 0)]))),
            "excluded diagonals"
        );
        assert_eq!(family(&blocked(4, [(0, 2), (1, 1)])), "partly blocked");
        assert_eq!(family(&blocked(4, anti.into_iter().chain([(3, 2)]))), "partly blocked");
        // A corner is a diagonal by itself, and decides nothing alone.
        assert_eq!(family(&blocked(4, [(0, 0)])), "partly blocked");
        assert_eq!(family(&blocked(4, anti.into_iter().chain([(0, 0)]))), "excluded diagonals");
        let around = [(0, 1), (1, 2), (2, 3), (3, 0)].map(|(row, column)| Square::new(row, column));
        let torus = board(4).with_geometry(Geometry::Torus).with_blocked(around).unwrap();
        assert_eq!(family(&torus), "torus, excluded diagonals");
    }

    #[test]
    fn boards_are_named_by_what_is_on_them_and_numbered_where_that_is_alike() {
        let four = [(0, 1), (1, 3), (2, 0), (3, 2)];
        let (one, two) = (blocked(9, four), blocked(9, [(0, 0), (1, 1), (2, 2), (3, 3)]));
        let (few, bare) = (blocked(9, [(0, 0)]), board(9));
        let [one, two, few, bare] = [one, two, few, bare].map(Instance::from);
        let names = instance_names([&one, &bare, &two, &one, &few]);
        assert_eq!(names[&one], "9 with 4 blocked squares, no. 1");
        assert_eq!(names[&two], "9 with 4 blocked squares, no. 2");
        assert_eq!((names[&bare].as_str(), names[&few].as_str()), ("9", "9 with 1,1 blocked"));
        let rooks = board(9).with_piece(Piece::Rook);
        let rooks = rooks.with_placed(four.map(|(row, column)| Square::new(row, column))).unwrap();
        assert_eq!(short_name(&rooks), "rooks 9 with 4 given rooks");
    }
}
