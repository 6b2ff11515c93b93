//! Configs that are read, and configs that are refused with one clear message.

use std::path::{Path, PathBuf};

use bezzel_experiment::config::{Config, ConfigError, Matrix};
use bezzel_experiment::plan::Plan;
use bezzel_experiment::{Catalog, Limits};

use crate::committed::committed;

mod documents;
mod fuzz;
mod hostile;
mod instances;
mod matrices;
pub(crate) mod recorded;
mod table;

const SMALLEST: &str =
    "name: smallest\nproblems: [{queens: {size: 8}}]\nencodings: [pairwise]\nsolvers: [cadical]\n";

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(text, "config.yaml", &table::catalog())
}

/// The smallest config and some lines more.
fn with(lines: &str) -> Config {
    parse(&format!("{SMALLEST}{lines}")).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn times_and_memory_are_read_in_their_units() {
    for (limits, cpu_s, wall_s) in [
        ("{cpu: 5}", 5.0, 50.0),
        ("{cpu: 0.5}", 0.5, 5.0),
        ("{cpu: 100 ms}", 0.1, 1.0),
        ("{cpu: 7min}", 420.0, 4200.0),
        ("{cpu: 1234 ms, wall: 1.234}", 1.234, 1.234),
        ("{cpu: 1 h, wall: 1 h}", 3600.0, 3600.0),
        ("{wall: 10 s}", 10.0, 10.0),
        ("{wall: 100 s}", 60.0, 100.0),
    ] {
        let read = with(&format!("limits: {limits}\n")).limits;
        assert_eq!((read.cpu_s, read.wall_s), (cpu_s, wall_s), "{limits}");
    }
    for (memory, bytes) in [
        ("64 MiB", 64 << 20),
        ("100MB", 100_000_000),
        ("2 GiB", 2 << 30),
        ("2.5 GB", 2_500_000_000),
        ("1 TiB", 1 << 40),
        ("200000000 bytes", 200_000_000),
    ] {
        let read = with(&format!("limits: {{memory: {memory}}}\n")).limits;
        assert_eq!(read.memory_bytes, bytes, "{memory}");
    }
}

#[test]
fn a_byte_order_mark_and_foreign_line_ends_are_no_fault() {
    let text = format!("\u{FEFF}{}", SMALLEST.replace('\n', "\r\n"));
    assert_eq!(parse(&text).unwrap().name, "smallest");
    let error = parse(&text.replace("size: 8", "size: 0")).unwrap_err();
    assert_eq!((error.line, error.column), (Some(2), Some(28)));
    assert_eq!(
        error.snippet.as_deref(),
        Some("  |\n2 | problems: [{queens: {size: 0}}]\n  |                            ^")
    );
}

/// Returns every config of the repository, except those that others extend and that lack their problems.
fn configs() -> Vec<PathBuf> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let mut configs = Vec::new();
    for folder in ["configs", "configs/every-kind", "configs/which-encoding", "configs/which-sum"] {
        let entries = committed(folder).into_iter().map(|name| root.join(folder).join(name));
        configs.extend(entries.filter(|path| {
            path.extension().is_some_and(|ending| ending == "yaml")
                && path.file_stem().is_some_and(|stem| stem != "common")
        }));
    }
    assert!(configs.len() > 50, "{configs:?}");
    configs.sort_unstable();
    configs
}

/// Plans every `step`th config of the repository, and as it is recorded by a session.
fn plan_configs(step: usize, plan: fn(&Config, &Catalog) -> Result<Plan, ConfigError>) {
    let catalog = table::catalog();
    let mut planned = 0;
    for path in configs().into_iter().step_by(step) {
        let config = Config::read(&path, &catalog).unwrap_or_else(|error| panic!("{error}"));
        let plan = plan(&config, &catalog).unwrap_or_else(|error| panic!("{error}"));
        recorded::check(&config);
        // The name is that of the file after that of its folder, so that a config and its evidence have the same
        // name.
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        assert!([stem.to_owned(), format!("{folder}-{stem}")].contains(&config.name), "{stem}");
        planned += plan.jobs.len();
    }
    assert!(planned > 0);
}

#[test]
fn the_configs_that_come_along_can_be_planned() {
    plan_configs(6, table::without_programs);
}

#[test]
#[ignore = "second tier: all configs, with their programs"]
fn all_configs_that_come_along_can_be_planned_with_their_programs() {
    plan_configs(1, Plan::new);
}
