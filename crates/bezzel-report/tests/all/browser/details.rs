//! The lists of runs, and the details of a run; by click, key and finger.

use bezzel_chromium::{DESKTOP, PHONE, Page};
use bezzel_experiment::ExperimentRecord;
use bezzel_problem::Instance;
use bezzel_problem::kind::graph_colouring::GraphColouring;
use bezzel_problem::kind::graph_colouring::graph::Graph;
use bezzel_problem::kind::latin_square::LatinSquare;
use bezzel_problem::kind::pigeonhole::Pigeonhole;

use crate::browser::open::{opened, report, report_of};
use crate::browser::runs::{box_of, complains_of_nothing, unfold};
use crate::report::{counting, sample};

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
    // Headings sort the list by click and key.
    let mut keys = listed(&page, "Key");
    keys.sort_unstable();
    page.click("dialog .list th:first-child button");
    assert_eq!(listed(&page, "Key"), keys);
    page.press("Enter");
    keys.reverse();
    assert_eq!(listed(&page, "Key"), keys);
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

    // The address has all three, and the list is open with them.
    let address = format!("file://{}{}", paths.index.display(), page.text("location.hash"));
    let again = Page::open(&address, DESKTOP).unwrap();
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
    let head = "[...document.querySelectorAll('#every th')].find((head) => head.textContent.startsWith('CPU time of solving'))";
    for _ in 0..2 {
        page.evaluate(&format!("{head}.querySelector('button').click() ?? 0"));
    }
    let times = page.evaluate(&format!(
        "[...document.querySelectorAll('#every tbody tr')].map((row) => row.cells[{head}.cellIndex].textContent)"
    ));
    let times: Vec<String> = serde_json::from_value(times).unwrap();
    assert!(times[..12].iter().all(|time| time == "≥ 4.90"), "{times:?}");
    assert_eq!(times[12], "0.750");
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
        "0 cells: ; 0 discs; Constraint files and large instances are not drawn.",
    ];
    assert_eq!(drawn, expected);
    complains_of_nothing(&page);
}
