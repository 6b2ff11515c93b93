//! Boards that are drawn by seeds: the key `generate` of a board.
//!
//! An entry is a board for each of its amounts and seeds. They are drawn when the config is read,
//! so that jobs and rows hold what was drawn, and no row depends on the generator any more.

use std::collections::{HashMap, HashSet};

use bezzel_count::Wanted;
use bezzel_count::instance::{draw, draw_uniform, uniform};
use bezzel_count::pool::Pool;
use bezzel_problem::{Board, Recipe};
use serde_json::{Value as Json, json};

use super::fields::{Field, Fields, Form, map_of};
use super::node::{Node, Value};
use super::scalar::{choice, range_schema};
use super::source::{ConfigError, Place, Source};
use crate::backend::workbench::Workbench;

/// The most boards that one entry draws.
const MOST_BOARDS: usize = 10_000;
/// The most squares that are given on them: a job holds its board, and a row says it.
const MOST_SQUARES: usize = 2_000_000;

/// A kind of instances.
struct Kind {
    id: &'static str,
    /// Its name in messages.
    what: &'static str,
    /// An example of its amount.
    example: &'static str,
    /// The keys that not every kind has; the first is that of the amount.
    own: &'static [Field],
}

const KINDS: [Kind; 4] = [
    Kind {
        id: "blocked",
        what: "`generate` of blocked squares",
        example: "density: 0.3",
        own: &[Field::new(
            "density",
            "The share of blocked squares; of a list, each is a board.",
            Form::Of(|_| json!({"type": "number", "minimum": 0, "maximum": 1})),
        )
        .listed()
        .required()],
    },
    Kind {
        id: "completion",
        what: "`generate` of a completion",
        example: "queens: 4",
        own: &[number("queens", "The number of given queens; of a list, each is a board.")],
    },
    Kind {
        id: "prefix",
        what: "`generate` of a prefix",
        example: "queens: 4",
        own: &[number(
            "queens",
            "The number of first rows whose queens are given; of a list, each is a board.",
        )],
    },
    Kind {
        id: "excluded-diagonals",
        what: "`generate` of excluded diagonals",
        example: "diagonals: 5",
        own: &[
            number("diagonals", "The number of excluded diagonals; of a list, each is a board."),
            Field::new(
                "least-free",
                "The least number of free squares in a row or column; 1 by default.",
                Form::Whole(0, u32::MAX as u64),
            ),
        ],
    },
];

const fn number(name: &'static str, about: &'static str) -> Field {
    Field::new(name, about, Form::Whole(0, u32::MAX as u64)).listed().required()
}

const KIND: Field =
    Field::new("kind", "The kind.", Form::Name(|| KINDS.map(|kind| kind.id).to_vec())).required();

/// A seed, or a range of seeds.
pub(super) const SEEDS: Form = Form::Of(|_| {
    json!({"anyOf": [
        {"type": "integer", "minimum": 0}, range_schema()
    ]})
});

/// The keys of all kinds.
const COMMON: [Field; 3] = [
    Field::new(
        "answer",
        "Only boards with a solution, or without.",
        Form::Name(|| ANSWERS.map(|(id, _)| id).to_vec()),
    ),
    Field::new(
        "planted",
        "The solution that such a board is drawn around: any that a search finds, or each with the \
         same chance.",
        Form::Name(|| PLANTED.map(|(id, _)| id).to_vec()),
    ),
    Field::new("seeds", "A board for each; 1 by default.", SEEDS).listed(),
];

const ANSWERS: [(&str, Wanted); 2] =
    [("sat", Wanted::Satisfiable), ("unsat", Wanted::Unsatisfiable)];

/// The solutions that an instance may be drawn around: whichever a search comes upon, or each with
/// the same chance.
const PLANTED: [(&str, Wanted); 2] = [("found", Wanted::Satisfiable), ("uniform", Wanted::Uniform)];

/// The most seeds that a range may have.
const MOST_SEEDS: u64 = MOST_BOARDS as u64;

/// The keys of instances of these kinds.
fn known(kinds: &[Kind]) -> Vec<Field> {
    let mut known = vec![KIND];
    for &field in kinds.iter().flat_map(|kind| kind.own) {
        if known.iter().all(|other| other.name != field.name) {
            known.push(field);
        }
    }
    known.extend(COMMON);
    known
}

/// The schema of `generate`: a shape for each kind.
pub(super) fn schema(workbench: &Workbench) -> Json {
    let kinds = KINDS.map(|kind| {
        let mut schema = map_of(&known(std::slice::from_ref(&kind)), workbench);
        schema["properties"]["kind"]["enum"] = json!([kind.id]);
        schema
    });
    json!({"anyOf": kinds})
}

/// What is to be drawn.
pub(super) struct Generate {
    recipes: Vec<(Recipe, Place)>,
    wanted: Wanted,
    seeds: Vec<(u64, Place)>,
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
            [_, least_free] => fields.whole(least_free.name)?.unwrap_or(1) as u32,
            _ => 1,
        };
        let amount = kind.own[0].name;
        let amounts = match fields.list(amount)? {
            Some(amounts) => amounts,
            None => fields.need(amount, kind.example)?.one_or_more(),
        };
        let recipes = amounts
            .iter()
            .map(|node| Ok((recipe(source, kind.id, least_free, node)?, node.place)))
            .collect::<Result<Vec<_>, ConfigError>>()?;
        let wanted = fields.choice("answer", &ANSWERS)?.unwrap_or(Wanted::Any);
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
pub(super) fn seeds(source: &Source, nodes: &[Node]) -> Result<Vec<(u64, Place)>, ConfigError> {
    let mut seeds: Vec<(u64, Place)> = Vec::new();
    let mut seen = HashSet::new();
    for node in nodes {
        let range = if let Value::Text(text) = &node.value {
            source.range(node.place, text, "seeds", MOST_SEEDS)?
        } else {
            let seed = source.whole(node, "a seed", 0..=u64::MAX)?;
            seed..=seed
        };
        for seed in range {
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
