//! Claims on cores: several runners on one machine take different cores, as long as free ones are left.
//!
//! A claim is a lock on a file, which ends with the process that holds it. It affects only runners of this project
//! that see the same folder for such files.

use std::collections::HashSet;
use std::env;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::{FlockOperation, OFlags, flock};

use super::{CoresError, enough, siblings, usable};

/// Processors for jobs at the same time, each on a core of its own as long as free ones are left.
#[derive(Debug, Default)]
pub struct ClaimedCores {
    /// The processors.
    pub processors: Vec<usize>,
    /// True if another runner claims some of them too, since there are not enough.
    pub shared: bool,
    /// The locks that keep other runners away.
    _locks: Vec<File>,
}

/// Claims a processor for each of `parallel` jobs, on different cores as long as free ones are left. Processors on
/// cores that another runner on this machine has claimed come last.
///
/// # Errors
///
/// There are fewer processors, or the system does not report them. Jobs can still run without cores of their own.
pub fn claim(parallel: usize) -> Result<ClaimedCores, CoresError> {
    // The folder for temporary files may differ between tasks.
    let shared = Path::new("/dev/shm");
    let folder = if shared.is_dir() { shared.to_owned() } else { env::temp_dir() };
    Ok(claim_in(&folder, enough(usable()?, parallel)?, parallel, core))
}

/// Returns the core of a processor, identified by the first of its processors.
fn core(processor: usize) -> usize {
    let first = siblings(processor).and_then(|list| {
        list.split(|c: char| !c.is_ascii_digit()).next().and_then(|first| first.parse().ok())
    });
    first.unwrap_or(processor)
}

/// Claims `parallel` of these processors, in this order, by files in a folder, one for each core.
fn claim_in(
    folder: &Path,
    processors: Vec<usize>,
    parallel: usize,
    core: impl Fn(usize) -> usize,
) -> ClaimedCores {
    let (mut locks, mut own, mut taken) = (Vec::new(), Vec::new(), Vec::new());
    let mut cores = HashSet::new();
    for processor in processors {
        if own.len() == parallel {
            break;
        }
        let core = core(processor);
        if cores.contains(&core) {
            own.push(processor);
            continue;
        }
        match lock(&folder.join(format!("bezzel-core-{core}.lock"))) {
            Lock::Held(file) => {
                cores.insert(core);
                locks.push(file);
                own.push(processor);
            }
            // If claims are impossible, the processor counts as free.
            Lock::Impossible => own.push(processor),
            Lock::Taken => taken.push(processor),
        }
    }
    let missing = parallel - own.len();
    own.extend(taken.into_iter().take(missing));
    ClaimedCores { processors: own, shared: missing > 0, _locks: locks }
}

enum Lock {
    Held(File),
    Taken,
    Impossible,
}

fn lock(path: &Path) -> Lock {
    // Any user may put a link or a FIFO in its place.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let open = |options: &mut OpenOptions| options.custom_flags(flags).open(path);
    let opened = open(OpenOptions::new().create(true).truncate(false).write(true));
    // The file may belong to another user and be read-only for us.
    let Ok(file) = opened.or_else(|_| open(OpenOptions::new().read(true))) else {
        return Lock::Impossible;
    };
    match flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Lock::Held(file),
        Err(rustix::io::Errno::WOULDBLOCK) => Lock::Taken,
        Err(_) => Lock::Impossible,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runners_beside_each_other_have_different_processors_until_none_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let claim =
            |parallel| claim_in(folder.path(), vec![0, 2, 1, 3], parallel, |processor| processor);
        let first = claim(2);
        assert_eq!((&first.processors[..], first.shared), (&[0, 2][..], false));
        let second = claim(1);
        assert_eq!((&second.processors[..], second.shared), (&[1][..], false));
        let third = claim(3);
        assert_eq!((&third.processors[..], third.shared), (&[3, 0, 2][..], true));
        drop((first, third));
        let fourth = claim(3);
        assert_eq!((&fourth.processors[..], fourth.shared), (&[0, 2, 3][..], false));
    }

    #[test]
    fn the_second_half_of_a_core_that_another_has_claimed_is_not_free() {
        let folder = tempfile::tempdir().unwrap();
        let claim = |parallel| claim_in(folder.path(), vec![0, 1, 4, 5], parallel, |one| one % 4);
        let first = claim(1);
        assert_eq!((&first.processors[..], first.shared), (&[0][..], false));
        let second = claim(2);
        assert_eq!((&second.processors[..], second.shared), (&[1, 5][..], false));
        let third = claim(1);
        assert_eq!((&third.processors[..], third.shared), (&[0][..], true));
    }

    #[test]
    fn without_claims_no_runner_waits_for_one() {
        let nowhere = Path::new("/proc/no-such-folder");
        let claims = [(); 2].map(|()| claim_in(nowhere, vec![5, 7], 1, |processor| processor));
        assert!(claims.iter().all(|claim| claim.processors == [5] && !claim.shared));
    }
}
