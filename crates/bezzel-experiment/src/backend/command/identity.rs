//! The identity of the program that a command line runs: its path, its version, its digest.
//!
//! The identity is determined once in each process. A worker process determines it again and compares it with the
//! planned one.

use std::collections::HashMap;
use std::env;
use std::fmt;
use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bezzel_process::{Exit, SoftLimits};
use serde::{Deserialize, Serialize};

use super::invocation::{Invocation, program, unquoted};
use super::preset::{DRAT_TRIM_PACKAGE, Preset, VERIPB, VERIPB_PACKAGE};
use crate::backend::supervised;
use crate::model::permission::Permission;
use crate::results::input;

/// The version of a program that is not installed.
pub const NOT_INSTALLED: &str = "not installed";

/// The version of a program that may not be started, so its version is not known.
pub const NOT_STARTED: &str = "not asked";

/// The identity of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProgramIdentity {
    /// The path of its file; none if only the shell can determine the program.
    pub path: Option<String>,
    /// The output of its version command, else the beginning of the digest.
    pub version: String,
    /// The BLAKE3 of its file and of every file in its command line, as hexadecimal digits; none if only the shell
    /// can determine the program.
    pub digest: Option<String>,
}

/// A program that is not installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingProgram {
    /// The program, as the command line names it.
    pub program: String,
    /// The way to get it, if that is known.
    pub(crate) package: Option<&'static str>,
}

impl MissingProgram {
    /// Returns the absence of a module that is no program by itself, with the way to get it.
    pub(crate) fn of_package(program: &str, package: &'static str) -> Self {
        Self { program: program.to_owned(), package: Some(package) }
    }
}

impl fmt::Display for MissingProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { program, package } = self;
        if program.contains('/') {
            write!(f, "there is no program `{program}`")?;
        } else {
            write!(f, "there is no program `{program}` in the folders of PATH")?;
        }
        package.map_or(Ok(()), |package| write!(f, "; to get it: {package}"))
    }
}

type IdentityResult = Result<ProgramIdentity, MissingProgram>;

/// Returns the reason that the program of this call cannot be run, if it is not installed. Nothing is started.
pub(super) fn absence(call: &Invocation) -> Option<MissingProgram> {
    located(&call.command).err()
}

/// Returns the identity of the program, or its absence, as it was at the first call. `None` if it may not be started.
pub(super) fn identity(call: &Invocation, permission: &Permission) -> Option<Arc<IdentityResult>> {
    static KNOWN: OnceLock<Mutex<HashMap<String, Arc<IdentityResult>>>> = OnceLock::new();
    permission.refuse_each(call.lines()).ok()?;
    let known = KNOWN.get_or_init(Mutex::default);
    let name = call.to_string();
    let find =
        |name: &str| known.lock().unwrap_or_else(PoisonError::into_inner).get(name).map(Arc::clone);
    Some(find(&name).unwrap_or_else(|| {
        let found = Arc::new(determine(call, permission));
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(name).or_insert(found))
    }))
}

/// Checks that it is still the planned program. If the digest is known, only the digest is compared.
pub(super) fn is_still(
    call: &Invocation,
    planned: &ProgramIdentity,
    permission: &Permission,
) -> Result<(), String> {
    let place = located(&call.command).map_err(|absence| absence.to_string())?;
    if let Some(digest) = &planned.digest {
        if digest_of(&call.command, place.as_deref()).as_ref() == Some(digest) {
            return Ok(());
        }
        let path = planned.path.as_deref().unwrap_or(&call.command);
        return Err(format!("its file is another than when the run was planned: `{path}`"));
    }
    match version(call, permission).filter(|version| *version != planned.version) {
        None => Ok(()),
        Some(version) => Err(format!(
            "it is version {version}, and was {} when the run was planned",
            planned.version
        )),
    }
}

fn determine(call: &Invocation, permission: &Permission) -> IdentityResult {
    let place = located(&call.command)?;
    let digest = digest_of(&call.command, place.as_deref());
    let printed = version(call, permission);
    let short = || digest.as_ref().map(|digest| format!("blake3:{}", &digest[..16]));
    let version = printed.or_else(short).unwrap_or_else(|| "unknown".to_owned());
    let path = place.map(|path| path.to_string_lossy().into_owned());
    Ok(ProgramIdentity { path, version, digest })
}

/// The file of the program of a command line; none if the line is more than a program with its arguments.
pub(super) fn located(command: &str) -> Result<Option<PathBuf>, MissingProgram> {
    let Some(word) = program(command) else { return Ok(None) };
    let found = if word.contains('/') {
        Some(PathBuf::from(word)).filter(|path| is_program(path))
    } else {
        on_path(word)
    };
    found.map(Some).ok_or_else(|| {
        let package = match word.rsplit('/').next() {
            Some("drat-trim") => Some(DRAT_TRIM_PACKAGE),
            Some(VERIPB) => Some(VERIPB_PACKAGE),
            _ => Preset::by_program(word).map(|preset| preset.package),
        };
        MissingProgram { program: word.to_owned(), package }
    })
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    let runs =
        |metadata: fs::Metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0;
    fs::metadata(path).is_ok_and(runs)
}

/// The digest of the program's file and of the files among its arguments, such as a script.
fn digest_of(command: &str, program: Option<&Path>) -> Option<String> {
    let mut hasher = blake3::Hasher::new();
    take_in(&mut hasher, program?).ok()?;
    for word in command.split_whitespace().skip(1).map(unquoted) {
        let path = Path::new(word);
        if fs::metadata(path).is_ok_and(|metadata| metadata.is_file()) {
            take_in(&mut hasher, path).ok()?;
        }
    }
    Some(hasher.finalize().to_hex().to_string())
}

fn take_in(hasher: &mut blake3::Hasher, path: &Path) -> io::Result<()> {
    hasher.update_reader(input::open(path)?).map(drop)
}

/// Returns the first line that the version command prints, if the command succeeds.
fn version(call: &Invocation, permission: &Permission) -> Option<String> {
    /// The limits of the version command.
    const LIMITS: SoftLimits = SoftLimits { cpu_s: 10.0, wall_s: 60.0, memory_bytes: 4 << 30 };
    /// The longest version, in characters.
    const LONGEST: usize = 100;

    let program = supervised::SupervisedCommand {
        line: permission.permit(call.version.as_ref()?).ok()?,
        environment: &bezzel_process::supervised::ENVIRONMENT,
        input: &[],
        limits: LIMITS,
        output_bytes: 1 << 20,
    };
    let (account, stdout) = program.run().ok()?;
    if account.exit != Exit::Code(0) || account.stopped.is_some() {
        return None;
    }
    let text = String::from_utf8_lossy(&stdout);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let clean = |c: char| if c.is_control() { ' ' } else { c };
    Some(line.chars().take(LONGEST).map(clean).collect())
}
