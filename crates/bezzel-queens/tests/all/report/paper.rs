//! Tables and numbers for a paper: pdfLaTeX compiles them with every name.
//!
//! The test is skipped with a message if pdfLaTeX is not installed. With `BEZZEL_REQUIRE_OUTSIDE` set, as in `.ci/run`,
//! it fails instead.

use std::fs;
use std::path::Path;
use std::process::Command;

use bezzel_experiment::ExperimentRecord;
use bezzel_report::Paths;

use crate::installed::is_installed;
use crate::report::{counting, sample};

/// Every character with a meaning in LaTeX, and some that its fonts do not have.
const NAME: &str = "\\end{document}# $x$ 100% & ~_^ {} \"N² − 3 × ⌈ψ₁⌉\" 皇后 `a` <b> |c|";

fn name(path: &Path) -> &str {
    path.file_name().unwrap().to_str().unwrap()
}

/// A paper beside the tables and numbers of a report, which inputs all of them and contains this text. `options` are those
/// of the class, such as `[twocolumn]`.
fn paper(paths: &Paths, body: &str, options: &str) -> String {
    // LaTeX keeps only a few floats that have no page yet.
    let tables = paths.tables_tex.iter();
    let tables = tables.map(|path| format!("\\input{{{}}}\\clearpage\n", name(path)));
    format!(
        "\\documentclass{options}{{article}}\n\\usepackage{{booktabs,graphicx,xfp}}\n\
         \\input{{{}}}\n\\begin{{document}}\n{body}\n{}\\end{{document}}\n",
        name(&paths.numbers_tex),
        tables.collect::<String>(),
    )
}

/// The output of pdfLaTeX, and true if it made a page of the paper.
fn compiled(folder: &Path, paper: &str) -> (bool, String) {
    fs::write(folder.join("paper.tex"), paper).unwrap();
    let output = Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", "-file-line-error", "paper.tex"])
        // Without this setting messages are broken into lines of 79 letters.
        .env("max_print_line", "1000")
        .current_dir(folder)
        .output()
        .unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn rendered(record: &ExperimentRecord, folder: &Path) -> Paths {
    bezzel_queens::report::render(record, folder, "bezzel report paper").unwrap()
}

fn hostile() -> ExperimentRecord {
    let mut record = sample::small();
    record.question = Some(NAME.into());
    for row in &mut record.rows[..6] {
        row.job.encoding = NAME.into();
        row.job.solver = format!("[1cm] {NAME}");
    }
    record
}

#[test]
fn files_for_papers_are_ascii_and_name_their_packages() {
    let folder = tempfile::tempdir().unwrap();
    let paths = rendered(&hostile(), folder.path());
    for path in &paths.tables_tex {
        let text = fs::read_to_string(path).unwrap();
        assert!(text.is_ascii(), "{path:?}");
        assert!(text.lines().take(4).any(|line| line.contains("\\usepackage")), "{path:?}");
    }
    assert!(fs::read_to_string(&paths.numbers_tex).unwrap().is_ascii());
}

#[test]
#[ignore = "second tier: pdfLaTeX"]
fn pdflatex_compiles_all_of_it_whatever_the_names_are() {
    if !is_installed("pdflatex") {
        return;
    }
    for record in [hostile(), counting::record(), sample::wide()] {
        let folder = tempfile::tempdir().unwrap();
        let paths = rendered(&record, folder.path());
        let body = format!("\\bezzel{{{}/all/runs}} runs were made.", record.name);
        for options in ["", "[twocolumn]"] {
            let (whole, output) = compiled(folder.path(), &paper(&paths, &body, options));
            assert!(whole, "{}: {output}", record.name);
            assert!(folder.path().join("paper.pdf").is_file());
            for fault in ["Undefined control sequence", "Missing character", "Overfull \\hbox"] {
                assert!(!output.contains(fault), "{output}");
            }
        }
    }
}

#[test]
#[ignore = "second tier: pdfLaTeX"]
fn a_paper_that_quotes_a_number_that_is_not_there_is_refused() {
    if !is_installed("pdflatex") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let paths = rendered(&sample::small(), folder.path());
    let compiled_with = |text: &str| {
        let bare = Paths { tables_tex: Vec::new(), ..paths.clone() };
        compiled(folder.path(), &paper(&bare, text, ""))
    };
    // The closed form of pairwise: 744 at N = 8, 6,352 at N = 16.
    let key = "small/encodings/pairwise/clauses_16";
    let (whole, output) = compiled_with(&format!(
        "\\typeout{{HERE \\bezzel{{{key}}} \\fpeval{{\\bezzelraw{{{key}}}/2}}.}}x"
    ));
    assert!(whole && output.contains("HERE 6,352 3176."), "{output}");
    let (whole, output) = compiled_with("\\bezzel{small/encodings/pairwise/clauses_17}");
    assert!(!whole && output.contains("No number small/encodings/pairwise/clauses_17"), "{output}");
}
