//! Order: a variable is true if a row's queen stands in this column or to the left of it.
//!
//! *Idea.* A row is a number, its queen's column, and the variable q(r,c) means q ≤ c, for c = 1 to n − 1; q ≤ n always
//! holds. A queen stands on square (r,c) if and only if q(r,c) holds and q(r,c−1) does not: two literals, and one at
//! either edge of the board.
//!
//! *Clauses.* For every row and c = 1 to n − 2: q(r,c) → q(r,c+1). For every column, diagonal and
//! antidiagonal, and each pair of its squares: not both, four literals, and one less for each
//! square at an edge.
//!
//! *Size on the board of side n ≥ 2.* n(n − 1) variables and n(n − 2) + p clauses, where p is the
//! number of pairs of squares on lines across rows:
//!
//! | | p | literals |
//! |---|---|---|
//! | plane | n(n − 1)(7n − 2)/6 | 2n(n − 2) + 2n(n − 1)(7n − 8)/3 |
//! | torus | 3n²(n − 1)/2 | 2n(n − 2) + 6n(n − 1)² |
//! | rooks | n²(n − 1)/2 | 2n(n − 2) + 2n(n − 1)² |
//!
//! On a torus of even side n²/2 pairs lie on two lines and are stated twice, as pairwise does. At n = 8 on the plane:
//! 56 variables, 552 clauses and 1,888 literals. On R rows and C ≥ 2 columns, of which m is the smaller number and M
//! the larger, there are R(C − 1) variables, R(C − 2) + p clauses and 2R(C − 2) + 4p − e literals, with
//! p = CR(R − 1)/2 + m(m − 1)(3M − m − 1)/3, and e = 2R(R − 1) + 4·(min(0, C − 1) + min(1, C − 1) + … +
//! min(R − 1, C − 1)) for the squares at the edges; rooks have neither last term. On one column there is no variable:
//! one queen is there in any case, and two are the empty clause, once for each pair.
//!
//! *Propagation.* Refuting: a queen excludes the other squares of its row, and attacked squares at the edges. For an
//! attacked square elsewhere it leaves q(r,c) → q(r,c−1), and only a queen on both is refuted. Order variables are good
//! at bounds, which no rule of the board has.
//!
//! *Models.* No auxiliary variable.
//!
//! *Source.* N. Tamura, A. Taga, S. Kitagawa, M. Banbara, "Compiling finite linear CSP into SAT", Constraints 14, 2009,
//! with the variables of J. M. Crawford, A. B. Baker, "Experimental results on the application of satisfiability
//! algorithms to scheduling problems", AAAI 1994.
//!
//! *Departures.* Tamura and others encode comparisons of sums, and would cut q ≠ q' in two by a
//! further variable. Here each pair of conflicting columns is a clause, as in their treatment of
//! constraints that are given by tables. As in [`binary`](super::binary), no column is stated to
//! hold a queen: n rows with one each, and no column with two, leave none empty.

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
                "A variable for each row and column means that the row's queen is in this column \
                   or to the left of it. The queen is in the first column whose variable is true."
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
