//! `backtrack`: search row by row with the lines taken as bits of a word, the reference that all
//! are judged by.

use bezzel_count::{Backtrack, Halt};
use bezzel_encode::{Board, Encoding, Misfit, Square};
use bezzel_solve::{OptionError, Options};

use super::{
    Conditions, Engine, EngineCard, EngineError, Observer, Outcome, Powers, Question, Reads,
};

/// See the [module](self).
pub(super) struct BacktrackEngine;

impl Engine for BacktrackEngine {
    fn card(&self) -> EngineCard {
        EngineCard {
            id: "backtrack".into(),
            title: "Bitmask backtracking".into(),
            version: "1".into(),
            citation: "Richards 1997".into(),
        }
    }

    fn reads(&self) -> Reads {
        Reads::Board
    }

    fn powers(&self) -> Powers {
        Powers { lists: true, counts: false, classes: false }
    }

    fn settings(&self, options: &Options) -> Result<Options, OptionError> {
        match options.keys().next() {
            None => Ok(Options::new()),
            Some(option) => Err(OptionError::Unknown {
                solver: self.card().id,
                option: option.clone(),
                near: None,
            }),
        }
    }

    fn fits(&self, _board: &Board, _encoding: Option<&dyn Encoding>) -> Result<(), Misfit> {
        Ok(())
    }

    fn run(
        &self,
        question: &Question<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Outcome, EngineError> {
        observer.loaded(None);
        let Some(search) = Backtrack::new(question.board) else { return Err(Halt::Stopped.into()) };
        let mut queens: Vec<Square> = Vec::new();
        search
            .each(u64::MAX, |placement| {
                if conditions.interrupt().is_raised() {
                    return std::ops::ControlFlow::Break(());
                }
                queens.clear();
                queens.extend(placement.squares());
                observer.found(&queens)
            })
            .map_err(|_| Halt::Stopped)?;
        if conditions.interrupt().is_raised() {
            return Err(Halt::Stopped.into());
        }
        Ok(Outcome::default())
    }
}
