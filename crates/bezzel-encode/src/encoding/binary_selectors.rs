//! Binary with selectors: the bits of each domain, and a variable for every candidate defined by them.
//!
//! *Idea.* [`binary`] states a conflict over the bits of both candidates, 2k literals that propagate only after nearly
//! all of them are known. Here every candidate has a selector, which holds if and only if the bits are its code, and
//! conflicts are stated over selectors. The bits stay the primary variables.
//!
//! *Clauses.* s(r,c) → b for each of the k = ⌈log₂ n⌉ literals b of the code; all of them → s(r,c). For every domain:
//! one of its selectors. For every other group with at most one, and each pair of its candidates: not both selectors.
//! `+bits` states in addition, if k is at least 2, a candidate for each value of a bit: b → s ∨ … ∨ s over the
//! candidates of the domain whose code has the bit, and ¬b → s ∨ … ∨ s over the others.
//!
//! *Size* for d domains of n values: d(n + k) variables, dn(k + 1) + d clauses and dn(3k + 2) literals, and a clause of two
//! literals for each conflict of two values. `+bits` adds 2kd clauses and kd(n + 2) literals. At n = 1 k is 0, and
//! selectors are unit clauses: the value is chosen in any case.
//!
//! *Propagation.* Refuting: a chosen candidate falsifies the selectors of all candidates with which it conflicts, but
//! leaves a clause over the bits of each. A clause states that a domain has one of its selectors. It excludes the codes
//! of no value and propagates more: the last candidate left in a domain is chosen, which `binary` does not find. With
//! `+bits` a bit is known as soon as no candidate is left with its other value.
//!
//! *Models.* Selectors are determined by the bits.
//!
//! *Source.* T. Walsh, "SAT v CSP", Principles and Practice of Constraint Programming 2000: the log
//! encoding. Selectors are the gates S of R. E. Bryant, "Supplement: Encoding the N-Queens Problem
//! with Boolean Formulas", 2019. `+bits` is Bezzel's own.
//!
//! *Departures.* Walsh states conflicts over bits, as `binary` does. Codes are those of `binary`,
//! Bryant's.

use bezzel_problem::Problem;

use super::domains::Domains;
use super::rest::{OtherFamilies, refuse_unsupported};
use super::{Encoding, binary};
use crate::constraints::Unsupported;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::ClauseSink;
use crate::size::{Size, bits};
use crate::var_map::VarMap;

/// The section of the selectors, and of the bits that define them.
const SELECTORS: &str = "selectors";
/// The section of the clauses for the values of bits.
const BITS: &str = "bits";

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct BinarySelectors {
    /// True if each value of a bit is stated to need a candidate.
    pub bits: bool,
}

impl BinarySelectors {
    /// States the candidates that the values of the bits of every domain need.
    fn values(
        self,
        domains: &Domains,
        codes: &VarMap,
        selectors: &VarMap,
        out: &mut dyn ClauseSink,
    ) {
        // For a single bit the definitions state it.
        if !self.bits || codes.width() < 2 {
            return;
        }
        out.section(BITS);
        let mut clause = Vec::new();
        for domain in (0..domains.len()).filter(|&domain| bits(domains.size(domain).into()) > 1) {
            let first = domains.values(domain).next().expect("several values");
            let bits = codes.cube(first).iter().map(|bit| bit.var());
            for value in bits.flat_map(|bit| [bit.pos_lit(), bit.neg_lit()]) {
                // b → s ∨ … ∨ s
                clause.clear();
                clause.push(!value);
                let reading =
                    domains.values(domain).filter(|&other| codes.cube(other).contains(&value));
                clause.extend(reading.flat_map(|other| selectors.cube(other)));
                out.clause(&clause);
            }
        }
    }
}

impl Encoding for BinarySelectors {
    fn info(&self) -> EncodingInfo {
        let (id, title) = if self.bits {
            ("binary+bits+selectors", "binary, squares named, bits by squares")
        } else {
            ("binary+selectors", "binary, squares named")
        };
        EncodingInfo {
            id: id.into(),
            title: title.into(),
            idea:
                "The column of a row's choice is a number in bits, as in binary. In addition each \
                   candidate has a variable, which is true if and only if the bits are the number of \
                   its column."
                    .into(),
            citation: "Iwama, Miyazaki 1994; Walsh 2000; Bryant 2019, supplement on N-queens, placement BIN".into(),
            propagation: Propagation::Refuting,
            auxiliaries: Auxiliaries::Defined,
            constraints: "rows exactly one by their code, columns and diagonals at most one".into(),
            ..EncodingInfo::default()
        }
    }

    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        refuse_unsupported(|| format!("`{}`", self.info().id), problem)
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        let domains = Domains::expect(problem);
        let own = domains.sizes().map(|values| {
            let (c, k) = (u128::from(values), u128::from(bits(values.into())));
            let definition = Size::new(1, k + 1, 2 * k + k + 1);
            let values = if self.bits && k > 1 { Size::new(0, 2, c + 2) } else { Size::default() };
            definition * c + Size::new(k, 1, c) + values * k
        });
        Some(own.sum::<Size>() + OtherFamilies::new(problem, &domains).size_of_even(1, &[]))
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let domains = Domains::expect(problem);
        out.section(SELECTORS);
        let (_, map) = binary::codes(problem, &domains, out);
        let selectors = out.fresh(problem.candidates());
        let mut clause = Vec::new();
        for (selector, cube) in selectors.lits().zip(map.cubes()) {
            clause.clear();
            clause.push(selector);
            for &bit in cube {
                // s → b
                out.clause(&[!selector, bit]);
                clause.push(!bit);
            }
            // b₁ ∧ … ∧ bₖ → s
            out.clause(&clause);
        }
        let selected = VarMap::one_per_candidate(selectors);
        out.section(problem.families()[domains.family].name());
        for domain in 0..domains.len() {
            clause.clear();
            clause.extend(domains.values(domain).flat_map(|candidate| selected.cube(candidate)));
            out.clause(&clause);
        }
        self.values(&domains, &map, &selected, out);
        OtherFamilies::new(problem, &domains).state(&selected, out);
        map
    }
}
