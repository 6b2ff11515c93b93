//! The words of `docs/defaults.md`, and its table of published rows.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The page up to the lines of the first table.
pub(super) const HEAD: &str = "\
<!-- Written by `BEZZEL_BLESS=1 cargo test -p bezzel --lib evidence`; not edited. -->

# Evidence for the defaults

Without `--encoding`, commands take an encoder by the shape of the constraints
([constraint-files.md](constraint-files.md)), and so do the functions of Python ([python.md](python.md#clauses)). This
table compares the defaults with the other encoders, by all experiments of this repository but `tune-regret`, which
judges the defaults ([tuning.md](tuning.md#regret-on-recorded-runs)): runs of CaDiCaL without options, with the stated
input order.

- A *family* is a kind of problem or of board, with one answer. An instance has the shape of its hardest constraint:
  weights, else a bound above one, else at most one. *Short* is an instance whose groups have at most 10 literals; weights
  are *small* up to 100.
- The encoders of a row are those that were measured on at least three quarters of the families of the default. The row
  has the families on which all of them were measured, on the same instances, shuffles and limits.
- The *regret* on a family is the time divided by that of the best encoder of the row there. Times are geometric means of
  PAR2 times. The mean is geometric.
- The *bound* on the regret holds for the stated share of new families at 95 % confidence, whatever the distribution of
  times ([tuning.md](tuning.md#choice)): for 90 % with 29 families, for 80 % with 14. It presumes that new families are
  drawn like these, and these were not drawn at random.
- The last column is the ratio of the times of the default to those of the encoder of the least mean regret, with families
  as units. This encoder is selected on the same families, which biases the ratio upward. The intervals of the ratios to
  all encoders of the row hold simultaneously at 95 %.
- *First of `tune`* is the encoder with which `bezzel tune` compares its choice.

| shape | answer | families | default: mean regret, bound | first of `tune` | least mean regret, bound | default divided by it |
| --- | --- | --- | --- | --- | --- | --- |
";

/// The page after them, up to the lines of the second one. `REGRETS` stands for the mean regrets of the rival of the
/// default of at most one, and `RATIO` for its ratio on instances that are no evidence of the table.
pub(super) const REST: &str = "
## The default of at most one

`product` is shown to be slower than another encoder in two rows, both without a solution: than `sequential-counter` on
short groups, and than `commander:3` on long ones, where the interval begins at 1.00. Instances with a solution are of too
few families. These are the mean regrets of `commander:3` in the order of the rows, with those of `product` in brackets:
REGRETS.
`product` stays the default:

- No encoder was chosen by the instances of `tune-regret`. On them `commander:3` takes RATIO (geometric mean).
- It is smaller: at most one of 1,000 literals takes 2,188 clauses with 88 auxiliary variables, and 3,495 with 500 by
  `commander:3`.
- The options of BatSat for one solution of a board were found with `product`, on boards of 500 rows
  ([first-solution-choose](../reports/first-solution-choose/report.md)). With another encoder they have to be found again.

`pairwise` has the least mean regret on instances with a solution, but it makes 499,500 clauses for 1,000 literals.

## Published rows

These rows of others are imported and not verified here. They are no families of the table above: their encoders are those
of other programs, and their times are of other machines. Each line has the two
encoders with the least PAR2 times, in seconds, among those of the source. The reports have the sources with commits and
digests.

| shape | answer | rows | instances | least PAR2 | next |
| --- | --- | --- | --- | --- | --- |
";

/// The imported experiments: the shape of their constraints, the level of the other factor, and its words.
const IMPORTED: [(&str, &str, &str, &str); 2] = [
    ("at most k", "literal-sorting", "Natural", "the natural order of literals, CaDiCaL"),
    ("weights", "lease-times", "tree", "integer sums by `tree`, the best there, Kissat"),
];

/// The lines of the table of published rows, from the leaders in the committed reports.
pub(super) fn published(root: &Path) -> String {
    let mut lines = String::new();
    for (shape, name, second, words) in IMPORTED {
        let table = fs::read_to_string(root.join("reports").join(name).join("table.csv")).unwrap();
        let mut leaders: BTreeMap<usize, BTreeMap<&str, &str>> = BTreeMap::new();
        for line in table.lines().filter_map(|line| line.strip_prefix("leaders,")) {
            let [row, column, value] = line.splitn(3, ',').collect::<Vec<_>>()[..] else {
                panic!()
            };
            leaders.entry(row.parse().unwrap()).or_default().insert(column, value);
        }
        for row in leaders.values().filter(|row| row["second"] == second) {
            let answer = match (name, row["answer"]) {
                ("lease-times", _) => "not stated",
                (_, "sat") => "satisfiable",
                _ => "unsatisfiable",
            };
            let [least, next] =
                [("leader", "leader_par2"), ("next", "next_par2")].map(|(id, par2)| {
                    format!("`{}`: {:.0}", row[id], row[par2].parse::<f64>().unwrap())
                });
            let (instances, link) = (row["instances"], format!("../reports/{name}/report.md"));
            writeln!(
                lines,
                "| {shape} | {answer} | [{name}]({link}): {words} | {instances} | {least} | {next} |"
            )
            .unwrap();
        }
    }
    lines
}
