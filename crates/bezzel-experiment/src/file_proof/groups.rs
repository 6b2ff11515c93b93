//! The clauses of an encoding, group by group, each derived from the bounds of its group.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::mem;

use bezzel_encode::certificate::{Premise, derive};
use bezzel_encode::{ClauseSink, Formula, Lit, VarRange};
use bezzel_problem::{Lists, Literal, Problem};

use super::premises::{Half, Premises, halves, plain};
use super::refutation::Refutations;
use super::{FileProofError, Writer, lit};

/// Takes the clauses of a group, whose literals are variables from 0 on here, and derives them at its end.
pub(super) struct GroupSink<'a> {
    problem: &'a Problem,
    premises: &'a Premises,
    writer: Writer,
    /// The variables so far, and those before the group.
    made: u32,
    first: u32,
    /// The number of the family and its groups, and the first number that the next family may have.
    family: Option<(usize, Cow<'a, Lists<Literal>>)>,
    next_family: usize,
    /// The number of the group, and its clauses.
    group: Option<usize>,
    clauses: Formula,
    /// The clauses beside the groups that are still to come, the next one last, with their lines.
    plain: Vec<(Vec<Lit>, u64)>,
    lines: Vec<u64>,
    empty: Option<u64>,
    /// The digests of the groups that are derived, if equal ones are derived once.
    derived: Option<HashSet<u64>>,
    refutations: Refutations,
    /// The first clause that cannot be derived.
    fault: Option<Fault>,
}

/// The place of a clause that cannot be derived, or a file that cannot be written.
enum Fault {
    Beside(u64),
    Group(usize, usize),
    Write(io::Error),
}

impl<'a> GroupSink<'a> {
    pub(super) fn new(problem: &'a Problem, premises: &'a Premises, writer: Writer) -> Self {
        let lits = |clause: Vec<Literal>| clause.into_iter().map(lit).collect();
        let clauses = plain(problem).map(lits);
        let mut plain: Vec<(Vec<Lit>, u64)> = clauses.zip(premises.plain.iter().copied()).collect();
        plain.reverse();
        Self {
            problem,
            premises,
            writer,
            made: 0,
            first: 0,
            family: None,
            next_family: 0,
            group: None,
            clauses: Formula::new(),
            plain,
            lines: Vec::new(),
            empty: None,
            derived: None,
            refutations: Refutations::default(),
            fault: None,
        }
    }

    /// Derives equal groups once. The lines of the others are none of the proof's.
    pub(super) fn once_each(self) -> Self {
        Self { derived: Some(HashSet::new()), ..self }
    }

    /// The writer, the lines of all clauses, and that of an empty one if there is one.
    pub(super) fn finish(
        mut self,
        id: &str,
    ) -> Result<(Writer, Vec<u64>, Option<u64>), FileProofError> {
        self.end_group();
        match self.fault {
            None => Ok((self.writer, self.lines, self.empty)),
            Some(Fault::Write(error)) => Err(error.into()),
            Some(Fault::Beside(clause)) => Err(FileProofError::Underivable(format!(
                "clause {clause} of `{id}` belongs to no group, and has auxiliary variables without a known definition: \
                 take an encoding of each group, as `sequential-counter`"
            ))),
            Some(Fault::Group(number, group)) => {
                let family = &self.problem.families()[number];
                let first = family.origin().map_or(String::new(), |origin| {
                    format!(", the first of which is in line {}", origin.line)
                });
                let inputs = family.lengths().nth(group).unwrap_or_default();
                Err(FileProofError::Underivable(format!(
                    "no proof was found of the clauses of `{id}` in group {} of the family `{}`{first}: its auxiliary \
                     variables have no definition that the proof could use, and {inputs} inputs are too many for a search; \
                     docs/proofs.md names such encoders. Take an encoding whose variables count inputs, as \
                     `sequential-counter` or `totalizer:cut`",
                    group + 1,
                    family.name()
                )))
            }
        }
    }

    fn add(&mut self, clause: &[Lit], line: u64) {
        self.lines.push(line);
        if clause.is_empty() {
            self.empty = self.empty.or(Some(line));
        }
    }

    /// Derives a clause beside the groups: it is one of the problem's, or follows by unit propagation.
    fn plain(&mut self, clause: &[Lit]) {
        if let Some((_, line)) = self.plain.pop_if(|(next, _)| next.as_slice() == clause) {
            self.add(clause, line);
        } else if clause.iter().all(|lit| lit.vidx32() < self.problem.candidates()) {
            self.writer.proof.set_images(Vec::new(), 0);
            let line = self.writer.proof.rup(clause);
            self.add(clause, line);
        } else {
            self.fault.get_or_insert(Fault::Beside(self.lines.len() as u64 + 1));
        }
    }

    /// Derives the clauses of the group that ends here.
    fn end_group(&mut self) {
        let clauses = mem::take(&mut self.clauses);
        let Some(group) = self.group.take().filter(|_| self.fault.is_none()) else { return };
        let Some((family, groups)) = self.family.take() else { return };
        let lines = self.derive(&clauses, (family, group), groups.get(group));
        self.family = Some((family, groups));
        let Some(lines) = lines else {
            self.fault = Some(Fault::Group(family, group));
            return;
        };
        for (clause, line) in clauses.clauses().zip(lines) {
            self.add(clause, line);
        }
        self.fault = self.writer.flush().err().map(Fault::Write);
    }

    /// The lines of the clauses of a group; none if they are not derived. Its literals are the first variables here. The
    /// negation of its condition is the next one, and auxiliary variables follow.
    fn derive(
        &mut self,
        clauses: &Formula,
        (number, group): (usize, usize),
        literals: &[Literal],
    ) -> Option<Vec<u64>> {
        let family = &self.problem.families()[number];
        let condition = family.conditions().get(group).copied();
        let mut images: Vec<Lit> = literals
            .iter()
            .copied()
            .chain(condition.map(|condition| !condition))
            .map(lit)
            .collect();
        let inputs = images.len() as u32;
        let mut places = HashMap::new();
        for (place, image) in (0..).zip(&images) {
            if places.insert(image.var(), Lit::new(place, image.is_neg())).is_some() {
                return None;
            }
        }
        images.extend((self.first..self.made).map(Lit::positive));
        let (first, made, candidates) = (self.first, self.made, self.problem.candidates());
        let local = |lit: Lit| {
            let own = match lit.vidx32() {
                variable if variable < candidates => *places.get(&lit.var())?,
                variable if (first..made).contains(&variable) => {
                    Lit::positive(inputs + variable - first)
                }
                _ => return None,
            };
            Some(if lit.is_neg() { !own } else { own })
        };
        let mut formula = Formula::new();
        formula.fresh(images.len() as u32);
        for clause in clauses.clauses() {
            // Without the literals of others the clause says more.
            formula.clause(&clause.iter().filter_map(|&lit| local(lit)).collect::<Vec<Lit>>());
        }
        let place = |literal| local(lit(literal));
        let premises = premises(self.problem, self.premises, (number, group), literals, place)?;
        if let Some(derived) = &mut self.derived {
            let mut hasher = DefaultHasher::new();
            (inputs, condition.is_some()).hash(&mut hasher);
            for clause in formula.clauses() {
                clause.hash(&mut hasher);
            }
            for Premise { terms, degree, .. } in &premises {
                (terms, degree).hash(&mut hasher);
            }
            if !derived.insert(hasher.finish()) {
                return Some(vec![0; formula.len()]);
            }
        }
        let guard = condition.map(|_| Lit::positive(inputs - 1));
        let proof = &mut self.writer.proof;
        proof.set_images(images, self.made);
        let refutations = &mut self.refutations;
        let mut refute = |formula: &Formula| refutations.refute(formula);
        let mut lines = derive(&formula, inputs, &premises, guard, proof, &mut refute)?;
        proof.set_images(Vec::new(), 0);
        let both = clauses.clauses().zip(formula.clauses());
        for (line, (clause, own)) in lines.iter_mut().zip(both) {
            if own.len() < clause.len() {
                *line = proof.rup_by(clause, &[*line]);
            }
        }
        Some(lines)
    }
}

/// The bounds of a group, by its family and its number, on the literals that `place` gives.
pub(super) fn premises(
    problem: &Problem,
    premises: &Premises,
    (number, group): (usize, usize),
    literals: &[Literal],
    place: impl Fn(Literal) -> Option<Lit>,
) -> Option<Vec<Premise>> {
    let family = &problem.families()[number];
    let condition = family.conditions().get(group).copied();
    let weights = family.weights().map(|weights| weights.get(group));
    let halves = halves(literals, weights, family.bounds(), condition);
    let stated = halves.into_iter().zip(premises.groups[number][group]);
    let premise = |(half, line): (Option<Half>, Option<u64>)| {
        let ((terms, degree), id) = half.zip(line)?;
        let terms = terms.into_iter().map(|(literal, weight)| Some((place(literal)?, weight)));
        Some(terms.collect::<Option<_>>().map(|terms| Premise { id, terms, degree }))
    };
    stated.filter_map(premise).collect()
}

impl ClauseSink for GroupSink<'_> {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.made, count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        if self.group.is_some() {
            self.clauses.clause(lits);
        } else {
            self.plain(lits);
        }
    }

    fn section(&mut self, name: &str) {
        self.end_group();
        let families = self.problem.families();
        let number = (self.next_family..families.len()).find(|&at| families[at].name() == name);
        self.family = number.map(|number| (number, families[number].listed()));
        self.next_family = number.unwrap_or(self.next_family);
    }

    fn line(&mut self, number: u32) {
        self.end_group();
        self.first = self.made;
        if let Some((family, groups)) = &self.family {
            self.next_family = family + 1;
            self.group = (number as usize).checked_sub(1).filter(|&group| group < groups.len());
        }
    }
}
