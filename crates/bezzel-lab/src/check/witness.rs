//! Who looks at every solution that an engine shows, and believes none.

use std::cmp::Ordering;
use std::collections::HashSet;

use bezzel_external::usage;
use bezzel_problem::{Board, Candidate, Dihedral, Instance, Solution, Square};

use crate::model::all_solutions::SetDigest;

/// So many queens are looked at together, so that the clock is read once for many solutions.
const TOGETHER: usize = 16 * 1024;

/// So many first solutions are remembered, and noticed if they come again: in lists of some, which
/// nobody compares with the set of all. They take a megabyte or two.
const REMEMBERED: usize = 1 << 16;

/// Looks at solutions: each is held against the rules of the board, and the set of all gets a
/// digest. The time that this takes is told, so that it is no part of anybody's measure.
#[derive(Debug)]
pub struct Witness {
    instance: Instance,
    /// The maps under which images count once, if they do.
    group: Option<Vec<Dihedral>>,
    /// The solutions that are still to be checked, candidate after candidate.
    chosen: Vec<Candidate>,
    /// The end of each of them.
    ends: Vec<usize>,
    /// The squares of one solution; kept for its memory.
    queens: Vec<Square>,
    /// One solution's image; kept for its memory.
    image: Vec<Square>,
    /// The hashes of the first solutions that were counted.
    met: HashSet<u128>,
    shown: u64,
    seen: Seen,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The number of solutions; of several images of each other one, where images count once.
    pub count: u64,
    /// The digest of the set of solutions that were counted.
    pub digest: String,
    /// What is wrong with the first that breaks the rules, or that came before, if one does.
    pub violation: Option<String>,
    /// CPU time of looking, in seconds.
    pub check_cpu_s: f64,
    set: SetDigest,
}

impl Witness {
    /// Looks at solutions of the board. Under a group of maps, images of each other count once: those
    /// that come first in reading order among their images.
    pub fn new(instance: &Instance, group: Option<Vec<Dihedral>>) -> Self {
        Self {
            instance: instance.clone(),
            group,
            chosen: Vec::with_capacity(TOGETHER + instance.size() as usize),
            ends: Vec::new(),
            queens: Vec::new(),
            image: Vec::new(),
            met: HashSet::new(),
            shown: 0,
            seen: Seen::default(),
        }
    }

    /// Takes a solution: the chosen candidates, in any order.
    pub fn add(&mut self, chosen: &[Candidate]) {
        self.chosen.extend_from_slice(chosen);
        self.ends.push(self.chosen.len());
        self.shown += 1;
        if self.chosen.len() >= TOGETHER || self.ends.len() >= TOGETHER {
            self.look();
        }
    }

    /// How many solutions were shown.
    pub fn shown(&self) -> u64 {
        self.shown
    }

    /// What was seen of all that were shown.
    pub fn finish(mut self) -> Seen {
        self.look();
        Seen { digest: self.seen.set.finish(), ..self.seen }
    }

    /// CPU time of looking so far, in seconds.
    pub fn check_cpu_s(&self) -> f64 {
        self.seen.check_cpu_s
    }

    /// Looks at what has come together.
    fn look(&mut self) {
        let start = usage::thread_cpu_s();
        let mut begin = 0;
        for &end in &self.ends {
            let chosen = &mut self.chosen[begin..end];
            begin = end;
            chosen.sort_unstable();
            if self.seen.violation.is_none() {
                let solution: Solution = chosen.iter().copied().collect();
                let checked = self.instance.check(&solution);
                self.seen.violation =
                    checked.err().map(|violation| described(&self.instance, chosen, &violation));
            }
            let (is_counted, hash) = match self.instance.board() {
                Some(board) => {
                    self.queens.clear();
                    self.queens.extend(chosen.iter().map(|&candidate| board.square(candidate)));
                    let first = |group: &Vec<Dihedral>| {
                        is_first(&self.queens, board, group, &mut self.image)
                    };
                    let is_counted = self.group.as_ref().is_none_or(first);
                    (is_counted, is_counted.then(|| self.seen.set.add(&mut self.queens)))
                }
                None => (true, Some(self.seen.set.add_candidates(chosen))),
            };
            self.seen.count += u64::from(is_counted);
            if let Some(hash) = hash {
                let is_new = self.met.len() == REMEMBERED || self.met.insert(hash);
                if !is_new && self.seen.violation.is_none() {
                    let fault = "they were shown before";
                    self.seen.violation = Some(described(&self.instance, chosen, fault));
                }
            }
        }
        self.chosen.clear();
        self.ends.clear();
        self.seen.check_cpu_s += usage::thread_cpu_s() - start;
    }
}

/// The fault of a solution, with its candidates.
fn described(instance: &Instance, chosen: &[Candidate], fault: &str) -> String {
    let name = |&candidate: &Candidate| match instance.board() {
        Some(board) => board.square(candidate).to_string(),
        None => instance.label(candidate),
    };
    let names: Vec<_> = chosen.iter().map(name).collect();
    let before = if instance.board().is_some() { "queens on " } else { "" };
    format!("{before}{}: {fault}", names.join(" "))
}

/// Whether no image of these squares, which are in reading order, comes before them. Uses `image`
/// for one image after the other.
pub fn is_first(
    queens: &[Square],
    board: &Board,
    group: &[Dihedral],
    image: &mut Vec<Square>,
) -> bool {
    group.iter().all(|map| {
        image.clear();
        let of = |&square| map.image(square, board.rows(), board.columns());
        image.extend(queens.iter().map(of));
        image.sort_unstable();
        queens.cmp(image.as_slice()) != Ordering::Greater
    })
}

#[cfg(test)]
mod tests {
    use bezzel_count::Backtrack;
    use bezzel_problem::queens::dihedral::stabilizer;

    use super::*;

    fn witnessed(board: &Board, group: Option<Vec<Dihedral>>) -> Seen {
        let mut witness = Witness::new(&board.clone().into(), group);
        let search = Backtrack::new(board).unwrap();
        search
            .each(u64::MAX, |placement| {
                witness.add(placement.solution(board).chosen());
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        witness.finish()
    }

    #[test]
    fn images_count_once_under_the_group_of_the_board() {
        for (side, fundamental) in [(1, 1), (4, 1), (5, 2), (6, 1), (7, 6), (8, 12), (9, 46)] {
            let board = Board::new(side).unwrap();
            let seen = witnessed(&board, Some(stabilizer(&board)));
            assert_eq!((seen.count, seen.violation), (fundamental, None), "side {side}");
        }
    }

    #[test]
    fn the_first_solution_that_breaks_the_rules_is_told() {
        let board = Board::new(4).unwrap();
        let mut witness = Witness::new(&board.clone().into(), None);
        let squares = |columns: [u32; 4]| -> Vec<Candidate> {
            columns.into_iter().zip(0..).map(|(column, row)| 4 * row + column).collect()
        };
        witness.add(&squares([1, 3, 0, 2]));
        witness.add(&squares([0, 3, 0, 2]));
        witness.add(&squares([0, 1, 2, 3]));
        let seen = witness.finish();
        assert_eq!(seen.count, 3);
        let told = seen.violation.unwrap();
        assert!(told.contains("1,1") && told.contains("attack each other"), "{told}");
    }

    #[test]
    fn a_solution_that_is_shown_twice_is_told() {
        let board = Board::new(4).unwrap();
        let squares = |columns: [u32; 4]| -> Vec<Candidate> {
            columns.into_iter().zip(0..).map(|(column, row)| 4 * row + column).collect()
        };
        let mut witness = Witness::new(&board.clone().into(), None);
        for columns in [[1, 3, 0, 2], [2, 0, 3, 1], [1, 3, 0, 2]] {
            witness.add(&squares(columns));
        }
        let told = witness.finish().violation;
        assert_eq!(told.unwrap(), "queens on 1,2 2,4 3,1 4,3: they were shown before");
    }

    #[test]
    fn two_ways_of_listing_have_one_digest() {
        let board = Board::new(8).unwrap();
        let one = witnessed(&board, None);
        let mut all = Vec::new();
        Backtrack::new(&board)
            .unwrap()
            .each(u64::MAX, |placement| {
                all.push(placement.solution(&board));
                std::ops::ControlFlow::Continue(())
            })
            .unwrap();
        let mut backwards = Witness::new(&board.clone().into(), None);
        all.iter().rev().for_each(|solution| backwards.add(solution.chosen()));
        assert_eq!(backwards.shown(), 92);
        let backwards = backwards.finish();
        assert_eq!((one.count, &one.digest), (92, &backwards.digest));
    }
}
