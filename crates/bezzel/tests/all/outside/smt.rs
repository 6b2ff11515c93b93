//! SMT-LIB files read by SMT solvers: version 2.6 by Z3, cvc5 and Yices 2, version 1.2 by Yices 2, which still reads
//! it.

use bezzel_encode::format::Format;
use bezzel_encode::{Constraints, Numbering, Registry};
use bezzel_queens::Board;

use crate::outside::tools::{boards, decode, encodings, file, output};
use crate::program::is_installed;

/// The output of the solver from the verdict on, without the text that Yices prints before.
fn answer(program: &str, options: &[&str], path: &std::path::Path) -> String {
    let printed = output(program, options, path);
    let is_verdict = |line: &&str| matches!(*line, "sat" | "unsat");
    let verdict = printed.lines().find(is_verdict);
    let verdict = verdict.unwrap_or_else(|| panic!("{program} says {printed}"));
    let begin = verdict.as_ptr() as usize - printed.as_ptr() as usize;
    printed[begin..].to_owned()
}

fn read_by(format: Format, solvers: &[(&str, &[&str])]) {
    let solvers: Vec<_> = solvers.iter().filter(|(program, _)| is_installed(program)).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("queens.{format}"));
    // The solvers take turns, each with boards of both kinds.
    let mut turns = solvers.iter().cycle();
    for encoding in encodings(format) {
        for (board, has_solution) in boards() {
            let text = file(format, encoding.as_ref(), &board, &Numbering::random(7));
            std::fs::write(&path, &text).unwrap();
            let Some((program, options)) = turns.next() else { return };
            let what = format!("{} on {board} by {program}", encoding.info().id);
            let placement = decode(&answer(program, options, &path), Some(&text), &what);
            assert_eq!(placement.is_some(), has_solution, "{what}");
            if let Some(placement) = placement {
                assert_eq!(placement.judge(&board), Ok(()), "{what}");
            }
        }
    }
    // Beyond nine columns the names of variables identify the squares, without a second file.
    let board = Board::new(12).unwrap();
    let counter = bezzel_queens::register(Registry::standard()).find("sequential-counter").unwrap();
    let counter = counter.with_settings(Constraints::Full);
    std::fs::write(&path, file(format, counter.as_ref(), &board, &Numbering::AS_GENERATED))
        .unwrap();
    for (program, options) in &solvers {
        let placement = decode(&answer(program, options, &path), None, program).unwrap();
        assert_eq!(placement.judge(&board), Ok(()), "{program}");
    }
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn smt_solvers_read_every_encoding_and_their_models_decode() {
    let solvers: [(&str, &[&str]); 3] =
        [("z3", &[]), ("cvc5", &[]), ("yices-smt2", &["--smt2-model-format"])];
    read_by(Format::Smt2, &solvers);
}

#[test]
#[ignore = "second tier: it runs programs of others"]
fn yices_reads_every_encoding_in_the_form_of_zantemas_text() {
    read_by(Format::Smt1, &[("yices-smt", &["--show-model"])]);
}
