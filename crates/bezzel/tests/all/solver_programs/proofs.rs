//! Proofs of programs: an `unsat` answer is accepted with its proof, and never on a board that has a solution.

use std::fmt::Write;
use std::path::Path;

use bezzel_encode::{Constraints, Registry};
use bezzel_experiment::{EvidenceKind, Finding, Row, Verdict};
use bezzel_queens::{Board, Geometry};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Options, ProofFormat, SessionOptions, Solver};

use crate::program::ended;
use crate::solver_programs::workspace::Workspace;

const MODES: [&str; 7] = [
    "other-proof {cnf} {proof} right.lrat",
    "forged-proof {cnf} {proof}",
    "garbage-proof {cnf} {proof}",
    "empty-proof {cnf} {proof}",
    "truncated-proof {cnf} {proof} right.lrat",
    "other-proof {cnf} {proof} other.lrat",
    "unsat {cnf} {proof}",
];

/// Writes the proof by linked CaDiCaL that the formula of a torus has no model.
fn prove(side: u32, file: &Path) {
    let board = Board::new(side).unwrap().with_geometry(Geometry::Torus);
    let encoding = bezzel_queens::register(Registry::standard())
        .find("pairwise")
        .unwrap()
        .with_settings(Constraints::Full);
    let solver = Cadical::Default;
    let terms = SessionOptions { proof: Some(file.to_owned()), ..SessionOptions::default() };
    let mut session = solver.open(&Options::new(), &terms).unwrap();
    encoding.encode(&board.problem(), session.as_mut());
    assert_eq!(session.solve(), Answer::Unsat);
    session.end_proof();
}

/// The row of each mode on a board.
fn judged(board: &str, code: i32) -> Vec<(String, Row)> {
    let mut config = format!("problems: [{{queens: {board}}}]\nencodings: [pairwise]\nsolvers:\n");
    for mode in MODES {
        writeln!(config, "  - {{command: \"./fake {mode}\", proof: lrat}}").unwrap();
    }
    let workspace = Workspace::new(&config);
    prove(6, &workspace.path().join("right.lrat"));
    prove(8, &workspace.path().join("other.lrat"));
    ended(&workspace.run(), code);
    workspace.nothing_is_left();
    let rows = workspace.rows();
    let of = |mode: &str| {
        let row = rows.iter().find(|row| row.job.solver.contains(&format!("./fake {mode}\"")));
        (mode.to_owned(), row.unwrap().clone())
    };
    MODES.into_iter().map(of).collect()
}

#[test]
fn a_denial_is_verified_by_its_proof_and_convicted_by_a_forged_one() {
    let rows = judged("{size: 6, geometry: torus}", 1);
    for (mode, row) in &rows {
        let record = row.proof.as_ref().unwrap();
        assert_eq!((row.status, record.format), (Answer::Unsat, ProofFormat::Lrat), "{mode}");
        let kind = row.checked_by.as_ref().map(|evidence| evidence.kind);
        let is_right = mode == MODES[0];
        assert_eq!(record.finding == Finding::Accepted, is_right, "{mode}: {record:?}");
        let expected = match record.finding {
            Finding::Accepted => (Verdict::Verified, Some(EvidenceKind::Proof)),
            Finding::Refused => (Verdict::Wrong, Some(EvidenceKind::Proof)),
            // The board is known to have no solution, even if the proof is wrong.
            Finding::Unchecked => (Verdict::Verified, Some(EvidenceKind::Cross)),
        };
        assert_eq!((row.verdict, kind), expected, "{mode}: {row:?}");
        assert_eq!(row.note.is_some(), !is_right, "{mode}: {row:?}");
    }
    let finding = |index: usize| rows[index].1.proof.as_ref().unwrap().finding;
    assert_eq!(finding(1), Finding::Refused, "forged");
    for unfinished in [3, 4, 6] {
        assert_eq!(finding(unfinished), Finding::Unchecked, "{}", MODES[unfinished]);
    }
}

#[test]
fn no_proof_helps_against_a_board_that_has_a_solution() {
    for (mode, row) in judged("{size: 6}", 1) {
        assert_eq!((row.status, row.verdict), (Answer::Unsat, Verdict::Wrong), "{mode}");
        assert_ne!(row.proof.unwrap().finding, Finding::Accepted, "{mode}");
        assert_eq!(row.checked_by.unwrap().kind, EvidenceKind::Cross);
    }
}

#[test]
fn a_program_without_a_proof_is_verified_by_what_is_known_of_the_board() {
    let workspace = Workspace::new(
        "problems: [{queens: {size: 6, geometry: torus}}]\nencodings: [pairwise]\nsolvers: [{command: \"./fake \
         unsat {cnf}\"}, {command: \"./fake forged-proof {cnf} {proof}\", proof: lrat, proofs: \
         off}]\n",
    );
    // The second program cannot write its proof.
    ended(&workspace.run(), 1);
    let rows = workspace.rows();
    assert_eq!(workspace.rows_of("unsat").len(), 1);
    let row = &workspace.rows_of("unsat")[0];
    assert_eq!((row.status, row.verdict), (Answer::Unsat, Verdict::Verified));
    assert_eq!(row.checked_by.as_ref().unwrap().kind, EvidenceKind::Cross);
    assert!(row.proof.is_none());
    // Without a wanted proof the command has no path of a proof, so this program cannot write one.
    assert_eq!(rows.len(), 2);
    let row = &workspace.rows_of("forged-proof")[0];
    assert!(row.proof.is_none() && row.job.proof.is_none());
    assert_eq!(row.termination, bezzel_experiment::Termination::Crashed, "{row:?}");
}

/// The converters of a test, each with its record's note; none if it accepts the proof.
const CONVERTERS: [(&str, Option<&str>); 5] = [
    // The proof of the solver is right, and the converter uses the formula and the limits that it is given.
    ("test -s {cnf} && test {memory} -gt 0 && cp {proof} {lrat}", None),
    ("no-such-converter {cnf} {proof} {lrat}", Some("there is no program `no-such-converter`")),
    ("true {cnf} {proof} {lrat}", Some("wrote no proof in LRAT")),
    ("cp other.lrat {lrat} # {cnf} {proof}", Some("the converter's proof in LRAT is wrong: step ")),
    ("exit 127; : {cnf} {proof} {lrat}", Some("the converter to LRAT ended with exit code 127")),
];

#[test]
fn a_proof_in_drat_counts_as_far_as_its_converter_turns_it_into_lrat() {
    let mut config =
        "problems: [{queens: {size: 6, geometry: torus}}]\nencodings: [pairwise]\nsolvers:\n"
            .to_owned();
    for (converter, _) in CONVERTERS {
        let solver = "./fake other-proof {cnf} {proof} right.lrat";
        writeln!(
            config,
            "  - {{command: \"{solver}\", proof: {{format: drat, convert: \"{converter}\"}}}}"
        )
        .unwrap();
    }
    let workspace = Workspace::new(&config);
    prove(6, &workspace.path().join("right.lrat"));
    prove(8, &workspace.path().join("other.lrat"));
    ended(&workspace.run(), 0);
    workspace.nothing_is_left();
    let rows = workspace.rows();
    for (converter, expected) in CONVERTERS {
        let row = rows.iter().find(|row| row.job.solver.contains(converter)).unwrap();
        let record = row.proof.as_ref().unwrap();
        let evidence = row.checked_by.as_ref().unwrap();
        assert_eq!((row.status, row.verdict), (Answer::Unsat, Verdict::Verified), "{row:?}");
        assert_eq!((row.job.proof, record.format), (Some(ProofFormat::Drat), ProofFormat::Drat));
        let Some(words) = expected else {
            assert_eq!(record.finding, Finding::Accepted, "{record:?}");
            assert_eq!(evidence.kind, EvidenceKind::Proof);
            continue;
        };
        // The answer counts as one without a proof: other evidence decides.
        assert_eq!((record.finding, evidence.kind), (Finding::Unchecked, EvidenceKind::Cross));
        let note = record.note.as_deref().unwrap();
        assert!(note.contains(words), "{note}");
    }
}

#[test]
fn a_path_that_is_no_file_is_no_proof_and_hinders_no_later_run() {
    let config = "\
problems: [{queens: {size: 6, geometry: torus}}]
encodings: [pairwise]
repeats: 3
solvers:
  - {command: \"mkfifo {proof}; cat {cnf} > /dev/null; echo s UNSATISFIABLE; exit 20\", proof: lrat}
  - {command: \"mkdir {proof}; cat {cnf} > /dev/null; echo s UNSATISFIABLE; exit 20\", proof: lrat}
  - {command: \"./fake other-proof {cnf} {proof} right.lrat\", proof: lrat}
";
    let workspace = Workspace::new(config);
    prove(6, &workspace.path().join("right.lrat"));
    ended(&workspace.run(), 0);
    workspace.nothing_is_left();
    let rows = workspace.rows();
    assert_eq!(rows.len(), 9);
    for row in rows {
        let record = row.proof.unwrap();
        if row.job.solver.contains("./fake") {
            assert_eq!(record.finding, Finding::Accepted, "{:?}", record.note);
        } else {
            assert_eq!(record.finding, Finding::Unchecked);
            assert_eq!(record.note.as_deref(), Some("no proof was written"));
        }
    }
}
