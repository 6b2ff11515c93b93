//! Encodings with the same clauses under different names.
//!
//! Encodings of lines are compared as at most one and as exactly one of 9 and of 40 inputs, others on boards of sides 9
//! and 13. The clauses are compared as sets of sets of literals, by one digest; auxiliary variables keep their names.

use std::collections::{BTreeMap, BTreeSet};

use bezzel_problem::Board;
use rustsat::types::Lit;

use crate::clause_hash::ClauseHash;
use crate::formula::Formula;
use crate::properties::Form;
use crate::registry::{NamedEncoding, Registry};
use crate::settings::Settings;
use crate::sink::ClauseSink;

/// The other ids of each listed one that has some, in the order of the registry.
pub fn ids_with_same_clauses(registry: &Registry) -> BTreeMap<String, Vec<String>> {
    let found = registry.infos().into_iter().filter_map(|info| {
        let found = registry.find(&info.id).ok()?;
        Some((info.id, digest_on_lines(&found), digest_on_boards(&found)))
    });
    let found: Vec<_> = found.collect();
    let others =
        found.iter().map(|(id, lines, boards)| {
            let is_same = |(_, their_lines, their_boards): &&(
                _,
                Option<String>,
                Option<String>,
            )| match (lines, their_lines) {
                (Some(lines), Some(theirs)) => lines == theirs,
                _ => boards.is_some() && boards == their_boards,
            };
            let same = found.iter().filter(is_same).map(|(other, ..)| other.clone());
            (id.clone(), same.filter(|other| other != id).collect::<Vec<_>>())
        });
    others.filter(|(_, others)| !others.is_empty()).collect()
}

fn digest_on_lines(found: &NamedEncoding) -> Option<String> {
    let NamedEncoding::AtMostOne(amo) = found else { return None };
    let cases = [9, 40].into_iter().flat_map(|n| Form::ALL.map(|form| form.formula(&**amo, n).1));
    Some(digest(cases))
}

fn digest_on_boards(found: &NamedEncoding) -> Option<String> {
    let boards = [9, 13].map(|side| Board::new(side).expect("small boards are allowed").problem());
    let encoding = found.on_board(Settings::default());
    if boards.iter().any(|board| encoding.fits(board).is_err()) {
        return None;
    }
    Some(digest(boards.iter().map(|board| {
        let mut formula = Formula::new();
        encoding.encode(board, &mut formula);
        formula
    })))
}

/// One digest of formulas, independent of the order of their clauses and literals.
fn digest(formulas: impl Iterator<Item = Formula>) -> String {
    let mut digest = ClauseHash::new();
    for formula in formulas {
        let sorted = |clause: &[Lit]| clause.iter().copied().collect::<BTreeSet<_>>();
        let clauses: BTreeSet<BTreeSet<Lit>> = formula.clauses().map(sorted).collect();
        for clause in clauses {
            digest.clause(&clause.into_iter().collect::<Vec<_>>());
        }
    }
    digest.finish()
}
