//! Panels: several arms measured on the same instances, with replicates of each.

use super::observation::{self, Observation};

/// What arms are compared on: the unit of replication.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// Its name, which no other instance of the panel has.
    pub name: String,
    /// The family to which it belongs.
    pub family: String,
}

/// Arms × instances, each cell with the replicates (shuffles, seeds, repetitions) that were run of it.
///
/// It knows nothing of rows: what an arm is, and what was measured, whoever makes a panel decides.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    instances: Vec<Instance>,
    /// The limit of what was measured, if it has one: CPU time has, conflicts have none.
    limit: Option<f64>,
    /// By arm, then by instance; empty where nothing was measured.
    cells: Vec<Vec<Vec<Observation>>>,
}

impl Panel {
    /// A panel of so many arms and no instance.
    pub fn new(arms: usize) -> Self {
        Self { instances: Vec::new(), limit: None, cells: vec![Vec::new(); arms] }
    }

    /// The same with the limit that runs had of what was measured.
    #[must_use]
    pub fn limited(self, limit: Option<f64>) -> Self {
        Self { limit, ..self }
    }

    /// The limit that runs had of what was measured, if there was one.
    pub fn limit(&self) -> Option<f64> {
        self.limit
    }

    /// Adds an instance with the replicates of each arm; none of an arm that was not measured on it.
    ///
    /// # Panics
    ///
    /// If there are more or fewer lists of replicates than arms.
    pub fn push(&mut self, instance: Instance, replicates: Vec<Vec<Observation>>) {
        assert_eq!(replicates.len(), self.cells.len(), "one list of replicates for each arm");
        self.instances.push(instance);
        for (cells, mut replicates) in self.cells.iter_mut().zip(replicates) {
            observation::sort(&mut replicates);
            cells.push(replicates);
        }
    }

    /// The panel of the instances of one family alone.
    #[must_use]
    pub fn of_family(&self, family: &str) -> Self {
        let mut panel = Self::new(self.arms()).limited(self.limit);
        for (place, instance) in self.instances.iter().enumerate() {
            if instance.family == family {
                let replicates = self.cells.iter().map(|of_arm| of_arm[place].clone());
                panel.push(instance.clone(), replicates.collect());
            }
        }
        panel
    }

    /// The instances.
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// The number of arms.
    pub fn arms(&self) -> usize {
        self.cells.len()
    }

    /// The replicates of an arm on an instance, in order, those over the limit last.
    pub fn replicates(&self, arm: usize, instance: usize) -> &[Observation] {
        &self.cells[arm][instance]
    }

    /// The median of an arm on an instance, if it was measured on it.
    pub fn median(&self, arm: usize, instance: usize) -> Option<Observation> {
        observation::median(self.replicates(arm, instance))
    }

    /// The medians of an arm on all instances.
    pub fn medians(&self, arm: usize) -> Vec<Option<Observation>> {
        (0..self.instances.len()).map(|instance| self.median(arm, instance)).collect()
    }

    /// The instances on which both arms were measured, with the medians of both.
    pub fn pairs(&self, one: usize, two: usize) -> Vec<(usize, Observation, Observation)> {
        let places = 0..self.instances.len();
        places
            .filter_map(|place| Some((place, self.median(one, place)?, self.median(two, place)?)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Observation::Exact;
    use super::*;

    #[test]
    fn a_pair_is_compared_where_both_were_measured() {
        let mut panel = Panel::new(2);
        let instance = |name: &str| Instance { name: name.into(), family: "f".into() };
        panel.push(instance("a"), vec![vec![Exact(3.0), Exact(1.0)], vec![Exact(5.0)]]);
        panel.push(instance("b"), vec![vec![], vec![Exact(5.0)]]);
        assert_eq!(panel.pairs(0, 1), [(0, Exact(2.0), Exact(5.0))]);
        assert_eq!(panel.medians(0), [Some(Exact(2.0)), None]);
    }

    #[test]
    fn a_family_alone_has_its_instances_and_their_replicates() {
        let mut panel = Panel::new(1);
        for (name, family, time) in [("a", "f", 1.0), ("b", "g", 2.0), ("c", "f", 3.0)] {
            let instance = Instance { name: name.into(), family: family.into() };
            panel.push(instance, vec![vec![Exact(time)]]);
        }
        let alone = panel.of_family("f");
        assert_eq!(alone.medians(0), [Some(Exact(1.0)), Some(Exact(3.0))]);
        assert_eq!(alone.instances()[1].name, "c");
        assert!(panel.of_family("h").instances().is_empty());
    }
}
