//! The treatment that a change of a factor delivers to the runs.
//!
//! A solver is deterministic. Two runs under equal conditions with equal statistics are one search under two names, so
//! a change that leaves nearly all runs as they are shows no effect: it is void. A setting that leaves the clauses of an
//! encoding as they are is a control of the other encodings.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use bezzel_encode::{ClauseSink, Encoding, Lit, Numbering, VarRange};
use bezzel_experiment::Row;
use bezzel_problem::Problem;

use crate::comparison::Arm;
use crate::dataset::Dataset;
use crate::number::count;
use crate::row_statistics::cell::is_counted;
use crate::row_statistics::replicates::{Seeds, seeds_of};
use crate::row_statistics::{Cell, CellIndex};

/// The largest number of clauses of a formula that is made again to compare its clauses.
pub const MAX_CLAUSES: u64 = 200_000;

/// The part of a run that a factor changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChangedPart {
    /// A setting of an encoding changes the formula.
    Formula,
    /// An option of a solver changes the search.
    Search,
}

/// The runs that a change of a factor leaves as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Treatment {
    /// The number of pairs of runs under equal conditions, with an answer in at least one.
    pub pairs: usize,
    /// The number of these with equal statistics of the solver.
    pub equal: usize,
    /// The number of these in which neither run has a conflict.
    pub without_conflicts: usize,
    /// True if the clauses are the same before and after the change.
    pub has_equal_clauses: bool,
}

impl Treatment {
    /// True for a change of a setting that leaves the clauses as they are.
    pub fn is_control(&self) -> bool {
        self.has_equal_clauses
    }

    /// True if at least 90 % of the pairs have equal statistics, although the change is not that of a control.
    pub fn is_void(&self) -> bool {
        !self.has_equal_clauses && self.pairs > 0 && 10 * self.equal >= 9 * self.pairs
    }

    /// The word in the place of a verdict; none if the change was delivered.
    pub fn word(&self) -> Option<&'static str> {
        match () {
            () if self.is_control() => Some("control"),
            () if self.is_void() => Some("void"),
            () => None,
        }
    }

    /// The share of the pairs with equal statistics, as in `94 % of 590 pairs`. It is rounded down, so that 100 % are all
    /// pairs.
    pub fn words(&self) -> Option<String> {
        let percent = (100 * self.equal).checked_div(self.pairs)?;
        Some(format!("{percent} % of {}", count(self.pairs, "pair")))
    }
}

/// The treatments of changes in a dataset. The clauses of a formula are made once.
pub(crate) struct Treatments<'m, 'a> {
    dataset: &'m Dataset<'a>,
    /// The clauses on an instance of an encoding, by their numbers.
    clauses: HashMap<(usize, usize), Option<ClauseSet>>,
}

impl<'m, 'a> Treatments<'m, 'a> {
    pub(crate) fn new(dataset: &'m Dataset<'a>) -> Self {
        Self { dataset, clauses: HashMap::new() }
    }

    /// The treatment by a change of a part from each first arm to its second one, on the instances of these numbers.
    pub(crate) fn treatment(
        &mut self,
        part: ChangedPart,
        arms: &[(Arm, Arm)],
        instances: &[usize],
    ) -> Treatment {
        let (mut pairs, mut equal, mut without_conflicts) = (0, 0, 0);
        let mut has_equal_digests = true;
        let mut formulas = Vec::new();
        for &instance in instances {
            for &(before, after) in arms {
                let [Some(one), Some(two)] = [before, after].map(|arm| self.cell(arm, instance))
                else {
                    continue;
                };
                for (one, two) in pairs_of_runs(one, two) {
                    has_equal_digests &=
                        one.clause_digest.is_some() && one.clause_digest == two.clause_digest;
                    let Some(is_equal) = has_equal_statistics(one, two) else { continue };
                    pairs += 1;
                    equal += usize::from(is_equal);
                    let is_without = |row: &Row| row.solver_stats.conflicts == Some(0);
                    without_conflicts += usize::from(is_without(one) && is_without(two));
                }
                if part == ChangedPart::Formula {
                    let size = |cell: &Cell<'_>| cell.formula().map_or(u64::MAX, |it| it.clauses);
                    let clauses = size(one).max(size(two));
                    formulas.push((clauses, instance, before.encoding, after.encoding));
                }
            }
        }
        // The smaller ones first: unlike clauses are mostly found in these.
        formulas.sort_unstable();
        let has_equal_clauses = !formulas.is_empty()
            && ((pairs > 0 && has_equal_digests)
                || formulas.into_iter().all(|(clauses, instance, before, after)| {
                    clauses <= MAX_CLAUSES && self.has_equal_clauses(instance, before, after)
                }));
        Treatment { pairs, equal, without_conflicts, has_equal_clauses }
    }

    fn cell(&self, arm: Arm, instance: usize) -> Option<&'m Cell<'a>> {
        let Arm { encoding, numbering, solver, record } = arm;
        self.dataset.cell(CellIndex { instance, solver, numbering, encoding, record })
    }

    /// True if two encodings have the same clauses on an instance, in any order. Clauses are sets of literals.
    fn has_equal_clauses(&mut self, instance: usize, one: usize, two: usize) -> bool {
        let dataset = self.dataset;
        for encoding in [one, two] {
            let made = || clauses(dataset, instance, encoding);
            self.clauses.entry((instance, encoding)).or_insert_with(made);
        }
        let [one, two] = [one, two].map(|encoding| &self.clauses[&(instance, encoding)]);
        one.is_some() && one == two
    }
}

/// The clauses of an encoding on an instance. None if this program has no such encoding.
fn clauses(dataset: &Dataset<'_>, instance: usize, encoding: usize) -> Option<ClauseSet> {
    let instance = dataset.instances[instance];
    let encoder = dataset.encoder(&dataset.encodings[encoding], instance)?;
    Some(ClauseSet::of(&*encoder, &instance.problem()))
}

/// A digest of clauses that depends on no order: the sum of the hashes of the clauses, each with sorted literals.
#[derive(Debug, Default)]
pub struct ClauseSet {
    variables: u32,
    sum: u64,
    /// The literals of the last clause.
    sorted: Vec<Lit>,
}

impl ClauseSet {
    /// The clauses of an encoding of a problem that it fits.
    pub fn of(encoding: &dyn Encoding, problem: &Problem) -> Self {
        let mut clauses = Self::default();
        encoding.encode(problem, &mut clauses);
        clauses
    }
}

impl PartialEq for ClauseSet {
    fn eq(&self, other: &Self) -> bool {
        (self.variables, self.sum) == (other.variables, other.sum)
    }
}

impl ClauseSink for ClauseSet {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.variables, count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.sorted.clear();
        self.sorted.extend_from_slice(lits);
        self.sorted.sort_unstable();
        let mut hasher = DefaultHasher::new();
        self.sorted.hash(&mut hasher);
        self.sum = self.sum.wrapping_add(hasher.finish());
    }
}

/// The runs of two cells under equal conditions.
fn pairs_of_runs<'a>(one: &Cell<'a>, two: &Cell<'a>) -> Vec<(&'a Row, &'a Row)> {
    let conditions = |row: &Row| -> (Numbering, Seeds, u32) {
        (row.job.numbering, seeds_of(row), row.job.repeat)
    };
    let counted = |cell: &Cell<'a>| cell.rows.clone().into_iter().filter(|row| is_counted(row));
    let after: HashMap<_, &Row> = counted(two).map(|row| (conditions(row), row)).collect();
    counted(one).filter_map(|row| Some((row, *after.get(&conditions(row))?))).collect()
}

/// True if all statistics that are known of both runs are equal. None if neither run has an answer, or if no statistic
/// is known: a limit ends equal searches at different times. A run with an answer is not equal to one without.
fn has_equal_statistics(one: &Row, two: &Row) -> Option<bool> {
    match (one.solved(), two.solved()) {
        (false, false) => return None,
        (true, true) => {}
        _ => return Some(false),
    }
    let (one, two) = (&one.solver_stats, &two.solver_stats);
    let known = [
        (one.conflicts, two.conflicts),
        (one.decisions, two.decisions),
        (one.propagations, two.propagations),
    ];
    let mut known = known.into_iter().filter_map(|(one, two)| Some(one? == two?)).peekable();
    known.peek()?;
    Some(known.all(|is_equal| is_equal))
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use bezzel_encode::Registry;
    use bezzel_experiment::ExperimentRecord;
    use bezzel_solve::OptionValue;

    use super::*;
    use crate::comparison::Measure;
    use crate::effects::{Effect, effects};
    use crate::tests::sample::{measured, of_size, shuffled, timed_out};

    fn effects_of(rows: Vec<Row>) -> Vec<Effect> {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let mut all = effects(&Dataset::new(&record, &Registry::standard()));
        all.retain(|effect| effect.measure == Measure::Time);
        all
    }

    fn treatment_of(rows: Vec<Row>) -> Treatment {
        let effects = effects_of(rows);
        let [effect] = &effects[..] else { panic!("{effects:?}") };
        effect.treatment.expect("the change is that of an option or a setting")
    }

    /// A run with these statistics and this value of an option, on the instance of a size.
    fn run(size: u32, option: i64, conflicts: u64, decisions: u64) -> Row {
        let mut row = of_size(size, shuffled(1, 1.0));
        let options = std::sync::Arc::make_mut(&mut row.job.options);
        options.insert("factor".into(), OptionValue::Integer(option));
        row.solver_stats.conflicts = Some(conflicts);
        row.solver_stats.decisions = Some(decisions);
        row
    }

    #[test]
    fn an_option_that_leaves_nine_of_ten_runs_as_they_are_is_void() {
        // The pairs are counted one by one: `changed` of ten have other decisions.
        let of_ten = |changed: u32| {
            let rows = (10..20).flat_map(|size| {
                let decisions = u64::from(size >= 20 - changed);
                let conflicts = u64::from(size % 2);
                [run(size, 0, conflicts, 7), run(size, 1, conflicts, 7 + decisions)]
            });
            treatment_of(rows.collect())
        };
        let one = of_ten(1);
        assert_eq!((one.pairs, one.equal, one.without_conflicts), (10, 9, 5));
        assert_eq!((one.word(), one.words().as_deref()), (Some("void"), Some("90 % of 10 pairs")));
        let two = of_ten(2);
        assert_eq!((two.word(), two.words().as_deref()), (None, Some("80 % of 10 pairs")));
    }

    #[test]
    fn a_pair_without_an_answer_is_not_counted_and_one_with_one_answer_is_not_equal() {
        let mut rows: Vec<Row> =
            (10..20).flat_map(|size| [run(size, 0, 3, 7), run(size, 1, 3, 7)]).collect();
        for place in [0, 2, 3] {
            let row = &mut rows[place];
            let (job, solver_stats) = (row.job.clone(), row.solver_stats);
            *row = Row { job, solver_stats, ..timed_out() };
        }
        let treatment = treatment_of(rows);
        assert_eq!((treatment.pairs, treatment.equal, treatment.word()), (9, 8, None));
    }

    /// Runs of an encoding in the stated order and in the reversed one, with other statistics.
    fn ordered(encoding: &str, sizes: Range<u32>) -> Vec<Row> {
        let both = sizes.flat_map(|size| {
            ["as-stated", "reversed"].map(|order| {
                let mut row = of_size(size, measured(30, size.into(), 200));
                row.job.encoding = encoding.into();
                row.job.settings.input_order = order.parse().expect("it is an order");
                row.solver_stats.conflicts = Some(order.len() as u64);
                row
            })
        });
        both.collect()
    }

    #[test]
    fn an_order_of_literals_is_a_control_of_the_encoding_whose_clauses_do_not_depend_on_it() {
        let pairwise = treatment_of(ordered("pairwise", 10..20));
        assert_eq!((pairwise.equal, pairwise.word()), (0, Some("control")));
        let counter = treatment_of(ordered("sequential-counter", 10..20));
        assert_eq!((counter.equal, counter.word()), (0, None));
        // The short lines of a family are no control of the long ones.
        assert_eq!(treatment_of(ordered("product", 3..4)).word(), Some("control"));
        assert_eq!(treatment_of(ordered("product", 3..9)).word(), None);
        // Equal digests of all formulas show it without the encoding.
        let mut rows = ordered("sequential-counter", 10..20);
        for row in &mut rows {
            row.clause_digest = Some(row.job.instance.to_string());
        }
        assert_eq!(treatment_of(rows).word(), Some("control"));
    }
}
