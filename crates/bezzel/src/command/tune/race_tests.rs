use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bezzel_experiment::{ExperimentRecord, Row};

use super::super::entries::ended;
use super::*;

/// Runs of a second each at this multiple of a second.
fn runs(times: f64) -> EndedRuns {
    EndedRuns {
        log: Some(times.ln()),
        is_solved: true,
        times: vec![Observation::Exact(times)],
        wall_s: times,
    }
}

/// The runs of some arms on some units: `ended[arm][unit]`.
struct Recorded {
    ended: Vec<Vec<EndedRuns>>,
}

/// The result of a race on recorded runs.
struct Finished {
    race: Race,
    /// The number of runs on the units that choose.
    runs: usize,
    /// Their time, in seconds.
    wall_s: f64,
}

impl Recorded {
    /// The mean of an arm over some units.
    fn mean(&self, arm: usize, units: &[usize]) -> f64 {
        let logs = units.iter().map(|&unit| self.ended[arm][unit].log.unwrap());
        logs.sum::<f64>() / units.len() as f64
    }

    /// The arm with the least mean over some units.
    fn best(&self, units: &[usize]) -> usize {
        let arms = 0..self.ended.len();
        arms.min_by(|&one, &two| self.mean(one, units).total_cmp(&self.mean(two, units))).unwrap()
    }

    fn race(&self, choosing: &[usize], seconds: f64) -> Finished {
        let mut race = Race::new(self.ended.len(), choosing.len(), choosing.len(), seconds);
        let (mut runs, mut wall_s) = (0, 0.0);
        for (turn, &unit) in choosing.iter().enumerate() {
            for (arm, ended) in self.ended.iter().enumerate() {
                if race.wants(arm, turn) {
                    race.add(arm, turn, ended[unit].clone());
                    runs += 1;
                    wall_s += ended[unit].wall_s;
                }
            }
        }
        assert!(race.is_over);
        Finished { race, runs, wall_s }
    }

    /// The runs of a record, with pairs of an instance and a shuffle as units.
    fn of_record(name: &str) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments").join(name);
        let record = ExperimentRecord::open(&root, &bezzel_queens::experiment::catalog()).unwrap();
        let mut rows: BTreeMap<(String, String), Vec<Row>> = BTreeMap::new();
        for row in record.rows {
            let job = &row.job;
            let arm = format!("{} {} {:?}", job.encoding_label(), job.solver, job.options);
            let unit = format!("{} {:?}", job.instance, job.numbering);
            rows.entry((arm, unit)).or_default().push(row);
        }
        let arms: BTreeSet<&String> = rows.keys().map(|(arm, _)| arm).collect();
        let units: BTreeSet<&String> = rows.keys().map(|(_, unit)| unit).collect();
        let whole = |unit: &&&String| {
            arms.iter().all(|arm| {
                let rows = rows.get(&((*arm).clone(), (**unit).clone()));
                rows.is_some_and(|rows| ended(rows).log.is_some())
            })
        };
        let units: Vec<&&String> = units.iter().filter(whole).collect();
        let of_arm = |arm: &&String| {
            units.iter().map(|unit| ended(&rows[&((*arm).clone(), (**unit).clone())])).collect()
        };
        Self { ended: arms.iter().map(of_arm).collect() }
    }
}

#[test]
fn an_arm_that_is_surely_worse_stops_as_soon_as_the_units_suffice() {
    // Arm n takes n + 1 times as long as the first, with the same luck on a unit.
    let luck = |unit: usize| 1.0 + (unit * 7 % 5) as f64;
    let ended =
        (0..8).map(|arm| (0..60).map(|unit| runs(f64::from(arm + 1) * luck(unit))).collect());
    let recorded = Recorded { ended: ended.collect() };
    let choosing: Vec<usize> = (0..60).collect();
    let Finished { race, runs, .. } = recorded.race(&choosing, f64::INFINITY);
    assert_eq!(race.sufficient(), 10);
    // Comparisons after 3, 6, 12, 24, 48 and 60 units; those after 12 and 60 stop arms.
    assert_eq!((runs, race.worse, race.late), (8 * 12 + FINALISTS * 48, 4, 0));
    assert_eq!(race.arms, [0, 1, 2, 3]);
}

#[test]
fn arms_that_are_not_shown_to_be_worse_go_on_while_there_is_time() {
    // Each arm is the best on every fourth unit.
    let time = |arm: usize, unit: usize| if unit % 4 == arm % 4 { 1.0 } else { 2.0 };
    let ended = (0..8).map(|arm| (0..24).map(|unit| runs(time(arm, unit))).collect());
    let recorded = Recorded { ended: ended.collect() };
    let choosing: Vec<usize> = (0..24).collect();
    let all = recorded.race(&choosing, f64::INFINITY);
    assert_eq!((all.runs, all.race.worse, all.race.late), (8 * 24, 0, 0));
    // 3 units take 42 s, and six arms fit into the 33 s that are left for the next 3. Then nothing is left.
    let short = recorded.race(&choosing, 75.0);
    assert_eq!((short.race.units, short.race.late, short.race.arms.len()), (6, 4, FINALISTS));
    assert!(short.wall_s <= 75.0, "{}", short.wall_s);
}

/// Records with many arms and at least 20 units for each half.
const RECORDS: [&str; 8] = [
    "which-encoding-blocked-sat",
    "which-encoding-completion-unsat",
    "which-encoding-excluded-diagonals-sat",
    "which-encoding-torus",
    "which-sum-assignment-unsat",
    "which-sum-knapsack-unsat",
    "which-sum-knapsack-sat",
    "which-sum-packing-sat",
];

#[test]
fn on_recorded_times_the_choice_is_that_of_all_runs_and_takes_less_time() {
    let (mut shares, mut regrets) = (Vec::new(), [Vec::new(), Vec::new(), Vec::new()]);
    for name in RECORDS {
        let recorded = Recorded::of_record(name);
        let units = recorded.ended[0].len();
        for half in [0, 1] {
            let choosing: Vec<usize> = (0..units).filter(|unit| unit % 2 == half).collect();
            let judging: Vec<usize> = (0..units).filter(|unit| unit % 2 != half).collect();
            let all_s: f64 = recorded
                .ended
                .iter()
                .map(|ended| choosing.iter().map(|&unit| ended[unit].wall_s).sum::<f64>())
                .sum();
            let whole = recorded.best(&choosing);
            // All cores have as much time as is needed, or a quarter of that of all runs.
            let ample = recorded.race(&choosing, f64::INFINITY);
            let tight = recorded.race(&choosing, all_s / 4.0);
            shares.push(ample.wall_s / all_s);
            let best = recorded.mean(recorded.best(&judging), &judging);
            for (regrets, arm) in
                regrets.iter_mut().zip([whole, ample.race.arms[0], tight.race.arms[0]])
            {
                regrets.push(recorded.mean(arm, &judging) - best);
            }
            assert_eq!(ample.race.arms[0], whole, "{name}");
        }
    }
    let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
    let [whole, ample, tight] = regrets.each_ref().map(|of| mean(of).exp());
    assert!(ample <= whole && tight <= whole, "{whole} {ample} {tight}");
    assert!(mean(&shares) < 0.65, "{shares:?}");
}
