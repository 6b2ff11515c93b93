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
    pub(crate) fn of(self, row: &Row) -> Option<Observation> {
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
type PairKey = (Numbering, Seeds, u32, Result<(u64, u64), usize>);

fn pair_key(row: &Row, arm: usize) -> PairKey {
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
}

/// The answers whose boards are compared, each apart. Boards without an answer are in no comparison.
pub const ANSWERS: [Answer; 2] = [Answer::Sat, Answer::Unsat];

/// The numbers of the boards of an answer.
pub(crate) fn boards(material: &Material<'_>, answer: Answer) -> Vec<usize> {
    let all = 0..material.instances.len();
    all.filter(|&board| material.answer(material.instances[board]) == Some(answer)).collect()
}

/// The measures by which the runs of a record compare: times of unlike machines do not.
pub(crate) fn measures(material: &Material<'_>) -> &'static [Measure] {
    if fleet::are_unlike(material) { &[Measure::Conflicts] } else { &Measure::ALL }
}

/// The standings of every numbering, measure and answer that has something to compare.
pub(crate) fn standings(material: &Material<'_>) -> Vec<Standing> {
    let measures = measures(material);
    let each = (0..material.numberings.len())
        .flat_map(|numbering| measures.iter().map(move |&measure| (numbering, measure)))
        .flat_map(|(numbering, measure)| ANSWERS.map(|answer| (numbering, measure, answer)));
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
        let runs = cells
            .iter()
            .map(|cell| cell.iter().flat_map(|cell| observed(cell, measure)).collect::<Vec<_>>());
        let runs: Vec<_> = runs.enumerate().collect();
        if runs.iter().any(|(_, runs)| !runs.is_empty()) {
            let name = material.instances[board];
            push_runs(&mut panel, name.to_string(), material.family(name), runs);
        }
    }
    panel
}

/// Adds an instance with the runs of each arm of a panel, each with a number that distinguishes
/// its runs of unknown formulas. Runs under the same conditions are pairs.
pub(crate) fn push_runs<'r>(
    panel: &mut Panel,
    name: String,
    family: String,
    runs: impl IntoIterator<Item = (usize, Vec<(&'r Row, Observation)>)>,
) {
    let mut keys = IndexSet::new();
    let mut keyed = |(arm, runs): (usize, Vec<(&Row, Observation)>)| {
        let runs = runs.into_iter();
        runs.map(|(row, seen)| (keys.insert_full(pair_key(row, arm)).0, seen)).collect()
    };
    let replicates: Vec<Vec<(usize, Observation)>> = runs.into_iter().map(&mut keyed).collect();
    panel.push_keyed(Instance { name, family }, replicates);
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
        // A solver that was run with one encoding alone is left out.
        let measured = |arm: &usize| panel.medians(*arm).iter().any(Option::is_some);
        ((0..encodings.len()).filter(measured).count() > 1).then(|| Entrant {
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
pub(crate) fn program(solver: &str) -> &str {
    let id = solver.split(':').next().unwrap_or(solver);
    id.strip_suffix("-program").unwrap_or(id)
}

#[cfg(test)]
mod tests;
