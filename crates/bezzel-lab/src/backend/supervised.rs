//! External command lines whose output is read whole: encoders and version commands.
//!
//! They run under the supervisor, as solvers do, so that limits hold for everything that they start, and
//! nothing of it is left when they have ended. Their input and output are files in memory, which go with
//! this process however it ends.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::path::PathBuf;
use std::{env, process};

use bezzel_external::{Account, ExternalError, SoftLimits, Supervised};
use rustix::fs::{MemfdFlags, memfd_create};

use crate::model::permission::Permitted;

/// A command line, and all that it may use.
pub(crate) struct Command<'a> {
    /// The line, as `/bin/sh` reads it.
    pub(crate) line: Permitted<'a>,
    /// The variables that it gets of this process's environment.
    pub(crate) environment: &'a [&'a str],
    /// Its standard input.
    pub(crate) input: &'a [u8],
    /// The limits of the command line and all that it starts, together.
    pub(crate) limits: SoftLimits,
    /// The most bytes that it may write to its standard output, and to its standard error.
    pub(crate) output_bytes: u64,
}

impl Command<'_> {
    /// Runs the line to its end. Returns what it used and what it wrote to its standard output, when
    /// nothing of it is left.
    pub(crate) fn run(&self) -> Result<(Account, Vec<u8>), ExternalError> {
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

/// The program that supervises: this one.
#[cfg(not(test))]
fn supervisor() -> PathBuf {
    "/proc/self/exe".into()
}

/// The tests of this crate are no program that can supervise.
#[cfg(test)]
fn supervisor() -> PathBuf {
    let test = env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join("examples/supervisor");
    assert!(path.exists(), "build the examples first: cargo build -p bezzel-lab --examples");
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
        let command = Command {
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
