//! The board in a real browser.

use std::cell::Cell;
use std::thread;

use bezzel_queens::knowledge::theorem;
use bezzel_queens::{Board, Geometry, Piece, Square};
use bezzel_serve::{Limits, Options};
use serde_json::{Value as Json, json};

use crate::brute::{self, Case};
use crate::chromium::{Browser, Page, run};
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

/// Scenarios of the board: a name, the board, and the steps.
const SCENARIOS: &[(&str, (&str, &str))] = &[
    ("a click places a queen and crosses what it attacks, and a second one removes it", ("size=8", "
        left 92 solutions left | click @1.1 | left 4 solutions left | says 4 solutions left.
        is location.hash.endsWith('size=8&queens=1.1') | look @1.8 attacked | look @2.3 dead | look @2.5 free
        is document.querySelector('@1.1').ariaLabel === 'Row 1, column 1: queen' | click @1.1 | left 92 solutions left
        queens ")),
    ("a finger places and removes, and a double click places once", ("size=6", "
        width 360 | touch @1.2 | left 1 solution left | run return new Promise((done) => setTimeout(done, 400))
        touch @1.2 | left 4 solutions left | width 1280 | double @1.3 | left 1 solution left | queens 1.3")),
    ("keys move, place and remove, and do not leave the board", ("size=5", "
        focus @1.1 | press ArrowRight ArrowDown ArrowLeft ArrowLeft End | is document.activeElement.matches('@2.5')
        press Control+Home Enter | queens 1.1 | press Space | queens | press Space | queens 1.1 | press Delete
        queens | press Delete | says No queen on (1, 1)")),
    ("the last solution is outlined, and completed in one change", ("size=6", "
        click @1.2 | says One solution is left: the 5 missing queens are outlined | look @2.4 outlined
        click #complete | left Solved: 6 queens | says 5 queens added, as in the only solution. | click #complete
        says The board is complete. | press Control+Z | queens 1.2")),
    ("a random solution keeps blocked squares, and comes from a solver on a large board",
        ("size=8&queens=1.1&blocked=8.8", "
        click #random | left Solved: 8 queens | says each has the same probability | look @8.8 blocked | open size=15
        click #random | says A solution of a SAT solver | open size=6&queens=1.1 | click #complete
        says No solution has all of these pieces. | queens 1.1")),
    ("a crossed square takes no queen and says why", ("size=8&queens=1.1", "
        click @1.5 | says No queen on | shows #why = In line: row 1. | shows #why = not possible | click @2.3
        shows #why .causes = Queen on (1, 1) | queens 1.1 | press Escape | hides #why .causes")),
    ("a reason has the clauses from which propagation derives it, and goes with the board",
        ("size=4&queens=1.1", "
        click @2.4 | says breaks the rules: unit propagation shows it | shows #why = No clause can be left out
        shows #why .literals li = gives x(1,1) | shows #why .literals li:last-child = no literal left: a conflict
        is grid.querySelector('[data-lit~=cause]').matches('@1.1')
        is grid.querySelector('[data-lit~=target]').matches('@2.4')
        is grid.querySelectorAll('[data-lit~=step]').length > 0 | click @1.1 | queens | hides #why .literals
        open size=6 | click @1.1 | shows #why = The board alone | hides #why .literals")),
    ("the line of an attack is drawn around the edges of a torus", ("size=7&geometry=torus&queens=1.1", "
        click @2.7 | says attacks (2, 7)
        is document.querySelector('#lines .over').getAttribute('d') === 'M0.5 0.5L-0.5 1.5M7.5 0.5L6.5 1.5'
        press Escape | is !document.querySelector('#lines .over') | press w
        is document.querySelector('#lines .over')")),
    ("W asks about any square", ("size=6&queens=1.2", "
        focus @1.2 | press w | says holds a piece | press ArrowRight w | shows #why .causes = Queen on (1, 2)
        press Escape | focus @2.4 | press w | says is not ruled out")),
    ("a torus without solution names the theorem", ("size=8&geometry=torus", "
        left No solution exists | says if and only if neither 2 nor 3 divides N (Pólya 1918). | click @3.4
        says No solution uses (3, 4), since this board has none | open size=3
        says if and only if N is neither 2 nor 3 (Pauls 1874). | open size=1 | click @1.1 | left Solved: 1 queen")),
    ("buttons undo and redo to both ends, and a new change drops what was undone", ("size=8", "
        click @1.1 | queens 1.1 | click @2.5 | queens 1.1_2.5 | click #undo | click #undo | queens | click #undo
        says Nothing to undo | click #redo | click #redo | queens 1.1_2.5 | click #redo | says Nothing to redo
        click #undo | queens 1.1 | click @1.1 | queens | is redo.ariaDisabled === 'true'")),
    ("keys undo and redo wherever the focus is, but not in a text", ("size=8&queens=1.1", "
        click @2.5 | queens 1.1_2.5 | focus #size | press Control+Z | queens 1.1 | press Control+Y | queens 1.1_2.5
        run document.activeElement.blur() | press Control+Z | queens 1.1 | press Control+Shift+Z | queens 1.1_2.5
        click #solution-number | press 1 Control+Z | queens 1.1_2.5")),
    ("another piece that does not fit the board removes the pieces, and undo restores them", ("size=4", "
        choose #piece = rook | left 24 solutions left | click @1.1 | left 6 solutions left | click @2.2
        left 2 solutions left | choose #piece = queen | says 2 rooks were removed. Undo restores them.
        press Control+Z | queens 1.1_2.2 | is piece.value === 'rook'")),
    ("another size names what is removed", ("size=6&queens=1.2_2.4&blocked=6.6", "
        choose #size = 5 | says 2 queens and 1 blocked square were removed. Undo restores them. | press Control+Z
        queens 1.2_2.4 | look @6.6 blocked")),
    ("on a torus lines continue at the opposite edge", ("size=5&queens=1.1", "
        look @3.4 dead | choose #geometry = torus | says On a torus, a line that leaves the board | look @3.4 attacked
        left 2 solutions left")),
    ("squares are blocked by hand and by key, and all are unblocked", ("size=6", "
        click #edit-blocked | click @1.2 | look @1.2 blocked | left 3 solutions left | click #edit-blocked
        click @1.3 | queens 1.3 | press b | says remove it first | press Delete b | look @1.3 blocked | press Enter
        says is blocked | click #unblock | left 4 solutions left")),
    ("a board is mirrored and turned with its blocked squares", ("size=6&queens=1.2&blocked=6.6", "
        click #mirror | queens 1.5 | look @6.1 blocked | click #turn | queens 5.6 | look @1.1 blocked")),
    ("a large board is searched and says what it does not know", ("size=15&queens=1.1", "
        left Solutions not counted | look @1.15 attacked | look @2.5 free | open size=16
        left 14,772,512 solutions (OEIS A000170) | click #solution-next | shows #solution-text = a SAT solver")),
    ("an unknown square is asked about first, and an end of the server names its command",
        ("size=8&queens=1.1", "
        run const real = fetch; window.fetch = async (at, how) => { const got = await real(at, how); if (!at.startsWith('/api/board') || !got.ok) return got; const answer = await got.json(); for (const one of answer.squares.flat()) { one.count = null; if (['free', 'dead'].includes(one.mark)) one.mark = 'unknown'; } return Response.json({ ...answer, how: 'search', solutions: null, completion: null }); }
        click @1.1 | queens | look @1.1 unknown | click @1.1 | queens 1.1 | look @2.3 unknown | click @2.3
        says No queen on (2, 3) | queens 1.1 | click @2.5 | queens 1.1_2.5
        run window.fetch = () => Promise.reject(new TypeError()) | click @3.8
        shows #wrong-text = is `bezzel serve --port | queens 1.1_2.5")),
    ("a first visit shows where two encodings differ, with all that a task needs in view", ("", "
        run sessionStorage.clear(); localStorage.clear(); location.hash = '' | go /?first | queens 1.3_5.4
        left 3 solutions left | shows #difference = pairwise rules out 27 squares that binary does not.
        is document.querySelectorAll('#propagation .view:nth-child(1) .differing').length === 27
        is ['h1', '#purpose', '#size', '#undo', '#random', '#grid', '#here', '#tour', '#difference', '#steps'].every((it) => { const { top, bottom, height } = document.querySelector(it).getBoundingClientRect(); return height > 0 && top >= 0 && bottom <= innerHeight; })
        click #tour-close | go /?second | queens 1.3_5.4 | hides #tour")),
    ("on a phone the reply and a comparison are in view", ("size=8&queens=1.3_5.4", "
        width 360 | touch @1.1 | says No queen on (1, 1) | run scrollTo(0, 0)
        shows #differs = Squares ruled out: pairwise 41, binary 14
        is ['#undo', '#grid', '#message', '#differs'].every((it) => document.querySelector(it).getBoundingClientRect().bottom <= innerHeight)
        touch #propagation .view:nth-child(1) .picture rect:nth-of-type(3) | shows #effect = (1, 3) holds a queen.")),
    ("where nothing differs, a button shows a board that does", ("size=8", "
        shows #difference = Neither encoding rules out a square. | click #find-difference
        says The board is now 8 × 8, plane. Undo returns to yours. | queens 1.3_5.4 | hides #find-difference
        press Control+Z | left 92 solutions left | choose #propagation .view:nth-child(2) select = pairwise
        shows #difference = Both sides show the same encoding")),
    ("a blocked square is no difference", ("size=8&queens=1.3_5.4&blocked=8.8", "
        shows #difference = pairwise rules out 27 squares that binary does not.
        is document.querySelectorAll('#propagation .differing').length === 54 | click #differing summary
        is !document.querySelector('#differing div').textContent.includes('(8, 8)')")),
    ("a click on a small board and a key give the effect of each encoding", ("size=8&queens=1.3_5.4", "
        shows #difference = pairwise rules out 27 | click #propagation .view:nth-child(2) .picture rect:nth-of-type(1)
        says (1, 1): both encodings rule it out.
        run const one = document.querySelector('#differing div').textContent.match(/[(](\\d), (\\d)[)]/); document.querySelector(`#grid [data-row=\"${one[1]}\"][data-column=\"${one[2]}\"]`).focus()
        press e | says pairwise rules it out, binary does not.")),
    ("both views step together from constraint to constraint", ("size=6&queens=1.2", "
        shows #difference = pairwise | is step.value === step.max | click #step-start
        is step.value === '0' && !document.querySelector('#propagation [data-look=attacked]') | click #step-next
        shows .view:nth-child(1) .clauses = Step 1 of | shows .view:nth-child(2) .clauses = Step 1 of | focus #step
        press ArrowRight | is step.value === '2' | click #step-previous | is step.value === '1'
        click #step-difference | is document.querySelector('#propagation .ring') | click #step-end
        click #step-previous | click #step-play
        is document.getElementById('step-play').textContent === 'Play' && step.value === step.max
        open size=4&queens=1.1_2.3 | shows .view:nth-child(1) .clauses = ends in a conflict")),
    ("encodings that never differ have a reason, and others are offered", ("size=6&queens=1.2&second=product", "
        shows #difference = No difference: both are arc-consistent on each constraint, so they never differ.
        hides #find-difference | click #others [value=binary] | is location.hash === '#size=6&queens=1.2'
        shows #difference = pairwise rules out | is !document.querySelector('#others button')
        is document.activeElement === document.querySelector('#propagation .view:nth-child(2) select')")),
    ("encodings are grouped by strength, and found by words of their titles", ("size=6&queens=1.2", "
        is document.querySelector('#propagation .view optgroup:nth-of-type(1) [value=product]').parentElement.label.startsWith('Arc-consistent')
        is document.querySelectorAll('#propagation .view:nth-child(1) optgroup').length === 4
        click #find-encoding | type commander | shows #found-encodings =  of
        is document.querySelector('#propagation .view select').value === 'pairwise' | press Enter
        is document.activeElement.matches('#propagation .view select')
        choose #propagation .view:nth-child(1) select = commander:2
        shows #propagation-table th:nth-child(2) = commander:2")),
    ("solutions come one after the other, by number, and go on the board", ("size=8&queens=1.1", "
        shows #solution-of = of 4 | click #solution-previous | shows #solution-text = 4 of 4 | click #solution-next
        shows #solution-text = 1 of 4 | click #solution-put | left Solved: 8 queens | press Control+Z | queens 1.1
        open size=6&queens=1.1 | click #solution-next | shows #solution-text = no solution | click @1.1
        shows #solution-text = Choose a number")),
    ("back and forward go through the boards, and a typed address can be undone", ("size=6", "
        click @1.3 | queens 1.3 | run history.back() | left 4 solutions left | run history.forward() | queens 1.3
        enter size=5&queens=1.1 | left 2 solutions left | click #undo | queens 1.3 | left 1 solution left")),
    ("an invalid address is reported, and the page goes on", ("size=8", "
        open size=99 | shows #wrong-text = size=99 | open size=8&toString=1
        shows #wrong-text = the key toString is unknown | open %ff%00<img src=x onerror=alert(1)>
        shows #wrong-text = is unknown | open size=8&step=last | shows #wrong-text = step=last
        open size=8&queens=9.9 | shows #wrong-text = (9, 9) | enter size=6&queens=1.2 | left 1 solution left
        hides #wrong")),
    ("a refused board is mended step by step, or emptied", ("size=8&queens=2.2", "
        enter size=8&queens=1.3_1.5_1.7 | left Not a board | click @1.7 | queens 1.3_1.5 | left Not a board
        click @1.5 | left 16 solutions left | hides #wrong | press Control+Z Control+Z Control+Z | queens 2.2
        enter size=8&queens=1.1_1.2 | click #wrong-without | left 92 solutions left")),
    ("a link has the board, the encodings, the step and the toggles", ("size=6&queens=1.2", "
        choose #propagation .view:nth-child(2) select = support | shows #propagation-table th:nth-child(3) = support
        click #step-next | click #heat | click #numbers
        is location.hash === '#size=6&queens=1.2&second=support&step=1&heat=off&numbers=on' | click #copy
        is link.value.endsWith(location.hash) | open size=6&queens=1.2&second=support&step=1&heat=off&numbers=on
        shows #propagation-table th:nth-child(3) = support
        is step.value === '1' && heat.ariaPressed === 'false' && numbers.ariaPressed === 'true' | click @1.2
        is !location.hash.includes('step')")),
    ("links lead to the reports, and the board comes back", ("size=6&second=support", "
        click @1.2 | queens 1.2 | click #reports
        is location.pathname === '/reports/' && document.body.textContent.includes('All reports') | go / | queens 1.2
        says The last board of this tab is restored. | is location.hash.includes('second=support')
        go /reports/none/ | shows h1 = There is no page at this address | click a[href='/']
        is location.pathname === '/' && document.querySelector('#grid')")),
    ("a position is measured by the server, by a config and by a command", ("size=6&queens=1.2&blocked=6.6", "
        click #measure-open | shows #measure-config = encodings: [pairwise, binary]
        shows #measure-table tbody tr:nth-child(1) = satisfiable
        shows #measure-table tbody tr:nth-child(2) th = binary
        is /^binary[\\d,.]+[\\d,]+ to [\\d,]+satisfiable$/.test(document.querySelector('#measure-table tbody tr:nth-child(2)').textContent)
        shows #measure-command = bezzel run queens-6.yaml | click #copy-config
        is document.getElementById('measure-copied').textContent !== '' | press Escape | hides #measure
        choose #propagation .view:nth-child(2) select = | focus #measure-open | press Enter
        shows #measure-config = encodings: [pairwise]")),
    ("the focus is kept if its element disappears", ("size=5&queens=1.1", "
        click @3.4 | shows #why button = Close | focus #why button | press Enter
        is document.activeElement.matches('@3.4, #grid *') | open size=6 | shows #find-difference = differ
        focus #find-difference | press Enter | queens 1.3_5.4 | hides #find-difference
        is document.activeElement !== document.body | open rubbish | focus #wrong-close | press Enter | hides #wrong
        is document.activeElement !== document.body | open size=6&blocked=1.1 | focus #unblock | press Enter
        left 4 solutions left | is document.activeElement !== document.body")),
    ("the list of keys opens by a key and returns to its square", ("size=6", "
        focus @2.2 | press Shift+? | is document.getElementById('keys').open | press Escape
        is !document.getElementById('keys').open && document.activeElement.matches('@2.2')")),
    ("nothing is wider than a phone", ("size=8&queens=1.1_2.5", "
        width 320 | touch @1.3 | shows #why = Queen on | touch #more summary | touch #copy
        is /link/i.test(message.textContent) | is document.documentElement.scrollWidth <= 320
        open size=16&piece=rook&queens=1.1 | is document.documentElement.scrollWidth <= 320")),
];

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
    run(SCENARIOS, |(fragment, steps)| on(fragment, &|desk| desk.follow(steps)));
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
