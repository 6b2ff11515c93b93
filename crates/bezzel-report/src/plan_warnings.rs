//! Warnings before a run: a plan that is too small for a ranking.

use std::collections::HashSet;

use bezzel_experiment::{PlannedJob, Task};
use bezzel_problem::Instance;
use indexmap::{IndexMap, IndexSet};

use crate::comparison::program;
use crate::number::count;
use bezzel_statistics::ranking::{SOLVERS, instances_needed};

/// The instances of each encoding.
type InstancesByEncoding<'p> = IndexMap<String, HashSet<&'p Instance>>;

/// The reasons why the jobs of a plan can support no ranking of their encodings, a sentence each: a numbering has too
/// few instances for the intervals of all pairs, or there are too few solvers. Instances with a solution and instances
/// without one are compared separately, so more instances may be needed.
pub fn ranking_warnings(jobs: &[PlannedJob]) -> Vec<String> {
    let mut arms: IndexMap<(String, &str), InstancesByEncoding<'_>> = IndexMap::new();
    let firsts = jobs.iter().map(|planned| &planned.job).filter(|job| job.task == Task::Solve);
    for job in firsts {
        let instances = arms.entry((job.numbering.id(), job.solver.as_str())).or_default();
        instances.entry(job.encoding_label()).or_default().insert(&job.instance);
    }
    arms.retain(|_, encodings| encodings.len() > 1);
    // A ranking of a numbering has the encodings of all solvers.
    let mut compared: IndexMap<&str, HashSet<&str>> = IndexMap::new();
    for ((numbering, _), encodings) in &arms {
        compared.entry(numbering).or_default().extend(encodings.keys().map(String::as_str));
    }
    let mut warnings: IndexSet<String> = IndexSet::new();
    for ((numbering, _), encodings) in &arms {
        let compared = compared[numbering.as_str()].len();
        let pairs = compared * (compared - 1) / 2;
        let sets: Vec<_> = encodings.values().collect();
        let shared = sets
            .iter()
            .enumerate()
            .flat_map(|(place, one)| sets[..place].iter().map(|two| one.intersection(two).count()));
        let (least, needed) = (shared.min().unwrap_or(0), instances_needed(pairs));
        if least < needed {
            warnings.insert(format!(
                "too few instances to rank encodings ({numbering}): two of them share {}, and \
                 simultaneous 95 % confidence intervals of {} need {needed}, counted separately for \
                 satisfiable and unsatisfiable instances",
                count(least, "instance"),
                count(pairs, "pair"),
            ));
        }
    }
    let programs: HashSet<&str> = arms.keys().map(|(_, solver)| program(solver)).collect();
    if !arms.is_empty() && programs.len() < SOLVERS {
        warnings
            .insert(format!("too few solvers to rank encodings: 1, and a ranking needs {SOLVERS}"));
    }
    warnings.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use bezzel_experiment::{Catalog, Config, Plan};

    use super::*;

    fn warnings_of(sizes: &str, encodings: &str, solvers: &str) -> Vec<String> {
        let text = format!(
            "name: t\nproblems: [{{latin-square: {{order: {sizes}}}}}]\nencodings: [{encodings}]\nsolvers: [{solvers}]\n\
             numberings: [{{random: {{shuffles: 2}}}}]\n"
        );
        let catalog = Catalog::standard();
        let config = Config::parse(&text, "a test", &catalog).unwrap();
        ranking_warnings(&Plan::new(&config, &catalog).unwrap().jobs)
    }

    #[test]
    fn a_plan_that_no_interval_can_decide_is_named_with_the_instances_that_it_needs() {
        let both = "batsat, cadical";
        // One pair needs 6 instances, and six pairs 8: 1 − 2^(1 − n) is at least the level of each.
        assert_eq!(warnings_of("4..9", "pairwise, binary", both), Vec::<String>::new());
        let few = warnings_of("4..8", "pairwise, binary", both);
        assert_eq!(few.len(), 1, "once for both solvers");
        assert!(few[0].contains("(random): two of them share 5 instances"), "{}", few[0]);
        assert!(few[0].contains("confidence intervals of 1 pair need 6,"), "{}", few[0]);
        let four = "pairwise, binary, product, tree";
        assert!(
            warnings_of("4..10", four, both)[0].contains("confidence intervals of 6 pairs need 8")
        );
        assert_eq!(warnings_of("4..11", four, both), Vec::<String>::new());
        assert_eq!(warnings_of("4..9", "pairwise, binary", "cadical, \"cadical:plain\"").len(), 1);
        // One encoding alone has no comparison.
        assert_eq!(warnings_of("4..5", "pairwise", "batsat"), Vec::<String>::new());
    }
}
