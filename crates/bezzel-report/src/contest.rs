//! From a record to the panels that statistics compare.

use std::collections::BTreeSet;

use bezzel_encode::Numbering;
use bezzel_lab::calibration::{self, Noise, TOO_HIGH};
use bezzel_lab::{Row, Verdict};
use bezzel_solve::Answer;

use crate::distinct::distinct;
use crate::fleet;
use crate::material::Material;
use crate::statistics::cell::counts;
use crate::statistics::panel::{Instance, Panel};
use crate::statistics::ranking::{Contest, Entrant, Ranking, rank};
use crate::statistics::replicates::{Seeds, seeds_of};
use crate::statistics::{Cell, DRAWS, Observation, Place, Rule};
use indexmap::IndexSet;

/// The measure by which arms are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// CPU time of solving.
    Time,
    /// Conflicts, which do not depend on the machine.
    Conflicts,
}

impl Measure {
    /// Both, times first.
    pub const ALL: [Self; 2] = [Self::Time, Self::Conflicts];

    /// The word in ids.
    pub fn id(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Conflicts => "conflicts",
        }
    }

    /// The words in a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Time => "CPU time of solving",
            Self::Conflicts => "conflicts",
        }
    }

    /// The number that is added to both medians of a ratio, since zero has no logarithm: ten conflicts, or
    /// 0.1 ms. Tables show the ratio with a tenth of it and with ten times it where this matters.
    pub fn offset(self) -> f64 {
        match self {
            Self::Time => 1e-4,
            Self::Conflicts => 10.0,
        }
    }

    /// The offset in words.
    pub fn offset_words(self) -> &'static str {
        match self {
            Self::Time => "0.1 ms",
            Self::Conflicts => "10 conflicts",
        }
    }

    /// The observation of a run; none if it was not measured. A run without an answer took at least the CPU
    /// time that it had used for solving, whichever limit ended it, and at least the conflicts of its row.
    fn of(self, row: &Row) -> Option<Observation> {
        Some(match self {
            Self::Time if row.solved() => Observation::Exact(row.solve_cpu_s?),
            Self::Time => Observation::AtLeast(row.solve_cpu_at_least_s()),
            Self::Conflicts => {
                let conflicts = row.effort.conflicts.map(|conflicts| conflicts as f64);
                if row.solved() {
                    Observation::Exact(conflicts?)
                } else {
                    Observation::AtLeast(conflicts.unwrap_or_default())
                }
            }
        })
    }
}

/// The observations of a cell; none if an answer among them is unchecked, since an unchecked answer is
/// not ranked, and the rest would be a choice.
pub fn observations(cell: &Cell<'_>, measure: Measure) -> Vec<Observation> {
    observed(cell, measure).map(|(_, seen)| seen).collect()
}

/// The observations of a cell, each with its row.
fn observed<'c>(
    cell: &'c Cell<'_>,
    measure: Measure,
) -> impl Iterator<Item = (&'c Row, Observation)> {
    let known =
        measure == Measure::Time || cell.rows.iter().any(|row| row.effort.conflicts.is_some());
    let known = known && !is_unchecked(cell);
    let rows = cell.rows.iter().copied().filter(move |row| known && counts(row));
    rows.filter_map(move |row| Some((row, measure.of(row)?)))
}

/// The conditions that two runs share if they are a pair: the order and the seed of the numbering, the
/// seeds of the solver, the repetition, and the numbers of primary and of all variables. A renaming
/// shuffles all variables, so two formulas with other numbers of variables get other renamings from one
/// seed. A run whose formula is not known is no pair of any run: it has the number of its arm.
pub(crate) type PairKey = (Numbering, Seeds, u32, Result<(u64, u64), usize>);

pub(crate) fn pair_key(row: &Row, arm: usize) -> PairKey {
    let sizes = row.formula.as_ref().map(|formula| (formula.primary, formula.variables));
    (row.job.numbering, seeds_of(row), row.job.repeat, sizes.ok_or(arm))
}

/// Whether an answer in the cell is unchecked.
pub(crate) fn is_unchecked(cell: &Cell<'_>) -> bool {
    cell.rows.iter().any(|row| row.solved() && row.verdict == Verdict::Unchecked)
}

/// All encodings under one numbering beside each other, by one measure, on the boards of one answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The number of the numbering.
    pub numbering: usize,
    /// The measure.
    pub measure: Measure,
    /// The answer of the boards: boards with a solution and boards without one are never pooled.
    pub answer: Answer,
    /// The measurements.
    pub contest: Contest,
    /// The order that they support.
    pub ranking: Ranking,
    /// The cells that are left out since an answer in them is unchecked.
    pub unchecked: usize,
}

impl Standing {
    /// The families of the boards, in the order of their first boards.
    pub fn families(&self) -> Vec<&str> {
        let panels = self.contest.solvers.iter().map(|entrant| &entrant.panel);
        distinct(panels.flat_map(|panel| panel.families()).map(|(family, _)| family))
    }

    /// The words for the boards of its answer.
    pub fn boards(&self) -> &'static str {
        boards_with(self.answer)
    }
}

/// The words for boards of an answer.
pub fn boards_with(answer: Answer) -> &'static str {
    match answer {
        Answer::Sat => "boards with a solution",
        Answer::Unsat => "boards without a solution",
        Answer::Unknown => "boards without an answer",
    }
}

/// The answers whose boards are compared, each apart. Boards without an answer are in no comparison.
pub const ANSWERS: [Answer; 2] = [Answer::Sat, Answer::Unsat];

/// The numbers of the boards of an answer.
pub(crate) fn boards(material: &Material<'_>, answer: Answer) -> Vec<usize> {
    let all = 0..material.boards.len();
    all.filter(|&board| material.answer(material.boards[board]) == Some(answer)).collect()
}

/// The measures by which the runs of a record compare: times of unlike machines do not.
pub(crate) fn measures(material: &Material<'_>) -> &'static [Measure] {
    if fleet::are_unlike(material) { &[Measure::Conflicts] } else { &Measure::ALL }
}

/// The standings of every numbering, measure and answer that has something to compare.
pub(crate) fn standings(material: &Material<'_>) -> Vec<Standing> {
    let measures = measures(material);
    let numberings = 0..material.numberings.len();
    let each = numberings.flat_map(|numbering| measures.iter().map(move |&of| (numbering, of)));
    let each =
        each.flat_map(|(numbering, measure)| ANSWERS.map(|answer| (numbering, measure, answer)));
    each.filter_map(|(numbering, measure, answer)| {
        let boards = boards(material, answer);
        let contest = contest(material, numbering, measure, &boards).filter(is_worth_it)?;
        let unchecked = material.cells.iter().filter(|cell| {
            let Place { board, numbering: own, .. } = cell.place;
            own == numbering && boards.contains(&board) && is_unchecked(cell)
        });
        let unchecked = unchecked.count();
        let ranking = rank(&contest);
        Some(Standing { numbering, measure, answer, contest, ranking, unchecked })
    })
    .collect()
}

/// An arm: what a comparison varies, and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Arm {
    /// The number of the encoding.
    pub encoding: usize,
    /// The number of the numbering.
    pub numbering: usize,
    /// The number of the solver.
    pub solver: usize,
}

/// The panel of these arms, over those of the boards on which any of them was measured. Runs under the
/// same conditions are pairs. A [disturbed](Row::is_disturbed) board is in no comparison of times.
pub fn panel(material: &Material<'_>, arms: &[Arm], measure: Measure, boards: &[usize]) -> Panel {
    // Where limits differ, a run without an answer counts by its own bound.
    let mut limits = material.record.rows.iter().map(|row| row.job.limits.cpu_s);
    let limit = limits.next().filter(|first| limits.all(|other| other.total_cmp(first).is_eq()));
    let mut panel = Panel::new(arms.len()).limited(limit.filter(|_| measure == Measure::Time));
    for &board in boards {
        let cells = on_board(material, arms, board);
        if measure == Measure::Time && is_disturbed(&cells) {
            continue;
        }
        let mut keys = IndexSet::new();
        let mut keyed = |(arm, cell): (usize, Option<&Cell<'_>>)| {
            let seen = cell.into_iter().flat_map(|cell| observed(cell, measure));
            seen.map(|(row, seen)| (keys.insert_full(pair_key(row, arm)).0, seen)).collect()
        };
        let replicates: Vec<Vec<(usize, Observation)>> =
            cells.iter().copied().enumerate().map(&mut keyed).collect();
        if replicates.iter().any(|cell| !cell.is_empty()) {
            let name = material.boards[board];
            let instance = Instance { name: name.to_string(), family: material.family(name) };
            panel.push_keyed(instance, replicates);
        }
    }
    panel
}

/// The cells of these arms on a board, in their order.
fn on_board<'m, 'a>(
    material: &'m Material<'a>,
    arms: &[Arm],
    board: usize,
) -> Vec<Option<&'m Cell<'a>>> {
    let places = arms.iter().map(|&Arm { encoding, numbering, solver }| {
        material.cell(Place { board, solver, numbering, encoding })
    });
    places.collect()
}

/// True if a run of these cells that would be compared is disturbed: it was not given its CPU time, so that no
/// other run on the board compares with it.
fn is_disturbed(cells: &[Option<&Cell<'_>>]) -> bool {
    let checked = cells.iter().flatten().filter(|cell| !is_unchecked(cell));
    let mut rows = checked.flat_map(|cell| &cell.rows).filter(|row| counts(row));
    rows.any(|row| row.is_disturbed())
}

/// The number of boards that the rankings by time under a numbering leave out since a run on them is
/// disturbed, those of each solver counted.
pub(crate) fn disturbed(material: &Material<'_>, numbering: usize, boards: &[usize]) -> usize {
    let encodings = encodings(material, numbering);
    let each = (0..material.solvers.len()).map(|solver| {
        let arms = arms(&encodings, numbering, solver);
        let is_left_out = |board: &&usize| is_disturbed(&on_board(material, &arms, **board));
        boards.iter().filter(is_left_out).count()
    });
    each.sum()
}

/// The encodings that were measured under a numbering.
fn encodings(material: &Material<'_>, numbering: usize) -> Vec<usize> {
    let seen = |encoding: &usize| {
        material
            .cells
            .iter()
            .any(|cell| cell.place.numbering == numbering && cell.place.encoding == *encoding)
    };
    (0..material.encodings.len()).filter(seen).collect()
}

fn arms(encodings: &[usize], numbering: usize, solver: usize) -> Vec<Arm> {
    encodings.iter().map(|&encoding| Arm { encoding, numbering, solver }).collect()
}

/// All encodings that were measured under a numbering on these boards, in every solver that has the
/// measure; none if there is nothing to compare.
pub fn contest(
    material: &Material<'_>,
    numbering: usize,
    measure: Measure,
    boards: &[usize],
) -> Option<Contest> {
    let encodings = encodings(material, numbering);
    if encodings.len() < 2 {
        return None;
    }
    let entrants = material.solvers.iter().enumerate().filter_map(|(solver, label)| {
        let panel = panel(material, &arms(&encodings, numbering, solver), measure, boards);
        let cell = material
            .cells
            .iter()
            .find(|cell| cell.place.solver == solver && cell.place.numbering == numbering)?;
        (!panel.instances().is_empty()).then(|| Entrant {
            label: timed_label(label, cell, measure),
            program: program(&cell.rows[0].job.solver).to_owned(),
            panel,
        })
    });
    let entrants: Vec<Entrant> = entrants.collect();
    (!entrants.is_empty()).then(|| Contest {
        arms: encodings.iter().map(|&encoding| material.encodings[encoding].clone()).collect(),
        solvers: entrants,
        rule: rule(material, measure),
    })
}

/// The rule by which a record decides comparisons by a measure.
pub(crate) fn rule(material: &Material<'_>, measure: Measure) -> Rule {
    Rule { offset: measure.offset(), noise: noise(material, measure), draws: DRAWS }
}

/// The part by which measurements of the same work differ: 0 of conflicts, the noise of the machine of times.
pub(crate) fn noise(material: &Material<'_>, measure: Measure) -> f64 {
    match measure {
        Measure::Conflicts => 0.0,
        Measure::Time => noise_of(&material.record.readings, &material.record.rows),
    }
}

/// The largest [noise](bezzel_lab::calibration) of the sessions of these rows, or [`TOO_HIGH`] where it was not
/// measured.
pub(crate) fn noise_of(readings: &[Row], rows: &[Row]) -> f64 {
    let measured = calibration::noise(readings);
    let of_session = |session: usize| {
        let of = measured.iter().find(|noise| noise.session == session);
        of.and_then(Noise::spread).unwrap_or(TOO_HIGH)
    };
    let sessions: BTreeSet<usize> = rows.iter().map(|row| row.session).collect();
    sessions.into_iter().map(of_session).fold(0.0, f64::max)
}

/// The label of a solver beside a measure: times that include writing a proof have its format in the label.
fn timed_label(label: &str, cell: &Cell<'_>, measure: Measure) -> String {
    match cell.rows[0].job.proof.filter(|_| measure == Measure::Time) {
        Some(format) => format!("{label} + {}", format.to_string().to_uppercase()),
        None => label.to_owned(),
    }
}

/// Whether a comparison of these says more than the rows do: there are several instances, or
/// several replicates of one.
fn is_worth_it(contest: &Contest) -> bool {
    contest.solvers.iter().any(|entrant| {
        let panel = &entrant.panel;
        let measured = |place: &usize| {
            (0..panel.arms()).filter(|&arm| !panel.replicates(arm, *place).is_empty()).count() > 1
        };
        let shared: Vec<usize> = (0..panel.instances().len()).filter(measured).collect();
        let several =
            |place: &usize| (0..panel.arms()).any(|arm| panel.replicates(arm, *place).len() > 1);
        shared.len() > 1 || shared.iter().any(several)
    })
}

/// The program behind a solver's id: presets of one, and the same one linked or run, are not two that
/// could agree.
fn program(solver: &str) -> &str {
    let id = solver.split(':').next().unwrap_or(solver);
    id.strip_suffix("-program").unwrap_or(id)
}

#[cfg(test)]
mod paired;
#[cfg(test)]
mod recorded;
#[cfg(test)]
mod simulated;
#[cfg(test)]
mod tests {
    use bezzel_encode::{Board, Registry};
    use bezzel_lab::{ExperimentRecord, Stop};

    use super::Observation::{AtLeast, Exact};
    use super::*;
    use crate::sample::{at_wall_limit, on_side, shuffled, solved, timed_out, unchecked, wrong};

    fn with_material<T>(rows: Vec<Row>, look: impl Fn(&Material<'_>) -> T) -> T {
        let record = ExperimentRecord { rows, ..ExperimentRecord::default() };
        let registry = Registry::new();
        look(&Material::new(&record, &registry))
    }

    const FIRST: Arm = Arm { encoding: 0, numbering: 0, solver: 0 };

    #[test]
    fn a_run_without_an_answer_took_at_least_its_own_time_and_a_wrong_answer_is_not_there() {
        let of = |late: Row| {
            let rows = vec![solved(1.2), wrong(0.1), late];
            let panel =
                with_material(rows, |material| panel(material, &[FIRST], Measure::Time, &[0]));
            panel.replicates(0, 0).to_vec()
        };
        // Of a CPU limit of 5 s, 0.1 s went into making the formula.
        assert_eq!(of(timed_out()), [Exact(1.2), AtLeast(4.9)]);
        let mut alone = at_wall_limit(1.6);
        alone.wall_s = 1.7;
        assert_eq!(of(alone.clone()), [Exact(1.2), AtLeast(1.6)]);
        assert_eq!(
            of(Row { stop: Stop::MemoryLimit, ..alone.clone() }),
            [Exact(1.2), AtLeast(1.6)]
        );
        assert_eq!(of(Row { stop: Stop::Crashed, ..alone.clone() }), [Exact(1.2), AtLeast(1.6)]);
        // One that was killed tells no time of solving: its process has used it.
        let killed = Row {
            generate_cpu_s: Some(0.125),
            load_cpu_s: Some(0.25),
            solve_cpu_s: None,
            cpu_s: 1.875,
            ..alone
        };
        assert_eq!(of(killed.clone()), [Exact(1.2), AtLeast(1.5)]);
        // It had not begun to solve; it is still longer than what was measured beside it.
        let loading = Row { load_cpu_s: None, ..killed };
        assert_eq!(of(loading.clone()), [Exact(1.2), AtLeast(1.2)]);
        let panel =
            with_material(vec![loading], |material| panel(material, &[FIRST], Measure::Time, &[0]));
        assert_eq!(panel.replicates(0, 0), [AtLeast(0.0)]);
    }

    #[test]
    fn a_board_on_which_a_run_shared_its_core_leaves_comparisons_of_times() {
        let second = Arm { encoding: 1, ..FIRST };
        let of_second = |row: Row| {
            let mut row = row;
            row.job.encoding = "product".into();
            row.effort.conflicts = Some(7);
            row
        };
        let boards = |late: Row, measure: Measure| {
            let rows = vec![
                solved(1.0),
                of_second(late),
                on_side(9, solved(1.0)),
                of_second(on_side(9, solved(2.0))),
            ];
            with_material(rows, |material| {
                let panel = panel(material, &[FIRST, second], measure, &[0, 1]);
                let names = panel.instances().iter().map(|board| board.name.clone());
                (names.collect::<Vec<_>>(), disturbed(material, 0, &[0, 1]))
            })
        };
        let shared = at_wall_limit(1.6);
        assert_eq!(boards(shared.clone(), Measure::Time), (vec!["9".into()], 1));
        // The conflicts until then are a lower bound as under any other limit.
        assert_eq!(boards(shared.clone(), Measure::Conflicts).0.len(), 2);
        // Nine tenths of a core are its own.
        let alone = Row { cpu_s: 9.0, ..shared.clone() };
        assert_eq!(boards(alone, Measure::Time), (vec!["8".into(), "9".into()], 0));
        let elsewhere = Row { stop: Stop::MemoryLimit, ..shared };
        assert_eq!(boards(elsewhere, Measure::Time).1, 0);
    }

    #[test]
    fn a_time_out_took_at_least_the_conflicts_that_it_tells() {
        let mut rows = vec![solved(2.0), timed_out(), solved(1.0)];
        rows[0].effort.conflicts = Some(0);
        rows[1].effort.conflicts = Some(700);
        let told =
            with_material(rows, |material| panel(material, &[FIRST], Measure::Conflicts, &[0]));
        // The run whose row has no number of conflicts is missing.
        assert_eq!(told.replicates(0, 0), [Exact(0.0), AtLeast(700.0)]);
        let silent = vec![solved(2.0), timed_out()];
        let told =
            with_material(silent, |material| panel(material, &[FIRST], Measure::Conflicts, &[0]));
        assert!(told.instances().is_empty());
    }

    #[test]
    fn a_cell_with_an_unchecked_answer_is_left_out_whole() {
        let rows = vec![solved(2.0), unchecked(1.0), on_side(9, solved(3.0))];
        let panel = with_material(rows, |material| {
            panel(material, &[FIRST], Measure::Time, &[0, 1][..material.boards.len()])
        });
        let names: Vec<_> = panel.instances().iter().map(|board| board.name.as_str()).collect();
        assert_eq!(names, ["9"]);
        assert_eq!(panel.instances()[0].family, "plane");
    }

    #[test]
    fn encodings_meet_under_one_numbering_and_in_each_solver() {
        let mut rows = vec![solved(1.0), solved(2.0), solved(3.0), shuffled(1, 4.0)];
        rows[1].job.encoding = "product".into();
        rows[2].job.solver = "cadical:plain".into();
        rows[3].job.board = Board::new(9).unwrap();
        let (generated, random) = with_material(rows, |material| {
            (
                contest(material, 0, Measure::Time, &[0, 1]),
                contest(material, 1, Measure::Time, &[0, 1]),
            )
        });
        let generated = generated.unwrap();
        assert_eq!(generated.arms, ["pairwise", "product"]);
        let solvers: Vec<_> =
            generated.solvers.iter().map(|entrant| entrant.program.as_str()).collect();
        assert_eq!(solvers, ["batsat", "cadical"]);
        assert_eq!(generated.solvers[0].panel.pairs(0, 1).len(), 1);
        assert!(generated.solvers[1].panel.pairs(0, 1).is_empty());
        assert!(!is_worth_it(&generated));
        assert!(random.is_none(), "one encoding meets nobody");
    }
}
