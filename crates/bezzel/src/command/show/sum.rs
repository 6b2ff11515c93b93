//! `bezzel show ID --weights W,… --bound B`: the computed profile of encoders of one weighted sum.

use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use bezzel_encode::amk::Limit;
use bezzel_encode::properties::constraint::ConstraintProfile;
use bezzel_encode::properties::shapes::Counterexample;
use bezzel_encode::sums::SumLimit;
use bezzel_encode::{
    AtMostOne, Auxiliaries, ClauseSink, EncodingInfo, Formula, Lit, Propagation, Size,
};
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::shape_check::{CheckExtent, check_sums};
use bezzel_experiment::{Catalog, EncoderPrograms, Permission, program};
use bezzel_problem::queens::draw::wrapped;
use serde::Serialize;

use super::bound::{SIZE_HEAD, described, heading, size_line};
use crate::command::common::print_json;
use crate::command::encoder;
use crate::failure::{CommandResult, Failure};

/// The largest number of weights up to which properties are computed on all assignments.
const MAX_WEIGHTS: usize = 10;

/// The most clauses that are printed.
const MAX_PRINTED: u128 = 40;

/// The largest weight, bound and sum of weights.
const MAX: u64 = i64::MAX as u64;

/// The profile of an encoder.
#[derive(Serialize)]
struct ShownSum {
    about: EncodingInfo,
    weights: Vec<u64>,
    bound: u64,
    limits: Vec<LimitProfile>,
}

#[derive(Serialize)]
struct LimitProfile {
    limit: String,
    /// None if the encoder refuses the sum.
    size: Option<Size>,
    /// True if all assignments were tried, false if some were.
    exhaustive: bool,
    correct: bool,
    propagation: Option<Propagation>,
    auxiliaries: Option<Auxiliaries>,
    /// The number of assignments that a solver decided, if not all were tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    assignments: Option<u64>,
    #[serde(skip)]
    wrong: Option<Counterexample>,
    /// The clauses, if they are few; the literals are 1 to n.
    #[serde(skip_serializing_if = "Option::is_none")]
    clauses: Option<Vec<Vec<i32>>>,
}

impl LimitProfile {
    fn of(encoder: &Arc<dyn AtMostOne>, sum: &SumLimit) -> Self {
        let mut profile = Self {
            limit: sum.limit.to_string(),
            size: sum.size(encoder.as_ref()),
            exhaustive: sum.weights.len() <= MAX_WEIGHTS,
            correct: true,
            propagation: None,
            auxiliaries: None,
            assignments: None,
            wrong: None,
            clauses: None,
        };
        let Some(size) = profile.size else { return profile };
        if size.clauses <= MAX_PRINTED {
            let mut formula = Formula::new();
            let xs: Vec<Lit> = formula.fresh(sum.weights.len() as u32).lits().collect();
            sum.encode(encoder.as_ref(), &xs, &mut formula);
            let clauses = formula.clauses();
            let numbers = |clause: &[Lit]| clause.iter().map(|lit| lit.to_ipasir()).collect();
            profile.clauses = Some(clauses.map(numbers).collect());
        }
        let id = encoder.info().id;
        if profile.exhaustive {
            let found = ConstraintProfile::of_sum(encoder.as_ref(), sum);
            profile.wrong = found.wrong.map(|held| sum.counterexample(&id, held));
            (profile.propagation, profile.auxiliaries) =
                (Some(found.propagation), Some(found.auxiliaries));
        } else {
            let sums = [(id, [(sum.clone(), Arc::clone(encoder))].into())].into();
            match check_sums(&sums, CheckExtent::OF_BOUNDS) {
                Ok(checked) => profile.assignments = Some(checked.assignments),
                Err(wrong) => profile.wrong = Some(wrong),
            }
        }
        profile.correct = profile.wrong.is_none();
        profile
    }

    fn text(&self, weights: &[u64], bound: u64) -> String {
        let n = weights.len();
        let shown: Vec<String> = weights.iter().map(u64::to_string).collect();
        let of = format!("{} {bound} with the weights {}", self.limit, shown.join(", "));
        let mut text = wrapped(&of, 0) + "\n";
        let Some(size) = self.size else {
            return text
                + "  refused: more than 100,000,000 clauses, or a diagram or a totalizer that is too large\n";
        };
        let _ = match (&self.wrong, self.propagation, self.auxiliaries, self.assignments) {
            (Some(wrong), ..) => writeln!(text, "  WRONG: {}", described(wrong, "    ")),
            (None, Some(propagation), Some(auxiliaries), _) => writeln!(
                text,
                "  correct; propagation {propagation}; auxiliary variables {auxiliaries} \
                 (all assignments of {n} literals)"
            ),
            (None, .., assignments) => writeln!(
                text,
                "  correct on {} assignments; properties are computed up to {MAX_WEIGHTS} weights",
                grouped(assignments.unwrap_or_default().into())
            ),
        };
        text += SIZE_HEAD;
        text += &size_line(n as u64, &size);
        for clause in self.clauses.iter().flatten() {
            let lits: Vec<String> = clause.iter().map(i32::to_string).collect();
            let _ = writeln!(text, "    {} 0", lits.join(" "));
        }
        text
    }
}

/// `bezzel show ID --weights W,… --bound B`.
pub(super) fn run(
    ids: &[String],
    weights: Option<&str>,
    bound: Option<&str>,
    json: bool,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    let (weights, bound) = read(weights, bound).map_err(Failure::Input)?;
    let sums = Limit::ALL.map(|limit| SumLimit { weights: weights.clone(), limit, bound });
    let permission = Permission::of_names(ids.iter().map(String::as_str));
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let mut profiles = Vec::new();
    for id in ids {
        let encoder = encoder::of_sums(id, &sums, &mut programs, catalog)?;
        let about = encoder.of_sums().expect("an encoder of sums").about();
        let limits = sums.iter().map(|sum| LimitProfile::of(&encoder, sum)).collect();
        profiles.push(ShownSum { about, weights: weights.clone(), bound, limits });
    }
    if json {
        print_json(&profiles, out)?;
    } else {
        for ShownSum { about, limits, .. } in &profiles {
            write!(out, "{}", heading(about))?;
            let limits: Vec<String> =
                limits.iter().map(|limit| limit.text(&weights, bound)).collect();
            writeln!(out, "{}", limits.join("\n"))?;
        }
    }
    let is_right = |profile: &&ShownSum| profile.limits.iter().all(|limit| limit.correct);
    match profiles.len() - profiles.iter().filter(is_right).count() {
        0 => Ok(ExitCode::SUCCESS),
        wrong => Err(Failure::Work(format!("wrong encoders: {wrong} of {}", profiles.len()))),
    }
}

/// Reads the weights and the bound.
pub(super) fn read(weights: Option<&str>, bound: Option<&str>) -> Result<(Vec<u64>, u64), String> {
    const EXAMPLE: &str = "as in `--weights 3,5,7 --bound 9`";
    let weights = weights.ok_or_else(|| format!("--bound needs --weights, {EXAMPLE}"))?;
    let bound = bound.ok_or_else(|| format!("--weights needs --bound, {EXAMPLE}"))?;
    let max = grouped(MAX.into());
    let words: Vec<&str> = weights.split(',').map(str::trim).collect();
    let weight = |(place, word): (usize, &&str)| {
        let number = word.parse::<u64>().ok().filter(|number| (1..=MAX).contains(number));
        number.ok_or_else(|| {
            let mend = match word.strip_prefix('-') {
                Some(digits) if !digits.is_empty() => {
                    format!("; state {digits} of the negated literal, and add {digits} to the bound")
                }
                _ => String::new(),
            };
            format!(
                "--weights: number {} of {}, `{word}`, is not a weight, a whole number from 1 to {max}{mend}",
                place + 1,
                words.len()
            )
        })
    };
    let read = words.iter().enumerate().map(weight).collect::<Result<Vec<u64>, String>>()?;
    let total: u128 = read.iter().map(|&weight| u128::from(weight)).sum();
    if total > MAX.into() {
        return Err(format!(
            "--weights: they add up to {}; at most {max} is encoded",
            grouped(total)
        ));
    }
    let number = bound.trim().parse::<u64>().ok().filter(|&number| number <= MAX);
    let bound = number.ok_or_else(|| {
        format!("--bound: `{bound}` is not a bound, a whole number from 0 to {max}")
    })?;
    Ok((read, bound))
}
