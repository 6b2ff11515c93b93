//! The copy of a config that is frozen with its evidence states the limit of wall time.
//!
//! The default of that limit may change. The limit under which rows were measured must not. The rest of the text
//! stays as it was written, comments included.

use super::limits::{self, MEMORY_BYTES, StatedLimits};
use super::node::{self, Node, Value};
use super::source::Source;

/// The text of a config before and after the place where its limit of wall time is written.
#[derive(Clone, Debug)]
pub(super) struct Gap {
    before: String,
    after: String,
}

impl Gap {
    /// Finds the place in a config that states no limit of wall time. Returns none if no place keeps the meaning of
    /// the rest.
    pub(super) fn find(source: &Source, stated: &StatedLimits) -> Option<Self> {
        let root = node::parse(source, 0).ok()?;
        let Value::Map(entries) = &root.value else { return None };
        let text = source.text();
        let gap = |start: usize, before: &str, after: &str| {
            let (head, tail) = (text.get(..start)?, text.get(start..)?);
            Some(Self { before: format!("{head}{before}"), after: format!("{after}{tail}") })
        };
        let candidates = match root.entry("limits") {
            Some((_, Node { value: Value::Map(own), place })) => match own.first() {
                None => vec![gap(place.start + 1, "wall: ", "")],
                Some((first, _)) => {
                    let indent = " ".repeat(first.place.column.saturating_sub(1) as usize);
                    let start = first.place.start;
                    let below = gap(start, "wall: ", &format!("\n{indent}"));
                    vec![gap(start, "wall: ", ", "), below]
                }
            },
            Some(_) => return None,
            // Limits are taken over as a whole, so all of them are written.
            None => {
                let open = format!("limits: {{cpu: {} s, wall: ", stated.limits.cpu_s);
                let close = format!("{}}}", others(stated));
                let begin = if text.ends_with('\n') { "" } else { "\n" };
                let first = entries.first()?.0.place.start;
                vec![
                    gap(text.len(), &format!("{begin}{open}"), &format!("{close}\n")),
                    gap(first, &open, &format!("{close}\n")),
                    gap(first, &open, &format!("{close}, ")),
                ]
            }
        };
        candidates.into_iter().flatten().find(|gap| gap.keeps(entries, stated))
    }

    /// The text with a limit of wall time.
    pub(super) fn filled(&self, wall_s: f64) -> String {
        format!("{}{wall_s} s{}", self.before, self.after)
    }

    /// Returns true if the text keeps its meaning with the limit in it.
    fn keeps(&self, entries: &[(Node, Node)], stated: &StatedLimits) -> bool {
        let source = Source::new("", &self.filled(stated.limits.wall_s));
        let Ok(Node { value: Value::Map(read), .. }) = node::parse(&source, 0) else {
            return false;
        };
        let limits = read.iter().find(|(key, _)| key.is("limits")).map(|(_, value)| value);
        let same = |stated: &StatedLimits, other: StatedLimits| {
            StatedLimits { wall: true, ..*stated } == other
        };
        let limits = limits::read(&source, limits, true, limits::WALL_PER_CPU);
        let others = |entries: &[(Node, Node)]| -> Vec<(Node, Node)> {
            entries.iter().filter(|(key, _)| !key.is("limits")).cloned().collect()
        };
        limits.is_ok_and(|limits| same(stated, limits))
            && Value::Map(others(entries)).means(&Value::Map(others(&read)))
    }
}

/// Returns the limits other than those of time, if they are not the defaults.
fn others(stated: &StatedLimits) -> String {
    let limits = stated.limits;
    let memory = (limits.memory_bytes != MEMORY_BYTES).then_some(limits.memory_bytes);
    let others = [
        memory.map(|bytes| format!(", memory: {bytes} bytes")),
        limits.nodes.map(|nodes| format!(", nodes: {nodes}")),
    ];
    others.into_iter().flatten().collect()
}
