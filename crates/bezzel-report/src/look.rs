//! The look of an encoding: its colour, marker and dash, the same in all reports.
//!
//! A look is a number, which `render` turns into a colour, a marker and a dash. The colour repeats every [`COLORS`]
//! numbers, and each round has another marker and dash. The encodings of the published reports have looks of their own.
//! Every other encoding has a look that follows from its label, or that of a free colour if another encoding of the
//! report has its colour.

use std::collections::HashSet;

/// The number of colours.
pub(crate) const COLORS: usize = 9;
/// The number of markers. It has no common divisor above 1 with the number of colours.
pub(crate) const MARKERS: usize = 8;
/// The number of looks.
const LOOKS: usize = COLORS * MARKERS;

/// The encodings with a look of their own, each with the number of its look. No two encodings that stand in one figure
/// of the published reports have the same colour.
const KNOWN: [(&str, usize); 43] = [
    ("pairwise", 0),
    ("sequential-counter", 1),
    ("product", 2),
    ("bitwise", 3),
    ("binary", 4),
    ("commander:3", 5),
    ("bimander:2", 6),
    ("bryant-circuit", 7),
    ("split:4", 8),
    ("tree", 9),
    ("sequential-counter+defined", 10),
    ("implication", 11),
    ("bdd:ite", 12),
    ("ladder:regular", 13),
    ("bryant-circuit:binary", 14),
    ("implication:auxiliary", 15),
    ("bryant-circuit+columns", 16),
    ("order", 17),
    ("support", 20),
    ("adder", 22),
    ("commander:3+one-way", 23),
    ("totalizer:cut", 24),
    ("nested:4", 46),
    ("sorting-network", 26),
    // Encoders of weighted sums.
    ("robdd", 27),
    ("generalised-totalizer", 28),
    ("global-watchdog", 29),
    ("dynamic-watchdog", 30),
    ("binary-merge+global", 31),
    ("mixed-radix-sorter", 32),
    ("n-level-modulo-totalizer", 33),
    ("robdd-or-watchdog", 34),
    ("adder-network", 35),
    ("weight-counter", 36),
    ("local-watchdog", 37),
    // Counters and networks.
    ("sequential-counter:simplified", 39),
    ("cardinality-network", 41),
    ("k-modulo-totalizer", 43),
    ("bdd:monotone", 44),
    ("ladder:at-most-one", 47),
    ("product+defined", 53),
    ("implication:later", 52),
    ("edge", 40),
];

/// The look of an id by its hash (FNV-1a).
fn hashed_look(id: &str) -> usize {
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash % LOOKS as u64) as usize
}

/// The look nearest to the preferred one among those that are not taken: of a colour that fewest others have, and of
/// these with a marker that fewest have.
fn free_look(taken: &[usize], preferred: usize) -> usize {
    let same = |look: usize, of: usize| taken.iter().filter(|it| *it % of == look % of).count();
    let free =
        (0..LOOKS).map(|aside| (preferred + aside) % LOOKS).filter(|look| !taken.contains(look));
    free.min_by_key(|&look| (same(look, COLORS), same(look, MARKERS))).unwrap_or(preferred)
}

/// The looks of the encodings of one report, each given by its id and its label there. The first encoding with an id of
/// a known look has this look. Every other encoding has a look that follows from its label, or the next one of a colour
/// that is free.
pub(crate) fn looks<'i>(encodings: impl IntoIterator<Item = (&'i str, &'i str)>) -> Vec<usize> {
    let encodings: Vec<(&str, &str)> = encodings.into_iter().collect();
    let mut ids = HashSet::new();
    let known = |(id, _): &(&'i str, &'i str)| {
        let known = KNOWN.iter().find(|(name, _)| name == id)?;
        ids.insert(*id).then_some(known.1)
    };
    let mut looks: Vec<Option<usize>> = encodings.iter().map(known).collect();
    for (place, (_, label)) in encodings.iter().enumerate() {
        if looks[place].is_none() {
            let taken: Vec<usize> = looks.iter().flatten().copied().collect();
            looks[place] = Some(free_look(&taken, hashed_look(label)));
        }
    }
    looks.into_iter().flatten().collect()
}

/// The looks of arms that prefer these looks. Each has its own unless an earlier arm has its colour.
pub(crate) fn distinct_looks(preferred: &[usize]) -> Vec<usize> {
    let mut looks = Vec::new();
    for &look in preferred {
        looks.push(free_look(&looks, look));
    }
    looks
}

/// A look that is not among `taken`, for published results.
pub(crate) fn unused_look(taken: impl Iterator<Item = usize>) -> usize {
    free_look(&taken.collect::<Vec<_>>(), LOOKS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ids: &[&str]) -> Vec<usize> {
        looks(ids.iter().map(|&id| (id, id)))
    }

    #[test]
    fn an_encoding_with_a_known_look_has_it_whatever_stands_beside_it() {
        assert_eq!(of(&["pairwise", "bitwise"]), [0, 3]);
        assert_eq!(of(&["bitwise", "never-heard-of", "pairwise"])[2], 0);
        assert_eq!(of(&["never-heard-of"]), [hashed_look("never-heard-of")]);
    }

    #[test]
    fn no_two_encodings_have_the_same_colour_while_a_colour_is_free() {
        let found = looks([
            ("pairwise", "pairwise"),
            ("pairwise", "pairwise (no-column-amo)"),
            ("mine", "mine"),
            ("mine", "mine (minimal)"),
            ("product", "product"),
            ("a", "a"),
            ("b", "b"),
            ("c", "c"),
            ("d", "d"),
        ]);
        assert_eq!((found[0], found[4]), (0, 2));
        let colours: HashSet<usize> = found.iter().map(|look| look % COLORS).collect();
        assert_eq!(colours.len(), COLORS);
        assert_eq!(distinct_looks(&[0, 1, 9])[..2], [0, 1]);
        assert_ne!(distinct_looks(&[0, 1, 9])[2] % COLORS, 0);
    }

    #[test]
    fn no_two_of_many_look_alike() {
        let ids: Vec<String> = (0..LOOKS).map(|number| format!("encoding-{number}")).collect();
        let found = looks(ids.iter().map(|id| (id.as_str(), id.as_str())));
        assert_eq!(found.into_iter().collect::<HashSet<usize>>().len(), LOOKS);
        let known: HashSet<usize> = KNOWN.iter().map(|(_, look)| *look).collect();
        assert_eq!(known.len(), KNOWN.len());
    }
}
