//! The name of a session, which is that of its file: its start, its machine and its process.

use std::time::Duration;
use std::{fmt, fs};

use serde::{Deserialize, Serialize};

use crate::model::quantity::utc;

/// The number of characters of the time at the beginning of a name.
const TIME: usize = "2026-11-26T12.44.07Z".len();

/// A process that writes a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockHolder {
    /// The id of its process.
    pub pid: u32,
    /// The name of its machine.
    pub host: String,
}

impl LockHolder {
    /// This process.
    pub(crate) fn here() -> Self {
        let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        Self { pid: std::process::id(), host: host.trim().to_owned() }
    }
}

impl fmt::Display for LockHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.host.escape_debug();
        write!(f, "process {} on {host}", self.pid)
    }
}

/// The name of a session, as in `2026-11-26T12.44.07Z-node7-4711`. The order of names is that of the starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionName(String);

impl SessionName {
    /// Returns the name of a session of this process that begins at `now`, the time since 1970, or a second after the
    /// session `last`, if the clock was set back.
    pub(super) fn new(now: Duration, last: Option<&Self>, holder: &LockHolder) -> Self {
        let mut second = now.as_secs();
        if let Some(last) = last
            && let Some(next) = last.second().and_then(|last| last.checked_add(1))
            && time_of(next).is_some()
        {
            second = second.max(next);
        }
        let time = time_of(second).or_else(|| time_of(0)).expect("1970 has a name");
        let host = holder.host.chars().map(|c| if is_plain(c) { c } else { '_' });
        Self(format!("{time}-{}-{}", host.collect::<String>(), holder.pid))
    }

    /// Returns the name of a file without its ending as the name of a session.
    pub fn of_file(stem: &str) -> Self {
        Self(stem.to_owned())
    }

    /// True if the name has a time, a machine and a process.
    pub(super) fn is_valid(&self) -> bool {
        let is_plain = |holder: LockHolder| holder.host.chars().all(is_plain);
        self.second().is_some() && self.holder().is_some_and(is_plain)
    }

    /// Its start in seconds since 1970, if the name begins with a time.
    fn second(&self) -> Option<u64> {
        let time = self.0.get(..TIME)?;
        let number = |from: usize, len: usize| time.get(from..from + len)?.parse::<u64>().ok();
        let (year, month, day) = (number(0, 4)?, number(5, 2)?, number(8, 2)?);
        let (hour, minute, second) = (number(11, 2)?, number(14, 2)?, number(17, 2)?);
        // Days of the civil calendar, as in Howard Hinnant's chrono-compatible algorithms.
        let (year, month) =
            if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
        let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
        let days = days.checked_sub(719_469)?;
        let second = ((days * 24 + hour) * 60 + minute) * 60 + second;
        time_of(second).filter(|own| own == time).map(|_| second)
    }

    /// The process that runs or ran the session, as the name states it.
    pub fn holder(&self) -> Option<LockHolder> {
        let (host, pid) = self.0.get(TIME..)?.strip_prefix('-')?.rsplit_once('-')?;
        Some(LockHolder { pid: pid.parse().ok()?, host: host.to_owned() })
    }

    /// The text of the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SessionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// True for the characters of the name of a machine in the name of a session.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

/// The time at the beginning of a name; none after the year 9999.
fn time_of(second: u64) -> Option<String> {
    let [year, month, day, hour, minute, second] = utc(second)?;
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}.{minute:02}.{second:02}Z"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holder() -> LockHolder {
        LockHolder { pid: 4711, host: "node-7.cluster".into() }
    }

    #[test]
    fn a_session_is_after_those_that_are_there_whatever_the_clock_says() {
        let moment = Duration::from_secs(1_795_697_047);
        let first = SessionName::new(moment, None, &holder());
        assert_eq!(first.as_str(), "2026-11-26T12.44.07Z-node-7_cluster-4711");
        assert_eq!(
            first.holder().unwrap(),
            LockHolder { pid: 4711, host: "node-7_cluster".into() }
        );
        let mut last = first;
        for now in [moment, moment / 2, Duration::ZERO] {
            let next = SessionName::new(now, Some(&last), &holder());
            assert!(next > last, "{next} after {last}");
            last = next;
        }
        assert!(last.as_str().starts_with("2026-11-26T12.44.10Z-"), "{last}");
        // A name without a time, and one of the last second that has a name, give no start.
        for odd in ["x", "2026-11-31T12.44.07Z-a-1", "9999-12-31T23.59.59Z-a-1", ""] {
            let next = SessionName::new(moment, Some(&SessionName::of_file(odd)), &holder());
            assert!(next.as_str().starts_with("2026-11-26T12.44.07Z-"), "{next}");
        }
    }

    #[test]
    fn every_second_is_read_as_it_is_written() {
        for second in (0..250_000_000_000_u64).step_by(1_234_567_891) {
            let name = SessionName::new(Duration::from_secs(second), None, &holder());
            assert_eq!(name.second(), Some(second), "{name}");
        }
    }
}
