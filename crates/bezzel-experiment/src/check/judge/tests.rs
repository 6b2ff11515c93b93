use bezzel_problem::ProblemFile;
use bezzel_solve::{Answer, ProofFormat};

use super::*;
use crate::model::row::Finding;
use crate::tests::seating::Seating;

fn judged(seating: &Seating, answer: Answer, chairs: Option<&[u32]>) -> Judgement {
    let solution: Option<Solution> =
        chairs.map(|chairs| seating.seats(chairs).into_iter().collect());
    Judge::new().judge(&Case::new(&seating.clone().into(), answer, solution.as_ref()))
}

#[test]
fn a_solution_is_verified_by_the_rules() {
    let judgement = judged(&Seating::new(4, 5), Answer::Sat, Some(&[5, 2, 1, 3]));
    assert_eq!(judgement.verdict, Verdict::Verified);
    assert_eq!(judgement.evidence.unwrap().kind, EvidenceKind::Rules);
}

#[test]
fn a_lying_solver_is_found_out() {
    let seating = Seating::new(4, 5);
    let crowded = judged(&seating, Answer::Sat, Some(&[1, 2, 3, 2]));
    assert_eq!(crowded.verdict, Verdict::Wrong);
    assert_eq!(crowded.note.unwrap(), "the solution breaks the rules: chair 2 holds two guests");
    assert_eq!(judged(&seating, Answer::Sat, None).verdict, Verdict::Wrong);
    assert_eq!(judged(&seating, Answer::Unsat, None).verdict, Verdict::Wrong);
}

#[test]
fn no_solution_is_verified_by_a_published_zero_or_by_exhaustive_search() {
    let judgement = judged(&Seating::new(5, 4), Answer::Unsat, None);
    assert_eq!(judgement.verdict, Verdict::Verified);
    assert!(judgement.evidence.unwrap().source.starts_with("published"));

    let taken = Seating::new(5, 5).with_given(&[(1, 1), (2, 1)]);
    let judgement = judged(&taken, Answer::Unsat, None);
    assert_eq!(judgement.verdict, Verdict::Verified);
    assert_eq!(judgement.evidence.unwrap().source, "exhaustive search");
}

/// A seating that is too large for the search, and whose number of solutions is not known.
fn open() -> Seating {
    Seating::new(100, 100).with_excluded(&[(1, 1)])
}

#[test]
fn a_solution_that_one_solver_has_found_convicts_the_next_that_denies_it() {
    let open = open();
    let chairs: Vec<u32> = (2..=100).chain([1]).collect();
    let solution = open.seats(&chairs).into_iter().collect();
    let mut judge = Judge::new();
    judge.judge(&Case::new(&open.clone().into(), Answer::Sat, Some(&solution)));
    let judgement = judge.judge(&Case::new(&open.clone().into(), Answer::Unsat, None));
    assert_eq!(judgement.verdict, Verdict::Wrong);
    assert_eq!(judged(&open, Answer::Unsat, None).verdict, Verdict::Unchecked);
}

#[test]
fn a_model_that_falsifies_a_clause_is_wrong_though_its_solution_is_right() {
    let seating = Seating::new(4, 4);
    let solution = seating.seats(&[2, 4, 1, 3]).into_iter().collect();
    let instance = seating.into();
    let case = Case::new(&instance, Answer::Sat, Some(&solution));
    let judgement = Judge::new().judge(&Case { violated: Some(&[3, -20]), ..case });
    assert_eq!(judgement.verdict, Verdict::Wrong);
    assert_eq!(judgement.evidence.unwrap().kind, EvidenceKind::Clauses);
    assert_eq!(judgement.note.unwrap(), "the model does not satisfy the clause 3 -20 0");
}

fn proof(finding: Finding, note: Option<&str>) -> ProofRecord {
    ProofRecord {
        format: ProofFormat::Lrat,
        finding,
        bytes: Some(10),
        steps: Some(1234),
        check_cpu_s: None,
        check_memory_peak_bytes: None,
        note: note.map(str::to_owned),
        translated: false,
        checker_version: None,
    }
}

/// Returns the verdict on a denial with this proof, the kind of its evidence, and the note.
fn judge_denial(
    instance: &Instance,
    proof: &ProofRecord,
) -> (Verdict, Option<EvidenceKind>, String) {
    let case = Case::new(instance, Answer::Unsat, None);
    let judged = Judge::new().judge(&Case { proof: Some(proof), ..case });
    let kind = judged.evidence.map(|evidence| evidence.kind);
    (judged.verdict, kind, judged.note.unwrap_or_default())
}

#[test]
fn a_proof_verifies_a_denial_unless_the_instance_has_a_solution() {
    let judged = |seating: &Seating, proof: &_| judge_denial(&seating.clone().into(), proof);
    let (solvable, none) = (Seating::new(4, 4), Seating::new(4, 3));
    let cross = Some(EvidenceKind::Cross);
    let by_proof = Some(EvidenceKind::Proof);

    let accepted = proof(Finding::Accepted, None);
    assert_eq!(judged(&open(), &accepted), (Verdict::Verified, by_proof, String::new()));
    let message = "the seating has a solution".to_owned();
    assert_eq!(judged(&solvable, &accepted), (Verdict::Wrong, cross, message));

    let refused = proof(Finding::Refused, Some("step 7"));
    let message = "the proof is forged or damaged: step 7".to_owned();
    assert_eq!(judged(&open(), &refused), (Verdict::Wrong, by_proof, message.clone()));
    assert_eq!(judged(&none, &refused), (Verdict::Wrong, by_proof, message));

    let unchecked = proof(Finding::Unchecked, Some("it has no end"));
    let message = "it has no end".to_owned();
    assert_eq!(judged(&open(), &unchecked), (Verdict::Unchecked, None, message.clone()));
    assert_eq!(judged(&none, &unchecked), (Verdict::Verified, cross, message));
}

/// `pigeons` in one hole less, as a file of constraints.
fn pigeons(pigeons: usize) -> Instance {
    let holes = pigeons - 1;
    let sum = |variables: Vec<usize>| {
        variables
            .iter()
            .map(|variable| ["+1 x", &variable.to_string(), " "].concat())
            .collect::<String>()
    };
    let variable = |pigeon: usize, hole: usize| pigeon * holes + hole + 1;
    let placed = (0..pigeons)
        .map(|pigeon| sum((0..holes).map(|hole| variable(pigeon, hole)).collect()) + ">= 1;\n");
    let apart = (0..holes)
        .map(|hole| sum((0..pigeons).map(|pigeon| variable(pigeon, hole)).collect()) + "<= 1;\n");
    let text: String = placed.chain(apart).collect();
    ProblemFile::read("pigeons.opb", None, text.into_bytes()).unwrap().into()
}

#[test]
fn beside_a_proof_the_search_is_a_tenth_of_the_time_of_solving() {
    let share = SearchEffort::share;
    let nodes = [0.0, 0.5, 1.0, 20.0, 1e9, f64::NAN].map(share);
    let expected = [1_000_000, 1_000_000, 2_000_000, 40_000_000, 100_000_000, 1_000_000];
    assert_eq!(nodes, expected.map(SearchEffort::Share));
    assert!(share(1e9) < SearchEffort::Run);

    let accepted = ProofRecord {
        format: ProofFormat::Lrat,
        finding: Finding::Accepted,
        bytes: None,
        steps: Some(9),
        check_cpu_s: None,
        check_memory_peak_bytes: None,
        note: None,
        translated: false,
        checker_version: None,
    };
    for (number, is_short) in [(5, true), (13, false)] {
        let instance = pigeons(number);
        let mut judge = Judge::new();
        assert_eq!(judge.decides(&instance, 0.1), is_short, "{number} pigeons");
        let case = Case::new(&instance, Answer::Unsat, None);
        let (proof, solve_cpu_s) = (Some(&accepted), Some(0.1));
        let judgement = judge.judge(&Case { proof, solve_cpu_s, ..case });
        assert_eq!(judgement.verdict, Verdict::Verified);
        assert_eq!(judgement.evidence.unwrap().source, "LRAT proof of 9 steps");
        if is_short {
            let judgement = judge.judge(&Case { solve_cpu_s, ..case });
            assert_eq!(judgement.evidence.unwrap().source, SEARCH);
        }
    }
    // A short search finds the solution that an accepted proof denies.
    let easy = ProblemFile::read("easy.opb", None, &b"+1 x1 +1 x2 >= 1;\n"[..]).unwrap().into();
    let case = Case { proof: Some(&accepted), ..Case::new(&easy, Answer::Unsat, None) };
    assert_eq!(
        Judge::new().judge(&Case { solve_cpu_s: Some(0.0), ..case }).verdict,
        Verdict::Wrong
    );
}

#[test]
fn no_answer_is_no_lie() {
    assert_eq!(judged(&Seating::new(8, 8), Answer::Unknown, None).verdict, Verdict::Unchecked);
}
