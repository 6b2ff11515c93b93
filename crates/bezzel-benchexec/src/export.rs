//! An experiment as a folder for BenchExec.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::PathBuf;

use super::definition::{self, PACKAGE, PROPERTY, PROPERTY_TEXT, SOLVER_PY};
use super::readme;
use super::tasks::{TaskFormula, Tasks, TasksError};
use bezzel_experiment::catalog::Catalog;
use bezzel_experiment::config::Config;
use bezzel_experiment::plan::Plan;
use bezzel_experiment::store::{Attached, CONFIG};

/// The compression of formulas, and the extension of their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// No compression.
    Plain,
    /// Compression by gzip.
    Gzip,
    /// Compression by xz.
    #[default]
    Xz,
}

impl Compression {
    /// Returns the extension of a formula's name, with its point.
    pub fn of_formulas(self) -> &'static str {
        match self {
            Self::Plain => ".cnf",
            Self::Gzip => ".cnf.gz",
            Self::Xz => ".cnf.xz",
        }
    }
}

/// An experiment as a folder for BenchExec: its content except the formulas, which are written one by one.
pub struct Export {
    tasks: Tasks,
    ending: Compression,
    files: Vec<Attached>,
}

impl fmt::Debug for Export {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Export").field("tasks", &self.tasks).finish_non_exhaustive()
    }
}

impl Export {
    /// Translates a plan into the terms of BenchExec.
    ///
    /// # Errors
    ///
    /// An encoding is not available any more, no solver of the plan can be run, or a file of the config has the
    /// name of one of the export.
    pub fn new(
        config: &Config,
        plan: Plan,
        ending: Compression,
        catalog: &Catalog,
    ) -> Result<Self, TasksError> {
        let plan = plan.for_benchexec();
        let tasks = Tasks::new(&plan.jobs, config.limits, catalog)?;
        let files = files(config, &tasks, ending);
        let mut paths = HashSet::new();
        if let Some(twice) = files.iter().find(|file| !paths.insert(&file.path)) {
            return Err(TasksError::Twice(twice.path.clone()));
        }
        Ok(Self { tasks, ending, files })
    }

    /// Returns the formulas, in the order of the plan.
    pub fn formulas(&self) -> &[TaskFormula] {
        &self.tasks.formulas
    }

    /// Returns the path of a formula.
    pub fn path(&self, formula: &TaskFormula) -> PathBuf {
        PathBuf::from(format!("formulas/{}{}", formula.name, self.ending.of_formulas()))
    }

    /// Returns the small files. The README is the last: its presence shows that all files are written.
    pub fn files(&self) -> &[Attached] {
        &self.files
    }

    /// Returns the tasks of the plan.
    pub fn tasks(&self) -> &Tasks {
        &self.tasks
    }
}

fn files(config: &Config, tasks: &Tasks, ending: Compression) -> Vec<Attached> {
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
