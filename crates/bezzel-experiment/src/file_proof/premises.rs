//! The constraints of a problem as sums that reach a number, and the lines of a proof that state them.

use std::io::{self, Write};

use bezzel_encode::certificate::at_least;
use bezzel_problem::{Bounds, Literal, Problem};

use super::lit;

/// The weights of literals that hold are at least a number.
pub(super) type Half = (Vec<(Literal, u64)>, u64);

/// The lines of the constraints of a problem.
pub(super) struct Premises {
    /// The lines of the lower and the upper bound of each group of each family, where the bound says something.
    pub(super) groups: Vec<Vec<[Option<u64>; 2]>>,
    /// Those of the clauses, of given and of excluded candidates.
    pub(super) plain: Vec<u64>,
}

/// The lower and the upper bound of a group. Under a condition each has its negation with the whole weight.
pub(super) fn halves(
    literals: &[Literal],
    weights: Option<&[u64]>,
    bounds: Bounds,
    condition: Option<Literal>,
) -> [Option<Half>; 2] {
    let weight = |place: usize| weights.map_or(1, |weights| weights[place]);
    let total: u64 = (0..literals.len()).map(weight).sum();
    [(false, bounds.at_least), (true, bounds.at_most.map(|max| total.saturating_sub(max)))].map(
        |(is_negated, degree)| {
            let degree = degree.filter(|&degree| degree > 0)?;
            let terms = literals.iter().enumerate().map(|(place, &literal)| {
                (if is_negated { !literal } else { literal }, weight(place))
            });
            let guard = condition.map(|condition| (!condition, degree));
            Some((terms.chain(guard).collect(), degree))
        },
    )
}

/// The clauses beside the groups: those of the problem, given and excluded candidates.
pub(super) fn plain(problem: &Problem) -> impl Iterator<Item = Vec<Literal>> {
    let given = problem.given().iter().map(|&candidate| vec![Literal::new(candidate, false)]);
    let excluded = problem.excluded().iter().map(|&candidate| vec![Literal::new(candidate, true)]);
    problem.clauses().iter().map(<[Literal]>::to_vec).chain(given).chain(excluded)
}

impl Premises {
    /// The lines of all constraints by `line`; none if it finds none for one.
    pub(super) fn by(
        problem: &Problem,
        mut line: impl FnMut(&[(Literal, u64)], u64) -> Option<u64>,
    ) -> Option<Self> {
        let mut groups = Vec::new();
        for family in problem.families() {
            let (mut of_family, mut is_whole) = (Vec::new(), true);
            family.for_each(|literals| {
                let number = of_family.len();
                let weights = family.weights().map(|weights| weights.get(number));
                let condition = family.conditions().get(number).copied();
                let lines = halves(literals, weights, family.bounds(), condition).map(|half| {
                    let (terms, degree) = half?;
                    let found = line(&terms, degree);
                    is_whole &= found.is_some();
                    found
                });
                of_family.push(lines);
            });
            if !is_whole {
                return None;
            }
            groups.push(of_family);
        }
        let unit = |literal| (literal, 1);
        let clauses = plain(problem).map(|clause| clause.into_iter().map(unit).collect::<Vec<_>>());
        let plain = clauses.map(|terms| line(&terms, 1)).collect::<Option<Vec<u64>>>()?;
        Some(Self { groups, plain })
    }

    /// Writes the constraints in OPB, and returns their lines and their number.
    pub(super) fn translated(problem: &Problem, out: &mut dyn Write) -> io::Result<(Self, u64)> {
        let mut constraints = 0;
        let mut next = || {
            constraints += 1;
            Some(constraints)
        };
        let premises = Self::by(problem, |_, _| next()).expect("each constraint has a line");
        writeln!(out, "* #variable= {} #constraint= {constraints}", problem.candidates())?;
        let mut written = Ok(());
        Self::by(problem, |terms, degree| {
            let mut text = String::new();
            let terms = terms.iter().map(|&(literal, weight)| (lit(literal), weight.into()));
            at_least(&mut text, terms, degree.into());
            if written.is_ok() {
                written = writeln!(out, "{text} ;");
            }
            Some(0)
        });
        written.map(|()| (premises, constraints))
    }
}
