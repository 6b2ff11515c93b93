//! The three kinds of diagrams, with the names of the same operations of `OxiDD` for each.

use bezzel_problem::named;
use oxidd::bcdd::BCDDFunction;
use oxidd::bdd::BDDFunction;
use oxidd::util::AllocResult;
use oxidd::zbdd::{ZBDDFunction, make_node};
use oxidd::{BooleanFunction, BooleanVecSet, Function, Manager};

use super::export::export;
use crate::budget::Halt;
use crate::diagram::{self, Builder};

named! {
    /// A kind of diagram.
    pub enum OxiddKind: "kind of diagram" {
        /// Binary decision diagram: a node whose children are equal is left out.
        Bdd = "bdd",
        /// Binary decision diagram with complement edges: a function and its negation share their
        /// nodes, so there is one terminal only.
        Bcdd = "bcdd",
        /// Zero-suppressed decision diagram: a node whose variable must be false is left out.
        Zbdd = "zbdd",
    }
}

/// A function of the primary variables, as a diagram of some kind.
pub(super) trait Dd: BooleanFunction {
    /// The meaning of a skipped level.
    const SKIPPED: diagram::DiagramKind;

    /// The number of terminals of a diagram that is not constant.
    const TERMINALS: usize;

    /// A store for `nodes` nodes, with a cache for `cache` results.
    fn store(nodes: usize, cache: usize) -> Self::ManagerRef;

    /// The node that is `high` where the variable of a level is true and `low` where it is false. The level is above
    /// all levels of both.
    fn branch(
        manager: &Self::Manager<'_>,
        level: u32,
        high: &Self,
        low: &Self,
    ) -> AllocResult<Self>;

    /// The level of the root; of constants, the largest number.
    fn level(&self) -> u32;

    /// Copies the diagram out of its store.
    fn export(&self, builder: &mut Builder<'_>) -> Result<diagram::Ref, Halt>;
}

macro_rules! diagram {
    ($function:ty, $skipped:expr, $terminals:literal, $store:path, $branch:path) => {
        impl Dd for $function {
            const SKIPPED: diagram::DiagramKind = $skipped;
            const TERMINALS: usize = $terminals;

            fn store(nodes: usize, cache: usize) -> Self::ManagerRef {
                $store(nodes, cache, 1)
            }

            fn branch(
                manager: &Self::Manager<'_>,
                level: u32,
                high: &Self,
                low: &Self,
            ) -> AllocResult<Self> {
                $branch(manager, level, high, low)
            }

            fn level(&self) -> u32 {
                self.with_manager_shared(|manager, edge| manager.get_node(edge).level())
            }

            fn export(&self, builder: &mut Builder<'_>) -> Result<diagram::Ref, Halt> {
                self.with_manager_shared(|manager, edge| {
                    let no = Self::f_edge(manager);
                    let copied = export(manager, edge, no.borrowed(), builder);
                    manager.drop_edge(no);
                    copied
                })
            }
        }
    };
}

diagram!(BDDFunction, diagram::DiagramKind::Bdd, 2, oxidd::bdd::new_manager, decide);
diagram!(BCDDFunction, diagram::DiagramKind::Bdd, 1, oxidd::bcdd::new_manager, decide);
diagram!(ZBDDFunction, diagram::DiagramKind::Zdd, 2, oxidd::zbdd::new_manager, family);

/// A node of a diagram whose operations include if-then-else.
fn decide<D: BooleanFunction>(
    manager: &D::Manager<'_>,
    level: u32,
    high: &D,
    low: &D,
) -> AllocResult<D> {
    let variable = D::var_edge(manager, level)?;
    let made =
        D::ite_edge(manager, variable.borrowed(), high.as_edge(manager), low.as_edge(manager));
    manager.drop_edge(variable);
    Ok(D::from_edge(manager, made?))
}

/// A node of a family of sets, whose children do not depend on the levels above them.
fn family(
    manager: &<ZBDDFunction as Function>::Manager<'_>,
    level: u32,
    high: &ZBDDFunction,
    low: &ZBDDFunction,
) -> AllocResult<ZBDDFunction> {
    let variable = ZBDDFunction::singleton_edge(manager, level)?;
    let [high, low] = [high, low].map(|of| manager.clone_edge(of.as_edge(manager)));
    let made = make_node(manager, variable.borrowed(), high, low);
    manager.drop_edge(variable);
    Ok(ZBDDFunction::from_edge(manager, made?))
}
