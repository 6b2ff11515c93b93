//! Shards: the parts of an experiment that several machines run.

use std::fmt;
use std::num::ParseIntError;
use std::str::FromStr;

use bezzel_encode::Numbering;
use thiserror::Error;

use crate::model::job::Job;

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
    /// Returns true if the job belongs to the shard.
    pub fn has(self, job: &Job) -> bool {
        Self::number_of(job, self.of) == self.number
    }

    /// Returns the number of the shard of a job, if there are `of` shards.
    ///
    /// All arms of a comparison belong to one shard, so that one machine measures them: the instance, the seeds of the
    /// numbering and the number of the repetition decide. Existing rows, limits and versions make no difference.
    pub fn number_of(job: &Job, of: u32) -> u32 {
        let Numbering { variables, literals, clauses, .. } = job.numbering;
        // Configs before 1.0.0 could state a third seed, that of polarity. Its place stays, so that shards are cut as before.
        let seeds = (variables, literals, None::<u64>, clauses);
        let identity = job.instance.identity();
        let instance = identity.as_ref().unwrap_or(&job.instance);
        let text =
            serde_json::to_string(&(instance, seeds, job.repeat)).expect("it has string keys only");
        let hash = blake3::hash(text.as_bytes());
        let bytes = hash.as_bytes().first_chunk().expect("a hash has 32 bytes");
        1 + (u64::from_le_bytes(*bytes) % u64::from(of)) as u32
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use bezzel_problem::kind::pigeonhole::Pigeonhole;

    use super::*;
    use crate::backend::catalog::Catalog;
    use crate::config::Config;
    use crate::model::job::{Limits, PlannedJob};
    use crate::plan::Plan;

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
    fn every_job_is_in_one_shard_and_all_arms_on_an_instance_are_in_the_same() {
        let text = "name: t\nproblems: [{pigeonhole: {pigeons: 4..23}}]\nencodings: [pairwise, product, tree]\n\
                    solvers: [batsat, cadical]\nnumberings: [{random: {shuffles: 5}}]\nrepeats: 2\n";
        let catalog = Catalog::of_tests();
        let plan = Plan::new(&Config::parse(text, "a test", &catalog).unwrap(), &catalog).unwrap();
        for of in [1, 2, 7, 40] {
            let mut shards: HashMap<String, u32> = HashMap::new();
            let mut sizes = vec![0; of as usize];
            for PlannedJob { job, .. } in &plan.jobs {
                let of_job = (1..=of).filter(|&number| Shard { number, of }.has(job));
                let [number] = of_job.collect::<Vec<_>>()[..] else { panic!("one shard of {of}") };
                let replicate = format!("{} {:?} {}", job.instance, job.numbering, job.repeat);
                assert_eq!(*shards.entry(replicate).or_insert(number), number);
                sizes[number as usize - 1] += 1;
            }
            // 200 replicates of 6 jobs: each shard has some.
            assert_eq!(shards.len(), 200);
            assert!(sizes.iter().all(|size| size % 6 == 0 && *size > 0), "{sizes:?}");
        }
    }

    #[test]
    fn the_shard_of_a_job_does_not_change_with_its_arm_and_limits() {
        let limits = Limits { cpu_s: 1.0, wall_s: 2.0, memory_bytes: 1 << 30, nodes: None };
        let job = Job::solving(Pigeonhole::new(9, 8).unwrap().into(), "product", "batsat", limits);
        let other = Job { encoding: "tree".into(), solver: "cadical".into(), ..job.clone() };
        let higher = Job { limits: Limits { cpu_s: 9.0, ..limits }, ..job.clone() };
        for number in 1..=64 {
            let shard = Shard { number, of: 64 };
            assert_eq!([shard.has(&other), shard.has(&higher)], [shard.has(&job); 2]);
        }
    }
}
