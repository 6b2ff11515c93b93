//! Configs that are put together from parts of configs, mostly in places where the parts belong.

use super::Chance;

/// Values for one place: good ones that make sense in most configs, and bad ones.
struct Pool {
    good: &'static [&'static str],
    bad: &'static [&'static str],
}

impl Pool {
    fn one(&self, chance: &mut Chance) -> String {
        let from = if chance.one_in(40) { self.bad } else { self.good };
        chance.pick(from).to_owned()
    }

    /// Returns one value, or a list of a few.
    fn some(&self, chance: &mut Chance) -> String {
        if chance.one_in(2) { self.one(chance) } else { list(chance, 3, |chance| self.one(chance)) }
    }
}

const NUMBERS: Pool = Pool {
    good: &["1", "2", "3", "4", "7"],
    bad: &[
        "0",
        "-1",
        "1e3",
        "0x10",
        "0o17",
        "08",
        "1.5",
        ".nan",
        "-.inf",
        "\"8\"",
        "4294967296",
        "18446744073709551615",
        "18446744073709551616",
        "1_000",
        "~",
        "[1, 2]",
    ],
};
const BOARDS: Pool = Pool {
    good: &[
        "{size: 8}",
        "{size: [4, 5, 6]}",
        "{size: 7, geometry: torus}",
        "{size: 5, piece: rook}",
        "{size: 6, queens: [[1, 2]]}",
        "{size: 9, blocked: [1, [2, 2], \"3,3\"]}",
        "{size: 10, shuffles: 1}",
        "{size: 6, generate: {kind: blocked, density: 0.3, seeds: 1..4}}",
        "{size: 7, generate: {kind: completion, queens: [1, 2], answer: sat, seeds: 3}}",
        "{size: 7, generate: {kind: excluded-diagonals, diagonals: 3, least-free: 2}}",
        "{file: boards/framed.txt}",
        "{size: 100}",
    ],
    bad: &[
        "{size: 3x4}",
        "{size: [4x4, 5x4]}",
        "{size: 6, queens: [1, 2]}",
        "{size: 6, queens: [40]}",
        "{size: 8, shuffles: 0}",
        "{size: 6, generate: {kind: blocked, density: 0.9, answer: sat}}",
        "{file: ../boards.txt}",
        "{size: 1000}",
        "{size: 40000}",
        "8",
        "{}",
    ],
};
const ENCODINGS: Pool = Pool {
    good: &[
        "pairwise",
        "binary",
        "product",
        "commander:3",
        "commander:40",
        "implication",
        "bryant-circuit:binary",
        "\"bimander:*\"",
        "\"*-counter\"",
        "\"rustsat-*\"",
        "{rows: product, columns: pairwise, diagonals: bitwise}",
        "{short: pairwise, long: product, at: 5}",
        "{command: ./none}",
        "{command: ./none, kind: board}",
    ],
    bad: &[
        "binomial",
        "native",
        "\"*\"",
        "\"!native\"",
        "\"!b*\"",
        "\"nothing-*\"",
        "pairwize",
        "[pairwise]",
    ],
};
const SWITCHES: Pool = Pool {
    good: &["on", "off", "[on, off]", "[off, on]", "true", "false", "[true]"],
    bad: &["yes", "[]", "[off, false]", "1"],
};
const SOLVERS: Pool = Pool {
    good: &[
        "cadical",
        "batsat",
        "\"cadical:plain\"",
        "{id: cadical, bva: [off, on]}",
        "{id: cadical, options: {seed: 3}}",
        "{id: batsat, options: {random_seed: 91648253}}",
        "{id: cadical, bve: off, proofs: [on, off]}",
    ],
    bad: &[
        "{id: cadical, options: {factor: 1, elim: 0}}",
        "{id: batsat, proofs: off}",
        "cadica",
        "{}",
    ],
};
const ENGINES: Pool = Pool {
    good: &[
        "blocking",
        "\"blocking:batsat\"",
        "backtrack",
        "propagator",
        "{id: blocking, options: {seed: 3}}",
        "{counter: \"./none {cnf}\"}",
    ],
    bad: &["cadical", "blocked", "{id: blocking, options: {sead: 3}}", "{}", "{counter: 3}"],
};
const TASKS: Pool =
    Pool { good: &["solve", "enumerate", "count", "models"], bad: &["all", "countt", "3"] };
const NUMBERINGS: Pool = Pool {
    good: &[
        "as-generated",
        "random",
        "{squares: spiral}",
        "{squares: centre-out, auxiliaries: between}",
        "{random: {shuffles: 2, literals: false}}",
        "{squares: spiral, shuffles: 2, seed: 4, clauses: true}",
        "{random: {shuffles: 3, seed: 7, polarity: true}}",
        "{random: {shuffles: 2, literals: false, clauses: true}}",
        "{auxiliaries: before}",
    ],
    bad: &[
        "{random: {shuffles: 1000000}}",
        "spiral",
        "{random: {shuffles: 2}}",
        "{squares: spiral, literals: false}",
        "{}",
    ],
};
const CONSTRAINTS: Pool =
    Pool { good: &["full", "minimal", "no-column-alo", "no-column-amo"], bad: &["none"] };
const INPUT_ORDERS: Pool = Pool {
    good: &["as-stated", "reversed", "random:1"],
    bad: &["random", "random:-1", "{random: 1}"],
};
const TIMES: Pool = Pool {
    good: &["5 s", "100 ms", "2 min", "7"],
    bad: &["0", "-1 s", ".nan", "1e3", "0x5", "10 parsecs"],
};
const SIZES: Pool = Pool {
    good: &["1 GiB", "64 MiB", "2 GB", "1 TiB"],
    bad: &["10", "1 gib", "0 bytes", "1e3 MB"],
};
const ORDERS: Pool = Pool {
    good: &["as-listed", "{seed: 3}"],
    bad: &["{seed: 0x10}", "{}", "random", "{seed: 18446744073709551616}"],
};
const EXTENDED: Pool = Pool {
    good: &["smallest.yaml", "first-look.yaml"],
    bad: &["boards", "../x.yaml", "fuzzed.yaml", "[smallest.yaml]"],
};
/// The values that an exclusion may name. The matrix need not have them.
const PATTERNS: Pool = Pool {
    good: &[
        "pairwise",
        "\"*\"",
        "\"p*\"",
        "8",
        "[8, 10]",
        "\"torus *\"",
        "random",
        "cadical",
        "batsat",
        "backtrack",
        "\"b*\"",
        "as-generated",
        "\"?????*\"",
    ],
    bad: &["[]", "0", "nothing"],
};

/// One config.
pub(super) fn config(chance: &mut Chance) -> String {
    let name = Pool { good: &["g", "generated.2"], bad: &["..", "CON", "a b", "8"] };
    let mut lines = vec![line("name", &name.one(chance))];
    // Most configs have the required keys.
    let needed = match chance.below(4) {
        0 => &["boards", "encodings", "solvers", "task", "engines"][..],
        1 => &["boards", "encodings", "task", "engines"],
        2 if chance.one_in(2) => &["boards", "task", "engines"],
        _ => &["boards", "encodings", "solvers"],
    };
    for key in needed {
        if !chance.one_in(100) {
            lines.push(line(key, &axis(key, chance)));
        }
    }
    let keys = [
        ("constraints", 6),
        ("input_order", 12),
        ("numberings", 3),
        ("bva", 6),
        ("bve", 6),
        ("proofs", 6),
        ("simplified", 6),
        ("exclude", 4),
        ("include", 4),
        ("limits", 6),
        ("repeats", 6),
        ("order", 6),
        ("warm_up", 6),
        ("calibration", 6),
        ("parallel", 6),
        ("max_solutions", 12),
        ("extends", 60),
        ("question", 60),
        ("colour", 120),
        ("boards", 120),
    ];
    for (key, one_in) in keys {
        if chance.one_in(one_in) {
            lines.push(line(key, &value(key, chance)));
        }
    }
    let last = lines.len() - 1;
    lines.swap(chance.below(last + 1), last);
    lines.concat()
}

fn line(key: &str, value: &str) -> String {
    format!("{key}: {value}\n")
}

/// The value of a key, and seldom that of another one.
fn value(key: &str, chance: &mut Chance) -> String {
    if chance.one_in(200) {
        return NUMBERS.one(chance);
    }
    match key {
        "exclude" => list(chance, 2, exclusion),
        "include" => list(chance, 2, inclusion),
        "limits" => {
            let keys = [
                ("cpu", &TIMES),
                ("wall", &TIMES),
                ("memory", &SIZES),
                ("nodes", &NUMBERS),
                ("proof", &SIZES),
            ];
            map(chance, &keys, 2)
        }
        "order" => ORDERS.one(chance),
        "calibration" => format!("{{every: {}}}", TIMES.one(chance)),
        "extends" => EXTENDED.one(chance),
        "simplified" => chance.pick(&["on", "off", "true", "yes"]).to_owned(),
        "repeats" | "warm_up" | "parallel" | "max_solutions" | "question" | "colour" => {
            NUMBERS.one(chance)
        }
        key => axis(key, chance),
    }
}

/// The values of an axis.
fn axis(key: &str, chance: &mut Chance) -> String {
    match key {
        "boards" => BOARDS.some(chance),
        "encodings" => ENCODINGS.some(chance),
        "solvers" => SOLVERS.some(chance),
        "engines" => ENGINES.some(chance),
        "task" => TASKS.some(chance),
        "numberings" => NUMBERINGS.some(chance),
        "constraints" => CONSTRAINTS.some(chance),
        "input_order" => INPUT_ORDERS.some(chance),
        _ => SWITCHES.one(chance),
    }
}

/// Returns a list of up to `max` entries, which is seldom empty.
fn list(chance: &mut Chance, max: usize, mut one: impl FnMut(&mut Chance) -> String) -> String {
    let count = if chance.one_in(100) { 0 } else { 1 + chance.below(max) };
    let things: Vec<_> = (0..count).map(|_| one(chance)).collect();
    format!("[{}]", things.join(", "))
}

/// A map with some of these keys.
fn map(chance: &mut Chance, keys: &[(&str, &Pool)], one_in: usize) -> String {
    let mut parts = Vec::new();
    for (key, values) in keys {
        if chance.one_in(one_in) {
            parts.push(format!("{key}: {}", values.one(chance)));
        }
    }
    format!("{{{}}}", parts.join(", "))
}

fn exclusion(chance: &mut Chance) -> String {
    let keys = [
        ("board", &PATTERNS),
        ("encoding", &PATTERNS),
        ("numbering", &PATTERNS),
        ("solver", &PATTERNS),
        ("engine", &PATTERNS),
        ("task", &TASKS),
        ("bva", &SWITCHES),
        ("proofs", &SWITCHES),
        ("constraints", &CONSTRAINTS),
        ("input_order", &INPUT_ORDERS),
    ];
    map(chance, &keys, 6)
}

fn inclusion(chance: &mut Chance) -> String {
    let mut parts = vec!["boards: {size: 11}".to_owned()];
    if chance.one_in(4) {
        parts.pop();
    }
    for key in ["encodings", "solvers", "numberings", "bva", "constraints", "engines", "task"] {
        if chance.one_in(4) {
            parts.push(format!("{key}: {}", axis(key, chance)));
        }
    }
    format!("{{{}}}", parts.join(", "))
}
