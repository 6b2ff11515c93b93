//! Constraint files of other writers under the commands: notes on stderr, names, compression, projected counts.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;

use bezzel_experiment::packing::Packing;
use bezzel_problem::{Instance, ProblemFile, Solution};
use serde_json::Value;

use crate::program::{bezzel_in, ended, stderr, stdout};

/// Two of three rooms, with all that other writers add: 3 solutions.
const NAMED: &str =
    "\u{feff}* #variable= 9 #constraint= 7\nmin: 3 hall -1 x0 ;\n@c1 hall + x0 + attic = 2 ;\n";

/// Three projections to the variables 1 and 2, and 10 solutions.
const SHOWN: &str = "c p show 1 2 0\np cnf 4 2\n1 2 3 0\n-3 4 0\n";

fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) {
    fs::write(folder.join(name), text).unwrap();
}

/// The lines of stderr that are notes.
fn notes(printed: &str) -> Vec<&str> {
    printed.lines().filter(|line| line.starts_with("note: ")).collect()
}

#[test]
fn each_command_prints_each_note_once() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "named.opb", NAMED);
    write(folder.path(), "shown.cnf", SHOWN);
    write(folder.path(), "answer", "s SATISFIABLE\nv hall x0 -attic\n");
    for (arguments, code) in [
        (&["show", "named.opb"][..], 0),
        (&["solve", "named.opb"], 30),
        (&["solve", "named.opb", "--count"], 0),
        (&["encode", "named.opb", "-o", "named.cnf"], 0),
        (&["decode", "answer", "named.opb"], 10),
    ] {
        let output = bezzel_in(folder.path(), arguments);
        ended(&output, code);
        let printed = stderr(&output);
        let [header, ref objective @ ..] = notes(&printed)[..] else {
            panic!("{arguments:?}: {printed}")
        };
        let place = "note: named.opb: line 2, column 1: the objective is left out";
        // An answer is checked by the constraints alone.
        let is_noted = code != 30 && arguments[0] != "decode";
        let count = objective.iter().filter(|note| note.starts_with(place)).count();
        assert_eq!((objective.len(), count), if is_noted { (1, 1) } else { (0, 0) }, "{printed}");
        assert!(header.contains("line 1, column 29: the header states 7 constraints"), "{printed}");
    }
    for (arguments, code) in [
        (&["show", "shown.cnf"][..], 0),
        (&["solve", "shown.cnf"], 10),
        (&["solve", "shown.cnf", "--count"], 0),
    ] {
        let output = bezzel_in(folder.path(), arguments);
        ended(&output, code);
        let printed = stderr(&output);
        let [note] = notes(&printed)[..] else { panic!("{arguments:?}: {printed}") };
        assert!(
            note.contains("line 1, column 5: the projection set of `c p show` is not used"),
            "{note}"
        );
    }
    let shown = stdout(&bezzel_in(folder.path(), &["show", "shown.cnf"]));
    assert!(shown.contains("projection set: 2 variables, by `c p show` in line 1"), "{shown}");
    let config = "name: forms\nproblems: [{file: named.opb, objective: ignored}, {file: shown.cnf}]\nencodings: [pairwise, \
                  totalizer:cut]\nsolvers: [cadical]\n";
    fs::create_dir(folder.path().join("configs")).unwrap();
    write(&folder.path().join("configs"), "forms.yaml", config);
    write(&folder.path().join("configs"), "named.opb", NAMED);
    write(&folder.path().join("configs"), "shown.cnf", SHOWN);
    let output = bezzel_in(folder.path(), &["run", "configs/forms.yaml", "--plan"]);
    ended(&output, 0);
    assert_eq!(notes(&stderr(&output)).len(), 2, "{}", stderr(&output));
}

#[test]
fn names_are_those_of_the_file_in_every_output() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), "named.opb", NAMED);
    // `hall` and `x0` are in the objective first. Six of the nine variables have no name.
    let all = bezzel_in(folder.path(), &["solve", "named.opb", "--all", "--format", "coordinates"]);
    let lines: BTreeSet<String> = ended(&all, 10)
        .lines()
        .map(|line| {
            line.split(' ').take_while(|name| !name.starts_with('#')).collect::<Vec<_>>().join(" ")
        })
        .collect();
    let expected = ["hall attic", "hall x0", "x0 attic"].map(str::to_owned);
    assert!(expected.iter().all(|pair| lines.contains(pair)), "{lines:?}");
    ended(&bezzel_in(folder.path(), &["encode", "named.opb", "-o", "named.cnf"]), 0);
    let formula = fs::read_to_string(folder.path().join("named.cnf")).unwrap();
    assert!(
        formula.contains("c candidate 1 hall ") && formula.contains("c candidate 2 x0 "),
        "{formula}"
    );
}

#[test]
fn a_compressed_file_needs_no_ending_of_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("named");
    for name in ["a.gz", "a.xz"] {
        let (packing, _) = Packing::of(Path::new(name));
        let mut packed = packing.write(fs::File::create(&path).unwrap()).unwrap();
        packed.write_all(NAMED.as_bytes()).unwrap();
        packed.finish().unwrap();
        let printed = ended(&bezzel_in(folder.path(), &["solve", "named"]), 30);
        assert!(printed.contains("v "), "{printed}");
    }
}

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
        write(folder.path(), "x.knf", &text);
        let encoding = ["totalizer:cut", "product"][round % 2];
        let arguments = ["solve", "x.knf", "--count", "--projected", "--encoding", encoding];
        let output = bezzel_in(folder.path(), &arguments);
        ended(&output, 0);
        let expected = projections(&text, &set);
        assert_eq!(stdout(&output).trim(), expected.to_string(), "{text}");
        assert!(notes(&stderr(&output)).is_empty(), "{}", stderr(&output));
        counts.insert(expected);
    }
    assert!(counts.len() > 3, "{counts:?}");
    write(folder.path(), "shown.cnf", SHOWN);
    let arguments = ["solve", "shown.cnf", "--count", "--projected", "--json"];
    let json: Value = serde_json::from_str(&stdout(&bezzel_in(folder.path(), &arguments))).unwrap();
    assert_eq!((&json["count"], &json["projected"]), (&Value::from(4), &Value::from(2)));
    write(folder.path(), "ind.opb", "preserved: a ;\na + b + c >= 1 ;\n");
    let output = bezzel_in(folder.path(), &["solve", "ind.opb", "--count", "--projected"]);
    ended(&output, 0);
    assert_eq!(stdout(&output), "2\n");
    write(folder.path(), "none.cnf", "p cnf 2 1\n1 2 0\n");
}
