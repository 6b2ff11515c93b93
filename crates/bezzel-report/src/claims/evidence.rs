//! The evidence of comparisons: ratios with intervals at the level of the claim, or numbers without a spread.

use std::collections::{BTreeMap, HashSet};

use bezzel_encode::Settings;
use bezzel_experiment::{Claim, ClaimMeasure, Primary, Simultaneous};
use bezzel_solve::Answer;
use bezzel_statistics::families;
use bezzel_statistics::outcome::Compared as Wanted;
use bezzel_statistics::paired_design::DesignInstance;
use bezzel_statistics::{Contrast, LEVEL, Outcome, Outcomes, PairedDesign, outcomes, simultaneous};
use indexmap::{IndexMap, IndexSet};

use super::cells::{self, CellOfClaim, Compared, Factor};
use crate::analysis::Analysis;
use crate::comparison::{
    Arm, Measure, arms, encodings, instances_with_answer, measures, paired_design, rule,
};
use crate::dataset::Dataset;
use crate::effects;

/// The evidence of the rows on a comparison.
#[derive(Clone, Debug)]
pub(super) enum Evidence {
    /// A ratio with its interval, and the geometric means of both arms over the compared instances, each with true if
    /// a run over the limit has a share in it.
    Interval(Box<Outcome>, Option<[(f64, bool); 2]>),
    /// Numbers without a spread.
    Counted(Counted),
    /// Nothing, with the reason.
    Nothing(String),
}

/// The ratios of two numbers of formulas over instances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Counted {
    pub(super) least: f64,
    pub(super) largest: f64,
    pub(super) instances: usize,
    /// The numbers of both arms on the instance with the largest second one.
    pub(super) numbers: [u128; 2],
}

/// The comparisons of all claims of a report. Their intervals are computed together, since designs of one shape share
/// their draws.
#[derive(Default)]
pub(super) struct Batch {
    designs: IndexMap<DesignKey, PairedDesign>,
    /// Each comparison is drawn by itself, so that its interval does not depend on the others of a claim.
    wanted: IndexSet<WantedKey>,
}

/// The place of a design, its measure, the compared pairs of arms, and the bits of the level.
type WantedKey = (usize, Measure, Vec<(usize, usize)>, u64);

/// The design of a cell: solver, numbering, answer, family, size, and measure.
type DesignKey = (Option<usize>, Option<usize>, Answer, Option<String>, Option<u32>, Measure);

/// A comparison before its interval is computed: its place, and the means of both arms.
pub(super) struct Prepared {
    place: usize,
    means: Option<[(f64, bool); 2]>,
}

impl Batch {
    /// Prepares the comparisons of a claim. `cells` is the number of cells over which the level is joint.
    pub(super) fn prepare(
        &mut self,
        compared: &[Compared],
        claim: &Claim,
        primary: &Primary,
        analysis: &Analysis<'_>,
        cells: usize,
    ) -> Vec<Result<Prepared, Evidence>> {
        let claimed = cells::measure(claim, primary, analysis);
        let is_of_clauses = claimed == ClaimMeasure::Clauses;
        let size = if is_of_clauses { Size::Clauses } else { Size::Variables };
        let measure = Measure::of_claim(claimed).ok_or(size);
        let each = compared.iter().map(|of| match measure {
            Err(size) => Err(counted(of, size, analysis)),
            Ok(measure) => {
                // A claim that nothing is shown must not hold since its level is strict.
                let cells = if claim.is_of_absence() { 1 } else { cells };
                if claim.over_families {
                    // The comparisons of the claim hold together, unless it is of absence.
                    let together = if claim.is_of_absence() { 1 } else { compared.len() };
                    let level = simultaneous(LEVEL, together);
                    return Err(self.over_families(of, measure, level, analysis));
                }
                let level = simultaneous(LEVEL, intervals(of, primary, analysis) * cells);
                self.add(of, measure, level, analysis)
            }
        });
        each.collect()
    }

    /// The outcomes of all comparisons.
    pub(super) fn outcomes(&self) -> Vec<Vec<Outcomes>> {
        let wanted = self.wanted.iter().map(|(design, measure, pairs, level)| {
            let (level, contrast) = (f64::from_bits(*level), Contrast { pairs: pairs.clone() });
            let (design, rule) = (&self.designs[*design], rule(*measure));
            Wanted { design, contrasts: vec![contrast], rule, levels: (level, level) }
        });
        outcomes(&wanted.collect::<Vec<_>>())
    }
}

impl Prepared {
    /// The evidence among the outcomes of all comparisons.
    pub(super) fn evidence(&self, found: &[Vec<Outcomes>]) -> Evidence {
        let outcome = found[self.place][0].overall;
        if outcome.ratio.instances + outcome.ratio.left_out == 0 {
            return Evidence::Nothing(NO_RUNS.into());
        }
        Evidence::Interval(Box::new(outcome), self.means)
    }
}

/// A number of a formula.
#[derive(Clone, Copy, Debug)]
enum Size {
    Clauses,
    Variables,
}

/// The number of comparisons in the cell whose intervals hold simultaneously.
fn intervals(of: &Compared, primary: &Primary, analysis: &Analysis<'_>) -> usize {
    let pairs = |levels: usize| levels * levels.saturating_sub(1) / 2;
    let (solvers, numberings) = (analysis.solvers.len(), analysis.numberings.len());
    match of.factor {
        Factor::Encoding => {
            let arms =
                of.cell.numbering.map_or(0, |numbering| encodings(analysis, numbering).len());
            if of.is_primary && primary.intervals != Some(Simultaneous::Pairs) {
                arms.saturating_sub(1)
            } else {
                pairs(arms)
            }
        }
        Factor::Setting(axis) => effects::count_steps(analysis, &Settings::AXES[axis]),
        Factor::Numbering => {
            let each =
                if of.encodings.len() < analysis.encodings.len() { of.encodings.len() } else { 1 };
            pairs(numberings) * solvers * each
        }
        Factor::Solver => pairs(solvers) * numberings,
    }
}

impl Batch {
    /// Adds a comparison, or returns the reason why there is none.
    fn add(
        &mut self,
        of: &Compared,
        measure: Measure,
        level: f64,
        analysis: &Analysis<'_>,
    ) -> Result<Prepared, Evidence> {
        let (design, pairs) = self.design(of, measure, analysis)?;
        let means = means(&self.designs[design], &pairs, measure.offset());
        let (place, _) = self.wanted.insert_full((design, measure, pairs, level.to_bits()));
        Ok(Prepared { place, means })
    }

    /// The evidence with families as units.
    fn over_families(
        &mut self,
        of: &Compared,
        measure: Measure,
        level: f64,
        analysis: &Analysis<'_>,
    ) -> Evidence {
        let nothing = |reason: &str| Evidence::Nothing(reason.into());
        if of.cell.family.is_some() || of.cell.size.is_some() {
            return nothing("families are units of all families and sizes together");
        }
        let (design, pairs) = match self.design(of, measure, analysis) {
            Ok(found) => found,
            Err(reason) => return reason,
        };
        let [pair] = pairs[..] else {
            return nothing("families are units of one pair of arms only");
        };
        let design = &self.designs[design];
        let outcome = families::over_families(design, pair, level, measure.offset()).outcome;
        Evidence::Interval(Box::new(outcome), None)
    }

    /// The place of the design of a comparison, which is made once for each cell, and the compared pairs of its arms; or
    /// the reason why nothing is compared.
    fn design(
        &mut self,
        of: &Compared,
        measure: Measure,
        analysis: &Analysis<'_>,
    ) -> Result<(usize, Vec<(usize, usize)>), Evidence> {
        let nothing = |reason: &str| Err(Evidence::Nothing(reason.into()));
        if measure == Measure::Time && !measures(analysis).contains(&measure) {
            return nothing("times of unlike machines are not compared");
        }
        let CellOfClaim { family, answer, solver, numbering, size, .. } = &of.cell;
        let all = arms_of(analysis, *solver, *numbering);
        let pairs = pairs(of, &all);
        let key = |family, size| (*solver, *numbering, *answer, family, size, measure);
        let whole = key(None, None);
        if !self.designs.contains_key(&whole) {
            let instances = instances_with_answer(analysis, *answer);
            let design = paired_design(analysis, &all, measure, &instances);
            self.designs.insert(whole.clone(), design);
        }
        let key = key(family.clone(), *size);
        if !self.designs.contains_key(&key) {
            let whole = &self.designs[&whole];
            let of_size: Option<HashSet<String>> = size.map(|size| {
                let all = analysis.instances.iter().filter(|instance| instance.size() == size);
                all.map(ToString::to_string).collect()
            });
            let is_of_cell = |of: &DesignInstance| {
                family.as_ref().is_none_or(|family| *family == of.family)
                    && of_size.as_ref().is_none_or(|names| names.contains(&of.name))
            };
            let all = whole.instances().iter().enumerate();
            let places: Vec<usize> =
                all.filter(|(_, of)| is_of_cell(of)).map(|(place, _)| place).collect();
            self.designs.insert(key.clone(), whole.of_instances(&places));
        }
        if pairs.is_empty() || self.designs[&key].instances().is_empty() {
            return nothing(NO_RUNS);
        }
        let design = self.designs.get_index_of(&key).expect("it was just added");
        Ok((design, pairs))
    }
}

/// The places of both arms of a comparison among all arms of its cell, a pair for each encoding.
fn pairs(of: &Compared, all: &[Arm]) -> Vec<(usize, usize)> {
    let place = |level: usize, encoding: usize| {
        all.iter().position(|arm| match of.factor {
            Factor::Encoding | Factor::Setting(_) => arm.encoding == level,
            Factor::Numbering => arm.numbering == level && arm.encoding == encoding,
            Factor::Solver => arm.solver == level && arm.encoding == encoding,
        })
    };
    let is_one = matches!(of.factor, Factor::Encoding | Factor::Setting(_));
    let each = if is_one { &[0][..] } else { &of.encodings };
    let pair = |&encoding: &usize| place(of.levels.0, encoding).zip(place(of.levels.1, encoding));
    each.iter().filter_map(pair).collect()
}

/// The reason for a comparison without runs.
pub(super) const NO_RUNS: &str = "no runs are compared";

/// All arms of a cell, those of one numbering and one solver if these are given.
fn arms_of(analysis: &Dataset<'_>, solver: Option<usize>, numbering: Option<usize>) -> Vec<Arm> {
    let arm = |solver, numbering, encoding| Arm { encoding, numbering, solver, record: 0 };
    match (solver, numbering) {
        (Some(solver), Some(numbering)) => arms(&encodings(analysis, numbering), numbering, solver),
        (Some(solver), None) => {
            let levels = analysis.numberings.len();
            effects::arms(analysis, levels, |level, encoding| arm(solver, level, encoding))
        }
        (None, numbering) => {
            let (levels, numbering) = (analysis.solvers.len(), numbering.unwrap_or_default());
            effects::arms(analysis, levels, |level, encoding| arm(level, numbering, encoding))
        }
    }
}

/// The geometric means of both arms over the instances that are compared, each family with the same weight. The offset
/// is added before and subtracted after, since zero has no logarithm. None if several pairs are compared.
fn means(design: &PairedDesign, pairs: &[(usize, usize)], offset: f64) -> Option<[(f64, bool); 2]> {
    let [(one, two)] = *pairs else { return None };
    let mut of_families: Vec<[f64; 2]> = Vec::new();
    let mut is_over = [false; 2];
    for (_, places) in design.families() {
        let both = places.iter().filter_map(|&place| {
            let (one, two) = design.median(one, place).zip(design.median(two, place))?;
            (!(one.is_over() && two.is_over())).then_some([one, two])
        });
        let both: Vec<_> = both.collect();
        if both.is_empty() {
            continue;
        }
        let mean = |arm: usize| {
            both.iter().map(|seen| (seen[arm].bound() + offset).ln()).sum::<f64>()
                / both.len() as f64
        };
        of_families.push([mean(0), mean(1)]);
        for arm in [0, 1] {
            is_over[arm] |= both.iter().any(|seen| seen[arm].is_over());
        }
    }
    let number = of_families.len() as f64;
    let mean = |arm: usize| {
        let sum: f64 = of_families.iter().map(|means| means[arm]).sum();
        ((sum / number).exp() - offset, is_over[arm])
    };
    (!of_families.is_empty()).then(|| [mean(0), mean(1)])
}

/// The numbers of both arms on the instances of the cell.
fn counted(of: &Compared, size: Size, analysis: &Analysis<'_>) -> Evidence {
    let mut known: BTreeMap<String, [Option<u128>; 2]> = BTreeMap::new();
    let labels = [of.levels.0, of.levels.1].map(|encoding| &analysis.encodings[encoding]);
    for cell in analysis.with_formula().filter(|cell| of.cell.has(analysis, cell)) {
        let Some(formula) = cell.formula() else { continue };
        let number = match size {
            Size::Clauses => formula.size().clauses,
            Size::Variables => formula.size().variables,
        };
        for (side, label) in labels.into_iter().enumerate() {
            if cell.encoding == *label {
                known.entry(cell.instance.to_string()).or_default()[side] = Some(number);
            }
        }
    }
    let both: Vec<[u128; 2]> =
        known.values().filter_map(|[one, two]| Some([(*one)?, (*two)?])).collect();
    let ratios = || both.iter().map(|[one, two]| *one as f64 / (*two).max(1) as f64);
    let Some(&numbers) = both.iter().max_by_key(|numbers| numbers[1]) else {
        return Evidence::Nothing("no formula of both is measured".into());
    };
    Evidence::Counted(Counted {
        least: ratios().fold(f64::INFINITY, f64::min),
        largest: ratios().fold(0.0, f64::max),
        instances: both.len(),
        numbers,
    })
}
