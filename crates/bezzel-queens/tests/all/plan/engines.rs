//! Engines in plans. An axis that an engine does not read is not varied for it. An engine that cannot do its task is
//! refused.

use std::collections::BTreeMap;

use bezzel_encode::{Encoding, Unsupported};
use bezzel_problem::Instance;
use bezzel_solve::{BackendInfo, OptionError, OptionValue, Options};

use super::*;
use bezzel_experiment::backend::{
    Backend, BackendError, BackendResult, Capabilities, Conditions, InputKind, Observer, QueryInput,
};
use bezzel_experiment::model::job::{NO_ENCODING, Task};

/// An engine that runs nothing. It only reports its capabilities.
struct StubBackend {
    id: &'static str,
    reads: InputKind,
    capabilities: Capabilities,
}

impl Backend for StubBackend {
    fn info(&self) -> BackendInfo {
        let (title, citation) = (String::new(), String::new());
        BackendInfo { id: self.id.into(), title, version: "7".into(), citation }
    }

    fn reads(&self) -> InputKind {
        self.reads
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        Ok(options.clone())
    }

    fn fits(
        &self,
        instance: &Instance,
        encoding: Option<&dyn Encoding>,
    ) -> Result<(), Unsupported> {
        let is_binary = encoding.is_some_and(|encoding| encoding.info().id == "binary");
        if instance.size() > 12 || is_binary {
            let what = format!("the engine `{}`", self.id);
            return Err(Unsupported::new(
                what,
                &instance.problem(),
                "it is made so",
                "take `pairwise`",
            ));
        }
        Ok(())
    }

    fn run(
        &self,
        _: &QueryInput<'_>,
        _: &Conditions<'_>,
        _: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        unreachable!("nothing is run")
    }
}

/// A catalog with engines of every kind.
fn catalog() -> Catalog {
    let all = Capabilities { solves: false, lists: true, counts: true, models: false };
    let mut catalog = bezzel_queens::experiment::catalog();
    catalog.backends = catalog
        .backends
        .clone()
        .with(StubBackend { id: "of-board", reads: InputKind::Instance, capabilities: all })
        .with(StubBackend { id: "of-circuit", reads: InputKind::Circuit, capabilities: all })
        .with(StubBackend { id: "of-clauses", reads: InputKind::Clauses, capabilities: all })
        .with(StubBackend {
            id: "counts",
            reads: InputKind::Instance,
            capabilities: Capabilities { solves: false, lists: false, counts: true, models: false },
        });
    catalog
}

fn planned(text: &str) -> Result<Plan, String> {
    let catalog = catalog();
    let config = Config::parse(text, "config.yaml", &catalog).map_err(|e| e.to_string())?;
    let plan = Plan::new(&config, &catalog).map_err(|error| error.to_string())?;
    assert_eq!(count(&config, &catalog), Ok(plan.jobs.len() as u128));
    Ok(plan)
}

fn jobs(text: &str) -> Vec<PlannedJob> {
    planned(text).unwrap_or_else(|error| panic!("{error}")).jobs
}

/// Returns the number of jobs of each engine.
fn by_engine(jobs: &[PlannedJob]) -> BTreeMap<&str, usize> {
    let mut all = BTreeMap::new();
    for planned in jobs {
        *all.entry(planned.job.solver.as_str()).or_default() += 1;
    }
    all
}

const ALL: &str = "
name: all
problems: [{queens: {size: [8, 6]}}, {queens: {size: 7}, shuffles: 0}]
encodings: [pairwise, order]
constraints: [full, minimal]
numberings: [random: {shuffles: 3}, as-generated]
task: [count, enumerate]
max_solutions: 5
engines: [of-clauses, of-circuit, of-board]
repeats: 2
";

#[test]
fn an_axis_that_an_engine_does_not_read_is_not_varied() {
    let jobs = jobs(ALL);
    // Boards × numberings: 4 + 4 + 1. Encodings: pairwise twice, since it takes constraints.
    let expected =
        [("of-board", 3 * 4), ("of-circuit", 3 * 3 * 4), ("of-clauses", (4 + 4 + 1) * 3 * 4)];
    assert_eq!(by_engine(&jobs), BTreeMap::from(expected));
    for PlannedJob { job, encoding_revision, solver_version, size, .. } in &jobs {
        assert_eq!(solver_version, "7");
        assert_eq!(job.max_solutions, (job.task == Task::Enumerate).then_some(5));
        match job.solver.as_str() {
            "of-board" => {
                assert_eq!((job.encoding.as_str(), *encoding_revision), (NO_ENCODING, 0));
                assert_eq!((job.settings.constraints, *size), (None, None));
                assert_eq!(job.numbering, Numbering::AS_GENERATED);
            }
            "of-circuit" => {
                assert_eq!(job.numbering, Numbering::AS_GENERATED);
                assert_eq!(job.settings.constraints.is_none(), job.encoding == "order");
            }
            _ => assert_eq!(job.settings.constraints.is_none(), job.encoding == "order"),
        }
    }
    let keys: HashSet<_> = jobs.iter().map(|planned| &planned.key).collect();
    assert_eq!(keys.len(), jobs.len());
}

#[test]
fn jobs_without_a_numbering_are_in_the_round_as_generated() {
    let jobs = jobs(ALL);
    let on_six: Vec<_> = jobs.iter().filter(|planned| planned.job.instance.size() == 6).collect();
    let mut rounds: Vec<(Numbering, u32, usize)> = Vec::new();
    for PlannedJob { job, .. } in on_six {
        match rounds.last_mut() {
            Some((numbering, repeat, jobs))
                if (*numbering, *repeat) == (job.numbering, job.repeat) =>
            {
                *jobs += 1;
            }
            _ => rounds.push((job.numbering, job.repeat, 1)),
        }
    }
    let plain = 3 * 2 + 3 * 2 + 2;
    let of = |repeat: u32| {
        [
            (Numbering::random(1), repeat, 6),
            (Numbering::AS_GENERATED, repeat, plain),
            (Numbering::random(2), repeat, 6),
            (Numbering::random(3), repeat, 6),
        ]
    };
    assert_eq!(rounds, [of(1), of(2)].concat());
}

#[test]
fn exclusions_leave_alone_what_does_not_have_what_they_say() {
    let by_count = |text: &str| -> Vec<usize> { by_engine(&jobs(text)).into_values().collect() };
    let excluded = |exclusion: &str| by_count(&format!("{ALL}exclude: [{exclusion}]\n"));
    // The jobs of the board, of the circuit, of clauses.
    assert_eq!(by_count(ALL), [12, 36, 108]);
    assert_eq!(excluded("{encoding: order}"), [12, 24, 72]);
    assert_eq!(excluded("{constraints: minimal}"), [12, 24, 72]);
    assert_eq!(excluded("{numbering: as-generated}"), [12, 36, 72]);
    assert_eq!(excluded("{task: count}"), [6, 18, 54]);
    assert_eq!(excluded("{solver: of-circuit, instance: 6}"), [12, 24, 108]);
    assert_eq!(excluded("{solver: \"of-c*\", task: [count, enumerate]}"), [12]);
    assert_eq!(excluded("{instance: 7}"), [8, 24, 96]);
    assert_eq!(excluded("{solver: of-board}, {solver: of-circuit, encoding: pairwise}"), [12, 108]);
    for idle in [
        "{solver: of-board, encoding: order}",
        "{solver: of-circuit, numbering: random}",
        "{solver: of-board, numbering: as-generated}",
    ] {
        let summary_text = planned(&format!("{ALL}exclude: [{idle}]\n")).unwrap_err();
        assert!(summary_text.contains("this removes nothing: no cell of the matrix has all of it"));
    }
}

#[test]
fn solvers_and_engines_stand_in_one_plan_with_what_is_theirs() {
    let text = format!(
        "{}solvers: [cadical]\nsimplified: on\nlimits: {{nodes: 9}}\n",
        ALL.replace("task: [count,", "task: [solve, count,")
    );
    let jobs = jobs(&text);
    assert_eq!(by_engine(&jobs)["cadical"], 9 * 3 * 2);
    for PlannedJob { job, .. } in &jobs {
        let is_first = job.task == Task::Solve;
        assert_eq!(is_first, job.solver == "cadical");
        assert_eq!(job.proof.is_some(), is_first);
        assert_eq!(job.simplified, is_first);
        assert_eq!(job.limits.nodes, (!is_first).then_some(9));
    }
    // The jobs of the task `solve` have the same keys as without the other tasks.
    let alone = text.replace("task: [solve, count, enumerate]\nmax_solutions: 5\n", "");
    let alone = alone.replace("engines: [of-clauses, of-circuit, of-board]\n", "");
    let alone = planned(&alone.replace("limits: {nodes: 9}\n", "")).unwrap();
    let first = jobs.iter().filter(|planned| planned.job.task == Task::Solve);
    assert_eq!(first.map(|planned| &planned.key).collect::<HashSet<_>>(), alone.keys());
}

#[test]
fn the_summary_tells_tasks_and_engines_and_no_axis_that_is_none() {
    let summary_text = planned(ALL).unwrap().summary().to_string();
    for line in [
        "all: 156 jobs\n",
        "  encodings  pairwise (48), pairwise (minimal) (48), order (48)\n",
        "  numberings random (72), as-generated (36)\n",
        "  tasks      count (78), enumerate (78)\n",
        "  engines    of-clauses (108), of-circuit (36), of-board (12)\n",
    ] {
        assert!(summary_text.contains(line), "{line}{summary_text}");
    }
    assert!(!summary_text.contains("solvers"), "{summary_text}");
    let text = "name: b\nproblems: [{queens: {size: 6}}]\ntask: count\nlimits: {nodes: 5000}\n\
         engines: [of-board, {id: of-board, options: {threads: 4}}]\nparallel: 2\n";
    let plan = planned(text).unwrap();
    let threads = plan.jobs.iter().filter_map(|planned| planned.job.options.get("threads"));
    assert!(threads.eq([&OptionValue::Integer(4)]));
    assert_eq!(plan.summary().threads, 4);
    let summary_text = plan.summary().to_string();
    assert!(
        !summary_text.contains("encodings") && !summary_text.contains("numberings"),
        "{summary_text}"
    );
    assert!(!summary_text.contains("largest"), "{summary_text}");
    assert!(
        summary_text.contains("  engines    of-board (1), of-board (threads 4) (1)\n"),
        "{summary_text}"
    );
    assert!(summary_text.contains("4 GiB, 5,000 nodes\n"), "{summary_text}");
    assert!(summary_text.contains("2 at a time, on up to 4 threads each"), "{summary_text}");
}

const REFUSED: &str =
    "name: r\nproblems: [{queens: {size: 6}}]\nencodings: [pairwise, binary]\ntask: count\n";

#[test]
fn a_cell_that_an_engine_cannot_do_or_read_is_refused_unless_it_is_excluded() {
    let refused = |lines: &str| planned(&format!("{REFUSED}{lines}")).unwrap_err();
    assert_eq!(
        refused("engines: [blocking, of-circuit]\n"),
        "config.yaml:5:21: the engine `of-circuit` does not fit the board 6: it is made so
  |
5 | engines: [blocking, of-circuit]
  |                     ^^^^^^^^^^
  = take `pairwise`; or exclude it for this encoding, as in `exclude: {solver: of-circuit, \
         encoding: binary}`, or put it under `include` with encodings that fit"
    );
    let left =
        "engines: [blocking, of-circuit]\nexclude: [{solver: of-circuit, encoding: binary}]\n";
    assert_eq!(by_engine(&jobs(&format!("{REFUSED}{left}"))).len(), 2);

    let large = REFUSED.replace("size: 6", "size: [6, 13]");
    let summary_text = planned(&format!("{large}engines: [blocking, of-board]\n")).unwrap_err();
    assert!(
        summary_text.contains("the engine `of-board` does not fit the board 13"),
        "{summary_text}"
    );
    let left = "engines: [blocking, of-board]\nexclude: [{solver: of-board, instance: 13}]\n";
    assert_eq!(jobs(&format!("{large}{left}")).len(), 2 * 2 + 1);

    let tasks = REFUSED.replace("task: count", "task: [count, enumerate]");
    let summary_text = planned(&format!("{tasks}engines: [blocking, counts]\n")).unwrap_err();
    assert!(
        summary_text.contains("`counts` cannot do `enumerate`: it counts solutions without"),
        "{summary_text}"
    );
    assert!(
        summary_text.contains("`exclude: {solver: counts, task: enumerate}`"),
        "{summary_text}"
    );
    let left = "engines: [blocking, counts]\nexclude: [{solver: counts, task: enumerate}]\n";
    assert_eq!(jobs(&format!("{tasks}{left}")).len(), 2 * 2 + 1);
}
