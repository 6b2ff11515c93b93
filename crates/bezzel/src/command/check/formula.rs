//! `bezzel check --cnf`: a formula of any origin, compared with the constraints of a file, a board or another instance.
//!
//! A solver searches an assignment that the formula allows and a constraint forbids; a proof that there is none is
//! checked. In the other direction, the clauses are divided into parts that share no auxiliary variable: the formula
//! allows a solution if each part does. For each part, a solver searches a solution that no model found so far
//! extends to.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use bezzel_encode::amk::Limit;
use bezzel_encode::format::read::{self, ReadFormula};
use bezzel_encode::propagate::Propagator;
use bezzel_encode::{ClauseSink, Formula, Lit};
use bezzel_experiment::judge::{Case, Judge};
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{
    Catalog, EncoderPrograms, Finding, Permission, ProofRecord, Verdict, packing, program,
};
use bezzel_problem::{Instance, ProblemFile, Solution};
use bezzel_proof::Limits;
use bezzel_queens::Board;
use bezzel_queens::encode::comments;
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Options, Session, SessionOptions, Solver};
use serde::Serialize;

use super::subject::Subject;
use crate::arguments::{FormulaArguments, note_unused, read_instance};
use crate::command::common::print_json;
use crate::command::encoder;
use crate::failure::{CommandResult, Failure, cannot};
use crate::phase::{self, Phase};

/// The most variables of a formula, and candidates of an instance. Each takes some dozens of bytes, even if the formula
/// does not use it.
const MAX_VARIABLES: u32 = 1 << 24;

/// The encoder of the constraints and of their negations.
const ENCODER: &str = "robdd-or-watchdog";

/// The longest proof that is checked, in bytes.
const PROOF_BYTES: u64 = 256 << 20;

/// The most solutions that are tried on one part of the formula.
const MAX_TRIED: usize = 2_000;

/// The conflicts of the search for one solution that a clause or a part forbids, and the most such searches that end without
/// an answer.
const MAX_SEARCH: u32 = 5_000;
const MAX_UNDECIDED: usize = 8;

/// The findings.
#[derive(Default, Serialize)]
struct Findings {
    variables: u32,
    auxiliary: u32,
    clauses: usize,
    /// The chosen variables of an assignment that the formula allows and the file forbids, and the violated constraint.
    wrongly_allowed: Option<(Vec<u32>, String)>,
    /// The steps of the checked proof that there is no such assignment; none if it was too long to be checked.
    proof_steps: Option<u64>,
    /// The chosen variables of a solution that the formula forbids.
    wrongly_forbidden: Option<Vec<u32>>,
    /// Parts of the formula with auxiliary variables of their own.
    parts: usize,
    /// Clauses and parts for which the search for a solution that they forbid ended at a limit.
    undecided: usize,
    tried: usize,
}

pub(super) fn run(
    cnf: &Path,
    arguments: &FormulaArguments,
    catalog: &Catalog,
    out: &mut dyn Write,
) -> CommandResult {
    phase::begin(Phase::Reading);
    let read = formula(cnf)?;
    let instance = match &arguments.against {
        Some(given) => read_instance("--against", given)?,
        None => board(&read)?.into(),
    };
    note_unused(&instance);
    let problem = instance.problem();
    let sizes = [
        ("formula", "variables", read.formula.variables()),
        (instance.noun(), "candidates", problem.candidates()),
    ];
    if let Some((whose, what, number)) = sizes.into_iter().find(|it| it.2 > MAX_VARIABLES) {
        let [number, max] = [number, MAX_VARIABLES].map(|number| grouped(number.into()));
        return Err(Failure::Input(format!(
            "the {whose} has {number} {what}; at most {max} are examined"
        )));
    }
    phase::begin(Phase::Checking);
    let permission = Permission::none();
    let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
    let sums = encoder::of_sums(ENCODER, &[], &mut programs, catalog)?;
    let subject = Subject::new(read, (&instance, &problem), sums.as_ref())?;
    let mut findings = Findings {
        variables: subject.variables,
        auxiliary: subject.auxiliary,
        clauses: subject.clauses,
        ..Findings::default()
    };
    subject.allowed(&mut findings)?;
    subject.forbidden(&mut findings)?;
    if arguments.json {
        print_json(&findings, out)?;
    } else {
        findings.print(&instance, out)?;
    }
    match (&findings.wrongly_allowed, &findings.wrongly_forbidden) {
        (None, None) => Ok(ExitCode::SUCCESS),
        _ => Err(Failure::Work("the formula is wrong".into())),
    }
}

/// Reads a formula from a file, or from stdin for `-`.
fn formula(path: &Path) -> Result<ReadFormula, Failure> {
    let is_stdin = path.as_os_str() == "-";
    let file = if is_stdin { Path::new("/dev/stdin") } else { path };
    let mut from = packing::read(file).map_err(cannot("read", path))?;
    read::dimacs(&mut from).map_err(|error| {
        let content = packing::read_whole(file).ok().filter(|_| !is_stdin);
        let has_constraints = content.is_some_and(|it| ProblemFile::read("", None, it).is_ok());
        let advice = "; it has constraints: give them by --against, and the formula by --cnf";
        cannot("read", path)(format!("{error}{}", if has_constraints { advice } else { "" }))
    })
}

/// The board in the comments of a formula.
fn board(read: &ReadFormula) -> Result<Board, Failure> {
    let noted = comments::board(&read.notes).map_err(|problem| {
        Failure::Input(format!(
            "the comments of the formula describe an impossible board: {problem}"
        ))
    })?;
    noted.ok_or_else(|| {
        Failure::Input(
            "the comments of the formula describe no board: add `--against` and a size, as in `--against 8`, or a file"
                .into(),
        )
    })
}

impl Findings {
    fn print(&self, instance: &Instance, out: &mut dyn Write) -> Result<(), Failure> {
        let number = |number: usize| grouped(number as u128);
        let (variables, auxiliary) =
            (grouped(self.variables.into()), grouped(self.auxiliary.into()));
        let clauses = number(self.clauses);
        writeln!(
            out,
            "The formula has {variables} variables, of which {auxiliary} auxiliary, and {clauses} clauses; the {} is \
             {instance}.",
            instance.noun()
        )?;
        // A drawing has lines of its own, without a full stop.
        let chosen = |variables: &[u32]| {
            if Board::of(instance).is_some() {
                let solution: Solution = variables.iter().map(|variable| variable - 1).collect();
                let drawing = instance.draw(&solution);
                return drawing.lines().flat_map(|line| ["\n    ", line]).collect();
            }
            let all: Vec<String> = variables.iter().map(u32::to_string).collect();
            format!(" true are [{}], and no other variables of the file.", all.join(", "))
        };
        let only = match (&self.wrongly_allowed, self.proof_steps) {
            (Some((variables, why)), _) => {
                format!("NO. It wrongly allows this: {why}:{}", chosen(variables))
            }
            (None, Some(steps)) => {
                format!("yes, by a proof of {} steps, which was checked.", grouped(steps.into()))
            }
            (None, None) => "yes, by a solver, whose proof is too long to be checked.".to_owned(),
        };
        let tried = format!("{} solutions on {} parts", number(self.tried), number(self.parts));
        let all = match (&self.wrongly_forbidden, self.undecided) {
            (Some(variables), _) => {
                format!("NO. It wrongly forbids this one:{}", chosen(variables))
            }
            (None, 0) => format!("yes, by a solver and {tried} with auxiliary variables."),
            (None, parts) => format!(
                "no fault was found by {tried} with auxiliary variables; the search ended at its limit for {} of the clauses \
                 and parts, and other clauses may not have been searched.",
                number(parts)
            ),
        };
        Ok(writeln!(out, "Only solutions: {only}\nAll solutions: {all}")?)
    }
}

impl Subject<'_> {
    /// The variables of the file that are true in a model, counted from 1, and the reason why they are no solution. It is
    /// judged without the encoder and the solver.
    fn judged(&self, session: &mut dyn Session) -> (Vec<u32>, Option<String>) {
        let numbered = (0..).zip(&self.inputs);
        let chosen = numbered.filter(|(_, lit)| session.holds(**lit));
        let solution: Solution = chosen.map(|(candidate, _)| candidate).collect();
        let judgement = Judge::new().judge(&Case::new(self.instance, Answer::Sat, Some(&solution)));
        let is_wrong = judgement.verdict == Verdict::Wrong;
        let variables = solution.chosen().iter().map(|candidate| candidate + 1).collect();
        (variables, is_wrong.then(|| judgement.note.unwrap_or_default()))
    }

    /// A solution that the formula forbids.
    fn found_forbidden(&self, session: &mut dyn Session) -> Result<Vec<u32>, Failure> {
        match self.judged(session) {
            (variables, None) => Ok(variables),
            (_, Some(why)) => {
                Err(Failure::Work(format!("a solution of the encoder is none: {why}")))
            }
        }
    }

    /// Searches an assignment that the formula allows and the file forbids.
    fn allowed(&self, findings: &mut Findings) -> Result<(), Failure> {
        let mut violated = self.formula.clone();
        let mut selectors = Vec::new();
        for group in &self.groups {
            let above = group.needed.at_most.filter(|&k| k < group.most());
            let above = above.map(|k| (Limit::AtLeast, k + 1));
            let below = group.needed.at_least.filter(|&k| k > 0).map(|k| (Limit::AtMost, k - 1));
            for violation in above.into_iter().chain(below) {
                let selector = violated.fresh(1).lits().next().expect("one");
                selectors.push(selector);
                if let Some(condition) = group.condition {
                    violated.clause(&[!selector, self.lit(condition)]);
                }
                self.write(group, violation, Some(selector), &mut violated);
            }
        }
        violated.clause(&selectors);
        let stored_proof_bytes = Some(PROOF_BYTES);
        let options = SessionOptions { stored_proof_bytes, ..SessionOptions::default() };
        let mut session = session_of(&violated, &options);
        // One constraint after the other: the solver searches beside a violated one, and not for a solution of the others.
        if any_model(session.as_mut(), &selectors)? {
            let mut holds = |clause: &[Lit]| clause.iter().any(|&lit| session.holds(lit));
            let is_model = self.formula.clauses().all(&mut holds);
            let (variables, why) = self.judged(session.as_mut());
            let why = why.filter(|_| is_model).ok_or("the solver's model is none");
            findings.wrongly_allowed = Some((variables, why.map_err(Failure::work)?));
            return Ok(());
        }
        // The clauses that it learned refute each constraint.
        if has_model(session.as_mut(), &[])? {
            return Err(Failure::work("the solver contradicts itself"));
        }
        findings.proof_steps = proof_steps(&violated, session.as_mut())?;
        Ok(())
    }

    /// Searches a solution of the file that the formula forbids. Where a variable of the file is several ones of the
    /// formula, their values are taken from it; if that does not do, they are searched as those of auxiliary variables are.
    fn forbidden(&self, findings: &mut Findings) -> Result<(), Failure> {
        if self.has_cubes() {
            let mut tried = Findings::default();
            self.forbidden_by(true, &mut tried)?;
            if tried.wrongly_forbidden.is_none() && tried.undecided == 0 {
                (findings.parts, findings.tried) = (tried.parts, tried.tried);
                return Ok(());
            }
        }
        self.forbidden_by(false, findings)
    }

    fn forbidden_by(&self, defines_cubes: bool, findings: &mut Findings) -> Result<(), Failure> {
        let mut stated = Formula::new();
        stated.fresh(self.formula.variables());
        for group in &self.groups {
            let condition = group.condition.map(|literal| self.lit(literal));
            let above = group.strongest.at_most.map(|k| (Limit::AtMost, k));
            let below = group.strongest.at_least.map(|k| (Limit::AtLeast, k));
            for side in above.into_iter().chain(below) {
                self.write(group, side, condition, &mut stated);
            }
        }
        let mut known = self.inputs.clone();
        if defines_cubes {
            let defined = self.define_cubes(&mut stated);
            // The values that a chosen variable of the file gives them, as clauses that follow by unit propagation.
            let is_defined = self.are_among(&defined);
            let mut propagator = Propagator::new(&stated);
            for &input in &self.inputs {
                let before = propagator.trail().len();
                let _ = propagator.assume(input);
                let implied = propagator.trail()[before..].iter();
                let implied = implied.filter(|lit| is_defined.get(lit.vidx()) == Some(&true));
                implied.for_each(|&lit| stated.clause(&[!input, lit]));
                propagator.undo(before);
            }
            known.extend(defined);
        }
        let is_known = self.are_among(&known);
        let clauses: Vec<&[Lit]> = self.formula.clauses().collect();
        let (pure, parts) = self.parts(&clauses, &is_known);
        findings.parts = parts.len();
        // The solver gets all variables before it solves.
        let mut outer = session_of(&stated, &SessionOptions::default());
        let violations: Vec<Lit> = outer.fresh(clauses.len() as u32).lits().collect();
        for (&clause, &violation) in clauses.iter().zip(&violations) {
            let known = clause.iter().filter(|lit| is_known[lit.vidx()]);
            known.for_each(|&lit| outer.clause(&[!violation, !lit]));
        }
        let searched: Vec<Lit> = outer.fresh(parts.len() as u32).lits().collect();
        // Most clauses follow from the constraints by unit propagation.
        let mut propagator = Propagator::new(&stated);
        let is_open = |&number: &usize| {
            let before = propagator.trail().len();
            let follows = clauses[number].iter().any(|&lit| propagator.assume(!lit).is_err());
            propagator.undo(before);
            !follows
        };
        let pure = pure.into_iter().filter(is_open);
        let pure: Vec<Lit> = pure.map(|number| violations[number]).collect();
        for &violation in &pure {
            match outer.solve_within(&[violation], MAX_SEARCH) {
                Answer::Sat => {
                    findings.wrongly_forbidden = Some(self.found_forbidden(outer.as_mut())?);
                    return Ok(());
                }
                Answer::Unsat => {}
                Answer::Unknown => findings.undecided += 1,
            }
            if findings.undecided == MAX_UNDECIDED {
                return Ok(());
            }
        }
        let mut inner = open(&SessionOptions::default());
        inner.fresh(self.formula.variables());
        let active: Vec<Lit> = inner.fresh(parts.len() as u32).lits().collect();
        for (part, &active) in parts.iter().zip(&active) {
            for &number in part {
                inner.clause(&[clauses[number], &[!active]].concat());
            }
        }
        for ((part, &active), &searched) in parts.iter().zip(&active).zip(&searched) {
            let mut tried = 0;
            loop {
                let found = outer.solve_within(&[searched], MAX_SEARCH);
                if found == Answer::Unsat {
                    break;
                }
                if tried == MAX_TRIED || found == Answer::Unknown {
                    findings.undecided += 1;
                    break;
                }
                tried += 1;
                let assumed = |&lit: &Lit| if outer.holds(lit) { lit } else { !lit };
                let assumptions: Vec<Lit> = known.iter().map(assumed).chain([active]).collect();
                if !has_model(inner.as_mut(), &assumptions)? {
                    findings.wrongly_forbidden = Some(self.found_forbidden(outer.as_mut())?);
                    return Ok(());
                }
                // All that this model extends to is allowed: the next solution violates a clause that needs its inputs.
                let is_open = |&&number: &&usize| {
                    let mut others = clauses[number].iter();
                    !others.any(|&lit| !is_known[lit.vidx()] && inner.holds(lit))
                };
                let open = part.iter().filter(is_open).map(|&number| violations[number]);
                let open: Vec<Lit> = open.chain([!searched]).collect();
                outer.clause(&open);
            }
            findings.tried += tried;
            if findings.undecided >= MAX_UNDECIDED {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// The steps of the checked proof of a session that its formula has no model; none if it is too long.
fn proof_steps(formula: &Formula, session: &mut dyn Session) -> Result<Option<u64>, Failure> {
    let Some(proof) = session.stored_proof() else { return Ok(None) };
    let write = |out: &mut dyn ClauseSink| {
        out.fresh(formula.variables());
        formula.clauses().for_each(|clause| out.clause(clause));
    };
    let record = ProofRecord::of_lrat(&proof, Limits::default().memory_bytes, &write);
    match record.finding {
        Finding::Accepted => Ok(record.steps),
        _ => Err(Failure::Work(record.note.unwrap_or_default())),
    }
}

/// A session that has the clauses of a formula.
fn session_of(formula: &Formula, options: &SessionOptions) -> Box<dyn Session> {
    let mut session = open(options);
    session.fresh(formula.variables());
    formula.clauses().for_each(|clause| session.clause(clause));
    session
}

fn open(options: &SessionOptions) -> Box<dyn Session> {
    Cadical::Default.open(&Options::default(), options).expect("no options")
}

/// True if the clauses of a session have a model under one of these literals, the first that has one.
fn any_model(session: &mut dyn Session, literals: &[Lit]) -> Result<bool, Failure> {
    for &literal in literals {
        if has_model(session, &[literal])? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True if the clauses of a session have a model under some assumptions.
fn has_model(session: &mut dyn Session, assumptions: &[Lit]) -> Result<bool, Failure> {
    match session.solve_under(assumptions) {
        Answer::Unknown => Err(Failure::Interrupted("stopped while checking".into())),
        answer => Ok(answer == Answer::Sat),
    }
}
