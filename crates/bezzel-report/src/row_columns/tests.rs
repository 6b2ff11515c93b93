//! Tests of the columns of rows.

use bezzel_encode::{Numbering, Registry};
use bezzel_experiment::{Key, RecordPart};

use super::*;
use crate::tests::analysed;
use crate::tests::sample::{killed, measured, of_size, shuffled, solved, timed_out, wrong};

fn json_of(rows: Vec<Row>) -> Value {
    let name = "both".into();
    let record = ExperimentRecord { name, rows, ..ExperimentRecord::default() };
    let text = row_columns(&Analysis::new(&record, &Registry::new()));
    serde_json::from_str(&text).expect("the columns are JSON")
}

#[test]
fn numbers_have_five_digits_and_no_more_characters_than_needed() {
    for (number, text) in [
        (0.0, "0"),
        (-0.0, "0"),
        (7.0, "7"),
        (57_373.657, "57374"),
        (4_900_000.0, "49e5"),
        (5_700.0, "5700"),
        (57_000.0, "57e3"),
        (156.25, "156.25"),
        (0.156_25, ".15625"),
        (0.000_123, "123e-6"),
        (99_999.9, "1e5"),
        (-0.05, "-5e-2"),
        (-12.34, "-12.34"),
        (f64::NAN, ""),
    ] {
        assert_eq!(short(number), text, "{number}");
        if !text.is_empty() {
            let read: f64 = text.parse().unwrap();
            assert!((read - number).abs() <= 1e-4 * number.abs(), "{text} for {number}");
        }
    }
}

#[test]
fn numbers_of_entries_have_as_many_digits_as_the_last() {
    assert_eq!(digits(&[0, 0, 0], 1), "");
    assert_eq!(digits(&[0, 35, 10], 36), "0za");
    assert_eq!(digits(&[0, 36, 1295], 1296), "0010zz");
}

#[test]
fn keys_have_as_many_digits_as_distinguish_all_of_them() {
    let of = |keys: &[&str]| {
        let rows = keys.iter().map(|key| Row { key: Key((*key).to_owned()), ..solved(1.0) });
        json_of(rows.collect())["keys"].as_str().unwrap().to_owned()
    };
    assert_eq!(of(&["0123456789ab", "0123456f89ab"]), "012345670123456f");
    let three = ["0123456789ab", "f123456789ab", "0123456788ab"];
    assert_eq!(of(&three), "0123456789f1234567890123456788");
    assert_eq!(of(&["0123456789ab", "0123456789ab"]), "0123456701234567", "one key");
    assert_eq!(of(&["0123456789", "012345678"]), "0123456789012345678 ");
}

#[test]
fn rows_are_entries_of_lists_and_values() {
    let json = json_of(vec![solved(0.5), shuffled(3, 0.25), timed_out(), wrong(1.0), killed()]);
    assert_eq!(json["rows"], 5);
    assert_eq!(json["numbering"], json!([["as-generated", "random"], "01000"]));
    let states = json!([["answered", "over", "left out"], "00122"]);
    assert_eq!(json["state"], states);
    assert_eq!(json["measured"][0][4], "5e5,25e4,49e5,1e6,0");
    assert_eq!(json["run"], json!([["", "shuffle 3"], "01000"]));
    assert_eq!(json["repeat"], json!([["bezzel run both --only"], ""]));
    let (name, kind) = ("langford 8", "langford");
    let instance = json!([name, name, kind, kind, "satisfiable", null]);
    assert_eq!(json["instance"][0], json!([instance]));
}

#[test]
fn the_command_of_a_row_has_its_experiment_and_the_permission_of_its_programs() {
    let mut program = solved(1.0);
    program.job.encoding = "{command: \"python3 a.py\"}".into();
    program.session = 1;
    let part = |name: &str, first_session| RecordPart { name: name.into(), first_session };
    let parts = vec![part("one", 0), part("the other", 1)];
    let record = ExperimentRecord { parts, ..ExperimentRecord::default() };
    let words = [solved(1.0), program].map(|row| repeat_words(&record, &row));
    assert_eq!(words, ["bezzel run one --only", "bezzel run 'the other' --programs --only"]);
}

#[test]
fn no_text_of_a_row_ends_its_element() {
    let mut row = solved(1.0);
    row.job.encoding = "</script><!--\u{1b}".into();
    let text = analysed(vec![row], row_columns);
    assert!(!text.contains('<') && !text.contains('\u{1b}'), "{text}");
}

#[test]
fn six_thousand_rows_weigh_less_than_a_figure() {
    let row = |number: usize| {
        let size = 8 + (number % 80) as u32;
        let mut row = of_size(size, measured(64 + number as u64 / 80, 9_744, 15_848));
        row.job.encoding = format!("encoding-{}", number / 80 % 8);
        row.job.numbering = Numbering::random(number as u64 / 640);
        row.solve_cpu_s = Some(1.0 / (number as f64 + 0.123));
        row.cpu_s = 1.0 / (number as f64 + 0.01);
        row.solver_stats.conflicts = Some(number as u64 * 7_919 % 100_000);
        // The multiplier is 2¹²⁸ divided by the golden ratio, so that the first digits of the products differ.
        let golden: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        row.key = Key(format!("{:032x}", golden.wrapping_mul(number as u128)));
        row
    };
    let rows: Vec<Row> = (0..6_400).map(row).collect();
    let text = analysed(rows, row_columns);
    assert!(text.len() < 300_000, "{}", text.len());
}
