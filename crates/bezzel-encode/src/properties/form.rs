//! The inputs on which an at-most-one encoding is tried, the constraint that it states on them, and the sink that checks the
//! form of every clause.

use bezzel_problem::named;
use rustsat::types::Lit;

use crate::amo::AtMostOne;
use crate::formula::Formula;
use crate::sink::{ClauseSink, VarRange};
use crate::size::Size;

named! {
    /// The constraint on the inputs that is encoded.
    pub enum Form {
        /// At most one of the inputs holds.
        AtMostOne = "at most one",
        /// Exactly one of the inputs holds.
        ExactlyOne = "exactly one",
    }
}

impl Form {
    /// Writes the constraint on `xs` to `out`.
    pub fn encode(self, amo: &dyn AtMostOne, xs: &[Lit], out: &mut dyn ClauseSink) {
        match self {
            Self::AtMostOne => amo.encode(xs, out),
            Self::ExactlyOne => amo.exactly_one(xs, out),
        }
    }

    /// The closed form of the clauses that [`encode`](Self::encode) writes for `n` inputs.
    pub fn size(self, amo: &dyn AtMostOne, n: u64) -> Option<Size> {
        match self {
            Self::AtMostOne => amo.size(n),
            Self::ExactlyOne => amo.exactly_one_size(n),
        }
    }

    /// True if the constraint allows `held` inputs to be true.
    pub fn allows(self, held: usize) -> bool {
        held == 1 || held == 0 && self == Self::AtMostOne
    }

    /// The formula over `n` fresh inputs, which are its first variables.
    pub fn formula(self, amo: &dyn AtMostOne, n: u32) -> (Vec<Lit>, Formula) {
        Inputs::Plain.encode(amo, self, n, Formula::new())
    }
}

/// The inputs on which an encoding is tried: fresh variables in their order, and the same ones in opposite order with
/// every other one negated.
#[derive(Clone, Copy)]
pub(super) enum Inputs {
    Plain,
    Mixed,
}

impl Inputs {
    pub(super) const ALL: [Self; 2] = [Self::Plain, Self::Mixed];

    /// Makes `n` inputs.
    fn make(self, n: u32, out: &mut dyn ClauseSink) -> Vec<Lit> {
        let plain = out.fresh(n).lits();
        match self {
            Self::Plain => plain.collect(),
            Self::Mixed => {
                let mut mixed: Vec<Lit> =
                    plain.map(|lit| if lit.vidx32() % 2 == 1 { !lit } else { lit }).collect();
                mixed.reverse();
                mixed
            }
        }
    }

    /// Encodes over `n` inputs into a new sink, and returns both.
    pub(super) fn encode<S: ClauseSink>(
        self,
        amo: &dyn AtMostOne,
        form: Form,
        n: u32,
        mut sink: S,
    ) -> (Vec<Lit>, S) {
        let xs = self.make(n, &mut sink);
        form.encode(amo, &xs, &mut sink);
        (xs, sink)
    }
}

/// Clauses that name a variable twice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Repetitions {
    /// None.
    #[default]
    None,
    /// Those with both literals of a variable, which are always true.
    AlwaysTrue,
    /// All.
    All,
}

/// Stores the first clause that is not well-formed.
#[derive(Debug, Default)]
pub(super) struct Inspector {
    /// The clauses that name a variable twice and are no fault.
    allowed: Repetitions,
    made: u32,
    clauses: u64,
    sorted: Vec<Lit>,
    fault: Option<String>,
}

impl Inspector {
    /// An inspector that allows these clauses.
    pub(super) fn allowing(allowed: Repetitions) -> Self {
        Self { allowed, ..Self::default() }
    }

    /// The fault of the first clause that is not well-formed.
    pub(super) fn finish(self) -> Result<(), String> {
        self.fault.map_or(Ok(()), Err)
    }

    fn fault_of(&mut self, lits: &[Lit]) -> Option<&'static str> {
        if lits.iter().any(|lit| lit.vidx32() >= self.made) {
            return Some("uses a variable that was not made");
        }
        if self.allowed == Repetitions::All {
            return None;
        }
        // In sorted order, the two literals of one variable are neighbours.
        self.sorted.clear();
        self.sorted.extend_from_slice(lits);
        self.sorted.sort_unstable();
        self.sorted.windows(2).find_map(|pair| match pair {
            [first, second] if first == second => Some("repeats a literal"),
            [first, second] if first.var() == second.var() && self.allowed == Repetitions::None => {
                Some("is always true")
            }
            _ => None,
        })
    }
}

impl ClauseSink for Inspector {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.made, count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clauses += 1;
        if self.fault.is_none()
            && let Some(fault) = self.fault_of(lits)
        {
            let numbers: Vec<_> = lits.iter().map(|lit| lit.to_ipasir().to_string()).collect();
            let numbers = numbers.join(" ");
            self.fault = Some(format!("clause {}, `{numbers}`, {fault}", self.clauses));
        }
    }
}

/// A size in words.
pub(super) fn words(size: Size) -> String {
    let Size { variables, clauses, literals } = size;
    format!("{variables} variables, {clauses} clauses and {literals} literals")
}
