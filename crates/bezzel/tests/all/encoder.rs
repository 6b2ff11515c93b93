//! `bezzel encoder`: its answers are the clauses of the library in every format, and faults are refused.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;

use bezzel_encode::amk::{self, AtMostK, Limit};
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{AtMostOne, ClauseSink, Formula, Lit, Registry};

use crate::program::{BEZZEL, fed, stderr};

/// The variables and the clauses of an answer.
type Answer = (u64, Vec<Vec<i32>>);

fn start(arguments: &[&str]) -> Command {
    let mut command = Command::new(BEZZEL);
    command.arg("encoder").args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The answers to these requests, which are the same in every format.
fn answers(arguments: &[&str], requests: &[String]) -> Vec<Answer> {
    let input = format!("bezzel-encoder 1\n{}\n", requests.join("\n"));
    let printed = |format: &str| {
        let mut command = start(&[arguments, &["--format", format]].concat());
        let output = fed(&mut command, input.as_bytes());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        output.stdout
    };
    let read = of_text(&String::from_utf8(printed("dimacs")).unwrap());
    assert_eq!(read, of_lists(&printed("marshal")), "{arguments:?}");
    assert_eq!(read.len(), requests.len(), "{arguments:?}");
    read
}

fn of_text(text: &str) -> Vec<Answer> {
    let mut answers: Vec<Answer> = Vec::new();
    let mut stated = Vec::new();
    for line in text.lines() {
        if let Some(header) = line.strip_prefix("p cnf ") {
            let (variables, clauses) = header.split_once(' ').unwrap();
            answers.push((variables.parse().unwrap(), Vec::new()));
            stated.push(clauses.parse::<usize>().unwrap());
        } else {
            let lits: Vec<i32> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            let (end, clause) = lits.split_last().unwrap();
            assert_eq!(*end, 0, "{line}");
            answers.last_mut().unwrap().1.push(clause.to_vec());
        }
    }
    let made: Vec<usize> = answers.iter().map(|(_, clauses)| clauses.len()).collect();
    assert_eq!(made, stated);
    answers
}

/// The three numbers of a header, and the bytes that follow.
fn header(bytes: &[u8]) -> ([u64; 3], &[u8]) {
    let (head, rest) = bytes.split_at(24);
    let number = |index: usize| u64::from_le_bytes(head[8 * index..][..8].try_into().unwrap());
    ([0, 1, 2].map(number), rest)
}

/// Reads answers as `marshal.loads` of Python does.
fn of_lists(mut bytes: &[u8]) -> Vec<Answer> {
    let mut answers = Vec::new();
    while !bytes.is_empty() {
        let ([variables, clauses, literals], rest) = header(bytes);
        let (body, rest) = rest.split_at(5 * (1 + clauses + literals) as usize);
        let mut elements = body
            .chunks_exact(5)
            .map(|element| (element[0], i32::from_le_bytes(element[1..].try_into().unwrap())));
        assert_eq!(elements.next(), Some((b'[', clauses as i32)));
        let mut numbered: Vec<i32> = Vec::new();
        let mut read = Vec::new();
        while let Some((kind, length)) = elements.next() {
            assert_eq!(kind, b'[');
            let literal = |(kind, value): (u8, i32)| match kind {
                b'i' => value,
                b'r' => numbered[value as usize],
                0xE9 => {
                    numbered.push(value);
                    value
                }
                _ => panic!("type {kind}"),
            };
            let clause: Vec<i32> = elements.by_ref().take(length as usize).map(literal).collect();
            assert_eq!(clause.len(), length as usize);
            read.push(clause);
        }
        answers.push((variables, read));
        bytes = rest;
    }
    answers
}

fn answer_of(formula: &Formula) -> Answer {
    let numbers = |clause: &[Lit]| clause.iter().map(|lit| lit.to_ipasir()).collect();
    (formula.variables().into(), formula.clauses().map(numbers).collect())
}

#[test]
fn every_encoding_of_lines_answers_with_its_own_clauses() {
    let registry = bezzel_queens::register(Registry::standard());
    let cutoff = "{short: pairwise, long: commander:3+flat, at: 6}";
    let Ok(NamedEncoding::AtMostOne(mixed)) = registry.find(cutoff) else { panic!("{cutoff}") };
    let Ok(NamedEncoding::AtMostOne(unlisted)) = registry.find("commander:7") else { panic!("7") };
    let all = registry.at_most_ones().iter().cloned().chain([mixed, unlisted]);
    let numbers = 0..=12_u32;
    for encoding in all {
        let id = encoding.info().id;
        let requests: Vec<String> = numbers.clone().map(|n| format!("at-most-one {n}")).collect();
        let expected = numbers.clone().map(|n| {
            let mut formula = Formula::new();
            let xs: Vec<Lit> = formula.fresh(n).lits().collect();
            if n > 1 {
                encoding.encode(&xs, &mut formula);
            }
            answer_of(&formula)
        });
        assert_eq!(answers(&[&id], &requests), expected.collect::<Vec<_>>(), "{id}");
    }
}

/// The clauses of a constraint by an encoder of bounds. With k = 1 they are those of the encoding of lines with its id.
fn encoded(
    lines: Option<&Arc<dyn AtMostOne>>,
    encoder: &dyn AtMostK,
    (limit, n, k): (Limit, u32, u64),
) -> Answer {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(n).lits().collect();
    match (lines, limit, u64::from(n).checked_sub(k)) {
        (Some(lines), Limit::AtMost, Some(1..)) if k == 1 => lines.encode(&xs, &mut formula),
        (Some(lines), Limit::Exactly, Some(1..)) if k == 1 => lines.exactly_one(&xs, &mut formula),
        (Some(lines), Limit::AtLeast, Some(1)) if k > 1 => {
            let negations: Vec<Lit> = xs.iter().map(|&x| !x).collect();
            lines.encode(&negations, &mut formula);
        }
        _ => limit.encode(encoder, &xs, k, &mut formula),
    }
    answer_of(&formula)
}

#[test]
fn every_encoder_of_bounds_answers_with_its_own_clauses() {
    let registry = bezzel_queens::register(Registry::standard());
    let words =
        [("at-most", Limit::AtMost), ("at-least", Limit::AtLeast), ("exactly", Limit::Exactly)];
    let each = words.into_iter().flat_map(|(word, limit)| {
        (0..=6_u32).flat_map(move |n| (0..=u64::from(n) + 1).map(move |k| (word, (limit, n, k))))
    });
    let each: Vec<(&str, (Limit, u32, u64))> = each.collect();
    let requests: Vec<String> =
        each.iter().map(|(word, (_, n, k))| format!("{word} {k} {n}")).collect();
    for encoder in amk::all() {
        let id = encoder.about().id;
        let lines = match registry.find(&id) {
            Ok(NamedEncoding::AtMostOne(found)) => Some(found),
            _ => None,
        };
        for ((request, of), answer) in
            requests.iter().zip(each.iter().map(|(_, of)| *of)).zip(answers(&[&id], &requests))
        {
            assert_eq!(answer, encoded(lines.as_ref(), &*encoder, of), "{id}: {request}");
        }
    }
}

#[test]
fn literals_of_the_caller_are_encoded_in_the_order_that_is_asked_for() {
    let Ok(NamedEncoding::AtMostOne(product)) =
        bezzel_queens::register(Registry::standard()).find("product")
    else {
        panic!("product")
    };
    let given = [3, -7, 12, 5, -1, 20, 8, 9];
    let request = format!("at-most 1 8 30 {}", given.map(|lit| lit.to_string()).join(" "));
    let expected = |reversed: bool| {
        let mut formula = Formula::new();
        formula.fresh(30);
        let mut xs: Vec<Lit> = given.map(|lit| Lit::from_ipasir(lit).unwrap()).into();
        if reversed {
            xs.reverse();
        }
        product.encode(&xs, &mut formula);
        answer_of(&formula)
    };
    let requests = [request.clone(), request];
    let stated = answers(&["product"], &requests);
    assert_eq!(stated, [expected(false), expected(false)]);
    let reversed = answers(&["product", "--input-order", "reversed"], &requests);
    assert_eq!(reversed, [expected(true), expected(true)]);
    // The same request has the same answer.
    let random = answers(&["product", "--input-order", "random:5"], &requests);
    assert_eq!(random[0], random[1]);
    assert!(random[0] != stated[0] && random[0] != reversed[0]);
}

#[test]
fn an_answer_is_written_before_the_next_request_is_read() {
    let mut child = start(&["pairwise"]).spawn().unwrap();
    let (mut input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut lines = BufReader::new(output).lines().map(Result::unwrap);
    input.write_all(b"bezzel-encoder 1\n").unwrap();
    for _ in 0..3 {
        input.write_all(b"at-most-one 3\n").unwrap();
        let answer: Vec<String> = lines.by_ref().take(4).collect();
        assert_eq!(answer, ["p cnf 3 3", "-1 -2 0", "-1 -3 0", "-2 -3 0"]);
    }
    drop(input);
    assert_eq!(lines.next(), None);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}
