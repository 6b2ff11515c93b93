//! The cores that jobs run on, and the claims on them: runners on one machine take different cores.
//!
//! Two jobs on the two hardware threads of one core, or one that migrates between cores, take longer than each alone. If
//! the machine reports its cores, jobs at the same time get different ones.
//!
//! A claim is a lock on a file, which ends with the process that holds it. It affects only runners of this project that
//! see the same folder for such files.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::thread;
use std::time::Duration;

use rustix::fs::OFlags;
use rustix::io::Errno;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The limit of processor numbers. Processors from this number on are not used, since the kernel's set cannot hold
/// them.
pub const MAX_PROCESSORS: usize = CpuSet::MAX_CPU;

/// The number of times that a lock is asked for, and the time between two of them.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(5);

/// The folder of the locks. All users see it, and all tasks of a cluster on one machine.
const LOCKS: &str = "/dev/shm";

/// Processors for jobs at the same time, each on a core of its own as long as free ones are left.
#[derive(Debug, Default)]
pub struct ClaimedCores {
    /// The processors; none if jobs cannot have processors of their own.
    pub processors: Vec<usize>,
    /// The text of a warning if jobs share cores with each other or with another runner.
    pub warning: Option<String>,
    /// The cores, with the locks that keep other runners away.
    locks: Vec<(usize, Option<File>)>,
}

/// Returns the processors that this process may use.
///
/// # Errors
///
/// The system does not report them.
pub fn usable() -> Result<Vec<usize>, Errno> {
    let set = sched_getaffinity(None)?;
    Ok((0..MAX_PROCESSORS).filter(|&processor| set.is_set(processor)).collect())
}

/// Binds the calling thread, and all threads and processes that it starts from now on, to a processor.
///
/// # Errors
///
/// The processor does not exist, or may not be used.
pub fn pin(processor: usize) -> Result<(), Errno> {
    if processor >= MAX_PROCESSORS {
        return Err(Errno::INVAL);
    }
    let mut one = CpuSet::new();
    one.set(processor);
    sched_setaffinity(None, &one)
}

/// Claims a processor for each of `parallel` jobs, on different cores as long as free ones are left. Second hardware
/// threads of own cores follow; processors on cores that another runner on this machine has claimed come last.
pub fn claim(parallel: usize) -> ClaimedCores {
    let warning = shared(parallel);
    if warning.is_some() {
        return ClaimedCores { warning, ..ClaimedCores::default() };
    }
    let processors: Vec<_> =
        usable().unwrap_or_default().iter().map(|&one| (one, core(one))).collect();
    claim_in(Path::new(LOCKS), &processors, parallel)
}

/// The text of a warning if this machine has fewer cores than jobs at a time.
pub fn shared(parallel: usize) -> Option<String> {
    let cores = usable().unwrap_or_default().len();
    (parallel > cores).then(|| {
        format!(
            "{parallel} jobs at a time on {cores} cores: they share cores, and the times of each include work of the \
             others; ask for {cores} or fewer"
        )
    })
}

/// Returns the core of a processor, identified by the first of its processors.
fn core(processor: usize) -> usize {
    let file = format!("/sys/devices/system/cpu/cpu{processor}/topology/thread_siblings_list");
    let list = fs::read_to_string(file).unwrap_or_default();
    let first = list.split(|c: char| !c.is_ascii_digit()).next();
    first.and_then(|first| first.parse().ok()).unwrap_or(processor)
}

/// Claims `parallel` of these processors, each beside its core, by files in a folder, one for each core.
fn claim_in(folder: &Path, processors: &[(usize, usize)], parallel: usize) -> ClaimedCores {
    let (mut claimed, mut halves, mut taken) = (ClaimedCores::default(), vec![], vec![]);
    for &(processor, core) in processors {
        if claimed.locks.iter().any(|(known, _)| *known == core) {
            halves.push(processor);
        } else if claimed.processors.len() < parallel {
            if let Ok(file) = lock(&folder.join(format!("bezzel-core-{core}.lock"))) {
                claimed.processors.push(processor);
                claimed.locks.push((core, file));
            } else {
                taken.push(processor);
            }
        }
    }
    claimed.warning = (claimed.processors.len() + halves.len() < parallel)
        .then(|| "other runs on this machine use the same cores, which affects times".to_owned());
    claimed.processors.extend(halves.into_iter().chain(taken));
    claimed.processors.truncate(parallel);
    claimed
}

/// Locks a file; `None` if that is impossible, and the core counts as free. Fails if another runner has the lock.
fn lock(path: &Path) -> Result<Option<File>, TryLockError> {
    // Any user may put a link or a FIFO in its place. The file may belong to another user and be read-only for us.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let open = |options: &mut OpenOptions| options.custom_flags(flags).open(path);
    let opened = open(OpenOptions::new().create(true).truncate(false).write(true));
    let Ok(file) = opened.or_else(|_| open(OpenOptions::new().read(true))) else { return Ok(None) };
    for _ in 0..TRIES {
        match file.try_lock() {
            // A process that was forked and has not begun its program holds a lock that its parent gave up.
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
            locked => return Ok(locked.is_ok().then_some(file)),
        }
    }
    Err(TryLockError::WouldBlock)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The processors beside their cores.
    fn on(processors: &[usize], core: fn(usize) -> usize) -> Vec<(usize, usize)> {
        processors.iter().map(|&processor| (processor, core(processor))).collect()
    }

    #[test]
    fn different_cores_come_before_second_halves() {
        let folder = tempfile::tempdir().unwrap();
        let claimed = |processors: &[usize], parallel, core: fn(usize) -> usize| {
            claim_in(folder.path(), &on(processors, core), parallel).processors
        };
        let all = [0, 1, 2, 3, 4, 5, 6, 7];
        assert_eq!(claimed(&all, 8, |processor| processor % 4), all);
        assert_eq!(claimed(&all, 8, |processor| processor & !1), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert_eq!(claimed(&all, 3, |processor| processor & !1), [0, 2, 4]);
        assert_eq!(claimed(&[1, 2, 3, 7], 4, |processor| processor & !1), [1, 2, 7, 3]);
    }

    #[test]
    fn as_many_jobs_as_processors_have_one_each_and_no_more() {
        let usable = usable().unwrap();
        assert_eq!(usable.len(), std::thread::available_parallelism().unwrap().get());
        let mut all = claim(usable.len()).processors;
        all.sort_unstable();
        assert_eq!(all, usable);
        let none = claim(usable.len() + 1);
        assert!(none.processors.is_empty() && none.warning.is_some(), "{none:?}");
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

    #[test]
    fn runners_beside_each_other_have_different_processors_until_none_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let processors = on(&[0, 2, 1, 3], |processor| processor);
        let claim = |parallel| claim_in(folder.path(), &processors, parallel);
        let first = claim(2);
        assert_eq!((&first.processors[..], first.warning.is_some()), (&[0, 2][..], false));
        let second = claim(1);
        assert_eq!((&second.processors[..], second.warning.is_some()), (&[1][..], false));
        let third = claim(3);
        assert_eq!((&third.processors[..], third.warning.is_some()), (&[3, 0, 2][..], true));
        drop((first, third));
        let fourth = claim(3);
        assert_eq!((&fourth.processors[..], fourth.warning.is_some()), (&[0, 2, 3][..], false));
    }

    #[test]
    fn the_second_half_of_a_core_that_another_has_claimed_is_not_free() {
        let folder = tempfile::tempdir().unwrap();
        let processors = on(&[0, 1, 4, 5], |processor| processor % 4);
        let claim = |parallel| claim_in(folder.path(), &processors, parallel);
        let first = claim(1);
        assert_eq!((&first.processors[..], first.warning.is_some()), (&[0][..], false));
        let second = claim(2);
        assert_eq!((&second.processors[..], second.warning.is_some()), (&[1, 5][..], false));
        let third = claim(1);
        assert_eq!((&third.processors[..], third.warning.is_some()), (&[0][..], true));
    }

    #[test]
    fn without_claims_no_runner_waits_for_one() {
        let nowhere = Path::new("/proc/no-such-folder");
        let claims = [(); 2].map(|()| claim_in(nowhere, &[(5, 5), (7, 7)], 1));
        assert!(claims.iter().all(|claim| claim.processors == [5] && claim.warning.is_none()));
    }
}
