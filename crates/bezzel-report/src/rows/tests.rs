use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bezzel_encode::formula_stats::Section;
use bezzel_experiment::{
    AllSolutions, Count, DiagramSize, Evidence, EvidenceKind, ExperimentRecord, Finding,
    FormulaSize, ProofRecord, Row, SectionOperations,
};
use bezzel_solve::{Answer, Effort, OptionValue, ProofFormat, Simplified};
use serde_json::Value;

use super::*;
use crate::tests::sample::{propagated, skipped, solved};

fn record(rows: Vec<Row>) -> ExperimentRecord {
    let planned = rows.len();
    ExperimentRecord { name: "sample".into(), planned, rows, ..ExperimentRecord::default() }
}

/// The table by columns.
fn table(record: &ExperimentRecord) -> Vec<BTreeMap<String, String>> {
    let mut text = Vec::new();
    csv(record, &mut text).unwrap();
    let mut reader = ::csv::Reader::from_reader(&*text);
    reader.deserialize().map(|row| row.unwrap()).collect()
}

/// A row with a value in every field.
fn full() -> Row {
    let mut row =
        propagated("bryant-circuit", Some(".Q../xxx./..../...."), Some(".Q../xxxQ/Qxxx/xxQx"));
    row.job.numbering = bezzel_encode::Numbering {
        variables: Some(81),
        literals: Some(82),
        clauses: Some(84),
        ..row.job.numbering
    };
    Arc::make_mut(&mut row.job.options).insert("factor".into(), OptionValue::Integer(17));
    (row.job.max_solutions, row.job.limits.nodes) = (Some(91), Some(92));
    row.job.proof = Some(ProofFormat::Drat);
    row.job.simplified = true;
    let lengths = BTreeMap::from([(2, 260), (10, 11)]);
    let section = Section { name: "rows".into(), variables: 190, lengths };
    row.formula = Some(FormulaSize {
        variables: 402,
        primary: 16,
        clauses: 968,
        literals: 2096,
        sections: vec![section],
    });
    row.checked_by =
        Some(Evidence { kind: EvidenceKind::ClosedForm, source: "a \"law\", and\nmore".into() });
    row.note = Some("=1+1".into());
    row.clause_digest = Some("e71d".into());
    let times = [&mut row.generate_cpu_s, &mut row.load_cpu_s, &mut row.solve_cpu_s];
    for (time, value) in times.into_iter().zip([0.000_018_327_000_000_000_274, 1e-7, 0.1 + 0.2]) {
        *time = Some(value);
    }
    (row.decode_cpu_s, row.check_cpu_s) = (Some(3.6e-6), Some(1.1e-5));
    row.memory_peak_bytes = Some(9_502_720);
    row.solver_stats = Effort {
        conflicts: Some(106),
        decisions: Some(169),
        propagations: Some(u64::MAX),
        restarts: Some(2),
        ticks: Some(45_894),
    };
    row.places = Some(vec![(1, 7).into(), (2, 2).into()]);
    row.all = Some(AllSolutions {
        count: Count::from(u128::MAX),
        whole: true,
        digest: Some("5e7".into()),
        diagram: Some(DiagramSize { nodes: Some(31), peak_nodes: Some(32), peak_states: Some(33) }),
        auxiliaries: Some(bezzel_encode::Auxiliaries::Defined),
    });
    row.circuit = Some(vec![SectionOperations {
        name: "SELECT".into(),
        written: 41,
        built: 42,
        reachable: 43,
    }]);
    row.proof = Some(ProofRecord {
        format: ProofFormat::Lrat,
        finding: Finding::Accepted,
        bytes: Some(51),
        steps: Some(52),
        check_cpu_s: Some(0.53),
        check_memory_peak_bytes: Some(54),
        note: Some("all read".into()),
        translated: false,
        checker_version: None,
    });
    row.simplified =
        Some(Simplified { variables: 61, clauses: 62, literals: 63, answer: Answer::Unsat });
    row.additions = Some(bezzel_experiment::Additions { variables: 71, across_lines: 72 });
    (row.core, row.session, row.started_unix_s) = (Some(5), 6, 1_795_184_430.405_167_6);
    row
}

/// The leaves of a JSON value, as text.
fn leaves(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => fields.values().for_each(|field| leaves(field, found)),
        Value::Array(entries) => entries.iter().for_each(|entry| leaves(entry, found)),
        Value::String(text) => {
            found.insert(text.clone());
        }
        Value::Null => {}
        // In JSON 1e-7 and 0.0000001 are one number.
        Value::Number(number) => {
            let whole = number.as_u64().map(|number| number.to_string());
            found.insert(whole.unwrap_or_else(|| number.as_f64().unwrap().to_string()));
        }
        Value::Bool(flag) => {
            found.insert(flag.to_string());
        }
    }
}

#[test]
fn everything_that_a_row_says_in_json_stands_in_its_line() {
    let row = full();
    let mut texts = BTreeSet::new();
    leaves(&serde_json::to_value(&row).unwrap(), &mut texts);
    assert!(texts.len() > 60, "{texts:?}");
    let [line] = &*table(&record(vec![row])) else { panic!("one line") };
    let cells: BTreeSet<&str> = line.values().map(String::as_str).collect();
    // Lists of squares, and of clauses by length, are one cell. Names of parts are in heads.
    let parts: BTreeSet<&str> = line
        .iter()
        .flat_map(|(head, cell)| cell.split([' ', ',', ':']).chain(head.split('_')))
        .collect();
    for text in &texts {
        assert!(
            cells.contains(&**text) || parts.contains(&**text),
            "`{text}` is nowhere: {line:#?}"
        );
    }
    assert_eq!(line["section_rows_clauses_by_length"], "2:260 10:11");
    assert_eq!(line["solutions"], u128::MAX.to_string());
    assert_eq!(line["checked_by_source"], "a \"law\", and\nmore");
}

#[test]
fn columns_are_the_same_whatever_a_row_has_and_numbers_come_back_as_they_were() {
    let rows = vec![full(), solved(0.1 + 0.2), skipped()];
    let lines = table(&record(rows.clone()));
    for line in &lines[1..] {
        assert!(line.keys().eq(lines[0].keys()));
    }
    for (row, line) in rows.iter().zip(&lines) {
        let read = line["solve_cpu_s"].parse().ok();
        assert_eq!(read, row.solve_cpu_s, "exactly");
    }
    // A skipped job has no measured values, and no zeros.
    for column in ["cpu_s", "wall_s", "started_unix_s", "conflicts", "memory_peak_bytes"] {
        assert_eq!(lines[2][column], "", "{column}");
    }
    assert_eq!(lines[2]["termination"], "skipped");
    // The names of columns contain units.
    for column in lines[0].keys() {
        assert!(column.is_ascii() && !column.contains(char::is_whitespace), "{column}");
    }
}

#[test]
fn programs_have_their_names_in_columns_of_their_own() {
    let mut rows = vec![solved(1.0), solved(2.0)];
    rows[0].job.encoding = "{short: pairwise, long: {command: \"e\"}, at: 4}".into();
    rows[0].job.solver = "{command: \"s {cnf}\"}".into();
    let names = [("{command: \"e\"}", "mine"), ("{command: \"s {cnf}\"}", "ours")];
    let names = names.map(|(program, name)| (program.to_owned(), name.to_owned())).into();
    let lines = table(&ExperimentRecord { names, ..record(rows.clone()) });
    assert_eq!(lines[0]["encoding"], rows[0].job.encoding);
    assert_eq!(lines[0]["encoding_name"], "{short: pairwise, long: mine, at: 4}");
    assert_eq!(lines[0]["solver_name"], "ours");
    for column in ["encoding", "solver"] {
        assert_eq!(lines[1][&format!("{column}_name")], lines[1][column]);
    }
}

#[test]
fn a_record_without_rows_has_heads_and_no_more() {
    let mut text = Vec::new();
    csv(&record(Vec::new()), &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.starts_with("key,instance,") && text.lines().count() == 1, "{text}");
}
