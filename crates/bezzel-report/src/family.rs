//! Families of instances. A report pools instances of one family and keeps families apart.
//!
//! A config states a family by `family` on an entry. Otherwise it is derived from the board, or is the kind of problem.
//! A stated family of several kinds is a family for each kind. If instances of one family have both answers, each
//! answer has a family of its own. Examples are `torus`, `pigeonhole` and `excluded diagonals, no solution`.

use std::collections::{BTreeMap, HashMap, HashSet};

use bezzel_experiment::{ExperimentRecord, Row, Verdict};
use bezzel_problem::Instance;
use bezzel_queens::{Board, Family, Geometry, Piece, Square};
use bezzel_solve::Answer;
use indexmap::{IndexMap, IndexSet};

use crate::number::count;

/// The family of every board of a record.
#[derive(Debug, Default)]
pub(crate) struct Families<'a> {
    of_board: HashMap<&'a Instance, String>,
}

/// The answer of the rows on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct BoardAnswer {
    answer: Answer,
    verified: bool,
}

impl<'a> Families<'a> {
    /// Finds the family of each board in a record.
    pub(crate) fn new(record: &'a ExperimentRecord) -> Self {
        let stated = |board: &Instance| record.families.get(board);
        // The answers that occur in each kind.
        let mut kinds: HashMap<String, Vec<Answer>> = HashMap::new();
        let mut of_kinds: Vec<(&Instance, String, Option<Answer>)> = Vec::new();
        let answers = instance_answers(&record.rows);
        // The kinds of problems of each stated family, which are families of their own.
        let mut problems: HashMap<&String, HashSet<&str>> = HashMap::new();
        for instance in answers.keys() {
            if let Some(family) = stated(instance) {
                problems.entry(family).or_default().insert(instance.kind());
            }
        }
        for (board, answer) in answers {
            let kind = match stated(board) {
                Some(family) if problems[family].len() > 1 => format!("{family}, {}", board.kind()),
                Some(family) => family.clone(),
                None => derived_family(board),
            };
            let occurring = kinds.entry(kind.clone()).or_default();
            if let Some(answer) = answer.filter(|answer| !occurring.contains(answer)) {
                occurring.push(answer);
            }
            of_kinds.push((board, kind, answer));
        }
        let of_board = of_kinds.into_iter().map(|(board, kind, answer)| {
            if kinds[&kind].len() < 2 {
                return (board, kind);
            }
            let end = match answer {
                Some(Answer::Sat) => "with a solution",
                Some(Answer::Unsat) => "no solution",
                _ => "not answered",
            };
            (board, format!("{kind}, {end}"))
        });
        Self { of_board: of_board.collect() }
    }

    /// The family of a board. Without a row of the board it is derived from the board.
    pub(crate) fn of(&self, instance: &Instance) -> String {
        self.of_board.get(instance).cloned().unwrap_or_else(|| derived_family(instance))
    }
}

/// The answers that sound rows have on each board of these rows: the first verified one, or else the first one.
pub(crate) fn instance_answers<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
) -> BTreeMap<&'a Instance, Option<Answer>> {
    let mut answers: BTreeMap<&Instance, Option<BoardAnswer>> = BTreeMap::new();
    for row in rows {
        let known = answers.entry(&row.job.instance).or_default();
        if row.solved() && row.status != Answer::Unknown {
            let answer =
                BoardAnswer { answer: row.status, verified: row.verdict == Verdict::Verified };
            if known.is_none_or(|known| answer.verified && !known.verified) {
                *known = Some(answer);
            }
        }
    }
    answers.into_iter().map(|(board, answer)| (board, answer.map(|answer| answer.answer))).collect()
}

/// The family that is derived from an instance alone. It does not depend on the size.
fn derived_family(instance: &Instance) -> String {
    let Some(board) = Board::of(instance) else { return instance.kind().to_owned() };
    // One pigeon more than there are holes: there is no solution.
    if board.piece() == Piece::Rook && board.rows() == board.columns() + 1 && board.is_empty() {
        return "pigeonhole".into();
    }
    let kind = instance_kind(instance);
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

/// The kind of an instance without its size: for boards `plane`, `torus`, `plane, rooks, partly filled`, `N × (N + 2)`
/// for rectangles; otherwise the kind of problem.
pub(crate) fn instance_kind(instance: &Instance) -> String {
    let Some(board) = Board::of(instance) else { return instance.kind().to_owned() };
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
    words.join(", ")
}

/// The name of each of these boards: its size with the numbers of its given and blocked squares, as in
/// `60 with 40 given queens, no. 3`. Boards with the same size and the same numbers are numbered in their order.
pub(crate) fn instance_names<'a>(
    boards: impl IntoIterator<Item = &'a Instance>,
) -> HashMap<&'a Instance, String> {
    let boards: IndexSet<&Instance> = boards.into_iter().collect();
    let mut alike: IndexMap<String, Vec<&Instance>> = IndexMap::new();
    for board in boards {
        alike.entry(shape(board)).or_default().push(board);
    }
    let named = alike.into_iter().flat_map(|(shape, boards)| {
        let several = boards.len() > 1;
        boards.into_iter().zip(1..).map(move |(board, turn)| {
            (board, if several { format!("{shape}, no. {turn}") } else { shape.clone() })
        })
    });
    named.collect()
}

/// A board without the names of its squares, if it has more than three of a kind.
fn shape(instance: &Instance) -> String {
    let Some(board) = Board::of(instance) else { return instance.to_string() };
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

#[cfg(test)]
mod tests {
    use bezzel_problem::kind::langford::Langford;
    use bezzel_queens::Geometry;

    use super::*;
    use crate::tests::sample::{of_size, solved, timed_out, unchecked, wrong};

    fn board(side: u32) -> Board {
        Board::new(side).unwrap()
    }

    fn derived_family(board: &Board) -> String {
        super::derived_family(&board.clone().into())
    }

    fn blocked(side: u32, squares: impl IntoIterator<Item = (u32, u32)>) -> Board {
        let squares = squares.into_iter().map(|(row, column)| Square::new(row, column));
        board(side).with_blocked(squares).unwrap()
    }

    #[test]
    fn a_board_has_the_family_that_a_reader_would_call_it() {
        let rooks = |rows, columns| {
            derived_family(&Board::rectangle(rows, columns).unwrap().with_piece(Piece::Rook))
        };
        assert_eq!(derived_family(&board(8)), "plane");
        assert_eq!(derived_family(&board(12).with_geometry(Geometry::Torus)), "torus");
        assert_eq!(rooks(9, 8), "pigeonhole");
        assert_eq!((rooks(9, 7), rooks(8, 8)), ("N × (N − 2), rooks".into(), "rooks".into()));
        let filled = board(8).with_placed([Square::new(0, 3)]).unwrap();
        assert_eq!(derived_family(&filled), "partly filled");
        assert_eq!(derived_family(&blocked(8, [(0, 1), (4, 4)])), "partly blocked");
    }

    #[test]
    fn blocked_squares_that_are_whole_diagonals_are_excluded_diagonals() {
        // The antidiagonal of the squares 1,3 2,2 3,1, and the main diagonal of side 4.
        let (anti, main) = ([(0, 2), (1, 1), (2, 0)], [(0, 0), (1, 1), (2, 2), (3, 3)]);
        assert_eq!(derived_family(&blocked(4, anti)), "excluded diagonals");
        assert_eq!(
            derived_family(&blocked(4, main.into_iter().chain([(0, 2), (2, 0)]))),
            "excluded diagonals"
        );
        assert_eq!(derived_family(&blocked(4, [(0, 2), (1, 1)])), "partly blocked");
        assert_eq!(derived_family(&blocked(4, anti.into_iter().chain([(3, 2)]))), "partly blocked");
        // A corner is a diagonal by itself, and decides nothing alone.
        assert_eq!(derived_family(&blocked(4, [(0, 0)])), "partly blocked");
        assert_eq!(
            derived_family(&blocked(4, anti.into_iter().chain([(0, 0)]))),
            "excluded diagonals"
        );
        let around = [(0, 1), (1, 2), (2, 3), (3, 0)].map(|(row, column)| Square::new(row, column));
        let torus = board(4).with_geometry(Geometry::Torus).with_blocked(around).unwrap();
        assert_eq!(derived_family(&torus), "torus, excluded diagonals");
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
        assert_eq!(shape(&rooks.into()), "rooks 9 with 4 given rooks");
    }

    fn record(rows: Vec<Row>) -> ExperimentRecord {
        ExperimentRecord { planned: rows.len(), rows, ..ExperimentRecord::default() }
    }

    #[test]
    fn answers_are_named_where_both_occur_and_a_wrong_one_does_not_count() {
        let alike = record(vec![of_size(8, solved(1.0)), of_size(9, wrong(1.0))]);
        let families = Families::new(&alike);
        assert_eq!(
            (families.of(&board(8).into()), families.of(&board(9).into())),
            ("plane".into(), "plane".into())
        );
        let both = record(vec![
            of_size(8, solved(1.0)),
            // An unchecked answer counts if there is no verified one.
            of_size(3, unchecked(1.0)),
            of_size(5, unchecked(1.0)),
            of_size(5, solved(1.0)),
            of_size(40, timed_out()),
        ]);
        let families = Families::new(&both);
        let of = |side| families.of(&board(side).into());
        assert_eq!([of(8), of(5)], ["plane, with a solution"; 2]);
        assert_eq!((of(3), of(40)), ("plane, no solution".into(), "plane, not answered".into()));
    }

    #[test]
    fn a_stated_family_with_both_answers_is_two() {
        let torus = |side| Instance::from(board(side).with_geometry(Geometry::Torus));
        let rows = [5, 6, 7, 8].map(|side| {
            let answer = if side % 2 == 1 { Answer::Sat } else { Answer::Unsat };
            let mut row = Row { status: answer, ..solved(1.0) };
            row.job.instance = torus(side);
            row
        });
        let mut stated = record(rows.into());
        for side in 5..9 {
            stated.families.insert(torus(side), "round".into());
        }
        let families = Families::new(&stated);
        let of = |side| families.of(&torus(side));
        assert_eq!([of(5), of(7)], ["round, with a solution"; 2]);
        assert_eq!([of(6), of(8)], ["round, no solution"; 2]);
    }

    #[test]
    fn a_stated_family_of_several_kinds_is_a_family_for_each() {
        let langford = Instance::from(Langford::new(3).unwrap());
        let mut row = solved(1.0);
        row.job.instance = langford.clone();
        let mut stated = record(vec![of_size(8, solved(1.0)), row]);
        assert_eq!(Families::new(&stated).of(&langford), "langford");
        for instance in [board(8).into(), langford.clone()] {
            stated.families.insert(instance, "small".into());
        }
        let families = Families::new(&stated);
        assert_eq!(families.of(&langford), "small, langford");
        assert_eq!(families.of(&board(8).into()), "small, queens");
    }

    #[test]
    fn a_family_that_is_stated_is_the_family() {
        let mut stated = record(vec![of_size(8, solved(1.0)), of_size(3, unchecked(1.0))]);
        stated.families.insert(board(3).into(), "tiny".into());
        let families = Families::new(&stated);
        assert_eq!(
            (families.of(&board(8).into()), families.of(&board(3).into())),
            ("plane".into(), "tiny".into())
        );
    }
}
