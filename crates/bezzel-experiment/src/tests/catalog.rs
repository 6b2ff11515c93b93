//! The catalog of the tests of this crate. It stands in for a plug-in.

use bezzel_encode::{Encoding, Unsupported};
use bezzel_problem::Instance;
use bezzel_problem::kind::pigeonhole::Pigeonhole;
use bezzel_solve::{BackendInfo, OptionError, Options};

use crate::backend::catalog::Catalog;
use crate::backend::{Backend, Capabilities, InputKind, THREADS, refuse_others};
use crate::tests::seating::Seating;

/// An engine that runs nothing. It reads grids alone, or circuits.
struct StubEngine(&'static str, InputKind);

/// The engines, with the names of those of a plug-in that committed configs name.
const ENGINES: [StubEngine; 24] = [
    StubEngine("bdd", InputKind::Circuit),
    StubEngine("bcdd", InputKind::Circuit),
    StubEngine("zbdd", InputKind::Circuit),
    StubEngine("bdd+column", InputKind::Circuit),
    StubEngine("bdd+inside-out", InputKind::Circuit),
    StubEngine("bdd+interleaved", InputKind::Circuit),
    StubEngine("bdd+top-together", InputKind::Circuit),
    StubEngine("bcdd+top-together", InputKind::Circuit),
    StubEngine("zbdd+column", InputKind::Circuit),
    StubEngine("zbdd+inside-out", InputKind::Circuit),
    StubEngine("zbdd+interleaved", InputKind::Circuit),
    StubEngine("zbdd+top-together", InputKind::Circuit),
    StubEngine("bdd:rules", InputKind::Instance),
    StubEngine("bcdd:rules", InputKind::Instance),
    StubEngine("zbdd:rules", InputKind::Instance),
    StubEngine("bdd:rules+column", InputKind::Instance),
    StubEngine("zbdd:rules+column", InputKind::Instance),
    StubEngine("zbdd:rules+inside-out", InputKind::Instance),
    StubEngine("direct-zdd", InputKind::Instance),
    StubEngine("direct-zdd:binary", InputKind::Instance),
    StubEngine("direct-bdd", InputKind::Instance),
    StubEngine("direct-bdd:binary", InputKind::Instance),
    StubEngine("states", InputKind::Instance),
    StubEngine("backtrack", InputKind::Instance),
];

impl Backend for StubEngine {
    fn info(&self) -> BackendInfo {
        let (id, version) = (self.0.to_owned(), "1".to_owned());
        BackendInfo { id, title: String::new(), version, citation: String::new() }
    }

    fn reads(&self) -> InputKind {
        self.1
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { lists: self.0 != "states", counts: true, ..Capabilities::default() }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        let threads = (self.0 == "backtrack").then_some(THREADS);
        refuse_others(self.0, options, threads, &(1..=1024))?;
        Ok(options.clone())
    }

    fn fits(&self, instance: &Instance, _: Option<&dyn Encoding>) -> Result<(), Unsupported> {
        if instance.grid().is_some() {
            return Ok(());
        }
        let mend = "take an engine that reads clauses, such as `blocking`";
        let (what, why) = (format!("`{}`", self.0), "it reads instances on a grid alone");
        Err(Unsupported::new(what, &instance.problem(), why, mend))
    }
}

impl Catalog {
    /// The standard catalog with an engine that reads instances, a calibration instance, and the kinds of tests.
    pub(crate) fn of_tests() -> Self {
        let _ = Seating::new(1, 1);
        let standard = Self::standard();
        Self {
            backends: ENGINES
                .into_iter()
                .fold(standard.backends, |all, engine| all.with_before("components", engine)),
            calibration: Some(Pigeonhole::new(10, 2).expect("a small instance").into()),
            ..standard
        }
    }
}
