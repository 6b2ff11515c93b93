//! Solvers that are missing, installed, changed and removed.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use bezzel_experiment::{Row, Termination, Verdict};

use crate::program::ended;
use crate::session_files::{change_session, starts_in};
use crate::solver_programs::workspace::Workspace;

const CONFIG: &str = "\
problems: [{queens: {size: [5, 6]}}]
encodings: [pairwise]
solvers: [cadical, {command: \"their-solver {cnf}\", version: their-solver --version}]
";

fn install(workspace: &Workspace, version: &str) {
    let file = workspace.programs.join("their-solver");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo {version} && exit\nexec ./fake right \"$1\"\n"
    );
    fs::write(&file, script).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

fn theirs(workspace: &Workspace) -> Vec<Row> {
    let mut rows = workspace.rows();
    rows.retain(|row| row.job.solver.contains("their-solver"));
    rows
}

#[test]
fn jobs_of_an_absent_solver_are_rows_that_say_so_until_it_is_there() {
    let workspace = Workspace::new(CONFIG);
    let line = "2 jobs of {command: \"their-solver {cnf}\", version: \"their-solver --version\"} are skipped: there is \
                no program `their-solver` in the folders of PATH; install it, or name it by its path";
    let planned = ended(&workspace.bezzel(&["run", "question.yaml", "--plan"]), 0);
    assert!(planned.contains(&format!("WARNING: {line}\n")), "{planned}");
    let printed = ended(&workspace.run(), 1);
    assert!(printed.contains(&format!("WARNING: {line}\n")), "{printed}");
    assert!(printed.contains("error: nothing of {command: \"their-solver"), "{printed}");
    assert!(
        printed.contains(
            "skipped: 2 jobs of {command: \"their-solver {cnf}\", version: \"their-solver \
                       --version\"}: not installed: there is no program `their-solver` in the \
                       folders of PATH"
        ),
        "{printed}"
    );
    let rows = theirs(&workspace);
    assert_eq!(rows.len(), 2);
    for row in &rows {
        assert_eq!((row.termination, row.verdict), (Termination::Skipped, Verdict::Unchecked));
        assert_eq!(row.solver_version, "not installed");
        assert!(row.note.as_ref().unwrap().contains("there is no program `their-solver`"));
    }
    let only = ["run", "theirs", "--programs", "--only", rows[0].key.0.as_str()];
    let printed = ended(&workspace.bezzel(&only), 2);
    assert!(printed.contains("cannot be run here: its solver"), "{printed}");
    // The jobs are settled while the solver is missing, and the report can be made.
    assert!(ended(&workspace.run(), 1).contains("every job has its row"));
    ended(&workspace.bezzel(&["report", "theirs"]), 0);

    install(&workspace, "1.0");
    let printed = ended(&workspace.run(), 0);
    assert!(printed.contains("2 jobs to run") && !printed.contains("skipped"), "{printed}");
    let rows = theirs(&workspace);
    assert_eq!(rows.len(), 4);
    for row in &rows[2..] {
        assert_eq!(
            (row.termination, row.verdict),
            (Termination::Finished, Verdict::Verified),
            "{row:?}"
        );
        assert_eq!(row.solver_version, "1.0");
    }
    let built = starts_in(&workspace.experiment()).pop().unwrap().environment.solvers;
    let (_, program) = built.iter().find(|(id, _)| id.contains("their-solver")).unwrap();
    assert_eq!(program.version, "1.0");
    assert_eq!(program.digest.as_ref().unwrap().len(), 64);
    assert_eq!(built["cadical"].digest, None);

    // Another version is another solver. The rows of the first are kept.
    install(&workspace, "1.1");
    assert!(ended(&workspace.run(), 0).contains("2 jobs to run"));
    assert_eq!(theirs(&workspace).len(), 6);

    // The solver is removed: its rows are still reported.
    fs::remove_file(workspace.programs.join("their-solver")).unwrap();
    let table = workspace.path().join("reports/theirs/table.csv");
    fs::remove_file(&table).unwrap();
    let printed = ended(&workspace.bezzel(&["report", "theirs"]), 0);
    assert!(!printed.contains("missing"), "{printed}");
    assert!(fs::read_to_string(&table).unwrap().contains("their-solver"));
}

#[test]
fn foreign_evidence_starts_a_program_that_it_names_only_with_permission() {
    let workspace = Workspace::new(CONFIG);
    install(&workspace, "1.0");
    ended(&workspace.run(), 0);
    let script = workspace.programs.join("their-solver");
    fs::write(&script, "#!/bin/sh\ntouch was-run\n").unwrap();
    ended(&workspace.bezzel(&["report", "theirs"]), 0);
    let again = ["run", "experiments/theirs", "--name", "again", "--quiet"];
    let refused = ended(&workspace.bezzel(&again), 2);
    assert!(refused.contains("--programs"), "{refused}");
    assert!(!Path::new(&workspace.path().join("was-run")).exists());
    workspace.bezzel(&[&again[..], &["--programs"]].concat());
    assert!(Path::new(&workspace.path().join("was-run")).exists());
}

#[test]
fn a_solver_that_is_replaced_while_the_run_goes_on_is_refused() {
    // The solver changes with its first job.
    let workspace = Workspace::new(
        "problems: [{queens: {size: [5, 6]}}]\nencodings: [pairwise]\nsolvers: [{command: \"sh solver.sh \
         {cnf}\"}]\n",
    );
    let script = workspace.path().join("solver.sh");
    fs::write(&script, "./fake right \"$1\"; code=$?; echo '# more' >> solver.sh; exit $code\n")
        .unwrap();
    let text = fs::read_to_string(workspace.path().join("question.yaml")).unwrap();
    fs::write(workspace.path().join("question.yaml"), text.replace("parallel: 2", "parallel: 1"))
        .unwrap();
    let printed = ended(&workspace.run(), 1);
    assert!(
        printed.contains("was changed while the experiment ran: its file is another"),
        "{printed}"
    );
    let rows = workspace.rows();
    assert_eq!(rows.len(), 1, "what was measured before is kept");
    assert_eq!(rows[0].verdict, Verdict::Verified);
}

#[test]
fn a_program_that_was_replaced_and_calls_itself_the_same_is_not_mixed_with_the_former() {
    let workspace = Workspace::new(CONFIG);
    install(&workspace, "1.0");
    ended(&workspace.run(), 0);
    let program = workspace.programs.join("their-solver");
    let former = fs::read_to_string(&program).unwrap();
    fs::write(&program, format!("{former}# another\n")).unwrap();
    // No job is to run, so no rows are mixed.
    assert!(ended(&workspace.run(), 0).contains("every job has its row"));

    change_session(&workspace.experiment(), |_, rows| {
        let solver = |row: &Row| row.job.solver.contains("their-");
        rows.retain(|row| row.job.instance.size() != 6 || !solver(row));
        assert_eq!(rows.len(), 3);
    });
    let printed = ended(&workspace.run(), 2);
    assert!(
        printed.contains("has another file than when") && printed.contains("`1.0`"),
        "{printed}"
    );
    assert_eq!(theirs(&workspace).len(), 1);

    fs::write(&program, &former).unwrap();
    assert!(ended(&workspace.run(), 0).contains("1 job to run"));
    assert_eq!(theirs(&workspace).len(), 2);
}
