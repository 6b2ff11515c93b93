//! A config that extends another one, frozen with its evidence.

use std::fs;

use super::*;
use bezzel_experiment::results::store;

#[test]
fn a_frozen_config_is_the_same_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let child = "extends: base.yaml\nname: child\n";
    for (name, text) in [
        ("child.yaml", child),
        ("base.yaml", &format!("{SMALLEST}limits: {{cpu: 5 s}}\nrepeats: 3\n")),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let read = |path: &Path| Config::read(path, &bezzel_queens::experiment::catalog()).unwrap();
    let config = read(&folder.path().join("child.yaml"));
    let record = folder.path().join("record");
    let (_, _) = store::Store::open(&record, &config.frozen_text(), &config.files).unwrap();
    let frozen = read(&record.join(store::CONFIG));
    let plans = [&config, &frozen]
        .map(|config| Plan::new(config, &bezzel_queens::experiment::catalog()).unwrap());
    assert_eq!(plans[0].keys(), plans[1].keys());
    // Limits of another config are taken over as a whole.
    assert_eq!(frozen.text(), format!("{child}limits: {{cpu: 5 s, wall: 50 s}}\n"));
}

#[test]
fn a_config_in_former_words_is_no_other_version() {
    let (new, former) = (with("bva: on\n"), with("reencode: on\n"));
    assert_eq!(new.differing(&former), [""; 0]);
    assert_eq!(new.differing(&with("")), ["bva"]);
}
