//! External command lines whose output is read as a whole: encoders and version commands.
//!
//! They run under the supervisor, as solvers do, so the limits include every process that they start, and no process
//! is left when they have ended. Their input and output are files in memory. These files are removed when this
//! process ends, in any way.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::{env, process};

use bezzel_process::{ExternalError, SoftLimits, Supervised, SupervisedOutcome};
use rustix::fs::{MemfdFlags, memfd_create};

use crate::model::permission::Permitted;

/// A command line with its input and its limits.
pub(crate) struct SupervisedCommand<'a> {
    /// The line, for `/bin/sh`.
    pub(crate) line: Permitted<'a>,
    /// The names of the variables that it inherits from this process's environment.
    pub(crate) environment: &'a [&'a str],
    /// Its standard input.
    pub(crate) input: &'a [u8],
    /// The limits of the command line and all processes that it starts, together.
    pub(crate) limits: SoftLimits,
    /// The largest number of bytes on its standard output, and on its standard error.
    pub(crate) output_bytes: u64,
}

impl SupervisedCommand<'_> {
    /// Runs the line to its end. Returns its resource usage and its standard output when no process of it is left.
    pub(crate) fn run(&self) -> Result<(SupervisedOutcome, Vec<u8>), ExternalError> {
        let failed = |reason| ExternalError::Start { program: self.line.text().to_owned(), reason };
        let mut input = in_memory().map_err(failed)?;
        input.write_all(self.input).map_err(failed)?;
        let mut output = in_memory().map_err(failed)?;
        let given = |name: &&str| Some((OsString::from(*name), env::var_os(name)?));
        let line = format!("exec < {}\n{}", path_of(&input).display(), self.line.text());
        let directory = env::current_dir().map_err(failed)?;
        let account = Supervised {
            supervisor: supervisor(),
            environment: self.environment.iter().filter_map(given).collect(),
            output_bytes: self.output_bytes,
            error_bytes: self.output_bytes,
            ..self.line.supervised(line, directory, self.limits, path_of(&output))
        }
        .run(None)?;
        let mut stdout = Vec::new();
        output.rewind().and_then(|()| output.read_to_end(&mut stdout)).map_err(failed)?;
        Ok((account, stdout))
    }
}

fn in_memory() -> io::Result<File> {
    Ok(memfd_create("bezzel", MemfdFlags::CLOEXEC)?.into())
}

/// A name by which other processes open the file from its beginning.
fn path_of(file: &File) -> PathBuf {
    format!("/proc/{}/fd/{}", process::id(), file.as_raw_fd()).into()
}

/// Returns the path of the supervisor: this program.
#[cfg(not(test))]
fn supervisor() -> PathBuf {
    "/proc/self/exe".into()
}

/// Returns the path of an example program, since the tests of this crate cannot supervise.
#[cfg(test)]
fn supervisor() -> PathBuf {
    let test = env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join("examples/supervisor");
    assert!(path.exists(), "build the examples first: cargo build -p bezzel-experiment --examples");
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::permission::Permission;

    const AMPLE: SoftLimits = SoftLimits { cpu_s: 600.0, wall_s: 600.0, memory_bytes: 1 << 30 };

    #[test]
    fn a_command_line_reads_its_input_and_its_output_is_kept() {
        let input: Vec<u8> = (0..1_000_000_u32).map(|number| (number % 251) as u8).collect();
        let command = SupervisedCommand {
            line: Permission::everything().permit("cat; echo words >&2").unwrap(),
            environment: &["PATH"],
            input: &input,
            limits: AMPLE,
            output_bytes: 1 << 20,
        };
        let (account, stdout) = command.run().unwrap();
        assert!(stdout == input);
        assert_eq!(account.stderr.text(), "words\n");
        assert_eq!(account.stopped, None);
    }
}
