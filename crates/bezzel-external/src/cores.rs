//! Which cores jobs run on.
//!
//! Two jobs on the two halves of one core, or one that wanders from core to core, take longer than
//! each alone. Where a machine tells its cores apart, jobs at the same time get different ones.

use std::fs;

use rustix::io::Errno;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use thiserror::Error;

mod claim;

pub use claim::{Claim, claim};

/// Processors with this number and above are not used: a set of the kernel has no room for them.
pub const MOST: usize = CpuSet::MAX_CPU;

/// Jobs cannot have cores of their own.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CoresError {
    /// There are fewer cores than jobs.
    #[error(
        "{parallel} jobs at a time on {cores} cores: they share cores, and their times tell what \
         the others did as well; ask for {cores} or fewer"
    )]
    TooFew {
        /// How many jobs were to run at a time.
        parallel: usize,
        /// How many cores this process may use.
        cores: usize,
    },
    /// The system does not say, or does not let us choose.
    #[error("jobs cannot be kept on cores of their own: {0}")]
    Refused(#[from] Errno),
}

/// The processors that this process may use, so that the first ones are on different cores; then
/// the second halves of these, and so on.
///
/// # Errors
///
/// When the system does not say.
pub fn usable() -> Result<Vec<usize>, CoresError> {
    Ok(apart(allowed()?, siblings))
}

fn allowed() -> Result<Vec<usize>, CoresError> {
    let set = sched_getaffinity(None)?;
    Ok((0..MOST).filter(|&processor| set.is_set(processor)).collect())
}

fn siblings(processor: usize) -> Option<String> {
    let folder = format!("/sys/devices/system/cpu/cpu{processor}/topology");
    fs::read_to_string(format!("{folder}/thread_siblings_list")).ok()
}

/// These processors, if there is one for each of `parallel` jobs.
fn enough(processors: Vec<usize>, parallel: usize) -> Result<Vec<usize>, CoresError> {
    let cores = processors.len();
    if parallel > cores { Err(CoresError::TooFew { parallel, cores }) } else { Ok(processors) }
}

/// Keeps the calling thread on a processor, and whoever it starts from now on.
///
/// # Errors
///
/// When there is no such processor, or it may not be used.
pub fn pin(processor: usize) -> Result<(), CoresError> {
    let mut one = CpuSet::new();
    if processor >= MOST {
        return Err(Errno::INVAL.into());
    }
    one.set(processor);
    Ok(sched_setaffinity(None, &one)?)
}

/// Orders processors by how many of their core come before them. `siblings` tells which ones are
/// on the same core, as the kernel writes it; who has none told is a core of its own.
fn apart(processors: Vec<usize>, siblings: impl Fn(usize) -> Option<String>) -> Vec<usize> {
    let mut seen: Vec<String> = Vec::new();
    // Pairs: the number of earlier processors on the same core, and the processor.
    let mut ranked: Vec<(usize, usize)> = Vec::new();
    for processor in processors {
        let core = siblings(processor).unwrap_or_else(|| processor.to_string());
        ranked.push((seen.iter().filter(|known| **known == core).count(), processor));
        seen.push(core);
    }
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, processor)| processor).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_cores_come_before_second_halves() {
        let pairs = |processor: usize| Some(format!("{},{}\n", processor % 4, processor % 4 + 4));
        assert_eq!(apart((0..8).collect(), pairs), [0, 1, 2, 3, 4, 5, 6, 7]);
        let neighbours = |processor: usize| Some(format!("{}-{}\n", processor & !1, processor | 1));
        assert_eq!(apart((0..8).collect(), neighbours), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert_eq!(apart(vec![1, 2, 3, 7], neighbours), [1, 2, 7, 3]);
        assert_eq!(apart(vec![5, 6], |_| None), [5, 6]);
    }

    #[test]
    fn as_many_jobs_as_processors_have_one_each_and_no_more() {
        let usable = usable().unwrap();
        assert_eq!(usable.len(), std::thread::available_parallelism().unwrap().get());
        assert_eq!(enough(usable.clone(), usable.len()).unwrap(), usable);
        let error = enough(usable.clone(), usable.len() + 1).unwrap_err();
        let too_few = CoresError::TooFew { parallel: usable.len() + 1, cores: usable.len() };
        assert_eq!(error, too_few);
    }

    #[test]
    fn a_pinned_thread_and_its_children_stay_on_one_processor() {
        let last = *usable().unwrap().last().unwrap();
        // A thread of its own: others are not to be bound.
        let thread = std::thread::spawn(move || {
            pin(last).unwrap();
            let shown = std::process::Command::new("/bin/sh")
                .args(["-c", "grep Cpus_allowed_list /proc/self/status"])
                .output()
                .unwrap();
            (usable().unwrap(), String::from_utf8(shown.stdout).unwrap())
        });
        let (own, shown) = thread.join().unwrap();
        assert_eq!(own, [last]);
        assert_eq!(shown, format!("Cpus_allowed_list:\t{last}\n"));
        assert!(pin(1 << 20).is_err() && pin(CpuSet::MAX_CPU - 1).is_err());
    }
}
