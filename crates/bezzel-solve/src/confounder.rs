//! What a solver does to a formula before it searches, as far as it can outweigh an encoding.

use bezzel_problem::named;

named! {
    /// Preprocessing that can make up for an encoding, or spoil it, so that experiments have it as an
    /// axis.
    pub enum Confounder {
        /// New variables stand for what clauses have in common: bounded variable addition. Manthey,
        /// Heule, Biere: Automated Reencoding of Boolean Formulas. HVC 2012, LNCS 7857, 102-117.
        Reencode = "reencode",
        /// Variables are resolved away. Eén, Biere: Effective Preprocessing in SAT Through Variable and
        /// Clause Elimination. SAT 2005, LNCS 3569, 61-75.
        Eliminate = "eliminate",
    }
}

/// What switches a confounder in some solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Switch {
    /// What it switches.
    pub confounder: Confounder,
    /// The solver's option: 0 is off and 1 is on.
    pub option: &'static str,
    /// Whether it is on as the solver comes.
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
            let as_it_comes = solver.settings(&Options::new()).unwrap();
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
                // Nothing else is touched by it.
                assert_eq!(rest, others, "{switch:?}");
                let told = as_it_comes.get(switch.option).copied();
                assert!(told.is_none() || told == default, "{switch:?}");
                switches += 1;
            }
        }
        assert_eq!(switches, Confounder::ALL.len());
    }
}
