//! Configs of the repository, with some characters removed, doubled or replaced.

use super::super::configs;
use super::super::table::read_configs;
use super::Chance;

/// Pieces of text with a special meaning for YAML or the reader, with a bar after each.
const PIECES: &str = "\n| |:|: |- |[|]|{|}|,|\"|'|#|&a |*a|!!int |\t|? |---\n|>\n|0|-1|0x10|1e3|.nan|.inf|08|~|null|\
     true|on|off|18446744073709551616|99999999999999999999|\u{0}|\u{1b}|\u{FEFF}|é|size|random|shuffles|\
     queens: [1]|problems|40000|<<: |generate|1..9|answer: unsat|%YAML|\"*\"|!|*|exclude: [{instance: 8}]\n|\
     include: [{solvers: batsat}]\n|bva: [off, on]\n|extends: first-look.yaml\n|\
     file: boards/framed.txt|task: count\n|engines: [blocking, backtrack]\n|max_solutions: 3\n";

/// Returns the configs of the repository and those of the table of configs that are read.
pub(super) fn seeds() -> Vec<String> {
    let mut seeds: Vec<String> =
        configs().iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    seeds.extend(read_configs().map(str::to_owned));
    seeds
}

/// The text with one to five changes.
pub(super) fn mutated(text: &str, chance: &mut Chance) -> String {
    let pieces: Vec<&str> = PIECES.split('|').chain(["|\n"]).collect();
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
                let piece = chance.pick(&pieces);
                characters.splice(at..at, piece.chars());
            }
            3 => {
                let piece = chance.pick(&pieces);
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
