//! Tens of thousands of damaged outputs: none causes a panic, and none is read as another answer than its own.
//!
//! A second reader without streams determines the answer of each output by regular expressions over the whole text.

use bezzel_encode::Lit;
use bezzel_encode::format::read::AnswerForm;
use bezzel_solve::{Answer, Effort};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use regex::bytes::Regex;

use super::super::answer;

const VARIABLES: u32 = 12;

/// The number of mutants of each form.
const MUTANTS: usize = 50_000;

/// Damages a text in one to four places.
fn mutate(text: &[u8], random: &mut ChaCha8Rng) -> Vec<u8> {
    const PARTS: [&[u8]; 16] = [
        b"0",
        b"-",
        b" ",
        b"\n",
        b"\r\n",
        b"v ",
        b"s ",
        b"c ",
        b"s SATISFIABLE\n",
        b"s UNSATISFIABLE\n",
        b"UN",
        b"1",
        b"9",
        b"\x00",
        b"\xff",
        b" 0\n",
    ];
    let mut text = text.to_vec();
    for _ in 0..random.random_range(1..=4) {
        let at = random.random_range(0..=text.len());
        match random.random_range(0..6) {
            0 => text.truncate(at),
            1 if at < text.len() => {
                text.remove(at);
            }
            2 if at < text.len() => text[at] ^= 1 << random.random_range(0..8),
            3 => {
                let end = random.random_range(at..=text.len().min(at + 20));
                let part = text[at..end].to_vec();
                let to = random.random_range(0..=text.len());
                text.splice(to..to, part);
            }
            4 => {
                let end = random.random_range(at..=text.len().min(at + 20));
                text.drain(at..end);
            }
            _ => {
                let part = *PARTS.choose(random).unwrap();
                text.splice(at..at, part.iter().copied());
            }
        }
    }
    text
}

/// Returns the verdict and the true variables of an unambiguous output; `None` for any other.
fn beyond_doubt(text: &[u8], patterns: &Patterns) -> Option<(Answer, Vec<i32>)> {
    let verdicts: Vec<&[u8]> = patterns
        .verdict
        .captures_iter(text)
        .map(|found| found.get(1).unwrap().as_bytes())
        .collect();
    let values: Vec<&[u8]> =
        patterns.values.captures_iter(text).map(|found| found.get(1).unwrap().as_bytes()).collect();
    let [verdict] = verdicts[..] else { return None };
    if verdict == b"UNSATISFIABLE" || verdict == b"UNSAT" {
        return values.is_empty().then(|| (Answer::Unsat, Vec::new()));
    }
    let text = String::from_utf8(values.join(&b' ')).ok()?;
    let numbers: Vec<i32> =
        text.split_ascii_whitespace().map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let (&last, lits) = numbers.split_last()?;
    let mut seen: Vec<i32> = lits.iter().map(|lit| lit.abs()).collect();
    seen.sort_unstable();
    seen.dedup();
    let sound = last == 0
        && seen.len() == lits.len()
        && seen.iter().all(|&variable| (1..=VARIABLES as i32).contains(&variable));
    sound.then(|| (Answer::Sat, lits.iter().copied().filter(|&lit| lit > 0).collect()))
}

struct Patterns {
    verdict: Regex,
    values: Regex,
}

#[test]
fn no_damaged_output_is_taken_for_an_answer_that_it_does_not_say() {
    let competitions = Patterns {
        verdict: Regex::new(r"(?m)^s[ \t\r]+(SATISFIABLE|UNSATISFIABLE)[ \t\r]*$").unwrap(),
        values: Regex::new(r"(?m)^v((?:[ \t\r][^\n]*)?)$").unwrap(),
    };
    let files = Patterns {
        verdict: Regex::new(r"^[ \t\r\n]*(SAT|UNSAT)(?:[ \t\r\n]|$)").unwrap(),
        values: Regex::new(r"(?s-u)^[ \t\r\n]*(?:SAT|UNSAT)[ \t\r\n]+([^ \t\r\n].*)$").unwrap(),
    };
    let outputs: [&[u8]; 4] = [
        b"c a solver\ns SATISFIABLE\nv 1 -2 3 -4 5 -6\nv 7 -8 9 -10 11 -12 0\nc conflicts: 3\n",
        b"v -1 2 -3 0\r\ns SATISFIABLE\r\n",
        b"c a solver\ns UNSATISFIABLE\nc conflicts: 3\n",
        b"s SATISFIABLE\nv 12 0\n",
    ];
    let results: [&[u8]; 3] =
        [b"SAT\n1 -2 3 -4 5 -6 7 -8 9 -10 11 -12 0\n", b"UNSAT\n", b"SAT\n-1 2 0\n"];
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut answers = [0; 2];
    for round in 0..2 * MUTANTS {
        let is_file = round % 2 == 1;
        let text = if is_file { results.choose(&mut random) } else { outputs.choose(&mut random) };
        let mutant = mutate(text.unwrap(), &mut random);
        let shown = || String::from_utf8_lossy(&mutant).into_owned();
        let patterns = if is_file { &files } else { &competitions };
        for code in [0, 10, 20] {
            let form = if is_file { AnswerForm::MiniSat } else { AnswerForm::Competition("") };
            let output = answer::read(&mut &*mutant, form, VARIABLES, &mut Effort::default());
            let Ok((answer, model)) = output.and_then(|output| answer::agreed(output, code)) else {
                continue;
            };
            if answer == Answer::Unknown {
                assert_eq!(code, 0, "{}", shown());
                continue;
            }
            let (sure, lits) = beyond_doubt(&mutant, patterns)
                .unwrap_or_else(|| panic!("taken for {answer}: {:?}", shown()));
            assert_eq!((sure, code), (answer, if answer == Answer::Sat { 10 } else { 20 }));
            if let Some(model) = model {
                for variable in 1..=VARIABLES as i32 {
                    let holds = model.holds(Lit::positive(variable as u32 - 1));
                    assert_eq!(holds, lits.contains(&variable), "{variable} in {:?}", shown());
                }
            }
            answers[usize::from(answer == Answer::Unsat)] += 1;
        }
    }
    // Some damage is harmless. Without accepted outputs the test would check nothing.
    assert!(answers.iter().all(|&count| count > 1000), "{answers:?}");
}
