//! `docs/encodings.md` has every encoding of the registry with its computed sizes and numbers of models, and
//! `docs/sources.md` their ideas and sources.
//!
//! After a change of encodings, write it again:
//!
//! ```text
//! BEZZEL_BLESS=1 cargo test -p bezzel-queens --test all overview
//! ```

use std::fmt::Write;
use std::thread;

use bezzel_encode::certificate::Certificate;
use bezzel_encode::properties::ModelCounts;
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::size::grouped;
use bezzel_encode::{ClauseSink, Formula, Lit, Propagation, Registry, Size};
use bezzel_queens::Board;
use bezzel_queens::encode::properties::Profile;
use bezzel_queens::register;

use crate::pages::assert_current;

const HEAD: &str = "\
<!-- Written by `BEZZEL_BLESS=1 cargo test -p bezzel-queens --test all overview`; not edited. -->

# Encodings

Every encoding of Bezzel. All numbers and properties are computed from the clauses. [sources.md](sources.md) has ideas and
sources. The page of encodings beside the reports (`bezzel serve`, `/reports/encodings.html`) has sizes for n up to 1,000,
and for k above 1 up to 128. `bezzel show ID` prints the profile of one encoding: more sizes, the sections of the formula,
and the results of unit propagation with the smallest counterexamples.

- *Propagation*, for a queen and a square that it attacks. Unit propagation falsifies the square (`complete`; for at most
  one this is generalised arc consistency, GAC). Or it finds a conflict only if a queen is placed there, too
  (`refuting`). Or it does not find this conflict (`weak`).
- *Auxiliary* variables. There are none (`none`), the squares determine their values (`defined`, also called functionally
  defined), or the squares do not (`free`).
- *Models*: the number of models for each of the 92 solutions at N = 8.
- *n = 8* and *n = 100*: auxiliary variables / clauses of at most one of n inputs.
- *N = 60*: variables / clauses of the board of side 60.
- *Certified*: the largest n, of 2 to 16, 32 and 64, for which Bezzel finds proofs that the clauses state at most one of
  n. VeriPB accepts these proofs ([certificates.md](certificates.md)).
";

const HEAD_OF_SOURCES: &str = "\
<!-- Written by `BEZZEL_BLESS=1 cargo test -p bezzel-queens --test all overview`; not edited. -->

# Ideas and sources of encodings

Each heading stands for an encoding and its variants. [at-most-k.md](at-most-k.md#sources) and
[weighted-sums.md](weighted-sums.md#sources) have those of larger bounds and of weights.
";

/// All profiles in the order of the registry.
fn profiles() -> Vec<Profile> {
    let registry = register(Registry::standard());
    let board = Board::new(8).unwrap();
    let ids: Vec<String> = registry.infos().into_iter().map(|info| info.id).collect();
    let of = |id: &String| Profile::of(&registry.find(id).unwrap(), Vec::new(), &board);
    let (first, second) = ids.split_at(ids.len() / 2);
    thread::scope(|scope| {
        let second = scope.spawn(|| second.iter().map(of).collect());
        let first: Vec<_> = first.iter().map(of).collect();
        [first, second.join().unwrap()].concat()
    })
}

fn overview(profiles: &[Profile]) -> String {
    let (lines, boards): (Vec<_>, Vec<_>) =
        profiles.iter().partition(|profile| profile.line.is_some());
    let mut text = HEAD.to_owned();
    for (title, kind, n) in [
        ("Of lines, lifted to the board", lines, &["n = 8", "n = 100"][..]),
        ("Of whole boards", boards, &[]),
    ] {
        let last: &[&str] = if n.is_empty() { &[] } else { &["certified"] };
        let columns = ["id", "propagation", "auxiliary", "models"];
        let head = [&columns, n, &["N = 60"], last].concat();
        let rule: String = head.iter().skip(4).map(|_| " ---: |").collect();
        write!(text, "\n## {title}\n\n| {} |", head.join(" | ")).unwrap();
        writeln!(text, "\n| --- | --- | --- | ---: |{rule}").unwrap();
        for profile in kind {
            writeln!(text, "| {} |", row(profile).join(" | ")).unwrap();
        }
    }
    text
}

/// The ideas and the sources, of variants together.
fn sources(profiles: &[Profile]) -> String {
    let mut text = HEAD_OF_SOURCES.to_owned();
    for name in distinct(profiles.iter().map(|profile| profile.info.name())) {
        let infos = profiles.iter().map(|profile| &profile.info).filter(|info| info.name() == name);
        let infos: Vec<_> = infos.collect();
        let citations = distinct(infos.iter().map(|info| &*info.citation));
        let source = format!("Source: {}", citations.join(" / "));
        let mut about = [&infos[0].title, &infos[0].idea, &source]
            .map(|part| part.trim_end_matches('.'))
            .to_vec();
        about.retain(|part| !part.is_empty() && part.replace(' ', "-") != name);
        write!(text, "\n## {name}\n\n{}.\n", about.join(". ")).unwrap();
    }
    text
}

/// These texts without repetitions, in their order.
fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    texts.fold(Vec::new(), |mut known, text| {
        if !known.contains(&text) {
            known.push(text);
        }
        known
    })
}

/// The id, the verdicts and the sizes.
fn row(profile: &Profile) -> Vec<String> {
    let Profile { info, line, board, sizes, .. } = profile;
    let models = board.as_ref().and_then(|board| board.models.last());
    let of_lines = line.iter().flat_map(|line| &line.forms[0].sizes).filter(|(n, _)| *n != 32);
    let of_boards = sizes.iter().filter(|(side, _)| *side == 60);
    let sizes = of_lines.map(|(_, size)| size).chain(of_boards.map(|(_, size)| size));
    let verdicts = [
        format!("`{}`", info.id),
        info.propagation.to_string(),
        info.auxiliaries.to_string(),
        models.map_or("–".into(), per_solution),
    ];
    let sizes = sizes.map(|Size { variables, clauses, .. }| {
        format!("{} / {}", grouped(*variables), grouped(*clauses))
    });
    let certified = line.is_some().then(|| certified(&info.id).to_string());
    verdicts.into_iter().chain(sizes).chain(certified).collect()
}

/// The largest number of inputs up to which certificates are made.
fn certified(id: &str) -> u32 {
    let NamedEncoding::AtMostOne(encoding) = register(Registry::standard()).find(id).unwrap()
    else {
        panic!("{id} encodes lines");
    };
    let is_certified = |n: &u32| {
        let mut formula = Formula::new();
        let xs: Vec<Lit> = formula.fresh(*n).lits().collect();
        encoding.encode(&xs, &mut formula);
        Certificate::new(&formula, *n, 1).is_ok()
    };
    (2..=16).chain([32, 64]).take_while(is_certified).last().unwrap_or(0)
}

/// The number of models for each solution, cut to a whole number.
fn per_solution(count: &ModelCounts) -> String {
    let per = |models: u128| grouped(models / u128::from(count.solutions));
    count.models.map_or("not counted".into(), per)
}

#[test]
fn the_overview_of_all_encodings_is_current() {
    let profiles = profiles();
    for profile in &profiles {
        let Profile { info, line, board, .. } = profile;
        assert!(profile.is_right(), "{}", profile.text());
        if let Some(line) = line {
            let declared = (0, info.auxiliaries, info.propagation == Propagation::Complete);
            let found = (line.correct.undecided, line.forms[0].auxiliaries, line.is_complete());
            assert_eq!(found, declared, "{}", info.id);
        } else if let Some(board) = board {
            assert_eq!((board.correct.undecided, board.correct.exhaustive), (0, 8), "{}", info.id);
            let declared = (info.propagation, info.auxiliaries);
            assert_eq!((board.one_queen, board.auxiliaries), declared, "{}", info.id);
        }
    }
    let mut given_up = profiles[0].clone();
    given_up.line.as_mut().expect("an encoding of lines").correct.undecided = 3;
    let text = given_up.text();
    assert!(text.contains("\ncorrect      no fault found; 3 of "), "{text}");
    assert_current("encodings.md", &overview(&profiles), "overview");
    assert_current("sources.md", &sources(&profiles), "overview");
}
