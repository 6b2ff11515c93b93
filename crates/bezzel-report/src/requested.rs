//! The figures and tables that an author names: the check of their ids, which needs no evidence.

use bezzel_experiment::{ConfigError, Passage, ReportSpec};
use bezzel_problem::UnknownId;

use crate::answer;
use crate::figure::{FigureKind, RequestedFigures};
use crate::parts::ReportParts;
use crate::table::{TableIds, ids};

/// Checks the ids of figures and tables, and the form of placeholders. Rows, columns, and figures and tables without
/// data depend on the evidence, and are not checked here.
///
/// # Errors
///
/// The first id that no figure or table can have, or the first placeholder of another form.
pub fn check(spec: &ReportSpec, parts: &ReportParts) -> Result<(), ConfigError> {
    requested_figures(spec, parts).map(drop)
}

/// The figures that the author names, with the errors of [`check`].
pub(crate) fn requested_figures(
    spec: &ReportSpec,
    parts: &ReportParts,
) -> Result<RequestedFigures, ConfigError> {
    let requested = figures(spec, &parts.figures)?;
    let known: Vec<TableIds> = parts.table_ids().copied().collect();
    for id in spec.tables.iter().flatten() {
        let kinds = || parts.tables.iter().map(|kind| kind.id);
        if !ids::is_known(id, &known) && !kinds().any(|kind| kind == &**id) {
            return Err(spec.error(id, id, ids::unknown(id, kinds(), &known).to_string()));
        }
    }
    answer::check(spec, &known)?;
    Ok(requested)
}

/// The kinds of these figures.
fn figures(spec: &ReportSpec, known: &[FigureKind]) -> Result<RequestedFigures, ConfigError> {
    let kind = |id: &Passage| -> Result<FigureKind, ConfigError> {
        known.iter().find(|kind| kind.id == &**id).copied().ok_or_else(|| {
            let unknown = UnknownId::new("figure", id, known.iter().map(|kind| kind.id));
            spec.error(id, id, unknown.to_string())
        })
    };
    let all = spec.figures.as_ref().map(|ids| ids.iter().map(kind).collect::<Result<_, _>>());
    Ok(RequestedFigures {
        lead: spec.lead_figure.as_ref().map(kind).transpose()?,
        all: all.transpose()?,
    })
}
