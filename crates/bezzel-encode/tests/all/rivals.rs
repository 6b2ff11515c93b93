//! Bezzel's encodings, compared with RustSAT's: equal encodings have equal clauses.

use std::collections::BTreeSet;

use bezzel_encode::amo::bitwise::Bitwise;
use bezzel_encode::amo::pairwise::Pairwise;
use bezzel_encode::amo::sequential_counter::SequentialCounter;
use bezzel_encode::registry::NamedEncoding;
use bezzel_encode::{AtMostOne, ClauseSink, Formula, Lit, Registry};

/// The formula over `n` inputs.
fn formula(at_most_one: &dyn AtMostOne, n: u32) -> Formula {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(n).lits().collect();
    at_most_one.encode(&xs, &mut formula);
    formula
}

fn rival(id: &str, n: u32) -> Formula {
    let Ok(NamedEncoding::AtMostOne(rival)) = Registry::standard().find(id) else {
        panic!("{id} is an at-most-one")
    };
    formula(&*rival, n)
}

#[test]
fn rustsats_pairwise_and_bitwise_write_the_clauses_that_ours_write() {
    for n in 0..=40 {
        assert_eq!(rival("rustsat-pairwise", n), formula(&Pairwise, n), "n = {n}");
        assert_eq!(rival("rustsat-bitwise", n), formula(&Bitwise, n), "n = {n}");
    }
}

#[test]
fn rustsats_ladder_is_the_sequential_counter_with_its_register_negated() {
    for n in 0..=40 {
        let clauses = |formula: &Formula, negated: bool| -> BTreeSet<BTreeSet<Lit>> {
            let image = |&lit: &Lit| if negated && lit.vidx32() >= n { !lit } else { lit };
            formula.clauses().map(|clause| clause.iter().map(image).collect()).collect()
        };
        let ladder = rival("rustsat-ladder", n);
        let counter = formula(&SequentialCounter, n);
        assert_eq!(ladder.size(), counter.size(), "n = {n}");
        assert_eq!(clauses(&ladder, false), clauses(&counter, true), "n = {n}");
    }
}

/// The formula's clauses, in any order, with their literals in any order.
fn clauses(formula: &Formula) -> BTreeSet<BTreeSet<Lit>> {
    formula.clauses().map(|clause| clause.iter().copied().collect()).collect()
}

#[test]
fn rustsats_ladder_is_our_relaxed_one() {
    for n in 0..=40 {
        let ours = rival("ladder:relaxed", n);
        assert_eq!(clauses(&rival("rustsat-ladder", n)), clauses(&ours), "n = {n}");
    }
}

#[test]
fn rustsats_commander_is_our_flat_one_way_one_wherever_no_group_is_of_one() {
    for n in 5..=60 {
        let rival_clauses = clauses(&rival("rustsat-commander", n));
        let ours = clauses(&rival("commander:4+flat+one-way", n));
        assert_eq!(rival_clauses == ours, n % 4 != 1, "n = {n}");
    }
}

#[test]
fn rustsats_bimander_is_ours_from_five_inputs_on() {
    for n in 0..=60 {
        let rival_clauses = clauses(&rival("rustsat-bimander", n));
        let ours = clauses(&rival("bimander:4", n));
        assert_eq!(rival_clauses == ours, !(2..=4).contains(&n), "n = {n}");
    }
}
