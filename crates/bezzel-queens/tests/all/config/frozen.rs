//! The limit of wall time in the copy of a config that is frozen.

use std::fs;

use super::*;
use bezzel_experiment::results::store;

const START: &str =
    "name: t\nproblems: [{queens: {size: 8}}]\nencodings: [pairwise]\nsolvers: [cadical]\n";

fn frozen(text: &str) -> Config {
    Config::parse_frozen(text, "config.yaml", &bezzel_queens::experiment::catalog()).unwrap()
}

fn wall(config: &Config) -> String {
    config.limits.wall_s.to_string()
}

#[test]
fn the_copy_states_the_limit_and_keeps_every_other_word() {
    for (written, copied) in [
        ("", "limits: {cpu: 60 s, wall: 600 s}\n"),
        ("# The last line", "# The last line\nlimits: {cpu: 60 s, wall: 600 s}\n"),
        ("limits: {}\n", "limits: {wall: 600 s}\n"),
        ("limits: {cpu: 2 s} # Few.\n", "limits: {wall: 20 s, cpu: 2 s} # Few.\n"),
        (
            "limits: &all { memory: 1 GiB,\n  cpu: 100 ms}\n",
            "limits: &all { wall: 1 s, memory: 1 GiB,\n  cpu: 100 ms}\n",
        ),
        (
            "limits:\n  # Of a job.\n  cpu: 0.3 s\n  memory: 1 GiB\nrepeats: 2\n",
            "limits:\n  # Of a job.\n  wall: 3 s\n  cpu: 0.3 s\n  memory: 1 GiB\nrepeats: 2\n",
        ),
        ("limits: {\"cpu\": 1 h}\n", "limits: {wall: 36000 s, \"cpu\": 1 h}\n"),
        (
            "limits: {cpu: 365 h, memory: 2 GiB}",
            "limits: {wall: 13140000 s, cpu: 365 h, memory: 2 GiB}",
        ),
        ("limits: {cpu: 5 s, wall: 7 s}\n", "limits: {cpu: 5 s, wall: 7 s}\n"),
    ] {
        let config = parse(&format!("{START}{written}")).unwrap();
        let copy = config.frozen_text();
        assert_eq!(copy, format!("{START}{copied}"));
        let again = frozen(&copy);
        assert_eq!(again.limits, config.limits, "{copy}");
        assert_eq!(again.frozen_text(), copy, "a copy of a copy is the same");
    }
}

#[test]
fn configs_of_other_shapes_have_their_copies_too() {
    let whole = "{name: t, problems: {queens: {size: 8}}, encodings: pairwise, solvers: cadical}";
    let copy = parse(whole).unwrap().frozen_text();
    assert_eq!(copy, format!("{{limits: {{cpu: 60 s, wall: 600 s}}, {}\n", &whole[1..]).trim_end());
    // Nothing may follow the end of a document.
    let ended = format!("---\n{START}...\n");
    let copy = parse(&ended).unwrap().frozen_text();
    assert_eq!(copy, format!("---\nlimits: {{cpu: 60 s, wall: 600 s}}\n{START}...\n"));
    assert_eq!(wall(&frozen(&copy)), "600");
}

#[test]
fn a_copy_without_the_limit_means_three_times_as_when_it_was_frozen() {
    let text = format!("{START}limits: {{cpu: 5 s}}\n");
    assert_eq!(wall(&parse(&text).unwrap()), "50");
    assert_eq!(wall(&frozen(&text)), "15");
    assert_eq!(wall(&frozen(START)), "180");
    let stated = format!("{START}limits: {{cpu: 5 s, wall: 6 s}}\n");
    assert_eq!(wall(&frozen(&stated)), "6");

    // A file is a frozen copy if rows are beside it.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(store::CONFIG);
    fs::write(&path, &text).unwrap();
    let read = || Config::read(&path, &bezzel_queens::experiment::catalog()).unwrap();
    assert_eq!(wall(&read()), "50");
    fs::write(folder.path().join(store::ROWS), "").unwrap();
    assert_eq!(wall(&read()), "15");
    assert!(read().frozen_text().contains("{wall: 15 s, cpu: 5 s}"), "{}", read().frozen_text());
}

#[test]
fn a_config_without_the_limit_goes_on_with_that_of_its_copy() {
    let of = |limits: &str, copy: &str| {
        let mut config = parse(&format!("{START}limits: {limits}\n")).unwrap();
        config.take_wall_of(&frozen(&format!("{START}limits: {copy}\n")));
        wall(&config)
    };
    assert_eq!(of("{cpu: 5 s}", "{cpu: 5 s}"), "15");
    assert_eq!(of("{cpu: 5 s}", "{wall: 50 s, cpu: 5 s}"), "50");
    assert_eq!(of("{cpu: 5 s, wall: 7 s}", "{cpu: 5 s}"), "7");
    // Under another limit of CPU time the jobs are others in any case.
    assert_eq!(of("{cpu: 6 s}", "{cpu: 5 s}"), "60");
}
