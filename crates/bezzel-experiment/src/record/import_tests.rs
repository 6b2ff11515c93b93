use std::fs;

use super::*;

const MAP: &str = "\
name: t
instance: Name
family: {column: Name, before: '-'}
arms: {encoder: Enc, order: {column: Order, before: _}}
replicate: {column: Order, after: _}
status: {column: Result, words: {sat: SAT, unsat: [UNSAT], limit: TO}}
time: Time
unit: ms
limit: 2 s
measures: {conflicts: Conflicts}
";
const TABLE: &str = "\
Name,Enc,Order,Result,Time,Conflicts
a-1,tree,Random_2,SAT,1500,7
\"a-2\",tree,Natural,UNSAT,10,8
b-1,tree,Natural,TO,2100,9
";

fn read(map: &str, table: &str) -> Result<Vec<Row>, String> {
    let folder = tempfile::tempdir().unwrap();
    let [map_file, table_file] = ["m.yaml", "t.csv"].map(|name| folder.path().join(name));
    fs::write(&map_file, map).unwrap();
    fs::write(&table_file, table).unwrap();
    let map = ImportMap::read(&map_file).map_err(|error| error.to_string());
    let rows = map.and_then(|map| rows(&table_file, &map));
    rows.map_err(|error| error.replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn a_line_becomes_a_row_that_is_marked_as_imported() {
    let rows = read(MAP, TABLE).unwrap();
    let of = |row: &Row| {
        let family = row.job.instance.get::<Imported>().unwrap().family.clone();
        let job = (row.job.instance.to_string(), row.job.encoding.clone(), row.job.repeat);
        (family, job, row.status, row.solve_cpu_s, row.solver_stats.conflicts)
    };
    let job = |name: &str, order: &str, repeat| (name.into(), format!("tree / {order}"), repeat);
    let expected = [
        ("a".into(), job("a-1", "Random", 2), Answer::Sat, Some(1.5), Some(7)),
        ("a".into(), job("a-2", "Natural", 1), Answer::Unsat, Some(0.01), Some(8)),
        ("b".into(), job("b-1", "Natural", 1), Answer::Unknown, Some(2.0), Some(9)),
    ];
    assert_eq!(rows.iter().map(of).collect::<Vec<_>>(), expected);
    assert!(rows.iter().all(|row| row.verdict == Verdict::Imported && row.checked_by.is_none()));
    assert_eq!(are_finished(&rows), [true, true, false]);
}

#[test]
fn instances_of_two_families_may_have_one_name() {
    let map = MAP.replace("family: {column: Name, before: '-'}", "family: Group");
    let table =
        "Name,Group,Enc,Order,Result,Time,Conflicts\n1,a,tree,O_1,SAT,1,1\n1,b,tree,O_1,SAT,1,1\n";
    assert_eq!(read(&map, table).unwrap().len(), 2);
}

fn are_finished(rows: &[Row]) -> Vec<bool> {
    rows.iter().map(|row| row.termination == Termination::Finished).collect()
}

#[test]
fn a_fault_has_its_line_and_column_and_the_near_match() {
    let fault = |map: &str, table: &str| read(map, table).unwrap_err();
    let changed = |from: &str, to: &str| fault(MAP, &TABLE.replace(from, to));
    let column = fault(&MAP.replace("Time", "Tim"), TABLE);
    assert!(column.starts_with("m.yaml:7:7: t.csv: unknown column `Tim`"), "{column}");
    assert!(column.contains("did you mean `Time`?"), "{column}");
    let status = changed("UNSAT", "UNSAD");
    assert!(status.starts_with("t.csv:3: column `Result`: unknown status `UNSAD`"), "{status}");
    assert!(status.contains("did you mean `UNSAT`?"), "{status}");
    let late = changed("1500", "2001");
    assert!(late.starts_with("t.csv:2: column `Time`: 2.001 s is over the limit of 2 s"), "{late}");
    let doubled = changed("\"a-2\",tree,Natural", "a-1,tree,Random_2");
    assert_eq!(
        doubled,
        "t.csv:3: column `Name`: a-1 with tree / Random, replicate 2, is also in line 2"
    );
    assert_eq!(changed(",10,", ",x,"), "t.csv:3: column `Time`: `x` is not a number of at least 0");
    assert_eq!(
        changed(",9\n", ",9.5\n"),
        "t.csv:4: column `Conflicts`: 9.5 is not a whole number of at most 9007199254740992"
    );
    assert!(changed(",9\n", "\n").starts_with("t.csv: CSV error: record 3 (line: 4"));
    let key = fault(&MAP.replace("family", "familly"), TABLE);
    assert!(key.contains("the map has no key `familly`") && key.contains("`family`"), "{key}");
    let doubled = changed("Time,Conflicts", "Time,Enc");
    assert_eq!(doubled, "t.csv:1: two columns have the heading `Enc`: rename one");
    let empty =
        fault(&MAP.replace("{encoder: Enc, order: {column: Order, before: _}}", "{}"), TABLE);
    assert!(empty.starts_with("m.yaml:4:7: `arms` has no factor"), "{empty}");
    let digest = fault(&format!("{MAP}source: {{sha256: ab}}\n"), TABLE);
    assert!(digest.starts_with("m.yaml:11:18: the SHA-256 of t.csv, unpacked, is "), "{digest}");
}

#[test]
fn a_late_run_counts_as_ended_at_the_limit_if_the_map_says_so() {
    let map = format!("{MAP}over_limit: cut\nresolution: 100 ms\n");
    let rows = read(&map, &TABLE.replace("1500", "2000")).unwrap();
    assert_eq!(are_finished(&rows), [false, true, false]);
    assert_eq!([0, 1].map(|place| rows[place].solve_cpu_s), [Some(2.0), Some(0.1)]);
}
