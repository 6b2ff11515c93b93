//! `direct-zdd` and `direct-bdd`: the diagram built from the states of the board, row by row, without
//! operations on diagrams. `states`: the number counted over those states, without a diagram.
//!
//! A `:binary` after the kind selects variables for the bits of a column's number, counted from 0, in place of one
//! for each square. [`bezzel_count::direct`] describes the method and the counted quantities.

use bezzel_count::diagram::DiagramKind;
use bezzel_count::direct::{Direct, MAX_COLUMNS, RowCode};
use bezzel_encode::{Encoding, Unsupported};
use bezzel_problem::Instance;
use bezzel_solve::BackendInfo;

use super::backtrack::refuse_wide;
use super::diagram::answered;
use super::{
    Backend, BackendError, BackendResult, Capabilities, Conditions, InputKind, Observer,
    QueryInput, board_of,
};
use crate::model::all_solutions::DiagramSize;

/// The result that is made from the states.
#[derive(Clone, Copy, Debug)]
pub(super) enum DirectEngine {
    /// A diagram.
    Diagram(DiagramKind, RowCode),
    /// The number alone.
    States,
}

impl DirectEngine {
    /// Every engine of this module, for each kind the plain one first.
    pub(super) const ALL: [Self; 5] = [
        Self::Diagram(DiagramKind::Zdd, RowCode::OneHot),
        Self::Diagram(DiagramKind::Zdd, RowCode::Binary),
        Self::Diagram(DiagramKind::Bdd, RowCode::OneHot),
        Self::Diagram(DiagramKind::Bdd, RowCode::Binary),
        Self::States,
    ];

    fn id(self) -> String {
        match self {
            Self::States => "states".into(),
            Self::Diagram(kind, code) => {
                let kind = if kind == DiagramKind::Zdd { "direct-zdd" } else { "direct-bdd" };
                format!("{kind}{}", if code == RowCode::OneHot { "" } else { ":binary" })
            }
        }
    }
}

impl Backend for DirectEngine {
    fn info(&self) -> BackendInfo {
        let title = match self {
            Self::States => "Count over the states of the board".to_owned(),
            Self::Diagram(kind, code) => {
                let kind = if *kind == DiagramKind::Zdd { "Zero-suppressed" } else { "Binary" };
                let code = if *code == RowCode::OneHot { "" } else { " over the bits of columns" };
                format!("{kind} decision diagram{code}, from the states of the board")
            }
        };
        BackendInfo {
            id: self.id(),
            title,
            version: "1".into(),
            citation: "Rivin, Zabih 1992, A dynamic programming solution to the n-queens problem; \
                       Knuth, TAOCP 4A, 7.1.4"
                .into(),
        }
    }

    fn reads(&self) -> InputKind {
        InputKind::Board
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            solves: false,
            lists: !matches!(self, Self::States),
            counts: true,
            models: false,
        }
    }

    fn fits(
        &self,
        instance: &Instance,
        _encoding: Option<&dyn Encoding>,
    ) -> Result<(), Unsupported> {
        refuse_wide(&self.id(), board_of(&self.id(), instance)?, MAX_COLUMNS)
    }

    fn run(
        &self,
        question: &QueryInput<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        observer.loaded(None);
        let board = question.instance.board().expect("a job that is planned fits its engine");
        let direct = Direct::new(board).expect("a job that is planned fits its engine");
        let budget = conditions.budget();
        match *self {
            Self::States => {
                let (count, effort) = direct.count(budget)?;
                let size = DiagramSize { peak_states: Some(effort.peak), ..DiagramSize::default() };
                Ok(BackendResult {
                    count: Some(count),
                    diagram: Some(size),
                    ..BackendResult::default()
                })
            }
            Self::Diagram(kind, code) => {
                let (diagram, effort) = direct.diagram(kind, code, budget)?;
                let size = DiagramSize {
                    nodes: Some(effort.nodes),
                    // Every node that is made is in the finished diagram.
                    peak_nodes: Some(effort.nodes),
                    peak_states: Some(effort.states),
                };
                let map = code.map(board);
                answered(&diagram, board, &map, question.query, size, conditions, observer)
            }
        }
    }
}
