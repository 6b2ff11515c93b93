//! The key `problems`.

use std::fs;

use bezzel_problem::Instance;

use super::schema::fits_schema;
use super::*;

/// The smallest config with these problems in place of its board.
fn with(entries: &str) -> String {
    let text = SMALLEST.replace("boards: [{size: 8}]", &format!("problems: {entries}"));
    assert_ne!(text, SMALLEST);
    text
}

fn instances(entries: &str) -> Vec<String> {
    let text = with(entries);
    assert!(fits_schema(&text), "{text}");
    let config = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    config.matrix.instances.iter().map(|entry| entry.instance.to_string()).collect()
}

fn refused(entries: &str) -> String {
    let text = with(entries);
    parse(&text).map_or_else(|error| error.to_string(), |_| panic!("{text} was read"))
}

#[test]
fn every_combination_of_values_is_an_instance() {
    assert_eq!(instances("{langford: {n: [3, 5]}}"), ["langford 3", "langford 5"]);
    assert_eq!(
        instances("{pigeonhole: {pigeons: 3..4, holes: [2, 3]}}"),
        ["pigeonhole 3 in 2", "pigeonhole 3 in 3", "pigeonhole 4 in 2", "pigeonhole 4 in 3"]
    );
    let drawn = instances("{latin-square: {order: 5, holes: [40 %, 0.6], seeds: 1..3}}");
    assert_eq!(drawn.len(), 6);
    assert!(drawn[0].starts_with("latin-square 5, 10 holes"), "{drawn:?}");
    assert!(drawn[3].starts_with("latin-square 5, 15 holes"), "{drawn:?}");
    assert_eq!(instances("{queens: {size: [4, 5]}}"), ["4", "5"]);
}

#[test]
fn boards_and_problems_are_of_one_matrix() {
    let text = format!("{SMALLEST}problems: {{langford: {{n: 3}}}}\n");
    let config = parse(&text).unwrap();
    let kinds: Vec<_> = config.matrix.instances.iter().map(|entry| entry.instance.kind()).collect();
    assert_eq!(kinds, ["queens", "langford"]);
    let plan = Plan::new(&config, &Catalog::standard()).unwrap();
    assert_eq!(plan.jobs.len(), 2);
    for planned in &plan.jobs {
        let text = planned.job.text();
        let key = Instance::KEYS.iter().filter(|key| text.starts_with(&format!("{{\"{key}\":")));
        assert_eq!(key.count(), 1, "{text}");
        assert_eq!(serde_json::from_str::<crate::Job>(&text).unwrap(), planned.job);
    }
}

#[test]
fn a_fault_is_reported_with_its_place_and_its_mending() {
    for (entries, expected) in [
        ("{langford: {n: 3}, pigeonhole: {pigeons: 3}}", "one kind"),
        ("{shuffles: 3}", "a problem must name its kind"),
        ("{langfort: {n: 3}}", "did you mean `langford`"),
        ("{langford: {}}", "add one, as in `n: 8`"),
        ("{langford: {n: 0}}", "`n` must be from 1 to"),
        ("{langford: {n: [3, 3]}}", "has this value twice"),
        ("{latin-square: {order: 5, holes: 120 %, seeds: 1}}", "from 0 to 1"),
        ("{latin-square: {order: 5, holes: much, seeds: 1}}", "write 0.42 or 42 %"),
        ("{latin-square: {order: 5, fill: plante, seeds: 1}}", "did you mean `planted`"),
        ("{latin-square: {order: 5, holes: 0.5, seeds: 1..20000}}", "more than 10000 values"),
        ("{latin-square: {order: 1..30, holes: 0.5, seeds: 1..1000}}", "more than 10000 instances"),
        ("{exact-cover: {file: none.txt}}", "none.txt: the file cannot be read"),
        ("{exact-cover: {file: ../none.txt}}", "not a file beside the config"),
        ("{exact-cover: {file: \"*.none\"}}", "no file fits `*.none`"),
        ("[{langford: {n: 3}}, {langford: {n: 3}}]", "the instance langford 3 is listed twice"),
    ] {
        let error = refused(entries);
        assert!(error.contains(expected), "{entries}: {error}");
        assert!(error.starts_with("test.yaml:") || error.contains(":2:"), "{error}");
    }
}

#[test]
fn a_pattern_of_files_is_an_instance_for_each() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("covers")).unwrap();
    for (name, text) in [("a.txt", "x y\nx\ny\n"), ("b.txt", "x\nx\n"), ("c.dat", "nothing")] {
        fs::write(folder.path().join("covers").join(name), text).unwrap();
    }
    let path = folder.path().join("config.yaml");
    fs::write(&path, with("{exact-cover: {file: \"covers/*.txt\"}}")).unwrap();
    let config = Config::read(&path, &Catalog::standard()).unwrap();
    let names: Vec<_> = config.files.iter().map(|file| file.path.clone()).collect();
    assert_eq!(names, ["covers/a.txt", "covers/b.txt"]);
    let labels: Vec<_> =
        config.matrix.instances.iter().map(|entry| entry.instance.to_string()).collect();
    assert_eq!(labels.len(), 2);
    assert!(labels[1].starts_with("exact-cover covers/b.txt, 1 item, 1 option (#"), "{labels:?}");
    // The name of the file is no part of the key.
    let key = |file: &str| {
        fs::write(&path, with(&format!("{{exact-cover: {{file: {file}}}}}"))).unwrap();
        let config = Config::read(&path, &Catalog::standard()).unwrap();
        Plan::new(&config, &Catalog::standard()).unwrap().jobs[0].key.clone()
    };
    fs::copy(folder.path().join("covers/b.txt"), folder.path().join("same.txt")).unwrap();
    assert_eq!(key("same.txt"), key("covers/b.txt"));
    assert_ne!(key("same.txt"), key("covers/a.txt"));
}

#[test]
fn a_kind_with_one_key_takes_its_values_without_the_name_of_the_key() {
    let instances = |entries: &str| -> Vec<String> {
        let config = parse(&with(entries)).unwrap();
        config.matrix.instances.iter().map(|entry| entry.instance.to_string()).collect()
    };
    assert_eq!(instances("{langford: 3..5}"), instances("{langford: {n: 3..5}}"));
    assert_eq!(instances("{langford: [3, 7]}"), ["langford 3", "langford 7"]);
    let error = parse(&with("{langford: []}")).unwrap_err().to_string();
    assert!(error.contains("`langford` is empty"), "{error}");
    let error = parse(&with("{langford: [3, 3]}")).unwrap_err().to_string();
    assert!(error.contains("`n` has this value twice"), "{error}");
}

#[test]
fn files_of_constraints_are_read_beside_the_config_and_known_by_their_constraints() {
    let folder = tempfile::tempdir().unwrap();
    let read = |entries: &str| {
        let path = folder.path().join("config.yaml");
        fs::write(&path, with(entries)).unwrap();
        Config::read(&path, &Catalog::standard()).map_err(|error| error.to_string())
    };
    let key = |config: &Config| {
        let plan = Plan::new(config, &Catalog::standard()).unwrap();
        plan.jobs[0].key.clone()
    };
    fs::write(folder.path().join("a.knf"), "p knf 3 1\nk 2 -1 -2 -3 0\n").unwrap();
    // The same constraint with other words.
    fs::write(folder.path().join("b.opb"), "+1 x1 +1 x2 +1 x3 <= 1 ;\n").unwrap();
    fs::write(folder.path().join("c.knf"), "p knf 3 1\nk 4 -1 -2 x 0\n").unwrap();
    fs::write(folder.path().join("d.knf"), "p knf 4 2\n1 2 0\nk 2 1 2 3 4 0\n").unwrap();
    let (one, other) = (read("{file: a.knf}").unwrap(), read("{file: b.opb}").unwrap());
    assert_eq!(key(&one), key(&other));
    assert_eq!(one.files[0].path, "a.knf");
    let error = read("{file: [a.knf, b.opb]}").unwrap_err();
    assert!(error.contains("the files `a.knf` and `b.opb` state the same problem"), "{error}");
    let error = read("{file: c.knf}").unwrap_err();
    assert!(error.contains("c.knf: line 2, column 11: "), "{error}");
    let planned = |encoding: &str| {
        let path = folder.path().join("config.yaml");
        fs::write(&path, with("{file: d.knf}").replace("[pairwise]", encoding)).unwrap();
        let config = Config::read(&path, &Catalog::standard()).unwrap();
        Plan::new(&config, &Catalog::standard()).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(planned("[pairwise]"), Ok(()));
    let error = planned("[bitwise]").unwrap_err();
    assert!(error.contains("`at-least-2` have at least 2, first in line 3, column 1"), "{error}");
}

#[test]
fn a_setting_for_boards_is_refused_on_other_instances_with_a_correction() {
    let of = |entries: &str, encodings: &str, more: &str| {
        let text = with(entries).replace("[pairwise]", encodings) + more;
        let config = parse(&text).map_err(|error| error.to_string())?;
        Plan::new(&config, &Catalog::standard()).map(drop).map_err(|error| error.to_string())
    };
    let langford = "{langford: {n: 3}}";
    let error = of(langford, "[bryant-circuit]", "").unwrap_err();
    assert!(
        error.contains("exclude: {problem: \"langford*\", encoding: bryant-circuit}"),
        "{error}"
    );
    let error = of(langford, "[pairwise]", "numberings: [{squares: spiral}]\n").unwrap_err();
    assert!(error.contains("orders the squares of boards"), "{error}");
    let both = "[{langford: {n: 3}}, {queens: {size: 4}}]";
    let exclusion = "exclude: {problem: \"langford*\", encoding: bryant-circuit}\n";
    assert_eq!(of(both, "[pairwise, bryant-circuit]", exclusion), Ok(()));
    let engines = "task: count\nengines: [backtrack]\n";
    let text = with(langford).replace("encodings: [pairwise]\n", "");
    let text = text.replace("solvers: [cadical]\n", engines);
    let config = parse(&text).unwrap_or_else(|error| panic!("{text}{error}"));
    let error = Plan::new(&config, &Catalog::standard()).unwrap_err().to_string();
    assert!(error.contains("it reads boards alone"), "{error}");
}
