//! The names of mixtures: the parts in which they differ, in the place of the whole mixture.

use bezzel_encode::encoding::mixture::DEFAULT;
use bezzel_encode::registry::Name;

use crate::number::distinct;

/// The parts that all mixtures of a report have in common, and that their names omit.
#[derive(Debug, Default)]
pub(super) struct CommonParts {
    /// The places of the keys whose parts differ; none if names are not shortened.
    varied: Vec<usize>,
    /// The keys and parts of the first mixture.
    first: Vec<(String, Name)>,
}

impl CommonParts {
    /// Finds the common parts of encodings. There are none unless all are mixtures of the same keys in the same order
    /// whose parts are ids, some of which differ and some of which do not.
    pub(super) fn new<'i>(ids: impl Iterator<Item = &'i str>) -> Self {
        let parsed: Option<Vec<Vec<(String, Name)>>> =
            distinct(ids).into_iter().map(parts).collect();
        let mixtures = parsed.unwrap_or_default();
        let Some((first, others)) = mixtures.split_first() else { return Self::default() };
        let keys = |parts: &[(String, Name)]| -> Vec<String> {
            parts.iter().map(|(key, _)| key.clone()).collect()
        };
        let is_plain = |(_, part): &(String, Name)| matches!(part, Name::Id(_));
        if others.iter().any(|parts| keys(parts) != keys(first))
            || !mixtures.iter().flatten().all(is_plain)
        {
            return Self::default();
        }
        let varies = |place: &usize| others.iter().any(|parts| parts[*place] != first[*place]);
        let varied: Vec<usize> = (0..first.len()).filter(varies).collect();
        if varied.is_empty() || varied.len() == first.len() {
            return Self::default();
        }
        Self { varied, first: first.clone() }
    }

    /// The keys and parts in which an encoding differs from all others. None if its name is not shortened.
    fn own(&self, id: &str) -> Option<Vec<(String, Name)>> {
        let mut parts = parts(id).filter(|_| !self.varied.is_empty())?;
        let mut place = 0..;
        parts.retain(|_| place.next().is_some_and(|place| self.varied.contains(&place)));
        Some(parts)
    }

    /// The name of an encoding: the parts in which it differs from all others, as in `windows: adder`, or its id. The
    /// part for all other families alone has no key.
    pub(super) fn name(&self, id: &str) -> String {
        let Some(own) = self.own(id) else { return id.to_owned() };
        if let [(key, part)] = &own[..]
            && key == DEFAULT
        {
            return part.to_string();
        }
        let words = own.iter().map(|(key, part)| format!("{key}: {part}"));
        words.collect::<Vec<_>>().join(", ")
    }

    /// The id from which the look of an encoding follows: its only part that differs from others, or its own id.
    pub(super) fn look(&self, id: &str) -> String {
        match self.own(id).as_deref() {
            Some([(_, part)]) => part.to_string(),
            _ => id.to_owned(),
        }
    }

    /// The parts that names omit: `Each encoding is a mixture: pairwise for rows, columns, and the named encoding for all
    /// other families.`
    pub(super) fn sentence(&self) -> Option<String> {
        let is_varied = |place: &usize| self.varied.contains(place);
        let key = |&place: &usize| match self.first[place].0.as_str() {
            DEFAULT => "all other families",
            key => key,
        };
        let varied: Vec<&str> = self.varied.iter().map(key).collect();
        let (last, before) = varied.split_last()?;
        let varied = match before {
            [] => format!("the named encoding for {last}"),
            before => format!("the named encodings for {} and {last}", before.join(", ")),
        };
        let others = (0..self.first.len()).filter(|place| !is_varied(place));
        let others: Vec<&(String, Name)> = others.map(|place| &self.first[place]).collect();
        let of_part = distinct(others.iter().map(|(_, part)| part)).into_iter().map(|part| {
            let keys = others.iter().filter(|(_, other)| other == part);
            let keys: Vec<&str> = keys.map(|(key, _)| key.as_str()).collect();
            format!("{part} for {}", keys.join(", "))
        });
        let of_part: Vec<String> = of_part.collect();
        Some(format!("Each encoding is a mixture: {}, and {varied}.", of_part.join(", ")))
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
    fn a_part_with_a_key_keeps_it_and_its_look_is_that_of_the_part() {
        let ids = ["{slots: pairwise, windows: adder}", "{slots: pairwise, windows: product}"];
        let (names, sentence) = named(&ids);
        assert_eq!(names, "windows: adder; windows: product");
        let expected =
            "Each encoding is a mixture: pairwise for slots, and the named encoding for windows.";
        assert_eq!(sentence.as_deref(), Some(expected));
        let parts = CommonParts::new(ids.into_iter());
        assert_eq!(parts.look(ids[1]), "product");
        let ids = [
            "{slots: pairwise, demands: order, windows: adder}",
            "{slots: product, demands: order, windows: adder}",
            "{slots: product, demands: order, windows: tree}",
        ];
        let (names, sentence) = named(&ids);
        assert!(names.ends_with("slots: product, windows: tree"), "{names}");
        let expected = "Each encoding is a mixture: order for demands, and the named encodings for slots and windows.";
        assert_eq!(sentence.as_deref(), Some(expected));
        assert_eq!(CommonParts::new(ids.into_iter()).look(ids[0]), ids[0]);
    }

    #[test]
    fn other_encodings_have_their_ids() {
        for ids in [
            &["{rows: pairwise, default: robdd}", "robdd"][..],
            &["{rows: pairwise, default: robdd}", "{rows: product, default: tree}"],
            &["{rows: pairwise, default: robdd}", "{columns: pairwise, default: tree}"],
            &["{rows: pairwise, columns: tree}", "{rows: product, columns: robdd}"],
            &["{rows: pairwise, default: robdd}"],
            &[],
        ] {
            assert_eq!(named(ids), (ids.join("; "), None), "{ids:?}");
        }
    }
}
