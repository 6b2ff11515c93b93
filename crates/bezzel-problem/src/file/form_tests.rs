//! The forms in which writers of files differ: each is compared with its meaning, stated here once more.

use std::fmt::Write as _;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// A constraint over the values of the variables, which are 0 or 1.
pub(super) type Meaning = fn(&[i128]) -> bool;

fn read(text: &[u8]) -> ProblemFile {
    ProblemFile::read("x", None, text)
        .unwrap_or_else(|error| panic!("{error}\n{}", text.escape_ascii()))
}

/// Compares the problem, and the check of solutions, with the meaning for all values. Gives the number of solutions.
/// Products are candidates behind the variables: one of their assignments fits to each solution.
fn compare(file: &ProblemFile, variables: u32, meaning: &dyn Fn(&[i128]) -> bool) -> u32 {
    let problem = file.problem();
    let products = problem.candidates() - variables;
    let mut count = 0;
    for bits in 0..1_u32 << variables {
        let values: Vec<i128> = (0..variables).map(|place| i128::from(bits >> place & 1)).collect();
        let solution: Solution = (0..variables).filter(|place| bits >> place & 1 == 1).collect();
        let holds = meaning(&values);
        assert_eq!(file.check(&solution).is_ok(), holds, "{file} {values:?}");
        let extended = (0..1_u32 << products).map(|rest| bits | rest << variables);
        let extended =
            extended.map(|bits| (0..32).filter(|place| bits >> place & 1 == 1).collect());
        let fitting =
            extended.filter(|solution: &Solution| problem.check(solution).is_ok()).count();
        assert_eq!(fitting, usize::from(holds), "{file} {values:?}");
        count += u32::from(holds);
    }
    count
}

/// A text, its number of variables and of solutions, its meaning, and the beginnings of its notes.
pub(super) type Form = (&'static str, u32, u32, Meaning, &'static [&'static str]);

pub(super) const FORMS: &[Form] = &[
    // The last line does not end.
    ("p cnf 2 1\n1 2 0", 2, 3, |x| x[0] + x[1] >= 1, &[]),
    ("p knf 3 1\nk 2 1 2 3 0", 3, 4, |x| x[0] + x[1] + x[2] >= 2, &[]),
    ("+1 x1 +1 x2 = 1 ;", 2, 2, |x| x[0] + x[1] == 1, &[]),
    (
        "p cnf+ 3 1\n1 2 3 <= 1",
        3,
        4,
        |x| x[0] + x[1] + x[2] <= 1,
        &["line 2, column 11: the last line does not end, so its bound may be cut"],
    ),
    // The end of files of SATLIB.
    ("c r\np cnf 2 1\n 1 -2 0\n%\n0\n\n", 2, 3, |x| x[0] >= x[1], &[]),
    ("p cnf 2 1\n1 -2 0\n%\n", 2, 3, |x| x[0] >= x[1], &[]),
    // Byte order marks.
    ("\u{feff}p cnf 2 1\r\n1 2 0\r\n", 2, 3, |x| x[0] + x[1] >= 1, &[]),
    ("\u{feff}p knf 2 1\n1 2 0", 2, 3, |x| x[0] + x[1] >= 1, &[]),
    ("\u{feff}* #variable= 2\n+1 x1 +1 x2 >= 1;", 2, 3, |x| x[0] + x[1] >= 1, &[]),
    ("\u{feff}+1 x1 +1 x2 >= 1;", 2, 3, |x| x[0] + x[1] >= 1, &[]),
    // Comments that are no groups.
    (
        "c eo 1 queen per row\np cnf 2 1\nc amo 2 of the rooms\n1 2 0\nc eo: 1 2\nc alo 1 0 one\n",
        2,
        3,
        |x| x[0] + x[1] >= 1,
        &[
            "line 1, column 3: `c eo` is a comment and no group, as `queen` is no literal (and 2 more",
        ],
    ),
    (
        "p cnf 2 1\n1\nc amo 2 of them\n2 0\n",
        2,
        3,
        |x| x[0] + x[1] >= 1,
        &["line 3, column 3: `c amo`"],
    ),
    ("c amo 7 dwarfs\np knf 2 1\nc amo 1 2 0\n1 2 0\n", 2, 3, |x| x[0] + x[1] >= 1, &["line 1"]),
    // Words for counters.
    (
        "p cnf 2 1\nc p weight 1 0.5 0\n1 2 0\nc p weight -1 0.5 0\n",
        2,
        3,
        |x| x[0] + x[1] >= 1,
        &["line 2, column 5: weights of literals (`c p weight`) are not used (and 1 more"],
    ),
    // Names.
    ("1 a 1 b >= 1 ; 1 b -1 c = 0 ;", 3, 3, |x| x[0] + x[1] >= 1 && x[1] == x[2], &[]),
    ("+1 x0 +1 x1 = 1 ;", 2, 2, |x| x[0] + x[1] == 1, &[]),
    ("* #variable= 3\n+1 y >= 1 ; +1 x3 +1 y >= 2 ;", 3, 2, |x| x[0] + x[1] >= 2, &[]),
    ("c1 + ~p_2[3] >= 1 ;\np_2[3] >= 1 ;", 2, 1, |x| x[0] + (1 - x[1]) >= 1 && x[1] == 1, &[]),
    ("c + d >= 2;", 2, 1, |x| x[0] + x[1] >= 2, &[]),
    ("p + d >= 2;\n", 2, 1, |x| x[0] + x[1] >= 2, &[]),
    ("+1 \u{e4} +1 \u{3b2} >= 2;", 2, 1, |x| x[0] + x[1] >= 2, &[]),
    ("+1 x007 +1 x1 >= 1;", 7, 96, |x| x[0] + x[6] >= 1, &[]),
    // Labels, and a set of variables.
    ("@c1 +1 x1 +1 x2 >= 1 ;\n @c2 x1 <= 0 ;", 2, 1, |x| x[1] == 1 && x[0] == 0, &[]),
    ("@a 1 x1 >= 1 ;\npreserved: x2 x1 ;\n", 2, 2, |x| x[0] == 1, &[]),
    // Coefficients.
    ("x1 + x2 - x3 >= 1 ;", 3, 4, |x| x[0] + x[1] - x[2] >= 1, &[]),
    ("-x1 +~x2 - 2 ~x3 >= - 1 ;", 3, 5, |x| -x[0] + (1 - x[1]) - 2 * (1 - x[2]) >= -1, &[]),
    ("+ 2 x1 + 3\nx2 >= + 3 ;", 2, 2, |x| 2 * x[0] + 3 * x[1] >= 3, &[]),
    // Objectives.
    ("min: ;\n+1 x1 >= 1 ;", 1, 1, |x| x[0] == 1, &[]),
    (
        "* #variable= 2 #constraint= 1\nmin: +1 x1 -5 x2\n* a comment ; >= 1\n+3 x1;\n+1 x1 >= 1 ;",
        2,
        2,
        |x| x[0] == 1,
        &["line 2, column 1: the objective is left out: any solution is asked for"],
    ),
    ("min: 3e1 ;x1>=1;", 2, 2, |x| x[1] == 1, &["line 1, column 1: the objective"]),
    ("max:x2;x1>=1;", 2, 2, |x| x[0] == 1, &["line 1, column 1: the objective"]),
    ("max : 99999999999999999999 b ; a >= 1;", 2, 2, |x| x[1] == 1, &["line 1"]),
    // Products.
    ("+2 x1 x2 -1 ~x1 x3 >= 1 ;", 3, 2, |x| 2 * x[0] * x[1] - (1 - x[0]) * x[2] >= 1, &[]),
    ("b ~a + ~a b = 2 ;\n c >= 0;", 3, 2, |x| 2 * x[0] * (1 - x[1]) == 2, &[]),
    ("+3 x1 ~x1 +1 x2 x2 >= 1 ;", 2, 2, |x| x[1] == 1, &[]),
    (
        "min: x1 x2 x3 ;\nx1 x2\nx3 + x4 >= 1 ;",
        4,
        9,
        |x| x[0] * x[1] * x[2] + x[3] >= 1,
        &["line 1"],
    ),
    // Strict relations.
    ("+1 x1 +2 x2 > 1 ;\n+1 x2 +1 x3 < 2 ;", 3, 2, |x| x[0] + 2 * x[1] > 1 && x[1] + x[2] < 2, &[]),
    ("+1 x1 > 9223372036854775807 ;", 1, 0, |_| false, &[]),
    ("+1 x1 < -9223372036854775807 ;", 1, 0, |_| false, &[]),
    // Wrong numbers in the header.
    (
        "* #variable= 1 #constraint= 3\n+1 x1 +1 x2 = 1 ;\n",
        2,
        2,
        |x| x[0] + x[1] == 1,
        &["line 1, column 29: the header states 3 constraints, and the file has 1"],
    ),
    (
        "* #variable= 1\n+1 a +1 b = 1 ;",
        2,
        2,
        |x| x[0] + x[1] == 1,
        &["line 1, column 14: the header states 1 variables, and the file has 2 names"],
    ),
    ("* #variable= many\n+1 x1 >= 1 ;", 1, 1, |x| x[0] == 1, &["line 1, column 3: `#variable=`"]),
    // Large integers.
    ("12345678901234567890 x1 +4 x2 >= 10 ;", 2, 2, |x| x[0] == 1, &[]),
    (
        "1 x1 +00000000000000000000000000000000000000000000000000002 x2 >= 2;",
        2,
        2,
        |x| x[1] == 1,
        &[],
    ),
    (
        "+100000000000000000000 x1 +100000000000000000000 x2 +100000000000000000000 x3 <= 150000000000000000000 ;",
        3,
        4,
        |x| x[0] + x[1] + x[2] <= 1,
        &[],
    ),
    (
        "+200000000000000000000 x1 +300000000000000000000 x2 -300000000000000000000 x3 = 200000000000000000000 ;",
        3,
        2,
        |x| 2 * x[0] + 3 * x[1] - 3 * x[2] == 2,
        &[],
    ),
    ("+9223372036854775807 x1 +9223372036854775807 x1 +2 x2 >= 3 ;", 2, 2, |x| x[0] == 1, &[]),
    ("+100000000000000000000 x1 +1 x2 = 1 ;", 2, 1, |x| x[0] == 0 && x[1] == 1, &[]),
    ("+1 x1 +1 x2 >= -100000000000000000000 ;", 2, 4, |_| true, &[]),
    ("+1 x1 +1 x2 <= -100000000000000000000 ;", 2, 0, |_| false, &[]),
    // Weights in CNF+.
    (
        "p cnf+ 4 3\nw 2*1 3*-4 >= 3\nc w 1*1\nw 1*2\n -2*3 <= 0\n1 2 0\n",
        4,
        4,
        |x| 2 * x[0] + 3 * (1 - x[3]) >= 3 && x[1] - 2 * x[2] <= 0 && x[0] + x[1] >= 1,
        &[],
    ),
    ("p cnf+ 2 1\nw 100000000000000000000*1 1*2 >= 2\n", 2, 2, |x| x[0] == 1, &[]),
    (
        "p cnf 2 2\n0000000000000000000000000000000000000000000001 0\n-02 0\n",
        2,
        1,
        |x| x[0] == 1 && x[1] == 0,
        &[],
    ),
];

#[test]
fn each_form_has_the_solutions_of_its_meaning() {
    for &(text, variables, count, meaning, notes) in FORMS {
        let file = read(text.as_bytes());
        assert_eq!(compare(&file, variables, &meaning), count, "{text}");
        let found: Vec<_> = file.objective_note().into_iter().chain(file.notes()).collect();
        let begin = found.iter().zip(notes).all(|(found, note)| found.starts_with(note));
        assert!(begin && found.len() == notes.len(), "{text}\n{found:?}\n{notes:?}");
    }
}

#[test]
fn names_are_kept_and_numbers_stay() {
    let file = read(b"min: 1 z ;\n+1 x1 +1 a[2] >= 1 ;\npreserved: a[2] ;\n* #variable= 9\n");
    assert!(file.has_names());
    assert_eq!([0, 1, 2].map(|variable| file.label(variable)), ["z", "x1", "a[2]"]);
    assert_eq!(file.draw(&[1].into_iter().collect()), "v -z x1 -a[2]");
    let set = file.projection().unwrap();
    assert_eq!((set.word, set.position.line, &*set.variables), ("preserved:", 3, &[2][..]));
    // A file with names has the digest of the one with their numbers.
    assert_eq!(file, read(b"* #variable= 3\n+1 x2 +1 x3 >= 1 ;\n"));
    let more = read(b"* #variable= 3\n+1 x9 +1 y >= 1 ;\n");
    assert_eq!([0, 1, 2].map(|variable| more.label(variable)), ["x9", "y", "#3"]);
    let numbered = read(b"+1 x2 +1 x3 >= 1 ;\n");
    assert_eq!((numbered.has_names(), numbered.label(1)), (false, "x2".to_owned()));
}

#[test]
fn projection_sets_are_read() {
    for (text, expected) in [
        ("c p show 1 2 0\np cnf 4 1\nc p show 4 2 0\n1 2 0\n", Some(("c p show", vec![0, 1, 3]))),
        ("c ind 3 1 0\np knf 4 1\n1 2 0\n", Some(("c ind", vec![0, 2]))),
        ("p cnf+ 4 1\nc p show 2 0\n1 2 0\n", Some(("c p show", vec![1]))),
        ("p cnf 4 1\nc p show 0\n1 2 0\n", Some(("c p show", vec![]))),
        ("p cnf 4 1\nc p show 1 9 0\n1 2 0\n", Some(("c p show", vec![0]))),
        ("p cnf 4 1\nc ind the first ones\nc p show\nc p cnf 3 4\n1 2 0\n", None),
        ("p cnf 4 1\nc ind 1 2\n1 2 0\n", None),
        ("preserved: x3 x1 ; x1 + x3 >= 1;", Some(("preserved:", vec![0, 2]))),
    ] {
        let found = read(text.as_bytes()).projection();
        assert_eq!(found.map(|set| (set.word, set.variables)), expected, "{text}");
    }
    for (text, note) in [
        (
            "p cnf 4 1\nc p show 1 9 0\n1 2 0\n",
            "line 2, column 5: the projection set of `c p show` has the variable 9",
        ),
        (
            "p cnf 4 1\nc ind 1 2\n1 2 0\n",
            "line 2, column 3: `c ind` is a comment and no projection set",
        ),
    ] {
        let notes = read(text.as_bytes()).notes();
        assert!(notes.len() == 1 && notes[0].starts_with(note), "{notes:?}");
    }
}

#[test]
fn bytes_of_utf_16_and_endless_numbers_are_refused() {
    let error = ProblemFile::read("x", None, &b"\xff\xfep\0 \0"[..]).unwrap_err().to_string();
    assert!(error.starts_with("the text is UTF-16, by its byte order mark"), "{error}");
    let digits = format!("+{} x1 >= 1 ;", "9".repeat(10_001));
    let error = ProblemFile::read("x", None, digits.as_bytes()).unwrap_err().to_string();
    assert_eq!(error, "line 1, column 2: a coefficient has more than 10000 digits");
}

/// A random constraint: the weights of products of literals, most of one, the relation and the bound.
struct Linear {
    terms: Vec<(Vec<(usize, bool)>, i128)>,
    relation: &'static str,
    bound: i128,
}

impl Linear {
    fn new(rng: &mut ChaCha8Rng, variables: usize) -> Self {
        // Half of the constraints have integers beyond 64 bits, with a common divisor or without.
        let scale = *[1, 1, 1, 1 << 70, 3 << 63].choose(rng).unwrap();
        let terms = (0..rng.random_range(1..6)).map(|_| {
            let extra = i128::from(rng.random_bool(0.1));
            let weight = rng.random_range(-4..=4_i128) * scale + extra;
            let length = *[1, 1, 1, 1, 2, 3].choose(rng).unwrap();
            let factors =
                (0..length).map(|_| (rng.random_range(0..variables), rng.random())).collect();
            (factors, weight)
        });
        let terms: Vec<_> = terms.collect();
        let bound = rng.random_range(-5..=6) * scale + rng.random_range(0..=1);
        Self { terms, relation: [">=", "<=", "=", ">", "<"].choose(rng).unwrap(), bound }
    }

    fn sum(&self, values: &[i128]) -> i128 {
        let value =
            |&(place, not): &(usize, bool)| if not { 1 - values[place] } else { values[place] };
        let term = |(factors, weight): &(Vec<(usize, bool)>, i128)| {
            weight * factors.iter().map(value).product::<i128>()
        };
        self.terms.iter().map(term).sum()
    }

    fn holds(&self, values: &[i128]) -> bool {
        let sum = self.sum(values);
        match self.relation {
            ">=" => sum >= self.bound,
            "<=" => sum <= self.bound,
            ">" => sum > self.bound,
            "<" => sum < self.bound,
            _ => sum == self.bound,
        }
    }

    fn opb(&self, rng: &mut ChaCha8Rng, names: &[&str]) -> String {
        let text = String::from(*["", "", "@c1 ", "* c\n"].choose(rng).unwrap());
        let blank = |rng: &mut ChaCha8Rng| *["", " ", "\r\n"].choose(rng).unwrap();
        let text = text + &self.terms(rng, names);
        let zeros = "0".repeat(*[0, 0, 1, 50].choose(rng).unwrap());
        let sign = if self.bound < 0 { "-" } else { "" };
        let digits = format!("{zeros}{}", self.bound.abs());
        text + self.relation + blank(rng) + sign + &digits + blank(rng) + ";" + blank(rng) + "\n"
    }

    fn terms(&self, rng: &mut ChaCha8Rng, names: &[&str]) -> String {
        let mut text = String::new();
        let blank = |rng: &mut ChaCha8Rng| *["", " ", "\r\n"].choose(rng).unwrap();
        let zeros = |rng: &mut ChaCha8Rng| "0".repeat(*[0, 0, 1, 50].choose(rng).unwrap());
        for (factors, weight) in &self.terms {
            let sign = if *weight < 0 { "-" } else { "+" };
            let digits = match weight.abs() {
                1 if rng.random() => String::new(),
                size => format!("{}{size} ", zeros(rng)),
            };
            write!(text, "{sign}{}{digits}", blank(rng)).unwrap();
            for &(place, negated) in factors {
                write!(text, "{}{} ", if negated { "~" } else { "" }, names[place]).unwrap();
            }
        }
        text
    }

    /// In CNF+, which has words of at most 40 bytes and no strict relations.
    fn cnf_plus(&self) -> String {
        let words = self.terms.iter().map(|(factors, weight)| {
            let (place, negated) = factors[0];
            let sign = if negated { "-" } else { "" };
            format!("{weight}*{sign}{} ", place + 1)
        });
        format!("w {}{} {}\n", words.collect::<String>(), self.relation, self.bound)
    }
}

fn check_other_writers(rounds: u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(42);
    let names: [&[&str]; 3] =
        [&["x1", "x2", "x3", "x4"], &["x0", "x1", "x2", "x3"], &["a", "b[1]", "x_3", "min"]];
    let (mut solutions, mut refused) = (0, 0);
    for _ in 0..rounds {
        let names = *names.choose(&mut rng).unwrap();
        let linears: Vec<_> =
            (0..rng.random_range(1..4)).map(|_| Linear::new(&mut rng, 4)).collect();
        // The names occur in their order, so that their numbers are known.
        let objective = format!("preserved: {} ;\n", names.join(" "));
        let opb: String = linears.iter().map(|linear| linear.opb(&mut rng, names)).collect();
        let mut texts = vec![(objective + &opb, linears)];
        let plus: Vec<_> =
            texts[0].1.iter().filter(|linear| matches!(linear.relation, ">=" | "<=")).collect();
        let is_short = |linear: &&&Linear| {
            let is_linear = linear.terms.iter().all(|(factors, _)| factors.len() == 1);
            is_linear && i64::try_from(linear.bound).is_ok()
        };
        let plus: Vec<_> = plus.into_iter().filter(|linear| is_short(&linear)).collect();
        let body: String = plus.iter().map(|linear| linear.cnf_plus()).collect();
        let header = format!("p cnf+ 4 {}\n", plus.len());
        let plus = plus.into_iter().map(|linear| Linear { terms: linear.terms.clone(), ..*linear });
        let plus = (header + &body, plus.collect());
        texts.push(plus);
        for (text, linears) in &texts {
            match ProblemFile::read("x", None, text.as_bytes()) {
                Ok(file) => {
                    let meaning =
                        |values: &[i128]| linears.iter().all(|linear| linear.holds(values));
                    solutions += compare(&file, 4, &meaning);
                }
                Err(error) => {
                    assert!(error.message.starts_with("weights go up to"), "{error}\n{text}");
                    refused += 1;
                }
            }
        }
    }
    assert!(solutions > rounds, "{solutions}");
    assert!(refused < rounds / 3, "{refused}");
}

#[test]
fn an_objective_has_its_value_and_is_a_constraint_on_request() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let names = ["x1", "x2", "x3", "x4"];
    let mut compared = 0;
    for _ in 0..300 {
        let [aim, linear] = [(); 2].map(|()| Linear::new(&mut rng, 4));
        let word = *["min", "max"].choose(&mut rng).unwrap();
        let terms = aim.terms(&mut rng, &names);
        let header = "* #variable= 4\n";
        let text = format!("{header}{word}: {terms};\n{}", linear.opb(&mut rng, &names));
        let Ok(file) = ProblemFile::read("x", None, text.as_bytes()) else { continue };
        let objective = file.objective().unwrap();
        let value = aim.sum(&[1, 0, 1, 0]);
        assert_eq!(file.value(&[0, 2].into_iter().collect()), Some(value.into()), "{text}");
        let bounds = [
            (format!("at most {value}"), Box::new(|sum| sum <= value) as Box<dyn Fn(i128) -> bool>),
            (format!("at least {value}"), Box::new(|sum| sum >= value)),
            (format!("exactly {value}"), Box::new(|sum| sum == value)),
            (
                Goal::Bound(objective.better(&value.into())).to_string(),
                Box::new(|sum| if word == "max" { sum > value } else { sum < value }),
            ),
        ];
        for (goal, meets) in bounds {
            let goal: Goal = goal.parse().unwrap();
            let Ok(bounded) = file.with_goal(goal.clone()) else { continue };
            compare(&bounded, 4, &|values| linear.holds(values) && meets(aim.sum(values)));
            let Goal::Bound(bound) = &goal else { panic!("{goal}") };
            let alone = file.bounded(bound).unwrap().unwrap();
            for bits in 0..1_u32 << 4 {
                let values: Vec<i128> = (0..4).map(|place| i128::from(bits >> place & 1)).collect();
                let products = (0..1_u32 << (alone.candidates() - 4)).map(|rest| bits | rest << 4);
                let problem = file.problem();
                for bits in products {
                    let solution: Solution =
                        (0..32).filter(|place| bits >> place & 1 == 1).collect();
                    if problem.check(&solution).is_ok() {
                        assert_eq!(
                            alone.check(&solution).is_ok(),
                            meets(aim.sum(&values)),
                            "{text}"
                        );
                    }
                }
            }
            // A worker reads the file again, and a plan has the instance as JSON.
            let json = serde_json::to_string(&bounded).unwrap();
            let stored: ProblemFile = serde_json::from_str(&json).unwrap();
            assert_eq!((&stored, stored.goal()), (&bounded, &goal), "{json}");
            stored.refuse_other(&file).unwrap();
            compared += 1;
        }
    }
    assert!(compared > 800, "{compared}");
    let read = |text: &str| ProblemFile::read("x", None, text.as_bytes()).unwrap();
    let [one, two] = ["min: x1 ;x1 + x2 >= 1 ;", "max: x1 ;x1 + x2 >= 1 ;"].map(read);
    assert_eq!(one, two, "the objective is left out");
    let [one, two] = [one, two].map(|file| file.with_goal(Goal::Optimum).unwrap());
    assert_ne!(one, two, "the objective is part of the question");
}

#[test]
fn wrong_objectives_are_refused() {
    let goal = "at most 3".parse().unwrap();
    let error = read(b"x1 >= 1 ;").with_goal(goal).unwrap_err();
    let words =
        "it has no objective, so `at most 3` has no meaning: a line as `min: +1 x1 ;` states one";
    assert_eq!(error.to_string(), words);
    for text in
        ["", "at most", "at most x", "atmost 3", "at most --3", "at most 3.5", "best", "at  most 3"]
    {
        assert!(text.parse::<Goal>().is_err(), "{text}");
    }
    let draw = |text: &str| read(text.as_bytes()).draw(&[0, 1, 3].into_iter().collect());
    assert_eq!(draw("x1 x2 + x3 >= 1 ;"), "v 1 2 -3 0", "a product is not printed");
    let file = read(b"a ~b + c >= 1 ;");
    assert_eq!([2, 3].map(|candidate| file.label(candidate)), ["c", "a*~b"]);
}

#[test]
fn random_files_of_other_writers_keep_their_solutions() {
    check_other_writers(300);
}

#[test]
#[ignore = "second tier: 6,000 files"]
fn many_random_files_of_other_writers_keep_their_solutions() {
    check_other_writers(6_000);
}
