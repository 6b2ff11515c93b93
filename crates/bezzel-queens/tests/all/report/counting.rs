//! A record of an experiment with engines, small enough for golden files.

use bezzel_experiment::{
    AllSolutions, DiagramSize, Evidence, EvidenceKind, ExperimentRecord, NO_ENCODING, Row, Task,
    Termination, Verdict,
};
use bezzel_queens::Board;
use bezzel_solve::{Answer, Effort};

use crate::report::sample::{plain_job, planned};

/// An engine, its input, its times on sides 6 and 8 in seconds, and its diagrams.
type Entry = (&'static str, &'static str, [f64; 2], Option<[DiagramSize; 2]>);

/// A program whose command line contains the separators of a list of words.
const COUNTER: &str = "{counter: \"count {cnf}\", version: \"count, -v\"}";

fn size(nodes: u64, peak_nodes: u64) -> DiagramSize {
    DiagramSize { nodes: Some(nodes), peak_nodes: Some(peak_nodes), peak_states: None }
}

fn run((engine, encoding, seconds, sizes): &Entry, place: usize, task: Task) -> Row {
    let (side, count) = [(6, 4_u32), (8, 92)][place];
    let board = Board::new(side).expect("the side is in range");
    let mut job = plain_job(board, encoding, engine, task);
    job.limits.nodes = Some(5000);
    let planned = planned(job, format!("{engine} {} {side}", task.id()), "1");
    let digest = (task == Task::Enumerate).then(|| "0".repeat(32));
    let diagram = sizes.map(|sizes| sizes[place]);
    let source = "published: OEIS A000170".into();
    Row {
        status: Answer::Sat,
        verdict: Verdict::Verified,
        checked_by: Some(Evidence { kind: EvidenceKind::Cross, source }),
        solve_cpu_s: Some(seconds[place]),
        check_cpu_s: (task == Task::Enumerate).then_some(0.125),
        cpu_s: seconds[place] + 0.25,
        wall_s: seconds[place] + 0.5,
        memory_peak_bytes: Some(u64::from(side) << 20),
        solver_stats: Effort::default(),
        all: Some(AllSolutions {
            count: count.into(),
            whole: true,
            digest,
            diagram,
            auxiliaries: None,
        }),
        core: Some(1),
        ..Row::blank(planned, Termination::Finished)
    }
}

/// Engines that read the board, clauses and a circuit; with a run that ended at its limit of nodes, one at that of
/// time, a wrong answer, and a counter that is not installed.
pub(crate) fn record() -> ExperimentRecord {
    let entries: [Entry; 5] = [
        ("backtrack", NO_ENCODING, [0.25, 0.5], None),
        ("blocking", "pairwise", [0.5, 2.0], None),
        ("zbdd", "bryant-circuit", [0.25, 1.0], Some([size(24, 3000), size(373, 24_030)])),
        ("direct-zdd", NO_ENCODING, [0.125, 0.25], Some([size(24, 24), size(373, 373)])),
        (COUNTER, "pairwise", [0.25, 0.25], None),
    ];
    let mut rows = Vec::new();
    for task in [Task::Count, Task::Enumerate] {
        for entry in &entries {
            if (entry.0, task) != (COUNTER, Task::Enumerate) {
                rows.extend([0, 1].map(|place| run(entry, place, task)));
            }
        }
    }
    let mut change = |engine: &str, task, change: fn(&mut Row)| {
        let on_eight = |row: &&mut Row| row.job.solver == engine && row.job.instance.size() == 8;
        rows.iter_mut().filter(on_eight).filter(|row| row.job.task == task).for_each(change);
    };
    change("zbdd", Task::Count, |row| {
        (row.status, row.verdict, row.termination) =
            (Answer::Unknown, Verdict::Unchecked, Termination::NodeLimit);
        (row.checked_by, row.all) = (None, None);
    });
    change("blocking", Task::Enumerate, |row| {
        (row.verdict, row.termination, row.checked_by) =
            (Verdict::Unchecked, Termination::CpuLimit, None);
        let all = row.all.as_mut().expect("it was run");
        (all.count, all.whole) = (17_u32.into(), false);
    });
    change("backtrack", Task::Enumerate, |row| {
        (row.verdict, row.checked_by) = (Verdict::Wrong, None);
        row.all.as_mut().expect("it was run").count = 93_u32.into();
        row.note = Some("93 solutions were counted, and the board has 92 solutions".into());
    });
    change(COUNTER, Task::Count, |row| {
        let note = Some("not installed: there is no program `count`".into());
        let planned = planned(row.job.clone(), row.key.0.clone(), "1");
        *row = Row { note, ..Row::blank(planned, Termination::Skipped) };
    });
    ExperimentRecord {
        name: "counting".into(),
        config_name: "counting".into(),
        question: Some("Who counts?".into()),
        config: "name: counting\n".into(),
        planned: rows.len(),
        rows,
        ..ExperimentRecord::default()
    }
}
