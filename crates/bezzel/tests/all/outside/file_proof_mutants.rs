//! Mutants of encoders, and of proofs from files of constraints.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use bezzel_encode::models::Decider;
use bezzel_encode::{
    ClauseSink, Encoding, EncodingInfo, Formula, Lit, Registry, Settings, Size, VarMap, VarRange,
};
use bezzel_problem::{Kind, Problem, ProblemFile};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::file_proofs::{problem, verified, write};
use crate::program::is_installed;

/// An encoding of which one clause is changed: left out, or with a literal less, more or negated.
struct Mutant {
    inner: Arc<dyn Encoding>,
    seed: u64,
}

struct MutantSink<'a> {
    out: &'a mut dyn ClauseSink,
    random: ChaCha8Rng,
    /// The clauses until the changed one.
    left: u64,
    variables: u32,
}

impl ClauseSink for MutantSink<'_> {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.out.fresh(count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        let is_changed = self.left == 0;
        self.left = self.left.wrapping_sub(1);
        let mut clause = lits.to_vec();
        if is_changed && !lits.is_empty() {
            let place = self.random.random_range(0..clause.len());
            let any = Lit::new(self.random.random_range(0..self.variables), self.random.random());
            match self.random.random_range(0..4) {
                0 => return,
                1 if clause.len() > 1 => drop(clause.remove(place)),
                2 => clause.push(any),
                _ => clause[place] = !clause[place],
            }
        }
        self.out.clause(&clause);
    }

    fn section(&mut self, name: &str) {
        self.out.section(name);
    }

    fn line(&mut self, number: u32) {
        self.out.line(number);
    }
}

impl Encoding for Mutant {
    fn info(&self) -> EncodingInfo {
        self.inner.info()
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        self.inner.size(problem)
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let mut whole = Formula::new();
        self.inner.rules(problem, &mut whole);
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let left = random.random_range(0..whole.len().max(1) as u64);
        self.inner
            .rules(problem, &mut MutantSink { out, random, left, variables: whole.variables() })
    }
}

/// Some bounds on few variables, as terms, least sum, and OPB.
fn random_file(random: &mut ChaCha8Rng) -> (String, bool) {
    let variables = random.random_range(4..=6);
    let mut constraints: Vec<(Vec<i32>, i32)> = Vec::new();
    for _ in 0..random.random_range(3..=6) {
        let sign = if random.random() { 1 } else { -1 };
        let weights: Vec<i32> =
            (0..variables).map(|_| if random.random_range(0..4) > 0 { sign } else { 0 }).collect();
        let count = weights.iter().map(|weight| weight.abs()).sum::<i32>();
        let least = random.random_range(0..=count.max(1) * 2 / 3);
        constraints.push((weights, if sign > 0 { least + 1 } else { -least }));
    }
    let is_satisfiable = (0..1 << variables).any(|case: u32| {
        constraints.iter().all(|(weights, least)| {
            let of_case = weights.iter().enumerate().filter(|(at, _)| case >> at & 1 == 1);
            of_case.map(|(_, weight)| weight).sum::<i32>() >= *least
        })
    });
    let line = |(weights, least): &(Vec<i32>, i32)| {
        let terms = weights.iter().enumerate().filter(|(_, weight)| **weight != 0);
        let terms: Vec<String> =
            terms.map(|(at, weight)| format!("{weight} x{}", at + 1)).collect();
        format!("{} >= {least} ;\n", terms.join(" "))
    };
    let lines: String = constraints.iter().map(line).collect();
    (
        format!("* #variable= {variables} #constraint= {}\n{lines}", constraints.len()),
        is_satisfiable,
    )
}

/// Encoders of at most one and of bounds, of every way to a proof.
fn encoders() -> Vec<Arc<dyn Encoding>> {
    let registry = bezzel_queens::register(Registry::standard());
    let ids = ["sequential-counter", "totalizer:cut", "bdd:ite", "adder", "sorting-network"];
    let ids = ids.into_iter().chain(["modulo-totalizer", "adder+one-way", "cardinality-network"]);
    ids.map(|id| registry.find(id).unwrap().with_settings(Settings::default())).collect()
}

/// The clauses of an encoding by the names of their families and the numbers of their groups.
#[derive(Default)]
struct ByGroup {
    place: (String, usize),
    variables: u32,
    clauses: BTreeMap<(String, usize), Vec<Vec<Lit>>>,
}

impl ByGroup {
    fn new(problem: &Problem, encoding: &dyn Encoding) -> Self {
        let mut all = Self::default();
        encoding.rules(problem, &mut all);
        all
    }
}

impl ClauseSink for ByGroup {
    fn fresh(&mut self, count: u32) -> VarRange {
        VarRange::next(&mut self.variables, count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.clauses.entry(self.place.clone()).or_default().push(lits.to_vec());
    }

    fn section(&mut self, name: &str) {
        self.place = (name.to_owned(), 0);
    }

    fn line(&mut self, number: u32) {
        self.place.1 = number as usize;
    }
}

/// True if the clauses of the group that a mutant changed follow from its bounds, by all assignments; none if it changed a
/// clause beside the groups.
fn follows(problem: &Problem, encoding: &dyn Encoding, mutant: &dyn Encoding) -> Option<bool> {
    let [right, changed] = [encoding, mutant].map(|encoding| ByGroup::new(problem, encoding));
    let empty = Vec::new();
    let mut places = right.clauses.iter();
    let Some((place, _)) =
        places.find(|(place, clauses)| changed.clauses.get(*place).unwrap_or(&empty) != *clauses)
    else {
        return Some(true);
    };
    let number = place.1.checked_sub(1)?;
    let family = problem.families().iter().find(|family| family.name() == place.0)?;
    let groups = family.listed();
    let weights = family.weights().map(|weights| weights.get(number));
    let mut formula = Formula::new();
    formula.fresh(changed.variables);
    changed.clauses.get(place).unwrap_or(&empty).iter().for_each(|clause| formula.clause(clause));
    let mut decider = Decider::new(&formula);
    let is_right = (0_u32..1 << problem.candidates()).all(|case| {
        let holds = |candidate: u32| case >> candidate & 1 == 1;
        let terms = groups.get(number).iter().enumerate();
        let held = terms.filter(|(_, literal)| holds(literal.candidate()) != literal.is_negated());
        let weight = held.map(|(at, _)| weights.map_or(1, |weights| weights[at])).sum();
        let lits: Vec<Lit> =
            (0..problem.candidates()).map(|number| Lit::new(number, !holds(number))).collect();
        !family.bounds().admit(weight) || decider.models(&lits, 1, u64::MAX) != Ok(0)
    });
    Some(is_right)
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn mutants_of_encoders_are_refused_if_and_only_if_they_are_wrong() {
    if !is_installed("veripb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (encoders, mut random) = (encoders(), ChaCha8Rng::seed_from_u64(50));
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..500 {
        let (text, is_satisfiable) = random_file(&mut random);
        let problem = problem(&text);
        let inner = Arc::clone(&encoders[random.random_range(0..encoders.len())]);
        let mutant = Mutant { inner: Arc::clone(&inner), seed };
        let follows = follows(&problem, inner.as_ref(), &mutant);
        for (encoding, follows) in [(inner.as_ref(), Some(true)), (&mutant, follows)] {
            let written = write(folder.path(), (&problem, Some(&text)), encoding);
            let about = || format!("{} {seed} {text}", encoding.info().id);
            assert!(follows.is_none_or(|it| it == written.is_ok()), "{follows:?} {}", about());
            if let Ok(is_refuted) = written {
                let is_verified = is_refuted && verified(folder.path(), "f.opb", "p").is_some();
                assert!(!is_verified || !is_satisfiable, "{}", about());
                assert!(is_verified == is_refuted || follows.is_none(), "{}", about());
                accepted += u32::from(is_verified);
            } else {
                refused += 1;
            }
        }
    }
    assert!(refused > 100 && accepted > 100, "{refused} {accepted}");
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn mutants_of_proofs_refute_no_file_with_a_solution() {
    if !is_installed("veripb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (encoders, mut random) = (encoders(), ChaCha8Rng::seed_from_u64(51));
    let (mut offered, mut kept) = (0, 0);
    while offered < 500 {
        let (text, is_satisfiable) = random_file(&mut random);
        let encoder = &encoders[random.random_range(0..encoders.len())];
        let of_file = (&problem(&text), Some(&*text));
        if is_satisfiable || !write(folder.path(), of_file, encoder.as_ref()).unwrap() {
            continue;
        }
        let proof = fs::read_to_string(folder.path().join("p")).unwrap();
        // The file without one of its constraints, which has a solution in most cases.
        let mut lines: Vec<&str> = text.lines().collect();
        let at = random.random_range(1..lines.len());
        lines[at] = "1 x1 >= 0 ;";
        let other = lines.join("\n");
        fs::write(folder.path().join("other.opb"), &other).unwrap();
        let problem = ProblemFile::read("other.opb", None, other.as_bytes()).unwrap();
        let is_open = (0_u32..64).any(|case| {
            let chosen =
                (0..6).filter(|at| case >> at & 1 == 1).filter(|&at| at < Kind::size(&problem));
            problem.check(&chosen.collect()).is_ok()
        });
        for _ in 0..5 {
            let mutant = changed(&proof, &mut random);
            fs::write(folder.path().join("mutant"), &mutant).unwrap();
            offered += 1;
            kept += usize::from(verified(folder.path(), "f.opb", "mutant").is_some());
            let line = verified(folder.path(), "other.opb", "mutant");
            assert!(!is_open || line.is_none(), "{other}{mutant}");
        }
    }
    assert!((20..400).contains(&kept), "{kept} of {offered} are proofs still");
}

/// The proof after one change: a line less, a line twice, or one number more or less.
fn changed(proof: &str, random: &mut ChaCha8Rng) -> String {
    let mut lines: Vec<String> = proof.lines().map(str::to_owned).collect();
    let at = random.random_range(2..lines.len() - 3);
    match random.random_range(0..3) {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, lines[at].clone()),
        _ => {
            let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let place = random.random_range(0..words.len());
            if let Ok(number) = words[place].parse::<i64>() {
                words[place] = (number + if random.random() { 1 } else { -1 }).to_string();
            } else {
                words[place] = match words[place].strip_prefix('~') {
                    Some(rest) => rest.to_owned(),
                    None => format!("~{}", words[place]),
                };
            }
            lines[at] = words.join(" ");
        }
    }
    lines.join("\n") + "\n"
}
