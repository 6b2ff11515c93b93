//! Encodings of whole constraints, and rectangles, under the tasks that they fit.

use bezzel_solve::cadical::Cadical;
use bezzel_solve::{BackendInfo, OptionError, Options, Solver};

use super::*;
use bezzel_experiment::backend::{Backend, Capabilities};

/// CaDiCaL, but with the claim that it takes at-most-one constraints whole.
struct TakesAll;

impl Backend for TakesAll {
    fn info(&self) -> BackendInfo {
        BackendInfo { id: "takes-all".into(), ..Cadical::Default.info() }
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::SOLVER
    }

    fn takes_cardinality(&self) -> bool {
        true
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        Cadical::Default.settings(options)
    }
}

#[test]
fn an_encoding_of_whole_constraints_is_planned_for_solvers_that_take_them() {
    let mut catalog = bezzel_queens::experiment::catalog();
    catalog.backends = catalog.backends.with(TakesAll);
    let planned = |solvers: &str| {
        let text = format!(
            "name: n\nproblems: [{{queens: {{size: 8}}}}]\nsolvers: [{solvers}]\nencodings: [pairwise, native, \
             {{rows: native, columns: pairwise, diagonals: pairwise}}, \
             {{short: native, long: pairwise, at: 4}}]\n"
        );
        let config = Config::parse(&text, "config.yaml", &catalog).unwrap();
        Plan::new(&config, &catalog).map(|plan| plan.jobs.len())
    };
    assert_eq!(planned("takes-all"), Ok(4));
    assert!(planned("takes-all, batsat").is_err());
}

#[test]
fn rectangles_are_planned_beside_squares_by_rows_and_then_columns() {
    let plan = plan(
        "name: r\nproblems: [{queens: {size: [8x10, 8, 9x8, 8x9]}}]\nencodings: [pairwise, binary]\n\
         constraints: no-column-alo\nsolvers: [batsat]\n",
    );
    let boards: Vec<_> = plan.jobs.iter().map(|planned| planned.job.instance.to_string()).collect();
    assert_eq!(boards, ["8", "8", "8x9", "8x9", "8x10", "8x10", "9x8", "9x8"]);
}
