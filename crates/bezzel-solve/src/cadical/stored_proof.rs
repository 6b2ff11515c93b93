//! A proof in memory: CaDiCaL's derivations in the binary form of LRAT, up to a limit of bytes.

use std::cell::RefCell;
use std::collections::HashSet;
use std::mem;
use std::rc::Rc;

use cadical_sys::ProofTracer;

/// The proof so far. The solver has a tracer that adds to it.
#[derive(Clone, Default)]
pub(super) struct StoredProof(Rc<RefCell<Text>>);

#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    /// The most bytes that are stored.
    max_bytes: usize,
    /// The deleted clauses since the last derivation. They are one step, as in CaDiCaL's own files.
    deleted: Vec<i64>,
    /// The clauses that the solver has set aside and not deleted so far. Under other assumptions it takes them up again, so
    /// they stay in the proof.
    set_aside: HashSet<i64>,
    /// True if a step was left out, so that the text is no proof.
    is_cut: bool,
}

impl StoredProof {
    pub(super) fn new(max_bytes: u64) -> Self {
        let max_bytes = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        Self(Rc::new(RefCell::new(Text { max_bytes, ..Text::default() })))
    }

    /// Takes the proof; none if it was longer than the limit.
    pub(super) fn take(&self) -> Option<Vec<u8>> {
        let mut text = self.0.borrow_mut();
        (!text.is_cut).then(|| mem::take(&mut text.bytes))
    }
}

impl Text {
    fn number(&mut self, number: i64) {
        let mut code = 2 * number.unsigned_abs() + u64::from(number < 0);
        while code >= 0x80 {
            self.bytes.push(code as u8 | 0x80);
            code >>= 7;
        }
        self.bytes.push(code as u8);
    }

    fn numbers(&mut self, numbers: impl Iterator<Item = i64>) {
        numbers.for_each(|number| self.number(number));
        self.bytes.push(0);
    }

    fn derive(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        if self.is_cut {
            return;
        }
        if !self.deleted.is_empty() {
            self.bytes.push(b'd');
            let deleted = mem::take(&mut self.deleted);
            self.numbers(deleted.iter().copied());
        }
        self.bytes.push(b'a');
        self.number(id);
        self.numbers(clause.iter().copied().map(i64::from));
        self.numbers(antecedents.iter().copied());
        if self.bytes.len() > self.max_bytes {
            *self = Self { max_bytes: self.max_bytes, is_cut: true, ..Self::default() };
        }
    }
}

impl ProofTracer for StoredProof {
    fn add_derived_clause(
        &mut self,
        id: i64,
        _redundant: bool,
        _witness: i32,
        clause: &[i32],
        antecedents: &[i64],
    ) {
        self.0.borrow_mut().derive(id, clause, antecedents);
    }

    fn delete_clause(&mut self, id: i64, _redundant: bool, _clause: &[i32]) {
        let mut text = self.0.borrow_mut();
        if !text.set_aside.remove(&id) && !text.is_cut {
            text.deleted.push(id);
        }
    }

    fn add_original_clause(&mut self, _: i64, _: bool, _: &[i32], _: bool) {}
    fn weaken_minus(&mut self, id: i64, _: &[i32]) {
        let mut text = self.0.borrow_mut();
        if !text.is_cut {
            text.set_aside.insert(id);
        }
    }

    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn add_assumption_clause(&mut self, _: i64, _: &[i32], _: &[i64]) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}
