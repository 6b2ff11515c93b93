//! Reports and their index in a real browser, opened from files.

use std::cell::Cell;
use std::fs;
use std::path::Path;

use bezzel_experiment::{AnswerPart, ExperimentRecord, Job, ReportAnswer, ReportSpec};
use bezzel_report::Paths;
use serde_json::json;
use tempfile::TempDir;

use crate::chromium::{Browser, Page, run, scenarios};
use crate::report::{counting, sample};

/// A name in scenarios, and the record of its report.
type NamedRecord = (&'static str, fn() -> ExperimentRecord);

/// The records of the reports. The index beside the first one has the report of the last
/// one, too.
const RECORDS: [NamedRecord; 6] = [
    ("small", sample::small),
    ("pairs", with_many_pairs),
    ("answer", with_answer),
    ("runs", with_many_runs),
    ("keys", with_alike_keys),
    ("counting", counting::record),
];

/// The small record with ten encodings in place of two, and so with 45 pairs.
fn with_many_pairs() -> ExperimentRecord {
    copies(5, |job, copy| job.encoding.push_str(copy))
}

/// The small record with twelve solvers, and so with 216 runs.
fn with_many_runs() -> ExperimentRecord {
    copies(12, |job, copy| job.solver.push_str(copy))
}

/// The small record several times, with other names.
fn copies(times: usize, rename: impl Fn(&mut Job, &str)) -> ExperimentRecord {
    let mut record = sample::small();
    let rows = std::mem::take(&mut record.rows);
    for copy in 0..times {
        record.rows.extend(rows.iter().cloned().map(|mut row| {
            rename(&mut row.job, &format!("-{copy}"));
            row.key.0.replace_range(..2, &format!("{copy:02}"));
            row
        }));
    }
    record.planned = record.rows.len();
    record
}

/// A record with an answer by its author.
fn with_answer() -> ExperimentRecord {
    let parts = vec![AnswerPart::Text("No encoding is faster than all others.".into())];
    let report = ReportSpec {
        answer: Some(ReportAnswer { parts, ..ReportAnswer::default() }),
        figures: Some(vec!["sizes".into(), "effects".into(), "cactus".into()]),
        ..ReportSpec::default()
    };
    ExperimentRecord { report, ..sample::wide() }
}

/// The small record with keys that differ at their end.
fn with_alike_keys() -> ExperimentRecord {
    let mut record = sample::small();
    for (number, row) in record.rows.iter_mut().enumerate() {
        row.key.0 = format!("{number:032x}");
    }
    record
}

type Comparison = fn(&Page, &Paths);

/// Scenarios that compare a page with its files.
const COMPARISONS: &[(&str, Comparison)] = &[
    ("a mouse and a finger on a mark show its value within the window", values_are_true),
    ("every column of numbers is sorted up and down and back again", order_is_true),
    ("numbers of the chosen runs are those of the file", numbers_are_true),
    (
        "a foreign script, style and picture are refused, and that is noticed",
        foreign_parts_are_refused,
    ),
];

fn address(file: &Path) -> String {
    format!("file://{}", file.display())
}

#[test]
#[ignore = "second tier: needs Chromium"]
fn scenarios_of_reports_in_a_browser() {
    let reports = RECORDS.map(|(_, record)| report(&record()));
    let small = reports[0].0.path();
    let last = RECORDS[RECORDS.len() - 1].1();
    bezzel_queens::report::render(&last, &small.join(&last.name), "bezzel report x").unwrap();
    let index = address(&bezzel_report::index(small).unwrap());
    let browser = Browser::start();
    run(&scenarios(include_str!("report_browser.txt")), |(record, steps)| {
        let place = RECORDS.iter().position(|(name, _)| name == record).unwrap();
        let file = address(&reports[place].1.index);
        let page = browser.open(&file, 1280);
        let loads = Cell::new(0);
        let load = |page: &Page, hash: &str| {
            loads.set(loads.get() + 1);
            page.go(&format!("{file}?{}{hash}", loads.get()));
        };
        page.follow(&with_boxes(steps), |verb, rest| own_step(&page, &load, &index, verb, rest));
        assert_eq!(page.faults("file://"), [""; 0]);
    });
    run(COMPARISONS, |compare| {
        let paths = &reports[0].1;
        compare(&browser.open(&address(&paths.index), 1280), paths);
    });
}

/// Replaces `@Name=value` by the selector of the box of a value in the filter.
fn with_boxes(steps: &str) -> String {
    let mut parts = steps.split('@');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let end = part.find(['|', '\n']).unwrap_or(part.len());
        let (name, value) = part[..end].trim().split_once('=').unwrap();
        format!("{text}.pick[data-name='{name}'] input[value='{value}'] {}", &part[end..])
    })
}

/// Takes a step that only reports have.
fn own_step(page: &Page, load: &dyn Fn(&Page, &str), index: &str, verb: &str, rest: &str) -> bool {
    match verb {
        "again" => load(page, &page.get::<String>("location.hash")),
        "enter" => drop(page.evaluate(&format!("location.hash = {}", json!(rest)))),
        "index" => page.go(index),
        "print" => drop(page.call("Emulation.setEmulatedMedia", &json!({"media": "print"}))),
        "noscript" => {
            page.call("Emulation.setScriptExecutionDisabled", &json!({"value": true}));
            load(page, "");
        }
        "runs" => {
            page.evaluate("document.querySelector('#every').open = true");
            page.until("document.querySelector('#every tbody tr')");
        }
        "unfold" => drop(page.evaluate(&format!(
            "document.querySelectorAll(\".bar, .pick[data-name='{rest}']\").forEach((it) => {{ it.open = true; }}) ?? 0"
        ))),
        "fresh" | "whole" => {
            let is = if verb == "whole" { "" } else { "!" };
            page.until(&format!("{is}document.querySelector('{rest} > .why')"));
        }
        // The series of the figure of sizes that are shown: 0 is pairwise, 1 the sequential counter.
        "series" => page.until(&format!(
            "[0, 1].filter((look) => [...document.querySelectorAll(`#sizes svg g[data-s=\"${{look}}\"]`)]\
             .every((it) => getComputedStyle(it).display !== 'none')).join('') === '{rest}'"
        )),
        _ => return false,
    }
    true
}

/// A record's report, and the index beside it.
fn report(record: &ExperimentRecord) -> (TempDir, Paths) {
    let folder = tempfile::tempdir().unwrap();
    let command = format!("bezzel report {}", record.name);
    let paths =
        bezzel_queens::report::render(record, &folder.path().join(&record.name), &command).unwrap();
    (folder, paths)
}

fn values_are_true(page: &Page, paths: &Paths) {
    // The marks in the file, before any script changes them.
    let file = fs::read_to_string(&paths.index).unwrap();
    let spots =
        file.split_once(" id=\"sizes\">").unwrap().1.split_once("<g class=\"spots\"").unwrap().1;
    let within = |text: &str, from: &str, to: &str| {
        text.split_once(from).unwrap().1.split_once(to).unwrap().0.to_owned()
    };
    let spots: Vec<[String; 3]> = spots
        .split_once("</g>")
        .unwrap()
        .0
        .split("<circle")
        .skip(1)
        .map(|spot| {
            [
                within(spot, "cx=\"", "\""),
                within(spot, "cy=\"", "\""),
                within(spot, "<title>", "</title>"),
            ]
        })
        .collect();
    // Pairwise on 8 × 8: 16 lines of at least one, 28 pairs for each of 16 full lines, and on the diagonals both ways
    // 2 · (1 + 3 + 6 + 10 + 15 + 21) + 28 pairs: 16 + 448 + 280.
    let known =
        spots.iter().filter(|[.., text]| text.starts_with("pairwise") && text.contains("744"));
    assert_eq!(known.clone().count(), 1);
    for (width, mouse) in [(1280, true), (360, false)] {
        page.fit(width);
        for [x, y, text] in spots.iter().take(3).chain(known.clone()) {
            let [left, top]: [f64; 2] = page.get(&format!(
                "(() => {{
                    const [svg, card] = ['svg', '.card'].map((it) => document.querySelector('#sizes ' + it));
                    svg.scrollIntoView({{ block: 'center', behavior: 'instant' }});
                    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
                    card.scrollLeft = {x} * scale - card.clientWidth / 2;
                    const box = svg.getBoundingClientRect();
                    return [box.left + {x} * scale, box.top + {y} * scale];
                }})()"
            ));
            page.rest();
            let at = |x: f64, y: f64| json!({"type": "mouseMoved", "x": x, "y": y});
            if mouse {
                page.call("Input.dispatchMouseEvent", &at(3.0, 3.0));
                page.call("Input.dispatchMouseEvent", &at(left, top));
            } else {
                let points = json!([{"x": left, "y": top}]);
                for (kind, points) in [("touchStart", points), ("touchEnd", json!([]))] {
                    let touch = json!({"type": kind, "touchPoints": points});
                    page.call("Input.dispatchTouchEvent", &touch);
                }
            }
            page.until(&format!(
                "document.querySelector('.tip').textContent.split('\\n').includes({})",
                json!(text)
            ));
            page.until(
                "(({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight)\
                 (document.querySelector('.tip').getBoundingClientRect())",
            );
        }
    }
}

/// The rows of the table of all cells, and their headings.
fn csv_of(paths: &Paths) -> (csv::StringRecord, Vec<csv::StringRecord>) {
    let text = fs::read_to_string(&paths.table_csv).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().unwrap().clone();
    (heads, reader.records().map(Result::unwrap).collect())
}

fn order_is_true(page: &Page, paths: &Paths) {
    let (_, rows) = csv_of(paths);
    page.evaluate(
        "window.table = document.querySelector('#cells table'), [...table.tBodies[0].rows].forEach((row, at) => row.at = at) ?? 0",
    );
    let numeric: Vec<bool> =
        page.get("[...table.tHead.rows[0].cells].map((head) => head.classList.contains('number'))");
    let (mut over, mut missing) = (0, 0);
    for (column, _) in numeric.iter().enumerate().filter(|(_, numeric)| **numeric) {
        // `inf`, a value over the limit, is larger than all others; missing values come last in both directions.
        let keys: Vec<Option<f64>> = rows.iter().map(|row| row[column].parse().ok()).collect();
        over += keys.iter().filter(|key| **key == Some(f64::INFINITY)).count();
        missing += keys.iter().filter(|key| key.is_none()).count();
        for (sort, sign) in [("ascending", 1.0), ("descending", -1.0)] {
            let mut places: Vec<usize> = (0..rows.len()).collect();
            let by = |place: usize| keys[place].map_or((1, 0.0), |key| (0, sign * key));
            places.sort_by(|&one, &other| by(one).partial_cmp(&by(other)).unwrap());
            let head = format!("table.tHead.rows[0].cells[{column}]");
            page.evaluate(&format!("{head}.querySelector('button').click() ?? 0"));
            assert_eq!(page.get::<String>(&format!("{head}.ariaSort")), sort);
            let shown: Vec<usize> = page.get("[...table.tBodies[0].rows].map((row) => row.at)");
            assert_eq!(shown, places, "column {column}: {keys:?}");
        }
        page.evaluate(&format!(
            "table.tHead.rows[0].cells[{column}].querySelector('button').click() ?? 0"
        ));
        assert_eq!(page.evaluate("table.querySelectorAll('[aria-sort]').length"), 0);
    }
    assert!(over > 0 && missing > 0, "the record has no hard cases: {over}, {missing}");
}

fn numbers_are_true(page: &Page, paths: &Paths) {
    page.go(&format!("{}?1#Family=torus&Answer=no+solution", address(&paths.index)));
    page.until("document.querySelector('.ribbon output').textContent.includes('6 of 18 runs')");
    let rows: Vec<Vec<String>> = page.get(
        "[...document.querySelector('#runs .numbers tbody').rows].map((row) => [...row.cells].map((cell) => cell.textContent))",
    );
    let (heads, known) = csv_of(paths);
    let place = |name: &str| heads.iter().position(|head| head == name).unwrap();
    assert_eq!(rows.len(), 4);
    for row in &rows {
        let names = ["instance", "encoding", "solver", "numbering"].map(place);
        let is_same = |record: &&csv::StringRecord| {
            names
                .iter()
                .zip(["torus 6", &row[0], &row[3], &row[4]])
                // The page has the name of a solver, and the file its id.
                .all(|(&at, name)| record[at].replace("cadical", "CaDiCaL") == name)
        };
        let record = known.iter().find(is_same).unwrap();
        let columns = ["runs", "answered", "solve_cpu_lower_quartile_s", "solve_cpu_median_s"];
        let shown = [&row[6], &row[7], &row[8], &row[2]];
        for (column, shown) in columns.into_iter().zip(shown) {
            let [expected, shown]: [f64; 2] =
                [&record[place(column)], shown].map(|text| text.parse().unwrap());
            // Three digits are shown.
            assert!((expected - shown).abs() <= 0.005 * expected, "{column} of {row:?}");
        }
        // The cells with the unchecked answer have no ratio; the base has the ratio 1 to itself.
        match (&*row[0], &*row[4]) {
            ("pairwise", "as-generated") => assert_eq!([&row[1], &row[5]], ["1.00", "1"]),
            ("pairwise", "random") => assert_eq!([&row[1], &row[5]], ["–", "–"]),
            _ => {}
        }
    }
}

fn foreign_parts_are_refused(page: &Page, paths: &Paths) {
    let foreign = "<script>document.title = 'taken'</script><img src=\"other.png\">\
                   <p id=\"p\" style=\"color: red\">x</p>";
    let text = fs::read_to_string(&paths.index).unwrap();
    let folder = paths.index.parent().unwrap();
    fs::write(folder.join("other.html"), text.replace("<main>", &format!("<main>{foreign}")))
        .unwrap();
    fs::write(folder.join("other.png"), "").unwrap();
    page.go(&address(&folder.join("other.html")));
    assert_eq!(page.get::<String>("document.title"), "small – Bezzel");
    assert_ne!(page.get::<String>("getComputedStyle(p).color"), "rgb(255, 0, 0)");
    assert_eq!(page.faults("file://").len(), 3, "{:?}", page.faults("file://"));
}
