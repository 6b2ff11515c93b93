//! Solvers by their names, installed or not.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use bezzel_solve::{OptionValue, Options, ProofFormat};

use super::super::{CommandBackend, NOT_INSTALLED, NOT_STARTED, PRESETS, ProgramIdentity};
use crate::backend::catalog::Catalog;
use crate::model::permission::Permission;

fn program(name: &str) -> CommandBackend {
    CommandBackend::named(name).unwrap()
}

fn identity_of(name: &str) -> ProgramIdentity {
    program(name).identity(&Permission::everything()).unwrap()
}

fn compare(name: &str, planned: &ProgramIdentity) -> Result<(), String> {
    program(name).compare(planned, &Permission::everything())
}

fn absence(name: &str) -> Option<String> {
    program(name).absence(&Permission::none()).map(|absence| absence.to_string())
}

fn options(pairs: &[(&str, OptionValue)]) -> Options {
    pairs.iter().map(|&(name, value)| (name.to_owned(), value)).collect()
}

#[test]
fn linked_solvers_presets_and_programs_are_found_by_one_function() {
    let catalog = Catalog::of_tests();
    for (name, id) in [
        ("cadical", "cadical"),
        ("kissat", "kissat"),
        ("{ command: 'true {cnf}' }", "{command: \"true {cnf}\"}"),
    ] {
        assert_eq!(catalog.solver(name).ok().unwrap().info().id, id);
        assert_eq!(CommandBackend::named(name).is_some(), id != "cadical");
    }
    let error = catalog.solver("kisat").err().unwrap().to_string();
    assert_eq!(error, "unknown solver `kisat`; did you mean `kissat`?");
    let error = catalog.solver("{comand: x}").err().unwrap().to_string();
    assert!(error.ends_with("did you mean `command`?"), "{error}");
}

#[test]
fn every_preset_can_be_called_and_bears_a_name_of_its_own() {
    let catalog = Catalog::of_tests();
    for preset in &PRESETS {
        let backend = catalog.backends.find(preset.kind, preset.id).unwrap();
        assert_eq!((backend.info().id.as_str(), backend.kind()), (preset.id, preset.kind));
        assert_eq!(backend.proof_format(), preset.proof);
        assert!(catalog.backends.linked(preset.kind).all(|other| other.name() != preset.id));
        assert_eq!(PRESETS.iter().filter(|other| other.id == preset.id).count(), 1);
    }
}

#[test]
fn options_are_for_places_only() {
    let catalog = Catalog::of_tests();
    let settings = |name: &str, given: &[(&str, OptionValue)]| {
        let solver = catalog.solver(name).ok().unwrap();
        solver.settings(&options(given)).map_err(|error| error.to_string())
    };
    let seed = |seed| options(&[("seed", OptionValue::Integer(seed))]);
    // A place that can be left out has no seed unless one is given.
    assert_eq!(settings("kissat", &[]), Ok(Options::new()));
    assert_eq!(settings("{command: \"a {seed} {cnf}\"}", &[]), Ok(seed(0)));
    assert_eq!(settings("kissat", &[("seed", OptionValue::Integer(7))]), Ok(seed(7)));
    for (name, given, expected) in [
        ("kissat", ("sed", OptionValue::Integer(1)), "no option `sed`; did you mean `seed`?"),
        ("clasp", ("seed", OptionValue::Integer(1)), "clasp has no option `seed`"),
        ("kissat", ("seed", OptionValue::Integer(-1)), "cannot be -1: it is a whole number"),
        ("minisat", ("seed", OptionValue::Integer(0)), "cannot be 0: it is a whole number from 1"),
        ("glucose", ("seed", OptionValue::Integer(0)), "cannot be 0: it is a whole number from 1"),
        ("kissat", ("seed", OptionValue::Flag(true)), "cannot be true: it is a whole number"),
        ("kissat", ("seed", OptionValue::Number(1.5)), "cannot be 1.5: it is a whole number"),
    ] {
        let refused = settings(name, &[given]).unwrap_err();
        assert!(refused.contains(expected), "{refused}");
    }
}

#[test]
fn a_missing_program_is_reported_with_its_package() {
    let absent = absence("{command: \"no-such-solver-here {cnf}\"}").unwrap();
    assert_eq!(absent, "there is no program `no-such-solver-here` in the folders of PATH");
    let absent = absence("{command: \"/nowhere/minisat {cnf} {answer}\"}").unwrap();
    assert!(absent.starts_with("there is no program `/nowhere/minisat`; to get it: Debian's"));
    let version = program("{command: \"no-such-solver-here {cnf}\"}").version(&Permission::none());
    assert_eq!(version, NOT_INSTALLED);
    // Commands of the shell itself are found only by running it.
    assert_eq!(absence("{command: \"cd / && no-such-solver-here {cnf}\"}"), None);
    assert_eq!(absence("{command: \"X=1 sh -c true {cnf}\"}"), None);
    assert!(absence("{command: \"X=1 exec no-such-solver-here {cnf}\"}").is_some());
    assert!(CommandBackend::named("cadical").is_none());
}

#[test]
fn a_program_is_known_by_what_it_says_and_by_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solver");
    let write = |text: &str| {
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    write("printf '\\n  7.1 \\033beta\\n'");
    let file = path.display();
    let named = |version: &str| format!("{{command: \"{file} {{cnf}}\"{version}}}");
    let (with_version, without_version) = (named(&format!(", version: \"{file} -v\"")), named(""));
    assert_eq!(identity_of(&with_version).version, "7.1  beta");
    let digest = identity_of(&with_version).digest.unwrap();
    assert_eq!(identity_of(&without_version).version, format!("blake3:{}", &digest[..16]));
    assert_eq!(digest, blake3::hash(&fs::read(&path).unwrap()).to_hex().to_string());

    let planned = identity_of(&with_version);
    assert_eq!(compare(&with_version, &planned), Ok(()));
    write("echo 7.1");
    assert!(compare(&with_version, &planned).unwrap_err().contains("its file is another"));
    // The identity in this process is that of its first call.
    assert_eq!(identity_of(&with_version), planned);
    fs::remove_file(&path).unwrap();
    assert!(compare(&with_version, &planned).unwrap_err().contains("there is no program"));
}

#[test]
fn a_program_that_may_not_be_started_is_not_asked_and_none_is_remembered_for_it() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let name = format!("{{command: \"true {{cnf}}\", version: \"touch {}\"}}", mark.display());
    assert_eq!(program(&name).identity(&Permission::none()), None);
    assert_eq!(program(&name).version(&Permission::none()), NOT_STARTED);
    assert!(!mark.exists());
    identity_of(&name);
    assert!(mark.exists(), "with permission it is asked");
}

#[test]
fn the_scripts_of_an_interpreter_belong_to_the_digest() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("solver.sh");
    fs::write(&script, "exit 0").unwrap();
    let name = format!("{{command: \"sh {} {{cnf}}\"}}", script.display());
    let planned = identity_of(&name);
    fs::write(&script, "exit 1").unwrap();
    assert!(compare(&name, &planned).is_err());
}

#[test]
fn proofs_are_of_the_stated_format() {
    let format = |name: &str| Catalog::of_tests().solver(name).ok().unwrap().proof_format();
    assert_eq!(format("{command: \"a {cnf} {proof}\", proof: lrat}"), Some(ProofFormat::Lrat));
    let converted = "{format: drat, convert: \"d {cnf} {proof} {lrat}\"}";
    let name = format!("{{command: \"a {{cnf}} {{proof}}\", proof: {converted}}}");
    assert_eq!(format(&name), Some(ProofFormat::Drat));
    let lines = ["a {cnf} {proof}", "d {cnf} {proof} {lrat}"];
    assert_eq!(program(&name).lines(), lines, "the permission names the converter");
    assert_eq!(format("{command: \"a {cnf}\"}"), None);
}
