//! The author's part: answer and hypothesis come above the evidence, and figures and tables are those of the author's
//! choice.

use std::fs;

use bezzel_experiment::{
    AnswerPart, Claim, ClaimRelation, Hypothesis, HypothesisTime, Passage, Primary, ReportAnswer,
    ReportSpec, Source,
};
use tempfile::TempDir;

use crate::report::sample;

/// The file of the author's part in messages.
const PATH: &str = "configs/reports/small.yaml";
const ANSWER: &str =
    "pairwise has 6,352 clauses for N = 16, more than twice the 2,732 of the other.";

fn texts<T: for<'t> From<&'t str>>(texts: &[&str]) -> Vec<T> {
    texts.iter().map(|&text| text.into()).collect()
}

fn stated() -> ReportSpec {
    let clauses = |encoding: &str| format!("{{encodings | {encoding} | Clauses, N = 16}}");
    let row = |encoding: &str| vec![Passage::from(encoding), clauses(encoding).into()];
    let fewer = Claim {
        relation: ClaimRelation::Below,
        arms: vec![clauses("sequential-counter").into()],
        baseline: clauses("pairwise").into(),
        cells: Vec::new(),
        between: None,
        measure: None,
        factor: None,
        over_families: false,
    };
    ReportSpec {
        source: Source::new(PATH, ""),
        primary: Primary::default(),
        hypothesis: Some(Hypothesis {
            text: "The counter has fewer clauses.".into(),
            written: HypothesisTime::After,
            claims: vec![vec![fewer]],
            because: Some(format!("It has {}.", clauses("sequential-counter")).into()),
        }),
        answer: Some(ReportAnswer {
            parts: vec![AnswerPart::Text(
                format!(
                    "pairwise has {} clauses for N = 16, more than twice the {} of the other.",
                    clauses("pairwise"),
                    clauses("sequential-counter")
                )
                .into(),
            )],
            note: None,
            columns: texts(&["Arm", "All clauses"]),
            rows: ["pairwise", "sequential-counter"].map(row).into(),
        }),
        lead_figure: Some("sizes".into()),
        figures: Some(texts(&["instances", "simplified"])),
        tables: None,
    }
}

/// The page and the Markdown of the small record with the author's part, in a folder of reports; or the refusal.
fn rendered(spec: ReportSpec) -> (TempDir, Result<(String, String), String>) {
    let folder = tempfile::tempdir().unwrap();
    let mut record = sample::small();
    record.report = spec;
    let report = folder.path().join("small");
    let paths = bezzel_queens::report::render(&record, &report, "bezzel report small");
    let read = |path| fs::read_to_string(path).expect("the file was just written");
    let pages = paths.map(|paths| (read(paths.index), read(paths.markdown)));
    let pages = pages.map_err(|error| {
        assert!(!report.exists(), "a refused report leaves no file");
        error.to_string()
    });
    (folder, pages)
}

/// Checks that the parts are in the text in this order.
#[track_caller]
fn in_order(text: &str, parts: &[&str]) {
    let mut from = 0;
    for part in parts {
        let found = text[from..].find(part);
        let at = found.unwrap_or_else(|| panic!("{part:?} is not where it belongs in {text}"));
        from += at + part.len();
    }
}

#[test]
fn answer_hypothesis_and_lead_figure_stand_above_all_else() {
    let (folder, pages) = rendered(stated());
    let (page, markdown) = pages.unwrap();
    let outcome = "The hypothesis held: its one claim holds. It has 2,732. The hypothesis was written after the evidence.";
    in_order(
        &markdown,
        &[
            "# small\n\nIs this read?\n\n## Answer\n\n",
            ANSWER,
            "| Arm | All clauses |",
            "| pairwise | 6,352 |",
            "| sequential-counter | 2,732 |",
            "18 runs; 16 answers verified; 1 unchecked; 0 wrong; ",
            "## Hypothesis\n\nThe counter has fewer clauses.\n\n",
            outcome,
            "- 2,732 for sequential-counter is less than 6,352 for pairwise (N = 16).",
            "](sizes.svg)",
            "## Encodings",
            "](instances.svg)",
            "](simplified.svg)",
            "## Conditions",
            "## Threats to validity",
            "## Data and commands",
            "leaves out.",
        ],
    );
    let (_, main) = page.split_once("<main>").unwrap();
    in_order(
        main,
        &[
            "<section id=\"answer\"",
            ANSWER,
            "All clauses</th>",
            ">6,352</td>",
            ">2,732</td>",
            "<section id=\"hypothesis\"",
            "The counter has fewer clauses.",
            outcome,
            "<section id=\"sizes\"",
            "<section id=\"table-encodings\"",
            "<section id=\"figures\"",
            "id=\"instances\"",
            "id=\"simplified\"",
            "<section id=\"conditions\"",
            "<section id=\"threats\"",
            "<section id=\"tables\"",
            "<section id=\"cells\"",
            "<section id=\"repeat\"",
        ],
    );
    for text in [&page, &markdown] {
        // Each figure occurs once, also the lead figure.
        assert_eq!(text.matches("sizes.svg").count(), 1);
    }

    let index = fs::read_to_string(bezzel_report::index(folder.path()).unwrap()).unwrap();
    in_order(&index, &["Is this read?", ANSWER, "18 runs"]);
}

/// Two encodings are one pair, whose interval needs six instances.
const NO_VERDICT: &str = "no verdict is possible; 6 are needed for 2 encodings.";

#[test]
fn a_report_without_an_author_has_the_computed_answer_alone() {
    let (folder, pages) = rendered(ReportSpec::default());
    let (page, markdown) = pages.unwrap();
    for text in [&page, &markdown] {
        assert!(!text.contains("Answer</h2>") && !text.contains("## Answer"));
        assert!(!text.contains("Hypothesis</h2>") && !text.contains("## Hypothesis"));
        in_order(text, &["Is this read?", "Computed answer", NO_VERDICT, "18 runs", "Encodings"]);
    }
    let summary = fs::read_to_string(folder.path().join("small/summary.json")).unwrap();
    assert!(
        summary
            .contains(&format!("\"answer\": \"2 satisfiable instances in CaDiCaL: {NO_VERDICT}")),
        "{summary}"
    );
}

#[test]
fn the_first_table_that_is_asked_for_is_the_main_one_and_the_others_stand_in_files() {
    // The second id is that of a kind, whose one table is the main one.
    let tables = Some(texts(&["ranking-time-random-sat", "ranking", "ranking"]));
    let (folder, pages) = rendered(ReportSpec { tables, ..stated() });
    let (page, markdown) = pages.unwrap();
    let ranking = "Ranking by CPU time of solving, numbering random, satisfiable instances";
    in_order(&markdown, &["](sizes.svg)", &format!("## {ranking}"), "](instances.svg)"]);
    assert_eq!(markdown.matches(&format!("{ranking}\n")).count(), 1);
    assert_eq!(page.matches("<h3>Ranking by ").count(), 3);
    assert!(!markdown.contains("## Encodings") && !page.contains("id=\"table-encodings\""));
    assert!(markdown.contains("`table-encodings.csv`"));
    assert!(folder.path().join("small/table-encodings.csv").exists());
}

#[test]
fn figures_and_tables_without_data_are_refused_with_those_that_the_record_has() {
    let figures = Some(texts(&["instances", "operations"]));
    let tables = Some(texts(&["encodings", "propagation"]));
    for (spec, expected) in [
        (ReportSpec { figures, ..stated() }, "nothing to draw for the figure `operations`"),
        (ReportSpec { tables, ..stated() }, "nothing to show for the table `propagation`"),
    ] {
        let (_folder, pages) = rendered(spec);
        let error = pages.unwrap_err();
        assert!(error.starts_with(&format!("{PATH}: the record has {expected}")), "{error}");
        assert!(error.contains("; it has the "), "{error}");
    }
}
