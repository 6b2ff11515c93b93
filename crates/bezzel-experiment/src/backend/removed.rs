//! Backends that rows name and that Bezzel no longer has.
//!
//! Their rows stay evidence. A config that names such a backend is read and planned with the data of its rows: the
//! version, the options, and the part of a job that it read. The backend cannot be run.

use std::collections::BTreeMap;

use bezzel_encode::Numbering;
use bezzel_solve::{BackendInfo, OptionError, Options, ProofFormat};

use super::{Backend, Backends, Capabilities, InputKind};
use crate::model::job::{BackendKind, NO_ENCODING};
use crate::model::row::{Row, latest};

/// A backend as its rows describe it.
struct RemovedBackend {
    kind: BackendKind,
    id: String,
    version: String,
    reads: InputKind,
    proof: Option<ProofFormat>,
    /// Every set of options in its rows.
    options: Vec<Options>,
}

impl RemovedBackend {
    fn of(kind: BackendKind, id: &str, rows: &[&Row]) -> Self {
        let latest = latest(rows.iter().copied(), |_| ()).remove(&());
        let read_clauses = |row: &&Row| {
            row.clause_digest.is_some() || row.job.numbering != Numbering::AS_GENERATED
        };
        let reads = match () {
            () if rows.iter().all(|row| row.job.encoding == NO_ENCODING) => InputKind::Board,
            () if kind == BackendKind::Solver || rows.iter().any(read_clauses) => {
                InputKind::Clauses
            }
            () => InputKind::Circuit,
        };
        let mut options: Vec<Options> = Vec::new();
        for row in rows {
            if !options.contains(&row.job.options) {
                options.push(row.job.options.as_ref().clone());
            }
        }
        // If two sets agree with a config, the one with fewer changes is meant.
        options.sort_by_key(Options::len);
        Self {
            kind,
            id: id.to_owned(),
            version: latest.map_or_else(String::new, |row| row.solver_version.clone()),
            reads,
            proof: rows.iter().find_map(|row| row.job.proof),
            options,
        }
    }
}

impl Backend for RemovedBackend {
    fn info(&self) -> BackendInfo {
        BackendInfo {
            id: self.id.clone(),
            title: "removed".to_owned(),
            version: self.version.clone(),
            citation: "the rows of a record".to_owned(),
        }
    }

    fn capabilities(&self) -> Capabilities {
        match self.kind {
            BackendKind::Solver => Capabilities::SOLVER,
            BackendKind::Engine => {
                Capabilities { solves: false, lists: true, counts: true, models: true }
            }
        }
    }

    fn reads(&self) -> InputKind {
        self.reads
    }

    fn takes_cardinality(&self) -> bool {
        true
    }

    fn proof_format(&self) -> Option<ProofFormat> {
        self.proof
    }

    /// Returns the recorded options that agree with the given ones.
    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        let agrees = |recorded: &&Options| {
            options.iter().all(|(name, value)| recorded.get(name) == Some(value))
        };
        Ok(self.options.iter().find(agrees).unwrap_or(options).clone())
    }
}

impl Backends {
    /// These backends, and those that rows name and that are not among them.
    #[must_use]
    pub fn with_recorded_backends<'r>(&self, rows: impl IntoIterator<Item = &'r Row>) -> Self {
        let mut by_name: BTreeMap<(bool, &str), Vec<&Row>> = BTreeMap::new();
        for row in rows {
            if let Some(kind) = row.job.task.backend() {
                let is_solver = kind == BackendKind::Solver;
                by_name.entry((is_solver, &row.job.solver)).or_default().push(row);
            }
        }
        by_name.into_iter().fold(self.clone(), |all, ((is_solver, id), rows)| {
            let kind = if is_solver { BackendKind::Solver } else { BackendKind::Engine };
            let is_here = all.find(kind, id).is_ok();
            if is_here { all } else { all.with(RemovedBackend::of(kind, id, &rows)) }
        })
    }
}
