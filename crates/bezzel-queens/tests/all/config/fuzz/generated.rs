//! Configs that are put together from parts of configs, mostly in places where the parts belong.

use std::collections::HashMap;

use super::Chance;

/// Values for one place. A line of `pools.txt` has values that make sense in most configs, or after a name with `!`
/// values that do not. An exclusion takes `patterns`, which the matrix need not have.
pub(super) struct Pools(HashMap<&'static str, Vec<&'static str>>);

impl Pools {
    pub(super) fn new() -> Self {
        let mut pools: HashMap<_, Vec<_>> = HashMap::new();
        for line in include_str!("pools.txt").lines() {
            let (name, values) = line.split_once(": ").expect("a line has a name");
            pools.entry(name).or_default().extend(values.split(" | "));
        }
        Self(pools)
    }

    fn one(&self, name: &str, chance: &mut Chance) -> String {
        let bad = if chance.one_in(40) { "!" } else { "" };
        (*chance.pick(&self.0[&*format!("{name}{bad}")])).to_owned()
    }

    /// One config.
    pub(super) fn config(&self, chance: &mut Chance) -> String {
        let mut lines = vec![line("name", &self.one("names", chance))];
        // Most configs have the required keys.
        let needed = match chance.below(4) {
            0 => &["problems", "encodings", "solvers", "task", "engines"][..],
            1 => &["problems", "encodings", "task", "engines"],
            2 if chance.one_in(2) => &["problems", "task", "engines"],
            _ => &["problems", "encodings", "solvers"],
        };
        for key in needed {
            if !chance.one_in(100) {
                lines.push(line(key, &self.value(key, chance)));
            }
        }
        for (keys, one_in) in [
            ("numberings", 3),
            ("exclude include", 4),
            (
                "constraints bva bve proofs simplified limits repeats warm_up calibration parallel",
                6,
            ),
            ("input_order max_solutions", 12),
            ("extends question", 60),
            ("colour problems", 120),
        ] {
            for key in keys.split(' ') {
                if chance.one_in(one_in) {
                    lines.push(line(key, &self.value(key, chance)));
                }
            }
        }
        let last = lines.len() - 1;
        lines.swap(chance.below(last + 1), last);
        lines.concat()
    }

    /// The value of a key, and seldom a number in its place.
    fn value(&self, key: &str, chance: &mut Chance) -> String {
        if chance.one_in(200) {
            return self.one("numbers", chance);
        }
        match key {
            "exclude" => list(chance, 2, |chance| self.exclusion(chance)),
            "include" => list(chance, 2, |chance| self.inclusion(chance)),
            "limits" => {
                let keys = "cpu times,wall times,memory sizes,nodes numbers";
                self.map(keys, 2, chance)
            }
            "extends" => self.one(key, chance),
            "calibration" | "simplified" => self.one("flags", chance),
            "repeats" | "warm_up" | "parallel" | "max_solutions" | "question" | "colour" => {
                self.one("numbers", chance)
            }
            "bva" | "bve" | "proofs" => self.one("switches", chance),
            axis if chance.one_in(2) => self.one(axis, chance),
            axis => list(chance, 3, |chance| self.one(axis, chance)),
        }
    }

    /// A map with some of the keys, each with the name of its pool.
    fn map(&self, keys: &str, one_in: usize, chance: &mut Chance) -> String {
        let mut parts = Vec::new();
        for (key, pool) in keys.split(',').filter_map(|key| key.split_once(' ')) {
            if chance.one_in(one_in) {
                parts.push(format!("{key}: {}", self.one(pool, chance)));
            }
        }
        format!("{{{}}}", parts.join(", "))
    }

    fn exclusion(&self, chance: &mut Chance) -> String {
        let keys = "instance patterns,encoding patterns,numbering patterns,solver patterns,task task,\
             constraints constraints,input_order input_order";
        self.map(keys, 6, chance)
    }

    fn inclusion(&self, chance: &mut Chance) -> String {
        let mut parts = vec!["problems: {queens: {size: 11}}".to_owned()];
        if chance.one_in(4) {
            parts.pop();
        }
        for key in ["encodings", "solvers", "numberings", "bva", "constraints", "engines", "task"] {
            if chance.one_in(4) {
                parts.push(format!("{key}: {}", self.value(key, chance)));
            }
        }
        format!("{{{}}}", parts.join(", "))
    }
}

fn line(key: &str, value: &str) -> String {
    format!("{key}: {value}\n")
}

/// Returns a list of up to `max` entries, which is seldom empty.
fn list(chance: &mut Chance, max: usize, mut one: impl FnMut(&mut Chance) -> String) -> String {
    let count = if chance.one_in(100) { 0 } else { 1 + chance.below(max) };
    let things: Vec<_> = (0..count).map(|_| one(chance)).collect();
    format!("[{}]", things.join(", "))
}
