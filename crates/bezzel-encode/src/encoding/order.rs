//! Order: a variable is true if the value of a domain is this one or one before it.
//!
//! *Idea.* Groups with exactly one that partition the candidates are domains, as the rows of a grid. A domain is a number,
//! the place of its chosen candidate, and the variable q(r,c) means q ≤ c, for c = 1 to n − 1; q ≤ n always holds. The
//! candidate at place c of domain r is chosen if and only if q(r,c) holds and q(r,c−1) does not: two literals, and one at
//! either end.
//!
//! *Clauses.* For every domain and c = 1 to n − 2: q(r,c) → q(r,c+1). For every other group with at most one, and each
//! pair of its candidates: not both, four literals, and one less for each candidate at an end of its domain.
//!
//! *Size* for d domains of n ≥ 2 values: d(n − 1) variables, and d(n − 2) clauses of two literals. Beside these each
//! conflict of two values is one clause of four literals, one less for each value at an end. A pair in two groups is
//! stated twice, as pairwise does. A domain of one value has no variable: its value is chosen in any case, and a
//! conflict of two such values is the empty clause.
//!
//! *Propagation.* Refuting: a chosen candidate excludes the others of its domain, and conflicting ones at the ends of
//! theirs. For a conflicting candidate elsewhere it leaves q(r,c) → q(r,c−1), and only the choice of both is refuted.
//! Order variables are good at bounds, which groups with at most one do not have.
//!
//! *Models.* No auxiliary variable.
//!
//! *Source.* N. Tamura, A. Taga, S. Kitagawa, M. Banbara, "Compiling finite linear CSP into SAT", Constraints 14, 2009,
//! with the variables of J. M. Crawford, A. B. Baker, "Experimental results on the application of satisfiability
//! algorithms to scheduling problems", AAAI 1994.
//!
//! *Departures.* Tamura and others encode comparisons of sums, and would cut q ≠ q' in two by a further variable. Here
//! each pair of conflicting columns is a clause, as in their treatment of constraints that are given by tables. As in
//! [`binary`](super::binary), a group with exactly one is not stated to have at least one where counting implies it: n
//! domains with one each, and no group of n with two, leave no group without one.

use bezzel_problem::{Candidate, Problem};
use rustsat::types::Lit;

use super::Encoding;
use super::domains::Domains;
use super::rest::{OtherFamilies, refuse_unsupported};
use crate::constraints::Unsupported;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::Size;
use crate::var_map::VarMap;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Order;

impl Encoding for Order {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "order".into(),
            title: "order".into(),
            idea:
                "A variable for each row and column means that the choice of the row is in this column \
                   or to the left of it. The choice is in the first column whose variable is true."
                    .into(),
            citation: "Tamura, Taga, Kitagawa, Banbara 2009; Crawford, Baker 1994".into(),
            propagation: Propagation::Refuting,
            auxiliaries: Auxiliaries::None,
            constraints: "rows exactly one by their order, columns and diagonals at most one"
                .into(),
            ..EncodingInfo::default()
        }
    }

    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        refuse_unsupported(|| format!("`{}`", self.info().id), problem)
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        let domains = Domains::expect(problem);
        let own = domains.sizes().map(|values| {
            let steps = u128::from(values.saturating_sub(1));
            // A domain without candidates is the empty clause.
            let empty = u128::from(values == 0);
            let chain = steps.saturating_sub(1);
            Size::new(steps, chain + empty, 2 * chain)
        });
        // Cubes have two literals, but one less at each end.
        let ends = (0..domains.len()).flat_map(|domain| {
            let values = domains.values(domain);
            values.clone().next().into_iter().chain(values.clone().next_back())
        });
        let ends: Vec<Candidate> = ends.collect();
        Some(own.sum::<Size>() + OtherFamilies::new(problem, &domains).size_of_even(2, &ends))
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let domains = Domains::expect(problem);
        out.section(problem.families()[domains.family].name());
        let mut starts = vec![0];
        for values in domains.sizes() {
            starts.push(starts[starts.len() - 1] + values.saturating_sub(1));
        }
        let variables = out.fresh(starts[starts.len() - 1]);
        for (values, bounds) in domains.sizes().zip(starts.windows(2)) {
            if values == 0 {
                out.clause(&[]);
            }
            for step in bounds[0] + 1..bounds[1] {
                // q ≤ c − 1 → q ≤ c
                out.clause(&[!variables.lit(step - 1), variables.lit(step)]);
            }
        }
        let cubes = (0..problem.candidates()).map(|candidate| {
            let (domain, place) = domains.place(candidate);
            let (start, end) = (starts[domain as usize], starts[domain as usize + 1]);
            // q ≤ c, and not q ≤ c − 1, with values counted from 0, where these do not always hold.
            let up_to = (start + place < end).then(|| variables.lit(start + place));
            let left: Option<Lit> = place.checked_sub(1).map(|left| !variables.lit(start + left));
            up_to.into_iter().chain(left)
        });
        let map = VarMap::from_cubes(cubes);
        OtherFamilies::new(problem, &domains).state(&map, out);
        map
    }
}
