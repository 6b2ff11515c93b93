//! Command lines as programs, inside fences.
//!
//! A program of somebody else's does not limit itself. The shell that runs its command line does
//! so before, so that everything that it starts is inside the fences from its beginning; limits
//! that were put on a running process would miss what it had started until then.

use std::time::Duration;

use rustix::process::{Resource, getrlimit};

use crate::limits::Fences;
use crate::program::Program;

impl Program {
    /// The command line, as `/bin/sh` understands it, inside these fences.
    pub fn shell(command: &str, fences: &Fences, wall: Duration) -> Self {
        // A limit that this process came with cannot be widened.
        let within = |resource, fence: u64, unit: u64| {
            fence.min(getrlimit(resource).maximum.unwrap_or(u64::MAX)) / unit
        };
        // Beyond what shells take for a number there is nothing to limit.
        let word = |limit: u64| match i64::try_from(limit) {
            Ok(limit) => limit.to_string(),
            Err(_) => "unlimited".to_owned(),
        };
        // The shell counts memory in KiB.
        let memory = word(within(Resource::Data, fences.memory_bytes, 1024));
        let cpu = word(within(Resource::Cpu, fences.cpu_s, 1));
        let cpu_hard = word(within(Resource::Cpu, fences.cpu_s.saturating_add(1), 1));
        let script = format!(
            "ulimit -c 0; ulimit -d {memory}; ulimit -S -t {cpu}; ulimit -H -t {cpu_hard}; \
             {command}"
        );
        Self { args: vec!["-c".into(), script.into()], ..Self::new("/bin/sh", wall) }
    }
}
