//! How far a run is: a bar where somebody watches, a line now and then where a file does.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use bezzel_lab::{Row, Stop, Verdict};
use indicatif::{ProgressBar, ProgressStyle};

/// How often a line is written where nobody watches.
const PERIOD: Duration = Duration::from_secs(10);

/// A report that takes no longer shows no progress.
const SHORT: Duration = Duration::from_millis(500);

/// Shows on stderr how far a run is, how long it may still take, and what came out so far.
pub(crate) struct Progress {
    shown: Shown,
    total: u64,
    done: u64,
    tally: Tally,
}

enum Shown {
    Nothing,
    Bar(ProgressBar),
    Lines { next: Instant, start: Instant },
}

/// What came out so far.
#[derive(Default)]
struct Tally {
    verified: usize,
    unchecked: usize,
    wrong: usize,
    limits: usize,
    crashed: usize,
    killed: usize,
    skipped: usize,
}

impl Progress {
    /// Shows a run of so many jobs, or nothing if `quiet`.
    pub(crate) fn new(total: usize, quiet: bool) -> Self {
        let shown = if quiet {
            Shown::Nothing
        } else if io::stderr().is_terminal() {
            let bar = ProgressBar::new(total as u64);
            let style = "{bar:30} {pos}/{len}  {elapsed} gone, about {eta} left  {msg}";
            bar.set_style(ProgressStyle::with_template(style).expect("a template that parses"));
            bar.enable_steady_tick(Duration::from_millis(500));
            Shown::Bar(bar)
        } else {
            let start = Instant::now();
            Shown::Lines { next: start + PERIOD, start }
        };
        Self { shown, total: total as u64, done: 0, tally: Tally::default() }
    }

    /// Counts a row.
    pub(crate) fn row(&mut self, row: &Row) {
        self.done += 1;
        self.tally.count(row);
        let tally = &self.tally;
        match &mut self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.inc(1);
                bar.set_message(tally.to_string());
            }
            Shown::Lines { next, start } => {
                let now = Instant::now();
                if now >= *next || self.done == self.total {
                    *next = now + PERIOD;
                    let gone = now.duration_since(*start).as_secs_f64();
                    let left = gone / self.done as f64 * (self.total - self.done) as f64;
                    // A run goes on when nobody listens.
                    let _ = writeln!(
                        io::stderr(),
                        "{}/{} jobs, {gone:.0} s gone, about {left:.0} s left  {tally}",
                        self.done,
                        self.total
                    );
                }
            }
        }
    }

    /// Ends the bar, and leaves it as it is.
    pub(crate) fn finish(self) {
        if let Shown::Bar(bar) = self.shown {
            bar.abandon();
        }
    }
}

/// Shows on stderr how far a report is, where somebody watches; a report that is made at once shows
/// nothing.
pub(crate) struct Rendering {
    bar: Option<ProgressBar>,
    start: Instant,
}

impl Rendering {
    /// Shows a rendering, or nothing if `quiet`.
    pub(crate) fn new(quiet: bool) -> Self {
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::no_length();
            let style = "{bar:30} {pos}/{len}  {elapsed} gone  {msg}";
            bar.with_style(ProgressStyle::with_template(style).expect("a template that parses"))
        });
        Self { bar, start: Instant::now() }
    }

    /// Tells which step comes now.
    pub(crate) fn step(&mut self, step: bezzel_report::Step) {
        if let Some(bar) = self.bar.as_ref().filter(|_| self.start.elapsed() > SHORT) {
            bar.set_length(step.of as u64);
            bar.set_position(step.done as u64);
            bar.set_message(step.next);
            bar.tick();
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Tally {
    fn count(&mut self, row: &Row) {
        match (row.verdict, row.stop) {
            (Verdict::Wrong, _) => self.wrong += 1,
            (_, Stop::Crashed) => self.crashed += 1,
            (_, Stop::HostError) => self.killed += 1,
            (_, Stop::Skipped) => self.skipped += 1,
            (_, stop) if stop != Stop::Finished => self.limits += 1,
            (Verdict::Verified, _) => self.verified += 1,
            (Verdict::Unchecked, _) => self.unchecked += 1,
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            (self.verified, "verified"),
            (self.unchecked, "unchecked"),
            (self.limits, "at a limit"),
            (self.crashed, "crashed"),
            (self.killed, "killed by somebody else"),
            (self.skipped, "skipped"),
            (self.wrong, "WRONG"),
        ];
        let seen = parts.iter().filter(|(number, _)| *number > 0);
        let words: Vec<_> = seen.map(|(number, what)| format!("{number} {what}")).collect();
        f.write_str(&words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use bezzel_lab::calibration::Fixed;
    use bezzel_lab::{Stop, Workbench};

    use super::*;

    #[test]
    fn every_way_to_end_is_counted_under_its_own_name() {
        let fixed = Fixed::new(&Workbench::standard(), Duration::ZERO).unwrap();
        let mut tally = Tally::default();
        for stop in [
            Stop::Finished,
            Stop::CpuLimit,
            Stop::Crashed,
            Stop::HostError,
            Stop::Skipped,
            Stop::Skipped,
        ] {
            tally.count(&Row::blank(fixed.planned.clone(), stop));
        }
        assert_eq!(
            tally.to_string(),
            "1 unchecked, 1 at a limit, 1 crashed, 1 killed by somebody else, 2 skipped"
        );
    }
}
