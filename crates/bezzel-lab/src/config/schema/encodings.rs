//! Encodings, as the schema has them.

use bezzel_encode::Card;
use bezzel_encode::registry::{COMMAND_KINDS, CUTOFF_KEYS, MIXTURE_KEYS};
use serde_json::{Value, json};

use crate::backend::workbench::Workbench;
use crate::model::json_schema::{map, whole};

/// What stands in the list of encodings.
pub(in crate::config) fn listed(workbench: &Workbench) -> Value {
    let pattern = json!({
        "description": "All listed ids that fit, with * and ?; after a !, they are taken away.",
        "type": "string", "pattern": "^!.|[*?]"
    });
    json!({"anyOf": [encoding(workbench), pattern]})
}

/// What encodes a board: whatever encodes lines, a mixture of such, or a board encoding.
pub(in crate::config) fn encoding(workbench: &Workbench) -> Value {
    let line = json!({"$ref": "#/$defs/line"});
    let mixture = map(&MIXTURE_KEYS[..3], &MIXTURE_KEYS.map(|key| (key, line.clone())));
    let cards = workbench.encodings.board_encodings().iter().map(|encoding| encoding.card());
    let [_, board] = COMMAND_KINDS;
    json!({"anyOf": [line, {"enum": names(cards)}, mixture, command(&["command", "kind"], board)]})
}

/// A program of this kind; these keys must be there.
fn command(required: &[&str], kind: &str) -> Value {
    let line = json!({
        "description": "The command line of a program that encodes.",
        "type": "string", "pattern": "[^ ]"
    });
    map(required, &[("command", line), ("kind", json!({"enum": [kind]}))])
}

/// What encodes lines: an at-most-one encoding, one of a family by its number, a cut-off between
/// two, or a program.
pub(in crate::config) fn line(workbench: &Workbench) -> Value {
    let line = json!({"$ref": "#/$defs/line"});
    let cards = workbench.encodings.at_most_ones().iter().map(|encoding| encoding.card());
    let cutoff = map(
        &CUTOFF_KEYS,
        &[
            ("short", line.clone()),
            ("long", line),
            ("at", whole("The length from which lines are long.", 0, u32::MAX)),
        ],
    );
    let families = workbench.encodings.families().iter();
    let families: Vec<&str> = families.map(|family| family.name).collect();
    let pattern = format!("^({}):[0-9]+([+][a-z-]+)*$", families.join("|"));
    let member = json!({"type": "string", "pattern": pattern});
    let [line, _] = COMMAND_KINDS;
    json!({"anyOf": [{"enum": names(cards)}, member, cutoff, command(&["command"], line)]})
}

/// Every id and alias.
fn names(cards: impl Iterator<Item = Card>) -> Vec<String> {
    cards.flat_map(|card| std::iter::once(card.id).chain(card.aliases)).collect()
}
