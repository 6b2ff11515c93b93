//! OPB files read by pseudo-Boolean solvers: clasp, and MiniSat+, which requires the oldest grammar.

use bezzel_encode::format::Format;
use bezzel_encode::{Constraints, Numbering, Registry};
use bezzel_queens::Board;

use crate::outside::tools::{boards, decode, encodings, file, output};
use crate::program::is_installed;

#[test]
#[ignore = "second tier: it runs programs of others"]
fn pseudo_boolean_solvers_read_every_encoding_and_their_models_decode() {
    let solvers: Vec<_> =
        ["clasp", "minisat+"].into_iter().filter(|solver| is_installed(solver)).collect();
    let folder = tempfile::tempdir().unwrap();
    for encoding in encodings(Format::Opb) {
        for (board, has_solution) in boards() {
            for numbering in [Numbering::AS_GENERATED, Numbering::random(7)] {
                let text = file(Format::Opb, encoding.as_ref(), &board, &numbering);
                let path = folder.path().join("queens.opb");
                std::fs::write(&path, &text).unwrap();
                for solver in &solvers {
                    let what = format!("{} on {board} by {solver}", encoding.info().id);
                    let answer = output(solver, &[], &path);
                    let placement = decode(&answer, Some(&text), &what);
                    assert_eq!(placement.is_some(), has_solution, "{what}");
                    if let Some(placement) = placement {
                        assert_eq!(placement.judge(&board), Ok(()), "{what}");
                    }
                }
            }
        }
    }
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn clasp_counts_the_solutions_of_the_native_constraints() {
    if !is_installed("clasp") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("queens.opb");
    let native = bezzel_queens::register(Registry::standard())
        .find("native")
        .unwrap()
        .with_settings(Constraints::Full);
    for (side, solutions) in [(4, 2), (5, 10), (6, 4), (7, 40), (8, 92)] {
        let board = Board::new(side).unwrap();
        let text = file(Format::Opb, native.as_ref(), &board, &Numbering::random(2));
        std::fs::write(&path, text).unwrap();
        let printed = output("clasp", &["-n", "0", "-q"], &path);
        let models = printed.lines().find_map(|line| line.strip_prefix("c Models         : "));
        assert_eq!(models, Some(&*solutions.to_string()), "n = {side}: {printed}");
    }
}
