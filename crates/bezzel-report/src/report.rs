//! A report before it is written: everything that the pages show.

use std::collections::BTreeSet;

use bezzel_encode::Registry;
use bezzel_lab::ExperimentRecord;

use crate::Step;
use crate::account::{self, Session};
use crate::analysis::Analysis;
use crate::chart::{Axis, Chart, Scale};
use crate::error::ReportError;
use crate::escape;
use crate::figure::{self, FigureKind};
use crate::fleet;
use crate::render::{self, Picture};
use crate::table::{self, Item, Table};
use crate::threats;

/// A report before it is written.
pub(crate) struct Report<'a> {
    pub(crate) record: &'a ExperimentRecord,
    /// The command that makes it.
    pub(crate) command: &'a str,
    /// The figures that the record has something to draw for.
    pub(crate) figures: Vec<Figure>,
    /// The short tables.
    pub(crate) tables: Vec<Table>,
    /// The full one.
    pub(crate) cells: Table,
    /// How much of what there is.
    pub(crate) extent: Vec<(&'static str, usize)>,
    /// Threats to validity.
    pub(crate) threats: Vec<String>,
    pub(crate) ends: Vec<(&'static str, usize)>,
    /// Why runs failed or were skipped.
    pub(crate) reasons: Vec<String>,
    pub(crate) wrong: Vec<String>,
    pub(crate) contradictions: Vec<String>,
    /// The machines, a line for each kind; none where a session tells all of it.
    pub(crate) machines: Vec<String>,
    /// The sessions, as many as are shown.
    pub(crate) sessions: Vec<Session>,
    /// How many sessions are not shown.
    pub(crate) more_sessions: usize,
}

/// A figure with its data and its pictures.
pub(crate) struct Figure {
    pub(crate) kind: &'static FigureKind,
    pub(crate) chart: Chart,
    pub(crate) picture: Picture,
}

impl<'a> Report<'a> {
    /// Makes a report from a record.
    pub(crate) fn new(
        record: &'a ExperimentRecord,
        registry: &Registry,
        command: &'a str,
        observe: &mut dyn FnMut(Step),
    ) -> Result<Self, ReportError> {
        // Rows are put in order, figures are drawn, and tables and pages are written.
        let of = figure::ALL.len() + 2;
        let mut done = 0;
        observe(Step { done: 0, of, next: "order" });
        let material = Analysis::new(record, registry);
        let sessions = account::sessions(&material);
        let charts = figure::chosen(&material, None, &mut |kind| {
            done += 1;
            observe(Step { done, of, next: kind.id });
        });
        let figures = charts.into_iter().map(|(kind, chart)| {
            let picture = render::draw(&chart)?;
            Ok(Figure { kind, chart, picture })
        });
        let figures = figures.collect::<Result<Vec<_>, ReportError>>()?;
        observe(Step { done: of - 1, of, next: "tables" });
        Ok(Self {
            record,
            command,
            figures,
            tables: table::all(&material),
            cells: table::full(&material),
            extent: account::extent(&material),
            threats: threats::threats(&material),
            ends: account::ends(&material),
            reasons: account::reasons(&material),
            wrong: account::wrong(&material),
            contradictions: account::contradictions(&material),
            machines: fleet::lines(&material),
            more_sessions: record.environments.len() - sessions.len(),
            sessions,
        })
    }
}

impl Report<'_> {
    /// The headline table: the encodings with their sizes and times, or else the times of whole processes.
    pub(crate) fn headline(&self) -> Option<&Table> {
        self.tables.iter().find(|table| table::MAIN.iter().any(|kind| table.id == kind.id))
    }

    /// The looks of the encodings and engines that tables name.
    pub(crate) fn styles(&self) -> BTreeSet<usize> {
        let tables = self.tables.iter().chain([&self.cells]);
        let items = tables.flat_map(|table| table.rows.iter().flatten());
        let styles = items.filter_map(|item| match item {
            Item::Encoding(style, _) => Some(*style),
            _ => None,
        });
        styles.collect()
    }
}

impl Figure {
    /// What each of its files is, and its name.
    pub(crate) fn files(&self) -> Vec<(&'static str, String)> {
        [
            ("SVG", "svg"),
            ("PNG", "png"),
            ("PDF", "pdf"),
            ("TikZ", "pgf.tex"),
            ("data as CSV", "csv"),
        ]
        .map(|(label, ending)| (label, format!("{}.{ending}", self.kind.id)))
        .into()
    }

    /// What a reader who does not see the figure is told.
    pub(crate) fn alternative(&self) -> String {
        format!("{}: {}", self.chart.title, self.kind.shows)
    }

    /// The data behind the figure: a line for every point, for every cell of a heat map, and for every
    /// square of a board on which something is, rows and columns counted from 1.
    pub(crate) fn csv(&self) -> String {
        let heads = "panel,series,position_axis,position,value_axis,value,low,high,runs,unchecked";
        let heads = std::iter::once(heads.split(',').map(str::to_owned).collect());
        let number = |value: crate::statistics::Value| {
            value.measured().map_or_else(|| "inf".to_owned(), |number| number.to_string())
        };
        let points = self.chart.points().map(|(panel, series, point)| {
            vec![
                escape::csv(&panel.title),
                escape::csv(&series.label),
                escape::csv(&panel.position.title()),
                point.at.to_string(),
                escape::csv(&panel.value.title()),
                number(point.value),
                point.low.map(number).unwrap_or_default(),
                point.high.map(number).unwrap_or_default(),
                point.runs.to_string(),
                point.mark.is_hollow().to_string(),
            ]
        });
        let cells = self.chart.cells().map(|(panel, heat, cell)| {
            let name = |axis: &Axis, at: usize| match &axis.scale {
                Scale::Names(names) => names.get(at).map(|name| escape::csv(&name.label)),
                _ => None,
            };
            vec![
                escape::csv(&panel.title),
                name(&panel.position, cell.row).unwrap_or_default(),
                escape::csv(&panel.value.title()),
                name(&panel.value, cell.column).unwrap_or_default(),
                escape::csv(&heat.title()),
                cell.value.map(number).unwrap_or_default(),
                String::new(),
                String::new(),
                cell.runs.to_string(),
                cell.unchecked.to_string(),
            ]
        });
        let squares = self.chart.diagrams().flat_map(|(panel, diagram)| {
            diagram.squares.iter().map(|(row, column, what)| {
                let mut record = vec![String::new(); 10];
                record[0] = escape::csv(&panel.title);
                record[1] = what.told().into();
                record[2..6].clone_from_slice(&[
                    "row".to_owned(),
                    (row + 1).to_string(),
                    "column".to_owned(),
                    (column + 1).to_string(),
                ]);
                record
            })
        });
        table::lines(heads.chain(points).chain(cells).chain(squares))
    }
}
