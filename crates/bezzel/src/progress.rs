//! The progress of a run: a bar with the running job if stderr is a terminal, and else a line every few seconds.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bezzel_experiment::job::PlannedJob;
use bezzel_experiment::quantity::{duration, span};
use bezzel_experiment::runner::{EndedWorker, StartJob, WorkerProcesses, WorkerStart};
use bezzel_experiment::shard::RemainingTime;
use bezzel_experiment::{Row, Termination, Verdict};
use bezzel_process::ExternalError;
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::harmless;
use crate::{limited, terminal};

/// The time between two lines if stderr is no terminal.
const PERIOD: Duration = Duration::from_secs(10);

/// The time, in seconds, before an estimate is shown that is mostly a guess.
const GUESS_DELAY_S: f64 = 30.0;

/// The time below which a report shows no progress.
const SHORT: Duration = Duration::from_millis(500);

/// Shows the progress of a run on stderr, with the time left and the results so far.
pub(crate) struct Progress {
    shown: ProgressDisplay,
    total: usize,
    done: usize,
    left: RemainingTime,
    start: Instant,
    /// The beginning of the first job. No part of the time before it is repeated.
    jobs_start: Option<Instant>,
    stats: ResultCounts,
}

enum ProgressDisplay {
    Nothing,
    Line(ShownLine),
    Lines { next: Instant },
}

/// The line of a run on a terminal: a bar, the summary, and the job that began last. Threads share it.
#[derive(Clone)]
struct ShownLine {
    bar: ProgressBar,
    parts: Arc<Mutex<[String; 2]>>,
}

impl ShownLine {
    fn set(&self, part: usize, text: String) {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts[part] = text;
        self.bar.set_message(parts.join("  "));
    }
}

/// Workers whose jobs are shown when they begin.
pub(crate) struct ShownWorkers {
    workers: WorkerProcesses,
    line: Option<ShownLine>,
}

impl StartJob for ShownWorkers {
    fn run(&self, start: WorkerStart, cancel: &AtomicBool) -> Result<EndedWorker, ExternalError> {
        if let Some(line) = &self.line {
            line.set(1, harmless(&start.assignment.job.words()));
        }
        self.workers.run(start, cancel)
    }

    fn now(&self) -> Instant {
        self.workers.now()
    }
}

impl Progress {
    /// Shows a run of these jobs, or nothing if `quiet`. `known` are rows of the same experiment, from which the
    /// durations of jobs are estimated.
    pub(crate) fn new<'a>(
        jobs: &[PlannedJob],
        known: impl IntoIterator<Item = &'a Row>,
        quiet: bool,
    ) -> Self {
        let start = Instant::now();
        let shown = if quiet {
            ProgressDisplay::Nothing
        } else if io::stderr().is_terminal() {
            let bar = ProgressBar::new(jobs.len() as u64);
            // The part of a message beyond the width of the terminal is cut off, so that no line wraps.
            let style = ProgressStyle::with_template("{bar:8} {percent:>3} %  {wide_msg}");
            bar.set_style(style.expect("a template that parses"));
            bar.enable_steady_tick(Duration::from_millis(500));
            ProgressDisplay::Line(ShownLine { bar, parts: Arc::default() })
        } else {
            ProgressDisplay::Lines { next: start + PERIOD }
        };
        let left = RemainingTime::new(jobs, known);
        let stats = ResultCounts::default();
        let progress =
            Self { shown, total: jobs.len(), done: 0, left, start, jobs_start: None, stats };
        if let ProgressDisplay::Line(line) = &progress.shown {
            line.set(0, progress.summary());
        }
        progress
    }

    /// These workers, which show their jobs if this is a bar.
    pub(crate) fn workers(&self, workers: WorkerProcesses) -> ShownWorkers {
        let line = match &self.shown {
            ProgressDisplay::Line(line) => Some(line.clone()),
            _ => None,
        };
        ShownWorkers { workers, line }
    }

    /// Counts a row.
    pub(crate) fn row(&mut self, row: &Row) {
        self.done += 1;
        self.left.take(row);
        self.stats.count(row);
        let now = Instant::now();
        let job_start = now.checked_sub(span(row.wall_s)).unwrap_or(self.start);
        self.jobs_start.get_or_insert(job_start.max(self.start));
        match &self.shown {
            ProgressDisplay::Line(line) => {
                line.bar.set_position(self.done as u64);
                line.set(0, self.summary());
            }
            ProgressDisplay::Lines { next } if now >= *next || self.done == self.total => {
                self.shown = ProgressDisplay::Lines { next: now + PERIOD };
                let gone = duration(now.duration_since(self.start).as_secs_f64().round());
                // A run goes on if stderr is closed.
                let _ = writeln!(terminal::stderr(), "{gone} gone  {}", self.summary());
            }
            ProgressDisplay::Nothing | ProgressDisplay::Lines { .. } => {}
        }
    }

    /// The jobs done, the time left and the results so far. The most important part comes first, since a
    /// narrow terminal shows the beginning alone.
    fn summary(&self) -> String {
        let (done, total) = (self.done, self.total);
        let gone_s = self.start.elapsed().as_secs_f64();
        // The first rows of a run are no basis for jobs that resemble none of them.
        let is_worth = done < total && (gone_s > GUESS_DELAY_S || !self.left.is_guess());
        let jobs_s = self.jobs_start.unwrap_or(self.start).elapsed().as_secs_f64();
        let left = self.left.seconds(jobs_s).filter(|_| is_worth);
        // A command ends at its time limit.
        let time_left = limited::time_left().map_or(f64::INFINITY, |left| left.as_secs_f64());
        let left = left.map(|left| left.min(time_left));
        let left =
            left.map_or(String::new(), |left| format!(", about {} left", duration(left.round())));
        format!("{done}/{total}{left}  {}", self.stats)
    }

    /// Ends the bar and leaves it visible.
    pub(crate) fn finish(self) {
        if let ProgressDisplay::Line(line) = self.shown {
            line.set(1, String::new());
            line.bar.abandon();
            // The line fills the terminal, so that later output needs a new line.
            let _ = writeln!(terminal::stderr());
        }
    }
}

/// The results so far.
#[derive(Default)]
struct ResultCounts {
    answered: usize,
    verified: usize,
    wrong: usize,
    limits: usize,
    crashed: usize,
    killed: usize,
    skipped: usize,
}

/// Shows the steps of some work on stderr if it is a terminal. Work that is done at once shows nothing.
pub(crate) struct Steps {
    bar: Option<ProgressBar>,
    start: Instant,
}

impl Steps {
    /// Shows some work, or nothing if `quiet`.
    pub(crate) fn new(quiet: bool) -> Self {
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::no_length();
            let style = "{bar:10} {pos}/{len}  {elapsed} gone  {wide_msg}";
            bar.with_style(ProgressStyle::with_template(style).expect("a template that parses"))
        });
        Self { bar, start: Instant::now() }
    }

    /// Names the part of the work that is done now, of which `done` parts of `of` are done.
    pub(crate) fn show(&mut self, name: impl Into<Cow<'static, str>>, done: usize, of: usize) {
        if let Some(bar) = self.bar.as_ref().filter(|_| self.start.elapsed() > SHORT) {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
            bar.set_message(harmless(&name.into()));
            bar.tick();
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

impl ResultCounts {
    fn count(&mut self, row: &Row) {
        match (row.verdict, row.termination) {
            (Verdict::Wrong, _) => self.wrong += 1,
            (_, Termination::Crashed) => self.crashed += 1,
            (_, Termination::HostError) => self.killed += 1,
            (_, Termination::Skipped) => self.skipped += 1,
            (_, termination) if termination != Termination::Finished => self.limits += 1,
            (verdict, _) => {
                self.answered += 1;
                self.verified += usize::from(verdict == Verdict::Verified);
            }
        }
    }
}

impl std::fmt::Display for ResultCounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            (self.answered, "answered"),
            (self.verified, "verified"),
            (self.limits, "at a limit"),
            (self.crashed, "crashed"),
            (self.killed, "killed from outside"),
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
    use bezzel_experiment::Termination;
    use bezzel_experiment::calibration::CalibrationJob;

    use super::*;

    #[test]
    fn the_time_before_the_first_job_is_not_expected_again_for_each_job() {
        let fixed =
            CalibrationJob::new(&bezzel_queens::experiment::catalog(), Duration::ZERO).unwrap();
        let jobs = vec![fixed.planned.clone(); 100];
        let mut progress = Progress::new(&jobs, [], true);
        progress.start = Instant::now().checked_sub(Duration::from_secs(1_000)).unwrap();
        let row = Row::blank(fixed.planned.clone(), Termination::Finished);
        progress.row(&Row { wall_s: 1.0, ..row });
        let summary = progress.summary();
        // About 99 s, and not a hundred times a thousand seconds.
        assert!(summary.contains(" s left") || summary.contains(" min left"), "{summary}");
    }

    #[test]
    fn every_way_to_end_is_counted_under_its_own_name() {
        let fixed =
            CalibrationJob::new(&bezzel_queens::experiment::catalog(), Duration::ZERO).unwrap();
        let mut stats = ResultCounts::default();
        for termination in [
            Termination::Finished,
            Termination::CpuLimit,
            Termination::Crashed,
            Termination::HostError,
            Termination::Skipped,
            Termination::Skipped,
        ] {
            stats.count(&Row::blank(fixed.planned.clone(), termination));
        }
        assert_eq!(
            stats.to_string(),
            "1 answered, 1 at a limit, 1 crashed, 1 killed from outside, 2 skipped"
        );
    }
}
