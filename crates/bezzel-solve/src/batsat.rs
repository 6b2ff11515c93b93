//! BatSat, MiniSat in Rust, through `rustsat-batsat`.
//!
//! *Options.* All that BatSat has, under its own names; besides, `upol`, the value that primary
//! variables are given when they are decided; `phase`, the value that is tried first for every variable,
//! until its saved phase is another (CaDiCaL's `phase`; BatSat begins with false, so under 1 it solves
//! the formula with every variable negated); and `decide_auxiliary`, whether the others than primary
//! ones are decided at all. If not, `Sat` means that the primary variables are set without a conflict; the
//! auxiliary ones may be open, so the judge of the placement has the last word. A row records
//! every option, but for the `phase` with which BatSat comes: so rows from before there was a choice
//! keep their keys.
//!
//! *Order.* BatSat sorts the literals of each clause that comes in, so the order of literals that
//! a numbering gives does not reach it.
//!
//! *Effort.* Ticks are not told. The first start counts as a restart.

use batsat::{Callbacks, SolverInterface, SolverOpts, lbool};
use bezzel_encode::{ClauseSink, Lit, VarRange};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::TernaryVal;

use crate::answer::{Answer, Effort};
use crate::options::{OptionError, OptionValue, Options};
use crate::solver::{BackendInfo, Interrupt, Session, Solver, Terms};

const ID: &str = "batsat";

/// The option that says whether auxiliary variables are decided.
pub(crate) const DECIDE_AUXILIARY: &str = "decide_auxiliary";

/// The option that says which value is tried first.
const PHASE: &str = "phase";

/// BatSat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatSat;

impl Solver for BatSat {
    fn info(&self) -> BackendInfo {
        let signature = rustsat_batsat::BasicSolver::default().signature();
        BackendInfo {
            id: ID.to_owned(),
            title: "BatSat, MiniSat 2.2 rewritten in Rust".to_owned(),
            version: signature.trim_start_matches("BatSat ").to_owned(),
            citation: "Cruanes, Hara: BatSat, <https://github.com/c-cube/batsat>; after Eén, \
                       Sörensson: An Extensible SAT-solver. SAT 2003, LNCS 2919, 502-518"
                .to_owned(),
        }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        let mut setup = configured(options)?;
        let phase = setup.phase;
        let value = |knob: &Knob| (knob.name.to_owned(), (knob.field)(&mut setup).value());
        Ok(KNOBS.iter().filter(|knob| phase || knob.name != PHASE).map(value).collect())
    }

    fn open(&self, options: &Options, terms: &Terms) -> Result<Box<dyn Session>, OptionError> {
        let interrupt = terms.interrupt.clone();
        let setup = configured(options)?;
        let (user_polarity, decide_auxiliary) = (setup.user_polarity(), setup.decide_auxiliary);
        let negated = setup.phase;
        let mut solver = rustsat_batsat::Solver::default();
        *solver.batsat_mut() = batsat::Solver::new(setup.opts, Raised(interrupt.clone()));
        Ok(Box::new(BatSatSession {
            solver,
            interrupt,
            user_polarity,
            decide_auxiliary,
            negated,
            primary: Vec::new(),
            variables: 0,
            clause: Vec::new(),
        }))
    }
}

/// Lets BatSat read the interrupt.
#[derive(Default)]
struct Raised(Interrupt);

impl Callbacks for Raised {
    fn stop(&self) -> bool {
        self.0.is_raised()
    }
}

/// What a variable is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Auxiliary,
    Primary,
    /// Primary, and negated by the numbering.
    Negated,
}

struct BatSatSession {
    solver: rustsat_batsat::Solver<Raised>,
    interrupt: Interrupt,
    user_polarity: lbool,
    decide_auxiliary: bool,
    /// Whether BatSat has every variable negated.
    negated: bool,
    /// The roles of the variables up to the last primary one.
    primary: Vec<Role>,
    variables: u32,
    /// One clause as BatSat reads it; kept for its memory.
    clause: Vec<batsat::Lit>,
}

impl ClauseSink for BatSatSession {
    fn fresh(&mut self, count: u32) -> VarRange {
        let range = VarRange::next(&mut self.variables, count);
        let polarity = self.user_polarity ^ self.negated;
        let solver = self.solver.batsat_mut();
        for var in range.vars() {
            match self.primary.get(var.idx()) {
                Some(Role::Primary) => solver.new_var(polarity, true),
                Some(Role::Negated) => solver.new_var(polarity ^ true, true),
                Some(Role::Auxiliary) | None => solver.new_var(lbool::UNDEF, self.decide_auxiliary),
            };
        }
        range
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clause.clear();
        let negated = self.negated;
        self.clause.extend(lits.iter().map(|lit| {
            batsat::Lit::new(batsat::Var::unsafe_from_idx(lit.vidx32()), lit.is_pos() != negated)
        }));
        // Past RustSAT's wrapper, which would allocate a vector for each clause.
        self.solver.batsat_mut().add_clause_reuse(&mut self.clause);
    }
}

impl Session for BatSatSession {
    fn set_primary(&mut self, lits: &mut dyn Iterator<Item = Lit>) {
        for lit in lits {
            if self.primary.len() <= lit.vidx() {
                self.primary.resize(lit.vidx() + 1, Role::Auxiliary);
            }
            self.primary[lit.vidx()] = if lit.is_pos() { Role::Primary } else { Role::Negated };
        }
    }

    fn solve(&mut self) -> Answer {
        self.solve_under(&[])
    }

    fn solve_under(&mut self, assumptions: &[Lit]) -> Answer {
        if self.interrupt.is_raised() {
            return Answer::Unknown;
        }
        // The wrapper has not seen the clauses, and would repeat its last answer if it were not
        // asked under assumptions, even if there are none.
        let inner: Vec<Lit> =
            assumptions.iter().map(|&lit| if self.negated { !lit } else { lit }).collect();
        match self.solver.solve_assumps(&inner).expect("BatSat reports no errors") {
            SolverResult::Sat => Answer::Sat,
            SolverResult::Unsat => Answer::Unsat,
            SolverResult::Interrupted => Answer::Unknown,
        }
    }

    fn holds(&mut self, lit: Lit) -> bool {
        let inner = if self.negated { !lit } else { lit };
        let value = self.solver.lit_val(inner).expect("there is a model to be asked");
        match value {
            TernaryVal::True => true,
            TernaryVal::False => false,
            TernaryVal::DontCare => lit.is_neg(),
        }
    }

    fn is_whole(&self) -> bool {
        self.decide_auxiliary
    }

    fn effort(&self) -> Effort {
        let solver = self.solver.batsat_ref();
        Effort {
            conflicts: Some(solver.num_conflicts()),
            decisions: Some(solver.num_decisions()),
            propagations: Some(solver.num_propagations()),
            restarts: Some(solver.num_restarts()),
            ticks: None,
        }
    }
}

/// Everything that can be set.
struct Setup {
    opts: SolverOpts,
    /// The value that primary variables are given when they are decided; −1 leaves it to the saved
    /// phase, which begins as false. BatSat takes it with each variable, not among its options.
    upol: i32,
    /// Whether auxiliary variables are decided, too, or propagated only. BatSat takes this with
    /// each variable as well.
    decide_auxiliary: bool,
    /// Whether true is tried first. BatSat knows no such thing, so the session sees to it.
    phase: bool,
}

impl Setup {
    fn user_polarity(&self) -> lbool {
        match self.upol {
            0 => lbool::FALSE,
            1 => lbool::TRUE,
            _ => lbool::UNDEF,
        }
    }
}

/// An option: its name, where BatSat keeps it, and what it may be.
struct Knob {
    name: &'static str,
    field: fn(&mut Setup) -> Field<'_>,
    allowed: &'static str,
}

/// An option where BatSat keeps it.
enum Field<'a> {
    Flag(&'a mut bool),
    /// A flag that is a number in rows, as other solvers have it.
    Bit(&'a mut bool),
    Integer(&'a mut i32),
    Number(&'a mut f64),
}

impl Field<'_> {
    fn value(self) -> OptionValue {
        match self {
            Self::Flag(field) => OptionValue::Flag(*field),
            Self::Bit(field) => OptionValue::Integer((*field).into()),
            Self::Integer(field) => OptionValue::Integer((*field).into()),
            Self::Number(field) => OptionValue::Number(*field),
        }
    }

    /// Whether the value is of the option's kind; it is set then.
    fn set(self, value: OptionValue) -> bool {
        match (self, value) {
            (Self::Flag(field) | Self::Bit(field), OptionValue::Flag(flag)) => *field = flag,
            (Self::Flag(field) | Self::Bit(field), OptionValue::Integer(number @ (0 | 1))) => {
                *field = number == 1;
            }
            (Self::Integer(field), OptionValue::Integer(number)) => match i32::try_from(number) {
                Ok(number) => *field = number,
                Err(_) => return false,
            },
            (Self::Number(field), OptionValue::Number(number)) => *field = number,
            (Self::Number(field), OptionValue::Integer(number)) => *field = number as f64,
            _ => return false,
        }
        true
    }
}

const FLAG: &str = "it is true or false";
const LEVEL: &str = "it is 0, 1 or 2";
const DECAY: &str = "it is a number above 0 and below 1";
const POSITIVE: &str = "it is a number above 0";

/// A table of options: the name of each, its kind, its place in BatSat or beside it, and its values.
macro_rules! knobs {
    ($($name:expr => $kind:ident($($field:ident).+), $allowed:expr;)+) => {
        [$(Knob {
            name: $name,
            field: |setup| Field::$kind(&mut setup.$($field).+),
            allowed: $allowed,
        }),+]
    };
}

const KNOBS: [Knob; 18] = knobs! {
    "ccmin_mode" => Integer(opts.ccmin_mode), LEVEL;
    "clause_decay" => Number(opts.clause_decay), DECAY;
    DECIDE_AUXILIARY => Flag(decide_auxiliary), FLAG;
    "garbage_frac" => Number(opts.garbage_frac), POSITIVE;
    "learntsize_factor" => Number(opts.learntsize_factor), POSITIVE;
    "learntsize_inc" => Number(opts.learntsize_inc), POSITIVE;
    "luby_restart" => Flag(opts.luby_restart), FLAG;
    "min_learnts_lim" => Integer(opts.min_learnts_lim), "it is a whole number, 0 or above";
    PHASE => Bit(phase), "it is 0 (false is tried first) or 1 (true is)";
    "phase_saving" => Integer(opts.phase_saving), LEVEL;
    "random_seed" => Number(opts.random_seed), POSITIVE;
    "random_var_freq" => Number(opts.random_var_freq), "it is a number from 0 to 1";
    "restart_first" => Integer(opts.restart_first), "it is a whole number, 1 or above";
    "restart_inc" => Number(opts.restart_inc), "it is a number above 1";
    "rnd_init_act" => Flag(opts.rnd_init_act), FLAG;
    "rnd_pol" => Flag(opts.rnd_pol), FLAG;
    "upol" => Integer(upol), "it is -1 (the saved phase), 0 (false) or 1 (true)";
    "var_decay" => Number(opts.var_decay), DECAY;
};

/// BatSat's defaults, and `options` over them.
fn configured(options: &Options) -> Result<Setup, OptionError> {
    let mut setup =
        Setup { opts: SolverOpts::default(), upol: -1, decide_auxiliary: true, phase: false };
    for (name, &value) in options {
        let knob = KNOBS
            .iter()
            .find(|knob| knob.name == name)
            .ok_or_else(|| OptionError::unknown(ID, name, KNOBS.map(|knob| knob.name)))?;
        if !((knob.field)(&mut setup).set(value) && possible(&setup)) {
            return Err(OptionError::value(ID, name, value, knob.allowed));
        }
    }
    Ok(setup)
}

/// Whether BatSat would work with this. It does not check the last three itself.
fn possible(Setup { opts, upol, .. }: &Setup) -> bool {
    let positive = |number: f64| number > 0.0 && number < f64::INFINITY;
    opts.check()
        && positive(opts.learntsize_factor)
        && positive(opts.learntsize_inc)
        && (-1..=1).contains(upol)
}
