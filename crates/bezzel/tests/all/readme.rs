//! The constraint file of README.md states what its comments state.

use std::fs;
use std::path::{Path, PathBuf};

use bezzel_problem::{Instance, ProblemFile, Search};

/// The path of the constraint file below the root of the repository.
const SAMPLE: &str = "configs/instances/roster.opb";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The number of rosters that the comments of the sample permit; its constraints are not read. The nurses of a day are
/// the bits of a number: nurse i + 1 is bit i.
fn rosters() -> u64 {
    let days: Vec<u32> = (0..1 << 6)
        .filter(|&day: &u32| day.count_ones() == 3 && day & 0b11 != 0b11 && day >> 4 != 0)
        .collect();
    let mut number = 0;
    let mut weeks: Vec<Vec<u32>> = vec![Vec::new()];
    while let Some(week) = weeks.pop() {
        let is_allowed = (0..6_u32).all(|nurse| {
            let works: Vec<bool> = week.iter().map(|&day| (day >> nurse) & 1 == 1).collect();
            works.iter().filter(|&&works| works).count() <= 3
                && !works.windows(3).any(|three| three.iter().all(|&works| works))
        });
        if !is_allowed {
            continue;
        }
        if week.len() == 5 {
            number += 1;
            continue;
        }
        weeks.extend(days.iter().map(|&day| [&week[..], &[day]].concat()));
    }
    number
}

#[test]
fn the_sample_states_what_its_comments_state() {
    let bytes = fs::read(root().join(SAMPLE)).unwrap();
    let instance = Instance::from(ProblemFile::read("roster.opb", None, bytes).unwrap());
    let found = Search::new(&instance.problem()).count(u64::MAX).unwrap();
    assert_eq!((found, rosters()), (13_320, 13_320));
}
