//! Generalised assignment: jobs for agents, each with its own weight and cost.
//!
//! *Rules.* Each job has one agent. The jobs of an agent weigh at most its capacity. All jobs cost at most a bound.
//!
//! *Candidates.* Job j for agent a, job by job: jobs × agents.
//!
//! *Families.* `jobs`: for each job exactly one agent. `capacities`: the weights of the jobs of each agent, a family for
//! each. `cost`: the costs of all jobs.
//!
//! *Instances* are drawn as those of type D of Chu and Beasley: weights are uniform from 1 to W, a capacity is a share of
//! the sum of the weights of its agent divided by the number of agents, and a cost is W + R + 1 less the weight and a
//! uniform number from −R to R, for R = W/10. So a job is cheap where it is heavy. The bound is the optimum, or one below
//! it. Both are of the same jobs for the same seed.
//!
//! *Optimum.* Branch and bound over the jobs, the heaviest first. The bound is the cost of the cheapest agent with room
//! for each job that is left.
//!
//! *Source.* P. C. Chu, J. E. Beasley, "A genetic algorithm for the generalised assignment problem", Computers & Operations
//! Research 24, 1997. G. T. Ross, R. M. Soland, "A branch and bound algorithm for the generalized assignment problem",
//! Mathematical Programming 8, 1975.

use std::fmt;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use super::optimum::{Steps, StepsSpent, refuse_steps};
use crate::drawing::{Cell, CellLook, Drawing};
use crate::entry::{EntryError, EntryForm, EntryKey, EntryValues};
use crate::group::{Bounds, GroupFamily};
use crate::kind::{EntryKind, Kind, assignment, short_digest};
use crate::literal::{Candidate, Literal};
use crate::problem::Problem;
use crate::solution::Solution;

/// The least and the largest numbers of jobs, of agents, and of a weight.
const JOBS: [u64; 2] = [1, 200];
const AGENTS: [u64; 2] = [1, 50];
const WEIGHTS: [u64; 2] = [1, 100_000];

/// Jobs, agents, and a bound on the cost.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneralisedAssignment {
    /// The weights of all jobs, for each agent.
    weights: Vec<Vec<u32>>,
    /// The costs of all jobs, for each agent.
    costs: Vec<Vec<u32>>,
    capacities: Vec<u32>,
    cost: u64,
}

impl GeneralisedAssignment {
    /// Draws jobs by a seed, and asks for their optimum, or for one below it.
    fn draw(
        jobs: u32,
        agents: u32,
        largest: u32,
        share: f64,
        is_below: bool,
        seed: u64,
    ) -> Result<Self, EntryError> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let weights: Vec<Vec<u32>> = (0..agents)
            .map(|_| (0..jobs).map(|_| random.random_range(1..=largest)).collect())
            .collect();
        let noise = largest / 10;
        let mut cost =
            |&weight: &u32| largest + 2 * noise + 1 - weight - random.random_range(0..=2 * noise);
        let costs: Vec<Vec<u32>> =
            weights.iter().map(|row| row.iter().map(&mut cost).collect()).collect();
        let capacity = |row: &Vec<u32>| {
            (share * f64::from(row.iter().sum::<u32>()) / f64::from(agents)) as u32
        };
        let capacities = weights.iter().map(capacity).collect();
        let drawn = Self { weights, costs, capacities, cost: 0 };
        let optimum =
            drawn.best(u64::MAX).map_err(refuse_steps("jobs", seed))?.ok_or_else(|| {
                let message = format!(
                    "no assignment keeps the capacities of seed {seed}: take a larger share"
                );
                EntryError::new("capacity", message)
            })?;
        Ok(Self { cost: optimum - u64::from(is_below), ..drawn })
    }

    fn jobs(&self) -> usize {
        self.weights[0].len()
    }

    /// The job and the agent of a candidate, both from 0.
    fn place(&self, candidate: Candidate) -> (usize, usize) {
        let agents = self.weights.len();
        (candidate as usize / agents, candidate as usize % agents)
    }

    fn at(&self, job: usize, agent: usize) -> Literal {
        Literal::chosen((job * self.weights.len() + agent) as u32)
    }

    /// The least cost, if it is less than `limit`.
    fn best(&self, limit: u64) -> Result<Option<u64>, StepsSpent> {
        let mut jobs: Vec<usize> = (0..self.jobs()).collect();
        let weight = |job: usize| self.weights.iter().map(|row| u64::from(row[job])).sum::<u64>();
        jobs.sort_by_key(|&job| std::cmp::Reverse(weight(job)));
        let mut search = Search { assignment: self, jobs, best: limit, steps: Steps::new() };
        search.visit(0, &mut self.capacities.clone(), 0)?;
        Ok(Some(search.best).filter(|&best| best < limit))
    }

    /// The agent of each job.
    fn agents(&self, solution: &Solution) -> Result<Vec<u32>, String> {
        let words = ["job", "has two agents", "has no agent"];
        let (jobs, agents) = (self.jobs() as u32, self.weights.len() as u32);
        assignment(solution.chosen(), jobs, agents, words)
    }
}

/// A branch and bound.
struct Search<'a> {
    assignment: &'a GeneralisedAssignment,
    /// The jobs in the order in which they are assigned.
    jobs: Vec<usize>,
    best: u64,
    steps: Steps,
}

impl Search<'_> {
    /// Assigns the jobs from `first` on.
    fn visit(&mut self, first: usize, free: &mut [u32], cost: u64) -> Result<(), StepsSpent> {
        let GeneralisedAssignment { weights, costs, .. } = self.assignment;
        let mut bound = cost;
        for &job in &self.jobs[first..] {
            self.steps.take(free.len())?;
            let with_room = (0..free.len()).filter(|&agent| weights[agent][job] <= free[agent]);
            let Some(least) = with_room.map(|agent| costs[agent][job]).min() else { return Ok(()) };
            bound += u64::from(least);
            if bound >= self.best {
                return Ok(());
            }
        }
        let Some(&job) = self.jobs.get(first) else {
            self.best = self.best.min(cost);
            return Ok(());
        };
        let mut agents: Vec<usize> = (0..free.len()).collect();
        agents.sort_by_key(|&agent| costs[agent][job]);
        for agent in agents {
            if let Some(left) = free[agent].checked_sub(weights[agent][job]) {
                let before = std::mem::replace(&mut free[agent], left);
                self.visit(first + 1, free, cost + u64::from(costs[agent][job]))?;
                free[agent] = before;
            }
        }
        Ok(())
    }
}

impl fmt::Display for GeneralisedAssignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.weights.iter().chain(&self.costs).flatten().chain(&self.capacities);
        let digest = short_digest(numbers.copied());
        let (jobs, agents, cost) = (self.jobs(), self.weights.len(), self.cost);
        write!(f, "generalised-assignment {jobs} jobs, {agents} agents, cost {cost} (#{digest})")
    }
}

impl Kind for GeneralisedAssignment {
    const ID: &'static str = "generalised-assignment";
    const TITLE: &'static str = "generalised assignment";
    const FAMILIES: &'static [&'static str] = &["jobs", "capacities", "cost"];
    const SIZE: &'static str = "Jobs";
    const RANK: u16 = 10;

    fn checked(self) -> Result<Self, EntryError> {
        let Self { weights, costs, capacities, .. } = &self;
        let error = |message: &str| Err(EntryError::new("jobs", message));
        let has = |[least, max]: [u64; 2], number: u64| (least..=max).contains(&number);
        let jobs = weights.first().map_or(0, Vec::len);
        if !has(JOBS, jobs as u64) || !has(AGENTS, weights.len() as u64) {
            return error("there are from 1 to 200 jobs, for 1 to 50 agents");
        }
        let rows = weights.iter().chain(costs);
        if costs.len() != weights.len()
            || capacities.len() != weights.len()
            || rows.clone().any(|row| row.len() != jobs)
        {
            return error(
                "every job has a weight and a cost for each agent, and every agent has a capacity",
            );
        }
        if !rows.flatten().all(|&number| has([1, 2 * WEIGHTS[1]], number.into())) {
            return error("weights and costs are from 1 to 200000");
        }
        Ok(self)
    }

    fn constraints(&self) -> Problem {
        let (jobs, agents) = (self.jobs(), self.weights.len());
        let of_job = |job| (0..agents).map(move |agent| self.at(job, agent));
        let all = (0..jobs).map(of_job).collect();
        let mut problem = Problem::new((jobs * agents) as u32);
        problem = problem.with_family(GroupFamily::new("jobs", Bounds::EXACTLY_ONE, all));
        for (agent, row) in self.weights.iter().enumerate() {
            let literals = std::iter::once((0..jobs).map(|job| self.at(job, agent))).collect();
            let weights = std::iter::once(row.iter().map(|&weight| weight.into())).collect();
            let bounds = Bounds { at_least: None, at_most: Some(self.capacities[agent].into()) };
            let family = GroupFamily::weighted("capacities", bounds, literals, weights);
            problem = problem.with_family(family);
        }
        let literals = std::iter::once((0..jobs).flat_map(of_job)).collect();
        let costs = (0..jobs).flat_map(|job| self.costs.iter().map(move |row| row[job].into()));
        let bounds = Bounds { at_least: None, at_most: Some(self.cost) };
        let costs = std::iter::once(costs).collect();
        problem.with_family(GroupFamily::weighted("cost", bounds, literals, costs))
    }

    fn size(&self) -> u32 {
        self.jobs() as u32
    }

    fn label(&self, candidate: Candidate) -> String {
        let (job, agent) = self.place(candidate);
        format!("job{}=agent{}", job + 1, agent + 1)
    }

    /// The agent of each job.
    fn draw(&self, solution: &Solution) -> String {
        let agents = solution.chosen().iter().map(|&candidate| self.place(candidate).1 + 1);
        agents.map(|agent| agent.to_string()).collect::<Vec<_>>().join(" ")
    }

    /// A row for each job, with its weight and its cost for each agent, of which the chosen one is marked.
    fn drawing(&self, solution: Option<&Solution>) -> Option<Drawing> {
        let agents = match solution {
            Some(solution) => Some(self.agents(solution).ok()?),
            None => None,
        };
        let names = (1..=self.weights.len()).map(|agent| format!("agent {agent}"));
        let heads = std::iter::once("job".to_owned()).chain(names).map(Cell::name).collect();
        let rows = (0..self.jobs()).map(|job| {
            let cells = (0..self.weights.len()).map(|agent| {
                let is_chosen = agents.as_ref().is_some_and(|agents| agents[job] as usize == agent);
                let (weight, cost) = (self.weights[agent][job], self.costs[agent][job]);
                let look = if is_chosen { CellLook::Found } else { CellLook::Name };
                Cell::new(format!("{weight}, cost {cost}"), look)
            });
            std::iter::once(Cell::name((job + 1).to_string())).chain(cells).collect()
        });
        Drawing::grid(std::iter::once(heads).chain(rows))
    }

    fn check(&self, solution: &Solution) -> Result<(), String> {
        let mut loads = vec![0; self.capacities.len()];
        let mut cost = 0;
        for (job, agent) in self.agents(solution)?.into_iter().enumerate() {
            let agent = agent as usize;
            loads[agent] += self.weights[agent][job];
            cost += u64::from(self.costs[agent][job]);
        }
        for (number, (load, capacity)) in (1..).zip(loads.iter().zip(&self.capacities)) {
            if load > capacity {
                return Err(format!(
                    "the jobs of agent {number} weigh {load}, more than {capacity}"
                ));
            }
        }
        if cost > self.cost {
            return Err(format!("the jobs cost {cost}, more than {}", self.cost));
        }
        Ok(())
    }

    /// None, if the bound is below the optimum.
    fn known_count(&self) -> Option<u128> {
        self.best(self.cost.saturating_add(1)).ok()?.is_none().then_some(0)
    }
}

impl EntryKind for GeneralisedAssignment {
    const ENTRY: &'static [EntryKey] = &[
        EntryKey::required("jobs", "The number of jobs.", EntryForm::Whole(JOBS[0], JOBS[1])),
        EntryKey::optional(
            "agents",
            "The number of agents; 4 if it is not given.",
            EntryForm::Whole(AGENTS[0], AGENTS[1]),
        ),
        EntryKey::optional(
            "weights",
            "The largest weight of a job; 100 if it is not given.",
            EntryForm::Whole(WEIGHTS[0], WEIGHTS[1]),
        ),
        EntryKey::optional(
            "capacity",
            "The share of the mean load of an agent that its capacity is; 80 % if it is not given.",
            EntryForm::Share,
        ),
        EntryKey::optional(
            "cost",
            "The largest cost: `optimum` has a solution, and `below`, one less, has none.",
            EntryForm::Word(&["optimum", "below"]),
        ),
        EntryKey::optional(
            "seeds",
            "The seeds by which jobs are drawn; 1 if it is not given.",
            EntryForm::Whole(0, u64::MAX),
        ),
    ];

    fn instance(values: &EntryValues) -> Result<Self, EntryError> {
        Self::draw(
            values.whole_within("jobs", JOBS, 0)?,
            values.whole_within("agents", AGENTS, 4)?,
            values.whole_within("weights", WEIGHTS, 100)?,
            values.share_or("capacity", 0.8)?,
            values.word("cost") == Some("below"),
            values.whole("seeds").unwrap_or(1),
        )
    }

    fn examples() -> Vec<Self> {
        // An encoder of counts takes a literal for each unit of weight, so weights are small.
        let drawn =
            [(2, 3, 3, false, 1), (3, 2, 3, false, 1), (3, 2, 3, true, 1), (3, 2, 3, true, 2)];
        let drawn = drawn.map(|(jobs, agents, largest, is_below, seed)| {
            Self::draw(jobs, agents, largest, 1.0, is_below, seed).expect("an example")
        });
        drawn.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::optimum::assert_solvable;

    #[test]
    fn the_optimum_has_a_solution_and_one_below_it_has_none() {
        let mut tried = 0;
        for seed in 1..=12 {
            for (jobs, agents, share) in [(4, 2, 1.0), (6, 3, 0.8), (8, 3, 0.9)] {
                let draw =
                    |is_below| GeneralisedAssignment::draw(jobs, agents, 30, share, is_below, seed);
                let (optimum, below) = match (draw(false), draw(true)) {
                    (Ok(optimum), Ok(below)) => (optimum, below),
                    (Err(one), Err(other)) => {
                        assert_eq!(one, other);
                        continue;
                    }
                    both => panic!("{both:?}"),
                };
                assert_eq!(
                    below,
                    GeneralisedAssignment { cost: optimum.cost - 1, ..optimum.clone() }
                );
                assert_solvable(&optimum, true);
                assert_solvable(&below, false);
                tried += 1;
            }
        }
        assert!(tried > 25, "{tried} of 36 have an assignment");
    }
}
