//! Techniques of solvers that transform a formula before the search and can outweigh an encoding.

use bezzel_problem::named;

named! {
    /// Preprocessing that can compensate for an encoding or undo its advantage, so that experiments have it as an
    /// axis.
    pub enum Inprocessing {
        /// New variables stand for common parts of clauses: bounded variable addition. Manthey, Heule, Biere:
        /// Automated Reencoding of Boolean Formulas. HVC 2012, LNCS 7857, 102-117.
        Bva = "bva",
        /// Variables are eliminated by resolution. Eén, Biere: Effective Preprocessing in SAT Through Variable and
        /// Clause Elimination. SAT 2005, LNCS 3569, 61-75.
        Bve = "bve",
    }
}

/// The option that switches a technique in a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The technique.
    pub technique: Inprocessing,
    /// The solver's option: 0 is off and 1 is on.
    pub option: &'static str,
    /// True if the technique is on by default.
    pub default: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{OptionValue, Options};
    use crate::solvers;

    #[test]
    fn a_switch_is_an_option_that_the_solver_has_and_comes_as_it_says() {
        let mut switches = 0;
        for solver in solvers() {
            let defaults = solver.settings(&Options::new()).unwrap();
            for switch in solver.switches() {
                let set = |on: bool| {
                    let given = Options::from([(
                        switch.option.to_owned(),
                        OptionValue::Integer(on.into()),
                    )]);
                    let mut settings = solver.settings(&given).unwrap();
                    let value = settings.remove(switch.option);
                    (value, settings)
                };
                let (default, rest) = set(switch.default);
                let (other, others) = set(!switch.default);
                assert_ne!(default, other, "{switch:?}");
                // No other option changes.
                assert_eq!(rest, others, "{switch:?}");
                let recorded = defaults.get(switch.option).copied();
                assert!(recorded.is_none() || recorded == default, "{switch:?}");
                switches += 1;
            }
        }
        assert_eq!(switches, Inprocessing::ALL.len());
    }
}
