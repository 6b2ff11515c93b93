//! Names and notes that contain markup.

use std::fs;

use bezzel_experiment::{
    AnswerPart, ExperimentRecord, Hypothesis, HypothesisTime, ReportAnswer, ReportSpec, Verdict,
};
use usvg::{Options, Tree};

use crate::report::sample;

const NAME: &str = "</title><script>alert(1)</script>";
const ENCODING: &str = "=HYPERLINK(\"x\")|\u{1b}[31m]]></svg><script>";
const COMMAND: &str = "bezzel report ```; <img src=http://a.example/x.png>";

#[test]
fn hostile_text_stays_text_in_every_file() {
    stays_text(sample::small());
}

#[test]
fn hostile_text_stays_text_in_every_kind_of_figure() {
    stays_text(sample::wide());
}

fn stays_text(mut record: ExperimentRecord) {
    let folder = tempfile::tempdir().unwrap();
    record.name = NAME.into();
    record.question = Some("# heading\n![x](http://a.example/y.png)".into());
    record.config = "name: x\n```\n</pre><script>".into();
    record.environments[0].cpu_model = Some("| a | <b>\u{202e}".into());
    for row in &mut record.rows[..6] {
        row.job.encoding = ENCODING.into();
        row.job.solver = "+cmd|\u{0}".into();
    }
    record.rows[0].verdict = Verdict::Wrong;
    let text =
        "# heading\n![x](http://a.example/y.png) <iframe> <script>alert(1)</script>".to_owned();
    record.report = ReportSpec {
        hypothesis: Some(Hypothesis {
            text: text.clone(),
            written: HypothesisTime::Before,
            claims: Vec::new(),
            because: Some(text.clone().into()),
        }),
        answer: Some(ReportAnswer {
            parts: vec![AnswerPart::Text(text.clone().into())],
            note: Some(text.clone().into()),
            columns: vec![text.clone()],
            rows: vec![vec![text.into()]],
        }),
        ..ReportSpec::default()
    };
    record.rows[0].note = Some("- [a](javascript:alert(1))\n\n<iframe>".into());
    let paths = bezzel_queens::report::render(&record, folder.path(), COMMAND).unwrap();

    let page = fs::read_to_string(&paths.index).unwrap();
    // The page's own script is the only one; the rows are data.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("<script id=\"rows\" type=\"application/json\"").count(), 1);
    for tag in ["<script>alert", "<iframe", "<img", "<b>\u{202e}"] {
        assert!(!page.contains(tag), "{tag} in the page");
    }
    assert!(page.contains("&lt;/title&gt;&lt;script&gt;"));
    let control = |text: &str| text.chars().any(|c| c.is_control() && c != '\n');
    assert!(!control(&page));

    for path in [&paths.markdown, &paths.table_markdown] {
        let text = fs::read_to_string(path).unwrap();
        assert!(!control(&text));
        // The config is in a fence that it cannot close, and may contain anything.
        let (before, rest) = text.split_once("````yaml").unwrap_or((&text, ""));
        let after = rest.split_once("\n````\n").map_or("", |(_, after)| after);
        for line in before.lines().chain(after.lines()) {
            let code = line.starts_with("bezzel ");
            // A character after a backslash is text.
            let line = ["\\<", "\\[", "\\]"]
                .iter()
                .fold(line.to_owned(), |line, escaped| line.replace(escaped, ""));
            assert!(code || !line.contains("<script"), "{line}");
            assert!(code || !line.contains(" <img"), "{line}");
            assert!(!line.starts_with("# heading"), "{line}");
            assert!(!line.contains("![x]") && !line.contains("](javascript"), "{line}");
        }
        let table = text.lines().filter(|line| line.starts_with("| \\=HYPERLINK"));
        assert!(table.clone().count() > 0);
    }

    let files = paths.figures.iter().map(|figure| &figure.csv).chain([&paths.table_csv]);
    for path in files {
        let text = fs::read_to_string(path).unwrap();
        assert!(!control(&text));
        for record in csv::Reader::from_reader(text.as_bytes()).records() {
            for item in &record.unwrap() {
                let number = item.parse::<f64>().is_ok();
                assert!(
                    number || !item.starts_with(['=', '+', '-', '@']),
                    "{item} in {}",
                    path.display()
                );
            }
        }
    }

    for figure in &paths.figures {
        let svg = fs::read_to_string(&figure.svg).unwrap();
        assert!(!svg.contains("<script"));
        Tree::from_str(&svg, &Options::default()).expect("the SVG is well-formed");
    }
}

#[test]
fn long_names_are_cut_and_strange_ones_drawn_as_far_as_there_are_letters() {
    stays_within(sample::small());
}

#[test]
fn long_names_are_cut_in_every_kind_of_figure() {
    stays_within(sample::wide());
}

fn stays_within(mut record: ExperimentRecord) {
    let folder = tempfile::tempdir().unwrap();
    for row in &mut record.rows {
        row.job.encoding = if row.job.encoding == "pairwise" {
            "x".repeat(300)
        } else {
            "皇后 \u{1f451} ψ₁".into()
        };
        row.job.solver = "s".repeat(300);
    }
    let paths =
        bezzel_queens::report::render(&record, folder.path(), "bezzel report long").unwrap();
    for figure in &paths.figures {
        let svg = fs::read_to_string(&figure.svg).unwrap();
        let tree = Tree::from_str(&svg, &Options::default()).unwrap();
        let (drawn, size) = (tree.root().abs_bounding_box(), tree.size());
        assert!(drawn.right() <= size.width() + 1.0, "{}: {drawn:?}", figure.id);
        assert!(drawn.left() >= -1.0, "{}: {drawn:?}", figure.id);
    }
}
