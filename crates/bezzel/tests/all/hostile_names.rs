//! Names of files and folders that would be obeyed by YAML, a shell, a page, LaTeX, CSV, a pattern or a terminal, if they
//! reached it unescaped.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::program::{ended, printed};
use crate::session_files::change_session;

/// The mark that an obeyed name leaves.
const MARK: &str = "PWN";

/// Names that a file can have, each beside an ending.
const NAMES: [&str; 26] = [
    "it's",
    "a\"b",
    "a\\b",
    "a\\\"}, {x",
    "{a}",
    "[a]",
    "a: b",
    "a #b",
    "#a",
    "a*",
    "a?",
    "a[*]",
    "a**'\"",
    "&a",
    "!a",
    "%a",
    "$(touch PWN)",
    "`touch PWN`",
    ";touch PWN;",
    "'; touch PWN; '",
    "<script>alert(1)<",
    "=HYPERLINK(1)",
    "\\input{PWN}$x$_^~",
    "-rf",
    "ünïcode 数",
    "\"}], include: [{encodings: [{command: 'touch PWN'}], task: size}], x: [{\"",
];

/// Names with characters that a terminal obeys.
const OBEYED: [&str; 7] = [
    "\ninclude: a",
    "a\n",
    "a\u{1b}[2J",
    "a\u{202e}b",
    "a\u{7}",
    "a\u{9b}31m",
    "z*\"}\ninclude: [{encodings: [{command: \"touch PWN\"}], task: size}]\n#",
];

/// A constraint file that no other number has.
fn knf(number: usize) -> String {
    let n = number + 3;
    let literals = (1..=n).map(|variable| variable.to_string()).collect::<Vec<_>>().join(" ");
    format!("p knf {n} 1\nk 2 {literals} 0\n")
}

/// A folder with an innocent path, whose subfolder has a hostile one.
struct Hostile {
    top: TempDir,
}

impl Hostile {
    const FOLDER: &str = "it's \"$(touch PWN)\" {x} *";

    fn new() -> Self {
        let top = tempfile::tempdir().unwrap();
        fs::create_dir(top.path().join(Self::FOLDER)).unwrap();
        Self { top }
    }

    fn folder(&self) -> PathBuf {
        self.top.path().join(Self::FOLDER)
    }

    /// Runs the program in the hostile folder. Nothing may be obeyed.
    fn bezzel(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bezzel"));
        let output = command.args(arguments).current_dir(self.folder()).output().unwrap();
        self.is_unharmed();
        let text = printed(&output);
        let obeyed = |c: char| c.is_control() && !"\n\t".contains(c) || c == '\u{202e}';
        assert!(!text.contains(obeyed), "{arguments:?}: {text:?}");
        // The name of a file does not end a line.
        let is_rest = |line: &str| {
            line.starts_with("include:")
                || line.starts_with(['.', '\'', '`']) && !line.contains("touch")
        };
        assert!(!text.lines().any(is_rest), "{arguments:?}: {text}");
        output
    }

    fn is_unharmed(&self) {
        let marks = ["", Self::FOLDER, "files"].map(|part| self.top.path().join(part).join(MARK));
        for mark in marks.iter().chain([&self.folder().join("files").join(MARK)]) {
            assert!(!mark.exists(), "{}", mark.display());
        }
    }

    fn read(&self, path: impl AsRef<Path>) -> String {
        fs::read_to_string(self.folder().join(path)).unwrap()
    }
}

#[test]
fn the_name_of_a_file_is_only_a_name() {
    let hostile = Hostile::new();
    fs::create_dir(hostile.folder().join("files")).unwrap();
    for (number, name) in NAMES.iter().enumerate() {
        fs::write(hostile.folder().join(format!("files/{name}.knf")), knf(number)).unwrap();
    }
    // A pattern that is a name means this file alone, though others fit.
    fs::write(hostile.folder().join("files/abc.knf"), knf(NAMES.len())).unwrap();
    let plan = ended(&hostile.bezzel(&["tune", "files", "--plan", "--budget", "600"]), 0);
    let instances = NAMES.len() + 1;
    assert!(plan.contains(&format!("and {} more", instances - 16)), "{plan}");
    for name in ["a*", "a?", "a[*]"] {
        let file = format!("./files/{name}.knf");
        let plan = ended(&hostile.bezzel(&["tune", &file, "--plan", "--name", "one"]), 0);
        assert!(plan.contains(&format!("instances  one/{name}.knf #")), "{plan}");
        assert_eq!(hostile.read("configs/one.yaml").matches("  - {file").count(), 1);
        let copies: Vec<_> = fs::read_dir(hostile.folder().join("configs/one")).unwrap().collect();
        assert_eq!(copies.len(), 1);
        fs::remove_dir_all(hostile.folder().join("configs/one")).unwrap();
        fs::remove_file(hostile.folder().join("configs/one.yaml")).unwrap();
    }
    for name in NAMES {
        let file = format!("./files/{name}.knf");
        ended(&hostile.bezzel(&["show", &file]), 0);
        ended(&hostile.bezzel(&["solve", &file]), 10);
    }
    // A run, and everything that is made of its rows.
    let config = hostile.read("configs/tune-files.yaml");
    let problems: Vec<&str> = config
        .lines()
        .filter(|line| line.starts_with("problems:") || line.starts_with("  - {file"))
        .collect();
    assert_eq!(problems.len(), instances + 1, "{config}");
    let own = format!(
        "name: own\n{}\nencodings: [\"totalizer:cut\", \"sequential-counter\"]\nsolvers: [cadical]\nwarm_up: 0\n\
         calibration: off\n",
        problems.join("\n")
    );
    fs::write(hostile.folder().join("configs/own.yaml"), own).unwrap();
    ended(&hostile.bezzel(&["run", "own", "--quiet"]), 0);
    for arguments in [
        &["status", "own"][..],
        &["report", "own", "--rows"],
        &["verify", "own", "--quiet"],
        &["report", "own", "--against", "own"],
    ] {
        ended(&hostile.bezzel(arguments), 0);
    }
    let report = hostile.folder().join("reports/own");
    let mut kinds = Vec::new();
    for entry in fs::read_dir(&report).unwrap() {
        let path = entry.unwrap().path();
        let kind = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let shown = path.display();
        assert!(!text.contains(|c: char| c.is_control() && !"\n\r\t".contains(c)), "{shown}");
        match kind.as_str() {
            "html" | "svg" => assert!(!text.contains("<script>alert"), "{shown}"),
            "tex" => assert!(!text.contains("\\input{PWN}"), "{shown}"),
            "csv" => assert!(!text.contains("\n=HYPER") && !text.contains(",=HYPER"), "{shown}"),
            _ => {}
        }
        kinds.push(kind);
    }
    for kind in ["html", "svg", "tex", "csv", "md"] {
        assert!(kinds.iter().any(|there| there == kind), "{kinds:?}");
    }
}

#[test]
fn a_name_that_a_terminal_obeys_is_refused_and_shown_with_escapes() {
    let hostile = Hostile::new();
    fs::create_dir(hostile.folder().join("files")).unwrap();
    fs::write(hostile.folder().join("plain.knf"), knf(2)).unwrap();
    for name in OBEYED {
        let path = hostile.folder().join("files").join(format!("{name}.knf"));
        fs::write(&path, knf(1)).unwrap();
        let shown = ended(&hostile.bezzel(&["tune", "files", "--plan"]), 2);
        assert!(shown.contains("has control characters: rename the file"), "{shown}");
        assert!(!hostile.folder().join("configs").exists());
        let file = format!("files/{name}.knf");
        ended(&hostile.bezzel(&["show", &file]), 0);
        ended(&hostile.bezzel(&["solve", &file]), 10);
        ended(&hostile.bezzel(&["encode", &file, "--encoding", "totalizer:cut"]), 0);
        hostile.bezzel(&["run", &file]);
        for arguments in [&["solve"][..], &["check", "--cnf"], &["report"], &["decode"], &["-"]] {
            ended(&hostile.bezzel(&[arguments, &[name]].concat()), 2);
        }
        hostile.bezzel(&["encode", &file, &format!("--output={name}")]);
        hostile.bezzel(&["encode", &file, &format!("-o{name}/f")]);
        ended(&hostile.bezzel(&["tune", "plain.knf", "--plan", "--root", &format!("{name}.d")]), 0);
        hostile.bezzel(&["list", &file, &file]);
        let config = "name: own\nproblems: [{file: \"files/*.knf\"}]\nencodings: [\"totalizer:cut\"]\nsolvers: [cadical]\n";
        fs::write(hostile.folder().join("own.yaml"), config).unwrap();
        let shown = ended(&hostile.bezzel(&["run", "own.yaml", "--plan"]), 2);
        assert!(shown.contains("has control characters"), "{shown}");
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_folder_for_temporary_files_is_only_a_folder() {
    let hostile = Hostile::new();
    let temporary = hostile.folder().join("t'm\"p $(touch PWN) ;touch PWN;");
    fs::create_dir(&temporary).unwrap();
    let solver = "{command: \"cp {cnf} out.cnf; echo s UNKNOWN\"}";
    let output = Command::new(env!("CARGO_BIN_EXE_bezzel"))
        .args(["solve", "4", "--solver", solver])
        .env("TMPDIR", &temporary)
        .current_dir(hostile.folder())
        .output()
        .unwrap();
    hostile.is_unharmed();
    assert!(hostile.read("out.cnf").contains("p cnf"), "{}", printed(&output));
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

#[test]
fn tune_takes_any_name_of_a_file_and_derives_one_that_is_accepted() {
    let hostile = Hostile::new();
    for (number, (file, name)) in [
        ("lo_8x8_009.opb", "tune-lo-8x8-009"),
        ("Normalized MDS.50.opb", "tune-normalized-mds.50"),
        ("-x.opb", "tune-x"),
        ("..opb", "tune-"),
        ("数.opb", "tune-"),
        (&format!("{}.opb", "x".repeat(250)), "tune-x"),
    ]
    .into_iter()
    .enumerate()
    {
        let opb = format!("+1 x1 +1 x2 +1 x{} >= 1 ;", number + 3);
        fs::write(hostile.folder().join(file), opb).unwrap();
        let printed = ended(&hostile.bezzel(&["tune", &format!("./{file}"), "--plan"]), 0);
        let config = printed.lines().find_map(|line| line.strip_prefix("config:   ")).unwrap();
        let stem = Path::new(config).file_stem().unwrap().to_str().unwrap();
        assert!(stem.starts_with(name) && stem.len() <= 100, "{stem}");
    }
}

#[test]
fn tune_writes_through_no_link_and_keeps_files_that_are_there() {
    let hostile = Hostile::new();
    let path = |name: &str| hostile.folder().join(name);
    fs::write(path("v.knf"), knf(1)).unwrap();
    let refused = |says: &str| {
        let printed = ended(&hostile.bezzel(&["tune", "v.knf", "--plan", "--name", "v"]), 2);
        assert!(printed.contains(says), "{printed}");
    };
    fs::create_dir_all(path("configs")).unwrap();
    symlink(path("victim"), path("configs/v.yaml")).unwrap();
    refused("it is a symbolic link");
    assert!(!path("victim").exists() && !path("configs/v").exists());
    fs::remove_file(path("configs/v.yaml")).unwrap();
    fs::create_dir(path("folder")).unwrap();
    symlink(path("folder"), path("configs/v")).unwrap();
    refused("it is a symbolic link");
    assert_eq!(fs::read_dir(path("folder")).unwrap().count(), 0);
    fs::remove_file(path("configs/v")).unwrap();
    fs::create_dir(path("configs/v")).unwrap();
    fs::write(path("configs/v/v.knf"), "mine").unwrap();
    refused("it exists, and is not replaced");
    assert_eq!(hostile.read("configs/v/v.knf"), "mine");
    // A file that is its own copy is not emptied.
    fs::write(path("configs/v/v.knf"), knf(1)).unwrap();
    ended(&hostile.bezzel(&["tune", "configs/v/v.knf", "--plan", "--name", "v"]), 0);
    assert_eq!(hostile.read("configs/v/v.knf"), knf(1));
    // Another file of this name is no continuation.
    fs::write(path("v.knf"), knf(2)).unwrap();
    refused("is the config of other files");
    refused("`v.knf` is not the file that was copied");
    // A name that is a path is refused.
    let printed = ended(&hostile.bezzel(&["tune", "v.knf", "--plan", "--name", "../v"]), 2);
    assert!(printed.contains("--name `../v` names a folder"), "{printed}");
}

#[test]
fn evidence_is_shown_and_not_obeyed() {
    let hostile = Hostile::new();
    let config = "name: own\nproblems: [{queens: {size: [4, 5]}}]\nencodings: [pairwise]\nsolvers: [cadical]\nengines: [blocking]\n\
                  task: [solve, count]\nwarm_up: 0\ncalibration: off\n";
    fs::write(hostile.folder().join("own.yaml"), config).unwrap();
    ended(&hostile.bezzel(&["run", "own.yaml", "--quiet"]), 0);
    let experiment = hostile.folder().join("experiments/own");
    change_session(&experiment, |start, rows| {
        start.command = "bezzel \u{1b}[2J".into();
        start.environment.host = Some("\u{1b}[2J\u{202e}".into());
        for row in &mut *rows {
            row.solver_version = format!("\u{1b}[2J{}\nWARNING: \u{202e}", row.solver_version);
            row.note = Some("\u{1b}]0;title\u{7}".into());
            if let Some(all) = &mut row.all {
                all.digest = Some("\0\u{1b}[2J\u{202e}".into());
            }
        }
        let mut more = rows[0].clone();
        more.job.encoding = "x".repeat(70_000);
        more.solver_version = "other".into();
        more.key = more.job.key(more.encoding_revision, &more.solver_version);
        rows.push(more);
    });
    for name in OBEYED {
        fs::write(experiment.join(format!("{name}.jsonl")), "{}\n").unwrap();
    }
    for arguments in [
        &["report", "own", "--quiet"][..],
        &["status", "own"],
        &["report", "own", "--rows"],
        &["report", "own", "--against", "own"],
        &["verify", "own", "--sample", "0", "--quiet"],
        &["run", "own.yaml", "--quiet"],
    ] {
        let shown = printed(&hostile.bezzel(arguments));
        assert!(!shown.contains("panicked"), "{arguments:?}: {shown}");
    }
}
