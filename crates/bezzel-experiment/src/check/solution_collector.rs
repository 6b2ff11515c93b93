//! Independent checking of every solution that an engine lists.

use std::collections::HashSet;

use bezzel_problem::{Candidate, Instance, Solution};
use bezzel_process::usage;
use bezzel_queens::{Board, Square};

use crate::model::all_solutions::SetDigest;

/// The number of candidates that are checked together, so that the clock is read once for many solutions.
const BATCH_SIZE: usize = 16 * 1024;

/// The number of first solutions whose duplicates are detected. This is for lists of some solutions, which are not
/// compared with the set of all. The hashes take a megabyte or two.
const MAX_REMEMBERED: usize = 1 << 16;

/// Checks solutions: each is checked by the rules of the board, and the set of all gets a digest. The time of the
/// checks is measured, so that it can be excluded from other times.
#[derive(Debug)]
pub struct SolutionCollector {
    instance: Instance,
    /// The candidates of the solutions that are not checked yet, one solution after the other.
    chosen: Vec<Candidate>,
    /// The end of each of these solutions in `chosen`.
    ends: Vec<usize>,
    /// The squares of one solution. Keeping the vector avoids allocations.
    queens: Vec<Square>,
    /// The hashes of the first solutions.
    met: HashSet<u128>,
    shown: u64,
    collected: CollectedSolutions,
}

/// The result of the checks.
#[derive(Clone, Debug, Default)]
pub struct CollectedSolutions {
    /// The number of solutions.
    pub count: u64,
    /// The digest of the set of solutions.
    pub digest: String,
    /// The first violation of the rules, or the first duplicate, if there is one.
    pub violation: Option<String>,
    /// CPU time of the checks, in seconds.
    pub check_cpu_s: f64,
    set: SetDigest,
}

impl SolutionCollector {
    /// Returns a checker of solutions of the instance.
    pub fn new(instance: &Instance) -> Self {
        Self {
            instance: instance.clone(),
            chosen: Vec::with_capacity(BATCH_SIZE + instance.size() as usize),
            ends: Vec::new(),
            queens: Vec::new(),
            met: HashSet::new(),
            shown: 0,
            collected: CollectedSolutions::default(),
        }
    }

    /// Adds a solution: the chosen candidates, in any order.
    pub fn add(&mut self, chosen: &[Candidate]) {
        self.chosen.extend_from_slice(chosen);
        self.ends.push(self.chosen.len());
        self.shown += 1;
        if self.chosen.len() >= BATCH_SIZE || self.ends.len() >= BATCH_SIZE {
            self.check_pending();
        }
    }

    /// Returns the number of added solutions.
    pub fn shown(&self) -> u64 {
        self.shown
    }

    /// Returns the result for all added solutions.
    pub fn finish(mut self) -> CollectedSolutions {
        self.check_pending();
        CollectedSolutions { digest: self.collected.set.finish(), ..self.collected }
    }

    /// Returns the CPU time of the checks so far, in seconds.
    pub fn check_cpu_s(&self) -> f64 {
        self.collected.check_cpu_s
    }

    /// Checks the solutions that were added since the last call.
    fn check_pending(&mut self) {
        let start = usage::thread_cpu_s();
        let mut begin = 0;
        for &end in &self.ends {
            let chosen = &mut self.chosen[begin..end];
            begin = end;
            chosen.sort_unstable();
            if self.collected.violation.is_none() {
                let solution: Solution = chosen.iter().copied().collect();
                let checked = self.instance.check(&solution);
                self.collected.violation =
                    checked.err().map(|violation| described(&self.instance, chosen, &violation));
            }
            let hash = match Board::of(&self.instance) {
                Some(board) => {
                    self.queens.clear();
                    self.queens.extend(chosen.iter().map(|&candidate| board.square(candidate)));
                    self.collected.set.add(&mut self.queens)
                }
                None => self.collected.set.add_candidates(chosen),
            };
            self.collected.count += 1;
            let is_new = self.met.len() == MAX_REMEMBERED || self.met.insert(hash);
            if !is_new && self.collected.violation.is_none() {
                let fault = "they were shown before";
                self.collected.violation = Some(described(&self.instance, chosen, fault));
            }
        }
        self.chosen.clear();
        self.ends.clear();
        self.collected.check_cpu_s += usage::thread_cpu_s() - start;
    }
}

/// The fault of a solution, with its candidates.
fn described(instance: &Instance, chosen: &[Candidate], fault: &str) -> String {
    let name = |&candidate: &Candidate| match Board::of(instance) {
        Some(board) => board.square(candidate).to_string(),
        None => instance.label(candidate),
    };
    let names: Vec<_> = chosen.iter().map(name).collect();
    let before = if Board::of(instance).is_some() { "queens on " } else { "" };
    format!("{before}{}: {fault}", names.join(" "))
}

#[cfg(test)]
mod tests {
    use bezzel_queens::Backtrack;
    use bezzel_queens::Board;

    use super::*;

    fn collect_solutions(board: &Board) -> CollectedSolutions {
        let mut collector = SolutionCollector::new(&board.clone().into());
        let search = Backtrack::new(board).unwrap();
        search
            .each(u64::MAX, |placement| {
                collector.add(placement.solution(board).chosen());
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        collector.finish()
    }

    #[test]
    fn the_first_solution_that_breaks_the_rules_is_reported() {
        let board = Board::new(4).unwrap();
        let mut collector = SolutionCollector::new(&board.clone().into());
        let squares = |columns: [u32; 4]| -> Vec<Candidate> {
            columns.into_iter().zip(0..).map(|(column, row)| 4 * row + column).collect()
        };
        collector.add(&squares([1, 3, 0, 2]));
        collector.add(&squares([0, 3, 0, 2]));
        collector.add(&squares([0, 1, 2, 3]));
        let collected = collector.finish();
        assert_eq!(collected.count, 3);
        let message = collected.violation.unwrap();
        assert!(message.contains("1,1") && message.contains("attack each other"), "{message}");
    }

    #[test]
    fn a_solution_that_is_shown_twice_is_reported() {
        let board = Board::new(4).unwrap();
        let squares = |columns: [u32; 4]| -> Vec<Candidate> {
            columns.into_iter().zip(0..).map(|(column, row)| 4 * row + column).collect()
        };
        let mut collector = SolutionCollector::new(&board.clone().into());
        for columns in [[1, 3, 0, 2], [2, 0, 3, 1], [1, 3, 0, 2]] {
            collector.add(&squares(columns));
        }
        let message = collector.finish().violation;
        assert_eq!(message.unwrap(), "queens on 1,2 2,4 3,1 4,3: they were shown before");
    }

    #[test]
    fn two_ways_of_listing_have_one_digest() {
        let board = Board::new(8).unwrap();
        let one = collect_solutions(&board);
        let mut all = Vec::new();
        Backtrack::new(&board)
            .unwrap()
            .each(u64::MAX, |placement| {
                all.push(placement.solution(&board));
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        let mut backwards = SolutionCollector::new(&board.clone().into());
        all.iter().rev().for_each(|solution| backwards.add(solution.chosen()));
        assert_eq!(backwards.shown(), 92);
        let backwards = backwards.finish();
        assert_eq!((one.count, &one.digest), (92, &backwards.digest));
    }
}
