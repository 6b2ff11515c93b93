//! Nielsen and Faartoft, "Solving the N-Queens Problem: Interactive Configuration using Binary Decision
//! Diagrams" (IT University of Copenhagen): the diagram of their rules, its paths and its nodes.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use crate::Board;
use crate::count::direct::{Direct, RowCode};
use bezzel_count::Budget;
use bezzel_count::diagram::DiagramKind;
use bezzel_experiment::quantity::grouped;
use bezzel_experiment::{AllSolutions, DiagramSize, Row, Verdict};

use super::{judged, side};
use bezzel_report::dataset::Dataset;
use bezzel_report::table::Table;
use bezzel_report::toolkit::{Columns, significant};

/// The least number of sides for a statement on all of them.
const FEWEST: usize = 3;

/// The largest side for which paths are counted. Its diagram has at most 10,000 nodes.
const LARGEST: u32 = 9;

/// All solutions by an engine that reads their rules, by side.
fn by_side<'a>(dataset: &Dataset<'a>, engine: &str) -> BTreeMap<u32, &'a AllSolutions> {
    let rows = dataset.record.rows.iter();
    let sound = rows.filter(|row| row.job.solver == engine && row.verdict == Verdict::Verified);
    let whole = |row: &'a Row| row.all.as_ref().filter(|all| all.whole);
    sound.filter_map(|row| Some((side(&row.job.instance)?, whole(row)?))).collect()
}

/// The paths to true in the binary decision diagram of all solutions, squares row by row: the method `pathCount()` of
/// section 5. A reduced diagram of one order does not depend on the method that builds it.
fn paths(side: u32) -> Option<u64> {
    let direct = Direct::new(&Board::new(side).ok().filter(|_| side <= LARGEST)?)?;
    let stop = AtomicBool::new(false);
    let (diagram, _) =
        direct.diagram(DiagramKind::Bdd, RowCode::OneHot, Budget::unlimited(&stop)).ok()?;
    diagram.paths().try_into().ok()
}

/// A board with its diagram of rules.
struct DiagramLine<'a> {
    side: u32,
    solutions: Option<u64>,
    paths: Option<u64>,
    bdd: Option<DiagramSize>,
    zbdd: Option<&'a AllSolutions>,
}

impl DiagramLine<'_> {
    /// The nodes of the finished diagram, and the peak.
    fn nodes(&self) -> Option<(u64, u64)> {
        self.bdd?.nodes.zip(self.bdd?.peak_nodes)
    }
}

/// Makes the table. None if the diagram of the rules was built on fewer than three boards.
pub(super) fn table(dataset: &Dataset<'_>) -> Option<Table> {
    let (bdds, zbdds) = (by_side(dataset, "bdd:rules"), by_side(dataset, "zbdd:rules"));
    if bdds.len() < FEWEST {
        return None;
    }
    let lines: Vec<DiagramLine<'_>> = bdds
        .iter()
        .map(|(&side, all)| DiagramLine {
            side,
            solutions: all.count.to_string().parse().ok(),
            paths: paths(side),
            bdd: all.diagram,
            zbdd: zbdds.get(&side).copied(),
        })
        .collect();
    let verdict = verdict(&lines);
    let zbdd = |line: &DiagramLine<'_>| line.zbdd.and_then(|all| all.diagram);
    let squares = |line: &DiagramLine<'_>| u64::from(line.side) * u64::from(line.side);
    let table = Columns::of(lines)
        .numbers("n", "N", |line| u64::from(line.side))
        .numbers("squares", "Squares", squares)
        .numbers("rules", "Rules", |line| squares(line) + u64::from(line.side))
        .numbers("solutions", "Solutions", |line| line.solutions)
        .numbers("paths", "pathCount", |line| line.paths)
        .numbers("nodes", "BDD, finished", |line| line.nodes().map(|(nodes, _)| nodes))
        .numbers("peak_nodes", "BDD, peak", |line| line.nodes().map(|(_, peak)| peak))
        .numbers("peak_ratio", "Peak / finished", |line| {
            line.nodes().map(|(nodes, peak)| peak as f64 / nodes as f64)
        })
        .numbers("zbdd_nodes", "ZBDD, finished", |line| zbdd(line)?.nodes)
        .numbers("zbdd_peak_nodes", "ZBDD, peak", |line| zbdd(line)?.peak_nodes)
        .table(
            "nielsen-faartoft",
            "Comparison with Nielsen and Faartoft's diagram of rules",
            vec![
                "Published: T. Nielsen, M. Faartoft, section 2 (the rules: one for each square, one for each row) \
                 and section 5 (a partial board has one solution left if pathCount() is 1). The source has no \
                 numbers of nodes."
                    .into(),
                "Section 2 uses n for the side in the numbers of variables (#0 to #n·n − 1), and for the \
                 number of squares in the numbers of rules (n and √n). Here N is the side."
                    .into(),
                "pathCount counts the paths to true. A path that skips k variables has 2^k models. Paths \
                 were counted in the reduced diagram with the squares row by row. Terminals are not \
                 counted as nodes. The peak includes dead nodes that were not collected."
                    .into(),
            ],
        );
    Some(judged(&verdict, table))
}

/// The claim on paths on all boards, and the board with the largest peak.
fn verdict(lines: &[DiagramLine<'_>]) -> String {
    let counted = lines.iter().filter_map(|line| Some((line.side, line.paths? == line.solutions?)));
    let counted: Vec<(u32, bool)> = counted.collect();
    let others: Vec<String> =
        counted.iter().filter(|(_, equal)| !equal).map(|(side, _)| format!("N = {side}")).collect();
    let claim = if others.is_empty() {
        format!("pathCount equals the number of solutions on all {} boards counted", counted.len())
    } else {
        format!("pathCount is not the number of solutions on {}", others.join(", "))
    };
    let largest = lines.iter().filter_map(|line| Some((line.side, line.nodes()?)));
    let Some((side, (nodes, peak))) = largest.max_by_key(|(_, (_, peak))| *peak) else {
        return claim;
    };
    format!(
        "{claim}; at N = {side} the peak of {} nodes is {} times the {} nodes of the finished diagram",
        grouped(peak.into()),
        significant(peak as f64 / nodes as f64, 3),
        grouped(nodes.into())
    )
}

#[cfg(test)]
mod tests {
    use bezzel_experiment::NO_ENCODING;

    use super::*;
    use crate::report::tests::{analysed, counted, of_size};

    fn table_of(rows: Vec<Row>) -> Option<Table> {
        analysed(rows, |of| table(of))
    }

    fn built(engine: &str, side: u32, solutions: u32, nodes: u64, peak: u64) -> Row {
        let mut row = of_size(side, counted(engine, NO_ENCODING, 1.0));
        let all = row.all.as_mut().unwrap();
        all.count = solutions.into();
        all.diagram =
            Some(DiagramSize { nodes: Some(nodes), peak_nodes: Some(peak), peak_states: None });
        row
    }

    fn rows() -> Vec<Row> {
        vec![
            built("bdd:rules", 4, 2, 29, 705),
            built("bdd:rules", 5, 10, 167, 3_298),
            built("bdd:rules", 6, 4, 129, 17_079),
            built("zbdd:rules", 6, 4, 24, 16_587),
        ]
    }

    #[test]
    fn paths_stand_beside_solutions_and_peaks_beside_finished_diagrams() {
        let table = table_of(rows()).unwrap();
        let text = table.markdown();
        assert!(text.contains("| 4 | 16 | 20 | 2 | 2 | 29 | 705 | 24.3 | – | – |"), "{text}");
        assert!(
            text.contains("| 6 | 36 | 42 | 4 | 4 | 129 | 17,079 | 132 | 24 | 16,587 |"),
            "{text}"
        );
        assert_eq!(
            table.notes[0],
            "Verdict: pathCount equals the number of solutions on all 3 boards counted; at N = 6 the peak of \
             17,079 nodes is 132 times the 129 nodes of the finished diagram."
        );
    }

    #[test]
    fn another_number_of_solutions_refutes_the_claim_and_other_engines_make_no_table() {
        let mut rows = rows();
        rows[1].all.as_mut().unwrap().count = 11_u32.into();
        let table = table_of(rows.clone()).unwrap();
        assert!(table.notes[0].contains("is not the number of solutions on N = 5"));
        for row in &mut rows {
            row.job.solver = "bdd".into();
        }
        assert_eq!(table_of(rows), None);
    }
}
