//! Configs of the repository, with some characters removed, doubled or replaced.

use super::super::{ALL_AXES, SMALLEST, configs};
use super::Chance;

/// Pieces of text with a special meaning for YAML or the reader.
const PIECES: [&str; 64] = [
    "\n",
    " ",
    ":",
    ": ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\"",
    "'",
    "#",
    "&a ",
    "*a",
    "!!int ",
    "|\n",
    ">\n",
    "? ",
    "---\n",
    "\t",
    "0",
    "-1",
    "0x10",
    "1e3",
    ".nan",
    ".inf",
    "08",
    "18446744073709551616",
    "~",
    "null",
    "true",
    "on",
    "off",
    "99999999999999999999",
    "\u{0}",
    "\u{1b}",
    "\u{FEFF}",
    "é",
    "size",
    "random",
    "shuffles",
    "queens: [1]",
    "boards",
    "40000",
    "<<: ",
    "generate",
    "1..9",
    "answer: unsat",
    "%YAML",
    "\"*\"",
    "!",
    "*",
    "exclude: [{board: 8}]\n",
    "include: [{solvers: batsat}]\n",
    "bva: [off, on]\n",
    "extends: first-look.yaml\n",
    "order: as-listed\n",
    "input_order: reversed\n",
    "file: boards/framed.txt",
    "task: count\n",
    "engines: [blocking, backtrack]\n",
    "max_solutions: 3\n",
    "models",
];

/// Returns the configs of the repository, and some that use keys which these do not use.
pub(super) fn seeds() -> Vec<String> {
    let mut seeds: Vec<String> =
        configs().iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    seeds.extend([
        SMALLEST.to_owned(),
        ALL_AXES.to_owned(),
        format!(
            "{SMALLEST}limits: {{cpu: &t 5 s, wall: *t, memory: 1.5 GiB, proof: 1 MiB}}\nrepeats: 2\n\
             order: {{seed: 7}}\nwarm_up: 2\ncalibration: {{every: 5 s}}\nsimplified: on\n"
        ),
        "name: q\nboards:\n  - size: [5, 7]\n    geometry: torus\n    queens: [\"1,2\", [2, 4]]\n    \
         blocked: [9]\nencodings: [\"commander:*\", \"!commander:2*\"]\n\
         solvers: [{id: cadical, options: {seed: 1}, bva: [on, off]}, batsat]\nproofs: [on, off]\n"
            .to_owned(),
        SMALLEST.replace("{size: 8}", "{size: 7, generate: {kind: blocked, density: [0.1, 0.4], \
             seeds: [1..3, 9], answer: sat}}, {size: 6x9, generate: {kind: completion, queens: 2}}"),
        SMALLEST.replace("size: 8", "size: 5, generate: {kind: excluded-diagonals, diagonals: 2}"),
        "extends: smallest.yaml\nname: s\nsolvers: [cadical, batsat]\nencodings: [pairwise, binary]\n\
             exclude:\n  - {encoding: \"pair*\", solver: batsat}\n  - {board: 8, bva: off, encoding: binary}\n\
             include: [{boards: {size: 9}, encodings: product}, {solvers: \"cadical:plain\"}]\n"
            .to_owned(),
        "name: a\nboards: [{size: [5, 6]}, {size: 6, shuffles: 0}]\nencodings: [pairwise, bryant-circuit]\n\
             numberings: [as-generated, random: {shuffles: 2}]\ntask: [solve, enumerate, count]\nmax_solutions: 10\n\
             solvers: batsat\nengines: [blocking, {id: backtrack}]\nlimits: {nodes: 1000}\n\
             exclude: [{engine: backtrack, task: count}, {engine: \"b*\", encoding: pairwise, board: 5}]\n\
             include: [{engines: propagator, boards: {size: 4}}, {task: enumerate, engines: backtrack}]\n"
            .to_owned(),
    ]);
    seeds
}

/// The text with one to five changes.
pub(super) fn mutated(text: &str, chance: &mut Chance) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=chance.below(5) {
        let at = chance.below(characters.len() + 1);
        let end = (at + chance.below(12)).min(characters.len());
        match chance.below(5) {
            0 => drop(characters.drain(at..end)),
            1 => {
                let copy: Vec<char> = characters[at..end].to_vec();
                let target = chance.below(characters.len() + 1);
                characters.splice(target..target, copy);
            }
            2 => {
                let piece = chance.pick(&PIECES);
                characters.splice(at..at, piece.chars());
            }
            3 => {
                let piece = chance.pick(&PIECES);
                characters.splice(at..end, piece.chars());
            }
            // A whole line is inserted at the beginning of another one.
            _ => {
                let text: String = characters.iter().collect();
                let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
                if !lines.is_empty() {
                    let moved = lines.remove(chance.below(lines.len()));
                    lines.insert(chance.below(lines.len() + 1), moved);
                }
                characters = lines.concat().chars().collect();
            }
        }
    }
    characters.into_iter().collect()
}
