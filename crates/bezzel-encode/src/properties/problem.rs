//! The properties of an encoding of whole problems, each tried on one problem.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use bezzel_problem::{Problem, Search, Solution};

use super::PropertyFinding;
use super::form::{Inspector, Repetitions, words};
use super::meaning::{EnumerationBounds, Meaning};
use crate::clause_hash::ClauseHash;
use crate::encoding::Encoding;
use crate::formula::Formula;
use crate::formula_stats::FormulaStats;
use crate::sink::{ClauseSink, Tee};
use crate::var_map::VarMap;

fn encode<S: ClauseSink>(encoding: &dyn Encoding, problem: &Problem, mut sink: S) -> (VarMap, S) {
    let map = encoding.encode(problem, &mut sink);
    (map, sink)
}

/// See [`Property::WellFormed`](super::Property::WellFormed). In a grid of two columns a clause may always be true: where
/// a row is one bit, a circuit's gate "this square or that one" is x ∨ ¬x. In problems without a grid a clause may name
/// a variable twice: codes of two candidates of one domain share their bits, and a weight may be repeated literals.
///
/// # Errors
///
/// The first violation found.
pub fn well_formed(encoding: &dyn Encoding, problem: &Problem) -> Result<(), PropertyFinding> {
    let inspector = Inspector::allowing(match problem.grid() {
        None => Repetitions::All,
        Some(grid) if grid.columns == 2 => Repetitions::AlwaysTrue,
        Some(_) => Repetitions::None,
    });
    let (_, inspector) = encode(encoding, problem, inspector);
    inspector.finish().map_err(Into::into)
}

/// See [`Property::Determinism`](super::Property::Determinism).
///
/// # Errors
///
/// When two streams differ.
pub fn determinism(encoding: &dyn Encoding, problem: &Problem) -> Result<(), PropertyFinding> {
    let [first, second] = [(); 2].map(|()| {
        let (map, Tee(digest, stats)) =
            encode(encoding, problem, Tee(ClauseHash::new(), FormulaStats::new()));
        (map, digest.finish(), stats.variables())
    });
    if first == second {
        return Ok(());
    }
    Err("encoding twice gives two different streams or maps".into())
}

/// See [`Property::Size`](super::Property::Size). An encoding without a closed form has nothing to compare.
///
/// # Errors
///
/// When the closed form is not that of the formula.
pub fn size(encoding: &dyn Encoding, problem: &Problem) -> Result<(), PropertyFinding> {
    let Some(stated) = encoding.size(problem) else { return Ok(()) };
    let mut stats = FormulaStats::new();
    encoding.rules(problem, &mut stats);
    let counted = stats.size();
    if stated == counted {
        return Ok(());
    }
    Err(format!("stated {}, counted {}", words(stated), words(counted)).into())
}

/// See [`Property::Solutions`](super::Property::Solutions). The solutions are those of the exhaustive search.
///
/// # Errors
///
/// The first solution that is wrongly allowed, allowed twice or forbidden.
pub fn solutions(encoding: &dyn Encoding, problem: &Problem) -> Result<(), PropertyFinding> {
    let (map, formula) = encode(encoding, problem, Formula::new());
    let mut right = BTreeSet::new();
    let searched = Search::new(problem).each(u64::MAX, |solution| {
        right.insert(solution.clone());
        ControlFlow::Continue(())
    });
    searched.expect("the search has no budget");
    let meaning: Meaning<Solution> =
        Meaning::of(&formula, &map.variables(), &right, EnumerationBounds::FIRST, |model| {
            map.decode(|lit| model.holds(lit))
        });
    let shown = |solution: &Solution| {
        let labels = solution.chosen().iter().map(|&candidate| problem.label(candidate));
        let labels: Vec<String> = labels.collect();
        if labels.is_empty() { "no candidate".to_owned() } else { labels.join(" and ") }
    };
    let fault = if let Some(wrong) = &meaning.first_wrong {
        format!("it wrongly allows the choice of {}", shown(wrong))
    } else if let Some(again) = &meaning.first_repeated {
        format!("two assignments of the primary variables mean the choice of {}", shown(again))
    } else if let Some(missing) = &meaning.first_missing {
        format!("it wrongly forbids the solution {}", shown(missing))
    } else {
        return Ok(());
    };
    Err(fault.into())
}

/// The part of [`Property::Layout`](super::Property::Layout) that is about the map: it has a cube for each candidate, over
/// the variables made first, and no cube names a variable twice. Returns the map and the formula.
///
/// # Errors
///
/// The first violation found.
pub fn layout(
    encoding: &dyn Encoding,
    problem: &Problem,
) -> Result<(VarMap, Formula), PropertyFinding> {
    let (map, Tee(formula, stats)) =
        encode(encoding, problem, Tee(Formula::new(), FormulaStats::new()));
    let (cubes, candidates) = (map.candidates(), problem.candidates());
    if cubes != candidates {
        return Err(format!("the map has {cubes} cubes for {candidates} candidates").into());
    }
    let mut variables: Vec<u32> = map.variables().iter().map(|var| var.idx32()).collect();
    variables.sort_unstable();
    if !variables.iter().copied().eq(0..stats.primary()) {
        let primary = stats.primary();
        let what = format!("the cubes are not of the {primary} variables made first, and of all");
        return Err(what.into());
    }
    for (candidate, cube) in (0..).zip(map.cubes()) {
        let distinct: BTreeSet<u32> = cube.iter().map(|lit| lit.vidx32()).collect();
        if distinct.len() != cube.len() {
            let square = problem.square(candidate).map(|square| square.to_string());
            let label = square.unwrap_or_else(|| problem.label(candidate));
            return Err(format!("the cube of {label} names a variable twice").into());
        }
    }
    Ok((map, formula))
}
