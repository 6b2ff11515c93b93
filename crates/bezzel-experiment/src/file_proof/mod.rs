//! One proof from the constraints of a file to the answer that there is no solution, for VeriPB (format 3).
//!
//! The proof starts from the file, not from its clauses. It derives each clause of the encoding from the bound of its group
//! ([`bezzel_encode::certificate::derive`]), deletes the definitions of auxiliary variables, and goes on with the lemmas of
//! the solver: each by unit propagation with the clauses that the solver names, as LRAT has them, and with its deletions. It
//! ends in `conclusion UNSAT`. So the formula, the encoder, the solver and Bezzel need not be trusted.
//!
//! VeriPB reads plain OPB. The constraints of the problem are found among those of such a file (`stated.rs`). All other
//! problems are written as OPB beside the proof, and this translation is trusted.
//!
//! The proof is written as it is made. In memory are the lines of the constraints of the problem and of the clauses that the
//! solver has not deleted, and one group.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};

use bezzel_encode::certificate::Proof;
use bezzel_encode::numbering::Images;
use bezzel_encode::{ClauseSink, Encoding, Lit, Numbering, VarRange};
use bezzel_problem::{Problem, Solution};
use bezzel_proof::Refusal;
use thiserror::Error;

mod domains;
mod groups;
mod lemmas;
mod premises;
mod refutation;
mod stated;

use domains::DomainSink;
use groups::GroupSink;
use premises::Premises;
pub use refutation::refute;
use stated::{StatedConstraints, Terms, value_of};

/// The bytes of text that are kept before they are written.
const KEPT_BYTES: usize = 1 << 16;

/// The reason why there is no proof from the file.
#[derive(Debug, Error)]
pub enum FileProofError {
    /// The clauses cannot be derived, in words.
    #[error("{0}")]
    Underivable(String),
    /// The file of the proof.
    #[error("the proof cannot be written: {0}")]
    Write(#[from] io::Error),
    /// The proof of the solver.
    #[error("the proof of the solver cannot be read: {0}")]
    Read(#[from] Refusal),
    /// A step of the proof of the solver, by the number of its clause.
    #[error(
        "clause {0} of the solver's proof is not derived by unit propagation, which no proof from the file has"
    )]
    Step(u64),
}

/// The text that is written so far.
struct Writer {
    proof: Proof,
    /// The last line that states a constraint of the problem.
    first: u64,
    /// The variables of the file before those of the encoder, if these are others.
    shift: u32,
    out: BufWriter<Box<dyn Write>>,
}

impl Writer {
    /// A writer of a proof that states the constraints so far.
    fn new(proof: Proof, out: impl Write + 'static) -> Self {
        Self { first: proof.last(), proof, shift: 0, out: BufWriter::new(Box::new(out)) }
    }

    /// Writes the text to the file if there is enough of it.
    fn flush(&mut self) -> io::Result<()> {
        self.proof.take(KEPT_BYTES).map_or(Ok(()), |text| self.out.write_all(text.as_bytes()))
    }

    fn conclude(mut self, conclusion: &str) -> io::Result<()> {
        self.out.write_all(self.proof.conclude(conclusion).as_bytes())?;
        self.out.flush()
    }
}

/// A proof that has derived all clauses, and ends with the answer.
pub struct FileProof {
    writer: Writer,
    /// The lines of the clauses, in the order of the encoder.
    lines: Vec<u64>,
    /// The line of an empty clause, if the encoding has one.
    empty: Option<u64>,
    candidates: u32,
    /// The terms of the objective that VeriPB reads, negated if it is a maximum.
    objective: Option<Terms>,
    /// The value of the best solution, in the sense of a minimum.
    value: Option<i128>,
    /// True if the proof starts from a translation.
    pub is_translated: bool,
}

impl FileProof {
    /// Writes the beginning of a proof up to the last clause. `text` is the file of the problem, if it has one;
    /// `translation` makes the file for OPB where VeriPB cannot read it. With a best solution the proof goes on to the
    /// optimum: the last constraint of the problem is that others are better.
    ///
    /// # Errors
    ///
    /// When the clauses of the encoding cannot be derived, or a file cannot be written.
    pub fn begin(
        problem: &Problem,
        encoding: &dyn Encoding,
        (text, best): (Option<&[u8]>, Option<&Solution>),
        out: impl Write + 'static,
        translation: impl FnOnce() -> io::Result<File>,
    ) -> Result<Self, FileProofError> {
        let mut stated = text.and_then(StatedConstraints::read);
        let found = stated.as_mut().and_then(|stated| stated.premises(problem, best));
        let is_translated = found.is_none();
        if is_translated && best.is_some() {
            return Err(FileProofError::Underivable(
                "VeriPB reads only plain OPB, and the objective is not translated: state the problem in plain OPB".into(),
            ));
        }
        let objective = stated.filter(|_| !is_translated).and_then(|stated| stated.objective);
        let (premises, proof, value) = if let Some(found) = found {
            found
        } else {
            let mut out = BufWriter::new(translation()?);
            let (premises, constraints) = Premises::translated(problem, &mut out)?;
            out.flush()?;
            (premises, Proof::new(constraints), None)
        };
        let writer = Writer::new(proof, out);
        let (writer, lines, empty) = derived(problem, encoding, &premises, writer, false)?;
        let candidates = problem.candidates();
        Ok(Self { writer, lines, empty, candidates, objective, value, is_translated })
    }

    /// Tries to derive the clauses of an encoding. Groups with equal clauses and bounds are derived once.
    ///
    /// # Errors
    ///
    /// When they cannot.
    pub fn can_derive(problem: &Problem, encoding: &dyn Encoding) -> Result<(), FileProofError> {
        let (premises, constraints) = Premises::translated(problem, &mut io::sink())?;
        let writer = Writer::new(Proof::new(constraints), io::sink());
        derived(problem, encoding, &premises, writer, true).map(drop)
    }

    /// The proof for a solver that receives the clauses under this numbering.
    #[must_use]
    pub fn numbered(mut self, numbering: &Numbering) -> Self {
        numbering.order_clauses(&mut self.lines);
        self
    }

    /// Ends the proof with the solver's refutation in LRAT of the clauses in their order, whose variables are images of
    /// the encoder's. Returns the number of constraints that the proof derives.
    ///
    /// # Errors
    ///
    /// When a step cannot be read or written, or is no unit propagation.
    pub fn refute(
        mut self,
        images: &Images,
        variables: u32,
        proof: impl Read,
    ) -> Result<u64, FileProofError> {
        let line = match self.empty {
            Some(line) => line,
            None => lemmas::write(&mut self.writer, &self.lines, images, variables, proof)?,
        };
        let conclusion = match self.value {
            Some(value) => format!("BOUNDS {value} : {line} {value}"),
            None if self.objective.is_some() => format!("BOUNDS INF : {line} INF"),
            None => format!("UNSAT : {line}"),
        };
        let steps = self.writer.proof.last() - self.writer.first;
        self.writer.conclude(&conclusion)?;
        Ok(steps)
    }

    /// Ends the proof with a solution. If the file has an objective, its bounds are its least sum and the value of the
    /// solution.
    ///
    /// # Errors
    ///
    /// When the file cannot be written.
    pub fn satisfy(mut self, solution: &Solution) -> Result<(), FileProofError> {
        let literals = literals(solution, self.candidates);
        let conclusion = match &self.objective {
            None => format!("SAT :{literals}"),
            Some(terms) => {
                let least = terms.iter().map(|&(_, weight)| weight.min(0)).sum::<i128>();
                let value = value_of(terms, solution);
                // A bound that holds always follows from any constraint, as that a literal is not negative.
                let line = self.writer.proof.pol("x1");
                format!("BOUNDS {least} : {line} {value} :{literals}")
            }
        };
        Ok(self.writer.conclude(&conclusion)?)
    }
}

/// Makes variables, and leaves out the clauses.
struct Variables(u32);

impl ClauseSink for Variables {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.0, count)
    }

    fn clause(&mut self, _lits: &[Lit]) {}
}

/// The writer after all clauses of an encoding, their lines, and that of an empty one if there is one. Equal groups may be
/// derived once each; then the lines of the others are none of the proof's.
fn derived(
    problem: &Problem,
    encoding: &dyn Encoding,
    premises: &Premises,
    writer: Writer,
    is_once_each: bool,
) -> Result<(Writer, Vec<u64>, Option<u64>), FileProofError> {
    let id = encoding.info().id;
    let map = encoding.rules(problem, &mut Variables(0));
    let is_direct = (0..).zip(map.cubes()).all(|(number, cube)| cube == [Lit::positive(number)]);
    if is_direct {
        let mut sink = GroupSink::new(problem, premises, writer);
        if is_once_each {
            sink = sink.once_each();
        }
        encoding.encode(problem, &mut sink);
        return sink.finish(&id);
    }
    let mut sink = DomainSink::new(problem, premises, &map, writer).ok_or_else(|| {
        FileProofError::Underivable(format!(
            "the variables of `{id}` are others than the file's, and those of no exactly-one groups: take an encoding with \
             a variable for each, as `sequential-counter`"
        ))
    })?;
    encoding.encode(problem, &mut sink);
    sink.finish(&id)
}

/// The literal of a candidate's literal where each candidate has the variable of its number.
fn lit(literal: bezzel_problem::Literal) -> Lit {
    Lit::new(literal.candidate(), literal.is_negated())
}

/// The literals that hold in a solution.
fn literals(solution: &Solution, candidates: u32) -> String {
    let mut text = String::new();
    for candidate in 0..candidates {
        let sign = if solution.chooses(candidate) { "" } else { "~" };
        let _ = write!(text, " {sign}x{}", u64::from(candidate) + 1);
    }
    text
}
