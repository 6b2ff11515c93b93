//! The look of an encoding: its colour, marker and dash, the same in all reports.
//!
//! A look is a number, which `render` turns into a colour, a marker and a dash. The colour repeats every [`COLORS`]
//! numbers, and each round has another marker and dash. The encodings of the published reports have looks of their own,
//! so that no two of one report share a colour as long as there are enough colours. Every other encoding has a look
//! that follows from its id.

use std::collections::HashSet;

/// The number of colours.
pub(crate) const COLORS: usize = 9;
/// The number of markers. It has no common divisor above 1 with the number of colours.
pub(crate) const MARKERS: usize = 8;
/// The number of looks.
const LOOKS: usize = COLORS * MARKERS;

/// The encodings with a look of their own, each with the number of its look.
const KNOWN: [(&str, usize); 31] = [
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
    ("order", 12),
    ("bryant-circuit:binary", 14),
    ("implication:auxiliary", 15),
    ("bryant-circuit+columns", 16),
    ("bdd:ite", 17),
    ("support", 20),
    ("commander:3+one-way", 23),
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
];

/// The look of an id: its own, or one by the hash of the id (FNV-1a).
fn preferred_look(id: &str) -> usize {
    let known = KNOWN.iter().find(|(name, _)| *name == id);
    known.map_or_else(
        || {
            let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
            (hash % LOOKS as u64) as usize
        },
        |(_, look)| *look,
    )
}

/// The looks of the encodings of one report, each given by its id and its label there. The first encoding with an id
/// has the look of the id. Further encodings with this id have other settings, and the look of their label. If two
/// encodings have the same look, the later gets the next marker of that colour. If the colour has no marker left, it
/// gets the next colour.
pub(crate) fn looks<'i>(encodings: impl IntoIterator<Item = (&'i str, &'i str)>) -> Vec<usize> {
    let (mut taken, mut ids) = (HashSet::new(), HashSet::new());
    let look = |(id, label): (&'i str, &'i str)| {
        let preferred_look = preferred_look(if ids.insert(id) { id } else { label });
        let turns = (0..LOOKS).map(|turn| turn % MARKERS * COLORS + turn / MARKERS);
        let unused_look =
            turns.map(|aside| (preferred_look + aside) % LOOKS).find(|look| taken.insert(*look));
        unused_look.unwrap_or(preferred_look)
    };
    encodings.into_iter().map(look).collect()
}

/// A look that is not among `taken`, for published results.
pub(crate) fn unused_look(taken: impl Iterator<Item = usize>) -> usize {
    let taken: HashSet<usize> = taken.collect();
    (0..LOOKS).rev().find(|look| !taken.contains(look)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(ids: &[&str]) -> Vec<usize> {
        looks(ids.iter().map(|&id| (id, id)))
    }

    #[test]
    fn an_encoding_has_its_look_whatever_stands_beside_it() {
        assert_eq!(of(&["pairwise", "bitwise"]), [0, 3]);
        assert_eq!(of(&["bitwise", "never-heard-of", "pairwise"])[2], 0);
        assert_eq!(of(&["never-heard-of"])[0], of(&["binary", "never-heard-of"])[1]);
    }

    #[test]
    fn the_same_id_with_other_settings_has_another_look() {
        let found = looks([("pairwise", "pairwise"), ("pairwise", "pairwise (no-column-amo)")]);
        assert_eq!(found[0], 0);
        assert_eq!(found[1], preferred_look("pairwise (no-column-amo)"));
        // If two encodings want the same look, the later has the same colour and the next marker.
        assert_eq!(of(&["pairwise", "pairwise", "tree"]), [0, 9, 18]);
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
