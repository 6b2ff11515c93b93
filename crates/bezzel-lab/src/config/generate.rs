//! Boards that are drawn by seeds: the key `generate` of a board.
//!
//! An entry is a board for each of its amounts and seeds. They are drawn when the config is read,
//! so that jobs and rows hold what was drawn, and no row depends on the generator any more.

use std::collections::{HashMap, HashSet};

use bezzel_count::Wanted;
use bezzel_count::instance::{draw, draw_uniform, uniform};
use bezzel_count::pool::Pool;
use bezzel_encode::{Board, Recipe};

use super::fields::Fields;
use super::node::{Node, Value};
use super::scalar::choice;
use super::source::{ConfigError, Place, Source};

/// The most boards that one entry draws.
const MOST_BOARDS: usize = 10_000;
/// The most squares that are given on them: a job holds its board, and a row says it.
const MOST_SQUARES: usize = 2_000_000;

/// The kinds, each with the key that tells how much of it.
pub(super) const KINDS: [(&str, &str); 4] = [
    ("blocked", "density"),
    ("completion", "queens"),
    ("prefix", "queens"),
    ("excluded-diagonals", "diagonals"),
];

/// The solutions that an instance may be drawn around: whichever a search comes upon, or each with
/// the same chance.
pub(super) const PLANTED: [(&str, Wanted); 2] =
    [("found", Wanted::Satisfiable), ("uniform", Wanted::Uniform)];

/// The most seeds that a range may have.
const MOST_SEEDS: u64 = MOST_BOARDS as u64;

/// What is to be drawn.
pub(super) struct Generate {
    recipes: Vec<(Recipe, Place)>,
    wanted: Wanted,
    seeds: Vec<(u64, Place)>,
}

impl Generate {
    pub(super) fn read(source: &Source, node: &Node) -> Result<Self, ConfigError> {
        const ALL: [&str; 8] =
            ["kind", "density", "queens", "diagonals", "least-free", "answer", "planted", "seeds"];
        let fields = Fields::new(source, node, "`generate`", &ALL)?;
        let kind = fields.need("kind", "kind: blocked")?;
        let (kind, amount) = choice(source, kind, "kind", &KINDS.map(|named| (named.0, named)))?;
        // What belongs to another kind is refused by naming this kind's keys.
        let (what, example, known): (_, _, &[&str]) = match kind {
            "blocked" => (
                "`generate` of blocked squares",
                "density: 0.3",
                &["kind", "density", "answer", "planted", "seeds"],
            ),
            "completion" | "prefix" => (
                if kind == "prefix" {
                    "`generate` of a prefix"
                } else {
                    "`generate` of a completion"
                },
                "queens: 4",
                &["kind", "queens", "answer", "planted", "seeds"],
            ),
            _ => (
                "`generate` of excluded diagonals",
                "diagonals: 5",
                &["kind", "diagonals", "least-free", "answer", "planted", "seeds"],
            ),
        };
        let fields = Fields::new(source, node, what, known)?;
        let least_free = match fields.get("least-free") {
            None => 1,
            Some(node) => source.whole(node, "`least-free`", 0..=u32::MAX.into())? as u32,
        };
        let amounts = match fields.list(amount)? {
            Some(amounts) => amounts,
            None => fields.need(amount, example)?.one_or_more(),
        };
        let recipes = amounts
            .iter()
            .map(|node| Ok((recipe(source, kind, least_free, node)?, node.place)))
            .collect::<Result<Vec<_>, ConfigError>>()?;
        let answers = [("sat", Wanted::Satisfiable), ("unsat", Wanted::Unsatisfiable)];
        let wanted = match fields.get("answer") {
            None => Wanted::Any,
            Some(node) => choice(source, node, "answer", &answers)?,
        };
        let wanted = match fields.get("planted") {
            None => wanted,
            Some(node) => planted(source, node, wanted)?,
        };
        let seeds = match fields.list("seeds")? {
            None => vec![(1, node.place)],
            Some(nodes) => seeds(source, nodes)?,
        };
        let boards = recipes.len() * seeds.len();
        if boards > MOST_BOARDS {
            let message = format!("these are {boards} boards; at most {MOST_BOARDS} are drawn");
            return Err(source.error(node.place, message).hint("take fewer seeds"));
        }
        Ok(Self { recipes, wanted, seeds })
    }

    /// Draws the boards, each beside what is given on `board`.
    pub(super) fn draw(&self, source: &Source, board: &Board) -> Result<Vec<Board>, ConfigError> {
        let mut boards = Vec::new();
        let mut squares = 0;
        let mut drawn_by: HashMap<Board, (Recipe, u64)> = HashMap::new();
        // All solutions are found once, for all that is drawn around them.
        let pool = match (self.wanted, self.recipes.first()) {
            (Wanted::Uniform, Some((_, place))) => {
                Some(uniform(board).map_err(|error| source.error(*place, error.to_string()))?)
            }
            _ => None,
        };
        let mut picker = pool.as_ref().map(Pool::picker);
        for (recipe, place) in &self.recipes {
            for &(seed, seed_place) in &self.seeds {
                let drawn = match &mut picker {
                    None => draw(recipe, board, self.wanted, seed),
                    Some(picker) => draw_uniform(recipe, board, picker, seed),
                }
                .map_err(|error| source.error(*place, error.to_string()))?;
                squares += drawn.placed().len() + drawn.blocked().len();
                if squares > MOST_SQUARES {
                    let message = format!(
                        "the boards drawn here give more than {MOST_SQUARES} squares, and every \
                         row repeats those of its board"
                    );
                    return Err(source.error(*place, message).hint("take fewer or smaller ones"));
                }
                if let Some((other, seed_of_other)) =
                    drawn_by.insert(drawn.clone(), (*recipe, seed))
                {
                    let message = format!(
                        "the board with {recipe} by seed {seed} is that with {other} by seed \
                         {seed_of_other}"
                    );
                    let place = if seed_of_other == seed { *place } else { seed_place };
                    let advice = "take other seeds, or a board on which they differ";
                    return Err(source.error(place, message).hint(advice));
                }
                boards.push(drawn);
            }
        }
        Ok(boards)
    }
}

/// What is drawn around a solution that is to be chosen like this.
fn planted(source: &Source, node: &Node, wanted: Wanted) -> Result<Wanted, ConfigError> {
    let planted = choice(source, node, "planted", &PLANTED)?;
    if wanted == Wanted::Unsatisfiable {
        let message = "`planted` is about boards with a solution, and `answer: unsat` asks for boards \
                       without";
        return Err(source.error(node.place, message).hint("take one of the two away"));
    }
    Ok(planted)
}

fn recipe(
    source: &Source,
    kind: &str,
    least_free: u32,
    node: &Node,
) -> Result<Recipe, ConfigError> {
    let most = u32::MAX.into();
    let queens = || source.whole(node, "`queens`", 0..=most).map(|queens| queens as u32);
    Ok(match kind {
        "blocked" => {
            let density = source.decimal(node, "`density`")?;
            if !(0.0..=1.0).contains(&density) {
                let message = format!("`density` must be from 0 to 1, not {density}");
                return Err(source.error(node.place, message));
            }
            Recipe::Blocked { density }
        }
        "completion" => Recipe::Completion { queens: queens()? },
        "prefix" => Recipe::Prefix { queens: queens()? },
        _ => {
            let diagonals = source.whole(node, "`diagonals`", 0..=most)? as u32;
            Recipe::ExcludedDiagonals { diagonals, least_free }
        }
    })
}

/// Seeds: numbers, and ranges that include both ends.
fn seeds(source: &Source, nodes: &[Node]) -> Result<Vec<(u64, Place)>, ConfigError> {
    let mut seeds: Vec<(u64, Place)> = Vec::new();
    let mut seen = HashSet::new();
    for node in nodes {
        let (first, last) = if let Value::Text(text) = &node.value {
            let number = |digits: &str| -> Option<u64> {
                let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
                plain.then(|| digits.parse().ok())?
            };
            let ends = text.split_once("..");
            let ends = ends.and_then(|(first, last)| Some((number(first)?, number(last)?)));
            ends.ok_or_else(|| {
                source
                    .error(node.place, format!("`{text}` is no range of seeds"))
                    .hint("write 1..5 for the seeds 1, 2, 3, 4 and 5")
            })?
        } else {
            let seed = source.whole(node, "a seed", 0..=u64::MAX)?;
            (seed, seed)
        };
        if first > last || last - first >= MOST_SEEDS {
            let message = format!("from {first} to {last} there must be 1 to {MOST_SEEDS} seeds");
            return Err(source.error(node.place, message));
        }
        for seed in first..=last {
            if !seen.insert(seed) {
                let message = format!("the seed {seed} is here for the second time");
                return Err(source.error(node.place, message).hint("keep one of them"));
            }
            if seeds.len() == MOST_BOARDS {
                let message = format!("these are more than {MOST_BOARDS} seeds");
                return Err(source.error(node.place, message).hint("take fewer seeds"));
            }
            seeds.push((seed, node.place));
        }
    }
    Ok(seeds)
}
