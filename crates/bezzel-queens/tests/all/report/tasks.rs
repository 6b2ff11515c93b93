//! A record of tasks without a solver: sizes of formulas and of circuits, and the squares that unit propagation finds.
//! It is small enough for golden files.

use bezzel_encode::Constraints;
use bezzel_experiment::{
    AllSolutions, ExperimentRecord, Key, NO_SOLVER, Propagation, Row, SectionOperations, Task,
    Termination, Truth, Verdict,
};
use bezzel_problem::Square;
use bezzel_queens::Board;
use bezzel_solve::Answer;

use crate::report::sample::{formula, plain_job, planned, registered};

fn row(encoding: &str, board: Board, task: Task) -> Row {
    let found = registered(encoding);
    let constraints = found.has_lines().then_some(Constraints::Full);
    let formula = formula(&*found.with_settings(Constraints::Full), &board);
    let key = format!("{encoding} {} {}", task.id(), board.rows());
    let mut job = plain_job(board, encoding, NO_SOLVER, task);
    job.settings.constraints = constraints;
    Row {
        status: Answer::Unknown,
        verdict: Verdict::Verified,
        formula: Some(formula),
        cpu_s: 0.25,
        wall_s: 0.5,
        ..Row::blank(planned(job, key, ""), Termination::Finished)
    }
}

/// The propagation with a queen in the second square of the first row.
fn propagated(encoding: &str, side: u32, found: &str, implied: &str) -> Row {
    let board = Board::new(side).expect("the side is in range");
    let board = board.with_placed([Square::new(0, 1)]).expect("a single queen is not attacked");
    let mut row = row(encoding, board, Task::Propagate);
    let marks = |text: &str| serde_json::from_value(text.into()).expect("marks are text");
    row.propagation = Some(Propagation {
        conflict: false,
        found: Some(marks(found)),
        truth: Some(Truth { solvable: true, implied: Some(marks(implied)) }),
        propagate_cpu_s: 0.25,
    });
    row
}

/// A count of the solutions of an empty board, or of the models of a formula.
fn counted(encoding: &str, side: u32, task: Task, count: u32) -> Row {
    let board = Board::new(side).expect("the side is in range");
    let mut row = row(encoding, board, task);
    row.job.solver = "components".into();
    row.status = Answer::Sat;
    row.all = Some(AllSolutions {
        count: count.into(),
        whole: true,
        digest: None,
        diagram: None,
        auxiliaries: None,
    });
    row
}

/// Two encodings, one of them a circuit, on two sides; a queen and two of them; and models of two encodings.
pub(crate) fn record() -> ExperimentRecord {
    let mut rows = Vec::new();
    for side in [4, 8] {
        let empty = || Board::new(side).expect("the side is in range");
        rows.push(row("pairwise", empty(), Task::Size));
        let mut circuit = row("bryant-circuit", empty(), Task::Size);
        // The exact count of this circuit: 11 N² − 18 N + 5.
        let built = u64::from(11 * side * side - 18 * side + 5);
        let whole =
            SectionOperations { name: "ROW".into(), written: built, built, reachable: built };
        circuit.circuit = Some(vec![whole]);
        rows.push(circuit);
    }
    let truth = "xQxx/xxxQ/Qxxx/xxQx";
    rows.push(propagated("pairwise", 4, "xQxx/xxx./.x.x/.x..", truth));
    rows.push(propagated("bryant-circuit", 4, truth, truth));
    let attacked = "xQxxx/xxx../.x.x./.x..x/.x...";
    rows.push(propagated("pairwise", 5, attacked, "xQxxx/xxx../.x.xx/.x.xx/xxx.."));
    let two = rows.len();
    let attacked = "xQxxx/xxxQx/.xxxx/.x.xx/xx.x.";
    rows.push(propagated("pairwise", 5, attacked, "xQxxx/xxxQx/Qxxxx/xxQxx/xxxxQ"));
    for (side, solutions, models) in [(4, 2, 32), (5, 10, 1_536)] {
        rows.push(counted("pairwise", side, Task::Count, solutions));
        rows.push(counted("pairwise", side, Task::Models, solutions));
        rows.push(counted("bitwise", side, Task::Models, models));
    }
    let both = [Square::new(0, 1), Square::new(1, 3)];
    let board = Board::new(5).expect("the side is in range").with_placed(both);
    rows[two].job.instance = board.expect("they do not attack each other").into();
    rows[two].key = Key("two queens".into());
    // Another encoding that finds the same squares: one line represents both.
    let alike = rows.iter().filter(|row| row.propagation.is_some() && row.job.instance.size() == 5);
    let alike: Vec<Row> = alike.cloned().collect();
    rows.extend(alike.into_iter().map(|mut row| {
        row.key = Key(format!("{} of a circuit", row.key.0));
        row.job.encoding = "bryant-circuit".into();
        row
    }));
    ExperimentRecord {
        name: "tasks".into(),
        config_name: "tasks".into(),
        question: Some("How large, and how strong?".into()),
        config: "name: tasks\nproblems: [{queens: {size: [4, 8]}}]\n".into(),
        planned: rows.len(),
        rows,
        ..ExperimentRecord::default()
    }
}
