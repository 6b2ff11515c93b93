//! Diagrams: `bdd`, `bcdd` and `zbdd`, built by OxiDD's operations from the circuit or the clauses of an encoding.
//!
//! A `:rules` after the kind selects the formulas of Nielsen and Faartoft in place of an encoding. `+top-together`
//! joins the upper third of a circuit's rows before they are conjoined to the others. `+column`, `+inside-out` and
//! `+interleaved` are orders of variables other than row by row. [`bezzel_count::apply`] describes each of them, and
//! defines the count of nodes.

use bezzel_count::Diagram;
use bezzel_count::apply::{BoardRules, BoardRulesError, Method, Order, OxiddKind, Schedule};
use bezzel_count::diagram::Decoder;
use bezzel_encode::{Encoding, Unsupported, VarMap};
use bezzel_problem::{Board, Candidate, Instance};
use bezzel_process::usage;
use bezzel_solve::{BackendInfo, Usage};

use super::{
    Backend, BackendError, BackendResult, Capabilities, Conditions, InputKind, Observer, Query,
    QueryInput, board_of,
};
use crate::model::all_solutions::DiagramSize;

/// A way to build a diagram.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiagramEngine {
    method: Method,
    rules: bool,
}

impl DiagramEngine {
    /// Returns every way, for each kind the plain one first.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        [OxiddKind::Bdd, OxiddKind::Bcdd, OxiddKind::Zbdd].into_iter().flat_map(|kind| {
            let of = move |rules, schedule, order| Self {
                method: Method { kind, order, schedule },
                rules,
            };
            let orders = move |rules| Order::ALL.map(|order| of(rules, Schedule::Layers, order));
            let together = of(false, Schedule::TopTogether, Order::Row);
            orders(false).into_iter().chain([together]).chain(orders(true))
        })
    }

    fn id(self) -> String {
        let Method { kind, order, schedule } = self.method;
        let mut id = kind.id().to_owned();
        if self.rules {
            id.push_str(":rules");
        }
        if schedule != Schedule::default() {
            id.extend(["+", schedule.id()]);
        }
        if order != Order::default() {
            id.extend(["+", order.id()]);
        }
        id
    }

    fn reading(
        self,
        board: &Board,
        encoding: Option<&dyn Encoding>,
    ) -> Result<BoardRules, BoardRulesError> {
        match encoding {
            Some(encoding) if !self.rules => BoardRules::encoding(encoding, board),
            _ => BoardRules::rules(board),
        }
    }
}

impl Backend for DiagramEngine {
    fn info(&self) -> BackendInfo {
        let Method { kind, order, schedule } = self.method;
        let what = match kind {
            OxiddKind::Bdd => "Binary decision diagram",
            OxiddKind::Bcdd => "Binary decision diagram with complement edges",
            OxiddKind::Zbdd => "Zero-suppressed decision diagram",
        };
        let mut title = what.to_owned();
        if self.rules {
            title.push_str(", rules of Nielsen and Faartoft");
        }
        if schedule == Schedule::TopTogether {
            title.push_str(", upper rows joined first");
        }
        if order != Order::default() {
            title.push_str(match order {
                Order::Row => "",
                Order::Column => ", column by column",
                Order::InsideOut => ", from the middle outward",
                Order::Interleaved => ", rows in turns from the middle",
            });
        }
        BackendInfo {
            id: self.id(),
            title,
            version: format!("oxidd {}, revision 1", bezzel_count::apply::VERSION),
            citation:
                "Husung, Dubslaff, Hermanns, Köhl: OxiDD. TACAS 2024; Bryant 2019, supplement on \
                       N-queens"
                    .into(),
        }
    }

    fn reads(&self) -> InputKind {
        if self.rules { InputKind::Board } else { InputKind::Circuit }
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { solves: false, lists: true, counts: true, models: false }
    }

    fn fits(
        &self,
        instance: &Instance,
        encoding: Option<&dyn Encoding>,
    ) -> Result<(), Unsupported> {
        let board = board_of(&self.id(), instance)?;
        self.reading(board, encoding).map(drop).map_err(|unreadable| {
            let what = format!("`{}`", self.id());
            match unreadable {
                BoardRulesError::Auxiliary { id, auxiliary } => Unsupported::new(
                    what,
                    &board.problem(),
                    format!(
                        "`{id}` has {auxiliary} auxiliary variables without a circuit that defines them"
                    ),
                    "take an encoding without auxiliary variables, or `bryant-circuit`",
                ),
                other => Unsupported::new(what, &board.problem(), other.to_string(), "take a smaller board"),
            }
        })
    }

    fn run(
        &self,
        question: &QueryInput<'_>,
        conditions: &Conditions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<BackendResult, BackendError> {
        let encoding = question.formula.map(|formula| formula.encoding);
        let board = question.instance.board().expect("a job that is planned fits its engine");
        let reading = self.reading(board, encoding).expect("a job that is planned fits its engine");
        observer.loaded(None);
        // The diagram is built in another thread. Its time is not part of the time of this one.
        let (built, cpu_s) = self.method.build_around(&reading, conditions.budget(), |build| {
            let start = usage::thread_cpu_s();
            let built = build()?;
            Ok((built, usage::thread_cpu_s() - start))
        })?;
        let size = DiagramSize {
            nodes: Some(built.nodes),
            peak_nodes: Some(built.peak),
            peak_states: None,
        };
        let map = reading.map();
        let outcome =
            answered(&built.diagram, board, map, question.query, size, conditions, observer)?;
        Ok(BackendResult { usage: Some(Usage { cpu_s, memory_peak_bytes: None }), ..outcome })
    }
}

/// Answers a query with a finished diagram.
///
/// # Errors
///
/// When it is stopped between two solutions. A small diagram may have very many solutions.
pub(super) fn answered(
    diagram: &Diagram,
    board: &Board,
    map: &VarMap,
    query: Query,
    size: DiagramSize,
    conditions: &Conditions<'_>,
    observer: &mut dyn Observer,
) -> Result<BackendResult, BackendError> {
    let outcome = BackendResult { diagram: Some(size), ..BackendResult::default() };
    if query == Query::Count {
        return Ok(BackendResult { count: Some(diagram.count()), ..outcome });
    }
    let budget = conditions.budget();
    let mut decoder = Decoder::new(board, map);
    let mut models = diagram.models();
    let mut queens: Vec<Candidate> = Vec::new();
    while let Some(model) = models.next_model() {
        queens.clear();
        queens.extend(decoder.placement(model).squares().map(|square| board.candidate(square)));
        if observer.found(&queens).is_break() {
            break;
        }
        budget.go_on()?;
    }
    Ok(outcome)
}
