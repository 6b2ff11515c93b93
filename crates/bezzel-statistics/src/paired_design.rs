//! Paired designs: several arms measured on the same instances, with replicates of each.

use indexmap::IndexMap;

use super::observation::{self, Observation};

/// The unit of replication, on which arms are compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DesignInstance {
    /// Its name, which no other instance of the design has.
    pub name: String,
    /// The family to which it belongs.
    pub family: String,
}

/// Arms × instances, each cell with its measured replicates (shuffles, seeds, repetitions).
///
/// A design is independent of rows: its maker defines the arms and the pairs of replicates.
#[derive(Clone, Debug, PartialEq)]
pub struct PairedDesign {
    instances: Vec<DesignInstance>,
    /// The limit of the measure, if it has one: CPU time has, conflicts have none.
    limit: Option<f64>,
    /// The cells by arm, then by instance. Empty if nothing was measured.
    cells: Vec<Vec<Replicates>>,
}

/// The replicates of an arm on an instance.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Replicates {
    /// In order, those over the limit last.
    pub(super) sorted: Vec<Observation>,
    /// The place in `sorted` of each replicate, in the order of the keys.
    pub(super) ranks: Vec<u32>,
    /// The first arm whose replicates have the same keys: both are drawn together. The arm itself, if
    /// there is none before it.
    pub(super) drawn_with: usize,
    /// The relative difference of measurements of the same work in the sessions of the replicates.
    pub(super) noise: f64,
}

impl PairedDesign {
    /// A design of `arms` arms and no instance.
    pub fn new(arms: usize) -> Self {
        Self { instances: Vec::new(), limit: None, cells: vec![Vec::new(); arms] }
    }

    /// The same with the limit of the measure.
    #[must_use]
    pub fn limited(self, limit: Option<f64>) -> Self {
        Self { limit, ..self }
    }

    /// The limit of the measure, if there was one.
    pub fn limit(&self) -> Option<f64> {
        self.limit
    }

    /// Adds an instance with the replicates of each arm. An arm that was not measured on it has none. No two replicates
    /// are a pair.
    ///
    /// # Panics
    ///
    /// If the number of lists is not the number of arms.
    pub fn push(&mut self, instance: DesignInstance, replicates: Vec<Vec<Observation>>) {
        let keyed = replicates.into_iter().map(|seen| seen.into_iter().map(|seen| ((), seen)));
        self.add(instance, keyed.map(Iterator::collect).collect(), false);
    }

    /// Adds an instance whose replicates have keys. Arms with the same keys are paired: replicates with
    /// one key were measured under the same conditions, and are drawn together. An arm with other keys, or
    /// with a key that occurs twice, is drawn by itself.
    ///
    /// # Panics
    ///
    /// If the number of lists is not the number of arms.
    pub fn push_keyed<K: Ord>(
        &mut self,
        instance: DesignInstance,
        replicates: Vec<Vec<(K, Observation)>>,
    ) {
        self.add(instance, replicates, true);
    }

    fn add<K: Ord>(
        &mut self,
        instance: DesignInstance,
        mut replicates: Vec<Vec<(K, Observation)>>,
        paired: bool,
    ) {
        assert_eq!(replicates.len(), self.cells.len(), "one list of replicates for each arm");
        self.instances.push(instance);
        for of_arm in &mut replicates {
            of_arm.sort_by(|one, two| one.0.cmp(&two.0));
        }
        let same_keys = |one: &[(K, Observation)], two: &[(K, Observation)]| {
            one.len() == two.len()
                && one.iter().zip(two).all(|(one, two)| one.0 == two.0)
                && one.windows(2).all(|next| next[0].0 != next[1].0)
        };
        for (arm, of_arm) in replicates.iter().enumerate() {
            let before = (0..arm).find(|&other| paired && same_keys(&replicates[other], of_arm));
            let seen: Vec<Observation> = of_arm.iter().map(|(_, seen)| *seen).collect();
            self.cells[arm].push(Replicates::new(seen, before.unwrap_or(arm)));
        }
    }

    /// The design of these instances alone, by their places.
    #[must_use]
    pub fn of_instances(&self, places: &[usize]) -> Self {
        let of =
            |of_arm: &Vec<Replicates>| places.iter().map(|&place| of_arm[place].clone()).collect();
        Self {
            limit: self.limit,
            instances: places.iter().map(|&place| self.instances[place].clone()).collect(),
            cells: self.cells.iter().map(of).collect(),
        }
    }

    /// The design of these arms alone, which are drawn together only if their first arm is among them.
    #[must_use]
    pub fn of_arms(&self, arms: &[usize]) -> Self {
        let cells = arms.iter().enumerate().map(|(own, &arm)| {
            let of_instance = |cell: &Replicates| {
                let with = arms.iter().position(|&other| other == cell.drawn_with).unwrap_or(own);
                Replicates { drawn_with: with, ..cell.clone() }
            };
            self.cells[arm].iter().map(of_instance).collect()
        });
        Self { instances: self.instances.clone(), limit: self.limit, cells: cells.collect() }
    }

    /// The replicates of an arm on an instance in the order of their keys.
    pub fn keyed(&self, arm: usize, instance: usize) -> impl Iterator<Item = Observation> + '_ {
        let cell = &self.cells[arm][instance];
        cell.ranks.iter().map(|&rank| cell.sorted[rank as usize])
    }

    /// Sets the noise of the measurements of each arm on an instance. It is 0 unless it is set.
    pub fn set_noise(&mut self, instance: usize, of_arms: impl IntoIterator<Item = f64>) {
        for (of_arm, noise) in self.cells.iter_mut().zip(of_arms) {
            of_arm[instance].noise = noise;
        }
    }

    /// The largest noise of the compared cells of some pairs of arms: those on the instances where both arms of a pair
    /// were measured.
    pub fn noise(&self, pairs: &[(usize, usize)]) -> f64 {
        let of_pair = |&(one, two): &(usize, usize)| {
            let both = self.cells[one].iter().zip(&self.cells[two]);
            let both = both.filter(|(one, two)| !one.sorted.is_empty() && !two.sorted.is_empty());
            both.map(|(one, two)| one.noise.max(two.noise))
        };
        pairs.iter().flat_map(of_pair).fold(0.0, f64::max)
    }

    /// The first arm whose replicates are drawn together with those of this arm on an instance.
    pub fn drawn_with(&self, arm: usize, instance: usize) -> usize {
        self.cells[arm][instance].drawn_with
    }

    /// The same with all instances in one family.
    #[must_use]
    pub fn pooled(mut self) -> Self {
        for instance in &mut self.instances {
            "all".clone_into(&mut instance.family);
        }
        self
    }

    /// The same with `more` added to every value.
    #[must_use]
    pub fn shifted(&self, more: f64) -> Self {
        let mut design = self.clone();
        for seen in design.cells.iter_mut().flatten().flat_map(|cell| &mut cell.sorted) {
            *seen = seen.plus(more);
        }
        design
    }

    /// The families, each with the places of its instances, in the order of their first instances.
    pub fn families(&self) -> Vec<(&str, Vec<usize>)> {
        let mut families: IndexMap<&str, Vec<usize>> = IndexMap::new();
        for (place, DesignInstance { family, .. }) in self.instances.iter().enumerate() {
            families.entry(family).or_default().push(place);
        }
        families.into_iter().collect()
    }

    /// The instances.
    pub fn instances(&self) -> &[DesignInstance] {
        &self.instances
    }

    /// The number of arms.
    pub fn arms(&self) -> usize {
        self.cells.len()
    }

    /// The replicates of an arm on an instance, in order, those over the limit last.
    pub fn replicates(&self, arm: usize, instance: usize) -> &[Observation] {
        &self.cells[arm][instance].sorted
    }

    /// The same with their pairs.
    pub(super) fn cell(&self, arm: usize, instance: usize) -> &Replicates {
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
}

impl Replicates {
    fn new(seen: Vec<Observation>, drawn_with: usize) -> Self {
        let mut order: Vec<usize> = (0..seen.len()).collect();
        order.sort_by(|&one, &two| observation::compare(seen[one], seen[two]));
        let mut ranks = vec![0; seen.len()];
        for (rank, &place) in order.iter().enumerate() {
            ranks[place] = rank as u32;
        }
        let mut sorted = seen;
        observation::sort(&mut sorted);
        Self { sorted, ranks, drawn_with, noise: 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::Observation::{AtLeast, Exact};
    use super::*;

    fn instance(name: &str, family: &str) -> DesignInstance {
        DesignInstance { name: name.into(), family: family.into() }
    }

    #[test]
    fn an_arm_has_a_median_where_it_was_measured() {
        let mut design = PairedDesign::new(2);
        design.push(instance("a", "f"), vec![vec![Exact(3.0), Exact(1.0)], vec![Exact(5.0)]]);
        design.push(instance("b", "f"), vec![vec![], vec![Exact(5.0)]]);
        assert_eq!(design.medians(0), [Some(Exact(2.0)), None]);
        assert_eq!(design.medians(1), [Some(Exact(5.0)); 2]);
    }

    #[test]
    fn families_have_their_instances_and_a_part_has_their_replicates() {
        let mut design = PairedDesign::new(1);
        for (name, family, time) in [("a", "f", 1.0), ("b", "g", 2.0), ("c", "f", 3.0)] {
            design.push(instance(name, family), vec![vec![Exact(time)]]);
        }
        assert_eq!(design.families(), [("f", vec![0, 2]), ("g", vec![1])]);
        let alone = design.of_instances(&[0, 2]);
        assert_eq!(alone.medians(0), [Some(Exact(1.0)), Some(Exact(3.0))]);
        assert_eq!(alone.instances()[1].name, "c");
        assert_eq!(alone.shifted(0.5).medians(0), [Some(Exact(1.5)), Some(Exact(3.5))]);
    }

    #[test]
    fn arms_with_the_same_keys_are_drawn_together_in_any_order() {
        let mut design = PairedDesign::new(5);
        let replicates = vec![
            vec![(1, Exact(5.0)), (2, Exact(4.0)), (3, AtLeast(1.0))],
            vec![(3, Exact(7.0)), (1, Exact(9.0)), (2, Exact(8.0))],
            // A key is missing, one differs, and one occurs twice.
            vec![(1, Exact(1.0)), (2, Exact(2.0))],
            vec![(1, Exact(1.0)), (2, Exact(2.0)), (4, Exact(3.0))],
            vec![(1, Exact(1.0)), (1, Exact(2.0)), (2, Exact(3.0))],
        ];
        design.push_keyed(instance("a", "f"), replicates);
        let drawn_with: Vec<usize> = (0..5).map(|arm| design.cell(arm, 0).drawn_with).collect();
        assert_eq!(drawn_with, [0, 0, 2, 3, 4]);
        assert_eq!(design.cell(0, 0).ranks, [1, 0, 2]);
        assert_eq!(design.cell(1, 0).ranks, [2, 1, 0]);
        design.push(instance("b", "f"), vec![vec![Exact(1.0)]; 5]);
        assert_eq!(design.cell(1, 1).drawn_with, 1, "without keys nothing is a pair");
    }
}
