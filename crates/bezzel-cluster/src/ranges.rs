//! Numbers of tasks in Slurm's form: `3,7-9`.

/// The largest count of numbers in one list.
const MAX_NUMBERS: u32 = 10_000_000;

/// Reads a list of ranges, in which `squeue` prints the waiting tasks of an array: `7`, `3,7-9`, `[3,7-9%4]`,
/// `[0-8:2]`. The number after `%` limits the tasks that run at the same time.
pub(super) fn read(text: &str) -> Option<Vec<u32>> {
    let list = text.strip_prefix('[').map_or(Some(text), |rest| rest.strip_suffix(']'))?;
    let list = list.split_once('%').map_or(list, |(list, _)| list);
    let mut numbers = Vec::new();
    for part in list.split(',') {
        let (range, step) = part.split_once(':').unwrap_or((part, "1"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last, step) = (number(first)?, number(last)?, number(step)?);
        let count = last.checked_sub(first)?.checked_div(step)?;
        if count >= MAX_NUMBERS {
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
