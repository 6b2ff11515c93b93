//! Engines in plans: what they do not read is no axis for them, and what they cannot do is refused.

use std::collections::BTreeMap;

use bezzel_encode::{Encoding, Misfit};
use bezzel_problem::Instance;
use bezzel_solve::{BackendInfo, OptionError, OptionValue, Options};

use super::*;
use crate::backend::{
    Backend, BackendError, Capabilities, Conditions, Observer, Outcome, Question, Reads,
};
use crate::model::job::{NO_ENCODING, Task};

/// An engine that runs nothing, of which only matters what it says of itself.
struct Said {
    id: &'static str,
    reads: Reads,
    powers: Capabilities,
}

impl Backend for Said {
    fn info(&self) -> BackendInfo {
        let (title, citation) = (String::new(), String::new());
        BackendInfo { id: self.id.into(), title, version: "7".into(), citation }
    }

    fn reads(&self) -> Reads {
        self.reads
    }

    fn capabilities(&self) -> Capabilities {
        self.powers
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        Ok(options.clone())
    }

    fn fits(&self, instance: &Instance, encoding: Option<&dyn Encoding>) -> Result<(), Misfit> {
        let is_binary = encoding.is_some_and(|encoding| encoding.card().id == "binary");
        if instance.size() > 12 || is_binary {
            let what = format!("the engine `{}`", self.id);
            return Err(Misfit::new(what, &instance.problem(), "it is made so", "take `pairwise`"));
        }
        Ok(())
    }

    fn run(
        &self,
        _: &Question<'_>,
        _: &Conditions<'_>,
        _: &mut dyn Observer,
    ) -> Result<Outcome, BackendError> {
        unreachable!("nothing is run")
    }
}

/// A workbench with engines of every kind.
fn workbench() -> Workbench {
    let all =
        Capabilities { solves: false, lists: true, counts: true, classes: true, models: false };
    let mut workbench = Workbench::standard();
    workbench.backends = workbench
        .backends
        .clone()
        .with(Said { id: "of-board", reads: Reads::Board, powers: all })
        .with(Said { id: "of-circuit", reads: Reads::Circuit, powers: all })
        .with(Said { id: "of-clauses", reads: Reads::Clauses, powers: all })
        .with(Said {
            id: "counts",
            reads: Reads::Board,
            powers: Capabilities {
                solves: false,
                lists: false,
                counts: true,
                classes: false,
                models: false,
            },
        });
    workbench
}

fn planned(text: &str) -> Result<Plan, String> {
    let workbench = workbench();
    let config = Config::parse(text, "config.yaml", &workbench).map_err(|e| e.to_string())?;
    let plan = Plan::new(&config, &workbench).map_err(|error| error.to_string())?;
    assert_eq!(count(&config, &workbench), Ok(plan.jobs.len() as u128));
    Ok(plan)
}

fn jobs(text: &str) -> Vec<Planned> {
    planned(text).unwrap_or_else(|error| panic!("{error}")).jobs
}

/// How many jobs each engine has.
fn by_engine(jobs: &[Planned]) -> BTreeMap<&str, usize> {
    let mut all = BTreeMap::new();
    for planned in jobs {
        *all.entry(planned.job.solver.as_str()).or_default() += 1;
    }
    all
}

const ALL: &str = "
name: all
boards: [{size: [8, 6]}, {size: 7, shuffles: 0}]
encodings: [pairwise, order]
constraints: [full, minimal]
numberings: [random: {shuffles: 3}, as-generated]
task: [count, enumerate]
most: 5
engines: [of-clauses, of-circuit, of-board]
order: as-listed
repeats: 2
";

#[test]
fn what_an_engine_does_not_read_is_no_axis_for_it() {
    let jobs = jobs(ALL);
    // Boards in their numberings: 4 + 4 + 1. Encodings: pairwise twice, since it takes constraints.
    let expected =
        [("of-board", 3 * 4), ("of-circuit", 3 * 3 * 4), ("of-clauses", (4 + 4 + 1) * 3 * 4)];
    assert_eq!(by_engine(&jobs), BTreeMap::from(expected));
    for Planned { job, encoding_revision, solver_version, size, .. } in &jobs {
        assert_eq!(solver_version, "7");
        assert_eq!(job.most, (job.task == Task::Enumerate).then_some(5));
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
fn what_reads_no_numbering_is_in_the_round_as_generated() {
    let jobs = jobs(ALL);
    let on_six: Vec<_> = jobs.iter().filter(|planned| planned.job.instance.size() == 6).collect();
    let mut rounds: Vec<(Numbering, u32, usize)> = Vec::new();
    for Planned { job, .. } in on_six {
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
    // Of the board, of the circuit, of clauses.
    assert_eq!(by_count(ALL), [12, 36, 108]);
    assert_eq!(excluded("{encoding: order}"), [12, 24, 72]);
    assert_eq!(excluded("{constraints: minimal}"), [12, 24, 72]);
    assert_eq!(excluded("{numbering: as-generated}"), [12, 36, 72]);
    assert_eq!(excluded("{task: count}"), [6, 18, 54]);
    assert_eq!(excluded("{engine: of-circuit, board: 6}"), [12, 24, 108]);
    assert_eq!(excluded("{engine: \"of-c*\", task: [count, enumerate]}"), [12]);
    assert_eq!(excluded("{board: 7}"), [8, 24, 96]);
    assert_eq!(excluded("{engine: of-board}, {engine: of-circuit, encoding: pairwise}"), [12, 108]);
    for idle in [
        "{engine: of-board, encoding: order}",
        "{engine: of-circuit, numbering: random}",
        "{engine: of-board, numbering: as-generated}",
    ] {
        let told = planned(&format!("{ALL}exclude: [{idle}]\n")).unwrap_err();
        assert!(told.contains("this takes nothing out: no cell of the matrix has all of it"));
    }
}

#[test]
fn solvers_and_engines_stand_in_one_plan_with_what_is_theirs() {
    let text = format!(
        "{}solvers: [cadical]\nsimplified: on\nlimits: {{nodes: 9}}\n",
        ALL.replace("task: [count,", "task: [first, count,")
    );
    let jobs = jobs(&text);
    assert_eq!(by_engine(&jobs)["cadical"], 9 * 3 * 2);
    for Planned { job, .. } in &jobs {
        let is_first = job.task == Task::First;
        assert_eq!(is_first, job.solver == "cadical");
        assert_eq!(job.proof.is_some(), is_first);
        assert_eq!(job.simplified, is_first);
        assert_eq!(job.limits.nodes, (!is_first).then_some(9));
    }
    // The keys of the task that there was before are what they were.
    let alone = text.replace("task: [first, count, enumerate]\nmost: 5\n", "");
    let alone = alone.replace("engines: [of-clauses, of-circuit, of-board]\n", "");
    let alone = planned(&alone.replace("limits: {nodes: 9}\n", "")).unwrap();
    let first = jobs.iter().filter(|planned| planned.job.task == Task::First);
    assert_eq!(first.map(|planned| &planned.key).collect::<HashSet<_>>(), alone.keys());
}

#[test]
fn the_summary_tells_tasks_and_engines_and_no_axis_that_is_none() {
    let told = planned(ALL).unwrap().summary().to_string();
    for line in [
        "all: 156 jobs\n",
        "  encodings  pairwise (48), pairwise (minimal) (48), order (48)\n",
        "  numberings random (72), as-generated (36)\n",
        "  tasks      count (78), enumerate (78)\n",
        "  engines    of-clauses (108), of-circuit (36), of-board (12)\n",
    ] {
        assert!(told.contains(line), "{line}{told}");
    }
    assert!(!told.contains("solvers"), "{told}");
    let text = "name: b\nboards: [{size: 6}]\ntask: count\nlimits: {nodes: 5000}\n\
         engines: [of-board, {id: of-board, options: {threads: 4}}]\nparallel: 2\n\
         order: as-listed\n";
    let plan = planned(text).unwrap();
    assert_eq!(plan.jobs[1].job.options.get("threads"), Some(&OptionValue::Integer(4)));
    assert_eq!(plan.summary().threads, 4);
    let told = plan.summary().to_string();
    assert!(!told.contains("encodings") && !told.contains("numberings"), "{told}");
    assert!(!told.contains("largest"), "{told}");
    assert!(told.contains("  engines    of-board (1), of-board (threads 4) (1)\n"), "{told}");
    assert!(told.contains("4 GiB, 5,000 nodes\n"), "{told}");
    assert!(told.contains("2 at a time, on up to 4 threads each"), "{told}");
}

const REFUSED: &str = "name: r\nboards: [{size: 6}]\nencodings: [pairwise, binary]\ntask: count\n";

#[test]
fn what_an_engine_cannot_do_or_read_is_refused_unless_it_is_excluded() {
    let refused = |lines: &str| planned(&format!("{REFUSED}{lines}")).unwrap_err();
    assert_eq!(
        refused("engines: [blocking, of-circuit]\n"),
        "config.yaml:5:21: the engine `of-circuit` does not fit the board 6: it is made so
  |
5 | engines: [blocking, of-circuit]
  |                     ^^^^^^^^^^
  = take `pairwise`; or exclude it for this encoding, as in `exclude: {engine: of-circuit, \
         encoding: binary}`, or put it under `include` with encodings that fit"
    );
    let left =
        "engines: [blocking, of-circuit]\nexclude: [{engine: of-circuit, encoding: binary}]\n";
    assert_eq!(by_engine(&jobs(&format!("{REFUSED}{left}"))).len(), 2);

    let large = REFUSED.replace("size: 6", "size: [6, 13]");
    let told = planned(&format!("{large}engines: [blocking, of-board]\n")).unwrap_err();
    assert!(told.contains("the engine `of-board` does not fit the board 13"), "{told}");
    let left = "engines: [blocking, of-board]\nexclude: [{engine: of-board, board: 13}]\n";
    assert_eq!(jobs(&format!("{large}{left}")).len(), 2 * 2 + 1);

    let tasks = REFUSED.replace("task: count", "task: [count, enumerate]");
    let told = planned(&format!("{tasks}engines: [blocking, counts]\n")).unwrap_err();
    assert!(told.contains("`counts` cannot do `enumerate`: it counts solutions without"), "{told}");
    assert!(told.contains("`exclude: {engine: counts, task: enumerate}`"), "{told}");
    let left = "engines: [blocking, counts]\nexclude: [{engine: counts, task: enumerate}]\n";
    assert_eq!(jobs(&format!("{tasks}{left}")).len(), 2 * 2 + 1);
}

#[test]
fn symmetry_is_broken_only_where_it_leaves_out_what_it_says() {
    let with = |lines: &str| planned(&format!("{REFUSED}{lines}"));
    let broken = "symmetry: [none, full]\n";
    let told = with(&format!("{broken}engines: [of-clauses, of-board]\n")).unwrap_err();
    assert!(told.contains("`of-board` reads the board alone: it would find all"), "{told}");
    let apart = "engines: blocking\ninclude: [{engines: of-board, symmetry: none}]\n";
    assert_eq!(with(&format!("{broken}{apart}")).unwrap().jobs.len(), 2 * 2 + 1);
    let twice = format!("{broken}engines: blocking\n").replace("engines", "task: [x]\nengines");
    let text = REFUSED.replace("task: count\n", "");
    let twice = format!("{text}{}", twice.replace("[x]", "[count, fundamental]"));
    let told = planned(&twice).unwrap_err();
    assert!(told.contains("`symmetry: full` leaves images out of what `blocking` reads"), "{told}");
    let left = format!("{twice}exclude: [{{task: fundamental, symmetry: full}}]\n");
    assert_eq!(jobs(&left).len(), 2 * (2 + 1));
}
