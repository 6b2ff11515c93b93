//! The look of an encoding: its colour, marker and dash, the same in all reports.
//!
//! A look is a number, which `render` turns into a colour, a marker and a dash. The colour repeats every [`ROUND`]
//! numbers, and each round has another marker and dash. The last looks have one more colour. The encodings of the
//! published reports have looks of their own.
//! Every other encoding has a look that follows from its label, or that of a free colour if another encoding of the
//! report has its colour.

use std::collections::HashSet;

/// The number of colours that take turns.
pub(crate) const ROUND: usize = 9;
/// The number of colours.
pub(crate) const COLORS: usize = ROUND + 1;
/// The number of markers. It has no common divisor above 1 with the number of colours that take turns.
pub(crate) const MARKERS: usize = 8;
/// The number of looks.
const LOOKS: usize = COLORS * MARKERS;

/// The number of the colour of a look.
pub(crate) fn color_of(look: usize) -> usize {
    if look % LOOKS < ROUND * MARKERS { look % LOOKS % ROUND } else { ROUND }
}

/// The encodings with a look of their own, each with the number of its look. No two encodings that stand in one figure
/// of the published reports have the same colour.
const KNOWN: [(&str, usize); 44] = [
    ("pairwise", 0),
    ("sequential-counter", 1),
    ("product", 2),
    ("bitwise", 3),
    ("binary", 4),
    ("commander:3", 5),
    ("bimander:2", 6),
    ("bryant-circuit", 7),
    ("split:4", 8),
    ("tree", 49),
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
    ("commander:3+one-way", 61),
    ("totalizer:cut", 24),
    ("nested:4", 76),
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
    ("product+defined", 55),
    ("implication:later", 52),
    ("edge", 40),
    ("totalizer:bounded", 48),
];

/// The look of an id by its hash (FNV-1a).
fn hashed_look(id: &str) -> usize {
    let hash = id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    (hash % (ROUND * MARKERS) as u64) as usize
}

/// The look nearest to the preferred one among those that are not taken: of a colour that fewest others have, and of
/// these with a marker that fewest have.
fn free_look(taken: &[usize], preferred: usize) -> usize {
    let same = |look: usize, of: fn(usize) -> usize| {
        taken.iter().filter(|it| of(**it) == of(look)).count()
    };
    let free =
        (0..LOOKS).map(|aside| (preferred + aside) % LOOKS).filter(|look| !taken.contains(look));
    free.min_by_key(|&look| (same(look, color_of), same(look, |it| it % MARKERS)))
        .unwrap_or(preferred)
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
    let mut looks: Vec<usize> = Vec::new();
    for &look in preferred {
        let is_free = looks.iter().all(|&taken| color_of(taken) != color_of(look));
        looks.push(if is_free { look } else { free_look(&looks, look) });
    }
    looks
}

/// True if this look is the encoding's own one, which it has in all reports.
pub(crate) fn is_own(label: &str, look: usize) -> bool {
    KNOWN.iter().any(|(id, own)| *own == look && label.starts_with(id))
}

/// A look that is not among `taken`, for published results.
pub(crate) fn unused_look(taken: impl Iterator<Item = usize>) -> usize {
    free_look(&taken.collect::<Vec<_>>(), ROUND * MARKERS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::distinct;
    use crate::tests::committed::committed as committed_names;
    use bezzel_encode::Registry;
    use std::collections::{BTreeMap, HashMap};
    use std::fs;
    use std::path::Path;

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
        let colours: HashSet<usize> = found.iter().map(|&look| color_of(look)).collect();
        assert_eq!(colours.len(), found.len());
        assert_eq!(distinct_looks(&[0, 1, 9])[..2], [0, 1]);
        assert_ne!(color_of(distinct_looks(&[0, 1, 9])[2]), 0);
    }

    #[test]
    fn no_two_of_many_look_alike() {
        let ids: Vec<String> = (0..LOOKS).map(|number| format!("encoding-{number}")).collect();
        let found = looks(ids.iter().map(|id| (id.as_str(), id.as_str())));
        assert_eq!(found.into_iter().collect::<HashSet<usize>>().len(), LOOKS);
        let known: HashSet<usize> = KNOWN.iter().map(|(_, look)| *look).collect();
        assert_eq!(known.len(), KNOWN.len());
    }

    #[test]
    fn encodings_of_the_registry_have_distinct_colours_in_a_legend_as_long_as_there_are_colours() {
        let registry = Registry::standard();
        let ids: Vec<String> = registry.infos().into_iter().map(|info| info.id).collect();
        assert!(ids.len() > 3 * COLORS);
        for start in 0..ids.len() {
            let shown = (0..COLORS).map(|turn| ids[(start + 7 * turn) % ids.len()].as_str());
            let preferred = looks(shown.map(|id| (id, id)));
            let colours: HashSet<usize> =
                distinct_looks(&preferred).into_iter().map(color_of).collect();
            assert_eq!(colours.len(), COLORS, "from {}", ids[start]);
        }
    }

    /// The files of this name or, with a dot first, of this kind in the committed reports, each with its content.
    fn committed(name: &str) -> Vec<(String, String)> {
        let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reports");
        let folders = committed_names("reports").into_iter().map(|name| reports.join(name));
        let files = folders.filter(|folder| folder.is_dir());
        let files = files.flat_map(|folder| fs::read_dir(folder).unwrap());
        let files = files.map(|file| file.unwrap().path().display().to_string());
        let files = files.filter(|file| file.ends_with(name));
        files.map(|file| (file.clone(), fs::read_to_string(file).unwrap())).collect()
    }

    #[test]
    fn no_two_entries_of_a_legend_of_a_committed_figure_have_one_colour() {
        let mut legends = 0;
        for (file, svg) in committed(".svg") {
            // A sample line is 1.6 pixels thick and 26 long. A dash is a path of its own.
            let mut samples: BTreeMap<&str, Vec<(i64, i64)>> = BTreeMap::new();
            for path in svg.split("<path ").filter(|path| path.contains("stroke-width=\"32\"")) {
                let (_, color) = path.split_once("stroke=\"").unwrap();
                let (_, start) = path.split_once(" d=\"m").unwrap();
                let numbers = start.split(|letter: char| !letter.is_ascii_digit());
                let numbers: Vec<i64> = numbers.take(2).map(|it| it.parse().unwrap()).collect();
                samples.entry(&color[..7]).or_default().push((numbers[0], numbers[1]));
            }
            // The grey line is that of no encoding.
            samples.remove("#6e6e6e");
            legends += usize::from(samples.len() > 1);
            for (color, starts) in samples {
                let (x, y) = starts[0];
                let one = starts.iter().all(|at| at.1 == y && (at.0 - x).abs() <= 26 * 20);
                assert!(one, "{color} twice in {file}");
            }
        }
        assert!(legends > 20, "{legends} legends");
    }

    #[test]
    fn an_encoding_has_one_colour_in_all_committed_reports() {
        let mut known: HashMap<String, (usize, String)> = HashMap::new();
        // The table of an imported record has no column of encodings.
        let tables = committed("/table.csv").into_iter();
        for (file, table) in tables.filter(|(_, table)| table.starts_with("encoding,")) {
            let labels = distinct(table.lines().skip(1).filter_map(|line| line.split(',').next()));
            let ids = labels.iter().map(|label| label.split(" (").next().unwrap_or(label));
            let found = looks(ids.zip(labels.iter().copied()));
            let plain = labels.iter().zip(found).filter(|(label, _)| !label.contains([' ', '"']));
            for (label, look) in plain {
                let (other, elsewhere) =
                    known.entry((*label).to_owned()).or_insert((look, file.clone()));
                assert_eq!(color_of(look), color_of(*other), "{label} in {file} and {elsewhere}");
            }
        }
        assert!(known.len() > 40);
    }
}
