//! The schema of rows accepts every row in the repository and a row with every field, and no others.

use std::collections::BTreeSet;
use std::sync::Arc;

use bezzel_encode::formula_stats::Section;
use bezzel_encode::numbering::{AuxiliaryPlace, SquareOrder};
use bezzel_encode::{Auxiliaries, Numbering, Settings};
use bezzel_solve::{Answer, ProofFormat};
use bezzel_solve::{Effort, OptionValue, Options, Simplified};

use super::*;
use crate::model::all_solutions::{AllSolutions, Count, DiagramSize};
use crate::model::job::{Job, Key, Limits, PlannedJob, Task};
use crate::model::json_schema::tests::fits::fits;
use crate::model::measure::{CandidateFact, Marks, Propagation, SectionOperations, Truth};
use crate::model::names::names_of;
use crate::model::row::{
    Additions, Evidence, EvidenceKind, Finding, FormulaSize, Isolation, ObjectiveValue,
    ProofRecord, Row, Termination, Verdict,
};
use crate::tests::seating::Seating;

fn is_row(value: &Value) -> bool {
    let schema = row_schema();
    fits(value, &schema, &schema)
}

/// Returns a job with every field set. A new field needs a value here.
fn job() -> Job {
    Job {
        instance: Seating::new(8, 9).with_given(&[(1, 1)]).with_excluded(&[(2, 2)]).into(),
        encoding: "pairwise".into(),
        settings: Settings::AXES.iter().fold(Settings::default(), |settings, axis| {
            axis.with(settings, axis.names()[1]).unwrap()
        }),
        numbering: Numbering {
            squares: SquareOrder::Spiral,
            auxiliaries: AuxiliaryPlace::Before,
            variables: Some(1),
            literals: Some(2),
            polarity: Some(3),
            clauses: Some(u64::MAX),
        },
        solver: "batsat".into(),
        options: Options::from([
            ("a".to_owned(), OptionValue::Flag(true)),
            ("b".to_owned(), OptionValue::Integer(-1)),
            ("c".to_owned(), OptionValue::Number(0.5)),
        ])
        .into(),
        task: Task::Solve,
        max_solutions: Some(5),
        repeat: 2,
        limits: Limits { cpu_s: 1.0, wall_s: 2.5, memory_bytes: 1 << 30, nodes: Some(7) },
        proof: Some(ProofFormat::Drat),
        simplified: true,
    }
}

/// Returns marks of each kind.
fn marks() -> Marks {
    Marks::of(&Seating::new(2, 2).into(), 4, |candidate| match candidate {
        0 => Some(CandidateFact::Chosen),
        1 => Some(CandidateFact::Empty),
        _ => None,
    })
}

/// Returns a row with every field set, as in the file.
fn whole() -> Value {
    let row = Row {
        key: Key("0123456789abcdef0123456789abcdef".into()),
        job: job(),
        encoding_revision: 3,
        solver_version: "1".into(),
        status: Answer::Unsat,
        verdict: Verdict::Verified,
        checked_by: Some(Evidence { kind: EvidenceKind::Proof, source: "a proof".into() }),
        termination: Termination::CpuLimit,
        note: Some("so".into()),
        formula: Some(FormulaSize {
            variables: 1,
            primary: 1,
            clauses: 2,
            literals: 3,
            sections: vec![Section {
                name: "rows".into(),
                variables: 1,
                lengths: [(0, 1), (2, 1)].into(),
            }],
        }),
        clause_digest: Some("0123456789abcdef0123456789abcdef".into()),
        generate_cpu_s: Some(0.0),
        load_cpu_s: Some(0.1),
        solve_cpu_s: Some(0.2),
        decode_cpu_s: Some(0.3),
        check_cpu_s: Some(0.4),
        cpu_s: 1.0,
        wall_s: 2.0,
        memory_peak_bytes: Some(1),
        solver_stats: Effort {
            conflicts: Some(1),
            decisions: Some(2),
            propagations: Some(3),
            restarts: Some(4),
            ticks: Some(u64::MAX),
        },
        places: Some(vec![(1, 1).into()]),
        chosen: Some(vec![3, 1]),
        values: Some(vec![ObjectiveValue { value: "-3".into(), solve_cpu_s: 0.1 }]),
        all: Some(AllSolutions {
            count: Count::from(92_u32),
            whole: true,
            digest: Some("0123456789abcdef0123456789abcdef".into()),
            diagram: Some(DiagramSize {
                nodes: Some(373),
                peak_nodes: Some(400),
                peak_states: Some(5),
            }),
            auxiliaries: Some(Auxiliaries::Free),
        }),
        circuit: Some(vec![SectionOperations {
            name: "ROW".into(),
            written: 3,
            built: 2,
            reachable: 1,
        }]),
        propagation: Some(Propagation {
            conflict: false,
            found: Some(marks()),
            truth: Some(Truth { solvable: true, implied: Some(marks()) }),
            propagate_cpu_s: 0.6,
        }),
        proof: Some(ProofRecord {
            format: ProofFormat::Lrat,
            finding: Finding::Refused,
            bytes: Some(1),
            steps: Some(2),
            check_cpu_s: Some(0.5),
            check_memory_peak_bytes: Some(3),
            note: Some("no".into()),
            translated: true,
            checker_version: None,
        }),
        simplified: Some(Simplified { variables: 1, clauses: 2, literals: 3, answer: Answer::Sat }),
        additions: Some(Additions { variables: 2, across_lines: 1 }),
        isolation: Isolation::CgroupV2,
        core: Some(0),
        started_unix_s: 1.5,
        session: 0,
    };
    with_checksum(&row)
}

fn with_checksum(row: &Row) -> Value {
    json!({"row": row, "checksum": "0123456789abcdef"})
}

/// Returns a row with as few fields as possible.
fn bare() -> Value {
    let job = Job {
        instance: Seating::new(4, 4).into(),
        settings: Settings::default(),
        numbering: Numbering::AS_GENERATED,
        options: Arc::default(),
        max_solutions: None,
        limits: Limits { nodes: None, ..job().limits },
        proof: None,
        simplified: false,
        ..job()
    };
    let key = job.key(1, "1");
    let planned =
        PlannedJob { job, key, encoding_revision: 1, solver_version: "1".into(), size: None };
    with_checksum(&Row::blank(planned, Termination::Skipped))
}

#[test]
fn a_row_with_everything_in_it_fits_and_so_does_one_with_nothing() {
    assert!(is_row(&whole()));
    assert!(is_row(&bare()));
}

/// Collects the paths of all objects below a value.
fn objects(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            found.push(path.to_owned());
            map.iter().for_each(|(key, value)| objects(value, &format!("{path}/{key}"), found));
        }
        Value::Array(list) => {
            for (index, value) in list.iter().enumerate() {
                objects(value, &format!("{path}/{index}"), found);
            }
        }
        _ => {}
    }
}

#[test]
fn whatever_else_is_in_a_row_does_not_fit() {
    let mut found = Vec::new();
    objects(&whole(), "", &mut found);
    assert_eq!(found.len(), 22, "{found:?}");
    for path in found {
        let mut row = whole();
        row.pointer_mut(&path).unwrap()["colour"] = "red".into();
        assert!(!is_row(&row), "{path}");
    }
}

#[test]
fn whatever_even_a_bare_row_has_must_be_there() {
    let mut found = Vec::new();
    objects(&bare(), "", &mut found);
    for path in found {
        let keys: Vec<_> =
            bare().pointer(&path).unwrap().as_object().unwrap().keys().cloned().collect();
        for key in keys {
            let mut row = bare();
            row.pointer_mut(&path).unwrap().as_object_mut().unwrap().remove(&key);
            assert!(!is_row(&row), "{path}/{key}");
        }
    }
}

#[test]
fn a_value_of_another_kind_does_not_fit() {
    let mut tried = 0;
    let mut found = Vec::new();
    objects(&whole(), "", &mut found);
    for path in found {
        let whole = whole();
        let map = whole.pointer(&path).unwrap().as_object().unwrap();
        for (key, value) in map {
            let other = match value {
                Value::String(_) => json!([]),
                Value::Bool(_) | Value::Number(_) if path == "/row/job/options" => json!("text"),
                _ => json!("no word of any list"),
            };
            let mut row = whole.clone();
            row.pointer_mut(&path).unwrap()[key] = other;
            assert!(!is_row(&row), "{path}/{key}");
            tried += 1;
        }
    }
    assert!(tried > 70, "{tried}");
}

#[test]
fn keys_are_those_of_the_types() {
    let schema = row_schema();
    let keys = |pointer: &str| -> BTreeSet<String> {
        let schema = schema.pointer(pointer).unwrap_or_else(|| panic!("{pointer}"));
        schema["properties"].as_object().unwrap().keys().cloned().collect()
    };
    let set = |names: &[&str]| names.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    assert_eq!(keys("/properties/row"), set(names_of::<Row>()));
    let whole = whole();
    let job: Vec<&str> =
        whole["row"]["job"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(keys("/properties/row/properties/job"), set(&job));
    let problem = "/properties/job/properties/problem";
    assert_eq!(keys(&format!("/properties/row{problem}")), set(bezzel_problem::kinds().ids()));
    // The fields of structs of other crates are listed beside them.
    for (pointer, names) in [
        ("/properties/job/properties/problem/properties/seating", names_of::<Seating>()),
        ("/properties/job/properties/numbering", names_of::<Numbering>()),
        ("/properties/formula/anyOf/0/properties/sections/items", names_of::<Section>()),
        ("/properties/solver_stats", names_of::<Effort>()),
        ("/properties/simplified", names_of::<Simplified>()),
    ] {
        assert!(!names.is_empty(), "{pointer}");
        assert_eq!(keys(&format!("/properties/row{pointer}")), set(names), "{pointer}");
    }
}

#[test]
fn names_follow_from_the_types() {
    assert_eq!(names_of::<Answer>(), ["sat", "unsat", "unknown"]);
    assert_eq!(names_of::<Limits>(), ["cpu_s", "wall_s", "memory_bytes", "nodes"]);
    assert_eq!(names_of::<Option<u32>>(), [""; 0]);
}
