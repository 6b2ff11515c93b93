//! Counters that are known by an id, with the way to call each: one table.

/// A program that counts.
#[derive(Debug)]
pub struct Preset {
    /// The id, permanent.
    pub id: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// Its command line.
    pub command: &'static str,
    /// The command line that prints its version.
    pub version: &'static str,
    /// How to get it.
    pub package: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
}

/// The programs, in the order in which they are listed.
pub const PRESETS: [Preset; 2] = [
    Preset {
        id: "ganak",
        title: "Ganak, projected model counter",
        command: "ganak {cnf}",
        version: "ganak --version",
        package: "build it from github.com/meelgroup/ganak",
        citation: CITATION,
    },
    Preset {
        id: "pyganak",
        title: "Ganak as a Python module",
        // The module takes clauses, so the file is taken apart for it.
        command: "python3 -c 'import sys; from pyganak import Counter; c = Counter(); \
                  lines = [l.split() for l in open(sys.argv[1])]; \
                  [c.new_vars(int(w[2])) for w in lines if w[0] == \"p\"]; \
                  [c.add_clause([int(x) for x in w[:-1]]) for w in lines if w[0] not in \"cp\"]; \
                  c.set_sampling_set([int(x) for w in lines if w[:3] == [\"c\", \"p\", \"show\"] \
                  for x in w[3:-1]]); print(\"c s exact arb int\", c.count())' {cnf}",
        version: "python3 -c 'import pyganak; print(\"pyganak\", pyganak.__version__)'",
        package: "the wheel `pyganak` of PyPI",
        citation: CITATION,
    },
];

const CITATION: &str =
    "Soos, Meel: Engineering an Efficient Probabilistic Exact Model Counter. CAV 2025";
