//! The smallest CNF of "at most k of n" with some auxiliary variables, found by CaDiCaL.
//!
//! `smallest N K AUXILIARIES CLAUSES [weak|refuting|complete] [negative]` searches one CNF. `smallest` alone goes through
//! all n ≤ 6 and writes `docs/smallest.md`, which explains the search.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use bezzel_encode::amk::{self, AtMostK, Limit, knuth_counter::KnuthCounter};
use bezzel_encode::properties::constraint::ConstraintProfile;
use bezzel_encode::{ClauseSink, EncodingInfo, Lit, Propagation, Size, VarRange, size::grouped};
use bezzel_proof::{Limits, LratChecker};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Options, Session, SessionOptions, Solver};

/// The conflicts after which a search for the page stops.
const CONFLICTS: u32 = 400_000;

/// A CNF of "at most k of n": the inputs are 1 to n, the auxiliary variables follow.
type Clauses = Vec<Vec<i32>>;

/// For each clause and variable, whether a literal occurs: of inputs ¬x and x, of auxiliary variables y and ¬y.
type Cells = Vec<Vec<[Lit; 2]>>;

/// The CNF that is searched.
#[derive(Clone, Copy)]
struct Question {
    n: usize,
    k: usize,
    auxiliaries: usize,
    clauses: usize,
    /// The weakest propagation. One that is stronger than weak is for negative inputs.
    propagation: Propagation,
    /// True if inputs occur negatively only.
    negative: bool,
    /// The proved numbers of clauses for k of n − 1 inputs and k − 1 of n − 1 inputs.
    of_fewer: [usize; 2],
    /// The proved number of clauses with one auxiliary variable less.
    without_auxiliary: usize,
}

enum Outcome {
    Found(Clauses),
    /// There is none. The proof has this number of steps and is checked.
    Impossible(u64),
    /// The search stopped.
    Open,
}

/// A session of CaDiCaL, and the checker of its proof, which takes the same clauses.
struct Search {
    session: Box<dyn Session>,
    checker: LratChecker,
}

impl ClauseSink for Search {
    fn fresh(&mut self, count: u32) -> VarRange {
        self.session.fresh(count)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.session.clause(lits);
        self.checker.clause(&lits.iter().map(|lit| lit.to_ipasir()).collect::<Vec<_>>());
    }
}

impl Search {
    fn new() -> Self {
        let stored_proof_bytes = Some(1 << 30);
        let options = SessionOptions { stored_proof_bytes, ..SessionOptions::default() };
        Self {
            session: Cadical::Default
                .open(&Options::new(), &options)
                .expect("there are no options"),
            checker: LratChecker::with_interleaved_ids(Limits::default()),
        }
    }

    fn var(&mut self) -> Lit {
        self.fresh(1).lit(0)
    }

    /// Takes a clause of those literals that are there.
    fn some(&mut self, lits: impl IntoIterator<Item = Option<Lit>>) {
        self.clause(&lits.into_iter().flatten().collect::<Vec<_>>());
    }

    /// A variable that implies these literals.
    fn implying(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let all = self.var();
        lits.into_iter().for_each(|lit| self.clause(&[!all, lit]));
        all
    }

    /// States that a vector is not below another one in lexicographic order.
    fn ordered(&mut self, pairs: impl IntoIterator<Item = (Lit, Lit)>) {
        let mut differs: Option<Lit> = None;
        for (first, second) in pairs {
            let equal = self.var();
            self.some([differs, Some(first), Some(!second)]);
            self.some([differs, Some(equal), Some(first), Some(second)]);
            self.some([differs, Some(equal), Some(!first), Some(!second)]);
            differs = Some(!equal);
        }
    }

    /// Literals that imply that at least 1, 2, … of these hold.
    fn counted(&mut self, lits: &[Lit]) -> Vec<Lit> {
        let mut before: Vec<Lit> = Vec::new();
        for &lit in lits {
            let now: Vec<Lit> = (0..=before.len()).map(|_| self.var()).collect();
            for (height, &count) in now.iter().enumerate() {
                let same = before.get(height).copied();
                self.some([Some(!count), same, Some(lit)]);
                if height > 0 {
                    self.some([Some(!count), same, Some(before[height - 1])]);
                }
            }
            before = now;
        }
        before
    }

    /// States that rows and columns descend in one row-major order of the cells, and that each auxiliary variable occurs
    /// first without negation. The greatest CNF of each symmetry class in this order has all three properties.
    fn break_symmetry(&mut self, cells: &Cells, n: usize) {
        for rows in cells.windows(2) {
            let [first, second] = [0, 1].map(|row: usize| rows[row].iter().flatten().copied());
            self.ordered(first.zip(second));
        }
        let column = |variable: usize| cells.iter().flat_map(move |row| row[variable]);
        for variable in (1..cells[0].len()).filter(|&variable| variable != n) {
            self.ordered(column(variable - 1).zip(column(variable)));
        }
        for variable in n..cells[0].len() {
            let mut earlier: Vec<Option<Lit>> = Vec::new();
            for row in cells {
                let [positive, negated] = row[variable];
                self.some(earlier.iter().copied().chain([Some(!negated)]));
                earlier.push(Some(positive));
            }
        }
    }

    /// States what follows from bounds that are proved.
    fn use_bounds(&mut self, cells: &Cells, question: &Question) {
        let clauses = question.clauses;
        let column = |variable: usize, part: usize| {
            cells.iter().map(|row| row[variable][part]).collect::<Vec<Lit>>()
        };
        for input in 0..question.n {
            // A value of an input satisfies the clauses of a literal, and the rest states a smaller question.
            for (part, fewest) in question.of_fewer.into_iter().enumerate() {
                let most = clauses.saturating_sub(fewest) as u64;
                Limit::AtMost.encode(&KnuthCounter, &column(input, part), most, self);
            }
        }
        // Resolution replaces p + q clauses of an auxiliary variable by at most p · q.
        let saved = question.without_auxiliary.saturating_sub(clauses);
        for variable in (question.n..cells[0].len()).filter(|_| saved > 0) {
            let [p, q] = [0, 1].map(|part| self.counted(&column(variable, part)));
            self.some([p.get(1).copied()]);
            for most in 2..=clauses {
                // If p is at most this, (p − 1)(q − 1) > saved needs this q.
                let least = (saved + 1).div_ceil(most - 1) + 1;
                self.some([p.get(most).copied(), q.get(least - 1).copied()]);
            }
        }
    }

    /// States that unit propagation from these true inputs falsifies a clause, or all of its literals but an input.
    fn propagates(&mut self, cells: &Cells, n: usize, held: usize, implied: Option<usize>) {
        let values: Vec<_> = (n..cells[0].len()).flat_map(|y| [(y, 0), (y, 1)]).collect();
        // By variable and value: the value is derived.
        let mut derived: Vec<[Option<Lit>; 2]> = vec![[None; 2]; cells[0].len()];
        for level in (n..=cells[0].len()).rev() {
            let is_last = level == n;
            let goals = values.iter().copied().map(Some).filter(|_| !is_last);
            let mut next = derived.clone();
            for goal in goals.chain(is_last.then_some(None)) {
                let mut reasons = Vec::new();
                for row in cells {
                    let reason = self.var();
                    for input in (0..n).filter(|input| held >> input & 1 == 0) {
                        let occurs = row[input][0];
                        let is_implied = is_last && implied == Some(input);
                        self.clause(&[!reason, if is_implied { occurs } else { !occurs }]);
                    }
                    for &(y, value) in &values {
                        let occurs = row[y][value];
                        if goal == Some((y, value)) {
                            self.clause(&[!reason, occurs]);
                        } else {
                            self.some([Some(!reason), Some(!occurs), derived[y][1 - value]]);
                        }
                    }
                    reasons.push(reason);
                }
                if let Some((y, value)) = goal {
                    let lit = self.var();
                    reasons.extend(derived[y][value]);
                    reasons.push(!lit);
                    next[y][value] = Some(lit);
                }
                self.clause(&reasons);
            }
            derived = next;
        }
    }

    /// States that the cells are a CNF of the question.
    fn state(&mut self, cells: &Cells, question: &Question) {
        let Question { n, k, auxiliaries, negative, propagation, .. } = *question;
        for row in cells {
            for (variable, &[first, second]) in row.iter().enumerate() {
                self.clause(&[!first, !second]);
                if negative && variable < n {
                    self.clause(&[!second]);
                }
            }
        }
        let values = 0..1_usize << auxiliaries;
        // The part of a literal of an input, or auxiliary variable, that holds.
        let held_part = |held: usize, input: usize| held >> input & 1;
        let value_part = |value: usize, y: usize| 1 - (value >> y & 1);
        // By clause and values of the auxiliary variables: none of them satisfies the clause.
        let mut fails: Vec<Vec<Lit>> = Vec::new();
        for row in cells {
            let unsatisfied =
                |value| (0..auxiliaries).map(move |y| !row[n + y][value_part(value, y)]);
            fails.push(values.clone().map(|value| self.implying(unsatisfied(value))).collect());
        }
        for held in 0..1_usize << n {
            let count = held.count_ones() as usize;
            // With negative inputs the greatest of the allowed and the least of the forbidden assignments are enough.
            if count <= k && (!negative || count == k) {
                let chosen: Vec<Lit> = values.clone().map(|_| self.var()).collect();
                for (row, value) in
                    cells.iter().flat_map(|row| values.clone().map(move |v| (row, v)))
                {
                    let inputs = (0..n).map(|input| row[input][held_part(held, input)]);
                    let others = (0..auxiliaries).map(|y| row[n + y][value_part(value, y)]);
                    let satisfied = inputs.chain(others).chain([!chosen[value]]);
                    self.clause(&satisfied.collect::<Vec<_>>());
                }
                self.clause(&chosen);
            } else if count > k && (!negative || count == k + 1) {
                let unsatisfied = |row: &[[Lit; 2]]| -> Vec<Lit> {
                    (0..n).map(|input| !row[input][held_part(held, input)]).collect()
                };
                let inputs: Vec<Lit> =
                    cells.iter().map(|row| self.implying(unsatisfied(row))).collect();
                for value in values.clone() {
                    let rows = inputs.iter().zip(&fails);
                    let failed: Vec<Lit> = rows
                        .map(|(&inputs, fails)| self.implying([inputs, fails[value]]))
                        .collect();
                    self.clause(&failed);
                }
            }
            if propagation == Propagation::Refuting && count == k + 1 {
                self.propagates(cells, n, held, None);
            }
            if propagation == Propagation::Complete && count == k {
                for implied in (0..n).filter(|&input| held_part(held, input) == 0) {
                    self.propagates(cells, n, held, Some(implied));
                }
            }
        }
    }
}

impl Question {
    /// Searches the CNF, and gives up after this number of conflicts.
    fn search(&self, conflicts: u32) -> Outcome {
        let start = Instant::now();
        let Self { n, k, auxiliaries, clauses, propagation, negative, .. } = *self;
        let mut search = Search::new();
        let mut cell = || [search.var(), search.var()];
        let cells: Cells =
            (0..clauses).map(|_| (0..n + auxiliaries).map(|_| cell()).collect()).collect();
        search.state(&cells, self);
        search.break_symmetry(&cells, n);
        search.use_bounds(&cells, self);
        let (name, outcome) = match search.session.solve_within(&[], conflicts) {
            Answer::Sat => ("found", Outcome::Found(self.found(&cells, &mut *search.session))),
            Answer::Unsat => match search.session.stored_proof() {
                Some(proof) => {
                    let checked = search.checker.check(&proof[..]).expect("the proof is right");
                    ("impossible", Outcome::Impossible(checked.steps))
                }
                None => ("impossible, and the proof is too long", Outcome::Open),
            },
            Answer::Unknown => ("stopped", Outcome::Open),
        };
        let inputs = if negative { ", negative inputs" } else { "" };
        let seconds = start.elapsed().as_secs_f64();
        eprintln!(
            "{k} of {n}, {auxiliaries}, {clauses}, {propagation}{inputs}: {name}, {seconds:.1} s"
        );
        outcome
    }

    /// The CNF of a model, which is checked on all assignments.
    fn found(&self, cells: &Cells, session: &mut dyn Session) -> Clauses {
        let mut clauses = Clauses::new();
        for row in cells {
            let signed = (1..).zip(row).flat_map(|(number, &[first, second])| {
                let number = if number > self.n as i32 { number } else { -number };
                [(first, number), (second, -number)]
            });
            clauses.push(signed.filter(|(lit, _)| session.holds(*lit)).map(|it| it.1).collect());
        }
        clauses.dedup();
        let profile = self.profile(&clauses);
        assert_eq!(profile.wrong, None, "a CNF is wrong: {clauses:?}");
        assert!(
            profile.propagation <= self.propagation,
            "a CNF propagates too little: {clauses:?}"
        );
        clauses
    }

    fn profile(&self, clauses: &Clauses) -> ConstraintProfile {
        let cnf = Cnf { auxiliaries: self.auxiliaries as u32, clauses };
        ConstraintProfile::of_bound(&cnf, Limit::AtMost, self.n as u32, self.k as u64)
    }
}

/// A CNF as an encoder of its one constraint.
struct Cnf<'a> {
    auxiliaries: u32,
    clauses: &'a Clauses,
}

impl AtMostK for Cnf<'_> {
    fn about(&self) -> EncodingInfo {
        EncodingInfo::default()
    }

    fn at_most_size(&self, _n: u64, _k: u64) -> Option<Size> {
        None
    }

    fn at_most(&self, xs: &[Lit], _k: u64, out: &mut dyn ClauseSink) {
        let variables: Vec<Lit> =
            xs.iter().copied().chain(out.fresh(self.auxiliaries).lits()).collect();
        for clause in self.clauses {
            let lits = clause.iter().map(|&number| {
                let lit = variables[number.unsigned_abs() as usize - 1];
                if number > 0 { lit } else { !lit }
            });
            out.clause(&lits.collect::<Vec<_>>());
        }
    }
}

/// The result for one number of auxiliary variables.
#[derive(Clone)]
struct Entry {
    clauses: Clauses,
    profile: ConstraintProfile,
    /// The number of clauses that is proved to be needed, and how.
    least: usize,
    bound: String,
}

/// The entry of a question with any number of clauses.
fn entry(question: Question, before: &Entry) -> Entry {
    // Some clause has the negation of the last input.
    let least = question.of_fewer[0] + 1;
    let mut best = Entry { least, bound: "yes: of n − 1".into(), ..before.clone() };
    let at = |clauses, propagation, negative| {
        Question { clauses, propagation, negative, ..question }.search(CONFLICTS)
    };
    while best.clauses.len() > best.least {
        let fewer = best.clauses.len() - 1;
        let negative = at(fewer, Propagation::Weak, true);
        let any = match &negative {
            Outcome::Found(_) => Outcome::Open,
            _ => at(fewer, Propagation::Weak, false),
        };
        match (negative, any) {
            (Outcome::Found(clauses), _) | (_, Outcome::Found(clauses)) => {
                (best.profile, best.clauses) = (question.profile(&clauses), clauses);
            }
            (_, Outcome::Impossible(steps)) => {
                (best.least, best.bound) =
                    (fewer + 1, format!("yes: {} steps", grouped(steps.into())));
            }
            (negative, Outcome::Open) => {
                best.bound = format!("open: at least {}", best.least);
                if let Outcome::Impossible(steps) = negative {
                    let steps = grouped(steps.into());
                    write!(best.bound, "; negative inputs, yes: {steps} steps").expect("a text");
                }
                break;
            }
        }
    }
    let stronger = [Propagation::Complete, Propagation::Refuting];
    for stronger in stronger.into_iter().filter(|&it| it < best.profile.propagation) {
        if let Outcome::Found(clauses) = at(best.clauses.len(), stronger, true) {
            return Entry { profile: question.profile(&clauses), clauses, ..best };
        }
    }
    best
}

/// The clauses, each as numbers.
fn listed(clauses: &Clauses) -> String {
    let clause =
        |clause: &Vec<i32>| clause.iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
    clauses.iter().map(clause).collect::<Vec<_>>().join(", ")
}

/// Writes the rows of the table and the list of the formulas in `docs/smallest.md`, after their headings.
fn write_page() -> std::io::Result<()> {
    let (mut rows, mut formulas) = (String::new(), String::new());
    let mut entries: BTreeMap<(usize, usize, usize), Entry> = BTreeMap::new();
    for (n, k) in (2..=6).flat_map(|n| (1..n).map(move |k| (n, k))) {
        let others = amk::all().into_iter().filter(|encoder| encoder.about().id != "smallest");
        let sizes = others.filter_map(|encoder| {
            let size = encoder.at_most_size(n as u64, k as u64)?;
            Some((size.clauses, size.variables, encoder.about().id))
        });
        let (size, variables, id) = sizes.min().expect("pairwise states its size");
        for auxiliaries in 0..=3 {
            let least = |k: usize| match k {
                0 => n - 1,
                _ if k >= n - 1 => 0,
                _ => entries[&(n - 1, k, auxiliaries)].least,
            };
            let (propagation, of_fewer) = (Propagation::Weak, [least(k), least(k - 1)]);
            let before = auxiliaries.checked_sub(1).map(|fewer| &entries[&(n, k, fewer)]);
            let without_auxiliary = before.map_or(0, |before| before.least);
            let (clauses, negative) = (0, false);
            #[rustfmt::skip]
            let question = Question { n, k, auxiliaries, clauses, propagation, negative, of_fewer, without_auxiliary };
            let entry = if let Some(before) = before {
                entry(question, before)
            } else {
                let inputs = |held: u32| (1..).filter(move |input| held >> (input - 1) & 1 == 1);
                let chosen = (0..1_u32 << n).filter(|held| held.count_ones() as usize == k + 1);
                let clauses: Clauses = chosen
                    .map(|held| inputs(held).take(k + 1).map(|it: i32| -it).collect())
                    .collect();
                let (profile, bound) = (question.profile(&clauses), "yes: all are needed".into());
                Entry { least: clauses.len(), clauses, profile, bound }
            };
            let Entry { clauses, profile, bound, .. } = &entry;
            let count = clauses.len();
            let kind = format!("{}, {}", profile.propagation, profile.auxiliaries);
            let other = format!("{variables} / {size}, `{id}`");
            // All others are pairwise.
            if n > 4 && k + 1 < n {
                writeln!(
                    rows,
                    "| {k} of {n} | {auxiliaries} | {count} | {bound} | {kind} | {other} |"
                )
                .expect("a text");
            }
            if before.is_some_and(|before| before.clauses != *clauses) {
                writeln!(formulas, "- {k} of {n}, {auxiliaries}: `{}`", listed(clauses))
                    .expect("a text");
            }
            entries.insert((n, k, auxiliaries), entry);
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/smallest.md");
    let page = std::fs::read_to_string(path)?;
    // Rows of the table begin with a bound as `3 of 6`, formulas with a dash and a bound.
    let is_made = |line: &&str| {
        let line = line.strip_prefix("| ").or(line.strip_prefix("- "));
        let bound = line.and_then(|line| line.split_once(" of "));
        bound.is_some_and(|(k, _)| k.parse::<u64>().is_ok())
    };
    let mut made = String::new();
    for line in page.lines().filter(|line| !is_made(line)) {
        writeln!(made, "{line}").expect("a text");
        match line {
            "| --- | ---: | ---: | --- | --- | --- |" => made += &rows,
            "<!-- formulas -->" => made += &formulas,
            _ => {}
        }
    }
    std::fs::write(path, made)
}

/// The question of the arguments.
fn question(arguments: &[String]) -> Option<Question> {
    let (numbers, words) = arguments.split_at_checked(4)?;
    let numbers: Option<Vec<usize>> = numbers.iter().map(|number| number.parse().ok()).collect();
    let &[n, k, auxiliaries, clauses] = &numbers?[..] else { return None };
    let is_small =
        n <= 10 && (1..n).contains(&k) && auxiliaries <= 6 && (1..=60).contains(&clauses);
    let is_negative = |word: &&String| *word == "negative";
    let propagation = match words.iter().find(|word| !is_negative(word)) {
        Some(word) => Propagation::ALL.into_iter().find(|it| it.id() == word)?,
        None => Propagation::Weak,
    };
    let negative = words.iter().any(|word| is_negative(&word)) || propagation != Propagation::Weak;
    let (of_fewer, without_auxiliary) = ([0, 0], 0);
    #[rustfmt::skip]
    let question = Question { n, k, auxiliaries, clauses, propagation, negative, of_fewer, without_auxiliary };
    is_small.then_some(question)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.is_empty() {
        return write_page().map_or_else(
            |error| {
                eprintln!("smallest: docs/smallest.md: {error}");
                ExitCode::from(2)
            },
            |()| ExitCode::SUCCESS,
        );
    }
    let Some(question) = question(&arguments) else {
        eprintln!(
            "usage: smallest [N K AUXILIARIES CLAUSES [weak|refuting|complete] [negative]], 1 ≤ k < n ≤ 10, at most 6 \
             auxiliary variables and 60 clauses"
        );
        return ExitCode::from(2);
    };
    if let Outcome::Found(clauses) = question.search(u32::MAX) {
        println!("{}", listed(&clauses));
    }
    ExitCode::SUCCESS
}
