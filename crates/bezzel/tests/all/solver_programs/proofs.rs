//! Proofs of programs: a denial is believed where its proof is, and never against a board that has a
//! solution.

use std::fmt::Write;
use std::path::Path;

use bezzel_encode::{Constraints, Registry};
use bezzel_lab::{EvidenceKind, Finding, Row, Verdict};
use bezzel_problem::{Board, Geometry};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Options, ProofFormat, Solver, Terms};

use crate::program::ended;
use crate::solver_programs::place::Place;

const MODES: [&str; 7] = [
    "other-proof {cnf} {proof} right.lrat",
    "forged-proof {cnf} {proof}",
    "garbage-proof {cnf} {proof}",
    "empty-proof {cnf} {proof}",
    "truncated-proof {cnf} {proof} right.lrat",
    "other-proof {cnf} {proof} other.lrat",
    "unsat {cnf} {proof}",
];

/// Writes the proof of linked CaDiCaL that the formula of a torus has no model.
fn prove(side: u32, file: &Path) {
    let board = Board::new(side).unwrap().with_geometry(Geometry::Torus);
    let encoding = Registry::standard().find("pairwise").unwrap().on_board(Constraints::Full);
    let solver = Cadical::Default;
    let terms = Terms { proof: Some(file.to_owned()), ..Terms::default() };
    let mut session = solver.open(&Options::new(), &terms).unwrap();
    encoding.encode(&board.problem(), session.as_mut());
    assert_eq!(session.solve(), Answer::Unsat);
    session.end_proof();
}

/// What becomes of each mode on a board.
fn judged(board: &str, code: i32) -> Vec<(String, Row)> {
    let mut config = format!("boards: [{board}]\nencodings: [pairwise]\nsolvers:\n");
    for mode in MODES {
        writeln!(config, "  - {{command: \"./fake {mode}\", proof: lrat}}").unwrap();
    }
    let place = Place::new(&config);
    prove(6, &place.path().join("right.lrat"));
    prove(8, &place.path().join("other.lrat"));
    ended(&place.run(), code);
    place.nothing_is_left();
    let rows = place.rows();
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
        assert_eq!((row.answer, record.format), (Answer::Unsat, ProofFormat::Lrat), "{mode}");
        let kind = row.evidence.as_ref().map(|evidence| evidence.kind);
        let is_right = mode == MODES[0];
        assert_eq!(record.finding == Finding::Accepted, is_right, "{mode}: {record:?}");
        let expected = match record.finding {
            Finding::Accepted => (Verdict::Verified, Some(EvidenceKind::Proof)),
            Finding::Refused => (Verdict::Wrong, Some(EvidenceKind::Proof)),
            // The board is known to have no solution, whatever is wrong with the proof.
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
        assert_eq!((row.answer, row.verdict), (Answer::Unsat, Verdict::Wrong), "{mode}");
        assert_ne!(row.proof.unwrap().finding, Finding::Accepted, "{mode}");
        assert_eq!(row.evidence.unwrap().kind, EvidenceKind::Cross);
    }
}

#[test]
fn a_program_without_a_proof_is_verified_by_what_is_known_of_the_board() {
    let place = Place::new(
        "boards: [{size: 6, geometry: torus}]\nencodings: [pairwise]\nsolvers: [{command: \"./fake \
         unsat {cnf}\"}, {command: \"./fake forged-proof {cnf} {proof}\", proof: lrat, proofs: \
         off}]\n",
    );
    ended(&place.run(), 0);
    let rows = place.rows();
    assert_eq!(place.rows_of("unsat").len(), 1);
    let row = &place.rows_of("unsat")[0];
    assert_eq!((row.answer, row.verdict), (Answer::Unsat, Verdict::Verified));
    assert_eq!(row.evidence.as_ref().unwrap().kind, EvidenceKind::Cross);
    assert!(row.proof.is_none());
    // Where no proof is wanted the command has no place for one: this one then has nowhere to write.
    assert_eq!(rows.len(), 2);
    let row = &place.rows_of("forged-proof")[0];
    assert!(row.proof.is_none() && row.job.proof.is_none());
    assert_eq!(row.stop, bezzel_lab::Stop::Crashed, "{row:?}");
}

#[test]
fn what_is_no_file_is_no_proof_and_hinders_nobody_after_it() {
    let config = "\
boards: [{size: 6, geometry: torus}]
encodings: [pairwise]
repeats: 3
solvers:
  - {command: \"mkfifo {proof}; cat {cnf} > /dev/null; echo s UNSATISFIABLE; exit 20\", proof: lrat}
  - {command: \"mkdir {proof}; cat {cnf} > /dev/null; echo s UNSATISFIABLE; exit 20\", proof: lrat}
  - {command: \"./fake other-proof {cnf} {proof} right.lrat\", proof: lrat}
";
    let place = Place::new(config);
    prove(6, &place.path().join("right.lrat"));
    ended(&place.run(), 0);
    place.nothing_is_left();
    let rows = place.rows();
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
