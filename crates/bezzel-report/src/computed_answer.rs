//! The answer that is computed from the rows: a few sentences by templates, and a table with a row for each answer, solver
//! and encoding.
//!
//! Satisfiable and unsatisfiable instances are never pooled. Verdicts and intervals are those of the ranking. A record of
//! several numberings has the sentences of the first one, and names the tables of the others.

use std::collections::BTreeMap;

use bezzel_experiment::Primary;
use bezzel_experiment::quantity::grouped;
use bezzel_solve::Answer;
use bezzel_statistics::paired_design::PairedDesign;
use bezzel_statistics::score::{over_instances, solved};
use bezzel_statistics::{Observation, Relation, Value, median};

use crate::analysis::Analysis;
use crate::caveats;
use crate::comparison::{
    ANSWERS, EncodingRanking, Measure, arms, encodings, first_numbering, instances_with_answer,
    measures, paired_design, timed_label,
};
use crate::computed_effects;
use crate::computed_sentences::{
    Base, ComputedArm, MAX_RATIOS, MAX_SENTENCES, SolverPart, sentences,
};
use crate::computed_tasks;
use crate::dataset::Dataset;
use crate::instance_words::{listed, side};
use crate::number::count;
use crate::table::columns::{Columns, high, id_and_title, low, of_ratio, verdict};
use crate::table::plain::wrapped;
use crate::table::{Item, Table};

/// The heading.
pub(crate) const HEADING: &str = "Computed answer";
/// An answer that is computed from the rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComputedAnswer {
    /// The sentences, each a paragraph.
    pub sentences: Vec<String>,
    /// The encodings by answer and solver. None if nothing was solved, or one instance alone.
    pub table: Option<Table>,
    /// True if some comparison has enough instances for a verdict.
    pub has_verdict: bool,
}

impl ComputedAnswer {
    /// The answer of a record, by the baseline and the measure of the primary comparison.
    pub(crate) fn new(analysis: &Analysis<'_>, primary: &Primary) -> Self {
        let mut answer =
            if analysis.cells.is_empty() { Self::default() } else { solving(analysis, primary) };
        let free = MAX_SENTENCES.saturating_sub(answer.sentences.len());
        answer.sentences.extend(computed_tasks::sentences(analysis).into_iter().take(free));
        answer
    }

    /// The heading, the sentences and the table, in lines of at most `width` characters. Each answer and solver has a
    /// part of the table of its own.
    pub fn plain(&self, width: usize) -> String {
        let mut text = format!("{HEADING}\n");
        for sentence in &self.sentences {
            text.push_str(&wrapped(sentence, width));
        }
        let Some(table) = &self.table else { return text };
        let part = |row: &Vec<Item>| format!("{}, {}", row[0].read(), row[1].read());
        for rows in table.rows.chunk_by(|one, two| part(one) == part(two)) {
            let shown = Table {
                columns: table.columns[2..].to_vec(),
                rows: rows.iter().map(|row| row[2..].to_vec()).collect(),
                notes: Vec::new(),
                ..table.clone()
            };
            text.extend(["\n", &part(&rows[0]), "\n", &shown.plain_rows(width)]);
        }
        text
    }
}

/// The answer on encodings that solvers solved.
fn solving(analysis: &Analysis<'_>, primary: &Primary) -> ComputedAnswer {
    let named = primary.measure.and_then(Measure::of_claim);
    let known = measures(analysis);
    let measure = named.filter(|measure| known.contains(measure)).unwrap_or(known[0]);
    let (all, numbering) = (0..analysis.numberings.len(), first_numbering(analysis));
    let here = encodings(analysis, numbering);
    let is_baseline =
        |&encoding: &usize| primary.baseline.as_deref() == Some(&*analysis.encodings[encoding]);
    let encoding = here.iter().copied().find(is_baseline).unwrap_or(here[0]);
    let base = Base { encoding, label: &analysis.encodings[encoding], measure };
    let parts_of = |numbering: usize| -> Vec<SolverPart> {
        ANSWERS.iter().flat_map(|&it| solver_parts(analysis, numbering, &base, it)).collect()
    };
    let parts = parts_of(numbering);
    let effects = computed_effects::sentences(analysis, primary);
    let room = MAX_SENTENCES - usize::from(!effects.is_empty());
    let mut sentences = sentences(&parts, &base, room);
    let answers = analysis.instances.iter().map(|instance| analysis.answer(instance));
    let unanswered = answers.filter(|answer| !answer.is_some_and(|it| ANSWERS.contains(&it)));
    let unanswered = unanswered.count();
    let mut last = Vec::new();
    if unanswered > 0 {
        let have = if unanswered == 1 { "has" } else { "have" };
        last.push(format!("{} {have} no answer in any run.", count(unanswered, "instance")));
    }
    if measure == Measure::Time && parts.iter().any(SolverPart::has_verdict) {
        last.extend(caveats::short_times(analysis));
    }
    last.extend(caveats::same_clauses(analysis, analysis.instances.len().div_ceil(2)));
    if all.len() > 1 {
        let is_comparable = |&other: &usize| {
            other != numbering && encodings(analysis, other).contains(&base.encoding)
        };
        let others = all.filter(is_comparable).map(parts_of);
        last.push(other_numberings(analysis, numbering, measure, changed(&parts, others)));
    }
    if let Some(sentence) = sentences.last_mut() {
        last.insert(0, sentence.clone());
        *sentence = last.join(" ");
    } else if !last.is_empty() {
        sentences.push(last.join(" "));
    }
    let has_verdict = parts.iter().any(SolverPart::has_verdict);
    if !effects.is_empty() {
        sentences.insert(if has_verdict { sentences.len() } else { 0 }, effects.join(" "));
    }
    let table =
        (analysis.instances.len() > 1 && !parts.is_empty()).then(|| table(analysis, &parts, &base));
    ComputedAnswer { sentences, table, has_verdict }
}

/// The measured encodings under each solver.
fn solver_parts(
    analysis: &Analysis<'_>,
    numbering: usize,
    base: &Base<'_>,
    answer: Answer,
) -> Vec<SolverPart> {
    let measure = base.measure;
    let dataset: &Dataset<'_> = analysis;
    let instances = instances_with_answer(dataset, answer);
    let numbers = encodings(dataset, numbering);
    let reference = numbers.iter().position(|&it| it == base.encoding).unwrap_or(0);
    let is_here = |it: &&EncodingRanking| {
        (it.numbering, it.measure, it.answer) == (numbering, measure, answer)
    };
    let ranking = analysis.rankings().iter().find(is_here);
    let order = ranking.map_or_else(|| (0..numbers.len()).collect(), |it| it.ranking.order.clone());
    let of_solver = |(solver, label): (usize, &String)| {
        let arms_here = arms(&numbers, numbering, solver);
        let design: PairedDesign = paired_design(dataset, &arms_here, measure, &instances);
        let place = ranking.and_then(|it| {
            it.comparison.solvers.iter().position(|solver_design| solver_design.number == solver)
        });
        let computed = order.iter().filter_map(|&arm| {
            let measured = design.medians(arm).iter().flatten().count();
            let beside = ranking.zip(place).filter(|_| arm != reference).and_then(|(it, place)| {
                Some(*it.ranking.comparison(place, arm, reference)?.overall())
            });
            (measured > 0).then(|| ComputedArm {
                encoding: numbers[arm],
                label: dataset.encodings[numbers[arm]].clone(),
                solved: solved(&design, arm),
                measured,
                median: typical(&design, arm),
                par2_s: over_instances(&design, arm, 2.0).filter(|_| measure == Measure::Time),
                beside,
            })
        });
        let computed: Vec<ComputedArm> = computed.collect();
        let mut cells = dataset.cells.iter();
        let cell =
            cells.find(|cell| cell.index.solver == solver && cell.index.numbering == numbering)?;
        (!computed.is_empty()).then(|| SolverPart {
            answer,
            solver: timed_label(label, cell, measure),
            instances: design.instances().len(),
            families: design.families().len(),
            arms: computed,
        })
    };
    dataset.solvers.iter().enumerate().filter_map(of_solver).collect()
}

/// The median over instances of the medians over runs.
fn typical(design: &PairedDesign, arm: usize) -> Option<Value> {
    let value = |seen: Observation| {
        if seen.is_over() { Value::OverLimit } else { Value::Measured(seen.bound()) }
    };
    let medians = design.medians(arm).into_iter().flatten().map(value);
    median(&medians.collect::<Vec<_>>())
}

/// The number of verdicts under other numberings that differ from those under the first, and that of all.
fn changed(first: &[SolverPart], others: impl Iterator<Item = Vec<SolverPart>>) -> (usize, usize) {
    let verdicts = |parts: &[SolverPart]| -> BTreeMap<(String, String), Relation> {
        let each = parts.iter().flat_map(|part| {
            let cell = format!("{}, {}", side(part.answer), part.solver);
            let decidable =
                part.compared().filter(|(_, it)| it.relation != Relation::TooFewInstances);
            decidable.map(move |(label, it)| ((cell.clone(), label.to_owned()), it.relation))
        });
        each.collect()
    };
    let first = verdicts(first);
    let known = |(key, of_other): (_, Relation)| Some(*first.get(&key)? != of_other);
    let pairs: Vec<bool> = others.flat_map(|parts| verdicts(&parts)).filter_map(known).collect();
    (pairs.iter().filter(|&&differs| differs).count(), pairs.len())
}

/// The numbering of the sentences, the number of verdicts that differ under the others, and the tables with these.
fn other_numberings(
    analysis: &Analysis<'_>,
    numbering: usize,
    measure: Measure,
    (changed, all): (usize, usize),
) -> String {
    let rankings = analysis.rankings().iter();
    let others = rankings.filter(|it| it.numbering != numbering && it.measure == measure);
    let ids: Vec<String> = others.map(|it| id_and_title(analysis, "Ranking", it).0).collect();
    let tables = match &ids[..] {
        [] => "table of all cells".to_owned(),
        [first, .., last] if ids.len() > MAX_RATIOS => format!("tables {first} to {last}"),
        [id] => format!("table {id}"),
        ids => format!("tables {}", listed(ids)),
    };
    let numbering = &analysis.numberings[numbering];
    let differ = if changed == 1 { "differs" } else { "differ" };
    match all {
        0 => format!("The numbering is {numbering}; the others are in the {tables}."),
        _ => format!(
            "The numbering is {numbering}; under the others, {changed} of {} verdicts {differ} ({tables}).",
            grouped(all as u128)
        ),
    }
}

/// The table of all parts.
fn table(dataset: &Dataset<'_>, parts: &[SolverPart], base: &Base<'_>) -> Table {
    let rows = parts.iter().flat_map(|part| part.arms.iter().map(move |arm| (part, arm)));
    let interval = |arm: &ComputedArm| arm.beside.as_ref().and_then(|outcome| outcome.interval);
    let mut columns = Columns::of(rows)
        .words("answer", "Answer", |(part, _)| side(part.answer))
        .words("solver", "Solver", |(part, _)| part.solver.clone())
        .words("encoding", "Encoding", |(_, arm)| Item::encoding(dataset, arm.encoding))
        .results("solved", "Solved", |(_, arm)| format!("{} of {}", arm.solved, arm.measured));
    if base.measure == Measure::Time {
        columns = columns.numbers("solve_cpu_par2_s", "PAR2 (s)", |(_, arm)| arm.par2_s);
    }
    let mut notes = Vec::new();
    if !parts.iter().any(SolverPart::has_verdict) {
        let (name, head) = match base.measure {
            Measure::Time => ("solve_cpu_median_s", "Median (s)"),
            Measure::Conflicts | Measure::ProofSteps => ("conflicts_median", "Median conflicts"),
        };
        columns = columns.numbers(name, head, |(_, arm)| arm.median);
        notes.push(
            "A median is that of the instances, each with the median of its runs.".to_owned(),
        );
    }
    if parts.iter().any(|part| part.compared().next().is_some()) {
        columns = columns
            .numbers("ratio", "Ratio", |(_, arm)| match &arm.beside {
                None if arm.encoding == base.encoding => 1.0.into(),
                beside => Item::from(beside.as_ref().map(|outcome| of_ratio(&outcome.ratio))),
            })
            .numbers("ratio_low", "from", |(_, arm)| interval(arm).map(low))
            .numbers("ratio_high", "to", |(_, arm)| interval(arm).map(high))
            .results("verdict", "Verdict", |(_, arm)| arm.beside.as_ref().map(verdict));
        notes.push(format!(
            "Ratio: {} divided by that of {}, with its 95 % confidence interval and its verdict, as in the \
             ranking. The intervals of all pairs under one solver are simultaneous; those of claims only \
             over the comparisons of each claim.",
            base.measure.words(),
            base.label
        ));
    }
    notes.push(
        "Solved: instances on which the median is within the limits. PAR2: the mean time over runs, then over \
         instances, then over families. A run without an answer counts as twice its CPU limit."
            .to_owned(),
    );
    columns.table("computed", HEADING, notes)
}

#[cfg(test)]
mod tests;
