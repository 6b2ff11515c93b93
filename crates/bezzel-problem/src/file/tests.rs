//! Tests of constraint files.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::evaluate::StatedConstraints;
use super::form_tests::FORMS;
use super::*;
use crate::group::{Bounds, GroupFamily, Lists};
use crate::instance::Instance;
use crate::literal::Literal;
use crate::text::Position;

fn read(text: impl AsRef<[u8]>) -> ProblemFile {
    let bytes = text.as_ref();
    ProblemFile::read("x", None, bytes)
        .unwrap_or_else(|error| panic!("{error}\n{}", String::from_utf8_lossy(bytes)))
}

fn refusal(text: impl AsRef<[u8]>) -> String {
    ProblemFile::read("x", None, text.as_ref()).expect_err("the file is refused").to_string()
}

/// The form of the problem: each group as `NAME: LITERALS * WEIGHTS`, then each clause.
fn form(text: &str) -> String {
    let problem = read(text).problem();
    let mut lines = Vec::new();
    for family in problem.families() {
        for (number, group) in family.listed().iter().enumerate() {
            let weights = family.weights().map(|weights| format!(" * {:?}", weights.get(number)));
            lines.push(format!("{}: {group:?}{}", family.name(), weights.unwrap_or_default()));
        }
    }
    lines.extend(problem.clauses().iter().map(|clause| format!("{clause:?}")));
    lines.join("; ")
}

fn opb(constraint: &str) -> String {
    form(&format!("{constraint} ;\n"))
}

#[test]
fn each_format_is_read() {
    let cnf = "c a comment\np cnf 4 2\n1 -2\n 0 3 4 0\nc amo 1 2 3 0\nc eo 1 2 -3 0\nc alo 1 4 0\nc amo is a word\n\
               c exactly-one -1 -2 -3 0\r\nc amount 1 2 0\n";
    assert_eq!(
        form(cnf),
        "at-most-one: [1, 2, 3]; exactly-one: [1, 2, -3]; exactly-one: [-1, -2, -3]; [1, -2]; [3, 4]; [1, 4]"
    );
    assert_eq!(read(cnf).format(), Some(Format::Cnf));
    let knf = "p knf 5 4\r\nk 3 -1 -2 -3\r\n-4 0 1 2 0 k 2 1 2 3 4 5 0\r\nc within\r\nk 1 -1 5 0";
    assert_eq!(
        form(knf),
        "at-most-one: [1, 2, 3, 4]; at-least-2: [1, 2, 3, 4, 5]; [1, 2]; [-1, 5]"
    );
    let plus = "p cnf+ 5 3\n1 2 3 4 5 <= 3\n1 -2 0\n1 2 3\n4 5 >= 2\n";
    assert_eq!(form(plus), "at-most-3: [1, 2, 3, 4, 5]; at-least-2: [1, 2, 3, 4, 5]; [1, -2]");
    let opb = "* #variable= 5 #constraint= 4 #equal= 1 intsize= 3\n* words\n+1 x1 +1 x2 +1 x3 = 1 ; +1x4+1~x5>=1;\n\
               -3 x1\n -2 x2 2 ~x3 +1 x4 >= -1 ;\n* \u{e9}\n+1 x1 +1 x2 +1 x3 +1 x4 +1 x5 = 2;";
    assert_eq!(
        form(opb),
        "exactly-one: [1, 2, 3]; linear-at-most-4: [1, 2, 3, -4] * [3, 2, 2, 1]; exactly-2: [1, 2, 3, 4, 5]; [4, -5]"
    );
    assert_eq!(read(opb).problem().candidates(), 5);
    assert_eq!(read("+1 x9 >= 1 ;").problem().candidates(), 9);
    assert_eq!(read("* #variable= 3 #constraint= 0\n").problem().candidates(), 3);
    assert_eq!(read("p cnf 0 0").problem().candidates(), 0);
}

#[test]
fn constraints_take_their_normal_form() {
    for (constraint, expected) in [
        // Clauses.
        ("+2 x1 +3 x2 >= 2", "[1, 2]"),
        ("+1 x1 +1 x1 +1 x2 >= 1", "[1, 2]"),
        ("+1 x1 +1 x2 +1 x3 <= 2", "[-1, -2, -3]"),
        ("+1 x1 +1 x2 <= 1", "[-1, -2]"),
        // Literals that must hold.
        ("+1 x1 +1 x2 +1 x3 >= 3", "[1]; [2]; [3]"),
        ("+1 x1 +1 x2 +1 x3 <= 0", "[-1]; [-2]; [-3]"),
        ("+1 x1 +1 ~x2 = 2", "[1]; [-2]"),
        ("+1 x1 +1 ~x2 = 0", "[-1]; [2]"),
        ("+2 x1 +1 x2 +1 x3 <= 1", "[-1]; [-2, -3]"),
        // At most one, exactly one.
        ("+1 x1 +1 x2 +1 x3 <= 1", "at-most-one: [1, 2, 3]"),
        ("+1 x1 +1 x2 +1 x3 >= 2", "at-most-one: [-1, -2, -3]"),
        ("+4 x1 +4 x2 +4 x3 <= 7", "at-most-one: [1, 2, 3]"),
        ("+1 x1 +1 x2 +1 x3 = 2", "exactly-one: [-1, -2, -3]"),
        ("+1 x3 +1 x2 = 1", "exactly-one: [3, 2]"),
        ("-2 x1 -2 x2 -2 x3 = -2", "exactly-one: [1, 2, 3]"),
        // Opposing literals and weights of 0.
        ("+1 x1 +1 ~x1 +1 x2 +1 x3 >= 2", "[2, 3]"),
        ("+1 x1 +3 ~x1 +1 x2 >= 2", "[-1, 2]"),
        ("+0 x1 +1 x2 +1 x3 >= 1", "[2, 3]"),
        // Always, and never.
        ("+1 x1 +1 ~x1 >= 1", ""),
        ("+1 x1 >= 0", ""),
        ("+1 x1 -1 x1 = 0", ""),
        (">= 0", ""),
        (">= 1", "[]"),
        ("+1 x1 >= 2", "[]"),
        ("+2 x1 +2 x2 = 3", "[]"),
        ("+1 x1 <= -1", "[]"),
        // Others.
        ("+1 x1 +1 x2 +1 x3 +1 x4 = 2", "exactly-2: [1, 2, 3, 4]"),
        ("+1 ~x1 +1 ~x2 +1 ~x3 +1 x4 = 2", "exactly-2: [1, 2, 3, -4]"),
        ("+1 x1 +1 x2 +1 x3 +1 x4 <= 2", "at-most-2: [1, 2, 3, 4]"),
        ("+6 x1 +4 x2 +4 x3 +2 x4 >= 7", "linear-at-least-4: [1, 2, 3, 4] * [3, 2, 2, 1]"),
        ("+3 x1 +2 x2 +1 x3 = 3", "linear-exactly-3: [1, 2, 3] * [3, 2, 1]"),
        ("+1 x1 +1 x1 +1 x2 = 1", "linear-exactly-1: [1, 2] * [2, 1]"),
    ] {
        assert_eq!(opb(constraint), expected, "{constraint}");
    }
    let file = read("p knf 3 4\nk 0 1 2 0 k 3 1 2 0 1 1 0 1 -1 0");
    let changes = Changes { constraints: 4, merged: 2, always_true: 2, never_true: 1 };
    assert_eq!(file.changes(), Some(changes));
    assert_eq!(form("c none\np cnf 2 1\n 1 1 2 0\nc amo 1 1 2 0\n"), "[1, 2]; [-1]");
}

#[test]
fn bounds_that_are_stated_apart_become_exactly_one_groups() {
    for (text, expected) in [
        // A group and a clause, in another order.
        ("p knf 4 3\nk 2 -1 -2 -3 0\n1 -4 0\n3 1 2 0\n", "exactly-one: [3, 1, 2]; [1, -4]"),
        // The order is that of the clauses; pairs and single literals belong to it.
        (
            "p knf 7 6\n4 5 0\n6 0\n1 2 3 0\nk 2 -1 -2 -3 0\n-5 -4 0\n-7 0\n",
            "exactly-one: [4, 5]; exactly-one: [6]; exactly-one: [1, 2, 3]; [-7]",
        ),
        // Every bound is used once.
        ("p knf 3 3\nk 2 -1 -2 -3 0\n1 2 3 0\n1 2 3 0\n", "exactly-one: [1, 2, 3]; [1, 2, 3]"),
        // Other literals, negated literals, and literals of another group.
        ("p knf 4 2\nk 2 -1 -2 -3 0\n1 2 4 0\n", "at-most-one: [1, 2, 3]; [1, 2, 4]"),
        ("p knf 3 2\nk 2 -1 -2 3 0\n1 2 -3 0\n", "at-most-one: [1, 2, -3]; [1, 2, -3]"),
        (
            "+1 x1 +1 x2 +1 x3 = 1 ; +1 x2 = 1 ; +1 x4 = 1 ;",
            "exactly-one: [1, 2, 3]; exactly-one: [4]; [2]",
        ),
        // No groups.
        ("p cnf 3 3\n1 2 0\n-1 -2 0\n3 0\n", "[1, 2]; [-1, -2]; [3]"),
    ] {
        assert_eq!(form(text), expected, "{text}");
    }
}

#[test]
fn families_have_the_place_of_their_first_group() {
    let problem = read("p knf 5 3\n1 0\n  k 2 1 2 3 4 5 0\nk 2 1 2 -3 4 5 0").problem();
    assert_eq!(problem.families()[0].origin(), Some(Position { line: 3, column: 3 }));
    let problem = read("* a\n+1 x1\n +1 x2 +1 x3 = 1 ; +2 x1 +1 x2 +1 x3 >= 2 ;").problem();
    let origins: Vec<_> = problem.families().iter().map(GroupFamily::origin).collect();
    let place = |line, column| Some(Position { line, column });
    assert_eq!(origins, [place(2, 1), place(3, 20)]);
    let problem = read("p cnf 3 0\nc eo 1 2 3 0").problem();
    assert_eq!(problem.families()[0].origin(), place(2, 3));
}

#[test]
fn the_digest_is_of_the_constraints_and_their_order() {
    let knf = "p knf 6 3\nk 5 -1 -2 -3 -4 -5 -6 0\n1 2 -3 0\nk 2 1 2 3 4 0\n";
    let same = [
        "p cnf+ 6 3\nc a\n1 2 3 4 5 6 <= 1\n1 2 -3 0 1 2 3 4 >= 2\n",
        "* #variable= 6 #constraint= 3\n-1 x1 -1 x2 -1 x3 -1 x4 -1 x5 -1 x6 >= -1;\n\
         1 x1 1 x2 -1 x3 >= 0;\n+2 x1 +2 x2 +2 x3 +2 x4 >= 3;",
        "p   knf\t6  3\r\nk 5 -1 -2 -3\r\n-4 -5 -6 0 1 2\n-3 0 k 2 1 2 3 4 0",
    ];
    for text in same {
        assert_eq!(read(text).digest(), read(knf).digest(), "{text}");
    }
    // Frozen, as jobs name files by it.
    assert_eq!(read(knf).digest(), "10500870bc2083d730640f09ec03fb5e");
    let one = "p cnf 3 1\n1 2 0\nc amo 1 2 3 0";
    let other = "* #variable= 3 #constraint= 2\n+1 x1 +1 x2 >= 1 ; +1 x1 +1 x2 +1 x3 <= 1 ;";
    assert_eq!(read(one), read(other));
    for text in [
        "p cnf 4 1\n1 2 0\nc amo 1 2 3 0",
        "p cnf 3 1\n2 1 0\nc amo 1 2 3 0",
        "p cnf 3 1\nc amo 1 2 3 0\n1 2 0",
        "p cnf 3 1\n1 2 0\nc eo 1 2 3 0",
        "p cnf 3 1\n1 2 0",
        "p cnf 3 1\n1 -2 0\nc amo 1 2 3 0",
    ] {
        assert_ne!(read(text), read(one), "{text}");
    }
}

#[test]
fn json_has_the_name_the_number_of_variables_and_the_digest() {
    let text = "p cnf 2 1\n1 2 0\n";
    let file = read(text);
    let instance = Instance::from(file.clone());
    let json = serde_json::to_string(&instance).unwrap();
    let digest = file.digest();
    let expected = format!(r#"{{"file":{{"name":"x","candidates":2,"digest":"{digest}"}}}}"#);
    assert_eq!(json, expected);
    assert_eq!(serde_json::from_str::<Instance>(&json).unwrap(), instance);
    let named = ProblemFile::read("y", None, text.as_bytes()).unwrap();
    assert_eq!(Instance::from(named).identity(), instance.identity());
    let other = read("p cnf 2 1\n-1 2 0\n");
    let error = file.refuse_other(&other).unwrap_err().to_string();
    assert!(error.starts_with("the constraints of `x` have the digest "), "{error}");
    assert!(error.contains(&format!(", not {digest}: ")), "{error}");
    let same = read("* #variable= 2 #constraint= 1\n+1 x1 +1 x2 >= 1 ;");
    assert_eq!(file.refuse_other(&same), Ok(()));
    assert_eq!(file.format(), Some(Format::Cnf));
    for (from, to) in [(&*digest, "00112233445566778899aabbccddeeff"), (":2,", ":3,")] {
        let unread: Instance = serde_json::from_str(&json.replace(from, to)).unwrap();
        assert!(!unread.has_problem());
        let error = unread.check(&Solution::default()).unwrap_err();
        assert_eq!(error, "the file `x` was not read, so nothing is checked");
    }
    let solution: Solution = [1].into_iter().collect();
    assert_eq!((file.problem().check(&solution), file.check(&solution)), (Ok(()), Ok(())));
    assert_eq!(file.draw(&solution), "v -1 2 0");
    assert_eq!(file.label(1), "x2");
    assert_eq!(file.to_string(), format!("x #{}", &digest[..6]));
    let error = file.check(&[2].into_iter().collect()).unwrap_err();
    assert_eq!(error, "there is no variable x3: the last is x2");
    for (json, message) in [
        (
            r#"{"name":"x","candidates":1,"digest":"12"}"#,
            "the digest of a file is 32 of the digits 0 to f",
        ),
        (
            r#"{"name":"x","candidates":1,"digest":"zé00000000000000000000000000000"}"#,
            "the digest of a file",
        ),
        (r#"{"name":"x","candidates":1}"#, "missing field `digest`"),
        (r#"{"name":"x","digest":"12","more":1}"#, "unknown field `more`"),
    ] {
        let error = serde_json::from_str::<ProblemFile>(json).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn faults_have_their_place_and_a_way_to_mend_them() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/file/refused.txt");
    let record = std::fs::read_to_string(path).unwrap();
    let mut cases = record.split("\n\n");
    let mut fresh = vec![cases.next().unwrap().to_owned()];
    for case in cases {
        let (json, _) = case.split_once('\n').expect("a file has a message");
        let text: String = serde_json::from_str(json).unwrap();
        let found = refusal(&text);
        assert!(text.is_empty() || found.contains("line "), "no place: {json} {found}");
        fresh.push(format!("{json}\n{found}"));
    }
    let fresh = fresh.join("\n\n") + "\n";
    if std::env::var_os("BEZZEL_BLESS").is_some() {
        std::fs::write(path, &fresh).unwrap();
    } else {
        assert_eq!(fresh, record, "BEZZEL_BLESS=1 writes {path} anew");
    }
    let word = "7".repeat(1000);
    let found = refusal(format!("p cnf 2 1\n{word} 0"));
    assert!(found.len() < 150 && found.contains("7…` is too large"), "{found}");
}

/// A constraint for tests, with its own evaluation.
struct Sample {
    terms: Vec<(i64, i64)>,
    relation: &'static str,
    bound: i64,
}

impl Sample {
    /// With `is_plain`, all weights are 1.
    fn new(rng: &mut ChaCha8Rng, variables: i64, is_plain: bool) -> Self {
        let length = rng.random_range(0..=7);
        let variables = rng.random_range(1..=variables);
        let is_even = rng.random_bool(0.3);
        let mut terms: Vec<_> = (0..length)
            .map(|place| {
                let literal =
                    if is_even { place % variables + 1 } else { rng.random_range(1..=variables) };
                let weight = if is_plain || is_even { 1 } else { rng.random_range(-4..=4) };
                (if rng.random() { literal } else { -literal }, weight)
            })
            .collect();
        if is_even {
            let sign = if rng.random() { 1 } else { -1 };
            for (literal, _) in &mut terms {
                *literal = sign * literal.abs();
            }
        }
        let relation = *[">=", "<=", "="].choose(rng).unwrap();
        Self { terms, relation, bound: rng.random_range(-2..=length + 2) }
    }

    fn holds(&self, assignment: u32) -> bool {
        let value = |literal: i64| (assignment >> (literal.abs() - 1) & 1 == 1) == (literal > 0);
        let sum: i64 = self.terms.iter().filter(|term| value(term.0)).map(|term| term.1).sum();
        match self.relation {
            ">=" => sum >= self.bound,
            "<=" => sum <= self.bound,
            _ => sum == self.bound,
        }
    }

    /// The constraint in a format, without weights but in OPB.
    fn write(&mut self, format: Format, rng: &mut ChaCha8Rng) -> String {
        let gap = |rng: &mut ChaCha8Rng| *[" ", "  ", "\n", "\r\n ", "\t"].choose(rng).unwrap();
        let words = self.terms.iter().map(|(literal, _)| literal.to_string() + " ");
        let comment = |name: &str, words: String| format!("\nc {name} {words}0\n");
        match format {
            Format::Opb => {
                let mut text = String::new();
                for (literal, weight) in &self.terms {
                    let sign = if *literal < 0 { "~" } else { "" };
                    let end = if rng.random() { gap(rng) } else { "" };
                    let (gap, variable) = (gap(rng), literal.abs());
                    write!(text, "{weight:+}{gap}{sign}x{variable}{end}").unwrap();
                }
                format!("{text}{}{}{};\n", self.relation, gap(rng), self.bound)
            }
            Format::Knf if self.relation == ">=" => {
                let words: String = words.map(|word| word + gap(rng)).collect();
                format!("k {} {words}0{}", self.bound, gap(rng))
            }
            Format::CnfPlus if self.relation != "=" => {
                let words: String = words.map(|word| word + gap(rng)).collect();
                format!("{words}{} {}\n", self.relation, self.bound)
            }
            Format::Cnf if rng.random() && !self.terms.is_empty() => {
                self.bound = 1;
                let name = match self.relation {
                    ">=" => "alo",
                    "<=" => "amo",
                    _ => *["eo", "exactly-one"].choose(rng).unwrap(),
                };
                comment(name, words.collect())
            }
            _ => {
                (self.relation, self.bound) = (">=", 1);
                let words: String = words.map(|word| word + gap(rng)).collect();
                format!("{words}0{}", gap(rng))
            }
        }
    }
}

const FORMATS: [Format; 4] = [Format::Cnf, Format::Knf, Format::CnfPlus, Format::Opb];

/// A file of a format with its constraints.
fn sample(rng: &mut ChaCha8Rng, format: Format, variables: u32) -> (String, Vec<Sample>) {
    let mut samples = Vec::new();
    let (mut text, mut clauses) = (String::new(), 0);
    for _ in 0..rng.random_range(0..=4) {
        let is_plain = format != Format::Opb;
        let mut sample = Sample::new(rng, variables.into(), is_plain);
        let written = sample.write(format, rng);
        clauses += u32::from(!written.starts_with("\nc "));
        text += &written;
        samples.push(sample);
    }
    let header = match format {
        Format::Cnf => format!("c words\np cnf {variables} {clauses}\n"),
        Format::Knf => format!("p knf {variables} {clauses}\n"),
        Format::CnfPlus => format!("p cnf+ {variables} {clauses}\n"),
        Format::Opb => format!("* #variable= {variables} #constraint= {clauses}\n"),
    };
    (header + &text, samples)
}

fn assignment(variables: u32, bits: u32) -> Solution {
    (0..variables).filter(|variable| bits >> variable & 1 == 1).collect()
}

fn check_solutions(rounds: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(20);
    let (mut solutions, mut names) = (0, std::collections::BTreeSet::new());
    for round in 0..rounds {
        let variables = rng.random_range(1..=6);
        let (text, samples) = sample(&mut rng, FORMATS[round % 4], variables);
        let file = read(&text);
        let problem = file.problem();
        assert_eq!(problem.candidates(), variables);
        names.extend(problem.families().iter().map(|family| family.name().to_owned()));
        for bits in 0..1 << variables {
            let solution = assignment(variables, bits);
            let holds = samples.iter().all(|sample| sample.holds(bits));
            assert_eq!(problem.check(&solution).is_ok(), holds, "{text}{solution:?}");
            let first = samples.iter().position(|sample| !sample.holds(bits));
            let checked = file.check(&solution);
            assert_eq!(checked.is_ok(), holds, "{text}{solution:?} {checked:?}");
            if let (Err(error), Some(first)) = (checked, first) {
                assert!(error.starts_with(&format!("constraint {} of", first + 1)), "{error}");
            }
            solutions += u32::from(holds);
        }
    }
    assert!(solutions as usize > rounds, "{solutions}");
    // Groups of larger bounds without weights are rare.
    let larger = ["at-most-2", "at-least-2", "exactly-2"];
    let larger = larger.into_iter().take(if rounds < 8_000 { 0 } else { 3 });
    for name in ["exactly-one", "at-most-one"].into_iter().chain(larger) {
        assert!(names.contains(name), "{names:?}");
    }
}

#[test]
fn random_files_keep_their_solutions() {
    check_solutions(400);
}

#[test]
#[ignore = "second tier: 8,000 files"]
fn many_random_files_keep_their_solutions() {
    check_solutions(8_000);
}

#[test]
fn cut_files_are_refused() {
    for text in [
        "c a\np cnf 12 2\n1 2 0\nc amo 1 2 10 0\n-3 12 0",
        "p knf 12 2\nk 2 1 2 10 0\n-3 12 0\r\n",
        "p cnf+ 12 2\n-3 12 0\n1 2 10 <= 12\n",
        "* #variable= 12 #constraint= 2\n+1 x1 >= 1 ;\n+1 x1 -1 x12 >= 1 ;",
    ] {
        let whole = read(text);
        assert_eq!(whole.notes(), [""; 0]);
        for length in 0..text.len() {
            if let Ok(file) = ProblemFile::read("x", None, &text.as_bytes()[..length]) {
                // A note tells of a bound without an end of line, and of fewer constraints than the header states.
                if !file.notes().is_empty() {
                    continue;
                }
                assert_eq!(file, whole, "{length} bytes of {text:?}");
                assert!(text[length..].trim_ascii().is_empty(), "{length} bytes of {text:?}");
            }
        }
    }
}

/// Reads files of all formats with a few changed bytes.
fn mutate(seed: u64, rounds: u32) -> (u32, u32) {
    const BYTES: &[u8] = b"0123456789 -+~x;<>=*#kpc\n\r\t%[m:@wab_\0\xff\xc3";
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut read, mut refused) = (0, 0);
    let mut files: Vec<String> = Vec::new();
    for round in 0..rounds {
        if round % 50 == 0 {
            files = FORMATS.map(|format| sample(&mut rng, format, 6).0).to_vec();
        }
        let mut bytes = match FORMS.choose(&mut rng) {
            Some((text, ..)) if round % 2 == 0 => text.as_bytes().to_vec(),
            _ => files.choose(&mut rng).unwrap().clone().into_bytes(),
        };
        for _ in 0..rng.random_range(1..=4) {
            let place = rng.random_range(0..bytes.len());
            match rng.random_range(0..4) {
                0 => bytes[place] = *BYTES.choose(&mut rng).unwrap(),
                1 => bytes.insert(place, *BYTES.choose(&mut rng).unwrap()),
                2 if bytes.len() > 1 => drop(bytes.remove(place)),
                _ => {
                    let end = rng.random_range(place..bytes.len().min(place + 20));
                    let part = bytes[place..end].to_vec();
                    let at = rng.random_range(0..bytes.len());
                    bytes.splice(at..at, part);
                }
            }
        }
        match ProblemFile::read("x", None, bytes.clone()) {
            Err(error) => {
                refused += 1;
                assert!(error.message.len() < 300, "{error}");
            }
            Ok(file) => {
                read += 1;
                let problem = file.problem();
                if problem.candidates() > 1_000 {
                    continue;
                }
                // Another text with the same constraints may have been read before.
                let stated = StatedConstraints::read(&bytes);
                for bits in [0, 0b01_0110, 0b10_1101, 0b11_1111] {
                    let solution = assignment(file.stated_variables().min(6), bits);
                    let solution = with_products(&file, &solution);
                    let groups = problem.check(&solution);
                    let violated = stated.violated(&solution);
                    let text = bytes.escape_ascii();
                    assert_eq!(
                        groups.is_ok(),
                        violated.is_none(),
                        "{text}\n{groups:?} {violated:?}"
                    );
                }
            }
        }
    }
    (read, refused)
}

/// Adds the products that hold.
fn with_products(file: &ProblemFile, solution: &Solution) -> Solution {
    let products = &file.content().unwrap().products;
    let holds = |literal: &Literal| solution.chooses(literal.candidate()) != literal.is_negated();
    let held = products.iter().zip(file.stated_variables()..);
    let held = held.filter(|(factors, _)| factors.iter().all(holds)).map(|(_, product)| product);
    solution.chosen().iter().copied().chain(held).collect()
}

fn check_changed_files(rounds: u32) {
    let (read, refused) = mutate(22, rounds);
    assert!(read > rounds / 10 && refused > rounds / 10, "{read} {refused}");
}

#[test]
fn changed_files_are_read_or_refused() {
    check_changed_files(50_000);
}

#[test]
#[ignore = "second tier: 1,000,000 files"]
fn many_changed_files_are_read_or_refused() {
    check_changed_files(1_000_000);
}

#[test]
fn a_header_takes_no_memory() {
    let found = refusal("p knf 2147483647 1\nk 2 1 2147483647 -5 0\n");
    assert!(found.starts_with("it has 2147483647 variables in 41 bytes: correct"), "{found}");
    let file = read("p knf 1048576 1\nk 2 1 1048576 -5 0\n");
    let problem = file.problem();
    assert_eq!(problem.candidates(), 1 << 20);
    let last = Literal::chosen((1 << 20) - 1);
    let group = [!Literal::chosen(0), !last, Literal::chosen(4)];
    assert_eq!(problem.families()[0].bounds(), Bounds::AT_MOST_ONE);
    assert_eq!(*problem.families()[0].listed(), [group].into_iter().collect::<Lists<_>>());
}
