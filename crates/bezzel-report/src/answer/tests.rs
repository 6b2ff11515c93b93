use bezzel_encode::Registry;
use bezzel_experiment::{ClaimRelation, ExperimentRecord, Source};

use super::*;
use bezzel_statistics::Value;

/// The answer over one table and no rows.
fn over_table(spec: &ReportSpec) -> Result<AuthorAnswer, String> {
    let (record, registry) = (ExperimentRecord::default(), Registry::new());
    let (analysis, table) = (Analysis::new(&record, &registry), table());
    let tables = [&table];
    let answer = Author::new(spec, &analysis, &tables).answer();
    answer.map(|answer| answer.expect("it was given")).map_err(|error| error.to_string())
}

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

fn text(text: &str) -> Vec<AnswerPart> {
    vec![AnswerPart::Text(text.into())]
}

fn answered(words: &str) -> Result<AuthorAnswer, String> {
    let stated = ReportAnswer { parts: text(words), ..ReportAnswer::default() };
    over_table(&ReportSpec {
        source: Source::new("r.yaml", ""),
        answer: Some(stated),
        ..ReportSpec::default()
    })
}

#[test]
fn placeholders_become_items_as_the_table_shows_them() {
    assert_eq!(
        answered("{ranking|binary|cadical|Ratio} and {ranking | product | ratio}.").unwrap().text(),
        "5.68 and 1.00."
    );
    assert_eq!(answered("no number").unwrap().text(), "no number");
}

#[test]
fn the_words_of_a_number_name_its_side_and_its_solver_and_leave_out_other_numbers() {
    let mut table = table();
    table.columns.push(Column::numbers("n", "N"));
    table.columns.push(Column::numbers("clauses", "Clauses, N = 60"));
    for row in &mut table.rows {
        row.extend([Item::Count(8), Item::Count(170)]);
    }
    let words = |text: &str| quoted(&text.into(), &[&table]).unwrap().words;
    assert_eq!(
        words("{ranking | 8 | product | cadical | 170 | Ratio}"),
        ["N = 8", "product", "CaDiCaL"]
    );
    assert_eq!(words("{ranking | product | Clauses, N = 60}"), ["product", "N = 60"]);
    assert!(words("704").is_empty());
}

#[test]
fn an_answer_in_a_terminal_begins_with_its_heading() {
    let table = Table { title: HEADING.into(), notes: vec![], ..table() };
    let (lines, unconfirmed) = (vec!["Two of two.".into()], vec![]);
    let answer = AuthorAnswer { lines, table: Some(table), unconfirmed, level: None };
    let text = answer.plain(80);
    assert!(text.starts_with("Answer\nTwo of two.\nEncoding"), "{text}");
    assert_eq!(text.matches(HEADING).count(), 1);
}

#[test]
fn a_placeholder_alone_is_a_number_in_the_table_of_an_answer() {
    let row =
        |id: &str| vec![Passage::from(id), format!("{{ranking | {id} | cadical | ratio}}").into()];
    let stated = ReportAnswer {
        parts: text("a"),
        columns: vec!["Encoding".into(), "Ratio".into()],
        rows: vec![row("binary"), row("product")],
        note: Some("In CaDiCaL, {ranking | product | cadical | ratio} for product.".into()),
    };
    let spec = ReportSpec { answer: Some(stated), ..ReportSpec::default() };
    let table = over_table(&spec).unwrap().table.unwrap();
    assert_eq!(table.notes, ["In CaDiCaL, 1.00 for product."]);
    assert_eq!(table.csv(), "encoding,ratio\nbinary,5.6789\nproduct,1\n");
}

#[test]
fn a_column_of_an_answer_is_one_of_numbers_if_it_takes_a_number_from_a_table() {
    let row = |texts: [&str; 3]| texts.map(Passage::from).to_vec();
    let stated = ReportAnswer {
        parts: text("a"),
        columns: vec!["Encoding".into(), "Solver".into(), "Ratio".into()],
        rows: vec![
            row(["binary", "both", "(≥ {ranking | binary | cadical | ratio})"]),
            row(["product", "{ranking | product | solver}", "not shown"]),
        ],
        ..ReportAnswer::default()
    };
    let spec = ReportSpec { answer: Some(stated), ..ReportSpec::default() };
    let table = over_table(&spec).unwrap().table.unwrap();
    let numeric: Vec<bool> = table.columns.iter().map(|column| column.numeric).collect();
    assert_eq!(numeric, [false, false, true]);
    assert_eq!(table.rows[0][2].read(), "(≥ 5.68)");
    assert_eq!(table.rows[1][1].read(), "cadical");
}

#[test]
fn a_ratio_without_a_verdict_has_parentheses_in_the_table_of_an_answer() {
    let mut table = table();
    table.columns.push(Column::results("verdict", "Verdict"));
    for (row, verdict) in table.rows.iter_mut().zip(["takes less", "undecided", "undecided"]) {
        row.push(Item::Words(verdict.into()));
    }
    let tables = [&table];
    let found = |inner: &str| source(inner, &tables).map(|piece| piece.is_open);
    assert_eq!(found("ranking | binary | cadical | ratio"), Ok(false));
    assert_eq!(found("ranking | product | ratio"), Ok(true));
    assert_eq!(found("ranking | product | solver"), Ok(false));
}

#[test]
fn placeholders_of_another_form_are_refused() {
    for (words, expected) in [("{ranking", "has no end"), ("{ranking}", "a placeholder is")] {
        let stated = ReportAnswer { parts: text(words), ..ReportAnswer::default() };
        let spec = ReportSpec { answer: Some(stated), ..ReportSpec::default() };
        let refused = check(&spec, &[]).unwrap_err().to_string();
        assert!(refused.contains(expected), "{refused}");
    }
}

#[test]
fn a_placeholder_that_names_nothing_is_reported_with_what_is_near() {
    for (text, expected) in [
        ("{rankin | binary | Ratio}", "unknown table `rankin`; did you mean `ranking`?"),
        ("{ranking | binry | Ratio}", "unknown item `binry`; did you mean `binary`?"),
        ("{ranking | binary | Rato}", "unknown column `Rato`; did you mean `Ratio`?"),
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
    ] {
        let answer = answered(text).expect("rows that lack a number are no error");
        assert_eq!(answer.text(), NOT_MEASURED);
        assert!(answer.unconfirmed[0].contains(expected), "{:?}", answer.unconfirmed);
    }
}

#[test]
fn the_level_is_that_of_the_claims() {
    let of = |simultaneous, some_lack| level(ClaimIntervals { simultaneous, some_lack });
    assert_eq!(of(None, false), None);
    assert_eq!(of(None, true).as_deref(), Some("claims with too few instances for an interval"));
    assert_eq!(of(Some((1, 1)), false).as_deref(), Some("95 % intervals"));
    let each = "95 % intervals, in each claim simultaneous for 7 comparisons";
    assert_eq!(of(Some((7, 7)), false).as_deref(), Some(each));
    let some = "95 % intervals, in each claim simultaneous for 1 to 1,260 comparisons; some claims have too few \
                instances for an interval";
    assert_eq!(of(Some((1, 1260)), true).as_deref(), Some(some));
}

/// The claim that the first number is below the second.
fn claim([first, second]: [&str; 2]) -> Claim {
    Claim {
        relation: ClaimRelation::Below,
        arms: vec![first.into()],
        baseline: second.into(),
        cells: Vec::new(),
        between: None,
        measure: None,
        factor: None,
        over_families: false,
    }
}

#[test]
fn the_outcome_of_a_hypothesis_has_the_number_of_claims_that_hold() {
    let outcome = |numbers: &[[&str; 2]]| {
        let claims = numbers.iter().map(|&numbers| vec![claim(numbers)]).collect();
        let text = "Few.".to_owned();
        let stated = Hypothesis { text, written: HypothesisTime::Before, because: None, claims };
        let spec = ReportSpec { hypothesis: Some(stated), ..ReportSpec::default() };
        let (record, registry) = (ExperimentRecord::default(), Registry::new());
        let analysis = Analysis::new(&record, &registry);
        Author::new(&spec, &analysis, &[]).hypothesis().unwrap().unwrap().outcome
    };
    let part = "The hypothesis held in part: ";
    assert_eq!(outcome(&[["3", "4"], ["4", "3"]]), format!("{part}1 of its 2 claims holds."));
    let two = [["3", "4"], ["3", "5"], ["4", "3"]];
    assert_eq!(outcome(&two), format!("{part}2 of its 3 claims hold."));
    assert_eq!(outcome(&two[..2]), "The hypothesis held: all of its 2 claims hold.");
}

#[test]
fn claims_that_hold_have_the_word_that_answers_the_question() {
    let of = |before: &str, numbers| {
        let word = AnswerPart::Word("no", vec![claim(numbers)]);
        let parts = [text(before), vec![word]].concat();
        let answer = Some(ReportAnswer { parts, ..ReportAnswer::default() });
        over_table(&ReportSpec { answer, ..ReportSpec::default() }).unwrap().text()
    };
    assert_eq!(of("Boards.", ["3", "4"]), "Boards. No: 3 is less than 4.");
    assert_eq!(of("Of boards,", ["3", "4"]), "Of boards, no: 3 is less than 4.");
    let refuted = of("Boards.", ["4", "3"]);
    assert!(!refuted.to_lowercase().contains("no:"), "{refuted}");
}
