//! Claims: statements over cells of a record, which a report evaluates. An author types no verdict.
//!
//! A claim names two arms and a relation, and the cells in which it is to hold. Arms are encodings, numberings or
//! solvers, by their labels in reports. Each list in a claim stands for all its values.

use bezzel_problem::named;
use bezzel_solve::Answer;

use super::fields::Fields;
use super::node::{Node, Value};
use super::passage::{Passage, passage};
use super::source::{ConfigError, Source};

named! {
    /// The relation of a claim.
    pub enum ClaimRelation {
        /// The first arm takes less than the second.
        TakesLess = "takes_less",
        /// The first arm takes more than the second.
        TakesMore = "takes_more",
        /// The ratio of both is within a factor of 1.
        Equivalent = "equivalent",
        /// Neither of the relations above is shown.
        Undecided = "undecided",
        /// The first arm is not shown to take less than the second.
        NotLess = "not_less",
        /// The first arm is not shown to take more than the second.
        NotMore = "not_more",
        /// The first arm takes less than the second in one cell, and more in the other.
        Reversed = "reversed",
        /// The ratios in two cells differ: their intervals have no ratio in common.
        DependsOn = "depends_on",
        /// The ratio of both arms rises at each further size of the instances.
        Grows = "grows",
        /// A number of a table is smaller than another.
        Below = "below",
        /// Two numbers of tables are equal.
        Equal = "equal",
    }
}

named! {
    /// The measure of a claim.
    pub enum ClaimMeasure: "measure" {
        /// CPU time of solving.
        Time = "time",
        /// Conflicts of the solver.
        Conflicts = "conflicts",
        /// Steps of proofs.
        ProofSteps = "proof_steps",
        /// Clauses of the formula, which have no spread.
        Clauses = "clauses",
        /// Variables of the formula, which have no spread.
        Variables = "variables",
    }
}

named! {
    /// The comparisons whose intervals hold simultaneously.
    pub enum Simultaneous {
        /// Those of the baseline with each other arm.
        Baseline = "baseline",
        /// Those of all pairs of arms.
        Pairs = "pairs",
    }
}

/// The comparison that decides, as it is stated before the run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primary {
    /// The arm with which the others are compared; none for the first encoding.
    pub baseline: Option<Passage>,
    /// The measure; none for time between encodings and between solvers, and for conflicts between numberings and
    /// between orders.
    pub measure: Option<ClaimMeasure>,
    /// The comparisons whose intervals are simultaneous; none for those with the baseline.
    pub intervals: Option<Simultaneous>,
}

/// A value that each cell of a claim has.
#[derive(Clone, Debug, PartialEq)]
pub struct ClaimCells {
    /// The key: `family`, `solver`, `status`, `numbering`, `encoding`, or that of a setting of encodings.
    pub key: &'static str,
    /// The values; each is a cell.
    pub values: Vec<Passage>,
}

/// A claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Claim {
    /// The relation.
    pub relation: ClaimRelation,
    /// The first arms, or the first number. The one word `all` stands for all other encodings.
    pub arms: Vec<Passage>,
    /// The second arm, or the second number.
    pub baseline: Passage,
    /// The cells.
    pub cells: Vec<ClaimCells>,
    /// The two cells that `reversed` and `depends_on` compare.
    pub between: Option<ClaimCells>,
    /// The measure; none for that of the [`Primary`].
    pub measure: Option<ClaimMeasure>,
    /// The factor within which arms are equivalent, by which one takes less or more, or by which a ratio rises at each
    /// further size.
    pub factor: Option<f64>,
    /// True if families are the units, and instances only within them.
    pub over_families: bool,
}

impl Claim {
    /// True for a claim that nothing is shown.
    pub fn is_of_absence(&self) -> bool {
        use ClaimRelation::{NotLess, NotMore, Undecided};
        matches!(self.relation, Undecided | NotLess | NotMore)
    }
}

/// The keys of the cells.
const CELLS: [&str; 8] =
    ["family", "solver", "status", "numbering", "encoding", "constraints", "input_order", "amo"];

/// The keys of a claim beside its relation.
const OTHERS: [&str; 5] = ["where", "between", "measure", "factor", "units"];

const UNITS: [(&str, bool); 2] = [("instances", false), ("families", true)];

/// Reads the primary comparison.
pub(super) fn primary(source: &Source, node: &Node) -> Result<Primary, ConfigError> {
    let fields = Fields::new(source, node, "`primary`", &["baseline", "measure", "intervals"])?;
    let baseline = fields.get("baseline").map(|node| name(source, node)).transpose()?;
    Ok(Primary {
        baseline,
        measure: fields.choice("measure", &ClaimMeasure::ALL.map(|of| (of.id(), of)))?,
        intervals: fields.choice("intervals", &Simultaneous::ALL.map(|of| (of.id(), of)))?,
    })
}

/// The key of claims that hold together.
const ALL: &str = "all";

/// Reads a claim, or the claims of [`ALL`].
pub(super) fn joint(source: &Source, node: &Node) -> Result<Vec<Claim>, ConfigError> {
    if node.entry(ALL).is_none() {
        return claim(source, node).map(|claim| vec![claim]);
    }
    let fields = Fields::new(source, node, "a claim over claims", &[ALL])?;
    let claims = fields.list(ALL)?.unwrap_or_default().iter();
    claims.map(|node| claim(source, node)).collect()
}

/// Reads a claim.
pub(super) fn claim(source: &Source, node: &Node) -> Result<Claim, ConfigError> {
    let keys = [&ClaimRelation::ALL.map(ClaimRelation::id)[..], &OTHERS].concat();
    let fields = Fields::new(source, node, "a claim", &keys)?;
    let stated = ClaimRelation::ALL.into_iter().filter_map(|of| Some((of, fields.get(of.id())?)));
    let [(relation, pair)] = stated.collect::<Vec<_>>()[..] else {
        let ids = ClaimRelation::ALL.map(ClaimRelation::id).join(", ");
        let error = source.error(node.place, "a claim has exactly one relation");
        return Err(error.hint(format!("the relations are {ids}")));
    };
    let two = match &pair.value {
        Value::List(nodes) => <&[Node; 2]>::try_from(&nodes[..]).ok(),
        _ => None,
    };
    let Some([first, second]) = two else {
        let message = format!("`{relation}` must be a list of two");
        return Err(source.error(pair.place, message).hint("as in `[product, pairwise]`"));
    };
    let arms = first.one_or_more().iter().map(|node| name(source, node));
    let arms = arms.collect::<Result<Vec<_>, _>>()?;
    if arms.is_empty() {
        return Err(source.error(first.place, "the list of arms is empty"));
    }
    let baseline = name(source, second)?;
    if arms.contains(&baseline) {
        let message = format!("`{relation}` compares `{baseline}` with itself");
        return Err(source.error(pair.place, message).hint("name two that differ"));
    }
    let between = fields.get("between").map(|node| cells(source, node)).transpose()?;
    let between = match (between, fields.get("between")) {
        (Some(mut keys), Some(node)) => match (keys.pop(), keys.len()) {
            (Some(key), 0) if key.values.len() == 2 => Some(key),
            _ => {
                let error = source.error(node.place, "`between` must have one key with two values");
                return Err(error.hint("as in `{family: [torus, pigeonhole]}`"));
            }
        },
        _ => None,
    };
    let compares_cells = matches!(relation, ClaimRelation::Reversed | ClaimRelation::DependsOn);
    if compares_cells != between.is_some() {
        let (has, lacks) = if compares_cells { ("needs", "") } else { ("has no", " to compare") };
        let message = format!("`{relation}` {has} `between`{lacks}");
        return Err(source.error(node.place, message).hint("as in `between: {family: [a, b]}`"));
    }
    let factor = fields.get("factor").map(|node| factor(source, node)).transpose()?;
    Ok(Claim {
        relation,
        arms,
        baseline,
        cells: fields.get("where").map(|node| cells(source, node)).transpose()?.unwrap_or_default(),
        between,
        measure: fields.choice("measure", &ClaimMeasure::ALL.map(|of| (of.id(), of)))?,
        factor,
        over_families: fields.choice("units", &UNITS)?.unwrap_or(false),
    })
}

fn factor(source: &Source, node: &Node) -> Result<f64, ConfigError> {
    let factor = source.decimal(node, "`factor`")?;
    if factor > 1.0 {
        Ok(factor)
    } else {
        Err(source.error(node.place, "`factor` must be above 1"))
    }
}

fn cells(source: &Source, node: &Node) -> Result<Vec<ClaimCells>, ConfigError> {
    let fields = Fields::new(source, node, "a set of cells", &CELLS)?;
    let mut cells = Vec::new();
    for key in CELLS {
        let Some(nodes) = fields.list(key)? else { continue };
        let values = nodes.iter().map(|node| name(source, node));
        let values = values.collect::<Result<Vec<_>, _>>()?;
        let is_status = |value: &Passage| Answer::ALL.iter().any(|answer| answer.id() == &**value);
        if key == "status"
            && let Some(at) = values.iter().position(|value| !is_status(value))
        {
            let message = format!("`status` must be sat or unsat, not `{}`", values[at]);
            return Err(source.error(nodes[at].place, message));
        }
        cells.push(ClaimCells { key, values });
    }
    Ok(cells)
}

/// A name, or a number as it is written.
fn name(source: &Source, node: &Node) -> Result<Passage, ConfigError> {
    if matches!(node.value, Value::Number(_)) {
        return Ok(Passage::at(source.written(node.place), node.place));
    }
    passage(source, node, "a name in a claim")
}
