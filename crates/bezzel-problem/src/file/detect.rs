//! Cardinality constraints that stand as clauses.
//!
//! The clauses of all choices of k + 1 literals out of n state that at least n − k of the n hold. That is at most k of
//! their negations. Such sets of clauses are searched for k from 1 to 3: a clause that is in no set found before is
//! extended by one literal after the other, as long as all clauses with it are there. Last, a set loses the literals that
//! only clauses of other sets need, the smallest set first. A clause may be in several sets, so rows, columns and diagonals
//! of a board are found.
//!
//! The search is greedy: it finds constraints, not the fewest. Constraints that are encoded by auxiliary variables are
//! not found.
//!
//! *Source.* A. Biere, D. Le Berre, E. Lonca, N. Manthey, "Detecting Cardinality Constraints in CNF", SAT 2014, section
//! 3.1, the syntactic method, for at most one.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use super::parsed::Format;
use super::{ProblemFile, ProjectionSet};
use crate::group::Lists;
use crate::kind::Kind;
use crate::literal::Literal;
use crate::problem::Problem;
use crate::text::FileError;

/// The largest k.
const MAX_K: usize = 3;

/// The most times that a clause is looked up.
const MAX_STEPS: u64 = 200_000_000;

/// Constraints that were found in the clauses of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detected {
    /// For each k from 1, the sets of literals of which at most k are false.
    pub at_most: [Vec<Vec<Literal>>; MAX_K],
    /// The numbers of the other clauses.
    pub rest: Vec<usize>,
    /// True if the search ended early, at its limit.
    pub is_partial: bool,
}

impl Detected {
    /// Searches the clauses.
    pub fn of(clauses: &Lists<Literal>) -> Self {
        let mut found = Self::default();
        let steps = Cell::new(MAX_STEPS);
        let mut is_covered = vec![false; clauses.len()];
        for (sets, k) in found.at_most.iter_mut().zip(1..) {
            let mut search = Search::new(clauses, k, &steps);
            *sets = search.sets(clauses);
            for (is_covered, sets) in is_covered.iter_mut().zip(&search.covered) {
                *is_covered |= *sets > 0;
            }
        }
        found.rest = (0..clauses.len()).filter(|&number| !is_covered[number]).collect();
        found.is_partial = steps.get() == 0;
        found
    }
}

impl ProblemFile {
    /// The constraints that stand as clauses in a CNF file.
    ///
    /// # Errors
    ///
    /// When this process has not read the file, it has another format, or a group in its comments is weighted since it
    /// repeats a literal: KNF has no weights.
    pub fn detected(&self) -> Result<Detected, FileError> {
        let is_weighted =
            |problem: &Problem| problem.families().iter().any(|family| family.weights().is_some());
        match self.format() {
            Some(Format::Cnf) if is_weighted(&self.constraints()) => Err(FileError::whole(
                "a group in its comments repeats a literal, and KNF has no weights: state the literal once",
            )),
            Some(Format::Cnf) => Ok(Detected::of(self.constraints().clauses())),
            Some(format) => Err(FileError::whole(format!(
                "it is {}, which states its constraints: clauses are searched in CNF",
                format.name()
            ))),
            None => Err(FileError::whole("the file was not read")),
        }
    }

    /// The file as KNF, with these constraints in the place of their clauses.
    pub fn with_detected(&self, detected: &Detected) -> String {
        let problem = self.constraints();
        let rest = detected.rest.iter().map(|&number| problem.clauses().get(number));
        let mut lines: Vec<String> = rest.map(|clause| line("", clause)).collect();
        let groups = groups(&problem);
        let sorted = |literals: &[Literal]| {
            let mut literals = literals.to_vec();
            literals.sort_unstable();
            literals
        };
        let stated: HashSet<_> =
            groups.iter().map(|(least, group)| (*least, sorted(group))).collect();
        for (sets, k) in detected.at_most.iter().zip(1..) {
            let bounded = sets.iter().map(|set| ((set.len() - k) as u64, set));
            let other = bounded.filter(|(least, set)| !stated.contains(&(*least, sorted(set))));
            lines.extend(other.map(|(least, set)| line(&format!("k {least} "), set)));
        }
        lines.extend(groups.iter().map(|(least, group)| line(&format!("k {least} "), group)));
        let mut text = format!("p knf {} {}\n", problem.candidates(), lines.len());
        if let Some(ProjectionSet { variables, .. }) = self.projection() {
            let chosen: Vec<Literal> = variables.into_iter().map(Literal::chosen).collect();
            text += &line("c p show ", &chosen);
        }
        text + &lines.concat()
    }
}

/// The groups that the comments of the file state, each as literals of which at least a number holds.
fn groups(problem: &Problem) -> Vec<(u64, Vec<Literal>)> {
    let mut groups = Vec::new();
    for family in problem.families() {
        let bounds = family.bounds();
        family.for_each(|group| {
            if let Some(least) = bounds.at_least {
                groups.push((least, group.to_vec()));
            }
            if let Some(most) = bounds.at_most {
                let negated = group.iter().map(|&literal| !literal).collect();
                groups.push(((group.len() as u64).saturating_sub(most), negated));
            }
        });
    }
    groups
}

fn line(begin: &str, literals: &[Literal]) -> String {
    let mut line = begin.to_owned();
    for literal in literals {
        write!(line, "{literal:?} ").expect("strings take all text");
    }
    line + "0\n"
}

/// The literals of a clause in ascending order, and others than literals behind them.
type Key = [usize; MAX_K + 1];

/// The key of the literals of both lists.
fn key(literals: &[Literal], more: &[Literal]) -> Key {
    let mut key = [usize::MAX; MAX_K + 1];
    for (place, literal) in key.iter_mut().zip(literals.iter().chain(more)) {
        *place = literal.index();
    }
    key.sort_unstable();
    key
}

/// The search for one k.
struct Search<'a> {
    k: usize,
    /// The numbers of the clauses of k + 1 literals.
    numbers: HashMap<Key, usize>,
    /// For each literal, the clauses of k + 1 literals that have it.
    of_literal: Vec<Vec<usize>>,
    /// For each clause, the number of sets that have it.
    covered: Vec<u32>,
    steps: &'a Cell<u64>,
}

impl<'a> Search<'a> {
    fn new(clauses: &Lists<Literal>, k: usize, steps: &'a Cell<u64>) -> Self {
        let literals = clauses.items().iter().map(|literal| literal.index() + 1).max();
        let mut search = Self {
            k,
            numbers: HashMap::new(),
            of_literal: vec![Vec::new(); literals.unwrap_or(0)],
            covered: vec![0; clauses.len()],
            steps,
        };
        for (number, clause) in clauses.iter().enumerate().filter(|(_, of)| of.len() == k + 1) {
            if search.numbers.contains_key(&key(clause, &[])) {
                // A repetition adds nothing to the first one.
                search.covered[number] = 1;
                continue;
            }
            search.numbers.insert(key(clause, &[]), number);
            for literal in clause {
                search.of_literal[literal.index()].push(number);
            }
        }
        search
    }

    /// All sets, those of early clauses first.
    fn sets(&mut self, clauses: &Lists<Literal>) -> Vec<Vec<Literal>> {
        let mut sets = Vec::new();
        let least = self.k + 1;
        for (number, clause) in clauses.iter().enumerate().filter(|(_, of)| of.len() == least) {
            if self.covered[number] == 0 && self.steps.get() > 0 {
                let set = self.extended(clause, clauses);
                if set.len() > least {
                    self.each_clause(&set, |covered, _| *covered += 1);
                    sets.push(set);
                }
            }
        }
        let mut order: Vec<usize> = (0..sets.len()).collect();
        order.sort_by_key(|&set| sets[set].len());
        for set in order {
            let needed = self.needed(&sets[set]);
            if needed.len() < sets[set].len() {
                let is_kept = |of: &Literal| needed.binary_search(of).is_ok();
                self.each_clause(&sets[set], |covered, clause| {
                    if needed.len() <= least || !clause.iter().all(is_kept) {
                        *covered -= 1;
                    }
                });
                sets[set] = needed;
            }
        }
        sets.retain(|set| set.len() > least);
        sets
    }

    fn count_steps(&self, number: usize) {
        self.steps.set(self.steps.get().saturating_sub(number as u64));
    }

    /// The literals of the clauses that no other set has.
    fn needed(&mut self, set: &[Literal]) -> Vec<Literal> {
        let mut needed = Vec::new();
        self.each_clause(set, |covered, clause| {
            if *covered == 1 {
                needed.extend_from_slice(clause);
            }
        });
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    fn each_clause(&mut self, set: &[Literal], mut each: impl FnMut(&mut u32, &[Literal])) {
        each_choice(set, self.k + 1, &mut |clause| {
            self.count_steps(1);
            each(&mut self.covered[self.numbers[&key(clause, &[])]], clause);
            true
        });
    }

    /// The literals of a clause and all that can be added to them, ascending. Literals with many clauses that are in no set
    /// yet come first.
    fn extended(&mut self, clause: &[Literal], clauses: &Lists<Literal>) -> Vec<Literal> {
        let mut set = clause.to_vec();
        let rarest = clause.iter().min_by_key(|literal| self.of_literal[literal.index()].len());
        let beside = &self.of_literal[rarest.expect("a clause has literals").index()];
        let mut further: Vec<Literal> =
            beside.iter().flat_map(|&number| clauses.get(number)).copied().collect();
        further.sort_unstable();
        further.dedup();
        further.retain(|literal| !set.contains(literal) && self.takes(&set, *literal));
        let is_among = |of: &Literal| further.binary_search(of).is_ok() || clause.contains(of);
        // The clauses of a literal that are in no set yet: beside literals of the clause, and beside all.
        let among = |literal: &Literal| {
            let all = &self.of_literal[literal.index()];
            self.count_steps(all.len());
            let all = all.iter().copied();
            let new = all.filter(|&number| self.covered[number] == 0).map(|of| clauses.get(of));
            let is_beside = |of: &Literal| of == literal || clause.contains(of);
            let beside = new.clone().filter(|of| of.iter().all(is_beside)).count();
            (beside, new.filter(|of| of.iter().all(is_among)).count())
        };
        let mut order: Vec<(Reverse<(usize, usize)>, Literal)> =
            further.iter().map(|literal| (Reverse(among(literal)), *literal)).collect();
        order.sort_unstable();
        for (_, literal) in order {
            if self.takes(&set, literal) {
                set.push(literal);
            }
        }
        set.sort_unstable();
        set
    }

    /// True if all clauses of k literals of the set and this one are there.
    fn takes(&self, set: &[Literal], literal: Literal) -> bool {
        each_choice(set, self.k, &mut |chosen| {
            self.count_steps(1);
            self.numbers.contains_key(&key(chosen, &[literal]))
        })
    }
}

/// Calls `each` with all choices of some literals, while it returns true; false if it did not.
pub(super) fn each_choice(
    literals: &[Literal],
    number: usize,
    each: &mut dyn FnMut(&[Literal]) -> bool,
) -> bool {
    fn choose(
        rest: &[Literal],
        number: usize,
        chosen: &mut Vec<Literal>,
        each: &mut dyn FnMut(&[Literal]) -> bool,
    ) -> bool {
        if number == 0 {
            return each(chosen);
        }
        (0..rest.len()).all(|at| {
            chosen.push(rest[at]);
            let goes_on = choose(&rest[at + 1..], number - 1, chosen, each);
            chosen.pop();
            goes_on
        })
    }
    choose(literals, number, &mut Vec::with_capacity(number), each)
}
