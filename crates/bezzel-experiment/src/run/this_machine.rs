//! The environment of a session that starts on this machine.

use std::collections::BTreeMap;
use std::fs;
use std::thread;
use std::time::SystemTime;

use crate::backend::catalog::Catalog;
use crate::backend::command::NOT_STARTED;
use crate::config::Arm;
use crate::model::environment::{Build, Environment, SolverBuild};
use crate::model::permission::Permission;
use crate::model::quantity::unix_s;
use crate::results::store::LockHolder;

impl Environment {
    /// Returns the environment of this machine and this build, for `parallel` jobs at a time with these solvers and
    /// engines.
    pub fn here<'a>(
        build: Build,
        catalog: &Catalog,
        arms: impl IntoIterator<Item = &'a Arm>,
        parallel: u32,
    ) -> Self {
        let mut built: BTreeMap<String, SolverBuild> = BTreeMap::new();
        for arm in arms {
            let Arm { id, options, .. } = arm;
            let Some((version, digest)) = version_of(arm, &catalog.permission) else { continue };
            let options_text =
                options.iter().map(|(name, value)| (name.clone(), value.to_string()));
            let options_text: BTreeMap<_, _> = options_text.collect();
            match built.get_mut(id) {
                None => {
                    built
                        .insert(id.clone(), SolverBuild { version, digest, options: options_text });
                }
                Some(known) => {
                    known.options.retain(|name, value| options_text.get(name) == Some(value));
                }
            }
        }
        Self {
            build,
            host: Some(LockHolder::here().host),
            reproduces: None,
            cpu_model: value_of("/proc/cpuinfo", "model name", ':'),
            cores: thread::available_parallelism().ok().map(Into::into),
            memory_bytes: memory_bytes(),
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease")
                .ok()
                .map(|text| text.trim().to_owned()),
            system: value_of("/etc/os-release", "PRETTY_NAME", '='),
            solvers: built,
            parallel,
            started_unix_s: unix_s(SystemTime::now()) as u64,
        }
    }
}

/// Returns the version of a solver or an engine, and the digest of its file if it is a program; none for a program that
/// may not be started.
fn version_of(arm: &Arm, permission: &Permission) -> Option<(String, Option<String>)> {
    // The version of a measurement without a backend is that of the build.
    let backend = arm.backend.as_ref()?;
    let version = backend.version(permission);
    let program = backend.program().and_then(|program| program.identity(permission));
    (version != NOT_STARTED).then(|| (version, program.and_then(|program| program.digest)))
}

/// The physical memory of this machine, in bytes.
pub fn memory_bytes() -> Option<u64> {
    let total = value_of("/proc/meminfo", "MemTotal", ':')?;
    Some(total.strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
}

/// The value of the first line `name SEPARATOR value` of a system file, without quotes.
fn value_of(path: &str, name: &str, separator: char) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let mut pairs = text.lines().filter_map(|line| line.split_once(separator));
    let (_, value) = pairs.find(|(key, _)| key.trim() == name)?;
    Some(value.trim().trim_matches('"').to_owned())
}
