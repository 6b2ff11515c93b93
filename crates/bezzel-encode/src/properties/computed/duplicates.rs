//! Encodings that are the same under different names.
//!
//! Two formulas are the same if their clauses are, as sets of sets of literals: at 9 inputs as at most one and as
//! exactly one, and on the board of side 9 where one of the two is no at-most-one. Auxiliary variables may have other
//! numbers, or be negated: they are distinguished by the clauses in which they occur, in rounds until no further ones
//! can be distinguished (colour refinement). If two of them stay equal, the formulas are compared as they were
//! generated.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use bezzel_problem::Board;
use rustsat::types::Lit;
use serde::Serialize;

use crate::formula::Formula;
use crate::formula_stats::FormulaStats;
use crate::properties::Form;
use crate::registry::{NamedEncoding, Registry};
use crate::settings::Settings;
use crate::sink::Tee;

/// Another id with the same clauses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct DuplicateEncoding {
    /// The other id.
    pub id: String,
    /// True if auxiliary variables have to be renamed or negated first.
    pub renamed: bool,
    /// True if they are the same at 9 only, and no longer at 40 inputs (on the board, at side 13).
    pub only_small: bool,
}

type Clauses = BTreeSet<Vec<Lit>>;

/// Some formulas of an encoding: as they were generated, and with canonical names of auxiliary variables where these
/// exist.
struct ClauseFingerprints {
    exact: Vec<Clauses>,
    canonical: Option<Vec<Clauses>>,
}

/// The prints of one encoding at a small and at a larger size.
struct FingerprintPair([ClauseFingerprints; 2]);

impl FingerprintPair {
    fn same(&self, other: &Self) -> Option<(bool, bool)> {
        let [small, large] = [0, 1].map(|at| {
            let (one, two) = (&self.0[at], &other.0[at]);
            if one.exact == two.exact {
                Some(false)
            } else if one.canonical.is_some() && one.canonical == two.canonical {
                Some(true)
            } else {
                None
            }
        });
        Some((small?, large.is_none()))
    }
}

/// The other ids of each listed one that has some, in the order of the registry.
pub fn duplicates(registry: &Registry) -> BTreeMap<String, Vec<DuplicateEncoding>> {
    let mut all = BTreeMap::new();
    let infos = registry.infos();
    let found: Vec<NamedEncoding> =
        infos.iter().filter_map(|info| registry.find(&info.id).ok()).collect();
    let lines: Vec<Option<FingerprintPair>> = found.iter().map(on_lines).collect();
    let boards: Vec<Option<FingerprintPair>> = found.iter().map(on_board).collect();
    for (one, info) in infos.iter().enumerate() {
        let mut others = Vec::new();
        for (two, other) in infos.iter().enumerate().filter(|&(two, _)| two != one) {
            // Two encodings of lines are compared by lines, others by the board.
            let by_lines = lines[one].as_ref().zip(lines[two].as_ref());
            let pair = by_lines.or_else(|| boards[one].as_ref().zip(boards[two].as_ref()));
            if let Some((renamed, only_small)) = pair.and_then(|(one, two)| one.same(two)) {
                others.push(DuplicateEncoding { id: other.id.clone(), renamed, only_small });
            }
        }
        if !others.is_empty() {
            all.insert(info.id.clone(), others);
        }
    }
    all
}

fn on_lines(found: &NamedEncoding) -> Option<FingerprintPair> {
    let NamedEncoding::AtMostOne(amo) = found else { return None };
    Some(FingerprintPair([9, 40].map(|n| {
        let formulas = Form::ALL.map(|form| (form.formula(&**amo, n).1, n));
        prints(&formulas)
    })))
}

fn on_board(found: &NamedEncoding) -> Option<FingerprintPair> {
    let boards = [9, 13].map(|side| Board::new(side).expect("small boards are allowed"));
    let encoding = found.on_board(Settings::default());
    if boards.iter().any(|board| encoding.fits(&board.problem()).is_err()) {
        return None;
    }
    Some(FingerprintPair(boards.map(|board| {
        let mut tee = Tee(Formula::new(), FormulaStats::new());
        encoding.encode(&board.problem(), &mut tee);
        let Tee(formula, stats) = tee;
        prints(&[(formula, stats.primary())])
    })))
}

/// The prints of formulas, each with the number of its primary variables.
fn prints(formulas: &[(Formula, u32)]) -> ClauseFingerprints {
    let exact = formulas.iter().map(|(formula, _)| clauses(formula, |lit| lit)).collect();
    let canonical = formulas.iter().map(|(formula, primary)| canonical(formula, *primary));
    ClauseFingerprints { exact, canonical: canonical.collect() }
}

fn clauses(formula: &Formula, name: impl Fn(Lit) -> Lit) -> Clauses {
    let sorted = |clause: &[Lit]| {
        let mut clause: Vec<Lit> = clause.iter().map(|&lit| name(lit)).collect();
        clause.sort_unstable();
        clause.dedup();
        clause
    };
    formula.clauses().map(sorted).collect()
}

/// The clauses with the auxiliary variables numbered, and negated, by their occurrences; none where some of them stay
/// equal.
fn canonical(formula: &Formula, primary: u32) -> Option<Clauses> {
    let colours = colours(formula, primary);
    let variables = formula.variables();
    let mut auxiliary: Vec<([u64; 2], Lit)> = (primary..variables)
        .map(|index| {
            let lit = Lit::positive(index);
            let [pos, neg] = [colours[lit.lidx()], colours[(!lit).lidx()]];
            if pos <= neg { ([pos, neg], lit) } else { ([neg, pos], !lit) }
        })
        .collect();
    auxiliary.sort_unstable();
    let alike = |pair: &[([u64; 2], Lit)]| pair[0].0 == pair[1].0;
    if auxiliary.windows(2).any(alike) || auxiliary.iter().any(|([low, high], _)| low == high) {
        return None;
    }
    let mut names: Vec<Lit> = (0..variables).map(Lit::positive).collect();
    for (number, (_, lit)) in (primary..).zip(auxiliary) {
        names[lit.vidx()] = Lit::new(number, lit.is_neg());
    }
    Some(clauses(formula, |lit| if lit.is_pos() { names[lit.vidx()] } else { !names[lit.vidx()] }))
}

/// A colour for each literal, by its number: different ones for distinguished literals.
fn colours(formula: &Formula, primary: u32) -> Vec<u64> {
    let hash = |what: &dyn Fn(&mut DefaultHasher)| {
        // With its fixed keys it gives the same values within one run, which suffices.
        let mut hasher = DefaultHasher::new();
        what(&mut hasher);
        hasher.finish()
    };
    let literals = 2 * formula.variables() as usize;
    let mut colours: Vec<u64> = (0..literals)
        .map(|lit| if lit < 2 * primary as usize { 1 + lit as u64 } else { 0 })
        .collect();
    let mut kinds = 0;
    loop {
        let mut occurrences: Vec<Vec<u64>> = vec![Vec::new(); literals];
        for clause in formula.clauses() {
            let mut others: Vec<u64> = clause.iter().map(|lit| colours[lit.lidx()]).collect();
            others.sort_unstable();
            let colour = hash(&|hasher| others.hash(hasher));
            for lit in clause {
                occurrences[lit.lidx()].push(colour);
            }
        }
        for clauses in &mut occurrences {
            clauses.sort_unstable();
            clauses.dedup();
        }
        colours = (0..literals)
            .map(|lit| {
                let negation = lit ^ 1;
                hash(&|hasher| {
                    (colours[lit], colours[negation]).hash(hasher);
                    occurrences[lit].hash(hasher);
                    occurrences[negation].hash(hasher);
                })
            })
            .collect();
        let now = colours.iter().collect::<HashSet<_>>().len();
        if now == kinds {
            return colours;
        }
        kinds = now;
    }
}
