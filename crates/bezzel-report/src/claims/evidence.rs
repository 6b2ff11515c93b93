//! The evidence of comparisons: ratios with intervals at the level of the claim, or numbers without a spread.

use std::collections::BTreeMap;

use bezzel_encode::Settings;
use bezzel_experiment::{Claim, ClaimMeasure, Primary, Simultaneous};
use bezzel_solve::Answer;
use bezzel_statistics::outcome::Compared as Wanted;
use bezzel_statistics::{Contrast, LEVEL, Outcome, PairedDesign, Rule, outcomes, simultaneous};

use super::Comparison;
use super::cells::{self, CellOfClaim, Compared, Factor};
use crate::analysis::Analysis;
use crate::comparison::{
    Arm, Measure, arms, encodings, instances_with_answer, measures, paired_design, rule,
};
use crate::dataset::Dataset;

/// What the rows have on a comparison.
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
    /// The numbers of both arms on the last instance.
    pub(super) numbers: [u128; 2],
}

/// Finds the evidence of comparisons. `cells` is the number of cells over which the level is joint.
pub(super) fn compare(
    compared: Vec<Compared>,
    claim: &Claim,
    primary: &Primary,
    analysis: &Analysis<'_>,
    cells: usize,
) -> Vec<Comparison> {
    let measure = match cells::measure(claim, primary, analysis) {
        ClaimMeasure::Time => Ok(Measure::Time),
        ClaimMeasure::Conflicts => Ok(Measure::Conflicts),
        ClaimMeasure::ProofSteps => Ok(Measure::ProofSteps),
        ClaimMeasure::Clauses => Err(Size::Clauses),
        ClaimMeasure::Variables => Err(Size::Variables),
    };
    let mut designs = BTreeMap::new();
    let each = compared.iter().map(|of| match measure {
        Err(size) => Err(counted(of, size, analysis)),
        Ok(measure) => {
            // A claim that nothing is shown must not hold since its level is strict.
            let cells = if claim.is_of_absence() { 1 } else { cells };
            let level = simultaneous(LEVEL, intervals(of, primary, analysis) * cells);
            prepared(of, measure, level, analysis, &mut designs)
        }
    });
    let each: Vec<Result<Prepared, Evidence>> = each.collect();
    // Intervals are computed together, since designs of one shape share their draws.
    let wanted = each.iter().flatten().map(Prepared::wanted);
    let mut found = outcomes(&wanted.collect::<Vec<_>>()).into_iter();
    let evidence: Vec<Evidence> = each
        .iter()
        .map(|of| match of {
            Err(evidence) => evidence.clone(),
            Ok(prepared) => {
                prepared.evidence(found.next().expect("each has outcomes").remove(0).overall)
            }
        })
        .collect();
    let each = compared.into_iter().zip(evidence).map(|(of, evidence)| {
        let Compared { arm, cell, held, .. } = of;
        Comparison { arm, cell, held, evidence, is_between: claim.between.is_some() }
    });
    each.collect()
}

/// A comparison before its interval is computed.
struct Prepared {
    design: PairedDesign,
    contrast: Contrast,
    rule: Rule,
    level: f64,
    means: Option<[(f64, bool); 2]>,
}

impl Prepared {
    fn wanted(&self) -> Wanted<'_> {
        Wanted {
            design: &self.design,
            contrasts: vec![self.contrast.clone()],
            rule: self.rule,
            levels: (self.level, self.level),
        }
    }

    fn evidence(&self, outcome: Outcome) -> Evidence {
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
        Factor::Setting(axis) => steps_of_setting(analysis, axis),
        Factor::Numbering => {
            let each =
                if of.encodings.len() < analysis.encodings.len() { of.encodings.len() } else { 1 };
            pairs(numberings) * solvers * each
        }
        Factor::Solver => pairs(solvers) * numberings,
    }
}

/// The number of steps between two values of a setting, over all encodings, numberings and solvers.
fn steps_of_setting(analysis: &Analysis<'_>, axis: usize) -> usize {
    let mut values: BTreeMap<(usize, usize, String), usize> = BTreeMap::new();
    for numbering in 0..analysis.numberings.len() {
        for solver in 0..analysis.solvers.len() {
            for encoding in 0..analysis.encodings.len() {
                let is_measured = analysis.cells_of(encoding, solver, numbering).next().is_some();
                let base = analysis.without_setting(encoding, &Settings::AXES[axis]);
                if let Some((base, _)) = base.filter(|_| is_measured) {
                    *values.entry((numbering, solver, base)).or_default() += 1;
                }
            }
        }
    }
    values.values().map(|levels| levels * (levels - 1) / 2).sum()
}

/// The designs of one claim, by solver, numbering and answer.
type Designs = BTreeMap<(Option<usize>, Option<usize>, Answer), PairedDesign>;

/// The design of a comparison, or the reason why there is none.
fn prepared(
    of: &Compared,
    measure: Measure,
    level: f64,
    analysis: &Analysis<'_>,
    designs: &mut Designs,
) -> Result<Prepared, Evidence> {
    if measure == Measure::Time && !measures(analysis).contains(&measure) {
        return Err(Evidence::Nothing("times of unlike machines are not compared".into()));
    }
    let CellOfClaim { family, answer, solver, numbering, .. } = &of.cell;
    let design = designs.entry((*solver, *numbering, *answer)).or_insert_with(|| {
        let instances = instances_with_answer(analysis, *answer);
        paired_design(analysis, &arms_of(analysis, *solver, *numbering), measure, &instances)
    });
    let pairs: Vec<(usize, usize)> = {
        let all = arms_of(analysis, *solver, *numbering);
        let place = |level: usize, encoding: usize| {
            all.iter().position(|arm| match of.factor {
                Factor::Encoding | Factor::Setting(_) => arm.encoding == level,
                Factor::Numbering => arm.numbering == level && arm.encoding == encoding,
                Factor::Solver => arm.solver == level && arm.encoding == encoding,
            })
        };
        let is_one = matches!(of.factor, Factor::Encoding | Factor::Setting(_));
        let each = if is_one { &[0][..] } else { &of.encodings };
        let pair =
            |&encoding: &usize| place(of.levels.0, encoding).zip(place(of.levels.1, encoding));
        each.iter().filter_map(pair).collect()
    };
    let families = design.families();
    let design = match family {
        None => design.clone(),
        Some(family) => match families.iter().find(|(name, _)| name == family) {
            Some((_, places)) => design.of_instances(places),
            None => return Err(Evidence::Nothing(NO_RUNS.into())),
        },
    };
    if pairs.is_empty() {
        return Err(Evidence::Nothing(NO_RUNS.into()));
    }
    let means = means(&design, &pairs, measure.offset());
    Ok(Prepared { design, contrast: Contrast { pairs }, rule: rule(measure), level, means })
}

/// The reason for a comparison without runs.
pub(super) const NO_RUNS: &str = "no runs are compared";

/// All arms of a cell, those of one numbering and one solver if these are given.
fn arms_of(analysis: &Dataset<'_>, solver: Option<usize>, numbering: Option<usize>) -> Vec<Arm> {
    let all = 0..analysis.encodings.len();
    match (solver, numbering) {
        (Some(solver), Some(numbering)) => arms(&encodings(analysis, numbering), numbering, solver),
        (Some(solver), None) => {
            let levels = 0..analysis.numberings.len();
            let arm = |numbering, encoding| Arm { encoding, numbering, solver, record: 0 };
            levels.flat_map(|level| all.clone().map(move |encoding| arm(level, encoding))).collect()
        }
        (None, numbering) => {
            let numbering = numbering.unwrap_or_default();
            let levels = 0..analysis.solvers.len();
            let arm = |solver, encoding| Arm { encoding, numbering, solver, record: 0 };
            levels.flat_map(|level| all.clone().map(move |encoding| arm(level, encoding))).collect()
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
    let CellOfClaim { family, answer, .. } = &of.cell;
    let mut last = [0; 2];
    for cell in analysis.with_formula() {
        let Some(formula) = cell.formula() else { continue };
        let is_of_cell =
            family.as_ref().is_none_or(|family| *family == analysis.family(cell.instance));
        let is_side = *answer == Answer::Unknown || analysis.answer(cell.instance) == Some(*answer);
        if !is_of_cell || !is_side {
            continue;
        }
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
    if let Some(largest) = both.iter().max_by_key(|numbers| numbers[1]) {
        last = *largest;
    }
    if both.is_empty() {
        return Evidence::Nothing("no formula of both is measured".into());
    }
    Evidence::Counted(Counted {
        least: ratios().fold(f64::INFINITY, f64::min),
        largest: ratios().fold(0.0, f64::max),
        instances: both.len(),
        numbers: last,
    })
}
