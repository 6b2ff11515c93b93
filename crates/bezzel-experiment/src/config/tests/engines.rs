//! Tasks, and the axis of engines.

use std::fs;

use super::schema::fits_schema;
use super::*;
use crate::model::job::Task;

const COUNT: &str = "name: c\nboards: [{size: 6}]\nencodings: [pairwise]\n";

/// Returns the arms of a config: the id of each, and its task.
fn arms(lines: &str) -> Vec<(String, Task)> {
    let text = format!("{COUNT}{lines}");
    assert!(fits_schema(&text), "{text}");
    let config = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    config.matrix.arms.iter().map(|arm| (arm.label(), arm.task)).collect()
}

#[test]
fn each_engine_meets_each_task_but_the_first_which_is_that_of_solvers() {
    let named = |arms: &[(&str, Task)]| -> Vec<(String, Task)> {
        arms.iter().map(|(name, task)| ((*name).to_owned(), *task)).collect()
    };
    assert_eq!(
        arms(
            "task: [count, solve, enumerate]\nsolvers: [cadical, batsat]\nengines: [blocking, backtrack]\n"
        ),
        named(&[
            ("cadical", Task::Solve),
            ("batsat", Task::Solve),
            ("blocking", Task::Count),
            ("backtrack", Task::Count),
            ("blocking", Task::Enumerate),
            ("backtrack", Task::Enumerate),
        ])
    );
    assert_eq!(arms("task: solve\nsolvers: cadical\n"), arms("solvers: cadical\n"));
}

#[test]
fn options_of_an_engine_are_settings_and_its_name_tells_them() {
    let lines =
        "task: count\nengines: [blocking, {id: blocking, options: {seed: 7}}, {id: backtrack}]\n";
    let names: Vec<_> = arms(lines).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["blocking", "blocking (seed 7)", "backtrack"]);
    let config = parse(&format!("{COUNT}{lines}")).unwrap();
    assert_eq!(config.matrix.arms[1].options.get("seed"), Some(&OptionValue::Integer(7)));
    let twice = parse(&format!("{COUNT}task: count\nengines: [blocking, {{id: blocking}}]\n"));
    let message = twice.unwrap_err().to_string();
    assert!(message.contains("the engine `blocking` with the same options is listed twice"));
}

#[test]
fn programs_that_count_are_engines() {
    let lines = "task: count\nengines: [{counter: \"./none {cnf}\", version: ./none --version}]\n";
    let [(name, _)] = &arms(lines)[..] else { panic!("one engine") };
    assert!(name.starts_with("{counter: ") && name.contains("./none {cnf}"), "{name}");
    let short = format!("task: count\nengines: ['{name}']\n");
    assert_eq!(arms(&short), arms(lines));
}

#[test]
fn max_solutions_applies_only_where_solutions_are_enumerated() {
    let lines = "task: [count, enumerate]\nmax_solutions: 3\nengines: blocking\n";
    let config = parse(&format!("{COUNT}{lines}")).unwrap();
    let max_solutions: Vec<_> =
        config.matrix.arms.iter().map(|arm| (arm.task, arm.max_solutions)).collect();
    assert_eq!(max_solutions, [(Task::Count, None), (Task::Enumerate, Some(3))]);
}

#[test]
fn axes_that_no_engine_reads_may_be_missing() {
    let text = "name: b\nboards: [{size: 6, shuffles: 0}]\ntask: count\nengines: backtrack\n\
         limits: {nodes: 5}\n";
    assert!(fits_schema(text));
    let config = parse(text).unwrap();
    assert!(config.matrix.encodings.is_empty());
    assert_eq!(config.limits.nodes, Some(5));
    // With an engine that reads clauses, the same board has no numbering left.
    let text = text.replace("engines: backtrack", "encodings: pairwise\nengines: blocking");
    let shuffled = format!("{text}numberings: random\n");
    assert!(verdict(&shuffled).contains("with no shuffles this board has no numbering left"));
}

#[test]
fn an_inclusion_that_names_solvers_or_engines_alone_is_about_their_tasks() {
    let matrix = "task: [solve, count]\nsolvers: cadical\nengines: blocking\n";
    let included = |entry: &str| -> Vec<String> {
        let text = format!("{COUNT}{matrix}include: [{entry}]\n");
        assert!(fits_schema(&text), "{text}");
        let config = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let arms = config.include[0].arms.iter();
        arms.map(|arm| format!("{} {}", arm.task, arm.label())).collect()
    };
    assert_eq!(included("{solvers: batsat}"), ["solve batsat"]);
    assert_eq!(included("{proofs: off}"), ["solve cadical (proofs off)"]);
    assert_eq!(included("{engines: backtrack}"), ["count backtrack"]);
    assert_eq!(
        included("{engines: backtrack, task: [count, enumerate]}"),
        ["count backtrack", "enumerate backtrack"]
    );
    assert_eq!(included("{task: enumerate, max_solutions: 9}"), ["enumerate blocking"]);
    assert_eq!(
        included("{engines: backtrack, solvers: batsat}"),
        ["solve batsat", "count backtrack"]
    );
    assert_eq!(included("{boards: {size: 5}}"), ["solve cadical", "count blocking"]);
}

#[test]
fn a_config_may_take_over_what_its_tasks_do_not_need() {
    let folder = tempfile::tempdir().unwrap();
    let base = "encodings: [pairwise]\nsolvers: [cadical]\nengines: [blocking, backtrack]\n\
         bva: on\nmax_solutions: 4\nsimplified: on\nnumberings: random\nlimits: {cpu: 5 s, nodes: 9}\n";
    fs::write(folder.path().join("base.yaml"), base).unwrap();
    let read = |lines: &str| {
        let path = folder.path().join("child.yaml");
        let text = format!("name: child\nextends: base.yaml\nboards: [{{size: 6}}]\n{lines}");
        fs::write(&path, text).unwrap();
        Config::read(&path, &Catalog::standard())
    };
    let count = read("task: count\n").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(count.matrix.arms.len(), 2);
    assert_eq!((count.matrix.arms[0].max_solutions, count.limits.nodes), (None, Some(9)));
    let first = read("task: solve\n").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((first.matrix.arms.len(), first.limits.nodes), (1, None));
    let board = read("task: enumerate\nengines: backtrack\n").unwrap_or_else(|e| panic!("{e}"));
    assert!(board.matrix.encodings.is_empty() && board.matrix.numberings[0].is_as_generated());
    assert_eq!(board.matrix.arms[0].max_solutions, Some(4));
    // The config's own keys must have a meaning.
    let refused = read("task: count\nsolvers: batsat\n").unwrap_err();
    assert!(refused.message.starts_with("`solvers` find one solution"), "{refused}");
}

#[test]
fn engines_without_a_task_are_refused_for_the_task_though_encodings_are_missing_too() {
    let error = parse("name: x\nboards: [{size: 6}]\nengines: [backtrack]\n").unwrap_err();
    assert_eq!(&*error.message, "`engines` find all solutions, and the task is `solve`");
    assert!(error.to_string().contains("as in `task: count`"), "{error}");
}
