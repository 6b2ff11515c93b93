//! Thousands of configs through the reader and the planner. Each is planned or refused with a message, within a time
//! limit.
//!
//! Half of them are mutated from configs of the repository, half are put together at random from parts of configs.
//! The same number makes the same configs.

use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use super::*;
use bezzel_experiment::plan;

mod generated;
mod mutated;

/// The time above which a config counts as a hang, even on a busy machine.
const HANGS: Duration = Duration::from_mins(2);

/// The number of jobs above which only a sample of the plans is made. Such plans take longer than all the reading.
const MANY_JOBS: u128 = 2_000;

/// Pseudo-random numbers that are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }

    fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// The results of the configs.
#[derive(Debug, Default)]
struct Tried {
    planned: usize,
    not_planned: usize,
    refused: usize,
    refused_by_the_planner: usize,
}

impl Tried {
    /// Reads and plans one config; nothing is run.
    fn one(&mut self, text: &str, catalog: &Catalog) {
        // The path is in the folder of the repository's configs, so that the config may extend them and name their
        // boards.
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/fuzzed.yaml");
        let error = match Config::parse(text, path, catalog) {
            Err(error) => {
                self.refused += 1;
                error
            }
            Ok(config) => {
                let read = self.planned + self.not_planned + self.refused_by_the_planner;
                let jobs = plan::count(&config, catalog);
                if jobs.as_ref().is_ok_and(|jobs| *jobs > MANY_JOBS) && !read.is_multiple_of(64) {
                    self.not_planned += 1;
                    return;
                }
                // The plan of a record does not refuse an exclusion that removes nothing.
                let plan = Plan::of_record(&config, catalog, std::iter::empty());
                match plan.and_then(|plan| jobs.map(|jobs| (plan, jobs))) {
                    Ok((plan, jobs)) => {
                        assert_eq!(plan.jobs.len() as u128, jobs);
                        self.planned += 1;
                        return;
                    }
                    Err(error) => {
                        self.refused_by_the_planner += 1;
                        error
                    }
                }
            }
        };
        let shown = error.to_string();
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
        assert!(shown.contains(".yaml:"), "{shown}");
        assert!(!error.message.is_empty());
        assert_eq!(error.line.is_some(), error.snippet.is_some(), "{shown}");
        if let (Some(line), true) = (error.line, *error.path == *path) {
            assert!(line as usize <= text.lines().count() + 1, "{shown}");
        }
    }
}

/// Reads and plans `count` configs.
fn plan_or_refuse(count: usize) {
    let catalog = bezzel_queens::experiment::catalog();
    let (seeds, pools) = (mutated::seeds(), generated::Pools::new());
    let mut chance = Chance(1);
    let mut tried = Tried::default();
    for round in 0..count {
        let text = if round % 2 == 0 {
            mutated::mutated(&seeds[chance.below(seeds.len())], &mut chance)
        } else {
            pools.config(&mut chance)
        };
        let begun = Instant::now();
        let done = panic::catch_unwind(AssertUnwindSafe(|| tried.one(&text, &catalog)));
        let taken = begun.elapsed();
        assert!(done.is_ok(), "config {round} is\n{text}");
        assert!(taken < HANGS, "{taken:?} for config {round}, which is\n{text}");
    }
    let read = tried.planned + tried.not_planned + tried.refused_by_the_planner;
    assert!(tried.planned > count / 50 && tried.refused > count / 50, "{tried:?}");
    assert!(tried.refused_by_the_planner >= read / 500, "{tried:?}");
}

#[test]
fn any_config_is_planned_or_refused() {
    plan_or_refuse(100);
}

#[test]
#[ignore = "second tier: 2,000 configs, or as many as `BEZZEL_FUZZ`"]
fn many_configs_are_planned_or_refused() {
    let wanted = std::env::var("BEZZEL_FUZZ").ok();
    plan_or_refuse(wanted.map_or(2_000, |count| count.parse().expect("a number of configs")));
}
