//! The arguments that choose an encoding, its settings and its numbering.

use std::sync::Arc;

use bezzel_encode::format::shell_word;
use bezzel_encode::numbering::{AuxiliaryPlace, SquareOrder};
use bezzel_encode::registry::{Name, refuse_unmatched};
use bezzel_encode::{Constraints, Encoding, Numbering, Settings};
use bezzel_experiment::{Catalog, EncoderPrograms, Permission, fit, program};
use bezzel_problem::{Instance, ProblemFile};
use bezzel_queens::Board;
use clap::Args;

use super::default_encoding::{default_encoding, names};
use super::settings::SettingArguments;
use crate::failure::Failure;

#[derive(Debug, Args)]
pub(crate) struct EncodingArguments {
    /// The id of an encoding, from `bezzel list`; if not given, `product` for bounds of one, `totalizer:cut` for
    /// larger bounds and `robdd-or-watchdog` for weights, or a smaller one where that is too large
    #[arg(long, value_name = "ID")]
    encoding: Option<String>,
    #[command(flatten)]
    settings: SettingArguments,
    /// Rename the variables at random, and shuffle the literals of each clause, by this seed
    #[arg(long, value_name = "SEED")]
    shuffle: Option<u64>,
}

/// The order of variables in a formula that is written.
#[derive(Debug, Args)]
pub(crate) struct OrderArguments {
    /// The variable order of the squares: row-major, column-major, spiral or centre-out; row-major if not given
    #[arg(long, value_name = "ORDER", conflicts_with = "shuffle")]
    squares: Option<SquareOrder>,
    /// The place of auxiliary variables: after, before or between those of the squares; after them if not given
    #[arg(long, value_name = "PLACE", conflicts_with = "shuffle")]
    auxiliaries: Option<AuxiliaryPlace>,
}

impl OrderArguments {
    /// The numbering of a formula of the instance, which `encoding` may shuffle instead.
    pub(crate) fn numbering(
        &self,
        encoding: &EncodingArguments,
        instance: &Instance,
    ) -> Result<Numbering, Failure> {
        if let (Some(squares), None) = (self.squares, Board::of(instance)) {
            return Err(Failure::Input(format!(
                "--squares {squares} is for boards, and `{instance}` is none: remove --squares"
            )));
        }
        let (squares, auxiliaries) = (self.squares, self.auxiliaries);
        let ordered =
            Numbering::ordered(squares.unwrap_or_default(), auxiliaries.unwrap_or_default());
        Ok(encoding.shuffle.map_or(ordered, Numbering::random))
    }
}

impl EncodingArguments {
    /// True if a numbering is given.
    pub(crate) fn numbers(&self) -> bool {
        self.shuffle.is_some()
    }

    /// True if an encoding, its settings or a numbering are given.
    pub(crate) fn is_named(&self) -> bool {
        self.encoding.is_some() || self.settings.are_given() || self.numbers()
    }

    /// True if no encoding is given.
    pub(crate) fn is_open(&self) -> bool {
        self.encoding.is_none()
    }

    /// Finds the named encoding, or the default one, whose option is added to `picked`. Refuses an encoding if its formula
    /// of the instance has more variables than solvers can number, or does not fit into the memory limit.
    pub(crate) fn find(
        &self,
        catalog: &Catalog,
        instance: &Instance,
        memory_bytes: Option<u64>,
        picked: &mut Vec<String>,
    ) -> Result<Arc<dyn Encoding>, Failure> {
        if let Some(id) = &self.encoding {
            return self.find_by(id, catalog, instance, memory_bytes);
        }
        let settings = self.settings_on(instance);
        let id = default_encoding(catalog, instance, settings, memory_bytes).unwrap_or_else(|| {
            names(&instance.problem(), None).next().expect("the choice by the shape")
        });
        picked.push(format!("--encoding {}", shell_word(&id)));
        self.find_by(&id, catalog, instance, memory_bytes)
    }

    /// The same for the encoding with this name, where none is given.
    pub(crate) fn find_or(
        &self,
        id: &str,
        catalog: &Catalog,
        instance: &Instance,
        memory_bytes: Option<u64>,
    ) -> Result<Arc<dyn Encoding>, Failure> {
        self.find_by(self.encoding.as_deref().unwrap_or(id), catalog, instance, memory_bytes)
    }

    pub(crate) fn settings_on(&self, instance: &Instance) -> Settings {
        // A file may not be read yet.
        let constraints = Board::of(instance)
            .map_or(Constraints::Full, |board| Constraints::default_on(&board.problem()));
        self.settings.on(constraints.into())
    }

    /// A sentence with the default encoding if it fits into the memory limit, for the refusal of another one.
    pub(crate) fn advice(
        &self,
        catalog: &Catalog,
        instance: &Instance,
        memory_bytes: Option<u64>,
    ) -> String {
        let settings = self.settings_on(instance);
        default_encoding(catalog, instance, settings, memory_bytes)
            .filter(|id| self.encoding.as_ref() != Some(id))
            .map(|id| format!("; `--encoding {}` fits", shell_word(&id)))
            .unwrap_or_default()
    }

    fn find_by(
        &self,
        id: &str,
        catalog: &Catalog,
        instance: &Instance,
        memory_bytes: Option<u64>,
    ) -> Result<Arc<dyn Encoding>, Failure> {
        let settings = self.settings_on(instance);
        let permission = Permission::of_names([id]);
        let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
        let found = programs.find(id, settings, instance);
        let found = found.map_err(Failure::input)?;
        self.settings.refuse_unread(id, &found)?;
        let encoding = found.with_settings(settings);
        let problem = instance.problem();
        if let (Some(_), Ok(name)) = (instance.file(), Name::parse(id)) {
            let families = || problem.family_names().into_iter().collect();
            refuse_unmatched(&name, families).map_err(Failure::Input)?;
        }
        encoding.fits(&problem).map_err(Failure::input)?;
        if let Some(aim) = instance.file().and_then(ProblemFile::middle_bound) {
            encoding.fits(&aim).map_err(|error| {
                let advice = self.advice(catalog, instance, memory_bytes);
                Failure::Input(format!("the objective: {error}{advice}"))
            })?;
        }
        if let Some(size) = fit::size(encoding.as_ref(), instance) {
            match memory_bytes {
                None => fit::numbered(instance, id, size),
                Some(bytes) => fit::solvable(instance, id, size, false, bytes),
            }
            .map_err(|too_large| {
                let advice = self.advice(catalog, instance, memory_bytes);
                Failure::Input(format!("{too_large}{advice}"))
            })?;
        }
        Ok(encoding)
    }

    /// The numbering.
    pub(crate) fn numbering(&self) -> Numbering {
        self.shuffle.map_or_else(Numbering::default, Numbering::random)
    }
}
