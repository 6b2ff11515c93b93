//! Boards from seeds, against the generator and the search.

use bezzel_queens::Backtrack;
use bezzel_queens::{Board, Piece, Placement, Recipe};

use super::*;

fn boards(entry: &str) -> Vec<Board> {
    let config = parse(&SMALLEST.replace("{size: 8}", entry));
    let config = config.unwrap_or_else(|error| panic!("{error}"));
    config.matrix.instances.iter().filter_map(|entry| Board::of(&entry.instance)).cloned().collect()
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
fn a_stated_answer_is_that_of_the_boards() {
    let solvable = |answer: &str| -> Vec<bool> {
        let search = |board: &Board| Backtrack::new(board).unwrap().first(1 << 30).unwrap();
        let entry = format!(
            "{{size: 8, generate: {{kind: blocked, density: 0.5, answer: {answer}, seeds: 1..8}}}}"
        );
        boards(&entry).iter().map(|board| search(board).is_some()).collect()
    };
    assert_eq!(solvable("sat"), [true; 8]);
    assert_eq!(solvable("unsat"), [false; 8]);
}

#[test]
fn a_solution_that_is_drawn_from_all_of_them_is_one() {
    let planted = |how: &str| {
        boards(&format!(
            "{{size: 8, generate: {{kind: completion, queens: 8, planted: {how}, seeds: [2, 5]}}}}"
        ))
    };
    assert_ne!(planted("uniform"), planted("found"));
    for board in planted("uniform") {
        let queens: Placement = board.placed().iter().copied().collect();
        assert_eq!(queens.judge(&Board::new(8).unwrap()), Ok(()));
    }
}

#[test]
fn the_summary_counts_the_jobs_of_a_family() {
    let config =
        parse(&SMALLEST.replace("{size: 8}", "{size: [4, 5]}, family: small ones")).unwrap();
    let plan = table::without_programs(&config, &bezzel_queens::experiment::catalog()).unwrap();
    let summary = plan.summary();
    assert!(summary.to_string().contains("families   small ones (2)"), "{summary}");
}
