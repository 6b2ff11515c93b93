//! The choice in words.

use std::io::Write;
use std::path::{Path, PathBuf};

use bezzel_encode::format::shell_word;
use bezzel_statistics::{ContrastEstimate, LEVEL, Relation, tolerance};

use crate::command::common::counted;
use crate::failure::Failure;

use super::ENCODINGS;
use super::choice::JudgedChoice;
use super::entries::{Arm, UnitKind};
use super::race::SHARES;

/// Prints the choice, its judgement, and the command that encodes with it.
pub(super) fn print(
    choice: &JudgedChoice,
    file: Option<&PathBuf>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let JudgedChoice { chosen, halves: (choosing, judging), kind, unchecked, judged, .. } = choice;
    let (unit, of_file) = match kind {
        UnitKind::Shuffle => ("shuffle", " of the file"),
        UnitKind::Family | UnitKind::Instance => ("instance", ""),
    };
    writeln!(out, "\nChosen on {}{of_file}: {}", counted(*choosing, unit), described(chosen))?;
    if *unchecked > 0 {
        let left_out = counted(*unchecked, unit);
        writeln!(out, "Left out: {left_out}{of_file}, with unchecked answers.")?;
    }
    if *judging == 0 {
        writeln!(out, "Not judged: no other {unit}{of_file} has a checked answer.")?;
    }
    for of in judged {
        let others = counted(of.units, &format!("other {unit}"));
        let best = format!("the best there, {}", described(&of.best));
        let to_best = if of.best == *chosen {
            "the choice is the best there".into()
        } else {
            compared(&of.to_best, &best, unit)
        };
        writeln!(out, "Judged on {others}{of_file} ({}): {to_best}", of.answer)?;
        let mut alike = Vec::new();
        if of.best != *chosen && !differs(&of.to_best) {
            alike.push("the best there");
        }
        if let Some(to_default) = &of.to_default {
            let default = format!("{} with the same solver and numbering", ENCODINGS[0]);
            writeln!(out, "  {}", compared(to_default, &default, unit))?;
            if !differs(to_default) {
                alike.push(ENCODINGS[0]);
            }
        }
        if !alike.is_empty() {
            writeln!(out, "  The choice is not distinguished from {}.", alike.join(" or "))?;
        }
    }
    if choice.stopped != [0, 0] {
        let [worse, late] = choice.stopped;
        let arms = choice.arms;
        writeln!(
            out,
            "Of {arms} arms, {worse} were stopped as surely worse and {late} for lack of time."
        )?;
    }
    writeln!(out, "{}", bound(choice))?;
    if *kind == UnitKind::Shuffle {
        writeln!(out, "One file was measured: nothing is claimed for other files.")?;
    }
    let order = match chosen.input_order.as_str() {
        "as-stated" => String::new(),
        order => format!(" --input-order {order}"),
    };
    let shuffle = if chosen.numbering.starts_with("random") { " --shuffle 1" } else { "" };
    let file = file.map_or("FILE".into(), |file| shell_path(file));
    writeln!(
        out,
        "\nbezzel encode {file} --encoding {}{order}{shuffle} -o formula.cnf    # for {}",
        shell_word(&chosen.encoding),
        chosen.solver
    )?;
    Ok(())
}

/// The sentence on new units, which holds for every distribution of times. Without a bound it states the reason.
fn bound(choice: &JudgedChoice) -> String {
    let (unit, several, of_file) = match choice.kind {
        UnitKind::Family => ("family", "families", ""),
        UnitKind::Instance => ("instance", "instances", ""),
        UnitKind::Shuffle => ("shuffle", "shuffles", " of the file"),
    };
    let units = format!("{several}{of_file}");
    let percent = |share: f64| format!("{:.0} %", 100.0 * share);
    let level = percent(LEVEL);
    let judging = choice.regrets.len();
    let bounds = SHARES.map(|share| tolerance::upper_bound(&choice.regrets, share, LEVEL));
    let [Some(least), other] = bounds else {
        let [least, other] = SHARES.map(|share| tolerance::min_count(share, LEVEL));
        let [share, larger] = SHARES.map(percent);
        let judges = if judging == 1 { unit } else { several };
        return format!(
            "No bound for new {units}: {judging} {judges} judged the choice; a bound for {share} of them at {level} confidence needs \
             {least}, for {larger} {other}."
        );
    };
    if least.is_infinite() {
        let infinite = choice.regrets.iter().filter(|regret| regret.is_infinite()).count();
        return format!(
            "No bound for new {units}: on {infinite} of {judging} the choice ended at a limit or had no checked answer."
        );
    }
    let arms = match choice.arms - choice.stopped.iter().sum::<usize>() {
        all if all == choice.arms => format!("these {all} arms"),
        left => format!("the {left} arms that were not stopped"),
    };
    // A bound is rounded up.
    let times = |bound: f64| format!("{:.2} times", (100.0 * bound).ceil() / 100.0);
    let share = percent(SHARES[0]);
    let least = times(least);
    let sentence = format!("On {share} of new {units}, at most {least} the best of {arms}");
    match other.filter(|bound| bound.is_finite()) {
        None => format!("{sentence}, at {level} confidence."),
        Some(bound) => {
            let (share, bound) = (percent(SHARES[1]), times(bound));
            format!("{sentence}, and on {share} at most {bound}, each at {level} confidence.")
        }
    }
}

/// A path as a word for a shell, which no command takes for an option.
fn shell_path(path: &Path) -> String {
    let text = path.to_string_lossy();
    if text.starts_with('-') { shell_word(&format!("./{text}")) } else { shell_word(&text) }
}

fn described(arm: &Arm) -> String {
    format!("{}, numbering {}, {}", arm.label, arm.numbering, arm.solver)
}

/// True if the verdict on a comparison is that one of the arms takes less. The noise of the machine has no effect.
fn differs(of: &ContrastEstimate) -> bool {
    matches!(Relation::of(of.interval, 0.0), Relation::Less | Relation::More)
}

/// The ratio to the time of another arm with its interval, as in `1.20 times [1.05, 1.37] the time of …`. If times are
/// bounded by limits, the bound of the ratio, or the reason why there is none.
fn compared(of: &ContrastEstimate, other: &str, unit: &str) -> String {
    let ratio = of.ratio;
    let Some(estimate) = ratio.estimate else {
        let units = counted(ratio.left_out, unit);
        return format!("no ratio to {other}: on {units} the runs of both ended at a limit");
    };
    if estimate.bound().is_none() {
        return format!(
            "no ratio to {other}: on some {unit}s the runs of the one ended at a limit, on some those of the other"
        );
    }
    let interval = of.interval.map_or("no interval: too few".into(), |interval| {
        let end = |end: Option<f64>| end.map_or("open".into(), |end| format!("{end:.2}"));
        format!("{}, {}", end(interval.low), end(interval.high))
    });
    let bounded = match ratio.bounded {
        0 => String::new(),
        bounded => {
            format!("; a bound: on {} one of them ended at a limit", counted(bounded, unit))
        }
    };
    format!("{estimate} times [{interval}] the time of {other}{bounded}")
}

#[cfg(test)]
mod tests {
    use bezzel_solve::Answer;
    use bezzel_statistics::{Estimate, Interval, LEVEL, Ratio};

    use super::super::choice::Judged;
    use super::*;

    fn text(estimate: Option<(Option<f64>, Option<f64>)>, bounded: usize) -> String {
        let estimate = estimate.map(|(low, high)| Estimate { low, high });
        let ratio = Ratio { estimate, instances: 2, bounded, left_out: 1 };
        compared(&ContrastEstimate { ratio, interval: None }, "pairwise", "instance")
    }

    #[test]
    fn a_ratio_at_limits_is_a_bound_or_has_a_reason() {
        let time = "times [no interval: too few] the time of pairwise";
        let both = Some(1.5);
        assert_eq!(text(Some((both, both)), 0), format!("1.50 {time}"));
        let bound = "; a bound: on 1 instance one of them ended at a limit";
        assert_eq!(text(Some((Some(4.0), None)), 1), format!("≥ 4.00 {time}{bound}"));
        assert_eq!(text(Some((None, Some(0.25))), 1), format!("≤ 0.250 {time}{bound}"));
        assert!(text(Some((None, None)), 2).starts_with("no ratio to pairwise: on some instances"));
        let none = "no ratio to pairwise: on 1 instance the runs of both ended at a limit";
        assert_eq!(text(None, 0), none);
    }

    fn arm(encoding: &str) -> Arm {
        Arm {
            encoding: encoding.into(),
            label: encoding.into(),
            input_order: "as-stated".into(),
            numbering: "row-major".into(),
            solver: "cadical".into(),
        }
    }

    /// A comparison with this interval.
    fn estimated((low, high): (f64, f64)) -> ContrastEstimate {
        let estimate = Some(Estimate { low: Some(1.0), high: Some(1.0) });
        let ratio = Ratio { estimate, instances: 8, bounded: 0, left_out: 0 };
        let interval = Some(Interval { low: Some(low), high: Some(high), level: LEVEL });
        ContrastEstimate { ratio, interval }
    }

    /// The sentence on the choice of `product`, with the intervals of its comparisons.
    fn sentence(best: &str, to_best: (f64, f64), to_default: Option<(f64, f64)>) -> Option<String> {
        let judged = Judged {
            answer: Answer::Sat,
            units: 8,
            best: arm(best),
            to_best: estimated(to_best),
            to_default: to_default.map(estimated),
        };
        let choice = JudgedChoice {
            chosen: arm("product"),
            halves: (8, 8),
            kind: UnitKind::Instance,
            arms: 20,
            stopped: [0, 0],
            unchecked: 0,
            judged: vec![judged],
            regrets: Vec::new(),
        };
        let mut out = Vec::new();
        print(&choice, None, &mut out).unwrap();
        let printed = String::from_utf8(out).unwrap();
        let start = "  The choice is not distinguished from ";
        printed.lines().find_map(|line| line.strip_prefix(start)).map(str::to_owned)
    }

    #[test]
    fn a_choice_whose_time_is_not_shown_to_differ_is_not_distinguished() {
        let undecided = (0.8, 1.3);
        let both = sentence("binary", undecided, Some(undecided));
        assert_eq!(both.as_deref(), Some("the best there or pairwise."));
        let equivalent = sentence("binary", (1.2, 1.5), Some((1.01, 1.05)));
        assert_eq!(equivalent.as_deref(), Some("pairwise."));
        assert_eq!(sentence("binary", undecided, None).as_deref(), Some("the best there."));
        // The choice is the best itself.
        assert_eq!(sentence("product", (1.0, 1.0), Some((0.5, 0.8))), None);
        assert_eq!(sentence("product", (1.0, 1.0), None), None);
    }

    #[test]
    fn the_last_sentence_has_a_bound_or_the_number_of_units_that_it_needs() {
        let sentence = |kind, stopped, regrets: Vec<f64>| {
            let chosen = arm("product");
            let (halves, unchecked, judged) = ((8, 8), 0, Vec::new());
            bound(&JudgedChoice {
                chosen,
                halves,
                kind,
                arms: 20,
                stopped,
                unchecked,
                judged,
                regrets,
            })
        };
        let numbers = |count: u32| (1..=count).map(f64::from).collect::<Vec<_>>();
        assert_eq!(
            sentence(UnitKind::Family, [0, 0], numbers(14)),
            "On 80 % of new families, at most 14.00 times the best of these 20 arms, at 95 % confidence."
        );
        // Ranks 28 and 29 of 29 (exact binomial probabilities).
        assert_eq!(
            sentence(UnitKind::Instance, [9, 2], numbers(29)),
            "On 80 % of new instances, at most 28.00 times the best of the 9 arms that were not stopped, and on 90 % at \
             most 29.00 times, each at 95 % confidence."
        );
        assert_eq!(
            sentence(UnitKind::Shuffle, [0, 0], numbers(4)),
            "No bound for new shuffles of the file: 4 shuffles judged the choice; a bound for 80 % of them at 95 % \
             confidence needs 14, for 90 % 29."
        );
        let mut limits = numbers(12);
        limits.extend([f64::INFINITY; 2]);
        assert!(
            sentence(UnitKind::Family, [0, 0], limits)
                .ends_with("on 2 of 14 the choice ended at a limit or had no checked answer.")
        );
    }

    #[test]
    fn without_an_interval_no_difference_is_shown() {
        assert!(!differs(&ContrastEstimate { interval: None, ..estimated((0.5, 0.8)) }));
        assert!(differs(&estimated((0.5, 0.8))));
    }
}
