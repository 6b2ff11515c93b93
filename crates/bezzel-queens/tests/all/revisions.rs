//! A changed encoding is a new revision, so that no row outlives the clauses that it measured.
//!
//! `golden/revisions.txt` keeps, for every encoding and set of constraints, the revision that the
//! encoding states and a hash of the clauses on some boards. After a change on purpose: count the
//! encoding's `revision` up, then rewrite the file with
//!
//! ```text
//! BEZZEL_BLESS=1 cargo test -p bezzel-queens --test all revisions
//! ```
//!
//! which refuses as long as clauses have changed under the same revision. A new encoding, or a removed one, is blessed
//! in the same way.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::{env, fs};

use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{ClauseHash, Constraints, Encoding, Registry};
use bezzel_queens::register;
use bezzel_queens::{Board, Geometry, Piece};

/// The record of one encoding under one set of constraints.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kept {
    revision: u32,
    digest: String,
}

/// The records by id and constraints.
type Golden = BTreeMap<(String, String), Kept>;

fn path() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "golden", "revisions.txt"].iter().collect()
}

/// The digest of the clauses on boards that show every branch of an encoding: at side 6 a product
/// is still pairwise, at 9 it is a product, and at 40 a product of products.
fn digest(encoding: &dyn Encoding) -> String {
    let board = |side| Board::new(side).unwrap();
    let boards = [
        board(6),
        board(6).with_geometry(Geometry::Torus),
        board(6).with_piece(Piece::Rook),
        board(9),
        board(40),
    ];
    let mut digest = ClauseHash::new();
    for board in &boards {
        encoding.encode(&board.problem(), &mut digest);
    }
    digest.finish()
}

/// The present records of the registry's encodings.
fn present() -> Golden {
    let registry = register(Registry::standard());
    let lifted = registry.at_most_ones().iter().flat_map(|at_most_one| {
        Constraints::ALL.map(|set| {
            let encoding = NamedEncoding::AtMostOne(Arc::clone(at_most_one)).with_settings(set);
            (encoding, set.id())
        })
    });
    let boards = registry.whole_encodings().iter().map(|encoding| (Arc::clone(encoding), "-"));
    lifted
        .chain(boards)
        .map(|(encoding, constraints)| {
            let info = encoding.info();
            let kept = Kept { revision: info.revision, digest: digest(&*encoding) };
            ((info.id, constraints.to_owned()), kept)
        })
        .collect()
}

/// Reads the lines `id constraints revision digest`; `#` begins a comment.
fn parse(text: &str) -> Golden {
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let words: Vec<_> = line.split_whitespace().collect();
            let [id, constraints, revision, digest] = words[..] else {
                panic!("`{line}` should be an id, constraints, a revision and a digest")
            };
            let revision = revision.parse().expect("a revision is a number");
            let kept = Kept { revision, digest: digest.to_owned() };
            ((id.to_owned(), constraints.to_owned()), kept)
        })
        .collect()
}

fn write(golden: &Golden) -> String {
    let heading =
        "# id, constraints, revision, digest of the clauses; revisions.rs says how to rewrite it";
    let lines = golden.iter().map(|((id, constraints), Kept { revision, digest })| {
        format!("{id} {constraints} {revision} {digest}")
    });
    let lines: Vec<String> = std::iter::once(heading.to_owned()).chain(lines).collect();
    lines.join("\n") + "\n"
}

/// The encodings whose clauses differ from those kept, while their revision does not exceed it.
fn stale(kept: &Golden, present: &Golden) -> Vec<String> {
    let changed = |(key, now): &(&(String, String), &Kept)| {
        kept.get(*key).is_some_and(|kept| {
            kept.digest != now.digest && now.revision <= kept.revision
                || now.revision < kept.revision
        })
    };
    let stale = present.iter().filter(changed);
    stale.map(|((id, constraints), _)| format!("{id} {constraints}")).collect()
}

#[test]
fn clauses_change_only_with_their_revision() {
    let kept = parse(&fs::read_to_string(path()).unwrap_or_default());
    let present = present();
    let stale = stale(&kept, &present);
    assert!(
        stale.is_empty(),
        "these have other clauses than their revision had; increase it in their `info`: \
         {stale:#?}"
    );
    if env::var_os("BEZZEL_BLESS").is_some() {
        fs::write(path(), write(&present)).unwrap();
        return;
    }
    let lines = |golden: &Golden| write(golden).lines().map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(&kept), lines(&present));
    let gone: Vec<_> = old.iter().filter(|line| !new.contains(line)).collect();
    let come: Vec<_> = new.iter().filter(|line| !old.contains(line)).collect();
    assert!(
        gone.is_empty() && come.is_empty(),
        "{} is not up to date: gone {gone:#?}, come {come:#?}; rewrite it with BEZZEL_BLESS=1",
        path().display()
    );
}

#[test]
fn changed_clauses_under_an_old_revision_are_stale() {
    let golden = |revision: u32, digest: &str| {
        let key = ("pairwise".to_owned(), "full".to_owned());
        Golden::from([(key, Kept { revision, digest: digest.to_owned() })])
    };
    let kept = golden(2, "old");
    let named = vec!["pairwise full".to_owned()];
    assert_eq!(stale(&kept, &golden(2, "old")), Vec::<String>::new());
    assert_eq!(stale(&kept, &golden(3, "new")), Vec::<String>::new());
    assert_eq!(stale(&kept, &golden(2, "new")), named);
    assert_eq!(stale(&kept, &golden(1, "old")), named, "a revision is never counted down");
    assert_eq!(stale(&Golden::new(), &golden(1, "new")), Vec::<String>::new());
    assert_eq!(parse(&write(&kept)), kept);
}
