//! A test that a common error of engines is found.

use bezzel_encode::{ClauseHash, Tee, VarRange};
use bezzel_experiment::backend::{
    Backend, BackendError, BackendResult, Capabilities, Conditions, InputKind, Observer, Query,
    QueryInput,
};
use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::solution_collector::CollectedSolutions;
use bezzel_experiment::{AllSolutions, Task, Verdict};
use bezzel_queens::Board;
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, BackendInfo, OptionError, Options, Solver};

use crate::experiment::running::{RecordingObserver, RunConditions, run_engine};
use crate::experiment::subjects::encoding;

/// An engine with the error: it excludes each solution by a clause over all variables, auxiliary ones included.
struct BlocksEverything;

impl Backend for BlocksEverything {
    fn info(&self) -> BackendInfo {
        let id = "blocks-everything".into();
        BackendInfo { id, title: "T".into(), version: "1".into(), citation: "C".into() }
    }

    fn reads(&self) -> InputKind {
        InputKind::Clauses
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { solves: false, lists: true, counts: false, models: false }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        Ok(options.clone())
    }

    fn run(
        &self,
        question: &QueryInput<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        let formula = question.formula.unwrap();
        let mut session = Cadical::Default.open(conditions.options, conditions.session_options)?;
        let mut sink = Tee(ClauseHash::new(), session.as_mut());
        formula.write(&mut sink);
        observer.loaded(Some(sink.0.finish()));
        while session.solve() == Answer::Sat {
            let solution = formula.map.decode(|lit| session.holds(formula.images.of(lit)));
            if observer.found(solution.chosen()).is_break() {
                break;
            }
            let all = VarRange::after(0, formula.variables);
            let against = |lit| if session.holds(lit) { !lit } else { lit };
            let against: Vec<_> = all.lits().map(against).collect();
            session.clause(&against);
        }
        Ok(BackendResult::default())
    }
}

#[test]
fn an_engine_that_lets_auxiliary_variables_count_is_judged_wrong() {
    let board = Board::new(6).unwrap();
    let instance = board.clone().into();
    let judged = |id: &str| {
        let named = (id.to_owned(), encoding(id));
        let mut notes = RecordingObserver { enough: Some(100), ..RecordingObserver::default() };
        let given = RunConditions::default();
        run_engine(&BlocksEverything, &board, Some(&named), Query::List, &given, &mut notes)
            .unwrap();
        let CollectedSolutions { count, digest, violation, .. } = notes.collected(&board);
        let whole = notes.shown.len() < 100;
        let digest = Some(digest);
        let all =
            AllSolutions { count: count.into(), whole, digest, diagram: None, auxiliaries: None };
        let case =
            Case { task: Task::Count, all: Some(&all), ..Case::new(&instance, Answer::Sat, None) };
        let by_number = Judge::new().judge(&case);
        let judged = Judge::new().judge(&Case { violation: violation.as_deref(), ..case });
        assert_eq!(judged.verdict, by_number.verdict, "{id}: {violation:?}");
        (count, violation, by_number)
    };
    let (count, violation, judgement) = judged("pairwise");
    assert_eq!((count, judgement.verdict), (4, Verdict::Verified), "without auxiliary variables");
    assert_eq!(violation, None);
    let (count, violation, judgement) = judged("sequential-counter");
    assert_eq!((count, judgement.verdict), (100, Verdict::Wrong));
    // Each of them is a solution, but some are repeated.
    assert!(violation.unwrap().ends_with("they were shown before"));
    let note = judgement.note.unwrap();
    assert_eq!(
        note,
        "100 solutions were listed, some more than once, and the board has 4 solutions"
    );
}
