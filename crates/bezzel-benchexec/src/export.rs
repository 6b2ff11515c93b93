//! An experiment as a folder for BenchExec.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::PathBuf;

use super::definition::{self, PACKAGE, PROPERTY, PROPERTY_TEXT, SOLVER_PY};
use super::readme;
use super::tasks::{Formula, Tasks, TasksError};
use bezzel_lab::config::Config;
use bezzel_lab::plan::Plan;
use bezzel_lab::store::{Attached, CONFIG};
use bezzel_lab::workbench::Workbench;

/// How formulas are packed, which the endings of their names tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// Not at all.
    Plain,
    /// By gzip.
    Gzip,
    /// By xz.
    #[default]
    Xz,
}

impl Ending {
    /// The ending of a formula's name, with its point.
    pub fn of_formulas(self) -> &'static str {
        match self {
            Self::Plain => ".cnf",
            Self::Gzip => ".cnf.gz",
            Self::Xz => ".cnf.xz",
        }
    }
}

/// An experiment as a folder for BenchExec: what is in it, formulas apart, which are written one by
/// one.
pub struct Export {
    tasks: Tasks,
    ending: Ending,
    files: Vec<Attached>,
}

impl fmt::Debug for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Export").field("tasks", &self.tasks).finish_non_exhaustive()
    }
}

impl Export {
    /// What this plan is in the words of BenchExec.
    ///
    /// # Errors
    ///
    /// When an encoding is not to be had any more, no solver of the plan can be run, or a file of
    /// the config has the name of one of the export.
    pub fn new(
        config: &Config,
        plan: Plan,
        ending: Ending,
        workbench: &Workbench,
    ) -> Result<Self, TasksError> {
        let plan = plan.for_benchexec();
        let tasks = Tasks::new(&plan.jobs, config.limits, workbench)?;
        let files = files(config, &tasks, ending);
        let mut paths = HashSet::new();
        if let Some(twice) = files.iter().find(|file| !paths.insert(&file.path)) {
            return Err(TasksError::Twice(twice.path.clone()));
        }
        Ok(Self { tasks, ending, files })
    }

    /// The formulas, in the order of the plan.
    pub fn formulas(&self) -> &[Formula] {
        &self.tasks.formulas
    }

    /// Where a formula goes.
    pub fn path(&self, formula: &Formula) -> PathBuf {
        PathBuf::from(format!("formulas/{}{}", formula.name, self.ending.of_formulas()))
    }

    /// The small files. The README, which says that all is there, is the last.
    pub fn files(&self) -> &[Attached] {
        &self.files
    }

    /// What was made of the plan.
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }
}

fn files(config: &Config, tasks: &Tasks, ending: Ending) -> Vec<Attached> {
    let mut files =
        vec![Attached { path: CONFIG.into(), bytes: config.frozen_text().into_bytes() }];
    files.extend(config.files.iter().cloned());
    let mut add = |path, text: String| files.push(Attached { path, bytes: text.into_bytes() });
    add(PROPERTY.into(), PROPERTY_TEXT.into());
    let mut expected = HashMap::new();
    for formula in &tasks.formulas {
        let of = &formula.instance;
        let known = expected.entry(of).or_insert_with(|| definition::expected(of));
        let text = definition::task(formula, ending.of_formulas(), known.as_ref());
        add(format!("tasks/{}.yml", formula.name), text);
    }
    add(format!("{PACKAGE}/__init__.py"), String::new());
    add(format!("{PACKAGE}/solver.py"), SOLVER_PY.into());
    for benchmark in &tasks.benchmarks {
        let name = &benchmark.name;
        add(format!("{PACKAGE}/{name}.py"), definition::module(&benchmark.tool));
        for run in &benchmark.runs {
            add(format!("sets/{}.set", run.name), definition::set(run, &tasks.formulas));
        }
        add(format!("{name}.xml"), definition::benchmark(benchmark, &config.limits));
    }
    add("README.txt".into(), readme::text(&config.name, tasks, ending.of_formulas()));
    files
}
