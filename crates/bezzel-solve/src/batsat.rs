//! BatSat, MiniSat in Rust, through `rustsat-batsat`.
//!
//! *Options.* All options of BatSat, under its own names, and three more. `upol` is the value that a primary
//! variable gets when it is decided. `phase` is the value that is tried first for every variable until its saved
//! phase differs (CaDiCaL's `phase`). BatSat begins with false, so with `phase` 1 it solves the formula with every
//! variable negated. `decide_auxiliary` is true if auxiliary variables are decided. If it is false, `Sat` means
//! that the primary variables are set without a conflict; auxiliary variables may be open, so the check of the
//! placement decides. A row records every option except a `phase` with the default value, so rows that are older
//! than the option keep their keys.
//!
//! *Order.* BatSat sorts the literals of each clause that it receives, so the order of literals under a numbering
//! has no effect.
//!
//! *Effort.* Ticks are not reported. The first start counts as a restart.

use batsat::{Callbacks, SolverInterface, SolverOpts, lbool};
use bezzel_encode::{ClauseSink, Lit, VarRange};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::TernaryVal;

use crate::answer::{Answer, Effort};
use crate::options::{OptionError, OptionValue, Options};
use crate::solver::{BackendInfo, Interrupt, Session, SessionOptions, Solver};

const ID: &str = "batsat";

/// The option that switches decisions on auxiliary variables.
pub(crate) const DECIDE_AUXILIARY: &str = "decide_auxiliary";

/// The option for the value that is tried first.
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
        let value = |spec: &OptionSpec| (spec.name.to_owned(), (spec.field)(&mut setup).value());
        Ok(OPTION_SPECS.iter().filter(|spec| phase || spec.name != PHASE).map(value).collect())
    }

    fn open(
        &self,
        options: &Options,
        session_options: &SessionOptions,
    ) -> Result<Box<dyn Session>, OptionError> {
        let interrupt = session_options.interrupt.clone();
        let setup = configured(options)?;
        let (user_polarity, decide_auxiliary) = (setup.user_polarity(), setup.decide_auxiliary);
        let negated = setup.phase;
        let mut solver = rustsat_batsat::Solver::default();
        *solver.batsat_mut() =
            batsat::Solver::new(setup.opts, InterruptCallbacks(interrupt.clone()));
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
struct InterruptCallbacks(Interrupt);

impl Callbacks for InterruptCallbacks {
    fn stop(&self) -> bool {
        self.0.is_raised()
    }
}

/// The role of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Auxiliary,
    Primary,
    /// A primary variable whose literal is negative.
    Negated,
}

struct BatSatSession {
    solver: rustsat_batsat::Solver<InterruptCallbacks>,
    interrupt: Interrupt,
    user_polarity: lbool,
    decide_auxiliary: bool,
    /// True if BatSat gets every variable negated.
    negated: bool,
    /// The roles of the variables up to the last primary one.
    primary: Vec<Role>,
    variables: u32,
    /// A buffer for one clause in BatSat's literals, reused for every clause.
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
        // RustSAT's wrapper would allocate a vector for each clause, so the clause goes to BatSat directly.
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
        // The wrapper has not seen the clauses. Without a list of assumptions, even an empty one, it would repeat
        // its last answer.
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

/// All settings of BatSat and of the session.
struct Setup {
    opts: SolverOpts,
    /// The value that a primary variable gets when it is decided; −1 leaves it to the saved phase, which begins as
    /// false. BatSat takes it with each variable, not among its options.
    upol: i32,
    /// True if auxiliary variables are decided; otherwise they are only propagated. BatSat takes this with each
    /// variable as well.
    decide_auxiliary: bool,
    /// True if the value true is tried first. BatSat has no such option; the session implements it.
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

/// An option: its name, its field in BatSat, and its allowed values.
struct OptionSpec {
    name: &'static str,
    field: fn(&mut Setup) -> Field<'_>,
    allowed: &'static str,
}

/// A field of BatSat that keeps an option.
enum Field<'a> {
    Flag(&'a mut bool),
    /// A flag that rows record as a number, as for other solvers.
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

    /// Sets the option and returns true if the value has the option's kind.
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

/// A table of options: name, kind, field in BatSat or in `Setup`, and allowed values.
macro_rules! option_specs {
    ($($name:expr => $kind:ident($($field:ident).+), $allowed:expr;)+) => {
        [$(OptionSpec {
            name: $name,
            field: |setup| Field::$kind(&mut setup.$($field).+),
            allowed: $allowed,
        }),+]
    };
}

const OPTION_SPECS: [OptionSpec; 18] = option_specs! {
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

/// Returns BatSat's defaults, overridden by `options`.
fn configured(options: &Options) -> Result<Setup, OptionError> {
    let mut setup =
        Setup { opts: SolverOpts::default(), upol: -1, decide_auxiliary: true, phase: false };
    for (name, &value) in options {
        let spec = OPTION_SPECS
            .iter()
            .find(|spec| spec.name == name)
            .ok_or_else(|| OptionError::unknown(ID, name, OPTION_SPECS.map(|spec| spec.name)))?;
        if !((spec.field)(&mut setup).set(value) && possible(&setup)) {
            return Err(OptionError::value(ID, name, value, spec.allowed));
        }
    }
    Ok(setup)
}

/// Returns true if BatSat works with this setup. BatSat does not check the last three conditions.
fn possible(Setup { opts, upol, .. }: &Setup) -> bool {
    let positive = |number: f64| number > 0.0 && number < f64::INFINITY;
    opts.check()
        && positive(opts.learntsize_factor)
        && positive(opts.learntsize_inc)
        && (-1..=1).contains(upol)
}
