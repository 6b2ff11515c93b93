//! The board in a real browser.

use std::cell::Cell;
use std::thread;

use bezzel_queens::knowledge::theorem;
use bezzel_queens::{Board, Geometry, Piece, Square};
use bezzel_serve::{Limits, Options};
use serde_json::{Value as Json, json};

use crate::brute::{self, Case};
use crate::chromium::{Browser, Page, run, scenarios};
use crate::server::test_server::TestServer;

/// A board in a browser. `@3.4` names a square in the steps of a scenario.
struct Desk<'a> {
    page: Page<'a>,
    server: &'a TestServer,
    loads: Cell<u32>,
}

impl Desk<'_> {
    /// Loads a board, and waits for its answer. A change of the fragment alone would not load it.
    fn open(&self, fragment: &str) {
        self.loads.set(self.loads.get() + 1);
        let number = self.loads.get();
        self.page.go(&format!("http://{}/?{number}#{fragment}", self.server.address));
        self.page.until(
            "document.querySelectorAll('#propagation .view').length === 2 && grid.children.length \
             && (grid.ariaBusy === 'false' || !wrong.hidden)",
        );
    }

    fn follow(&self, steps: &str) {
        self.page.follow(&with_squares(steps), |verb, rest| {
            let (count, shown) =
                ("document.getElementById('count').textContent", "message.textContent");
            let text = json!(rest);
            match verb {
                "open" => self.open(rest),
                "enter" => {
                    let page: String = self.page.get("location.href.split('#')[0]");
                    self.page.go(&format!("{page}#{rest}"));
                }
                "go" => self.page.go(&format!("http://{}{rest}", self.server.address)),
                "left" => self.page.until(&format!("{count} === {text}")),
                "says" => self.page.until(&format!("{shown}.includes({text})")),
                "queens" => self.page.until(&format!("{QUEENS}.join('_') === '{rest}'")),
                "look" => {
                    let (square, look) = rest.rsplit_once(' ').unwrap();
                    let cell = format!("document.querySelector('{square}')");
                    self.page.until(&format!("{cell}.dataset.look === '{look}'"));
                }
                _ => return false,
            }
            true
        });
    }

    fn looks(&self) -> Vec<String> {
        self.page.get("[...grid.querySelectorAll('[role=gridcell]')].map((it) => it.dataset.look)")
    }
}

/// The queens of the board.
const QUEENS: &str = "[...grid.querySelectorAll('[role=gridcell][data-look=queen]')]\
                      .map((it) => it.dataset.row + '.' + it.dataset.column)";

/// Replaces `@3.4` by the selector of the square.
fn with_squares(steps: &str) -> String {
    let mut parts = steps.split('@');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(part.len());
        let (square, rest) = part.split_at(end);
        let (row, column) = square.split_once('.').unwrap();
        format!("{text}#grid [data-row=\"{row}\"][data-column=\"{column}\"]{rest}")
    })
}

type Comparison = fn(&Desk);

/// Scenarios that compare a page with something else.
const COMPARISONS: &[(&str, Comparison)] = &[
    ("marks and counts are those of all solutions listed", marks_are_true),
    ("the views show what propagation rules out", propagation_is_true),
    ("the heat map and the numbers are those of the server", heat_is_true),
    ("exports are the files of the server", exports_are_true),
    ("the page goes on while others ask", goes_on_while_busy),
    ("Tab comes to every control and back, and the focus is visible", tab_comes_everywhere),
    ("every control, square and picture has a name", everything_is_named),
    ("texts stand out by 4.5 and marks by 3, and a fault is found", is_legible),
];

#[test]
#[ignore = "second tier: needs Chromium"]
fn scenarios_of_the_board_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("index.html"), "<p>All reports").unwrap();
    let reports = Some(folder.path().to_owned());
    // Time enough for a busy machine.
    let limits = Limits { head: std::time::Duration::from_mins(1), ..Limits::default() };
    let server = &TestServer::start(Options { reports, limits, ..Options::default() });
    let browser = Browser::start();
    let own = format!("http://{}/", server.address);
    let on = |fragment: &str, act: &dyn Fn(&Desk)| {
        let desk = Desk { page: browser.open("about:blank", 1366), server, loads: Cell::new(0) };
        desk.open(fragment);
        act(&desk);
        assert_eq!(desk.page.faults(&own), [""; 0]);
    };
    run(&scenarios(include_str!("browser.txt")), |(fragment, steps)| {
        on(fragment, &|desk| desk.follow(steps));
    });
    run(COMPARISONS, |compare| on("size=6&queens=1.2", compare));
}

#[test]
#[ignore = "second tier: needs Chromium"]
fn an_address_for_programs_says_so() {
    let server = TestServer::new();
    let browser = Browser::start();
    let own = format!("http://{}/", server.address);
    let page = browser.open(&format!("{own}api/board?size=4"), 1366);
    let follow = |steps: &str| page.follow(steps, |_, _| false);
    follow("shows h1 = This address is for programs | hides pre | click summary");
    follow("shows pre = \"solutions\": \"2\"");
    page.go(&format!("{own}api/board?size=99"));
    follow("shows h1 = The server does not answer | shows p = sizes go from 1 to 27");
    follow("click a[href='/'] | is location.pathname === '/'");
    assert_eq!(page.faults(&own), [""; 0]);
}

fn marks_are_true(desk: &Desk) {
    let mut cases: Vec<_> = brute::random(2, 24).into_iter().step_by(3).collect();
    let square = |row: u32, column: u32| Square::new(row - 1, column - 1);
    let nine = Board::new(9).unwrap().with_blocked([square(5, 5), square(8, 1)]).unwrap();
    let all = brute::solutions(&nine);
    cases.push(Case { board: nine.with_placed([square(1, 3), square(9, 4)]).unwrap(), all });
    let mut seen = Vec::new();
    for case in &cases {
        let board = &case.board;
        let list = |squares: &[Square]| {
            let words = squares.iter().map(|it| format!("{}.{}", it.row + 1, it.column + 1));
            words.collect::<Vec<_>>().join("_")
        };
        let fragment = format!(
            "size={}&geometry={}&piece={}&queens={}&blocked={}",
            board.rows(),
            if board.geometry() == Geometry::Torus { "torus" } else { "plane" },
            board.piece(),
            list(board.placed()),
            list(board.blocked()),
        );
        desk.open(&fragment);
        let left = case.left();
        let heading: String = desk.page.get("document.getElementById('count').textContent");
        let expected = match left.len() {
            0 if theorem(board).is_some() => "No solution exists".to_owned(),
            0 => "No solution left".to_owned(),
            1 if board.placed().len() == board.rows() as usize => "Solved".to_owned(),
            1 => "1 solution left".to_owned(),
            many => format!("{many} solutions left"),
        };
        assert!(heading.starts_with(&expected), "{fragment}: {heading}, not {expected}");
        let names: Vec<String> = desk
            .page
            .get("[...grid.querySelectorAll('[role=gridcell]')].map((it) => it.ariaLabel)");
        for ((square, look), name) in board.each_square().zip(desk.looks()).zip(&names) {
            let uses = left.iter().filter(|solution| solution.holds(square)).count();
            let (mark, words) = match uses {
                _ if board.placed().contains(&square) => (
                    "queen",
                    if board.piece() == Piece::Rook { "rook" } else { "queen" }.to_owned(),
                ),
                _ if board.blocked().contains(&square) => ("blocked", "blocked".to_owned()),
                0 if case.is_attacked(square) => ("attacked", "attacked".to_owned()),
                0 => ("dead", "in no solution".to_owned()),
                1 if left.len() == 1 => ("outlined", "in the only solution left".to_owned()),
                uses => ("free", format!(" {uses} ")),
            };
            assert_eq!(look, mark, "{fragment}: {name}");
            assert!(name.contains(&words), "{fragment}: {name}, not {words}");
            seen.push(mark);
        }
    }
    for mark in ["queen", "blocked", "attacked", "dead", "outlined", "free"] {
        assert!(seen.contains(&mark), "no board has a square that is {mark}");
    }
}

/// The server's answers follow from the clauses, as `knowledge/propagation.rs` tests.
fn propagation_is_true(desk: &Desk) {
    for encodings in [["pairwise", "binary"], ["support", "commander:2"]] {
        desk.open(&format!("size=6&queens=1.2&first={}&second={}", encodings[0], encodings[1]));
        let answers = encodings.map(|id| {
            desk.server.json(&format!("/api/propagation?size=6&queens=1.2&encoding={id}"))
        });
        let sees = |side: usize, row: usize, column: usize| &answers[side]["sees"][row][column];
        for (side, answer) in answers.iter().enumerate() {
            let heading = format!("#propagation-table th:nth-child({})", side + 2);
            desk.follow(&format!("shows {heading} = {}", encodings[side]));
            let steps = answer["steps"].as_array().unwrap();
            let squares = (0..36).map(|place| (place / 6, place % 6));
            let expected: Vec<&str> = squares
                .map(|(row, column)| {
                    let own = format!("x({},{})", row + 1, column + 1);
                    match answer["squares"][row][column].as_str().unwrap() {
                        "queen" => "queen",
                        _ if steps.iter().any(|step| step["gives"] == *own) => "ghost",
                        "attacked" if *sees(side, row, column) == false => "missed",
                        other => other,
                    }
                })
                .collect();
            let view = format!("#propagation .view:nth-child({})", side + 1);
            let looks: Vec<String> = desk.page.get(&format!(
                "[...document.querySelectorAll('{view} .picture .glyph')].map((it) => it.dataset.look)"
            ));
            assert_eq!(looks, expected, "{}", encodings[side]);
        }
        let differ =
            (0..36).filter(|at| sees(0, at / 6, at % 6) != sees(1, at / 6, at % 6)).count();
        let framed = "document.querySelectorAll('#propagation .differing').length";
        assert_eq!(desk.page.get::<usize>(framed), 2 * differ, "{encodings:?}");
    }
}

fn heat_is_true(desk: &Desk) {
    desk.open("size=8&queens=1.4&numbers=on");
    let board = desk.server.json("/api/board?size=8&queens=1.4");
    let count = |square: usize| board["squares"][square / 8][square % 8]["count"].as_str().unwrap();
    let counts: Vec<f64> = (8..64).map(|square| count(square).parse().unwrap()).collect();
    let most = counts.iter().fold(1.0, |most: f64, &count| most.max(count));
    let shown: Vec<(String, String)> = desk.page.get(
        "[...grid.querySelectorAll('[role=gridcell]')].map((it) => \
         [it.querySelector('.tally').textContent, it.style.getPropertyValue('--heat')])",
    );
    for ((text, heat), count) in shown[8..].iter().zip(counts) {
        assert_eq!(*text, if count == 0.0 { String::new() } else { count.to_string() });
        assert!((heat.parse::<f64>().unwrap() - count / most).abs() < 0.001, "{heat}: {count}");
    }
}

fn exports_are_true(desk: &Desk) {
    for (link, format) in [
        ("export-board", "format=board"),
        ("export-dimacs", "format=dimacs&encoding=pairwise"),
        ("export-second", "format=dimacs&encoding=binary"),
    ] {
        let address = format!("/api/export?size=6&queens=1.2&{format}");
        let href: String = desk.page.get(&format!("document.getElementById('{link}').href"));
        assert_eq!(href, format!("http://{}{address}", desk.server.address));
        // The file that the browser saves.
        desk.follow(&format!(
            "run window.saved = null; URL.createObjectURL = (blob) => {{ window.saved = blob.text(); return 'data:,'; }}
             click #{link}
             says The browser saves queens-6.
             is window.saved"
        ));
        let saved: String = desk.page.get("saved");
        assert_eq!(saved, desk.server.get(&address).text());
    }
    desk.follow(
        "open size=8&queens=1.1_1.2
         click #wrong-close
         click #export-board
         shows #wrong-text = Export of",
    );
}

fn goes_on_while_busy(desk: &Desk) {
    let server = desk.server;
    thread::scope(|scope| {
        for number in 0..12_u32 {
            let ask = move |turn: u32| {
                let square = format!("{}.{}", turn % 8 + 1, turn / 8 % 8 + 1);
                let question = match turn % 3 {
                    0 => format!("board?size=8&queens={square}"),
                    1 => format!("why?size=8&queens=1.1&square={square}"),
                    _ => format!("propagation?size=8&queens={square}&encoding=pairwise"),
                };
                let status = server.get(&format!("/api/{question}")).status;
                assert!([200, 400].contains(&status), "{question}: {status}");
            };
            scope.spawn(move || (number..number + 50).for_each(ask));
        }
        desk.follow(
            "open size=8 | click @1.4 | left 18 solutions left | click @2.7 | left 4 solutions left
             click @1.4 | left 16 solutions left",
        );
    });
}

fn tab_comes_everywhere(desk: &Desk) {
    desk.follow(
        "shows #propagation-table th = pairwise\nclick #solution-next\nshows #solution-text = of",
    );
    // All radio buttons of a group are one stop, and so are all squares.
    let controls = "[...document.querySelectorAll('a[href], button, select, input, [role=gridcell]')]\
        .filter((it) => !it.disabled && it.checkVisibility() && it.tabIndex >= 0 && (it.type !== 'radio' || it.checked))";
    let seen = "(() => {
        const it = document.activeElement;
        const { outlineStyle, outlineWidth } = getComputedStyle(it);
        const { top, bottom } = it.getBoundingClientRect();
        return bottom > 0 && top < innerHeight && outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
    })()";
    let is_outside = || desk.page.evaluate("document.activeElement === document.body") == true;
    desk.page.evaluate("document.querySelector('#export-second').focus() ?? 0");
    while !is_outside() {
        desk.page.press("Tab");
    }
    for way in ["Tab", "Shift+Tab"] {
        desk.page.evaluate("(window.visited = new Set()) && 1");
        loop {
            desk.page.press(way);
            // After the last one the browser's own window has the focus.
            if is_outside() {
                break;
            }
            let name = "document.activeElement.outerHTML.slice(0, 80)";
            assert!(desk.page.evaluate(seen) == true, "not seen: {}", desk.page.evaluate(name));
            desk.page.evaluate("visited.add(document.activeElement) && 1");
        }
        let missed = format!(
            "{controls}.filter((it) => !visited.has(it)).map((it) => it.outerHTML.slice(0, 80))"
        );
        assert_eq!(desk.page.evaluate(&missed), json!([]), "{way}");
    }
}

fn everything_is_named(desk: &Desk) {
    // The roles whose elements must have a name.
    const NAMED: &str = "button link combobox listbox radio radiogroup slider spinbutton textbox searchbox checkbox \
                         grid gridcell image dialog progressbar region";
    // Waits until a check of the tree of roles and names finds no fault: the browser makes it a moment after the page has
    // changed.
    let until_named = |faults: &dyn Fn(&[[String; 2]]) -> Vec<String>| {
        let text = |part: &Json| part["value"].as_str().unwrap_or_default().trim().to_owned();
        let mut found = Vec::new();
        for _ in 0..150 {
            let tree = desk.page.call("Accessibility.getFullAXTree", &json!({}))["nodes"].clone();
            let nodes = tree.as_array().unwrap().iter().filter(|node| node["ignored"] == false);
            let names: Vec<_> =
                nodes.map(|node| [text(&node["role"]), text(&node["name"])]).collect();
            found = faults(&names);
            if found.is_empty() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("{found:#?}");
    };
    for steps in [
        "open size=8&queens=1.1_2.5
         click @3.3
         shows #why .verdict = (3, 3)
         click #solution-next
         shows #solution-text = of
         shows #propagation-table th = pairwise",
        "click #keys-open
         shows #keys = Keyboard",
        "press Escape
         enter rubbish
         shows #wrong-text = rubbish",
    ] {
        desk.follow(steps);
        until_named(&|tree| {
            let is_named = |role: &String| NAMED.split_whitespace().any(|named| named == role);
            let nameless = tree.iter().filter(|[role, name]| is_named(role) && name.is_empty());
            let few = (tree.len() <= 100).then(|| format!("{} parts at {steps}", tree.len()));
            nameless.map(|[role, _]| format!("a nameless {role} at {steps}")).chain(few).collect()
        });
    }
    desk.open("size=6&queens=1.2&blocked=6.6");
    until_named(&|tree| {
        let cells: Vec<_> = tree.iter().filter(|[role, _]| role == "gridcell").collect();
        let mut faults = Vec::new();
        if cells.len() != 36 {
            return vec![format!("{} squares", cells.len())];
        }
        for (index, state) in
            [(1, "queen"), (35, "blocked"), (0, "attacked"), (9, "in the only solution left")]
        {
            let place = format!("Row {}, column {}: {state}", index / 6 + 1, index % 6 + 1);
            if cells[index][1] != place {
                faults.push(format!("{} is not {place}", cells[index][1]));
            }
        }
        for (role, part) in [("image", "the end of propagation"), ("grid", "Board of 6 rows")] {
            if !tree.iter().any(|node| node[0] == role && node[1].contains(part)) {
                faults.push(format!("no {role} is {part}"));
            }
        }
        faults
    });
    desk.follow(
        "is document.getElementById('message').role === 'status' && wrong.role === 'alert'",
    );
}

fn is_legible(desk: &Desk) {
    // Elements with too little contrast.
    const CONTRAST: &str = include_str!("contrast.js");
    let faults = || {
        desk.page.rest();
        let found = desk.page.evaluate(CONTRAST);
        assert!(
            found["texts"].as_u64() > Some(60) && found["marks"].as_u64() > Some(50),
            "{found}"
        );
        found["faults"].clone()
    };
    for theme in ["light", "dark"] {
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
        desk.page.call("Emulation.setEmulatedMedia", &features);
        for steps in [
            "open size=5&queens=1.1&blocked=1.4&numbers=on
             shows #propagation-table th = pairwise
             click @3.4
             shows #why .literals = conflict",
            "enter size=6&queens=1.2&rubbish
             left 1 solution left
             shows #propagation-table th = pairwise
             shows #wrong-text = rubbish
             is [...document.querySelectorAll('#propagation .picture')].every((it) => it.checkVisibility())",
            "click #keys-open
             shows #keys = Keyboard",
        ] {
            desk.follow(steps);
            assert_eq!(faults(), json!([]), "{theme}: {steps}");
        }
        desk.follow("press Escape");
    }
    let ground = "getComputedStyle(document.body).backgroundColor";
    let dark: String = desk.page.get(ground);
    desk.follow("click #theme");
    assert_ne!(desk.page.get::<String>(ground), dark, "the button changes the design");
    desk.follow("run document.documentElement.style.setProperty('--soft', '#999')");
    assert!(faults().to_string().contains("Geometry"), "a fault is found");
}
