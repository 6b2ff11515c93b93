//! Programs that encode boards, and the lines of boards, as real shell scripts. Such a program is started by a copy of
//! this one, which supervises it, so this is no program of the test harness.

#[path = "../../bezzel-experiment/src/tests/encoder_script.rs"]
mod encoder_script;

use std::{env, io};

use bezzel_encode::{Constraints, Encoding, Formula, InputOrder, Registry, Settings};
use bezzel_experiment::{EncoderPrograms, Permission};
use bezzel_process::supervisor;
use bezzel_queens::{Board, Square};

use encoder_script::{PAIRWISE, QUICK, Script, pairs_of_grids};

const TESTS: [(&str, fn()); 4] = [
    (
        "a_program_encodes_as_the_same_encoding_of_ours_does",
        a_program_encodes_as_the_same_encoding_of_ours_does,
    ),
    (
        "a_program_is_a_part_of_mixtures_and_cut_offs_like_others",
        a_program_is_a_part_of_mixtures_and_cut_offs_like_others,
    ),
    (
        "whatever_is_set_beside_it_a_program_is_asked_for_what_is_needed",
        whatever_is_set_beside_it_a_program_is_asked_for_what_is_needed,
    ),
    ("a_program_may_encode_boards_and_refuse_some", a_program_may_encode_boards_and_refuse_some),
];

fn main() {
    let words: Vec<String> = env::args().skip(1).collect();
    if words == ["supervise"] {
        supervisor::serve(&mut io::stdout().lock()).unwrap();
        return;
    }
    let mut filters = words.iter().filter(|word| !word.starts_with('-'));
    let filter = filters.next().map_or("", String::as_str);
    for (_, test) in TESTS.iter().filter(|(name, _)| name.contains(filter)) {
        test();
    }
}

/// Rooks, by pairs of squares in one row or column. Boards of queens are refused.
fn rooks() -> Script {
    let words = "word piece geometry rows columns";
    Script::new(&pairs_of_grids(words, "$piece = queens", "rooks only"))
}

fn board(side: u32) -> Board {
    Board::new(side).unwrap()
}

fn formula(encoding: &dyn Encoding, board: &Board) -> Formula {
    let mut formula = Formula::new();
    encoding.encode(&board.problem(), &mut formula);
    formula
}

fn a_program_encodes_as_the_same_encoding_of_ours_does() {
    let script = Script::new(PAIRWISE);
    let registry = bezzel_queens::register(Registry::standard());
    let mut programs = EncoderPrograms::new(&registry, QUICK, &Permission::everything());
    let ours = registry.find("pairwise").unwrap();
    for board in [board(1), board(2), board(6), Board::rectangle(3, 5).unwrap()] {
        let settings = Settings::from(Constraints::NoColumnAlo);
        let found = programs.find(&script.name(), settings, &board.clone().into()).unwrap();
        let (theirs, ours) = (found.with_settings(settings), ours.with_settings(settings));
        assert_eq!(formula(&*theirs, &board), formula(&*ours, &board), "{board}");
        assert_eq!(theirs.size(&board.problem()), ours.size(&board.problem()));
        assert_eq!(found.info().id, script.name());
    }
}

fn a_program_is_a_part_of_mixtures_and_cut_offs_like_others() {
    let script = Script::new(PAIRWISE);
    let registry = bezzel_queens::register(Registry::standard());
    let mut programs = EncoderPrograms::new(&registry, QUICK, &Permission::everything());
    let command = script.name();
    let settings = Settings::default();
    for (name, ours) in [
        (
            format!("{{rows: product, columns: bitwise, diagonals: {command}}}"),
            "{rows: product, columns: bitwise, diagonals: pairwise}",
        ),
        (
            format!("{{short: {command}, long: product, at: 4}}"),
            "{short: pairwise, long: product, at: 4}",
        ),
    ] {
        let board = board(6);
        let found = programs.find(&name, settings, &board.clone().into()).unwrap();
        let ours = registry.find(ours).unwrap().with_settings(settings);
        assert_eq!(formula(&*found.with_settings(settings), &board), formula(&*ours, &board));
        assert_eq!(found.info().id, name);
        // The revision is that of the program. Those of the other encodings do not matter.
        assert!(found.info().revision > 4);
    }
}

fn whatever_is_set_beside_it_a_program_is_asked_for_what_is_needed() {
    let script = Script::new(PAIRWISE);
    let registry = bezzel_queens::register(Registry::standard());
    let mut programs = EncoderPrograms::new(&registry, QUICK, &Permission::everything());
    let ours = registry.find("pairwise").unwrap();
    let blocked = [(1, 1), (1, 2), (2, 4), (5, 5)].map(Square::from);
    let board = board(5).with_blocked(blocked).unwrap();
    for input_order in [InputOrder::AsStated, InputOrder::Reversed, InputOrder::Random(1)] {
        let settings = Settings { input_order, ..Settings::default() };
        let found = programs.find(&script.name(), settings, &board.clone().into()).unwrap();
        let (theirs, ours) = (found.with_settings(settings), ours.with_settings(settings));
        assert_eq!(theirs.fits(&board.problem()), ours.fits(&board.problem()));
        if ours.fits(&board.problem()).is_ok() {
            assert_eq!(formula(&*theirs, &board), formula(&*ours, &board), "{settings:?}");
        }
    }
}

fn a_program_may_encode_boards_and_refuse_some() {
    let script = rooks();
    let registry = bezzel_queens::register(Registry::standard());
    let mut programs = EncoderPrograms::new(&registry, QUICK, &Permission::everything());
    let rooks = board(4).with_piece(bezzel_queens::Piece::Rook);
    let given = rooks.clone().with_placed([Square::new(1, 2)]).unwrap();
    let found =
        programs.find(&script.of_instances(), Settings::default(), &given.clone().into()).unwrap();
    assert!(!found.has_lines());
    let encoding = found.with_settings(Settings::default());
    for property in [
        bezzel_queens::encode::properties::board::well_formed,
        bezzel_queens::encode::properties::board::solutions,
        bezzel_queens::encode::properties::board::layout,
    ] {
        assert_eq!(property(&*encoding, &[rooks.clone(), given.clone()]), Ok(()));
    }
    let found =
        programs.find(&script.of_instances(), Settings::default(), &board(3).into()).unwrap();
    let refused =
        found.with_settings(Settings::default()).fits(&board(3).problem()).unwrap_err().to_string();
    assert!(refused.ends_with("does not fit the board 3: rooks only; the program refused it"));
}
