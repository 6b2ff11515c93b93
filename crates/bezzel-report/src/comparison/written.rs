//! A comparison in words and tables, for a terminal and in Markdown.

use bezzel_lab::quantity::grouped;

use super::{Arm, Change, Comparison, Side, Sizes, Times};
use crate::escape::{markdown as escaped, plain};
use crate::number::{count, significant};
use crate::statistics::Estimate;
use crate::table::{Column, Item, Table};

/// So many things of a kind are named; JSON has them all.
const MOST: usize = 20;

/// A part of what is told.
enum Part {
    Lines(Vec<String>),
    Table(Table),
}

/// Lines for a terminal.
pub(super) fn text(comparison: &Comparison) -> String {
    let mut text = String::new();
    for (title, parts) in sections(comparison) {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&[title.as_str(), "\n"].concat());
        for part in parts {
            match part {
                Part::Lines(lines) => lines.iter().for_each(|line| indented(line, &mut text)),
                Part::Table(table) => aligned(&table, &mut text),
            }
        }
    }
    text
}

/// Markdown.
pub(super) fn markdown(comparison: &Comparison) -> String {
    let Comparison { a, b, .. } = comparison;
    let mut text = format!("# {} and {}\n", escaped(&a.name), escaped(&b.name));
    for (title, parts) in sections(comparison) {
        text.push_str(&["\n## ", &escaped(&title), "\n\n"].concat());
        for part in parts {
            match part {
                Part::Lines(lines) => lines
                    .iter()
                    .for_each(|line| text.push_str(&["- ", &escaped(line), "\n"].concat())),
                Part::Table(table) => {
                    text.push_str(&[table.markdown().trim_end(), "\n\n"].concat());
                }
            }
        }
    }
    text
}

/// A line of a section.
fn indented(line: &str, text: &mut String) {
    text.push_str(&["  ", &plain(line), "\n"].concat());
}

/// A table with its columns aligned, numbers to the right.
fn aligned(table: &Table, text: &mut String) {
    let heads: Vec<String> = table.columns.iter().map(|column| column.head.clone()).collect();
    let rows = table.rows.iter().map(|row| row.iter().map(Item::read).collect());
    let lines: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
    let wide = |text: &String| text.chars().count();
    let widths: Vec<usize> = (0..table.columns.len())
        .map(|column| lines.iter().map(|line| wide(&line[column])).max().unwrap_or(0))
        .collect();
    for line in lines {
        let cells = line.iter().zip(&table.columns).zip(&widths);
        let cells = cells.map(|((cell, column), &width)| {
            if column.numeric { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        indented(line.trim_end(), text);
    }
    table.notes.iter().for_each(|note| indented(note, text));
}

fn sections(comparison: &Comparison) -> Vec<(String, Vec<Part>)> {
    let mut sections = vec![("The records".to_owned(), vec![Part::Lines(records(comparison))])];
    sections.push(("What changed".to_owned(), changed(comparison)));
    sections.push(("Answers".to_owned(), vec![Part::Lines(answers(comparison))]));
    if !comparison.sizes.is_empty() {
        sections.push(("Sizes of formulas".to_owned(), sizes(&comparison.sizes)));
    }
    if comparison.matched > 0 {
        let table = arms(comparison);
        sections.push(("Effort and time, B / A".to_owned(), vec![Part::Table(table)]));
    }
    if !comparison.faults.is_empty() {
        let shown = comparison.faults.iter().take(MOST).map(|fault| fault.what.clone());
        let mut lines: Vec<String> = shown.collect();
        lines.extend(more(comparison.faults.len(), MOST));
        sections.push(("What must not differ, and does".to_owned(), vec![Part::Lines(lines)]));
    }
    sections.push(("In short".to_owned(), vec![Part::Lines(vec![short(comparison)])]));
    sections
}

fn more(number: usize, most: usize) -> Option<String> {
    let more = number.checked_sub(most).filter(|&more| more > 0)?;
    Some(format!("… and {} more", grouped(more as u128)))
}

fn records(comparison: &Comparison) -> Vec<String> {
    let Comparison { a, b, matched, .. } = comparison;
    let mut lines = Vec::new();
    for (letter, Side { name, rows, superseded, damaged, .. }) in [("A", a), ("B", b)] {
        let mut parts = vec![format!("{letter} is {name}: {}", count(*rows, "row"))];
        if *superseded > 0 {
            let number = grouped(*superseded as u128);
            parts.push(format!("{number} that later ones of the same record take the place of"));
        }
        if *damaged > 0 {
            parts.push(format!("{} left out", count(*damaged, "damaged line")));
        }
        lines.push(parts.join(", and "));
    }
    lines.push(format!("{} in both", count(*matched, "job")));
    for (letter, side) in [("A", a), ("B", b)] {
        if side.alone > 0 {
            let shown = side.alone_of.iter().take(MOST);
            let shown: Vec<String> =
                shown.map(|(by, number)| format!("{by} ({})", grouped(*number as u128))).collect();
            let rest =
                more(side.alone_of.len(), MOST).map_or(String::new(), |more| format!("; {more}"));
            let alone = count(side.alone, "job");
            lines.push(format!("{alone} only in {letter}: {}{rest}", shown.join("; ")));
        }
    }
    lines
}

fn changed(comparison: &Comparison) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lines = Vec::new();
    if comparison.changes.is_empty() {
        lines.push(
            "the same machine, builds, versions, revisions and limits, as far as told".to_owned(),
        );
    } else {
        let words = |values: &[String]| {
            let told = if values.is_empty() { "not told".to_owned() } else { values.join("; ") };
            Item::Words(told)
        };
        let row = |change: &Change| {
            vec![Item::Words(change.what.clone()), words(&change.a), words(&change.b)]
        };
        parts.push(Part::Table(Table {
            id: "changes".into(),
            title: "What changed".into(),
            columns: ["what", "A", "B"].map(|head| Column::words(head, head)).into(),
            rows: comparison.changes.iter().map(row).collect(),
            notes: Vec::new(),
        }));
    }
    if let Some(clock) = comparison.clock {
        lines.push(format!(
            "the fixed formula that measures the machine took {} times as long in B ({} and {})",
            significant(clock.ratio, 3),
            count(clock.readings_a, "reading"),
            clock.readings_b
        ));
    }
    let config = &comparison.config;
    if config.a.is_empty() && config.b.is_empty() {
        lines.push("the configs say the same".to_owned());
    } else {
        lines.push("the configs differ:".to_owned());
        for (sign, of) in [("A", &config.a), ("B", &config.b)] {
            lines.extend(of.iter().take(MOST).map(|line| format!("only {sign}: {line}")));
            lines.extend(more(of.len(), MOST));
        }
    }
    parts.push(Part::Lines(lines));
    parts
}

fn answers(comparison: &Comparison) -> Vec<String> {
    let answers = &comparison.answers;
    let parts = [
        (answers.same, "answered alike"),
        (answers.contradicting, "CONTRADICTING"),
        (answers.only_a, "answered in A only"),
        (answers.only_b, "answered in B only"),
        (answers.neither, "answered in neither"),
    ];
    let parts = parts.iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> =
        parts.map(|(number, what)| format!("{} {what}", grouped(*number as u128))).collect();
    let mut lines = vec![if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }];
    for (what, differing) in [("ended", &answers.ends), ("judged", &answers.verdicts)] {
        for (a, b, number) in differing {
            lines.push(format!("{} {what}: {a} in A, {b} in B", count(*number, "job")));
        }
    }
    lines
}

fn sizes(all: &[Sizes]) -> Vec<Part> {
    let row = |sizes: &Sizes| {
        let ratios = sizes.resized.iter().filter(|resized| resized.a[1] > 0);
        let ratios = ratios.map(|resized| resized.b[1] as f64 / resized.a[1] as f64);
        let (low, high) = ratios.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), ratio| {
            (low.min(ratio), high.max(ratio))
        });
        let read = |ratio| significant(ratio, 3);
        let clauses = match sizes.resized.len() {
            0 => Item::Missing,
            _ if read(low) == read(high) => Item::Words(read(low)),
            _ => Item::Words(format!("{} to {}", read(low), read(high))),
        };
        vec![
            Item::Words(sizes.encoding.clone()),
            Item::Count(sizes.formulas as u128),
            Item::Count(sizes.resized.len() as u128),
            clauses,
            Item::Count(sizes.digests as u128),
            Item::Count(sizes.other_digests as u128),
        ]
    };
    let table = Table {
        id: "sizes".into(),
        title: "Sizes".into(),
        columns: vec![
            Column::words("encoding", "encoding"),
            Column::numbers("formulas", "formulas"),
            Column::numbers("resized", "of another size"),
            Column::numbers("clauses", "their clauses, B / A"),
            Column::numbers("digests", "clause streams"),
            Column::numbers("other_digests", "others"),
        ],
        rows: all.iter().map(row).collect(),
        notes: Vec::new(),
    };
    let resized = all.iter().flat_map(|sizes| {
        sizes.resized.iter().map(move |resized| {
            let told = |[variables, clauses, literals]: [u64; 3]| {
                format!("{variables} variables, {clauses} clauses, {literals} literals")
            };
            let (a, b) = (told(resized.a), told(resized.b));
            format!("{} on {}: {a} in A; {b} in B", sizes.encoding, resized.board)
        })
    });
    let mut lines: Vec<String> = resized.collect();
    let rest = more(lines.len(), MOST);
    lines.truncate(MOST);
    lines.extend(rest);
    vec![Part::Table(table), Part::Lines(lines)]
}

fn arms(comparison: &Comparison) -> Table {
    let all = comparison.arms.iter().chain(std::iter::once(&comparison.overall));
    let row = |arm: &Arm| {
        let Arm { encoding, solver, jobs, efforts, times, .. } = arm;
        let name = match (encoding, solver) {
            (None, None) => "all",
            (None, Some(_)) => "none",
            (Some(encoding), _) => encoding,
        };
        let equal = match efforts.compared {
            0 => Item::Missing,
            compared => Item::Words(format!("{} of {compared}", efforts.equal)),
        };
        vec![
            Item::Words(name.to_owned()),
            Item::Words(solver.clone().unwrap_or_default()),
            Item::Count(*jobs as u128),
            equal,
            Item::Count(times.boards as u128),
            times.mean.map_or(Item::Missing, |mean| Item::Words(range(mean))),
            times.interval.map_or(Item::Missing, |interval| Item::Words(bracketed(interval))),
            Item::Words(verdict(times).to_owned()),
        ]
    };
    Table {
        id: "effort-and-time".into(),
        title: "Effort and time".into(),
        columns: vec![
            Column::words("encoding", "encoding"),
            Column::words("solver", "solver"),
            Column::numbers("jobs", "jobs"),
            Column::numbers("efforts_equal", "efforts equal"),
            Column::numbers("boards", "boards"),
            Column::numbers("time_ratio", "time"),
            Column::numbers("interval_95", "95 %"),
            Column::words("verdict", "so"),
        ],
        rows: all.map(row).collect(),
        notes: notes(comparison),
    }
}

/// What one must know to read the times.
fn notes(comparison: &Comparison) -> Vec<String> {
    let times = &comparison.overall.times;
    let mut notes = vec![
        "time: the geometric mean over boards of B / A, with its bootstrap interval; equivalent: \
         the interval is within ten per cent of 1"
            .to_owned(),
    ];
    if times.short > 0 {
        notes.push(format!(
            "{} under 1 ms in both left out of the times",
            count(times.short, "job")
        ));
    }
    if times.limited > 0 {
        notes.push(format!(
            "{} at a limit left out of the times, which nobody knows",
            count(times.limited, "job")
        ));
    }
    if times.bounded > 0 {
        notes.push(format!(
            "on {} one of the records is at a limit: the ratio is bounded on one side only",
            count(times.bounded, "board")
        ));
    }
    notes
}

fn verdict(times: &Times) -> &'static str {
    match times.relation.as_deref() {
        Some("equivalent") => "equivalent",
        Some("less") => "faster in B",
        Some("more") => "slower in B",
        Some(_) => "undecided",
        None if times.boards > 0 => "too few boards",
        None => "nothing to compare",
    }
}

fn range([low, high]: [Option<f64>; 2]) -> String {
    Estimate { low, high }.to_string()
}

fn bracketed([low, high]: [Option<f64>; 2]) -> String {
    let read = |ratio: Option<f64>, open: &str| {
        ratio.map_or_else(|| open.to_owned(), |ratio| significant(ratio, 3))
    };
    format!("[{}, {}]", read(low, "0"), read(high, "∞"))
}

/// Efforts and times in a few words; the times are those of B beside `whose`.
fn measures(comparison: &Comparison, whose: &str) -> String {
    let Arm { efforts, times, .. } = &comparison.overall;
    let efforts = match efforts.compared {
        0 => "no efforts to compare".to_owned(),
        compared => format!(
            "{} of {} efforts equal",
            grouped(efforts.equal as u128),
            grouped(compared as u128)
        ),
    };
    let times = match (times.mean, times.interval) {
        (Some(mean), Some(interval)) => {
            format!("times {} {} of {whose}", range(mean), bracketed(interval))
        }
        (Some(mean), None) => format!("times {} of {whose}, on one board", range(mean)),
        (None, _) if times.short > 0 => "times too short to compare".to_owned(),
        (None, _) => "no times to compare".to_owned(),
    };
    format!("{efforts}, {times}")
}

fn short(comparison: &Comparison) -> String {
    let measures = measures(comparison, "A's");
    match comparison.faults.len() {
        _ if comparison.matched == 0 => "they have no job in common".to_owned(),
        0 => format!("nothing contradicts: {measures}"),
        1 => format!("1 FAULT: {measures}"),
        faults => format!("{} FAULTS: {measures}", grouped(faults as u128)),
    }
}

/// Whether B reproduces A, in a line.
pub(super) fn conclusion(comparison: &Comparison) -> String {
    let mut problems = Vec::new();
    let contradicting = comparison.answers.contradicting;
    if contradicting > 0 {
        problems.push(format!("{contradicting} answers contradict the record's"));
    } else if !comparison.is_sound() {
        problems.push(match comparison.faults.len() {
            1 => "1 thing differs that must not".to_owned(),
            faults => format!("{faults} things differ that must not"),
        });
    }
    if comparison.answers.only_a > 0 {
        problems.push(format!("{} without an answer", count(comparison.answers.only_a, "job")));
    }
    let measures = measures(comparison, "the record's");
    match &problems[..] {
        _ if comparison.matched == 0 => "nothing was reproduced: no job was run again".to_owned(),
        [] => format!("reproduced: {measures}"),
        problems => format!("NOT reproduced: {}; {measures}", problems.join(", ")),
    }
}
