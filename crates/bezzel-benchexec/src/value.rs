//! Values in BenchExec's form: times and sizes with a unit, moments, and results of runs.

use bezzel_solve::Answer;

use super::results::Run;
use bezzel_experiment::quantity::{LONGEST_S, MAX_BYTES};
use bezzel_experiment::row::Termination;

/// Parses a time as in `0.25s`, in seconds; returns `None` if no machine can have measured it.
pub(super) fn seconds(text: &str) -> Option<f64> {
    let number: f64 = text.strip_suffix('s').unwrap_or(text).trim().parse().ok()?;
    // -0 is 0.
    (0.0..=LONGEST_S).contains(&number).then_some(number.abs())
}

/// Parses a size as in `786432B`, in bytes; returns `None` if no machine can have measured it.
pub(super) fn bytes(text: &str) -> Option<u64> {
    let number = text.strip_suffix('B').unwrap_or(text).trim().parse().ok()?;
    (number <= MAX_BYTES).then_some(number)
}

/// Returns the column and the value of a run that no machine can have measured, if there is one.
pub(super) fn impossible(run: &Run) -> Option<(&'static str, &str)> {
    let is_no_time = |text: &&str| seconds(text).is_none();
    let cpu = run.cpu.as_deref().filter(is_no_time).map(|text| ("cputime", text));
    let wall = run.wall.as_deref().filter(is_no_time).map(|text| ("walltime", text));
    let memory = run.memory.as_deref().filter(|text| bytes(text).is_none());
    cpu.or(wall).or(memory.map(|text| ("memory", text)))
}

/// Parses a moment as in `2026-01-02T03:04:05.5+01:00`, in seconds since 1970. Without an offset, which old
/// versions do not write, the moment is unknown.
pub(super) fn moment(text: &str) -> Option<f64> {
    let (date, time) = text.split_once('T')?;
    let mut date = date.splitn(3, '-').map(str::parse::<i64>);
    let (year, month, day) = (date.next()?.ok()?, date.next()?.ok()?, date.next()?.ok()?);
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let (time, offset) = if let Some(time) = time.strip_suffix('Z') {
        (time, 0)
    } else {
        let at = time.rfind(['+', '-'])?;
        let (hours, minutes) = time[at + 1..].split_once(':')?;
        let size =
            hours.parse::<u16>().ok()?.checked_mul(60)?.checked_add(minutes.parse().ok()?)?;
        let seconds = i64::from(size) * 60;
        (&time[..at], if time[at..].starts_with('-') { -seconds } else { seconds })
    };
    let mut time = time.splitn(3, ':');
    let (hours, minutes) = (time.next()?.parse::<i64>().ok()?, time.next()?.parse::<i64>().ok()?);
    let seconds: f64 = time.next()?.parse().ok()?;
    if !(0..24).contains(&hours) || !(0..60).contains(&minutes) || !(0.0..62.0).contains(&seconds) {
        return None;
    }
    let whole = days(year, month, day) * 86_400 + hours * 3600 + minutes * 60 - offset;
    Some(whole as f64 + seconds)
}

/// Returns the number of days from 1970 to a day of the Gregorian calendar; years begin in March, so that a leap
/// day is the last of its year.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    // March to July and August to December have 153 days each; the fraction gives 31 and 30 in their order.
    365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// Returns the answer of a run, its termination, and a note on it; `None` if it was not done.
///
/// BenchExec writes the tool-info module's result for the output. If the run reached a limit, it puts that before
/// the result: `TIMEOUT (true)` is an answer that came too late.
pub(super) fn outcome(
    run: &Run,
    cpu_limit_s: Option<f64>,
) -> Option<(Answer, Termination, Option<String>)> {
    let status = run.status.as_deref()?;
    let (before, late) = match status.split_once(" (") {
        Some((before, rest)) => (before, rest.strip_suffix(')').and_then(answered)),
        None => (status, None),
    };
    let answer = answered(status).or(late).unwrap_or(Answer::Unknown);
    let signal = run.exit_signal.as_deref();
    let note = |what: &str| Some(format!("BenchExec: {what}"));
    let (termination, note) = match run.termination_reason.as_deref() {
        Some("cputime" | "cputime-soft") => (Termination::CpuLimit, None),
        Some("walltime") => (Termination::WallLimit, None),
        Some("memory") => (Termination::MemoryLimit, None),
        Some("killed") => (Termination::HostError, note("the run was stopped from outside")),
        Some("failed") => (Termination::HostError, note("the run could not be begun")),
        Some(other) => (Termination::Crashed, note(&format!("ended by {other}"))),
        None if answered(status).is_some() => (Termination::Finished, None),
        None if before == "TIMEOUT" => {
            let cpu_s = run.cpu.as_deref().and_then(seconds);
            let within = cpu_s.zip(cpu_limit_s).is_some_and(|(used, limit)| used <= limit);
            (if within { Termination::WallLimit } else { Termination::CpuLimit }, note(status))
        }
        None if before == "OUT OF MEMORY" => (Termination::MemoryLimit, note(status)),
        // A measuring program reports its own kills, so the system or a user killed the run.
        None if matches!(signal, Some("9" | "15")) => {
            (Termination::HostError, note(&format!("killed by signal {}", signal.unwrap_or("?"))))
        }
        None => {
            let code = run.return_value.as_deref();
            let end = signal
                .map(|signal| format!(", signal {signal}"))
                .or(code.map(|code| format!(", exit code {code}")))
                .unwrap_or_default();
            (Termination::Crashed, note(&format!("{status}{end}")))
        }
    };
    Some((answer, termination, note))
}

/// Returns the answer for a status without a limit. In BenchExec's terms, the property is that a solution exists.
fn answered(status: &str) -> Option<Answer> {
    match status {
        "true" => Some(Answer::Sat),
        "false" => Some(Answer::Unsat),
        "unknown" => Some(Answer::Unknown),
        _ => None,
    }
}

/// Rounds seconds up to BenchExec's whole seconds.
pub(super) fn whole(seconds: f64) -> u64 {
    (seconds.ceil() as u64).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Answer::{Sat, Unknown, Unsat};

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(seconds("0.00286201s"), Some(0.002_862_01));
        assert_eq!(seconds("12"), Some(12.0));
        assert_eq!(bytes("786432B"), Some(786_432));
        assert!(seconds("-0s").is_some_and(f64::is_sign_positive));
        for wrong in ["", "s", "-1s", "nan", "infs", "1min", "1 2s", "1e308s", "1e309s"] {
            assert_eq!(seconds(wrong), None, "{wrong}");
        }
        for wrong in ["", "B", "-1B", "1.5B", "1kB", "18446744073709551615B", "1e309B", "NaN"] {
            assert_eq!(bytes(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn moments_are_seconds_since_1970() {
        // Values of `date -u -d … +%s`.
        for (text, seconds) in [
            ("1970-01-01T00:00:00+00:00", 0.0),
            ("2000-02-29T12:00:00Z", 951_825_600.0),
            ("2026-11-20T12:15:19.5+00:00", 1_795_176_919.5),
            ("2026-11-20T13:15:19.5+01:00", 1_795_176_919.5),
            ("2026-11-20T06:45:19.5-05:30", 1_795_176_919.5),
            ("2100-03-01T00:00:00Z", 4_107_542_400.0),
        ] {
            assert_eq!(moment(text), Some(seconds), "{text}");
        }
        for wrong in ["", "2026", "2026-11-20", "2026-11-20T12:00:00", "2026-13-01T00:00:00Z"] {
            assert_eq!(moment(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_answer_after_a_limit_is_none_that_counts() {
        let of = |status: &str, reason: &str, signal: &str| {
            let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            let (status, termination_reason) = (some(status), some(reason));
            let exit_signal = some(signal);
            let run = Run { status, termination_reason, exit_signal, ..Run::default() };
            outcome(&run, None).map(|(answer, termination, _)| (answer, termination))
        };
        assert_eq!(of("true", "", ""), Some((Sat, Termination::Finished)));
        assert_eq!(of("false", "", ""), Some((Unsat, Termination::Finished)));
        assert_eq!(of("unknown", "", ""), Some((Unknown, Termination::Finished)));
        assert_eq!(of("TIMEOUT", "cputime", "9"), Some((Unknown, Termination::CpuLimit)));
        assert_eq!(of("TIMEOUT (true)", "cputime", ""), Some((Sat, Termination::CpuLimit)));
        assert_eq!(of("TIMEOUT", "walltime", "9"), Some((Unknown, Termination::WallLimit)));
        assert_eq!(of("TIMEOUT (false)", "", ""), Some((Unsat, Termination::CpuLimit)));
        assert_eq!(of("OUT OF MEMORY", "memory", "9"), Some((Unknown, Termination::MemoryLimit)));
        assert_eq!(of("KILLED", "killed", "9"), Some((Unknown, Termination::HostError)));
        assert_eq!(of("KILLED BY SIGNAL 9", "", "9"), Some((Unknown, Termination::HostError)));
        assert_eq!(of("SEGMENTATION FAULT", "", "11"), Some((Unknown, Termination::Crashed)));
        assert_eq!(of("ERROR (1)", "", ""), Some((Unknown, Termination::Crashed)));
        assert_eq!(of("done", "", ""), Some((Unknown, Termination::Crashed)));
        assert_eq!(of("", "", ""), None);
        let cpu = Some("0.5s".into());
        let late = Run { status: Some("TIMEOUT (true)".into()), cpu, ..Run::default() };
        let termination =
            |limit| outcome(&late, Some(limit)).map(|(_, termination, _)| termination);
        assert_eq!(termination(0.4), Some(Termination::CpuLimit));
        assert_eq!(termination(1.0), Some(Termination::WallLimit));
    }
}
