//! Boards from files and by seeds, as the command line reads and writes them.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use bezzel_experiment::{Row, Verdict};
use bezzel_solve::Answer;

use crate::program::{bezzel_in, ended, prints, stderr, stdout};
use crate::session_files::{rows_in, starts_in};

#[test]
fn a_board_is_drawn_by_its_seed_and_solved_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| bezzel_in(folder.path(), arguments);
    let draw = |seed: &str| {
        let recipe = format!("{{kind: blocked, density: 0.4, answer: sat, seeds: {seed}}}");
        let entry = format!("{{queens: {{size: 9, generate: {recipe}}}}}");
        stdout(&run(&["board", "--problem", &entry]))
    };
    assert_eq!(draw("3"), draw("3"));
    assert_ne!(draw("3"), draw("4"));
    assert_eq!(draw("3").matches('x').count(), 32);

    fs::write(folder.path().join("drawn.txt"), draw("3")).unwrap();
    let output = run(&["solve", "--board", "drawn.txt", "--encoding", "product"]);
    assert_eq!(output.status.code(), Some(10), "{}", stderr(&output));
    // The drawing of the solution has the blocked squares of the file.
    let solved = stdout(&output).replace('Q', ".");
    assert!(solved.starts_with(&draw("3")), "{solved}");
}

#[test]
fn the_forms_of_a_board_become_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| bezzel_in(folder.path(), arguments);
    let given = ["board", "5", "--queen", "1,2", "--blocked", "3,3", "-o"];
    for (form, option) in [("text", &[][..]), ("json", &["--json"])] {
        ended(&run(&[&given[..], &[form], option].concat()), 0);
    }
    let drawn = fs::read_to_string(folder.path().join("text")).unwrap();
    assert_eq!(drawn, ". Q . . .\n. . . . .\n. . x . .\n. . . . .\n. . . . .\n");
    for from in ["text", "json"] {
        for (to, option) in [("text", &[][..]), ("json", &["--json"])] {
            let turned = stdout(&run(&[&["board", "--board", from], option].concat()));
            assert_eq!(turned, fs::read_to_string(folder.path().join(to)).unwrap(), "{from} {to}");
        }
    }
}

#[test]
fn a_board_is_taken_from_stdin() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bezzel"))
        .args(["encode", "--board", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"torus\n. Q .\n. . .\n. . .\n").unwrap();
    prints(&child.wait_with_output().unwrap(), 0, "c board: torus 3 with 1,2 placed\n");
}

#[test]
fn a_board_of_a_config_is_kept_with_its_session_and_another_one_is_another_question() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| bezzel_in(folder.path(), arguments);
    let at = |path: &str| folder.path().join(path);
    fs::create_dir(at("boards")).unwrap();
    fs::write(at("boards/corner.txt"), "....\nx...\n....\n....\n").unwrap();
    let config = "name: from-file\nproblems: [{queens: {file: boards/corner.txt}}, {queens: {size: 6, generate: {kind: \
                  completion, queens: 1, seeds: 1..2}}}]\nencodings: [pairwise]\nsolvers: [batsat]\n";
    fs::write(at("config.yaml"), config).unwrap();
    ended(&run(&["run", "config.yaml", "--quiet"]), 0);
    let experiment = at("experiments/from-file");
    let rows = rows_in(&experiment);
    assert_eq!(rows.len(), 3);
    assert!(rows.iter().all(|row| row.verdict == Verdict::Verified), "{rows:?}");
    let files = starts_in(&experiment).remove(0).config.files;
    let kept = experiment.join("files").join(&files["boards/corner.txt"]);
    assert_eq!(fs::read(&kept).unwrap(), fs::read(at("boards/corner.txt")).unwrap());

    // Reports and runs of the folder need only the kept board, which is the one that was run.
    fs::write(at("boards/corner.txt"), "....\n....\nx...\n....\n").unwrap();
    for arguments in
        [&["report", "from-file"][..], &["run", "experiments/from-file", "--name", "again"]]
    {
        ended(&run(arguments), 0);
    }
    let keys = |rows: Vec<Row>| rows.into_iter().map(|row| row.key).collect::<BTreeSet<_>>();
    assert_eq!(keys(rows_in(&at("experiments/again"))), keys(rows.clone()));
    let output = run(&["run", "config.yaml", "--plan"]);
    assert!(stdout(&output).contains("1 no longer planned"), "{}", stdout(&output));
    // The same board in another drawing is the same experiment.
    fs::write(at("boards/corner.txt"), "# as before\n....\nx...\n....\n....\n").unwrap();
    ended(&run(&["run", "config.yaml", "--quiet"]), 0);
    assert_eq!(rows_in(&experiment), rows);
    assert_eq!(fs::read_dir(experiment.join("files")).unwrap().count(), 2, "one for each text");
}

#[test]
fn rectangles_end_in_verified_rows_and_a_report_that_keeps_them_apart() {
    let folder = tempfile::tempdir().unwrap();
    let config = "name: rectangles\nproblems: [{queens: {size: [6, 6x8]}}, {queens: {size: [7x6, 8x7], piece: rook}}]\n\
                  encodings: [product, binary, bryant-circuit]\n\
                  constraints: no-column-alo\nsolvers: [batsat]\n";
    fs::write(folder.path().join("config.yaml"), config).unwrap();
    ended(&bezzel_in(folder.path(), &["run", "config.yaml", "--quiet"]), 0);
    let rows = rows_in(&folder.path().join("experiments/rectangles"));
    assert_eq!(rows.len(), 12);
    assert!(rows.iter().all(|row| row.verdict == Verdict::Verified), "{rows:?}");
    assert_eq!(rows.iter().filter(|row| row.status == Answer::Unsat).count(), 6, "{rows:?}");
    assert_eq!(rows.iter().filter(|row| row.job.instance.to_string() == "6x8").count(), 3);
    let cells = fs::read_to_string(folder.path().join("reports/rectangles/table.csv")).unwrap();
    for board in ["6", "6x8", "rooks 7x6", "rooks 8x7"] {
        let of_board = |line: &&str| line.split(',').any(|field| field == board);
        assert_eq!(cells.lines().filter(of_board).count(), 3, "{board}: {cells}");
    }
}
