//! Reports and their index in a real browser, opened from files.

use std::cell::Cell;
use std::fs;
use std::path::Path;

use bezzel_experiment::{AnswerPart, ExperimentRecord, Job, ReportAnswer, ReportSpec};
use bezzel_report::Paths;
use serde_json::json;
use tempfile::TempDir;

use crate::chromium::{Browser, Page, run};
use crate::report::{counting, sample};

/// The records of the reports. The index beside the first one has the report of the last one, too.
const RECORDS: [fn() -> ExperimentRecord; 6] = [
    sample::small,
    with_many_pairs,
    with_answer,
    with_many_runs,
    with_alike_keys,
    counting::record,
];
const SMALL: usize = 0;
const PAIRS: usize = 1;
const ANSWER: usize = 2;
const RUNS: usize = 3;
const KEYS: usize = 4;
const COUNTING: usize = 5;

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

/// Scenarios of a page: a name, the report, and the steps. `@Name=value` names the box of a value in the filter.
const SCENARIOS: &[(&str, (usize, &str))] = &[
    ("without a network the page fits a phone, on which all parts can be touched", (SMALL, "
        width 320 | run document.querySelectorAll('details').forEach((part) => part.open = true)
        is document.documentElement.scrollWidth <= 320
        is ![...document.querySelectorAll('summary')].some((it) => it.checkVisibility() && it.offsetHeight < 24)
        is !document.querySelector('main pre:not([tabindex])')")),
    ("on paper everything is open and nothing waits for a click", (SMALL, "
        hides #config pre | print | shows #config pre = name | shows #conditions .facts = C | hides .contents | hides .files
        is getComputedStyle(document.body).backgroundColor === 'rgb(255, 255, 255)'")),
    ("without a script everything is readable, on paper too", (SMALL, "
        noscript | shows h1 = Is this read? | is document.querySelector('#conditions .ends').checkVisibility()
        shows #repeat pre = bezzel
        shows #table-encodings table = pairwise | is document.querySelectorAll('#sizes .spots title').length > 0
        is !document.querySelector('button, input, .bar, #runs, dialog, select')
        is document.querySelectorAll('nav a').length > 5
        is [...document.querySelectorAll('nav a')].every((a) => document.querySelector(a.hash))
        print | shows #config pre = name")),
    ("an entry of a legend hides its series, and another button shows it alone", (SMALL, "
        click #sizes .key | series 1 | click #sizes .key | series 01 | click #sizes .only | series 0 | click #sizes .only
        series 01 | click #sizes [data-key='1'] | series 0 | is location.hash === '#off=sizes.1'
        again | series 0 | is document.querySelectorAll('#sizes .key')[1].ariaPressed === 'false'
        click #sizes .only | series 01 | double #sizes .key | series 0")),
    ("entries are pressed by keys, and arrows pass over hidden marks", (SMALL, "
        focus #sizes .key | press Space | series 1 | press Tab Enter | series 0
        focus #sizes .card | press End | shows .tip = pairwise | press ArrowLeft ArrowLeft | shows .tip = pairwise
        press ArrowLeft ArrowLeft | shows .tip = pairwise")),
    ("entries are pressed by a finger", (SMALL, "
        width 360 | touch #sizes .key | series 1 | touch #sizes .only | series 0 | touch #sizes [data-key='1'] | series 01
        is document.querySelector('#sizes .only').offsetHeight >= 24")),
    ("the arrow keys go through marks and Escape ends it", (SMALL, "
        focus #sizes .card | press ArrowRight | is document.querySelector('.tip').textContent
        press ArrowUp | is document.querySelector('.tip').textContent
        focus #sizes .card | press Escape | is !document.querySelector('.tip').textContent")),
    ("bounds and numbers in parentheses are sorted by their numbers", (SMALL, "
        run const table = document.querySelector('#cells table'); window.head = [...table.tHead.rows[0].cells].find((it) => it.classList.contains('number')); window.cells = () => [...table.tBodies[0].rows].map((row) => row.cells[head.cellIndex]); cells().forEach((cell, at) => { cell.className = 'number'; delete cell.dataset.v; cell.textContent = ['28.3', '≥ 19.1', '(≤ 0.5)', 'not shown', '≤ 2,000', '(1.5)'][at % 6]; }); head.querySelector('button').click()
        is [...new Set(cells().map((cell) => cell.textContent))].join('; ') === '(≤ 0.5); (1.5); ≥ 19.1; 28.3; ≤ 2,000; not shown'")),
    ("headings are pressed by the keyboard, and rows found by words", (SMALL, "
        click #cells summary | focus #cells th:nth-child(2) button | press Enter
        is document.querySelector('#cells th:nth-child(2)').ariaSort === 'ascending'
        press Tab Enter | is document.querySelectorAll('#cells [aria-sort]').length === 1
        focus #cells input | type sequential random | shows #cells output = 3 of 12")),
    ("the address has the order and the words of a table, and ignores unknown ones", (SMALL, "
        click #cells summary | focus #cells th:nth-child(2) button | press Enter | focus #cells input | type random. 8
        is (window.order = () => [...document.querySelectorAll('#cells tbody tr')].map((it) => it.hidden + it.textContent).join('|'), sessionStorage.was = order())
        again | is [...document.querySelectorAll('#cells tbody tr')].map((it) => it.hidden + it.textContent).join('|') === sessionStorage.was
        click .bar > summary | click .bar .reset | is document.querySelector('#cells input').value === ''
        enter #sort=cells.99.ascending&sort=x&words= | is !document.querySelector('#cells [aria-sort]')")),
    ("a long table is folded, opens by a key, and has its beginning on paper", (PAIRS, "
        is document.querySelectorAll('#table-encodings tbody tr').length === 10
        shows #table-pairs-time-random-sat summary = 45 rows of 9 columns | hides #table-pairs-time-random-sat tbody tr
        focus #table-pairs-time-random-sat summary | press Enter
        is [...document.querySelectorAll('#table-pairs-time-random-sat tbody tr')].filter((it) => it.checkVisibility()).length === 45
        press Enter | hides #table-pairs-time-random-sat tbody tr | print
        is [...document.querySelectorAll('#table-pairs-time-random-sat tbody tr')].filter((it) => it.checkVisibility()).length === 20
        shows #table-pairs-time-random-sat .paper = The first 20 of 45 rows; table.md has all.")),
    ("a filter hides rows and series, and numbers over more runs have a note", (SMALL, "
        hides .ribbon | click .bar > summary | click .pick[data-name='Numbering'] > summary
        click @Numbering=as-generated | shows .ribbon output = Shown: 1 of 2 numberings; 6 of 18 runs
        fresh #cells details | whole #table-encodings | whole #sizes figure
        shows #sizes .why = Over all runs: not filtered by numbering.
        is location.hash === '#Numbering=as-generated' | click @Numbering=as-generated | fresh #table-encodings
        unfold Encoding | click @Encoding=pairwise | shows .ribbon output = 9 of 18 runs | fresh #sizes figure | series 0
        click .ribbon .reset | hides .ribbon | series 01")),
    ("a filter leaves the answer readable, with a note, and figures that mix encodings, too", (ANSWER, "
        fresh #answer | unfold Encoding | click @Encoding=pairwise | whole #answer | whole #effects figure
        fresh #sizes figure | shows #answer .why = Over all runs
        is getComputedStyle(document.querySelector('#answer > p')).textDecorationLine === 'none'
        click .ribbon .reset | fresh #answer | hides #answer .why")),
    ("a filter is set by keys, and folded by Escape", (SMALL, "
        focus .bar > summary | press Enter | focus .pick[data-name='Numbering'] > summary | press Enter Tab Space
        shows .ribbon output = 6 of 18 runs | press Escape | is !document.querySelector(\".pick[data-name='Numbering']\").open
        press Escape | is !document.querySelector('.bar').open && document.activeElement.parentElement.className.includes('bar')")),
    ("a filter is set by a finger", (SMALL, "
        width 360 | touch .bar > summary | touch .bar .switch button:nth-of-type(3)
        shows .ribbon output = Shown: unsatisfiable instances; 6 of 18 runs | is document.documentElement.scrollWidth <= 360
        touch .bar .reset | hides .ribbon")),
    ("on a phone the words of the filter are below all headings", (SMALL, "
        width 380 | enter #Answer=unsatisfiable&at=cells | shows .ribbon output = unsatisfiable
        is document.querySelector('.ribbon').getBoundingClientRect().top > innerHeight / 2
        is document.querySelector('#cells h2').getBoundingClientRect().top >= 0")),
    ("a filter empties the panels of which it leaves no instance", (ANSWER, "
        is (window.panels = () => [...document.querySelectorAll('#cactus [data-p]')].map((it) => it.classList.contains('off')), panels().length === 4 && !panels().includes(true))
        enter #Answer=unsatisfiable | shows .ribbon output = unsatisfiable | is panels().join() === 'true,true,false,false'
        click .ribbon .reset | is !panels().includes(true)")),
    ("the list of runs has whole names", (SMALL, "
        click #every summary | is [...document.querySelectorAll('#every .words')].every((it) => it.scrollWidth <= it.clientWidth)")),
    ("runs at a limit are a link to their list", (SMALL, "
        click #conditions .ends a | shows #every output = of 18 runs
        is [...document.querySelectorAll('#every tbody tr')].every((row) => row.textContent.includes('at the '))
        is document.querySelector('#every tbody tr') && location.hash.includes('words=runs.at+the+')")),
    ("ratios need one answer, and a base and a measure are chosen", (SMALL, "
        shows #runs .several = the table has the satisfiable instances | click #runs .switch button:nth-of-type(2)
        is !document.querySelector('#runs .several').textContent && location.hash === '#Answer=satisfiable'
        shows #runs .numbers th:nth-child(2) = Ratio to pairwise | focus [name=base] | press ArrowDown
        shows #runs .numbers th:nth-child(2) = Ratio to sequential-counter
        focus [name=measure] | press ArrowDown | is document.querySelector('.two svg').ariaLabel.startsWith('Conflicts')")),
    ("both arms of the plot are chosen by keys, and the address has them", (SMALL, "
        is (window.arms = () => [...document.querySelectorAll('.two text')].map((it) => it.textContent).filter((it) => it.includes('CaDiCaL')).join('; '))() === 'pairwise, CaDiCaL, as-generated; sequential-counter, CaDiCaL, as-generated'
        focus [name=x] | press ArrowDown | is location.hash.includes('x=') | focus [name=y] | press ArrowDown
        is arms() === 'pairwise, CaDiCaL, random; sequential-counter, CaDiCaL, random'
        is document.querySelectorAll('.two svg use').length === 3
        again | is [...document.querySelectorAll('.two text')].filter((it) => it.textContent.includes('CaDiCaL, random')).length === 2")),
    ("a link to a part keeps the filter", (SMALL, "
        enter #Numbering=as-generated | shows .ribbon output = 6 of 18 runs | click .contents a[href='#conditions']
        is location.hash === '#Numbering=as-generated&at=conditions' | again | shows .ribbon output = 6 of 18 runs
        is document.querySelector('#conditions').getBoundingClientRect().top < innerHeight")),
    ("an encoding is marked in figures of encodings", (SMALL, "
        unfold Encoding | focus [name=mark] | press ArrowDown | is location.hash === '#mark=pairwise'
        is ['sizes', 'simplified'].every((id) => [['0', '1'], ['1', '0.12']].every(([look, opacity]) => getComputedStyle(document.querySelector(`#${id} g[data-s=\"${look}\"]`)).opacity === opacity))")),
    ("a run has a link for its instance, the command of each run of its cell, and an address", (SMALL, "
        runs | click #every tbody tr:nth-child(2) .link | shows dialog h2 = pairwise, CaDiCaL, random
        is document.querySelectorAll('dialog .list tbody tr').length === 2 | shows dialog .list = shuffle 2
        shows dialog .to = Open this report with bezzel serve to get a link to the page of the instance.
        click dialog .list tbody tr:nth-child(2) .link
        is document.querySelector('dialog pre').textContent === `bezzel run small --only ${location.hash.slice(5)}`
        again | shows dialog h2 = pairwise, CaDiCaL, random | press Escape | is location.hash === ''")),
    ("the command of a run has a key that no other run has", (KEYS, "
        runs | click #every tbody tr:nth-child(2) .link
        is /^bezzel run small --only [0-9a-f]{32}$/.test(document.querySelector('dialog pre').textContent)")),
    ("runs and marks are reached by keys", (SMALL, "
        runs | is document.querySelectorAll('#every .link[tabindex=\"0\"]').length === 1 | focus #every .link
        press ArrowDown Enter | shows dialog h2 = pairwise, CaDiCaL, random | press Escape | hides dialog
 is location.hash === ''
 run return new Promise((done) => setTimeout(done, 200))
        focus .two | press Home | shows .tip = to the right | press Enter | shows dialog h2 = ; sequential-counter, CaDiCaL
        focus dialog .list tbody .link | press Enter | shows dialog pre = bezzel run small --only")),
    ("a mark is opened by a click, and by the second touch of a finger", (SMALL, "
        focus .bar > summary | click .two svg use:last-of-type | shows dialog h2 = ; sequential-counter, CaDiCaL
        is [...document.querySelectorAll('dialog .list th')].some((it) => it.textContent === 'Encoding')
        is ![...document.querySelectorAll('dialog .list th')].some((it) => it.textContent === 'Solver')
        click dialog .close | hides dialog | width 360 | again | touch .two svg use:last-of-type | shows .tip = to the right
        touch .two svg use:last-of-type | shows dialog h2 = ; sequential-counter, CaDiCaL
        is document.documentElement.scrollWidth <= 360")),
    ("a mark of a figure lists its runs, and headings sort the list", (SMALL, "
        focus #simplified .card | press End | is (window.tip = document.querySelector('.tip').textContent).includes(' runs')
        press Enter
        is (window.keys = () => [...document.querySelectorAll('dialog .list tbody .link')].map((it) => it.textContent))().length > 1
        is tip.includes(`; ${keys().length} runs`)
        click dialog .list tbody tr:last-child .link | is document.querySelectorAll('dialog [aria-current]').length === 1
        click dialog .list th:first-child button | is keys().join() === keys().sort().join()
        press Enter | is keys().join() === keys().sort().reverse().join()")),
    ("every run is in one list, which the filter, the words and the order change", (SMALL, "
        is !document.querySelector('#every tbody tr') | focus #every summary | press Enter
        is (window.rows = () => [...document.querySelectorAll('#every tbody tr')])().length === 18
        unfold Numbering | click @Numbering=as-generated | is rows().length === 6
        run [...document.querySelectorAll('#every th')].find((it) => it.textContent === 'Clauses').querySelector('button').click()
        is document.querySelector('#every [aria-sort]').ariaSort === 'ascending'
        focus #every input | type pairwise | shows #every output = 3 of 6 runs; at most 200 are shown
        again | is document.querySelectorAll('#every tbody tr').length === 3
        is document.querySelector('#every [aria-sort]').ariaSort === 'ascending'
        unfold Numbering | click .bar .reset | is document.querySelectorAll('#every tbody tr').length === 18 && !location.hash")),
    ("the list has a window on many runs, with runs at their limit above all others", (RUNS, "
        runs | is document.querySelectorAll('#every tbody tr').length === 200
        shows #every output = 216 of 216 runs; at most 200 are shown
        run window.head = () => [...document.querySelectorAll('#every th')].find((it) => it.textContent.startsWith('CPU time of solving')); head().querySelector('button').click(); head().querySelector('button').click()
        is [...document.querySelectorAll('#every tbody tr')].map((row) => row.cells[head().cellIndex].textContent).slice(11, 13).join() === '≥ 4.90,0.750'")),
    ("an encoding without a look has no marker", (COUNTING, "
        is document.querySelector('#runs .numbers tbody th') && !document.querySelector('#runs .numbers .chip')")),
    ("reports are found in the index by words, and the whole card is a link", (SMALL, "
        index | shows main h2 = All solutions and their number | hides .served | focus input | type this READ
        shows output = 1 of 2 | hides #counting | is location.hash === '#words=this+READ'
        run location.hash = '' | shows #counting .name = counting
        is (() => { const one = document.querySelector('#counting .thumb img'); one.scrollIntoView({ block: 'center', behavior: 'instant' }); const { left, top, width, height } = one.getBoundingClientRect(); return document.elementFromPoint(left + width / 2, top + height / 2).getAttribute('href') === 'counting/index.html'; })()
        width 320 | is document.documentElement.scrollWidth <= 320 | touch input | is document.activeElement.type === 'search'
        click #counting h3 a | is document.querySelector('#repeat')
        noscript | index | shows #counting .name = counting | is !document.querySelector('input, button')")),
    ("the page of encodings has sizes, words and orders, and an address with them", (SMALL, "
        index | click .kicker a[href='encodings.html'] | shows #found = encodings
        is (window.row = (id) => [...document.querySelectorAll('tbody tr')].find((it) => it.cells[0].textContent === id), row('pairwise').cells[2].textContent) === '4,950'
        run Object.assign(n, { value: 12 }); k.value = 3; k.dispatchEvent(new Event('input'))
        is row('pairwise').cells[2].textContent === '495' && row('bitwise').hidden
        is row('sequential-counter').cells[1].textContent === '33' && row('sequential-counter').cells[2].textContent === '74'
        is (window.shown = (id) => row(id).cells[3].innerText, shown('totalizer:bounded')).length && !shown('product').includes('k')
        click th:nth-child(3) button | is document.querySelectorAll('[aria-sort=ascending]').length === 1
        is (() => { const numbers = [...document.querySelectorAll('tbody tr:not([hidden])')].map((it) => Number(it.cells[2].textContent.replace(/,/g, ''))); return numbers.length > 10 && numbers.filter(Number.isFinite).every((it, at, all) => !at || all[at - 1] <= it); })()
        focus #words | type totalizer | shows #found = of | is row('product').hidden
        is location.hash === '#n=12&k=3&words=totalizer&sort=3'
        run k.value = 12; k.dispatchEvent(new Event('input')) | shows #limit = sizes for k from 1 to n − 1
        width 320 | is document.documentElement.scrollWidth <= 320")),
];

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
    let reports: Vec<(TempDir, Paths)> = RECORDS.iter().map(|record| report(&record())).collect();
    let small = reports[SMALL].0.path();
    let last = RECORDS[COUNTING]();
    bezzel_queens::report::render(&last, &small.join(&last.name), "bezzel report x").unwrap();
    let index = address(&bezzel_report::index(small).unwrap());
    let browser = Browser::start();
    run(SCENARIOS, |(record, steps)| {
        let file = address(&reports[*record].1.index);
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
        let paths = &reports[SMALL].1;
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
