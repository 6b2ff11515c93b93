//! Binary: ⌈log₂ n⌉ variables per domain hold the number of its value.
//!
//! *Idea.* Groups with exactly one that partition the candidates are domains, as the rows of a grid. A domain has one
//! value, so it needs no variable per candidate: k = ⌈log₂ n⌉ bits encode the place of the chosen one. A candidate is
//! chosen if and only if all k bits agree with the code of its place. Place c, counted from 1, has code c mod 2ᵏ, so that
//! place n has code 0 where n is a power of two. Bit 0, the least significant, is the first variable of a domain.
//!
//! *Clauses.* For every domain and each of the 2ᵏ − n codes of no place: not this code, k literals. For every other group
//! with at most one, and each pair of its candidates: not both codes, 2k literals.
//!
//! *Size* for d domains of n values: d·k variables, and d(2ᵏ − n) clauses of k literals. Beside these each conflict of
//! two values is one clause of 2k literals. A pair in two groups is stated twice, as pairwise does. At n = 1 there is no
//! variable and no clause: the value is chosen in any case.
//!
//! *Propagation.* Refuting: a chosen candidate falsifies the others of its domain. For a conflicting candidate of another
//! domain it leaves a clause of k literals; only the choice of both is refuted.
//!
//! *Models.* No auxiliary variable.
//!
//! *Source.* The log encoding of K. Iwama, S. Miyazaki, "SAT-Variable Complexity of Hard Combinatorial Problems", IFIP
//! World Computer Congress 1994; it has its name from T. Walsh, "SAT v CSP", Principles and Practice of Constraint
//! Programming 2000. The codes are those of R. E. Bryant, "Supplement: Encoding the N-Queens Problem with
//! Boolean Formulas", 2019, to "Chain reduction for binary and zero-suppressed decision diagrams",
//! Journal of Automated Reasoning 2020: the placement BIN.
//!
//! *Departures.* Bryant builds a circuit over these variables (`bryant-circuit:binary`), in which the rule that a row
//! has one excludes the codes of no column. Here they are excluded, and conflicts stated, as clauses. As in Bryant's
//! text, a group with exactly one is not stated to have at least one where counting implies it: n domains with one
//! each, and no group of n with two, leave no group without one.
//!
//! *Not to be confused* with [`bitwise`](crate::amo::bitwise), an at-most-one that other authors call binary: there the
//! candidates keep their variables, and every group gets bits of its own in addition.

use bezzel_problem::Problem;
use rustsat::types::Lit;

use super::Encoding;
use super::domains::Domains;
use super::rest::{OtherFamilies, refuse_unsupported};
use crate::constraints::Unsupported;
use crate::info::{Auxiliaries, EncodingInfo, Propagation};
use crate::sink::{ClauseSink, VarRange};
use crate::size::{Size, bits};
use crate::var_map::VarMap;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Binary;

/// The bits of every domain.
pub(super) struct Codes {
    variables: VarRange,
    /// The first variable of each domain, and the number of all variables after them.
    starts: Vec<u32>,
}

impl Codes {
    /// The numbers of the variables of all domains.
    fn starts(domains: &Domains) -> Vec<u32> {
        let mut starts = vec![0];
        for values in domains.sizes() {
            starts.push(starts[starts.len() - 1] + bits(values.into()));
        }
        starts
    }

    /// Makes the bits of every domain.
    fn new(domains: &Domains, out: &mut dyn ClauseSink) -> Self {
        let starts = Self::starts(domains);
        Self { variables: out.fresh(starts[starts.len() - 1]), starts }
    }

    /// The first variable of a domain.
    fn start(&self, domain: u32) -> u32 {
        self.starts[domain as usize]
    }

    /// The number of bits of a domain.
    fn width(&self, domain: u32) -> u32 {
        self.starts[domain as usize + 1] - self.start(domain)
    }

    /// The literals that all hold if and only if the bits of a domain are `code`.
    fn reads(&self, domain: u32, code: u64) -> impl Iterator<Item = Lit> + use<> {
        let (variables, start, width) = (self.variables, self.start(domain), self.width(domain));
        (0..width).map(move |place| {
            let bit = variables.lit(start + place);
            if code >> place & 1 == 1 { bit } else { !bit }
        })
    }
}

/// Makes the bits of every domain, and the map from candidates to their codes.
pub(super) fn codes(
    problem: &Problem,
    domains: &Domains,
    out: &mut dyn ClauseSink,
) -> (Codes, VarMap) {
    let codes = Codes::new(domains, out);
    let cubes = (0..problem.candidates()).map(|candidate| {
        let (domain, place) = domains.place(candidate);
        codes.reads(domain, u64::from(place + 1) % (1 << codes.width(domain)))
    });
    let map = VarMap::from_cubes(cubes);
    (codes, map)
}

impl Encoding for Binary {
    fn info(&self) -> EncodingInfo {
        EncodingInfo {
            id: "binary".into(),
            title: "binary".into(),
            idea:
                "The column of a row's choice is a number with a variable for each bit. For every \
                   two candidates of another group a clause excludes that both rows have these numbers."
                    .into(),
            citation: "Iwama, Miyazaki 1994; Walsh 2000; Bryant 2019, supplement on N-queens, placement BIN".into(),
            propagation: Propagation::Refuting,
            auxiliaries: Auxiliaries::None,
            constraints: "rows exactly one by their code, columns and diagonals at most one".into(),
            ..EncodingInfo::default()
        }
    }

    fn fits(&self, problem: &Problem) -> Result<(), Unsupported> {
        refuse_unsupported(|| format!("`{}`", self.info().id), problem)
    }

    fn size(&self, problem: &Problem) -> Option<Size> {
        let domains = Domains::expect(problem);
        let rest = OtherFamilies::new(problem, &domains);
        let own = domains.sizes().map(|values| {
            let k = bits(values.into());
            let excluded = (1_u128 << k) - u128::from(values);
            Size::new(k.into(), excluded, excluded * u128::from(k))
        });
        let widths = domains.sizes().map(|values| bits(values.into()));
        let rest = match (widths.clone().min(), widths.max()) {
            (Some(least), Some(max)) if least == max => rest.size_of_even(max.into(), &[]),
            _ => rest.size(|candidate| {
                u128::from(bits(domains.size(domains.place(candidate).0).into()))
            }),
        };
        Some(own.sum::<Size>() + rest)
    }

    fn rules(&self, problem: &Problem, out: &mut dyn ClauseSink) -> VarMap {
        let domains = Domains::expect(problem);
        out.section(problem.families()[domains.family].name());
        let (codes, map) = codes(problem, &domains, out);
        let mut clause: Vec<Lit> = Vec::with_capacity(map.width());
        for domain in 0..domains.len() {
            let values = u64::from(domains.size(domain));
            let all = 1_u64 << bits(values);
            // Values have the codes 1 to n; if n is the number of codes, its code is 0.
            for code in (0..all).filter(|&code| code > values || code == 0 && values < all) {
                clause.clear();
                clause.extend(codes.reads(domain, code).map(|lit| !lit));
                out.clause(&clause);
            }
        }
        OtherFamilies::new(problem, &domains).state(&map, out);
        map
    }
}
