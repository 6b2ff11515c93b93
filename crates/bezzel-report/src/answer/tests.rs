use bezzel_experiment::Source;

use super::*;
use bezzel_statistics::Value;

fn table() -> Table {
    let measured = |number| Item::Value(Value::Measured(number));
    let row = |id: &str, solver: &str, ratio| {
        vec![Item::Encoding(0, id.into()), Item::Words(solver.into()), ratio]
    };
    Table {
        id: "ranking".into(),
        title: "Ranking".into(),
        columns: vec![
            Column::words("encoding", "Encoding"),
            Column::words("solver", "Solver"),
            Column::numbers("ratio", "Ratio"),
        ],
        rows: vec![
            row("binary", "cadical", measured(5.678_9)),
            row("binary", "batsat", Item::Missing),
            row("product", "cadical", measured(1.0)),
        ],
        notes: vec![],
    }
}

fn answered(text: &str) -> Result<String, String> {
    let stated = ReportAnswer { text: text.into(), ..ReportAnswer::default() };
    let spec = ReportSpec {
        source: Source::new("r.yaml", ""),
        answer: Some(stated),
        ..ReportSpec::default()
    };
    let answer = answer(&spec, &[&table()]).map_err(|error| error.to_string())?;
    Ok(answer.expect("it was given").text)
}

#[test]
fn placeholders_become_items_as_the_table_shows_them() {
    assert_eq!(
        answered("{ranking|binary|cadical|Ratio} and {ranking | product | ratio}.").unwrap(),
        "5.68 and 1.00."
    );
    assert_eq!(answered("no number").unwrap(), "no number");
}

#[test]
fn an_answer_in_a_terminal_begins_with_its_heading() {
    let table = Table { title: HEADING.into(), notes: vec![], ..table() };
    let answer = AuthorAnswer { text: "Two of two.".into(), table: Some(table) };
    let text = answer.plain(80);
    assert!(text.starts_with("Answer\nTwo of two.\nEncoding"), "{text}");
    assert_eq!(text.matches(HEADING).count(), 1);
}

#[test]
fn a_placeholder_alone_is_a_number_in_the_table_of_an_answer() {
    let row =
        |id: &str| vec![Passage::from(id), format!("{{ranking | {id} | cadical | ratio}}").into()];
    let stated = ReportAnswer {
        text: "a".into(),
        columns: vec!["Encoding".into(), "Ratio".into()],
        rows: vec![row("binary"), row("product")],
        note: Some("In CaDiCaL, {ranking | product | cadical | ratio} for product.".into()),
    };
    let spec = ReportSpec { answer: Some(stated), ..ReportSpec::default() };
    let answer = answer(&spec, &[&table()]).unwrap().unwrap();
    let table = answer.table.unwrap();
    assert_eq!(table.notes, ["In CaDiCaL, 1.00 for product."]);
    assert_eq!(table.csv(), "encoding,ratio\nbinary,5.6789\nproduct,1\n");
}

#[test]
fn a_column_of_an_answer_is_one_of_numbers_if_it_takes_a_number_from_a_table() {
    let row = |texts: [&str; 3]| texts.map(Passage::from).to_vec();
    let stated = ReportAnswer {
        text: "a".into(),
        columns: vec!["Encoding".into(), "Solver".into(), "Ratio".into()],
        rows: vec![
            row(["binary", "both", "(≥ {ranking | binary | cadical | ratio})"]),
            row(["product", "{ranking | product | solver}", "not shown"]),
        ],
        ..ReportAnswer::default()
    };
    let spec = ReportSpec { answer: Some(stated), ..ReportSpec::default() };
    let table = answer(&spec, &[&table()]).unwrap().unwrap().table.unwrap();
    let numeric: Vec<bool> = table.columns.iter().map(|column| column.numeric).collect();
    assert_eq!(numeric, [false, false, true]);
    assert_eq!(table.rows[0][2].read(), "(≥ 5.68)");
    assert_eq!(table.rows[1][1].read(), "cadical");
}

#[test]
fn placeholders_that_name_nothing_are_refused_with_what_is_near() {
    for (text, expected) in [
        (
            "{rankin | binary | Ratio}",
            "r.yaml: `{rankin | binary | Ratio}`: unknown table `rankin`; did you mean `ranking`?",
        ),
        ("{ranking | binry | Ratio}", "unknown item `binry`; did you mean `binary`?"),
        ("{ranking | binary | Rato}", "unknown column `Rato`; did you mean `ratio`?"),
        ("{ranking | other thing | Ratio}", "; there are binary, cadical, 5.68, batsat, –"),
        ("{ranking | binary | anything}", "; there are Encoding, Solver, Ratio, encoding,"),
        (
            "{ranking | binary | Ratio}",
            "2 rows of `ranking` fit: add a word that one of them alone has, as `cadical`, `batsat`",
        ),
        (
            "{ranking | product | batsat | Ratio}",
            "no row of `ranking` has product and batsat together; with product: unknown item `batsat`; there \
             are product, cadical, 1.00",
        ),
        ("{ranking | binary | batsat | Ratio}", "nothing was measured there"),
        ("{ranking", "has no end"),
        ("{ranking}", "a placeholder is"),
    ] {
        let refused = answered(text).unwrap_err();
        assert!(refused.contains(expected), "{refused}");
    }
}
