//! The race on recorded runs: the regret of the choice after several budgets.
//!
//! The rows of experiments are full tables: every arm on an instance, in several shuffles. Each instance stands for a file
//! that is tuned alone. The arms race on two parts of its shuffles, by the clock of two cores that the recorded times
//! advance; on the third part, the time of the choice is divided by that of the arm that is best on all shuffles. Each
//! part is the third one once.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use bezzel_experiment::{ExperimentRecord, Row, Task, Termination, Verdict};
use bezzel_problem::Instance;
use bezzel_report::comparison::is_unchecked;
use bezzel_report::row_statistics::cell::is_counted;
use bezzel_solve::Answer;

use super::choice::choose;
use super::entries::{Arm, Entries, penalised_log};
use super::{ENCODINGS, RESERVED, SHUFFLES, cpu_limit, seconds};
use crate::Workbench;
use crate::arguments::{TuneArguments, default_encoding};
use crate::command::report;
use crate::command::run::JobChooser;
use crate::failure::{CommandResult, Failure};

/// The budgets, in minutes.
const BUDGETS: [u32; 3] = [1, 5, 20];

/// The cores on which the runs are replayed.
const CORES: usize = 2;

/// The number of parts of the shuffles.
const PARTS: usize = 3;

/// The solver of `bezzel solve`.
const SOLVER: &str = "cadical";

const HEAD: &str = "\
| instance | best arm | 1 minute | 5 minutes | 20 minutes | the default | single best arm |
| --- | --- | --- | --- | --- | --- | --- |
";

/// The rows of an instance, by arm, in the order of the shuffles.
struct Table {
    instance: Instance,
    arms: BTreeMap<Arm, Vec<Row>>,
}

/// The regrets on an instance, as logarithms.
struct Regrets {
    /// Of the choice after each budget, of the default, and of the arm that is best on the other instances.
    columns: [f64; 5],
    /// The number of races in which nothing was chosen, by budget.
    open: [usize; 3],
}

pub(super) fn run(
    arguments: &TuneArguments,
    catalog: &Workbench,
    out: &mut dyn Write,
) -> CommandResult {
    let mut tables = Vec::new();
    for name in &arguments.replay {
        let folder = report::find(arguments.root.path(), name, catalog)?;
        let record = ExperimentRecord::open(&folder, catalog).map_err(Failure::work)?;
        add_tables(&record.name, record.rows, &mut tables)?;
    }
    if tables.is_empty() {
        return Err(Failure::Input(
            "--replay: no instance has a checked answer in three or more shuffles. A config with `numberings: [random: \
             {shuffles: 3, literals: true}]` records them"
                .into(),
        ));
    }
    let regrets = tables.iter().map(|table| table.regrets(&tables, catalog));
    let regrets = regrets.collect::<Result<Vec<_>, _>>()?;
    let mut lines: Vec<(bool, Regrets)> = Vec::new();
    write!(out, "{HEAD}")?;
    for (table, regrets) in tables.iter().zip(regrets) {
        let best = table.best();
        let best = format!("{}, {}", best.label, best.solver);
        let cells = regrets.columns.map(factor).join(" | ");
        writeln!(out, "| {} | {best} | {cells} |", table.instance)?;
        lines.push((table.is_sat(), regrets));
    }
    writeln!(out)?;
    for (is_sat, answer) in [(true, "satisfiable"), (false, "unsatisfiable")] {
        let of: Vec<&Regrets> =
            lines.iter().filter(|line| line.0 == is_sat).map(|line| &line.1).collect();
        if !of.is_empty() {
            summarise(&of, answer, out)?;
        }
    }
    let open = [0, 1, 2].map(|budget| {
        lines.iter().map(|(_, regrets)| regrets.open[budget]).sum::<usize>().to_string()
    });
    let races = PARTS * lines.len();
    writeln!(
        out,
        "\nNothing was chosen in {} of {races} races; the default counts.",
        open.join(", ")
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Adds the shuffled runs of a record. Instances without a checked answer are left out, and arms with an unchecked one.
fn add_tables(name: &str, rows: Vec<Row>, tables: &mut Vec<Table>) -> Result<(), Failure> {
    let mut found: BTreeMap<Instance, BTreeMap<Arm, BTreeMap<u64, Row>>> = BTreeMap::new();
    for row in rows.into_iter().filter(is_counted) {
        let Some(seed) = row.job.numbering.literals.filter(|_| row.job.task == Task::Solve) else {
            continue;
        };
        let arms = found.entry(row.job.instance.clone()).or_default();
        arms.entry(Arm::of(&row.job)).or_default().insert(seed, row);
    }
    for (instance, mut arms) in found {
        let shuffles = arms.values().map(BTreeMap::len).max().unwrap_or_default();
        if let Some((arm, _)) =
            arms.iter().find(|(_, rows)| shuffles < PARTS || rows.len() < shuffles)
        {
            return Err(Failure::Input(format!(
                "`{name}` is no full table: `{}` with {} needs all shuffles of `{instance}`, and three or more",
                arm.label, arm.solver
            )));
        }
        arms.retain(|_, rows| !is_unchecked(&rows.values().collect::<Vec<_>>()));
        if !arms.values().flat_map(BTreeMap::values).any(Row::solved) {
            continue;
        }
        let rows = |(arm, rows): (Arm, BTreeMap<u64, Row>)| (arm, rows.into_values().collect());
        let arms = arms.into_iter().map(rows).collect();
        tables.push(Table { instance, arms });
    }
    Ok(())
}

impl Table {
    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.arms.values().flatten()
    }

    fn is_sat(&self) -> bool {
        self.rows().any(|row| row.solved() && row.status == Answer::Sat)
    }

    /// The logarithm of the mean time of an arm on the shuffles whose places are of the part, or on all.
    fn mean(&self, arm: &Arm, part: Option<usize>) -> f64 {
        let rows = self.arms[arm].iter().zip(0..);
        let rows = rows.filter(|(_, place)| part.is_none_or(|part| place % PARTS == part));
        penalised_log(&rows.map(|(row, _)| row).collect::<Vec<_>>())
    }

    /// The arm that is best on all shuffles.
    fn best(&self) -> &Arm {
        let means = self.arms.keys().map(|arm| (self.mean(arm, None), arm));
        means.min_by(|one, two| one.0.total_cmp(&two.0)).expect("it has arms").1
    }

    fn regret(&self, arm: &Arm) -> f64 {
        self.mean(arm, None) - self.mean(self.best(), None)
    }

    fn regrets(&self, tables: &[Self], catalog: &Workbench) -> Result<Regrets, Failure> {
        let (default, best) = (self.default(catalog)?, self.best());
        let mut columns = [0.0; 5];
        let mut open = [0; 3];
        for part in 0..PARTS {
            for (place, minutes) in BUDGETS.into_iter().enumerate() {
                let chosen = self.choice(part, minutes);
                open[place] += usize::from(chosen.is_none());
                let chosen = chosen.as_ref().unwrap_or(default);
                let regret = self.mean(chosen, Some(part)) - self.mean(best, Some(part));
                columns[place] += regret / PARTS as f64;
            }
        }
        columns[3] = self.regret(default);
        columns[4] = self.single_best(tables).map_or(f64::NAN, |arm| self.regret(arm));
        Ok(Regrets { columns, open })
    }

    /// The arm of `bezzel solve`.
    fn default(&self, catalog: &Workbench) -> Result<&Arm, Failure> {
        let settings = self.rows().next().expect("it has rows").job.settings;
        let id = default_encoding(&catalog.catalog, &self.instance, settings, None);
        let found = id.as_ref().and_then(|id| catalog.encodings.find(id).ok());
        let id = found.map(|found| found.info().id);
        let is_default = |arm: &&Arm| Some(&arm.encoding) == id.as_ref() && arm.solver == SOLVER;
        self.arms.keys().find(is_default).ok_or_else(|| {
            let id = id.as_deref().unwrap_or_default();
            let instance = &self.instance;
            Failure::Input(format!(
                "the default, `{id}` with {SOLVER}, has no runs on `{instance}`"
            ))
        })
    }

    /// The arm with the least mean regret over the other instances that have at least half of the arms of this one.
    fn single_best(&self, tables: &[Self]) -> Option<&Arm> {
        let shared = |other: &&Self| {
            let shared = self.arms.keys().filter(|arm| other.arms.contains_key(arm)).count();
            other.instance != self.instance && 2 * shared >= self.arms.len()
        };
        let others: Vec<&Self> = tables.iter().filter(shared).collect();
        others.first()?;
        let arms = self.arms.keys().filter(|arm| others.iter().all(|of| of.arms.contains_key(arm)));
        // The best arm of each is the same for all arms, so means are compared as regrets are.
        let sum = |arm: &Arm| others.iter().map(|other| other.mean(arm, None)).sum::<f64>();
        let sums = arms.map(|arm| (sum(arm), arm));
        sums.min_by(|one, two| one.0.total_cmp(&two.0)).map(|(_, arm)| arm)
    }

    /// The choice of the race on all shuffles but those of a part. They are repeated until there are as many as for one
    /// file.
    fn choice(&self, part: usize, minutes: u32) -> Option<Arm> {
        let all_s = seconds(minutes, CORES);
        let limit = cpu_limit(all_s, self.arms.len());
        let all = self.arms.values().next().map_or(0, Vec::len);
        let raced: Vec<usize> = (0..all).filter(|place| place % PARTS != part).collect();
        let mut runs = Vec::new();
        for shuffle in 0..SHUFFLES {
            for rows in self.arms.values() {
                // Units choose and judge alternately.
                let place = raced[shuffle / 2 % raced.len()];
                let mut row = limited(&rows[place], limit);
                let numbering = &mut row.job.numbering;
                numbering.literals = Some(shuffle as u64);
                numbering.variables = numbering.variables.and(numbering.literals);
                runs.push(row);
            }
        }
        let jobs: Vec<_> = runs.iter().map(|row| &row.job).collect();
        let entries = Entries::new(&jobs, HashMap::new(), all_s, Duration::ZERO);
        let end_s = 60.0 * f64::from(minutes) * (1.0 - RESERVED);
        let ended = on_clock(runs, &entries, end_s);
        Some(choose(&ended, &entries, ENCODINGS[0])?.chosen)
    }
}

/// A run under a CPU limit, which is never more than that of the record.
fn limited(row: &Row, cpu_s: f64) -> Row {
    let mut row = row.clone();
    let over_s = row.cpu_s - cpu_s;
    row.job.limits.cpu_s = row.job.limits.cpu_s.min(cpu_s);
    if over_s > 0.0 {
        (row.status, row.verdict) = (Answer::Unknown, Verdict::Unchecked);
        row.termination = Termination::CpuLimit;
        (row.solve_cpu_s, row.cpu_s) = (None, cpu_s);
        row.wall_s = (row.wall_s - over_s).max(cpu_s);
    }
    row
}

/// The runs that begin before the end, in the order of their ends.
fn on_clock(mut runs: Vec<Row>, entries: &Entries, end_s: f64) -> Vec<Row> {
    runs.sort_by_key(|row| entries.turn(&row.job));
    let mut waiting = VecDeque::from(runs);
    let mut running: Vec<(f64, Row)> = Vec::new();
    let (mut now_s, mut ended) = (0.0, Vec::new());
    loop {
        while running.len() < CORES && now_s < end_s {
            let Some(row) = waiting.pop_front() else { break };
            if entries.wants(&row.job) {
                running.push((now_s + row.wall_s, row));
            }
        }
        let next =
            (0..running.len()).min_by(|one, two| running[*one].0.total_cmp(&running[*two].0));
        let Some(next) = next else { return ended };
        let (at_s, row) = running.swap_remove(next);
        now_s = at_s;
        entries.take(&row);
        ended.push(row);
    }
}

/// The geometric mean, the median and the worst regret of each column.
fn summarise(of: &[&Regrets], answer: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let columns = [0, 1, 2, 3, 4].map(|column| {
        let mut logs: Vec<f64> = of.iter().map(|regrets| regrets.columns[column]).collect();
        logs.sort_by(f64::total_cmp);
        logs
    });
    let mean = |logs: &Vec<f64>| logs.iter().sum::<f64>() / logs.len() as f64;
    let median = |logs: &Vec<f64>| f64::midpoint(logs[(logs.len() - 1) / 2], logs[logs.len() / 2]);
    let worst = |logs: &Vec<f64>| logs[logs.len() - 1];
    let count = of.len();
    let mut line = |word: &str, value: &dyn Fn(&Vec<f64>) -> f64| {
        let cells = columns.each_ref().map(|logs| factor(value(logs)));
        writeln!(out, "| {count} {answer} | {word} | {} |", cells.join(" | "))
    };
    line("geometric mean", &mean)?;
    line("median", &median)?;
    line("worst", &worst)?;
    Ok(())
}

/// The factor of a logarithm; a dash if there is none.
fn factor(log: f64) -> String {
    if log.is_nan() { "–".into() } else { format!("{:.2}", log.exp()) }
}

#[cfg(test)]
mod tests {
    use bezzel_experiment::calibration::CalibrationJob;
    use bezzel_queens::Board;

    use super::*;

    /// Four shuffles of a board, on which an encoding takes these seconds.
    fn rows(arms: &[(&str, f64)]) -> Vec<Row> {
        let fixed =
            CalibrationJob::new(&bezzel_queens::experiment::catalog(), Duration::ZERO).unwrap();
        let of_arm = |(encoding, time): &(&str, f64)| {
            let mut row = Row::blank(fixed.planned.clone(), Termination::Finished);
            row.job.instance = Board::new(8).unwrap().into();
            (*encoding).clone_into(&mut row.job.encoding);
            row.job.limits.cpu_s = 100.0;
            (row.status, row.verdict) = (Answer::Sat, Verdict::Verified);
            (row.solve_cpu_s, row.cpu_s, row.wall_s) = (Some(*time), *time, *time);
            (1..=4).map(move |seed| {
                row.job.numbering.literals = Some(seed);
                row.clone()
            })
        };
        arms.iter().flat_map(of_arm).collect()
    }

    #[test]
    fn the_choice_is_the_fastest_arm_that_ends_within_the_limit_of_the_budget() {
        let mut tables = Vec::new();
        let arms = [("pairwise", 1.0), ("product", 0.5), ("commander:3", 20.0)];
        add_tables("a", rows(&arms), &mut tables).unwrap();
        let chosen = |part| tables[0].choice(part, 1).unwrap().encoding;
        assert!((0..PARTS).all(|part| chosen(part) == "product"));
        let pairwise = tables[0].arms.keys().find(|arm| arm.encoding == "pairwise").unwrap();
        let regret = tables[0].regret(pairwise).exp();
        assert!((1.99..2.0).contains(&regret), "{regret}");
        // In a minute a run of two arms has 6 s.
        let mut slow = Vec::new();
        add_tables("b", rows(&[("pairwise", 7.0), ("product", 8.0)]), &mut slow).unwrap();
        assert!(slow[0].choice(0, 1).is_none());
        assert_eq!(slow[0].choice(0, 5).unwrap().encoding, "pairwise");
        let mut few = rows(&arms);
        few.pop();
        assert!(add_tables("c", few, &mut Vec::new()).is_err());
    }

    #[test]
    fn runs_begin_on_a_free_core_until_the_end() {
        let runs = rows(&[("pairwise", 1.0), ("product", 3.0)]);
        let jobs: Vec<_> = runs.iter().map(|row| row.job.clone()).collect();
        let jobs: Vec<_> = jobs.iter().collect();
        // Runs begin at 0, 0, 1, 2, 3, 4, 5 and 6 s.
        for (end_s, count) in [(0.5, 2), (2.0, 3), (3.5, 5), (100.0, 8)] {
            let entries = Entries::new(&jobs, HashMap::new(), 1e9, Duration::ZERO);
            assert_eq!(on_clock(runs.clone(), &entries, end_s).len(), count, "{end_s}");
        }
    }
}
