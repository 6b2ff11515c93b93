//! Boards from seeds, and boards from files.

use std::collections::{HashMap, HashSet};
use std::fs;

use bezzel_count::Backtrack;
use bezzel_problem::{Board, Instance, Recipe};

use super::schema::fits_schema;
use super::*;

fn boards(entry: &str) -> Vec<Board> {
    let text = SMALLEST.replace("{size: 8}", entry);
    assert!(fits_schema(&text), "{text}");
    let config = parse(&text).unwrap_or_else(|error| panic!("{error}"));
    config.matrix.instances.iter().filter_map(|entry| entry.instance.board()).cloned().collect()
}

#[test]
fn a_board_is_drawn_for_each_size_amount_and_seed() {
    let drawn = boards(
        "{size: [6, 8x9], piece: rook, generate: {kind: blocked, density: [0.1, 0.25], seeds: [1..3, 7]}}",
    );
    assert_eq!(drawn.len(), 2 * 2 * 4);
    let mut expected = Vec::new();
    for size in ["6", "8x9"] {
        let board = Board::read_size(size).unwrap().with_piece(Piece::Rook);
        for density in [0.1, 0.25] {
            let recipe = Recipe::Blocked { density };
            let seeds = [1, 2, 3, 7];
            expected.extend(seeds.map(|seed| recipe.draw(&board, None, seed, 0).unwrap()));
        }
    }
    assert_eq!(drawn, expected);
}

#[test]
fn every_kind_is_drawn_beside_what_is_given() {
    let [completed] =
        &boards("{size: 9, queens: [\"1,1\"], generate: {kind: completion, queens: 3}}")[..]
    else {
        panic!("one board")
    };
    assert_eq!(completed.placed().len(), 4);
    let excluded = boards(
        "{size: 9, blocked: [5], generate: {kind: excluded-diagonals, diagonals: [0, 4], least-free: 2}}",
    );
    assert_eq!(excluded[0].blocked().len(), 1);
    assert!(excluded[1].blocked().contains(&Square::new(0, 4)));
}

#[test]
fn an_answer_that_is_asked_for_is_that_of_the_boards() {
    let solvable = |entry: &str| -> Vec<bool> {
        let search = |board: &Board| Backtrack::new(board).unwrap().first(1 << 30).unwrap();
        boards(entry).iter().map(|board| search(board).is_some()).collect()
    };
    let entry = |answer: &str| {
        format!(
            "{{size: 8, generate: {{kind: blocked, density: 0.5, answer: {answer}, seeds: 1..8}}}}"
        )
    };
    assert_eq!(solvable(&entry("sat")), [true; 8]);
    assert_eq!(solvable(&entry("unsat")), [false; 8]);
}

#[test]
fn a_board_comes_from_a_file_beside_the_config() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("boards")).unwrap();
    fs::write(folder.path().join("boards/drawn.txt"), "rooks\nQ..\n..x\n").unwrap();
    fs::write(folder.path().join("blocked.txt"), "..x.\n....\n....\n....\n").unwrap();
    let text = SMALLEST
        .replace("{size: 8}", "{file: [boards/drawn.txt, blocked.txt], shuffles: 2}, {size: 8}");
    assert!(fits_schema(&text));
    let path = folder.path().join("config.yaml");
    fs::write(&path, &text).unwrap();
    let config = Config::read(&path, &Catalog::standard()).unwrap();
    let shown: Vec<_> =
        config.matrix.instances.iter().map(|entry| entry.instance.to_string()).collect();
    assert_eq!(shown, ["rooks 2x3 with 1,1 placed and 2,3 blocked", "4 with 1,3 blocked", "8"]);
    assert_eq!(config.matrix.instances[1].shuffles, Some(2));
    let frozen: Vec<_> = config.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(frozen, ["boards/drawn.txt", "blocked.txt"]);
    assert_eq!(config.files[1].bytes, b"..x.\n....\n....\n....\n");

    fs::write(folder.path().join("blocked.txt"), "..x.\n....\n..y.\n....\n").unwrap();
    let error = Config::read(&path, &Catalog::standard()).unwrap_err();
    assert_eq!((error.line, error.column), (Some(2), Some(36)));
    assert!(error.message.contains("blocked.txt:3:3: `y` is not a square: "), "{error}");
    fs::remove_file(folder.path().join("blocked.txt")).unwrap();
    let error = Config::read(&path, &Catalog::standard()).unwrap_err();
    assert!(error.message.contains("blocked.txt: the file cannot be read: "), "{error}");
}

#[test]
fn a_file_stays_beside_the_config_and_apart_from_evidence() {
    for path in ["../a.txt", "/etc/passwd", "a/../../b", "\"\"", "./.."] {
        let error = parse(&SMALLEST.replace("size: 8", &format!("file: {path}"))).unwrap_err();
        assert!(error.message.contains("is not a file beside the config"), "{path}: {error}");
    }
    let error = parse(&SMALLEST.replace("size: 8", "file: rows.jsonl")).unwrap_err();
    assert_eq!(&*error.message, "`rows.jsonl` has the name of an evidence file");
}

#[test]
fn a_planted_solution_is_found_or_drawn_from_all_of_them() {
    let entry = |more: &str| {
        format!("{{size: 8, generate: {{kind: completion, queens: 8, {more}, seeds: [2, 5]}}}}")
    };
    let some = |more: &str| -> Vec<Board> {
        let text = SMALLEST.replace("{size: 8}", &entry(more));
        assert!(fits_schema(&text), "{text}");
        let config = parse(&text).unwrap_or_else(|error| panic!("{error}"));
        config.matrix.instances.iter().filter_map(|entry| entry.instance.board()).cloned().collect()
    };
    // Seeds generate the same boards as before the key `planted` existed.
    assert_eq!(some("answer: sat"), some("planted: found"));
    assert_eq!(some("planted: uniform"), some("answer: sat, planted: uniform"));
    assert_ne!(some("planted: uniform"), some("planted: found"));
    for board in some("planted: uniform") {
        let queens: bezzel_problem::Placement = board.placed().iter().copied().collect();
        assert_eq!(queens.judge(&Board::new(8).unwrap()), Ok(()));
    }

    let refused = |more: &str| {
        parse(&SMALLEST.replace("{size: 8}", &entry(more))).unwrap_err().message.to_string()
    };
    let message = refused("answer: unsat, planted: uniform");
    assert!(message.starts_with("`planted` is about boards with a solution"), "{message}");
    assert!(refused("planted: uniformly").contains("unknown planted `uniformly`"));
}

#[test]
fn a_board_with_too_many_solutions_to_draw_from_is_refused_with_what_can_be_done() {
    let entry = "{size: 70, generate: {kind: blocked, density: 0.1, planted: uniform}}";
    let error = parse(&SMALLEST.replace("{size: 8}", entry)).unwrap_err();
    let message = "too large to draw from all of its solutions with the same chance";
    assert!(error.message.contains(message), "{error}");
}

#[test]
fn families_are_kept_beside_the_boards_and_in_no_key() {
    let config = |family: &str| {
        format!(
            "name: families\nboards:\n  - {{size: [4, 5]{family}}}\n  - {{size: 6}}\n\
             encodings: [pairwise]\nsolvers: [cadical]\n\
             include:\n  - {{encodings: binary}}\n  - {{boards: {{size: 5}}, solvers: batsat}}\n"
        )
    };
    let (plain, stated) = (config(""), config(", family: ' small ones '"));
    let read = parse(&stated).unwrap();
    let board = |side| Instance::from(Board::new(side).unwrap());
    // An inclusion takes the family over. A board without a stated family is no contradiction.
    let expected = [4, 5].map(|side| (board(side), "small ones".to_owned()));
    assert_eq!(read.families, HashMap::from(expected));
    assert_eq!(parse(&plain).unwrap().families, HashMap::new());
    let catalog = Catalog::standard();
    let keys = |text: &str| {
        let plan = Plan::new(&parse(text).unwrap(), &catalog).unwrap();
        plan.keys().into_iter().cloned().collect::<HashSet<_>>()
    };
    assert_eq!(keys(&plain), keys(&stated));
    let plan = Plan::new(&read, &catalog).unwrap();
    assert!(plan.summary().to_string().contains("families   small ones (5)"), "{}", plan.summary());
}

#[test]
fn a_board_of_two_families_and_names_that_are_none_are_refused() {
    let two = "name: two\nboards: {size: [4, 5], family: small}\nencodings: pairwise\nsolvers: cadical\n\
               include:\n  - {boards: {size: 5, family: odd}, solvers: batsat}\n";
    let error = parse(two).unwrap_err();
    assert_eq!((error.line, error.column), (Some(6), Some(21)), "{error}");
    let wording = error.to_string();
    assert!(
        wording.contains(
            "the board 5 is of the family `odd` here, and of `small` in line 2, column 20"
        ),
        "{wording}"
    );
    assert!(wording.contains("name the same family in both"), "{wording}");
    for (name, wording) in [
        ("''", "`family` names the family of these boards, and is empty"),
        ("\"a\\nb\"", "`family` is one line of text"),
        ("3", "`family` must be"),
        (&"x".repeat(61), "`family` has more than 60 characters"),
    ] {
        let text = SMALLEST.replace("size: 8", &format!("size: 8, family: {name}"));
        let error = parse(&text).unwrap_err().to_string();
        assert!(error.contains(wording), "{error}");
    }
}

#[test]
fn a_range_of_sizes_is_a_board_for_each() {
    let boards = |size: &str| -> Vec<String> {
        let text = SMALLEST.replace("size: 8", &format!("size: {size}"));
        assert!(super::schema::fits_schema(&text), "{text}");
        let boards = parse(&text).unwrap_or_else(|error| panic!("{error}")).matrix.instances;
        boards.iter().map(|entry| entry.instance.to_string()).collect()
    };
    assert_eq!(boards("4..7"), ["4", "5", "6", "7"]);
    assert_eq!(boards("[4..5, 3x4, 9]"), ["4", "5", "3x4", "9"]);
}
