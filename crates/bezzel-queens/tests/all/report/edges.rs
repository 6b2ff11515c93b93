//! Records with little or no usable data: the report states this, and nothing panics.

use std::fs;
use std::path::Path;

use bezzel_encode::Numbering;
use bezzel_experiment::{ExperimentRecord, Termination, Verdict};
use bezzel_problem::Square;
use bezzel_queens::Board;
use bezzel_report::Paths;
use bezzel_solve::Answer;

use crate::report::sample;

fn render(record: &ExperimentRecord, folder: &Path) -> (Paths, String) {
    let paths = bezzel_queens::report::render(record, folder, "bezzel report edge").unwrap();
    let page = fs::read_to_string(&paths.index).unwrap();
    (paths, page)
}

fn ids(paths: &Paths) -> Vec<&'static str> {
    paths.figures.iter().map(|figure| figure.id).collect()
}

#[test]
fn records_with_little_or_no_usable_data_say_so() {
    let empty =
        ExperimentRecord { name: "empty".into(), planned: 7, ..ExperimentRecord::default() };
    let (mut one, mut wrong) = (sample::small(), sample::small());
    one.rows.truncate(1);
    wrong.rows.iter_mut().for_each(|row| row.verdict = Verdict::Wrong);
    let nothing = ["<b>7</b> missing", "There is nothing to show.", "Nothing was run yet"];
    // One row makes no line of one point.
    for (record, figures, cells, words) in [
        (empty, &[][..], 0, &nothing[..]),
        (one, &["instances"], 1, &["<b>17</b> missing"]),
        (wrong, &[], 12, &["Wrong answers: 18"]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let (paths, page) = render(&record, folder.path());
        assert_eq!(ids(&paths), figures);
        for words in words {
            assert!(page.contains(words), "{words}");
        }
        assert_eq!(fs::read_to_string(paths.table_csv).unwrap().lines().count(), 1 + cells);
    }
}

#[test]
fn a_record_of_time_outs_shows_limits_and_no_times() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = sample::small();
    for row in &mut record.rows {
        row.termination = Termination::CpuLimit;
        (row.status, row.verdict, row.checked_by) = (Answer::Unknown, Verdict::Unchecked, None);
        (row.proof, row.simplified) = (None, None);
    }
    let (paths, page) = render(&record, folder.path());
    assert!(page.contains("<b>18</b> at the CPU limit"));
    assert_eq!(ids(&paths), ["sizes"]);
    let table = fs::read_to_string(paths.table_csv).unwrap();
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let heads = rows.headers().unwrap().clone();
    let column = |name: &str| heads.iter().position(|head| head == name).unwrap();
    for row in rows.records() {
        let row = row.unwrap();
        for times in ["generate_cpu_median_s", "load_cpu_median_s", "solve_cpu_median_s"] {
            assert_eq!(&row[column(times)], "inf");
        }
        assert_eq!(&row[column("cpu_median_s")], "inf");
        assert_eq!(&row[column("conflicts_median")], "inf");
        // Twice the limit of 5 s.
        assert_eq!(&row[column("solve_cpu_par2_s")], "10");
        assert_eq!(&row[column("answered")], "0");
    }
}

#[test]
fn wrong_answers_stand_at_the_top_and_in_no_figure() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = sample::small();
    // The fastest run of all, if it were right.
    record.rows[0].verdict = Verdict::Wrong;
    record.rows[0].solve_cpu_s = Some(1e-7);
    record.rows[0].note = Some("the queens on 1,1 and 1,2 attack each other".into());
    let (paths, page) = render(&record, folder.path());
    let wrong = page.find("<h2>Wrong answers: 1</h2>").expect("the page names the wrong answer");
    assert!(wrong < page.find("<figure>").unwrap());
    assert!(page.contains("the queens on 1,1 and 1,2 attack each other"));
    for figure in &paths.figures {
        let data = fs::read_to_string(&figure.csv).unwrap();
        assert!(!data.contains("0.0000001"), "{}: {data}", figure.id);
    }
    let markdown = fs::read_to_string(paths.markdown).unwrap();
    let wrong = markdown.find("## Wrong answers: 1\n").expect("so does the Markdown");
    assert!(wrong < markdown.find("![").unwrap());
    assert!(!fs::read_to_string(paths.table_csv).unwrap().contains("0.0000001"));
}

#[test]
fn runs_that_were_killed_or_skipped_are_reported_and_change_no_number() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let record = sample::small();
    render(&record, folders[0].path());
    let mut more = record.clone();
    for (seed, termination) in [(8, Termination::HostError), (9, Termination::Skipped)] {
        let mut row = bezzel_experiment::Row {
            termination,
            status: Answer::Unknown,
            ..record.rows[1].clone()
        };
        row.job.numbering = Numbering::random(seed);
        (row.verdict, row.checked_by, row.places) = (Verdict::Unchecked, None, None);
        (row.simplified, row.proof, row.decode_cpu_s, row.check_cpu_s) = (None, None, None, None);
        row.note = Some("no program `<kissat>` is in the search path".into());
        more.rows.push(row);
        more.planned += 1;
    }
    let (paths, page) = render(&more, folders[1].path());
    assert!(page.contains("<b>1</b> killed from outside, and run again by the same command"));
    assert!(page.contains("<b>1</b> skipped, since their solver or engine is not installed"));
    assert!(page.contains("Skipped 1: cadical: no program `&lt;kissat&gt;` is in the search path"));
    for figure in &paths.figures {
        let name = figure.csv.file_name().unwrap();
        let [before, after] =
            [0, 1].map(|index| fs::read(folders[index].path().join(name)).unwrap());
        assert!(before == after, "{name:?} has changed");
    }
}

#[test]
fn digests_in_names_are_explained_where_names_have_them() {
    let folder = tempfile::tempdir().unwrap();
    let note = "In names of instances, # and six digits are the beginning of a digest";
    let mut record = sample::small();
    assert!(!render(&record, folder.path()).1.contains(note));
    // Four squares are named by a digest.
    let blocked = (4..8).map(|column| Square::new(7, column));
    let board = Board::new(8).unwrap().with_blocked(blocked).unwrap();
    record.rows[0].job.instance = board.into();
    assert!(render(&record, folder.path()).1.contains(note));
}

#[test]
fn answers_that_contradict_each_other_stand_at_the_top() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = sample::small();
    let torus = record.rows.iter().position(|row| row.status == Answer::Unsat).unwrap();
    let mut lie = record.rows[torus].clone();
    (lie.status, lie.proof) = (Answer::Sat, None);
    lie.job.solver = "<b>liar</b>".into();
    record.rows.push(lie);
    record.contradictions = bezzel_experiment::cross::examine(&mut record.rows);
    let (paths, page) = render(&record, folder.path());
    let position = page.find("<h2>Answers that contradict each other</h2>").unwrap();
    assert!(position < page.find("<figure>").unwrap());
    assert!(page.contains("board torus 6: sat says &lt;b&gt;liar&lt;/b&gt; with pairwise (row "));
    let markdown = fs::read_to_string(paths.markdown).unwrap();
    let position = markdown.find("## Answers that contradict each other\n\n- board ");
    assert!(position.unwrap() < markdown.find("![").unwrap(), "{markdown}");
}

#[test]
fn rows_in_which_nothing_was_measured_are_missing_and_not_zero() {
    let folder = tempfile::tempdir().unwrap();
    let mut record = sample::small();
    for row in &mut record.rows {
        row.formula = None;
        (row.generate_cpu_s, row.load_cpu_s, row.solve_cpu_s) = (None, None, None);
        (row.memory_peak_bytes, row.places) = (None, None);
        row.solver_stats = bezzel_solve::Effort::default();
        (row.decode_cpu_s, row.check_cpu_s, row.proof, row.simplified) = (None, None, None, None);
    }
    let rows = &mut record.rows;
    rows.retain(|row| row.termination == Termination::Finished);
    let (paths, _) = render(&record, folder.path());
    assert_eq!(ids(&paths), [""; 0]);
    let table = fs::read_to_string(paths.table_csv).unwrap();
    let cell = table.lines().nth(1).unwrap();
    assert_eq!(cell, "pairwise,8,as-generated,cadical,,,,1,1,1,0,0,0,0,0,,,,,,,0.5,,");
}

#[test]
fn a_figure_of_an_earlier_report_does_not_stay_when_there_is_nothing_to_draw() {
    let folder = tempfile::tempdir().unwrap();
    let (paths, _) = render(&sample::small(), folder.path());
    assert!(paths.figures.iter().all(|figure| figure.svg.exists() && figure.csv.exists()));
    let mut record = sample::small();
    record.rows.clear();
    let kept = folder.path().join("notes.txt");
    fs::write(&kept, "mine").unwrap();
    render(&record, folder.path());
    let gone = |figure: &bezzel_report::FigurePaths| {
        [&figure.svg, &figure.csv].iter().all(|path| !path.exists())
    };
    assert!(paths.figures.iter().all(gone));
    assert!(kept.exists());
}
