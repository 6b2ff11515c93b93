//! Shards: the parts of an experiment that several machines run.
//!
//! A shard consists of some jobs of the plan, in its order. The jobs of a round, which are compared with each other,
//! stay together as far as possible, so that they are measured on one machine.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use thiserror::Error;

use crate::model::job::Key;
use crate::model::job::PlannedJob;
use crate::plan::Plan;

mod cut;
mod expected;

use cut::cut;
pub(crate) use expected::ExpectedTimes;
pub use expected::RemainingTime;

/// The largest number of shards of an experiment.
pub const MAX_SHARDS: u32 = 99_999;

/// A shard of an experiment, as in `3/16`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shard {
    /// Its number, counted from 1.
    pub number: u32,
    /// The number of shards.
    pub of: u32,
}

/// The text is not a shard.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{written}` is not a shard: write its number and the number of shards, as in 3/16, from 1/1 \
     to 1/{MAX_SHARDS}"
)]
pub struct NoShard {
    written: String,
}

impl FromStr for Shard {
    type Err = NoShard;

    fn from_str(written: &str) -> Result<Self, NoShard> {
        let read = || -> Result<Option<Self>, ParseIntError> {
            let Some((number, of)) = written.split_once('/') else { return Ok(None) };
            Ok(Some(Self { number: number.parse()?, of: of.parse()? }))
        };
        let shard = read().ok().flatten();
        let fits = |shard: &Self| (1..=shard.of).contains(&shard.number) && shard.of <= MAX_SHARDS;
        shard.filter(fits).ok_or_else(|| NoShard { written: written.to_owned() })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Shard {
    /// Returns the jobs of the shard in a plan. The same jobs in the same rounds give the same shards, independent of
    /// existing rows and of the order of jobs within a round.
    pub fn jobs(self, plan: Plan) -> Vec<PlannedJob> {
        let mut parts = parts(&plan, self.of);
        let mine: HashSet<usize> =
            parts.swap_remove(self.number as usize - 1).into_iter().collect();
        let numbered = plan.jobs.into_iter().enumerate();
        numbered.filter(|(place, _)| mine.contains(place)).map(|(_, job)| job).collect()
    }
}

/// Returns the number of the shard of each job, if there are `of` shards.
pub fn shards_of_keys(plan: &Plan, of: u32) -> HashMap<&Key, u32> {
    let numbered = (1..).zip(parts(plan, of));
    let jobs = &plan.jobs;
    let keys = |(number, part): (u32, Vec<usize>)| {
        part.into_iter().map(move |place| (&jobs[place].key, number))
    };
    numbered.flat_map(keys).collect()
}

/// Returns the places of the jobs of `of` shards. The division depends only on the keys and on the sizes of instances: a
/// larger instance takes longer, by an unknown factor.
fn parts(plan: &Plan, of: u32) -> Vec<Vec<usize>> {
    let mut places: Vec<usize> = (0..plan.jobs.len()).collect();
    for round in plan.rounds() {
        places[round.clone()].sort_unstable_by_key(|&place| &plan.jobs[place].key);
    }
    let weight = |&place: &usize| f64::from(plan.jobs[place].job.instance.size()).powi(3);
    let weights: Vec<f64> = places.iter().map(weight).collect();
    let mut parts = cut(&weights, plan.rounds(), of as usize);
    for part in &mut parts {
        for place in &mut *part {
            *place = places[*place];
        }
        part.sort_unstable();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::catalog::Catalog;
    use crate::config::Config;

    #[test]
    fn a_shard_is_a_number_out_of_a_total() {
        assert_eq!("3/16".parse(), Ok(Shard { number: 3, of: 16 }));
        assert_eq!(Shard { number: 3, of: 16 }.to_string(), "3/16");
        for wrong in ["", "3", "0/4", "5/4", "-1/4", "1/0", "1/100000", "a/b", "1/2/3", " 1/2"] {
            let error = wrong.parse::<Shard>().unwrap_err();
            assert!(error.to_string().contains(wrong), "{error}");
        }
    }

    #[test]
    fn the_plan_of_a_record_is_cut_as_the_plan_of_a_run() {
        let text = "name: t\nproblems: [{pigeonhole: {pigeons: [4, 6, 9]}}]\nencodings: [pairwise, product, tree]\n\
                    solvers: [batsat, cadical]\nnumberings: [{random: {shuffles: 5}}]\n";
        let catalog = Catalog::of_tests();
        let config = Config::parse(text, "a test", &catalog).unwrap();
        let plan = Plan::new(&config, &catalog).unwrap();
        let record = Plan::of_record(&config, &catalog, std::iter::empty()).unwrap();
        assert_ne!(plan.jobs, record.jobs, "a run is shuffled");
        for of in [1, 2, 7, 40] {
            let shards = shards_of_keys(&record, of);
            assert_eq!(shards.len(), plan.jobs.len());
            for number in 1..=of {
                let jobs = Shard { number, of }.jobs(plan.clone());
                assert!(jobs.iter().all(|job| shards[&job.key] == number), "{number}/{of}");
            }
        }
    }
}
