//! The filter, the comparisons that are computed from runs, and the runs of a mark or a cell; by click, key and finger.

use std::fs;

use bezzel_chromium::{DESKTOP, PHONE, Page, Screen};
use bezzel_experiment::{ExperimentRecord, ReportAnswer, ReportSpec};
use bezzel_problem::Instance;
use bezzel_problem::kind::graph_colouring::GraphColouring;
use bezzel_problem::kind::graph_colouring::graph::Graph;
use bezzel_problem::kind::latin_square::LatinSquare;
use bezzel_problem::kind::pigeonhole::Pigeonhole;

use crate::browser::open::{opened, report, report_of};
use crate::report::{counting, sample};

/// The rows of the table of cells that are shown.
const SHOWN: &str =
    "[...document.querySelector('#cells table').tBodies[0].rows].filter((row) => !row.hidden)";

/// The selector of the box for a value of a property.
fn box_of(property: &str, value: &str) -> String {
    format!(".pick[data-name='{property}'] input[value='{value}']")
}

/// Opens the bar and the list of a property.
fn unfold(page: &Page, property: &str) {
    page.evaluate(&format!(
        "document.querySelectorAll(\".bar, .pick[data-name='{property}']\").forEach((part) => {{ part.open = true; }}) ?? 0"
    ));
}

fn output(page: &Page) -> String {
    page.text("document.querySelector('.bar output').textContent")
}

/// True if this part is struck out.
fn is_stale(page: &Page, part: &str) -> bool {
    page.evaluate(&format!("document.querySelector('{part}').classList.contains('stale')")) == true
}

fn complains_of_nothing(page: &Page) {
    assert!(page.console_messages().is_empty(), "{:?}", page.console_messages());
}

#[test]
fn a_filter_hides_rows_and_series_and_strikes_out_numbers_over_more_runs() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    assert_eq!(output(&page), "18 of 18 runs");
    page.click(".bar > summary");
    page.click(".pick[data-name='Numbering'] > summary");
    page.click(&box_of("Numbering", "as-generated"));
    assert_eq!(output(&page), "6 of 18 runs");
    assert_eq!(page.count(&format!("{SHOWN}.length")), 6);
    // A row of the table of cells is of one numbering. The main table and the figures are of both.
    assert!(!is_stale(&page, "#cells details"));
    assert!(is_stale(&page, "#table-encodings") && is_stale(&page, "#sizes figure"));
    let why = page.text("document.querySelector('#sizes .why').textContent");
    let expected = "Struck out: this figure shows all runs, also those that the filter leaves out by numbering.";
    assert_eq!(why, expected);
    assert_eq!(page.text("location.hash"), "#Numbering=as-generated");

    // Figures and tables have a series and a row for each encoding.
    page.click(&box_of("Numbering", "as-generated"));
    assert!(!is_stale(&page, "#table-encodings"));
    unfold(&page, "Encoding");
    page.click(&box_of("Encoding", "pairwise"));
    assert_eq!(output(&page), "9 of 18 runs");
    assert!(!is_stale(&page, "#table-encodings") && !is_stale(&page, "#sizes figure"));
    let display = |look: usize| {
        let part = format!("document.querySelector('#sizes g[data-s=\"{look}\"]')");
        page.text(&format!("getComputedStyle({part}).display"))
    };
    assert_eq!(display(1), "none");
    assert_ne!(display(0), "none");
    page.click(".reset");
    assert_eq!(output(&page), "18 of 18 runs");
    assert_ne!(display(1), "none");
    complains_of_nothing(&page);
}

#[test]
fn a_filter_strikes_out_the_answer_and_figures_that_mix_encodings() {
    let mut record = sample::wide();
    let text = "No encoding is faster than all others.".into();
    record.report = ReportSpec {
        answer: Some(ReportAnswer { text, ..ReportAnswer::default() }),
        figures: Some(vec!["sizes".into(), "effects".into()]),
        ..ReportSpec::default()
    };
    let (_folder, paths) = report_of(&record);
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    assert!(!is_stale(&page, "#answer") && !is_stale(&page, "#effects figure"));
    unfold(&page, "Encoding");
    page.click(&box_of("Encoding", "pairwise"));
    assert!(is_stale(&page, "#answer") && is_stale(&page, "#effects figure"));
    assert!(!is_stale(&page, "#sizes figure"), "its series of other encodings are hidden");
    let why = page.text("document.querySelector('#answer .why').textContent");
    let expected = "Struck out: the author's text is about all runs, also those that the filter leaves out by encoding.";
    assert_eq!(why, expected);
    let line = "getComputedStyle(document.querySelector('#answer > p')).textDecorationLine";
    assert_eq!(page.text(line), "line-through");
    page.click(".reset");
    assert!(!is_stale(&page, "#answer") && !is_stale(&page, "#effects figure"));
    assert_eq!(page.count("document.querySelectorAll('#answer .why').length"), 0);
    complains_of_nothing(&page);
}

#[test]
fn a_filter_is_set_by_keys() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    page.evaluate("document.querySelector('.bar > summary').focus() ?? 0");
    page.press("Enter");
    page.evaluate("document.querySelector(\".pick[data-name='Answer'] > summary\").focus() ?? 0");
    page.press("Enter");
    page.press("Tab");
    page.press("Space");
    assert_eq!(output(&page), "12 of 18 runs");
    page.evaluate("document.querySelector('.reset').focus() ?? 0");
    page.press("Enter");
    assert_eq!(output(&page), "18 of 18 runs");
}

#[test]
fn a_filter_is_set_by_a_finger() {
    let (_folder, paths) = report();
    let Some(phone) = opened(&paths.index, PHONE) else { return };
    // On a phone the number of runs stands in the middle of the line.
    phone.touch(".bar > summary");
    phone.until("document.querySelector('.bar').open");
    phone.touch(".pick[data-name='Answer'] > summary");
    phone.until("document.querySelector(\".pick[data-name='Answer']\").open");
    phone.touch(&box_of("Answer", "no solution"));
    phone.until("document.querySelector('.bar output').textContent === '6 of 18 runs'");
    let width = phone.number("document.documentElement.scrollWidth");
    assert!(width <= f64::from(PHONE.width), "{width}");
    phone.touch(".reset");
    phone.until("document.querySelector('.bar output').textContent === '18 of 18 runs'");
}

#[test]
fn numbers_of_the_chosen_runs_are_those_of_the_file() {
    let (_folder, paths) = report();
    let address = format!("file://{}#Family=torus&Answer=no+solution", paths.index.display());
    let Some(page) = Page::open(&address, DESKTOP) else { return };
    assert_eq!(output(&page), "6 of 18 runs");
    let rows = page.evaluate(
        "[...document.querySelector('#runs .numbers tbody').rows].map((row) => [...row.cells].map((cell) => cell.textContent))",
    );
    let rows: Vec<Vec<String>> = serde_json::from_value(rows).unwrap();
    let text = fs::read_to_string(&paths.table_csv).unwrap();
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let place = |name: &str| heads.iter().position(|head| head == name).unwrap();
    let known: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4);
    for row in &rows {
        let is_same = |record: &&csv::StringRecord| {
            &record[place("board")] == "torus 6"
                && record[place("encoding")] == row[0]
                && record[place("solver")] == row[1]
                && record[place("numbering")] == row[2]
        };
        let record = known.iter().find(is_same).unwrap();
        let columns = ["runs", "answered", "solve_cpu_lower_quartile_s", "solve_cpu_median_s"];
        for (column, shown) in columns.into_iter().zip(&row[5..]) {
            let [expected, shown]: [f64; 2] =
                [&record[place(column)], shown].map(|text| text.parse().unwrap());
            // Three digits are shown.
            assert!((expected - shown).abs() <= 0.005 * expected, "{column} of {row:?}");
        }
    }
    // The cells with the unchecked answer have no ratio; the base has the ratio 1 to itself.
    let ratio = |encoding: &str, numbering: &str| {
        let row = rows.iter().find(|row| row[0] == encoding && row[2] == numbering).unwrap();
        (row[3].clone(), row[4].clone())
    };
    assert_eq!(ratio("pairwise", "as-generated"), ("1.00".into(), "1".into()));
    assert_eq!(ratio("pairwise", "random"), ("–".into(), "–".into()));
    complains_of_nothing(&page);
}

#[test]
fn ratios_need_one_answer_and_a_base_is_chosen() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    let is_shown =
        || page.evaluate("document.querySelector('#runs .several').checkVisibility()") == true;
    assert!(is_shown());
    unfold(&page, "Answer");
    page.click(&box_of("Answer", "a solution"));
    assert!(!is_shown());
    let head = || page.text("document.querySelector('#runs .numbers th:nth-child(4)').textContent");
    assert_eq!(head(), "Ratio to pairwise");
    page.evaluate("document.querySelector('[name=base]').focus() ?? 0");
    page.press("ArrowDown");
    page.until("document.querySelector('#runs .numbers th:nth-child(4)').textContent === 'Ratio to sequential-counter'");
    assert_eq!(head(), "Ratio to sequential-counter");
    page.evaluate("document.querySelector('[name=measure]').focus() ?? 0");
    page.press("ArrowDown");
    page.until("document.querySelector('.two svg').ariaLabel.startsWith('Conflicts')");
    complains_of_nothing(&page);
}

#[test]
fn both_arms_of_the_plot_are_chosen_by_keys_and_the_address_has_them() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    let arms = |page: &Page| {
        let texts = page.evaluate(
            "[...document.querySelectorAll('.two text')].map((text) => text.textContent).filter((text) => text.includes('cadical'))",
        );
        serde_json::from_value::<Vec<String>>(texts).unwrap()
    };
    let [pairwise, counter] = ["pairwise", "sequential-counter"];
    let at_first = [pairwise, counter].map(|arm| format!("{arm}, cadical, as-generated"));
    assert_eq!(arms(&page), at_first);
    for axis in ["x", "y"] {
        page.evaluate(&format!("document.querySelector('[name={axis}]').focus() ?? 0"));
        page.press("ArrowDown");
        page.until(&format!("location.hash.includes('{axis}=')"));
    }
    let random = [pairwise, counter].map(|arm| format!("{arm}, cadical, random"));
    assert_eq!(arms(&page), random);
    // A mark for each board.
    assert_eq!(page.count("document.querySelectorAll('.two svg use').length"), 3);
    let hash = page.text("location.hash");
    let address = format!("file://{}{hash}", paths.index.display());
    let again = Page::open(&address, DESKTOP).unwrap();
    again.until("document.querySelector('.two svg')");
    assert_eq!(arms(&again), random);
    complains_of_nothing(&page);
}

#[test]
fn a_link_to_a_part_keeps_the_filter_in_the_address() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    let left = "document.querySelector('.bar output').textContent";
    let all = page.text(left);
    page.evaluate("location.hash = '#Numbering=as-generated'");
    page.until("document.querySelector('.bar .active, .bar.active')");
    let filtered = page.text(left);
    assert_ne!(filtered, all);
    page.click(".contents a[href='#conditions']");
    page.until("location.hash === '#Numbering=as-generated&at=conditions'");
    let address = format!("file://{}{}", paths.index.display(), page.text("location.hash"));
    let again = Page::open(&address, DESKTOP).unwrap();
    again.until("document.querySelector('#conditions').getBoundingClientRect().top < innerHeight");
    assert_eq!(again.text(left), filtered);
    complains_of_nothing(&page);
}

#[test]
fn an_encoding_is_marked_in_all_figures() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    unfold(&page, "Encoding");
    page.evaluate("document.querySelector('[name=mark]').focus() ?? 0");
    page.press("ArrowDown");
    page.until("location.hash === '#mark=pairwise'");
    for figure in ["#sizes", "#simplified"] {
        let opacity = |look: usize| {
            page.text(&format!(
                "getComputedStyle(document.querySelector('{figure} g[data-s=\"{look}\"]')).opacity"
            ))
        };
        assert_eq!((opacity(0), opacity(1)), ("1".into(), "0.12".into()), "{figure}");
    }
}

/// The title of the runs of a mark, which has both arms of the plot.
const BOTH_ARMS: &str =
    "pairwise, cadical, as-generated; sequential-counter, cadical, as-generated";

/// The texts of the column with this heading in the list of the dialog; none if there is no such column.
fn listed(page: &Page, head: &str) -> Vec<String> {
    let texts = page.evaluate(&format!(
        "(() => {{ const [heads, ...rows] = [...document.querySelectorAll('dialog .list tr')].map((row) => \
         [...row.cells].map((cell) => cell.textContent)); const at = heads.indexOf('{head}'); \
         return at < 0 ? [] : rows.map((row) => row[at]); }})()"
    ));
    serde_json::from_value(texts).unwrap()
}

/// Unfolds the list of every run.
fn unfold_runs(page: &Page) {
    page.evaluate("document.querySelector('#every').open = true");
    page.until("document.querySelector('#every tbody tr')");
}

/// The text of the open dialog, and its command.
fn details(page: &Page) -> (String, String) {
    page.until("document.querySelector('dialog').open");
    (
        page.text("document.querySelector('dialog h2').textContent"),
        page.text("document.querySelector('dialog pre').textContent"),
    )
}

#[test]
fn a_run_of_the_list_has_its_board_and_the_command_of_each_run_of_its_cell() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    unfold_runs(&page);
    page.click("#every tbody tr:nth-child(2) .link");
    let (title, command) = details(&page);
    assert_eq!(title, "pairwise, cadical, random");
    let key_of = |row: usize| {
        let link = format!("dialog .list tbody tr:nth-child({row}) .link");
        page.text(&format!("document.querySelector('{link}').textContent"))
    };
    assert_eq!(command, format!("bezzel run small --only {}", key_of(1)));
    assert_eq!(page.count("document.querySelectorAll('dialog .list tbody tr').length"), 2);
    for (column, text) in [(2, "shuffle 2"), (3, "finished"), (4, "a solution")] {
        let cell = format!(
            "document.querySelector('dialog .list tbody tr:nth-child(2) td:nth-child({column})')"
        );
        assert_eq!(page.text(&format!("{cell}.textContent")), text);
    }
    assert_eq!(page.count("document.querySelectorAll('dialog .board td').length"), 64);
    // A file has no board page beside it.
    let shown = page.text("document.querySelector('dialog .to').innerText");
    assert_eq!(shown, "Open this report with bezzel serve to get a link to the board.");
    page.click("dialog .list tbody tr:nth-child(2) .link");
    assert_eq!(details(&page).1, format!("bezzel run small --only {}", key_of(2)));
    let key = key_of(2);
    assert_eq!(page.text("location.hash"), format!("#run={key}"));
    page.press("Escape");
    page.until("!document.querySelector('dialog').open");
    page.until("location.hash === ''");

    // The address opens it again, and so does one with fewer digits of the key.
    for run in [&key[..], &key[..7]] {
        let address = format!("file://{}#run={run}", paths.index.display());
        let again = Page::open(&address, DESKTOP).unwrap();
        let expected = format!("bezzel run small --only {key}");
        assert_eq!(details(&again), ("pairwise, cadical, random".into(), expected));
        again.click("dialog .close");
        again.until("!document.querySelector('dialog').open");
    }
    complains_of_nothing(&page);
}

#[test]
fn the_command_of_a_run_has_a_key_that_no_other_run_has() {
    let mut record = sample::small();
    for (number, row) in record.rows.iter_mut().enumerate() {
        row.key.0 = format!("{number:032x}");
    }
    let (_folder, paths) = report_of(&record);
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    unfold_runs(&page);
    page.click("#every tbody tr:nth-child(2) .link");
    let (_, command) = details(&page);
    let key = command.rsplit(' ').next().unwrap();
    assert!(record.rows.iter().any(|row| row.key.0 == key), "{command}");
}

#[test]
fn runs_and_marks_are_reached_by_keys() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    unfold_runs(&page);
    assert_eq!(page.count("document.querySelectorAll('#every .link[tabindex=\"0\"]').length"), 1);
    page.evaluate("document.querySelector('#every .link').focus() ?? 0");
    page.press("ArrowDown");
    page.press("Enter");
    assert_eq!(details(&page).0, "pairwise, cadical, random");
    page.press("Escape");
    page.until("!document.querySelector('dialog').open");

    page.evaluate("document.querySelector('.two').focus() ?? 0");
    page.press("Home");
    page.rest();
    let tip = page.text("document.querySelector('.tip').textContent");
    assert!(tip.starts_with("board ") && tip.contains("to the right"), "{tip}");
    page.press("Enter");
    assert_eq!(details(&page).0, BOTH_ARMS);
    // The key of a run shows its command.
    let key = page.text("document.querySelector('dialog .list tbody .link').textContent");
    page.evaluate("document.querySelector('dialog .list tbody .link').focus() ?? 0");
    page.press("Enter");
    assert_eq!(details(&page).1, format!("bezzel run small --only {key}"));
    complains_of_nothing(&page);
}

#[test]
fn a_mark_is_opened_by_a_click() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    // The click takes the focus from another part.
    page.evaluate("document.querySelector('.bar > summary').focus() ?? 0");
    page.click(".two svg use:last-of-type");
    assert_eq!(details(&page).0, BOTH_ARMS);
    // The list has a column for the encoding, which differs, and none for the solver, which is the same.
    let mut encodings = listed(&page, "Encoding");
    encodings.sort_unstable();
    encodings.dedup();
    assert_eq!(encodings, ["pairwise", "sequential-counter"]);
    assert!(listed(&page, "Solver").is_empty());
    complains_of_nothing(&page);
}

#[test]
fn a_mark_and_a_run_are_opened_by_a_finger() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, PHONE) else { return };
    // The first touch shows the values.
    page.touch(".two svg use:last-of-type");
    page.until("document.querySelector('.tip').textContent.includes('to the right')");
    page.touch(".two svg use:last-of-type");
    assert_eq!(details(&page).0, BOTH_ARMS);
    let width = page.number("document.documentElement.scrollWidth");
    assert!(width <= f64::from(PHONE.width), "{width}");
    page.touch("dialog .close");
    page.until("!document.querySelector('dialog').open");
    unfold_runs(&page);
    page.touch("#every tbody tr:nth-child(2) .link");
    assert_eq!(details(&page).0, "pairwise, cadical, random");
}

#[test]
fn a_mark_of_a_figure_lists_its_runs() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    page.evaluate("document.querySelector('#simplified .card').focus() ?? 0");
    page.press("End");
    page.rest();
    let tip = page.text("document.querySelector('.tip').textContent");
    page.press("Enter");
    let (title, command) = details(&page);
    let encoding = tip.split([',', ':']).next().unwrap();
    assert!(title.starts_with(encoding), "{title}: {tip}");
    let runs = listed(&page, "Key").len();
    assert!(runs > 1 && tip.contains(&format!("; {runs} runs")), "{tip}: {runs}");
    // Another run of the list is chosen, and the command is its own.
    page.click("dialog .list tbody tr:last-child .link");
    assert_ne!(details(&page).1, command);
    assert_eq!(page.count("document.querySelectorAll('dialog [aria-current]').length"), 1);
    complains_of_nothing(&page);
}

#[test]
fn every_run_is_in_one_list_which_the_filter_the_words_and_the_order_change() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    let shown = "[...document.querySelectorAll('#every tbody tr')]";
    assert_eq!(page.count(&format!("{shown}.length")), 0, "it is made when it is unfolded");
    page.evaluate("document.querySelector('#every summary').focus() ?? 0");
    page.press("Enter");
    page.until(&format!("{shown}.length === 18"));
    unfold(&page, "Numbering");
    page.click(&box_of("Numbering", "as-generated"));
    assert_eq!(page.count(&format!("{shown}.length")), 6);
    let head = "[...document.querySelectorAll('#every th')].find((head) => head.textContent === 'Clauses')";
    for order in ["ascending", "descending"] {
        page.evaluate(&format!("{head}.querySelector('button').click() ?? 0"));
        assert_eq!(page.text(&format!("{head}.ariaSort")), order);
    }
    let column =
        format!("{shown}.map((row) => +row.cells[{head}.cellIndex].textContent.replace(',', ''))");
    let clauses: Vec<f64> = serde_json::from_value(page.evaluate(&column)).unwrap();
    assert_eq!(clauses.len(), 6);
    assert!(clauses.is_sorted_by(|one, two| one >= two), "{clauses:?}");
    page.evaluate("document.querySelector('#every input').focus() ?? 0");
    page.call("Input.insertText", &serde_json::json!({"text": "pairwise"}));
    assert_eq!(page.count(&format!("{shown}.length")), 3);
    let found = page.text("document.querySelector('#every output').textContent");
    assert_eq!(found, "3 of 6 runs; at most 200 are shown");

    // The address has all three. The list gets them when it is made.
    let address = format!("file://{}{}", paths.index.display(), page.text("location.hash"));
    let again = Page::open(&address, DESKTOP).unwrap();
    again.evaluate("document.querySelector('#every summary').click() ?? 0");
    again.until(&format!("{shown}.length === 3"));
    assert_eq!(again.text(&format!("{head}.ariaSort")), "descending");
    again.evaluate("document.querySelector('#every tbody .link').focus() ?? 0");
    again.press("Enter");
    assert!(details(&again).0.starts_with("pairwise, cadical"));
    again.press("Escape");
    unfold(&again, "Numbering");
    again.click(".reset");
    assert_eq!(again.count(&format!("{shown}.length")), 18);
    assert_eq!(again.text("location.hash"), "");
    complains_of_nothing(&again);
}

#[test]
fn escape_folds_the_filter() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    unfold(&page, "Answer");
    page.evaluate("document.querySelector(\".pick[data-name='Answer'] input\").focus() ?? 0");
    page.press("Escape");
    page.until("!document.querySelector(\".pick[data-name='Answer']\").open");
    page.press("Escape");
    page.until("!document.querySelector('.bar').open");
    assert_eq!(page.text("document.activeElement.parentElement.className"), "bar");
}

#[test]
fn the_list_of_runs_shows_bounds_as_such_and_a_window_on_many_runs() {
    let mut record = sample::small();
    let rows = std::mem::take(&mut record.rows);
    for copy in 0..12 {
        record.rows.extend(rows.iter().cloned().map(|mut row| {
            row.job.solver = format!("{}-{copy}", row.job.solver);
            row.key.0.replace_range(..2, &format!("{copy:02}"));
            row
        }));
    }
    record.planned = record.rows.len();
    let (_folder, paths) = report_of(&record);
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    unfold_runs(&page);
    assert_eq!(page.count("document.querySelectorAll('#every tbody tr').length"), 200);
    let found = page.text("document.querySelector('#every output').textContent");
    assert_eq!(found, "216 of 216 runs; at most 200 are shown");
    // A run at its limit of 5 s comes after all that have an answer.
    let times =
        "[...document.querySelectorAll('#every tr')].map((row) => row.cells[9].textContent)";
    for _ in 0..2 {
        page.evaluate("document.querySelectorAll('#every th button')[9].click() ?? 0");
    }
    let times: Vec<String> = serde_json::from_value(page.evaluate(times)).unwrap();
    assert_eq!(times[0], "CPU time of solving (s)");
    assert!(times[1..=12].iter().all(|time| time == "≥ 4.90"), "{times:?}");
    assert_eq!(times[13], "0.750");
    complains_of_nothing(&page);
}

#[test]
fn an_encoding_without_a_look_has_no_marker() {
    let (_folder, paths) = report_of(&counting::record());
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    assert!(page.count("document.querySelectorAll('#runs .numbers tbody th').length") > 0);
    assert_eq!(page.count("document.querySelectorAll('#runs .numbers .chip').length"), 0);
    complains_of_nothing(&page);
}

/// The small record with these instances in place of its boards.
fn on_instances(instances: &[Instance; 3]) -> ExperimentRecord {
    let mut record = sample::small();
    record.families.clear();
    let mut boards: Vec<Instance> = Vec::new();
    for row in &mut record.rows {
        let board = &row.job.instance;
        let place = boards.iter().position(|known| known == board).unwrap_or_else(|| {
            boards.push(board.clone());
            boards.len() - 1
        });
        (row.queens, row.job.instance) = (None, instances[place].clone());
    }
    record
}

#[test]
fn instances_of_other_kinds_are_drawn_or_the_reason_is_given() {
    let square = LatinSquare::new(3, None, 1).unwrap().with_given(vec![(1, 1, 2)]).unwrap();
    let edges = vec![(1, 2), (2, 3), (3, 4), (4, 5), (5, 1)];
    let graph = Graph::Edges { vertices: 5, edges };
    let record = on_instances(&[
        square.into(),
        GraphColouring::new(graph, 3).unwrap().into(),
        Pigeonhole::new(9, 500).unwrap().into(),
    ]);
    let (_folder, paths) = report_of(&record);
    let Some(page) = opened(&paths.index, DESKTOP) else { return };
    unfold_runs(&page);
    let text = |selector: &str| {
        page.text(&format!("document.querySelector('dialog {selector}').innerText"))
    };
    let mut drawn = Vec::new();
    for row in [1, 7, 13] {
        page.click(&format!("#every tbody tr:nth-child({row}) .link"));
        page.until("document.querySelector('dialog').open");
        drawn.push(format!(
            "{} cells: {}; {} discs; {}",
            page.count("document.querySelectorAll('dialog .cells td').length"),
            text(".drawn").split_whitespace().collect::<String>(),
            page.count("document.querySelectorAll('dialog .instance circle').length"),
            text(".to"),
        ));
        page.click("dialog .close");
        page.until("!document.querySelector('dialog').open");
    }
    let expected = [
        "9 cells: 2; 0 discs; ",
        "0 cells: ; 5 discs; ",
        "0 cells: ; 0 discs; An instance of this kind or size is not drawn.",
    ];
    assert_eq!(drawn, expected);
    complains_of_nothing(&page);
}

#[test]
fn without_a_script_there_is_neither_a_filter_nor_a_comparison() {
    let (_folder, paths) = report();
    let Some(page) = opened(&paths.index, Screen { scripts: false, ..DESKTOP }) else { return };
    let parts = "document.querySelectorAll('.bar, #runs, dialog, select').length";
    assert_eq!(page.count(parts), 0);
}
