//! From a record to the panels that statistics compare: who was measured on what.

use bezzel_lab::{Row, Verdict};

use crate::machines;
use crate::material::Material;
use crate::statistics::cell::counts;
use crate::statistics::panel::{Instance, Panel};
use crate::statistics::ranking::{Contest, Entrant, Ranking, rank};
use crate::statistics::{Cell, Observation, Place};

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Measure {
    /// CPU time of solving.
    Time,
    /// Conflicts, which do not depend on the machine's mood.
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

    /// The observation of a run; nothing if it was not measured. A run without an answer took at least the
    /// CPU time that it had used for solving, whichever limit ended it, and at least the conflicts that it
    /// tells. Zero has no logarithm: no
    /// conflict counts as one, and no time as a microsecond.
    fn of(self, row: &Row) -> Option<Observation> {
        let (seen, least) = match self {
            Self::Time if row.solved() => (Observation::Exact(row.solve_cpu_s?), 1e-6),
            Self::Time => (Observation::AtLeast(row.solve_cpu_at_least_s()), 1e-6),
            Self::Conflicts => {
                let conflicts = row.effort.conflicts.map(|conflicts| conflicts as f64);
                let seen = if row.solved() {
                    Observation::Exact(conflicts?)
                } else {
                    Observation::AtLeast(conflicts.unwrap_or_default())
                };
                (seen, 1.0)
            }
        };
        Some(seen.floored(least))
    }
}

/// What the rows of a cell show; nothing if an answer among them is unchecked, since what nobody
/// checked is not ranked, and the rest would be a choice.
pub fn observations(cell: &Cell<'_>, measure: Measure) -> Vec<Observation> {
    observed(cell, measure, |_| true)
}

/// What those of the rows show that `keep` wants.
fn observed(cell: &Cell<'_>, measure: Measure, keep: impl Fn(&Row) -> bool) -> Vec<Observation> {
    if is_unchecked(cell) {
        return Vec::new();
    }
    let told =
        measure == Measure::Time || cell.rows.iter().any(|row| row.effort.conflicts.is_some());
    let rows = cell.rows.iter().filter(|row| told && counts(row) && keep(row));
    rows.filter_map(|row| measure.of(row)).collect()
}

/// Whether an answer in the cell is unchecked.
pub(crate) fn is_unchecked(cell: &Cell<'_>) -> bool {
    cell.rows.iter().any(|row| row.solved() && row.verdict == Verdict::Unchecked)
}

/// All encodings under one numbering beside each other, by one measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// The number of the numbering.
    pub numbering: usize,
    /// What is compared.
    pub measure: Measure,
    /// Who was measured on what.
    pub contest: Contest,
    /// Who is above whom.
    pub ranking: Ranking,
    /// The cells that are left out since an answer in them is unchecked.
    pub unchecked: usize,
    /// The runs that are left out since they are of another kind of machine than those that stay.
    pub left_out: usize,
}

/// The standings of every numbering and measure that has something to compare.
pub(crate) fn standings(material: &Material<'_>) -> Vec<Standing> {
    let numberings = 0..material.numberings.len();
    let each = numberings.flat_map(|numbering| Measure::ALL.map(|measure| (numbering, measure)));
    each.filter_map(|(numbering, measure)| {
        let contest = contest(material, numbering, measure).filter(is_worth_it)?;
        let left_out = material
            .cells
            .iter()
            .filter(|cell| cell.place.numbering == numbering && is_unchecked(cell));
        let unchecked = left_out.count();
        let left_out = match measure {
            Measure::Time => left_out_of_ranking(material, numbering),
            Measure::Conflicts => 0,
        };
        let ranking = rank(&contest);
        Some(Standing { numbering, measure, contest, ranking, unchecked, left_out })
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

/// The panel of these arms, over the boards on which any of them was measured. Where times are compared
/// on the same machines, each board has the runs of one kind of machine alone; a [disturbed](Row::is_disturbed)
/// board is in no comparison of times.
pub fn panel(material: &Material<'_>, arms: &[Arm], measure: Measure) -> Panel {
    let limit = material.record.rows.iter().map(|row| row.job.limits.cpu_s).reduce(f64::max);
    let mut panel = Panel::new(arms.len()).limited(limit.filter(|_| measure == Measure::Time));
    for (board, name) in material.boards.iter().enumerate() {
        let cells = on_board(material, arms, board);
        let kind = kind(material, &cells, measure);
        let keep = |row: &Row| kind.is_none() || material.machines.of(row) == kind;
        if measure == Measure::Time && is_disturbed(&cells, keep) {
            continue;
        }
        let replicates: Vec<Vec<Observation>> = cells
            .iter()
            .map(|cell| cell.map_or_else(Vec::new, |cell| observed(cell, measure, keep)))
            .collect();
        if replicates.iter().any(|cell| !cell.is_empty()) {
            let instance = Instance { name: name.to_string(), family: material.family(name) };
            panel.push(instance, replicates);
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

/// The kind of machine whose runs alone stay in a comparison of these cells; none if all stay. Conflicts
/// do not depend on the machine.
fn kind(material: &Material<'_>, cells: &[Option<&Cell<'_>>], measure: Measure) -> Option<usize> {
    if measure != Measure::Time || !material.compares_same_machines() {
        return None;
    }
    let checked = cells.iter().flatten().copied().filter(|cell| !is_unchecked(cell));
    machines::kept(&material.machines, checked)
}

/// True if a run of these cells that would be compared is disturbed: it was not given its CPU time, so that no
/// other run on the board compares with it.
fn is_disturbed(cells: &[Option<&Cell<'_>>], keep: impl Fn(&Row) -> bool) -> bool {
    let checked = cells.iter().flatten().filter(|cell| !is_unchecked(cell));
    let mut rows = checked.flat_map(|cell| &cell.rows).filter(|row| counts(row) && keep(row));
    rows.any(|row| row.is_disturbed())
}

/// The number of boards that the rankings by time under a numbering leave out since a run on them is
/// disturbed, those of each solver counted.
pub(crate) fn disturbed(material: &Material<'_>, numbering: usize) -> usize {
    let encodings = encodings(material, numbering);
    let each = (0..material.solvers.len()).map(|solver| {
        let arms = arms(&encodings, numbering, solver);
        let is_left_out = |board: &usize| {
            let cells = on_board(material, &arms, *board);
            let kind = kind(material, &cells, Measure::Time);
            is_disturbed(&cells, |row| kind.is_none() || material.machines.of(row) == kind)
        };
        (0..material.boards.len()).filter(is_left_out).count()
    });
    each.sum()
}

/// How many runs the panel of times of these arms leaves out since they are of another kind of machine.
pub(crate) fn left_out(material: &Material<'_>, arms: &[Arm]) -> usize {
    let boards = (0..material.boards.len()).filter(|_| material.compares_same_machines());
    let each = boards.map(|board| {
        let cells = on_board(material, arms, board);
        let Some(kind) = kind(material, &cells, Measure::Time) else { return 0 };
        let checked = cells.into_iter().flatten().filter(|cell| !is_unchecked(cell));
        let rows = checked.flat_map(|cell| &cell.rows).filter(|row| counts(row));
        rows.filter(|row| material.machines.of(row) != Some(kind)).count()
    });
    each.sum()
}

/// The same of the ranking of the encodings under a numbering, in every solver.
fn left_out_of_ranking(material: &Material<'_>, numbering: usize) -> usize {
    let encodings = encodings(material, numbering);
    // One alone is compared with nothing.
    let solvers = (0..material.solvers.len()).filter(|_| encodings.len() > 1);
    solvers.map(|solver| left_out(material, &arms(&encodings, numbering, solver))).sum()
}

/// The same of the rankings under all numberings.
pub(crate) fn left_out_of_rankings(material: &Material<'_>) -> usize {
    let numberings = 0..material.numberings.len();
    numberings.map(|numbering| left_out_of_ranking(material, numbering)).sum()
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

/// All encodings that were measured under a numbering, in every solver that tells the measure; none
/// if there is nothing to compare.
pub fn contest(material: &Material<'_>, numbering: usize, measure: Measure) -> Option<Contest> {
    let encodings = encodings(material, numbering);
    if encodings.len() < 2 {
        return None;
    }
    let entrants = material.solvers.iter().enumerate().filter_map(|(solver, label)| {
        let panel = panel(material, &arms(&encodings, numbering, solver), measure);
        let cell = material
            .cells
            .iter()
            .find(|cell| cell.place.solver == solver && cell.place.numbering == numbering)?;
        (!panel.instances().is_empty()).then(|| Entrant {
            label: label.clone(),
            program: program(&cell.rows[0].job.solver).to_owned(),
            panel,
        })
    });
    let entrants: Vec<Entrant> = entrants.collect();
    (!entrants.is_empty()).then(|| Contest {
        arms: encodings.iter().map(|&encoding| material.encodings[encoding].clone()).collect(),
        solvers: entrants,
    })
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
            let panel = with_material(rows, |material| panel(material, &[FIRST], Measure::Time));
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
            with_material(vec![loading], |material| panel(material, &[FIRST], Measure::Time));
        assert_eq!(panel.replicates(0, 0), [AtLeast(1e-6)]);
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
                let panel = panel(material, &[FIRST, second], measure);
                let names = panel.instances().iter().map(|board| board.name.clone());
                (names.collect::<Vec<_>>(), disturbed(material, 0))
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
        let told = with_material(rows, |material| panel(material, &[FIRST], Measure::Conflicts));
        // No conflict counts as one, and the run that tells none is missing.
        assert_eq!(told.replicates(0, 0), [Exact(1.0), AtLeast(700.0)]);
        let silent = vec![solved(2.0), timed_out()];
        let told = with_material(silent, |material| panel(material, &[FIRST], Measure::Conflicts));
        assert!(told.instances().is_empty());
    }

    #[test]
    fn a_cell_with_an_unchecked_answer_is_left_out_whole() {
        let rows = vec![solved(2.0), unchecked(1.0), on_side(9, solved(3.0))];
        let panel = with_material(rows, |material| panel(material, &[FIRST], Measure::Time));
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
            (contest(material, 0, Measure::Time), contest(material, 1, Measure::Time))
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
