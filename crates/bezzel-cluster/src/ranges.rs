//! Numbers of tasks as Slurm writes them: `3,7-9`.

use std::collections::BTreeSet;
use std::fmt::Write;

/// So many numbers may be in one list that is read.
const MOST: u32 = 10_000_000;

/// Numbers as a list of ranges, as `--array` takes them.
pub fn ranges(numbers: &BTreeSet<u32>) -> String {
    let mut text = String::new();
    let mut rest = numbers.iter().copied().peekable();
    while let Some(first) = rest.next() {
        let mut last = first;
        while let Some(next) = rest.next_if(|&next| Some(next) == last.checked_add(1)) {
            last = next;
        }
        let comma = if text.is_empty() { "" } else { "," };
        let _ = if first == last {
            write!(text, "{comma}{first}")
        } else {
            write!(text, "{comma}{first}-{last}")
        };
    }
    text
}

/// Reads a list of ranges, as `squeue` shows what still waits of an array: `7`, `3,7-9`, `[3,7-9%4]`,
/// `[0-8:2]`. What follows `%` limits how many run at the same time.
pub(super) fn read(text: &str) -> Option<Vec<u32>> {
    let list = text.strip_prefix('[').map_or(Some(text), |rest| rest.strip_suffix(']'))?;
    let list = list.split_once('%').map_or(list, |(list, _)| list);
    let mut numbers = Vec::new();
    for part in list.split(',') {
        let (range, step) = part.split_once(':').unwrap_or((part, "1"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last, step) = (number(first)?, number(last)?, number(step)?);
        let many = last.checked_sub(first)?.checked_div(step)?;
        if many >= MOST {
            return None;
        }
        numbers.extend((first..=last).step_by(step as usize));
    }
    Some(numbers)
}

fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok())?
}
