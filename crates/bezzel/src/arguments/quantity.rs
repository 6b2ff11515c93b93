//! Parsers of quantities in options.

use std::time::Duration;

/// Reads a number of bytes with its unit.
pub(super) fn memory(text: &str) -> Result<u64, String> {
    let units = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
        ("kB", 1000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("TB", 1_000_000_000_000),
        ("bytes", 1),
        ("", 1),
    ];
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = text[digits.len()..].trim();
    let factor = units.iter().find(|(name, _)| *name == unit).map(|(_, factor)| *factor);
    let number = digits.parse::<u64>().ok();
    let bytes = factor.and_then(|factor: u64| number?.checked_mul(factor));
    bytes.filter(|bytes| *bytes > 0).ok_or_else(|| "give a size such as 512MiB or 2GiB".to_owned())
}

/// Reads the width of figures in centimetres.
pub(super) fn figure_width(text: &str) -> Result<f64, String> {
    use bezzel_report::width::{COLUMN_CM, RANGE_CM, TEXT_CM};
    let number = text.strip_suffix("cm").unwrap_or(text).trim_end();
    let width = match text {
        "column" => Some(COLUMN_CM),
        "text" => Some(TEXT_CM),
        _ => number.parse::<f64>().ok(),
    };
    let [least, most] = RANGE_CM;
    width.filter(|width| (least..=most).contains(width)).ok_or_else(|| {
        format!("give `column` ({COLUMN_CM} cm), `text` ({TEXT_CM} cm) or a number of cm from {least} to {most}")
    })
}

/// The units of times, in seconds.
const TIMES: [(&str, f64); 7] = [
    ("ms", 0.001),
    ("s", 1.0),
    ("m", 60.0),
    ("min", 60.0),
    ("h", 3600.0),
    ("d", 86_400.0),
    ("days", 86_400.0),
];

/// The longest time, in seconds: a year.
const LONGEST_S: f64 = 31_536_000.0;

/// The number of seconds that a text states: a number with its unit, as in `90s`, `10 min` or `1.5h`. A bare number has
/// the unit `bare`.
fn time(text: &str, bare: &str) -> Result<f64, String> {
    let digits = text.trim_end_matches(char::is_alphabetic);
    let unit = Some(&text[digits.len()..]).filter(|unit| !unit.is_empty()).unwrap_or(bare);
    let digits = digits.trim_end();
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number = digits.parse::<f64>().ok().filter(|_| is_plain);
    let factor = TIMES.iter().find(|(name, _)| *name == unit).map(|(_, factor)| factor);
    let seconds = number.zip(factor).map(|(number, factor)| number * factor);
    seconds.filter(|seconds| *seconds <= LONGEST_S).ok_or_else(|| refusal(bare))
}

fn refusal(bare: &str) -> String {
    format!("give a time such as 90s, 10min or 1h, at most a year; a number alone is in {bare}")
}

/// Reads a time; a bare number is in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    time(text, "s").map(Duration::from_secs_f64)
}

/// Reads a time above 0; a bare number is in seconds.
pub(super) fn limit(text: &str) -> Result<Duration, String> {
    let is_above_0 = |time: &Duration| !time.is_zero();
    Some(seconds(text)?).filter(is_above_0).ok_or_else(|| "a limit is above 0".to_owned())
}

/// Reads a time above 0 in minutes; a bare number is in minutes.
pub(super) fn minutes(text: &str) -> Result<f64, String> {
    let minutes = time(text, "min")? / 60.0;
    Some(minutes).filter(|minutes| *minutes > 0.0).ok_or_else(|| refusal("min"))
}

/// Reads a time of whole minutes; a bare number is in minutes.
pub(super) fn whole_minutes(text: &str) -> Result<u32, String> {
    let is_whole = |minutes: &f64| *minutes >= 0.5 && (minutes - minutes.round()).abs() < 1e-9;
    let whole = minutes(text).ok().filter(is_whole).map(|minutes| minutes.round() as u32);
    whole.ok_or_else(|| {
        "give whole minutes above 0, as in 10min or 1h, at most a year; a number alone is in min"
            .into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_of_figures_have_names_or_are_in_centimetres() {
        for (text, expected) in [("column", 8.5), ("text", 12.2), ("10", 10.0), ("9.5 cm", 9.5)] {
            assert_eq!(figure_width(text), Ok(expected), "{text}");
        }
        for text in ["", "colum", "5", "100", "nan", "-8", "10 in"] {
            let error = figure_width(text).unwrap_err();
            assert!(error.contains("`column` (8.5 cm)"), "{error}");
        }
    }

    #[test]
    fn every_time_takes_a_unit_and_has_one_of_its_own() {
        let units =
            [("90", 90.0), ("90s", 90.0), ("1.5 min", 90.0), ("1h", 3600.0), ("100ms", 0.1)];
        for (text, expected) in units {
            assert_eq!(seconds(text), Ok(Duration::from_secs_f64(expected)), "{text}");
        }
        for (text, expected) in
            [("60", 60), ("30 min", 30), ("120s", 2), ("1.1h", 66), ("7d", 10_080)]
        {
            assert_eq!(whole_minutes(text), Ok(expected), "{text}");
        }
        for (text, expected) in [("0.5", 0.5), ("30s", 0.5), ("1h", 60.0)] {
            assert_eq!(minutes(text), Ok(expected), "{text}");
        }
        for text in ["", "s", "h", "-1", "1 hour", "1e3", "inf", "nan", "1:00", "367d"] {
            assert!(seconds(text).is_err() && minutes(text).is_err(), "{text}");
        }
        for text in ["0", "5s", "90s", "0.5"] {
            assert!(whole_minutes(text).is_err(), "{text}");
        }
    }
}
