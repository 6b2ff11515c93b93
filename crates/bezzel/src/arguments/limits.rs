//! The limits of a command.

use std::time::Duration;

use clap::Args;

use super::quantity::{limit, memory};
use crate::limited::Limits;

/// The limits of a command. They hold in each of its phases.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArguments {
    /// The memory limit, as in 512MiB; at the limit the command ends with exit code 3
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = memory)]
    pub(crate) memory: u64,
    /// The time limit by the clock, from the start of the command on: a number of seconds, or with a unit, as in 90s,
    /// 10min or 1h; at the limit it ends with exit code 3. There is no limit if it is not given
    #[arg(long, value_name = "TIME", value_parser = limit)]
    pub(crate) timeout: Option<Duration>,
}

impl LimitArguments {
    /// The limits, with the options that raise them.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            memory_bytes: self.memory,
            own_bytes: 0,
            wall: self.timeout.map(|timeout| (timeout, "--timeout")),
        }
    }
}
