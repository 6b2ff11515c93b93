//! The effort in the output of solvers, whose lines have several forms.
//!
//! Kissat and CaDiCaL write `c conflicts:  45  2118.54 per second`, MiniSat and Glucose
//! `conflicts  : 25  (8386 /sec)`, Glucose in parallel `c | Conflicts  |  71 | 0 |` with the sum first, PicoSAT
//! `c 41 conflicts`, clasp `c Choices  : 456`, CryptoMiniSat `c propagations  : 189K`, which is rounded and therefore
//! not taken. The last value counts.

use bezzel_solve::Effort;

/// Takes the effort from a line, if the line has one.
pub(super) fn take(line: &str, effort: &mut Effort) {
    let line = line.trim();
    let line = match line.strip_prefix('c') {
        Some(rest) if rest.starts_with([' ', '\t']) => rest.trim_start(),
        _ => line,
    };
    let line = line.strip_prefix('|').unwrap_or(line).trim_start();
    let entry = match line.split_once([':', '|']) {
        Some((name, rest)) => number(rest).map(|number| (name, number)),
        None => line.split_once(' ').and_then(|(first, name)| Some((name, number(first)?))),
    };
    let Some((name, number)) = entry else { return };
    let place = match name.trim().to_ascii_lowercase().as_str() {
        "conflicts" => &mut effort.conflicts,
        "decisions" | "choices" => &mut effort.decisions,
        "propagations" => &mut effort.propagations,
        "restarts" => &mut effort.restarts,
        "ticks" => &mut effort.ticks,
        _ => return,
    };
    *place = Some(number);
}

/// Returns the whole number at the beginning of a text; none if it is rounded, or part of a word.
fn number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}
