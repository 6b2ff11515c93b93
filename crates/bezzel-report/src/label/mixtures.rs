//! The names of mixtures that differ in one part alone: this part, in the place of the whole mixture.

use bezzel_encode::encoding::mixture::DEFAULT;
use bezzel_encode::registry::Name;

use crate::distinct::distinct;

/// The parts that all mixtures of a report have in common, and that their names omit.
#[derive(Debug, Default)]
pub(super) struct CommonParts {
    /// The place of the key whose parts differ; none if names are not shortened.
    varied: Option<usize>,
    /// The keys and parts of the first mixture.
    first: Vec<(String, Name)>,
}

impl CommonParts {
    /// Finds the common parts of encodings. There are none unless all are mixtures with the key `default`, of the same
    /// families in the same order, whose parts are ids, and that differ in one part of several.
    pub(super) fn new<'i>(ids: impl Iterator<Item = &'i str>) -> Self {
        let parsed: Option<Vec<Vec<(String, Name)>>> =
            distinct(ids).into_iter().map(parts).collect();
        let mixtures = parsed.unwrap_or_default();
        let Some((first, others)) = mixtures.split_first() else { return Self::default() };
        let keys = |parts: &[(String, Name)]| -> Vec<String> {
            parts.iter().map(|(key, _)| key.clone()).collect()
        };
        let is_plain = |(_, part): &(String, Name)| matches!(part, Name::Id(_));
        if first.len() < 2
            || !keys(first).iter().any(|key| key == DEFAULT)
            || others.iter().any(|parts| keys(parts) != keys(first))
            || !mixtures.iter().flatten().all(is_plain)
        {
            return Self::default();
        }
        let varies = |place: &usize| others.iter().any(|parts| parts[*place] != first[*place]);
        match (0..first.len()).filter(varies).collect::<Vec<_>>()[..] {
            [place] => Self { varied: Some(place), first: first.clone() },
            _ => Self::default(),
        }
    }

    /// The name of an encoding: the part in which it differs from all others, or its id.
    pub(super) fn name(&self, id: &str) -> String {
        let part = self.varied.and_then(|place| Some(parts(id)?.get(place)?.1.to_string()));
        part.unwrap_or_else(|| id.to_owned())
    }

    /// The parts that names omit: `Each encoding is a mixture: pairwise for rows, columns, and the named encoding for all
    /// other families.`
    pub(super) fn sentence(&self) -> Option<String> {
        let (varied, _) = self.first.get(self.varied?)?;
        let varied = if varied == DEFAULT { "all other families" } else { varied };
        let others = self.first.iter().enumerate().filter(|(place, _)| Some(*place) != self.varied);
        let others: Vec<&(String, Name)> = others.map(|(_, part)| part).collect();
        let of_part = distinct(others.iter().map(|(_, part)| part)).into_iter().map(|part| {
            let keys = others.iter().filter(|(_, other)| other == part);
            let keys: Vec<&str> = keys.map(|(key, _)| key.as_str()).collect();
            format!("{part} for {}", keys.join(", "))
        });
        let of_part: Vec<String> = of_part.collect();
        Some(format!(
            "Each encoding is a mixture: {}, and the named encoding for {varied}.",
            of_part.join(", ")
        ))
    }
}

/// The keys of a mixture with their parts; none for another id.
fn parts(id: &str) -> Option<Vec<(String, Name)>> {
    match Name::parse(id).ok()? {
        Name::Map(parts) => Some(parts),
        Name::Id(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(ids: &[&str]) -> (String, Option<String>) {
        let parts = CommonParts::new(ids.iter().copied());
        let names: Vec<String> = ids.iter().map(|id| parts.name(id)).collect();
        (names.join("; "), parts.sentence())
    }

    #[test]
    fn mixtures_that_differ_in_one_part_have_its_name() {
        let (names, sentence) = named(&[
            "{rows: pairwise, columns: pairwise, default: robdd}",
            "{rows: pairwise, columns: pairwise, default: adder-network}",
        ]);
        assert_eq!(names, "robdd; adder-network");
        let expected = "Each encoding is a mixture: pairwise for rows, columns, and the named \
                        encoding for all other families.";
        assert_eq!(sentence.as_deref(), Some(expected));
    }

    #[test]
    fn other_encodings_have_their_ids() {
        for ids in [
            &["{rows: pairwise, default: robdd}", "robdd"][..],
            &["{rows: pairwise, default: robdd}", "{rows: product, default: tree}"],
            &["{rows: pairwise, default: robdd}", "{columns: pairwise, default: tree}"],
            &["{short: pairwise, long: product, at: 7}", "{short: pairwise, long: product, at: 8}"],
            &["{rows: pairwise, default: robdd}"],
            &[],
        ] {
            assert_eq!(named(ids), (ids.join("; "), None), "{ids:?}");
        }
    }
}
