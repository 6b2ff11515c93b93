//! The engines that can be named.

use std::sync::Arc;

use bezzel_encode::UnknownId;
use bezzel_solve::Enumerators;

use super::{Engine, EngineCard, backtrack, components, diagram, direct, sat};

/// The engines that can be named. A value, as the solvers are: a program outside this repository
/// adds its own.
#[derive(Clone, Default)]
pub struct Engines {
    engines: Vec<Arc<dyn Engine>>,
}

impl Engines {
    /// No engine.
    pub fn new() -> Self {
        Self::default()
    }

    /// The engines that Bezzel comes with, in the order in which they are listed.
    pub fn standard() -> Self {
        let enumerators = Enumerators::standard();
        let sat = enumerators.all().iter().cloned().map(sat::Sat::new);
        let engines = sat.fold(Self::new(), Self::with);
        let engines = diagram::DiagramEngine::all().fold(engines, Self::with);
        let engines = direct::DirectEngine::ALL.into_iter().fold(engines, Self::with);
        engines.with(backtrack::BacktrackEngine).with(components::Components)
    }

    /// These engines and one more.
    #[must_use]
    pub fn with(mut self, engine: impl Engine + 'static) -> Self {
        self.engines.push(Arc::new(engine));
        self
    }

    /// The engines, in order.
    pub fn all(&self) -> &[Arc<dyn Engine>] {
        &self.engines
    }

    /// The cards of the engines, in order.
    pub fn cards(&self) -> Vec<EngineCard> {
        self.engines.iter().map(|engine| engine.card()).collect()
    }

    /// The engine of this name.
    ///
    /// # Errors
    ///
    /// When there is none; the error names the nearest id.
    pub fn find(&self, id: &str) -> Result<Arc<dyn Engine>, UnknownId> {
        let found = self.engines.iter().find(|engine| engine.card().id == id);
        let ids = || self.cards().into_iter().map(|card| card.id);
        found.map(Arc::clone).ok_or_else(|| UnknownId::new("engine", id, ids()))
    }
}
