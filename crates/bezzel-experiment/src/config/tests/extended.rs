//! Configs that extend others.

use std::fs;

use super::*;
use crate::results::store;

/// Writes files into a folder and reads the first of them.
fn read_of(files: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let read = Config::read(&folder.path().join(files[0].0), &Catalog::standard());
    // Messages name files below the temporary folder, so its path is removed.
    let short = |text: &str| text.replace(&format!("{}/", folder.path().display()), "").into();
    read.map_err(|error| ConfigError {
        path: short(&error.path),
        message: short(&error.message),
        ..error
    })
}

const PARENT: &str = "name: parent\nquestion: Which?\nboards: [{size: 8}, {file: b/drawn.txt}]\n\
     encodings: [pairwise]\nsolvers: [cadical]\nlimits: {cpu: 5 s}\nrepeats: 3\n";
const DRAWN: (&str, &str) = ("b/drawn.txt", "Q..\n...\n...\n");

#[test]
fn keys_of_the_child_replace_those_of_the_parent() {
    let child =
        "extends: base.yaml\nname: child\nencodings: [product, binary]\nlimits: {memory: 1 GiB}\n";
    let config = read_of(&[("child.yaml", child), ("base.yaml", PARENT), DRAWN]).unwrap();
    assert_eq!((config.name.as_str(), config.question.as_deref()), ("child", Some("Which?")));
    let ids: Vec<_> = config.matrix.encodings.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(ids, ["product", "binary"]);
    assert_eq!(config.matrix.instances.len(), 2);
    // A key is taken over as a whole or not at all.
    assert_eq!((config.limits.cpu_s, config.limits.memory_bytes), (60.0, 1 << 30));
    assert_eq!(config.repeats, 3);
    assert_eq!(config.text(), child);
}

#[test]
fn a_parent_may_be_half_a_config_and_have_a_parent_in_its_folder() {
    let files = [
        ("a.yaml", "name: a\nextends: common/b.yaml\nboards: [{size: 6}, {size: 7}]\n"),
        ("common/b.yaml", "extends: c.yaml\nsolvers: [batsat]\nboards: [{size: 0}]\n"),
        (
            "common/c.yaml",
            "encodings: [binary]\nsolvers: [cadical]\nname: unused\ninclude: [{boards: {file: d.txt}}]\n",
        ),
        ("common/d.txt", "....\n....\n....\n....\n"),
    ];
    let config = read_of(&files).unwrap();
    assert_eq!(config.matrix.arms[0].id, "batsat");
    assert_eq!(config.include[0].instances[0].instance.size(), 4);
    let plan = Plan::new(&config, &Catalog::standard()).unwrap();
    assert_eq!(plan.jobs.len(), 3);
    let kept: Vec<_> = config.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(kept, ["common/b.yaml", "common/c.yaml", "common/d.txt"]);
    assert_eq!(config.files[1].bytes, files[2].1.as_bytes());
}

#[test]
fn a_frozen_config_is_the_same_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let child = "extends: base.yaml\nname: child\n";
    let config = read_of(&[("child.yaml", child), ("base.yaml", PARENT), DRAWN]).unwrap();
    let (_, _) = store::Store::open(folder.path(), &config.frozen_text(), &config.files).unwrap();
    let frozen = Config::read(&folder.path().join("config.yaml"), &Catalog::standard()).unwrap();
    let keys = |config: &Config| -> Vec<_> {
        let plan = Plan::new(config, &Catalog::standard()).unwrap();
        plan.jobs.into_iter().map(|planned| planned.key).collect()
    };
    assert_eq!(keys(&frozen), keys(&config));
    // Limits of another config are taken over as a whole.
    assert_eq!(frozen.text(), format!("{child}limits: {{cpu: 5 s, wall: 50 s}}\n"));
}

#[test]
fn a_fault_is_shown_in_the_file_in_which_it_stands() {
    let faulty = PARENT.replace("[cadical]", "[kadical]");
    let files = [
        ("child.yaml", "name: child\nextends: b/base.yaml\n"),
        ("b/base.yaml", &faulty),
        ("b/b/drawn.txt", DRAWN.1),
    ];
    assert_eq!(
        read_of(&files).unwrap_err().to_string(),
        "b/base.yaml:5:11: unknown solver `kadical`
  |
5 | solvers: [kadical]
  |           ^^^^^^^
  = did you mean `cadical`?"
    );
    for (parent, start) in [
        ("- name: x\n", "b.yaml:1:1: a config that is extended must be a map, not a list"),
        ("boards: [\n", "b.yaml:"),
        ("colour: red\n", "b.yaml:1:1: the config has no key `colour`"),
        (
            "boards: [{size: 8}]\nboards: []\n",
            "b.yaml:2:1: the key `boards` stands here a second time",
        ),
        ("", "b.yaml"),
    ] {
        let error =
            read_of(&[("a.yaml", "name: a\nextends: b.yaml\n"), ("b.yaml", parent)]).unwrap_err();
        assert!(error.to_string().starts_with(start), "{parent}: {error}");
    }
}

#[test]
fn a_name_is_not_taken_over() {
    let error = read_of(&[("a.yaml", "extends: b.yaml\n"), ("b.yaml", PARENT), DRAWN]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.yaml: the config has no `name`\n = add one, as in `name: first-look`"
    );
}

#[test]
fn configs_that_extend_each_other_are_refused() {
    let refused = |files: &[(&str, &str)]| read_of(files).unwrap_err();
    let own = refused(&[("a.yaml", "name: a\nextends: a.yaml\n")]);
    assert_eq!((&*own.message, own.line), ("`a.yaml` extends itself, through this file", Some(2)));
    let ring = refused(&[
        ("a.yaml", "name: a\nextends: b.yaml\n"),
        ("b.yaml", "extends: c.yaml\n"),
        ("c.yaml", "repeats: 2\nextends: b.yaml\n"),
    ]);
    assert_eq!(
        (&*ring.path, &*ring.message),
        ("c.yaml", "`b.yaml` extends itself, through this file")
    );
    let back =
        refused(&[("a.yaml", "name: a\nextends: b.yaml\n"), ("b.yaml", "extends: a.yaml\n")]);
    assert_eq!(&*back.path, "b.yaml");

    let names: Vec<_> = (0..12).map(|number| format!("{number}.yaml")).collect();
    let texts: Vec<_> =
        (0..12).map(|number| format!("name: x\nextends: {}.yaml\n", number + 1)).collect();
    let chain: Vec<_> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let deep = refused(&chain);
    assert_eq!((&*deep.path, &*deep.message), ("8.yaml", "more than 8 configs extend one another"));
}
