//! Hints for first users. `refusals.rs` has the refusals.

use std::fs;

use crate::program::{bezzel_in, ended};

/// The beginning of a config.
const CONFIG: &str =
    "name: x\nproblems: [{queens: {size: 6}}]\nencodings: [pairwise]\nsolvers: [batsat]\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("t.opb", "+1 x1 +1 x2 +1 x3 +1 x4 >= 2 ;\n+1 x1 +1 x2 +1 x3 <= 2 ;\n");
    folder
}

#[test]
fn a_name_of_two_files_is_the_config_in_its_folder() {
    let folder = folder();
    let write = |path: &str, size: &str| {
        fs::write(folder.path().join(path), CONFIG.replace("size: 6", size)).unwrap();
    };
    let plan =
        |given: &str, code| ended(&bezzel_in(folder.path(), &["run", given, "--plan"]), code);
    write("c.yaml", "size: 7");
    assert!(plan("c", 2).contains("no config `c`; did you mean `c.yaml`?"));
    fs::create_dir(folder.path().join("configs")).unwrap();
    write("configs/c.yaml", "size: [7, 8]");
    let printed = plan("c", 0);
    assert!(printed.contains("2 jobs"), "{printed}");
    for (given, jobs) in [("c.yaml", "1 job"), ("configs/c.yaml", "2 jobs")] {
        let printed = plan(given, 0);
        assert!(printed.contains(jobs), "{printed}");
    }
}

#[test]
fn a_name_may_be_an_alias() {
    let folder = folder();
    let plan = |name: &str| {
        let program = format!("[pairwise, {{command: \"cat\", name: {name}}}]");
        fs::write(folder.path().join("c.yaml"), CONFIG.replace("[pairwise]", &program)).unwrap();
        bezzel_in(folder.path(), &["run", "c.yaml", "--plan"])
    };
    let printed = ended(&plan("binomial"), 2);
    // `cat` is no encoder, and its name is no fault.
    assert!(!printed.contains("is the id of an encoding"), "{printed}");
}
