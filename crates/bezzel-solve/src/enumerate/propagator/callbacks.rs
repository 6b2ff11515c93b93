//! The callbacks of CaDiCaL during the search.

use cadical_sys::ExternalPropagator;

use super::Projection;
use super::choices::Choices;

/// The initial number of backtracks without a model after which a search begins again.
const BACKTRACK_LIMIT: u32 = 2000;

/// Makes the decisions of the search, and records the models.
pub(super) struct SearchCallbacks {
    /// The projected literals.
    lits: Vec<i32>,
    trues_identify: bool,
    /// Their variables, each once, in their order.
    observed: Vec<i32>,
    /// True if all variables are observed, so that no decision is left after them.
    whole: bool,
    choices: Choices,

    /// Per variable, its sign, or 0 while it is open.
    values: Vec<i8>,
    /// The true literals, in the order of their notifications.
    trail: Vec<i32>,
    levels: Vec<Level>,
    /// The index of the first observed variable that may be open.
    cursor: usize,
    /// The last decision, as long as it is not on a level; 0 if CaDiCaL made it.
    decision: i32,

    /// The number of backtracks since the last model.
    backtracks: u32,
    /// The number of backtracks after which the search begins again in another order.
    backtrack_limit: u32,
    /// The state of the random generator for orders.
    random: u64,

    /// The models of this batch, one after the other.
    models: Vec<bool>,
    found: usize,
    batch: usize,
    /// The clause against the last model, read from its end; its first entry is the final 0.
    clause: Vec<i32>,
    /// The number of entries of the clause that are still to be read.
    left: usize,
    /// True if CaDiCaL must read the clause.
    pending: bool,
}

/// The state at the beginning of a decision level.
struct Level {
    decision: i32,
    trail: usize,
    cursor: usize,
}

impl SearchCallbacks {
    pub(super) fn new(projection: &Projection, choices: Choices, variables: u32) -> Self {
        let lits: Vec<i32> = projection.lits.iter().map(|lit| lit.to_ipasir()).collect();
        let mut seen = vec![false; variables as usize + 1];
        let first = |variable: &i32| !std::mem::replace(&mut seen[*variable as usize], true);
        let observed: Vec<i32> = lits.iter().map(|lit| lit.abs()).filter(first).collect();
        Self {
            trues_identify: projection.trues_identify,
            whole: observed.len() == variables as usize,
            values: vec![0; variables as usize + 1],
            lits,
            observed,
            choices,
            trail: Vec::new(),
            levels: Vec::new(),
            cursor: 0,
            decision: 0,
            backtracks: 0,
            backtrack_limit: BACKTRACK_LIMIT,
            random: 1,
            models: Vec::new(),
            found: 0,
            batch: 0,
            clause: Vec::new(),
            left: 0,
            pending: false,
        }
    }

    /// Returns the variables whose assignments CaDiCaL must report.
    pub(super) fn observed(&self) -> &[i32] {
        &self.observed
    }

    /// Returns true if the observed variables are all variables.
    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    /// Begins a new batch of `batch` models.
    pub(super) fn collect(&mut self, batch: usize) {
        self.models.clear();
        self.found = 0;
        self.batch = batch;
    }

    /// Returns true if the search has found no model for a long time.
    pub(super) fn is_stuck(&self) -> bool {
        self.backtracks >= self.backtrack_limit
    }

    /// Prepares a new search in another order and with a doubled limit.
    pub(super) fn reorder(&mut self) {
        self.backtracks = 0;
        self.backtrack_limit = self.backtrack_limit.saturating_mul(2);
        self.choices.shuffle(&mut self.random);
    }

    /// Returns the models that were collected.
    pub(super) fn collected(&self) -> impl Iterator<Item = &[bool]> {
        let length = self.lits.len();
        (0..self.found).map(move |index| &self.models[index * length..][..length])
    }

    /// Returns the clause against the last model, which excludes no other.
    pub(super) fn against_last(&self) -> &[i32] {
        &self.clause[1..]
    }

    /// Returns true if every observed variable is assigned.
    #[inline]
    fn is_complete(&self) -> bool {
        self.trail.len() == self.observed.len()
    }

    /// Records the model, and builds the clause against it.
    fn record(&mut self) {
        self.found += 1;
        self.backtracks = 0;
        let values = &self.values;
        let holds = |lit: i32| i32::from(values[lit.unsigned_abs() as usize]) == lit.signum();
        self.models.extend(self.lits.iter().map(|&lit| holds(lit)));
        self.clause.clear();
        self.clause.push(0);
        // Decisions after the assignment of the last observed variable do not belong to the model.
        let complete = |level: &&Level| level.trail == self.observed.len();
        let levels = self.levels.iter().position(|level| complete(&level));
        let levels = &self.levels[..levels.unwrap_or(self.levels.len())];
        if levels.iter().all(|level| level.decision != 0) {
            self.clause.extend(levels.iter().map(|level| -level.decision));
        } else {
            let blocked = self.lits.iter().filter(|&&lit| !self.trues_identify || holds(lit));
            self.clause.extend(blocked.map(|&lit| if holds(lit) { -lit } else { lit }));
        }
        self.left = self.clause.len();
    }
}

impl ExternalPropagator for SearchCallbacks {
    fn notify_assignment(&mut self, lits: &[i32]) {
        for &lit in lits {
            let value = &mut self.values[lit.unsigned_abs() as usize];
            // Root-level literals may be reported more than once.
            if *value == 0 {
                *value = lit.signum() as i8;
                self.trail.push(lit);
                self.choices.assign(lit);
            }
        }
    }

    fn notify_new_decision_level(&mut self) {
        let decision = std::mem::take(&mut self.decision);
        let level = Level { decision, trail: self.trail.len(), cursor: self.cursor };
        self.levels.push(level);
    }

    fn notify_backtrack(&mut self, level: usize) {
        let Some(&Level { trail, cursor, .. }) = self.levels.get(level) else { return };
        for &lit in &self.trail[trail..] {
            self.values[lit.unsigned_abs() as usize] = 0;
            self.choices.undo(lit);
        }
        self.trail.truncate(trail);
        self.levels.truncate(level);
        self.cursor = cursor;
        self.decision = 0;
        self.backtracks = self.backtracks.saturating_add(1);
    }

    fn cb_check_found_model(&mut self, model: &[i32]) -> bool {
        debug_assert!(
            model.iter().all(|&lit| {
                i32::from(self.values[lit.unsigned_abs() as usize]) == lit.signum()
            })
        );
        self.record();
        self.pending = self.found < self.batch;
        !self.pending
    }

    fn cb_decide(&mut self) -> i32 {
        let values = &self.values;
        let is_open = |lit: i32| values[lit.unsigned_abs() as usize] == 0;
        let chosen = match self.choices.next() {
            Some(choice) => choice.iter().copied().find(|&lit| is_open(lit)),
            None => None,
        };
        self.decision = chosen.unwrap_or_else(|| {
            let open = self.observed[self.cursor..].iter().position(|&lit| is_open(lit));
            self.cursor = open.map_or(self.observed.len(), |open| self.cursor + open);
            self.observed.get(self.cursor).copied().unwrap_or(0)
        });
        self.decision
    }

    fn cb_has_external_clause(&mut self, is_forgettable: &mut bool) -> bool {
        *is_forgettable = false;
        // Everything is assigned without a conflict, so this is a model. The search finds the last model of a batch
        // itself and ends with it.
        if self.whole && self.found + 1 < self.batch && self.is_complete() {
            self.record();
            self.pending = true;
        }
        std::mem::take(&mut self.pending)
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        self.left -= 1;
        self.clause[self.left]
    }
}
