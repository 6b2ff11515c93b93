//! Refused jobs that do not fit, and rectangles, which fit their tasks.

use bezzel_encode::{Constraints, FormulaStats};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{BackendInfo, OptionError, Options, Solver};

use super::*;
use crate::backend::{Backend, Capabilities};

#[test]
fn a_setting_that_does_not_fit_a_rectangle_is_refused_with_the_place_of_the_board() {
    let refused = |lines: &str| {
        let text = format!("name: n\nsolvers: [cadical]\nboards:\n  - size: 8\n{lines}");
        let error = Plan::new(&config(&text), &Catalog::standard()).unwrap_err();
        error.to_string()
    };
    assert_eq!(
        refused("  - size: [6, 8x10]\nencodings: [pairwise]\n"),
        "config.yaml:5:15: the set of constraints `full` does not fit the board 8x10: that every \
         column holds a queen is true with as many columns as rows only
  |
5 |   - size: [6, 8x10]
  |               ^^^^
  = take `constraints: no-column-alo`"
    );
    let refused = refused("  - size: 3x4\nencodings: [bryant-circuit+columns]\n");
    assert!(
        refused.starts_with("config.yaml:5:11: `bryant-circuit+columns` does not"),
        "{refused}"
    );
}

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
fn an_encoding_of_whole_constraints_is_refused_under_solvers_of_clauses_with_its_place() {
    let mut catalog = Catalog::standard();
    catalog.backends = catalog.backends.with(TakesAll);
    let planned = |encodings: &str, solvers: &str| {
        let text = format!(
            "name: n\nboards: [{{size: 8}}]\nencodings:\n  - pairwise\n{encodings}solvers: [{solvers}]\n"
        );
        let config = Config::parse(&text, "config.yaml", &catalog).unwrap();
        Plan::new(&config, &catalog).map_err(|error| error.to_string())
    };
    let refused = |encodings: &str| planned(encodings, "takes-all, batsat").unwrap_err();
    assert_eq!(
        refused("  - native\n"),
        "config.yaml:5:5: `native` states at-most-one constraints whole, and the solver `batsat` \
         takes clauses only: it would get the pairs of `pairwise` under another name
  |
5 |   - native
  |     ^^^^^^
  = take `pairwise`, or write the formula by `bezzel encode --format opb`"
    );
    for mixture in [
        "{rows: native, columns: pairwise, diagonals: pairwise}",
        "{rows: pairwise, columns: pairwise, diagonals: {short: pairwise, long: native, at: 4}}",
        "{short: native, long: pairwise, at: 4}",
    ] {
        let lines = format!("  - {mixture}\n");
        let message = refused(&lines);
        assert!(message.starts_with("config.yaml:5:5: `{"), "{message}");
        assert!(message.contains("and the solver `batsat` takes clauses only"), "{message}");
        assert_eq!(planned(&lines, "takes-all").unwrap().jobs.len(), 2);
    }
}

#[test]
fn rectangles_are_planned_beside_squares_by_rows_and_then_columns() {
    let plan = plan(
        "name: r\nboards: [{size: [8x10, 8, 9x8, 8x9]}]\nencodings: [pairwise, binary]\n\
         constraints: no-column-alo\nsolvers: [batsat]\n",
    );
    let boards: Vec<_> = plan.jobs.iter().map(|planned| planned.job.instance.to_string()).collect();
    assert_eq!(boards, ["8", "8", "8x9", "8x9", "8x10", "8x10", "9x8", "9x8"]);
    let catalog = Catalog::standard();
    for planned in plan.jobs {
        let found = catalog.encodings.find(&planned.job.encoding).unwrap();
        let mut stats = FormulaStats::new();
        let encoding = found.on_board(Constraints::NoColumnAlo);
        encoding.rules(&planned.job.instance.problem(), &mut stats);
        assert_eq!(planned.size, Some(stats.size()));
    }
}
