//! Backends that rows name and that Bezzel no longer has.
//!
//! Their rows stay evidence. A config that names such a backend is read and planned with what the rows
//! say of it: its version, its options, and the part of a job that it read. It cannot be run.

use std::collections::BTreeMap;

use bezzel_encode::Numbering;
use bezzel_solve::{BackendInfo, OptionError, Options, ProofFormat};

use super::{Backend, Backends, Capabilities, Reads};
use crate::model::job::{BackendKind, NO_ENCODING};
use crate::model::row::{Row, latest};

/// A backend as its rows describe it.
struct Removed {
    kind: BackendKind,
    id: String,
    version: String,
    reads: Reads,
    proof: Option<ProofFormat>,
    /// Every set of options that it ran with.
    options: Vec<Options>,
}

impl Removed {
    fn of(kind: BackendKind, id: &str, rows: &[&Row]) -> Self {
        let latest = latest(rows.iter().copied(), |_| ()).remove(&());
        let read_clauses = |row: &&Row| {
            row.clause_digest.is_some() || row.job.numbering != Numbering::AS_GENERATED
        };
        let reads = match () {
            () if rows.iter().all(|row| row.job.encoding == NO_ENCODING) => Reads::Board,
            () if kind == BackendKind::Solver || rows.iter().any(read_clauses) => Reads::Clauses,
            () => Reads::Circuit,
        };
        let mut options: Vec<Options> = Vec::new();
        for row in rows {
            if !options.contains(&row.job.options) {
                options.push(row.job.options.as_ref().clone());
            }
        }
        // Of two that agree with a config, the one with fewer changes is meant.
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

impl Backend for Removed {
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
            BackendKind::Engine => Capabilities {
                solves: false,
                lists: true,
                counts: true,
                classes: true,
                models: true,
            },
        }
    }

    fn reads(&self) -> Reads {
        self.reads
    }

    fn takes_cardinality(&self) -> bool {
        true
    }

    fn proof_format(&self) -> Option<ProofFormat> {
        self.proof
    }

    /// The recorded options that agree with those that are given.
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
    pub fn recalling<'r>(&self, rows: impl IntoIterator<Item = &'r Row>) -> Self {
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
            if is_here { all } else { all.with(Removed::of(kind, id, &rows)) }
        })
    }
}
