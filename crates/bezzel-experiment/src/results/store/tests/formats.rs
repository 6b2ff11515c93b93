//! Formats of rows, old and new, and the choice among several rows of a job.

use bezzel_solve::Answer;

use super::{read, row};
use crate::model::all_solutions::AllSolutions;
use crate::model::job::Task;
use crate::model::row::{Row, Termination};
use crate::results::store::checksum::{self, Damage, LineContent};
use crate::results::store::{StoreError, read_folder};

/// Returns the line of a row in format 1, without a checksum.
fn of_format_1(row: &Row) -> String {
    let mut value = serde_json::to_value(row).unwrap();
    value.as_object_mut().unwrap().remove("format");
    value.to_string() + "\n"
}

#[test]
fn a_row_is_read_as_it_was_written() {
    let line = checksum::line_of(&row(7));
    match checksum::open::<Row>(line.strip_suffix(b"\n").unwrap()) {
        LineContent::Row(found, true) => assert_eq!(*found, row(7)),
        other => panic!("{other:?}"),
    }
    // The checksum is the last field and has 16 digits.
    let text = String::from_utf8(line).unwrap();
    let (body, checksum) = text.trim_end().rsplit_once(",\"checksum\":\"").unwrap();
    let hash = blake3::hash(format!("{body}}}").as_bytes()).to_hex();
    assert_eq!(checksum, format!("{}\"}}", &hash[..16]));
}

/// Returns a line, without its end, whose checksum has this name.
fn line_under(body: &str, name: &str) -> String {
    let hash = blake3::hash(body.as_bytes()).to_hex();
    format!("{},\"{name}\":\"{}\"}}", &body[..body.len() - 1], &hash[..16])
}

#[test]
fn rows_with_the_former_names_of_fields_are_read() {
    let row = Row { format: 2, ..row(1) };
    let new = serde_json::to_string(&row).unwrap();
    let former = Row::FIELDS.iter().fold(new.clone(), |body, field| match field.was {
        Some(was) => body.replacen(&format!("\"{}\":", field.key), &format!("\"{was}\":"), 1),
        None => body,
    });
    assert!(former.contains("\"stop\":\"finished\""), "{former}");
    for (body, name) in [(&former, "seal"), (&former, "checksum"), (&new, "checksum")] {
        match checksum::open::<Row>(line_under(body, name).as_bytes()) {
            LineContent::Row(found, true) => assert_eq!(*found, row),
            other => panic!("{other:?}"),
        }
    }
    let changed = line_under(&former, "seal").replacen("\"stop\":", "\"stop\": ", 1);
    let content = checksum::open::<Row>(changed.as_bytes());
    assert!(matches!(content, LineContent::Damaged(Damage::WrongChecksum)), "{content:?}");
}

#[test]
fn rows_without_a_checksum_are_read_if_they_are_of_the_first_format() {
    let old = of_format_1(&row(1));
    let found = read(old.as_bytes());
    assert_eq!(found.by_key.len(), 1);
    assert_eq!(found.by_key[&row(1).key].format, 1);
    let without = serde_json::to_string(&row(1)).unwrap() + "\n";
    assert_eq!(read(without.as_bytes()).damaged, [(1, Damage::NoChecksum)]);
}

#[test]
fn rows_of_a_newer_version_are_not_guessed_at() {
    let newer = Row { format: 4, ..row(1) };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("config.yaml"), "name: t\n").unwrap();
    let text = [checksum::line_of(&row(0)), checksum::line_of(&newer)].concat();
    std::fs::write(folder.path().join("rows.jsonl"), text).unwrap();
    let refused = read_folder(folder.path()).unwrap_err();
    assert!(matches!(refused, StoreError::Newer { line: 2, format: 4, .. }), "{refused}");
    let refused = crate::results::store::Store::open(folder.path(), "name: t\n", &[]).unwrap_err();
    assert!(matches!(refused, StoreError::Newer { .. }), "{refused}");
}

#[test]
fn a_line_with_a_checksum_that_only_a_newer_version_understands_is_not_called_damaged() {
    let line = |body: &str| line_under(body, "checksum");
    let newer = line(r#"{"format":4,"cell":{"n":4}}"#);
    let content = checksum::open::<Row>(newer.as_bytes());
    assert!(matches!(content, LineContent::Newer(4)), "{content:?}");
    for broken in [line(r#"{"format":3,"cell":{"n":4}}"#), line("{}"), line("[}")] {
        let content = checksum::open::<Row>(broken.as_bytes());
        assert!(matches!(content, LineContent::Damaged(Damage::NoRow)), "{content:?}");
    }
}

#[test]
fn a_row_that_does_not_settle_its_job_gives_way_to_one_that_does() {
    let with = |termination: Termination, note: &str| {
        let answer =
            if termination == Termination::Finished { Answer::Sat } else { Answer::Unknown };
        Row { termination, status: answer, note: Some(note.to_owned()), ..row(1) }
    };
    let lines = |rows: &[Row]| rows.iter().flat_map(checksum::line_of).collect::<Vec<u8>>();
    let note = |rows: &[Row]| {
        let found = read(&lines(rows));
        let row = &found.by_key[&row(1).key];
        (row.note.clone().unwrap(), found.by_key.get(&row.key).is_some_and(Row::is_settled))
    };
    let (lost, again) =
        (with(Termination::HostError, "lost"), with(Termination::HostError, "again"));
    let (done, twice) = (with(Termination::Finished, "done"), with(Termination::Finished, "twice"));
    assert_eq!(note(&[lost.clone(), again.clone()]), ("again".into(), false));
    assert_eq!(note(&[lost, done.clone(), again]), ("done".into(), true));
    assert_eq!(note(&[done, twice]), ("done".into(), true));
}

#[test]
fn rows_of_one_job_that_contradict_each_other_are_reported() {
    let unsat = Row { status: Answer::Unsat, places: None, ..row(1) };
    let late = Row { status: Answer::Unknown, termination: Termination::CpuLimit, ..row(1) };
    let text = [row(1), late, unsat].iter().flat_map(checksum::line_of).collect::<Vec<u8>>();
    let found = read(&text);
    assert_eq!(found.disagreeing.len(), 1);
    let disagreement = &found.disagreeing[0];
    assert_eq!(
        (&disagreement.kept, &disagreement.other),
        (&Answer::Sat.into(), &Answer::Unsat.into())
    );
    assert_eq!(disagreement.line, 3);
}

#[test]
fn rows_of_one_job_with_other_numbers_of_solutions_are_reported() {
    let counted = |count: u32| {
        let all = AllSolutions {
            count: count.into(),
            whole: true,
            digest: None,
            diagram: None,
            auxiliaries: None,
        };
        let mut row = Row { status: Answer::Sat, places: None, all: Some(all), ..row(1) };
        row.job.task = Task::Count;
        row
    };
    let less = |mut row: Row| {
        row.all.as_mut().unwrap().whole = false;
        row
    };
    let rows = [counted(4), counted(4), less(counted(3)), counted(5), less(counted(6))];
    let text = rows.iter().flat_map(checksum::line_of).collect::<Vec<u8>>();
    let found = read(&text);
    let lines: Vec<_> = found.disagreeing.iter().map(|disagreement| disagreement.line).collect();
    assert_eq!(lines, [4, 5]);
    assert_eq!(found.disagreeing[0].kept.to_string(), "4 solutions");
    assert_eq!(found.disagreeing[1].other.to_string(), "at least 6 solutions");
}
