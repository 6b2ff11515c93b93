//! A report before it is written, with the content of all pages.

use std::collections::BTreeSet;

use bezzel_encode::Registry;
use bezzel_experiment::{ExperimentRecord, Passage};

use crate::analysis::Analysis;
use crate::answer::{Author, AuthorAnswer, StatedHypothesis, unknown};
use crate::caveats::{CaveatPlace, caveats};
use crate::chart::{Axis, Chart, Scale};
use crate::computed_answer::ComputedAnswer;
use crate::error::ReportError;
use crate::figure::{self, FigureKind, RequestedFigures};
use crate::number::distinct;
use crate::parts::ReportParts;
use crate::render::{self, Picture};
use crate::row_columns::row_columns;
use crate::table::{self, Item, Table, TableKind};
use crate::trust_line::TrustLine;
use crate::{RenderProgress, csv, parts, run_conditions, run_ends};

/// A report before it is written.
pub(crate) struct Report<'a> {
    pub(crate) record: &'a ExperimentRecord,
    /// The command that makes it.
    pub(crate) command: &'a str,
    pub(crate) answer: Option<AuthorAnswer>,
    pub(crate) computed: ComputedAnswer,
    /// The evidence of both answers.
    pub(crate) trust: TrustLine,
    pub(crate) hypothesis: Option<StatedHypothesis>,
    /// The figures, the lead figure first.
    pub(crate) figures: Vec<Figure>,
    /// The main table.
    pub(crate) main: Option<Table>,
    /// Tables with results of source documents and those of the record.
    pub(crate) sources: Vec<Table>,
    /// Further tables of the page, which are folded.
    pub(crate) tables: Vec<Table>,
    /// Tables that only files have.
    pub(crate) in_files: Vec<Table>,
    /// The full table.
    pub(crate) cells: Table,
    /// The numbers of runs, encodings, instances and so on.
    pub(crate) extent: Vec<(&'static str, usize)>,
    /// The conditions of the runs: limits, isolation, noise, machines.
    pub(crate) conditions: Vec<String>,
    /// The conditions that a table by itself needs.
    pub(crate) of_tables: Vec<String>,
    /// The environments of the sessions and their noise: the name of a field with its values.
    pub(crate) environment: Vec<(String, String)>,
    /// Threats to validity.
    pub(crate) threats: Vec<String>,
    pub(crate) ends: Vec<(&'static str, usize)>,
    /// The reasons for which runs failed or were skipped.
    pub(crate) reasons: Vec<String>,
    pub(crate) wrong: Vec<String>,
    pub(crate) contradictions: Vec<String>,
    /// The rows for the script of the page; none if there are no rows.
    pub(crate) rows: Option<String>,
}

/// A figure with its data and its pictures.
pub(crate) struct Figure {
    pub(crate) kind: FigureKind,
    pub(crate) chart: Chart,
    pub(crate) picture: Picture,
}

impl<'a> Report<'a> {
    /// Makes a report from a record.
    pub(crate) fn new(
        record: &'a ExperimentRecord,
        registry: &Registry,
        parts: &ReportParts,
        command: &'a str,
        observe: &mut dyn FnMut(RenderProgress),
    ) -> Result<Self, ReportError> {
        let spec = &record.report;
        let mut requested = parts::requested_figures(spec, parts)?;
        // Figures of single runs would be the table of others again.
        if record.is_imported() && spec.figures.is_none() {
            requested.all = Some(Vec::new());
        }
        // Rows are put in order, figures are drawn, and tables and pages are written.
        let of = parts.figures.len() + 2;
        let mut done = 0;
        observe(RenderProgress { done, of, next: "order" });
        let analysis = Analysis::new(record, registry);
        let charts = figure::draw_figures(&analysis, &parts.figures, &requested, &mut |kind| {
            done += 1;
            observe(RenderProgress { done, of, next: kind.id });
        });
        let not_drawn = |id: &&Passage| charts.iter().all(|(drawn, _)| drawn.id != &***id);
        if let Some(id) = spec.figures.iter().flatten().chain(&spec.lead_figure).find(not_drawn) {
            let all = RequestedFigures { all: Some(parts.figures.clone()), lead: None };
            let drawn = figure::draw_figures(&analysis, &parts.figures, &all, &mut |_| {});
            let ids: Vec<&str> = drawn.iter().map(|(kind, _)| kind.id).collect();
            let reason = if **id == *"ranking" { figure::ranking_lacks(&analysis) } else { None };
            let message = format!(
                "the record has nothing to draw for the figure `{id}`{}; it has {}",
                reason.map_or_else(String::new, |reason| format!(": {reason}")),
                one_of("figure", &ids)
            );
            return Err(spec.error(id, id, message).into());
        }
        let figures = charts.into_iter().map(|(kind, chart)| {
            let picture = render::draw(&chart)?;
            Ok(Figure { kind, chart, picture })
        });
        let figures = figures.collect::<Result<Vec<_>, ReportError>>()?;
        observe(RenderProgress { done: of - 1, of, next: "tables" });
        let cells = table::full(&analysis);
        let all = table::all(&analysis, &parts.tables);
        let known: Vec<&Table> = all.iter().map(|(_, table)| table).chain([&cells]).collect();
        let author = Author::new(spec, &analysis, &known);
        let (hypothesis, answer) = (author.hypothesis()?, author.answer()?);
        let sorted = SortedTables::new(record, &analysis, parts, all)?;
        Ok(Self {
            record,
            command,
            computed: ComputedAnswer::new(&analysis, &spec.primary),
            trust: TrustLine::new(&analysis, answer.as_ref()),
            answer,
            hypothesis,
            figures,
            main: sorted.main,
            sources: sorted.sources,
            tables: sorted.tables,
            in_files: sorted.in_files,
            cells,
            extent: run_ends::run_counts(&analysis),
            conditions: caveats(&analysis, CaveatPlace::Conditions),
            of_tables: caveats(&analysis, CaveatPlace::TableAlone),
            environment: run_conditions::environment(&analysis)
                .into_iter()
                .chain(run_conditions::noise_of_sessions(&analysis))
                .collect(),
            threats: caveats(&analysis, CaveatPlace::Threats),
            ends: run_ends::run_ends(&analysis),
            reasons: run_ends::failure_reasons(&analysis),
            wrong: run_ends::wrong_answers(&analysis),
            contradictions: run_ends::contradictions(&analysis),
            rows: (!record.rows.is_empty()).then(|| row_columns(&analysis)),
        })
    }
}

/// The ids that a record has in the place of one that it lacks.
fn one_of(noun: &str, ids: &[&str]) -> String {
    match ids {
        [] => format!("no {noun}"),
        [id] => format!("the {noun} `{id}` alone"),
        ids => format!("the {noun}s `{}`", ids.join("`, `")),
    }
}

/// The tables of a report by their place in it.
#[derive(Default)]
struct SortedTables {
    main: Option<Table>,
    sources: Vec<Table>,
    tables: Vec<Table>,
    in_files: Vec<Table>,
}

impl SortedTables {
    fn new(
        record: &ExperimentRecord,
        analysis: &Analysis<'_>,
        parts: &ReportParts,
        mut all: Vec<(TableKind, Table)>,
    ) -> Result<Self, ReportError> {
        let mut sorted = Self::default();
        if let Some(requested) = &record.report.tables {
            // An id names a table, or a kind with several tables.
            let ids = |(kind, table): &(TableKind, Table)| [kind.id.to_owned(), table.id.clone()];
            let known: Vec<String> = all.iter().flat_map(ids).collect();
            let mut wanted = Vec::new();
            for id in requested {
                if !known.iter().any(|known| *known == **id) {
                    let is_kind = parts.tables.iter().any(|kind| kind.id == &**id);
                    let message = if is_kind {
                        let known: Vec<&str> = known.iter().map(String::as_str).collect();
                        let known = one_of("table", &distinct(known));
                        format!(
                            "the record has nothing to show for the table `{id}`; it has {known}"
                        )
                    } else {
                        unknown("table", id, known)
                    };
                    return Err(record.report.error(id, id, message).into());
                }
                wanted.extend(all.extract_if(.., |it| ids(it).iter().any(|own| **own == **id)));
            }
            let mut wanted = wanted.into_iter().map(|(_, table)| table);
            sorted.main = wanted.next();
            sorted.tables = wanted.collect();
        } else {
            let is_main = |(kind, _): &(TableKind, Table)| table::MAIN.contains(&kind.id);
            let main = all.iter().position(is_main);
            let main = main.or_else(|| all.iter().position(|(kind, _)| !kind.is_of_sources));
            sorted.main = main.map(|place| all.remove(place).1);
        }
        let is_chosen = record.report.tables.is_some();
        for (kind, table) in all {
            if kind.is_of_sources {
                sorted.sources.push(table);
            } else if is_chosen || kind.is_too_long(analysis) {
                sorted.in_files.push(table);
            } else {
                sorted.tables.push(table);
            }
        }
        Ok(sorted)
    }
}

impl Report<'_> {
    /// The short tables, those of the page first.
    pub(crate) fn short_tables(&self) -> impl Iterator<Item = &Table> {
        let open = self.computed.table.iter().chain(&self.main);
        open.chain(&self.sources).chain(&self.tables).chain(&self.in_files)
    }

    /// The looks of the encodings and engines that tables and legends name.
    pub(crate) fn styles(&self) -> BTreeSet<usize> {
        let tables = self.short_tables().chain([&self.cells]);
        let items = tables.flat_map(|table| table.rows.iter().flatten());
        let styles = items.filter_map(|item| match item {
            Item::Encoding(style, _) => Some(*style),
            _ => None,
        });
        let legends = self.figures.iter().flat_map(|figure| &figure.chart.legend);
        styles.chain(legends.map(|entry| entry.style)).collect()
    }
}

/// The formats of a figure, each with the ending of its file.
pub(crate) const FORMATS: [(&str, &str); 2] = [("SVG", "svg"), ("data as CSV", "csv")];

impl Figure {
    /// The format of each of its files, and the file's name.
    pub(crate) fn files(&self) -> Vec<(&'static str, String)> {
        FORMATS.map(|(label, ending)| (label, format!("{}.{ending}", self.kind.id))).into()
    }

    /// The text for a reader who cannot see the figure.
    pub(crate) fn alternative(&self) -> String {
        format!("{}: {}", self.chart.title, self.kind.shows)
    }

    /// The data of the figure: a line for every point, for every cell of a heat map, and for every
    /// value of a drawing, with rows and columns counted from 1.
    pub(crate) fn csv(&self) -> String {
        let heads = "panel,series,position_axis,position,value_axis,value,low,high,runs,unchecked";
        let heads = std::iter::once(heads.split(',').map(str::to_owned).collect());
        let number = |value: bezzel_statistics::Value| {
            value.measured().map_or_else(|| "inf".to_owned(), |number| number.to_string())
        };
        let points = self.chart.points().map(|(facet, series, point)| {
            vec![
                facet.title.clone(),
                series.label.clone(),
                facet.position.title(),
                point.at.to_string(),
                facet.value.title(),
                number(point.value),
                point.low.map(number).unwrap_or_default(),
                point.high.map(number).unwrap_or_default(),
                point.runs.to_string(),
                point.mark.is_hollow().to_string(),
            ]
        });
        let cells = self.chart.cells().map(|(facet, heat, cell)| {
            let name = |axis: &Axis, at: usize| match &axis.scale {
                Scale::Names(names) => names.get(at).map(|name| name.label.clone()),
                _ => None,
            };
            vec![
                facet.title.clone(),
                name(&facet.position, cell.row).unwrap_or_default(),
                facet.value.title(),
                name(&facet.value, cell.column).unwrap_or_default(),
                heat.title(),
                cell.value.map(number).unwrap_or_default(),
                String::new(),
                String::new(),
                cell.runs.to_string(),
                cell.unchecked.to_string(),
            ]
        });
        let drawings = self.chart.drawings().flat_map(|(facet, drawing)| {
            drawing.values().into_iter().map(|(text, [one, two])| {
                let mut record = vec![String::new(); 10];
                record[0].clone_from(&facet.title);
                record[1] = text;
                record[2..6].clone_from_slice(&[
                    one.0.to_owned(),
                    one.1.to_string(),
                    two.0.to_owned(),
                    two.1.to_string(),
                ]);
                record
            })
        });
        csv::lines(heads.chain(points).chain(cells).chain(drawings))
    }
}
