//! The jobs of a comparison by their arms and units, and the rows that have arrived.
//!
//! A *unit* is a family if the given instances have several, or else an instance, or else a shuffle of the only instance.
//! In the order of the plan, with small instances first, units choose and judge alternately.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bezzel_experiment::{Job, Row};
use bezzel_problem::Instance;
use bezzel_report::comparison::{Measure, is_unchecked};
use bezzel_report::row_statistics::cell::is_counted;

use super::race::{EndedRuns, Race};
use crate::command::run::JobChooser;
use crate::limited;

/// An arm: everything that is chosen together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Arm {
    pub(super) encoding: String,
    /// The settings that differ from the default, such as `input order random:1`.
    pub(super) label: String,
    pub(super) input_order: String,
    pub(super) numbering: String,
    pub(super) solver: String,
}

impl Arm {
    pub(super) fn of(job: &Job) -> Self {
        Self {
            encoding: job.encoding.clone(),
            label: job.encoding_label(),
            input_order: job.settings.input_order.to_string(),
            numbering: job.numbering.id(),
            solver: job.solver.clone(),
        }
    }
}

/// The sort of the units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitKind {
    Family,
    Instance,
    Shuffle,
}

/// The place of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct UnitPlace {
    /// True if it judges, and does not choose.
    pub(super) judges: bool,
    /// Its turn among the units of its half.
    pub(super) turn: usize,
}

/// The jobs by arm and unit.
pub(super) struct Entries {
    pub(super) kind: UnitKind,
    families: HashMap<Instance, String>,
    pub(super) arms: BTreeMap<Arm, usize>,
    places: HashMap<String, UnitPlace>,
    /// The number of jobs by arm and unit.
    planned: HashMap<(usize, UnitPlace), usize>,
    reserve: Duration,
    state: Mutex<State>,
}

struct State {
    rows: HashMap<(usize, UnitPlace), Vec<Row>>,
    race: Race,
}

impl Entries {
    /// The jobs of a plan in its order, with the stated families. All cores have `seconds` of time in all for them, and no
    /// job begins when only `reserve` is left of the time limit of the command.
    pub(super) fn new(
        jobs: &[&Job],
        families: HashMap<Instance, String>,
        seconds: f64,
        reserve: Duration,
    ) -> Self {
        let jobs = || jobs.iter().copied();
        let stated = jobs().filter_map(|job| families.get(&job.instance));
        let instances: BTreeSet<&Instance> = jobs().map(|job| &job.instance).collect();
        let kind = match (stated.collect::<BTreeSet<_>>().len(), instances.len()) {
            (2.., _) => UnitKind::Family,
            (_, 2..) => UnitKind::Instance,
            _ => UnitKind::Shuffle,
        };
        let mut order: HashMap<String, usize> = HashMap::new();
        for job in jobs() {
            let next = order.len();
            order.entry(unit(kind, &families, job)).or_insert(next);
        }
        let halves = [order.len().div_ceil(2), order.len() / 2];
        let place = |at: usize| {
            let judges = at % 2 == 1;
            UnitPlace { judges, turn: turn(at / 2, halves[usize::from(judges)]) }
        };
        let places = order.into_iter().map(|(name, at)| (name, place(at))).collect();
        let arms: BTreeSet<Arm> = jobs().map(Arm::of).collect();
        let race = Race::new(arms.len(), halves[0], halves[1], seconds / 2.0);
        let mut entries = Self {
            kind,
            families,
            arms: arms.into_iter().zip(0..).collect(),
            places,
            planned: HashMap::new(),
            reserve,
            state: Mutex::new(State { rows: HashMap::new(), race }),
        };
        for job in jobs() {
            let key = entries.key(job).expect("it is planned");
            *entries.planned.entry(key).or_default() += 1;
        }
        entries
    }

    /// The name of the unit of a job.
    pub(super) fn unit(&self, job: &Job) -> String {
        unit(self.kind, &self.families, job)
    }

    /// The arm and the unit of a job. None if it is not planned.
    fn key(&self, job: &Job) -> Option<(usize, UnitPlace)> {
        Some((*self.arms.get(&Arm::of(job))?, self.place(job)?))
    }

    /// The place of the unit of a job.
    pub(super) fn place(&self, job: &Job) -> Option<UnitPlace> {
        self.places.get(&self.unit(job)).copied()
    }

    /// True if all arms that go on have all of their runs on the unit of a job.
    pub(super) fn is_complete(&self, place: UnitPlace) -> bool {
        let state = self.state();
        let State { rows, race } = &*state;
        race.arms.iter().all(|&arm| {
            let key = (arm, place);
            rows.get(&key).map(Vec::len) == self.planned.get(&key).copied()
        })
    }

    /// The numbers of arms that were stopped: surely worse, and for lack of time.
    pub(super) fn stopped(&self) -> [usize; 2] {
        let state = self.state();
        [state.race.worse, state.race.late]
    }

    /// True if an arm goes on.
    pub(super) fn goes_on(&self, arm: &Arm) -> bool {
        self.arms.get(arm).is_some_and(|arm| self.state().race.arms.contains(arm))
    }

    /// The number of units on which arms were compared last.
    pub(super) fn compared(&self) -> usize {
        self.state().race.units
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The jobs whose arms go on, and begin in time.
impl JobChooser for Entries {
    fn turn(&self, job: &Job) -> Option<(bool, usize)> {
        let place = self.place(job).filter(|_| self.wants(job))?;
        Some((place.judges, place.turn))
    }

    fn wants(&self, job: &Job) -> bool {
        let is_late = limited::time_left().is_some_and(|left| left < self.reserve);
        let Some((arm, place)) = self.key(job).filter(|_| !is_late) else { return false };
        let state = self.state();
        let race = &state.race;
        if place.judges { race.arms.contains(&arm) } else { race.wants(arm, place.turn) }
    }

    /// When all runs of an arm on a unit have ended, arms may be stopped.
    fn take(&self, row: &Row) {
        let Some(key) = self.key(&row.job) else { return };
        let (arm, place) = key;
        let mut state = self.state();
        let State { rows, race } = &mut *state;
        let rows = rows.entry(key).or_default();
        rows.push(row.clone());
        if !place.judges && Some(&rows.len()) == self.planned.get(&key) {
            race.add(arm, place.turn, ended(rows));
        }
    }
}

/// The name of the unit of a job.
fn unit(kind: UnitKind, families: &HashMap<Instance, String>, job: &Job) -> String {
    match (kind, families.get(&job.instance)) {
        (UnitKind::Family, Some(family)) => family.clone(),
        (UnitKind::Shuffle, _) => replicate(job),
        _ => job.instance.to_string(),
    }
}

/// The turn of the unit at a place among `of` units: the first turns are spread over all places, so over all sizes.
fn turn(place: usize, of: usize) -> usize {
    (0..of).filter(|other| other.reverse_bits() < place.reverse_bits()).count()
}

/// The shuffle of a job.
fn replicate(job: &Job) -> String {
    let numbering = &job.numbering;
    let seed = numbering.variables.or(numbering.literals).unwrap_or_default();
    format!("shuffle {seed:06}")
}

/// The runs of an arm on a unit, by their rows.
pub(super) fn ended(rows: &[Row]) -> EndedRuns {
    let wall_s = rows.iter().map(|row| row.wall_s).sum();
    let counted: Vec<&Row> = rows.iter().filter(|row| is_counted(row)).collect();
    if counted.is_empty() || is_unchecked(&counted) {
        return EndedRuns { wall_s, ..EndedRuns::default() };
    }
    let offset = Measure::Time.offset();
    let times = counted.iter().filter_map(|row| Measure::Time.of(row));
    EndedRuns {
        log: Some(penalised_log(&counted)),
        is_solved: counted.iter().any(|row| row.solved()),
        times: times.map(|time| time.plus(offset)).collect(),
        wall_s,
    }
}

/// The mean of the logarithms of the PAR2 times of some runs.
pub(super) fn penalised_log(rows: &[&Row]) -> f64 {
    let times = rows.iter().map(|row| {
        let time = row.solve_cpu_s.filter(|_| row.solved());
        (time.unwrap_or(2.0 * row.job.limits.cpu_s) + Measure::Time.offset()).ln()
    });
    times.sum::<f64>() / rows.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_turns_are_spread_over_all_places() {
        let turns: Vec<usize> = (0..8).map(|place| turn(place, 8)).collect();
        assert_eq!(turns, [0, 4, 2, 6, 1, 5, 3, 7]);
        for of in 0..40 {
            let mut turns: Vec<usize> = (0..of).map(|place| turn(place, of)).collect();
            turns.sort_unstable();
            assert!(turns.into_iter().eq(0..of));
        }
    }
}
