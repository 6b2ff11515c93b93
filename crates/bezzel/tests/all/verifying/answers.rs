//! Answers, proofs and the other fields of rows.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use bezzel_experiment::store::{FORMAT, NewEntry, line_of};
use bezzel_experiment::verify::{self, VerifyOptions};
use bezzel_experiment::{Finding, Row, Termination, Verdict};
use bezzel_queens::Board;
use bezzel_solve::Answer;

use crate::committed::committed;
use crate::program::{BEZZEL, bezzel_in, ended, printed};
use crate::session_files::{change_session, replace_in_start};
use crate::verifying::spoiled::{Copy, Right};

const CONFIG: &str = "\
name: small
problems: [{queens: {size: [4, 5, 6]}}, {queens: {size: 6, geometry: torus}}]
encodings: [pairwise, binary]
solvers: [cadical, batsat]
calibration: off
";

/// An experiment without faults.
static RIGHT: Right = Right::new("small", CONFIG);

/// Changes the first row that `fits`, and computes its checksum again. Returns the number of its line.
fn plant(copy: &Copy, fits: impl Fn(&Row) -> bool, change: impl FnOnce(&mut Row)) -> usize {
    let mut rows = copy.rows();
    let at = rows.iter().position(fits).unwrap();
    change(&mut rows[at]);
    copy.write(&rows);
    // The session begins on the first line.
    at + 2
}

/// The number of a line, and its session.
fn place(copy: &Copy, line: usize) -> String {
    format!("{line} of {}", copy.session().file_stem().unwrap().display())
}

/// Checks that the planted fault of a copy is reported, and that no file was changed.
fn is_found(copy: &Copy, options: &[&str], says: &str) {
    let before = fs::read(copy.session()).unwrap();
    let output = copy.verify(options);
    let printed = printed(&output);
    assert_eq!(output.status.code(), Some(1), "{says}: {printed}");
    let found = printed.lines().any(|line| line.starts_with("FAULT: ") && line.contains(says));
    assert!(found, "`{says}` is not in:\n{printed}");
    assert_eq!(fs::read(copy.session()).unwrap(), before);
    assert_eq!(fs::read_dir(copy.experiment()).unwrap().count(), 1, "verifying left something");
}

/// Plants a fault in a new copy, and checks that it is reported. `LINE` in the message is the place of the changed line.
fn is_planted_and_found(
    options: &[&str],
    fits: fn(&Row) -> bool,
    change: fn(&mut Row),
    says: &str,
) -> Copy {
    let copy = Copy::of(&RIGHT);
    let line = plant(&copy, fits, change);
    is_found(&copy, options, &says.replace("LINE", &place(&copy, line)));
    copy
}

fn is_sat(row: &Row) -> bool {
    row.status == Answer::Sat
}

fn by_cadical(row: &Row) -> bool {
    row.job.solver == "cadical"
}

#[test]
fn a_check_that_is_cancelled_reads_no_further_line() {
    let copy = Copy::of(&RIGHT);
    let options = VerifyOptions {
        sample: 1,
        seed: 0,
        encode_for: Duration::from_mins(1),
        worker: BEZZEL.into(),
    };
    let lines = |cancel: bool| {
        let cancel = AtomicBool::new(cancel);
        let catalog = bezzel_queens::experiment::catalog();
        let outcome =
            verify::verify(&copy.experiment(), &catalog, &options, &cancel, &mut |_, _, _| {});
        outcome.unwrap().checked.iter().map(|step| step.checked).sum::<usize>()
    };
    assert_eq!(lines(true), 0);
    assert!(lines(false) > copy.rows().len());
}

#[test]
fn evidence_that_is_right_has_no_fault_even_when_all_of_it_is_run_again() {
    let output = Copy::of(&RIGHT).verify(&["--all"]);
    let printed = printed(&output);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    assert!(printed.ends_with("no fault was found\n"), "{printed}");
    // The numbers of checked, faulty and left-out items.
    for step in ["lines of rows", "keys computed again", "jobs run again"] {
        let line = printed.lines().find(|line| line.starts_with(step)).unwrap();
        let numbers: Vec<_> = line[step.len()..].split_whitespace().collect();
        assert_eq!(numbers, ["16", "0", "0"], "{line}");
    }
}

#[test]
fn a_number_that_was_changed_breaks_the_checksum_of_its_line() {
    let copy = Copy::of(&RIGHT);
    let file = copy.session();
    let name = file.file_name().unwrap().display();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replacen("\"wall_s\":", "\"wall_s\":1", 1)).unwrap();
    is_found(&copy, &[], &format!("line 2 of {name}: its checksum does not match"));
    let (start, rest) = text.split_once('\n').unwrap();
    let rest = rest.replacen(",\"checksum\":\"", ",\"chicksum\":\"", 1);
    fs::write(&file, format!("{start}\n{rest}")).unwrap();
    is_found(&copy, &[], &format!("line 2 of {name}: its checksum is missing"));
    fs::write(&file, &text[..text.len() - 9]).unwrap();
    // The end of the session is torn, and no row is missing.
    let output = copy.verify(&[]);
    let text_of_torn = printed(&output);
    assert_eq!(output.status.code(), Some(0), "{text_of_torn}");
    assert!(text_of_torn.contains(&format!("note: the last line of {name} is torn: ")));
    fs::write(&file, text.replacen("\"command\"", "\"commands\"", 1)).unwrap();
    is_found(&copy, &[], &format!("line 1 of {name}: its checksum does not match"));
    is_found(&copy, &[], &format!("{name} has no readable first line: none of its rows is read"));
}

#[test]
fn a_damaged_reading_of_the_machine_is_reported() {
    let copy = Copy::of(&RIGHT);
    let reading = line_of(NewEntry::Reading(&copy.rows()[0]));
    let damaged =
        String::from_utf8(reading.clone()).unwrap().replace("\"wall_s\":", "\"wall_s\":1");
    let whole = fs::read(copy.session()).unwrap();
    fs::write(copy.session(), [whole, reading, damaged.into()].concat()).unwrap();
    // The lines 1 and 18 are the beginning and the end of the session.
    let name = copy.session().file_name().unwrap().display().to_string();
    is_found(&copy, NO_SAMPLE, &format!("line 20 of {name}: its checksum does not match"));
    let printed = printed(&copy.verify(NO_SAMPLE));
    let line = |line: &str| line.split_whitespace().eq("readings of the machine 1 0 0".split(' '));
    assert!(printed.lines().any(line), "{printed}");
}

/// Options with which no job is run again.
const NO_SAMPLE: &[&str] = &["--sample", "0"];

#[test]
fn a_number_that_was_changed_with_a_new_checksum_is_found_by_running_the_job_again() {
    let change = |row: &mut Row| row.solver_stats.decisions = Some(4711);
    let says = "line LINE: its solver statistics were";
    let copy = is_planted_and_found(&["--all"], by_cadical, change, says);
    assert_eq!(copy.verify(NO_SAMPLE).status.code(), Some(0), "nothing else tells");
}

#[test]
fn changed_sizes_and_digests_are_found_by_encoding_anew() {
    let clauses = |row: &mut Row| row.formula.as_mut().unwrap().clauses += 1;
    is_planted_and_found(NO_SAMPLE, is_sat, clauses, "line LINE: its formula has ");
    let sections = |row: &mut Row| row.formula.as_mut().unwrap().sections.reverse();
    let says = "line LINE: its formula has other sections";
    is_planted_and_found(NO_SAMPLE, is_sat, sections, says);
    let digest = |row: &mut Row| row.clause_digest = Some("0".repeat(32));
    let says = "line LINE: its clauses have the digest 000";
    let copy = is_planted_and_found(NO_SAMPLE, is_sat, digest, says);
    // Formulas for which there is no time are counted, and not reported as correct.
    let output = copy.verify(&["--sample", "0", "--encode-for", "0"]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    let note = "note: 8 formulas not encoded again";
    assert!(printed(&output).contains(note), "{}", printed(&output));
}

#[test]
fn a_row_of_a_board_that_takes_hours_to_encode_and_that_no_plan_asks_for_is_not_encoded() {
    let is_by_pairwise = |row: &Row| row.job.encoding == "pairwise";
    // The row claims the size of a small board, so that it seems to be done quickly.
    let change = |row: &mut Row| row.job.instance = Board::new(20_000).unwrap().into();
    let options = ["--sample", "0", "--encode-for", "1"];
    let copy = is_planted_and_found(&options, is_by_pairwise, change, "line LINE: its key is");
    let output = copy.verify(&["--sample", "0", "--encode-for", "60"]);
    assert!(!printed(&output).contains("not encoded again"), "{}", printed(&output));
}

#[test]
fn changed_answers_and_verdicts_are_found_by_judging_anew() {
    let (found, is_unsat) = (is_planted_and_found, |row: &Row| row.status == Answer::Unsat);
    let swap = |row: &mut Row| {
        let queens = row.places.as_mut().unwrap();
        let (first, second) = (queens[0].column, queens[1].column);
        queens[0].column = second;
        queens[1].column = first;
    };
    let judged_wrong = "line LINE: its verdict is verified, and it is judged wrong";
    found(&[], is_sat, swap, &format!("{judged_wrong}: the solution"));
    let says = "line LINE: its verdict is wrong, and it is judged verified";
    found(&[], is_sat, |row| row.verdict = Verdict::Wrong, says);
    let says = "line LINE: it answers unsat and has a solution";
    found(&[], is_sat, |row| row.status = Answer::Unsat, says);
    let deny = |row: &mut Row| (row.status, row.places) = (Answer::Unsat, None);
    let copy = found(&[], is_sat, deny, judged_wrong);
    // The smallest board with contradictory rows.
    is_found(&copy, &[], "board 4: sat says ");
    found(&[], is_unsat, |row| row.status = Answer::Sat, judged_wrong);
    let says = "line LINE: its verdict is verified without `checked_by`";
    found(&[], is_sat, |row| row.checked_by = None, says);
    // An answer where there was none.
    let says = "line LINE: it answers unknown and has a solution";
    found(&[], is_sat, |row| row.status = Answer::Unknown, says);
    let has_proof = |row: &Row| row.proof.is_some();
    let refuse = |row: &mut Row| row.proof.as_mut().unwrap().finding = Finding::Refused;
    found(&[], has_proof, refuse, judged_wrong);
}

#[test]
fn an_unchecked_denial_that_a_placement_refutes_is_named_with_its_board() {
    let is_sat_on_6 = |row: &Row| is_sat(row) && row.job.instance.size() == 6;
    let deny = |row: &mut Row| {
        (row.status, row.places, row.verdict, row.checked_by) =
            (Answer::Unsat, None, Verdict::Unchecked, None);
    };
    let says = "its verdict is unchecked, and it is judged wrong: the board has a solution";
    let copy = is_planted_and_found(&[], is_sat_on_6, deny, says);
    is_found(&copy, &[], "board 6: sat says ");
}

#[test]
fn rows_that_are_missing_doubled_or_foreign_are_found_by_the_plan() {
    let copy = Copy::of(&RIGHT);
    let mut rows = copy.rows();
    rows.remove(3);
    copy.write(&rows);
    is_found(&copy, &[], "1 of 16 jobs have no row");

    // A row that a session has twice counts once; another one of the same job is a fault.
    let copy = Copy::of(&RIGHT);
    let mut rows = copy.rows();
    rows.push(rows[3].clone());
    copy.write(&rows);
    let twice = ended(&copy.verify(NO_SAMPLE), 0);
    assert!(twice.contains("note: 1 row that a session has twice: it counts once"), "{twice}");
    rows[16].wall_s += 1.0;
    copy.write(&rows);
    let says = format!("line {}: it answers the job of line 5 again", place(&copy, 18));
    is_found(&copy, NO_SAMPLE, &says);

    let copy = Copy::of(&RIGHT);
    let mut rows = copy.rows();
    let mut foreign = rows[0].clone();
    foreign.job.repeat = 2;
    foreign.key = foreign.job.key(foreign.encoding_revision, &foreign.solver_version);
    rows.push(foreign);
    copy.write(&rows);
    let says = format!("line {}: no config of a session asks for it", place(&copy, 18));
    is_found(&copy, &[], &says);

    // A row of another revision is not planned, but no fault: it was correct for its revision.
    let copy = Copy::of(&RIGHT);
    let mut rows = copy.rows();
    let mut earlier = rows[0].clone();
    earlier.encoding_revision = 0;
    earlier.key = earlier.job.key(earlier.encoding_revision, &earlier.solver_version);
    rows.push(earlier);
    copy.write(&rows);
    let output = copy.verify(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", printed(&output));
    assert!(printed(&output).contains("note: 1 row of another revision"), "{}", printed(&output));

    // A row that did not settle its job is no fault either.
    let copy = Copy::of(&RIGHT);
    let mut rows = copy.rows();
    let lost = Row {
        termination: Termination::HostError,
        status: Answer::Unknown,
        places: None,
        verdict: Verdict::Unchecked,
        checked_by: None,
        ..rows[0].clone()
    };
    rows.insert(0, lost);
    copy.write(&rows);
    assert_eq!(copy.verify(&[]).status.code(), Some(0));
}

#[test]
fn a_row_of_another_job_than_its_key_says_is_found() {
    let limit = |row: &mut Row| row.job.limits.cpu_s = 1.0;
    is_planted_and_found(&[], is_sat, limit, "line LINE: its key is ");
    let version = |row: &mut Row| {
        row.solver_version = "9.9".into();
        row.key = row.job.key(row.encoding_revision, &row.solver_version);
    };
    let says = "line LINE: it is of version 9.9, and its session had ";
    is_planted_and_found(&[], by_cadical, version, says);
}

#[test]
fn a_config_that_was_changed_does_not_fit_its_rows() {
    for (from, to, says) in [
        ("[4,5,6]", "[4,5,7]", "4 of 16 jobs have no row"),
        ("[4,5,6]", "[4,5,7]", "no config of a session asks for it"),
        ("pairwise", "pairwize", "no config of a session asks for it"),
        ("\"encodings\"", "\"encodngs\"", " cannot be planned: "),
    ] {
        let copy = Copy::of(&RIGHT);
        replace_in_start(&copy.experiment(), from, to);
        is_found(&copy, NO_SAMPLE, says);
    }
}

#[test]
fn a_session_of_a_newer_version_is_refused() {
    let copy = Copy::of(&RIGHT);
    change_session(&copy.experiment(), |start, _| start.format = FORMAT + 1);
    for output in [copy.verify(&[]), copy.bezzel(&["report", "small"])] {
        let printed = ended(&output, 2);
        assert!(printed.contains("use a newer version of Bezzel"), "{printed}");
    }
}

#[test]
fn findings_are_printed_as_json_too() {
    let copy = Copy::of(&RIGHT);
    let line = plant(&copy, is_sat, |row| row.started_unix_s = 1.0);
    let output = copy.verify(&["--json"]);
    assert_eq!(output.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let fault = &found["faults"][0];
    let place = place(&copy, fault["line"].as_u64().unwrap() as usize);
    assert_eq!(place, format!("{line} of {}", fault["session"].as_str().unwrap()));
    assert_eq!((&fault["step"], &found["checked"][0]["checked"]), (&"sessions".into(), &16.into()));
}

#[test]
fn a_sample_is_the_same_by_the_same_seed() {
    let copy = Copy::of(&RIGHT);
    plant(&copy, by_cadical, |row| row.solver_stats.conflicts = Some(4711));
    let found = |seed: &str| copy.verify(&["--sample", "3", "--seed", seed]).status.code();
    let by_seed: Vec<_> = ["1", "2", "3", "4", "5", "6", "7", "8"]
        .map(|seed| {
            let code = found(seed);
            assert_eq!(found(seed), code);
            code
        })
        .into();
    assert!(by_seed.contains(&Some(0)) && by_seed.contains(&Some(1)), "{by_seed:?}");
}

#[test]
fn a_missing_experiment_is_reported() {
    let output = bezzel_in(RIGHT.folder(), &["verify", "smell"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(printed(&output).contains("did you mean `small`?"), "{}", printed(&output));
    let output = bezzel_in(RIGHT.folder(), &["verify", "small", "--encode-for", "-1"]);
    assert_eq!(output.status.code(), Some(2), "{}", printed(&output));
}

/// Verifies a committed record, without encoding large boards again.
fn committed_evidence_is_right(root: &Path, name: &str) {
    let options = ["verify", name, "--json", "--sample", "0", "--encode-for", "0.1"];
    let output = bezzel_in(root, &options);
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // A run in one of these folders may be unfinished.
    let faults = found["faults"].as_array().unwrap().iter();
    let faults: Vec<_> = faults.filter(|fault| fault["step"] != "plan").collect();
    assert!(faults.is_empty(), "{name}: {faults:?}");
}

#[test]
#[ignore = "second tier: it verifies every committed record"]
fn committed_evidence_has_no_fault() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let names = committed("experiments").into_iter();
    let names: Vec<_> = names.filter(|name| root.join("experiments").join(name).is_dir()).collect();
    assert!(!names.is_empty());
    // Two records take most of the time, since their answers rest on searches.
    let left = Mutex::new(names.iter());
    let check = || {
        loop {
            let Some(name) = left.lock().unwrap().next() else { return };
            committed_evidence_is_right(root, name);
        }
    };
    thread::scope(|scope| {
        scope.spawn(check);
        scope.spawn(check);
    });
}

#[test]
fn a_small_committed_record_has_no_fault() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    committed_evidence_is_right(root, "bryant-table-1");
}
