//! Command lines with places.

use std::process::Command;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use regex::Regex;

use super::super::template::{Placeholder, PlaceholderRequirement, Template};

fn line(template: &str, values: &[(Placeholder, &str)]) -> String {
    let value = |placeholder| {
        let found = values.iter().find(|(known, _)| *known == placeholder);
        found.map(|(_, value)| (*value).to_owned())
    };
    Template::parse(template).unwrap().line(&value)
}

#[test]
fn places_are_filled_and_all_else_stays() {
    use Placeholder::{Cnf, Cpu, Proof, Seed};
    let values = [(Cnf, "/s/f.cnf"), (Seed, "3"), (Cpu, "60"), (Proof, "/s/p")];
    for (template, expected) in [
        ("kissat --seed={seed} {cnf}", "kissat --seed=3 /s/f.cnf"),
        ("a -t {cpu} {cnf} {proof}", "a -t 60 /s/f.cnf /s/p"),
        (
            "a [-certified -certified-output={proof}] {cnf}",
            "a -certified -certified-output=/s/p /s/f.cnf",
        ),
        (
            "awk '{print $1}' ${home} {A} { x } [ab] {cnf}",
            "awk '{print $1}' ${home} {A} { x } [ab] /s/f.cnf",
        ),
        ("a \"{cnf}\" '{cnf}'", "a \"/s/f.cnf\" '/s/f.cnf'"),
    ] {
        assert_eq!(line(template, &values), expected);
    }
}

#[test]
fn a_placeholder_without_a_value_is_left_out_with_its_word_or_its_brackets() {
    use Placeholder::Cnf;
    let values = [(Cnf, "f")];
    for (template, expected) in [
        ("a {cnf} {proof}", "a f "),
        ("a --proof={proof} {cnf}; b", "a  f; b"),
        ("a {cnf} {proof}; b", "a f ; b"),
        ("a [-certified -certified-output={proof}] {cnf}", "a  f"),
        ("a [--seed={seed}] {cnf}", "a  f"),
        ("a '--to={proof}' {cnf}", "a  f"),
    ] {
        assert_eq!(line(template, &values), expected);
    }
    let place = |template, placeholder| Template::parse(template).unwrap().place(placeholder);
    assert_eq!(place("a {proof}", Placeholder::Proof), Some(PlaceholderRequirement::Optional));
    assert_eq!(place("a {seed}", Placeholder::Seed), Some(PlaceholderRequirement::Needed));
    assert_eq!(place("a [x{seed}]", Placeholder::Seed), Some(PlaceholderRequirement::Optional));
    assert_eq!(place("a ${seed}", Placeholder::Seed), None);
}

#[test]
fn unknown_places_are_refused_with_the_near_one() {
    let refused = |template: &str| Template::parse(template).unwrap_err().to_string();
    assert_eq!(refused("a {cnff}"), "unknown placeholder `cnff`; did you mean `cnf`?");
    assert!(
        refused("a {x}").contains("there are cnf, proof, lrat, answer, seed, cpu, wall, memory")
    );
}

#[test]
fn whatever_is_put_in_stays_one_word_for_the_shell() {
    let hostile = [
        "plain",
        "a b",
        "it's",
        "\"q\"",
        "$HOME `id` $(id)",
        "a;b|c&d>e<f",
        "\\",
        "*?[a]",
        "~",
        "-n",
        "two\nlines",
        "ü",
        "'",
        "''",
        "\\'",
        "!x",
        "#c",
        "",
    ];
    for value in hostile {
        for template in ["printf '%s|' {cnf}", "printf '%s|' \"{cnf}\"", "printf '%s|' '{cnf}'"] {
            let line = line(template, &[(Placeholder::Cnf, value)]);
            let output = Command::new("/bin/sh").args(["-c", &line]).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            assert_eq!(text, format!("{value}|"), "{line}");
        }
    }
}

fn check_command_lines(lines: u32) {
    const PARTS: [&str; 22] = [
        "{",
        "}",
        "[",
        "]",
        "'",
        "\"",
        "\\",
        "$",
        "{cnf}",
        "{proof}",
        "{seed}",
        "{x}",
        "{}",
        " ",
        ";",
        "|",
        "a",
        "ü",
        "\t",
        "[{proof}]",
        "${cnf}",
        "-",
    ];
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let word = Regex::new(r"\{[a-z]+\}").unwrap();
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..lines {
        let length = random.random_range(0..12);
        let text: String = (0..length).map(|_| *PARTS.choose(&mut random).unwrap()).collect();
        let Ok(template) = Template::parse(&text) else {
            refused += 1;
            assert!(word.is_match(&text), "{text}");
            continue;
        };
        taken += 1;
        // A line without places is passed to the shell unchanged.
        let full = template.line(&|placeholder| Some(placeholder.id().to_owned()));
        if Placeholder::ALL.iter().all(|&known| template.place(known).is_none()) {
            assert_eq!(full, text);
        }
        let empty = template.line(&|_| None);
        assert!(empty.len() <= full.len(), "{text}");
    }
    assert!(taken > lines / 10 && refused > lines / 100, "{taken} {refused}");
}

#[test]
fn no_command_line_is_too_odd_to_be_taken_apart() {
    check_command_lines(5_000);
}

#[test]
#[ignore = "second tier: 100,000 command lines"]
fn many_command_lines_are_taken_apart() {
    check_command_lines(100_000);
}
