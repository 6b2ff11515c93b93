//! The encoding that commands take if none is named: one choice for all commands, by the shape of the constraints.

use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{Settings, Size};
use bezzel_experiment::{Catalog, fit};
use bezzel_problem::{GroupFamily, Instance, Problem, ProblemFile};

/// The encoder of groups of which at most one literal holds. Its formulas grow little faster than the groups.
const AT_MOST_ONE: &str = "product";
/// The encoder of larger bounds.
const LARGER: &str = "totalizer:cut";
/// The encoders of groups with weights, from the strongest to the smallest.
const HEAVY: [&str; 2] = ["robdd-or-watchdog", "adder-network"];
/// The encoders of single constraints: of bounds of one, of larger ones, and of other sums from the strongest to the
/// smallest.
pub(crate) const BY_SHAPE: [&str; 4] = [AT_MOST_ONE, LARGER, HEAVY[0], HEAVY[1]];
/// The encoders that are tried if the choice is too large, from the strongest to the smallest.
const SMALLER: [&str; 4] = ["totalizer:cut", "k-modulo-totalizer", "adder", "adder-network"];
/// The first encoding that `tune` compares. Its choice is compared with it.
pub(crate) const FIRST_TUNED: &str = "pairwise";
/// The most clauses of the choice, unless every encoder makes more. Such a formula is written and read in seconds.
pub(crate) const MAX_CLAUSES: u128 = 10_000_000;

/// The name of the encoding: the first that has at most [`MAX_CLAUSES`] clauses and fits into the memory, otherwise the
/// one with the fewest clauses that fits. None if no encoding is known to fit.
pub(crate) fn default_encoding(
    catalog: &Catalog,
    instance: &Instance,
    settings: Settings,
    memory_bytes: Option<u64>,
) -> Option<String> {
    let problem = instance.problem();
    let aim = instance.file().and_then(ProblemFile::middle_bound);
    let aim = aim.as_ref();
    let mut least: Option<(u128, String)> = None;
    let objective = instance.file().filter(|_| aim.is_some()).and_then(ProblemFile::objective);
    let is_heavy = objective.map(|objective| objective.has_weights());
    for id in names(&problem, is_heavy) {
        let Ok(found) = catalog.encodings.find(&id) else { continue };
        let Some(mut size) = size(&found, settings, instance, &problem) else { continue };
        if let Some(aim) = aim {
            let encoding = found.with_settings(settings);
            let Some(more) = encoding.fits(aim).ok().and_then(|()| encoding.size(aim)) else {
                continue;
            };
            size.clauses = size.clauses.saturating_add(more.clauses);
        }
        let fits = match memory_bytes {
            None => fit::numbered(instance, &id, size),
            Some(bytes) => fit::solvable(instance, &id, size, false, bytes),
        };
        if fits.is_err() || size.is_bound() {
            continue;
        }
        if size.clauses <= MAX_CLAUSES {
            return Some(id);
        }
        if least.as_ref().is_none_or(|(clauses, _)| size.clauses < *clauses) {
            least = Some((size.clauses, id));
        }
    }
    least.map(|(_, id)| id)
}

/// The size of the formula; none if the encoding does not take the problem.
fn size(
    found: &NamedEncoding,
    settings: Settings,
    instance: &Instance,
    problem: &Problem,
) -> Option<Size> {
    let encoding = found.with_settings(settings);
    encoding.fits(problem).ok()?;
    fit::size(encoding.as_ref(), instance)
}

/// The names in the order in which they are tried: the choice by the shape first.
/// If the optimum is asked for, the objective has weights or counts.
pub(super) fn names(problem: &Problem, is_heavy: Option<bool>) -> impl Iterator<Item = String> {
    let mut choices = HEAVY.map(|heavy| by_shape(problem, is_heavy, heavy)).to_vec();
    choices.dedup();
    choices.into_iter().chain(SMALLER.map(str::to_owned))
}

/// The choice by the bounds and the weights of the families: a mixture if they differ. Bounds on an objective have other
/// names each time, so the rest takes them.
fn by_shape(problem: &Problem, is_heavy: Option<bool>, heavy: &'static str) -> String {
    let encoders: Vec<(&str, &str)> =
        problem.families().iter().map(|family| (family.name(), encoder(family, heavy))).collect();
    let of_aim = is_heavy.map(|is_heavy| if is_heavy { heavy } else { LARGER });
    let has = |encoder: &str| {
        encoders.iter().any(|(_, other)| *other == encoder) || of_aim == Some(encoder)
    };
    let Some(rest) = [heavy, LARGER].into_iter().find(|encoder| has(encoder)) else {
        return AT_MOST_ONE.to_owned();
    };
    let named: Vec<String> = encoders
        .iter()
        .filter(|(_, encoder)| *encoder != rest)
        .map(|(family, encoder)| format!("{family}: {encoder}"))
        .collect();
    if named.is_empty() {
        rest.to_owned()
    } else {
        format!("{{{}, default: {rest}}}", named.join(", "))
    }
}

/// The encoder of a family. A lower bound of one alone is a clause under every encoder.
fn encoder(family: &GroupFamily, heavy: &'static str) -> &'static str {
    let bounds = family.bounds();
    if family.weights().is_some() {
        heavy
    } else if bounds.at_most.is_none_or(|k| k <= 1) && bounds.at_least.is_none_or(|k| k <= 1) {
        AT_MOST_ONE
    } else {
        LARGER
    }
}

#[cfg(test)]
#[path = "default_evidence_tests.rs"]
mod evidence;

#[cfg(test)]
mod tests {

    use bezzel_problem::ProblemFile;
    use bezzel_queens::Board;

    use super::*;

    fn picked(text: &str, memory_bytes: Option<u64>) -> Option<String> {
        let file = ProblemFile::read("a.opb", None, text.as_bytes()).unwrap();
        default_encoding(
            &bezzel_queens::experiment::catalog(),
            &file.into(),
            Settings::default(),
            memory_bytes,
        )
    }

    fn at_most(k: u64, n: u64) -> String {
        let terms: Vec<String> = (1..=n).map(|number| format!("+1 x{number}")).collect();
        format!("{} <= {k} ;\n", terms.join(" "))
    }

    #[test]
    fn bounds_of_one_larger_bounds_and_weights_have_encoders_of_their_own() {
        let board: Instance = Board::new(8).unwrap().into();
        let of_board = default_encoding(
            &bezzel_queens::experiment::catalog(),
            &board,
            Settings::default(),
            None,
        );
        assert_eq!(of_board.as_deref(), Some("product"));
        let (one, two, weighted) = (at_most(1, 5), at_most(2, 5), "+2 x1 +3 x2 +1 x3 <= 3 ;\n");
        for (text, expected) in [
            (one.clone(), AT_MOST_ONE),
            ("+1 x1 +1 x2 >= 1 ;\n".to_owned(), AT_MOST_ONE),
            (two.clone(), LARGER),
            (weighted.to_owned(), "robdd-or-watchdog"),
            (format!("{one}{two}"), "{at-most-one: product, default: totalizer:cut}"),
            (
                format!("{one}+1 x6 +1 x7 +1 x8 = 1 ;\n{two}{weighted}"),
                "{at-most-one: product, exactly-one: product, at-most-2: totalizer:cut, default: robdd-or-watchdog}",
            ),
        ] {
            assert_eq!(picked(&text, None).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn an_encoding_that_is_too_large_is_not_picked_while_another_fits() {
        // `totalizer:cut` makes more than 10,000,000 clauses of each.
        let large = at_most(4_000, 8_000);
        assert_eq!(picked(&large, None).as_deref(), Some("k-modulo-totalizer"));
        // The memory excludes all but `adder`.
        assert_eq!(picked(&large, Some(16 << 20)).as_deref(), Some("adder"));
        assert_eq!(picked(&large, Some(1 << 20)), None);
    }
}
