//! What CaDiCaL tells and asks while it searches.

use cadical_sys::ExternalPropagator;

use super::Projection;
use super::choices::Choices;

/// So often something may be taken back, at first, before a search without models begins anew.
const PATIENCE: u32 = 2000;

/// Steers the search, and takes down the models.
pub(super) struct Guide {
    /// The literals that tell models apart.
    lits: Vec<i32>,
    trues_identify: bool,
    /// Their variables, each once, in their order.
    observed: Vec<i32>,
    /// Whether all variables are observed, so that nothing is left to decide after them.
    whole: bool,
    choices: Choices,

    /// Per variable, its sign, or 0 while it is open.
    values: Vec<i8>,
    /// The literals that hold, in the order in which they were told.
    trail: Vec<i32>,
    levels: Vec<Level>,
    /// All observed variables before this one are assigned.
    cursor: usize,
    /// What was decided last and is not on a level yet; 0 if it was not ours to decide.
    decision: i32,

    /// So often was something taken back since a model was found.
    fruitless: u32,
    /// So often it may be, until all is begun anew in another order.
    patience: u32,
    /// Of what orders at random.
    random: u64,

    /// The models of this batch, one after the other.
    models: Vec<bool>,
    found: usize,
    batch: usize,
    /// The clause against the model found last, read from its end, which its 0 begins.
    clause: Vec<i32>,
    /// How much of the clause is still to be read.
    left: usize,
    /// Whether CaDiCaL is to take the clause.
    pending: bool,
}

/// A level of decision, as it began.
struct Level {
    decision: i32,
    trail: usize,
    cursor: usize,
}

impl Guide {
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
            fruitless: 0,
            patience: PATIENCE,
            random: 1,
            models: Vec::new(),
            found: 0,
            batch: 0,
            clause: Vec::new(),
            left: 0,
            pending: false,
        }
    }

    /// The variables of which CaDiCaL is to tell.
    pub(super) fn observed(&self) -> &[i32] {
        &self.observed
    }

    /// Whether these are all variables there are.
    pub(super) fn is_whole(&self) -> bool {
        self.whole
    }

    /// Begins a new batch of so many models.
    pub(super) fn collect(&mut self, batch: usize) {
        self.models.clear();
        self.found = 0;
        self.batch = batch;
    }

    /// Whether the search is where no models are, it seems.
    pub(super) fn is_stuck(&self) -> bool {
        self.fruitless >= self.patience
    }

    /// Has the search begin anew, in another order, and with more patience.
    pub(super) fn reorder(&mut self) {
        self.fruitless = 0;
        self.patience = self.patience.saturating_mul(2);
        self.choices.shuffle(&mut self.random);
    }

    /// The models that were collected.
    pub(super) fn collected(&self) -> impl Iterator<Item = &[bool]> {
        let length = self.lits.len();
        (0..self.found).map(move |index| &self.models[index * length..][..length])
    }

    /// The clause against the last model, which excludes no other.
    pub(super) fn against_last(&self) -> &[i32] {
        &self.clause[1..]
    }

    /// Whether everything observed is assigned.
    #[inline]
    fn is_complete(&self) -> bool {
        self.trail.len() == self.observed.len()
    }

    /// Takes down the model, and makes the clause against it.
    fn record(&mut self) {
        self.found += 1;
        self.fruitless = 0;
        let values = &self.values;
        let holds = |lit: i32| i32::from(values[lit.unsigned_abs() as usize]) == lit.signum();
        self.models.extend(self.lits.iter().map(|&lit| holds(lit)));
        self.clause.clear();
        self.clause.push(0);
        // What was decided after everything observed was assigned has nothing to do with it.
        let complete = |level: &&Level| level.trail == self.observed.len();
        let levels = self.levels.iter().position(|level| complete(&level));
        let levels = &self.levels[..levels.unwrap_or(self.levels.len())];
        if levels.iter().all(|level| level.decision != 0) {
            self.clause.extend(levels.iter().map(|level| -level.decision));
        } else {
            let told = self.lits.iter().filter(|&&lit| !self.trues_identify || holds(lit));
            self.clause.extend(told.map(|&lit| if holds(lit) { -lit } else { lit }));
        }
        self.left = self.clause.len();
    }
}

impl ExternalPropagator for Guide {
    fn notify_assignment(&mut self, lits: &[i32]) {
        for &lit in lits {
            let value = &mut self.values[lit.unsigned_abs() as usize];
            // What holds without decisions may be told more than once.
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
        self.fruitless = self.fruitless.saturating_add(1);
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
        // Everything is assigned without a conflict, so this is a model. The last of a batch is left
        // for the search to find, and to end with.
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
