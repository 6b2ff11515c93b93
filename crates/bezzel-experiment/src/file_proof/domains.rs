//! Encodings whose variables are others than the file's, as `binary` and `order`.
//!
//! A family of exactly-one groups has each candidate once. The variables of a group are a function of the candidate that
//! holds: those of the cubes, and those that occur with them alone in clauses. The proof introduces them after the variables
//! of the file, derives for each candidate that it holds if and only if its cube does, and deletes the definitions. Clauses
//! on several groups then follow by unit propagation, with one constraint of the problem.

use std::borrow::Cow;

use bezzel_encode::certificate::derive;
use bezzel_encode::propagate::Propagator;
use bezzel_encode::{ClauseSink, Formula, Lit, VarMap, VarRange};
use bezzel_problem::{Bounds, GroupFamily, Lists, Literal, Problem};

use super::premises::{Premises, halves, plain};
use super::refutation::Refutations;
use super::{FileProofError, Writer, groups, lit};

/// Takes the clauses, and derives those on one group when the first other clause comes.
pub(super) struct DomainSink<'a> {
    problem: &'a Problem,
    premises: &'a Premises,
    map: &'a VarMap,
    writer: Writer,
    made: u32,
    /// The number of the family, and its groups.
    family: usize,
    domains: Lists<Literal>,
    /// The group of each variable of the encoding that has one.
    owners: Vec<Option<usize>>,
    /// The clauses on one group, with their groups, in order.
    clauses: Vec<(usize, Vec<Lit>)>,
    /// The groups of each family, and for each candidate those that have it.
    groups: Vec<Cow<'a, Lists<Literal>>>,
    of: Vec<Vec<(usize, usize)>>,
    /// The derived clauses and those of the problem, once the variables are defined.
    known: Option<Propagator>,
    lines: Vec<u64>,
    /// The number of the first clause that cannot be derived.
    fault: Option<usize>,
    error: Option<std::io::Error>,
}

impl<'a> DomainSink<'a> {
    /// A sink for an encoding with these cubes; the writer back if no family of groups has the candidates.
    pub(super) fn new(
        problem: &'a Problem,
        premises: &'a Premises,
        map: &'a VarMap,
        writer: Writer,
    ) -> Option<Self> {
        let is_partition = |lists: &Lists<Literal>| {
            let mut all: Vec<Literal> = lists.items().to_vec();
            all.sort_unstable();
            all.iter().copied().eq((0..problem.candidates()).map(|it| Literal::new(it, false)))
        };
        let (family, domains) =
            problem.families().iter().enumerate().find_map(|(at, family)| {
                let is_plain = family.weights().is_none() && family.conditions().is_empty();
                let is_right = is_plain && family.bounds() == Bounds::EXACTLY_ONE;
                let lists = is_right.then(|| family.listed().into_owned());
                lists.filter(is_partition).map(|lists| (at, lists))
            })?;
        let groups: Vec<_> = problem.families().iter().map(GroupFamily::listed).collect();
        let mut of = vec![Vec::new(); problem.candidates() as usize];
        for (number, groups) in groups.iter().enumerate() {
            for (group, literals) in groups.iter().enumerate() {
                for literal in literals {
                    of[literal.candidate() as usize].push((number, group));
                }
            }
        }
        let mut owners = Vec::new();
        for (number, domain) in domains.iter().enumerate() {
            for var in domain.iter().flat_map(|literal| map.cube(literal.candidate())) {
                let place = var.vidx();
                owners.resize(owners.len().max(place + 1), None);
                if owners[place].replace(number).is_some_and(|other| other != number) {
                    return None;
                }
            }
        }
        Some(Self {
            problem,
            premises,
            map,
            writer,
            made: 0,
            family,
            domains,
            owners,
            groups,
            of,
            clauses: Vec::new(),
            known: None,
            lines: Vec::new(),
            fault: None,
            error: None,
        })
    }

    /// The writer, and the lines of all clauses.
    pub(super) fn finish(
        mut self,
        id: &str,
    ) -> Result<(Writer, Vec<u64>, Option<u64>), FileProofError> {
        if self.known.is_none() {
            self.define();
        }
        self.writer.shift = self.problem.candidates();
        if let Some(clause) = self.fault {
            return Err(FileProofError::Underivable(format!(
                "clause {} of `{id}` follows from no single constraint of the file: take an encoding with a variable for \
                 each of the file's, as `sequential-counter`",
                clause + 1
            )));
        }
        match self.error {
            Some(error) => Err(error.into()),
            None => Ok((self.writer, self.lines, None)),
        }
    }

    /// The group of a clause that is on one group alone; its new variables are those of this group.
    fn owner(&mut self, clause: &[Lit]) -> Option<usize> {
        self.owners.resize(self.made as usize, None);
        let mut owners = clause.iter().filter_map(|lit| self.owners[lit.vidx()]);
        let owner = owners.next()?;
        if owners.any(|other| other != owner) {
            return None;
        }
        for lit in clause {
            self.owners[lit.vidx()] = Some(owner);
        }
        Some(owner)
    }

    /// Introduces the variables, and derives the clauses on single groups.
    fn define(&mut self) {
        let candidates = self.problem.candidates();
        self.owners.resize(self.made as usize, None);
        let mut variables = vec![Vec::new(); self.domains.len()];
        for (variable, owner) in (0..).zip(&self.owners) {
            if let Some(owner) = *owner {
                variables[owner].push(variable);
            }
        }
        let mut clauses = vec![Vec::new(); self.domains.len()];
        for (place, (owner, _)) in self.clauses.iter().enumerate() {
            clauses[*owner].push(place);
        }
        self.lines = vec![0; self.clauses.len()];
        let mut known = Formula::new();
        known.fresh(candidates + self.made);
        for clause in plain(self.problem) {
            known.clause(&clause.into_iter().map(lit).collect::<Vec<Lit>>());
        }
        let mut refutations = Refutations::default();
        for (number, variables) in variables.iter().enumerate() {
            let domain = self.domains.get(number);
            let inputs = domain.len() as u32;
            let mut formula = Formula::new();
            formula.fresh(inputs + variables.len() as u32);
            let local = |lit: &Lit| {
                let place =
                    variables.binary_search(&lit.vidx32()).expect("a variable of the group");
                Lit::new(inputs + place as u32, lit.is_neg())
            };
            for &place in &clauses[number] {
                formula.clause(&self.clauses[place].1.iter().map(local).collect::<Vec<Lit>>());
            }
            for (x, literal) in (0..).map(Lit::positive).zip(domain) {
                let cube: Vec<Lit> = self.map.cube(literal.candidate()).iter().map(local).collect();
                for &lit in &cube {
                    formula.clause(&[!x, lit]);
                }
                let back: Vec<Lit> = [x].into_iter().chain(cube.iter().map(|&lit| !lit)).collect();
                formula.clause(&back);
            }
            // The values of the other variables where a candidate holds.
            let mut propagator = Propagator::new(&formula);
            for x in (0..inputs).map(Lit::positive) {
                let before = propagator.trail().len();
                let _ = propagator.assume(x);
                for &value in
                    propagator.trail()[before..].iter().filter(|lit| lit.vidx32() >= inputs)
                {
                    formula.clause(&[!x, value]);
                }
                propagator.undo(before);
            }
            let images: Vec<Lit> = domain
                .iter()
                .map(|&literal| lit(literal))
                .chain(variables.iter().map(|&variable| Lit::positive(candidates + variable)))
                .collect();
            for clause in formula.clauses() {
                let image =
                    |lit: &Lit| if lit.is_neg() { !images[lit.vidx()] } else { images[lit.vidx()] };
                known.clause(&clause.iter().map(image).collect::<Vec<Lit>>());
            }
            let place = |literal: Literal| {
                let place =
                    domain.iter().position(|other| other.candidate() == literal.candidate())?;
                Some(Lit::new(place as u32, literal.is_negated()))
            };
            let premises =
                groups::premises(self.problem, self.premises, (self.family, number), domain, place);
            self.writer.proof.set_images(images, candidates + self.made);
            let mut refute = |formula: &Formula| refutations.refute(formula);
            let proof = &mut self.writer.proof;
            let lines = premises
                .and_then(|premises| derive(&formula, inputs, &premises, None, proof, &mut refute));
            let Some(lines) = lines else {
                self.fault = Some(clauses[number].first().copied().unwrap_or(0));
                break;
            };
            for (&place, line) in clauses[number].iter().zip(lines) {
                self.lines[place] = line;
            }
            self.error = self.error.take().or(self.writer.flush().err());
        }
        self.writer.proof.set_images(Vec::new(), candidates);
        self.known = Some(Propagator::new(&known));
    }

    /// True if a clause follows by unit propagation from the derived clauses and one constraint of the problem.
    fn follows(&mut self, clause: &[Lit]) -> bool {
        let candidates = self.problem.candidates();
        let Some(mut known) = self.known.take() else { return false };
        let before = known.trail().len();
        let shifted = |lit: &Lit| Lit::new(lit.vidx32() + candidates, lit.is_neg());
        let mut follows = clause.iter().map(shifted).any(|lit| known.assume(!lit).is_err());
        if !follows {
            let is_false = |literal: Literal| known.fails(lit(literal));
            let is_violated = |&(number, group): &(usize, usize)| {
                let family = &self.problem.families()[number];
                let weights = family.weights().map(|weights| weights.get(group));
                let condition = family.conditions().get(group).copied();
                let literals = self.groups[number].get(group);
                let halves = halves(literals, weights, family.bounds(), condition);
                halves.into_iter().flatten().any(|(terms, degree)| {
                    let open = terms.into_iter().filter(|&(literal, _)| !is_false(literal));
                    open.map(|(_, weight)| weight).sum::<u64>() < degree
                })
            };
            let decided = known.trail()[before..].iter().filter(|lit| lit.vidx32() < candidates);
            follows = decided.flat_map(|lit| &self.of[lit.vidx()]).any(is_violated);
        }
        known.undo(before);
        self.known = Some(known);
        follows
    }
}

impl ClauseSink for DomainSink<'_> {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.made, count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        if self.fault.is_some() || self.error.is_some() {
            return;
        }
        if self.known.is_none() {
            if let Some(owner) = self.owner(lits) {
                self.clauses.push((owner, lits.to_vec()));
                return;
            }
            self.define();
        }
        let is_owned = |lit: &Lit| self.owners.get(lit.vidx()).is_some_and(Option::is_some);
        if self.fault.is_none() && lits.iter().all(is_owned) && self.follows(lits) {
            let line = self.writer.proof.rup(lits);
            self.lines.push(line);
            self.error = self.writer.flush().err();
        } else {
            self.fault.get_or_insert(self.lines.len());
        }
    }
}
