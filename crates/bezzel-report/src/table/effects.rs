//! Effects of the numbering, of settings of encodings, and of each option of the solvers, with all other factors fixed.

use super::columns::{self, Columns, verdict, with_verdict};
use super::{Table, TableIds, TableKind, ids};
use crate::analysis::Analysis;
use crate::comparison::Measure;
use crate::dataset::Dataset;
use crate::effects::Effect;
use crate::instance_words::{side, with_answer};
use crate::number::distinct;

/// The kind of table.
pub(super) const KIND: TableKind = TableKind {
    id: "effects",
    tables: &[TableIds::new(
        "effects-MEASURE",
        "effects of the numbering, of settings of encodings, and of each solver option",
    )],
    is_of_sources: false,
    make: tables,
};

/// The meaning of the columns on treatments.
const TREATMENT: &str = "Equal runs: the share of pairs of runs that the change leaves as they are. A pair has equal conditions and \
     an answer in at least one run. Its runs are equal if the solver reports equal numbers of conflicts, \
     decisions and propagations. Without conflicts: the number of pairs in which neither run has a conflict. \
     Control: the setting leaves the clauses as they are, by their digests, or in all formulas if each has at \
     most 200,000 clauses. Void: another change that leaves at least 90 % of the pairs as they are. Neither has a verdict.";

/// The verdict, or the word of a treatment that changes too little for one.
pub(crate) fn word(effect: &Effect) -> String {
    let of_treatment = effect.treatment.and_then(|treatment| treatment.word());
    of_treatment.map_or_else(|| verdict(&effect.outcome), str::to_owned)
}

/// A table for every measure in which a factor other than the encoding is varied.
fn tables(dataset: &Analysis<'_>) -> Vec<Table> {
    let measures = Measure::ALL.into_iter();
    measures.filter_map(|measure| table(dataset, measure, dataset.effects(measure))).collect()
}

fn table(dataset: &Dataset<'_>, measure: Measure, effects: &[Effect]) -> Option<Table> {
    let columns = Columns::of(effects)
        .words("factor", "Factor", |effect| effect.factor.clone())
        .words("from", "From", |effect| effect.from.clone())
        .words("to", "To", |effect| effect.to.clone())
        .words("held", "Fixed setting", |effect| effect.held.clone())
        .words("answer", "Answer", |effect| side(effect.answer))
        .words("family", "Family", |effect| match &effect.families[..] {
            [family] => family.clone(),
            several => format!("all {}", several.len()),
        });
    let title = format!("Effects of numbering, settings and solver options on {}", measure.words());
    let has_treatments = effects.iter().any(|effect| effect.treatment.is_some());
    let mut columns = with_verdict(columns, |effect| &effect.outcome, |effect| word(effect));
    if has_treatments {
        columns = columns
            .results("equal_runs", "Equal runs", |effect| effect.treatment?.words())
            .numbers_if_any("pairs_without_conflicts", "Without conflicts", |effect| {
                Some(effect.treatment?.without_conflicts)
            });
    }
    columns.some_table(
        ids::id(&["effects", measure.id()]),
        title,
        || {
            let own = [
                "Ratio on an instance: the median after the change, divided by that before it. It is the \
                 geometric mean over the encodings measured at both levels, without those that end at a limit at \
                 both. Opposite effects on two encodings cancel. A setting, as the input order, has an effect of its own on each encoding. \
                 The bootstrap draws runs with the same numbering and seed together.",
                "The 95 % confidence intervals of all changes of a factor on the same instances are \
                 simultaneous. These instances are all with one answer, or those of one family with one \
                 answer. The intervals are not simultaneous over answers, families, factors or measures.",
            ];
            let own = own.map(str::to_owned).into();
            let shared = columns::notes(dataset, measure);
            let treatment = has_treatments.then(|| TREATMENT.to_owned()).into_iter().collect();
            [own, summaries(effects), shared, treatment].concat()
        },
    )
}

/// The families of the summaries over several of them.
fn summaries(effects: &[Effect]) -> Vec<String> {
    let several = effects.iter().filter(|effect| effect.families.len() > 1);
    let lists = several.map(|effect| (effect.answer, effect.families.join("; ")));
    distinct(lists)
        .into_iter()
        .map(|(answer, families)| format!("All families, {}: {families}.", with_answer(answer)))
        .collect()
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::table::Item;
    use crate::tests::analysed;
    use crate::tests::sample::{change_kind, of_size, shuffled, solved};

    #[test]
    fn an_effect_has_a_line_with_its_verdict() {
        let rows =
            (8..14).flat_map(|size| [of_size(size, solved(4.0)), of_size(size, shuffled(1, 1.0))]);
        let tables = analysed(rows.collect(), tables);
        let [table] = &tables[..] else { panic!("{tables:?}") };
        assert_eq!(table.id, "effects-time");
        let read: Vec<_> = table.rows[0].iter().map(Item::read).collect();
        assert_eq!(
            read,
            [
                "numbering",
                "as-generated",
                "random",
                "batsat",
                "satisfiable",
                "langford",
                "6",
                "0.250",
                "0.250",
                "0.250",
                "takes less"
            ]
        );
    }

    #[test]
    fn families_with_effects_of_unlike_size_are_an_interaction() {
        let mut rows = Vec::new();
        for (is_other, times) in [(false, 2.0), (true, 8.0)] {
            for size in 8..14 {
                for mut row in [solved(1.0), shuffled(1, times)] {
                    row = of_size(size, row);
                    if is_other {
                        change_kind(&mut row);
                    }
                    rows.push(row);
                }
            }
        }
        let tables = analysed(rows, tables);
        let read = |row: &Vec<Item>| [row[5].read(), row[10].read()].join(", ");
        assert_eq!(
            tables[0].rows.iter().map(read).collect::<Vec<_>>(),
            ["all 2, takes more; interaction", "langford, takes more", "latin-square, takes more"]
        );
    }
}
