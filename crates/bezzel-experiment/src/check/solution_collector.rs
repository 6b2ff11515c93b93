//! Independent checking of every solution that an engine lists.

use std::collections::HashSet;

use bezzel_problem::{Candidate, Grid, Instance, Solution};
use bezzel_process::usage;

use crate::model::all_solutions::SetDigest;

/// The number of candidates that are checked together, so that the clock is read once for many solutions.
const BATCH_SIZE: usize = 16 * 1024;

/// The number of first solutions whose duplicates are detected. This is for lists of some solutions, which are not
/// compared with the set of all. The hashes take a megabyte or two.
const MAX_REMEMBERED: usize = 1 << 16;

/// Checks solutions: each is checked by the rules of the instance, and the set of all gets a digest. The time of the
/// checks is measured, so that it can be excluded from other times.
#[derive(Debug)]
pub struct SolutionCollector {
    instance: Instance,
    grid: Option<Grid>,
    /// The candidates of the solutions that are not checked yet, one solution after the other.
    chosen: Vec<Candidate>,
    /// The end of each of these solutions in `chosen`.
    ends: Vec<usize>,
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
            grid: instance.grid(),
            chosen: Vec::with_capacity(BATCH_SIZE + instance.size() as usize),
            ends: Vec::new(),
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
            let hash = self.collected.set.add(chosen, self.grid);
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
    let names: Vec<_> = chosen.iter().map(|&candidate| instance.label(candidate)).collect();
    format!("{}: {fault}", names.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::seating::Seating;

    fn collect_solutions(seating: &Seating) -> CollectedSolutions {
        let mut collector = SolutionCollector::new(&seating.clone().into());
        seating.solutions().iter().for_each(|chosen| collector.add(chosen));
        collector.finish()
    }

    #[test]
    fn the_first_solution_that_breaks_the_rules_is_reported() {
        let seating = Seating::new(4, 4);
        let mut collector = SolutionCollector::new(&seating.clone().into());
        collector.add(&seating.seats(&[2, 4, 1, 3]));
        collector.add(&seating.seats(&[1, 4, 1, 3]));
        collector.add(&seating.seats(&[2, 2, 3, 4]));
        let collected = collector.finish();
        assert_eq!(collected.count, 3);
        assert_eq!(collected.violation.unwrap(), "g1c1 g2c4 g3c1 g4c3: chair 1 holds two guests");
    }

    #[test]
    fn a_solution_that_is_shown_twice_is_reported() {
        let seating = Seating::new(4, 4);
        let mut collector = SolutionCollector::new(&seating.clone().into());
        for chairs in [[2, 4, 1, 3], [3, 1, 4, 2], [2, 4, 1, 3]] {
            collector.add(&seating.seats(&chairs));
        }
        let message = collector.finish().violation;
        assert_eq!(message.unwrap(), "g1c2 g2c4 g3c1 g4c3: they were shown before");
    }

    #[test]
    fn two_ways_of_listing_have_one_digest() {
        let seating = Seating::new(5, 5);
        let one = collect_solutions(&seating);
        let mut backwards = SolutionCollector::new(&seating.clone().into());
        for mut chosen in seating.solutions().into_iter().rev() {
            chosen.reverse();
            backwards.add(&chosen);
        }
        assert_eq!(backwards.shown(), 120);
        let backwards = backwards.finish();
        assert_eq!((one.count, &one.digest), (120, &backwards.digest));
    }
}
