//! Committed reports: they are as rendered. README.md shows the main answer, and `docs/results.md` all answers.
//!
//! After new evidence or a new answer: `bezzel report --all`, `git add` for a new report, then
//! `BEZZEL_BLESS=1 cargo test -p bezzel --test all reports` writes the answers in both documents.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use bezzel_experiment::{Config, ReportFile};
use serde_json::Value as Json;

use crate::committed::committed;
use crate::program::{bezzel_in, ended};
use crate::session_files::{change_session, session_in};

/// The main answer in README.md begins after this line.
const BEGIN: &str = "<!-- The main result, written by `BEZZEL_BLESS=1 cargo test -p bezzel --test all reports`; not edited. -->\n";
/// The main answer ends before this line.
const END: &str = "<!-- End of the main result. -->\n";
/// The text of `docs/results.md` above the answers.
const RESULTS_HEAD: &str = "\
<!-- Written by `BEZZEL_BLESS=1 cargo test -p bezzel --test all reports`; not edited. -->

# Results

The first sentences of the answer of each committed report. Verdicts, such as *takes less* and *undecided*, follow from a
confidence interval ([statistics.md](statistics.md)). Times are CPU times. N is the side of an n-queens board.

Before you compare encoders on a file, let `bezzel show FILE` say whether its groups list their candidates in the same
order, and compare in more than one: `bezzel tune FILE` does. Where the groups agree, keep one order
([order.md](order.md)).
";
/// The least number of words that stand for an answer.
const MIN_WORDS: usize = 20;
/// The reports on orders, which are the first topic.
const ORDERS: [&str; 8] = [
    "literal-sorting",
    "max-square",
    "numbering-or-encoding",
    "order-batsat",
    "order-elsewhere",
    "order-mechanism",
    "order-on-colourings",
    "order-or-luck",
];
/// The topics of the results with their headings: orders, and the groups of the index of reports (`summary.json`).
const TOPICS: [(&str, &str); 5] = [
    ("orders", "Orders of literals and variables"),
    ("problems", "Kinds of problems"),
    ("encodings", "Encodings of boards"),
    ("documents", "Results of source documents, measured again"),
    ("counting", "All solutions and their number"),
];
/// The report of the headline result.
const HEADLINE: &str = "order-or-luck";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

#[test]
fn two_committed_reports_are_what_is_rendered() {
    for name in ["bryant-table-1", "max-square"] {
        let output = bezzel_in(&root(), &["report", name, "--check", "--quiet"]);
        assert!(ended(&output, 0).contains(": equal in "), "{name}");
    }
}

#[test]
fn git_ignores_the_files_of_reports_that_are_made_on_demand() {
    let text = fs::read_to_string(root().join(".gitignore")).unwrap();
    let rules = text.lines().filter(|line| line.contains("/reports/*/"));
    let ignored = bezzel_report::ON_DEMAND.map(|name| format!("/reports/*/{name}"));
    // The kept files that a rule above would ignore.
    let kept = bezzel_report::KEPT.iter();
    let kept = kept.filter(|name| bezzel_report::is_among(name, &bezzel_report::ON_DEMAND));
    let kept = kept.map(|name| format!("!/reports/*/{name}"));
    let expected: BTreeSet<String> = ignored.into_iter().chain(kept).collect();
    assert_eq!(rules.map(str::to_owned).collect::<BTreeSet<_>>(), expected);
}

#[test]
fn a_changed_file_of_a_report_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    fs::write(
        at("small.yaml"),
        "name: small\nproblems: [{queens: {size: 5}}]\nencodings: [pairwise]\nsolvers: [batsat]\n\
         answer: Pairwise has {sizes | pairwise | Clauses} clauses.\n",
    )
    .unwrap();
    let run = |options: &[&str]| {
        bezzel_in(folder.path(), &[&["run", "--quiet", "small.yaml"], options].concat())
    };
    let text = fs::read_to_string(at("small.yaml")).unwrap();
    let write = |placeholder: &str, more: &str| {
        let text = text.replace("sizes | pairwise | Clauses", placeholder);
        fs::write(at("small.yaml"), text + more).unwrap();
    };
    // Ids are checked before any job runs.
    for (more, message) in [
        ("", "small.yaml:5:22: `{sizes | pairwise | Clauses}`: unknown table `sizes`"),
        ("lead_figure: size\n", "small.yaml:6:14: unknown figure `size`; did you mean `sizes`?"),
        (
            "figures: [sizes,\n  tims]\n",
            "small.yaml:7:3: unknown figure `tims`; did you mean `times`?",
        ),
        (
            "tables: [encoding]\n",
            "small.yaml:6:10: unknown table `encoding`; did you mean `encodings`?",
        ),
    ] {
        write(if more.is_empty() { "sizes | pairwise | Clauses" } else { "cells | a | b" }, more);
        for options in [&["--plan"][..], &["--shard", "1/2"], &[]] {
            let refused = ended(&run(options), 2);
            assert!(refused.contains(message), "{refused}");
        }
    }
    assert!(!at("experiments").exists());
    // Rows and columns are known after the run, which keeps its evidence and its report.
    write("encodings | pairwize |\n  clauses_5", "");
    let printed = ended(&run(&[]), 0);
    let warning = "WARNING: small: `{encodings | pairwize | clauses_5}`: unknown item `pairwize`; did you mean \
                   `pairwise`?\n";
    assert!(
        printed.contains(warning) && printed.contains("Pairwise has (not measured) clauses."),
        "{printed}"
    );
    write("encodings | pairwise | clauses_5", "");
    let printed = ended(&run(&[]), 0);
    assert!(printed.contains("every job has its row, 1 in all"), "{printed}");
    assert!(printed.contains("\nAnswer\nPairwise has 170 clauses.\n"), "{printed}");
    for entry in fs::read_dir(at("reports/small")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_listed = bezzel_report::is_kept(&name)
            || bezzel_report::is_among(&name, &bezzel_report::ON_DEMAND);
        assert!(is_listed, "{name} is neither kept nor made on demand");
    }
    // Committed files are checked with the config in `configs`, where a command without a config file looks for its
    // texts.
    fs::create_dir(at("configs")).unwrap();
    fs::rename(at("small.yaml"), at("configs/small.yaml")).unwrap();
    let check = || bezzel_in(folder.path(), &["report", "--all", "--check"]);
    assert!(ended(&check(), 0).contains("small: equal in "));
    fs::write(at("reports/small/table.csv"), "").unwrap();
    let found = ended(&check(), 1);
    assert!(found.contains("small: differs in table.csv"), "{found}");
    assert_eq!(fs::read(at("reports/small/table.csv")).unwrap(), b"", "--check writes nothing");
}

#[test]
fn all_reports_are_rendered_though_one_is_refused_and_an_answer_is_of_its_own_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    let bezzel = |arguments: &[&str]| bezzel_in(folder.path(), arguments);
    fs::create_dir(at("configs")).unwrap();
    let config = |name: &str, size: &str, placeholder: &str| {
        let text = format!(
            "name: {name}\nquestion: Of {size}?\nproblems: [{{queens: {{size: {size}}}}}]\nencodings: [pairwise]\n\
             solvers: [batsat]\nanswer: It has {{{placeholder}}} clauses.\n"
        );
        fs::write(at(&format!("configs/{name}.yaml")), text).unwrap();
    };
    let of_cells = "cells | 5 | pairwise | clauses";
    for name in ["a", "b"] {
        config(name, "5", of_cells);
        ended(&bezzel(&["run", "--quiet", name]), 0);
    }
    ended(&bezzel(&["run", "--quiet", "b", "--name", "c"]), 0);
    let report = |name: &str| fs::read_to_string(at(&format!("reports/{name}/report.md"))).unwrap();
    assert!(report("c").contains("It has 170 clauses."));

    // The author's part of one report is refused. A line of the evidence of another one is damaged.
    config("a", "5", "cell | 5 | pairwise | clauses");
    let session = session_in(&at("experiments/b"));
    let evidence = fs::read_to_string(&session).unwrap();
    fs::write(&session, format!("{evidence}damaged\n")).unwrap();
    let printed = ended(&bezzel(&["report", "--all", "--quiet"]), 2);
    assert!(printed.contains("error: a: "), "{printed}");
    assert!(printed.contains("unknown table `cell`; did you mean `cells`?"), "{printed}");
    assert!(printed.contains("error: 1 of 3 reports not rendered"), "{printed}");
    assert!(printed.contains("WARNING: 1 damaged line skipped, the first is line "), "{printed}");
    for name in ["b", "c"] {
        assert!(printed.contains(&format!("reports/{name}/index.html\n")), "{printed}");
    }

    // The config grows: its answer is still about the experiment of fewer boards.
    config("b", "[5, 6]", of_cells);
    let printed = ended(&bezzel(&["report", "--quiet", "c"]), 0);
    assert!(
        !printed.contains("WARNING") && report("c").contains("It has 170 clauses."),
        "{printed}"
    );
    // The config becomes another experiment.
    config("b", "6", of_cells);
    let printed = ended(&bezzel(&["report", "--quiet", "c"]), 0);
    let warning = "WARNING: `configs/b.yaml` does not plan all jobs of `c` now: the report states no answer of this \
                   file; write one in `configs/reports/c.yaml`";
    assert!(printed.contains(warning), "{printed}");
    let text = report("c");
    // The session has the answer that was right for its config.
    assert!(text.contains("Of 5?") && text.contains("It has 170 clauses."), "{text}");
}

/// Claims that are wrong, each before what the report prints of it. `BEZZEL_BLESS=1` rewrites what it prints.
const WRONG_CLAIMS: &str = "tests/all/wrong_claims.txt";

#[test]
fn claims_that_do_not_hold_are_marked_and_fail_the_check_of_the_author() {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join(WRONG_CLAIMS);
    let text = fs::read_to_string(&table).unwrap();
    let claims: Vec<&str> = text.lines().filter(|line| line.starts_with('{')).collect();
    assert!(claims.len() >= 20);
    let folder = tempfile::tempdir().unwrap();
    let at = |path: &str| folder.path().join(path);
    fs::create_dir(at("configs")).unwrap();
    let config = |claims: &[&str]| {
        let text = format!(
            "name: own\nproblems: [{{queens: {{size: 6..13}}}}, {{pigeonhole: {{pigeons: 7..10, holes: [5, 6]}}}}]\n\
             encodings: [pairwise, product, order]\nsolvers: [cadical, batsat]\nproofs: off\nanswer:\n  - {}\n",
            claims.join("\n  - ")
        );
        fs::write(at("configs/own.yaml"), text).unwrap();
    };
    let bezzel = |arguments: &[&str]| bezzel_in(folder.path(), arguments);
    config(&["{takes_less: [order, pairwise], where: {status: sat}, measure: clauses}"]);
    let printed = ended(&bezzel(&["run", "--quiet", "own"]), 0);
    assert!(printed.contains("order has fewer clauses than pairwise"), "{printed}");
    ended(&bezzel(&["report", "--all", "--check"]), 0);

    // Elsewhere the page has all of them, with what holds instead.
    config(&claims);
    let printed = ended(&bezzel(&["report", "own"]), 0);
    let report = fs::read_to_string(at("reports/own/report.md")).unwrap();
    let lines = answer(&report).unwrap().lines().filter_map(|line| line.strip_prefix("- "));
    let sentences: Vec<&str> = lines.take(claims.len()).collect();
    let pairs = claims.iter().zip(&sentences);
    let expected: Vec<String> = pairs.map(|(claim, is)| format!("{claim}\n    {is}\n")).collect();
    current_or_blessed(&table, &expected.concat());
    for (claim, sentence) in claims.iter().zip(&sentences) {
        let (_, instead) = sentence.split_once("Not confirmed by these rows: ").expect(claim);
        let says =
            [" Here ", " is not ", " has no number: "].iter().any(|word| instead.contains(word));
        assert!(says, "{claim}: {sentence}");
    }
    let warnings = printed.matches("WARNING: own: Not confirmed by these rows: ").count();
    assert_eq!(warnings, claims.len(), "{printed}");
    // In the author's repository one of them is enough for the check to fail.
    for claim in &claims {
        config(&[claim]);
        ended(&bezzel(&["report", "own"]), 0);
        let failed = ended(&bezzel(&["report", "--all", "--check"]), 1);
        assert!(failed.contains("the rows do not confirm the answer of own"), "{claim}: {failed}");
        assert!(!failed.contains("differs"), "{failed}");
    }
}

#[test]
fn a_report_by_name_takes_the_last_session_and_one_by_a_config_takes_that_config() {
    let folder = tempfile::tempdir().unwrap();
    let bezzel = |arguments: &[&str]| ended(&bezzel_in(folder.path(), arguments), 0);
    let config = "name: own\nproblems: [{queens: {size: 5}}]\nencodings: [pairwise]\nsolvers: [batsat]\nanswer: The first.\n";
    // A command does not find a config in this place by its name.
    fs::write(folder.path().join("mine.yaml"), config).unwrap();
    bezzel(&["run", "mine.yaml", "--quiet"]);
    fs::write(folder.path().join("mine.yaml"), config.replace("first", "second")).unwrap();
    for (given, stated) in
        [("own", "The first."), ("mine.yaml", "The second."), ("own", "The first.")]
    {
        assert!(!bezzel(&["report", given]).contains("note: "));
        let report = folder.path().join("reports/own/report.md");
        let text = fs::read_to_string(report).unwrap();
        assert_eq!(answer(&text).and_then(|text| text.split("\n\n").next()), Some(stated));
    }
    change_session(&folder.path().join("experiments/own"), |start, _| {
        start.config.report.insert("colours".to_owned(), "red".into());
    });
    let printed = bezzel(&["report", "own"]);
    let session = session_in(&folder.path().join("experiments/own"));
    let session = session.file_stem().unwrap().display();
    let note =
        format!("note: the report leaves out what session {session} states for it: `colours`\n");
    assert!(printed.contains(&note), "{printed}");
}

/// Words of verdicts. The text of an author has none of them: verdicts are claims.
const VERDICTS: &str = "\
    faster slower fastest slowest less more fewer most least better worse best worst smaller \
    larger smallest largest shorter longer shortest longest equivalent undecided decided \
    decides shown verdict difference reversed depends wins beats ahead behind yes grows falls \
    rises shrinks held holds";

#[test]
fn no_text_of_an_author_has_a_word_of_a_verdict() {
    let catalog = bezzel_queens::experiment::catalog();
    let mut found = Vec::new();
    let yaml = |folder: &str| {
        let folder_path = root().join(folder);
        let files = committed(folder).into_iter().map(move |name| folder_path.join(name));
        files.filter(|path| path.extension().is_some_and(|ending| ending == "yaml"))
    };
    let of_reports =
        yaml("configs/reports").map(|path| (ReportFile::read(&path).unwrap().spec, path));
    let own = yaml("configs").filter(|path| !path.ends_with("every-key.yaml"));
    let own = own.map(|path| (Config::read(&path, &catalog).unwrap().report, path));
    for (spec, path) in of_reports.chain(own) {
        let because = spec.hypothesis.iter().filter_map(|hypothesis| hypothesis.because.as_ref());
        let answer = spec.answer.iter().flat_map(|answer| answer.passages().map(|text| &**text));
        let heads = spec.answer.iter().flat_map(|answer| answer.columns.iter().map(String::as_str));
        for text in because.map(|text| &**text).chain(answer).chain(heads) {
            let lower = without_placeholders(text).to_lowercase();
            // `At most one` names a constraint.
            let lower = lower.replace("at most", "").replace("at least", "");
            let words = lower.split(|letter: char| !letter.is_alphanumeric() && letter != '-');
            let words = words.filter(|word| VERDICTS.split(' ').any(|verdict| verdict == *word));
            found.extend(words.map(|word| format!("{}: `{word}` in {text}", path.display())));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A text without its placeholders, whose words are those of tables.
fn without_placeholders(text: &str) -> String {
    match bezzel_experiment::split_placeholder(text) {
        Some((before, _, after)) => format!("{before}x{}", without_placeholders(after)),
        None => text.to_owned(),
    }
}

/// The section with the answer in a committed report.
fn answer(report: &str) -> Option<&str> {
    let (_, rest) = report.split_once("## Answer\n\n")?;
    Some(rest.split("\n## ").next()?.trim_end())
}

/// The largest number of lines of an answer that a document shows: an author states the main result first.
const LINES: usize = 4;

/// The first lines of an answer.
fn first_lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().take(LINES).map(|line| line.strip_prefix("- ").unwrap_or(line))
}

/// The first sentences of an answer with enough words to say something.
fn first_sentences(text: &str) -> String {
    let line = first_lines(text).next().unwrap_or_default();
    let mut ends = line.match_indices(". ").map(|(at, _)| &line[..=at]);
    ends.find(|start| start.split(' ').count() >= MIN_WORDS).unwrap_or(line).to_owned()
}

/// Compares a document with its expected text, or writes it.
fn current_or_blessed(path: &Path, expected: &str) {
    if std::env::var_os("BEZZEL_BLESS").is_some() {
        fs::write(path, expected).unwrap();
    }
    assert!(
        fs::read_to_string(path).unwrap_or_default() == expected,
        "{} has other answers than the reports; BEZZEL_BLESS=1 rewrites them",
        path.display()
    );
}

#[test]
fn documents_show_the_answers_of_all_committed_reports() {
    let root = root();
    let mut reports = BTreeMap::new();
    for name in committed("reports") {
        let path = root.join("reports").join(&name).join("report.md");
        if let Ok(text) = fs::read_to_string(path) {
            reports.insert(name, text);
        }
    }
    assert!(reports.len() >= 18, "{:?}", reports.keys());
    let question = |name: &str| reports[name].lines().nth(2).unwrap_or_default().to_owned();
    let first_paragraph = |name: &str| {
        let text = answer(&reports[name]).unwrap_or_else(|| panic!("{name} has no answer"));
        text.split("\n\n").next().unwrap_or_default().to_owned()
    };
    let headline = format!(
        "**{}** ([report](reports/{HEADLINE}/report.md))\n\n{}\n",
        question(HEADLINE),
        first_lines(&first_paragraph(HEADLINE)).collect::<Vec<_>>().join("\n\n")
    );
    let path = root.join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).expect("README.md has the first mark");
    let (_, after) = rest.split_once(END).expect("README.md has the second mark");
    let expected = [before, BEGIN, "\n", &headline, "\n", END, after].concat();
    current_or_blessed(&path, &expected);
    let mut results = RESULTS_HEAD.to_owned();
    for (topic, heading) in TOPICS {
        writeln!(results, "\n## {heading}\n").unwrap();
        for name in reports.keys() {
            let path = root.join("reports").join(name).join("summary.json");
            let summary: Json = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
            let is_order = ORDERS.contains(&name.as_str());
            let own = if is_order { "orders" } else { summary["group"].as_str().unwrap() };
            if own == topic {
                let link = format!("[{}](../reports/{name}/report.md)", question(name));
                writeln!(results, "- {link} {}", first_sentences(&first_paragraph(name))).unwrap();
            }
        }
    }
    current_or_blessed(&root.join("docs/results.md"), &results);
}
