//! Projected counts of constraint files.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use bezzel_problem::{Instance, ProblemFile, Solution};

use crate::program::{bezzel_in, ended, stderr, stdout};

/// The distinct projections of all solutions, by trying each assignment.
fn projections(text: &str, set: &[u32]) -> usize {
    let instance = Instance::from(ProblemFile::read("x", None, text.as_bytes()).unwrap());
    let variables = instance.size();
    let all = (0..1_u32 << variables).filter(|bits| {
        let solution: Solution = (0..variables).filter(|place| bits >> place & 1 == 1).collect();
        instance.check(&solution).is_ok()
    });
    let project = |bits: u32| set.iter().map(|place| bits >> place & 1).collect::<Vec<_>>();
    all.map(project).collect::<BTreeSet<_>>().len()
}

#[test]
fn projections_are_counted_as_by_trying_each_assignment() {
    let folder = tempfile::tempdir().unwrap();
    // A number below `max`, from a fixed sequence.
    let mut state = 26_u64;
    let mut draw = |max: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % max
    };
    let mut counts = BTreeSet::new();
    for round in 0..8 {
        let set: Vec<u32> = (0..6).filter(|_| draw(2) == 0).collect();
        let shown: Vec<String> = set.iter().map(|variable| (variable + 1).to_string()).collect();
        let mut text = format!("p knf 6 4\nc p show {} 0\n", shown.join(" "));
        for _ in 0..4 {
            let literals: Vec<_> =
                (0..4).map(|_| format!("{}{}", ["", "-"][draw(2) as usize], 1 + draw(6))).collect();
            writeln!(text, "k {} {} 0", 1 + draw(2), literals.join(" ")).unwrap();
        }
        fs::write(folder.path().join("x.knf"), &text).unwrap();
        let encoding = ["totalizer:cut", "product"][round % 2];
        let arguments = ["solve", "x.knf", "--count", "--projected", "--encoding", encoding];
        let output = bezzel_in(folder.path(), &arguments);
        ended(&output, 0);
        let expected = projections(&text, &set);
        assert_eq!(stdout(&output).trim(), expected.to_string(), "{text}");
        assert!(!stderr(&output).contains("note: "), "{}", stderr(&output));
        counts.insert(expected);
    }
    assert!(counts.len() > 3, "{counts:?}");
}
