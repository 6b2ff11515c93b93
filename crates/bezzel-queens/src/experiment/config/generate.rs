//! Boards from seeds: the key `generate` of a board.
//!
//! An entry is a board for each of its amounts and seeds. The boards are generated when the config is read, so jobs
//! and rows contain the boards themselves. No row depends on the generator.

use std::collections::HashMap;

use crate::count::RequiredAnswer;
use crate::count::instance::{draw, draw_uniform, uniform};
use crate::count::pool::Pool;
use crate::{Board, Recipe};
use bezzel_experiment::config::reading::{
    ConfigError, Fields, Node, Source, SourceLocation, choice,
};

/// The largest number of boards from one entry.
const MAX_BOARDS: usize = 10_000;
/// The largest number of given squares on all of them, since each job and each row contains its board.
const MAX_SQUARES: usize = 2_000_000;

/// A kind of instances.
struct GeneratorKind {
    id: &'static str,
    /// Its name in messages.
    what: &'static str,
    /// An example of its amount.
    example: &'static str,
    /// The keys that not every kind has. The first is that of the amount.
    own: &'static [&'static str],
}

const KINDS: [GeneratorKind; 4] = [
    GeneratorKind {
        id: "blocked",
        what: "`generate` of blocked squares",
        example: "density: 0.3",
        own: &["density"],
    },
    GeneratorKind {
        id: "completion",
        what: "`generate` of a completion",
        example: "queens: 4",
        own: &["queens"],
    },
    GeneratorKind {
        id: "prefix",
        what: "`generate` of a prefix",
        example: "queens: 4",
        own: &["queens"],
    },
    GeneratorKind {
        id: "excluded-diagonals",
        what: "`generate` of excluded diagonals",
        example: "diagonals: 5",
        own: &["diagonals", "least-free"],
    },
];

/// The keys of all kinds beside the kind itself.
const COMMON: [&str; 3] = ["answer", "planted", "seeds"];

const ANSWERS: [(&str, RequiredAnswer); 2] =
    [("sat", RequiredAnswer::Satisfiable), ("unsat", RequiredAnswer::Unsatisfiable)];

/// The solutions around which an instance may be generated: the first that a search finds, or each with the same
/// chance.
const PLANTED: [(&str, RequiredAnswer); 2] =
    [("found", RequiredAnswer::Satisfiable), ("uniform", RequiredAnswer::Uniform)];

/// The keys of instances of these kinds.
fn known(kinds: &[GeneratorKind]) -> Vec<&'static str> {
    let mut known = vec!["kind"];
    for &key in kinds.iter().flat_map(|kind| kind.own) {
        if !known.contains(&key) {
            known.push(key);
        }
    }
    known.extend(COMMON);
    known
}

/// The boards that an entry asks for.
pub(super) struct Generate {
    recipes: Vec<(Recipe, SourceLocation)>,
    wanted: RequiredAnswer,
    seeds: Vec<(u64, SourceLocation)>,
}

impl Generate {
    pub(super) fn read(source: &Source, node: &Node) -> Result<Self, ConfigError> {
        let all = known(&KINDS);
        let fields = Fields::new(source, node, "`generate`", &all)?;
        let kind = fields.need("kind", "kind: blocked")?;
        let choices: Vec<_> = KINDS.iter().map(|kind| (kind.id, kind)).collect();
        let kind = choice(source, kind, "kind", &choices)?;
        // A key of another kind is refused with the keys of this kind.
        let known = known(std::slice::from_ref(kind));
        let fields = Fields::new(source, node, kind.what, &known)?;
        let least_free = match kind.own {
            [_, least_free] => fields.whole(least_free, 0..=u32::MAX.into())?.unwrap_or(1) as u32,
            _ => 1,
        };
        let amount = kind.own[0];
        let amounts = match fields.list(amount)? {
            Some(amounts) => amounts,
            None => fields.need(amount, kind.example)?.one_or_more(),
        };
        let recipes = amounts
            .iter()
            .map(|node| Ok((recipe(source, kind.id, least_free, node)?, node.place)))
            .collect::<Result<Vec<_>, ConfigError>>()?;
        let wanted = fields.choice("answer", &ANSWERS)?.unwrap_or(RequiredAnswer::Any);
        let wanted = match fields.get("planted") {
            None => wanted,
            Some(node) => planted(source, node, wanted)?,
        };
        let seeds = match fields.list("seeds")? {
            None => vec![(1, node.place)],
            Some(nodes) => source.seeds(nodes)?,
        };
        let boards = recipes.len() * seeds.len();
        if boards > MAX_BOARDS {
            let message = format!("these are {boards} boards; at most {MAX_BOARDS} are drawn");
            return Err(source.error(node.place, message).hint("take fewer seeds"));
        }
        Ok(Self { recipes, wanted, seeds })
    }

    /// Generates the boards, each with the given squares of `board` as well.
    pub(super) fn draw(&self, source: &Source, board: &Board) -> Result<Vec<Board>, ConfigError> {
        let mut boards = Vec::new();
        let mut squares = 0;
        let mut drawn_by: HashMap<Board, (Recipe, u64)> = HashMap::new();
        // All solutions are found once, for all boards that are generated around them.
        let pool = match (self.wanted, self.recipes.first()) {
            (RequiredAnswer::Uniform, Some((_, place))) => {
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
                if squares > MAX_SQUARES {
                    let message = format!(
                        "the boards drawn here give more than {MAX_SQUARES} squares, and every \
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

/// Reads the choice of the solution around which a board is generated.
fn planted(
    source: &Source,
    node: &Node,
    wanted: RequiredAnswer,
) -> Result<RequiredAnswer, ConfigError> {
    let planted = choice(source, node, "planted", &PLANTED)?;
    if wanted == RequiredAnswer::Unsatisfiable {
        let message = "`planted` is about boards with a solution, and `answer: unsat` asks for boards \
                       without";
        return Err(source.error(node.place, message).hint("remove one of the two"));
    }
    Ok(planted)
}

fn recipe(
    source: &Source,
    kind: &str,
    least_free: u32,
    node: &Node,
) -> Result<Recipe, ConfigError> {
    let max = u32::MAX.into();
    let queens = || source.whole(node, "`queens`", 0..=max).map(|queens| queens as u32);
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
            let diagonals = source.whole(node, "`diagonals`", 0..=max)? as u32;
            Recipe::ExcludedDiagonals { diagonals, least_free }
        }
    })
}
