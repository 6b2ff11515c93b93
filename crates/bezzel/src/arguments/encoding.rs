//! The arguments that choose an encoding, its settings and its numbering.

use std::sync::Arc;

use bezzel_encode::numbering::{AuxiliaryPlace, SquareOrder};
use bezzel_encode::{Constraints, Encoding, Numbering, Settings, Symmetry};
use bezzel_experiment::{Catalog, EncoderPrograms, Permission, fit, program};
use bezzel_problem::Instance;
use clap::Args;

use super::settings::SettingArguments;
use crate::failure::Failure;

#[derive(Debug, Args)]
pub(crate) struct EncodingArguments {
    /// The id of an encoding, from `bezzel list`; the default is `pairwise`, or `product` if `solve` looks for one
    /// solution
    #[arg(long, value_name = "ID")]
    encoding: Option<String>,
    #[command(flatten)]
    settings: SettingArguments,
    /// Rename the variables at random, and shuffle the literals of each clause, by this seed
    #[arg(long, value_name = "SEED", conflicts_with_all = ["squares", "auxiliaries"])]
    shuffle: Option<u64>,
    /// The variable order of the squares: row-major, column-major, spiral or centre-out; row-major if not given
    #[arg(long, value_name = "ORDER")]
    squares: Option<SquareOrder>,
    /// The place of auxiliary variables: after, before or between those of the squares; after them if not given
    #[arg(long, value_name = "PLACE")]
    auxiliaries: Option<AuxiliaryPlace>,
}

impl EncodingArguments {
    /// The encoding's name.
    pub(crate) fn id(&self) -> &str {
        self.encoding.as_deref().unwrap_or("pairwise")
    }

    /// The encoding's name for engines that read circuits.
    pub(crate) fn circuit_id(&self) -> &str {
        self.encoding.as_deref().unwrap_or("bryant-circuit")
    }

    /// True if a numbering is given.
    pub(crate) fn numbers(&self) -> bool {
        self.numbering() != Numbering::default()
    }

    /// True if an encoding, its settings or a numbering are given.
    pub(crate) fn is_named(&self) -> bool {
        self.encoding.is_some() || self.settings.are_given() || self.numbers()
    }

    /// True if neither an encoding nor a numbering is given. Settings may be given.
    pub(crate) fn is_open(&self) -> bool {
        let ordered = self.squares.is_some() || self.auxiliaries.is_some();
        self.encoding.is_none() && self.shuffle.is_none() && !ordered
    }

    /// The symmetry breaking: it states which placements of each orbit satisfy the formula.
    pub(crate) fn symmetry(&self) -> Symmetry {
        self.settings.on(Settings::default()).symmetry
    }

    /// Finds the encoding. Refuses it if its formula of the instance has more variables than solvers can number, or does
    /// not fit into the memory limit.
    pub(crate) fn find(
        &self,
        catalog: &Catalog,
        instance: &Instance,
        memory_bytes: Option<u64>,
    ) -> Result<Arc<dyn Encoding>, Failure> {
        self.find_by(self.id(), catalog, instance, memory_bytes)
    }

    /// The same for an encoding with this name.
    pub(crate) fn find_by(
        &self,
        id: &str,
        catalog: &Catalog,
        instance: &Instance,
        memory_bytes: Option<u64>,
    ) -> Result<Arc<dyn Encoding>, Failure> {
        if let (Some(squares), None) = (self.squares, instance.board()) {
            return Err(Failure::Input(format!(
                "--squares {squares} is for boards, and `{instance}` is none: remove --squares"
            )));
        }
        let constraints = instance.board().map_or(Constraints::Full, Constraints::default_on);
        let settings = self.settings.on(constraints.into());
        let permission = Permission::of_names([id]);
        let mut programs = EncoderPrograms::new(&catalog.encodings, program::LIMITS, &permission);
        let found = programs.find(id, settings, instance);
        let found = found.map_err(Failure::input)?;
        self.settings.refuse_unread(id, &found)?;
        let encoding = found.on_board(settings);
        encoding.fits(&instance.problem()).map_err(Failure::input)?;
        if let Some(size) = fit::size(encoding.as_ref(), instance) {
            match memory_bytes {
                None => fit::numbered(instance, id, size),
                Some(bytes) => fit::solvable(instance, id, size, false, bytes),
            }
            .map_err(Failure::input)?;
        }
        Ok(encoding)
    }

    /// The numbering.
    pub(crate) fn numbering(&self) -> Numbering {
        let (squares, auxiliaries) = (self.squares, self.auxiliaries);
        let ordered =
            Numbering::ordered(squares.unwrap_or_default(), auxiliaries.unwrap_or_default());
        self.shuffle.map_or(ordered, Numbering::random)
    }
}
