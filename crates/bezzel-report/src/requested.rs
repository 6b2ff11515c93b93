//! The figures and tables that an author names: the check of their ids, which needs no evidence.

use bezzel_experiment::{ConfigError, Passage, ReportSpec};
use bezzel_problem::UnknownId;

use crate::answer;
use crate::figure::{self, FigureKind, RequestedFigures};
use crate::table::{self, ids};

/// Checks the ids of figures and tables, and the form of placeholders. Rows, columns, and figures and tables without
/// data depend on the evidence, and are not checked here.
///
/// # Errors
///
/// The first id that no figure or table can have, or the first placeholder of another form.
pub fn check(spec: &ReportSpec) -> Result<(), ConfigError> {
    requested_figures(spec).map(drop)
}

/// The figures that the author names, with the errors of [`check`].
pub(crate) fn requested_figures(spec: &ReportSpec) -> Result<RequestedFigures, ConfigError> {
    let requested = figures(spec)?;
    for id in spec.tables.iter().flatten() {
        let kinds = || table::ALL.iter().map(|kind| kind.id);
        if !ids::is_known(id) && !kinds().any(|kind| kind == &**id) {
            return Err(spec.error(id, id, ids::unknown(id, kinds()).to_string()));
        }
    }
    answer::check(spec)?;
    Ok(requested)
}

/// The kinds of these figures.
fn figures(spec: &ReportSpec) -> Result<RequestedFigures, ConfigError> {
    let kind = |id: &Passage| -> Result<&'static FigureKind, ConfigError> {
        figure::ALL.iter().find(|kind| kind.id == &**id).ok_or_else(|| {
            let unknown = UnknownId::new("figure", id, figure::ALL.iter().map(|kind| kind.id));
            spec.error(id, id, unknown.to_string())
        })
    };
    let all = spec.figures.as_ref().map(|ids| ids.iter().map(kind).collect::<Result<_, _>>());
    Ok(RequestedFigures {
        lead: spec.lead_figure.as_ref().map(kind).transpose()?,
        all: all.transpose()?,
    })
}
