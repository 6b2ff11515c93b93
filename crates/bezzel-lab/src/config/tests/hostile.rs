//! Files that are no configs at all, and configs that mean harm.

use std::fs;
use std::path::Path;

use super::*;

fn read(path: &Path) -> ConfigError {
    Config::read(path, &Workbench::standard()).expect_err("nothing of this is a config")
}

#[test]
fn what_is_not_a_text_file_is_refused() {
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
        "the config is not UTF-8 text in line 2"
    );
    let huge = vec![b'#'; 300 * 1024];
    assert_eq!(message("huge.yaml", &huge), "the file is too large: a config has at most 256 KiB");
    fs::write(folder.path().join("good.yaml"), SMALLEST).unwrap();
    let good = Config::read(&folder.path().join("good.yaml"), &Workbench::standard()).unwrap();
    assert_eq!(good.name, "smallest");
}

#[test]
fn an_endless_file_is_read_no_further_than_it_may_be_long() {
    let endless = Path::new("/dev/zero");
    assert!(endless.exists(), "a Unix has an endless file");
    assert_eq!(&*read(endless).message, "the file is too large: a config has at most 256 KiB");
}

#[test]
fn control_characters_do_not_reach_the_terminal() {
    for text in [
        "name: \"\\e[2J\"\n",
        "\u{1b}[2J: 1\n",
        "name: x\nboards: [{\"si\u{7f}ze\": 8}]\n",
        "name: \"\\u001b\\u0007\"\nencodings: \"\\u001b[31m\"\n",
        "\"\\u009b1m\": 2\n",
    ] {
        let error = Config::parse(text, "a\u{1b}b.yaml", &Workbench::standard()).unwrap_err();
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
        (billion_laughs(), "this unfolds into more than a config holds"),
        (format!("boards: {deep}"), ""),
        (format!("boards: {}", "{a: ".repeat(50_000)), ""),
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

/// Numbers that look random and are the same every time.
struct Shuffler(u64);

impl Shuffler {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound.max(1)
    }
}

/// Pieces that YAML or the reader take for something special.
const PIECES: [&str; 43] = [
    "\n",
    " ",
    ":",
    ": ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\"",
    "'",
    "#",
    "&a ",
    "*a",
    "!!int ",
    "|\n",
    ">\n",
    "? ",
    "---\n",
    "\t",
    "0",
    "-1",
    "0x10",
    "1e3",
    ".nan",
    "~",
    "null",
    "true",
    "99999999999999999999",
    "\u{0}",
    "é",
    "size",
    "random",
    "shuffles",
    "queens: [1]",
    "boards",
    "40000",
    "<<: ",
    "generate",
    "1..9",
    "answer: unsat",
    "%YAML",
];

fn mutated(text: &str, shuffler: &mut Shuffler) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    for _ in 0..=shuffler.below(4) {
        let at = shuffler.below(characters.len() + 1);
        let end = (at + shuffler.below(12)).min(characters.len());
        match shuffler.below(4) {
            0 => drop(characters.drain(at..end)),
            1 => {
                let copy: Vec<char> = characters[at..end].to_vec();
                let target = shuffler.below(characters.len() + 1);
                characters.splice(target..target, copy);
            }
            2 => {
                let piece = PIECES[shuffler.below(PIECES.len())];
                characters.splice(at..at, piece.chars());
            }
            _ => {
                let piece = PIECES[shuffler.below(PIECES.len())];
                characters.splice(at..end, piece.chars());
            }
        }
    }
    characters.into_iter().collect()
}

#[test]
fn mutated_configs_are_accepted_or_refused_and_nothing_else() {
    let workbench = Workbench::standard();
    let seeds = [
        SMALLEST.to_owned(),
        include_str!("../../../../../configs/first-look.yaml").to_owned(),
        format!(
            "{SMALLEST}numberings: [{{squares: spiral, auxiliaries: before}}, {{random: {{shuffles: 3, seed: 9, polarity: \
             true}}}}]\nlimits: {{cpu: &t 5 s, wall: *t, memory: 1.5 GiB}}\nrepeats: 2\nconstraints: \
             [full, minimal]\nblocked: [units, simplified]\nsymmetry: [none, half-board]\n"
        ),
        "name: q\nboards:\n  - size: [5, 7]\n    geometry: torus\n    queens: [\"1,2\", [2, 4]]\n    \
         blocked: [9]\nencodings: pairwise\nsolvers: [{id: cadical, options: {factor: 1}}]\n"
            .to_owned(),
        SMALLEST.replace("{size: 8}", "{size: 7, generate: {kind: blocked, density: [0.1, 0.4], \
             seeds: [1..3, 9], answer: sat}}, {size: 6x9, generate: {kind: completion, queens: 2}}"),
        SMALLEST.replace("size: 8", "size: 5, generate: {kind: excluded-diagonals, diagonals: 2}"),
    ];
    let mut shuffler = Shuffler(1);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..30_000 {
        let text = mutated(&seeds[round % seeds.len()], &mut shuffler);
        match Config::parse(&text, "config.yaml", &workbench) {
            Ok(config) => {
                accepted += 1;
                assert!(super::schema::fits_schema(&text), "{text}");
                // What was accepted can be planned or is refused there. Some do for a sample:
                // a plan of many jobs takes longer than all the reading.
                let small = config.matrix.boards.iter().all(|entry| entry.board.rows() < 100);
                if accepted % 16 == 0
                    && small
                    && config.repeats < 10
                    && let Err(error) = Plan::new(&config, &workbench)
                {
                    assert!(!error.to_string().is_empty());
                }
            }
            Err(error) => {
                refused += 1;
                let shown = error.to_string();
                assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
                if let (Some(line), Some(_)) = (error.line, error.column) {
                    assert!(line as usize <= text.lines().count() + 1, "{shown}\n---\n{text}");
                    assert!(error.snippet.is_some());
                }
            }
        }
    }
    assert!(accepted > 100 && refused > 1000, "{accepted} accepted, {refused} refused");
}
