//! Bounds with conditions, under every encoder of counts and of sums, compared with the check of every assignment.

use std::collections::BTreeSet;

use bezzel_encode::format::{Format, FormatError, dimacs};
use bezzel_encode::{Constraints, Formula, FormulaStats, Numbering, Registry, Settings, models};
use bezzel_problem::{Bounds, GroupFamily, Kind, Lists, Literal, Problem, ProblemFile, Solution};

use crate::tiers::Tier;

/// Two groups of four literals with these bounds, one under candidate 5 and one under its negation.
fn problem(bounds: Bounds, weights: Option<[u64; 4]>) -> Problem {
    let groups = [[0, 2, 4, 6], [1, 2, 4, 7]].map(|group| group.map(literal));
    let weights: Lists<u64> = weights.into_iter().flat_map(|weights| [weights; 2]).collect();
    let family = GroupFamily::weighted("groups", bounds, groups.into_iter().collect(), weights);
    let condition = Literal::chosen(4);
    Problem::new(5).with_family(family.with_conditions([condition, !condition]))
}

/// The literal of this index.
fn literal(index: u32) -> Literal {
    Literal::new(index / 2, index % 2 == 1)
}

/// All solutions, by trying every choice of candidates.
fn solutions(problem: &Problem) -> BTreeSet<Solution> {
    let chosen = |bits: u32| (0..problem.candidates()).filter(move |at| bits >> at & 1 == 1);
    let all = (0..1 << problem.candidates()).map(|bits| chosen(bits).collect::<Solution>());
    all.filter(|solution| problem.check(solution).is_ok()).collect()
}

/// Problems with all bounds, as counts and as sums.
fn problems() -> impl Iterator<Item = Problem> {
    [None, Some([1, 2, 2, 4]), Some([3, 5, 6, 7])].into_iter().flat_map(|weights| {
        let total = weights.map_or(4, |weights| weights.iter().sum());
        (0..=total + 1).flat_map(move |bound| {
            let (least, most) = (Some(bound), Some(bound));
            let all = [(None, most), (least, None), (least, most), (Some(1), most)];
            all.map(|(at_least, at_most)| problem(Bounds { at_least, at_most }, weights))
        })
    })
}

fn check_every_encoder(tier: Tier) {
    let registry = Registry::standard();
    let infos = registry.infos().into_iter().chain(registry.sums().map(|sums| sums.info()));
    let infos: Vec<_> = infos.filter(|info| !info.cardinality).collect();
    let (mut compared, mut refused) = (0, 0);
    for info in tier.encodings(infos, |info| info.id.clone()) {
        let encoding = registry.find(&info.id).unwrap().with_settings(Constraints::Full);
        for problem in problems().step_by(tier.pick(5, 1)) {
            if encoding.fits(&problem).is_err() {
                refused += 1;
                continue;
            }
            compared += 1;
            let mut formula = Formula::new();
            let map = encoding.encode(&problem, &mut formula);
            let found: BTreeSet<Solution> =
                models::solutions(&formula, &map, 1).into_iter().map(|(found, _)| found).collect();
            assert_eq!(found, solutions(&problem), "{} on {problem:?}", info.id);
            let mut stats = FormulaStats::new();
            encoding.rules(&problem, &mut stats);
            if let Some(size) = encoding.size(&problem) {
                assert_eq!(size, stats.size(), "{} on {problem:?}", info.id);
            }
        }
    }
    assert!(compared > tier.pick(300, 3_000) && refused > 0, "{compared}, {refused}");
}

#[test]
fn bounds_with_conditions_have_the_same_solutions_under_every_encoder() {
    check_every_encoder(Tier::Default);
}

#[test]
#[ignore = "second tier: all encodings"]
fn bounds_with_conditions_have_the_same_solutions_under_all_encoders() {
    check_every_encoder(Tier::Second);
}

#[test]
fn encodings_of_domains_refuse_conditions() {
    let registry = Registry::standard();
    for (id, words) in [
        (
            "order",
            "`order` does not fit problem: the groups of the family `groups` have conditions",
        ),
        ("implication", "take an at-most-one encoding, as `pairwise`"),
    ] {
        let encoding = registry.find(id).unwrap().with_settings(Constraints::Full);
        let message = encoding.fits(&problem(Bounds::EXACTLY_ONE, None)).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn opb_has_conditions_as_coefficients_and_knf_refuses_them() {
    let native = Registry::standard().find("native").unwrap().with_settings(Settings::default());
    let (numbering, preamble) = (Numbering::default(), dimacs::Preamble::None);
    for problem in problems() {
        let mut opb = Vec::new();
        Format::Opb.write(native.as_ref(), &problem, &numbering, preamble, &mut opb).unwrap();
        let read = ProblemFile::read("written", None, opb.clone()).unwrap().problem();
        let text = String::from_utf8_lossy(&opb);
        assert_eq!(solutions(&read), solutions(&problem), "{text} {problem:?}");
        let knf =
            Format::Knf.write(native.as_ref(), &problem, &numbering, preamble, &mut Vec::new());
        assert!(matches!(knf, Err(FormatError::Weights { .. })));
    }
}
