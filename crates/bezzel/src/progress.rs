//! The progress of a run: a bar if stderr is a terminal, and else a line every few seconds, with the running job.

use std::borrow::Cow;
use std::io::{self, IsTerminal};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bezzel_experiment::job::PlannedJob;
use bezzel_experiment::quantity::{duration, span};
use bezzel_experiment::remaining::RemainingTime;
use bezzel_experiment::runner::{EndedWorker, StartJob, WorkerProcesses, WorkerStart};
use bezzel_experiment::{Row, Termination, Verdict};
use bezzel_process::ExternalError;
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::harmless;
use crate::limited;
use crate::ticker::{PERIOD, Ticker, print, whole};

/// The time of a job from which on it is shown.
const LONG: Duration = Duration::from_secs(2);

/// The time between two lines on a terminal, where the last one is replaced.
const BAR_PERIOD: Duration = Duration::from_secs(1);

/// The time below which a report shows no progress.
const SHORT: Duration = Duration::from_millis(500);

/// Shows the progress of a run on stderr, with the time left and the results so far.
pub(crate) struct Progress {
    shown: Arc<ProgressDisplay>,
    ticker: Option<Ticker>,
}

/// The state of a run and its display. Threads share it.
struct ProgressDisplay {
    /// The bar of a terminal; none if stderr is no terminal.
    bar: Option<ProgressBar>,
    is_quiet: bool,
    state: Mutex<ProgressState>,
}

struct ProgressState {
    total: usize,
    done: usize,
    left: RemainingTime,
    /// The estimate after the last row, in seconds, and its time.
    estimate: Option<(Instant, f64)>,
    start: Instant,
    /// The beginning of the first job. No part of the time before it is repeated.
    jobs_start: Option<Instant>,
    stats: ResultCounts,
    /// The jobs that run, the first one first.
    running: Vec<RunningJob>,
}

struct RunningJob {
    words: String,
    start: Instant,
    limit_s: f64,
}

/// Workers whose jobs are shown while they run.
pub(crate) struct ShownWorkers {
    workers: WorkerProcesses,
    shown: Arc<ProgressDisplay>,
}

impl StartJob for ShownWorkers {
    fn run(&self, start: WorkerStart, cancel: &AtomicBool) -> Result<EndedWorker, ExternalError> {
        let job = &start.assignment.job;
        let begun = Instant::now();
        let limit_s = job.limits.cpu_s;
        let words = if start.is_reading {
            "measuring the noise of the machine".to_owned()
        } else {
            harmless(&job.words())
        };
        let running = RunningJob { words, start: begun, limit_s };
        self.shown.change(|state| state.running.push(running));
        let ended = self.workers.run(start, cancel);
        self.shown.state().running.retain(|job| job.start != begun);
        ended
    }

    fn now(&self) -> Instant {
        self.workers.now()
    }
}

impl ProgressDisplay {
    fn state(&self) -> MutexGuard<'_, ProgressState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, and shows it on a terminal. Nothing is written while the state is locked, so that a terminal
    /// that takes no text delays no job.
    fn change(&self, change: impl FnOnce(&mut ProgressState)) {
        let mut state = self.state();
        change(&mut state);
        if let Some(bar) = &self.bar {
            let (done, line) = (state.done, state.line());
            drop(state);
            bar.set_position(done as u64);
            bar.set_message(line);
        }
    }

    /// Shows the state, by a line if stderr is no terminal.
    fn show(&self) {
        let state = self.state();
        let line = format!("{} gone  {}", whole(state.start.elapsed()), state.line());
        drop(state);
        match &self.bar {
            None => print(&line),
            Some(_) => self.change(|_| ()),
        }
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
        let bar = (!quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(jobs.len() as u64);
            // The part of a message beyond the width of the terminal is cut off, so that no line wraps.
            let style = ProgressStyle::with_template("{bar:8} {percent:>3} %  {wide_msg}");
            bar.with_style(style.expect("a template that parses"))
        });
        let state = ProgressState {
            total: jobs.len(),
            done: 0,
            left: RemainingTime::new(jobs, known),
            estimate: None,
            start: Instant::now(),
            jobs_start: None,
            stats: ResultCounts::default(),
            running: Vec::new(),
        };
        let period = if bar.is_some() { BAR_PERIOD } else { PERIOD };
        let shown = Arc::new(ProgressDisplay { bar, is_quiet: quiet, state: Mutex::new(state) });
        let ticked = Arc::clone(&shown);
        let ticker = (!quiet && !jobs.is_empty()).then(|| {
            shown.change(|_| ());
            Ticker::start(period, move || ticked.show())
        });
        Self { shown, ticker }
    }

    /// These workers, whose jobs are shown.
    pub(crate) fn workers(&self, workers: WorkerProcesses) -> ShownWorkers {
        ShownWorkers { workers, shown: Arc::clone(&self.shown) }
    }

    /// Counts a row.
    pub(crate) fn row(&self, row: &Row) {
        self.shown.change(|state| state.take(row));
        let is_last = self.shown.state().is_done();
        if is_last && self.shown.bar.is_none() && !self.shown.is_quiet {
            self.shown.show();
        }
    }

    /// Ends the bar and leaves it visible.
    pub(crate) fn finish(self) {
        drop(self.ticker);
        if let Some(bar) = &self.shown.bar {
            bar.abandon();
            // The line fills the terminal, so that later output needs a new line.
            print("");
        }
    }
}

impl ProgressState {
    fn is_done(&self) -> bool {
        self.done == self.total
    }

    fn take(&mut self, row: &Row) {
        self.done += 1;
        self.left.take(row);
        self.stats.count(row);
        let now = Instant::now();
        let job_start = now.checked_sub(span(row.wall_s)).unwrap_or(self.start);
        let begun = *self.jobs_start.get_or_insert(job_start.max(self.start));
        // An estimate costs as much as it has jobs.
        let is_due = |(made, _): (Instant, f64)| now.duration_since(made) > BAR_PERIOD / 2;
        if self.estimate.is_none_or(is_due) {
            let left = self.left.after(now.duration_since(begun).as_secs_f64());
            self.estimate = left.map(|left| (now, left));
        }
    }

    /// The jobs done, the time left, the results so far, and the job that runs for the longest time. The most important
    /// part comes first, since a narrow terminal shows the beginning alone.
    fn line(&self) -> String {
        let left = self.time_left().map_or(String::new(), |left| format!(", {left} left"));
        let parts = [
            format!("{}/{}{left}", self.done, self.total),
            self.stats.to_string(),
            self.job_words(),
        ];
        parts.join("  ").trim_end().to_owned()
    }

    /// The oldest job, with its time and its limit if it runs for long.
    fn job_words(&self) -> String {
        let running = self.running.first().filter(|_| !self.is_done());
        let Some(RunningJob { words, start, limit_s }) = running else {
            let is_before = self.done == 0;
            return if is_before { "checking the encoders" } else { "" }.to_owned();
        };
        if start.elapsed() < LONG {
            return words.clone();
        }
        let (gone, limit) = (whole(start.elapsed()), duration(*limit_s));
        format!("{words}, for {gone} (limit {limit} of CPU time)")
    }

    /// The time left; none if it is over or not known.
    fn time_left(&self) -> Option<String> {
        let (made, left_s) = self.estimate.filter(|_| !self.is_done())?;
        let left_s = left_s - made.elapsed().as_secs_f64();
        // A command ends at its time limit.
        let end_s = limited::time_left().map_or(f64::INFINITY, |left| left.as_secs_f64());
        (left_s > 0.0).then(|| format!("about {}", duration(left_s.min(end_s).round())))
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
        let jobs = vec![fixed.planned.clone(); 50];
        let progress = Progress::new(&jobs, [], true);
        let mut state = progress.shown.state();
        state.start = Instant::now().checked_sub(Duration::from_secs(1_000)).unwrap();
        assert_eq!(state.line(), "0/50    checking the encoders");
        let row = Row::blank(fixed.planned.clone(), Termination::Finished);
        for _ in 0..3 {
            state.take(&Row { wall_s: 1.0, ..row.clone() });
        }
        // About 49 s, and not fifty times a thousand seconds.
        let (_, left) = state.estimate.unwrap();
        assert!((45.0..55.0).contains(&left), "{left}");
    }

    #[test]
    fn a_job_that_runs_for_long_is_shown_with_its_time_and_limit_and_uses_up_the_estimate() {
        let fixed =
            CalibrationJob::new(&bezzel_queens::experiment::catalog(), Duration::ZERO).unwrap();
        let progress = Progress::new(&vec![fixed.planned; 100], [], true);
        let mut state = progress.shown.state();
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds)).unwrap();
        let running = |start| RunningJob { words: "a job".into(), start, limit_s: 60.0 };
        state.running = vec![running(ago(45)), running(ago(3))];
        assert!(
            state.line().ends_with("a job, for 45 s (limit 60 s of CPU time)"),
            "{}",
            state.line()
        );
        for (left_s, expected) in [(100.0, "0/100, about 55 s left"), (40.0, "0/100  ")] {
            state.estimate = Some((ago(45), left_s));
            assert!(state.line().starts_with(expected), "{}", state.line());
        }
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
