//! Boards from files and by seeds, as the command line reads and writes them.

use std::collections::BTreeSet;
use std::fs;

use bezzel_experiment::{Row, Verdict};

use crate::program::{bezzel_in, ended, stderr, stdout};
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
