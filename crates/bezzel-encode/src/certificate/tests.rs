use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;
use crate::amk;
use crate::bound::Limit;
use crate::models::Decider;
use crate::properties::constraint::threshold_functions;
use crate::registry::Registry;
use crate::sums::SumLimit;

/// The clauses of an at-most-one encoding.
fn at_most_one(encoding: &dyn crate::AtMostOne, n: u32) -> Formula {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(n).lits().collect();
    encoding.encode(&xs, &mut formula);
    formula
}

#[test]
fn every_encoding_of_at_most_one_has_a_certificate() {
    for encoding in Registry::standard().at_most_ones() {
        for n in [2, 3, 4, 7, 10] {
            let formula = at_most_one(&**encoding, n);
            let certificate = Certificate::new(&formula, n, 1);
            let certificate =
                certificate.unwrap_or_else(|why| panic!("{} {n}: {why}", encoding.info().id));
            assert_eq!(check_witnesses(&certificate.to_clauses, n), Ok(()));
            assert!(
                !certificate.to_constraint.contains("red "),
                "nothing new is needed to go back"
            );
        }
    }
}

#[test]
fn every_encoder_of_sums_has_a_certificate() {
    for encoder in Registry::standard().sums() {
        for sum in threshold_functions(4, 4) {
            let n = sum.weights.len() as u32;
            let certificate = Certificate::of_sum(
                &clauses_of(&**encoder, &sum),
                &sum.weights,
                sum.bound,
                &mut |_| None,
            );
            let certificate =
                certificate.unwrap_or_else(|why| panic!("{} {sum:?}: {why}", encoder.info().id));
            for proof in [&certificate.to_clauses, &certificate.to_constraint] {
                assert_eq!(check_witnesses(proof, n), Ok(()));
            }
        }
    }
}

/// The clauses of a sum.
fn clauses_of(encoder: &dyn crate::AtMostOne, sum: &SumLimit) -> Formula {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(sum.weights.len() as u32).lits().collect();
    sum.encode(encoder, &xs, &mut formula);
    formula
}

#[test]
fn a_certificate_of_pairs_reads_like_this() {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(3).lits().collect();
    let y = formula.fresh(1).lit(0);
    for clause in [[!xs[0], !xs[1]], [!xs[0], y], [!xs[1], y], [!y, !xs[2]]] {
        formula.clause(&clause);
    }
    let certificate = Certificate::new(&formula, 3, 1).unwrap();
    assert_eq!(
        certificate.constraint,
        "* #variable= 3 #constraint= 1\n-1 x1 -1 x2 -1 x3 >= -1 ;\n"
    );
    assert_eq!(
        certificate.clauses,
        "* #variable= 4 #constraint= 4\n1 ~x1 1 ~x2 >= 1 ;\n1 ~x1 1 x4 >= 1 ;\n1 ~x2 1 x4 >= 1 ;\n\
         1 ~x4 1 ~x3 >= 1 ;\n"
    );
    assert_eq!(
        certificate.to_clauses,
        "pseudo-Boolean proof version 3.0\nf 1;\n\
         red 1 x4 1 ~x1 >= 1 : x4 -> 1;\nred 1 x4 1 ~x2 >= 1 : x4 -> 1;\n\
         red 1 ~x4 1 x1 1 x2 >= 1 : x4 -> 0;\n\
         rup 1 ~x1 1 ~x2 >= 1;\nrup 1 ~x1 1 x4 >= 1;\nrup 1 ~x2 1 x4 >= 1;\nrup 1 ~x4 1 ~x3 >= 1;\n\
         core id 5 6 7 8;\ndelc 1;\noutput DERIVABLE FILE;\nconclusion NONE;\nend pseudo-Boolean proof;\n"
    );
    assert_eq!(
        certificate.to_constraint,
        "pseudo-Boolean proof version 3.0\nf 4;\n\
         rup 1 ~x1 1 ~x2 >= 1;\nrup 1 ~x1 1 ~x3 >= 1;\nrup 1 ~x2 1 ~x3 >= 1;\n\
         pol 5 6 + 7 + 2 d;\n\
         core id 8;\ndelc 1 2 3 4;\noutput DERIVABLE FILE;\nconclusion NONE;\nend pseudo-Boolean proof;\n"
    );
}

#[test]
fn a_witness_with_an_input_is_refused() {
    assert_eq!(check_witnesses("f 1;\nred 1 x4 >= 1 : x4 -> 1;\nrup 1 x1 >= 1;\n", 3), Ok(()));
    for line in [
        "red 1 x3 >= 1 : x3 -> 1;",
        "red 1 x4 >= 1 : x4 -> 1 x2 -> 0;",
        "red 1 x4 >= 1 : x4 -> x5;",
        "red 1 x4 >= 1;",
        "  red 1 x4 >= 1 : x4 1;",
        "red 1 x4 >= 1 : _4 -> 1;",
    ] {
        assert_eq!(check_witnesses(&format!("f 1;\n{line}\n"), 3), Err(line.to_owned()));
    }
}

/// The clauses after one change: a clause less, or a literal less, more or negated.
fn mutant(formula: &Formula, random: &mut ChaCha8Rng) -> Formula {
    let mut clauses: Vec<Vec<Lit>> = formula.clauses().map(<[Lit]>::to_vec).collect();
    let at = random.random_range(0..clauses.len());
    let lit = Lit::new(random.random_range(0..formula.variables()), random.random());
    let clause = &mut clauses[at];
    let place = random.random_range(0..clause.len());
    match [0, 1, 2, 3].choose(random) {
        Some(0) => drop(clauses.remove(at)),
        Some(1) if clause.len() > 1 => drop(clause.remove(place)),
        Some(2) => clause.push(lit),
        _ => clause[place] = !clause[place],
    }
    let mut changed = Formula::new();
    changed.fresh(formula.variables());
    for clause in &clauses {
        changed.clause(clause);
    }
    changed
}

/// The result for a mutant is right: a certificate if and only if exactly these assignments are allowed.
fn is_right(
    formula: &Formula,
    n: u32,
    is_allowed: impl Fn(u32) -> bool,
    certificate: &Result<Certificate, Uncertified>,
) -> bool {
    let mut decider = Decider::new(formula);
    let is_right = (0_u32..1 << n).all(|case| {
        let lits: Vec<Lit> = (0..n).map(|at| Lit::new(at, case >> at & 1 == 0)).collect();
        (decider.models(&lits, 1, u64::MAX) != Ok(0)) == is_allowed(case)
    });
    assert_eq!(certificate.is_ok(), is_right, "{certificate:?}");
    if let Err(reason) = certificate {
        assert!(matches!(reason, Uncertified::Allowed(_) | Uncertified::Forbidden(_)));
    }
    is_right
}

#[test]
fn mutants_are_refused_if_and_only_if_they_are_wrong() {
    let registry = Registry::standard();
    let mut random = ChaCha8Rng::seed_from_u64(21);
    let mut right = 0;
    for _ in 0..500 {
        let encoding = registry.at_most_ones().choose(&mut random).unwrap();
        let n = random.random_range(3..=6);
        let formula = mutant(&at_most_one(&**encoding, n), &mut random);
        let certificate = Certificate::new(&formula, n, 1);
        right += usize::from(is_right(&formula, n, |case| case.count_ones() <= 1, &certificate));
    }
    assert!((51..450).contains(&right), "{right}");
}

#[test]
fn mutants_of_sums_are_refused_if_and_only_if_they_are_wrong() {
    let encoders: Vec<_> = Registry::standard().sums().cloned().collect();
    let sums: Vec<SumLimit> =
        threshold_functions(5, 6).into_iter().filter(|sum| sum.weights.len() > 3).collect();
    let mut random = ChaCha8Rng::seed_from_u64(44);
    let mut right = 0;
    for _ in 0..300 {
        let encoder = encoders.choose(&mut random).unwrap();
        let sum = sums.choose(&mut random).unwrap();
        let n = sum.weights.len() as u32;
        let formula = mutant(&clauses_of(&**encoder, sum), &mut random);
        let weight = |case: u32| -> u64 {
            (0..n).filter(|at| case >> at & 1 == 1).map(|at| sum.weights[at as usize]).sum()
        };
        let certificate = Certificate::of_sum(&formula, &sum.weights, sum.bound, &mut |_| None);
        right += usize::from(is_right(&formula, n, |case| weight(case) <= sum.bound, &certificate));
    }
    assert!((31..270).contains(&right), "{right}");
}

/// True if the clauses of a group of `n` inputs follow without a search from the bound that the weights are at most
/// `bound`.
fn follow(n: u32, weights: &[u64], bound: u64, encode: impl Fn(&[Lit], &mut Formula)) -> bool {
    let mut formula = Formula::new();
    let xs: Vec<Lit> = formula.fresh(n).lits().collect();
    encode(&xs, &mut formula);
    let terms = xs.iter().map(|&x| !x).zip(weights.iter().copied()).collect();
    let premise = Premise { id: 1, terms, degree: weights.iter().sum::<u64>() - bound };
    let mut proof = Proof::new(1);
    let lines = derive(&formula, n, &[premise], None, &mut proof, &mut |_| None);
    assert!(lines.is_some() || proof.last() == 1, "nothing is written");
    lines.is_some_and(|lines| lines.len() == formula.len())
}

/// The encoders whose groups of more than eight inputs need a search: a change of this list changes `docs/proofs.md`.
#[test]
fn these_encoders_need_a_search_for_their_proofs() {
    let registry = Registry::standard();
    let mut others: [Vec<String>; 3] = Default::default();
    for encoding in registry.at_most_ones() {
        let follows = [3, 4, 7, 10, 33]
            .iter()
            .all(|&n| follow(n, &vec![1; n as usize], 1, |xs, out| encoding.encode(xs, out)));
        others[0].extend((!follows).then(|| encoding.info().id));
    }
    for encoder in amk::all() {
        let follows = [(3, 2), (5, 2), (6, 3), (12, 5), (20, 3), (16, 12)].iter().all(|&(n, k)| {
            let at_most = |xs: &[Lit], out: &mut Formula| encoder.at_most(xs, k, out);
            follow(n, &vec![1; n as usize], k, at_most)
        });
        others[1].extend((!follows).then(|| encoder.about().id));
    }
    for encoder in registry.sums() {
        let few = threshold_functions(5, 5).into_iter().filter(|sum| sum.weights.len() > 2);
        let many = SumLimit {
            weights: vec![9, 7, 6, 5, 5, 4, 3, 2, 2, 1],
            limit: Limit::AtMost,
            bound: 17,
        };
        let follows = few.step_by(5).chain([many]).all(|sum| {
            let n = sum.weights.len() as u32;
            follow(n, &sum.weights, sum.bound, |xs, out| sum.encode(&**encoder, xs, out))
        });
        others[2].extend((!follows).then(|| encoder.info().id));
    }
    let [of_one, of_bounds, of_sums] = others.map(|ids| ids.join(" "));
    assert_eq!(of_one, "");
    assert_eq!(of_bounds, "modulo-totalizer k-modulo-totalizer rustsat-adder");
    assert_eq!(
        of_sums,
        "robdd:ite robdd:ite+redundant binary-merge \
         binary-merge+global mixed-radix-sorter n-level-modulo-totalizer"
    );
}
