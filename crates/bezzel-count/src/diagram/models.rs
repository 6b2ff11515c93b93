//! All models, one after the other.

use bezzel_encode::Var;

use super::{Diagram, DiagramKind, Ref};

/// Goes through all models of a diagram in order, without memory of its own for each.
///
/// It is no `Iterator`, since each model is borrowed until the next call.
#[derive(Clone, Debug)]
pub struct Models<'a> {
    diagram: &'a Diagram,
    /// The levels whose variable was taken to be true and can still be false.
    choices: Vec<Choice>,
    /// The true variables of the present model.
    model: Vec<Var>,
    begun: bool,
}

#[derive(Clone, Copy, Debug)]
struct Choice {
    at: Ref,
    level: u16,
    /// The number of true variables above.
    before: u16,
}

impl Diagram {
    /// All models, in order: variables are compared in the order of the levels, true comes before
    /// false.
    pub fn models(&self) -> Models<'_> {
        Models { diagram: self, choices: Vec::new(), model: Vec::new(), begun: false }
    }
}

impl Models<'_> {
    /// The true variables of the next model, in the order of their levels; `None` when there is
    /// none left.
    pub fn next_model(&mut self) -> Option<&[Var]> {
        let diagram = self.diagram;
        let (at, level) = if let Some(choice) = self.choices.pop() {
            self.model.truncate(choice.before.into());
            let level = usize::from(choice.level);
            let (low, _) = diagram
                .children(choice.at)
                .filter(|_| diagram.level(choice.at) == level)
                // The level is skipped.
                .unwrap_or((choice.at, choice.at));
            (low, level + 1)
        } else if !self.begun && diagram.is_satisfiable() {
            self.begun = true;
            (diagram.root, 0)
        } else {
            return None;
        };
        self.descend(at, level);
        Some(&self.model)
    }

    /// Takes the first model below `at`, reached at `level`.
    fn descend(&mut self, mut at: Ref, mut level: usize) {
        let diagram = self.diagram;
        loop {
            let here = diagram.level(at);
            if diagram.kind == DiagramKind::Bdd {
                while level < here {
                    self.choose(at, level);
                    level += 1;
                }
            }
            let Some((low, high)) = diagram.children(at) else { return };
            // It is reduced: every node but false has a model.
            if high == Ref::FALSE {
                at = low;
            } else {
                if low == Ref::FALSE {
                    self.model.push(diagram.order[here]);
                } else {
                    self.choose(at, here);
                }
                at = high;
            }
            level = here + 1;
        }
    }

    /// Takes the variable of a level to be true, and records the choice.
    fn choose(&mut self, at: Ref, level: usize) {
        let before = self.model.len() as u16;
        self.choices.push(Choice { at, level: level as u16, before });
        self.model.push(self.diagram.order[level]);
    }
}
