//! The choice of the series that a figure has room for.

use std::collections::BTreeMap;

use crate::chart::Facet;

/// The largest number of series of a figure. Readers cannot distinguish more.
pub(super) const MAX_SERIES: usize = 8;

/// Keeps the best eight series of a figure, and drops panels without any of them. Returns a sentence for the caption if
/// series were dropped. `group` returns the group of a label. The best series of each group comes before the second of
/// any group.
///
/// A series is better if it reaches further along the axis, or as far with a lower value there. The order is by the
/// mean of the ranks over the panels. A series that a panel does not have is last in it.
pub(super) fn keep_best(facets: &mut Vec<Facet>, group: fn(&str) -> &str) -> String {
    let mut ranks: BTreeMap<String, usize> = BTreeMap::new();
    for facet in facets.iter() {
        let named = facet.series().iter().filter(|series| series.style.is_some());
        ranks.extend(named.map(|series| (series.label.clone(), 0)));
    }
    if ranks.len() <= MAX_SERIES {
        return String::new();
    }
    let all = ranks.len();
    for facet in facets.iter() {
        let mut here: Vec<(&str, f64, f64)> = facet
            .series()
            .iter()
            .filter_map(|series| {
                let measured = series.points.iter().rev();
                let mut measured =
                    measured.filter_map(|point| Some((point.at, point.value.measured()?)));
                let (at, value) = measured.next()?;
                Some((series.label.as_str(), at, value))
            })
            .collect();
        here.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.2.total_cmp(&two.2)));
        for (label, rank) in &mut ranks {
            let place = here.iter().position(|(known, ..)| known == label);
            *rank += place.unwrap_or(all);
        }
    }
    let mut best: Vec<(&str, usize)> =
        ranks.iter().map(|(label, rank)| (label.as_str(), *rank)).collect();
    best.sort_by_key(|&(label, rank)| (rank, label));
    let mut turns: BTreeMap<&str, usize> = BTreeMap::new();
    let mut ordered: Vec<(usize, usize, &str)> = Vec::new();
    for (label, rank) in best {
        let turn = turns.entry(group(label)).or_default();
        ordered.push((*turn, rank, label));
        *turn += 1;
    }
    ordered.sort_by_key(|&(turn, rank, _)| (turn, rank));
    let several = ordered.iter().any(|(turn, ..)| *turn > 0);
    let kept: Vec<&str> = ordered.iter().take(MAX_SERIES).map(|(.., label)| *label).collect();
    for facet in facets.iter_mut() {
        facet.keep(|series| series.style.is_none() || kept.contains(&series.label.as_str()));
    }
    facets.retain(|facet| !facet.is_empty());
    format!(
        "The figure shows the {MAX_SERIES} of {all} series with the best mean rank over the panels. A \
         series ranks higher if it reaches further along the axis, or as far with a lower value.{} The \
         tables have all series.",
        if several {
            " The best series of each kind comes before a second one of any kind; the kind is the name \
             up to a colon, plus or comma."
        } else {
            ""
        }
    )
}

/// The label itself, so that every series is a group of its own.
pub(super) fn own_group(label: &str) -> &str {
    label
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::{Axis, Point, Series};
    use bezzel_statistics::Value;

    fn facet(series: &[(&str, &[(f64, f64)])]) -> Facet {
        let series = series.iter().map(|(label, points)| {
            let points = points.iter().map(|&(at, value)| Point::new(at, Value::Measured(value)));
            Series::new(0, *label, points.collect())
        });
        Facet::new("", Axis::log("N", None), Axis::log("time", None), series.collect())
    }

    fn labels(facets: &[Facet]) -> Vec<&str> {
        facets[0].series().iter().map(|series| series.label.as_str()).collect()
    }

    #[test]
    fn eight_are_all_kept_and_of_more_those_that_reach_furthest_and_are_lowest() {
        let names: Vec<String> = (0..10).map(|number| format!("s{number}")).collect();
        let points: Vec<[(f64, f64); 1]> =
            (0..10).map(|number| [(8.0, f64::from(number))]).collect();
        let mut all: Vec<(&str, &[(f64, f64)])> =
            names.iter().zip(&points).map(|(name, points)| (name.as_str(), &points[..])).collect();
        let mut few = vec![facet(&all[..8])];
        assert_eq!(keep_best(&mut few, own_group), "");
        // The slowest one reaches a larger size.
        all[9].1 = &[(8.0, 9.0), (9.0, 90.0)];
        let mut many = vec![facet(&all)];
        let sentence = keep_best(&mut many, own_group);
        assert!(sentence.starts_with("The figure shows the 8 of 10 series"), "{sentence}");
        assert_eq!(labels(&many), ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s9"]);
    }

    #[test]
    fn the_best_of_each_kind_comes_before_the_second_of_any() {
        let names: Vec<String> = (0..9).map(|number| format!("quick:{number}")).collect();
        let points: Vec<[(f64, f64); 1]> =
            (0..9).map(|number| [(8.0, f64::from(number))]).collect();
        let mut all: Vec<(&str, &[(f64, f64)])> =
            names.iter().zip(&points).map(|(name, points)| (name.as_str(), &points[..])).collect();
        all.push(("slow", &[(8.0, 1e6)]));
        let mut facets = vec![facet(&all), facet(&[("quick:8", &[(8.0, 99.0)])])];
        keep_best(&mut facets, |label| label.split(':').next().unwrap_or(label));
        assert!(labels(&facets).contains(&"slow"));
    }
}
