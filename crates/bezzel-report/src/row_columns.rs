//! The rows of a record as columns, for the script of a page: lists of names, for each row the numbers of its names,
//! and measured values.
//!
//! Numbers of list entries are in base 36, all of a column with the same number of digits and without separators. The
//! column of a list with one entry is empty. Values have five significant digits and are separated by commas; a missing
//! value is empty.

use std::hash::Hash;
use std::iter::repeat;

use bezzel_encode::format::shell_word;
use bezzel_experiment::backend::command;
use bezzel_experiment::{ExperimentRecord, Job, Row, Termination, Verdict, program};
use bezzel_problem::Instance;
use bezzel_solve::{Answer, SEEDS};
use indexmap::IndexSet;
use serde::Serialize;
use serde_json::{Value, json};

use crate::analysis::Analysis;
use crate::comparison::Measure;
use crate::escape::plain;
use crate::instance_words::side;
use crate::label::with_solver_names;
use crate::row_statistics::cell::is_counted;
use crate::run_ends::end_words;
use bezzel_statistics::Observation;

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
    let of_instances = instances.list.iter().map(|instance| instance_json(analysis, instance));
    let of_instances: Vec<Value> = of_instances.collect();
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
    // Names, as in tables of the page, which the filter compares.
    let solvers = rows.iter().map(|row| with_solver_names(&plain(&analysis.solver(row))));
    let columns = json!({
        "rows": rows.len(),
        "encoding": encodings.json(),
        "looks": looks,
        "solver": Entries::of(solvers).json(),
        "numbering": Entries::of(rows.iter().map(|row| row.job.numbering.id())).json(),
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
/// address on the page of its kind. The fragment is empty if that page does not accept the instance, and null for other
/// kinds.
fn instance_json(analysis: &Analysis<'_>, instance: &Instance) -> Value {
    json!([
        plain(&analysis.name(instance)),
        plain(&instance.to_string()),
        instance.kind(),
        plain(&analysis.family(instance)),
        answer(analysis.answer(instance)),
        instance.reported().page_fragment(),
    ])
}

/// The answer in words.
fn answer(answer: Option<Answer>) -> &'static str {
    side(answer.unwrap_or(Answer::Unknown))
}

/// The verdict with its evidence.
fn verdict(row: &Row) -> String {
    let evidence = row.checked_by.as_ref().map(|evidence| format!(": {}", evidence.source));
    // Sources may name the steps of one proof, and would make an entry for each row.
    let evidence = evidence.filter(|_| row.proof.is_none()).unwrap_or_default();
    let proof =
        if row.proof.is_some() && row.verdict == Verdict::Verified { ": proof" } else { "" };
    plain(&format!("{}{evidence}{proof}", row.verdict.id()))
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

/// The properties in which a run differs from others of its cell: the seeds of its shuffle; if `seeded`, the seeds of
/// its solver; if `repeats`, the repetition.
fn run_words(row: &Row, seeded: bool, repeats: bool) -> Vec<String> {
    let job = &row.job;
    let mut words = Vec::new();
    let numbering = &job.numbering;
    let seeds = [
        ("variables", numbering.variables),
        ("literals", numbering.literals),
        ("clauses", numbering.clauses),
    ];
    let mut known = seeds.iter().filter_map(|(_, seed)| *seed);
    let first = known.next();
    if let Some(first) = first.filter(|first| known.all(|seed| seed == *first)) {
        words.push(format!("shuffle {first}"));
    } else {
        let parts = seeds.iter().filter_map(|(what, seed)| Some(format!("{what} {}", (*seed)?)));
        words.extend(parts);
    }
    if seeded {
        words.push(seeds_of(row));
    }
    if repeats {
        words.push(format!("repeat {}", job.repeat));
    }
    words
}

/// The seeds of a row's solver.
fn seeds_of(row: &Row) -> String {
    let known = SEEDS.iter().filter_map(|name| Some((name, row.job.options.get(*name)?)));
    let words: Vec<String> = known.map(|(name, seed)| format!("{name} {seed}")).collect();
    words.join(", ")
}

/// The command that runs the job of a row again, without the key.
fn repeat_words(record: &ExperimentRecord, row: &Row) -> String {
    let programs = if needs_permission(&row.job) { " --programs" } else { "" };
    let name = shell_word(record.experiment_of(row));
    plain(&format!("bezzel run {name}{programs} --only"))
}

#[cfg(test)]
mod tests;
