//! `bezzel check ID --sums`: encoders of weighted sums, on the catalogue of small sums and on random ones.
//!
//! All assignments are tried of at most 16 inputs, if the formula is small. Otherwise a solver decides assignments on both
//! sides of the bound. A program is asked for the sums stage by stage, the small formulas first.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use bezzel_encode::amk::Limit;
use bezzel_encode::properties::constraint::{
    ConstraintProfile, MAX_INPUTS, ProfileSummary, has_five_inputs, threshold_functions, weaker,
    wrong_assignment,
};
use bezzel_encode::properties::shapes::Counterexample;
use bezzel_encode::properties::shapes::random_sums;
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{AtMostOne, Auxiliaries, Propagation};
use bezzel_experiment::program::{self, FindError};
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::shape_check::{CheckExtent, CheckedShapes, check_sums};
use bezzel_experiment::{Catalog, EncoderPrograms, Limits, Permission};
use bezzel_problem::layout::wrapped;

use crate::command::common::all_right;
use crate::command::encoder;
use crate::command::show::constraint::described;
use crate::failure::{CommandResult, Failure};
use crate::progress::Steps;

/// The seed of the random sums, and their number on each side of [`MAX_INPUTS`].
const SEED: u64 = 20;
const COUNT: usize = 50;

/// The most literals of a formula that is tried.
const MAX_LITERALS: u128 = 150_000;

/// The most literals that are read if each assignment reads the formula once.
const MAX_READ: u128 = 10_000_000;

/// The limits of a program. It may reach them on large sums.
const LIMITS: Limits = Limits { cpu_s: 20.0, ..program::LIMITS };

/// The number of sums in a row that an encoder refuses, after which no larger ones are tried. A refusal takes time.
const REFUSED: usize = 5;

/// The stages of random sums, by the number of inputs times the number of partial sums up to the bound.
const STAGES: [u128; 3] = [20_000, 1_000_000, u128::MAX];

pub(super) fn run(ids: &[String], catalog: &Catalog, out: &mut dyn Write) -> CommandResult {
    let all = encoder::sum_ids(catalog);
    let ids = if ids.is_empty() { &all } else { ids };
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = EncoderPrograms::new(&catalog.encodings, LIMITS, &permission);
    let functions = threshold_functions(5, 6);
    let related = |limit| functions.iter().map(move |sum| SumLimit { limit, ..sum.clone() });
    let catalogue: Vec<SumLimit> = Limit::ALL.into_iter().flat_map(related).collect();
    let mut broken = 0;
    for id in ids {
        let encoder = encoder::of_sums(id, &catalogue, &mut programs, catalog)?;
        let checked = match profile(encoder.as_ref(), &catalogue) {
            Ok(line) => {
                writeln!(out, "{line}")?;
                random(id, &encoder, &mut programs).map_err(Failure::input)?
            }
            Err(wrong) => Err(wrong),
        };
        match checked {
            Ok(line) => writeln!(out, "{line}")?,
            Err(wrong) => {
                broken += 1;
                writeln!(out, "{}: WRONG: {wrong}", encoder.info().id)?;
            }
        }
        out.flush()?;
    }
    all_right("wrong encoders", broken, ids.len())
}

/// A wrong assignment in words, with all weights.
fn wrong(found: &Counterexample) -> String {
    let text = described(found, "    ");
    if found.weights.len() <= Counterexample::SHOWN_WEIGHTS {
        return text;
    }
    let weights: Vec<String> = found.weights.iter().map(u64::to_string).collect();
    let weights = wrapped(&format!("weights: {}", weights.join(", ")), 4);
    format!("{text}\n    {weights}")
}

/// The result on the catalogue with each relation, or a fault: a wrong assignment, or other properties of the bounds than
/// those that are declared. A program declares none.
fn profile(encoder: &dyn AtMostOne, catalogue: &[SumLimit]) -> Result<String, String> {
    let about = encoder.of_sums().expect("an encoder of sums").about();
    let (mut bounds, mut equations) = (Vec::new(), Vec::new());
    // Of the functions with five inputs: at most, equations, and the number of clauses of at most.
    let (mut at_most, mut exactly, mut clauses) = (Vec::new(), Vec::new(), 0);
    for sum in catalogue {
        let profile = ConstraintProfile::of_sum(encoder, sum);
        if let Some(held) = profile.wrong {
            return Err(wrong(&sum.counterexample(&about.id, held)));
        }
        if has_five_inputs(sum) {
            match sum.limit {
                Limit::AtMost => {
                    at_most.push(profile);
                    clauses += sum.size(encoder).map_or(0, |size| size.clauses);
                }
                Limit::Exactly => exactly.push(profile),
                Limit::AtLeast => {}
            }
        }
        if sum.limit == Limit::Exactly {
            equations.push(profile);
            continue;
        }
        if let Some(weaker) = weaker(profile.propagation, &about) {
            let weights: Vec<String> = sum.weights.iter().map(u64::to_string).collect();
            return Err(format!(
                "{} {} with the weights {}: {weaker}",
                sum.limit,
                sum.bound,
                weights.join(", ")
            ));
        }
        bounds.push(profile);
    }
    let all = ProfileSummary::of(&bounds);
    if let Some(contradiction) = all.contradiction(&about) {
        return Err(format!("on the catalogue: {contradiction}"));
    }
    let (propagation, auxiliaries) = (all.weakest(), all.auxiliaries);
    Ok(format!(
        "{}: the {} threshold functions of up to 5 inputs: correct; propagation {propagation}; auxiliary variables \
         {auxiliaries}; as equations: propagation {}\n{}: the {} of 5 inputs: at most: {}; equations: {}; {} clauses",
        about.id,
        equations.len(),
        ProfileSummary::of(&equations).weakest(),
        about.id,
        at_most.len(),
        counted(&at_most),
        counted(&exactly),
        grouped(clauses)
    ))
}

/// The numbers of sums by their propagation, and the share of what it misses.
fn counted(profiles: &[ConstraintProfile]) -> String {
    let ProfileSummary { numbers: [complete, refuting, weak], missed, .. } =
        ProfileSummary::of(profiles);
    let missed = 100.0 * missed;
    format!("{complete} complete, {refuting} refuting, {weak} weak, {missed:.1} % missed")
}

/// The random sums in stages, by the number of their inputs times that of partial sums.
fn stages() -> [Vec<SumLimit>; STAGES.len()] {
    let most = MAX_INPUTS as usize;
    let mut sums = random_sums(SEED, &(6..=most), COUNT);
    sums.extend(random_sums(SEED, &(most + 1..=150), COUNT));
    let extent = |sum: &SumLimit| {
        let n = sum.weights.len();
        n as u128 * u128::from(sum.bound).min(1_u128 << n.min(120))
    };
    sums.sort_by_key(extent);
    let mut stages = STAGES.map(|_| Vec::new());
    for sum in sums {
        let stage = STAGES.into_iter().position(|most| extent(&sum) <= most);
        stages[stage.expect("the last one has no limit")].push(sum);
    }
    stages
}

/// The result on random sums, or a wrong assignment.
fn random(
    id: &str,
    encoder: &Arc<dyn AtMostOne>,
    programs: &mut EncoderPrograms<'_>,
) -> Result<Result<String, String>, FindError> {
    let about = encoder.info().id;
    let declared = encoder.of_sums().expect("an encoder of sums").about();
    // Without a solver, a search decides each assignment: too long where unit propagation does not.
    let is_searched =
        declared.auxiliaries == Auxiliaries::Free && declared.propagation == Propagation::Weak;
    let (mut whole, mut sampled, mut left_out) = (0, 0, 0);
    let (mut all, mut shown) = (CheckedShapes::default(), Steps::new(false));
    let (mut is_at_end, mut refused) = (false, 0);
    for (stage, sums) in stages().into_iter().enumerate() {
        let found = if is_at_end { Ok(None) } else { programs.find_for_sums(id, &sums) };
        let encoder = match found {
            Err(FindError::Program(error)) if error.is_of_limits && stage > 0 => {
                is_at_end = true;
                Arc::clone(encoder)
            }
            found => found?.unwrap_or_else(|| Arc::clone(encoder)),
        };
        for sum in sums {
            let n = sum.weights.len();
            let tried = whole + sampled + left_out;
            shown.show(format!("checking {about}: a sum of {n} weights"), tried, 2 * COUNT);
            let size = if refused < REFUSED { sum.size(encoder.as_ref()) } else { None };
            refused = if size.is_some() { 0 } else { refused + 1 };
            let literals = size.map_or(u128::MAX, |size| size.literals);
            if is_at_end || literals > MAX_LITERALS {
                left_out += 1;
            } else if !is_searched && n <= MAX_INPUTS as usize && literals << n <= MAX_READ {
                if let Some(held) = wrong_assignment(encoder.as_ref(), &sum) {
                    return Ok(Err(wrong(&sum.counterexample(&about, held))));
                }
                whole += 1;
            } else {
                let sums = [(about.clone(), [(sum, Arc::clone(&encoder))].into())].into();
                match check_sums(&sums, CheckExtent::OF_ENCODERS) {
                    Ok(checked) => {
                        all.assignments += checked.assignments;
                        all.undecided += checked.undecided;
                    }
                    Err(found) => return Ok(Err(wrong(&found))),
                }
                sampled += 1;
            }
        }
    }
    shown.finish();
    let mut text = format!(
        "{about}: random sums: {}: {whole} of 6 to {MAX_INPUTS} inputs on all assignments, {sampled} of up to 150 on \
         {} assignments",
        all.verdict(),
        grouped(all.assignments.into())
    );
    if left_out > 0 {
        let _ = write!(text, "; {left_out} with larger formulas not tried");
    }
    Ok(Ok(text))
}
