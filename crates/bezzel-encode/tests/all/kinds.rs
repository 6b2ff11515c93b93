//! Every encoding on small instances of every kind of problem, compared with the exhaustive search.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use bezzel_encode::amk;
use bezzel_encode::{
    Constraints, Encoding, Formula, FormulaStats, InputOrder, Registry, Settings, models,
};
use bezzel_problem::{GroupFamily, Instance, Problem, Search, Solution};

use crate::tiers::Tier;

/// All solutions by the search.
fn searched(problem: &Problem) -> BTreeSet<Solution> {
    let mut found = BTreeSet::new();
    let end = Search::new(problem).each(u64::MAX, |solution| {
        assert!(found.insert(solution.clone()), "each once");
        ControlFlow::Continue(())
    });
    end.expect("no budget");
    found
}

/// Every encoding that is listed, and the encoders of sums, by their ids.
fn encodings() -> Vec<(String, Arc<dyn Encoding>)> {
    let registry = Registry::standard();
    let sums = registry.sums().map(|sums| sums.info());
    let infos = registry.infos().into_iter().filter(|info| !info.cardinality).chain(sums);
    let found = infos.map(|info| {
        let encoding = registry.find(&info.id).unwrap().with_settings(Constraints::Full);
        (info.id, encoding)
    });
    found.collect()
}

/// Every input order has the solutions of the search, under encoders of at most one, of larger bounds and of sums.
#[test]
fn an_input_order_changes_no_solution_of_any_kind() {
    let registry = Registry::standard();
    let ids = ["pairwise", "commander:3", "product", "sequential-counter", "robdd"];
    for instance in Instance::examples() {
        let problem = instance.problem();
        let solutions = searched(&problem);
        for name in ["reversed", "reversed-alternate", "random:5", "common:5", "proximity"] {
            let input_order: InputOrder = name.parse().unwrap();
            for id in ids {
                let settings = Settings { input_order, ..Settings::from(Constraints::Full) };
                let encoding = registry.find(id).unwrap().with_settings(settings);
                if encoding.fits(&problem).is_err() {
                    continue;
                }
                let mut formula = Formula::new();
                let map = encoding.encode(&problem, &mut formula);
                let found = models::solutions(&formula, &map, 1).into_iter();
                let found: BTreeSet<Solution> = found.map(|(found, _)| found).collect();
                assert_eq!(found, solutions, "{id} on {instance} with the order {name}");
            }
        }
    }
}

fn check_solutions(tier: Tier) {
    let encodings = tier.encodings(encodings(), |(id, _)| id.clone());
    for instance in Instance::examples() {
        let problem = instance.problem();
        let solutions = searched(&problem);
        if let Some(known) = instance.known().count.map(|(count, _)| count) {
            assert_eq!(solutions.len() as u128, known, "{instance}");
        }
        for solution in &solutions {
            assert_eq!(instance.check(solution), Ok(()), "{instance}");
        }
        let mut fitting = 0;
        for (id, encoding) in &encodings {
            if encoding.fits(&problem).is_err() {
                continue;
            }
            fitting += 1;
            let mut formula = Formula::new();
            let map = encoding.encode(&problem, &mut formula);
            let found: BTreeSet<Solution> =
                models::solutions(&formula, &map, 1).into_iter().map(|(found, _)| found).collect();
            assert_eq!(found, solutions, "{id} on {instance}");
            let mut stats = FormulaStats::new();
            encoding.rules(&problem, &mut stats);
            if let Some(size) = encoding.size(&problem) {
                assert_eq!(size, stats.size(), "{id} on {instance}");
            }
        }
        let least = if has_larger_bounds(&problem) { of_bounds().len() } else { 50 };
        let least = tier.pick(1, least);
        assert!(fitting >= least, "{fitting} encodings fit {instance}");
    }
}

#[test]
fn the_solutions_of_every_encoding_are_those_of_the_search() {
    check_solutions(Tier::Default);
}

#[test]
#[ignore = "second tier: all encodings"]
fn the_solutions_of_all_encodings_are_those_of_the_search() {
    check_solutions(Tier::Second);
}

/// True if groups have other bounds than 1.
fn has_larger_bounds(problem: &Problem) -> bool {
    let is_one = |bound: Option<u64>| bound.is_none_or(|bound| bound == 1);
    let bounds = problem.families().iter().map(GroupFamily::bounds);
    bounds.into_iter().any(|bounds| !is_one(bounds.at_least) || !is_one(bounds.at_most))
}

/// The ids of the encodings of larger bounds that are also listed for bounds of 1.
fn of_bounds() -> Vec<String> {
    let ids = amk::all().into_iter().map(|encoder| encoder.about().id);
    let listed: Vec<String> = encodings().into_iter().map(|(id, _)| id).collect();
    ids.filter(|id| listed.contains(id)).collect()
}

#[test]
fn an_encoding_that_does_not_fit_is_refused_in_one_sentence() {
    for instance in Instance::examples() {
        let problem = instance.problem();
        for (id, encoding) in encodings() {
            if let Err(unsupported) = encoding.fits(&problem) {
                let message = unsupported.to_string();
                assert!(message.contains(&format!("does not fit {instance}: ")), "{id}: {message}");
            }
            // They need a second family that partitions the candidates, or one such family.
            let needs_domains = ["binary", "order", "support", "implication:auxiliary"];
            let may_be_refused = id == "support+columns"
                || has_larger_bounds(&problem) && !of_bounds().contains(&id)
                || ["exact-cover", "file", "max-square"].contains(&instance.kind())
                    && needs_domains.iter().any(|prefix| id.starts_with(prefix));
            assert!(may_be_refused || encoding.fits(&problem).is_ok(), "{id} on {instance}");
        }
    }
}
