//! The cores that jobs run on.
//!
//! Two jobs on the two hardware threads of one core, or one that migrates between cores, take longer than each
//! alone. If the machine reports its cores, jobs at the same time get different ones.

use std::fs;

use rustix::io::Errno;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use thiserror::Error;

mod claim;

pub use claim::{ClaimedCores, claim};

/// The limit of processor numbers. Processors from this number on are not used, since the kernel's set cannot hold
/// them.
pub const MAX_PROCESSORS: usize = CpuSet::MAX_CPU;

/// The reason why jobs cannot have cores of their own.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CoresError {
    /// There are fewer cores than jobs.
    #[error(
        "{parallel} jobs at a time on {cores} cores: they share cores, and the times of each \
         include work of the others; ask for {cores} or fewer"
    )]
    TooFew {
        /// The requested number of jobs at a time.
        parallel: usize,
        /// The number of cores that this process may use.
        cores: usize,
    },
    /// The system does not report the cores, or refuses the choice.
    #[error("jobs cannot be kept on cores of their own: {0}")]
    Refused(#[from] Errno),
}

/// Returns the processors that this process may use. The first ones are on different cores; then the second
/// hardware threads of these follow, and so on.
///
/// # Errors
///
/// The system does not report them.
pub fn usable() -> Result<Vec<usize>, CoresError> {
    Ok(spread_over_cores(allowed()?, siblings))
}

fn allowed() -> Result<Vec<usize>, CoresError> {
    let set = sched_getaffinity(None)?;
    Ok((0..MAX_PROCESSORS).filter(|&processor| set.is_set(processor)).collect())
}

fn siblings(processor: usize) -> Option<String> {
    let folder = format!("/sys/devices/system/cpu/cpu{processor}/topology");
    fs::read_to_string(format!("{folder}/thread_siblings_list")).ok()
}

/// Returns `processors`, if there is one for each of `parallel` jobs.
fn enough(processors: Vec<usize>, parallel: usize) -> Result<Vec<usize>, CoresError> {
    let cores = processors.len();
    if parallel > cores { Err(CoresError::TooFew { parallel, cores }) } else { Ok(processors) }
}

/// Binds the calling thread, and all threads and processes that it starts from now on, to a processor.
///
/// # Errors
///
/// The processor does not exist, or may not be used.
pub fn pin(processor: usize) -> Result<(), CoresError> {
    let mut one = CpuSet::new();
    if processor >= MAX_PROCESSORS {
        return Err(Errno::INVAL.into());
    }
    one.set(processor);
    Ok(sched_setaffinity(None, &one)?)
}

/// Orders processors by the number of earlier processors on the same core. `siblings` returns the processors on the
/// same core, as the kernel writes them; a processor without them is a core of its own.
fn spread_over_cores(
    processors: Vec<usize>,
    siblings: impl Fn(usize) -> Option<String>,
) -> Vec<usize> {
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
        assert_eq!(spread_over_cores((0..8).collect(), pairs), [0, 1, 2, 3, 4, 5, 6, 7]);
        let neighbours = |processor: usize| Some(format!("{}-{}\n", processor & !1, processor | 1));
        assert_eq!(spread_over_cores((0..8).collect(), neighbours), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert_eq!(spread_over_cores(vec![1, 2, 3, 7], neighbours), [1, 2, 7, 3]);
        assert_eq!(spread_over_cores(vec![5, 6], |_| None), [5, 6]);
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
        // A separate thread, so that no other thread is bound.
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
