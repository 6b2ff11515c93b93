//! Proofs from files of constraints, read by VeriPB beside the file alone.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use bezzel_encode::{
    ClauseSink, Encoding, EncodingInfo, Formula, Images, Lit, Numbering, Registry, Settings, Size,
    VarMap, VarRange,
};
use bezzel_experiment::file_proof::{FileProof, FileProofError};
use bezzel_problem::{Kind, Problem, ProblemFile};
use bezzel_solve::cadical::Cadical;
use bezzel_solve::{Answer, Options, SessionOptions, Solver};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::program::{bezzel_in, ended, is_installed};

/// VeriPB's line of the conclusion that it verified, if it did.
fn verified(folder: &Path, file: &str, proof: &str) -> Option<String> {
    // A trace of each refusal takes longer than the check.
    let mut veripb = Command::new("veripb");
    veripb.args([file, proof]).current_dir(folder).env("RUST_BACKTRACE", "0");
    let output = veripb.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let line = printed.lines().find_map(|line| line.strip_prefix("s VERIFIED "));
    line.filter(|_| output.status.success()).map(str::to_owned)
}

/// Pigeons that need a hole each, with holes for one less.
fn pigeons(holes: u32) -> String {
    let variable = |pigeon: u32, hole: u32| format!("x{}", pigeon * holes + hole + 1);
    let mut text = String::from("* pigeons\n");
    for pigeon in 0..=holes {
        let terms: Vec<String> =
            (0..holes).map(|hole| format!("1 {}", variable(pigeon, hole))).collect();
        text.push_str(&(terms.join(" ") + " >= 1 ;\n"));
    }
    for hole in 0..holes {
        let terms: Vec<String> =
            (0..=holes).map(|pigeon| format!("-1 {}", variable(pigeon, hole))).collect();
        text.push_str(&(terms.join(" ") + " >= -1 ;\n"));
    }
    text
}

/// Encoders whose auxiliary variables count inputs.
const AT_MOST_ONE: [&str; 9] = [
    "pairwise",
    "sequential-counter",
    "product",
    "commander:3",
    "ladder:regular",
    "bitwise",
    "bimander:2",
    "totalizer:full+defined",
    "bdd:monotone",
];

#[test]
#[ignore = "second tier: it runs programs of others"]
fn veripb_verifies_the_answers_on_files_of_every_form() {
    if !is_installed("veripb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let solve = |file: &str, text: &str, encoding: &str, code: i32| {
        fs::write(folder.path().join(file), text).unwrap();
        let output =
            bezzel_in(folder.path(), &["solve", file, "--veripb", "p", "--encoding", encoding]);
        ended(&output, code)
    };
    let holes = pigeons(4);
    for encoding in AT_MOST_ONE {
        let printed = solve("holes.opb", &holes, encoding, 20);
        assert!(printed.contains("checked by `veripb holes.opb p`\n"), "{encoding}: {printed}");
        let line = verified(folder.path(), "holes.opb", "p");
        assert_eq!(line.as_deref(), Some("UNSATISFIABLE"), "{encoding}");
    }
    // Another file: with a pigeon less there is a solution.
    let other = holes.replacen("1 x1 1 x2 1 x3 1 x4 >= 1 ;", "1 x1 1 x2 1 x3 1 x4 >= 0 ;", 1);
    fs::write(folder.path().join("other.opb"), &other).unwrap();
    assert_eq!(verified(folder.path(), "other.opb", "p"), None);
    solve("other.opb", &other, "product", 10);
    assert_eq!(verified(folder.path(), "other.opb", "p").as_deref(), Some("SATISFIABLE"));
    // Sums whose lines are divided and lose a literal, a reversed relation, an equation.
    let sums = "2 x1 +4 x2 6 ~x3 8 x4 >= 10 ;\n9 x5 2 x1 2 x2 2 x3 >= 13 ;\n3 x1 2 x2 2 x3 5 x4 <= 4 ;\n\
                1 x1 1 x2 1 x3 1 x4 = 2 ;\n";
    solve("sums.opb", sums, "generalised-totalizer", 20);
    assert_eq!(verified(folder.path(), "sums.opb", "p").as_deref(), Some("UNSATISFIABLE"));
    // VeriPB does not read KNF, nor products, nor names of one letter.
    for (file, text) in [
        ("three.knf", "p knf 4 3\nk 3 1 2 3 4 0\nk 2 -1 -2 -3 0\nk 2 -1 -2 -3 -4 0\n"),
        ("products.opb", "1 x1 1 x2 x3 >= 2 ;\n-1 x1 -1 x3 >= -1 ;\n"),
        ("names.opb", "1 a 1 b 1 c >= 2 ;\n-1 a -1 b -1 c >= -1 ;\n"),
    ] {
        let printed = solve(file, text, "sequential-counter", 20);
        assert!(printed.contains("`veripb p.opb p`; trusted: that this file states"), "{printed}");
        assert_eq!(
            verified(folder.path(), "p.opb", "p").as_deref(),
            Some("UNSATISFIABLE"),
            "{file}"
        );
    }
}

#[test]
fn encodings_without_definitions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = "1 x1 1 x2 1 x3 1 x4 1 x5 1 x6 1 x7 1 x8 >= 5 ;\n-1 x1 -1 x2 -1 x3 -1 x4 -1 x5 -1 x6 -1 x7 -1 x8 >= -4 ;\n";
    fs::write(folder.path().join("f.opb"), text).unwrap();
    for (encoding, why) in [
        ("adder", "count no inputs, so their definitions are not known"),
        ("sorting-network", "count no inputs, so their definitions are not known"),
    ] {
        let arguments = ["solve", "f.opb", "--veripb", "p", "--encoding", encoding];
        let printed = ended(&bezzel_in(folder.path(), &arguments), 2);
        assert!(printed.contains(why), "{encoding}: {printed}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left behind");
}

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

/// Writes the proof of this encoding where it can be derived and CaDiCaL refutes it. True if it is written.
fn write(folder: &Path, text: &str, encoding: &dyn Encoding) -> bool {
    fs::write(folder.join("f.opb"), text).unwrap();
    let problem = ProblemFile::read("f.opb", None, text).unwrap().problem();
    let out = File::create(folder.join("p")).unwrap();
    let none = || panic!("VeriPB reads the file");
    let proof = match FileProof::begin(&problem, encoding, (Some(text.as_bytes()), None), out, none)
    {
        Ok(proof) => proof,
        Err(FileProofError::Underivable(_)) => return false,
        Err(error) => panic!("{error}"),
    };
    let mut formula = Formula::new();
    let map = encoding.encode(&problem, &mut formula);
    let options = SessionOptions { stored_proof_bytes: Some(1 << 20), ..SessionOptions::default() };
    let mut session = Cadical::Default.open(&Options::new(), &options).unwrap();
    session.fresh(formula.variables());
    formula.clauses().for_each(|clause| session.clause(clause));
    if session.solve() != Answer::Unsat {
        return false;
    }
    let images: Images = Numbering::AS_GENERATED.images(&problem, formula.variables(), &map);
    let lrat = session.stored_proof().unwrap();
    proof.refute(&images, formula.variables(), &*lrat).unwrap();
    true
}

/// The encoders of at most one and of bounds that count.
fn encoders() -> Vec<Arc<dyn Encoding>> {
    let registry = bezzel_queens::register(Registry::standard());
    ["sequential-counter", "totalizer:cut", "bdd:monotone"]
        .map(|id| registry.find(id).unwrap().with_settings(Settings::default()))
        .into()
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn mutants_of_encoders_are_verified_only_where_no_assignment_satisfies_the_file() {
    if !is_installed("veripb") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (encoders, mut random) = (encoders(), ChaCha8Rng::seed_from_u64(50));
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..500 {
        let (text, is_satisfiable) = random_file(&mut random);
        let inner = Arc::clone(&encoders[random.random_range(0..encoders.len())]);
        if write(folder.path(), &text, inner.as_ref()) {
            let is_verified = verified(folder.path(), "f.opb", "p").is_some();
            assert!(is_verified && !is_satisfiable, "{text}");
        }
        if write(folder.path(), &text, &Mutant { inner, seed }) {
            let is_verified = verified(folder.path(), "f.opb", "p").is_some();
            assert!(!is_verified || !is_satisfiable, "{text}");
            accepted += u32::from(is_verified);
            refused += u32::from(!is_verified);
        } else {
            refused += 1;
        }
    }
    assert!(refused > 100 && accepted > 50, "{refused} {accepted}");
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
        if is_satisfiable || !write(folder.path(), &text, encoder.as_ref()) {
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
