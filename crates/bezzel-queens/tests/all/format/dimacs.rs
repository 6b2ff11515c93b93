//! Files must have the intended content for RustSAT's reader, and for a script that reads the comments only.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use bezzel_problem::Problem;
use bezzel_queens::{Board, Placement, Square};
use rustsat::instances::{BasicVarManager, SatInstance};
use rustsat::types::Lit;

use super::{ALL_SHUFFLED, COMMENTS, boards, encoding, one_of_each_family};
use bezzel_encode::ClauseSink;
use bezzel_encode::Encoding;
use bezzel_encode::EncodingInfo;
use bezzel_encode::Formula;
use bezzel_encode::Size;
use bezzel_encode::VarMap;
use bezzel_encode::format::Format;
use bezzel_encode::format::dimacs::{Preamble, Writer};
use bezzel_encode::numbering::{AuxiliaryPlace, Numbering, SquareOrder};

const NUMBERINGS: [Numbering; 4] = [
    Numbering::AS_GENERATED,
    Numbering::random(5),
    ALL_SHUFFLED,
    Numbering::ordered(SquareOrder::Spiral, AuxiliaryPlace::Between),
];

fn text(encoding: &dyn Encoding, board: &Board, numbering: &Numbering) -> String {
    let mut bytes = Vec::new();
    Format::Dimacs.write(encoding, &board.problem(), numbering, COMMENTS, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The clauses in a file, by RustSAT's reader.
fn read(text: &str) -> Vec<Vec<Lit>> {
    let instance = SatInstance::<BasicVarManager>::from_dimacs(&mut text.as_bytes()).unwrap();
    instance.cnf().iter().map(|clause| clause.iter().copied().collect()).collect()
}

pub(super) fn check_reading_back(encodings: Vec<Arc<dyn Encoding>>) {
    for encoding in encodings {
        let id = encoding.info().id;
        for board in boards() {
            let mut plain = Formula::new();
            let map = encoding.encode(&board.problem(), &mut plain);
            for numbering in NUMBERINGS {
                let mut formula = Formula::new();
                let images = numbering.images(&board.problem(), plain.variables(), &map);
                numbering.encode(&*encoding, &board.problem(), &images, &mut formula);
                let case = format!("{id} on {board}, {}", numbering.id());
                for preamble in [Preamble::None, COMMENTS] {
                    let mut bytes = Vec::new();
                    let size = Format::Dimacs
                        .write(&*encoding, &board.problem(), &numbering, preamble, &mut bytes)
                        .unwrap();
                    assert_eq!(size, formula.size(), "{case}");
                    let text = str::from_utf8(&bytes).unwrap();
                    assert!(formula.clauses().eq(read(text)), "{case}");
                    let header = text.lines().find(|line| !line.starts_with('c')).unwrap();
                    let Size { variables, clauses, .. } = size;
                    assert_eq!(header, format!("p cnf {variables} {clauses}"), "{case}");
                    let lines = text.lines().skip_while(|line| *line != header).count();
                    assert_eq!(lines as u128, clauses + 1, "{case}: no comment after the header");
                }
            }
        }
    }
}

#[test]
fn every_encoding_reads_back_clause_by_clause() {
    check_reading_back(one_of_each_family());
}

/// The lists in the comments under a word, as text: all lines `c WORD KEY ITEMS`, by key.
fn listed<'a>(text: &'a str, word: &str) -> BTreeMap<&'a str, Vec<&'a str>> {
    let mut listed = BTreeMap::<_, Vec<_>>::new();
    for line in text.lines() {
        let mut words = line.split(' ');
        if words.next() == Some("c") && words.next() == Some(word) {
            listed.entry(words.next().unwrap()).or_default().extend(words);
        }
    }
    listed
}

/// The queens of a model, found by the lines `c square` alone, as in a script.
fn queens(text: &str, holds: impl Fn(i32) -> bool) -> Placement {
    let squares = listed(text, "square").into_iter();
    let queens = squares
        .filter(|(_, lits)| lits.iter().all(|lit| holds(lit.parse().unwrap())))
        .map(|(square, _)| {
            let (row, column) = square.split_once(',').unwrap();
            Square::new(row.parse::<u32>().unwrap() - 1, column.parse::<u32>().unwrap() - 1)
        });
    queens.collect()
}

pub(super) fn check_comments(encodings: Vec<Arc<dyn Encoding>>) {
    let board = Board::new(4).unwrap();
    let mut tried = 0;
    for encoding in encodings {
        for numbering in NUMBERINGS {
            let text = text(&*encoding, &board, &numbering);
            let clauses = read(&text);
            let header = text.lines().find(|line| line.starts_with('p')).unwrap();
            let variables: u32 = header.split(' ').nth(2).unwrap().parse().unwrap();
            if variables > 16 {
                continue;
            }
            // All assignments, a bit of the number each.
            let holds = |model: u32, lit: i32| (model >> (lit.abs() - 1) & 1 == 1) == (lit > 0);
            let models = (0..1 << variables).filter(|&model| {
                clauses.iter().all(|clause| clause.iter().any(|lit| holds(model, lit.to_ipasir())))
            });
            let found: BTreeSet<_> =
                models.map(|model| queens(&text, |lit| holds(model, lit))).collect();
            assert_eq!(found.len(), 2, "{} {}", encoding.info().id, numbering.id());
            assert!(found.iter().all(|placement| placement.judge(&board).is_ok()));
            tried += 1;
        }
    }
    assert!(tried >= NUMBERINGS.len(), "pairwise at least has no more than 16 variables");
}

#[test]
fn a_script_finds_the_queens_of_every_model_by_the_comments_alone() {
    check_comments(one_of_each_family());
}

/// The numbers of items like `5` and `7..9`.
fn numbers(items: &[&str]) -> Vec<u32> {
    let bound = |text: &str| text.parse::<u32>().unwrap();
    let range = |item: &&str| match item.split_once("..") {
        Some((first, last)) => bound(first)..=bound(last),
        None => bound(item)..=bound(item),
    };
    items.iter().flat_map(range).collect()
}

pub(super) fn check_accounts(encodings: Vec<Arc<dyn Encoding>>) {
    for encoding in encodings {
        for board in boards() {
            for numbering in NUMBERINGS {
                let text = text(&*encoding, &board, &numbering);
                let case = format!("{} on {board}, {}", encoding.info().id, numbering.id());
                let header = text.lines().find(|line| line.starts_with('p')).unwrap();
                let sizes: Vec<u32> =
                    header.split(' ').skip(2).map(|size| size.parse().unwrap()).collect();

                let squares = listed(&text, "square");
                assert_eq!(squares.len(), board.squares() as usize, "{case}");
                let lits = squares.values().flatten().map(|lit| lit.parse::<i32>().unwrap());
                let in_squares: BTreeSet<u32> = lits.map(i32::unsigned_abs).collect();
                let names = listed(&text, "varname");
                let named: BTreeSet<u32> = names.keys().map(|id| id.parse().unwrap()).collect();
                assert_eq!(named, (1..=sizes[0]).collect(), "{case}");
                let labels: BTreeSet<_> = names.values().collect();
                assert_eq!(labels.len(), named.len(), "{case}: labels differ from each other");

                let auxiliary = listed(&text, "auxiliary").into_values();
                let auxiliary = auxiliary.flat_map(|items| numbers(&items));
                let mut variables: Vec<u32> = in_squares.into_iter().chain(auxiliary).collect();
                variables.sort_unstable();
                assert!(variables.into_iter().eq(1..=sizes[0]), "{case}");

                let clauses = listed(&text, "clauses").into_values();
                let mut clauses: Vec<_> = clauses.flat_map(|items| numbers(&items)).collect();
                clauses.sort_unstable();
                let expected = if numbering.clauses.is_some() { 0 } else { sizes[1] };
                assert!(clauses.into_iter().eq(1..=expected), "{case}");
            }
        }
    }
}

#[test]
fn every_variable_and_every_clause_is_accounted_for_once() {
    check_accounts(one_of_each_family());
}

#[test]
fn a_small_file_is_exactly_so() {
    let square = Square::new(0, 1);
    let board = Board::new(2).unwrap().with_blocked([square]).unwrap();
    let expected = concat!(
        "c generator: bezzel-encode ",
        env!("CARGO_PKG_VERSION"),
        "\n\
         c made by: the tests\n\
         c encoding: pairwise, revision 1\n\
         c title: pairwise\n\
         c citation: folklore; Cook, second approach; Zantema; Cao 2020, ψ1–ψ7\n\
         c constraints: rows and columns exactly one, diagonals at most one\n\
         c numbering: random, variables by seed 1, literals by seed 1\n\
         c board: 2 with 1,2 blocked\n\
         c blocked: 1,2\n\
         c variables: 4, of which 4 primary\n\
         c clauses: 11\n\
         c literals: 21\n\
         c section rows: 4 variables, 4 clauses, 8 literals\n\
         c clauses rows 1..4\n\
         c section columns: 0 variables, 4 clauses, 8 literals\n\
         c clauses columns 5..8\n\
         c section diagonals: 0 variables, 1 clauses, 2 literals\n\
         c clauses diagonals 9\n\
         c section antidiagonals: 0 variables, 1 clauses, 2 literals\n\
         c clauses antidiagonals 10\n\
         c section blocked: 0 variables, 1 clauses, 1 literals\n\
         c clauses blocked 11\n"
    );
    let numbering = Numbering::random(1);
    let text = text(&*encoding("pairwise"), &board, &numbering);
    assert_eq!(text.split_inclusive("c varname").next().unwrap(), format!("{expected}c varname"));
    let map = encoding("pairwise").encode(&board.problem(), &mut Formula::new());
    let images = numbering.images(&board.problem(), 4, &map);
    let image = images.of(Lit::positive(1)).to_ipasir();
    assert!(text.contains(&format!("c varname {image} x_{{1,2}}\n")));
    assert!(text.contains(&format!("c square 1,2 {image}\n")));
    assert!(text.ends_with(&format!("\n{} 0\n", -image)));
}

/// An encoding whose information and section contain options for CaDiCaL, and whose size depends on the number of calls.
struct GrowingEncoding {
    calls: AtomicU32,
    growth: u32,
}

impl Encoding for GrowingEncoding {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "sly".into(),
            title: "--elim=0\np cnf 1 1".into(),
            citation: "-\u{2028}c ---factor\r--".into(),
            ..encoding("pairwise").info()
        }
    }

    fn size(&self, _: &Problem) -> Option<Size> {
        None
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        out.section("--no reason");
        let squares = out.fresh(problem.candidates());
        for _ in 0..=self.growth * self.calls.fetch_add(1, Ordering::Relaxed) {
            out.clause(&[squares.lit(0)]);
        }
        VarMap::one_per_candidate(squares)
    }
}

#[test]
fn no_comment_holds_an_option_for_cadical_or_ends_its_line() {
    let growing = GrowingEncoding { calls: AtomicU32::new(0), growth: 0 };
    let board = Board::new(2).unwrap();
    let preamble = Preamble::Comments { made_by: "bezzel --x\n--y ----z\n", names: false };
    let mut bytes = Vec::new();
    Format::Dimacs
        .write(&growing, &board.problem(), &Numbering::AS_GENERATED, preamble, &mut bytes)
        .unwrap();
    let text = String::from_utf8(bytes).unwrap();
    assert!(!text.contains("--"), "{text}");
    assert!(text.contains("c made by: bezzel - -x - -y - - - -z \n"), "{text}");
    assert!(text.contains("c clauses -_-no_reason 1\n"), "{text}");
    let (comments, rest) = text.split_once("\np cnf 4 1\n").unwrap();
    assert!(comments.split('\n').all(|line| line.starts_with("c ")));
    assert!(!comments.contains(|char: char| char != '\n' && char.is_control()));
    assert_eq!(rest, "1 0\n");
}

#[test]
fn an_encoding_that_changes_between_the_passes_is_reported() {
    let growing = GrowingEncoding { calls: AtomicU32::new(0), growth: 1 };
    let board = Board::new(2).unwrap();
    let error = Format::Dimacs.write(
        &growing,
        &board.problem(),
        &Numbering::AS_GENERATED,
        Preamble::None,
        &mut io::sink(),
    );
    assert_eq!(
        error.unwrap_err().to_string(),
        "writing the formula failed: `sly` wrote 1 clauses of 4 variables when measured, then 2 \
         of 4"
    );
}

/// A disk that is full after some bytes, and counts the writes.
struct CountingFullDisk {
    left: usize,
    writes: Rc<Cell<u32>>,
}

impl Write for CountingFullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writes.set(self.writes.get() + 1);
        let writes = self.writes.get();
        let written = bytes.len().min(self.left);
        self.left -= written;
        if written == 0 { Err(io::Error::other(format!("full at {writes}"))) } else { Ok(written) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_first_error_is_kept_and_nothing_is_written_after_it() {
    let writes = Rc::new(Cell::new(0));
    let mut writer = Writer::new(CountingFullDisk { left: 1_000_000, writes: Rc::clone(&writes) });
    let range = writer.fresh(2);
    // The text of some 20 buffers.
    for _ in 0..1_000_000 {
        writer.clause(&[range.lit(0), range.lit(1)]);
    }
    let calls = writes.get();
    assert!((2..10).contains(&calls), "{calls} calls for a million bytes and one error");
    let error = writer.finish().map(|_| ()).unwrap_err();
    assert_eq!(error.to_string(), format!("full at {calls}"));
    assert_eq!(writes.get(), calls);
}

/// The text of some clauses, over `variables` variables.
fn clauses_text(variables: u32, clauses: &[Vec<Lit>]) -> String {
    let mut writer = Writer::new(Vec::new());
    writer.fresh(1);
    writer.fresh(variables - 1);
    for clause in clauses {
        writer.clause(clause);
    }
    assert_eq!((writer.variables(), writer.clauses()), (variables, clauses.len() as u64));
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

fn plain_text(clauses: &[Vec<Lit>]) -> String {
    let line = |clause: &Vec<Lit>| {
        let numbers = clause.iter().map(|lit| lit.to_ipasir().to_string());
        numbers.chain(["0\n".to_owned()]).collect::<Vec<_>>().join(" ")
    };
    clauses.iter().map(line).collect()
}

#[test]
fn numbers_of_every_length_are_written_right_ready_or_not() {
    let mut clauses = vec![Vec::new()];
    // On both sides of each power of ten, and of the last number with a text of its own.
    let powers = (0..=9).map(|exponent| 10_u32.pow(exponent));
    for number in powers.chain([1 << 18, 270_000, 12_340_567, i32::MAX as u32 - 1]) {
        for index in [number.saturating_sub(2), number - 1, number] {
            clauses.push(vec![Lit::positive(index), Lit::negative(index)]);
            clauses.push(vec![Lit::negative(index)]);
        }
    }
    assert_eq!(clauses_text(i32::MAX as u32, &clauses), plain_text(&clauses));
}

#[test]
fn a_clause_longer_than_the_buffer_is_written_whole() {
    let long: Vec<_> = (0..100_000).map(Lit::negative).collect();
    let short = vec![Lit::positive(0)];
    let clauses = [short.clone(), long.clone(), short.clone(), long, short];
    assert_eq!(clauses_text(100_000, &clauses), plain_text(&clauses));
}

#[test]
#[should_panic(expected = "the variable of ~x7 was never made")]
fn a_variable_that_was_never_made_is_not_written() {
    let mut writer = Writer::new(Vec::new());
    writer.fresh(7);
    writer.clause(&[Lit::negative(7)]);
}
