//! Files that are no configs, and malicious configs.

use std::fs;
use std::path::Path;

use super::*;

fn read(path: &Path) -> ConfigError {
    Config::read(path, &bezzel_queens::experiment::catalog())
        .expect_err("nothing of this is a config")
}

#[test]
fn a_config_that_is_not_a_text_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let message = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let error = read(&path);
        assert_eq!(&*error.path, path.to_str().unwrap());
        error.message.into_string()
    };
    assert_eq!(&*read(folder.path()).message, "this is a folder, not a config");
    let missing = read(&folder.path().join("missing.yaml"));
    assert!(missing.message.starts_with("the config cannot be read: "), "{missing}");
    assert_eq!(
        message("latin.yaml", b"name: x\nquestion: K\xF6niginnen?\n"),
        "the config is not UTF-8 text in line 2: save it as UTF-8"
    );
    let huge = vec![b'#'; 300 * 1024];
    assert_eq!(message("huge.yaml", &huge), "the file is too large: a config has at most 256 KiB");
    fs::write(folder.path().join("good.yaml"), SMALLEST).unwrap();
    let good =
        Config::read(&folder.path().join("good.yaml"), &bezzel_queens::experiment::catalog())
            .unwrap();
    assert_eq!(good.name, "smallest");
}

#[test]
fn an_endless_file_is_not_read() {
    let endless = Path::new("/dev/zero");
    assert!(endless.exists(), "a Unix has an endless file");
    assert_eq!(
        &*read(endless).message,
        "the config cannot be read: it is a device, and only regular files are read"
    );
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    for text in [
        "name: \"\\e[2J\"\n",
        "\u{1b}[2J: 1\n",
        "name: x\nproblems: [{queens: {\"si\u{7f}ze\": 8}}]\n",
        "name: \"\\u001b\\u0007\"\nencodings: \"\\u001b[31m\"\n",
        "\"\\u009b1m\": 2\n",
    ] {
        let error = Config::parse(text, "a\u{1b}b.yaml", &bezzel_queens::experiment::catalog())
            .unwrap_err();
        let shown = error.to_string();
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
    }
}

#[test]
fn of_a_long_line_the_part_around_the_fault_is_shown() {
    let long = format!("{SMALLEST}limits: {{{}cpu: 0x5}}\n", " ".repeat(100_000));
    let error = parse(&long).unwrap_err();
    let lines: Vec<_> = error.to_string().lines().map(str::to_owned).collect();
    assert!(lines.iter().all(|line| line.chars().count() < 120), "{error}");
    let column = lines[2].find("0x5").unwrap();
    let marked = lines[3].chars().position(|c| c == '^').unwrap();
    // The ellipsis has three bytes and one column.
    assert_eq!(column, marked + 2, "{error}");
}

/// Nine levels, each of nine times the one before: 3.9 × 10⁸ values from 300 bytes.
fn billion_laughs() -> String {
    let mut lines = vec!["a0: &a0 [x]".to_owned()];
    for level in 1..=9 {
        let before = format!("*a{}", level - 1);
        lines.push(format!("a{level}: &a{level} [{}]", [before.as_str(); 9].join(", ")));
    }
    lines.join("\n")
}

#[test]
fn bombs_are_refused_before_they_unfold() {
    let deep = "[".repeat(100_000);
    let blocks: Vec<_> = (0..10_000).map(|depth| " ".repeat(depth % 200) + "- ").collect();
    for (text, expected) in [
        (billion_laughs(), "this expands to more than a config may hold"),
        (format!("problems: {deep}"), ""),
        (format!("problems: {}", "{a: ".repeat(50_000)), ""),
        (blocks.join("\n"), ""),
        (format!("name: {}\n", "x".repeat(255 * 1024)), "`name` has 261120 characters"),
        (format!("? {deep}\n: 1\n"), ""),
        (format!("a: &a [*a]\nb: {}", "*a ".repeat(10_000)), ""),
    ] {
        let error = parse(&text).unwrap_err();
        assert!(error.message.starts_with(expected), "{error}");
        assert!(error.to_string().len() < 2000, "{error}");
    }
}
