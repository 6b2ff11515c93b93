//! The rows of a record as columns, for the script of a page: lists of names, for each row the numbers of its names, and
//! measured values.
//!
//! Numbers of list entries are in base 36, all of a column with the same number of digits and without separators. The
//! column of a list with one entry is empty. Values have five significant digits and are separated by commas; a missing
//! value is empty.

use std::hash::Hash;
use std::iter::repeat;

use bezzel_count::published;
use bezzel_encode::format::shell_word;
use bezzel_experiment::backend::command;
use bezzel_experiment::{ExperimentRecord, Job, MeasuredBy, Row, Termination, Verdict, program};
use bezzel_problem::{Board, Cell, Drawing, Geometry, Instance, Piece, Square};
use bezzel_solve::{Answer, SEEDS};
use indexmap::IndexSet;
use serde::Serialize;
use serde_json::{Value, json};

use crate::analysis::Analysis;
use crate::comparison::Measure;
use crate::escape::plain;
use crate::limits::end_words;
use crate::rows::run_words;
use crate::statistics::Observation;
use crate::statistics::cell::is_counted;

/// The page contains at least this number of first digits of each key.
const MIN_KEY_DIGITS: usize = 8;
/// Microseconds, the unit of times.
const MICRO: f64 = 1e-6;

/// A measured quantity of every row. Its name, its unit and the factor of the unit are for readers.
struct Measured {
    name: &'static str,
    unit: &'static str,
    factor: f64,
    /// The number that is added to both values of a ratio.
    offset: f64,
    /// The value of a row; a lower bound for a run without an answer.
    of: fn(&Row) -> Option<f64>,
}

fn measured_quantities() -> [Measured; 3] {
    [
        Measured {
            name: Measure::Time.words(),
            unit: "s",
            factor: MICRO,
            offset: Measure::Time.offset(),
            of: |row| Measure::Time.of(row).map(Observation::bound),
        },
        Measured {
            name: "Conflicts",
            unit: "",
            factor: 1.0,
            offset: Measure::Conflicts.offset(),
            of: |row| row.solver_stats.conflicts.map(|conflicts| conflicts as f64),
        },
        Measured {
            name: "CPU time of the process",
            unit: "s",
            factor: MICRO,
            offset: 0.0,
            of: |row| (row.termination != Termination::Skipped).then_some(row.cpu_s),
        },
    ]
}

/// A list of different names, and the number of a name for every row.
struct Entries<T> {
    list: IndexSet<T>,
    numbers: Vec<usize>,
}

impl<T: Hash + Eq + Serialize> Entries<T> {
    fn of(values: impl Iterator<Item = T>) -> Self {
        let mut list = IndexSet::new();
        let numbers = values.map(|value| list.insert_full(value).0).collect();
        Self { list, numbers }
    }

    /// The list and its column.
    fn json(&self) -> Value {
        let list: Vec<&T> = self.list.iter().collect();
        json!([list, digits(&self.numbers, self.list.len())])
    }
}

/// Numbers below `entries` in base 36, each with the same number of digits. Empty if there is one entry.
pub(crate) fn digits(numbers: &[usize], entries: usize) -> String {
    if entries < 2 {
        return String::new();
    }
    let mut width = 1;
    while 36_usize.pow(width) < entries {
        width += 1;
    }
    let digit = |number: usize, place: u32| {
        let digit = number / 36_usize.pow(place) % 36;
        char::from_digit(digit as u32, 36).expect("a digit of base 36")
    };
    numbers
        .iter()
        .flat_map(|&number| (0..width).rev().map(move |place| digit(number, place)))
        .collect()
}

/// A number with five significant digits, without redundant characters. Empty if it is not finite.
pub(crate) fn short(number: f64) -> String {
    if !number.is_finite() {
        return String::new();
    }
    if number == 0.0 {
        return "0".into();
    }
    if number < 0.0 {
        return format!("-{}", short(-number));
    }
    let text = format!("{number:.4e}");
    let (mantissa, exponent) = text.split_once('e').expect("a number in scientific notation");
    let all = mantissa.replace('.', "");
    let figures = all.trim_end_matches('0');
    let exponent: i64 = exponent.parse().expect("an exponent");
    let cut = all.len() - figures.len();
    let exponent = exponent - 4 + cut as i64;
    if exponent < 0
        && let Ok(point) = usize::try_from(figures.len() as i64 + exponent)
    {
        return format!("{}.{}", &figures[..point], &figures[point..]);
    }
    match exponent {
        0 => figures.into(),
        1 => format!("{figures}0"),
        2 => format!("{figures}00"),
        _ => format!("{figures}e{exponent}"),
    }
}

/// Values of a column.
fn values(values: impl Iterator<Item = Option<f64>>) -> String {
    values.map(|value| value.map_or_else(String::new, short)).collect::<Vec<_>>().join(",")
}

/// The number of first digits that distinguish all different keys, at least [`MIN_KEY_DIGITS`].
fn key_digits<'k>(keys: impl IntoIterator<Item = &'k str>) -> usize {
    // In alphabetical order, no two keys have more first digits in common than some two neighbours.
    let mut keys: Vec<&str> = keys.into_iter().collect();
    keys.sort_unstable();
    keys.dedup();
    let different = |pair: &[&str]| {
        let pairs = pair[0].chars().zip(pair[1].chars());
        1 + pairs.take_while(|(one, other)| one == other).count()
    };
    keys.windows(2).map(different).fold(MIN_KEY_DIGITS, usize::max)
}

/// The rows as JSON that an element of a page can contain.
pub(crate) fn row_columns(analysis: &Analysis<'_>) -> String {
    let rows = &analysis.record.rows;
    let encodings = Entries::of(rows.iter().map(|row| plain(&analysis.encoding(row))));
    let looks: Vec<Option<usize>> = encodings
        .list
        .iter()
        .map(|label| {
            let known = analysis.encodings.iter().position(|known| plain(known) == *label);
            known.map(|number| analysis.entry(number).style)
        })
        .collect();
    let instances = Entries::of(rows.iter().map(|row| &row.job.instance));
    let of_instances: Vec<Value> =
        instances.list.iter().map(|instance| instance_json(analysis, instance)).collect();
    let seeds = |row: &Row| SEEDS.map(|name| row.job.options.get(name).map(ToString::to_string));
    let seeded = Entries::of(rows.iter().map(|row| (&row.job.solver, seeds(row)))).list.len()
        > Entries::of(rows.iter().map(|row| &row.job.solver)).list.len();
    let repeats = rows.iter().any(|row| row.job.repeat > 1);
    let runs = rows.iter().map(|row| plain(&run_words(row, seeded, repeats).join(", ")));
    let sizes = rows.iter().map(|row| {
        let formula = row.formula.as_ref();
        formula.map(|formula| [formula.variables, formula.clauses, formula.literals])
    });
    let measured = measured_quantities().map(|Measured { name, unit, factor, offset, of }| {
        let column = values(rows.iter().map(|row| of(row).map(|value| value / factor)));
        json!([name, unit, factor, offset, column])
    });
    let digits_of_keys = key_digits(rows.iter().map(|row| row.key.0.as_str()));
    let key = |row: &Row| -> String {
        row.key.0.chars().chain(repeat(' ')).take(digits_of_keys).collect()
    };
    let keys: String = rows.iter().map(key).collect();
    let columns = json!({
        "rows": rows.len(),
        "noun": analysis.terms.noun(),
        "encoding": encodings.json(),
        "looks": looks,
        "solver": Entries::of(rows.iter().map(|row| plain(&analysis.solver(row)))).json(),
        "numbering": Entries::of(rows.iter().map(|row| plain(&analysis.numbering(row)))).json(),
        "instance": [of_instances, digits(&instances.numbers, instances.list.len())],
        "run": Entries::of(runs).json(),
        "size": Entries::of(sizes).json(),
        "end": Entries::of(rows.iter().map(|row| end_words(row.termination))).json(),
        "verdict": Entries::of(rows.iter().map(verdict)).json(),
        "answer": Entries::of(rows.iter().map(|row| answer(Some(row.status)))).json(),
        "state": Entries::of(rows.iter().map(state)).json(),
        "repeat": Entries::of(rows.iter().map(|row| repeat_words(analysis.record, row))).json(),
        "keys": plain(&keys),
        "measured": measured,
    });
    // An element cannot be ended or begun within it.
    columns.to_string().replace('<', "\\u003c")
}

/// The name, the id, the kind, the family and the answer of an instance, the fragment (the part after `#`) of its
/// address on the board page, and its [drawing](drawing_json). The fragment is empty if that page does not accept the
/// board, and null for other kinds. The drawing is null for a file and for an instance that is too large to be legible.
fn instance_json(analysis: &Analysis<'_>, instance: &Instance) -> Value {
    json!([
        plain(&analysis.name(instance)),
        plain(&instance.to_string()),
        instance.kind(),
        plain(&analysis.family(instance)),
        answer(analysis.answer(instance)),
        instance.board().map(board_fragment),
        instance.drawing(None).as_ref().map(drawing_json),
    ])
}

/// An instance as the dialog with the details of a run draws it.
///
/// - `{"cells": ",;1,;,2", "boxes": [2, 3]}` is a grid. The first character separates the cells of a row, the second the
///   rows. They are a comma and a semicolon. If a text contains a comma or a semicolon, the separators are a tab and a
///   line break. No text has a tab or a line break, since [`plain`] replaces them. Empty cells at the end of a row are
///   omitted, except in the first row. `boxes` has the numbers of rows and columns of a box, or is `null`.
/// - `{"vertices": 3, "edges": "0102"}` is a graph: the numbers of the two vertices of each edge, from 0, in base 36 and
///   all with the same number of [`digits`].
fn drawing_json(drawing: &Drawing) -> Value {
    match drawing {
        Drawing::Grid { rows, boxes } => {
            let is_plain = |cell: &Cell| !cell.text.contains([',', ';']);
            let [between_cells, between_rows] =
                if rows.iter().flatten().all(is_plain) { [",", ";"] } else { ["\t", "\n"] };
            let text = |(number, row): (usize, &Vec<Cell>)| -> String {
                let is_empty = |cell: &&Cell| number > 0 && cell.text.is_empty();
                let shown = row.len() - row.iter().rev().take_while(is_empty).count();
                let texts = row[..shown].iter().map(|cell| plain(&cell.text));
                texts.collect::<Vec<_>>().join(between_cells)
            };
            let cells = rows.iter().enumerate().map(text).collect::<Vec<_>>().join(between_rows);
            json!({"cells": format!("{between_cells}{between_rows}{cells}"), "boxes": boxes})
        }
        Drawing::Graph { colours, edges } => {
            let ends: Vec<usize> =
                edges.iter().flat_map(|&(one, two)| [one as usize, two as usize]).collect();
            json!({"vertices": colours.len(), "edges": digits(&ends, colours.len())})
        }
    }
}

/// The fragment (the part after `#`) of the address of a board on the board page; empty if that page does not accept
/// the board.
fn board_fragment(board: &Board) -> String {
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

/// The answer in words.
fn answer(answer: Option<Answer>) -> &'static str {
    match answer {
        Some(Answer::Sat) => "a solution",
        Some(Answer::Unsat) => "no solution",
        Some(Answer::Unknown) | None => "no answer",
    }
}

/// The verdict with its evidence.
fn verdict(row: &Row) -> String {
    let evidence = row.checked_by.as_ref().map(|evidence| format!(": {}", evidence.source));
    // Sources may name the steps of one proof, and would make an entry for each row.
    let evidence = evidence.filter(|_| row.proof.is_none()).unwrap_or_default();
    let proof =
        if row.proof.is_some() && row.verdict == Verdict::Verified { ": proof" } else { "" };
    plain(&format!("{}{evidence}{proof}", row.verdict.word()))
}

/// The share of a row in statistics.
fn state(row: &Row) -> &'static str {
    if row.solved() && row.verdict == Verdict::Unchecked {
        "unchecked"
    } else if row.solved() {
        "answered"
    } else if is_counted(row) {
        "over"
    } else {
        "left out"
    }
}

/// True for a job of a program, which is run again only with the option `--programs`.
pub(crate) fn needs_permission(job: &Job) -> bool {
    command::is_program_job(job) || program::needs_programs(&job.encoding)
}

/// The command that runs the job of a row again, without the key; none for a job that BenchExec ran.
fn repeat_words(record: &ExperimentRecord, row: &Row) -> Option<String> {
    let programs = if needs_permission(&row.job) { " --programs" } else { "" };
    let name = shell_word(record.experiment_of(row));
    let is_own = row.job.measured_by == MeasuredBy::Bezzel;
    is_own.then(|| plain(&format!("bezzel run {name}{programs} --only")))
}

#[cfg(test)]
mod tests {
    use bezzel_encode::{Numbering, Registry};
    use bezzel_experiment::{Key, RecordPart};
    use bezzel_problem::kind::exact_cover::ExactCover;
    use bezzel_problem::kind::graph_colouring::GraphColouring;
    use bezzel_problem::kind::graph_colouring::graph::Graph;
    use bezzel_problem::kind::latin_square::LatinSquare;

    use super::*;
    use crate::tests::sample::{killed, measured, on_side, shuffled, solved, timed_out, wrong};

    fn json_of(rows: Vec<Row>) -> Value {
        let name = "both".into();
        let record = ExperimentRecord { name, rows, ..ExperimentRecord::default() };
        let text = row_columns(&Analysis::new(&record, &Registry::new()));
        serde_json::from_str(&text).expect("the columns are JSON")
    }

    #[test]
    fn numbers_have_five_digits_and_no_more_characters_than_needed() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (7.0, "7"),
            (57_373.657, "57374"),
            (4_900_000.0, "49e5"),
            (5_700.0, "5700"),
            (57_000.0, "57e3"),
            (156.25, "156.25"),
            (0.156_25, ".15625"),
            (0.000_123, "123e-6"),
            (99_999.9, "1e5"),
            (-0.05, "-5e-2"),
            (-12.34, "-12.34"),
            (f64::NAN, ""),
        ] {
            assert_eq!(short(number), text, "{number}");
            if !text.is_empty() {
                let read: f64 = text.parse().unwrap();
                assert!((read - number).abs() <= 1e-4 * number.abs(), "{text} for {number}");
            }
        }
    }

    #[test]
    fn numbers_of_entries_have_as_many_digits_as_the_last() {
        assert_eq!(digits(&[0, 0, 0], 1), "");
        assert_eq!(digits(&[0, 35, 10], 36), "0za");
        assert_eq!(digits(&[0, 36, 1295], 1296), "0010zz");
    }

    #[test]
    fn keys_have_as_many_digits_as_distinguish_all_of_them() {
        let of = |keys: &[&str]| {
            let rows = keys.iter().map(|key| Row { key: Key((*key).to_owned()), ..solved(1.0) });
            json_of(rows.collect())["keys"].as_str().unwrap().to_owned()
        };
        assert_eq!(of(&["0123456789ab", "0123456f89ab"]), "012345670123456f");
        let three = ["0123456789ab", "f123456789ab", "0123456788ab"];
        assert_eq!(of(&three), "0123456789f1234567890123456788");
        assert_eq!(of(&["0123456789ab", "0123456789ab"]), "0123456701234567", "one key");
        assert_eq!(of(&["0123456789", "012345678"]), "0123456789012345678 ");
    }

    #[test]
    fn rows_are_entries_of_lists_and_values() {
        let json = json_of(vec![solved(0.5), shuffled(3, 0.25), timed_out(), wrong(1.0), killed()]);
        assert_eq!(json["rows"], 5);
        assert_eq!(json["numbering"], json!([["as-generated", "random"], "01000"]));
        let states = json!([["answered", "over", "left out"], "00122"]);
        assert_eq!(json["state"], states);
        assert_eq!(json["measured"][0][4], "5e5,25e4,49e5,1e6,0");
        assert_eq!(json["run"], json!([["", "shuffle 3"], "01000"]));
        assert_eq!(json["repeat"], json!([["bezzel run both --only"], ""]));
        let empty = format!(",;{}{}", ",".repeat(7), ";".repeat(7));
        let board = json!(["8", "8", "queens", "plane", "a solution", "size=8", {"cells": empty, "boxes": null}]);
        assert_eq!(json["instance"][0], json!([board]));
    }

    #[test]
    fn an_instance_of_another_kind_has_its_drawing_unless_it_is_too_large() {
        let drawn = |instance: Instance| {
            let mut row = Row { queens: None, ..solved(1.0) };
            row.job.instance = instance;
            let json = json_of(vec![row]);
            let [.., board, drawing] = json["instance"][0][0].as_array().unwrap().as_slice() else {
                panic!("an instance is a list")
            };
            assert!(board.is_null());
            drawing.clone()
        };
        let square = |order, box_rows| LatinSquare::new(order, box_rows, 3).unwrap();
        let given = square(2, None).with_given(vec![(1, 1, 2)]).unwrap();
        assert_eq!(drawn(given.into()), json!({"cells": ",;2,;", "boxes": null}));
        assert_eq!(drawn(square(6, Some(2)).into())["boxes"], json!([2, 3]));
        assert_eq!(drawn(square(65, None).into()), Value::Null);
        let graph = |graph| Instance::from(GraphColouring::new(graph, 9).unwrap());
        let edges = Graph::Edges { vertices: 3, edges: vec![(3, 1), (1, 2)] };
        assert_eq!(drawn(graph(edges)), json!({"vertices": 3, "edges": "0102"}));
        assert_eq!(drawn(graph(Graph::Queen(12))), Value::Null);
        // An item of a file may have commas in its name, and characters that change the direction of text.
        let items = vec!["a,b;".into(), "\u{202e}c".into()];
        let cover = ExactCover::new(items, 0, vec![vec![0], vec![1, 0]]).unwrap();
        let cells = "\t\noption 1\ta,b;\noption 2\t\u{fffd}c\ta,b;";
        assert_eq!(drawn(cover.into()), json!({"cells": cells, "boxes": null}));
    }

    #[test]
    fn the_command_of_a_row_has_its_experiment_and_the_permission_of_its_programs() {
        let (mut program, mut imported) = (solved(1.0), solved(1.0));
        program.job.encoding = "{command: \"python3 a.py\"}".into();
        (program.session, imported.session) = (1, 2);
        imported.job.measured_by = MeasuredBy::Benchexec;
        let part = |name: &str, first_session| RecordPart { name: name.into(), first_session };
        let parts = vec![part("one", 0), part("the other", 1)];
        let record = ExperimentRecord { parts, ..ExperimentRecord::default() };
        let words = [solved(1.0), program, imported].map(|row| repeat_words(&record, &row));
        let own = "bezzel run one --only".to_owned();
        let other = "bezzel run 'the other' --programs --only".to_owned();
        assert_eq!(words, [Some(own), Some(other), None]);
    }

    #[test]
    fn no_text_of_a_row_ends_its_element() {
        let mut row = solved(1.0);
        row.job.encoding = "</script><!--\u{1b}".into();
        let record = ExperimentRecord { rows: vec![row], ..ExperimentRecord::default() };
        let text = row_columns(&Analysis::new(&record, &Registry::new()));
        assert!(!text.contains('<') && !text.contains('\u{1b}'), "{text}");
    }

    #[test]
    fn six_thousand_rows_weigh_less_than_a_figure() {
        let row = |number: usize| {
            let side = 8 + (number % 80) as u32;
            let mut row = on_side(side, measured(64 + number as u64 / 80, 9_744, 15_848));
            row.job.encoding = format!("encoding-{}", number / 80 % 8);
            row.job.numbering = Numbering::random(number as u64 / 640);
            row.solve_cpu_s = Some(1.0 / (number as f64 + 0.123));
            row.cpu_s = 1.0 / (number as f64 + 0.01);
            row.solver_stats.conflicts = Some(number as u64 * 7_919 % 100_000);
            // The multiplier is 2¹²⁸ divided by the golden ratio, so that the first digits of the products differ.
            let golden: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
            row.key = Key(format!("{:032x}", golden.wrapping_mul(number as u128)));
            row
        };
        let rows: Vec<Row> = (0..6_400).map(row).collect();
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let text = row_columns(&Analysis::new(&record, &Registry::new()));
        assert!(text.len() < 300_000, "{}", text.len());
    }
}
