//! Profiles and examinations on the command line: `bezzel show` and `bezzel check --cnf`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::program::{bezzel, stderr, stdout};

#[test]
fn a_formula_of_a_board_is_found_by_its_comments_or_by_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("formula.cnf").to_str().unwrap().to_owned();
    let check = |text: &str, more: &[&str], code: i32| {
        fs::write(&file, text).unwrap();
        let output = bezzel(&[&["check", "--cnf", &file], more].concat());
        assert_eq!(output.status.code(), Some(code), "{}{}", stdout(&output), stderr(&output));
        stdout(&output)
    };
    let encoded = |arguments: &[&str]| stdout(&bezzel(&[&["encode"], arguments].concat()));
    for encoding in ["pairwise", "sequential-counter", "binary"] {
        let text = check(&encoded(&["6", "--encoding", encoding, "--queen", "1,2"]), &[], 0);
        assert!(text.contains("the board is 6 with 1,2 placed."), "{text}");
        assert!(text.contains("Only solutions: yes, by a proof of "), "{text}");
        assert!(text.contains("All solutions: yes"), "{text}");
    }
    // The column constraints of a larger board follow by counting.
    for encoding in ["pairwise", "order"] {
        let text = check(&encoded(&["12", "--encoding", encoding]), &[], 0);
        assert!(text.contains("Only solutions: yes, by a proof of "), "{text}");
        assert!(text.contains("All solutions: yes"), "{text}");
    }
    let minimal = ["16", "--encoding", "pairwise", "--constraints", "minimal"];
    let whole = encoded(&minimal);
    let text = check(&whole, &[], 0);
    assert!(text.contains("All solutions: yes"), "{text}");
    // Only the last clause excludes two queens on one antidiagonal.
    let (head, clauses) = whole.split_once("\np cnf 256 ").unwrap();
    let (number, clauses) = clauses.split_once('\n').unwrap();
    let number = number.parse::<usize>().unwrap() - 1;
    let (kept, _) = clauses.trim_end().rsplit_once('\n').unwrap();
    let text = check(&format!("{head}\np cnf 256 {number}\n{kept}\n"), &[], 1);
    assert!(text.contains("the queens on 15,16 and 16,15 attack each other:"), "{text}");
    assert_eq!(text.matches('Q').count(), 16, "{text}");
    // The head and 16 rows. A full stop would be one more empty square.
    let drawn: Vec<usize> =
        text.lines().filter(|line| line.starts_with("    ")).map(str::len).collect();
    assert!(drawn.len() == 17 && drawn.iter().all(|width| *width == drawn[0]), "{text}");

    let six = encoded(&["6", "--encoding", "sequential-counter"]);
    let bare: Vec<&str> = six.lines().filter(|line| !line.starts_with('c')).collect();
    let bare = bare.join("\n") + "\n";
    check(&bare, &["--against", "6"], 0);
    check(&bare, &["--against", "{queens: {size: 6, piece: rook}}"], 1);
    // A turned board has the same rules. A square of one row swapped with one of another row has not.
    let turned = (0..36).map(|at| format!("c square {},{} {}\n", 6 - at % 6, at / 6 + 1, at + 1));
    check(&(turned.collect::<String>() + &bare), &["--against", "6"], 0);
    let swapped = (0..36).map(|at| {
        let other = [(1, 8), (8, 1)].iter().find(|(from, _)| *from == at).map_or(at, |pair| pair.1);
        format!("c square {},{} {}\n", at / 6 + 1, at % 6 + 1, other + 1)
    });
    check(&(swapped.collect::<String>() + &bare), &["--against", "6"], 1);
}

/// The assignments of the first `inputs` variables, a bit each, that clauses allow, by trying all of all variables.
fn allowed(clauses: &[Vec<i32>], variables: u32, inputs: u32) -> BTreeSet<u32> {
    let holds = |all: u32, lit: i32| (all >> (lit.unsigned_abs() - 1) & 1 == 1) == (lit > 0);
    let is_model =
        |all: &u32| clauses.iter().all(|clause| clause.iter().any(|&lit| holds(*all, lit)));
    (0..1 << variables).filter(is_model).map(|all| all & ((1 << inputs) - 1)).collect()
}

/// The formula of an encoding, each without one of its clauses, and some with one more, compared with an instance as all
/// assignments of its variables are. `right` are the solutions. Returns the numbers of formulas that allow or forbid too
/// much.
fn compare_changed(
    instance: &str,
    encoding: &str,
    inputs: u32,
    right: &BTreeSet<u32>,
) -> [usize; 2] {
    let text = stdout(&bezzel(&["encode", instance, "--encoding", encoding]));
    let lines = text.lines().filter(|line| !line.starts_with(['c', 'p']));
    let clause = |line: &str| line.split(' ').map(|lit| lit.parse().unwrap()).collect();
    let mut clauses: Vec<Vec<i32>> = lines.map(clause).collect();
    for clause in &mut clauses {
        assert_eq!(clause.pop(), Some(0));
    }
    let variables = clauses.iter().flatten().map(|lit| lit.unsigned_abs()).max().unwrap();
    let without = (0..clauses.len()).map(|at| {
        let mut clauses = clauses.clone();
        clauses.remove(at);
        clauses
    });
    let with = [-1, 3, -4].map(|lit| [&clauses[..], &[vec![lit]]].concat());
    let file = Path::new(instance).with_extension("cnf");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(file.file_name().unwrap()).to_str().unwrap().to_owned();
    let mut wrong = [0, 0];
    for clauses in std::iter::once(clauses.clone()).chain(without).chain(with) {
        let lits = clauses.iter().map(|clause| {
            clause.iter().map(i32::to_string).chain(["0\n".into()]).collect::<Vec<_>>().join(" ")
        });
        let head = format!("p cnf {variables} {}\n", clauses.len());
        fs::write(&file, head + &lits.collect::<String>()).unwrap();
        let output = bezzel(&["check", "--cnf", &file, "--against", instance, "--json"]);
        let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let allowed = allowed(&clauses, variables, inputs);
        let mask = |value: &serde_json::Value| {
            let variables = value.as_array().unwrap().iter();
            variables.map(|variable| 1_u32 << (variable.as_u64().unwrap() - 1)).sum::<u32>()
        };
        let too_many = found["wrongly_allowed"].get(0).map(mask);
        let too_few =
            found["wrongly_forbidden"].as_array().map(|_| mask(&found["wrongly_forbidden"]));
        assert_eq!(too_many.is_none(), allowed.is_subset(right), "{found}: {clauses:?}");
        assert_eq!(too_few.is_none(), right.is_subset(&allowed), "{found}: {clauses:?}");
        assert!(too_many.is_none_or(|it| allowed.contains(&it) && !right.contains(&it)));
        assert!(too_few.is_none_or(|it| right.contains(&it) && !allowed.contains(&it)));
        assert!(too_many.is_some() || found["proof_steps"].is_u64(), "{found}");
        assert_eq!(output.status.code(), Some(i32::from(allowed != *right)));
        wrong[0] += usize::from(too_many.is_some());
        wrong[1] += usize::from(too_few.is_some());
    }
    wrong
}

#[test]
fn a_formula_with_a_changed_clause_is_compared_as_all_assignments_are() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.opb").to_str().unwrap().to_owned();
    let opb =
        "* #variable= 5 #constraint= 2\n+1 x1 +1 x2 +1 x3 = 1 ;\n+2 x2 +1 x3 +1 x4 +1 x5 <= 3 ;\n";
    fs::write(&file, opb).unwrap();
    let bit = |all: u32, at: u32| all >> at & 1;
    let is_solution = |&all: &u32| {
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|at| bit(all, at));
        a + b + c == 1 && 2 * b + c + d + e <= 3
    };
    let right: BTreeSet<u32> = (0..32).filter(is_solution).collect();
    let robdd = compare_changed(&file, "robdd", 5, &right);
    let counter = compare_changed(&file, "weight-counter", 5, &right);
    let wrong = [0, 1].map(|side| robdd[side] + counter[side]);
    assert!(wrong[0] > 5 && wrong[1] > 3, "{wrong:?}");
    // Two rows of four columns: queens on columns that differ by two or more.
    let pair = |row: u32, other: u32| (row.abs_diff(other) > 1).then(|| 1 << row | 16 << other);
    let right = (0..4).flat_map(|row| (0..4).filter_map(move |other| pair(row, other))).collect();
    let wrong = compare_changed("2x4", "sequential-counter", 8, &right);
    assert!(wrong[0] > 5 && wrong[1] == 3, "{wrong:?}");
}
